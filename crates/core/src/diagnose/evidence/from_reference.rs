//! Deviations from a reference: the source of an export, or an older version that was correct.

use std::collections::HashSet;

use glam::{Affine3A, Vec3};

use super::keys::{angle_deg, key_secs};
use super::{Evidence, Items, Kind, mean};
use crate::diagnose::bend::bent;
use crate::diagnose::posed::{Posed, posed_reference, reference_moment};
use crate::diagnose::reference::{MeshMatch, Reference};
use crate::diagnose::specimen::{MeshSample, Specimen, size_of, skin_of};
use crate::geometry::from_lowest;
use crate::model::{
    Aabb, BoneId, ClipId, InverseBindSkin, KeyAt, Mesh, MeshId, Model, Trs, numbers, spread,
};
use crate::pose::{Moment, Pose, PoseSpec, sample, skin_some_positions};

fn of_size(value: f64) -> String {
    format!("{} of the model's size", numbers::percent(value))
}

pub(super) const ALL: &[&Evidence] = &[
    &DRAWING, &BONES, &BINDS, &POSITIONS, &NORMALS, &TANGENTS, &UVS, &TRIANGLES, &WEIGHTS, &MORPHS,
    &KEYS, &WILD_KEYS, &TIMES,
];

/// Mean distance of vertices in the rest pose and in moments of clips, the largest of all poses, as a fraction of
/// the mesh's size. If nothing is drawn differently, other deviations are another way of storing the same model.
pub(crate) const DRAWING: Evidence = Evidence {
    name: "drawing-from-reference",
    meaning: "the mean deviation of the drawn vertices from the reference",
    unit: "fraction",
    kind: Kind::Deviation(2e-3),
    items: Items::Own,
    noise: 5e-4,
    weight: 1.0,
    measure: drawing,
    text: of_size,
};

/// Mean distance of bones in the rest pose, including their axes, as a fraction of the skeleton's size; a single
/// item.
pub(crate) const BONES: Evidence = Evidence {
    name: "bones-from-reference",
    meaning: "the mean deviation of the bones from the reference",
    unit: "fraction",
    kind: Kind::StoredDeviation(0.02),
    items: Items::Own,
    noise: 2e-3,
    weight: 2.0,
    measure: |case, model| vec![bones(case, model).unwrap_or(f64::NAN)],
    text: of_size,
};

/// Mean distance between the positions to which inverse bind matrices move the corners of the mesh's bounds, as a
/// fraction of the mesh's size.
pub(crate) const BINDS: Evidence = Evidence {
    name: "binds-from-reference",
    meaning: "the mean deviation of the inverse bind matrices from the reference",
    unit: "fraction",
    kind: Kind::StoredDeviation(0.02),
    items: Items::Own,
    noise: 2e-3,
    weight: 2.0,
    measure: |case, model| each(case, model, binds),
    text: of_size,
};

/// Mean distance of vertices in the rest pose, as a fraction of the mesh's size.
pub(crate) const POSITIONS: Evidence = Evidence {
    name: "positions-from-reference",
    meaning: "the mean deviation of the vertices from the reference in the rest pose",
    unit: "fraction",
    kind: Kind::Deviation(0.02),
    items: Items::Own,
    noise: 2e-3,
    weight: 2.0,
    measure: |case, model| each(case, model, positions),
    text: of_size,
};

/// Mean angle between normals, in degrees.
pub(crate) const NORMALS: Evidence = Evidence {
    name: "normals-from-reference",
    meaning: "the mean deviation of the normals from the reference",
    unit: "degrees",
    kind: Kind::Deviation(15.0),
    items: Items::Own,
    noise: 3.0,
    weight: 2.0,
    measure: |case, model| each(case, model, normals),
    text: |value| numbers::degrees(value),
};

/// Share of vertices with the opposite bitangent sign.
pub(crate) const TANGENTS: Evidence = Evidence {
    name: "tangents-from-reference",
    meaning: "the share of vertices whose bitangent sign differs from the reference",
    unit: "fraction",
    kind: Kind::Deviation(0.3),
    items: Items::Own,
    noise: 0.02,
    weight: 2.0,
    measure: |case, model| each(case, model, tangents),
    text: |value| numbers::percent(value),
};

