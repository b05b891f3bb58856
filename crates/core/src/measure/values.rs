//! Differences of normals, texture coordinates and weights, for pairs whose origin is a vertex of
//! the source.

use glam::{Affine2, Mat3A, Vec2, Vec3};

use super::posed::angle_deg;
use super::{Job, PairValues, Side};
use crate::model::{Axes, BoneId, Mesh, MeshId, Model, Origin, Skin, VertexAt};
use crate::pose::{Pose, SkinnedMesh, skin_mesh};

/// `value` of each pair whose origin is a vertex of the source, in the order of
/// [`super::Deviation::per_pair`]; NaN for other pairs, and if `value` returns `None`.
fn of_vertices(
    job: &Job<'_>,
    value: impl Fn(usize, VertexAt, VertexAt) -> Option<f64>,
) -> Vec<PairValues> {
    let part = |(number, part): (usize, &super::MeasuredPart<'_>)| {
        let mut values = PairValues::new();
        let meshes = part.origins.iter().zip(&part.made.model.meshes);
        for (mesh, (origins, made)) in meshes.enumerate() {
            origins.for_each(made.num_vertices(), |vertex, origin| {
                let found = match origin {
                    Origin::Vertex(at) => value(number, at, VertexAt::new(mesh, vertex as usize)),
                    Origin::Inside { .. } => None,
                };
                #[expect(clippy::cast_possible_truncation, reason = "of single precision")]
                let found = found.map_or(f32::NAN, |found| found as f32);
                values.push(found);
            });
        }
        values
    };
    job.parts.iter().enumerate().map(part).collect()
}

impl Side<'_> {
    fn skinned(&self, pose: &Pose) -> Vec<SkinnedMesh> {
        let meshes = self.model.meshes.iter().enumerate();
        let of_mesh =
            |(number, mesh)| skin_mesh(mesh, &pose.of_mesh(MeshId::from_index(number), mesh));
        meshes.map(of_mesh).collect()
    }

    /// The transform of directions to display space, which keeps their length: without the unit,
    /// the map only swaps and negates axes.
    fn rotation(&self) -> Mat3A {
        let axes = Axes { unit_meters: None, ..self.model.axes };
        axes.display_from_file().matrix3
    }

    #[inline]
    fn has_normal(&self, at: VertexAt) -> bool {
        let mesh = self.model.mesh(at.mesh);
        matches!(mesh.skin, crate::model::Skin::BoneLocal(_))
            || mesh.normal(at.vertex.index()).is_some_and(|n| n != Vec3::ZERO)
    }

    #[inline]
    fn uv(&self, at: VertexAt) -> Option<Vec2> {
        self.model.mesh(at.mesh).uv(at.vertex.index())
    }

    /// Bones and weights of a vertex, scaled to sum to 1; empty if the vertex has no weights.
    fn shares(&self, at: VertexAt) -> Vec<(BoneId, f32)> {
        self.model.mesh(at.mesh).normalized_influences(at.vertex.index())
    }
}

fn normal_at(skinned: &[SkinnedMesh], at: VertexAt) -> Option<Vec3> {
    skinned.get(at.mesh.index())?.normals.get(at.vertex.index()).copied()
}

/// The angle between the normals of each pair in one pose of each side, degrees. Skips vertices
/// without a normal on one side.
#[must_use]
pub fn normals(job: &Job<'_>, source: &Pose, made: &[Pose]) -> Vec<PairValues> {
    let wanted = job.source.skinned(source);
    let rotation = job.source.rotation();
    let parts = job.parts.iter().zip(made);
    let found: Vec<_> =
        parts.map(|(part, pose)| (part.made.rotation(), part.made.skinned(pose))).collect();
    of_vertices(job, |number, from, at| {
        let part = job.parts.get(number)?;
        if !job.source.has_normal(from) || !part.made.has_normal(at) {
            return None;
        }
        let (own_rotation, skinned) = found.get(number)?;
        let (a, b) = (normal_at(&wanted, from)?, normal_at(skinned, at)?);
        // A bone without volume leaves no direction.
        (a != Vec3::ZERO && b != Vec3::ZERO).then(|| angle_deg(rotation * a, *own_rotation * b))
    })
}

/// The larger difference of u and v of each pair, after texture transforms, ignoring whole tiles.
#[must_use]
pub fn uvs(job: &Job<'_>) -> Vec<PairValues> {
    let of_source = texture_from_uv(job.source.model);
    let parts = job.parts.iter();
    let of_parts: Vec<_> = parts.map(|part| texture_from_uv(part.made.model)).collect();
    let placed = |list: &[Option<Affine2>], at: VertexAt, uv: Vec2| match list.get(at.mesh.index())
    {
        Some(Some(texture_from_uv)) => texture_from_uv.transform_point2(uv),
        _ => uv,
    };
    of_vertices(job, |number, from, at| {
        let own = of_parts.get(number)?;
        let a = placed(&of_source, from, job.source.uv(from)?);
        let b = placed(own, at, job.parts.get(number)?.made.uv(at)?);
        let apart = (a.as_dvec2() - b.as_dvec2()).abs();
        Some((apart - apart.round()).abs().max_element())
    })
}

/// The largest difference in a bone's weight for each pair. `source_bone` maps a bone of a part to a bone of the
/// source. Skips vertices without weights on one side, and meshes that move with a node: formats without such meshes
/// bind them to the node's bone.
#[must_use]
pub fn weights(
    job: &Job<'_>,
    source_bone: impl Fn(usize, BoneId) -> Option<BoneId>,
) -> Vec<PairValues> {
    of_vertices(job, |number, from, at| {
        let part = job.parts.get(number)?;
        let is_rigid =
            |side: &Side<'_>, at: VertexAt| matches!(side.model.mesh(at.mesh).skin, Skin::None);
        if is_rigid(&job.source, from) || is_rigid(&part.made, at) {
            return None;
        }
        let (mut apart, found) = (job.source.shares(from), part.made.shares(at));
        if apart.is_empty() || found.is_empty() {
            return None;
        }
        let mut unknown = 0.0f32;
        for (bone, share) in found {
            match source_bone(number, bone) {
                Some(bone) => match apart.iter_mut().find(|(known, _)| *known == bone) {
                    Some((_, rest)) => *rest -= share,
                    None => apart.push((bone, -share)),
                },
                None => unknown = unknown.max(share),
            }
        }
        // A bone may be listed twice on the source's side.
        apart.sort_by_key(|(bone, _)| *bone);
        let sums = apart.chunk_by(|(a, _), (b, _)| a == b);
        let sums = sums.map(|same| same.iter().map(|(_, share)| share).sum::<f32>().abs());
        Some(f64::from(sums.fold(unknown, f32::max)))
    })
}

/// The texture transform that each mesh's materials apply to its first UV set, if they agree:
/// quantised files scale UVs and undo it in the material.
#[must_use]
pub fn texture_from_uv(model: &Model) -> Vec<Option<Affine2>> {
    model.meshes.iter().map(|mesh| of_mesh(model, mesh)).collect()
}

fn of_mesh(model: &Model, mesh: &Mesh) -> Option<Affine2> {
    let subsets = mesh.subsets.iter();
    let materials = subsets.filter_map(|subset| model.materials.get(subset.material?));
    let textures = materials.flat_map(|material| &material.textures);
    let mut on_first = textures.filter(|texture| texture.uv_set == 0);
    let first = on_first.next()?.texture_from_uv.as_deref()?;
    let is_same = |other: Option<&Affine2>| other == Some(first);
    on_first.all(|texture| is_same(texture.texture_from_uv.as_deref())).then_some(*first)
}
