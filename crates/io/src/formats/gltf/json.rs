//! Parses the JSON text into the types of `gltf-json`, without that crate's validation, which
//! panics and rejects too much.
//!
//! Tolerates exporter output that those types reject: `extras` that aren't objects, channels
//! without a node (`KHR_animation_pointer`), text that isn't UTF-8, zeros after the text. The
//! crate's types truncate indices to 32 bits; the remaining value is checked like any other.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gltf_json::Root;
use gltf_json::validation::Checked;
use serde_json::Value;

use super::fault::{malformed_at, over_limit, unsupported_version};
use super::pointer::{self, ANIMATION_POINTER, MaterialChannel, pointer_of};
use crate::formats::{Failure, ReadError, text};
use rigscope_core::model::{FindingKind, Place, Report, as_u32, counted, singular_or_plural};

/// Longest property path shown in a message.
const MAX_POINTER_CHARS: usize = 80;
/// Most property paths of one message.
const MAX_SHOWN_POINTERS: usize = 4;
/// Upper bound on the memory per object while reading: a node (three times while its list grows),
/// or a map of one entry.
const BYTES_PER_OBJECT: u64 = 512;
/// Upper bound per element: an extension's value in a growing list.
const BYTES_PER_ELEMENT: u64 = 48;
/// Memory that the text may need, as a multiple of the file size …
const MEMORY_FACTOR: u64 = 16;
/// … plus this constant.
const MEMORY_ROOM_BYTES: u64 = 32 << 20;

pub(super) struct ParsedJson {
    pub(super) root: Root,
    /// Morph target names per mesh; exporters write them to `extras`.
    pub(super) target_names: Vec<Vec<String>>,
    pub(super) material_channels: Vec<MaterialChannel>,
    /// Channels with a property that glTF doesn't have.
    pub(super) unknown_paths: Vec<UnknownPath>,
    /// Whether a channel has no node.
    pub(super) has_channels_without_node: bool,
    /// Animations with channels that aren't read, because they have no node.
    pub(super) partly_read: BTreeSet<usize>,
    /// The number in the file of each channel of each animation; empty if none was removed or added.
    pub(super) channel_numbers: Vec<Vec<usize>>,
}

/// The property of a channel, which the crate's types don't represent.
pub(super) struct UnknownPath {
    pub(super) animation: usize,
    /// The number of the channel in the file.
    pub(super) channel: usize,
    pub(super) path: String,
}

impl UnknownPath {
    /// Whether it is a pointer of `KHR_animation_pointer`.
    pub(super) fn is_pointer(&self) -> bool {
        self.path.starts_with('/')
    }
}

/// Parses the text, which starts at offset `at` of a file of `file_bytes`.
pub(super) fn parse(
    text: &[u8],
    at: usize,
    file_bytes: usize,
    report: &Report,
) -> Result<ParsedJson, ReadError> {
    let plain = text::plain(text);
    // For other encodings, byte offsets are unknown; report only line and column.
    let at = (!text::is_utf16(text)).then(|| at + (text.len() - plain.len()));
    let text = without_zeros(plain.trim_ascii_end());
    check_cost(text, file_bytes)?;
    let text = match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            report.add(FindingKind::NameNotUtf8, Place::File, "the JSON text isn't valid UTF-8");
            String::from_utf8_lossy(text)
        }
    };
    let root = serde_json::from_str::<Root>(&text);
    // Any letter of the key may be escaped.
    let may_have_names = text.contains("\"targetNames\"") || text.contains("\\u00");
    let needs_tree = root.as_ref().map_or(true, has_unknown_paths) || may_have_names;
    let mut tree: Value = if needs_tree {
        serde_json::from_str(&text).map_err(|error| fault(&error, &text, at))?
    } else {
        Value::Null
    };
    let target_names = target_names(&tree);
    let unknown_paths = unknown_paths(&tree);
    let has_channels_without_node = has_channels_without_node(&tree);
    let (mut material_channels, mut partly_read) = (Vec::new(), BTreeSet::new());
    let mut channel_numbers = Vec::new();
    let root = match root {
        Ok(root) => root,
        Err(error) => {
            reject_gltf1(&tree)?;
            let skipped = repair(&mut tree, &mut channel_numbers);
            // Reading from the tree would need a second copy of the code that reads each type.
            let repaired = tree.to_string();
            drop(tree);
            let root = serde_json::from_str(&repaired).map_err(|_| fault(&error, &text, at))?;
            skipped.report(report);
            let skipped_channels = skipped.pointers.iter().chain(&skipped.untargeted);
            partly_read = skipped_channels.map(|channel| channel.animation).collect();
            material_channels = skipped.material_channels;
            root
        }
    };
    Ok(ParsedJson {
        root,
        target_names,
        material_channels,
        unknown_paths,
        has_channels_without_node,
        partly_read,
        channel_numbers,
    })
}

