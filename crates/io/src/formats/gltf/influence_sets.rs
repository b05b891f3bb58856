//! Checks the order of influences across sets (`JOINTS_0`, `JOINTS_1` …), and joints that occur
//! twice in one vertex (section 3.7.3.3).

use rigscope_core::model::{FindingKind, Place, Report, as_u32, numbers};

/// Four slots per vertex, and their weights.
pub(super) type Set = (Vec<[u32; 4]>, Vec<[f32; 4]>);

/// Maximum number of influences per vertex compared with each other, those of the first four sets,
/// so that the time stays proportional to the file size.
const MAX_COMPARED: usize = 16;

/// Reports vertices with repeated joints, or whose largest weight isn't in the first set.
pub(super) fn check(sets: &[Set], report: &Report, mesh: u32, name: &str) {
    let num = sets.first().map_or(0, |(slots, _)| slots.len());
    let (mut num_repeated, mut first_repeated) = (0, None);
    let (mut num_late, mut first_late) = (0, None);
    for vertex in 0..num {
        let mut slots = [0; MAX_COMPARED];
        let mut num_slots = 0;
        let mut is_repeated = false;
        // The largest weight of the first set, and of the others.
        let (mut first, mut later) = (0.0f32, 0.0f32);
        for (at, (joints, weights)) in sets.iter().enumerate() {
            let pairs = joints.get(vertex).into_iter().flatten();
            for (&slot, &weight) in pairs.zip(weights.get(vertex).into_iter().flatten()) {
                if weight <= 0.0 || !weight.is_finite() {
                    continue;
                }
                let most = if at == 0 { &mut first } else { &mut later };
                *most = most.max(weight);
                if let Some((known, rest)) = slots.split_at_mut_checked(num_slots)
                    && let Some(free) = rest.first_mut()
                {
                    if known.contains(&slot) && !is_repeated {
                        is_repeated = true;
                        first_repeated.get_or_insert((vertex, slot));
                    }
                    *free = slot;
                    num_slots += 1;
                }
            }
        }
        num_repeated += u64::from(is_repeated);
        if later > first {
            num_late += 1;
            first_late.get_or_insert((vertex, first, later));
        }
    }
    let place = |vertex: usize| Place::Vertex { mesh, vertex: as_u32(vertex) };
    if let Some((vertex, slot)) = first_repeated {
        report.add_many(FindingKind::JointRepeatedInVertex, place(vertex), num_repeated, || {
            format!("{name}: vertex {vertex} lists joint {slot} of its skin more than once")
        });
    }
    if let Some((vertex, first, later)) = first_late {
        report.add_many(FindingKind::HeaviestInfluenceDropped, place(vertex), num_late, || {
            let (first, later) = (numbers::number(first), numbers::number(later));
            format!(
                "{name}: the heaviest weight of vertex {vertex}, {later}, is in a later set; those in the \
                 first set are at most {first}"
            )
        });
    }
}
