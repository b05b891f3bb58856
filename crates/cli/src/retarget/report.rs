//! The results of `retarget` as text and JSON.

use std::path::PathBuf;

use serde::Serialize;

use super::RetargetArgs;
use crate::bones::head_text;
use crate::lines::Lines;
use crate::suggested_command::{file_arg, suggested};
use crate::text::{counted, path as printed};
use rigscope_core::model::numbers::{degrees, grouped, percent, seconds, significant};
use rigscope_core::model::{Finding, numbered};
use rigscope_core::pose::transfer::{ClipQuality, FootQuality, HandQuality, RetargetedClips};
use rigscope_io::convert::Converted;
use rigscope_io::files::path_text;
use rigscope_io::formats::loss_summary::label;
use rigscope_io::open::Document;

/// Slides and depths below this fraction of the leg can't be seen.
const VISIBLE: f32 = 0.01;
/// Differences between distances of hands below this fraction of the arm don't matter.
const VISIBLE_HAND: f32 = 0.05;

/// The most names of bones in a line.
const MAX_NAMES: usize = 8;

/// The clips of one file on the model.
pub(super) struct Retargeted {
    pub(super) path: PathBuf,
    pub(super) clips: RetargetedClips,
    pub(super) findings: Vec<Finding>,
}

pub(super) struct Shown<'a> {
    pub(super) args: &'a RetargetArgs,
    pub(super) document: &'a Document,
    pub(super) done: &'a [Retargeted],
    pub(super) converted: &'a Converted,
    /// Paths and lengths.
    pub(super) written: &'a [(PathBuf, usize)],
}

impl Shown<'_> {
    pub(super) fn as_text(&self) -> Lines {
        let mut lines = Lines::default();
        for own in self.done {
            self.add_file(own, &mut lines);
        }
        for loss in self.converted.loss_sentences() {
            lines.push(format!("{}: {loss}", label(&loss, &self.converted.predicted)));
        }
        for (path, num_bytes) in self.written {
            lines.push(format!("{}: {} bytes", printed(path), grouped(*num_bytes as u64)));
        }
        lines
    }

    fn add_file(&self, own: &Retargeted, lines: &mut Lines) {
        let model = &self.document.model;
        let (path, to) = (printed(&own.path), printed(&self.args.to));
        let clips = counted(own.clips.quality.len() as u64, "clip");
        let bones = counted(own.clips.pairs.pairs.len() as u64, "bone");
        let ratio = significant(f64::from(own.clips.transfer.length_ratio), 3);
        lines.push(format!(
            "{path}: {clips} retargeted to {to}: {bones}, positions scaled by {ratio}"
        ));
        if let Some((bone, angle)) = own.clips.transfer.turned {
            let (angle, bone) =
                (degrees(f64::from(angle).to_degrees()), model.skeleton.display_name(bone));
            lines.push(format!(
                "  the rest poses differ, most by {angle} at {bone}; the model was first turned into the rest pose of the clips"
            ));
        }
        for quality in &own.clips.quality {
            self.add_clip(quality, lines);
        }
        for (names, path) in own.clips.unpaired.iter().zip([path.to_string(), to.to_string()]) {
            if !names.is_empty() {
                lines.push(format!("  without a pair in {path}: {}", some_of(names)));
            }
        }
        let body = &own.clips.pairs.bodies[1];
        lines.extend(head_text(body, model, &to.to_string()).map(|text| format!("  {text}")));
        if own.clips.unpaired.iter().any(|names| names.len() > MAX_NAMES) {
            let all = ["bones".into(), file_arg(&own.path), file_arg(&self.args.to)];
            lines.push(format!("  `{}` lists all", suggested(all.to_vec())));
        }
    }

    fn add_clip(&self, quality: &ClipQuality, lines: &mut Lines) {
        let model = &self.document.model;
        let name = model.clips.get(quality.clip).map_or("", |clip| &clip.name);
        let clip = numbered("clip", quality.clip.index(), name);
        let angle = |rad: f32| degrees(f64::from(rad).to_degrees());
        let median = angle(quality.median_angle_rad);
        let worst = quality.worst.map_or_else(String::new, |worst| {
            let (bone, time) = (model.skeleton.display_name(worst.bone), seconds(worst.time_secs));
            format!(", at most {} ({bone} at {time})", angle(worst.angle_rad))
        });
        lines.push(format!(
            "  {clip}: bones point {median} away from those of the clip (median){worst}"
        ));
        let bone = |bone| model.skeleton.display_name(bone);
        let feet = quality.feet.iter().filter_map(foot_text);
        let hands = quality.hands.iter().filter_map(hand_text);
        let joints = quality.bent_joints.iter().map(|joint| {
            let (name, time) = (bone(joint.bone), seconds(joint.time_secs));
            format!(
                "{name} bends to another side than in the clip, at {time} by {}",
                angle(joint.angle_rad)
            )
        });
        for text in feet.chain(hands).chain(joints) {
            lines.push(format!("    {text}"));
        }
        let [before, after] = quality.num_keys;
        if before != after && before > 0 {
            let numbers = [before, after].map(|num| grouped(num as u64));
            lines.push(format!(
                "    keys of bones: {} in the clip, {} here",
                numbers[0], numbers[1]
            ));
        }
    }

    pub(super) fn as_json(&self) -> RetargetJson {
        let model = &self.document.model;
        let clip = |quality: &ClipQuality| Clip {
            clip: quality.clip.index(),
            name: model.clips.get(quality.clip).map(|clip| clip.name.clone()).unwrap_or_default(),
            median_angle_deg: quality.median_angle_rad.to_degrees(),
            worst: quality.worst.map(|worst| Worst {
                bone: model.skeleton.display_name(worst.bone),
                time_secs: worst.time_secs,
                angle_deg: worst.angle_rad.to_degrees(),
            }),
            feet: quality
                .feet
                .iter()
                .map(|foot| Foot {
                    side: foot.side.name(),
                    slide: foot.slide,
                    source_slide: foot.source_slide,
                    sinks: foot.sinks,
                })
                .collect(),
            hands: quality
                .hands
                .iter()
                .map(|hand| Hand {
                    side: hand.side.name(),
                    nearest: hand.nearest,
                    source_nearest: hand.source_nearest,
                    time_secs: hand.time_secs,
                })
                .collect(),
            bent_joints: quality
                .bent_joints
                .iter()
                .map(|joint| Worst {
                    bone: model.skeleton.display_name(joint.bone),
                    time_secs: joint.time_secs,
                    angle_deg: joint.angle_rad.to_degrees(),
                })
                .collect(),
            source_keys: quality.num_keys[0],
            keys: quality.num_keys[1],
        };
        let file = |own: &Retargeted| File {
            file: path_text(&own.path),
            pairs: own.clips.pairs.pairs.len(),
            unpaired_from: own.clips.unpaired[0].clone(),
            unpaired_to: own.clips.unpaired[1].clone(),
            scale: own.clips.transfer.length_ratio,
            turned: own.clips.transfer.turned.map(|(bone, angle)| Turned {
                bone: model.skeleton.display_name(bone),
                angle_deg: angle.to_degrees(),
            }),
            clips: own.clips.quality.iter().map(clip).collect(),
            findings: own.findings.iter().map(|finding| finding.message.clone()).collect(),
        };
        RetargetJson {
            schema: "rigscope.retarget/1",
            to: path_text(&self.args.to),
            files: self.done.iter().map(file).collect(),
            losses: self.converted.losses().iter().map(ToString::to_string).collect(),
            outputs: self
                .written
                .iter()
                .map(|(path, num_bytes)| Written { path: path_text(path), bytes: *num_bytes })
                .collect(),
        }
    }
}

