//! Examines the effect of a skin on a mesh as a whole in the initial pose: a shift, a scale by a ratio of
//! units, a mesh that isn't where its bones are.
//!
//! Many good files have vertices in a separate space, from which the inverse bind matrices convert (rotated
//! or quantised). So a scale is only a fault if the stored size is plausible and the shown size isn't, and a
//! shift is only an info.

use glam::{Affine3A, Mat3A, Vec3};

use super::bound_mesh::{BoundBone, BoundMesh, MAX_MISFIT, scale};
use crate::model::{Aabb, Cancelled, FindingKind, MeshId, Model, Place, Report, findings, numbers};
use crate::pose::{Pose, PoseSpec, sample, skin_mesh};
use crate::validate::worst::{length_text, three_digits};

findings! {
    pub(super) FINDINGS:
    WholeMeshMoved, "whole-mesh-moved", Info, Skin,
        "the initial pose moves or scales the whole mesh relative to its stored vertices",
        "none visible here; bounds of the stored vertices don't fit the pose, so a runtime may cull or frame the model wrongly",
        "apply the transforms of mesh and armature before binding if both should be in the same place",
        "the bones move the whole mesh 0 by 50 cm (22 % of its size) in the default pose at meshes[0]";
    ScaleNotInBind, "scale-not-in-bind", Warning, Skin,
        "the bones scale the whole mesh by a factor that the inverse bind matrices don't undo",
        "the mesh is shown far too small or too large",
        "apply the armature's scale before binding (Blender: Object > Apply > Scale), or export in the unit of the scene",
        "the bones of mesh 0 scale it by 100 in the default pose, which its inverse bind matrices don't undo: its size changes from 1.8 m to 180 m at meshes[0]";
    MeshOffSkeleton, "mesh-off-skeleton", Warning, Skin,
        "a whole mesh is away from the bones that move it",
        "the mesh swings around joints outside itself when a clip plays",
        "move mesh and skeleton to the same place before binding; look for a translation that was applied to only one of them",
        "the vertices of mesh 0 are 90 cm (50 % of its size) away from the bones that move them, all on one side at meshes[0]";
}

/// Ratios of common units: metre, centimetre, millimetre, inch, foot, and 10, as mixed in files.
const UNIT_RATIOS: [f32; 7] = [10.0, 100.0, 1000.0, 39.370_08, 2.54, 3.280_84, 30.48];
/// A factor matches a ratio if it differs by less.
const RATIO_TOLERANCE: f32 = 0.01;
/// Smaller rotations are ignored.
const MAX_TURN: f32 = 0.01;
/// Usual sizes of animated models, in metres, with a margin: a mouse and a whale.
const USUAL_SIZES: std::ops::Range<f32> = 0.1..30.0;
/// No animated model is expected outside this range.
const POSSIBLE_SIZES: std::ops::Range<f32> = 0.05..60.0;

/// The average offset of the vertices of all bones from the bones, as a fraction of the mesh's size.
const MIN_OFFSET: f32 = 0.25;
/// The ratio of the mean offset to the spread around it.
const MIN_AGREEMENT: f32 = 2.0;
/// A skeleton with fewer bones may well be next to its mesh: a door and its hinge.
const MIN_BONES: usize = 4;
/// So may one that is small relative to its mesh: a fraction of the mesh's size.
const MIN_SKELETON: f32 = 0.3;

/// Reports meshes that their skins shift or scale, and those that aren't where their bones are.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let pose = sample(model, &PoseSpec::default());
    let is_baked = pose.model_from_mesh.is_some();
    for mesh in BoundMesh::all(model) {
        report.progress("checking skins", 0.7)?;
        off_skeleton(model, &mesh, report);
        if !is_baked {
            let (common, _) = mesh.common(&mesh.matrices(&pose));
            moved(model, &mesh, &pose, &common, report);
        }
    }
    Ok(())
}

/// The size of a mesh as drawn in `pose`.
fn drawn_size(model: &Model, number: u32, pose: &Pose) -> f32 {
    let id = MeshId(number);
    let mesh = model.mesh(id);
    Aabb::from_points(skin_mesh(mesh, &pose.of_mesh(id, mesh)).positions).extent()
}

fn moved(model: &Model, mesh: &BoundMesh<'_>, pose: &Pose, common: &Affine3A, report: &Report) {
    let place = Place::Mesh(mesh.number);
    let (factor, stored) = (scale(common), mesh.bounds.extent());
    // The box of a rotated box would be too large.
    let shown = stored * factor;
    if factor <= 0.0 || stored <= 0.0 {
        return;
    }
    let metres = |size: f32| size * model.axes.display_units_per_file_unit();
    let is_usual = |size: f32| USUAL_SIZES.contains(&metres(size));
    let is_odd = |size: f32| !POSSIBLE_SIZES.contains(&metres(size));
    if model.axes.unit_meters.is_some() && is_usual(stored) && is_odd(shown) {
        report.add_many(FindingKind::ScaleNotInBind, place, 1, || {
            format!(
                "the bones of mesh {} scale it by {} in the default pose, which its inverse bind matrices don't \
                 undo: its size changes from {} to {}",
                mesh.number,
                three_digits(factor),
                length_text(model, stored),
                length_text(model, drawn_size(model, mesh.number, pose))
            )
        });
        return;
    }
    let ratio = factor.max(factor.recip());
    let is_unit = UNIT_RATIOS.iter().any(|unit| (ratio / unit - 1.0).abs() < RATIO_TOLERANCE);
    let shift = common.transform_point3(mesh.bounds.center()) - mesh.bounds.center();
    let is_plain = common.matrix3.abs_diff_eq(Mat3A::IDENTITY, MAX_TURN);
    // A separate space for the vertices is fine if the shown size is plausible.
    let is_fine = model.axes.unit_meters.is_some() && is_usual(shown);
    let message = if is_unit && !is_fine {
        format!(
            "the bones scale mesh {} by {} in the default pose: its size changes from {} to {}",
            mesh.number,
            three_digits(factor),
            length_text(model, stored),
            length_text(model, drawn_size(model, mesh.number, pose))
        )
    } else if is_plain && shift.length() > stored * MAX_MISFIT {
        format!(
            "the bones move the whole mesh {} by {} ({} of its size) in the default pose",
            mesh.number,
            length_text(model, shift.length()),
            numbers::percent(shift.length() / stored)
        )
    } else {
        return;
    };
    report.add(FindingKind::WholeMeshMoved, place, message);
}

