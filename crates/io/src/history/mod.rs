//! Earlier versions of files, from Git.
//!
//! For: listing the revisions of a file, reading files as of a revision, and finding which files of the working tree
//! differ from one.
//! Not for: changing a repository, or downloading objects.
//!
//! The `git` program of the user reads the objects: it knows every storage that repositories use (packs, alternates,
//! `reftable`, SHA-256, split and sparse indexes), and a separate process can be stopped when it hangs or when a pack
//! unpacks to more memory than it may have. The crate `gix` would start no programs either, but would read packs in
//! this process, and adds about 70 crates to a build from nothing.
//!
//! Git is safe with an untrusted repository only if it doesn't read that repository's configuration: filters, text
//! conversions, hooks, file system monitors, signature checkers, promisor remotes and their transports are all named
//! there, each Git version adds more, and switches against them are missing in older ones. Therefore:
//!
//! Invariant: all objects are read through a temporary Git folder ([`isolated`]) that has its own configuration and
//! borrows only the folder of objects. A partial clone isn't known there as one, so that a missing object is an error
//! and not a download, in any version of Git.
//! Invariant: only `git rev-parse` runs in the repository itself ([`location`]), to find the folders and to turn the
//! name of a revision into a hash. It reads neither objects' contents nor the index nor the working tree, so that
//! nothing is missing which a promisor remote might have. The ownership check of `safe.directory` happens there.
//! Invariant: Git never opens a file of the working tree. [`index`] and [`worktree`] compare them, without filters.
//! Invariant: every run of Git has limits of time, memory and output ([`run`]).
//!
//! Replacement objects (`refs/replace`) and grafts aren't applied.

mod command;
mod error;
mod index;
mod isolated;
mod lfs;
mod location;
mod objects;
mod open;
mod repository;
mod revision;
#[cfg(not(target_arch = "wasm32"))]
mod run;
#[cfg(target_arch = "wasm32")]
#[path = "run_web.rs"]
mod run;
mod tree;
mod worktree;

pub use error::HistoryError;
pub use open::{RevisionError, file_at, revisions_with_related};
pub use repository::{ChangedFile, Repository};
pub use revision::{Revision, RevisionRange};