/// The first of some names, and the number of the others.
fn some_of(names: &[String]) -> String {
    let first = names[..names.len().min(MAX_NAMES)].join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => first,
        num => format!("{first} and {}", counted(num as u64, "other")),
    }
}

/// The visible faults of a foot: it slides farther than its source, or goes deeper.
fn foot_text(foot: &FootQuality) -> Option<String> {
    let side = foot.side.name();
    let slides = foot.slide > foot.source_slide + VISIBLE;
    let sinks = foot.sinks > VISIBLE;
    let slide = || {
        let [own, source] = [foot.slide, foot.source_slide].map(percent);
        format!("slides by {own} of the leg while it stands (in the clip {source})")
    };
    let depth = || format!("goes {} of the leg deeper than in the clip", percent(foot.sinks));
    let text = match (slides, sinks) {
        (true, true) => format!("{} and {}", slide(), depth()),
        (true, false) => slide(),
        (false, true) => depth(),
        (false, false) => return None,
    };
    Some(format!("the {side} foot {text}"))
}

/// The visible fault of a hand: it is nearer to the body than in the source, or farther away where the source touches it.
fn hand_text(hand: &HandQuality) -> Option<String> {
    let away = hand.nearest - hand.source_nearest;
    if away.abs() < VISIBLE_HAND {
        return None;
    }
    let side = hand.side.name();
    let [own, source] = [hand.nearest, hand.source_nearest].map(percent);
    let how = if away < 0.0 { "nearer to" } else { "farther from" };
    let time = seconds(hand.time_secs);
    Some(format!(
        "the {side} hand stays {how} the line from hips to head: {own} of the arm at {time} (in the clip {source})"
    ))
}

/// `retarget --json`. Keys and their order are a contract.
#[derive(Debug, Serialize)]
pub(super) struct RetargetJson {
    schema: &'static str,
    to: String,
    files: Vec<File>,
    losses: Vec<String>,
    outputs: Vec<Written>,
}

#[derive(Debug, Serialize)]
struct File {
    file: String,
    pairs: usize,
    unpaired_from: Vec<String>,
    unpaired_to: Vec<String>,
    /// The factor for positions.
    scale: f32,
    /// If the rest poses differ: where most.
    turned: Option<Turned>,
    clips: Vec<Clip>,
    findings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Turned {
    bone: String,
    angle_deg: f32,
}

#[derive(Debug, Serialize)]
struct Clip {
    clip: usize,
    name: String,
    median_angle_deg: f32,
    worst: Option<Worst>,
    feet: Vec<Foot>,
    hands: Vec<Hand>,
    bent_joints: Vec<Worst>,
    source_keys: usize,
    keys: usize,
}

#[derive(Debug, Serialize)]
struct Worst {
    bone: String,
    time_secs: f64,
    angle_deg: f32,
}

/// Fractions of the leg.
#[derive(Debug, Serialize)]
struct Foot {
    side: &'static str,
    slide: f32,
    source_slide: f32,
    sinks: f32,
}

/// Fractions of the arm.
#[derive(Debug, Serialize)]
struct Hand {
    side: &'static str,
    /// The smallest distance from the line between hips and head.
    nearest: f32,
    source_nearest: f32,
    time_secs: f64,
}

#[derive(Debug, Serialize)]
struct Written {
    path: String,
    bytes: usize,
}
