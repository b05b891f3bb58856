//! Signatures as JSON: prints are lists of integers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use rigscope_core::signature::{ClipFingerprint, Fingerprint, Signature};

/// Waves have one decimal.
const WAVE_STEPS: f64 = 10.0;
/// Samples have five decimals.
const SAMPLE_STEPS: f64 = 1e5;
/// Waves of vertices and bones in a list; samples follow.
const NUM_WAVES: usize = 8;

/// A signature, in which numbers are rounded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SignatureText {
    size: f64,
    skeleton: u32,
    skin: [f64; 2],
    weight: f64,
    bind: Vec<i64>,
    rest: Vec<i64>,
    clips: BTreeMap<String, ClipText>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct ClipText {
    start: f64,
    secs: f64,
    prints: Vec<Vec<i64>>,
    /// Moments per print, if fewer than usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moments: Option<u32>,
}

impl SignatureText {
    pub(super) fn of(signature: &Signature) -> Self {
        let clips = signature.clips.iter().map(|(name, clip)| {
            let text = ClipText {
                start: rounded(clip.start_secs, 1e6),
                secs: rounded(clip.duration_secs, 1e6),
                prints: clip.segments.iter().map(text_of).collect(),
                moments: clip.limited_to,
            };
            (name.clone(), text)
        });
        Self {
            // Nine significant digits.
            size: format!("{:.8e}", signature.size).parse().unwrap_or(signature.size),
            skeleton: signature.skeleton,
            skin: signature.skin.map(|part| rounded(part, WAVE_STEPS)),
            weight: rounded(signature.weight, WAVE_STEPS),
            bind: text_of(&signature.bind),
            rest: text_of(&signature.rest),
            clips: clips.collect(),
        }
    }

    pub(super) fn signature(&self) -> Signature {
        let clips = self.clips.iter().map(|(name, clip)| {
            let print = ClipFingerprint {
                start_secs: clip.start,
                duration_secs: clip.secs,
                segments: clip.prints.iter().map(|list| print_of(list)).collect(),
                limited_to: clip.moments,
            };
            (name.clone(), print)
        });
        Signature {
            size: self.size,
            skeleton: self.skeleton,
            skin: self.skin,
            weight: self.weight,
            bind: print_of(&self.bind),
            rest: print_of(&self.rest),
            clips: clips.collect(),
        }
    }
}

fn rounded(value: f64, steps: f64) -> f64 {
    // Without negative zeros.
    (value * steps).round() / steps + 0.0
}

fn text_of(print: &Fingerprint) -> Vec<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "float casts saturate")]
    let whole = |value: f64, steps: f64| (value * steps).round() as i64;
    let waves = print.waves.iter().chain(&print.bones).map(|part| whole(*part, WAVE_STEPS));
    let samples = print.samples.iter().flatten();
    waves.chain(samples.map(|coordinate| whole(*coordinate, SAMPLE_STEPS))).collect()
}

/// The print of a list; missing numbers are 0.
fn print_of(list: &[i64]) -> Fingerprint {
    let wave = |at: usize| list.get(at).map_or(0.0, |part| *part as f64 / WAVE_STEPS);
    let samples = list.get(NUM_WAVES..).unwrap_or_default();
    let point = |point: &[i64; 3]| point.map(|coordinate| coordinate as f64 / SAMPLE_STEPS);
    Fingerprint {
        waves: std::array::from_fn(wave),
        bones: [wave(6), wave(7)],
        samples: samples.as_chunks::<3>().0.iter().map(point).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_survive_their_text() {
        let print = Fingerprint {
            waves: [1.25, -3.0, 0.0, 4000.1, 5.0, -6.6],
            bones: [7.7, -8.8],
            samples: vec![[0.123_456, -1.0, 0.0], [2.0, 3.0, 4.0]],
        };
        let read = print_of(&text_of(&print));
        assert_eq!(read.bones, print.bones);
        assert_eq!(read.waves[3], 4000.1);
        assert_eq!(read.samples, [[0.123_46, -1.0, 0.0], [2.0, 3.0, 4.0]]);
        assert_eq!(print_of(&[]), Fingerprint::default());
        assert_eq!(print_of(&[10, 20]).waves[..2], [1.0, 2.0]);
    }
}
