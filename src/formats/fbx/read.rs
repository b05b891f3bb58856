//! Reading: all of it is the library's and `ufbx_scene`'s work.

use super::ID;
use crate::formats::ufbx_scene::{Kind, convert, load};
use crate::formats::{ReadError, ReadOptions, Source};
use crate::model::{Model, Report};

/// Reads a whole file.
pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let scene = load(ID, &source.bytes, Kind::Fbx, options, report)?;
    Ok(convert(ID, scene, options, report)?.model)
}
