//! Faults of the whole model: up axis, unit and handedness.

use std::f32::consts::FRAC_PI_2;

use glam::{Affine3A, Quat, Vec3};

use super::FACTORS;
use crate::diagnose::cause::causes;
use crate::diagnose::edit::{
    map_rest, map_rotations, map_tracks, map_translations, place_whole, reflected,
    reflected_rotation, reflection, reverse_triangles,
};
use crate::diagnose::evidence::{body, from_reference};
use crate::diagnose::specimen::is_root;
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::Model;

const TURNS: [(f32, &str); 3] = [
    (-FRAC_PI_2, "rotated by 90° about X"),
    (FRAC_PI_2, "rotated by -90° about X"),
    (std::f32::consts::PI, "rotated by 180° about X"),
];

causes! {
    UP_AXIS: "up-axis", is_guess: true,
        "the up-axis conversion was applied twice or not at all",
        "export with the up axis of the format (glTF: +Y Up), and don't rotate the armature as well",
        &["skinned-node-animated"];
    UP_AXIS_OF_CLIPS: "up-axis-of-clips", is_guess: true,
        "the up-axis conversion was applied to the rest pose but not to the clips",
        "apply the armature's rotation before exporting, or convert the keys of the root bone too",
        &[];
    WHOLE_UNIT: "unit-scale", is_guess: true,
        "the model isn't in the unit that the file declares",
        "convert to the unit of the format when exporting (glTF: metres; Blender's FBX exporter: Apply Unit)",
        &["odd-size", "odd-body-size"];
    SIDES_MIRRORED: "mirrored-axis",
        "the model is mirrored",
        "to change handedness, negate the same axis in positions, bones and keys, and reverse the winding",
        &["mirrored-inverse-bind"];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: UP_AXIS,
        evidence: &[&body::UPRIGHT, &from_reference::POSITIONS, &from_reference::BONES],
        trials: |_, _, _| {
            let of = |(angle_rad, name): (f32, &'static str)| {
                Trial::new(name, move |model| {
                    let rotation = Quat::from_rotation_x(angle_rad);
                    place_whole(model, Affine3A::from_quat(rotation));
                })
            };
            TURNS.into_iter().map(of).collect()
        },
    },
    Hypothesis {
        cause: UP_AXIS_OF_CLIPS,
        evidence: &[&body::UPRIGHT, &from_reference::KEYS],
        trials: |_, _, _| {
            let of = |(angle_rad, name): (f32, &'static str)| {
                Trial::new(name, move |model| {
                    let rotation = Quat::from_rotation_x(angle_rad);
                    let roots: Vec<bool> =
                        model.skeleton.bones().ids().map(|bone| is_root(model, bone)).collect();
                    map_tracks(
                        model,
                        |_, bone| roots[bone.index()],
                        |track| {
                            map_rotations(track, |value| rotation * value);
                            map_translations(track, |value| rotation * value);
                        },
                    );
                })
            };
            TURNS.into_iter().map(of).collect()
        },
    },
    Hypothesis {
        cause: WHOLE_UNIT,
        evidence: &[&body::HEIGHT, &from_reference::POSITIONS, &from_reference::BONES],
        trials: |_, _, _| {
            let of = |(undo, factor): (f32, &'static str)| {
                Trial::new(format!("scaled by {factor}"), move |model| {
                    place_whole(model, Affine3A::from_scale(Vec3::splat(undo)));
                })
            };
            FACTORS.into_iter().map(of).collect()
        },
    },
    Hypothesis {
        cause: SIDES_MIRRORED,
        evidence: &[&from_reference::POSITIONS, &from_reference::BONES],
        trials: |_, _, _| {
            let names = ["along X", "along Y", "along Z"];
            let of = |(axis, name): (usize, &'static str)| {
                Trial::new(name, move |model| mirror(model, axis))
            };
            names.into_iter().enumerate().map(of).collect()
        },
    },
];

/// Reflects everything along an axis, and reverses the triangles, so that the surface still faces outward.
pub(in crate::diagnose) fn mirror(model: &mut Model, axis: usize) {
    let signs = reflection(axis);
    map_rest(model, |_, trs| reflected(trs, axis));
    map_tracks(
        model,
        |_, _| true,
        |track| {
            map_translations(track, |value| value * signs);
            map_rotations(track, |value| reflected_rotation(value, axis));
        },
    );
    let matrix = glam::Mat4::from_scale(signs);
    for mesh in &mut model.meshes {
        if let Some(streams) = mesh.streams_mut() {
            streams.positions.iter_mut().for_each(|at| *at *= signs);
            streams.normals.iter_mut().for_each(|normal| *normal *= signs);
            for tangent in &mut streams.tangents {
                *tangent = (tangent.truncate() * signs).extend(-tangent.w);
            }
        }
        if let Some(skin) = mesh.inverse_bind_mut() {
            skin.bone_from_mesh.iter_mut().for_each(|bind| *bind = matrix * *bind * matrix);
        }
        for shape in mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes) {
            shape.position_offsets.iter_mut().for_each(|offset| *offset *= signs);
            shape.normal_offsets.iter_mut().for_each(|offset| *offset *= signs);
        }
        reverse_triangles(mesh, |_| true);
    }
}
