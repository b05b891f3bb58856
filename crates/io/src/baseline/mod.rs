//! Baselines: counts, findings and poses of a project's files when they were last approved.
//!
//! `rigscope.lock.jsonl` has a line per file, sorted by path, so that two branches that change different files merge
//! without conflict. A line has the hash of the content, counts, findings, and a signature of the shape and motion
//! ([`rigscope_core::signature`]).
//!
//! | file | is for |
//! |---|---|
//! | `basis` | whether an entry is still right |
//! | `entry` | the data of one file |
//! | `lock` | reading and writing all lines |
//! | `verdict` | changes since |

mod basis;
mod entry;
mod lock;
mod prints;
mod verdict;

pub use basis::{Basis, rules_hash};
pub use entry::{Counts, Entry};
pub use lock::{LOCK_NAME, Lock, LockError};
pub use verdict::{ChangedFinding, FileState, ShapeChange, Verdict, verdicts};
