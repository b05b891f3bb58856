//! What a window says about a file that could not be read: a sentence, and what is known about it below.

use crate::{BrokenFile, LoadFailure};
use rigscope_core::model::{Place, Report};
use rigscope_io::formats::{FileMap, ReadError, Source};

impl LoadFailure {
    /// Of `error`, with which `source` was refused; `report` gives up the spans that were read.
    #[must_use]
    pub fn of(error: &ReadError, source: &Source, report: &Report) -> Self {
        let facts = match error {
            ReadError::Cancelled => return Self::Cancelled,
            // There is nothing more to say.
            _ if source.content.is_empty() => Vec::new(),
            ReadError::Malformed(failure)
            | ReadError::Unsupported(failure)
            | ReadError::Limit(failure) => {
                let mut facts =
                    vec![("Found", failure.what.clone()), ("Format", failure.format.to_owned())];
                if failure.place != Place::File {
                    facts.push(("Where", failure.place.to_string()));
                }
                facts.push(("Field", failure.field.to_owned()));
                facts
            }
            ReadError::Io(_) => Vec::new(),
            ReadError::UnknownFormat { tried } => vec![("Formats tried", tried.clone())],
        };
        // Also a file that is written to meanwhile, which may be why it was refused.
        let whole = source.whole();
        let words = match &whole {
            Ok(bytes) => error.words(bytes),
            Err(unreadable) => unreadable.words(&[]),
        };
        let bytes = whole.unwrap_or_default();
        Self::Failed {
            message: error.to_string(),
            words,
            facts,
            file: Some(Box::new(BrokenFile {
                name: source.name.clone(),
                content: source.content.clone(),
                map: FileMap::of_failure(error, &bytes, report),
            })),
        }
    }
}
