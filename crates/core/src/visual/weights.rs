//! Weights of all bones, indexed by bone: computed once per model, so that switching between bones
//! doesn't iterate over all vertices.
//!
//! Not for: skinning (`pose`), validation (`validate`).

use std::sync::Arc;

use glam::Vec3;

use crate::model::{
    BoneId, Cancelled, IdVec, Influences, Mesh, MeshId, Model, Report, Skin, VertexData, VertexId,
    srgb8_from_color, subset_color,
};

/// Influences per vertex in packed formats.
const PACKED_INFLUENCES: usize = 4;
/// Sum of the weights in packed formats.
const PACKED_SUM: f32 = 255.0;
/// Vertices between two checks for cancellation.
const VERTICES_PER_LOOK: usize = 16_384;
/// Linear RGB of vertices without bones.
const NO_BONE: [f32; 3] = [0.2; 3];

/// All weights of a model. Vertices are numbered over all meshes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightTable {
    /// Start of each bone's entries; one more entry than bones.
    first: Vec<usize>,
    /// Vertex and weight; entries of a bone are sorted by descending weight.
    entries: Vec<(u32, f32)>,
    /// The first vertex of each mesh; one more entry than meshes.
    first_vertex: Vec<usize>,
    /// Weighted mean position of each bone's vertices; see [`WeightTable::center`].
    centers: IdVec<BoneId, Option<Vec3>>,
    /// Sum of each vertex's weights as stored.
    sums: Vec<f32>,
    /// Distance of each sum from 1.
    sum_errors: Arc<Vec<f32>>,
    /// Fraction of each vertex's weight that packing moves to other bones.
    lost: Arc<Vec<f32>>,
    /// Number of influences per vertex that packing drops.
    dropped: Vec<u16>,
    /// Bone colours blended by weight; sRGB.
    colors: Arc<Vec<[u8; 4]>>,
}

impl WeightTable {
    /// Computes the table of `model`: two passes over all influences and a sort.
    ///
    /// # Errors
    /// [`Cancelled`] if `report` requests it.
    pub fn of(model: &Model, report: &Report) -> Result<Self, Cancelled> {
        Self::by(model, model.skeleton.len(), &Some, report)
    }

