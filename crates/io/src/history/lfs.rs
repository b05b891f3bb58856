//! Files in Git LFS: pointers in commits, and the objects of the local store.
//!
//! Invariant: an object is used only if it is a regular file with the size and the SHA-256 of its pointer. The store is
//! therefore only a place to look for content that the commit determines, wherever a `.git` file, `commondir` or a
//! link leads; `lfs.storage` of the configuration isn't read.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::HistoryError;
use crate::files::{FileError, Pipes, read_file};

/// The first line of a pointer.
const VERSION: &[u8] = b"version https://git-lfs.github.com/spec/v1";
/// Pointers are short; larger files aren't pointers. Source: the specification of Git LFS.
pub(super) const MAX_POINTER_BYTES: u64 = 1024;

/// The content that a pointer stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LfsPointer {
    /// SHA-256 in lower-case hexadecimal digits.
    oid: String,
    pub(super) size: u64,
}

impl LfsPointer {
    /// `None` for files that aren't pointers.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.len() as u64 > MAX_POINTER_BYTES || !bytes.starts_with(VERSION) {
            return None;
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let oid = field("oid sha256:")?;
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        let is_hash = oid.len() == 64 && oid.bytes().all(is_digit);
        let size = field("size ")?.parse().ok()?;
        is_hash.then(|| Self { oid: oid.to_owned(), size })
    }

    /// Whether `bytes` are the content.
    pub(super) fn names(&self, bytes: &[u8]) -> bool {
        let hex = |hash: &[u8]| hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        bytes.len() as u64 == self.size && self.oid == hex(&Sha256::digest(bytes))
    }

    /// The content, from the store in the Git folder.
    ///
    /// # Errors
    /// If it wasn't fetched, is larger than `limit_bytes`, or isn't the content.
    pub(super) fn content(
        &self,
        common_dir: &Path,
        limit_bytes: u64,
    ) -> Result<Vec<u8>, HistoryError> {
        if self.size > limit_bytes {
            return Err(HistoryError::TooLarge(limit_bytes));
        }
        let (first, second) =
            (self.oid.get(..2).unwrap_or_default(), self.oid.get(2..4).unwrap_or_default());
        let store = common_dir.join("lfs").join("objects");
        let path = store.join(first).join(second).join(&self.oid);
        let damaged = |why: &str| HistoryError::LfsDamaged(why.to_owned());
        let bytes = read_file(&path, self.size, Pipes::Refused, |_| Ok(()));
        match bytes {
            Ok(bytes) if self.names(&bytes) => Ok(bytes),
            Ok(bytes) if bytes.len() as u64 == self.size => Err(damaged("its SHA-256 differs")),
            Ok(_) | Err(FileError::TooLarge { .. }) => Err(damaged("its size differs")),
            Err(FileError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(HistoryError::InLfs)
            }
            Err(error) => Err(damaged(&error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_of_lfs_are_recognized() {
        let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
        let version = "version https://git-lfs.github.com/spec/v1";
        let pointer = |text: String| LfsPointer::parse(text.as_bytes());
        let found = pointer(format!("{version}\noid sha256:{oid}\nsize 12345\n"));
        assert_eq!(found, Some(LfsPointer { oid: oid.to_owned(), size: 12345 }));
        assert_eq!(pointer(format!("{version}\noid sha256:../../x\nsize 1\n")), None);
        assert_eq!(pointer(format!("{version}\noid sha256:{oid}\n")), None);
        assert_eq!(pointer("glTF".to_owned()), None);
    }
}
