//! Output files that appear whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::exit::at_path;
use crate::files::io_message;
use crate::formats::{OutputFile, OutputPlace};

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
    builder.prefix(".rigscope-").suffix(".tmp");
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
