//! Output files that appear whole or not at all.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::exit::at_path;
use crate::files::io_message;
use crate::formats::{OutputFile, OutputPlace};

/// What temporary files are called; a few random letters lie between.
const TEMPORARY: (&str, &str) = (".rigscope-", ".tmp");
/// Random letters in the name of a temporary file.
const NUM_RANDOM: usize = 6;
/// A temporary file lives for the moment that a save takes: one that was last written so long ago
/// was left by a process that was killed.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// Folders that were looked through for leftovers: once each, however many files go there.
static SWEPT: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);

/// Refuses early what [`save`] would refuse after all the work.
pub(super) fn check_target(path: &Path, force: bool) -> anyhow::Result<()> {
    if path.is_dir() {
        return Err(at_path("is a folder", path));
    }
    // A dangling link counts: it is something that would be lost.
    if !force && path.symlink_metadata().is_ok() {
        return Err(exists(path));
    }
    if !folder_of(path).is_dir() {
        return Err(at_path("the folder to write to does not exist", path));
    }
    Ok(())
}

/// Whether both paths lead to the same file, by whatever name; false where either does not exist.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    let (Ok(of_a), Ok(of_b)) = (std::fs::metadata(a), std::fs::metadata(b)) else {
        return false;
    };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        (of_a.dev(), of_a.ino()) == (of_b.dev(), of_b.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = (of_a, of_b);
        matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
    }
}

/// Where the files of a conversion go whose main one goes to `main`: with their bytes, the main one
/// last, so that where it is, all that it names is. Those that are there already with equal bytes
/// are left out.
///
/// `force_main` and `force` say whether the main file and the others may be written over.
pub(crate) fn output_paths<'a>(
    files: &'a [(String, OutputFile)],
    main: &Path,
    inputs: &[&Path],
    force_main: bool,
    force: bool,
) -> anyhow::Result<Vec<(PathBuf, &'a [u8])>> {
    let mut paths = Vec::with_capacity(files.len());
    for (name, file) in files {
        let is_main = file.place == OutputPlace::Main;
        let path = match is_main {
            true => main.to_owned(),
            false => folder_of(main).join(name),
        };
        let is_there = || std::fs::read(&path).is_ok_and(|bytes| bytes == file.bytes);
        if !is_main && is_there() {
            continue;
        }
        if inputs.iter().any(|input| is_same_file(input, &path)) {
            return Err(at_path("is an input, which is never written over", &path));
        }
        check_target(&path, if is_main { force_main } else { force })?;
        paths.push((path, &file.bytes[..]));
    }
    let main_first = usize::from(paths.first().is_some_and(|(path, _)| path == main));
    paths.rotate_left(main_first);
    Ok(paths)
}

/// Writes `bytes` to a file beside `path`, waits until they are on disk, and renames it.
///
/// Where that fails, what was at `path` before is still there, and nothing else is.
pub(crate) fn save(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    save_all(&[(path.to_owned(), bytes)], force)
}

/// Writes all files beside their paths, waits until they are on disk, and renames them in order.
///
/// Where writing fails, nothing has changed. Each file is whole at every moment. Where a rename
/// fails, new files before it are removed again; with `force`, those before it stay replaced.
pub(crate) fn save_all(files: &[(PathBuf, &[u8])], force: bool) -> anyhow::Result<()> {
    let mut written = Vec::with_capacity(files.len());
    for (path, bytes) in files {
        sweep_once(folder_of(path));
        written.push(write_beside(path, bytes).map_err(|error| failed(path, &error))?);
    }
    for (number, (file, (path, bytes))) in written.into_iter().zip(files).enumerate() {
        let persisted = match force {
            true => file.persist(path),
            false => file.persist_noclobber(path),
        };
        if let Err(error) = persisted {
            for (new, _) in files.iter().take(number).filter(|_| !force) {
                // The first fault is the one to tell.
                let _ = std::fs::remove_file(new);
            }
            return Err(failed(path, &error.error));
        }
        tracing::debug!(bytes = bytes.len(), path = %path.display(), "written");
    }
    Ok(())
}