    /// The same for the `num_bones` bones of another model. `counterpart` returns the bone of that
    /// model that corresponds to a bone of `model`. Weights of bones without counterpart are
    /// ignored.
    ///
    /// # Errors
    /// [`Cancelled`] if `report` requests it.
    pub fn by(
        model: &Model,
        num_bones: usize,
        counterpart: &dyn Fn(BoneId) -> Option<BoneId>,
        report: &Report,
    ) -> Result<Self, Cancelled> {
        let num_vertices = model.num_vertices();
        let mut table =
            Self { first: vec![0; num_bones + 1], first_vertex: vec![0], ..Self::default() };
        let (mut errors, mut lost, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        let mut means: IdVec<BoneId, _> = vec![(Vec3::ZERO, 0.0f32); num_bones].into();
        let mut list = Vec::new();
        let mut at = 0;
        for mesh in &model.meshes {
            for vertex in 0..mesh.num_vertices() {
                if at % VERTICES_PER_LOOK == 0 {
                    report.progress("reading weights", 0.5 * at as f32 / num_vertices as f32)?;
                }
                at += 1;
                list.clear();
                mesh.for_each_influence(vertex, |bone, weight| list.push((bone, weight)));
                for &(bone, weight) in list.iter().filter(|(_, weight)| *weight > 0.0) {
                    let Some(of) = counterpart(bone) else { continue };
                    if let Some(num) = table.first.get_mut(of.index() + 1) {
                        *num += 1;
                    }
                    if let Some((sum, total)) = means.get_mut(of) {
                        *sum += place_of(mesh, vertex, bone) * weight;
                        *total += weight;
                    }
                }
                let sum = stored_sum(mesh, vertex, &list);
                table.sums.push(sum);
                errors.push((sum - 1.0).abs());
                colors.push(blended(&list, counterpart));
                let (share, num) = lost_by_packing(&mut list);
                lost.push(share);
                table.dropped.push(num);
            }
            table.first_vertex.push(at);
        }
        table.centers =
            means.into_iter().map(|(sum, total)| (total > 0.0).then(|| sum / total)).collect();
        table.sum_errors = Arc::new(errors);
        table.lost = Arc::new(lost);
        table.colors = Arc::new(colors);
        table.fill(model, counterpart, report)?;
        Ok(table)
    }

    /// Stores the entries by bone, once `first` contains their counts.
    fn fill(
        &mut self,
        model: &Model,
        counterpart: &dyn Fn(BoneId) -> Option<BoneId>,
        report: &Report,
    ) -> Result<(), Cancelled> {
        for bone in 1..self.first.len() {
            self.first[bone] += self.first[bone - 1];
        }
        let mut next = self.first.clone();
        self.entries = vec![(0, 0.0); self.first.last().copied().unwrap_or(0)];
        let mut at = 0u32;
        for mesh in &model.meshes {
            report.progress("sorting weights", 0.6)?;
            for vertex in 0..mesh.num_vertices() {
                mesh.for_each_influence(vertex, |bone, weight| {
                    if weight > 0.0
                        && let Some(of) = counterpart(bone)
                        && let Some(next) = next.get_mut(of.index())
                        && let Some(entry) = self.entries.get_mut(*next)
                    {
                        *entry = (at, weight);
                        *next += 1;
                    }
                });
                at = at.saturating_add(1);
            }
        }
        for ends in self.first.windows(2) {
            report.progress("sorting weights", 0.8)?;
            if let &[from, to] = ends
                && let Some(entries) = self.entries.get_mut(from..to)
            {
                entries.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            }
        }
        Ok(())
    }

    /// Number of vertices in all meshes.
    pub fn num_vertices(&self) -> usize {
        self.sums.len()
    }

    /// Number of bones.
    pub fn num_bones(&self) -> usize {
        self.centers.len()
    }

    /// Vertices that `bone` moves, with their weights, by descending weight. A vertex with two
    /// influences of the bone is listed twice.
    pub fn of_bone(&self, bone: BoneId) -> &[(u32, f32)] {
        let from = self.first.get(bone.index()).copied();
        let to = self.first.get(bone.index() + 1).copied();
        match (from, to) {
            (Some(from), Some(to)) => self.entries.get(from..to).unwrap_or_default(),
            _ => &[],
        }
    }

    /// The weight of `bone` for every vertex.
    pub fn values(&self, bone: BoneId) -> Vec<f32> {
        let mut values = vec![0.0; self.num_vertices()];
        for &(vertex, weight) in self.of_bone(bone) {
            if let Some(value) = values.get_mut(vertex as usize) {
                *value += weight;
            }
        }
        values
    }

    /// The mesh and the index within it of a vertex numbered over all meshes.
    pub fn place(&self, vertex: u32) -> Option<(MeshId, VertexId)> {
        let at = vertex as usize;
        if at >= self.num_vertices() {
            return None;
        }
        let mesh = self.first_vertex.partition_point(|&first| first <= at) - 1;
        let number = u32::try_from(at - self.first_vertex.get(mesh)?).ok()?;
        Some((MeshId::from_index(mesh), VertexId(number)))
    }

    /// Weighted mean of the positions that `bone` moves: in mesh space, or in bone space if the
    /// skin stores positions there.
    pub fn center(&self, bone: BoneId) -> Option<Vec3> {
        self.centers.get(bone).copied().flatten()
    }

    /// Sum of the weights of `vertex` as stored, before normalization.
    pub fn sum(&self, vertex: u32) -> f32 {
        self.sums.get(vertex as usize).copied().unwrap_or(0.0)
    }

    /// Distance of each vertex's weight sum from 1.
    pub fn sum_errors(&self) -> &Arc<Vec<f32>> {
        &self.sum_errors
    }

    /// Fraction of each vertex's weight that four 8-bit influences move to other bones, 0 to 1.
    pub fn lost(&self) -> &Arc<Vec<f32>> {
        &self.lost
    }

    /// Number of influences of `vertex` that are dropped with four 8-bit influences.
    pub fn num_dropped(&self, vertex: u32) -> u16 {
        self.dropped.get(vertex as usize).copied().unwrap_or(0)
    }

    /// Bone colours ([`bone_color`]) blended by weight per vertex; sRGB.
    pub fn colors(&self) -> &Arc<Vec<[u8; 4]>> {
        &self.colors
    }
}

/// The colour of a bone if each has a different one, linear RGB.
#[must_use]
pub fn bone_color(bone: BoneId) -> [f32; 3] {
    subset_color(bone.index())
}

/// Converts linear RGB to opaque sRGB.
#[must_use]
pub fn srgb8(linear: Vec3) -> [u8; 4] {
    srgb8_from_color(linear.extend(1.0))
}

/// The position of `vertex` relative to `bone`.
fn place_of(mesh: &Mesh, vertex: usize, bone: BoneId) -> Vec3 {
    let mut place = mesh.position(vertex).unwrap_or_default();
    if let Skin::BoneLocal(skin) = &mesh.skin {
        skin.for_each(vertex, |influence| {
            if influence.bone == bone {
                place = influence.position;
            }
        });
    }
    place
}

/// The sum as stored; [`Mesh::for_each_influence`] normalizes packed weights.
fn stored_sum(mesh: &Mesh, vertex: usize, list: &[(BoneId, f32)]) -> f32 {
    if let Skin::InverseBind(skin) = &mesh.skin
        && matches!(skin.influences, Influences::InVertices)
        && let VertexData::Packed(packed) = &mesh.vertices
        && let Some(vertex) = packed.get(vertex)
    {
        return vertex.weight_sum() as f32 / PACKED_SUM;
    }
    // Without a skin there is no sum to check.
    if matches!(mesh.skin, Skin::None) {
        return 1.0;
    }
    list.iter().map(|(_, weight)| weight).sum()
}

fn blended(list: &[(BoneId, f32)], counterpart: &dyn Fn(BoneId) -> Option<BoneId>) -> [u8; 4] {
    let total: f32 = list.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return srgb8(NO_BONE.into());
    }
    let color = |bone| Vec3::from(counterpart(bone).map_or(NO_BONE, bone_color));
    let weighted = |&(bone, weight): &(BoneId, f32)| color(bone) * weight;
    srgb8(list.iter().map(weighted).sum::<Vec3>() / total)
}

