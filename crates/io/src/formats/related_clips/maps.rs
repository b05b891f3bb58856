//! The bone maps for supplied animations.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::{
    NamedBoneMap, ReadOptions, RelatedFile, Source, bone_map_problems, find_bone_map, is_bone_map,
    missing_bone, parse_bone_map,
};
use rigscope_core::model::{
    BoneId, FindingKind, Model, Place, RelatedFileRole, RelatedFileUse, Report,
};

/// At most so many problems are in the message of the finding.
const MAX_PROBLEMS: usize = 10;

/// The maps, and the problems of their entries so far.
#[derive(Default)]
pub(super) struct GivenMaps {
    maps: Vec<NamedBoneMap>,
    /// For each map, the names that no animation has so far, with messages; `None` before the first animation.
    missing: Vec<Option<BTreeMap<String, String>>>,
    problems: BTreeSet<String>,
}

impl GivenMaps {
    /// The maps of the options; otherwise those among the supplied files, or the one next to the model.
    pub(super) fn of(source: &Source, options: &ReadOptions, report: &Report) -> Self {
        let mut maps = Vec::new();
        let given = source.related_files.iter().filter(|file| is_bone_map(&file.name));
        for file in given {
            let how = "given by the user";
            report.related_file(add(&mut maps, source, file, how, report));
        }
        let has_animations = source.related_files.iter().any(|file| !is_bone_map(&file.name));
        if !options.bone_maps.is_empty() {
            maps.clone_from(&options.bone_maps);
        } else if maps.is_empty()
            // Only animations that the user supplies need one.
            && has_animations
            && let Some(file) = find_bone_map(source)
        {
            let how = "is next to the model and has its name";
            let file = add(&mut maps, source, &file, how, report);
            report.related_file(RelatedFileUse { is_found: true, ..file });
        }
        if !options.bone_pairs.entries.is_empty() {
            // The first pair of a bone applies.
            let map = options.bone_pairs.clone();
            maps.insert(0, NamedBoneMap { name: String::new(), map });
        }
        Self { missing: vec![None; maps.len()], maps, problems: BTreeSet::new() }
    }

    /// The pairs that the maps state for the bones of an animation. `files` are the names of both files.
    pub(super) fn pairs(
        &mut self,
        animation: &Model,
        model: &Model,
        files: [&str; 2],
    ) -> Vec<(BoneId, Option<BoneId>)> {
        let mut all: Vec<(BoneId, Option<BoneId>)> = Vec::new();
        for (named, missing) in self.maps.iter().zip(&mut self.missing) {
            let mut resolved = named.map.resolve(animation, model);
            // A map may be for several animations, which have different names.
            let own = std::mem::take(&mut resolved.missing[0]);
            *missing = Some(match missing.take() {
                Some(known) => {
                    let both = known.into_keys().filter(|name| own.contains(name));
                    both.map(|name| (name.clone(), format!("no animation has a bone {name:?}")))
                        .collect()
                }
                None => {
                    let text = |name: &String| missing_bone(name, animation, files[0]);
                    own.iter().map(|name| (name.clone(), text(name))).collect()
                }
            });
            let problems = bone_map_problems(&resolved, [animation, model], files);
            self.problems.extend(problems.into_iter().map(|problem| with_name(named, &problem)));
            all.append(&mut resolved.pairs);
        }
        all
    }

    /// Reports entries that no animation could use.
    pub(super) fn report(self, report: &Report) {
        let Self { maps, missing, mut problems } = self;
        for (named, missing) in maps.iter().zip(missing) {
            let texts = missing.into_iter().flatten().take(MAX_PROBLEMS);
            problems.extend(texts.map(|(_, text)| with_name(named, &text)));
        }
        let num = problems.len() as u64;
        report.add_many(FindingKind::BoneMapEntryUnused, Place::File, num, || {
            problems.into_iter().take(MAX_PROBLEMS).collect::<Vec<_>>().join("; ")
        });
    }
}

/// Adds the map in a file.
fn add(
    maps: &mut Vec<NamedBoneMap>,
    source: &Source,
    file: &RelatedFile,
    how: &str,
    report: &Report,
) -> RelatedFileUse {
    let RelatedFile { name, bytes } = file;
    source.mark_used(name);
    let role = RelatedFileRole::BoneMap;
    match parse_bone_map(name, bytes) {
        Ok(map) => {
            maps.push(NamedBoneMap { name: name.clone(), map });
            RelatedFileUse::used(name, role, how)
        }
        Err(why) => {
            let message = format!("{name} is not used: {why}");
            report.add(FindingKind::RelatedFileLeftOut, Place::File, message);
            RelatedFileUse::unused(name, role, why)
        }
    }
}

fn with_name(named: &NamedBoneMap, problem: &str) -> String {
    let name = if named.name.is_empty() { "bone map" } else { &named.name };
    format!("{name}: {problem}")
}
