//! The pairs of bones that the user states for two files.

use std::path::Path;

use super::exit::at_path;
use super::output::Output;
use rigscope_core::model::{BoneId, Model, Severity};
use rigscope_io::OpenOptions;
use rigscope_io::files::{Inputs, path_text};
use rigscope_io::formats::pairs_of_bone_map;
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
        let (pairs, problems) = pairs_of_bone_map(&map, models, names, false);
        if let Some(problem) = problems.first() {
            return Err(at_path(problem, path));
        }
        all.extend(pairs);
    }
    if options.bone_map.is_empty()
        && let Some(path) = bone_map_near(files[1])
    {
        let map = read_bone_map(&path, inputs).map_err(|error| at_path(error, &path))?;
        let (pairs, problems) = pairs_of_bone_map(&map, models, names, true);
        for problem in problems {
            output.report_at(Severity::Warning, &path, &problem);
        }
        all.extend(pairs);
    }
    Ok(all)
}
