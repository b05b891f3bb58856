//! Fixes of inverse bind matrices.

use glam::{Vec3, Vec4};

use crate::model::Model;

/// Sets the last row of each matrix to 0 0 0 1, except if it may be the translation of a transposed matrix, which would
/// be lost.
pub(super) fn make_affine(model: &mut Model) {
    for mesh in &mut model.meshes {
        let Some(skin) = mesh.inverse_bind_mut() else { continue };
        for matrix in &mut skin.bone_from_mesh {
            let is_translation =
                matrix.row(3).truncate() != Vec3::ZERO && matrix.w_axis.truncate() == Vec3::ZERO;
            if is_translation {
                continue;
            }
            let [x, y, z, w] = [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis];
            let flat = |axis: Vec4, last: f32| axis.truncate().extend(last);
            *matrix = glam::Mat4::from_cols(flat(x, 0.0), flat(y, 0.0), flat(z, 0.0), flat(w, 1.0));
        }
    }
}
