//! Finds vertices that are identical to the bit in every attribute.

use super::Geometry;
use crate::model::{
    Blending, FindingKind, Mesh, PackedVertices, Report, Skin, VertexData, counted, findings,
    numbers, singular_or_plural,
};

findings! {
    pub(super) FINDINGS:
    DuplicateVertex, "duplicate-vertex", Info, Mesh,
        "a vertex is equal to another one in all attributes",
        "costs memory and vertex shading, looks the same",
        "merge equal vertices and index the mesh: `rigscope convert IN -o OUT --weld`",
        "573 of 16,582 vertices are equal to another one; the first is vertex 1836, which equals vertex 378 at meshes[0].vertices[1836]";
}

/// Reports vertices that could be merged: same attributes, influences and morph offsets.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let bits = Bits::of(geometry.mesh);
    let num_vertices = geometry.positions.len();
    let mut words = Vec::new();
    let hashed = (0..num_vertices).zip(0u64..).map(|(vertex, number)| {
        words.clear();
        bits.push(vertex, &mut words);
        hash(&words) << 32 | number
    });
    let mut hashed: Vec<u64> = hashed.collect();
    // Few vertices share a hash, so few are compared completely. Equal ones are sorted by number, so that the
    // first of each group is the original.
    hashed.sort_unstable();
    let mut count = 0;
    let mut first: Option<(u32, u32)> = None;
    let mut keys = Keys::default();
    for alike in hashed.chunk_by(|a, b| a >> 32 == b >> 32).filter(|alike| alike.len() > 1) {
        keys.take(&bits, alike.iter().map(|key| vertex_of(*key)));
        for group in keys.sorted().chunk_by(|a, b| a.0 == b.0) {
            if let [(_, original), (_, twin), ..] = *group {
                count += group.len() as u64 - 1;
                if first.is_none_or(|(_, earlier)| twin < earlier) {
                    first = Some((original, twin));
                }
            }
        }
    }
    let Some((original, twin)) = first else { return };
    let place = geometry.vertex_place(twin);
    report.add_many(FindingKind::DuplicateVertex, place, count, || {
        format!(
            "{} of {} {} equal to another one; the first is vertex {twin}, which equals vertex {original}",
            numbers::grouped(count),
            counted(num_vertices as u64, "vertex"),
            singular_or_plural(count, "is", "are")
        )
    });
}

#[expect(clippy::cast_possible_truncation, reason = "the lower 32 bits are the vertex")]
fn vertex_of(key: u64) -> u32 {
    key as u32
}

/// A 32-bit hash with a rotation and a multiplication per word, like FxHash.
fn hash(words: &[u32]) -> u64 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let add = |hash: u64, word: &u32| (hash.rotate_left(5) ^ u64::from(*word)).wrapping_mul(FACTOR);
    words.iter().fold(0, add) >> 32
}

/// Complete vertices.
#[derive(Default)]
struct Keys {
    words: Vec<u32>,
    /// Each with the end of its words.
    vertices: Vec<(u32, usize)>,
}

impl Keys {
    /// Replaces the contents with `vertices`.
    fn take(&mut self, bits: &Bits<'_>, vertices: impl Iterator<Item = u32>) {
        self.words.clear();
        self.vertices.clear();
        for vertex in vertices {
            bits.push(vertex as usize, &mut self.words);
            self.vertices.push((vertex, self.words.len()));
        }
    }

    /// Each vertex with its words; equal ones are adjacent.
    fn sorted(&self) -> Vec<(&[u32], u32)> {
        let mut start = 0;
        let whole = self.vertices.iter().map(|&(vertex, end)| {
            let own = self.words.get(start..end).unwrap_or_default();
            start = end;
            (own, vertex)
        });
        let mut whole: Vec<_> = whole.collect();
        whole.sort_unstable();
        whole
    }
}

/// The bits of vertices.
struct Bits<'a> {
    mesh: &'a Mesh,
    morphs: Vec<(usize, [u32; 8])>,
}

impl<'a> Bits<'a> {
    fn of(mesh: &'a Mesh) -> Self {
        Self { mesh, morphs: morph_words(mesh) }
    }

