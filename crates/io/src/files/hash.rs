//! BLAKE3 hashes as hexadecimal digits.

use std::path::Path;

use super::{FileError, Pipes, disk};
use crate::formats::Content;

#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// The first half of [`hash`], which still tells all files apart.
#[must_use]
pub fn short_hash(bytes: &[u8]) -> String {
    let mut digits = hash(bytes);
    digits.truncate(32);
    digits
}

/// Hash of paths, which contain no zeros.
pub(super) fn hash_of_names<T: AsRef<str>>(names: &[T]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    short_hash(names.join("\0").as_bytes())
}

/// The hash of a file's content, read chunk by chunk.
///
/// # Errors
/// If it can't be read.
pub fn hash_of_content(content: &Content) -> std::io::Result<String> {
    const PIECE_BYTES: u64 = 4 << 20;
    let mut hasher = blake3::Hasher::new();
    let mut at = 0;
    while at < content.len() {
        let end = content.len().min(at + PIECE_BYTES);
        hasher.update(&content.part(at..end)?);
        at = end;
    }
    Ok(hasher.finalize().to_hex().to_string())
}

/// The hash of a file, without loading it into memory.
///
/// # Errors
/// If it can't be read.
pub fn hash_of_file(path: &Path) -> std::io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    let (file, _) = disk::open(path, Pipes::Refused).map_err(FileError::into_io)?;
    hasher.update_reader(file)?;
    Ok(hasher.finalize().to_hex().to_string())
}
