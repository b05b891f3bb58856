//! How far each vertex of a packed model is from its source: in place, normal, texture coordinate
//! and weights.
//!
//! For: pictures of what packing costs. Not for: one number, which is [`super::measure`].

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine3A, Vec3};
use rayon::prelude::*;

use super::measure::{packed_positions, palette, position_at, source_positions};
use super::pack::{Origin, Packed, Packing};
use crate::model::{
    Axes, BoneId, Cancelled, ClipId, Mesh, MeshId, Model, PackedVertices, Report, VertexData,
    VertexId,
};
use crate::pose::{Moment, Pose, PoseSpec, Sampling, SkinnedMesh, sample, skin_mesh, skin_model};

/// Keys whose distances are held at once: a model may have millions of vertices.
const BATCH: usize = 8;

/// What packing changed of each vertex.
#[derive(Clone, Debug)]
pub struct Deviations {
    /// Distance over all keys, units of the packed model.
    pub position: Deviation,
    /// Angle between normals in the first key, degrees.
    pub normal_deg: Deviation,
    /// The larger of u and v, tiles; whole tiles do not count.
    pub uv: Deviation,
    /// The largest share of one bone.
    pub weight: Deviation,
}

/// One of them.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// Of each vertex of the source, numbered through all meshes; not a number where there is
    /// nothing to compare.
    pub of_source: Arc<Vec<f32>>,
    /// The same of each packed vertex, a list for each of [`Packing::parts`].
    pub of_parts: Vec<Arc<Vec<f32>>>,
    /// The largest; 0 where there is nothing to compare.
    pub max: f32,
    /// Mean over all that could be compared.
    pub mean: f64,
    /// Where the largest is.
    pub worst: Option<WorstVertex>,
}

/// A vertex of the source and, where it is a matter of time, when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstVertex {
    /// Its mesh.
    pub mesh: MeshId,
    /// Its number in the mesh.
    pub vertex: VertexId,
    /// Position in the clips of the packed model, and the key; only of positions.
    pub key: Option<(ClipId, usize)>,
}

/// Compares each vertex of `packing` with the `model` that it was made of.
///
/// # Errors
/// When cancelled.
pub fn deviations(
    model: &Model,
    packing: &Packing,
    report: &Report,
) -> Result<Deviations, Cancelled> {
    let rows = Rows::new(model, packing);
    let (positions, worst_key) = positions(model, packing, report)?;
    report.progress("comparing vertices", 0.95)?;
    let mut position = rows.gathered(&positions);
    if let Some(worst) = &mut position.worst {
        worst.key = worst_key;
    }
    Ok(Deviations {
        position,
        normal_deg: rows.gathered(&normals(model, packing)),
        uv: rows.gathered(&uvs(model, packing)),
        weight: rows.gathered(&weights(model, packing)),
    })
}

/// A value for each of a part's origins, part after part.
type OfOrigins = Vec<Vec<f32>>;

/// The vertex of the source that `origin` is, or is nearest to.
fn source_vertex(origin: &Origin) -> (usize, u32) {
    match *origin {
        Origin::Vertex { mesh, vertex } => (mesh as usize, vertex),
        Origin::Inside {
            mesh,
            corners,
            shares,
        } => {
            let nearest = shares.max_position();
            (mesh as usize, corners.get(nearest).copied().unwrap_or(0))
        }
    }
}

