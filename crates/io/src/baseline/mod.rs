//! Baselines: counts, findings and poses of a project's files when they were last approved.
//!
//! `rigscope.lock.jsonl` has a line per file, sorted by path, so that two branches that change different files merge
//! without conflict. A line has the hash of the content, counts, findings, and a signature of the shape and motion
//! ([`rigscope_core::signature`]).
//!
//! | file | is for |
//! |---|---|
//! | `entry` | the data of one file |
//! | `lock` | reading and writing all lines |
//! | `verdict` | changes since |

mod entry;
mod lock;
mod prints;
mod verdict;

pub use entry::{Counts, Entry};
pub use lock::{LOCK_NAME, Lock, LockError};
pub use verdict::{ChangedFinding, FileState, MovedEntry, Verdict, verdicts};
