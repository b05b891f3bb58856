//! Instances of a node's mesh (`EXT_mesh_gpu_instancing`).
//!
//! The vertices of all instances become one mesh in the space of its node, so that a clip of the
//! node moves them, each primitive stays one subset, and every writer stores them. The number of
//! vertices is limited for each file; instances beyond it are reported.
//!
//! Skinned meshes are shown once: their joints place them, whatever the transform of an instance is.

use glam::{Affine3A, Mat3, Quat, Vec2, Vec3, Vec4};
use rayon::prelude::*;

use super::accessor::Integers;
use super::asset::Asset;
use super::fault::malformed;
use super::geometry::GroupGeometry;
use crate::formats::ReadError;
use rigscope_core::model::{MorphShape, Subset, VertexId, as_u32};

pub(super) const NAME: &str = "EXT_mesh_gpu_instancing";
/// Bytes that all instances in a file may need, 5 million vertices with normals and UVs.
const MAX_BYTES: usize = 256 << 20;

/// Bytes that instances may still need.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstanceRoom {
    num_bytes: usize,
}

impl Default for InstanceRoom {
    fn default() -> Self {
        Self { num_bytes: MAX_BYTES }
    }
}

/// The transforms of a node's instances; `None` if it isn't instanced.
pub(super) fn transforms(
    asset: &mut Asset<'_>,
    node: usize,
) -> Result<Option<Vec<Affine3A>>, ReadError> {
    let stored = asset.root.nodes.get(node).and_then(|node| node.extensions.as_ref());
    let stored = stored.and_then(|extensions| extensions.others.get(NAME));
    let Some(attributes) = stored.and_then(|stored| stored.get("attributes")) else {
        return Ok(None);
    };
    let accessor = |key: &str| match attributes.get(key) {
        None => Ok(None),
        Some(index) => match index.as_u64().and_then(|index| usize::try_from(index).ok()) {
            Some(index) => Ok(Some(index)),
            None => Err(malformed(NAME, format!("node {node}: {key} is not an index"))),
        },
    };
    let (moves, rotations, scales) =
        (accessor("TRANSLATION")?, accessor("ROTATION")?, accessor("SCALE")?);
    let Some(first) = moves.or(rotations).or(scales) else { return Ok(None) };
    let (num, _) = asset.shape(first)?;
    let moves =
        moves.map(|accessor| asset.floats::<3>(accessor, Integers::AsStated)).transpose()?;
    let rotations =
        rotations.map(|accessor| asset.floats::<4>(accessor, Integers::AsStated)).transpose()?;
    let scales =
        scales.map(|accessor| asset.floats::<3>(accessor, Integers::AsStated)).transpose()?;
    let counts = [moves.as_ref().map(Vec::len), rotations.as_ref().map(Vec::len)];
    let counts = counts.into_iter().chain([scales.as_ref().map(Vec::len)]);
    if let Some(other) = counts.flatten().find(|other| *other != num) {
        let what = format!("node {node}: attributes of {num} and of {other} instances");
        return Err(malformed(NAME, what));
    }
    asset.charge::<Affine3A>(num, NAME)?;
    let at = |list: &Option<Vec<[f32; 3]>>, at: usize, none: Vec3| {
        list.as_ref().and_then(|list| list.get(at)).map_or(none, |value| Vec3::from(*value))
    };
    let transform = |instance| {
        let rotation = rotations.as_ref().and_then(|list| list.get(instance));
        let rotation = rotation.map_or(Quat::IDENTITY, |rotation| {
            let rotation = Vec4::from(*rotation).try_normalize();
            rotation.map_or(Quat::IDENTITY, Quat::from_vec4)
        });
        let (scale, translation) =
            (at(&scales, instance, Vec3::ONE), at(&moves, instance, Vec3::ZERO));
        Affine3A::from_scale_rotation_translation(scale, rotation, translation)
    };
    Ok(Some((0..num).map(transform).collect()))
}

