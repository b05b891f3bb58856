//! Exit codes, and their mapping from errors.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rigscope_io::files::path_text;

/// Exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: done, with findings.
    Findings,
    /// 2: an input could not be read, an output could not be written, or the arguments are wrong.
    BadInput,
    /// 3: there is no usable GPU.
    NoGpu,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Findings => 1,
            Exit::BadInput => 2,
            Exit::NoGpu => 3,
        })
    }
}

/// There is no usable GPU; the text is the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoGpu(pub String);

/// The reader of stdout has closed it. This isn't a failure.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("standard output was closed")]
pub(super) struct ClosedPipe;

impl Exit {
    /// The exit code for `error`.
    pub fn of(error: &anyhow::Error) -> Self {
        if error.is::<ClosedPipe>() {
            Self::Done
        } else if error.is::<NoGpu>() {
            Self::NoGpu
        } else {
            Self::BadInput
        }
    }
}

/// An error that concerns a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", path_text(path))]
pub(super) struct PathError {
    pub(super) path: PathBuf,
    pub(super) message: String,
}

/// An error that concerns a file.
pub(super) fn at_path(message: impl std::fmt::Display, path: &Path) -> anyhow::Error {
    PathError { path: path.to_owned(), message: message.to_string() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_pipe_is_success_and_a_missing_gpu_has_its_own_code() {
        assert_eq!(Exit::of(&ClosedPipe.into()), Exit::Done);
        assert_eq!(Exit::of(&NoGpu("none".into()).into()), Exit::NoGpu);
        assert_eq!(Exit::of(&anyhow::anyhow!("bad")), Exit::BadInput);
    }
}