/// All vertices of the source in a row.
struct Rows<'a> {
    packing: &'a Packing,
    /// Number of the first vertex of each mesh, and of all.
    first: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(model: &Model, packing: &'a Packing) -> Self {
        let mut first = vec![0];
        let mut num = 0;
        for mesh in &model.meshes {
            num += mesh.num_vertices();
            first.push(num);
        }
        Self { packing, first }
    }

    fn gathered(&self, values: &OfOrigins) -> Deviation {
        let num_source = self.first.last().copied().unwrap_or(0);
        let mut of_source = vec![f32::NAN; num_source];
        let mut of_parts = Vec::with_capacity(values.len());
        let (mut sum, mut num) = (0.0f64, 0u64);
        let mut worst: Option<(f32, WorstVertex)> = None;
        for (part, values) in self.packing.parts.iter().zip(values) {
            let mut own = vec![f32::NAN; part.model.num_vertices()];
            for (&(packed, origin), &value) in part.origins.iter().zip(values) {
                if !value.is_finite() {
                    continue;
                }
                (sum, num) = (sum + f64::from(value), num + 1);
                let (mesh, vertex) = source_vertex(&origin);
                let number = self.first.get(mesh).map(|first| first + vertex as usize);
                // The maximum of a number and none is the number.
                if let Some(of) = number.and_then(|number| of_source.get_mut(number)) {
                    *of = of.max(value);
                }
                if let Some(of) = own.get_mut(packed as usize) {
                    *of = of.max(value);
                }
                if worst.is_none_or(|(largest, _)| value > largest) {
                    let at = WorstVertex {
                        mesh: MeshId::from_index(mesh),
                        vertex: VertexId(vertex),
                        key: None,
                    };
                    worst = Some((value, at));
                }
            }
            of_parts.push(Arc::new(own));
        }
        Deviation {
            of_source: Arc::new(of_source),
            of_parts,
            max: worst.map_or(0.0, |(largest, _)| largest),
            mean: sum / num.max(1) as f64,
            worst: worst.map(|(_, at)| at),
        }
    }
}

fn packed_vertices(part: &Packed) -> Option<&PackedVertices> {
    match part.model.meshes.first().map(|mesh| &mesh.vertices) {
        Some(VertexData::Packed(vertices)) => Some(vertices),
        _ => None,
    }
}

/// The largest distance of each origin over all keys, and the key of the largest of all.
fn positions(
    model: &Model,
    packing: &Packing,
    report: &Report,
) -> Result<(OfOrigins, Option<(ClipId, usize)>), Cancelled> {
    let display = Affine3A::from_scale(Vec3::splat(packing.scale)) * model.axes.display_from_file();
    let num_poses: usize = packing.poses.iter().map(|clip| clip.poses.len()).sum();
    let parts = packing.parts.iter();
    let mut largest: OfOrigins = parts.map(|p| vec![f32::NAN; p.origins.len()]).collect();
    let mut worst: Option<(f32, (ClipId, usize))> = None;
    let mut num_done = 0;
    for (number, clip) in packing.poses.iter().enumerate() {
        let keys: Vec<(usize, &Pose)> = clip.poses.iter().enumerate().collect();
        for batch in keys.chunks(BATCH) {
            let share = num_done as f32 / num_poses.max(1) as f32;
            report.progress("comparing vertices", 0.95 * share)?;
            let of_key = |&(key, pose): &(usize, &Pose)| -> OfOrigins {
                let source = source_positions(model, pose, &display);
                let parts = packing.parts.iter();
                parts
                    .map(|part| distances(part, &source, number, key))
                    .collect()
            };
            let all: Vec<OfOrigins> = batch.par_iter().map(of_key).collect();
            for (&(key, _), of_key) in batch.iter().zip(&all) {
                for (largest, now) in largest.iter_mut().zip(of_key) {
                    for (largest, &now) in largest.iter_mut().zip(now) {
                        *largest = largest.max(now);
                        if now.is_finite() && worst.is_none_or(|(most, _)| now > most) {
                            worst = Some((now, (ClipId::from_index(number), key)));
                        }
                    }
                }
            }
            num_done += batch.len();
        }
    }
    Ok((largest, worst.map(|(_, at)| at)))
}

