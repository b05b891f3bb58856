//! Finds rotation keys that aren't unit quaternions.

use super::channels::{Curve, all_channels};
use super::worst_place::WorstPlace;
use crate::model::{Cancelled, FindingKind, Model, Report, findings, numbers};
use crate::validate::worst::three_digits;

findings! {
    pub(super) FINDINGS:
    RotationKeyZero, "rotation-key-zero", Error, Animation,
        "a rotation key has a length of 0 and defines no rotation",
        "the bone isn't rotated at this key here; its vertices vanish in runtimes that divide by the length",
        "write 0 0 0 1 for no rotation and export the clip again; `rigscope convert IN -o OUT.glb` does so",
        "clip 0 \"walk\", rotation of bone 6 \"hand_l\": key 12 at 0.4 s has a length of 0 instead of 1 at clips[0].micros[400000].bones[6]";
    RotationKeyNotUnit, "rotation-key-not-unit", Warning, Animation,
        "a rotation key isn't a quaternion of length 1",
        "it is normalized here; runtimes that don't normalize it stretch or skew the vertices of the bone",
        "normalize rotations before they are written; `rigscope convert IN -o OUT.glb` does so",
        "clip 0 \"walk\", rotation of bone 6 \"hand_l\": key 12 at 0.4 s has a length of 1.2 instead of 1 at clips[0].micros[400000].bones[6]";
}

/// Quaternions of normalised bytes deviate by up to 4 half steps of 1/127, 0.0079; glTF's validator accepts
/// 0.00769.
const TOLERANCE: f32 = 0.008;
/// Shorter ones have no direction.
const NO_LENGTH: f32 = 1e-6;

/// Reports [`FindingKind::RotationKeyZero`] and [`FindingKind::RotationKeyNotUnit`] at the key with the largest
/// deviation.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let (mut zero, mut not_unit) = (WorstPlace::default(), WorstPlace::default());
    for (index, clip) in model.clips.iter().enumerate() {
        for channel in all_channels(index, clip) {
            let Curve::Rotation(track) = channel.curve else { continue };
            for (key, (value, &time_secs)) in track.key_values().zip(&track.times_secs).enumerate()
            {
                let length = value.length();
                let is_zero = length < NO_LENGTH;
                if (length - 1.0).abs() <= TOLERANCE {
                    continue;
                }
                let found = if is_zero { &mut zero } else { &mut not_unit };
                let off = if is_zero { 0.0 } else { length.ln().abs() };
                found.add(off, channel.place(model, time_secs), || {
                    let subject = channel.subject(model);
                    let length = if is_zero { "0".to_owned() } else { three_digits(length) };
                    let time = numbers::seconds(time_secs);
                    format!("{subject}: key {key} at {time} has a length of {length} instead of 1")
                });
            }
        }
    }
    zero.report(FindingKind::RotationKeyZero, report);
    not_unit.report(FindingKind::RotationKeyNotUnit, report);
    Ok(())
}

#[cfg(test)]
mod tests {
    use glam::Quat;

    use super::*;
    use crate::model::Place;
    use crate::validate::fixtures::bar::{is_silent, the, with_rotations};

    fn with_lengths(lengths: [f32; 4]) -> Model {
        with_rotations(lengths.map(|length| Quat::from_rotation_z(0.1) * length).to_vec())
    }

    #[test]
    fn non_unit_rotation_keys_are_reported_worst_first() {
        let model = with_lengths([1.0, 1.1, 2.0, 0.0]);
        let finding = the(&model, FindingKind::RotationKeyNotUnit);
        assert_eq!(
            (finding.place, finding.count),
            (Place::Moment { clip: 0, micros: 200_000, bone: Some(1) }, 2)
        );
        let subject = "clip 0 \"turn\", rotation of bone 1 \"upper\": ";
        assert_eq!(
            finding.message,
            format!("{subject}key 2 at 0.2 s has a length of 2 instead of 1")
        );
        let finding = the(&model, FindingKind::RotationKeyZero);
        assert_eq!(
            finding.message,
            format!("{subject}key 3 at 0.3 s has a length of 0 instead of 1")
        );
    }

    #[test]
    fn quantized_rotations_are_not_reported() {
        let bytes = Quat::from_xyzw(0.0, 0.0, 12.0 / 127.0, 126.0 / 127.0);
        assert!((bytes.length() - 1.0).abs() > 3e-3);
        let model = with_rotations(vec![bytes, Quat::IDENTITY]);
        assert!(is_silent(&model, FindingKind::RotationKeyNotUnit));
        assert!(is_silent(&model, FindingKind::RotationKeyZero));
    }
}