fn has_unknown_paths(root: &Root) -> bool {
    let mut channels = root.animations.iter().flat_map(|animation| &animation.channels);
    channels.any(|channel| matches!(channel.target.path, Checked::Invalid))
}

fn list(value: &Value, name: &str) -> Vec<Value> {
    value.get(name).and_then(Value::as_array).cloned().unwrap_or_default()
}

fn has_channels_without_node(tree: &Value) -> bool {
    let animations = list(tree, "animations");
    let mut channels = animations.iter().flat_map(|animation| list(animation, "channels"));
    channels.any(|channel| channel.get("target").is_some_and(|target| target.get("node").is_none()))
}

/// The properties of channels that glTF doesn't have (section 5.8.2).
fn unknown_paths(tree: &Value) -> Vec<UnknownPath> {
    let mut found = Vec::new();
    for (animation, stored) in list(tree, "animations").iter().enumerate() {
        for (channel, stored) in list(stored, "channels").iter().enumerate() {
            let Some(target) = stored.get("target") else { continue };
            let path = target.get("path").and_then(Value::as_str);
            // A channel with a pointer shouldn't have a node, but may.
            let Some(path) = pointer_of(target).or(path) else { continue };
            if !pointer::NODE_PATHS.contains(&path) {
                found.push(UnknownPath { animation, channel, path: shortened(path) });
            }
        }
    }
    found
}

fn shortened(path: &str) -> String {
    path.chars().take(MAX_POINTER_CHARS).collect()
}

fn without_zeros(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| byte != 0);
    text.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
}

/// An error in `text`, which starts at offset `at` if its offsets are those of the file.
fn fault(error: &serde_json::Error, text: &str, at: Option<usize>) -> ReadError {
    let place = match error.line() {
        0 => Place::File,
        line => Place::Line {
            line: as_u32(line),
            column: (error.column() > 0).then_some(as_u32(error.column())),
        },
    };
    let message = error.to_string().to_lowercase();
    // The place already contains the line.
    let what = message.rsplit_once(" at line ").map_or(&*message, |m| m.0);
    let before = text.split_inclusive('\n').map(str::len);
    let line_start: usize = before.take(error.line().saturating_sub(1)).sum();
    // Columns count from 1; 0 means before the first character.
    let error_at = (line_start + error.column()).clamp(1, text.len().max(1)) - 1;
    let at = at.filter(|_| error.line() > 0);
    let bytes = at.map(|at| (at + error_at) as u64..(at + error_at + 1) as u64);
    match malformed_at(place, "json", what) {
        ReadError::Malformed(failure) => {
            ReadError::Malformed(Box::new(Failure { bytes, ..*failure }))
        }
        other => other,
    }
}

/// Rejects text whose many small objects would need far more memory than the file.
fn check_cost(text: &[u8], file_bytes: usize) -> Result<(), ReadError> {
    let (mut objects, mut elements) = (0, 0);
    for byte in text {
        objects += u64::from(*byte == b'{');
        elements += u64::from(*byte == b',');
    }
    let cost = objects * BYTES_PER_OBJECT + elements * BYTES_PER_ELEMENT;
    let allowed = file_bytes as u64 * MEMORY_FACTOR + MEMORY_ROOM_BYTES;
    if cost <= allowed {
        Ok(())
    } else {
        let what = format!("{objects} json objects need more memory than is allowed");
        Err(over_limit("json", what))
    }
}