fn distances(part: &Packed, source: &[Vec<Vec3>], clip: usize, key: usize) -> Vec<f32> {
    let Some(vertices) = packed_vertices(part) else {
        return vec![f32::NAN; part.origins.len()];
    };
    let (palette, _) = palette(&part.model, clip, key);
    let found = packed_positions(vertices, &palette);
    let origins = part.origins.iter();
    let distance = |&(packed, origin): &(u32, Origin)| {
        let wanted = position_at(&origin, source)?;
        Some(wanted.distance(*found.get(packed as usize)?))
    };
    origins.map(|at| distance(at).unwrap_or(f32::NAN)).collect()
}

/// `value` of each origin that is a vertex of the source.
fn of_vertices(
    model: &Model,
    packing: &Packing,
    value: impl Fn(usize, &Mesh, usize, u32, usize) -> Option<f32>,
) -> OfOrigins {
    let parts = packing.parts.iter().enumerate();
    parts
        .map(|(number, part)| {
            let of = |&(packed, origin): &(u32, Origin)| match origin {
                Origin::Vertex { mesh, vertex } => {
                    let own = model.meshes.get(mesh as usize)?;
                    value(number, own, mesh as usize, vertex, packed as usize)
                }
                Origin::Inside { .. } => None,
            };
            let origins = part.origins.iter();
            origins.map(|at| of(at).unwrap_or(f32::NAN)).collect()
        })
        .collect()
}

fn normals(model: &Model, packing: &Packing) -> OfOrigins {
    let first = packing.poses.first().and_then(|clip| clip.poses.first());
    let default_pose;
    let pose = match first {
        Some(pose) => pose,
        None => {
            default_pose = sample(model, &PoseSpec::default());
            &default_pose
        }
    };
    let of_mesh = |(number, mesh): (usize, &Mesh)| {
        skin_mesh(mesh, &pose.of_mesh(MeshId::from_index(number), mesh))
    };
    let source: Vec<SkinnedMesh> = model.meshes.iter().enumerate().map(of_mesh).collect();
    let first_key = PoseSpec {
        clip: None,
        moment: Moment::Key(0),
        sampling: Sampling::Step,
        ..PoseSpec::default()
    };
    let parts = packing.parts.iter();
    let packed: Vec<Vec<SkinnedMesh>> = parts.map(|p| skin_model(&p.model, &first_key)).collect();
    // Without the unit the map only swaps and negates axes.
    let turn = Axes {
        unit_meters: None,
        ..model.axes
    };
    let turn = turn.display_from_file();
    of_vertices(model, packing, |part, mesh, number, vertex, at| {
        mesh.normal(0)?;
        let wanted = *source.get(number)?.normals.get(vertex as usize)?;
        let found = *packed.get(part)?.first()?.normals.get(at)?;
        angle_deg(turn.transform_vector3(wanted), found)
    })
}

/// Nothing where one of them is no direction.
fn angle_deg(a: Vec3, b: Vec3) -> Option<f32> {
    (a != Vec3::ZERO && b != Vec3::ZERO).then(|| {
        // Steady near 0, where the arc cosine of a dot product is not.
        a.cross(b).length().atan2(a.dot(b)).to_degrees()
    })
}

fn uvs(model: &Model, packing: &Packing) -> OfOrigins {
    of_vertices(model, packing, |part, mesh, _, vertex, at| {
        let wanted = mesh.uv(vertex as usize)?;
        let found = packing.parts.get(part)?.model.meshes.first()?.uv(at)?;
        let apart = (wanted - found).abs();
        Some((apart - apart.round()).abs().max_element())
    })
}

