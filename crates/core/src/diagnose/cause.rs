//! The texts of a cause, and the findings that it explains. The causes are in `hypotheses`, next to the rows that test
//! them.

use crate::model::FindingKind;

/// A mistake that exporters make.
#[derive(Debug)]
pub struct CauseInfo {
    /// Stable kebab-case identifier.
    pub name: &'static str,
    /// The fault, as a sentence without a full stop.
    pub statement: &'static str,
    /// What to change in the exporter or its settings, as an imperative without a full stop.
    pub fix: &'static str,
    /// Codes of the findings that are symptoms of the cause.
    pub explains: &'static [&'static str],
    pub(super) is_guess: bool,
}

impl CauseInfo {
    /// Whether a finding of this kind is a symptom of the cause.
    pub fn explains(&self, kind: FindingKind) -> bool {
        self.explains.contains(&kind.code())
    }

    /// Whether, without a reference, the only evidence is that models usually look otherwise. The model may be meant
    /// so, so the cause is only undone if it is named. True for causes that are found by the usual pose and
    /// height of bodies, the usual times of keys, the usual size of morph targets or the usual mean of normal maps. The
    /// evidence of all others is a contradiction within the model.
    #[must_use]
    pub fn is_guess(&self) -> bool {
        self.is_guess
    }
}

/// Codes of the findings about inverse bind matrices that don't fit the bones.
pub(super) const BIND_FINDINGS: &[&str] = &[
    "wrong-inverse-bind",
    "dislocated-joint",
    "different-bind-poses",
    "scale-not-in-bind",
    "rest-not-bind-pose",
    "bent-rest-pose",
];

/// Declares the causes that a file of `hypotheses` tests, and `CAUSES`, the list of them.
macro_rules! causes {
    ($($cause:ident: $name:literal, $(is_guess: $is_guess:literal,)? $statement:literal, $fix:literal, $explains:expr;)+) => {
        $(const $cause: &$crate::diagnose::CauseInfo = &$crate::diagnose::CauseInfo {
            name: $name,
            statement: $statement,
            fix: $fix,
            explains: $explains,
            is_guess: false $(|| $is_guess)?,
        };)+

        pub(super) const CAUSES: &[&$crate::diagnose::CauseInfo] = &[$($cause),+];
    };
}
pub(super) use causes;
