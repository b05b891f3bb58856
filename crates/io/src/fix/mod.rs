//! Fixes findings and causes in files: the subcommand `fix`.
//!
//! For: applying the fixes of `core::fix` and the causes of `core::diagnose` to a file, and proving the result. Not
//! for: finding problems (`validate`, `diagnose`), or writing to disk.
//!
//! A fix changes the model in memory. If the format stores the changed values in place, only their bytes change
//! (`arrays`, and `formats::gltf` for values in JSON); otherwise the writer of the format makes a new file. The
//! result is read again: each finding must be gone, and no other may appear.
//!
//! | file | contents |
//! |---|---|
//! | `run` | the steps |
//! | `chosen` | which fixes apply to a file |
//! | `offered` | which fixes must be named |
//! | `attempt` | one result: patched or rewritten bytes, and the findings that remain |
//! | `selection` | the conditions that a result must meet |
//! | `claims` | bytes that several arrays read |
//! | `arrays` | values of arrays, written in place |
//! | `influences` | influences, written in place |
//! | `slot` | the bytes of single values |
//! | `result` | options and result |
//! | `fields` | which fields of a file store which part of a model |

mod arrays;
mod attempt;
mod chosen;
mod claims;
mod fields;
mod influences;
mod offered;
mod result;
mod run;
mod selection;
mod slot;

pub use chosen::{Choice, Chosen, FixKind, FixRow, all_fixes, can_fix, fix_of};
pub use offered::Offered;
pub use result::{Applied, FixError, FixOptions, FixResult, Refused, Written};
pub use run::{default_target, fix};
