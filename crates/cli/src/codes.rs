//! Parses finding codes and group names, on the command line and in `rigscope.toml`.

use crate::suggestions::nearest;
use rigscope_core::model::{FindingGroup, FindingKind};
use rigscope_core::validate::findings;

const GROUPS: [FindingGroup; 5] = [
    FindingGroup::File,
    FindingGroup::Skin,
    FindingGroup::Mesh,
    FindingGroup::Animation,
    FindingGroup::Collision,
];
const ALL: &str = "all";
/// Only the findings of readers.
const READERS: &str = "readers";
/// All findings of severity warning.
const WARNINGS: &str = "warnings";

/// A value of `--rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleArg {
    /// All findings.
    All,
    /// Only the findings of readers; no rules run.
    Readers,
    /// All findings of a group.
    Group(FindingGroup),
    /// One finding.
    Code(FindingKind),
}

/// A value of `--deny`: findings other than errors that make `validate` fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deny {
    /// Warnings fail too.
    Warnings,
    /// This finding fails, regardless of its severity.
    Code(FindingKind),
}

/// A code.
pub(super) fn code(text: &str) -> Result<FindingKind, String> {
    one_of(text, &[])
}

/// A code or `warnings`.
pub(super) fn deny(text: &str) -> Result<Deny, String> {
    match text {
        WARNINGS => Ok(Deny::Warnings),
        _ => one_of(text, &[WARNINGS]).map(Deny::Code),
    }
}

/// A code, a group, `all` or `readers`.
pub(super) fn rule(text: &str) -> Result<RuleArg, String> {
    match text {
        ALL => return Ok(RuleArg::All),
        READERS => return Ok(RuleArg::Readers),
        _ => {}
    }
    if let Some(group) = GROUPS.into_iter().find(|group| group.as_str() == text) {
        return Ok(RuleArg::Group(group));
    }
    let [a, b, c, d, e] = GROUPS.map(FindingGroup::as_str);
    one_of(text, &[ALL, READERS, a, b, c, d, e]).map(RuleArg::Code)
}

/// A code, else an error that suggests the nearest code or one of `others`.
fn one_of(text: &str, others: &[&'static str]) -> Result<FindingKind, String> {
    if let Some(kind) = findings().find(|kind| kind.code() == text) {
        return Ok(kind);
    }
    let names = findings().map(FindingKind::code).chain(others.iter().copied());
    let hint = match nearest(text, names) {
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    Err(format!("unknown finding `{text}`; {hint}`rigscope rules` lists all"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_the_nearest_is_suggested() {
        assert_eq!(code("zero-normal"), Ok(FindingKind::ZeroNormal));
        assert_eq!(deny("warnings"), Ok(Deny::Warnings));
        assert_eq!(rule("all"), Ok(RuleArg::All));
        assert_eq!(rule("mesh"), Ok(RuleArg::Group(FindingGroup::Mesh)));
        assert_eq!(rule("flat-hull"), Ok(RuleArg::Code(FindingKind::FlatHull)));
        for (result, nearest) in [
            (code("zero-normals").map(drop), "`zero-normal`"),
            (deny("warning").map(drop), "`warnings`"),
            (rule("colision").map(drop), "`collision`"),
        ] {
            let message = result.unwrap_err();
            assert!(message.contains(nearest), "{message}");
        }
    }
}