/// Mean distance of UVs.
pub(crate) const UVS: Evidence = Evidence {
    name: "uvs-from-reference",
    meaning: "the mean deviation of the UVs from the reference",
    unit: "UV",
    kind: Kind::Deviation(0.02),
    items: Items::Own,
    noise: 2e-3,
    weight: 2.0,
    measure: |case, model| each(case, model, uvs),
    text: |value| numbers::significant(value, 2),
};

/// Share of triangles that the reference has with the opposite winding.
pub(crate) const TRIANGLES: Evidence = Evidence {
    name: "triangles-from-reference",
    meaning: "the share of triangles whose winding differs from the reference",
    unit: "fraction",
    kind: Kind::Deviation(5e-3),
    items: Items::Own,
    noise: 1e-3,
    weight: 2.0,
    measure: |case, model| each(case, model, triangles),
    text: |value| numbers::percent(value),
};

/// Mean share of a vertex's weight that is assigned to different bones.
pub(crate) const WEIGHTS: Evidence = Evidence {
    name: "weights-from-reference",
    meaning: "the mean deviation of the weights from the reference",
    unit: "fraction",
    kind: Kind::StoredDeviation(0.015),
    items: Items::Own,
    noise: 5e-3,
    weight: 2.0,
    measure: |case, model| each(case, model, weights),
    text: |value| numbers::percent(value),
};

/// Mean difference of morph target offsets, as a fraction of their length in the reference; one item per target.
pub(crate) const MORPHS: Evidence = Evidence {
    name: "morphs-from-reference",
    meaning: "the mean deviation of the morph target offsets from the reference",
    unit: "fraction",
    kind: Kind::Deviation(0.2),
    items: Items::Own,
    noise: 0.02,
    weight: 2.0,
    measure: |case, model| morphs(case, model),
    text: |value| format!("{} of their length", numbers::percent(value)),
};

/// Mean difference of a bone's local transform over a clip: the sum of the angle in radians, the relative difference
/// of the translation, and the difference of the scale; one item per clip and bone.
pub(crate) const KEYS: Evidence = Evidence {
    name: "keys-from-reference",
    meaning: "the mean deviation of the bone motion from the reference",
    unit: "radians and fractions",
    kind: Kind::StoredDeviation(0.03),
    items: Items::Own,
    noise: 8e-3,
    weight: 2.0,
    measure: |case, model| keys(case, model),
    text: |value| numbers::significant(value, 2),
};

/// Difference of a bone's local transform at keys that are far from both of their neighbours, as for [`KEYS`]; one item
/// per examined clip, the largest of its keys.
pub(crate) const WILD_KEYS: Evidence = Evidence {
    name: "wild-keys-from-reference",
    meaning: "the deviation of single keys from the reference",
    unit: "radians and fractions",
    kind: Kind::Deviation(0.1),
    items: Items::Own,
    noise: 0.03,
    weight: 2.0,
    measure: |case, model| wild_keys(case, model),
    text: |value| numbers::significant(value, 2),
};

/// Difference of a clip's start and end, as a fraction of the duration; one item per clip.
pub(crate) const TIMES: Evidence = Evidence {
    name: "times-from-reference",
    meaning: "the deviation of the clip's start and end from the reference",
    unit: "fraction",
    kind: Kind::Deviation(1e-3),
    items: Items::Own,
    noise: 1e-4,
    weight: 2.0,
    measure: |case, model| times(case, model),
    text: |value| format!("{} of the duration", numbers::percent(value)),
};

/// Moments per clip at which bones are compared.
const MAX_MOMENTS: usize = 12;
/// The most triangles to compare per mesh.
const MAX_TRIANGLES: usize = 4000;
/// Differences of translations are relative to the bone's length, but at least to this fraction of the longest.
const SHORTEST: f32 = 0.02;

fn each(
    case: &Specimen,
    model: &Model,
    of: impl Fn(&Specimen, &Model, &MeshSample, &Reference, &MeshMatch) -> Option<f64>,
) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let pairs = case.samples.iter().zip(&reference.meshes);
    pairs
        .map(|(part, found)| {
            let value = found.as_ref().and_then(|found| of(case, model, part, reference, found));
            value.unwrap_or(f64::NAN)
        })
        .collect()
}

