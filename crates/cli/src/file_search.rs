//! Expands the paths on the command line into files.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rigscope_io::files::{
    ExternalReaders, FileError, io_message, is_standard_stream, name_of, read_file_range,
};
use rigscope_io::formats::{PROBE_WINDOW_BYTES, is_model_file};

/// The result of [`find`].
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FileSearch {
    /// Files to read, sorted and without duplicates.
    pub(super) files: Vec<PathBuf>,
    /// Paths that do not exist.
    pub(super) missing: Vec<PathBuf>,
    /// Folders that cannot be listed, and pipes and devices in folders, with the error.
    pub(super) unlistable: Vec<(PathBuf, String)>,
    /// Folders on the command line without a file of a known format.
    pub(super) empty: Vec<PathBuf>,
}

/// Takes files as they are, and searches folders for files with the extension of a readable format; if the extension
/// is a common one, the content must match too. Files of `readers` are found as well. Follows links, and enters no
/// folder twice.
pub(super) fn find(paths: &[PathBuf], readers: &ExternalReaders) -> FileSearch {
    let mut found = FileSearch::default();
    let mut entered = HashSet::new();
    for path in paths {
        if is_standard_stream(path) {
            found.files.push(path.clone());
            continue;
        }
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = (found.files.len(), found.unlistable.len());
                search(path, readers, &mut entered, &mut found);
                if before == (found.files.len(), found.unlistable.len()) {
                    found.empty.push(path.clone());
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => found.missing.push(path.clone()),
            // Other errors show up when the file is read.
            _ => found.files.push(path.clone()),
        }
    }
    found.files.sort();
    found.files.dedup();
    found
}

fn search(
    root: &Path,
    readers: &ExternalReaders,
    entered: &mut HashSet<PathBuf>,
    found: &mut FileSearch,
) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        // Already entered: through a link, or because it was given twice. Not every system resolves very long paths.
        let real = std::fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone());
        let entries =
            if entered.insert(real) { std::fs::read_dir(&folder).map(Some) } else { Ok(None) };
        let entries = match entries {
            Ok(Some(entries)) => entries,
            Ok(None) => continue,
            Err(error) => {
                found.unlistable.push((folder, io_message(&error)));
                continue;
            }
        };
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let path = entry.path();
                    if path.is_dir() {
                        folders.push(path);
                    } else if is_known(&path, readers) {
                        // Only a pipe that the user names is waited for. Other errors show up when the file is read.
                        let is_special = path.metadata().is_ok_and(|found| !found.is_file());
                        if is_special {
                            found.unlistable.push((path, FileError::NotAFile.to_string()));
                        } else {
                            found.files.push(path);
                        }
                    }
                }
                Err(error) => {
                    found.unlistable.push((folder.clone(), io_message(&error)));
                    break;
                }
            }
        }
    }
}

fn is_known(path: &Path, readers: &ExternalReaders) -> bool {
    let name = name_of(path);
    let front = || first_bytes(path);
    is_model_file(&name, front) || readers.reads(&name, front)
}

/// The first bytes of a file, as many as format detection needs.
fn first_bytes(path: &Path) -> Option<Vec<u8>> {
    const WINDOW: u64 = PROBE_WINDOW_BYTES as u64;
    read_file_range(path, 0..WINDOW, WINDOW).ok().map(|(bytes, _)| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_searched_and_explicit_files_are_always_included() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("deep/er")).unwrap();
        for name in ["b.BSM2", "deep/er/a.bsm2", "readme.txt", "deep/notes.txt"] {
            std::fs::write(at(name), b"").unwrap();
        }
        let export = "1\n0\n1\nBones\nAbsolute\nMatrix\n";
        std::fs::write(at("deep/walk.txt"), export).unwrap();
        std::fs::create_dir(at("empty")).unwrap();
        let paths = [at("readme.txt"), at("b.BSM2"), at("none"), at("empty"), at("")];
        let found = find(&paths, &ExternalReaders::default());
        assert_eq!(
            found.files,
            [at("b.BSM2"), at("deep/er/a.bsm2"), at("deep/walk.txt"), at("readme.txt")]
        );
        assert_eq!(found.missing, [at("none")]);
        assert_eq!(found.empty, [at("empty")]);
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_in_folders_are_reported_and_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", at("device.glb")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("pipe.bsm2")).status();
        assert!(made.unwrap().success());
        let found = find(&[folder.path().to_owned()], &ExternalReaders::default());
        assert!(found.files.is_empty() && found.empty.is_empty());
        assert_eq!(found.unlistable.len(), 2);
        // A pipe that the user names is one on purpose.
        assert_eq!(find(&[at("pipe.bsm2")], &ExternalReaders::default()).files.len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn symlink_loops_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).unwrap();
        std::fs::write(at("inner/a.bsm2"), b"").unwrap();
        std::os::unix::fs::symlink(folder.path(), at("inner/back")).unwrap();
        std::os::unix::fs::symlink(at("self.bsm2"), at("self.bsm2")).unwrap();
        let found = find(&[folder.path().to_owned()], &ExternalReaders::default());
        assert_eq!(found.files, [at("inner/a.bsm2"), at("self.bsm2")]);
    }
}
