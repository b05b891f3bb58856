//! Influences: bones that exist, weights that are finite and sum to 1, consistent rows.

use super::Tally;
use crate::model::{
    Blending, BoneLocalSkin, Influences, InverseBindSkin, Mesh, NoteKind, PackedVertex,
    PackedVertices, Place, Report, Skin, VertexData,
};

/// How far a float weight sum may miss 1 before it is noted.
const WEIGHT_SUM_TOLERANCE: f32 = 1e-3;
/// What the four unorm8 weights of a packed vertex sum to.
const PACKED_WEIGHT_SUM: u32 = 255;

#[derive(Default)]
struct Findings {
    bone_out_of_range: Tally,
    unused_slot: Tally,
    not_finite: Tally,
    not_normalized: Tally,
    without_weights: Tally,
    after_zero: Tally,
}

/// Checks the skin of one mesh against the number of bones.
pub(super) fn check(mesh: &mut Mesh, number: u32, num_bones: usize, report: &Report) {
    if mesh.attached_to.is_some_and(|b| b.index() >= num_bones) {
        mesh.attached_to = None;
        report.note(
            NoteKind::BoneOutOfRange,
            Place::Mesh(number),
            "the mesh is attached to a bone that does not exist",
        );
    }
    let mut findings = Findings::default();
    let num_vertices = mesh.num_vertices();
    match &mut mesh.skin {
        Skin::None => {}
        Skin::InverseBind(skin) if num_bones == 0 && !skin.bones.is_empty() => {
            report.note(
                NoteKind::BoneOutOfRange,
                Place::Mesh(number),
                "the mesh is skinned, and there is no bone",
            );
            mesh.skin = Skin::None;
        }
        Skin::InverseBind(skin) => {
            inverse_binds(skin, num_bones, report);
            if let Blending::Mixed(shares) = &mut skin.blending {
                shares.resize(num_vertices, 0.0);
                for share in shares {
                    *share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
                }
            }
            match (&mut skin.influences, &mut mesh.vertices) {
                (Influences::InVertices, VertexData::Packed(packed)) => match skin.bones.len() {
                    0 => mesh.skin = Skin::None,
                    num_slots => check_packed(packed, num_slots, &mut findings),
                },
                // Floats hold no influences inside: there is nothing to follow.
                (Influences::InVertices, VertexData::Streams(_)) => mesh.skin = Skin::None,
                (rows, _) => check_rows(rows, num_vertices, skin.bones.len(), &mut findings),
            }
        }
        Skin::BoneLocal(skin) => check_bone_local(skin, num_vertices, num_bones, &mut findings),
    }
    findings.report(number, num_bones, report);
}

impl Findings {
    fn report(self, mesh: u32, num_bones: usize, report: &Report) {
        let rows = [
            (
                NoteKind::BoneOutOfRange,
                self.bone_out_of_range,
                "is moved by a bone that does not exist",
            ),
            (
                NoteKind::UnusedSlotOutOfRange,
                self.unused_slot,
                "names a bone that does not exist with weight 0",
            ),
            (NoteKind::NotFinite, self.not_finite, "has an influence that is not finite"),
            (
                NoteKind::WeightsNotNormalized,
                self.not_normalized,
                "has weights that do not sum to 1",
            ),
            (NoteKind::VertexWithoutWeights, self.without_weights, "has no weight"),
            (NoteKind::WeightAfterZero, self.after_zero, "has a weight after an empty slot"),
        ];
        for (kind, tally, what) in rows {
            let vertex = tally.first;
            report.note_many(kind, Place::Vertex { mesh, vertex }, tally.count, || {
                format!("vertex {vertex} {what} ({num_bones} bones)")
            });
        }
    }
}

/// Makes slots and their matrices agree, and the matrices finite and affine.
fn inverse_binds(skin: &mut InverseBindSkin, num_bones: usize, report: &Report) {
    for bone in &mut skin.bones {
        if bone.index() >= num_bones {
            report.note(
                NoteKind::BoneOutOfRange,
                Place::Bone(bone.0),
                "a skin names a bone that does not exist",
            );
            bone.0 = 0;
        }
    }
    if !skin.bone_from_mesh.is_empty() {
        skin.bone_from_mesh.resize(skin.bones.len(), glam::Mat4::IDENTITY);
    }
    for (slot, matrix) in skin.bone_from_mesh.iter_mut().enumerate() {
        let place = Place::Bone(skin.bones.get(slot).map_or(0, |bone| bone.0));
        let mut floats = matrix.to_cols_array();
        if floats.iter().any(|f| !f.is_finite()) {
            report.note(NoteKind::NotFinite, place, "an inverse bind matrix is not finite");
            for float in &mut floats {
                if !float.is_finite() {
                    *float = 0.0;
                }
            }
            *matrix = glam::Mat4::from_cols_array(&floats);
        }
        if matrix.row(3) != glam::Vec4::W {
            report.note_many(NoteKind::InverseBindNotAffine, place, 1, || {
                format!("the last row of inverse bind {slot} is {}", matrix.row(3))
            });
        }
    }
}

