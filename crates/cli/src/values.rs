//! Value parsers for numbers, sizes, directions and runtimes in arguments.
//!
//! Not for: names from other tables, which are parsed next to their tables.

use super::option_args::{unknown_name, unknown_rule};
use rigscope_core::policy::rule_names;
use rigscope_core::runtime::{RUNTIMES, Runtime};

/// A finite number.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|value: &f64| value.is_finite())
}

/// A rate or a distance.
pub(super) fn above_zero(text: &str) -> Result<f64, String> {
    let value = number(text).filter(|value| *value > 0.0);
    value.ok_or_else(|| "not a number above 0".to_owned())
}

/// A factor or distance in single precision.
pub(super) fn factor(text: &str) -> Result<f32, String> {
    let value: Option<f32> = text.trim().parse().ok();
    let value = value.filter(|f| *f > 0.0 && f.is_normal());
    value.ok_or_else(|| "not a number above 0".to_owned())
}

/// Stops of exposure, in hundredths.
#[expect(clippy::cast_possible_truncation, reason = "20 stops are 2000 hundredths")]
pub(super) fn stops(text: &str) -> Result<i16, String> {
    let value = number(text).filter(|value| value.abs() <= 20.0);
    value
        .map(|stops| (stops * 100.0).round() as i16)
        .ok_or_else(|| "not a number of stops from -20 to 20".to_owned())
}

/// A time, which may be outside of all clips.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let value: Option<f64> = text.parse().ok();
    let value = value.filter(|value| !value.is_nan());
    value.ok_or_else(|| "not a number of seconds".to_owned())
}

/// A share of a whole.
pub(super) fn share(text: &str) -> Result<f32, String> {
    let value = text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
    value.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

/// The number of a key.
pub(super) fn key(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "not a whole number of 0 or more".to_owned())
}

pub(super) fn percent(text: &str) -> Result<u16, String> {
    let percent = text.parse().ok().filter(|percent| *percent <= 10_000);
    percent.ok_or_else(|| "not a whole number of percent from 0 to 10,000".to_owned())
}

pub(super) fn whole_degrees(text: &str) -> Result<i16, String> {
    let degrees = text.parse().ok().filter(|degrees| (-360..=360).contains(degrees));
    degrees.ok_or_else(|| "not a whole number of degrees from -360 to 360".to_owned())
}

pub(super) fn num_images(text: &str) -> Result<u32, String> {
    let num = text.parse().ok().filter(|num| (1..=100_000).contains(num));
    num.ok_or_else(|| "not a whole number from 1 to 100,000".to_owned())
}

pub(super) fn thumbnail_size_px(text: &str) -> Result<u32, String> {
    let size = text.parse().ok().filter(|size| (1..=4096).contains(size));
    size.ok_or_else(|| "not a whole number of pixels from 1 to 4096".to_owned())
}

pub(super) fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| (1..=1024).contains(jobs));
    jobs.ok_or_else(|| "not a whole number from 1 to 1024".to_owned())
}

/// Width and height of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizePx {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// The largest texture side that any device supports.
const MAX_SIDE_PX: u32 = 32_768;

pub(super) fn size_px(text: &str) -> Result<SizePx, String> {
    let side = |text: &str| text.parse().ok().filter(|px| (1..=MAX_SIDE_PX).contains(px));
    let (width, height) =
        text.split_once(['x', 'X']).ok_or("not of the form WIDTHxHEIGHT, such as 1000x600")?;
    match (side(width), side(height)) {
        (Some(width), Some(height)) => Ok(SizePx { width, height }),
        _ => Err(format!("each side must be from 1 to {MAX_SIDE_PX} pixels long")),
    }
}

/// A direction to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// Rotation about Y; at 0 the camera is at +Z.
    pub yaw_rad: f32,
    /// Angle above the horizon.
    pub pitch_rad: f32,
}

