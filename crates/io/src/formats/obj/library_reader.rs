//! Reads the material libraries of a file.
//!
//! A `newmtl` without a name starts a material that no face can use: its statements, and those before the
//! first material, are left out and reported.

use std::collections::BTreeSet;

use super::definitions::Definitions;
use super::statements::{Statement, Statements};
use crate::formats::text::{decode, line_and_column};
use crate::formats::{Absence, ReadError, RelatedFile, Source};
use rigscope_core::model::{
    FindingKind, Place, RelatedFileRole, RelatedFileUse, Report, counted, singular_or_plural,
};

/// Maximum number of material libraries; real files have one. Each is searched for among all files.
const MAX_LIBRARIES: usize = 64;
/// A larger library isn't read.
const MAX_ONE_LIBRARY_BYTES: u64 = 256 << 20;
/// No more libraries are read when their total size exceeds this number of bytes.
const MAX_LIBRARY_BYTES: usize = 16 << 20;

/// Adds the materials of all libraries in `named`, the arguments of `mtllib` statements, each once. Returns the
/// size of the libraries in bytes.
pub(super) fn read_libraries(
    named: &[String],
    source: &Source,
    materials: &mut Definitions,
    report: &Report,
) -> Result<usize, ReadError> {
    let mut num_bytes = 0;
    let mut missing = Vec::new();
    let mut files = BTreeSet::new();
    for line in named.iter().take(MAX_LIBRARIES) {
        if num_bytes >= MAX_LIBRARY_BYTES {
            break;
        }
        report.progress("reading materials", 0.0)?;
        let role = RelatedFileRole::Material;
        let libraries = match find(line, source) {
            Ok(found) => found,
            Err(absence) => {
                report.related_file(match &absence {
                    Absence::NotFound => {
                        RelatedFileUse::missing(line, role, "referenced by mtllib")
                    }
                    Absence::Unreadable(_) => {
                        RelatedFileUse::unused(line, role, absence.to_string())
                    }
                });
                missing.push(format!("{line} {absence}"));
                Vec::new()
            }
        };
        for file in libraries {
            report.related_file(RelatedFileUse::used(&file.name, role, "referenced by mtllib"));
            let is_new = files.insert(file.name.clone());
            if is_new && num_bytes < MAX_LIBRARY_BYTES {
                num_bytes += file.bytes.len();
                add(&file, materials, report);
            }
        }
    }
    let num = missing.len() as u64;
    report.add_many(FindingKind::MissingRelatedFile, Place::File, num, || missing.join("; "));
    let num_left_out = named.len().saturating_sub(MAX_LIBRARIES) as u64;
    let kind = FindingKind::Dropped;
    report.add_many(kind, Place::File, num_left_out, || {
        let lines = counted(num_left_out, "line");
        let are = singular_or_plural(num_left_out, "is", "are");
        format!("{lines} with material libraries {are} left out; {MAX_LIBRARIES} are read")
    });
    Ok(num_bytes)
}

/// The files that a line refers to, at least one. A name may contain spaces or be in quotes, and according to
/// the format a line may also contain several names.
fn find(line: &str, source: &Source) -> Result<Vec<RelatedFile>, Absence> {
    let unquoted = line.trim_matches('"');
    let mut names = [line, unquoted].into_iter();
    let whole = names.find_map(|name| match source.look_up_within(name, MAX_ONE_LIBRARY_BYTES) {
        Err(Absence::NotFound) => None,
        found => Some(found),
    });
    if let Some(found) = whole {
        return found.map(|file| vec![file]);
    }
    let mut files = Vec::new();
    for name in line.split_whitespace().take(MAX_LIBRARIES) {
        match source.look_up_within(name.trim_matches('"'), MAX_ONE_LIBRARY_BYTES) {
            Ok(file) => files.push(file),
            Err(Absence::NotFound) => {}
            Err(absence) => return Err(absence),
        }
    }
    if files.is_empty() { Err(Absence::NotFound) } else { Ok(files) }
}

/// Adds the materials of a library that have names.
fn add(file: &RelatedFile, materials: &mut Definitions, report: &Report) {
    let text = decode(&file.bytes);
    let text = text.as_bytes();
    let (mut statements, mut statement) = (Statements::of(text), Statement::default());
    let mut is_named = false;
    let mut num_left_out = 0;
    let mut first = None;
    while statements.next(&mut statement, |_| true) {
        let Some(word) = statement.word(text, 0).filter(|word| !word.starts_with(b"#")) else {
            continue;
        };
        if word == b"newmtl" {
            is_named = statement.words.len() > 1;
            if is_named {
                materials.begin(statement.name(text));
            }
        } else if is_named {
            materials.add(word, &statement, text);
        }
        if is_named {
            continue;
        }
        let at = statement.words.first().map_or(0, |word| word.start);
        first.get_or_insert_with(|| line_and_column(text, at));
        num_left_out += 1;
    }
    let place = first.unwrap_or(Place::File);
    // The place refers to another file.
    report.add_many(FindingKind::UnnamedMaterial, Place::File, num_left_out, || {
        format!("{}, {place}: the statement belongs to no material with a name", file.name)
    });
}
