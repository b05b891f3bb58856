//! Finds weight islands: one or a few vertices on a bone far away, among vertices that the bone doesn't move.
//! Such vertices shoot out of the surface in motion.
//!
//! Only connected surfaces count: a separate piece (a button, an eye) may follow any bone.

use std::collections::BTreeSet;

use glam::Vec3;

use super::bound_mesh::BoundMesh;
use crate::geometry::welded_near;
use crate::model::{
    Aabb, BoneId, Cancelled, ClipId, FindingKind, Mesh, MeshId, Model, Place, Report, Skin, as_u32,
    findings, influence_row, numbers,
};
use crate::pose::{sample, skin_some_positions};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::{Worst, bone_text, length_text, spread};

findings! {
    pub(super) FINDINGS:
    WeightIsland, "weight-island", Warning, Skin,
        "a few vertices follow a bone far from them, while their neighbours don't",
        "the vertices shoot out of the surface as spikes when the bone moves",
        "smooth the weights there (Blender: Weights > Smooth) or copy those of the neighbours; look for vertices bound to the first bone by default",
        "vertex 415 of mesh 0 follows bone 6 \"hand_l\", which is 38 % of the mesh's size away, but none of its neighbours does at meshes[0].vertices[415]";
}

/// Vertices follow a bone with at least this weight.
const MIN_WEIGHT: f32 = 0.25;
/// The least weight of the bone in an island, and the most in its neighbours.
const MIN_ISLAND_WEIGHT: f32 = 0.5;
const MAX_NEIGHBOUR_WEIGHT: f32 = 0.05;
/// The most positions in an island: larger ones may be intended.
const MAX_ISLAND: usize = 6;
/// An island's minimum distance from its bone: this fraction of the mesh's size, this many times the length
/// of its edges, and this many times the distance from the bones of its neighbours.
const MIN_DISTANCE: f32 = 0.08;
const MIN_EDGES: f32 = 3.0;
const MIN_TIMES_FARTHER: f32 = 2.0;
/// The most components of a mesh for which all vertices of the bone are examined: sound files have hardly
/// any.
const MAX_SCANS: usize = 256;
/// The most clips, and moments of each, at which islands are measured.
const MAX_CLIPS: usize = 64;
const MAX_MOMENTS: usize = 16;

/// A few vertices on a bone far away.
struct Island {
    bone: BoneId,
    /// In file order, and one neighbour.
    vertices: Vec<u32>,
    neighbour: u32,
    /// Distance from the bone, mesh space.
    distance: f32,
}

/// Reports weight islands, per mesh.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let bound: Vec<_> = BoundMesh::all(model).collect();
    for (index, mesh) in model.meshes.iter().enumerate() {
        report.progress("checking skins", 0.95)?;
        if !matches!(mesh.skin, Skin::InverseBind(_)) || mesh.indices.is_empty() {
            continue;
        }
        let binds = bound.iter().find(|bound| bound.number as usize == index);
        let islands = islands(mesh, binds);
        report_finding(model, index, mesh, &islands, report)?;
    }
    Ok(())
}

/// The surface of a mesh, with split vertices merged.
struct Surface {
    /// By vertex.
    first: Vec<u32>,
    positions: Vec<Vec3>,
    /// By vertex: the start of its bones in `entries`, those that it follows first, and the number of these.
    starts: Vec<usize>,
    num_followed: Vec<usize>,
    /// Bone and weight; the weights of a vertex sum to 1.
    entries: Vec<(BoneId, f32)>,
    /// For each entry, the first of its component: connected by edges, with the same bone.
    parents: Vec<usize>,
}