/// A sampled mesh and the matching mesh of the reference.
fn both<'a>(
    model: &'a Model,
    part: &MeshSample,
    reference: &'a Reference,
    found: &MeshMatch,
) -> Option<[&'a Mesh; 2]> {
    Some([&model.meshes[part.mesh], &reference.model.meshes[found.mesh]])
}

/// The mean distance over the sampled vertices that have values in both meshes.
fn mean_of<T: Copy>(
    part: &MeshSample,
    found: &MeshMatch,
    own: &[T],
    other: &[T],
    distance: impl Fn(T, T) -> f64,
) -> Option<f64> {
    let pairs = part.vertices.iter().zip(&found.vertices);
    let values =
        pairs.filter_map(|(a, b)| Some((*own.get(*a as usize)?, *other.get(*b as usize)?)));
    mean(values.map(|(a, b)| distance(a, b)))
}

fn bones(case: &Specimen, model: &Model) -> Option<f64> {
    let reference = case.reference.as_ref()?;
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let [own, other] = [model, &reference.model].map(|model| sample(model, &rest).model_from_bone);
    let size = Aabb::from_points(other.iter().map(|bone| bone.translation.into())).extent();
    let arm = size * 0.05;
    let distances = reference.bones.iter_enumerated().filter_map(|(bone, of)| {
        let (a, b) = (own.get(bone)?, other.get((*of)?)?);
        let axes = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let points = axes.map(|axis| {
            // The scale of a bone shows in the positions of its children.
            let at = |m: &Affine3A| {
                Vec3::from(m.translation) + (m.matrix3 * axis).normalize_or_zero() * arm
            };
            f64::from(at(a).distance(at(b)))
        });
        Some(points.iter().sum::<f64>() / 4.0)
    });
    mean(distances).filter(|_| size > 0.0).map(|mean| mean / f64::from(size))
}

/// The inverse bind matrix of a bone in a skin.
fn bind_of(skin: &InverseBindSkin, bone: BoneId) -> Option<glam::Mat4> {
    let slot = skin.bones.iter().position(|own| *own == bone)?;
    skin.bone_from_mesh.get(slot).copied()
}

fn binds(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    let (skin, other_skin) = (skin_of(own)?, skin_of(other)?);
    let positions = &other.streams()?.positions;
    let size = f64::from(size_of(positions));
    let bounds = Aabb::from_points(positions.iter().copied());
    let used = crate::model::stats::used_slots(own, skin);
    let slots = skin.bones.iter().zip(&skin.bone_from_mesh).zip(used).filter(|(_, used)| *used);
    let distances = slots.filter_map(|((bone, matrix), _)| {
        let of = (*reference.bones.get(*bone)?)?;
        let other = bind_of(other_skin, of)?;
        let scale = f64::from(other.determinant().abs().cbrt()).max(f64::MIN_POSITIVE);
        let apart = bounds.corners().map(|corner| {
            let [a, b] = [matrix, &other].map(|matrix| *matrix * corner.extend(1.0));
            f64::from(a.distance(b))
        });
        Some(apart.iter().sum::<f64>() / 8.0 / scale)
    });
    mean(distances).filter(|_| size > 0.0).map(|mean| mean / size)
}

fn positions(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let posed = |model: &Model, mesh: &Mesh, at: usize, vertices: &[u32]| {
        let pose = sample(model, &rest).of_mesh(MeshId::from_index(at), mesh);
        skin_some_positions(mesh, &pose, vertices)
    };
    let a = posed(model, own, part.mesh.index(), &part.vertices);
    let b = posed(&reference.model, other, found.mesh.index(), &found.vertices);
    let size = f64::from(size_of(&b));
    mean(a.iter().zip(&b).map(|(a, b)| f64::from(a.distance(*b))))
        .filter(|_| size > 0.0)
        .map(|mean| mean / size)
}

