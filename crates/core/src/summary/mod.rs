//! The summary of one file: the schema of `info --json`, and the rows and columns of `catalog`.
//!
//! For: the command line and the public API, which report the same about a file.
//! Not for: reading or validating it; the caller has done both.
//!
//! | file | content |
//! |---|---|
//! | `info` | the schema of the summary |
//! | `of_model` | creates the summary of a model |
//! | `row` | a row in a table of many files: the summary with the findings of rules, or why it can't be read |
//! | `columns` | the columns of such a table |
//!
//! Invariant: `rigscope catalog`, Python and clusters get their columns only from `COLUMNS`.

mod columns;
mod info;
mod of_model;
mod row;

pub use columns::{COLUMNS, Column, ColumnType, columns};
pub use info::{FindingEntry, Info, RelatedFile};
pub use of_model::{FileRead, info_of};
pub use row::{Row, UnreadRow};
