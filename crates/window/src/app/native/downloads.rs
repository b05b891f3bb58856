//! Written files, which a browser receives as downloads.

/// Nothing to do: the files are already on disk.
pub(in crate::app) fn deliver() {}
