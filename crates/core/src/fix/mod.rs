//! Fixes of findings: changes to a model that remove what a rule or a reader has found.
//!
//! For: fixes with one right result, which follows from the rest of the model. Not for: findings whose fix is a
//! decision, such as what a clip should look like. Not for: causes, which `diagnose` names and reverts. Not for: the
//! bytes of a file; `rigscope-io` writes the changed model, or only what has changed.
//!
//! | file | fixes of |
//! |---|---|
//! | `weights` | influences |
//! | `seams` | weights on both sides of a seam |
//! | `directions` | normals and tangents |
//! | `triangles` | winding, order and number of triangles |
//! | `vertices` | vertices that are unused or repeated |
//! | `binds` | inverse bind matrices |
//! | `keys` | curves of clips |
//! | `loops` | ends of looping clips |
//! | `names` | names of bones and clips |
//!
//! To add a fix, add a row to [`FIXES`].
//!
//! Invariant: models are in plain form (`bake::plain`), before and after.
//! Invariant: after a fix, its findings are gone, so that a second run changes nothing.

mod binds;
mod directions;
mod keys;
mod loops;
mod moved;
mod names;
mod part;
mod seams;
mod table;
mod triangles;
mod vertices;
mod weights;

pub use moved::{Moved, moved, moved_text};
pub use part::Part;
pub use table::{FIXES, Fix, fixes_of};
