//! Files that belong together.

use std::fs::Metadata;
use std::io::Write;
use std::path::PathBuf;

use super::lock::FolderLock;
use super::stale;
use super::target::{Target, write_into};
use super::temporary::{Renaming, Temporary};
use super::{Output, Refusal, SaveError};
use crate::files::{Inputs, folder_of};

/// A file on its way.
struct Part<'a> {
    output: &'a Output<'a>,
    /// Where it really goes.
    path: PathBuf,
    /// What it replaces.
    old: Option<Metadata>,
    temporary: Option<Temporary<std::fs::File>>,
    aside: Option<Temporary<()>>,
    is_in_place: bool,
}

/// Writes files that belong together: each whole or not at all, the last, which may name the others,
/// after them. Those before it that are there already, byte for byte, are left as they are; whether
/// each was written is returned.
///
/// Where files are added beside the last one and only that one is replaced, as with files named by
/// their content, a set is whole at every moment. Where others have to be replaced too, the old ones
/// step aside first. Afterwards what the old main file named by content, and nothing names now, is
/// removed.
///
/// # Errors
/// When one may not be written, or the system fails. What was there before is still there then.
pub fn save_set(outputs: &[Output<'_>], inputs: &Inputs) -> Result<Vec<bool>, SaveError> {
    let Some((main, companions)) = outputs.split_last() else { return Ok(Vec::new()) };
    let target = |output: &Output<'_>| Target::of(&output.path, output.may_replace, inputs);
    if let Target::Stream(path) = target(main)? {
        if !companions.is_empty() {
            return Err(SaveError::new(&main.path, Refusal::Several));
        }
        write_into(&path, &mut |out| out.write_all(main.bytes))
            .map_err(|error| SaveError::io(&path, error))?;
        return Ok(vec![true]);
    }
    let folder = folder_of(&main.path);
    let lock = FolderLock::of(folder).map_err(|_| SaveError::new(&main.path, Refusal::Busy))?;
    let mut written = vec![false; outputs.len()];
    let mut parts = Vec::with_capacity(outputs.len());
    for (number, output) in outputs.iter().enumerate() {
        if number < companions.len() && output.is_there() {
            continue;
        }
        if let Some(written) = written.get_mut(number) {
            *written = true;
        }
        // Looked at again: another process may have been here before the lock.
        let Target::File { path, old } = target(output)? else {
            return Err(SaveError::new(&output.path, Refusal::NotAFile));
        };
        let mut bytes = |out: &mut (dyn Write + Send)| out.write_all(output.bytes);
        let temporary = Temporary::beside(&path, &mut bytes, old.as_ref());
        let temporary = temporary.map_err(|error| SaveError::io(&output.path, error))?;
        parts.push(Part {
            output,
            path,
            old,
            temporary: Some(temporary),
            aside: None,
            is_in_place: false,
        });
    }
    let replaced = (parts.last()).is_some_and(|main| main.old.is_some());
    {
        // Dropped before the parts are, which may have something to remove.
        let mut renaming = Renaming::begin();
        if let Err(error) = put_in_place(&mut parts, &mut renaming) {
            put_back(&mut parts, &mut renaming);
            return Err(error);
        }
    }
    for part in &parts {
        let (bytes, path) = (part.output.bytes.len(), &part.output.path);
        tracing::debug!(bytes, path = %path.display(), "written");
    }
    if replaced {
        stale::remove(main, companions);
    }
    drop(lock);
    Ok(written)
}

/// Gives all files their names.
fn put_in_place(parts: &mut [Part<'_>], renaming: &mut Renaming) -> Result<(), SaveError> {
    let companions = parts.split_last().map(|(_, companions)| companions);
    let steps_aside = companions.is_some_and(|all| all.iter().any(|part| part.old.is_some()));
    if steps_aside {
        // The main file first: without it nobody takes the others for whole.
        for part in parts.iter_mut().rev().filter(|part| part.old.is_some()) {
            step();
            let aside = Temporary::aside(&part.path, renaming);
            part.aside = Some(aside.map_err(|error| SaveError::io(&part.output.path, error))?);
        }
    }
    for part in parts.iter_mut() {
        step();
        let Some(temporary) = part.temporary.take() else { continue };
        temporary
            .rename(&part.path, part.output.may_replace, renaming)
            .map_err(|error| SaveError::io(&part.output.path, error))?;
        part.is_in_place = true;
    }
    for part in parts.iter_mut() {
        step();
        if let Some(aside) = part.aside.take() {
            aside.remove(renaming);
        }
    }
    Ok(())
}

/// After a failure: removes what is new and puts back what was there.
fn put_back(parts: &mut [Part<'_>], renaming: &mut Renaming) {
    // The main file last, as ever.
    for part in parts.iter_mut() {
        let old = part.old.as_ref();
        match (part.aside.take(), old) {
            (Some(aside), Some(old)) => aside.back(&part.path, old, renaming),
            // The first fault is the one to tell. What was replaced by one rename stays so.
            _ if part.is_in_place && old.is_none() => {
                let _ = std::fs::remove_file(&part.path);
            }
            _ => {}
        }
    }
}

/// One rename; some tests end here, as a kill would.
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
    /// So many renames until this thread is ended.
    pub(super) static STEPS_LEFT: std::cell::Cell<Option<usize>> = const { std::cell::Cell::new(None) };
}