fn off_skeleton(model: &Model, mesh: &BoundMesh<'_>, report: &Report) {
    let offset =
        |(at, bone): (usize, &BoundBone)| Some(bone.center - mesh.nearest_on(at, bone.center)?);
    let offsets: Vec<Vec3> = mesh.bones.iter().enumerate().filter_map(offset).collect();
    let heads = Aabb::from_points(mesh.bones.iter().filter_map(|bone| bone.head));
    let size = mesh.bounds.extent();
    if offsets.len() < MIN_BONES || heads.extent() < size * MIN_SKELETON {
        return;
    }
    let num = offsets.len() as f32;
    let mean = offsets.iter().sum::<Vec3>() / num;
    let spread = offsets.iter().map(|offset| offset.distance(mean)).sum::<f32>() / num;
    if mean.length() < size * MIN_OFFSET || mean.length() < spread * MIN_AGREEMENT {
        return;
    }
    report.add_many(FindingKind::MeshOffSkeleton, Place::Mesh(mesh.number), 1, || {
        // In the unit of the initial pose.
        let pose = sample(model, &PoseSpec::default());
        let (common, _) = mesh.common(&mesh.matrices(&pose));
        format!(
            "the vertices of mesh {} are {} ({} of its size) away from the bones that move them, all on one side",
            mesh.number,
            length_text(model, common.transform_vector3(mean).length()),
            numbers::percent(mean.length() / size)
        )
    });
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat};

    use super::*;
    use crate::model::testing::*;
    use crate::validate::fixtures::arm::{arm, below};
    use crate::validate::fixtures::clean::{clean_model, findings_of_rules};

    fn messages(model: &Model) -> Vec<(&'static str, String)> {
        let findings = findings_of_rules(model, check);
        findings.into_iter().map(|finding| (finding.kind.code(), finding.message)).collect()
    }

    #[test]
    fn rotated_armature_and_scale_in_the_binds_are_not_reported() {
        assert_eq!(messages(&arm()), []);
        assert_eq!(messages(&clean_model()), []);
        let rotated = below(&[Affine3A::from_quat(Quat::from_rotation_x(1.57))]);
        assert_eq!(messages(&rotated), []);
        let scale = Affine3A::from_scale(Vec3::splat(0.01));
        let mut model = below(&[scale]);
        for bind in &mut inverse_bind_mut(&mut model.meshes[MeshId(0)]).bone_from_mesh {
            *bind *= Mat4::from_scale(Vec3::splat(100.0));
        }
        // The joints are where the armature places them, the vertices have their original size.
        assert_eq!(
            messages(&model).iter().filter(|(code, _)| *code != "mesh-off-skeleton").count(),
            0
        );
    }

    #[test]
    fn armature_scale_missing_from_the_binds_is_reported_with_both_sizes() {
        let shrunken = below(&[Affine3A::from_scale(Vec3::splat(0.01))]);
        let expected = "the bones of mesh 0 scale it by 0.01 in the default pose, which its inverse \
                        bind matrices don't undo: its size changes from 3.01 m to 3.01 cm";
        assert_eq!(messages(&shrunken), [("scale-not-in-bind", expected.to_owned())]);
        let mut unitless = shrunken;
        unitless.axes.unit_meters = None;
        let expected = "the bones scale mesh 0 by 0.01 in the default pose: its size changes from 3.013 units to 0.03013 \
                        units";
        assert_eq!(messages(&unitless), [("whole-mesh-moved", expected.to_owned())]);
    }

    #[test]
    fn shifted_mesh_is_reported_with_the_distance() {
        let shifted = below(&[Affine3A::from_translation(Vec3::Y * 0.5)]);
        let expected =
            "the bones move the whole mesh 0 by 50 cm (17 % of its size) in the default pose";
        assert_eq!(messages(&shifted), [("whole-mesh-moved", expected.to_owned())]);
    }

    #[test]
    fn mesh_away_from_its_skeleton_is_reported_with_the_distance() {
        let mut model = ModelBuilder::new()
            .bones(&[
                ("hip", None, Vec3::ZERO),
                ("spine", Some(0), Vec3::Y),
                ("chest", Some(1), Vec3::Y),
                ("head", Some(2), Vec3::Y),
            ])
            .mesh(
                (0..16u8)
                    .map(|at| Vec3::new(f32::from(at % 2), f32::from(at) * 0.25, 2.0))
                    .collect::<Vec<_>>(),
            )
            .bound((0..16u32).map(|at| [(at / 4, 1.0)]).collect::<Vec<_>>())
            .build();
        model.axes.unit_meters = Some(1.0);
        let [(code, message)] = &messages(&model)[..] else { panic!("{:?}", messages(&model)) };
        assert_eq!(*code, "mesh-off-skeleton");
        assert!(message.starts_with("the vertices of mesh 0 are 2.0"), "{message}");
        for position in &mut streams_mut(&mut model.meshes[MeshId(0)]).positions {
            position.z = 0.0;
        }
        assert_eq!(messages(&model), []);
    }
}
