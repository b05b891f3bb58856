//! What is found about one file, before anybody says what of it counts.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::input::{Input, InputError};
use super::kept::Kept;
use super::{codes, timings};
use rigscope_core::model::{Note, NoteKind, Place, Report};
use rigscope_core::validate::validate;
use rigscope_io::files::{FileSource, catch_panic};
use rigscope_io::formats::{FORMATS, ReadError};

/// All findings about a file.
#[derive(Default)]
pub(super) struct Judged {
    /// Id of its format; none where no format knows the bytes.
    pub(super) format: Option<&'static str>,
    /// What reading found, worst first.
    pub(super) of_reader: Vec<Note>,
    /// What rules found, worst first.
    pub(super) of_rules: Vec<Note>,
    /// Whether this program failed, which another run may not.
    is_faulty: bool,
}

/// Judges the file at `path`, by rules too if `judges` is set.
pub(super) fn judge(path: &Path, kept: &Kept<'_>, judges: bool) -> Judged {
    let _work = timings::begin("reading");
    let of_reader = timings::report();
    let make = |input: &Input, file: &FileSource| judged(input, file, &of_reader, judges);
    let write = |judged: &Judged| (!judged.is_faulty).then(|| judged.text()).flatten();
    let what = if judges { "validate" } else { "validate readers" };
    let judged = kept.of(path, what, &of_reader, make, Judged::of_text, write);
    judged.unwrap_or_else(|error| Judged::unreadable(Place::File, error.to_string()))
}

fn judged(input: &Input, file: &FileSource, of_reader: &Report, judges: bool) -> Judged {
    let of_rules = timings::report();
    // Neither readers nor rules panic; one that does after all must not take the other files with
    // it.
    let opened = catch_panic("judging", || {
        let document = input.read(file, of_reader)?;
        if judges {
            timings::at("judging");
            // Nobody cancels this report.
            let _ = validate(&document.model, &of_rules);
        }
        Ok(document.format.info().id)
    });
    let mut judged = match opened {
        Ok(Ok(format)) => Judged { format: Some(format), ..Judged::default() },
        Ok(Err(error)) => {
            let (format, place) = match &error {
                InputError::Read(error) => (format_of(error), error.place()),
                InputError::File(_) => (None, None),
            };
            let unreadable = Judged::unreadable(place.unwrap_or(Place::File), error.to_string());
            Judged { format, ..unreadable }
        }
        Err(fault) => {
            Judged { is_faulty: true, ..Judged::unreadable(Place::File, fault.to_string()) }
        }
    };
    judged.of_reader.extend(of_reader.notes());
    judged.of_rules = of_rules.notes();
    judged
}

fn format_of(error: &ReadError) -> Option<&'static str> {
    match error {
        ReadError::Malformed(failure)
        | ReadError::Unsupported(failure)
        | ReadError::Limit(failure) => Some(failure.format),
        ReadError::UnknownFormat { .. } | ReadError::Io(_) | ReadError::Cancelled => None,
    }
}

/// A file's findings as they are kept.
#[derive(Serialize, Deserialize)]
struct Text {
    format: Option<String>,
    of_reader: Vec<Row>,
    of_rules: Vec<Row>,
}

/// Code, place, message, count.
type Row = (String, String, String, u64);

impl Judged {
    /// Nothing but that the file cannot be read.
    pub(super) fn unreadable(place: Place, message: String) -> Self {
        let note = Note::new(NoteKind::Unreadable, place, message, 1);
        Self { of_reader: vec![note], ..Self::default() }
    }

    fn text(&self) -> Option<String> {
        let row = |note: &Note| {
            let (code, place) = (note.kind.code().to_owned(), note.place.to_string());
            (code, place, note.message.clone(), note.count)
        };
        let text = Text {
            format: self.format.map(str::to_owned),
            of_reader: self.of_reader.iter().map(row).collect(),
            of_rules: self.of_rules.iter().map(row).collect(),
        };
        serde_json::to_string(&text).ok()
    }

    fn of_text(text: &str) -> Option<Self> {
        let text: Text = serde_json::from_str(text).ok()?;
        let note = |(code, place, message, count): Row| {
            let (kind, place) = (codes::code(&code).ok()?, place.parse().ok()?);
            Some(Note::new(kind, place, message, count))
        };
        let notes = |rows: Vec<Row>| rows.into_iter().map(note).collect::<Option<Vec<_>>>();
        let format = match text.format {
            None => None,
            Some(id) => {
                let mut infos = FORMATS.iter().map(|format| format.info());
                Some(infos.find(|info| info.id == id)?.id)
            }
        };
        Some(Self {
            format,
            of_reader: notes(text.of_reader)?,
            of_rules: notes(text.of_rules)?,
            is_faulty: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_what_was_found() {
        let note = |kind, place, message: &str| Note::new(kind, place, message.to_owned(), 3);
        let judged = Judged {
            format: Some("bsm2"),
            of_reader: vec![note(
                NoteKind::ZeroNormal,
                Place::Vertex { mesh: 0, vertex: 4 },
                "a \"b\"\n",
            )],
            of_rules: vec![note(NoteKind::FlatHull, Place::File, "")],
            is_faulty: false,
        };
        let back = Judged::of_text(&judged.text().unwrap()).unwrap();
        assert_eq!(back.format, judged.format);
        assert_eq!(back.of_reader, judged.of_reader);
        assert_eq!(back.of_rules, judged.of_rules);
        assert!(Judged::of_text("{").is_none());
        let strange = judged.text().unwrap().replace("zero-normal", "zero-gravity");
        assert!(Judged::of_text(&strange).is_none(), "of another version");
    }
}
