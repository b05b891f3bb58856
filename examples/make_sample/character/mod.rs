//! A small figure in a suit with a scarf: 22 bones, two clips, six subsets.
//!
//! It faces +Z with its left at +X; scarf tail and waving arm are on its left, so that a mirrored
//! image is obvious.

mod body;
mod motion;
mod skeleton;
mod tube;

use rigscope_core::model::{Model, Report, check};
use rigscope_io::formats::{WriteError, WriteOptions, bsm2::BSM2, write};

/// The bytes of the sample file.
pub(crate) fn file() -> Result<Vec<u8>, WriteError> {
    let mut model = model();
    let report = Report::new();
    check::check(&mut model, &report);
    let options = WriteOptions { hierarchy: true, ..WriteOptions::default() };
    let mut files = write(&model, &BSM2, &options, &report)?;
    Ok(files.remove(0).bytes)
}

/// The character as float streams, rows of influences and curves.
pub(crate) fn model() -> Model {
    let skeleton = skeleton::skeleton();
    let (meshes, materials) = body::meshes(&skeleton);
    let clips = vec![motion::walk(), motion::wave()];
    Model {
        name: "sample".into(),
        meshes: meshes.into(),
        materials: materials.into(),
        skeleton,
        clips: clips.into(),
        ..Model::default()
    }
}
