//! Finds occlusion meshes that extend beyond the visible mesh, so that objects behind empty space
//! vanish.

use glam::Vec3;

use super::WHAT;
use crate::model::{Cancelled, FindingKind, Model, Place, Report, findings, numbers};
use crate::validate::worst::{DefaultPose, Worst};

findings! {
    pub(super) FINDINGS:
    OccluderOutside, "occluder-outside", Warning, Collision,
        "the occlusion mesh reaches outside the mesh",
        "in a runtime, objects vanish although they are visible past the mesh",
        "shrink the occlusion mesh until it is inside the mesh in its default pose",
        "vertex 12 of the occlusion mesh is 3.4 % of the model's size outside the bounding box of the meshes";
}

/// Vertices of the occlusion mesh may be outside the mesh's box by this fraction of the extent: a
/// thin rim is hidden by the visible mesh from nearly everywhere.
const ROOM: f32 = 1e-2;

/// Reports [`FindingKind::OccluderOutside`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let Some(occluder) = &model.occluder else { return Ok(()) };
    if model.num_vertices() == 0 {
        return Ok(());
    }
    report.progress(WHAT, 0.4)?;
    let shown = DefaultPose::of(model);
    let mut found = Worst::default();
    for (vertex, &position) in occluder.positions.iter().enumerate() {
        let nearest = position.clamp(shown.bounds.min, shown.bounds.max);
        let out: Vec3 = position - nearest;
        if out.length() > ROOM * shown.extent {
            found.add(out.length() / shown.extent.max(f32::MIN_POSITIVE), vertex);
        }
    }
    if let Some((by, vertex)) = found.worst {
        report.add_many(FindingKind::OccluderOutside, Place::File, found.count, || {
            let percent = numbers::percent(by);
            format!(
                "vertex {vertex} of the occlusion mesh is {percent} of the model's size outside the \
                 bounding box of the meshes"
            )
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::OcclusionMesh;
    use crate::validate::fixtures::bar::{bar, is_silent, the};

    #[test]
    fn occlusion_mesh_outside_the_mesh_is_reported() {
        let with = |corner: Vec3| Model {
            occluder: Some(OcclusionMesh {
                positions: vec![Vec3::ZERO, Vec3::X * 0.1, corner],
                indices: vec![0, 1, 2],
            }),
            ..bar()
        };
        assert!(is_silent(&with(Vec3::Y * 2.01), FindingKind::OccluderOutside));
        let finding = the(&with(Vec3::Y * 3.0), FindingKind::OccluderOutside);
        assert_eq!(finding.count, 1);
        assert!(finding.message.starts_with("vertex 2 "), "{}", finding.message);
    }
}
