//! Seams of the UVs, at which a well-placed texture has the same colours on both sides.

use std::collections::HashMap;

use glam::Vec2;

use super::parts::index;
use crate::geometry::welded_near;
use crate::model::{ImageId, Mesh, Model, Subset, TextureRef, TextureRole, spread};

/// Meshes with more vertices aren't searched for seams, because that would take too long.
const MAX_VERTICES: usize = 300_000;
/// The most pairs of vertices to compare.
const MAX_PAIRS: usize = 600;
/// Vertices with closer UVs aren't at a seam.
const MIN_DISTANCE: f32 = 0.02;

/// Pairs of vertices at the same position with different UVs.
pub(super) struct Seams {
    pub(super) pairs: Vec<[u32; 2]>,
    /// The image of the base colour.
    pub(super) image: ImageId,
    texture: TextureRef,
}

impl Seams {
    /// The seams of the textured subset with the most triangles; `None` without a base colour texture.
    pub(super) fn of(model: &Model, mesh: &Mesh) -> Option<Self> {
        let texture = |subset: &Subset| {
            let textures = &model.materials.get(subset.material?)?.textures;
            textures.iter().find(|own| own.role == TextureRole::BaseColor && own.image.is_some())
        };
        let textured = mesh.subsets.iter().filter_map(|own| Some((own, texture(own)?)));
        let (subset, texture) = textured.max_by_key(|(subset, _)| subset.index_count)?;
        let own = mesh.streams().filter(|own| own.positions.len() <= MAX_VERTICES)?;
        let uvs = &own.uv_sets.get(usize::from(texture.uv_set))?.coords;
        let mut is_used = vec![false; own.positions.len()];
        for corner in subset.range().filter_map(|at| mesh.indices.get(at)) {
            *is_used.get_mut(corner as usize)? = true;
        }
        let mut by_place: HashMap<u32, Vec<u32>> = HashMap::new();
        for (vertex, place) in welded_near(&own.positions).into_iter().enumerate() {
            let Some(uv) = uvs.get(vertex).filter(|_| is_used[vertex]) else { continue };
            let found = by_place.entry(place).or_default();
            let is_apart = |other: &u32| {
                let other = uvs.get(*other as usize).copied().unwrap_or_default();
                wrapped(other - *uv).length() > MIN_DISTANCE
            };
            if found.iter().all(is_apart) && found.len() <= 2 {
                found.push(index(vertex));
            }
        }
        // More than two UVs at a place are the pole of a sphere, around which any colours may meet.
        let mut pairs: Vec<[u32; 2]> =
            by_place.into_values().filter_map(|found| found.try_into().ok()).collect();
        pairs.sort_unstable();
        let pairs = spread(pairs.len(), MAX_PAIRS).filter_map(|at| pairs.get(at).copied());
        Some(Self { pairs: pairs.collect(), image: texture.image?, texture: texture.clone() })
    }

    /// The point of the texture at a vertex.
    pub(super) fn texture_uv(&self, mesh: &Mesh, vertex: u32) -> Option<Vec2> {
        let uvs = &mesh.streams()?.uv_sets.get(usize::from(self.texture.uv_set))?.coords;
        let uv = *uvs.get(vertex as usize)?;
        let change = self.texture.texture_from_uv.as_deref();
        Some(change.map_or(uv, |change| change.transform_point2(uv)))
    }
}

/// The distance between two points of a repeating texture.
fn wrapped(apart: Vec2) -> Vec2 {
    apart - apart.round()
}
