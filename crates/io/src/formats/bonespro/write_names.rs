//! Names in written files: of bones in angle brackets, of clips in file names.

use std::collections::BTreeSet;

use crate::formats::rigged_model::RiggedModel;
use rigscope_core::model::{FindingKind, Place, Report, as_u32};

/// Maximum length of a clip's name in its file name, in characters.
const MAX_CHARS: usize = 80;

/// Bone names that can be written between angle brackets on one line.
pub(super) fn bone_names(rigged: &RiggedModel, report: &Report) -> Vec<String> {
    let clean = |(number, name): (usize, &String)| {
        let plain: String = name
            .chars()
            .map(|c| match c {
                '<' => '(',
                '>' => ')',
                c if c.is_control() => ' ',
                c => c,
            })
            .collect();
        let plain = plain.trim().to_owned();
        let is_other = u64::from(plain != *name);
        let place = Place::Bone(as_u32(number));
        report.add_many(FindingKind::ChangedName, place, is_other, || {
            format!("bone {name:?} is written as {plain:?}")
        });
        plain
    };
    let names = rigged.bones.iter().map(|bone| &bone.name);
    names.enumerate().map(clean).collect()
}

/// Existing file names in lower case.
#[derive(Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A unique name for the file of a clip that is valid on every file system.
    pub(super) fn clip(&mut self, name: &str, number: usize, report: &Report) -> String {
        let is_bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
        let plain: String =
            name.chars().take(MAX_CHARS).map(|c| if is_bad(c) { '_' } else { c }).collect();
        let plain = plain.trim_matches([' ', '.']);
        let base = if plain.is_empty() { format!("clip {number}") } else { plain.to_owned() };
        let mut free = base.clone();
        let mut copy = 2;
        while !self.0.insert(free.to_lowercase()) {
            free = format!("{base} {copy}");
            copy += 1;
        }
        let is_other = u64::from(free != name);
        let place = Place::Clip(as_u32(number));
        report.add_many(FindingKind::ChangedName, place, is_other, || {
            format!("clip {name:?} is renamed to {free:?} in its file name")
        });
        free
    }
}
