//! Which files a list of paths means.

use std::collections::HashSet;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use rigscope_io::files::io_message;
use rigscope_io::formats::{PROBE_WINDOW_BYTES, is_looked_for};

/// What paths turned out to mean.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Files to read, sorted, each once.
    pub(super) files: Vec<PathBuf>,
    /// Paths that do not exist.
    pub(super) missing: Vec<PathBuf>,
    /// Folders that cannot be listed, and why.
    pub(super) closed: Vec<(PathBuf, String)>,
    /// Named folders without any file of a known format.
    pub(super) empty: Vec<PathBuf>,
}

/// Files named are taken as they are; folders are searched for files whose extension is that of a
/// format that can be read, and whose content is too where the extension is a common one. Links are followed, and no folder is entered twice.
pub(super) fn find(paths: &[PathBuf]) -> Found {
    let mut found = Found::default();
    let mut entered = HashSet::new();
    for path in paths {
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = (found.files.len(), found.closed.len());
                search(path, &mut entered, &mut found);
                if before == (found.files.len(), found.closed.len()) {
                    found.empty.push(path.clone());
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => found.missing.push(path.clone()),
            // What else is wrong shows when it is read.
            _ => found.files.push(path.clone()),
        }
    }
    found.files.sort();
    found.files.dedup();
    found
}

fn search(root: &Path, entered: &mut HashSet<PathBuf>, found: &mut Found) {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::canonicalize(&folder).and_then(|real| {
            // Entered before: through a link, or named twice.
            match entered.insert(real) {
                true => std::fs::read_dir(&folder).map(Some),
                false => Ok(None),
            }
        });
        let entries = match entries {
            Ok(Some(entries)) => entries,
            Ok(None) => continue,
            Err(error) => {
                found.closed.push((folder, io_message(&error)));
                continue;
            }
        };
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let path = entry.path();
                    if path.is_dir() {
                        folders.push(path);
                    } else if is_known(&path) {
                        found.files.push(path);
                    }
                }
                Err(error) => {
                    found.closed.push((folder.clone(), io_message(&error)));
                    break;
                }
            }
        }
    }
}

fn is_known(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| is_looked_for(name, || front(path)))
}

/// As much of the front of a file as formats are told by.
fn front(path: &Path) -> Option<Vec<u8>> {
    // Pipes and devices may never give a byte.
    if !path.is_file() {
        return None;
    }
    let mut front = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(PROBE_WINDOW_BYTES as u64).read_to_end(&mut front).ok()?;
    Some(front)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_give_known_files_and_named_files_are_taken_as_they_are() {
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
        let found = find(&paths);
        assert_eq!(
            found.files,
            [at("b.BSM2"), at("deep/er/a.bsm2"), at("deep/walk.txt"), at("readme.txt")]
        );
        assert_eq!(found.missing, [at("none")]);
        assert_eq!(found.empty, [at("empty")]);
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_back_end_the_search() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).unwrap();
        std::fs::write(at("inner/a.bsm2"), b"").unwrap();
        std::os::unix::fs::symlink(folder.path(), at("inner/back")).unwrap();
        std::os::unix::fs::symlink(at("self.bsm2"), at("self.bsm2")).unwrap();
        let found = find(&[folder.path().to_owned()]);
        assert_eq!(found.files, [at("inner/a.bsm2"), at("self.bsm2")]);
    }
}