/// Rejects glTF 1.0, whose JSON has objects with named members in place of today's arrays.
fn reject_gltf1(tree: &Value) -> Result<(), ReadError> {
    let version = tree.get("asset").and_then(|asset| asset.get("version"));
    let version = version.map(|version| match version {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let is_old = |version: &String| version.starts_with("1") || version.starts_with("0");
    let has_names = |key: &str| tree.get(key).is_some_and(Value::is_object);
    let is_named = version.as_ref().is_some_and(is_old);
    if !is_named && !["meshes", "accessors", "nodes"].into_iter().any(has_names) {
        return Ok(());
    }
    let version = version.filter(is_old).unwrap_or_else(|| "1.0".to_owned());
    Err(unsupported_version("asset", &version))
}

/// A channel without a node, and the text of its property path.
struct SkippedChannel {
    animation: usize,
    number: usize,
    path: String,
}

impl SkippedChannel {
    /// `channel 3 of clip 0`.
    fn name(&self) -> String {
        format!("channel {} of clip {}", self.number, self.animation)
    }
}

/// Channels without a node, which the crate's types can't represent.
#[derive(Default)]
struct SkippedChannels {
    material_channels: Vec<MaterialChannel>,
    /// Other channels with `KHR_animation_pointer`.
    pointers: Vec<SkippedChannel>,
    /// Channels without any target.
    untargeted: Vec<SkippedChannel>,
}

impl SkippedChannels {
    fn add(&mut self, animation: usize, number: usize, channel: &Value) {
        if let Some(channel) = pointer::material_channel(animation, number, channel) {
            self.material_channels.push(channel);
            return;
        }
        let target = channel.get("target").unwrap_or(&Value::Null);
        let path = target.get("path").and_then(Value::as_str).unwrap_or_default();
        let (list, path) = match pointer_of(target) {
            Some(pointer) => (&mut self.pointers, pointer),
            None => (&mut self.untargeted, path),
        };
        list.push(SkippedChannel { animation, number, path: shortened(path) });
    }

    fn report(&self, report: &Report) {
        report_pointers(&self.pointers, report);
        let Some(first) = self.untargeted.first() else { return };
        let num = self.untargeted.len() as u64;
        let place = Place::Clip(as_u32(first.animation));
        report.add_many(FindingKind::ChannelWithoutTarget, place, num, || {
            let channels = counted(num, "channel");
            let have = singular_or_plural(num, "has", "have");
            let (name, path) = (first.name(), &first.path);
            format!("{channels} {have} no target node; the first is {name} with the path {path:?}")
        });
    }
}

/// Reports the properties that channels with `KHR_animation_pointer` target.
fn report_pointers(pointers: &[SkippedChannel], report: &Report) {
    let Some(first) = pointers.first() else { return };
    let num = pointers.len() as u64;
    let place = Place::Clip(as_u32(first.animation));
    report.add_many(FindingKind::PropertyAnimation, place, num, || {
        let animate = singular_or_plural(num, "animates", "animate");
        let channels = counted(num, "channel");
        let shown = pointers.iter().take(MAX_SHOWN_POINTERS);
        let shown = shown.map(|channel| format!("{} ({})", channel.path, channel.name()));
        let shown = shown.collect::<Vec<_>>().join(", ");
        let more = match pointers.len().saturating_sub(MAX_SHOWN_POINTERS) {
            0 => String::new(),
            num => format!(" and {num} more"),
        };
        format!(
            "{channels} {animate} properties that aren't animated here ({ANIMATION_POINTER}): {shown}{more}"
        )
    });
}

/// Removes values that the crate's types can't represent and the reader doesn't need, and adds the
/// ones that they require. `channel_numbers` become the numbers in the file of the channels that remain.
fn repair(tree: &mut Value, channel_numbers: &mut Vec<Vec<usize>>) -> SkippedChannels {
    // Section 5.25: a scene's `nodes` may be absent.
    let scenes = tree.get_mut("scenes").and_then(Value::as_array_mut);
    for scene in scenes.into_iter().flatten().filter_map(Value::as_object_mut) {
        let nodes = scene.entry("nodes").or_insert(Value::Null);
        if nodes.is_null() {
            *nodes = Value::Array(Vec::new());
        }
    }
    *channel_numbers = pointer::resolve(tree);
    let mut skipped = SkippedChannels::default();
    let animations = tree.get_mut("animations").and_then(Value::as_array_mut);
    let animations = animations.into_iter().flatten().zip(channel_numbers).enumerate();
    for (at, (animation, numbers)) in animations {
        if let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) {
            let mut remaining = Vec::new();
            let mut of_channels = std::mem::take(numbers).into_iter();
            channels.retain(|channel| {
                let number = of_channels.next().unwrap_or_default();
                let node = channel.get("target").and_then(|target| target.get("node"));
                let has_node = node.is_some_and(|node| !node.is_null());
                if has_node {
                    remaining.push(number);
                } else {
                    skipped.add(at, number, channel);
                }
                has_node
            });
            *numbers = remaining;
        }
    }
    // An explicit stack, because the file controls the depth.
    let mut open = vec![tree];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                map.remove("extras");
                open.extend(map.values_mut());
            }
            Value::Array(list) => open.extend(list),
            _ => {}
        }
    }
    skipped
}

/// `meshes[].extras.targetNames`, a convention that the specification mentions (section 3.7.2.2).
fn target_names(tree: &Value) -> Vec<Vec<String>> {
    let names_of = |mesh: &Value| {
        let names = mesh.get("extras").and_then(|e| e.get("targetNames"));
        let names = names.and_then(Value::as_array).into_iter().flatten();
        names.map(|name| name.as_str().unwrap_or_default().to_owned()).collect()
    };
    let meshes = tree.get("meshes").and_then(Value::as_array);
    meshes.into_iter().flatten().map(names_of).collect()
}
