//! A fault of this program in one file must not take the others with it.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`; a panic becomes a message that says while `doing` what.
pub(crate) fn guarded<T>(doing: &str, work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".to_owned());
        format!("internal error while {doing}: {text}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        let result = guarded("reading", || -> u32 { panic!("index {} of {}", 7, 3) });
        assert_eq!(
            result,
            Err("internal error while reading: index 7 of 3".to_owned())
        );
        assert_eq!(guarded("reading", || 5), Ok(5));
    }
}
