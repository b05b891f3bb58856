//! Files that state which bones are pairs.
//!
//! TOML or JSON: names of the file with the clips and their counterparts in the model, or `false` for bones without one,
//! in a table `bones` or at the top. Also bone maps of Godot (`.tres`), in which the names on the left are those of a
//! profile.
//!
//! Source of the latter: Godot 4, `BoneMap` (`bone_map/<profile bone name> = &"<skeleton bone name>"`).

use std::collections::HashSet;
use std::fmt::Formatter;

use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{RelatedFile, Source, extension_of, stem};
use crate::nearest::nearest;
use rigscope_core::model::{BoneId, Model};
use rigscope_core::rig::{BoneMap, BoneMapEntry, ResolvedMap};

/// The end of the name of a bone map, after the name of the model without its extension.
pub const BONE_MAP_SUFFIX: &str = ".bones.toml";
/// Larger files aren't bone maps.
pub const MAX_MAP_BYTES: u64 = 1 << 20;
/// At most so many names are listed in a message.
const MAX_NAMES: usize = 5;

/// A map and the name of its file, which is empty for one that isn't saved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedBoneMap {
    pub name: String,
    pub map: BoneMap,
}

/// Whether a file with this name is a bone map.
pub(crate) fn is_bone_map(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(BONE_MAP_SUFFIX) || name.ends_with(".bones.json")
}

/// The bone map next to a model, if there is one.
pub(crate) fn find_bone_map(source: &Source) -> Option<RelatedFile> {
    let name = format!("{}{BONE_MAP_SUFFIX}", stem(&source.name));
    source.look_up_within(&name, MAX_MAP_BYTES).ok()
}

/// Reads a bone map.
///
/// # Errors
/// Why it isn't one, with the line or the name.
pub fn parse_bone_map(name: &str, bytes: &[u8]) -> Result<BoneMap, String> {
    if bytes.len() as u64 > MAX_MAP_BYTES {
        return Err(format!("a bone map of {} bytes is too large", bytes.len()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "the file isn't valid UTF-8".to_owned())?;
    if extension_of(name) == "tres" || text.trim_start().starts_with("[gd_resource") {
        return godot(text);
    }
    let node: Node = if text.trim_start().starts_with('{') {
        serde_json::from_str(text).map_err(|error| error.to_string())?
    } else {
        toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.get(..start).unwrap_or_default().matches('\n').count();
            format!("line {line}: {}", error.message().replace('\n', ", "))
        })?
    };
    let Node::Table(mut rows) = node else { return Err(NO_TABLE.to_owned()) };
    if let Some(at) = rows.iter().position(|(name, _)| name == "bones") {
        match rows.swap_remove(at).1 {
            Node::Table(inner) => rows = inner,
            Node::Name(to) => rows.push(("bones".to_owned(), Node::Name(to))),
            _ => return Err(NO_TABLE.to_owned()),
        }
    }
    let mut entries: Vec<BoneMapEntry> = Vec::new();
    let mut names = HashSet::new();
    for (from, node) in rows {
        if !names.insert(from.clone()) {
            return Err(format!("{from:?} has two counterparts"));
        }
        let to = match node {
            Node::Name(name) => Some(name),
            Node::None => None,
            Node::Table(_) | Node::Other => {
                return Err(format!(
                    "the counterpart of {from:?} isn't a name; write a name, or false for a bone without a counterpart"
                ));
            }
        };
        entries.push(BoneMapEntry { from, to });
    }
    Ok(BoneMap { entries })
}

const NO_TABLE: &str = "a bone map is a table of names";

/// A value of a map. Repeated names of JSON are kept, so that they can be refused.
enum Node {
    Name(String),
    None,
    Table(Vec<(String, Self)>),
    Other,
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("a name, false or a table")
    }

    fn visit_str<E>(self, name: &str) -> Result<Node, E> {
        Ok(Node::Name(name.to_owned()))
    }

    fn visit_bool<E>(self, is_set: bool) -> Result<Node, E> {
        Ok(if is_set { Node::Other } else { Node::None })
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Node::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut rows: A) -> Result<Node, A::Error> {
        let mut table = Vec::new();
        while let Some(row) = rows.next_entry()? {
            table.push(row);
        }
        Ok(Node::Table(table))
    }
}

/// The lines `bone_map/Hips = &"pelvis"`; empty names are bones that the skeleton lacks.
fn godot(text: &str) -> Result<BoneMap, String> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(line) = line.trim().strip_prefix("bone_map/") else { continue };
        let name = |text: &str| {
            let text = text.trim();
            let text = text.strip_prefix('&').unwrap_or(text);
            text.strip_prefix('"')?.strip_suffix('"').map(str::to_owned)
        };
        let entry = line.split_once('=').and_then(|(from, to)| {
            Some(BoneMapEntry { from: from.trim().to_owned(), to: Some(name(to)?) })
        });
        let entry = entry.ok_or_else(|| format!("line {number}: not a bone of a bone map"))?;
        if entry.to.as_deref() != Some("") {
            entries.push(entry);
        }
    }
    if entries.is_empty() {
        return Err("the resource has no bones of a bone map".to_owned());
    }
    Ok(BoneMap { entries })
}

/// `map` with the entries of an older one for other bones.
pub fn merged_bone_map(map: &BoneMap, older: BoneMap) -> BoneMap {
    let is_other = |own: &BoneMapEntry| {
        let is_same = |entry: &BoneMapEntry| {
            entry.from == own.from || (entry.to.is_some() && entry.to == own.to)
        };
        !map.entries.iter().any(is_same)
    };
    let kept = older.entries.into_iter().filter(is_other);
    BoneMap { entries: kept.chain(map.entries.iter().cloned()).collect() }
}

