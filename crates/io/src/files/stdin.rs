//! Standard input, which is read once and within the limits of a file.

use std::io::{Error, Read, Stdin};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::FileError;
use crate::formats::PROBE_WINDOW_BYTES;

static IS_TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether a path on the command line means standard input or output: it is `-`. A file of this name is `./-`.
#[must_use]
pub fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Standard input.
///
/// # Errors
/// If it was taken before: a second reader would find nothing.
pub fn stdin() -> Result<Stdin, FileError> {
    if IS_TAKEN.swap(true, Ordering::Relaxed) {
        return Err(Error::other("standard input can be read only once").into());
    }
    Ok(std::io::stdin())
}

/// The content of standard input, or only its beginning if `is_plausible` rejects that.
pub(crate) fn read_stdin(
    limit_bytes: u64,
    is_plausible: impl FnOnce(&[u8]) -> bool,
) -> Result<Vec<u8>, FileError> {
    read(stdin()?.lock(), limit_bytes, is_plausible)
}

fn read(
    mut stream: impl Read,
    limit_bytes: u64,
    is_plausible: impl FnOnce(&[u8]) -> bool,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    (&mut stream).take(PROBE_WINDOW_BYTES as u64).read_to_end(&mut bytes)?;
    if bytes.len() == PROBE_WINDOW_BYTES && is_plausible(&bytes) {
        let num_left = limit_bytes.saturating_sub(bytes.len() as u64);
        stream.take(num_left.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > limit_bytes {
        return Err(FileError::TooLarge { limit_bytes });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_read_up_to_the_limit_and_refused_by_its_beginning() {
        let limit = 20_000;
        let read = |num, is_model: bool| read(std::io::repeat(7).take(num), limit, |_| is_model);
        assert_eq!(read(20_000, true).unwrap().len(), 20_000);
        assert!(matches!(read(u64::MAX, true), Err(FileError::TooLarge { .. })));
        assert_eq!(read(u64::MAX, false).unwrap().len(), PROBE_WINDOW_BYTES);
        assert!(read(0, true).unwrap().is_empty());
    }
}