impl Surface {
    fn of(mesh: &Mesh) -> Self {
        let positions: Vec<Vec3> =
            (0..mesh.num_vertices()).map(|at| mesh.position(at).unwrap_or_default()).collect();
        let first = welded_near(&positions);
        let (mut starts, mut num_followed) = (vec![0], Vec::new());
        let mut entries: Vec<(BoneId, f32)> = Vec::new();
        for vertex in 0..positions.len() {
            let start = entries.len();
            if first.get(vertex).is_some_and(|&first| first as usize == vertex) {
                mesh.for_each_influence(vertex, |bone, weight| entries.push((bone, weight)));
            }
            let own = &mut entries[start..];
            influence_row::normalize(own);
            own.sort_by(|a, b| b.1.total_cmp(&a.1));
            num_followed.push(own.partition_point(|(_, share)| *share >= MIN_WEIGHT));
            starts.push(entries.len());
        }
        let parents = (0..entries.len()).collect();
        let mut surface = Self { first, positions, starts, num_followed, entries, parents };
        for corners in mesh.triangles(0..mesh.indices.len()) {
            let [a, b, c] = corners.map(|corner| surface.weld(corner));
            for (from, to) in [(a, b), (b, c), (c, a)] {
                surface.join(from, to);
            }
        }
        surface
    }

    fn weld(&self, vertex: u32) -> u32 {
        self.first.get(vertex as usize).copied().unwrap_or(vertex)
    }

    fn place(&self, vertex: u32) -> Vec3 {
        self.positions.get(vertex as usize).copied().unwrap_or_default()
    }

    /// The entries of a vertex.
    fn entries_of(&self, vertex: u32) -> std::ops::Range<usize> {
        let at = vertex as usize;
        let start = self.starts.get(at).copied().unwrap_or(0);
        start..self.starts.get(at + 1).copied().unwrap_or(start)
    }

    /// The entries of the bones that a vertex follows: four at most, because weights sum to 1.
    fn followed(&self, vertex: u32) -> std::ops::Range<usize> {
        let start = self.entries_of(vertex).start;
        start..start + self.num_followed.get(vertex as usize).copied().unwrap_or(0)
    }

    fn weight(&self, vertex: u32, bone: BoneId) -> f32 {
        let own = self.entries.get(self.entries_of(vertex)).unwrap_or_default();
        own.iter().filter(|(other, _)| *other == bone).map(|(_, weight)| weight).sum()
    }

    /// The bone with the largest weight.
    fn main_bone(&self, vertex: u32) -> Option<BoneId> {
        let own = self.entries.get(self.entries_of(vertex)).unwrap_or_default();
        own.first().map(|(bone, _)| *bone)
    }

    fn root(&mut self, mut entry: usize) -> usize {
        while self.parents[entry] != entry {
            self.parents[entry] = self.parents[self.parents[entry]];
            entry = self.parents[entry];
        }
        entry
    }

    fn join(&mut self, from: u32, to: u32) {
        for one in self.followed(from) {
            for other in self.followed(to) {
                if self.entries[one].0 == self.entries[other].0 {
                    let (one, other) = (self.root(one), self.root(other));
                    self.parents[one.max(other)] = one.min(other);
                }
            }
        }
    }
}

fn islands(mesh: &Mesh, binds: Option<&BoundMesh<'_>>) -> Vec<Island> {
    let mut surface = Surface::of(mesh);
    // Vertices of each component; those that are too large keep one vertex too many.
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); surface.entries.len()];
    for vertex in 0..as_u32(surface.positions.len()) {
        for entry in surface.followed(vertex) {
            let root = surface.root(entry);
            if members[root].len() <= MAX_ISLAND {
                members[root].push(vertex);
            }
        }
    }
    let is_small = |list: &Vec<u32>| (1..=MAX_ISLAND).contains(&list.len());
    let mut component_of = vec![Vec::new(); surface.positions.len()];
    for (root, list) in members.iter().enumerate().filter(|(_, list)| is_small(list)) {
        for &vertex in list {
            component_of[vertex as usize].push(root);
        }
    }
    let mut neighbours = std::collections::BTreeMap::<usize, BTreeSet<u32>>::new();
    for corners in mesh.triangles(0..mesh.indices.len()) {
        let corners = corners.map(|corner| surface.weld(corner));
        for corner in corners {
            for &root in component_of.get(corner as usize).into_iter().flatten() {
                let others = corners.into_iter().filter(|other| !members[root].contains(other));
                neighbours.entry(root).or_default().extend(others);
            }
        }
    }
    let size = Aabb::from_points(surface.positions.iter().copied()).extent();
    let mut islands = Vec::new();
    let mut scans_left = MAX_SCANS;
    for (&root, around) in &neighbours {
        let members = &members[root];
        let candidate = candidate(&surface, binds, root, members, around, size);
        let Some(candidate) = candidate else { continue };
        let Some(left) = scans_left.checked_sub(1) else { break };
        scans_left = left;
        islands.extend(island(&surface, binds, &candidate, members, around, size));
    }
    islands
}

