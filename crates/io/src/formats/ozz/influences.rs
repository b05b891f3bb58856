//! Groups the vertices of a mesh into parts with equal numbers of influences.
//!
//! Follows `fbx2mesh` (`tools/fbx2mesh.cc`): influences of a vertex are sorted by decreasing weight; vertices
//! with one influence come first, then those with two, and so on; parts of fewer than 32 vertices are merged
//! into the next one. All weights except the last are stored, and the runtime computes the last as 1 minus
//! the others. If the last weight is so small that it would be lost in that subtraction, the largest is last
//! instead.
//!
//! In a part with influences, a vertex without any is assigned to a joint that never moves.

use super::mesh::PartShape;
use super::write_skeleton::Joints;
use rigscope_core::model::{BoneId, Mesh, influence_row};

/// Smaller parts are merged into the next one (`kMinBucketSize` of `fbx2mesh`).
const MIN_PART_VERTICES: usize = 32;
/// Allowed relative error of the last weight.
const LAST_TOLERANCE: f32 = 1e-3;

/// The vertices of a mesh in stored order, with their influences.
pub(super) struct Rows {
    /// The mesh vertex at each position.
    pub(super) order: Vec<usize>,
    /// Number of vertices and of influences per vertex, for each part.
    pub(super) parts: Vec<(usize, usize)>,
    /// Slot and weight of each influence, vertex by vertex in stored order.
    pub(super) influences: Vec<(u32, f32)>,
}

/// The slots of a mesh: joints and inverse binds.
pub(super) struct Slots {
    /// The joint of each, ascending.
    pub(super) joints: Vec<u16>,
    /// The corresponding slot of the model's skin; `None` for the joint that never moves.
    pub(super) sources: Vec<Option<usize>>,
}

fn row(mesh: &Mesh, vertex: usize) -> Vec<(u32, f32)> {
    let skin = mesh.inverse_bind();
    skin.map(|skin| skin.influences.row(vertex).collect()).unwrap_or_default()
}

/// Number of vertices without influences in a skinned mesh.
pub(super) fn num_unmoved(mesh: &Mesh) -> usize {
    if mesh.inverse_bind().is_none() {
        return 0;
    }
    let is_unmoved = |vertex: &usize| row(mesh, *vertex).iter().all(|(_, w)| *w <= 0.0);
    (0..mesh.num_vertices()).filter(is_unmoved).count()
}

/// The rows as they were read, if the parts match them.
pub(super) fn as_kept(mesh: &Mesh, parts: &[PartShape]) -> Option<Rows> {
    let mut rows = Rows {
        order: (0..mesh.num_vertices()).collect(),
        parts: Vec::with_capacity(parts.len()),
        influences: Vec::new(),
    };
    let mut vertex = 0;
    for part in parts {
        for _ in 0..part.num_vertices {
            let row = row(mesh, vertex);
            if row.len() != part.num_influences && mesh.inverse_bind().is_some() {
                return None;
            }
            rows.influences.extend(row);
            vertex += 1;
        }
        let num_influences = mesh.inverse_bind().map_or(0, |_| part.num_influences);
        rows.parts.push((part.num_vertices, num_influences));
    }
    (vertex == mesh.num_vertices()).then_some(rows)
}

/// The rows grouped by number of influences; `still` is the slot for vertices without influences.
pub(super) fn bucketed(mesh: &Mesh, still: u32) -> Rows {
    let num = mesh.num_vertices();
    let is_skinned = mesh.inverse_bind().is_some();
    let mut list: Vec<Vec<(u32, f32)>> = Vec::with_capacity(num);
    for vertex in 0..num {
        let mut row = row(mesh, vertex);
        row.retain(|(_, weight)| *weight > 0.0);
        if row.is_empty() && is_skinned {
            row.push((still, 1.0));
        }
        list.push(settled(row));
    }
    let mut num_with: Vec<usize> = Vec::new();
    for row in &list {
        num_with.resize(num_with.len().max(row.len() + 1), 0);
        if let Some(count) = num_with.get_mut(row.len()) {
            *count += 1;
        }
    }
    // The part for vertices with this number of influences.
    let mut target: Vec<usize> = (0..num_with.len()).collect();
    let mut waiting: Vec<usize> = Vec::new();
    let mut num_waiting = 0;
    for (num_influences, &count) in num_with.iter().enumerate() {
        waiting.push(num_influences);
        num_waiting += count;
        let is_last = num_influences + 1 == num_with.len();
        if num_waiting >= MIN_PART_VERTICES || is_last || !is_skinned {
            for at in waiting.drain(..) {
                if let Some(target) = target.get_mut(at) {
                    *target = num_influences;
                }
            }
            num_waiting = 0;
        }
    }
    let part_of = |row: &Vec<(u32, f32)>| target.get(row.len()).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..num).collect();
    order.sort_by_key(|vertex| list.get(*vertex).map(&part_of));
    let mut rows = Rows { parts: Vec::new(), influences: Vec::new(), order };
    for vertex in &rows.order {
        let Some(row) = list.get(*vertex) else { continue };
        let num_influences = part_of(row);
        match rows.parts.last_mut() {
            Some((count, known)) if *known == num_influences => *count += 1,
            _ => rows.parts.push((1, num_influences)),
        }
        rows.influences.extend(row);
        // Padding influences get the vertex's own slot, which absorbs rounding errors.
        let own = row.first().map_or(0, |(slot, _)| *slot);
        let num_missing = num_influences - row.len();
        rows.influences.extend(std::iter::repeat_n((own, 0.0), num_missing));
    }
    rows
}

