//! Patterns of names.

use glob::Pattern;

use super::{ProjectFile, report_all};
use crate::model::{FindingKind, Place, Report, as_u32, numbered};

/// A part whose name has patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedPart {
    Bones,
    Materials,
    Clips,
    Files,
}

impl NamedPart {
    /// All parts.
    pub const ALL: [Self; 4] = [Self::Bones, Self::Materials, Self::Clips, Self::Files];

    /// Name in `rigscope.toml`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::Materials => "materials",
            Self::Clips => "clips",
            Self::Files => "files",
        }
    }
}

/// Patterns with `*`, `?` and `[a-z]`; a name must match one of its list. An empty list allows all names.
#[derive(Clone, Debug, Default)]
pub struct NamePatterns {
    pub bones: Vec<Pattern>,
    pub materials: Vec<Pattern>,
    pub clips: Vec<Pattern>,
    /// For the name of the file, without folders.
    pub files: Vec<Pattern>,
}

impl NamePatterns {
    /// The list of a part.
    pub fn of(&mut self, part: NamedPart) -> &mut Vec<Pattern> {
        match part {
            NamedPart::Bones => &mut self.bones,
            NamedPart::Materials => &mut self.materials,
            NamedPart::Clips => &mut self.clips,
            NamedPart::Files => &mut self.files,
        }
    }

    /// Whether all names are allowed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        [&self.bones, &self.materials, &self.clips, &self.files].iter().all(|list| list.is_empty())
    }

    pub(super) fn check(&self, file: ProjectFile<'_>, report: &Report) {
        let model = file.model;
        let bones = model.skeleton.bones().iter().filter(|bone| !bone.is_helper());
        let bones = bones.map(|bone| &*bone.name);
        let mut found = Vec::new();
        found.extend(check_list(&self.bones, "bone", bones, Place::Bone));
        let materials = model.materials.iter().map(|material| &*material.name);
        found.extend(check_list(&self.materials, "material", materials, Place::Material));
        let clips = model.clips.iter().map(|clip| &*clip.name);
        found.extend(check_list(&self.clips, "clip", clips, Place::Clip));
        if !self.files.is_empty() && !matches(&self.files, file.name) {
            let list = list(&self.files);
            let message =
                format!("the file name {:?} matches none of the patterns {list}", file.name);
            found.push((Place::File, message, 1));
        }
        report_all(FindingKind::NameNotAllowed, found, report);
    }
}

fn check_list<'a>(
    patterns: &[Pattern],
    noun: &str,
    names: impl Iterator<Item = &'a str>,
    place: fn(u32) -> Place,
) -> Option<(Place, String, u64)> {
    if patterns.is_empty() {
        return None;
    }
    let mut bad = names.enumerate().filter(|(_, name)| !matches(patterns, name));
    let (first, name) = bad.next()?;
    let num = 1 + bad.count() as u64;
    let place = place(as_u32(first));
    let subject = numbered(noun, first, name);
    Some((place, format!("{subject} matches none of the patterns {}", list(patterns)), num))
}

fn matches(patterns: &[Pattern], name: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(name))
}

fn list(patterns: &[Pattern]) -> String {
    patterns.iter().map(Pattern::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::ModelBuilder;

    #[test]
    fn names_that_match_no_pattern_are_reported() {
        let model = ModelBuilder::new().chain(&["Bip01", "Bip01 Spine", "Bone.003"]).build();
        let file = ProjectFile { model: &model, name: "Hero.glb", num_bytes: 0 };
        let pattern = |text: &str| Pattern::new(text).unwrap();
        let names = NamePatterns {
            bones: vec![pattern("Bip01*"), pattern("socket_*")],
            files: vec![pattern("[a-z]*")],
            ..NamePatterns::default()
        };
        let report = Report::new();
        names.check(file, &report);
        let findings: Vec<_> =
            report.findings().into_iter().map(|finding| (finding.place, finding.message)).collect();
        assert_eq!(
            findings,
            [(
                Place::Bone(2),
                "bone 2 \"Bone.003\" matches none of the patterns Bip01*, socket_*, the file name \"Hero.glb\" matches \
                 none of the patterns [a-z]*"
                    .to_owned()
            )]
        );
    }
}