/// A component far from its bone, among vertices that the bone doesn't move.
struct Candidate {
    bone: BoneId,
    /// Centre of its vertices, mesh space.
    center: Vec3,
    /// Mean distance to its neighbours.
    edge: f32,
    /// Distance to the bone; unknown without inverse bind matrices.
    from_bone: Option<f32>,
}

/// The component, if its bone is far away and doesn't move any of its neighbours.
fn candidate(
    surface: &Surface,
    binds: Option<&BoundMesh<'_>>,
    root: usize,
    members: &[u32],
    around: &BTreeSet<u32>,
    size: f32,
) -> Option<Candidate> {
    let bone = surface.entries.get(root)?.0;
    let is_moved = |vertex: &u32| surface.weight(*vertex, bone) > MAX_NEIGHBOUR_WEIGHT;
    let weight = members.iter().map(|&vertex| surface.weight(vertex, bone)).sum::<f32>();
    if around.len() < 2
        || around.iter().any(is_moved)
        || weight < MIN_ISLAND_WEIGHT * members.len() as f32
    {
        return None;
    }
    let center = members.iter().map(|&vertex| surface.place(vertex)).sum::<Vec3>();
    let center = center / members.len() as f32;
    let edge = around.iter().map(|&vertex| surface.place(vertex).distance(center)).sum::<f32>();
    let edge = edge / around.len() as f32;
    let from_bone = binds.and_then(|binds| binds.distance_to(bone, center));
    let is_far = from_bone.is_none_or(|from| from > size * MIN_DISTANCE && from > edge * MIN_EDGES);
    is_far.then_some(Candidate { bone, center, edge, from_bone })
}

/// The component as an island, if the other vertices of its bone are far away too.
fn island(
    surface: &Surface,
    binds: Option<&BoundMesh<'_>>,
    candidate: &Candidate,
    members: &[u32],
    around: &BTreeSet<u32>,
    size: f32,
) -> Option<Island> {
    let &Candidate { bone, center, edge, from_bone } = candidate;
    let others = (0..as_u32(surface.positions.len()))
        .filter(|vertex| !members.contains(vertex) && surface.weight(*vertex, bone) >= MIN_WEIGHT);
    let to_others = others.map(|vertex| surface.place(vertex).distance(center));
    let distance = to_others.chain(from_bone).fold(f32::MAX, f32::min);
    let to_bone = |bone| binds.and_then(|binds| binds.distance_to(bone, center));
    let of_neighbours = around.iter().filter_map(|&vertex| surface.main_bone(vertex));
    let theirs = of_neighbours.filter_map(to_bone).fold(f32::MAX, f32::min);
    let is_far = distance < f32::MAX
        && distance > size * MIN_DISTANCE
        && distance > edge * MIN_EDGES
        && (theirs == f32::MAX || distance > theirs * MIN_TIMES_FARTHER);
    let neighbour = *around.first()?;
    is_far.then(|| Island { bone, vertices: members.to_vec(), neighbour, distance })
}

