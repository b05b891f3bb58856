//! Finds neighbouring rotation keys in opposite hemispheres of the quaternion sphere.

use glam::Quat;

use super::channels::{Curve, Target, channels, place};
use crate::model::{BoneId, Cancelled, FindingKind, Interpolation, Model, Report, Track, findings};
use crate::validate::worst::{Worst, three_digits};

findings! {
    pub(super) FINDINGS:
    QuaternionFlip, "quaternion-flip", Info, Animation,
        "adjacent rotation keys have opposite signs",
        "shown correctly here; runtimes that don't use the shorter path spin the bone the long way round",
        "negate each rotation key that has a negative dot product with the previous one; `rigscope convert IN -o OUT.glb --rate 30` does so",
        "rotation keys 12 and 13 of hand_l have opposite signs (dot product -1) at clips[0].micros[433333].bones[6]";
}

/// Reports [`FindingKind::QuaternionFlip`]; the worst is the one nearest to the exact opposite.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let mut found = Worst::default();
    for (index, clip) in model.clips.iter().enumerate() {
        for channel in channels(index, clip) {
            if let (Target::Bone(bone), Curve::Rotation(rotation)) = (channel.target, channel.curve)
            {
                flips(rotation, |key, dot| {
                    let time_secs = rotation.times_secs.get(key).copied().unwrap_or_default();
                    found.add(-dot, (index, key, time_secs, bone));
                });
            }
        }
    }
    if let Some((by, (_, key, _, bone))) = found.worst {
        let place = |(clip, _, time_secs, bone): (usize, usize, f64, BoneId)| {
            place(model, clip, time_secs, Some(bone))
        };
        let places = found.worst_first().map(place);
        report.add_places(FindingKind::QuaternionFlip, found.count, places, || {
            let name = name(model, bone);
            let before = key - 1;
            let dot = three_digits(-by);
            format!(
                "rotation keys {before} and {key} of {name} have opposite signs (dot product {dot})"
            )
        });
    }
    Ok(())
}

fn name(model: &Model, bone: BoneId) -> String {
    model.skeleton.display_name(bone)
}

/// Calls `visit` with the later key of each pair that has a negative dot product, and that product.
fn flips(rotation: &Track<Quat>, mut visit: impl FnMut(usize, f32)) {
    let (first, step) = match rotation.interpolation {
        // Stepped keys aren't interpolated.
        Interpolation::Step => return,
        Interpolation::Cubic => (1, 3),
        Interpolation::Linear | Interpolation::Nlerp | Interpolation::Matrix => (0, 1),
    };
    let values: Vec<Quat> = rotation.values.iter().skip(first).step_by(step).copied().collect();
    for (before, pair) in values.windows(2).enumerate() {
        let dot = pair[0].dot(pair[1]);
        if dot < 0.0 {
            visit(before + 1, dot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ClipId, Motion};
    use crate::validate::fixtures::bar::{is_silent, the, with_rotations};

    #[test]
    fn negated_quaternion_key_is_reported_if_keys_are_interpolated() {
        let turn = |rad: f32| Quat::from_rotation_z(rad);
        let clean = with_rotations(vec![turn(0.0), turn(0.1), turn(0.2)]);
        assert!(is_silent(&clean, FindingKind::QuaternionFlip));
        let mut model = with_rotations(vec![turn(0.0), -turn(0.1), turn(0.2)]);
        let finding = the(&model, FindingKind::QuaternionFlip);
        assert_eq!(
            (finding.count, finding.place.to_string().as_str()),
            (2, "clips[0].micros[100000].bones[1]")
        );
        if let Motion::Tracks(tracks) = &mut model.clips[ClipId(0)].motion {
            tracks[0].rotation.as_mut().unwrap().interpolation = Interpolation::Step;
        }
        assert!(is_silent(&model, FindingKind::QuaternionFlip));
    }
}