pub(super) fn angles(text: &str) -> Result<Angles, String> {
    use rigscope_core::camera::Preset;
    if let Some(preset) = Preset::ALL.into_iter().find(|preset| preset.name() == text) {
        let (yaw_rad, pitch_rad) = preset.yaw_pitch_rad();
        return Ok(Angles { yaw_rad, pitch_rad });
    }
    let degrees = |text: &str| text.trim().parse().ok().filter(|d: &f64| d.is_finite());
    // In double precision, so that angles copied from the window are reproduced exactly.
    #[expect(clippy::cast_possible_truncation, reason = "single precision is enough for an angle")]
    let radians = |degrees: f64| degrees.to_radians() as f32;
    let pair = text.split_once(',');
    match pair.map(|(yaw, pitch)| (degrees(yaw), degrees(pitch))) {
        Some((Some(yaw), Some(pitch))) if pitch.abs() <= 90.0 => {
            Ok(Angles { yaw_rad: radians(yaw), pitch_rad: radians(pitch) })
        }
        Some((Some(_), Some(_))) => Err("the pitch must be from -90 to 90 degrees".to_owned()),
        _ => {
            Err("not front, back, side, left, top, bottom, iso or YAW,PITCH in degrees".to_owned())
        }
    }
}

pub(super) fn numbers<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let list: Option<Vec<f32>> = text.split(',').map(number).collect();
    let list = list.and_then(|list| <[f32; N]>::try_from(list).ok());
    list.ok_or_else(|| format!("not {N} numbers separated by commas"))
}

pub(super) fn subset_number(text: &str) -> Result<usize, String> {
    text.trim().parse().map_err(|_| "not the number of a subset".to_owned())
}

pub(super) fn subset_color(text: &str) -> Result<(usize, [f32; 3]), String> {
    let form = "not of the form NUMBER=R,G,B, such as 2=1,0.5,0";
    let (number, color) = text.split_once('=').ok_or(form)?;
    Ok((number.trim().parse().map_err(|_| form)?, numbers(color)?))
}

/// The outlined object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    /// A subset, counted over all meshes.
    Subset(usize),
    /// A bone.
    Bone(u32),
}

pub(super) fn selected(text: &str) -> Result<Selected, String> {
    let selected = text.split_once(':').and_then(|(kind, number)| match kind {
        "subset" => Some(Selected::Subset(number.parse().ok()?)),
        "bone" => Some(Selected::Bone(number.parse().ok()?)),
        _ => None,
    });
    selected.ok_or_else(|| "not of the form subset:NUMBER or bone:NUMBER".to_owned())
}

/// The code of a finding, or the name of a cause.
pub(super) fn finding_or_cause(text: &str) -> Result<&'static str, String> {
    rule_names().find(|name| *name == text).ok_or_else(|| unknown_rule(text))
}

/// Parses the identifier of a runtime.
pub(super) fn runtime_of(text: &str) -> Result<&'static Runtime, String> {
    let ids = || RUNTIMES.iter().map(|runtime| runtime.id).collect();
    let error = || unknown_name(text, "runtime", "`rigscope runtimes` lists all", ids());
    Runtime::of_id(text).ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_angles_are_parsed_or_rejected() {
        let size = SizePx { width: 64, height: 48 };
        assert_eq!(size_px("64x48"), Ok(size));
        for bad in ["", "64", "0x9", "9x0", "9x-1", "99999x1", "axb"] {
            assert!(size_px(bad).is_err(), "{bad}");
        }
        let given = angles("-90,45").unwrap();
        assert!((given.yaw_rad + std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert!((given.pitch_rad - std::f32::consts::FRAC_PI_4).abs() < 1e-6);
        for bad in ["", "behind", "1", "1,91", "nan,0", "1,2,3"] {
            assert!(angles(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn number_lists_and_selections_are_parsed_or_rejected() {
        assert_eq!(numbers::<3>("1,-2.5, 3e2"), Ok([1.0, -2.5, 300.0]));
        assert_eq!(subset_color("7=0,0.5,1"), Ok((7, [0.0, 0.5, 1.0])));
        assert_eq!(selected("bone:3"), Ok(Selected::Bone(3)));
        assert_eq!(selected("subset:0"), Ok(Selected::Subset(0)));
        for bad in ["", "1,2", "1,2,3,4", "1,x,3", "inf,0,0"] {
            assert!(numbers::<3>(bad).is_err(), "{bad}");
            assert!(subset_color(bad).is_err() && selected(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for bad in ["0", "-1", "nan", "inf", ""] {
            assert!(above_zero(bad).is_err() && factor(bad).is_err(), "{bad}");
        }
        assert!(factor("1e-40").is_err() && factor("1e39").is_err());
        assert_eq!((above_zero("0.5"), factor("2")), (Ok(0.5), Ok(2.0)));
        assert_eq!(jobs("1024"), Ok(1024));
        assert!(jobs("0").is_err() && jobs("1025").is_err());
        assert!(seconds("nan").is_err() && seconds("-inf").is_ok());
    }
}
