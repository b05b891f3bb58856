//! Finds seams of UVs or normals whose two sides have different weights, where the surface tears in motion.
//!
//! A seam is an edge that two triangles share by position, in opposite directions, with different vertices.
//! Parts that only touch (lips, cloth on skin) have no such edges.

use glam::Vec3;

use crate::geometry::welded_near;
use crate::model::{
    Aabb, BoneId, Cancelled, ClipId, FindingKind, InverseBindSkin, Mesh, MeshId, Model, Place,
    Report, Skin, as_u32, findings, influence_row, numbers,
};
use crate::pose::{PoseSpec, sample, skin_some_positions};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::{Worst, length_text, spread};

findings! {
    pub(super) FINDINGS:
    TornSeam, "torn-seam", Warning, Skin,
        "the two sides of a UV or normal seam have different weights",
        "the surface tears open along the seam in motion",
        "copy the weights from one side to the other, or merge vertices by distance before painting weights",
        "vertices 376 and 415 of mesh 0 have the same position but different weights, so they are 4.1 mm (0.23 % of the mesh's size) apart at 0.4 s of clip \"walk\"";
    UnevenSeam, "uneven-seam", Info, Skin,
        "the two sides of a UV or normal seam have different weights, but no clip in the file opens the seam",
        "none with the clips of this file; other clips may tear the surface open there",
        "copy the weights from one side to the other",
        "vertices 376 and 415 of mesh 0 have the same position, but their weights differ by 12 % at meshes[0].vertices[415]";
}

/// Smaller differences between weights come from rounding: twice the step of a byte, and some margin.
const MIN_DIFFERENCE: f32 = 0.02;
/// A gap of this fraction of the mesh's size is visible: 2 mm on a person.
const MIN_GAP: f32 = 1e-3;
/// The most pairs of vertices to measure in clips, those with the most different weights.
const MAX_PAIRS: usize = 1024;
/// The most clips, and moments of each, at which gaps are measured.
const MAX_CLIPS: usize = 64;
const MAX_MOMENTS: usize = 16;

/// Two vertices at one position, on either side of a seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    one: u32,
    other: u32,
}

/// Reports seams that open, per mesh.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    for (index, mesh) in model.meshes.iter().enumerate() {
        report.progress("checking skins", 0.9)?;
        let Skin::InverseBind(skin) = &mesh.skin else { continue };
        let pairs = pairs(mesh, skin);
        if !pairs.is_empty() {
            report_finding(model, index, mesh, &pairs, report)?;
        }
    }
    Ok(())
}

/// The pairs of vertices on either side of a seam of a mesh that have different weights.
pub(crate) fn seam_pairs(mesh: &Mesh) -> Vec<(u32, u32)> {
    let Skin::InverseBind(skin) = &mesh.skin else { return Vec::new() };
    pairs(mesh, skin).into_iter().map(|(_, pair)| (pair.one, pair.other)).collect()
}

