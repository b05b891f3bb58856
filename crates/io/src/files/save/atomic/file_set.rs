//! Sets of files that belong together.

use std::fs::Metadata;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::lock::FolderLock;
use super::stale;
use super::target::{Target, write_into};
use super::temporary::{Renaming, Temporary};
use super::{Output, Refusal, SaveError};
use crate::files::{Inputs, disk, folder_of};

/// A file of a set that is being written.
struct PendingFile<'a> {
    output: &'a Output<'a>,
    /// The target path with links resolved.
    path: PathBuf,
    /// Metadata of the file to replace.
    old: Option<Metadata>,
    temporary: Option<Temporary<std::fs::File>>,
    aside: Option<Temporary<()>>,
    is_in_place: bool,
}

/// Writes files that belong together, each one atomically. The last one is the main file, which may name the
/// others and is written after them. Other files that exist already with the same bytes are left as they are.
/// Returns whether each file was written.
///
/// If only the main file is replaced and the others are new, as with files named by content hash, the set is
/// consistent at every moment. If others have to be replaced too, the old files are moved aside first.
/// Finally, files named by content hash that only the old main file referred to are removed.
///
/// # Errors
/// If one of the files may not be written or the system fails. The previous files are still there
/// then.
pub fn save_set(outputs: &[Output<'_>], inputs: &Inputs) -> Result<Vec<bool>, SaveError> {
    let Some((main, related_files)) = outputs.split_last() else { return Ok(Vec::new()) };
    let target = |output: &Output<'_>| Target::of(&output.path, output.may_replace, inputs);
    if let Target::Stream(path) = target(main)? {
        if !related_files.is_empty() {
            return Err(SaveError::new(&main.path, Refusal::Several));
        }
        write_into(&path, &mut |out| out.write_all(main.bytes))
            .map_err(|error| SaveError::io(&path, error))?;
        return Ok(vec![true]);
    }
    let folder = folder_of(&main.path);
    let lock = FolderLock::of(folder).map_err(|_| SaveError::new(&main.path, Refusal::Busy))?;
    let mut written = vec![false; outputs.len()];
    let mut files = Vec::with_capacity(outputs.len());
    for (number, output) in outputs.iter().enumerate() {
        if number < related_files.len() && output.is_there() {
            continue;
        }
        if let Some(written) = written.get_mut(number) {
            *written = true;
        }
        // Checked again: another process may have written here before the lock was taken.
        let Target::File { path, old } = target(output)? else {
            return Err(SaveError::new(&output.path, Refusal::NotAFile));
        };
        if number < related_files.len() && leads_outside(&output.path, &path, folder) {
            return Err(SaveError::new(&output.path, Refusal::Outside));
        }
        let mut bytes = |out: &mut (dyn Write + Send)| out.write_all(output.bytes);
        let temporary = Temporary::beside(&path, &mut bytes, old.as_ref());
        let temporary = temporary.map_err(|error| SaveError::io(&output.path, error))?;
        files.push(PendingFile {
            output,
            path,
            old,
            temporary: Some(temporary),
            aside: None,
            is_in_place: false,
        });
    }
    let replaced = (files.last()).is_some_and(|main| main.old.is_some());
    {
        // Dropped before `files`, whose destructors may remove files and take the lock of `LIVE`.
        let mut renaming = Renaming::begin();
        if let Err(error) = put_in_place(&mut files, &mut renaming) {
            put_back(&mut files, &mut renaming);
            return Err(error);
        }
    }
    for file in &files {
        let (bytes, path) = (file.output.bytes.len(), &file.output.path);
        tracing::debug!(bytes, path = %path.display(), "written");
    }
    if replaced {
        stale::remove(main, related_files);
    }
    drop(lock);
    Ok(written)
}

/// Whether `path` is a link whose end `resolved` isn't in `folder` or below. The user names only the main file, so a
/// link in place of another may be made by another user.
fn leads_outside(path: &Path, resolved: &Path, folder: &Path) -> bool {
    let (place, folder) = (disk::canonical(folder_of(resolved)), disk::canonical(folder));
    disk::is_link(path) && !place.is_ok_and(|place| folder.is_ok_and(|f| place.starts_with(f)))
}

/// Renames all temporary files to their targets.
fn put_in_place(files: &mut [PendingFile<'_>], renaming: &mut Renaming) -> Result<(), SaveError> {
    let related_files = files.split_last().map(|(_, related_files)| related_files);
    let steps_aside = related_files.is_some_and(|all| all.iter().any(|file| file.old.is_some()));
    if steps_aside {
        // The main file first, so that readers don't take the remaining files for a complete set.
        for file in files.iter_mut().rev().filter(|file| file.old.is_some()) {
            step();
            let aside = Temporary::aside(&file.path, renaming);
            file.aside = Some(aside.map_err(|error| SaveError::io(&file.output.path, error))?);
        }
    }
    for file in files.iter_mut() {
        step();
        let Some(temporary) = file.temporary.take() else { continue };
        temporary
            .rename(&file.path, file.output.may_replace, renaming)
            .map_err(|error| SaveError::io(&file.output.path, error))?;
        file.is_in_place = true;
    }
    for file in files.iter_mut() {
        step();
        if let Some(aside) = file.aside.take() {
            aside.remove(renaming);
        }
    }
    Ok(())
}

/// After a failure: removes the new files and restores the old ones.
fn put_back(files: &mut [PendingFile<'_>], renaming: &mut Renaming) {
    // The main file last, as when writing.
    for file in files.iter_mut() {
        let old = file.old.as_ref();
        match (file.aside.take(), old) {
            (Some(aside), Some(old)) => aside.back(&file.path, old, renaming),
            // Errors are ignored here; the caller reports the first one. A file replaced by a single rename
            // isn't restored.
            _ if file.is_in_place && old.is_none() => {
                let _ = std::fs::remove_file(&file.path);
            }
            _ => {}
        }
    }
}

/// Called before each rename. Tests make it panic to simulate a kill.
fn step() {
    #[cfg(test)]
    STEPS_LEFT.with(|cell| {
        let left = cell.get();
        assert_ne!(left, Some(0), "killed");
        cell.set(left.map(|left| left - 1));
    });
}

#[cfg(test)]
thread_local! {
    /// Renames left until the simulated kill in this thread.
    pub(super) static STEPS_LEFT: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}
