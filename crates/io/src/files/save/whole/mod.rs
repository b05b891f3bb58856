//! Files on disk, whole or not at all. Bytes go to a temporary file beside their target, are waited for until
//! they are on disk, and get their name by one rename.
//!
//! | file | is for |
//! |---|---|
//! | `target` | what a path leads to, and whether that may be written to |
//! | `ahead` | large files on their way to the disk while they are written |
//! | `temporary` | files that go with their process, also when a signal ends it |
//! | `lock` | one process at a time in a folder |
//! | `signals` | what is done before a signal ends the process |
//! | `set` | files that belong together, in order |
//! | `one` | a file whose bytes are not held: made as they are written, or in another file |
//! | `stale` | files that nothing names any more |
//!
//! Invariant: nothing that is no regular file is replaced. Devices and pipes are written into.
//! Invariant: a file that another names comes before it. Where one has to be replaced under its name,
//! the whole old set steps aside first: a process that is killed in between leaves a part of one set,
//! never a mixture of two.

mod ahead;
mod lock;
mod one;
mod set;
mod signals;
mod stale;
mod target;
mod temporary;

pub use one::{save_copy, save_made, scratch_beside};
pub use set::save_set;
pub use target::check_target;

use super::{Output, Refusal, SaveError};

/// What is to be written, as it writes itself.
type Bytes<'a> = &'a mut dyn FnMut(&mut (dyn std::io::Write + Send)) -> std::io::Result<()>;

#[cfg(test)]
mod tests;
