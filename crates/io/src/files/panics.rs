//! A fault of this program in one file must not take the others with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A fault of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error while {doing}: {message}")]
pub struct Panicked {
    /// What was being done.
    doing: String,
    /// What the panic says.
    message: String,
}

impl Panicked {
    /// What the panic says.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What stopped while `doing` what, by what is known of it.
    #[cfg(target_arch = "wasm32")]
    pub fn new(doing: &str, message: String) -> Self {
        Self { doing: doing.to_owned(), message }
    }
}

/// Runs `work`; a panic becomes an error that says while `doing` what.
pub fn guarded<T>(doing: &str, work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        Panicked {
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
        let result = guarded("reading", || -> u32 { panic!("index {} of {}", 7, 3) });
        assert_eq!(result.unwrap_err().to_string(), "internal error while reading: index 7 of 3");
        assert_eq!(guarded("reading", || 5), Ok(5));
    }
}
