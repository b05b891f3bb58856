//! Judging an export beyond what its reader must note: the rules of `rigscope validate`.
//!
//! For: what a reader can live with and a player, an artist or an engine programmer cannot.
//! Not for: what must be noted or mended before anything is shown; that is `model::check`. Not for
//! choosing which findings count; that is the shell's.
//!
//! | folder | rules about |
//! |---|---|
//! | `mesh` | vertices, triangles, subsets, materials |
//! | `skin` | bones, and what they move |
//! | `animation` | clips |
//! | `collision` | hulls, occluder, stored bounds |
//! | `effect` | effects of the Banuba SDK: config, meshes and images against one another |
//!
//! Each rule is one file with the findings that it notes and one function that looks for them. A rule
//! looks at all places before it notes, so that the one message names the worst of them.
//!
//! Invariant: models have passed `model::check`; no rule changes them, none fails.
//! Invariant: thresholds are constants with the reason beside the rule that uses them.
//! Invariant: rules of severity warning and above stay silent on files that are well made.

/// What rules note, by their files.
macro_rules! findings {
    ($($file:ident),+) => { &[$($file::FINDINGS),+] };
}

mod animation;
mod collision;
mod effect;
mod figures;
#[cfg(test)]
mod fixtures;
mod mesh;
mod moments;
mod skin;
mod welds;

pub use animation::{BoneSeam, loop_seam};
pub use mesh::{BadTriangles, TriangleAt, bad_triangles};
pub use mesh::{OrderFigures, order_figures};

use crate::model::{Cancelled, FRAME_RATE, Model, NoteKind, READING, Report, STRUCTURE, WRITING};

/// All findings there can be: of reading, of rules, of writing.
pub fn findings() -> impl Iterator<Item = NoteKind> {
    let lists: [&[&[NoteKind]]; 7] = [
        &[READING, STRUCTURE, skin::OF_NORMALS, FRAME_RATE],
        animation::FINDINGS,
        collision::FINDINGS,
        skin::FINDINGS,
        mesh::FINDINGS,
        effect::FINDINGS,
        &[WRITING],
    ];
    lists.into_iter().flatten().flat_map(|list| list.iter().copied())
}

/// Runs all rules over a checked model and notes what they find.
///
/// # Errors
/// [`Cancelled`] when `report` says that the work should stop; what was found until then is noted.
pub fn validate(model: &Model, report: &Report) -> Result<(), Cancelled> {
    mesh::check(model, report)?;
    skin::check(model, report)?;
    animation::check(model, report)?;
    collision::check(model, report)?;
    effect::check(model, report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kebab_case_and_unique() {
        for kind in findings() {
            let code = kind.code();
            assert!(code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
            assert_eq!(findings().filter(|other| *other == kind).count(), 1, "{code}");
        }
    }

    #[test]
    fn every_finding_says_what_it_means_and_how_to_mend_it() {
        for info in findings().map(NoteKind::info) {
            for text in [info.meaning, info.mend] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{}", info.code);
                let is_sentence = text.starts_with(|c: char| c.is_ascii_uppercase());
                assert!(!is_sentence, "{} begins like a sentence", info.code);
            }
        }
    }
}
