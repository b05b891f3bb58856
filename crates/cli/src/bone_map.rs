//! The pairs of bones that the user states for two files.

use std::path::Path;

use super::exit::at_path;
use super::output::Output;
use rigscope_core::model::{BoneId, Model, Severity};
use rigscope_io::OpenOptions;
use rigscope_io::files::{Inputs, path_text};
use rigscope_io::formats::bone_map_problems;
use rigscope_io::open::{bone_map_near, read_bone_map};

/// The pairs of the maps that the options name, or of the one next to the second file. `models` were read from `files`.
pub(super) fn given(
    options: &OpenOptions,
    models: [&Model; 2],
    files: [&Path; 2],
    inputs: &Inputs,
    output: &Output,
) -> anyhow::Result<Vec<(BoneId, Option<BoneId>)>> {
    let names = files.map(path_text);
    let names = [&*names[0], &*names[1]];
    let mut all = Vec::new();
    for path in &options.bone_map {
        let map = read_bone_map(path, inputs).map_err(|error| at_path(error, path))?;
        let resolved = map.resolve(models[0], models[1]);
        if let Some(problem) = bone_map_problems(&resolved, models, names).first() {
            return Err(at_path(problem, path));
        }
        all.extend(resolved.pairs);
    }
    if options.bone_map.is_empty()
        && let Some(path) = bone_map_near(files[1])
    {
        let map = read_bone_map(&path, inputs).map_err(|error| at_path(error, &path))?;
        let mut resolved = map.resolve(models[0], models[1]);
        // It may be for several files with other names.
        if !resolved.pairs.is_empty() {
            resolved.missing[0].clear();
        }
        for problem in bone_map_problems(&resolved, models, names) {
            output.report_at(Severity::Warning, &path, &problem);
        }
        all.extend(resolved.pairs);
    }
    Ok(all)
}
