//! Finds keys that aren't rigid: with scale, or with shear relative to the parent.
//!
//! Shear is only reported if keys are relative to the parent. In baked skinning matrices, plain scale along a
//! slanted bone already makes slanted columns.

use glam::{Mat3A, Vec3};

use super::channels::place;
use super::{WHAT, is_bind_pair};
use crate::model::{
    BoneId, Cancelled, FindingKind, KeySpace, Model, Motion, Place, Report, SampledMotion, Track,
    as_u32, findings, numbers,
};
use crate::validate::worst::Worst;

findings! {
    pub(super) FINDINGS:
    ScaledKey, "scaled-key", Info, Animation,
        "a key stretches or shrinks its bone",
        "its vertices swell, stretch or shrink; runtimes that expect rigid keys ignore the scale and show the limb at another size",
        "no action needed if it is intended; if not, apply scales before export (Blender: Object > Apply > Scale)",
        "hand_l is scaled by 0.95, 0.95, 0.95 at clips[0].keys[0].bones[6]";
    ShearedKey, "sheared-key", Warning, Animation,
        "a key shears its bone relative to its parent, which translation, rotation and scale can't express",
        "shown as stored here; runtimes that store translation, rotation and scale lose the shear and skew the limb differently",
        "keep the scales of parents uniform (Blender: Inherit Scale Fix Shear or None), or bake the bones in model space",
        "the axes of hand_l are 12.4° off a right angle at clips[1].keys[3].bones[6]";
}

/// Columns whose length differs from 1 by less are rounding errors: exporters that multiply a dozen
/// single-precision matrices reach 1e-5, and a thousandth isn't visible.
const SCALE_TOLERANCE: f32 = 1e-3;
/// The same for the cosine between columns, slightly larger because it depends on two lengths: 0.1 degree.
const SHEAR_TOLERANCE: f32 = 2e-3;
/// A column shorter than this practically hides the bone on purpose: exporters write 1e-3 and less if 0 isn't
/// possible.
const HIDDEN: f32 = 1e-3;

/// The worst occurrence, with its bone and scale or shear.
type WorstKey = Worst<(Place, usize, Vec3)>;

/// Reports [`FindingKind::ScaledKey`] and [`FindingKind::ShearedKey`].
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let (mut scaled, mut sheared) = (WorstKey::default(), WorstKey::default());
    for (index, clip) in model.clips.iter().enumerate() {
        report.progress(WHAT, 0.2)?;
        match &clip.motion {
            motion if is_bind_pair(motion) => {}
            Motion::Sampled(motion) => sampled(motion, index, &mut scaled, &mut sheared),
            Motion::Tracks(tracks) => {
                for track in tracks {
                    if let Some(scales) = &track.scale {
                        tracked(model, scales, index, track.bone, &mut scaled);
                    }
                }
            }
            Motion::Curves(_) | Motion::VertexAnimation(_) => {}
        }
    }
    let name = |bone| model.skeleton.display_name(BoneId::from_index(bone));
    if let Some((_, (place, bone, by))) = scaled.worst {
        report.add_many(FindingKind::ScaledKey, place, scaled.count, || {
            let by = by.to_array().map(numbers::number).join(", ");
            format!("{} is scaled by {by}", name(bone))
        });
    }
    if let Some((cosine, (place, bone, _))) = sheared.worst {
        report.add_many(FindingKind::ShearedKey, place, sheared.count, || {
            let off = numbers::degrees(cosine.clamp(0.0, 1.0).asin().to_degrees());
            format!("the axes of {} are {off} off a right angle", name(bone))
        });
    }
    Ok(())
}

fn sampled(motion: &SampledMotion, clip: usize, scaled: &mut WorstKey, sheared: &mut WorstKey) {
    let keys = &motion.keys;
    for key in 0..keys.num_keys() {
        for bone in 0..keys.num_bones() as usize {
            let Some(matrix) = keys.matrix(key, bone) else { continue };
            let at = || Place::Key { clip: as_u32(clip), key: as_u32(key), bone: as_u32(bone) };
            let (lengths, cosine) = columns(matrix.matrix3);
            if lengths.min_element() < HIDDEN {
                continue;
            }
            let off = (lengths - Vec3::ONE).abs().max_element();
            if off > SCALE_TOLERANCE {
                scaled.add(off, (at(), bone, lengths));
            }
            if motion.space == KeySpace::Local && cosine > SHEAR_TOLERANCE {
                sheared.add(cosine, (at(), bone, lengths));
            }
        }
    }
}

/// Lengths of a matrix's columns, and the largest cosine between two of them.
fn columns(matrix: Mat3A) -> (Vec3, f32) {
    let (x, y, z) = (matrix.x_axis, matrix.y_axis, matrix.z_axis);
    let lengths = Vec3::new(x.length(), y.length(), z.length());
    let cosine = |a: f32, lengths: f32| {
        if lengths > 0.0 { (a / lengths).abs() } else { 0.0 }
    };
    let cosines = [
        cosine(x.dot(y), lengths.x * lengths.y),
        cosine(y.dot(z), lengths.y * lengths.z),
        cosine(z.dot(x), lengths.z * lengths.x),
    ];
    (lengths, cosines.into_iter().fold(0.0, f32::max))
}

fn tracked(model: &Model, scales: &Track<Vec3>, clip: usize, bone: BoneId, scaled: &mut WorstKey) {
    for (scale, &time_secs) in scales.key_values().zip(&scales.times_secs) {
        let off = (scale.abs() - Vec3::ONE).abs().max_element();
        if off > SCALE_TOLERANCE && scale.abs().min_element() >= HIDDEN {
            scaled.add(off, (place(model, clip, time_secs, Some(bone)), bone.index(), scale));
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Mat3};

    use super::*;
    use crate::model::ClipId;
    use crate::validate::fixtures::bar::{bending, bent, is_silent, the, with_keys};

    fn with_upper(change: Affine3A) -> Model {
        let [lower, upper] = bent(0.1, 0.2);
        with_keys(&[bent(0.0, 0.0), [lower, upper * change]])
    }

    #[test]
    fn scaled_key_is_reported_with_its_factor() {
        let finding = the(
            &with_upper(Affine3A::from_scale(Vec3::new(1.0, 2.0, 1.0))),
            FindingKind::ScaledKey,
        );
        assert_eq!(finding.place.to_string(), "clips[0].keys[1].bones[1]");
        assert!(finding.message.contains("1, 2, 1"), "{}", finding.message);
        assert!(is_silent(&bending(), FindingKind::ScaledKey));
        let hidden = with_upper(Affine3A::from_scale(Vec3::ZERO));
        assert!(is_silent(&hidden, FindingKind::ScaledKey));
    }

    #[test]
    fn sheared_key_is_reported_only_in_local_keys() {
        let slanted = Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z);
        let mut model = with_upper(Affine3A::from_mat3(slanted));
        let finding = the(&model, FindingKind::ShearedKey);
        assert!(finding.message.contains("26.6°"), "{}", finding.message);
        if let Motion::Sampled(motion) = &mut model.clips[ClipId(0)].motion {
            motion.space = KeySpace::Skin;
        }
        assert!(is_silent(&model, FindingKind::ShearedKey));
        assert!(is_silent(&bending(), FindingKind::ShearedKey));
    }
}