fn check_packed(packed: &mut PackedVertices, num_slots: usize, findings: &mut Findings) {
    let mut is_sound = true;
    for (at, vertex) in packed.iter().enumerate() {
        let sum = vertex.weight_sum();
        findings.not_normalized.add(sum != PACKED_WEIGHT_SUM && sum != 0, at);
        findings.without_weights.add(sum == 0, at);
        let first_empty = vertex.weights.iter().position(|&w| w == 0).unwrap_or(4);
        let used_later = vertex.weights.iter().skip(first_empty).any(|&w| w > 0);
        findings.after_zero.add(used_later, at);
        if num_slots < 256 {
            let is_outside =
                |(&bone, &weight): (&u8, &u8)| (usize::from(bone) >= num_slots, weight);
            let mut slots = vertex.bones.iter().zip(&vertex.weights).map(is_outside);
            let used = slots.clone().any(|(outside, weight)| outside && weight > 0)
                || (sum == 0 && usize::from(vertex.bones[0]) >= num_slots);
            findings.bone_out_of_range.add(used, at);
            findings.unused_slot.add(!used && slots.any(|(outside, _)| outside), at);
            is_sound &= !used;
        }
    }
    if !is_sound {
        *packed = PackedVertices::from_vertices(packed.iter().map(|v| without_bad(v, num_slots)));
    }
}

/// The vertex without influences of bones that do not exist; bone 0 where none is left.
fn without_bad(mut vertex: PackedVertex, num_slots: usize) -> PackedVertex {
    for (bone, weight) in vertex.bones.iter_mut().zip(&mut vertex.weights) {
        if usize::from(*bone) >= num_slots {
            (*bone, *weight) = (0, 0);
        }
    }
    vertex
}

fn check_rows(
    rows: &mut Influences,
    num_vertices: usize,
    num_slots: usize,
    findings: &mut Findings,
) {
    let Influences::Rows { first, slots, weights } = rows else { return };
    let num = slots.len().min(weights.len());
    slots.truncate(num);
    weights.truncate(num);
    let is_consistent = first.len() == num_vertices + 1
        && first.is_sorted()
        && first.first() == Some(&0)
        && first.last().is_some_and(|&last| last as usize == num);
    if !is_consistent {
        findings.bone_out_of_range.add(true, 0);
        *rows = Influences::from_lists(std::iter::repeat_n(&[][..], num_vertices));
        return;
    }
    let row_of = |at: usize| first.partition_point(|&f| f as usize <= at).saturating_sub(1);
    for at in 0..num {
        let is_finite = weights[at].is_finite() && weights[at] >= 0.0;
        let is_inside = (slots[at] as usize) < num_slots;
        if !is_finite {
            findings.not_finite.add(true, row_of(at));
            weights[at] = 0.0;
        }
        if !is_inside {
            let used = weights[at] > 0.0;
            let tally =
                if used { &mut findings.bone_out_of_range } else { &mut findings.unused_slot };
            tally.add(true, row_of(at));
            (slots[at], weights[at]) = (0, 0.0);
        }
    }
    for vertex in 0..num_vertices {
        let row = first[vertex] as usize..first[vertex + 1] as usize;
        let sum: f32 = weights[row].iter().sum();
        findings.without_weights.add(sum == 0.0, vertex);
        findings.not_normalized.add(sum != 0.0 && (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE, vertex);
    }
    if num_slots == 0 && num > 0 {
        // No slot is left that an entry could name.
        *rows = Influences::from_lists(std::iter::repeat_n(&[][..], num_vertices));
    }
}

fn check_bone_local(
    skin: &mut BoneLocalSkin,
    num_vertices: usize,
    num_bones: usize,
    findings: &mut Findings,
) {
    let is_consistent = skin.first.len() == num_vertices + 1
        && skin.first.is_sorted()
        && skin.first.first() == Some(&0)
        && skin.first.last().is_some_and(|&last| last as usize == skin.influences.len());
    if !is_consistent || num_bones == 0 {
        findings.bone_out_of_range.add(num_vertices > 0, 0);
        *skin = BoneLocalSkin { first: vec![0; num_vertices + 1], influences: Vec::new() };
        return;
    }
    for (at, influence) in skin.influences.iter_mut().enumerate() {
        let is_finite = influence.weight.is_finite()
            && influence.position.is_finite()
            && influence.normal.is_finite();
        findings.not_finite.add(!is_finite, at);
        let is_inside = influence.bone.index() < num_bones;
        findings.bone_out_of_range.add(!is_inside, at);
        if !is_finite || !is_inside {
            influence.weight = 0.0;
            influence.bone.0 = 0;
            influence.position = glam::Vec3::ZERO;
            influence.normal = glam::Vec3::ZERO;
        }
    }
}
