//! Checks the quality of an export beyond the findings of its reader: the rules of `rigscope validate`.
//!
//! For: problems that a reader can tolerate but runtimes, artists or engine programmers can't. Not for:
//! problems that must be reported or fixed before the model is shown, which is `model::check`. Not for:
//! filtering findings by severity or text, which callers do.
//!
//! | folder | rules about |
//! |---|---|
//! | `mesh` | vertices, triangles, subsets, materials |
//! | `skin` | bones and skinning |
//! | `animation` | clips |
//! | `collision` | hulls, occlusion mesh, stored bounds |
//! | `effect` | effects of the Banuba SDK: consistency of config, meshes and images |
//!
//! Each rule is one file, with its findings and a function that looks for them, and a name in the list of its group. A
//! rule examines all places before it reports, so that its single message names the worst one.
//!
//! Invariant: models have passed `model::check`; no rule changes them, and none fails.
//! Invariant: thresholds are constants next to their rule, with their reason.
//! Invariant: rules of severity warning and above are silent on well-made files.

/// Declares the files of some rules, and the list of their findings and functions.
macro_rules! rules {
    ($list:ident: $rule:ty = $function:ident; $($file:ident),+ $(,)?) => {
        $(mod $file;)+
        pub(super) const $list: $crate::validate::Rules<$rule> = $crate::validate::Rules {
            findings: &[$($file::FINDINGS),+],
            functions: &[$($file::$function),+],
        };
    };
}

mod animation;
mod collision;
mod effect;
#[cfg(test)]
mod fixtures;
mod mesh;
mod moments;
mod skin;
mod worst;

pub use animation::{BoneSeam, loop_seam};
pub(crate) use animation::{end_tolerance_secs, open_loops, overshooting_spans, spiked_keys};
pub(crate) use collision::points_inside_hull;
pub use mesh::{BadTriangles, TriangleAt, bad_triangles};
pub(crate) use mesh::{MAX_TANGENT_COSINE, reversed_meshes, tangent_signs};
pub use mesh::{OrderFigures, order_figures};
pub(crate) use skin::seam_pairs;

use crate::model::{
    Cancelled, FRAME_RATE, FindingKind, Model, READING, RUNTIME, Report, STRUCTURE, WRITING,
};
use crate::project::PROJECT;

/// Some rules of a group, in the order in which they report.
struct Rules<R: 'static> {
    findings: &'static [&'static [FindingKind]],
    functions: &'static [R],
}

/// Looks for one kind of fault and reports it.
type Rule = fn(&Model, &Report) -> Result<(), Cancelled>;

/// Runs rules; `what` is the text of their progress.
fn run(
    rules: &Rules<Rule>,
    what: &'static str,
    model: &Model,
    report: &Report,
) -> Result<(), Cancelled> {
    for (step, rule) in rules.functions.iter().enumerate() {
        report.progress(what, step as f32 / rules.functions.len() as f32)?;
        rule(model, report)?;
    }
    Ok(())
}

/// All possible findings: of readers, rules and writers.
pub fn findings() -> impl Iterator<Item = FindingKind> {
    let lists: [&[&[FindingKind]]; 11] = [
        &[READING, STRUCTURE],
        skin::OF_NORMALS.findings,
        &[FRAME_RATE, moments::FINDINGS],
        animation::BEFORE_KEYS.findings,
        animation::OF_KEYS.findings,
        animation::AFTER_KEYS.findings,
        collision::ALL.findings,
        skin::ALL.findings,
        mesh::ALL.findings,
        effect::ALL.findings,
        &[RUNTIME, PROJECT, WRITING],
    ];
    lists.into_iter().flatten().flat_map(|list| list.iter().copied())
}

/// The finding with this code, if there is one.
pub fn finding_of_code(code: &str) -> Option<FindingKind> {
    findings().find(|kind| kind.code() == code)
}

/// Runs all rules on a checked model and reports their findings.
///
/// # Errors
/// [`Cancelled`] if `report` asks to stop; findings until then are reported.
pub fn validate(model: &Model, report: &Report) -> Result<(), Cancelled> {
    mesh::check(model, report)?;
    skin::check(model, report)?;
    animation::check(model, report)?;
    collision::check(model, report)?;
    effect::check(model, report)?;
    moments::check(model, report);
    report.add_paths(model);
    Ok(())
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
    fn every_finding_has_a_meaning_an_effect_and_a_fix_that_are_phrases() {
        for info in findings().map(FindingKind::info) {
            for text in [info.meaning, info.consequence, info.fix] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{}", info.code);
                // Names and acronyms have more capitals in their first word.
                let (first, rest) = text.split_at(1);
                let rest = rest.split(' ').next().unwrap_or_default();
                let is_name = rest.contains(|c: char| !c.is_ascii_lowercase());
                let is_sentence = first != first.to_lowercase() && !is_name;
                assert!(!is_sentence, "{} begins like a sentence", info.code);
            }
        }
    }
}