fn drawing(case: &Specimen, model: &Posed<'_>) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    // Without clips, faults of weights show only in another pose.
    let bent = case.clips.is_empty().then(|| bent_pair(model, reference));
    let of_sample = |(at, (part, found)): (usize, (&MeshSample, &Option<MeshMatch>))| {
        found.as_ref()?;
        let mesh = &model.meshes[part.mesh];
        let of_pose = |(pose, own): (&Pose, &Option<Vec<Vec<Vec3>>>)| {
            let theirs = own.as_ref()?.get(at)?;
            let posed = skin_some_positions(mesh, &pose.of_mesh(part.mesh, mesh), &part.vertices);
            let size = f64::from(size_of(theirs));
            let apart = mean(posed.iter().zip(theirs).map(|(a, b)| f64::from(a.distance(*b))));
            apart.filter(|_| size > 0.0).map(|mean| mean / size)
        };
        let poses = model.poses(case).iter().zip(posed_reference(case, reference));
        let bent = bent.as_ref().map(|(own, theirs)| (own, theirs));
        poses.chain(bent).filter_map(of_pose).reduce(f64::max)
    };
    let pairs = case.samples.iter().zip(&reference.meshes).enumerate();
    pairs.map(|pair| of_sample(pair).unwrap_or(f64::NAN)).collect()
}

/// Both models, bent alike: the pose of the model, and by sample, the matching vertices of the reference.
fn bent_pair(model: &Model, reference: &Reference) -> (Pose, Option<Vec<Vec<Vec3>>>) {
    let number = |bone: BoneId| reference.bones.get(bone).copied().flatten().map(BoneId::index);
    let matched: HashSet<BoneId> = reference.bones.iter().copied().flatten().collect();
    let pose = bent(&reference.model, |bone| matched.contains(&bone).then(|| bone.index()));
    let of_sample = |found: &Option<MeshMatch>| {
        let Some(found) = found else { return Vec::new() };
        let mesh = &reference.model.meshes[found.mesh];
        skin_some_positions(mesh, &pose.of_mesh(found.mesh, mesh), &found.vertices)
    };
    let theirs = reference.meshes.iter().map(of_sample).collect();
    (bent(model, number), Some(theirs))
}

fn normals(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    // As drawn in the rest pose: meshes may be stored in different spaces.
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let drawn = |model: &Model, mesh: &Mesh, id: MeshId, vertices: &[u32]| {
        let pose = sample(model, &rest).of_mesh(id, mesh);
        let normals = mesh.streams().map(|own| &own.normals).filter(|own| !own.is_empty())?;
        let of = |vertex: &u32| {
            let normal = normals.get(*vertex as usize).copied().unwrap_or_default();
            let Some(skin) = skin_of(mesh) else {
                return pose.palette.first().map_or(normal, |own| own.transform_vector3(normal));
            };
            let mut sum = Vec3::ZERO;
            mesh.for_each_slot(skin, *vertex as usize, |slot, weight| {
                let turned =
                    pose.palette.get(slot as usize).map(|own| own.transform_vector3(normal));
                sum += turned.unwrap_or_default() * weight;
            });
            sum
        };
        Some(vertices.iter().map(of).collect::<Vec<Vec3>>())
    };
    let a = drawn(model, own, part.mesh, &part.vertices)?;
    let b = drawn(&reference.model, other, found.mesh, &found.vertices)?;
    let angle = |(a, b): (&Vec3, &Vec3)| f64::from(a.angle_between(*b)).to_degrees();
    mean(a.iter().zip(&b).map(angle).map(|angle| if angle.is_nan() { 0.0 } else { angle }))
}

fn tangents(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    let (own, other) = (&own.streams()?.tangents, &other.streams()?.tangents);
    mean_of(part, found, own, other, |a, b| if a.w * b.w < 0.0 { 1.0 } else { 0.0 })
}

fn uvs(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    let (own, other) =
        (&own.streams()?.uv_sets.first()?.coords, &other.streams()?.uv_sets.first()?.coords);
    // Whole steps make no difference to a repeating texture.
    mean_of(part, found, own, other, |a, b| {
        let apart = a - b;
        f64::from((apart - apart.round()).length())
    })
}

