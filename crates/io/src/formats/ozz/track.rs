//! Reads `ozz-float_track` and similar objects: curves of values that move no joint.
//!
//! Not for: tracks of animations, which move joints.

use super::archive::Archive;
use crate::formats::ReadError;
use rigscope_core::model::{Element, Scalar, ValueKind, ValueTrack, as_u32};

const VERSION: u32 = 1;

/// The kind of values for a tag; `None` if it isn't a track.
pub(super) fn kind_of(tag: &str) -> Option<ValueKind> {
    Some(match tag {
        "ozz-float_track" => ValueKind::Numbers(1),
        "ozz-float2_track" => ValueKind::Numbers(2),
        "ozz-float3_track" => ValueKind::Numbers(3),
        "ozz-float4_track" => ValueKind::Numbers(4),
        "ozz-quat_track" => ValueKind::Rotation,
        _ => return None,
    })
}

/// Reads the data after the version; `first` is the number of track keys before in the file.
pub(super) fn read(
    archive: &mut Archive<'_>,
    version: u32,
    kind: ValueKind,
    first: usize,
) -> Result<ValueTrack, ReadError> {
    if version != VERSION {
        let what = format!("track version {version}, only {VERSION} is read");
        return Err(archive.cursor.unsupported("track version", what));
    }
    let num_keys = archive.u32("number of keys")?;
    let name_len = archive.u32("name length")?;
    const HEAD: [(&str, Scalar, usize); 2] =
        [("number of keys", Scalar::U32, 1), ("name length", Scalar::U32, 1)];
    archive.report_records(Element::Count, 0, 1, &HEAD);
    let ratios = archive.list(num_keys, 4, "ratios", |a| a.f32("ratios"))?;
    archive.report_records(Element::ValueKey, first, ratios.len(), &[("ratio", Scalar::F32, 1)]);
    let num = kind.num();
    let num_values = num_keys.saturating_mul(as_u32(num));
    let values = archive.list(num_values, 4, "values", |a| a.f32("values"))?;
    archive.report_records(Element::ValueKey, first, ratios.len(), &[("value", Scalar::F32, num)]);
    let bits = archive.list(num_keys.div_ceil(8), 1, "steps", |a| a.cursor.u8_le("steps"))?;
    archive.report_records(Element::ValueKey, first, bits.len(), &[("steps", Scalar::U8, 1)]);
    let holds = (0..ratios.len()).map(|key| {
        let byte = bits.get(key / 8).copied().unwrap_or_default();
        byte & (1 << (key % 8)) != 0
    });
    let holds = holds.collect();
    let is_ascending = ratios.windows(2).all(|pair| match pair {
        [a, b] => a <= b,
        _ => true,
    });
    if !is_ascending || !ratios.iter().all(|ratio| ratio.is_finite()) {
        let what = "ratios of a track do not ascend".to_owned();
        return Err(archive.cursor.malformed("ratios", what));
    }
    Ok(ValueTrack {
        name: archive.text(name_len, Element::Text, "name")?,
        kind,
        ratios,
        values,
        holds,
    })
}
