//! Converts attached meshes to skins, for formats without nodes to attach them to.

use rigscope_core::model::{FindingKind, Model, Place, Report};
use rigscope_core::reshape;

/// A plain model with a skin for each mesh attached to a bone; reports meshes whose triangles were
/// flipped.
pub(in crate::formats) fn as_skins(plain: &Model, report: &Report) -> Model {
    let (skinned, num_reversed) = reshape::skin_attached_meshes(plain);
    report_mirrored(num_reversed, report);
    skinned
}

/// Reports meshes on mirrored nodes, whose triangles were flipped.
pub(in crate::formats) fn report_mirrored(num_meshes: usize, report: &Report) {
    let kind = FindingKind::MirroredMesh;
    report.add_many(kind, Place::File, num_meshes as u64, || {
        "the triangles of meshes on mirrored nodes were flipped".to_owned()
    });
}