/// Replaces a mesh by its instances. Returns how many there is no room for.
pub(super) fn expand(
    asset: &mut Asset<'_>,
    geometry: &mut GroupGeometry,
    transforms: &[Affine3A],
    room: &mut InstanceRoom,
) -> Result<usize, ReadError> {
    let num_vertices = geometry.vertices.len();
    let instance_bytes = num_bytes(geometry);
    // One instance needs no more than the mesh itself.
    let most = (room.num_bytes / instance_bytes.max(1)).max(1);
    let shown = transforms.get(..most).unwrap_or(transforms);
    room.num_bytes = room.num_bytes.saturating_sub(instance_bytes.saturating_mul(shown.len()));
    asset.report.progress("placing instances", 0.35)?;
    let streams = &mut geometry.vertices.streams;
    streams.positions = repeated(&streams.positions, shown, |transform, position| {
        transform.transform_point3(position)
    });
    streams.normals = repeated(&streams.normals, shown, |transform, normal: Vec3| {
        (normal_matrix(transform) * normal).try_normalize().unwrap_or(normal)
    });
    streams.tangents = repeated(&streams.tangents, shown, |transform, tangent: Vec4| {
        let direction = transform.transform_vector3(tangent.truncate());
        let sign = if is_mirrored(transform) { -tangent.w } else { tangent.w };
        direction.try_normalize().unwrap_or(tangent.truncate()).extend(sign)
    });
    streams.colors = repeated(&streams.colors, shown, |_, color| color);
    for set in &mut streams.uv_sets {
        set.coords = repeated(&set.coords, shown, |_, coords| coords);
    }
    for shape in &mut geometry.vertices.shapes {
        *shape = repeated_shape(shape, shown, num_vertices);
    }
    let mut indices = Vec::with_capacity(geometry.indices.len() * shown.len());
    for subset in &mut geometry.subsets {
        let list = geometry.indices.get(subset.range()).unwrap_or_default();
        let first_index = indices.len();
        for (instance, transform) in shown.iter().enumerate() {
            let vertex = |index: &u32| shifted(*index, instance, num_vertices);
            for corners in list.chunks(3) {
                match corners {
                    [a, b, c] if is_mirrored(transform) => indices.extend([a, c, b].map(vertex)),
                    _ => indices.extend(corners.iter().map(vertex)),
                }
            }
        }
        *subset = Subset {
            first_index: as_u32(first_index),
            index_count: as_u32(indices.len() - first_index),
            ..*subset
        };
    }
    geometry.indices = indices;
    for loose in &mut geometry.loose {
        let instances = 0..shown.len();
        let of_instance = |instance| {
            loose.indices.iter().map(move |index| shifted(*index, instance, num_vertices))
        };
        loose.indices = instances.flat_map(of_instance).collect();
    }
    Ok(transforms.len() - shown.len())
}

/// Bytes of one instance.
fn num_bytes(geometry: &GroupGeometry) -> usize {
    let streams = &geometry.vertices.streams;
    let directions = streams.positions.len() + streams.normals.len();
    let others = streams.tangents.len() + streams.colors.len();
    let coords: usize = streams.uv_sets.iter().map(|set| set.coords.len()).sum();
    let of_shape = |shape: &MorphShape| {
        let offsets = shape.position_offsets.len() + shape.normal_offsets.len();
        size_of_val(&shape.vertices[..]) + offsets * size_of::<Vec3>()
    };
    let shapes: usize = geometry.vertices.shapes.iter().map(of_shape).sum();
    let loose: usize = geometry.loose.iter().map(|loose| loose.indices.len()).sum();
    let indices = (geometry.indices.len() + loose) * size_of::<u32>();
    directions * size_of::<Vec3>()
        + others * size_of::<Vec4>()
        + coords * size_of::<Vec2>()
        + shapes
        + indices
}

/// The vertex of an instance; invalid ones stay invalid.
fn shifted(index: u32, instance: usize, num_vertices: usize) -> u32 {
    if index as usize >= num_vertices {
        return u32::MAX;
    }
    as_u32(instance * num_vertices + index as usize)
}

fn is_mirrored(transform: &Affine3A) -> bool {
    transform.matrix3.determinant() < 0.0
}

fn normal_matrix(transform: &Affine3A) -> Mat3 {
    let linear = Mat3::from(transform.matrix3);
    // The inverse of a flattened instance doesn't exist.
    if linear.determinant() == 0.0 { linear } else { linear.inverse().transpose() }
}

fn repeated<T: Copy + Send + Sync>(
    values: &[T],
    transforms: &[Affine3A],
    transformed: impl Fn(&Affine3A, T) -> T + Sync,
) -> Vec<T> {
    let transformed = &transformed;
    let of_instance = |transform| values.iter().map(move |value| transformed(transform, *value));
    if values.is_empty() {
        return Vec::new();
    }
    transforms.par_iter().flat_map_iter(of_instance).collect()
}

fn repeated_shape(shape: &MorphShape, transforms: &[Affine3A], num_vertices: usize) -> MorphShape {
    let vertices = transforms.iter().enumerate().flat_map(|(instance, _)| {
        let base = instance * num_vertices;
        shape.vertices.iter().map(move |vertex| VertexId::from_index(base + vertex.index()))
    });
    MorphShape {
        full_weight: shape.full_weight,
        vertices: vertices.collect(),
        position_offsets: repeated(&shape.position_offsets, transforms, |transform, offset| {
            transform.transform_vector3(offset)
        }),
        normal_offsets: repeated(&shape.normal_offsets, transforms, |transform, offset: Vec3| {
            normal_matrix(transform) * offset
        }),
    }
}