fn triangles(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    let all = found.triangles(other);
    let has = |triangle| all.binary_search(&from_lowest(triangle)).is_ok();
    let some = spread(own.num_triangles(), MAX_TRIANGLES).filter_map(|at| {
        let corner = |corner: usize| own.indices.get(at * 3 + corner);
        let [a, b, c] = [corner(0)?, corner(1)?, corner(2)?].map(|own| found.counterpart(own));
        Some([a?, b?, c?])
    });
    mean(some.map(|[a, b, c]| {
        let is_reversed = !has([a, b, c]) && has([a, c, b]);
        if is_reversed { 1.0 } else { 0.0 }
    }))
}

/// The weights of a vertex per bone of the reference; `None` has the total weight of unmatched bones.
pub(in crate::diagnose) fn weights_of(
    mesh: &Mesh,
    vertex: u32,
    bone: impl Fn(BoneId) -> Option<BoneId>,
) -> Vec<(Option<BoneId>, f32)> {
    let mut list: Vec<(Option<BoneId>, f32)> = Vec::new();
    mesh.for_each_influence(vertex as usize, |own, weight| {
        let of = bone(own);
        match list.iter_mut().find(|(other, _)| *other == of) {
            Some((_, sum)) => *sum += weight,
            None => list.push((of, weight)),
        }
    });
    list
}

fn weights(
    _: &Specimen,
    model: &Model,
    part: &MeshSample,
    reference: &Reference,
    found: &MeshMatch,
) -> Option<f64> {
    let [own, other] = both(model, part, reference, found)?;
    skin_of(own)?;
    skin_of(other)?;
    let pairs = part.vertices.iter().zip(&found.vertices);
    mean(pairs.map(|(a, b)| {
        let a = weights_of(own, *a, |bone| reference.bones.get(bone).copied().flatten());
        let b = weights_of(other, *b, Some);
        let of = |list: &[(Option<BoneId>, f32)], bone: Option<BoneId>| {
            list.iter().find(|(other, _)| *other == bone).map_or(0.0, |(_, weight)| *weight)
        };
        let mut sum: f32 = a.iter().map(|(bone, weight)| (weight - of(&b, *bone)).abs()).sum();
        sum += b
            .iter()
            .filter(|(bone, _)| !a.iter().any(|(own, _)| own == bone))
            .map(|(_, weight)| weight)
            .sum::<f32>();
        f64::from(sum) / 2.0
    }))
}

fn morphs(case: &Specimen, model: &Model) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let of_target = |[mesh, number]: [usize; 2]| {
        let target = model.meshes[MeshId::from_index(mesh)].morph_targets.get(number)?;
        let at = case.samples.iter().position(|part| part.mesh == MeshId::from_index(mesh))?;
        let found = reference.meshes.get(at)?.as_ref()?;
        let (of_mesh, other) = reference.morph_targets.get(&(MeshId::from_index(mesh), number))?;
        let targets = &reference.model.meshes[found.mesh].morph_targets;
        let other = targets.get(*other).filter(|_| *of_mesh == found.mesh)?;
        let (own, other) = (target.shapes.last()?, other.shapes.last()?);
        let offset = |shape: &crate::model::MorphShape, vertex| {
            let at =
                shape.vertices.binary_search_by_key(&vertex, |id: &crate::model::VertexId| id.0);
            at.ok().and_then(|at| shape.position_offsets.get(at).copied()).unwrap_or_default()
        };
        let (mut apart, mut longest) = (0.0, 0.0);
        for &vertex in &case.samples.get(at)?.vertices {
            let (a, b) = (offset(own, vertex), offset(other, found.counterpart(vertex)?));
            apart += f64::from(a.distance(b));
            longest += f64::from(b.length());
        }
        (longest > 0.0).then(|| apart / longest)
    };
    super::morphs::targets(&case.model).map(|(at, ..)| of_target(at).unwrap_or(f64::NAN)).collect()
}

/// Times at which both clips are compared, spread over the clip of the reference.
fn moments(other: &crate::model::Clip) -> impl Iterator<Item = f64> + use<> {
    let (start, duration) = (other.start_secs, other.duration_secs.max(0.0));
    (0..MAX_MOMENTS).map(move |at| start + duration * (at as f64 + 0.5) / MAX_MOMENTS as f64)
}

