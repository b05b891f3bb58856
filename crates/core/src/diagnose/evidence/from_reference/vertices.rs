//! Vertices, triangles, weights and morph targets.

use glam::Vec3;

use super::pairs::{both, mean_of};
use crate::diagnose::evidence::{mean, morphs as own_morphs};
use crate::diagnose::reference::{MeshMatch, Reference};
use crate::diagnose::specimen::{MeshSample, Specimen, size_of, skin_of};
use crate::geometry::from_lowest;
use crate::model::{BoneId, Mesh, MeshId, Model, spread};
use crate::pose::{Moment, PoseSpec, sample, skin_some_positions};

/// The most triangles to compare per mesh.
const MAX_TRIANGLES: usize = 4000;

pub(super) fn positions(
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

pub(super) fn normals(
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

pub(super) fn tangents(
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

pub(super) fn uvs(
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

pub(super) fn triangles(
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

pub(super) fn weights(
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

pub(super) fn morphs(case: &Specimen, model: &Model) -> Vec<f64> {
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
    own_morphs::targets(&case.model).map(|(at, ..)| of_target(at).unwrap_or(f64::NAN)).collect()
}
