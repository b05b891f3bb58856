//! Atomic writes to disk. Bytes are written to a temporary file next to the target, synced to disk, and
//! renamed to the target.
//!
//! | file | content |
//! |---|---|
//! | `target` | resolving a path, and checking whether it may be written to |
//! | `background_sync` | background syncs of large files while they are written |
//! | `temporary` | temporary files that are removed with their process, also when a signal ends it |
//! | `lock` | a lock that lets one process at a time write to a folder |
//! | `signals` | clean-up before a signal ends the process |
//! | `file_set` | files that belong together, written in order |
//! | `single_file` | a single file whose bytes are streamed or copied from another file |
//! | `stale` | removal of files that nothing refers to any more |
//!
//! Invariant: only regular files are replaced. Devices and pipes are written into.
//! Invariant: a file is written before the file that names it. If a related file has to be replaced under its
//! name, the whole old set is moved aside first: a process that is killed in between leaves a part of one
//! set, never a mixture of two.

mod background_sync;
mod file_set;
mod lock;
mod signals;
mod single_file;
mod stale;
mod target;
mod temporary;

pub use file_set::save_set;
pub use single_file::{save_copy, save_with, scratch_file};
pub use target::check_target;

use super::{Output, Refusal, SaveError};

/// A function that writes the contents of a file.
type Bytes<'a> = &'a mut dyn FnMut(&mut (dyn std::io::Write + Send)) -> std::io::Result<()>;

#[cfg(test)]
mod tests;
