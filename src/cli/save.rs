//! Output files that appear whole or not at all.

use std::io::{ErrorKind, Write};
use std::path::Path;

use super::exit::at_path;
use crate::files::io_message;

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

/// Writes `bytes` to a file beside `path`, waits until they are on disk, and renames it.
///
/// Where that fails, what was at `path` before is still there, and nothing else is.
pub(crate) fn save(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => at_path(format!("cannot be written, {}", io_message(&error)), path),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rigscope-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file: temporary ones are private by default, and the rename would keep that.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder_of(path)).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    let persisted = match force {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    persisted.map_err(|error| failed(error.error))?;
    tracing::debug!(bytes = bytes.len(), path = %path.display(), "written");
    Ok(())
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
