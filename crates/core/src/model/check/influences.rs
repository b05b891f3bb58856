//! Checks influences: bones that exist, weights that are finite and sum to 1, consistent rows.

use super::Tally;
use crate::model::{
    Blending, BoneLocalSkin, FindingKind, Influences, InverseBindSkin, Mesh, NegativeInfluences,
    OutsideInfluence, PackedVertex, PackedVertices, Place, Report, Skin, VertexData, counted,
    numbers,
};

/// Largest deviation of a float weight sum from 1 that isn't reported.
const WEIGHT_SUM_TOLERANCE: f32 = 1e-3;
/// Sum of the four unorm8 weights of a well-made packed vertex.
const PACKED_WEIGHT_SUM: u32 = 255;

/// Occurrences of one finding, with the wrong value of the first vertex as text.
#[derive(Default)]
struct ValueTally {
    tally: Tally,
    value: String,
}

impl ValueTally {
    fn add(&mut self, happened: bool, vertex: usize, value: impl FnOnce() -> String) {
        if happened {
            if self.tally.count == 0 {
                self.value = value();
            }
            self.tally.add(true, vertex);
        }
    }
}

#[derive(Default)]
struct Findings {
    bone_out_of_range: ValueTally,
    unused_slot: ValueTally,
    not_finite: Tally,
    negative: ValueTally,
    not_normalized: ValueTally,
    without_weights: Tally,
    after_zero: Tally,
    /// Number of slots that influences can refer to.
    num_slots: usize,
    /// Effect of a vertex without weights, for messages.
    fate: &'static str,
}

/// Vertices without weights in rows.
const STAYS: &str = "so no bone moves it";
/// Packed vertices without weights.
const FOLLOWS: &str = "so it follows the first bone that it refers to";

/// Checks the skin of one mesh against the number of bones.
pub(super) fn check(mesh: &mut Mesh, number: u32, num_bones: usize, report: &Report) {
    if mesh.attached_to.is_some_and(|b| b.index() >= num_bones) {
        mesh.attached_to = None;
        report.add(
            FindingKind::BoneOutOfRange,
            Place::Mesh(number),
            "the mesh is attached to a bone that doesn't exist",
        );
    }
    let mut findings = Findings::default();
    let num_vertices = mesh.num_vertices();
    match &mut mesh.skin {
        Skin::None => {}
        Skin::InverseBind(skin) if num_bones == 0 && !skin.bones.is_empty() => {
            report.add(
                FindingKind::BoneOutOfRange,
                Place::Mesh(number),
                "the mesh has a skin, but the model has no bones",
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
                    num_slots => skin.outside = check_packed(packed, num_slots, &mut findings),
                },
                // Float vertices don't store influences, so there is nothing to follow.
                (Influences::InVertices, VertexData::Streams(_)) => mesh.skin = Skin::None,
                (rows, _) => {
                    let (num_slots, mut list) = (skin.bones.len(), Vec::new());
                    skin.outside =
                        check_rows(rows, num_vertices, num_slots, &mut list, &mut findings);
                    if !list.is_empty() {
                        skin.negative = Some(Box::new(NegativeInfluences { list }));
                    }
                }
            }
        }
        Skin::BoneLocal(skin) => check_bone_local(skin, num_vertices, num_bones, &mut findings),
    }
    findings.report(number, report);
}

impl Findings {
    fn report(self, mesh: u32, report: &Report) {
        let report_finding = |kind, tally: &Tally, text: &dyn Fn(u32) -> String| {
            let vertex = tally.first;
            let places = tally.all.iter().map(|&vertex| Place::Vertex { mesh, vertex });
            report.add_places(kind, tally.count, places, || text(vertex));
        };
        let bones = counted(self.num_slots as u64, "bone");
        let (used, unused) = (&self.bone_out_of_range, &self.unused_slot);
        report_finding(FindingKind::BoneOutOfRange, &used.tally, &|vertex| {
            let bone = &used.value;
            format!("vertex {vertex} refers to bone {bone}, but its skin has {bones}")
        });
        report_finding(FindingKind::UnusedSlotOutOfRange, &unused.tally, &|vertex| {
            let bone = &unused.value;
            format!(
                "vertex {vertex} refers to bone {bone} with a weight of 0, but its skin has {bones}"
            )
        });
        report_finding(FindingKind::NotFinite, &self.not_finite, &|vertex| {
            format!("an influence of vertex {vertex} isn't a finite number")
        });
        report_finding(FindingKind::NegativeWeight, &self.negative.tally, &|vertex| {
            format!("vertex {vertex} has a negative weight, {}", self.negative.value)
        });
        report_finding(FindingKind::WeightsNotNormalized, &self.not_normalized.tally, &|vertex| {
            format!(
                "the weights of vertex {vertex} sum to {} instead of 1",
                self.not_normalized.value
            )
        });
        report_finding(FindingKind::VertexWithoutWeights, &self.without_weights, &|vertex| {
            format!("vertex {vertex} has no weights, {}", self.fate)
        });
        report_finding(FindingKind::WeightAfterZero, &self.after_zero, &|vertex| {
            format!("vertex {vertex} has a weight after an empty influence slot")
        });
    }
}

