//! Turns panics into errors, so that an internal error in one file doesn't stop the work on others.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error while {doing}: {message}")]
pub struct PanicError {
    /// The interrupted activity: "reading".
    doing: String,
    message: String,
}

impl PanicError {
    pub fn message(&self) -> &str {
        &self.message
    }

    /// An error for a job that ended without a result.
    #[cfg(target_arch = "wasm32")]
    pub fn new(doing: &str, message: String) -> Self {
        Self { doing: doing.to_owned(), message }
    }
}

/// Runs `work` and turns a panic into an error that names the activity (`doing`).
pub fn catch_panic<T>(doing: &str, work: impl FnOnce() -> T) -> Result<T, PanicError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        PanicError {
            doing: doing.to_owned(),
            message: text.unwrap_or_else(|| "no message".to_owned()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let result = catch_panic("reading", || -> u32 { panic!("index {} of {}", 7, 3) });
        assert_eq!(result.unwrap_err().to_string(), "internal error while reading: index 7 of 3");
        assert_eq!(catch_panic("reading", || 5), Ok(5));
    }
}
