//! Meshes and bones in different spaces: each is correct, but they don't fit together.

use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::FACTORS;
use super::binds::{are_binds_missing, meshes_of, rest_of, scale_at_rest};
use crate::diagnose::cause::causes;
use crate::diagnose::edit::{
    map_binds, map_rest, map_tracks, map_translations, reflection, reverse_triangles,
};
use crate::diagnose::evidence::shape::with_shape;
use crate::diagnose::evidence::{from_reference, reach};
use crate::diagnose::specimen::{Shared, Specimen};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{Mesh, MeshId, Model, Trs};

causes! {
    ARMATURE_UNIT: "armature-unit",
        "the whole armature is in a different unit from the mesh, including inverse bind matrices and keys",
        "apply the scale of the armature before exporting (Blender: Object > Apply > Scale)",
        &["mesh-off-skeleton", "whole-mesh-moved", "odd-size"];
    MESH_UNIT: "mesh-unit",
        "the mesh is in a different unit from its bones",
        "apply the scale of mesh and armature before exporting (Blender: Object > Apply > Scale)",
        &["mesh-off-skeleton", "whole-mesh-moved", "odd-size", "odd-body-size"];
    MESH_AXES: "mesh-axes",
        "the mesh uses different axes from its bones",
        "apply the rotation of mesh and armature before exporting (Blender: Object > Apply > Rotation)",
        &["mesh-off-skeleton", "whole-mesh-moved"];
    MESH_MIRRORED: "mesh-mirrored",
        "the mesh is mirrored, but its bones aren't",
        "to change handedness, negate the same axis in positions, bones, inverse bind matrices and keys",
        &["mesh-off-skeleton", "reversed-winding", "stretched-edge", "torn-seam"];
    BIND_SHAPE_MISSING: "bind-shape-missing",
        "the inverse bind matrices don't include the transform of the mesh in the bind pose",
        "multiply the inverse bind matrices by the bind shape matrix, or apply the mesh's transform before exporting",
        &["wrong-inverse-bind", "dislocated-joint", "different-bind-poses", "scale-not-in-bind", "rest-not-bind-pose", "bent-rest-pose", "mesh-off-skeleton", "whole-mesh-moved"];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: ARMATURE_UNIT,
        evidence: &[&from_reference::BONES, &from_reference::BINDS],
        trials: |case, _, _| {
            let meshes = case.all_meshes();
            let of_factor = |(undo, factor): (f32, &str)| {
                let meshes = meshes.clone();
                Trial::new(format!("scaled by {factor}"), move |model| {
                    scale_armature(model, &meshes, undo);
                })
            };
            FACTORS.into_iter().map(of_factor).collect()
        },
    },
    Hypothesis {
        cause: MESH_UNIT,
        evidence: with_shape![&reach::GAP, &from_reference::POSITIONS],
        trials: |case, _, items| {
            if !is_placed_by_itself(case, items) {
                return Vec::new();
            }
            let of_factor = |(undo, factor): (f32, &str)| {
                let scale = Affine3A::from_scale(Vec3::splat(undo));
                moved(case, items, &format!("scaled by {factor}"), scale)
            };
            FACTORS.into_iter().flat_map(of_factor).collect()
        },
    },
    Hypothesis {
        cause: MESH_AXES,
        evidence: with_shape![&reach::REACH, &reach::GAP, &from_reference::POSITIONS],
        trials: |case, _, items| {
            let rotations = [
                (-FRAC_PI_2, "rotated by 90° about X"),
                (FRAC_PI_2, "rotated by -90° about X"),
                (PI, "rotated by 180° about X"),
            ];
            let of_turn = |(angle_rad, name): (f32, &'static str)| {
                moved(case, items, name, Affine3A::from_rotation_x(angle_rad))
            };
            rotations.into_iter().flat_map(of_turn).collect()
        },
    },
    Hypothesis {
        cause: MESH_MIRRORED,
        evidence: &[&reach::REACH, &from_reference::POSITIONS],
        trials: |case, _, items| {
            let names = ["along X", "along Y", "along Z"];
            let of_axis = |(axis, name): (usize, &str)| {
                let meshes = case.affected(items, Shared::Geometry);
                [[true, true], [true, false], [false, true], [false, false]].map(|parts| {
                    let meshes = meshes.clone();
                    Trial::new(name, move |model| {
                        meshes.iter().for_each(|mesh| {
                            mirror_mesh(&mut model.meshes[*mesh], axis, parts);
                        });
                    })
                })
            };
            names.into_iter().enumerate().flat_map(of_axis).collect()
        },
    },
    Hypothesis {
        cause: BIND_SHAPE_MISSING,
        evidence: with_shape![&reach::GAP, &from_reference::POSITIONS, &from_reference::BINDS],
        trials: |case, _, items| {
            let meshes = meshes_of(case, items);
            // Without any matrices, nothing can be missing from them.
            if meshes.iter().any(|mesh| are_binds_missing(case, *mesh)) {
                return Vec::new();
            }
            shapes(case, &meshes)
        },
    },
];