fn weights(model: &Model, packing: &Packing) -> OfOrigins {
    let mut bone_of_name: HashMap<String, BoneId> = HashMap::new();
    for index in 0..model.skeleton.len() {
        let bone = BoneId::from_index(index);
        let name = model.skeleton.display_name(bone);
        bone_of_name.entry(name).or_insert(bone);
    }
    // A bone that is stored twice has its mesh in its name.
    let of_name = |name: &str| {
        let plain = || bone_of_name.get(name.rsplit_once('@')?.0);
        bone_of_name.get(name).or_else(plain).copied()
    };
    let parts = packing.parts.iter().map(|part| {
        let bones = part.model.skeleton.bones().iter();
        bones.map(|bone| of_name(&bone.name)).collect()
    });
    let sources: Vec<Vec<Option<BoneId>>> = parts.collect();
    of_vertices(model, packing, |part, mesh, _, vertex, at| {
        let mut wanted: Vec<(BoneId, f32)> = Vec::new();
        mesh.for_each_influence(vertex as usize, |bone, weight| {
            add(&mut wanted, bone, weight)
        });
        let sum: f32 = wanted.iter().map(|(_, weight)| weight).sum();
        // What nothing moves gets a bone that does not move.
        if sum <= 0.0 {
            return None;
        }
        let mut apart: Vec<(BoneId, f32)> = Vec::new();
        for (bone, weight) in wanted {
            add(&mut apart, bone, weight / sum);
        }
        let packed = packing.parts.get(part)?.model.meshes.first()?;
        packed.for_each_influence(at, |bone, weight| {
            let source = sources.get(part).and_then(|bones| bones.get(bone.index()));
            if let Some(Some(source)) = source {
                add(&mut apart, *source, -weight);
            }
        });
        let shares = apart.iter().map(|(_, share)| share.abs());
        Some(shares.fold(0.0, f32::max))
    })
}

fn add(list: &mut Vec<(BoneId, f32)>, bone: BoneId, weight: f32) {
    match list.iter_mut().find(|(other, _)| *other == bone) {
        Some((_, sum)) => *sum += weight,
        None => list.push((bone, weight)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::bent_strip;
    use super::super::{BakeOptions, measure, pack};
    use super::*;

    #[test]
    fn they_are_those_of_rounding_and_agree_with_what_is_measured() {
        let model = bent_strip();
        let packing = pack(&model, &BakeOptions::default(), &Report::new()).unwrap();
        let found = deviations(&model, &packing, &Report::new()).unwrap();
        let measured = measure(&model, &packing, &Report::new()).unwrap();
        assert_eq!(found.position.max, measured.max);
        assert_eq!(found.position.of_source.len(), 3);
        assert_eq!(found.position.of_parts[0].len(), 3);
        assert!(found.position.worst.unwrap().key.is_some());
        // Ten bits a component, sixteen bits a coordinate, eight bits a weight.
        assert!(found.normal_deg.max < 0.3, "{}", found.normal_deg.max);
        assert!(found.uv.max < 1e-4 && found.uv.of_source[0].is_finite());
        assert!(found.weight.max > 0.0 && found.weight.max < 0.005);
        // Shares of a fifth are 51 of 255, up to rounding.
        assert_eq!(found.weight.worst.unwrap().vertex, VertexId(2));
    }

    #[test]
    fn a_vertex_moved_after_packing_stands_out_in_both_models() {
        let model = bent_strip();
        let packing = pack(&model, &BakeOptions::default(), &Report::new()).unwrap();
        let mut moved = model.clone();
        let VertexData::Streams(streams) = &mut moved.meshes[0].vertices else {
            panic!("a float mesh");
        };
        streams.positions[1].z += 1.0;
        streams.uv_sets[0].coords[0].x += 0.25;
        streams.normals[2] = -streams.normals[2];
        let found = deviations(&moved, &packing, &Report::new()).unwrap();
        assert!((found.position.max - 0.0254).abs() < 1e-5);
        assert_eq!(found.position.worst.unwrap().vertex, VertexId(1));
        assert!((found.uv.of_source[0] - 0.25).abs() < 1e-4);
        assert!(found.uv.of_source[1] < 1e-4);
        assert!(found.normal_deg.of_source[2] > 179.0);
        let packed_max = found.position.of_parts[0]
            .iter()
            .copied()
            .fold(0.0, f32::max);
        assert_eq!(packed_max, found.position.max);
    }
}