    /// Appends the bits of a vertex.
    fn push(&self, vertex: usize, words: &mut Vec<u32>) {
        match &self.mesh.vertices {
            VertexData::Packed(packed) => push_packed(packed, vertex, words),
            VertexData::Streams(streams) => {
                let mut push = |floats: &[f32]| words.extend(floats.iter().map(|f| bits(*f)));
                if let Some(position) = streams.positions.get(vertex) {
                    push(&position.to_array());
                }
                if let Some(normal) = streams.normals.get(vertex) {
                    push(&normal.to_array());
                }
                if let Some(tangent) = streams.tangents.get(vertex) {
                    push(&tangent.to_array());
                }
                if let Some(color) = streams.colors.get(vertex) {
                    push(&color.to_array());
                }
                for uv in streams.uv_sets.iter().filter_map(|s| s.coords.get(vertex)) {
                    push(&uv.to_array());
                }
            }
        }
        push_skin(&self.mesh.skin, vertex, words);
        let from = self.morphs.partition_point(|entry| entry.0 < vertex);
        let own = self.morphs.iter().skip(from).take_while(|entry| entry.0 == vertex);
        words.extend(own.flat_map(|entry| entry.1));
    }
}

fn push_packed(packed: &PackedVertices, vertex: usize, words: &mut Vec<u32>) {
    if let Some(vertex) = packed.get(vertex) {
        let bytes = vertex.to_bytes();
        let (own, _) = bytes.as_chunks::<4>();
        words.extend(own.iter().map(|word| u32::from_le_bytes(*word)));
    }
}

fn push_skin(skin: &Skin, vertex: usize, words: &mut Vec<u32>) {
    match skin {
        Skin::None => {}
        Skin::InverseBind(skin) => {
            if let Blending::Mixed(shares) = &skin.blending {
                words.extend(shares.get(vertex).map(|share| bits(*share)));
            }
            words.extend(skin.influences.row(vertex).flat_map(|(slot, w)| [slot, bits(w)]));
        }
        Skin::BoneLocal(skin) => skin.for_each(vertex, |influence| {
            words.extend([influence.bone.0, bits(influence.weight)]);
            words.extend(influence.position.to_array().map(bits));
            words.extend(influence.normal.to_array().map(bits));
        }),
    }
}

/// (vertex, shape, target and offset), sorted by vertex.
fn morph_words(mesh: &Mesh) -> Vec<(usize, [u32; 8])> {
    let mut words = Vec::new();
    let shapes = mesh.morph_targets.iter().flat_map(|target| &target.shapes);
    for (shape, number) in shapes.zip(0u32..) {
        for (at, vertex) in shape.vertices.iter().enumerate() {
            let offset = shape.position_offsets.get(at).copied().unwrap_or_default();
            let normal = shape.normal_offsets.get(at).copied().unwrap_or_default();
            let (o, n) = (offset.to_array().map(bits), normal.to_array().map(bits));
            let entry = [number, o[0], o[1], o[2], n[0], n[1], n[2], 0];
            words.push((vertex.index(), entry));
        }
    }
    words.sort_unstable();
    words
}

/// The bits of a number, the same for 0 and -0.
fn bits(number: f32) -> u32 {
    (number + 0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use crate::model::testing::*;
    use crate::validate::fixtures::clean::{
        add_copy_of_vertex_0, clean_model, find, findings_of_rules, packed_model, rows_of,
    };

    #[test]
    fn copied_vertex_is_a_duplicate_unless_its_weights_differ() {
        let mut model = clean_model();
        add_copy_of_vertex_0(&mut model);
        let findings = findings_of_rules(&model, super::super::check);
        let finding = find(&findings, FindingKind::DuplicateVertex).unwrap();
        assert_eq!(finding.count, 1);
        assert!(
            finding.message.ends_with("the first is vertex 24, which equals vertex 0"),
            "{}",
            finding.message
        );
        let (_, _, weights) = rows_of(&mut model);
        *weights.last_mut().unwrap() = 0.5;
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::DuplicateVertex), None);
    }

    #[test]
    fn vertices_with_different_morph_offsets_are_not_duplicates() {
        let mut model = clean_model();
        add_copy_of_vertex_0(&mut model);
        model.meshes[MeshId(0)].morph_targets.push(morph("smile", &[(24, glam::Vec3::X)]));
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::DuplicateVertex), None);
    }

    #[test]
    fn duplicate_packed_vertices_are_reported() {
        let mut model = packed_model();
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::DuplicateVertex), None);
        let VertexData::Packed(packed) = &mut model.meshes[MeshId(0)].vertices else {
            unreachable!()
        };
        let copied: Vec<_> = packed.iter().chain(packed.iter().take(3)).collect();
        *packed = PackedVertices::from_vertices(copied);
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::DuplicateVertex).unwrap().count, 3);
    }
}
