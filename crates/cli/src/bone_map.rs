//! Files that state which bones are pairs.
//!
//! TOML or JSON: names of one file with those of the other, or `false` for bones without a counterpart, in a table
//! `bones` or at the top.

use std::collections::HashMap;
use std::path::Path;

use super::exit::at_path;
use super::suggestions::nearest;
use rigscope_core::model::{BoneId, Model, plain_name};
use rigscope_io::files::{Inputs, path_text, read_settings};
use serde_json::Value;

/// The entries of a map, in its order.
#[derive(Debug, PartialEq)]
pub(super) struct BoneMap(Vec<(String, Option<String>)>);

impl BoneMap {
    pub(super) fn read(path: &Path, inputs: &Inputs) -> anyhow::Result<Self> {
        let text = read_settings(path, inputs).map_err(|error| at_path(error, path))?;
        Self::parse(&text).map_err(|error| at_path(error, path))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let value: Value = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| error.to_string())?
        } else {
            toml::from_str(text).map_err(|error| {
                let start = error.span().map_or(0, |span| span.start);
                let line = 1 + text.get(..start).unwrap_or_default().matches('\n').count();
                format!("line {line}: {}", error.message().replace('\n', ", "))
            })?
        };
        let table = value.get("bones").unwrap_or(&value);
        let Value::Object(entries) = table else {
            return Err("a bone map is a table of names".to_owned());
        };
        let mut map: Vec<(String, Option<String>)> = Vec::new();
        for (from, to) in entries {
            let to = match to {
                Value::String(name) => Some(name.clone()),
                Value::Bool(false) | Value::Null => None,
                other => {
                    return Err(format!(
                        "the counterpart of {from:?} is {other}; write a name, or false for a bone without a counterpart"
                    ));
                }
            };
            if let Some(name) = &to
                && let Some((other, _)) = map.iter().find(|(_, own)| own.as_ref() == Some(name))
            {
                return Err(format!("{other:?} and {from:?} both have the counterpart {name:?}"));
            }
            map.push((from.clone(), to));
        }
        Ok(Self(map))
    }

    /// The entries as bones of two models, which were read from `files`.
    pub(super) fn pairs(
        &self,
        path: &Path,
        models: [&Model; 2],
        files: [&Path; 2],
    ) -> anyhow::Result<Vec<(BoneId, Option<BoneId>)>> {
        let names = models.map(names);
        let find = |side: usize, name: &str| {
            let found = names[side].get(name).or_else(|| names[side].get(&plain_name(name)));
            found.copied().ok_or_else(|| {
                let all = models[side].skeleton.bones().iter().map(|bone| bone.name.as_str());
                let hint = nearest(name, all).map(|near| format!("; did you mean {near:?}?"));
                let file = path_text(files[side]);
                at_path(
                    format!("there is no bone {name:?} in {file}{}", hint.unwrap_or_default()),
                    path,
                )
            })
        };
        let pair = |(from, to): &(String, Option<String>)| {
            Ok((find(0, from)?, to.as_ref().map(|to| find(1, to)).transpose()?))
        };
        self.0.iter().map(pair).collect()
    }
}

/// The bones by name, and by name without case and namespace.
fn names(model: &Model) -> HashMap<String, BoneId> {
    let bones = || model.skeleton.bones().iter_enumerated();
    let mut all: HashMap<String, BoneId> = HashMap::new();
    for (id, bone) in bones() {
        all.entry(bone.name.clone()).or_insert(id);
    }
    for (id, bone) in bones() {
        all.entry(plain_name(&bone.name)).or_insert(id);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(from: &str, to: Option<&str>) -> (String, Option<String>) {
        (from.to_owned(), to.map(str::to_owned))
    }

    #[test]
    fn maps_are_toml_or_json() {
        let expected = BoneMap(vec![entry("Hips", Some("pelvis")), entry("Tip", None)]);
        for text in [
            "[bones]\nHips = \"pelvis\"\nTip = false\n",
            "Hips = \"pelvis\"\nTip = false\n",
            "{\"Hips\": \"pelvis\", \"Tip\": null}",
            "{\"bones\": {\"Hips\": \"pelvis\", \"Tip\": false}}",
        ] {
            assert_eq!(BoneMap::parse(text).as_ref(), Ok(&expected), "{text}");
        }
    }

    #[test]
    fn a_map_with_a_mistake_names_it() {
        for (text, message) in [
            ("a = \"c\"\nb = \"c\"", "\"a\" and \"b\" both have the counterpart \"c\""),
            (
                "a = 3",
                "the counterpart of \"a\" is 3; write a name, or false for a bone without a counterpart",
            ),
            ("bones = 1", "a bone map is a table of names"),
        ] {
            assert_eq!(BoneMap::parse(text).unwrap_err(), message);
        }
        assert!(BoneMap::parse("a = \"b\"\na = \"c\"").unwrap_err().contains("line 2"));
    }
}
