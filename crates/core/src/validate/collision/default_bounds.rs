//! Finds clips that move a mesh far out of the bounds of its default pose.
//!
//! glTF stores bounds of each mesh as bound, and many engines cull by them, or compute bounds once in the
//! pose in which a file opens. Formats that store bounds have separate rules.

use rayon::prelude::*;

use super::WHAT;
use crate::model::{
    Aabb, Cancelled, ClipId, FindingKind, Mesh, MeshId, Model, Place, Report, Skin, as_u32,
    findings, numbered, numbers,
};
use crate::pose::{BoneAnchors, PoseSpec, SkinnedMesh, skin_model};
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::{Worst, spread};

findings! {
    pub(super) FINDINGS:
    ClipLeavesDefaultBounds, "clip-leaves-default-bounds", Info, Collision,
        "a clip moves a mesh out of the bounds of its default pose",
        "shown correctly here; runtimes that cull by those bounds hide the mesh while it is in view",
        "update or enlarge the bounds in the runtime (Unity: Update When Offscreen; Unreal: Bounds Scale), or keep root motion out of the clip",
        "at 1.292 s of clip 0 \"walk\", mesh 0 \"hero\" is up to 58 % of its size outside the bounds of its default pose at clips[0]";
}

/// A mesh is reported if it is outside by more than this fraction of its size: limbs that leave the bounds
/// rarely matter, because most of the mesh remains inside.
const ROOM: f32 = 0.5;
/// Moments of a clip to examine in addition to those with bones farthest out.
const NUM_MOMENTS: usize = 8;

/// Reports meshes that leave the bounds of their default pose, counted over the examined moments.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let has_own = model.stored_bounds.is_some()
        || model.clips.iter().any(|clip| !clip.frame_bounds.is_empty());
    if has_own || model.clips.is_empty() || !model.meshes.iter().any(is_deformed) {
        return Ok(());
    }
    let bounds_of = |mesh: &SkinnedMesh| Aabb::from_points(mesh.positions.iter().copied());
    let default = skin_model(model, &PoseSpec::default());
    let default: Vec<Aabb> = default.iter().map(bounds_of).collect();
    let anchors = BoneAnchors::of(model);
    let chooser = Moments::of(model, Posed::Vertices);
    let mut found = Worst::default();
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.8)?;
        let all = chooser.of_clip(index, clip);
        let mut moments: Vec<_> = spread(all.len(), NUM_MOMENTS).map(|at| all[at]).collect();
        moments.extend(chooser.farthest(&anchors, index, clip));
        moments.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        moments.dedup_by(|later, first| later.time_secs == first.time_secs);
        let outside: Vec<_> = moments
            .par_iter()
            .map(|at| {
                report.progress(WHAT, 0.8)?;
                let posed = skin_model(model, &at.spec);
                Ok(mesh_outside(&model.meshes, &default, posed.iter().map(bounds_of)))
            })
            .collect::<Result<_, Cancelled>>()?;
        for (at, (out, mesh)) in moments.iter().zip(outside) {
            if out > ROOM {
                found.add(out, (index, mesh, at.time_secs));
            }
        }
    }
    let Some((out, (clip, mesh, time_secs))) = found.worst else { return Ok(()) };
    let place = Place::Clip(as_u32(clip));
    report.add_many(FindingKind::ClipLeavesDefaultBounds, place, found.count, || {
        format!(
            "at {} of {}, {} is {} of its size outside the bounds of its default pose",
            numbers::seconds(time_secs),
            numbered("clip", clip, &model.clips[ClipId::from_index(clip)].name),
            numbered("mesh", mesh, &model.meshes[MeshId::from_index(mesh)].name),
            numbers::up_to_percent(out)
        )
    });
    Ok(())
}

/// Whether bones or morph targets move the vertices of a mesh, not only its node.
fn is_deformed(mesh: &Mesh) -> bool {
    !matches!(mesh.skin, Skin::None) || !mesh.morph_targets.is_empty()
}

/// The mesh that is farthest outside its default bounds, and its distance as a fraction of its size.
fn mesh_outside(
    meshes: &[Mesh],
    default: &[Aabb],
    posed: impl Iterator<Item = Aabb>,
) -> (f32, usize) {
    let mut most = (0.0, 0);
    for (at, ((mesh, default), posed)) in meshes.iter().zip(default).zip(posed).enumerate() {
        let size = default.extent();
        if !is_deformed(mesh) || default.is_empty() || posed.is_empty() || size <= 0.0 {
            continue;
        }
        let out = (default.min - posed.min).max(posed.max - default.max).max_element() / size;
        if out > most.0 {
            most = (out, at);
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::fixtures::bar::{bending, bent, is_silent, the, with_keys};

    #[test]
    fn clip_that_moves_the_mesh_out_of_its_default_bounds_is_reported() {
        let kind = FindingKind::ClipLeavesDefaultBounds;
        assert!(is_silent(&bending(), kind));
        let away = with_keys(&[bent(0.0, 0.0), bent(std::f32::consts::PI, 0.0)]);
        let finding = the(&away, kind);
        assert_eq!(finding.place, Place::Clip(0));
        assert!(finding.message.contains("mesh 0"), "{}", finding.message);
    }
}
