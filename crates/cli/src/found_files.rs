//! Announces files that were read without being named, because clips or a skeleton from the same folder change
//! the result of a command.

use std::path::Path;

use super::output::Output;
use super::text::path;
use rigscope_core::model::{RelatedFileRole, RelatedFileUse, Severity, singular_or_plural};

/// More files of one role are only counted.
const MAX_NAMED: usize = 4;

/// Prints one line to stderr if such files were used for the file at `of`.
pub(super) fn announce(files: &[RelatedFileUse], of: &Path, output: &Output) {
    if let Some(text) = text(files) {
        output.report_at(Severity::Info, of, &text);
    }
}

/// The files that a search of the folder added, by role, and how to exclude them.
pub(super) fn text(files: &[RelatedFileUse]) -> Option<String> {
    let roles = [
        (RelatedFileRole::Skeleton, "skeleton", "skeletons"),
        (RelatedFileRole::Skin, "meshes", "meshes"),
        (RelatedFileRole::Mesh, "faces", "faces"),
        (RelatedFileRole::Animation, "animation", "animations"),
    ];
    let mut parts = Vec::new();
    let mut first = None;
    for (role, one, many) in roles {
        let is_added = |file: &&RelatedFileUse| file.is_used && file.is_found && file.role == role;
        let files: Vec<&RelatedFileUse> = files.iter().filter(is_added).collect();
        let Some(head) = files.first() else { continue };
        first = first.or(Some(head.file.as_str()));
        let named = files.iter().take(MAX_NAMED).map(|file| path(Path::new(&file.file)));
        let mut names: Vec<String> = named.collect();
        if files.len() > MAX_NAMED {
            names.push(format!("{} more", files.len() - MAX_NAMED));
        }
        let noun = singular_or_plural(files.len() as u64, one, many);
        parts.push(format!("{} ({noun})", names.join(", ")));
    }
    let first = path(Path::new(first?));
    Some(format!(
        "using {} from the same folder; --without {first} ignores it",
        parts.join(" and ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(file: &str, role: RelatedFileRole) -> RelatedFileUse {
        RelatedFileUse { is_found: true, ..RelatedFileUse::used(file, role, "fits") }
    }

    #[test]
    fn only_files_that_nobody_named_are_announced() {
        let named = RelatedFileUse::used("a.ozz", RelatedFileRole::Animation, "given by the user");
        assert_eq!(text(std::slice::from_ref(&named)), None);
        let files = [
            named,
            found("hero.skeleton.ozz", RelatedFileRole::Skeleton),
            found("hero.walk.ozz", RelatedFileRole::Animation),
            found("suit.png", RelatedFileRole::Texture),
        ];
        assert_eq!(
            text(&files).unwrap(),
            "using hero.skeleton.ozz (skeleton) and hero.walk.ozz (animation) from the same folder; \
             --without hero.skeleton.ozz ignores it"
        );
    }

    #[test]
    fn long_lists_are_shortened() {
        let files: Vec<_> = (0..6)
            .map(|number| found(&format!("{number}.ozz"), RelatedFileRole::Animation))
            .collect();
        assert_eq!(
            text(&files).unwrap(),
            "using 0.ozz, 1.ozz, 2.ozz, 3.ozz, 2 more (animations) from the same folder; --without 0.ozz \
             ignores it"
        );
    }
}