fn report_finding(
    model: &Model,
    index: usize,
    mesh: &Mesh,
    islands: &[Island],
    report: &Report,
) -> Result<(), Cancelled> {
    let farthest = islands.iter().max_by(|a, b| a.distance.total_cmp(&b.distance));
    let Some(farthest) = farthest else { return Ok(()) };
    // The change of the distance of the first vertex of each island from its neighbour, relative to the
    // stored mesh.
    let pairs = islands.iter().map(|island| [island.vertices[0], island.neighbour]);
    let vertices: Vec<u32> = pairs.flatten().collect();
    let stored = |vertex: u32| mesh.position(vertex as usize).unwrap_or_default();
    let mut worst = Worst::default();
    let all = Moments::of(model, Posed::BonesOfEachMesh);
    for (clip, of_clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
        let moments = all.of_clip(clip, of_clip);
        for at in spread(moments.len(), MAX_MOMENTS).filter_map(|at| moments.get(at)) {
            report.progress("checking skins", 0.95)?;
            let posed = sample(model, &at.spec).of_mesh(MeshId(as_u32(index)), mesh);
            let places = skin_some_positions(mesh, &posed, &vertices);
            for ([one, other], island) in places.as_chunks::<2>().0.iter().zip(islands) {
                let bound = stored(island.vertices[0]).distance(stored(island.neighbour));
                worst.add(one.distance(*other) - bound, (island, clip, at.time_secs));
            }
        }
    }
    let size = Aabb::from_points((0..mesh.num_vertices()).filter_map(|at| mesh.position(at)));
    let size = size.extent();
    let (island, stretch) = match worst.worst {
        Some((stretch, (island, clip, time_secs))) if stretch > 0.0 => {
            (island, Some((stretch, clip, time_secs)))
        }
        _ => (farthest, None),
    };
    let [vertex, ..] = island.vertices[..] else { return Ok(()) };
    let place = Place::Vertex { mesh: as_u32(index), vertex };
    let num: usize = islands.iter().map(|island| island.vertices.len()).sum();
    report.add_many(FindingKind::WeightIsland, place, num as u64, || {
        let mut text = format!(
            "vertex {vertex} of mesh {index} follows {}, which is {} of the mesh's size away, but none of its \
             neighbours does",
            bone_text(model, island.bone),
            numbers::percent(island.distance / size)
        );
        if let Some((stretch, clip, time_secs)) = stretch {
            let name = &*model.clips[ClipId::from_index(clip)].name;
            let by = length_text(model, stretch);
            let time = numbers::seconds(time_secs);
            text.push_str(&format!("; clip {name:?} pulls it {by} away from them at {time}"));
        }
        text
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::model::testing::*;
    use crate::validate::fixtures::arm::arm;
    use crate::validate::fixtures::clean::{find, findings_of_rules};

    /// The arm with another bone for some of its vertices.
    fn with(vertices: &[usize], slot: u32) -> Model {
        let mut model = arm();
        let mesh = &model.meshes[MeshId(0)];
        let lists: Vec<Vec<(u32, f32)>> = (0..mesh.num_vertices())
            .map(|vertex| {
                let mut list = Vec::new();
                mesh.for_each_slot(inverse_bind(mesh), vertex, |slot, weight| {
                    list.push((slot, weight))
                });
                if vertices.contains(&vertex) { vec![(slot, 1.0)] } else { list }
            })
            .collect();
        inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences = Influences::from_lists(&lists);
        model
    }

    #[test]
    fn vertex_weighted_to_a_distant_bone_is_reported_with_the_distance() {
        assert_eq!(findings_of_rules(&arm(), check), []);
        // In the middle of the hand, at x = 2.6.
        let mut model = with(&[53], 0);
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::WeightIsland).unwrap();
        assert_eq!((finding.place, finding.count), (Place::Vertex { mesh: 0, vertex: 53 }, 1));
        let start = "vertex 53 of mesh 0 follows bone 0 \"upper arm\", which is 53 % of the mesh's size away";
        assert!(finding.message.starts_with(start), "{}", finding.message);
        let rotation = |angle| Quat::from_rotation_z(angle);
        let clip = ModelBuilder::new().clip("bend", 1.0);
        model.clips.push(
            clip.rotation(1, linear([(0.0, rotation(0.0)), (1.0, rotation(1.0))])).into_clip(),
        );
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::WeightIsland).unwrap();
        assert!(finding.message.contains("; clip \"bend\" pulls it 1."), "{}", finding.message);
        assert!(finding.message.ends_with("m away from them at 1 s"), "{}", finding.message);
    }

    #[test]
    fn neighbouring_bones_and_whole_parts_are_not_islands() {
        // A vertex near the elbow on the neighbouring bone.
        assert_eq!(findings_of_rules(&with(&[25], 0), check), []);
        // The whole hand.
        assert_eq!(findings_of_rules(&with(&(44..64).collect::<Vec<_>>(), 0), check), []);
    }
}
