//! Transforms of nodes: rotations whose length isn't 1, which the reader normalizes and most engines don't, and matrices,
//! which engines decompose.

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::playback_difference::PlaybackDifference;
use super::{MatrixNodes, NodeRotations, Rules};
use crate::model::{LocalTransform, Model, Place, Trs, unit};

/// Matrices that differ by less, relative to their scale, have no shear.
const SHEAR_TOLERANCE: f32 = 1e-5;

/// Changes the transforms of nodes at rest.
pub(super) fn apply(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    decompose(model, rules, differences);
    use_stored_rotations(model, rules, differences);
}

/// Decomposes matrices into translation, rotation and scale, as engines do.
fn decompose(model: &mut Model, rules: &Rules, differences: &mut Vec<PlaybackDifference>) {
    if rules.matrix_nodes == MatrixNodes::AsStored {
        return;
    }
    let mut num = 0;
    for node in model.skeleton.bones().ids() {
        let LocalTransform::Matrix(matrix) = model.skeleton.bones()[node].rest_local else {
            continue;
        };
        let mut trs = decomposed(&matrix);
        if rules.matrix_nodes == MatrixNodes::DecomposedToUnit {
            trs.rotation = unit(trs.rotation, 0.0);
        }
        let shear = trs.to_affine().matrix3 - matrix.matrix3;
        let largest =
            shear.to_cols_array().iter().fold(0.0f32, |most, value| most.max(value.abs()));
        if largest > SHEAR_TOLERANCE * trs.scale.abs().max_element() {
            num += 1;
            model.skeleton.set_rest(node, LocalTransform::Trs(trs));
        }
    }
    if num > 0 {
        differences.push(PlaybackDifference {
            kind: "shear-dropped",
            text: "the shear of node matrices is dropped".to_owned(),
            place: Place::File,
            count: num,
        });
    }
}

/// The parts of a matrix; the rotation isn't normalized. Engines differ only in the axis that they flip for a mirror
/// (three.js 0.187.0, math/Matrix4.js: decompose, math/Quaternion.js: setFromRotationMatrix; Babylon.js 9.28.0,
/// Maths/math.vector.pure.js: decompose; PlayCanvas 2.23.3, glb-parser.js: createNode; glam, to_scale_rotation_translation).
pub(super) fn decomposed(matrix: &Affine3A) -> Trs {
    let m = matrix.matrix3;
    let mut scale = Vec3::new(m.x_axis.length(), m.y_axis.length(), m.z_axis.length());
    if m.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let [x, y, z] = [m.x_axis / scale.x, m.y_axis / scale.y, m.z_axis / scale.z];
    let trace = x.x + y.y + z.z;
    let rotation = if trace > 0.0 {
        let s = 0.5 / (trace + 1.0).sqrt();
        Quat::from_xyzw((y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s, 0.25 / s)
    } else if x.x > y.y && x.x > z.z {
        let s = 2.0 * (1.0 + x.x - y.y - z.z).sqrt();
        Quat::from_xyzw(0.25 * s, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s)
    } else if y.y > z.z {
        let s = 2.0 * (1.0 + y.y - x.x - z.z).sqrt();
        Quat::from_xyzw((y.x + x.y) / s, 0.25 * s, (z.y + y.z) / s, (z.x - x.z) / s)
    } else {
        let s = 2.0 * (1.0 + z.z - x.x - y.y).sqrt();
        Quat::from_xyzw((z.x + x.z) / s, (z.y + y.z) / s, 0.25 * s, (x.y - y.x) / s)
    };
    Trs { translation: matrix.translation.into(), rotation, scale }
}

fn use_stored_rotations(
    model: &mut Model,
    rules: &Rules,
    differences: &mut Vec<PlaybackDifference>,
) {
    if rules.node_rotations == NodeRotations::Normalized {
        return;
    }
    let mut num = 0;
    for (node, rotation) in model.stored.raw_rotations.clone() {
        let Some(bone) = model.skeleton.bones().get(node) else { continue };
        let trs = Trs { rotation, ..bone.rest_local.to_trs() };
        let rest = match rules.node_rotations {
            // The same formula as in glam: 1 - 2 (y^2 + z^2) and so on.
            NodeRotations::Raw | NodeRotations::Normalized => LocalTransform::Trs(trs),
            NodeRotations::Homogeneous => LocalTransform::Matrix(homogeneous(&trs)),
        };
        model.skeleton.set_rest(node, rest);
        num += 1;
    }
    if num > 0 {
        differences.push(PlaybackDifference {
            kind: "node-rotations-unnormalized",
            text: "rotations of nodes that aren't normalized scale and shear them".to_owned(),
            place: Place::File,
            count: num,
        });
    }
}

/// The matrix of a rotation by x^2 - y^2 - z^2 + w^2 and so on: scaled by the square of its length.
fn homogeneous(trs: &Trs) -> Affine3A {
    let scale = trs.rotation.length_squared();
    let rotation = Mat3A::from_quat(unit(trs.rotation, 0.0)) * scale;
    Affine3A {
        matrix3: rotation * Mat3A::from_diagonal(trs.scale),
        translation: trs.translation.into(),
    }
}
