//! Finds skins that bind shared joints in different poses.
//!
//! The inverse bind matrices of two meshes may differ by one matrix for all joints, because each mesh has its
//! own space, as in quantised meshes. Any remaining difference is a joint bound in another pose. Each mesh
//! still poses correctly, but engines that keep one bind pose per skeleton (Unreal, Godot, Blender) use that
//! of the first mesh for all of them.

use std::collections::HashMap;

use glam::Affine3A;

use super::{bound_meshes, bounds_corners, misfit};
use crate::model::stats::used_slots;
use crate::model::{
    BoneId, Cancelled, FindingKind, InverseBindSkin, Mesh, Model, Place, Report, findings,
    numbered, numbers,
};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    DifferentBindPoses, "different-bind-poses", Warning, Skin,
        "two meshes bind a shared bone in different poses",
        "shown correctly here; engines that keep one bind pose per skeleton (Unreal, Godot, Blender) deform one of the meshes",
        "bind all meshes of a character in the same pose, and export them together",
        "mesh 0 \"body\" and mesh 1 \"hair\" bind bone 4 \"head\" in different poses, which are 3.2 % of the size of mesh 1 \"hair\" apart at bones[4]";
}

/// Bind poses are the same if the mesh's bounds differ by less than this fraction of their size: more than
/// rounding errors, less than is visible.
const MAX_MISFIT: f32 = 0.01;
/// The most skins with which each skin is compared; larger files are only partly examined.
const MAX_COMPARED: usize = 16;
/// The most shared joints to try as the reference that both skins bind alike.
const MAX_REFERENCES: usize = 8;

/// Inverse binds by bone, of the slots that move vertices.
type Binds = HashMap<BoneId, Affine3A>;

/// Reports bones that two skins bind in different poses.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let mut known: Vec<(u32, &Mesh, Binds)> = Vec::new();
    for (number, mesh, skin) in bound_meshes(model) {
        report.progress("checking skins", 0.5)?;
        let binds = binds(mesh, skin);
        if known.iter().any(|(_, _, other)| *other == binds) {
            continue;
        }
        let corners = bounds_corners(mesh);
        for (other_number, other, other_binds) in &known {
            let mut shared: Vec<_> = binds
                .iter()
                .filter_map(|(bone, own)| Some((*bone, *own, *other_binds.get(bone)?)))
                .collect();
            shared.sort_unstable_by_key(|(bone, ..)| *bone);
            let Some(found) = differences(&shared, &corners) else { continue };
            let Some((worst, bone)) = found.worst else { continue };
            report.add_many(
                FindingKind::DifferentBindPoses,
                Place::Bone(bone.0),
                found.count,
                || {
                    let name = &model.skeleton.bones()[bone].name;
                    format!(
                        "{} and {} bind {} in different poses, which are {} of the size of {} apart",
                        numbered("mesh", *other_number as usize, &other.name),
                        numbered("mesh", number as usize, &mesh.name),
                        numbered("bone", bone.index(), name),
                        numbers::percent(worst),
                        numbered("mesh", number as usize, &mesh.name),
                    )
                },
            );
        }
        if known.len() < MAX_COMPARED {
            known.push((number, mesh, binds));
        }
    }
    Ok(())
}

fn binds(mesh: &Mesh, skin: &InverseBindSkin) -> Binds {
    let slots = skin.bones.iter().zip(&skin.bone_from_mesh).zip(used_slots(mesh, skin));
    let used = slots.filter(|(_, is_used)| *is_used);
    used.map(|((bone, matrix), _)| (*bone, Affine3A::from_mat4(*matrix))).collect()
}

/// The shared bones that aren't bound like most of them, with the distance between the bounds. `None` if
/// there is nothing to compare: with one shared bone, any difference may come from the mesh spaces.
fn differences(
    shared: &[(BoneId, Affine3A, Affine3A)],
    corners: &[glam::Vec3; 8],
) -> Option<Worst<BoneId>> {
    if shared.len() < 2 {
        return None;
    }
    let step = shared.len().div_ceil(MAX_REFERENCES);
    let references = shared.iter().step_by(step).filter_map(|(_, own, other)| {
        // From this mesh to the other one, according to this bone.
        let other_from_own = other.inverse() * *own;
        other_from_own.is_finite().then_some(other_from_own)
    });
    let judged = references.map(|other_from_own| {
        let mut found = Worst::default();
        for (bone, own, other) in shared {
            // Transformed from the space of the bone's bind pose to this mesh's space.
            let back = own.inverse();
            let moved = back * (*other * other_from_own);
            let apart = misfit(corners, &Affine3A::IDENTITY, &moved);
            if apart > MAX_MISFIT {
                found.add(apart, *bone);
            }
        }
        found
    });
    judged.min_by_key(|found| found.count)
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Quat, Vec3};

    use super::*;
    use crate::model::MeshId;
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, inverse_bind_of};

    fn two_meshes() -> Model {
        let mut model = clean_model();
        model.meshes.push(model.meshes[MeshId(0)].clone());
        model
    }

    #[test]
    fn meshes_in_separate_spaces_are_not_reported() {
        let mut model = two_meshes();
        assert_eq!(findings_of_rules(&model, check), []);
        let space = Mat4::from_scale_rotation_translation(
            Vec3::splat(100.0),
            Quat::from_rotation_y(1.0),
            Vec3::ONE,
        );
        for slot in 0..2 {
            *inverse_bind_of(&mut model, slot) *= space;
        }
        assert_eq!(findings_of_rules(&model, check), []);
    }

    #[test]
    fn bone_with_two_bind_poses_is_reported_with_both_meshes() {
        let mut model = two_meshes();
        *inverse_bind_of(&mut model, 1) *= Mat4::from_rotation_x(0.5);
        let findings = findings_of_rules(&model, check);
        let finding = find(&findings, FindingKind::DifferentBindPoses).unwrap();
        assert_eq!(finding.count, 1);
        assert!(
            finding.message.contains("mesh 0 \"box\" and mesh 1 \"box\""),
            "{}",
            finding.message
        );
    }
}