/// Makes slots and matrices consistent, and the matrices finite.
fn inverse_binds(skin: &mut InverseBindSkin, num_bones: usize, report: &Report) {
    for bone in &mut skin.bones {
        if bone.index() >= num_bones {
            report.add(
                FindingKind::BoneOutOfRange,
                Place::Bone(bone.0),
                "a skin refers to a bone that doesn't exist",
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
            report.add(FindingKind::NotFinite, place, "an inverse bind matrix isn't finite");
            for float in &mut floats {
                if !float.is_finite() {
                    *float = 0.0;
                }
            }
            *matrix = glam::Mat4::from_cols_array(&floats);
        }
        if matrix.row(3) != glam::Vec4::W {
            report.add_many(FindingKind::InverseBindNotAffine, place, 1, || {
                let row = matrix.row(3).to_array();
                let row = row.map(|value| value.to_string()).join(" ");
                format!("the last row of inverse bind matrix {slot} is {row} instead of 0 0 0 1")
            });
        }
    }
}

/// Returns the influences that it removes.
fn check_packed(
    packed: &mut PackedVertices,
    num_slots: usize,
    findings: &mut Findings,
) -> Vec<OutsideInfluence> {
    let mut is_sound = true;
    let mut outside_of_all = Vec::new();
    (findings.num_slots, findings.fate) = (num_slots, FOLLOWS);
    for (at, vertex) in packed.iter().enumerate() {
        let sum = vertex.weight_sum();
        let is_off = sum != PACKED_WEIGHT_SUM && sum != 0;
        findings
            .not_normalized
            .add(is_off, at, || numbers::number(sum as f32 / PACKED_WEIGHT_SUM as f32));
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
            let outside = || {
                let outside = vertex.bones.iter().find(|bone| usize::from(**bone) >= num_slots);
                outside.map_or_else(String::new, |bone| bone.to_string())
            };
            findings.bone_out_of_range.add(used, at, outside);
            findings.unused_slot.add(!used && slots.any(|(outside, _)| outside), at, outside);
            is_sound &= !used;
            if used {
                outside_of_all.extend(outside_of(&vertex, at, num_slots));
            }
        }
    }
    if !is_sound {
        *packed = PackedVertices::from_vertices(packed.iter().map(|v| without_bad(v, num_slots)));
    }
    outside_of_all
}

/// The influences that [`without_bad`] removes.
fn outside_of(
    vertex: &PackedVertex,
    at: usize,
    num_slots: usize,
) -> impl Iterator<Item = OutsideInfluence> {
    let pairs = (0..).zip(vertex.bones.into_iter().zip(vertex.weights));
    pairs.filter_map(move |(entry, (bone, weight))| {
        let is_outside = usize::from(bone) >= num_slots && weight > 0;
        is_outside.then_some(OutsideInfluence {
            vertex: u32::try_from(at).ok()?,
            entry,
            slot: bone.into(),
            weight: f32::from(weight) / PACKED_WEIGHT_SUM as f32,
        })
    })
}

/// The vertex without influences of missing bones; bone 0 if none remains.
fn without_bad(mut vertex: PackedVertex, num_slots: usize) -> PackedVertex {
    for (bone, weight) in vertex.bones.iter_mut().zip(&mut vertex.weights) {
        if usize::from(*bone) >= num_slots {
            (*bone, *weight) = (0, 0);
        }
    }
    vertex
}