/// Whether the skinning matrices of the rest pose keep the size of the meshes.
fn is_placed_by_itself(case: &Specimen, items: &[usize]) -> bool {
    scale_at_rest(case, items).is_some_and(|scale| (scale - 1.0).abs() < 0.02)
}

/// Transforms the positions of meshes, with and without normals and morph targets, because these may be correct.
fn moved(case: &Specimen, items: &[usize], detail: &str, change: Affine3A) -> Vec<Trial> {
    let parts = [(true, true), (false, false), (true, false), (false, true)];
    let of_parts = |(with_normals, with_morphs)| {
        let meshes = case.affected(items, Shared::Geometry);
        Trial::new(detail, move |model| {
            for &mesh in &meshes {
                let mesh = &mut model.meshes[mesh];
                let targets = mesh.morph_targets.iter_mut().filter(|_| with_morphs);
                for shape in targets.flat_map(|target| &mut target.shapes) {
                    shape
                        .position_offsets
                        .iter_mut()
                        .for_each(|at| *at = change.transform_vector3(*at));
                }
                let Some(streams) = mesh.streams_mut() else { continue };
                streams.positions.iter_mut().for_each(|at| *at = change.transform_point3(*at));
                for normal in streams.normals.iter_mut().filter(|_| with_normals) {
                    *normal = change.transform_vector3(*normal).normalize_or_zero();
                }
            }
        })
    };
    parts.into_iter().map(of_parts).collect()
}

/// Mirrors the surface and its morph targets, with or without the winding of triangles and the tangents.
fn mirror_mesh(mesh: &mut Mesh, axis: usize, [with_triangles, with_tangents]: [bool; 2]) {
    let signs = reflection(axis);
    for shape in mesh.morph_targets.iter_mut().flat_map(|target| &mut target.shapes) {
        shape.position_offsets.iter_mut().for_each(|offset| *offset *= signs);
        shape.normal_offsets.iter_mut().for_each(|offset| *offset *= signs);
    }
    if let Some(streams) = mesh.streams_mut() {
        streams.positions.iter_mut().for_each(|at| *at *= signs);
        streams.normals.iter_mut().for_each(|normal| *normal *= signs);
        for tangent in streams.tangents.iter_mut().filter(|_| with_tangents) {
            *tangent = (tangent.truncate() * signs).extend(-tangent.w);
        }
    }
    if with_triangles {
        reverse_triangles(mesh, |_| true);
    }
}

/// Scales all bones, including keys and inverse bind matrices.
fn scale_armature(model: &mut Model, meshes: &[MeshId], factor: f32) {
    map_rest(model, |_, trs| Trs { translation: trs.translation * factor, ..trs });
    map_tracks(model, |_, _| true, |track| map_translations(track, |value| value * factor));
    map_binds(model, meshes, |_, mut matrix| {
        matrix.w_axis = (matrix.w_axis.truncate() * factor).extend(matrix.w_axis.w);
        matrix
    });
}

/// Tries transforms that a mesh may have had in the bind pose: changes of axes and unit, and transforms of nodes.
fn shapes(case: &Specimen, meshes: &[MeshId]) -> Vec<Trial> {
    const MAX_NODES: usize = 24;
    let rest = rest_of(&case.model);
    let mut all: Vec<(String, Affine3A)> = Vec::new();
    let rotations = [
        (Quat::IDENTITY, ""),
        (Quat::from_rotation_x(-FRAC_PI_2), "a rotation of -90° about X"),
        (Quat::from_rotation_x(FRAC_PI_2), "a rotation of 90° about X"),
    ];
    for (rotation, name) in rotations {
        for factor in std::iter::once(1.0).chain(FACTORS.map(|(undo, _)| undo)) {
            if (factor, rotation) == (1.0, Quat::IDENTITY) {
                continue;
            }
            let scale = if factor == 1.0 { String::new() } else { format!("a scale of {factor}") };
            let parts: Vec<&str> =
                [name, &scale].into_iter().filter(|part| !part.is_empty()).collect();
            all.push((
                parts.join(", "),
                Affine3A::from_scale_rotation_translation(
                    Vec3::splat(factor),
                    rotation,
                    Vec3::ZERO,
                ),
            ));
        }
    }
    for (bone, matrix) in rest.iter_enumerated().take(MAX_NODES) {
        if !matrix.abs_diff_eq(Affine3A::IDENTITY, 1e-5) {
            let name = case.model.skeleton.display_name(bone);
            all.push((format!("the transform of {name}"), *matrix));
            all.push((format!("the inverse transform of {name}"), matrix.inverse()));
        }
    }
    let trial = |(detail, shape): (String, Affine3A)| {
        let meshes = meshes.to_vec();
        Trial::new(detail, move |model| {
            map_binds(model, &meshes, |_, matrix| matrix * Mat4::from(shape));
        })
    };
    all.into_iter().map(trial).collect()
}
