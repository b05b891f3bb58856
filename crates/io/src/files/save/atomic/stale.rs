//! Removes files named by content hash that a replaced main file referred to and that nothing refers to now.
//!
//! Only files written by this program are removed: the name has to contain the hash of the bytes. If checking
//! whether other files refer to them would take too long, they stay.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Output;
use crate::files::{Pipes, folder_of, read_file};
use crate::formats::{NAMING_EXTENSIONS, digits_of, has_digits};

/// Maximum number of neighbouring files searched for references …
const MAX_FILES: usize = 100;
/// … and their total size, with the files that may be removed.
const MAX_BYTES: u64 = 256 << 20;
/// Extension of a file that names others, in addition to [`NAMING_EXTENSIONS`].
const LIBRARY: &str = "mtl";

/// A file that the old main file may have referred to.
struct Candidate {
    path: PathBuf,
    digits: String,
}

/// Removes unreferenced files of the set that `main` has replaced.
pub(super) fn remove(main: &Output<'_>, related_files: &[Output<'_>]) {
    if !is_naming(&main.path, &NAMING_EXTENSIONS) {
        return;
    }
    // As in the names of the files that a writer adds.
    let stem = main.path.file_stem().unwrap_or_default().to_string_lossy();
    let Ok(entries) = std::fs::read_dir(folder_of(&main.path)) else { return };
    let kept: HashSet<&Path> = related_files.iter().map(|one| one.path.as_path()).collect();
    let kept: HashSet<_> = kept.iter().filter_map(|path| path.file_name()).collect();
    let (mut candidates, mut naming) = (Vec::new(), Vec::new());
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let digits = name.to_str().and_then(|name| digits_of(name, &stem));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        match digits.filter(|_| is_file && !kept.contains(name.as_os_str())) {
            Some(digits) => candidates.push(Candidate { digits: digits.to_owned(), path }),
            None if is_naming(&path, &NAMING_EXTENSIONS) || is_naming(&path, &[LIBRARY]) => {
                naming.push(path);
            }
            None => {}
        }
    }
    let mut bytes_left = MAX_BYTES;
    let mut read = |path: &Path| {
        let bytes = read_file(path, bytes_left, Pipes::Refused, |_| Ok(())).ok()?;
        bytes_left -= bytes.len() as u64;
        Some(bytes)
    };
    candidates.retain(|one| read(&one.path).is_some_and(|bytes| has_digits(&bytes, &one.digits)));
    if candidates.is_empty() || naming.len() > MAX_FILES {
        return;
    }
    for path in naming {
        // A file that can't be read or would take too long may refer to any of them.
        let Some(bytes) = read(&path) else { return };
        // A path can be spelled in many ways, but the digits only in one.
        candidates.retain(|one| !holds(&bytes, one.digits.as_bytes()));
    }
    for one in candidates {
        let removed = std::fs::remove_file(&one.path);
        tracing::debug!(path = %one.path.display(), ok = removed.is_ok(), "removed an unreferenced file");
    }
}

fn is_naming(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|own| extensions.iter().any(|one| own.eq_ignore_ascii_case(one)))
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}