/// Weights that sum to 1, in stored order.
fn settled(mut row: Vec<(u32, f32)>) -> Vec<(u32, f32)> {
    influence_row::normalize(&mut row);
    row.sort_by(|a, b| b.1.total_cmp(&a.1));
    if let Some((&(_, last), stored)) = row.split_last() {
        let read = 1.0 - influence_row::sum(stored);
        if (read - last).abs() > last * LAST_TOLERANCE {
            row.rotate_left(1);
        }
    }
    row
}

/// The slots used by `rows`, sorted by joint, and renumbers `rows`; all slots if `keeps_all`.
pub(super) fn slots(mesh: &Mesh, rows: &mut Rows, joints: &Joints, keeps_all: bool) -> Slots {
    let bones: &[BoneId] = mesh.inverse_bind().map_or(&[], |skin| &skin.bones);
    let mut is_used = vec![keeps_all; bones.len()];
    // The slot after the last belongs to the joint that never moves.
    is_used.push(false);
    for (slot, _) in &rows.influences {
        if let Some(used) = is_used.get_mut(*slot as usize) {
            *used = true;
        }
    }
    if let Some(first) = is_used.first_mut()
        && !bones.is_empty()
        && rows.influences.is_empty()
    {
        // A skin needs at least one slot.
        *first = true;
    }
    let joint = |slot: usize| match bones.get(slot) {
        Some(&bone) => joints.number(bone),
        None => joints.still.unwrap_or_default(),
    };
    let used = is_used.iter().enumerate().filter(|(_, used)| **used);
    let mut sources: Vec<usize> = used.map(|(slot, _)| slot).collect();
    if !keeps_all {
        sources.sort_by_key(|&slot| joint(slot));
    }
    let mut number_of = vec![0u32; is_used.len()];
    for (number, &slot) in (0u32..).zip(&sources) {
        if let Some(place) = number_of.get_mut(slot) {
            *place = number;
        }
    }
    for (slot, _) in &mut rows.influences {
        *slot = number_of.get(*slot as usize).copied().unwrap_or_default();
    }
    Slots {
        joints: sources.iter().map(|&slot| joint(slot)).collect(),
        sources: sources.into_iter().map(|slot| (slot < bones.len()).then_some(slot)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_testing::*;

    fn mesh(lists: &[Vec<(u32, f32)>]) -> Mesh {
        let points = ModelBuilder::new().mesh(vec![glam::Vec3::ZERO; lists.len()]);
        points.bound_by_keys(8, lists).into_mesh()
    }

    #[test]
    fn vertices_are_grouped_by_influence_count_and_small_parts_merged() {
        let one = vec![(0, 1.0)];
        let two = vec![(1, 0.25), (2, 0.75)];
        let three = vec![(0, 0.5), (1, 0.3), (2, 0.2)];
        let mut lists = vec![three; 33];
        lists.extend(vec![two; 3]);
        lists.extend(vec![one; 32]);
        let rows = bucketed(&mesh(&lists), 8);
        assert_eq!(rows.parts, [(32, 1), (36, 3)]);
        assert_eq!((rows.order[0], rows.order[32]), (36, 0));
        let at = 32 + 33 * 3;
        assert_eq!(rows.influences[at..at + 3], [(2, 0.75), (1, 0.25), (2, 0.0)]);
    }

    #[test]
    fn the_largest_weight_is_last_if_a_tiny_one_would_be_lost_by_subtraction() {
        let row = settled(vec![(0, 1e-9), (1, 0.6), (2, 0.4)]);
        assert_eq!(row, [(2, 0.4), (0, 1e-9), (1, 0.6)]);
        let row = settled(vec![(0, 0.5), (1, 1.5)]);
        assert_eq!(row, [(1, 0.75), (0, 0.25)]);
    }

    #[test]
    fn unweighted_vertices_are_assigned_to_the_static_joint() {
        let mesh = mesh(&[vec![], vec![(3, 0.0)], vec![(3, 2.0)]]);
        assert_eq!(num_unmoved(&mesh), 2);
        let rows = bucketed(&mesh, 8);
        assert_eq!(rows.influences, [(8, 1.0), (8, 1.0), (3, 1.0)]);
    }
}