/// Pairs with different weights, and the difference; the largest first.
fn pairs(mesh: &Mesh, skin: &InverseBindSkin) -> Vec<(f32, Pair)> {
    let positions: Vec<Vec3> =
        (0..mesh.num_vertices()).map(|at| mesh.position(at).unwrap_or_default()).collect();
    let first = welded_near(&positions);
    let weld = |vertex: u32| first.get(vertex as usize).copied().unwrap_or(vertex);
    let mut is_uneven = vec![false; positions.len()];
    let (mut own, mut others) = (Vec::new(), Vec::new());
    let mut differ = |one: u32, other: u32| {
        shares(mesh, skin, one, &mut own);
        shares(mesh, skin, other, &mut others);
        difference(&own, &others)
    };
    let mut has_some = false;
    for (vertex, &at) in (0u32..).zip(&first) {
        if at != vertex && differ(vertex, at) > MIN_DIFFERENCE {
            has_some = true;
            if let Some(flag) = is_uneven.get_mut(at as usize) {
                *flag = true;
            }
        }
    }
    if !has_some {
        return Vec::new();
    }
    let is_uneven = |at: u32| is_uneven.get(at as usize).copied().unwrap_or(false);
    // Edges by position: lower end, higher end, whether a triangle runs upwards, its vertices at both.
    let mut edges = Vec::new();
    for [a, b, c] in mesh.triangles(0..mesh.indices.len()) {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (start, end) = (weld(from), weld(to));
            if start == end || !(is_uneven(start) || is_uneven(end)) {
                continue;
            }
            edges.push(if start < end {
                (start, end, true, from, to)
            } else {
                (end, start, false, to, from)
            });
        }
    }
    edges.sort_unstable();
    let mut pairs = Vec::new();
    for edge in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        // An edge of more than two faces isn't a seam, and two faces with the same direction only touch.
        let [(.., false, low, high), (.., true, other_low, other_high)] = *edge else { continue };
        for (one, other) in [(low, other_low), (high, other_high)] {
            if one != other {
                pairs.push(Pair { one: one.min(other), other: one.max(other) });
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut pairs: Vec<_> =
        pairs.into_iter().map(|pair| (differ(pair.one, pair.other), pair)).collect();
    pairs.retain(|(difference, _)| *difference > MIN_DIFFERENCE);
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    pairs
}

/// Bones of a vertex and their weights, which sum to 1, sorted by bone.
fn shares(mesh: &Mesh, skin: &InverseBindSkin, vertex: u32, out: &mut Vec<(BoneId, f32)>) {
    out.clear();
    mesh.for_each_slot(skin, vertex as usize, |slot, weight| {
        if let Some(&bone) = skin.bones.get(slot as usize) {
            out.push((bone, weight));
        }
    });
    influence_row::normalize(out);
    out.sort_unstable_by_key(|(bone, _)| *bone);
}

/// The largest difference between the weights of one bone, for lists sorted by bone.
fn difference(mut one: &[(BoneId, f32)], mut other: &[(BoneId, f32)]) -> f32 {
    /// Removes the entries of `bone` from the front of a list, and returns the sum of their weights.
    fn take(list: &mut &[(BoneId, f32)], bone: BoneId) -> f32 {
        let num = list.iter().take_while(|(own, _)| *own == bone).count();
        let (taken, rest) = list.split_at(num);
        *list = rest;
        taken.iter().map(|(_, share)| share).sum()
    }
    let mut most = 0.0f32;
    while let Some(bone) = one.first().into_iter().chain(other.first()).map(|(bone, _)| *bone).min()
    {
        most = most.max((take(&mut one, bone) - take(&mut other, bone)).abs());
    }
    most
}

fn report_finding(
    model: &Model,
    index: usize,
    mesh: &Mesh,
    pairs: &[(f32, Pair)],
    report: &Report,
) -> Result<(), Cancelled> {
    let followed = pairs.get(..MAX_PAIRS).unwrap_or(pairs);
    let vertices: Vec<u32> = followed.iter().flat_map(|(_, pair)| [pair.one, pair.other]).collect();
    let rest = sample(model, &PoseSpec::default()).of_mesh(MeshId(as_u32(index)), mesh);
    let size = Aabb::from_points(crate::pose::skin_positions(mesh, &rest)).extent();
    let mut is_open = vec![false; followed.len()];
    let mut worst = Worst::default();
    let mut look = |spec: &PoseSpec, at: Option<(usize, f64)>| {
        let posed = sample(model, spec).of_mesh(MeshId(as_u32(index)), mesh);
        let places = skin_some_positions(mesh, &posed, &vertices);
        let (both, _) = places.as_chunks::<2>();
        for (([one, other], (_, pair)), is_open) in both.iter().zip(followed).zip(&mut is_open) {
            let gap = one.distance(*other);
            if gap > size * MIN_GAP {
                *is_open = true;
                worst.add(gap, (*pair, at));
            }
        }
    };
    look(&PoseSpec::default(), None);
    let all = Moments::of(model, Posed::BonesOfEachMesh);
    for (clip, of_clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
        let moments = all.of_clip(clip, of_clip);
        for at in spread(moments.len(), MAX_MOMENTS).filter_map(|at| moments.get(at)) {
            report.progress("checking skins", 0.9)?;
            look(&at.spec, Some((clip, at.time_secs)));
        }
    }
    let place = |pair: Pair| Place::Vertex { mesh: as_u32(index), vertex: pair.other };
    if let Some((gap, (pair, at))) = worst.worst {
        let num_open = is_open.iter().filter(|is_open| **is_open).count() as u64;
        report.add_many(FindingKind::TornSeam, place(pair), num_open, || {
            let when = match at {
                None => "in the default pose".to_owned(),
                Some((clip, time_secs)) => {
                    let name = &*model.clips[ClipId::from_index(clip)].name;
                    format!("at {} of clip {name:?}", numbers::seconds(time_secs))
                }
            };
            format!(
                "vertices {} and {} of mesh {index} have the same position but different weights, so they are \
                 {} ({} of the mesh's size) apart {when}",
                pair.one,
                pair.other,
                length_text(model, gap),
                numbers::percent(gap / size)
            )
        });
    } else if let Some(&(difference, pair)) = pairs.first() {
        report.add_many(FindingKind::UnevenSeam, place(pair), pairs.len() as u64, || {
            format!(
                "vertices {} and {} of mesh {index} have the same position, but their weights differ by {}",
                pair.one,
                pair.other,
                numbers::percent(difference)
            )
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::model::testing::*;
    use crate::validate::fixtures::clean::{find, findings_of_rules};

    /// Two adjacent squares, split at x = 1 (vertices 1, 3 and 4, 6), on two bones. The seam's first side has
    /// the weight `share` of the second bone, the other side one half.
    fn sheet(share: f32) -> Model {
        let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)];
        let more = [(1.0, 0.0), (2.0, 0.0), (1.0, 1.0), (2.0, 1.0)];
        let positions: Vec<_> =
            corners.into_iter().chain(more).map(|(x, y)| Vec3::new(x, y, 0.0)).collect();
        let (first, second) = ([(0, 1.0 - share), (1, share)], [(0, 0.5), (1, 0.5)]);
        let (left, right) = ([(0, 1.0), (1, 0.0)], [(0, 0.0), (1, 1.0)]);
        let lists = [left, first, left, first, second, right, second, right];
        let rotation = |angle: f32| Quat::from_rotation_z(angle);
        let mut model = ModelBuilder::new()
            .bones(&[("left", None, Vec3::ZERO), ("right", Some(0), Vec3::ZERO)])
            .mesh(positions)
            .indices([0, 1, 2, 2, 1, 3, 4, 5, 6, 6, 5, 7])
            .bound(lists)
            .clip("bend", 1.0)
            .rotation(1, linear([(0.0, rotation(0.0)), (1.0, rotation(1.0))]))
            .build();
        model.axes.unit_meters = Some(1.0);
        model
    }

    #[test]
    fn seam_with_different_weights_is_reported_with_its_widest_gap() {
        assert_eq!(findings_of_rules(&sheet(0.5), check), []);
        let findings = findings_of_rules(&sheet(1.0), check);
        let finding = find(&findings, FindingKind::TornSeam).unwrap();
        assert_eq!(finding.place, Place::Vertex { mesh: 0, vertex: 6 });
        assert_eq!(finding.count, 2);
        // Half of the distance that (1, 1) moves in a rotation by 1 rad: sqrt(2) * sin(0.5) = 0.678.
        let expected = "vertices 3 and 6 of mesh 0 have the same position but different weights, so they are \
                        67.8 cm (30 % of the mesh's size) apart at 1 s of clip \"bend\"";
        assert_eq!(finding.message, expected);
    }

    #[test]
    fn a_seam_that_no_clip_opens_is_an_info() {
        let mut model = sheet(0.75);
        model.clips.as_mut_vec().clear();
        let findings = findings_of_rules(&model, check);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!((finding.kind, finding.count), (FindingKind::UnevenSeam, 2));
        assert!(finding.message.ends_with("their weights differ by 25 %"), "{}", finding.message);
    }

    #[test]
    fn parts_that_only_touch_are_not_a_seam() {
        // The second square is on the first: its edges have the same direction.
        let mut model = sheet(1.0);
        streams_mut(&mut model.meshes[MeshId(0)]).positions.copy_within(..4, 4);
        assert_eq!(findings_of_rules(&model, check), []);
    }
}
