//! Deviations from a reference: the source of an export, or an older version that was correct.
//!
//! | file | deviations of |
//! |---|---|
//! | `pairs` | access to the matching meshes |
//! | `skeleton` | rest pose and inverse bind matrices |
//! | `vertices` | vertices, triangles, weights and morph targets |
//! | `motion` | keys and times |

mod motion;
mod pairs;
mod skeleton;
mod vertices;

use std::collections::HashSet;

use glam::Vec3;

use super::{Evidence, Items, Kind, mean};
use crate::diagnose::bend::bent;
use crate::diagnose::posed::{Posed, posed_reference};
use crate::diagnose::reference::{MeshMatch, Reference};
use crate::diagnose::specimen::{MeshSample, Specimen, size_of};
use crate::model::{BoneId, Model, numbers};
use crate::pose::{Pose, skin_some_positions};
use motion::{keys, times, wild_keys};
use pairs::each;
use skeleton::{binds, bones};
pub(in crate::diagnose) use vertices::weights_of;
use vertices::{morphs, normals, positions, tangents, triangles, uvs, weights};

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