/// The fraction of weight moved to other bones, and the number of dropped influences, if only the
/// four largest remain, in steps of 1/255. Sorts `list`.
fn lost_by_packing(list: &mut [(BoneId, f32)]) -> (f32, u16) {
    let total: f32 = list.iter().map(|(_, weight)| weight).sum();
    if total <= 0.0 {
        return (0.0, 0);
    }
    list.sort_by(|a, b| b.1.total_cmp(&a.1));
    let kept: f32 = list.iter().take(PACKED_INFLUENCES).map(|(_, w)| w).sum();
    let (mut lost, mut dropped) = (0.0, 0);
    for (rank, &(_, weight)) in list.iter().enumerate() {
        let before = weight / total;
        let after = if rank < PACKED_INFLUENCES {
            (weight / kept * PACKED_SUM).round() / PACKED_SUM
        } else {
            0.0
        };
        // Sums of byte weights have rounding errors.
        let part = before - after;
        lost += if part > 1e-6 { part } else { 0.0 };
        dropped += u16::from(after == 0.0 && before > 0.0);
    }
    (lost, dropped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::*;

    fn model(lists: &[&[(u32, f32)]]) -> Model {
        let row: Vec<_> = (0..lists.len()).map(|v| Vec3::X * v as f32).collect();
        let bones = [("", None, Vec3::ZERO); 6];
        ModelBuilder::new()
            .without_hierarchy()
            .bones(&bones)
            .mesh(row)
            .bound_by_keys(6, lists)
            .build()
    }

    fn table(lists: &[&[(u32, f32)]]) -> WeightTable {
        WeightTable::of(&model(lists), &Report::new()).unwrap()
    }

    #[test]
    fn a_bone_lists_its_vertices_by_descending_weight() {
        let table = table(&[&[(1, 1.0)], &[(0, 0.75), (1, 0.25)], &[(1, 0.5), (0, 0.5)]]);
        assert_eq!(table.of_bone(BoneId(1)), [(0, 1.0), (2, 0.5), (1, 0.25)]);
        assert_eq!(table.values(BoneId(0)), [0.0, 0.75, 0.5]);
        assert!(table.of_bone(BoneId(5)).is_empty() && table.center(BoneId(5)).is_none());
        let center = table.center(BoneId(0)).unwrap();
        assert!((center.x - (0.75 + 1.0) / 1.25).abs() < 1e-6);
        assert_eq!(table.place(2), Some((MeshId(0), VertexId(2))));
        assert_eq!(table.place(3), None);
    }

    #[test]
    fn weight_sums_are_not_normalised() {
        let table = table(&[&[(0, 0.5), (1, 0.25)], &[(0, 1.0)]]);
        assert_eq!((table.sum(0), table.sum(1)), (0.75, 1.0));
        assert_eq!(**table.sum_errors(), [0.25, 0.0]);
    }

    #[test]
    fn packing_loses_the_fifth_influence_and_tiny_weights() {
        let five: Vec<(u32, f32)> = (0..5).map(|bone| (bone, 0.2)).collect();
        let table = table(&[&five, &[(0, 1.0)], &[(0, 0.999), (1, 0.001)]]);
        assert!((table.lost()[0] - 0.2).abs() < 0.01, "{:?}", table.lost());
        assert_eq!(table.num_dropped(0), 1);
        assert_eq!((table.lost()[1], table.num_dropped(1)), (0.0, 0));
        assert!((table.lost()[2] - 0.001).abs() < 1e-5);
        assert_eq!(table.num_dropped(2), 1);
    }

    #[test]
    fn vertex_colours_blend_bone_colours() {
        let table = table(&[&[(2, 1.0)], &[], &[(2, 0.5), (3, 0.5)]]);
        assert_eq!(table.colors()[0], srgb8(bone_color(BoneId(2)).into()));
        assert_eq!(table.colors()[1], srgb8(NO_BONE.into()));
        assert!(table.colors()[2] != table.colors()[0]);
        assert_eq!(srgb8(Vec3::ONE), [255; 4]);
    }
}
