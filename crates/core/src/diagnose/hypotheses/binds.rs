//! Faults of inverse bind matrices.

use std::collections::HashMap;
use std::f32::consts::{FRAC_PI_2, PI};

use glam::{Affine3A, Mat3, Mat4, Vec3, Vec4};

use super::FACTORS;
use crate::diagnose::cause::{BIND_FINDINGS, CauseInfo, causes};
use crate::diagnose::edit::{map_binds, reflection};
use crate::diagnose::evidence::shape::with_shape;
use crate::diagnose::evidence::{Evidence, binds, from_reference, median, reach, single};
use crate::diagnose::specimen::{Shared, Specimen, skin_of};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{BoneId, IdVec, MeshId, Model};
use crate::pose::{Moment, PoseSpec, sample};

/// Evidence about inverse bind matrices.
const OF_BINDS: &[&Evidence] = with_shape![&binds::REST_TO_BIND, &from_reference::BINDS];
/// Evidence that can show whether binding in the rest pose is right. The distance between rest pose and bind pose
/// can't, because it becomes zero in any case.
const OF_POSES: &[&Evidence] = with_shape![&reach::REACH, &from_reference::BINDS];

const fn row(
    cause: &'static CauseInfo,
    trials: fn(&Specimen, &'static Evidence, &[usize]) -> Vec<Trial>,
) -> Hypothesis {
    Hypothesis { cause, evidence: OF_BINDS, trials }
}

causes! {
    BINDS_TRANSPOSED: "inverse-binds-transposed",
        "the inverse bind matrices are transposed",
        "write matrices in the element order of the format (glTF: column-major)",
        &["wrong-inverse-bind", "dislocated-joint", "different-bind-poses", "scale-not-in-bind", "inverse-bind-not-affine", "singular-inverse-bind", "sheared-inverse-bind", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_NOT_INVERTED: "inverse-binds-not-inverted",
        "the bind matrices are stored instead of their inverses",
        "invert the bind-pose matrix of each bone before writing it",
        BIND_FINDINGS;
    BINDS_MIRRORED: "inverse-binds-mirrored",
        "the inverse bind matrices are in a coordinate system of the opposite handedness",
        "convert each matrix M to C * M * inverse(C), with the change of axes C of the bones and vertices",
        &["wrong-inverse-bind", "dislocated-joint", "different-bind-poses", "scale-not-in-bind", "mirrored-inverse-bind", "rest-not-bind-pose", "bent-rest-pose"];
    BINDS_UNIT: "inverse-binds-unit",
        "the translations of the inverse bind matrices are in a different unit from the bones",
        "scale the translations of the inverse bind matrices by the same factor as bones and vertices",
        BIND_FINDINGS;
    BINDS_AXES: "inverse-binds-axes",
        "the inverse bind matrices use different bone axes from the skeleton",
        "convert the bone axes consistently in the skeleton, the inverse bind matrices and the keys",
        BIND_FINDINGS;
    BINDS_RELATIVE: "inverse-binds-relative",
        "the inverse bind matrices are relative to the parent bones",
        "invert the matrix from each bone to the mesh, not from the bone to its parent",
        BIND_FINDINGS;
    BINDS_SCALE: "inverse-binds-scale",
        "the inverse bind matrices don't include the scale of the armature",
        "apply the armature's scale before exporting (Blender: Object > Apply > Scale), or include it in the matrices",
        BIND_FINDINGS;
    BINDS_ORDER: "inverse-binds-order",
        "the inverse bind matrices are in a different order from the bones of the skin",
        "write the inverse bind matrices in the order of the skin's bone list (glTF: joints)",
        BIND_FINDINGS;
    JOINTS_ORDER: "joints-order",
        "the bone list of the skin is in a different order from its inverse bind matrices",
        "write the bone list (glTF: joints) in the order that the vertices and inverse bind matrices assume",
        BIND_FINDINGS;
    BINDS_OF_OTHER_POSE: "inverse-binds-of-another-pose",
        "the inverse bind matrices were computed in a different pose from the one in which the mesh is stored",
        "go to the bind pose before exporting (Maya: Skin > Go to Bind Pose), or export the mesh as posed",
        BIND_FINDINGS;
    BINDS_MISSING: "inverse-binds-missing",
        "the inverse bind matrices are missing or were left at identity",
        "write the inverse of each bone's bind-pose matrix",
        BIND_FINDINGS;
    SOME_BINDS_WRONG: "some-inverse-binds-wrong",
        "some inverse bind matrices were computed in a different pose from the others",
        "bind these bones to the mesh again, in the same pose as the others",
        BIND_FINDINGS;
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: BINDS_TRANSPOSED,
        evidence: with_shape![&binds::REST_TO_BIND, &binds::LAST_ROWS, &from_reference::BINDS],
        trials: |case, _, items| {
            let rotation = |matrix: Mat4| {
                if matrix.row(3) != Vec4::W {
                    // The translation is in the last row, and would be lost.
                    return matrix;
                }
                let turned = Mat3::from_mat4(matrix).transpose();
                Mat4::from_mat3(turned) + Mat4::from_translation(matrix.w_axis.truncate())
                    - Mat4::IDENTITY
            };
            let mut trials = changed(case, items, "", |_, matrix| matrix.transpose());
            trials
                .extend(changed(case, items, "rotations only", move |_, matrix| rotation(matrix)));
            trials
        },
    },
    row(BINDS_NOT_INVERTED, |case, _, items| {
        changed(case, items, "", |_, matrix| matrix.inverse())
    }),
    row(BINDS_MIRRORED, |case, _, items| {
        let names = ["mirrored along X", "mirrored along Y", "mirrored along Z"];
        let of_axis = |(axis, name): (usize, &str)| {
            let mirror = Mat4::from_scale(reflection(axis));
            changed(case, items, name, move |_, matrix| mirror * matrix * mirror)
        };
        names.into_iter().enumerate().flat_map(of_axis).collect()
    }),
    row(BINDS_UNIT, |case, _, items| {
        let of_factor = |(undo, factor): (f32, &str)| {
            let scaled = move |mut matrix: Mat4, factor: f32| {
                matrix.w_axis.x *= factor;
                matrix.w_axis.y *= factor;
                matrix.w_axis.z *= factor;
                matrix
            };
            let detail = format!("scaled by {factor}");
            let undone = changed(case, items, &detail, move |_, matrix| scaled(matrix, undo));
            let scopes = scopes(case, items).into_iter();
            let with_rival = |(trial, meshes): (Trial, Vec<MeshId>)| {
                trial.with_rival(move |model| {
                    map_binds(model, &meshes, |_, matrix| scaled(matrix, 0.0))
                })
            };
            undone.into_iter().zip(scopes).map(with_rival).collect::<Vec<_>>()
        };
        FACTORS.into_iter().flat_map(of_factor).collect()
    }),
    Hypothesis {
        cause: BINDS_SCALE,
        evidence: with_shape![
            &binds::REST_TO_BIND,
            &from_reference::BINDS,
            &from_reference::POSITIONS,
        ],
        trials: |case, _, items| {
            let of_factor = |(undo, factor): (f32, &str)| {
                let scale = Mat4::from_scale(Vec3::splat(undo));
                changed(case, items, &format!("a scale of {factor}"), move |_, matrix| {
                    scale * matrix
                })
            };
            // Only a factor that undoes the scale of the skinned mesh is possible.
            let scale = scale_at_rest(case, items).unwrap_or(f32::NAN);
            let fits = |(undo, _): &(f32, &str)| (scale * undo - 1.0).abs() < 0.02;
            FACTORS.into_iter().filter(fits).flat_map(of_factor).collect()
        },
    },
    row(BINDS_AXES, |case, _, items| {
        let rotations = [
            (Vec3::X, -FRAC_PI_2, "rotated by 90° about X"),
            (Vec3::X, FRAC_PI_2, "rotated by -90° about X"),
            (Vec3::Y, -FRAC_PI_2, "rotated by 90° about Y"),
            (Vec3::Y, FRAC_PI_2, "rotated by -90° about Y"),
            (Vec3::Z, -FRAC_PI_2, "rotated by 90° about Z"),
            (Vec3::Z, FRAC_PI_2, "rotated by -90° about Z"),
            (Vec3::X, PI, "rotated by 180° about X"),
            (Vec3::Y, PI, "rotated by 180° about Y"),
            (Vec3::Z, PI, "rotated by 180° about Z"),
        ];
        let of_turn = |(axis, angle_rad, name): (Vec3, f32, &str)| {
            let turn = Mat4::from_axis_angle(axis, angle_rad);
            changed(case, items, name, move |_, matrix| turn * matrix)
        };
        rotations.into_iter().flat_map(of_turn).collect()
    }),
    row(BINDS_RELATIVE, |case, _, items| {
        let meshes = meshes_of(case, items);
        vec![Trial::new("", move |model| {
            for &mesh in &meshes {
                compose_parents(model, mesh);
            }
        })]
    }),
    row(BINDS_ORDER, |case, _, items| orders(case, items, true)),
    row(JOINTS_ORDER, |case, _, items| orders(case, items, false)),
    Hypothesis {
        cause: BINDS_MISSING,
        evidence: OF_BINDS,
        trials: |case, _, items| {
            let mut meshes = meshes_of(case, items);
            meshes.retain(|mesh| are_binds_missing(case, *mesh));
            if meshes.is_empty() {
                return Vec::new();
            }
            let mut trials = vec![from_rest(&meshes)];
            trials.extend(in_space_of_ancestors(case, &meshes));
            trials.extend(from_reference(case, &meshes));
            trials
        },
    },
    Hypothesis {
        cause: SOME_BINDS_WRONG,
        evidence: OF_BINDS,
        trials: |case, _, items| {
            let meshes = meshes_of(case, items);
            let wrong: Vec<_> = meshes.iter().filter_map(|mesh| outliers(case, *mesh)).collect();
            let mut slots = wrong.iter().flat_map(|(.., slots)| slots);
            let Some((first, num)) = slots.next().map(|first| (*first, 1 + slots.count())) else {
                return Vec::new();
            };
            let name = case.model.skeleton.display_name(first);
            let detail = match num {
                1 => format!("for {name}"),
                num => format!(
                    "for {name} and {}",
                    crate::model::counted(num as u64 - 1, "other bone")
                ),
            };
            vec![Trial::new(detail, move |model| {
                for (mesh, common, bones) in &wrong {
                    let rest = rest_of(model);
                    map_binds(model, &[MeshId::from_index(*mesh)], |bone, matrix| {
                        if bones.contains(&bone) {
                            Mat4::from(rest[bone].inverse() * *common)
                        } else {
                            matrix
                        }
                    });
                }
            })]
        },
    },
];

/// This cause explains all other faults of inverse bind matrices too, so it comes last.
pub(super) const LAST_ROWS: &[Hypothesis] = &[Hypothesis {
    cause: BINDS_OF_OTHER_POSE,
    evidence: OF_POSES,
    trials: |case, _, items| {
        let meshes = meshes_of(case, items);
        let mut trials = vec![from_rest(&meshes)];
        trials.extend(in_space_of_ancestors(case, &meshes));
        trials.extend(in_space_of_roots(case, &meshes));
        trials.extend(from_reference(case, &meshes));
        trials
    },
}];

/// The meshes of some items, for evidence with one item per mesh, and those that share a skin with them.
pub(super) fn meshes_of(case: &Specimen, items: &[usize]) -> Vec<MeshId> {
    case.affected(items, Shared::Skin)
}

/// Whether all inverse bind matrices of a mesh are identities.
pub(super) fn are_binds_missing(case: &Specimen, mesh: MeshId) -> bool {
    let is_identity = |matrix: &Mat4| matrix.abs_diff_eq(Mat4::IDENTITY, 1e-6);
    skin_of(&case.model.meshes[mesh])
        .is_some_and(|skin| skin.bones.len() > 1 && skin.bone_from_mesh.iter().all(is_identity))
}

/// The suspicious meshes, and all meshes, because meshes with a single bone are never suspicious.
fn scopes(case: &Specimen, items: &[usize]) -> Vec<Vec<MeshId>> {
    let some = meshes_of(case, items);
    let all = case.all_meshes();
    if some.len() == all.len() { vec![all] } else { vec![some, all] }
}

/// Changes inverse bind matrices in the suspicious meshes, and in all meshes.
fn changed(
    case: &Specimen,
    items: &[usize],
    detail: &str,
    change: impl Fn(BoneId, Mat4) -> Mat4 + Clone + Send + Sync + 'static,
) -> Vec<Trial> {
    let of_meshes = |meshes: Vec<MeshId>| {
        let change = change.clone();
        Trial::new(detail, move |model| map_binds(model, &meshes, &change))
    };
    scopes(case, items).into_iter().map(of_meshes).collect()
}

pub(super) fn rest_of(model: &Model) -> IdVec<BoneId, Affine3A> {
    sample(model, &PoseSpec { moment: Moment::Rest, ..PoseSpec::default() }).model_from_bone
}

/// The median scale of the skinning matrices of some meshes in the rest pose.
pub(super) fn scale_at_rest(case: &Specimen, items: &[usize]) -> Option<f32> {
    let rest = rest_of(&case.model);
    let scales = meshes_of(case, items).into_iter().filter_map(|mesh| {
        let skin = skin_of(&case.model.meshes[mesh])?;
        let slots = skin.bones.iter().zip(&skin.bone_from_mesh);
        let scale = |(bone, matrix): (&BoneId, &Mat4)| {
            f64::from((Mat4::from(rest[*bone]) * *matrix).determinant().abs().cbrt())
        };
        median(slots.map(scale).collect())
    });
    median(scales.collect()).map(single)
}

/// Replaces the inverse bind matrices by those that bind the meshes in the rest pose.
fn from_rest(meshes: &[MeshId]) -> Trial {
    in_space(meshes, Mat4::IDENTITY)
}

/// The same, if the mesh is stored in another space than the bones: that in which a bone near the root is bound.
fn in_space_of_roots(case: &Specimen, meshes: &[MeshId]) -> Vec<Trial> {
    const MAX_ROOTS: usize = 3;
    let rest = rest_of(&case.model);
    let Some(skin) = meshes.first().and_then(|mesh| skin_of(&case.model.meshes[*mesh])) else {
        return Vec::new();
    };
    let slots = skin.bones.iter().copied().zip(skin.bone_from_mesh.iter().copied());
    let is_bound = |bone: BoneId| skin.bones.contains(&bone);
    let is_top = |bone: BoneId| {
        let parent = case.model.skeleton.bones().get(bone).and_then(|bone| bone.parent);
        parent.is_none_or(|parent| !is_bound(parent))
    };
    let of_root =
        |(bone, matrix): (BoneId, Mat4)| in_space(meshes, Mat4::from(rest[bone]) * matrix);
    slots.filter(|(bone, _)| is_top(*bone)).take(MAX_ROOTS).map(of_root).collect()
}

/// The same, if the mesh is stored in the space of an armature or another node above the bones.
fn in_space_of_ancestors(case: &Specimen, meshes: &[MeshId]) -> Vec<Trial> {
    const MAX_ANCESTORS: usize = 3;
    let rest = rest_of(&case.model);
    let Some(skin) = meshes.first().and_then(|mesh| skin_of(&case.model.meshes[*mesh])) else {
        return Vec::new();
    };
    let parent = |bone: &BoneId| case.model.skeleton.bones().get(*bone).and_then(|own| own.parent);
    let ancestors = std::iter::successors(skin.bones.first().copied(), parent)
        .filter(|bone| !skin.bones.contains(bone));
    ancestors.take(MAX_ANCESTORS).map(|bone| in_space(meshes, Mat4::from(rest[bone]))).collect()
}

/// Binds meshes that are stored in this space in the rest pose.
fn in_space(meshes: &[MeshId], model_from_mesh: Mat4) -> Trial {
    let meshes = meshes.to_vec();
    Trial::new("", move |model| {
        let rest = rest_of(model);
        map_binds(model, &meshes, |bone, _| Mat4::from(rest[bone].inverse()) * model_from_mesh);
    })
}

/// The inverse bind matrix of each bone in the reference.
pub(in crate::diagnose) fn reference_binds(
    case: &Specimen,
    mesh: MeshId,
) -> Option<HashMap<BoneId, Mat4>> {
    let reference = case.reference.as_ref()?;
    let at = case.samples.iter().position(|part| part.mesh == mesh)?;
    let other = &reference.model.meshes[reference.meshes.get(at)?.as_ref()?.mesh];
    let skin = skin_of(other)?;
    let theirs: HashMap<BoneId, Mat4> =
        skin.bones.iter().copied().zip(skin.bone_from_mesh.iter().copied()).collect();
    let own = reference.bones.iter_enumerated();
    Some(own.filter_map(|(bone, of)| Some((bone, *theirs.get(&(*of)?)?))).collect())
}

/// Replaces the inverse bind matrices of meshes by those of the reference.
fn from_reference(case: &Specimen, meshes: &[MeshId]) -> Option<Trial> {
    let all: Vec<(MeshId, HashMap<BoneId, Mat4>)> =
        meshes.iter().filter_map(|mesh| Some((*mesh, reference_binds(case, *mesh)?))).collect();
    (!all.is_empty()).then(|| {
        Trial::new("", move |model| {
            for (mesh, binds) in &all {
                map_binds(model, &[*mesh], |bone, matrix| {
                    binds.get(&bone).copied().unwrap_or(matrix)
                });
            }
        })
    })
}

/// For each slot, the slot with the inverse bind matrix that its bone has in the reference.
fn reference_order(case: &Specimen, mesh: MeshId) -> Option<Vec<usize>> {
    let wanted = reference_binds(case, mesh)?;
    let skin = skin_of(&case.model.meshes[mesh])?;
    let mut is_free = vec![true; skin.bones.len()];
    let mut order = Vec::with_capacity(is_free.len());
    for (at, bone) in skin.bones.iter().enumerate() {
        let wanted = wanted.get(bone)?;
        let size = wanted.w_axis.truncate().length() + 1.0;
        let own_first = std::iter::once(at).chain(0..skin.bones.len());
        let is_same = |of: &usize| {
            is_free[*of]
                && skin
                    .bone_from_mesh
                    .get(*of)
                    .is_some_and(|own| own.abs_diff_eq(*wanted, 1e-3 * size))
        };
        let of = own_first.into_iter().find(is_same)?;
        is_free[of] = false;
        order.push(of);
    }
    order.iter().enumerate().any(|(at, of)| at != *of).then_some(order)
}

/// Multiplies each inverse bind matrix by the inverse bind matrix of the parent bone.
fn compose_parents(model: &mut Model, mesh: MeshId) {
    let parents: Vec<Option<BoneId>> =
        model.skeleton.bones().iter().map(|bone| bone.parent).collect();
    let order = model.skeleton.parents_first().to_vec();
    let Some(skin) = model.meshes[mesh].inverse_bind_mut() else {
        return;
    };
    let mut slot_of = vec![None; parents.len()];
    for (slot, bone) in skin.bones.iter().enumerate() {
        slot_of[bone.index()] = Some(slot);
    }
    for bone in order {
        let parent = parents[bone.index()].and_then(|parent| slot_of[parent.index()]);
        if let (Some(slot), Some(parent)) = (slot_of[bone.index()], parent)
            && let Some(&above) = skin.bone_from_mesh.get(parent)
            && let Some(matrix) = skin.bone_from_mesh.get_mut(slot)
        {
            *matrix *= above;
        }
    }
}

/// Assigns inverse bind matrices to the bones that they fit, by reordering the matrices if `moves_binds` is set,
/// otherwise the list of bones.
fn orders(case: &Specimen, items: &[usize], moves_binds: bool) -> Vec<Trial> {
    let rest = rest_of(&case.model);
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut shifts = Vec::new();
    for mesh in meshes_of(case, items) {
        let Some(skin) = skin_of(&case.model.meshes[mesh]) else {
            continue;
        };
        let num = skin.bones.len();
        if skin.bone_from_mesh.len() != num || num < 2 {
            continue;
        }
        shifts.push((mesh, num));
        let order = reference_order(case, mesh);
        if let Some(order) =
            order.or_else(|| fitting_order(&skin.bones, &skin.bone_from_mesh, &rest))
        {
            found.push((mesh.index(), order));
        }
    }
    let apply = move |model: &mut Model, mesh: MeshId, order: &[usize]| {
        let Some(skin) = model.meshes[mesh].inverse_bind_mut() else {
            return;
        };
        if moves_binds {
            let old = skin.bone_from_mesh.clone();
            for (slot, &of) in order.iter().enumerate() {
                if let (Some(to), Some(from)) = (skin.bone_from_mesh.get_mut(slot), old.get(of)) {
                    *to = *from;
                }
            }
        } else {
            let old = skin.bones.clone();
            for (slot, &of) in order.iter().enumerate() {
                if let (Some(to), Some(from)) = (skin.bones.get_mut(of), old.get(slot)) {
                    *to = *from;
                }
            }
        }
    };
    let mut trials = Vec::new();
    for (shift, name) in [(1, "shifted by one position"), (-1, "shifted by one position")] {
        let shifts = shifts.clone();
        trials.push(Trial::new(name, move |model| {
            for &(mesh, num) in &shifts {
                #[expect(clippy::cast_possible_wrap, reason = "a list of bones")]
                let order: Vec<usize> = (0..num)
                    .map(|slot| (slot as isize + shift).rem_euclid(num as isize) as usize)
                    .collect();
                apply(model, mesh, &order);
            }
        }));
    }
    trials.push(Trial::new("in reverse order", move |model| {
        for &(mesh, num) in &shifts {
            let order: Vec<usize> = (0..num).rev().collect();
            apply(model, mesh, &order);
        }
    }));
    if !found.is_empty() {
        trials.push(Trial::new("", move |model| {
            for (mesh, order) in &found {
                apply(model, MeshId::from_index(*mesh), order);
            }
        }));
    }
    trials
}

/// For each slot, the slot whose inverse bind matrix fits its bone; `None` if no matrix fits some bone.
///
/// The matrices are the inverses of the bones' rest matrices up to a transform of the whole mesh. The candidates for
/// this transform are those that make the first matrix fit some bone.
fn fitting_order(
    bones: &[BoneId],
    binds: &[Mat4],
    rest: &IdVec<BoneId, Affine3A>,
) -> Option<Vec<usize>> {
    const MAX_BONES: usize = 256;
    const MAX_CANDIDATES: usize = 64;
    if bones.len() > MAX_BONES {
        return None;
    }
    let own: Vec<Affine3A> = bones.iter().map(|bone| rest[*bone]).collect();
    let bound: Vec<Affine3A> =
        binds.iter().map(|matrix| Affine3A::from_mat4(*matrix).inverse()).collect();
    let size = own.iter().map(|bone| bone.translation.length()).fold(0.0, f32::max);
    let distance = |a: &Affine3A, b: &Affine3A| {
        let axes = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|axis| {
            let at =
                |m: &Affine3A| m.translation + m.matrix3 * glam::Vec3A::from(axis * size * 0.1);
            at(a).distance(at(b))
        });
        axes.into_iter().fold(0.0, f32::max)
    };
    let first = bound.first()?;
    let whole = own.iter().take(MAX_CANDIDATES).map(|bone| *bone * first.inverse());
    let candidates = std::iter::once(Affine3A::IDENTITY).chain(whole);
    let order_of = |common: Affine3A| -> Option<Vec<usize>> {
        let mut is_free = vec![true; bound.len()];
        let placed: Vec<Affine3A> = bound.iter().map(|bind| common * *bind).collect();
        let mut order = Vec::with_capacity(own.len());
        for (at, bone) in own.iter().enumerate() {
            let fits = |of: &usize| distance(bone, &placed[*of]);
            // The same slot first, so that bones at the same place keep their matrices.
            let own_first = std::iter::once(at).chain(0..placed.len());
            let free = own_first.filter(|of| is_free[*of]);
            let of = free.min_by(|a, b| (fits(a) / size).total_cmp(&(fits(b) / size)))?;
            if fits(&of) > size * 0.02 {
                return None;
            }
            is_free[of] = false;
            order.push(of);
        }
        let is_other = order.iter().enumerate().any(|(at, of)| at != *of);
        is_other.then_some(order)
    };
    candidates.filter(|common| common.is_finite()).find_map(order_of)
}