fn keys(case: &Specimen, model: &Model) -> Vec<f64> {
    let num_bones = model.skeleton.len();
    let Some(reference) = &case.reference else { return Vec::new() };
    let clips = super::keys::clips_of_items(case);
    let mut all = vec![f64::NAN; num_bones * clips.len()];
    let rest = reference.model.skeleton.bones().iter();
    let longest =
        rest.map(|bone| bone.rest_local.to_trs().translation.length()).fold(0.0, f32::max);
    let examined = clips.into_iter().enumerate().filter(|(_, clip)| case.clips.contains(clip));
    for (at, clip) in examined {
        let Some(&of) = reference.clips.get(&clip) else { continue };
        let other = &reference.model.clips[ClipId::from_index(of)];
        let mut sums = vec![(0.0, 0u32); num_bones];
        for time_secs in moments(other) {
            let pose = |model: &Model, clip| {
                sample(model, &PoseSpec::linear(ClipId::from_index(clip), time_secs))
                    .parent_from_bone
            };
            let (a, b) = (pose(model, clip), pose(&reference.model, of));
            for (bone, of) in reference.bones.iter_enumerated() {
                let Some((a, b)) = of.and_then(|of| Some((a.get(bone)?, b.get(of)?))) else {
                    continue;
                };
                let (sum, num) = &mut sums[bone.index()];
                *sum += local_difference(a, b, longest);
                *num += 1;
            }
        }
        for (item, (sum, num)) in all.iter_mut().skip(at * num_bones).zip(sums) {
            if num > 0 {
                *item = sum / f64::from(num);
            }
        }
    }
    all
}

/// The difference between two local transforms: the sum of the angle in radians, the relative difference of the
/// translation, and the difference of the scale. `longest` is the length of the longest bone.
fn local_difference(a: &Affine3A, b: &Affine3A, longest: f32) -> f64 {
    let [a, b] = [a, b].map(|matrix| Trs::from_affine(*matrix));
    let long = b.translation.length().max(longest * SHORTEST).max(f32::MIN_POSITIVE);
    let moved = f64::from(a.translation.distance(b.translation) / long);
    let scaled = f64::from((a.scale - b.scale).abs().max_element());
    angle_deg(a.rotation, b.rotation).to_radians() + moved + scaled
}

fn wild_keys(case: &Specimen, model: &Model) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let rest = reference.model.skeleton.bones().iter();
    let longest =
        rest.map(|bone| bone.rest_local.to_trs().translation.length()).fold(0.0, f32::max);
    let of_key = |key: &KeyAt| {
        let bone = key.bone?;
        let own = PoseSpec::linear(key.clip, key_secs(model, key)?);
        let [a, b] = [
            sample(model, &own),
            sample(&reference.model, &reference_moment(case, reference, &own)?),
        ];
        let theirs = reference.bones.get(bone).copied().flatten()?;
        let (a, b) = (a.parent_from_bone.get(bone)?, b.parent_from_bone.get(theirs)?);
        Some(local_difference(a, b, longest))
    };
    let of_clip = |clip: &usize| {
        let own = case.spikes().iter().filter(|key| key.clip.index() == *clip);
        own.filter_map(of_key).reduce(f64::max).unwrap_or(f64::NAN)
    };
    case.clips.iter().map(of_clip).collect()
}

fn times(case: &Specimen, model: &Model) -> Vec<f64> {
    let Some(reference) = &case.reference else { return Vec::new() };
    let of_clip = |clip: &usize| {
        let (own, other) = (
            &model.clips[ClipId::from_index(*clip)],
            &reference.model.clips[ClipId::from_index(*reference.clips.get(clip)?)],
        );
        let ends =
            |clip: &crate::model::Clip| [clip.start_secs, clip.start_secs + clip.duration_secs];
        let ([a, b], [c, d]) = (ends(own), ends(other));
        let duration = other.duration_secs.max(1e-3);
        let apart = (a - c).abs() + (b - d).abs();
        // Formats with a fixed frame rate round times to frames.
        let is_rounded = apart < own.frame_secs().min(other.frame_secs()) * 0.9;
        Some(if is_rounded { 0.0 } else { apart / duration })
    };
    case.clips.iter().map(|clip| of_clip(clip).unwrap_or(f64::NAN)).collect()
}
