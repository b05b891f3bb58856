//! The message for a file that couldn't be read: a sentence, with details below.

use crate::{BrokenFile, JobError, LoadFailure};
use rigscope_core::model::{Place, Report};
use rigscope_io::formats::{FileMap, ReadError, Source, may_be_model};

impl LoadFailure {
    /// Describes why a job ended without reading the file.
    pub(crate) fn of_job(error: JobError) -> Self {
        match error {
            JobError::Cancelled => Self::Cancelled,
            JobError::Failed(message) => Self::Failed {
                words: format!("The file can't be read: {message}."),
                message,
                facts: Vec::new(),
                file: None,
            },
        }
    }

    /// Describes `error`, which rejected `source`; `report` contains the spans that were read.
    #[must_use]
    pub fn of(error: &ReadError, source: &Source, report: &Report) -> Self {
        let facts = match error {
            ReadError::Cancelled => return Self::Cancelled,
            // An empty file has no details.
            _ if source.content.is_empty() => Vec::new(),
            ReadError::Malformed(failure)
            | ReadError::Unsupported(failure)
            | ReadError::Limit(failure) => {
                let mut facts =
                    vec![("Found", failure.what.clone()), ("Format", failure.format.to_owned())];
                if failure.place != Place::File {
                    facts.push(("Place", failure.place.to_string()));
                }
                facts.push(("Field", failure.field.to_owned()));
                facts
            }
            ReadError::Io(_) | ReadError::Empty => Vec::new(),
            ReadError::UnknownFormat { advice } => {
                advice.iter().map(|advice| ("Advice", (*advice).to_owned())).collect()
            }
        };
        // If the file is still being written, reading it again may fail too, which may explain the
        // error.
        let is_known = may_be_model(&source.content.probe_input(), &source.extension());
        let whole =
            if is_known { source.whole() } else { Ok(source.content.front().to_vec().into()) };
        let words = match &whole {
            Ok(bytes) => error.user_message(bytes),
            Err(unreadable) => unreadable.user_message(&[]),
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
