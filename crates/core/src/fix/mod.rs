//! Fixes: changes to a model that remove the findings of a rule or a reader.
//!
//! For: fixes with one correct result, which follows from the rest of the model. Not for: findings that need a
//! decision, such as the motion of a clip. Not for: causes, which `diagnose` names and reverts. Not for: the bytes of a
//! file; `rigscope-io` writes the changed model, or only the changed values.
//!
//! | file | fixes of |
//! |---|---|
//! | `weights` | influences |
//! | `seams` | weights on both sides of a seam |
//! | `directions` | normals and tangents |
//! | `triangles` | winding, order and number of triangles |
//! | `vertices` | unused and repeated vertices |
//! | `binds` | inverse bind matrices |
//! | `keys` | curves of clips |
//! | `key_times` | times of keys |
//! | `loops` | ends of looping clips |
//! | `names` | names of bones and clips |
//! | `hulls` | convex hulls |
//!
//! To add a fix, add a row to [`FIXES`].
//!
//! Invariant: models are in plain form (`reshape::plain`), before and after.
//! Invariant: after a fix, its findings are gone, so that a second run changes nothing.

mod binds;
mod directions;
mod hulls;
mod key_times;
mod keys;
mod loops;
mod names;
mod part;
mod seams;
mod table;
#[cfg(test)]
mod tests;
mod triangles;
mod vertices;
mod weights;

pub use part::Part;
pub use table::{FIXES, Fix, fixes_of};
