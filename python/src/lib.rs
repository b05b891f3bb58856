//! The Python module `rigscope._rigscope`.
//!
//! For: the library's front door in Python's terms: arrays, exceptions, keyword arguments.
//! Not for: knowing a format, posing a vertex or judging a file; the library does.
//!
//! | file | is for |
//! |---|---|
//! | `arrays` | memory lent to NumPy, and arrays taken from it |
//! | `errors` | exceptions |
//! | `document` | files and the models they become |
//! | `catalog` | rows of tables of many files |
//! | `mesh`, `skeleton`, `clip`, `material` | the parts of a model |
//! | `moment`, `pose` | which pose, and what it gives |
//! | `note` | what is found in files and models |
//! | `build` | models out of arrays |
//! | `convert` | other formats |
//! | `compare` | what differs between two models |
//! | `draw` | pictures (feature `gpu`) |
//!
//! Invariant: objects are frozen and share one document; arrays that are views keep it alive.
//! Invariant: whatever takes long lets other Python threads go on.

mod arrays;
mod build;
mod catalog;
mod clip;
mod compare;
mod convert;
mod document;
#[cfg(feature = "gpu")]
mod draw;
mod errors;
mod material;
mod mesh;
mod moment;
mod note;
mod options;
mod pose;
mod skeleton;

use pyo3::prelude::*;

#[pymodule]
fn _rigscope(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("HAS_RENDER", cfg!(feature = "gpu"))?;
    module.add_class::<document::Model>()?;
    module.add_class::<mesh::Mesh>()?;
    module.add_class::<mesh::MorphTarget>()?;
    module.add_class::<skeleton::Skeleton>()?;
    module.add_class::<skeleton::Bone>()?;
    module.add_class::<clip::Clip>()?;
    module.add_class::<clip::Event>()?;
    module.add_class::<material::Material>()?;
    module.add_class::<material::Texture>()?;
    module.add_class::<material::Image>()?;
    module.add_class::<pose::PosedMesh>()?;
    module.add_class::<pose::BonePose>()?;
    module.add_class::<note::Note>()?;
    module.add_class::<convert::Conversion>()?;
    module.add_class::<compare::Comparison>()?;
    module.add_class::<compare::Difference>()?;
    module.add_function(wrap_pyfunction!(document::open, module)?)?;
    module.add_function(wrap_pyfunction!(document::formats, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::catalog_row, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::catalog_columns, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::may_open, module)?)?;
    module.add_function(wrap_pyfunction!(build::build, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(options::option_names, module)?)?;
    module.add_function(wrap_pyfunction!(compare::diff, module)?)?;
    #[cfg(feature = "gpu")]
    module.add_function(wrap_pyfunction!(draw::render, module)?)?;
    Ok(())
}
