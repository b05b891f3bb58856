//! Baselines: what the files of a project contained when someone last looked at them.
//!
//! `rigscope.lock.jsonl` has a line per file, sorted by path, so that two branches that change different files merge
//! without conflict. A line has the hash of the content, counts, findings, and a signature of the shape and motion
//! ([`rigscope_core::signature`]).
//!
//! | file | is for |
//! |---|---|
//! | `entry` | what is known about one file, and its line |
//! | `lock` | reading and writing all lines |
//! | `verdict` | what changed since |

mod entry;
mod lock;
mod prints;
mod verdict;

pub use entry::{Counts, Entry};
pub use lock::{LOCK_NAME, Lock, LockError};
pub use verdict::{ChangedFinding, FileState, MovedEntry, Verdict, verdicts};
