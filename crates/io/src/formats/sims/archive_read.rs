//! Opens the first displayable entry of an archive.
//!
//! In order of preference: a suit, a skin, a skeleton, a skill. The other entries are its surrounding files.

use std::sync::Arc;

use super::character_file::{CharacterFile, Suit};
use super::far::{self, Archive};
use super::library::{Library, has_extension};
use super::read::ModelReader;
use super::{BCF_ID, BMF_ID, parse};
use crate::formats::{Failure, Folder, ReadError, ReadOptions, Source};
use rigscope_core::model::{Detail, FindingKind, Model, Place, Report};

/// Maximum number of character files examined.
const MAX_LOOKS: usize = 1024;
/// Extensions with their labels in the details.
const COUNTED: [(&str, &str); 6] = [
    ("bmf", "bmf entries"),
    ("skn", "skn entries"),
    ("bcf", "bcf entries"),
    ("cmx", "cmx entries"),
    ("cfp", "cfp entries"),
    ("bmp", "bmp entries"),
];

/// The displayed entry.
enum Entry {
    Character(CharacterFile),
    Skin,
}

pub(super) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &Report,
) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let archive = Archive::open(&source.name, bytes, &options.limits, report)?;
    // Offsets in an entry are relative to its beginning.
    report.close_spans();
    let (path, shown) = choose(&archive, options, report)?;
    report.add(
        FindingKind::PartShown,
        Place::File,
        format!("{path} is shown, one of {} entries", archive.paths().len()),
    );
    let mut details = vec![("shown entry", Detail::Text(path.clone()))];
    let num = i64::try_from(archive.paths().len()).unwrap_or(i64::MAX);
    details.push(("entries", Detail::Int(num)));
    for (extension, name) in COUNTED {
        let paths = archive.paths().iter();
        let num = paths.filter(|path| has_extension(path, extension)).count();
        let num = i64::try_from(num).unwrap_or(i64::MAX);
        if num > 0 {
            details.push((name, Detail::Int(num)));
        }
    }
    let mut library = Library::new(source, options, report);
    let archive = Arc::new(archive);
    library.add_archive(Arc::clone(&archive));
    let figure = |format| ModelReader { format, library, options, report };
    let mut model = match shown {
        Entry::Character(file) => figure(BCF_ID).of_character(file, None)?,
        Entry::Skin => {
            let bytes = archive.bytes(&path).unwrap_or_default();
            let skin = if has_extension(&path, "bmf") {
                parse::bmf(bytes, options, report)?
            } else {
                parse::skn(bytes, options, report)?
            };
            figure(BMF_ID).of_skin(&path, skin, None)?
        }
    };
    model.provenance = report.take_provenance();
    details.append(&mut model.details);
    model.details = details;
    Ok(model)
}

fn choose(
    archive: &Archive,
    options: &ReadOptions,
    report: &Report,
) -> Result<(String, Entry), ReadError> {
    let paths = archive.paths().iter();
    let is_character = |path: &&String| has_extension(path, "bcf") || has_extension(path, "cmx");
    let (mut skeleton, mut skill) = (None, None);
    for path in paths.clone().filter(is_character).take(MAX_LOOKS) {
        report.progress("looking into the archive", 0.1)?;
        let bytes = archive.bytes(path).unwrap_or_default();
        let Ok(file) = parse::character(bytes, options, &report.quiet()) else { continue };
        let is_worn = |suit: &Suit| suit.kind != Suit::CENSOR && !suit.skins.is_empty();
        if file.suits.iter().any(is_worn) {
            return Ok((path.clone(), Entry::Character(file)));
        }
        if skeleton.is_none() && !file.skeletons.is_empty() {
            skeleton = Some((path.clone(), Entry::Character(file)));
        } else if skill.is_none() && !file.skills.is_empty() {
            skill = Some((path.clone(), Entry::Character(file)));
        }
    }
    let mut skins = paths.filter(|path| has_extension(path, "bmf") || has_extension(path, "skn"));
    let skin = skins.next().map(|path| (path.clone(), Entry::Skin));
    skin.or(skeleton).or(skill).ok_or_else(|| {
        let num = archive.paths().len();
        let what = format!("none of {num} entries is a suit, a skin, a skeleton or a skill");
        ReadError::Unsupported(Box::new(Failure::new(far::ID, "entries", Place::File, what)))
    })
}
