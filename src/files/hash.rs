//! Hashes of contents: BLAKE3, as hexadecimal digits.

use std::path::Path;

/// The hash of `bytes`.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The same of a file, without holding it.
///
/// # Errors
/// When it cannot be read.
pub fn hash_of_file(path: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(std::fs::File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}