/// A mesh, the skinning matrix that most of its bones share in the rest pose, and the bones that deviate from it.
fn outliers(case: &Specimen, mesh: MeshId) -> Option<(usize, Affine3A, Vec<BoneId>)> {
    let own = &case.model.meshes[mesh];
    let skin = skin_of(own)?;
    let rest = sample(&case.model, &PoseSpec { moment: Moment::Rest, ..PoseSpec::default() });
    let palette = rest.of_mesh(mesh, own).palette;
    let bounds = crate::model::Aabb::from_points(own.streams()?.positions.iter().copied());
    let size = bounds.extent();
    let apart = |a: &Affine3A, b: &Affine3A| {
        let moved = bounds
            .corners()
            .map(|corner| a.transform_point3(corner).distance(b.transform_point3(corner)));
        moved.into_iter().fold(0.0, f32::max)
    };
    let agree = |a: &Affine3A| palette.iter().filter(|b| apart(a, b) < size * 0.02).count();
    let common = palette.iter().max_by_key(|matrix| agree(matrix))?;
    let bones: Vec<BoneId> = skin
        .bones
        .iter()
        .zip(&palette)
        .filter(|(_, matrix)| apart(common, matrix) >= size * 0.02)
        .map(|(bone, _)| *bone)
        .collect();
    // If too many bones deviate, it is unclear which ones are right.
    let is_minority = !bones.is_empty() && bones.len() * 3 <= palette.len();
    is_minority.then_some((mesh.index(), *common, bones))
}
