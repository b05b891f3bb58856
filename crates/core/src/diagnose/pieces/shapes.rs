//! Triangles and morph targets.

use std::collections::BTreeMap;

use glam::Vec3;

use super::{Differing, Pairing, Piece};
use crate::geometry::from_lowest;
use crate::model::{Mesh, MeshId, MorphShape, VertexId, numbered, numbers};

pub(super) const ALL: &[&Piece] = &[&TRIANGLES, &MORPH_TARGETS];

const TRIANGLES: Piece = Piece {
    name: "triangles",
    meaning: "triangles",
    item: "mesh",
    differing: |pairing, model| {
        let mut out = Differing::default();
        for (mesh, other, _) in pairing.meshes().filter(|(.., found)| found.is_by_number()) {
            let own = &model.meshes[mesh];
            if own.num_triangles() != other.num_triangles() {
                continue;
            }
            let all = |mesh: &Mesh| {
                let mut list: Vec<[u32; 3]> =
                    mesh.triangles(0..mesh.indices.len()).map(from_lowest).collect();
                list.sort_unstable();
                list
            };
            let (own, theirs) = (all(own), all(other));
            let num = own.iter().filter(|own| theirs.binary_search(own).is_err()).count();
            let share = num as f64 / own.len().max(1) as f64;
            out.add(num as f64, 0.5, || {
                format!("{} of {}", numbers::percent(share), numbered("mesh", mesh.index(), ""))
            });
        }
        out
    },
    take: |pairing, model| {
        for (mesh, other, _) in pairing.meshes().filter(|(.., found)| found.is_by_number()) {
            let own = &mut model.meshes[mesh];
            if own.num_triangles() == other.num_triangles() {
                own.indices = other.indices.clone();
            }
        }
    },
};

const MORPH_TARGETS: Piece = Piece {
    name: "morph-targets",
    meaning: "offsets",
    item: "morph target",
    differing: |pairing, model| {
        /// A fraction of the target's longest offset.
        const LEAST: f64 = 0.01;
        let mut out = Differing::default();
        each_target(pairing, |mesh, number, theirs| {
            let Some(own) = model.meshes[mesh].morph_targets.get(number) else { return };
            let Some(own) = own.shapes.last() else { return };
            let longest =
                theirs.position_offsets.iter().map(|own| own.length()).fold(0.0, f32::max);
            let of = |shape: &MorphShape| -> BTreeMap<VertexId, Vec3> {
                shape.vertices.iter().copied().zip(shape.position_offsets.iter().copied()).collect()
            };
            let (own, theirs) = (of(own), of(&theirs));
            let at = |list: &BTreeMap<VertexId, Vec3>, vertex| {
                list.get(vertex).copied().unwrap_or_default()
            };
            let apart = own.keys().chain(theirs.keys());
            let apart = apart.map(|vertex| at(&own, vertex).distance(at(&theirs, vertex)));
            let share = f64::from(apart.fold(0.0, f32::max) / longest.max(f32::MIN_POSITIVE));
            out.add(share, LEAST, || {
                let name = numbered("morph target", number, "");
                let mesh = numbered("mesh", mesh.index(), "");
                format!("{} of its length in {name} of {mesh}", numbers::percent(share))
            });
        });
        out
    },
    take: |pairing, model| {
        each_target(pairing, |mesh, number, theirs| {
            let target = model.meshes[mesh].morph_targets.get_mut(number);
            if let Some(own) = target.and_then(|target| target.shapes.last_mut()) {
                *own = MorphShape { full_weight: own.full_weight, ..theirs };
            }
        });
    },
};

/// Calls `visit` with the mesh and number of each target, and the last shape of the matching target, whose vertices are
/// those of the mesh.
fn each_target(pairing: &Pairing<'_>, mut visit: impl FnMut(MeshId, usize, MorphShape)) {
    for (mesh, other, found) in pairing.meshes() {
        // For each vertex of the reference, those of the mesh.
        let mut own_of: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for vertex in 0..pairing.case.model.meshes[mesh].num_vertices() {
            let Ok(vertex) = u32::try_from(vertex) else { break };
            if let Some(of) = found.counterpart(vertex) {
                own_of.entry(of).or_default().push(vertex);
            }
        }
        for number in 0..pairing.case.model.meshes[mesh].morph_targets.len() {
            let matched = pairing.reference.morph_targets.get(&(mesh, number));
            let Some((_, of)) = matched.filter(|(of_mesh, _)| *of_mesh == found.mesh) else {
                continue;
            };
            let Some(shape) = other.morph_targets.get(*of).and_then(|own| own.shapes.last()) else {
                continue;
            };
            if !own_of.is_empty() {
                visit(mesh, number, of_vertices(shape, &own_of));
            }
        }
    }
}

/// The offsets of a shape for the vertices of another mesh.
fn of_vertices(shape: &MorphShape, own_of: &BTreeMap<u32, Vec<u32>>) -> MorphShape {
    let mut rows: Vec<(u32, usize)> = Vec::new();
    for (at, vertex) in shape.vertices.iter().enumerate() {
        let own = own_of.get(&vertex.0).into_iter().flatten();
        rows.extend(own.map(|own| (*own, at)));
    }
    rows.sort_unstable();
    let pick = |list: &[Vec3]| {
        rows.iter().filter_map(|(_, at)| list.get(*at)).copied().collect::<Vec<_>>()
    };
    MorphShape {
        full_weight: shape.full_weight,
        vertices: rows.iter().map(|(own, _)| VertexId(*own)).collect(),
        position_offsets: pick(&shape.position_offsets),
        normal_offsets: pick(&shape.normal_offsets),
    }
}
