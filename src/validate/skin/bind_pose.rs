//! Whether the pose shown first is the one that the mesh was bound in.
//!
//! In the bind pose `model_from_bone * bone_from_mesh` is the same matrix for all bones: the
//! identity, or what moves the whole mesh. Where it is not, the mesh is shown bent before anything
//! plays. Many good files are so (a character stored in its first stance), so this is a figure and
//! no fault. A format whose keys are finished matrices has no inverse binds to compare with.

use super::{bound_meshes, bounds_corners, misfit};
use crate::model::stats::used_slots;
use crate::model::{Cancelled, MeshId, Model, NoteKind, Place, Report, notes};
use crate::pose::{PoseSpec, sample};
use crate::validate::figures::Worst;

notes! {
    pub(super) FINDINGS:
    RestNotBindPose, "rest-not-bind-pose", Info, Skin, "the pose shown first is not the one that the mesh was bound in",
        "go to the bind pose before exporting, if the first pose is meant to be it";
}

/// Bones that move the mesh's bounds less than this part of their size apart are together: more
/// than rounding gives on the far bones of long chains, less than an eye sees.
const MAX_MISFIT: f32 = 0.01;

/// Notes bones whose first pose is not their bind pose.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    if bound_meshes(model).next().is_none() {
        return Ok(());
    }
    let pose = sample(model, &PoseSpec::default());
    if pose.model_from_mesh.is_some() {
        return Ok(());
    }
    for (number, mesh, skin) in bound_meshes(model) {
        report.progress("rules for skins", 0.6)?;
        let used = used_slots(mesh, skin);
        let palette = pose.of_mesh(MeshId(number), mesh).palette;
        let corners = bounds_corners(mesh);
        let mut slots = skin
            .bones
            .iter()
            .zip(&palette)
            .zip(used)
            .filter_map(|(slot, is_used)| is_used.then_some(slot));
        let Some((_, common)) = slots.next() else { continue };
        let mut away = Worst::default();
        for (bone, matrix) in slots {
            let misfit = misfit(&corners, common, matrix);
            if misfit > MAX_MISFIT {
                away.add(misfit, *bone);
            }
        }
        let Some((worst, bone)) = away.worst else { continue };
        let place = Place::Bone(bone.0);
        report.note_many(NoteKind::RestNotBindPose, place, away.count, || {
            format!(
                "bone {} {:?} moves the mesh by {:.0} % of its size",
                bone.0,
                model.skeleton.display_name(bone),
                worst * 100.0
            )
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use super::*;
    use crate::validate::fixtures::clean::{clean_model, find, inverse_bind_of, notes_of};

    #[test]
    fn a_bone_bound_elsewhere_is_noted_and_one_that_all_share_is_not() {
        let mut model = clean_model();
        let moved = Mat4::from_translation(Vec3::new(0.5, 0.0, 0.0));
        for slot in 0..2 {
            *inverse_bind_of(&mut model, slot) *= moved;
        }
        assert_eq!(find(&notes_of(&model, check), NoteKind::RestNotBindPose), None);
        *inverse_bind_of(&mut model, 1) *= moved;
        let notes = notes_of(&model, check);
        let note = find(&notes, NoteKind::RestNotBindPose).unwrap();
        assert_eq!((note.place, note.count), (Place::Bone(1), 1));
    }
}
