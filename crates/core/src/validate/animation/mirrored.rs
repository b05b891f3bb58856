//! Finds keys that turn vertices inside out.
//!
//! The rule examines the complete skinning matrix: a bone bound in a mirrored pose is right with a
//! mirrored key. A whole model that is mirrored is assumed to be intended; only bones that differ
//! from most others at the same moment are reported.

use glam::Affine3A;

use super::bone_centers::BoneCenters;
use super::channels::place;
use super::{WHAT, of_clips};
use crate::model::{
    Cancelled, ClipId, FindingKind, Model, Place, Report, as_u32, findings, numbers,
};
use crate::pose::sample;
use crate::validate::moments::{Moments, Posed};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    MirroredKey, "mirrored-key", Warning, Animation,
        "a key mirrors its bone",
        "the bone's vertices are inside out: the surface is culled or lit from the wrong side",
        "apply negative scales before the mesh is bound (Maya: Freeze Transformations; 3ds Max: Reset XForm)",
        "hand_l mirrors its vertices at 0.4 s of clip \"walk\" at clips[1].keys[12].bones[6]";
}

/// Smaller volumes belong to nearly hidden bones (scale below 5 %), whose sign is arbitrary and
/// whose vertices aren't visible.
const MIN_VOLUME: f32 = 1e-4;

/// Reports [`FindingKind::MirroredKey`], only for skinned meshes.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let probes = BoneCenters::of(model);
    if model.num_vertices() == 0 || model.skeleton.is_empty() {
        return Ok(());
    }
    let moments = Moments::of(model, Posed::Vertices);
    let of_clips = of_clips(model, report, 0.4, |index, clip| {
        let mut found = Worst::default();
        for at in moments.of_clip(index, clip) {
            report.progress(WHAT, 0.4)?;
            let matrices = probes.matrices(model, &sample(model, &at.spec));
            let volumes: Vec<f32> = matrices.iter().map(volume).collect();
            let mirrored = |&volume: &f32| volume < -MIN_VOLUME;
            let upright = volumes.iter().filter(|&&volume| volume > MIN_VOLUME).count();
            if volumes.iter().filter(|volume| mirrored(volume)).count() > upright {
                continue;
            }
            for (volume, probe) in volumes.iter().zip(&probes.list) {
                if mirrored(volume) {
                    found.add(-volume, (index, at.key, at.time_secs, probe.bone));
                }
            }
        }
        Ok(found)
    })?;
    let mut found = Worst::default();
    of_clips.into_iter().for_each(|of_clip| found.join(of_clip));
    if let Some((_, (clip, key, time_secs, bone))) = found.worst {
        let place = match key {
            Some(key) => Place::Key { clip: as_u32(clip), key, bone: bone.0 },
            None => place(model, clip, time_secs, Some(bone)),
        };
        report.add_many(FindingKind::MirroredKey, place, found.count, || {
            let name = model.skeleton.display_name(bone);
            let (time, clip) =
                (numbers::seconds(time_secs), &model.clips[ClipId::from_index(clip)].name);
            format!("{name} mirrors its vertices at {time} of clip {clip:?}")
        });
    }
    Ok(())
}

fn volume(matrix: &Affine3A) -> f32 {
    matrix.matrix3.determinant()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::validate::fixtures::bar::{bending, bent, is_silent, the, with_keys};

    fn with_key(lower: Vec3, upper: Vec3) -> Model {
        let [first, second] = bent(0.1, 0.2);
        let key = [first * Affine3A::from_scale(lower), second * Affine3A::from_scale(upper)];
        with_keys(&[bent(0.0, 0.0), key])
    }

    #[test]
    fn mirrored_bone_is_reported_unless_all_bones_are_mirrored() {
        let inside_out = Vec3::new(-1.0, 1.0, 1.0);
        let finding = the(&with_key(Vec3::ONE, inside_out), FindingKind::MirroredKey);
        assert_eq!(finding.place.to_string(), "clips[0].keys[1].bones[1]");
        assert!(is_silent(&bending(), FindingKind::MirroredKey));
        // The parent mirrors both: the whole model is mirrored.
        assert!(is_silent(&with_key(inside_out, Vec3::ONE), FindingKind::MirroredKey));
    }
}
