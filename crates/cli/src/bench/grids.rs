//! Generated models of many sizes, and the least number of bytes that skinning has to read and write.

use rigscope_core::model::{Influences, Mesh, Model, Skin, VertexData, grid, in_full_precision};
use rigscope_core::pose::PoseSpec;

/// Bytes of a packed vertex.
const PACKED_BYTES: u64 = 32;
/// Bytes of a skinned vertex on the CPU: position, normal, tangent.
const SKINNED_BYTES: u64 = 40;

/// A generated model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    pub(super) num_vertices: usize,
    pub(super) num_bones: u16,
    pub(super) is_packed: bool,
}

impl Grid {
    /// From few to many vertices, and from one bone to the maximum of packed vertices; each size with both kinds of
    /// vertices.
    pub(super) const ALL: [[Self; 2]; 6] = [
        Self::both(1 << 10, 64),
        Self::both(1 << 16, 64),
        Self::both(1 << 20, 1),
        Self::both(1 << 20, 64),
        Self::both(1 << 20, 256),
        Self::both(1 << 24, 64),
    ];

    /// Whether the CPU is measured too; there the number of bones makes no difference.
    pub(super) fn is_for_cpu(self) -> bool {
        self.num_vertices == 1 << 20 && self.num_bones == 64
    }

    const fn both(num_vertices: usize, num_bones: u16) -> [Self; 2] {
        let packed = Self { num_vertices, num_bones, is_packed: true };
        [packed, Self { is_packed: false, ..packed }]
    }

    pub(super) fn name(self) -> String {
        let kind = if self.is_packed { "packed" } else { "full precision" };
        let bones = if self.num_bones == 1 { "bone" } else { "bones" };
        format!("{kind}, {} {bones}", self.num_bones)
    }

    pub(super) fn model(self) -> Model {
        let packed = grid(self.num_vertices, self.num_bones);
        if self.is_packed { packed } else { in_full_precision(packed) }
    }
}

/// A time between the first two keys of the first clip, which are blended.
pub(super) fn between_keys(model: &Model) -> PoseSpec {
    let clip = model.clips.first().and_then(|clip| clip.as_sampled());
    PoseSpec::linear(None, clip.map_or(0.0, |motion| motion.interval_ns as f64 * 0.5e-9))
}

/// Bytes that skinning on the CPU reads and writes at least.
pub(super) fn cpu_skinning_bytes(model: &Model) -> u64 {
    source_bytes(model) + model.num_vertices() as u64 * SKINNED_BYTES
}

/// Bytes that skinning reads of all vertices.
pub(super) fn source_bytes(model: &Model) -> u64 {
    model.meshes.iter().map(|mesh| vertex_bytes(mesh) + influence_bytes(&mesh.skin)).sum()
}

fn vertex_bytes(mesh: &Mesh) -> u64 {
    match &mesh.vertices {
        VertexData::Packed(packed) => packed.len() as u64 * PACKED_BYTES,
        VertexData::Streams(streams) => {
            let (positions, normals) = (streams.positions.len(), streams.normals.len());
            (12 * (positions + normals) + 16 * streams.tangents.len()) as u64
        }
    }
}

fn influence_bytes(skin: &Skin) -> u64 {
    let words = match skin {
        Skin::InverseBind(skin) => match &skin.influences {
            Influences::Rows { first, slots, weights } => first.len() + slots.len() + weights.len(),
            Influences::InVertices => 0,
        },
        Skin::BoneLocal(skin) => skin.first.len() + 8 * skin.influences.len(),
        Skin::None => 0,
    };
    4 * words as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_bytes_of_full_vertices_include_influences() {
        let packed = Grid { num_vertices: 100, num_bones: 4, is_packed: true };
        let full = Grid { is_packed: false, ..packed };
        assert_eq!(source_bytes(&packed.model()), 3200);
        // Position, normal, tangent; four bones and weights; offsets, one more than vertices.
        assert_eq!(source_bytes(&full.model()), 100 * (40 + 32) + 404);
        assert_eq!(packed.name(), "packed, 4 bones");
    }
}
