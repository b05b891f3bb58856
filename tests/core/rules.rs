//! The rules of `validate` over real files: silent where files are well made, and known findings
//! where they are not.

use std::time::{Duration, Instant};

use rigscope::model::{Note, NoteGroup, NoteKind, Report, Severity};
use rigscope::validate::validate;

use crate::support::{open_file, readable_samples, samples};

/// What only the rules say about a sample, without what reading it said; the time they took.
fn findings(path: &std::path::Path) -> Option<(Vec<Note>, Duration)> {
    let model = open_file(path, &[], &Report::new()).ok()?;
    let report = Report::new();
    let start = Instant::now();
    validate(&model, &report).unwrap();
    Some((report.notes(), start.elapsed()))
}

#[test]
fn table() {
    for path in readable_samples() {
        let Some((notes, elapsed)) = findings(&path) else {
            continue;
        };
        println!("## {} {:?}", path.display(), elapsed);
        for note in notes {
            println!(
                "   {} {} {} x{} {}",
                note.severity().as_str(),
                note.kind.code(),
                note.place,
                note.count,
                note.message
            );
        }
    }
}
