//! The files that a run reads, so that none of them is overwritten.
//!
//! Not for: deciding whether an output may replace other files (`save`).

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{self, Metadata};

/// All files that are read: files that were named or found, also if they can't be parsed, related files taken by
/// readers, settings, lists and images. Clones share one list.
///
/// There is no default: an output needs the list of the run that makes it. An `Opener` adds the files that it reads,
/// and [`read_input`](super::read_input()) and [`read_settings`](super::read_settings()) those that are read directly.
#[derive(Clone, Debug)]
pub struct Inputs {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    ids: HashSet<FileId>,
    /// Paths, because another program may have replaced the file since.
    places: HashSet<PathBuf>,
}

/// Identity of a file, independent of its path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct FileId {
    /// Device and inode number.
    #[cfg(unix)]
    number: (u64, u64),
    /// Serial number of the volume, and number of the file on it.
    #[cfg(windows)]
    number: (u64, u64),
    /// Files in a browser have no links.
    #[cfg(not(any(unix, windows)))]
    place: PathBuf,
}

impl FileId {
    #[cfg(unix)]
    fn of(_: &Path, metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self { number: (metadata.dev(), metadata.ino()) })
    }

    #[cfg(windows)]
    fn of(path: &Path, _: &Metadata) -> Option<Self> {
        let file = winapi_util::Handle::from_path_any(path).ok()?;
        let found = winapi_util::file::information(&file).ok()?;
        Some(Self { number: (found.volume_serial_number(), found.file_index()) })
    }

    #[cfg(not(any(unix, windows)))]
    fn of(path: &Path, _: &Metadata) -> Option<Self> {
        let place = disk::canonical(path).ok()?;
        Some(Self { place })
    }
}

impl Inputs {
    /// For files of this program, such as settings and thumbnails, which no run reads as input.
    #[must_use]
    pub fn none() -> Self {
        Self { known: Arc::default() }
    }

    /// The files at `paths`.
    pub fn of<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let mut inputs = Self::none();
        inputs.extend(paths);
        inputs
    }

    /// Adds the file at `path` if it's a regular file. Writing into a pipe or a device destroys nothing.
    pub fn add(&self, path: &Path) {
        let metadata = disk::metadata(path).ok();
        if metadata.as_ref().is_some_and(|found| !found.is_file()) {
            return;
        }
        let id = metadata.and_then(|found| FileId::of(path, &found));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.ids.extend(id);
        known.places.insert(resolved_path(path));
    }

    /// Adds the inputs of `other`.
    pub fn add_all(&self, other: &Self) {
        if Arc::ptr_eq(&self.known, &other.known) {
            return;
        }
        let (ids, places) = {
            let other = other.known.lock().unwrap_or_else(PoisonError::into_inner);
            (other.ids.clone(), other.places.clone())
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.ids.extend(ids);
        known.places.extend(places);
    }

    /// The resolved paths of all inputs, sorted.
    pub fn paths(&self) -> Vec<PathBuf> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<PathBuf> = known.places.iter().cloned().collect();
        paths.sort();
        paths
    }

    /// Whether `path` leads to one of the inputs, by any name or link.
    pub fn holds(&self, path: &Path) -> bool {
        let id = disk::metadata(path).ok();
        let id = id.and_then(|found| FileId::of(path, &found));
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        id.is_some_and(|id| known.ids.contains(&id)) || known.places.contains(&resolved_path(path))
    }
}

impl<P: AsRef<Path>> Extend<P> for Inputs {
    fn extend<T: IntoIterator<Item = P>>(&mut self, paths: T) {
        for path in paths {
            self.add(path.as_ref());
        }
    }
}

/// A unique spelling of `path`, also if there is no such file.
pub fn resolved_path(path: &Path) -> PathBuf {
    if let Ok(place) = disk::canonical(path) {
        return place;
    }
    let folder = super::folder_of(path);
    // A folder that does not exist is reported later.
    let folder = disk::canonical(folder).unwrap_or_else(|_| folder.to_owned());
    folder.join(path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_recognized_through_links_and_alternative_paths() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("inner")).unwrap();
        for name in ["a", "other"] {
            std::fs::write(at(name), name).unwrap();
        }
        let inputs = Inputs::none();
        assert!(!inputs.holds(&at("a")));
        inputs.clone().add(&at("a"));
        let mut names = vec![at("a"), at("inner/../a")];
        std::fs::hard_link(at("a"), at("hard")).unwrap();
        names.push(at("hard"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../a", at("inner/soft")).unwrap();
            names.push(at("inner/soft"));
        }
        assert!(names.iter().all(|name| inputs.holds(name)), "{inputs:?}");
        assert!(!inputs.holds(&at("other")) && !inputs.holds(&at("new")));
    }

    #[test]
    fn an_input_path_stays_protected_after_the_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a"), "old").unwrap();
        let inputs = Inputs::of([at("a"), at("gone")]);
        std::fs::write(at("new"), "new").unwrap();
        std::fs::rename(at("new"), at("a")).unwrap();
        assert!(inputs.holds(&at("a")) && inputs.holds(&at("gone")));
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_not_inputs() {
        let inputs = Inputs::of(["/dev/null"]);
        assert!(!inputs.holds(Path::new("/dev/null")));
    }
}
