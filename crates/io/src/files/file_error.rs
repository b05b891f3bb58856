//! Why a file can't be read, and whether pipes are files.

use rigscope_core::model::Cancelled;

/// Whether a pipe may be read. A pipe ends only when its writer closes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipes {
    /// Read to the end, for example `<(…)` of a shell on the command line.
    Allowed,
    /// Refused like devices.
    Refused,
}

/// Why the bytes of a file can't be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system reports an error.
    #[error("{}", io_message(.0))]
    Io(#[from] std::io::Error),
    /// The path is a folder.
    #[error("this is a folder, not a file")]
    Folder,
    /// The path is a device or something else that may never end.
    #[error("this is not a regular file")]
    NotAFile,
    /// The file is too large.
    #[error("the file is larger than the limit of {limit_bytes} bytes")]
    TooLarge { limit_bytes: u64 },
    /// The program that reads the format fails.
    #[error("{0}")]
    Reader(Box<dyn std::error::Error + Send + Sync>),
    #[error("cancelled")]
    Cancelled,
}

impl FileError {
    /// The error for a function that can only report errors of the system.
    pub(crate) fn into_io(self) -> std::io::Error {
        match self {
            Self::Io(error) => error,
            other => std::io::Error::other(other),
        }
    }
}

impl From<Cancelled> for FileError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// An operating system error as one lower-case phrase, without its number. Frequent ones read the same on every system.
#[must_use]
pub fn io_message(error: &std::io::Error) -> String {
    if is_lock_error(error) {
        return "another program is writing this file or doesn't share it; wait until it has finished, or close the \
                file there"
            .to_owned();
    }
    let is_of_system = error.raw_os_error().is_some();
    match error.kind() {
        std::io::ErrorKind::NotFound if is_of_system => return "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied if is_of_system => {
            return "permission denied".to_owned();
        }
        _ => {}
    }
    let text = error.to_string();
    // Windows ends its messages with a full stop.
    let phrase = text.split(" (os error").next().unwrap_or_default().trim_end_matches('.');
    let mut chars = phrase.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => "unknown error".to_owned(),
    }
}

/// Whether a file can't be opened because another program has it open, which happens only on Windows.
#[must_use]
pub fn is_lock_error(error: &std::io::Error) -> bool {
    /// Source: System Error Codes, `ERROR_SHARING_VIOLATION` and `ERROR_LOCK_VIOLATION`.
    const VIOLATIONS: [i32; 2] = [32, 33];
    cfg!(windows) && error.raw_os_error().is_some_and(|code| VIOLATIONS.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn os_errors_are_lower_case_without_an_error_code() {
        let error = std::fs::read("does/not/exist").unwrap_err();
        let message = FileError::from(error).to_string();
        assert!(!message.contains("os error") && !message.contains('('));
        assert!(message.starts_with(char::is_lowercase), "{message}");
    }
}
