//! The Python module `rigscope._rigscope`.
//!
//! Exposes the public API of the library with Python conventions: arrays, exceptions, keyword arguments.
//! Not for: formats, posing or validation, which the library implements.
//!
//! | file | is for |
//! |---|---|
//! | `arrays` | NumPy views of model memory, and reading NumPy arrays |
//! | `errors` | exceptions |
//! | `opening` | opening files |
//! | `document` | models |
//! | `catalog` | catalog rows |
//! | `mesh`, `skeleton`, `clip`, `material` | the parts of a model |
//! | `typed_args` | arguments whose errors name them |
//! | `pose_args`, `pose` | selecting a pose, and posed vertices and bones |
//! | `results` | results as dataclasses of Python |
//! | `build` | building models from arrays |
//! | `to_arrays` | models as the arrays that `build` takes |
//! | `convert` | conversion to other formats |
//! | `fix` | fixing files |
//! | `compare` | differences between two models |
//! | `retarget` | pairs of bones, and clips of other skeletons |
//! | `diagnose` | causes of export faults |
//! | `tables` | rules, causes and runtimes |
//! | `draw` | rendering (feature `gpu`) |
//! | `share` | the page of the viewer with a model in it |
//! | `running` | panics, and threads after a fork |
//!
//! Invariant: objects are frozen and share one document; arrays that are views keep it alive.
//! Invariant: long operations release the GIL, so that other Python threads can run, and run on threads that exist
//! (`running`).
//! Invariant: no panic leaves the module: entries are `guarded`.

mod arrays;
mod build;
mod catalog;
mod clip;
mod compare;
mod convert;
mod diagnose;
mod document;
#[cfg(feature = "gpu")]
mod draw;
mod errors;
mod fix;
mod material;
mod mesh;
mod opening;
mod options;
mod pose;
mod pose_args;
mod results;
mod retarget;
mod running;
mod share;
mod skeleton;
mod tables;
mod to_arrays;
mod typed_args;

use pyo3::prelude::*;

#[pymodule]
fn _rigscope(module: &Bound<'_, PyModule>) -> PyResult<()> {
    running::remember_process();
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
    module.add_class::<pose::BonePose>()?;
    module.add_function(wrap_pyfunction!(opening::open, module)?)?;
    module.add_function(wrap_pyfunction!(opening::formats, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::catalog_row, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::catalog_columns, module)?)?;
    module.add_function(wrap_pyfunction!(catalog::may_open, module)?)?;
    module.add_function(wrap_pyfunction!(build::build, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(convert::save, module)?)?;
    module.add_function(wrap_pyfunction!(fix::fix, module)?)?;
    module.add_function(wrap_pyfunction!(options::option_names, module)?)?;
    module.add_function(wrap_pyfunction!(running::panic, module)?)?;
    module.add_function(wrap_pyfunction!(compare::diff, module)?)?;
    module.add_function(wrap_pyfunction!(retarget::bones, module)?)?;
    module.add_function(wrap_pyfunction!(retarget::retarget, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose::diagnose, module)?)?;
    module.add_function(wrap_pyfunction!(diagnose::unexplained, module)?)?;
    module.add_function(wrap_pyfunction!(tables::rules, module)?)?;
    module.add_function(wrap_pyfunction!(tables::causes, module)?)?;
    module.add_function(wrap_pyfunction!(tables::runtimes, module)?)?;
    module.add_function(wrap_pyfunction!(share::page, module)?)?;
    module.add_function(wrap_pyfunction!(share::is_viewer, module)?)?;
    #[cfg(feature = "gpu")]
    module.add_function(wrap_pyfunction!(draw::render, module)?)?;
    #[cfg(feature = "gpu")]
    module.add_function(wrap_pyfunction!(draw::thumbnail, module)?)?;
    #[cfg(feature = "gpu")]
    module.add_function(wrap_pyfunction!(draw::heat_map, module)?)?;
    Ok(())
}
