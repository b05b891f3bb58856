//! What there is to say of one file: the shape of `info --json`, and the rows and columns of `catalog`.
//!
//! For: the command line and the front door, which say the same of a file.
//! Not for: reading or judging it; whoever calls has done both.
//!
//! | file | is for |
//! |---|---|
//! | `info` | the shape of all that is said |
//! | `of_model` | what is said of a model |
//! | `row` | the same in a table of many files, with what rules found, or why it cannot be read |
//! | `columns` | what such a table has |
//!
//! Invariant: `rigscope catalog`, Python and a farm of machines have their columns from `COLUMNS` alone.

mod columns;
mod info;
mod of_model;
mod row;

pub use columns::columns;
pub use columns::{COLUMNS, Column, Kind};
pub use info::{Companion, Info, NoteEntry};
pub use of_model::{FileRead, info_of};
pub use row::{Row, UnreadRow};