fn failed(path: &Path, error: &std::io::Error) -> anyhow::Error {
    match error.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => at_path(format!("cannot be written, {}", io_message(error)), path),
    }
}

fn write_beside(path: &Path, bytes: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let (prefix, suffix) = TEMPORARY;
    builder.prefix(prefix).suffix(suffix).rand_bytes(NUM_RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: temporary ones are private by default, and the rename would keep that.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Removes what saves that were killed have left in `folder`, the first time that it is written to.
fn sweep_once(folder: &Path) {
    let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if swept.get_or_insert_default().insert(folder.to_owned()) {
        drop(swept);
        sweep(folder, LEFTOVER_AGE);
    }
}

/// Removes temporary files of this program that were last written `age` ago or earlier. What cannot
/// be looked at or removed stays: it is in nobody's way.
fn sweep(folder: &Path, age: Duration) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten().filter(|e| is_temporary(&e.file_name())) {
        // Of the entry itself: a link is none of ours.
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        let written = metadata.modified().ok();
        let is_old = written
            .and_then(|at| at.elapsed().ok())
            .is_some_and(|old| old >= age);
        if metadata.is_file() && is_old && std::fs::remove_file(entry.path()).is_ok() {
            tracing::debug!(path = %entry.path().display(), "left by a killed save, removed");
        }
    }
}

fn is_temporary(name: &OsStr) -> bool {
    let (prefix, suffix) = TEMPORARY;
    let random = name
        .to_str()
        .and_then(|name| name.strip_prefix(prefix)?.strip_suffix(suffix));
    random.is_some_and(|random| {
        random.len() == NUM_RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn exists(path: &Path) -> anyhow::Error {
    at_path("exists already, --force overwrites it", path)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_is_only_replaced_when_forced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        save(&path, b"first", false).unwrap();
        let error = save(&path, b"second", false).unwrap_err().to_string();
        assert!(error.contains("--force"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        save(&path, b"third", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"third");
        assert_eq!(entries(folder.path()), 1, "nothing is left beside it");
    }

    #[test]
    fn a_failed_rename_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("inside"), b"kept").unwrap();
        assert!(save(&path, b"x", true).is_err());
        assert!(check_target(&path, true).is_err());
        assert_eq!(entries(folder.path()), 1);
        assert_eq!(std::fs::read(path.join("inside")).unwrap(), b"kept");
    }

    #[test]
    fn only_old_temporary_files_of_this_program_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, age: Duration| {
            let path = folder.path().join(name);
            let file = std::fs::File::create(&path).unwrap();
            let written = std::time::SystemTime::now() - age;
            file.set_modified(written).unwrap();
            path
        };
        let old = LEFTOVER_AGE + Duration::from_secs(60);
        let left = file(".rigscope-aB3xYz.tmp", old);
        let kept = [
            file(".rigscope-aB3xYy.tmp", Duration::ZERO),
            file(".rigscope-mine.txt.tmp", old),
            file(".rigscope-.tmp", old),
            file("model.tmp", old),
        ];
        save(&folder.path().join("out"), b"x", false).unwrap();
        assert!(!left.exists());
        assert!(kept.iter().all(|path| path.exists()));
        let later = file(".rigscope-000000.tmp", old);
        save(&folder.path().join("other"), b"x", false).unwrap();
        assert!(later.exists(), "a folder is looked through once");
        assert!(!is_temporary(OsStr::new(".rigscope-a/3xYz.tmp")));
    }

    #[test]
    fn what_a_save_makes_is_known_as_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let made = write_beside(&folder.path().join("out"), b"x").unwrap();
        assert!(is_temporary(made.path().file_name().unwrap()));
    }

    #[cfg(unix)]
    #[test]
    fn an_output_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |name: &str| {
            let metadata = folder.path().join(name).metadata().unwrap();
            metadata.permissions().mode()
        };
        save(&folder.path().join("ours"), b"x", false).unwrap();
        std::fs::write(folder.path().join("any"), b"x").unwrap();
        assert_eq!(mode("ours"), mode("any"));
    }
}