/// Returns the influences that it removes.
fn check_rows(
    rows: &mut Influences,
    num_vertices: usize,
    num_slots: usize,
    negative: &mut Vec<OutsideInfluence>,
    findings: &mut Findings,
) -> Vec<OutsideInfluence> {
    let mut outside = Vec::new();
    let Influences::Rows { first, slots, weights } = rows else { return outside };
    (findings.num_slots, findings.fate) = (num_slots, STAYS);
    let num = slots.len().min(weights.len());
    slots.truncate(num);
    weights.truncate(num);
    let is_consistent = first.len() == num_vertices + 1
        && first.is_sorted()
        && first.first() == Some(&0)
        && first.last().is_some_and(|&last| last as usize == num);
    if !is_consistent {
        findings.bone_out_of_range.add(true, 0, || num_slots.to_string());
        *rows = Influences::from_lists(std::iter::repeat_n(&[][..], num_vertices));
        return outside;
    }
    let row_of = |at: usize| first.partition_point(|&f| f as usize <= at).saturating_sub(1);
    for at in 0..num {
        let weight = weights[at];
        let is_inside = (slots[at] as usize) < num_slots;
        if !weight.is_finite() {
            findings.not_finite.add(true, row_of(at));
            weights[at] = 0.0;
        } else if weight < 0.0 {
            let vertex = row_of(at);
            findings.negative.add(true, vertex, || numbers::number(weight));
            let entry =
                first.get(vertex).and_then(|first| u32::try_from(at).ok()?.checked_sub(*first));
            if let (true, Some(entry), Ok(vertex)) = (is_inside, entry, u32::try_from(vertex)) {
                negative.push(OutsideInfluence { vertex, entry, slot: slots[at], weight });
            }
            weights[at] = 0.0;
        }
        if !is_inside {
            let used = weights[at] > 0.0;
            let tally =
                if used { &mut findings.bone_out_of_range } else { &mut findings.unused_slot };
            let vertex = row_of(at);
            tally.add(true, vertex, || slots[at].to_string());
            let entry =
                first.get(vertex).and_then(|first| u32::try_from(at).ok()?.checked_sub(*first));
            if let (true, Some(entry), Ok(vertex)) = (used, entry, u32::try_from(vertex)) {
                let (slot, weight) = (slots[at], weights[at]);
                outside.push(OutsideInfluence { vertex, entry, slot, weight });
            }
            (slots[at], weights[at]) = (0, 0.0);
        }
    }
    for vertex in 0..num_vertices {
        let row = first[vertex] as usize..first[vertex + 1] as usize;
        let sum: f32 = weights[row].iter().sum();
        findings.without_weights.add(sum == 0.0, vertex);
        let is_off = sum != 0.0 && (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE;
        findings.not_normalized.add(is_off, vertex, || numbers::number(sum));
    }
    if num_slots == 0 && num > 0 {
        // No slot remains that an entry could refer to.
        *rows = Influences::from_lists(std::iter::repeat_n(&[][..], num_vertices));
    }
    outside
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
        findings.bone_out_of_range.add(num_vertices > 0, 0, || num_bones.to_string());
        *skin = BoneLocalSkin { first: vec![0; num_vertices + 1], influences: Vec::new() };
        return;
    }
    findings.num_slots = num_bones;
    let row_of = |at: usize| skin.first.partition_point(|&f| f as usize <= at).saturating_sub(1);
    for (at, influence) in skin.influences.iter_mut().enumerate() {
        let is_finite = influence.weight.is_finite()
            && influence.position.is_finite()
            && influence.normal.is_finite();
        let is_inside = influence.bone.index() < num_bones;
        if !is_finite || !is_inside {
            findings.not_finite.add(!is_finite, row_of(at));
            findings.bone_out_of_range.add(!is_inside, row_of(at), || influence.bone.0.to_string());
            influence.weight = 0.0;
            influence.bone.0 = 0;
            influence.position = glam::Vec3::ZERO;
            influence.normal = glam::Vec3::ZERO;
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use crate::model::check::check;
    use crate::model::testing::*;

    /// The influences of a vertex: slots and weights.
    type List = &'static [(u32, f32)];

    #[test]
    fn findings_about_influences_state_the_value_at_fault() {
        let cases: [(FindingKind, List, &str); 5] = [
            (
                FindingKind::NegativeWeight,
                &[(0, 1.25), (1, -0.25)],
                "vertex 1 has a negative weight, -0.25",
            ),
            (
                FindingKind::NotFinite,
                &[(0, 1.0), (1, f32::NAN)],
                "an influence of vertex 1 isn't a finite number",
            ),
            (
                FindingKind::WeightsNotNormalized,
                &[(0, 0.5), (1, 0.25)],
                "the weights of vertex 1 sum to 0.75 instead of 1",
            ),
            (
                FindingKind::BoneOutOfRange,
                &[(7, 1.0)],
                "vertex 1 refers to bone 7, but its skin has 2 bones",
            ),
            (
                FindingKind::VertexWithoutWeights,
                &[],
                "vertex 1 has no weights, so no bone moves it",
            ),
        ];
        for (kind, influences, message) in cases {
            let lists: [List; 2] = [&[(0, 1.0)], influences];
            let chain = ModelBuilder::new().chain(&["a", "b"]);
            let mut model = chain.mesh([Vec3::X, Vec3::Y]).build();
            model.meshes[MeshId(0)].skin = slots(2, lists);
            let report = Report::new();
            check(&mut model, &report);
            let findings = report.findings();
            let finding = findings.iter().find(|finding| finding.kind == kind).unwrap();
            assert_eq!(finding.message, message);
            assert_eq!(finding.place, Place::Vertex { mesh: 0, vertex: 1 });
        }
    }
}
