//! Vertices that are the same in everything, bit by bit.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::Geometry;
use crate::model::{
    Blending, Influences, Mesh, NoteKind, PackedVertices, Report, Skin, VertexData, notes,
};

notes! {
    pub(super) FINDINGS:
    DuplicateVertex, "duplicate-vertex", Info, Mesh, "a vertex is the same as another in everything",
        "index the mesh: merge vertices that are equal in all attributes";
}

/// Notes vertices that could be one: same attributes, same influences, same morph offsets.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    let keys = Keys::of(geometry.mesh);
    let num_vertices = geometry.positions.len();
    let hash = |vertex: usize| {
        let mut hasher = DefaultHasher::new();
        keys.get(vertex).hash(&mut hasher);
        hasher.finish()
    };
    let mut hashed: Vec<_> = (0..num_vertices).map(|vertex| (hash(vertex), vertex)).collect();
    // Few vertices have a hash in common, so that few are compared whole. Equal ones lie by ascending number,
    // so that the first of each group is the original.
    hashed.sort_unstable();
    let mut count = 0;
    let mut first: Option<(usize, usize)> = None;
    for alike in hashed.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
        let mut alike: Vec<_> = alike.iter().map(|(_, vertex)| *vertex).collect();
        alike.sort_by_key(|&vertex| keys.get(vertex));
        for group in alike.chunk_by(|&a, &b| keys.get(a) == keys.get(b)) {
            if let [original, twin, ..] = *group {
                count += group.len() as u64 - 1;
                if first.is_none_or(|(_, earlier)| twin < earlier) {
                    first = Some((original, twin));
                }
            }
        }
    }
    let Some((original, twin)) = first else { return };
    let place = geometry.vertex_place(u32::try_from(twin).unwrap_or(u32::MAX));
    report.note_many(NoteKind::DuplicateVertex, place, count, || {
        format!("{count} of {num_vertices} vertices repeat another, first {twin} as {original}")
    });
}

/// The bits of every vertex, one list each.
struct Keys {
    /// One more than vertices.
    first: Vec<usize>,
    words: Vec<u32>,
}

impl Keys {
    fn of(mesh: &Mesh) -> Self {
        let mut keys = Self { first: vec![0], words: Vec::new() };
        let morphs = morph_words(mesh);
        for vertex in 0..mesh.num_vertices() {
            match &mesh.vertices {
                VertexData::Packed(packed) => keys.packed(packed, vertex),
                VertexData::Streams(streams) => {
                    let words = &mut keys.words;
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
            keys.skin(&mesh.skin, vertex);
            let from = morphs.partition_point(|entry| entry.0 < vertex);
            let own = morphs.iter().skip(from).take_while(|e| e.0 == vertex);
            keys.words.extend(own.flat_map(|entry| entry.1));
            keys.first.push(keys.words.len());
        }
        keys
    }

    fn packed(&mut self, packed: &PackedVertices, vertex: usize) {
        if let Some(vertex) = packed.get(vertex) {
            let bytes = vertex.to_bytes();
            let (words, _) = bytes.as_chunks::<4>();
            self.words.extend(words.iter().map(|w| u32::from_le_bytes(*w)));
        }
    }

    fn skin(&mut self, skin: &Skin, vertex: usize) {
        let words = &mut self.words;
        match skin {
            Skin::None => {}
            Skin::InverseBind(skin) => {
                if let Blending::Mixed(shares) = &skin.blending {
                    words.extend(shares.get(vertex).map(|share| bits(*share)));
                }
                if matches!(skin.influences, Influences::Rows { .. }) {
                    skin.influences.for_each(vertex, |slot, weight| {
                        words.extend([slot, bits(weight)]);
                    });
                }
            }
            Skin::BoneLocal(skin) => skin.for_each(vertex, |influence| {
                words.extend([influence.bone.0, bits(influence.weight)]);
                words.extend(influence.position.to_array().map(bits));
                words.extend(influence.normal.to_array().map(bits));
            }),
        }
    }

    fn get(&self, vertex: usize) -> &[u32] {
        let range = self.first.get(vertex).zip(self.first.get(vertex + 1));
        range.and_then(|(&from, &to)| self.words.get(from..to)).unwrap_or_default()
    }
}

/// (vertex, which shape of which target and its offset), by vertex.
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
        add_copy_of_vertex_0, clean_model, find, notes_of, packed_model, rows_of,
    };

    #[test]
    fn a_copied_vertex_is_a_duplicate_until_its_weights_differ() {
        let mut model = clean_model();
        add_copy_of_vertex_0(&mut model);
        let notes = notes_of(&model, super::super::check);
        let note = find(&notes, NoteKind::DuplicateVertex).unwrap();
        assert_eq!(note.count, 1);
        assert!(note.message.ends_with("first 24 as 0"), "{}", note.message);
        let (_, _, weights) = rows_of(&mut model);
        *weights.last_mut().unwrap() = 0.5;
        let notes = notes_of(&model, super::super::check);
        assert_eq!(find(&notes, NoteKind::DuplicateVertex), None);
    }

    #[test]
    fn a_morph_target_tells_copies_apart() {
        let mut model = clean_model();
        add_copy_of_vertex_0(&mut model);
        model.meshes[0].morph_targets.push(morph("smile", &[(24, glam::Vec3::X)]));
        let notes = notes_of(&model, super::super::check);
        assert_eq!(find(&notes, NoteKind::DuplicateVertex), None);
    }

    #[test]
    fn packed_vertices_are_compared_too() {
        let mut model = packed_model();
        let notes = notes_of(&model, super::super::check);
        assert_eq!(find(&notes, NoteKind::DuplicateVertex), None);
        let VertexData::Packed(packed) = &mut model.meshes[0].vertices else { unreachable!() };
        let copied: Vec<_> = packed.iter().chain(packed.iter().take(3)).collect();
        *packed = PackedVertices::from_vertices(copied);
        let notes = notes_of(&model, super::super::check);
        assert_eq!(find(&notes, NoteKind::DuplicateVertex).unwrap().count, 3);
    }
}