/// A map as TOML.
pub fn bone_map_text(map: &BoneMap) -> String {
    // Strings of JSON are basic strings of TOML, too.
    let quoted =
        |text: &str| serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F");
    let mut text = "[bones]\n".to_owned();
    for BoneMapEntry { from, to } in &map.entries {
        let to = to.as_ref().map_or_else(|| "false".to_owned(), |name| quoted(name));
        text.push_str(&format!("{} = {to}\n", quoted(from)));
    }
    text
}

/// A sentence about a name that a model lacks.
pub(crate) fn missing_bone(name: &str, model: &Model, file: &str) -> String {
    let all = model.skeleton.bones().iter().map(|bone| bone.name.as_str());
    let hint = nearest(name, all).map(|near| format!("; did you mean {near:?}?"));
    format!("there is no bone {name:?} in {file}{}", hint.unwrap_or_default())
}

/// The pairs of a map for two models, and what is wrong with its other entries, as sentences without a full stop.
/// `files` are the names of the models. A map that `is_for_several` files may have names of others.
pub fn pairs_of_bone_map(
    map: &BoneMap,
    models: [&Model; 2],
    files: [&str; 2],
    is_for_several: bool,
) -> (Vec<(BoneId, Option<BoneId>)>, Vec<String>) {
    let mut resolved = map.resolve(models[0], models[1]);
    if is_for_several && !resolved.pairs.is_empty() {
        resolved.missing[0].clear();
    }
    let problems = bone_map_problems(&resolved, models, files);
    (resolved.pairs, problems)
}

/// What is wrong with the entries of a map, as sentences without a full stop. `files` are the names of the two models.
pub fn bone_map_problems(
    resolved: &ResolvedMap,
    models: [&Model; 2],
    files: [&str; 2],
) -> Vec<String> {
    let mut problems = Vec::new();
    for ((missing, model), file) in resolved.missing.iter().zip(models).zip(files) {
        for name in missing.iter().take(MAX_NAMES) {
            problems.push(missing_bone(name, model, file));
        }
        match missing.len().saturating_sub(MAX_NAMES) {
            0 => {}
            num => problems.push(format!("{num} further names aren't in {file}")),
        }
    }
    for [first, second, to] in resolved.doubles.iter().take(MAX_NAMES) {
        problems.push(format!("{first:?} and {second:?} both have the counterpart {to:?}"));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(from: &str, to: Option<&str>) -> BoneMapEntry {
        BoneMapEntry { from: from.to_owned(), to: to.map(str::to_owned) }
    }

    fn parse(text: &str) -> Result<BoneMap, String> {
        parse_bone_map("a.toml", text.as_bytes())
    }

    #[test]
    fn maps_are_toml_or_json() {
        let expected = BoneMap { entries: vec![entry("Hips", Some("pelvis")), entry("Tip", None)] };
        for text in [
            "[bones]\nHips = \"pelvis\"\nTip = false\n",
            "Hips = \"pelvis\"\nTip = false\n",
            "{\"Hips\": \"pelvis\", \"Tip\": null}",
            "{\"bones\": {\"Hips\": \"pelvis\", \"Tip\": false}}",
        ] {
            assert_eq!(parse(text).as_ref(), Ok(&expected), "{text}");
        }
        assert_eq!(parse(&bone_map_text(&expected)), Ok(expected));
    }

    #[test]
    fn names_survive_being_written() {
        let names = ["mixamorig:Hips", "Bip01 L \"Arm\"", "腕.L", "a\\b\n\u{1}", "="];
        let entries: Vec<_> = names.iter().map(|name| entry(name, Some(name))).collect();
        let mut read = parse(&bone_map_text(&BoneMap { entries: entries.clone() })).unwrap();
        read.entries.sort_by_key(|own| names.iter().position(|name| *name == own.from));
        assert_eq!(read.entries, entries);
    }

    #[test]
    fn maps_of_godot_are_read() {
        let text = "[gd_resource type=\"BoneMap\" load_steps=2 format=3]\n\n[resource]\n\
                    profile = SubResource(\"1\")\nbone_map/Root = &\"\"\nbone_map/Hips = &\"pelvis\"\n\
                    bone_map/LeftUpperArm = &\"upperarm_l\"\n";
        let expected =
            [entry("Hips", Some("pelvis")), entry("LeftUpperArm", Some("upperarm_l"))].to_vec();
        assert_eq!(parse(text).unwrap().entries, expected);
        assert!(parse("[gd_resource type=\"Mesh\"]\n").is_err());
        let wrong = "[gd_resource]\nbone_map/Hips = 3\n";
        assert_eq!(parse(wrong).unwrap_err(), "line 2: not a bone of a bone map");
    }

    #[test]
    fn a_map_with_a_mistake_names_it() {
        for (text, message) in [
            (
                "a = 3",
                "the counterpart of \"a\" isn't a name; write a name, or false for a bone without a counterpart",
            ),
            ("bones = 1", "a bone map is a table of names"),
            ("{\"a\": \"b\", \"a\": \"c\"}", "\"a\" has two counterparts"),
        ] {
            assert_eq!(parse(text).unwrap_err(), message);
        }
        assert!(parse("a = \"b\"\na = \"c\"").unwrap_err().contains("line 2"));
        assert_eq!(parse_bone_map("a.toml", &[0xff]).unwrap_err(), "the file isn't valid UTF-8");
    }
}
