//! Fixes of a file that are only applied if they are named.

use super::chosen::{Choice, FixKind, can_fix};
use crate::formats::Format;
use rigscope_core::diagnose::{CauseId, Diagnosis, PieceDifference};
use rigscope_core::fix::FIXES;
use rigscope_core::model::Finding;

/// A fix that is applied only if it is named.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The code of the finding, or the name of the cause or piece.
    pub name: String,
    pub kind: FixKind,
    /// The change, as an imperative; for causes, the cause.
    pub action: String,
    /// Number of occurrences in the file; 1 for a cause or a piece.
    pub count: u64,
    /// Whether nothing may need a fix: the only evidence is that models usually look otherwise. Other fixes must be
    /// named because they remove, rename or reorder parts of the model.
    pub is_guess: bool,
}

/// The fixes of findings that must be named, if the choice names none.
pub(super) fn offered_fixes(
    choice: &Choice,
    format: &Format,
    findings: &[Finding],
    diagnosis: Option<&Diagnosis>,
    guesses: &[CauseId],
    pieces: &[PieceDifference],
) -> Vec<Offered> {
    if *choice != Choice::All {
        return Vec::new();
    }
    let of_causes = guesses.iter().filter_map(|id| {
        let cause = diagnosis?.cause(*id)?;
        Some(Offered {
            name: cause.info.name.to_owned(),
            kind: FixKind::Cause,
            action: cause.statement(),
            count: 1,
            is_guess: true,
        })
    });
    let of_findings = findings.iter().filter_map(|finding| {
        let code = finding.kind.code();
        let (action, _) = can_fix(code, format).filter(|(_, on_request)| *on_request)?;
        Some(Offered {
            name: code.to_owned(),
            kind: FixKind::Finding,
            action: action.to_owned(),
            count: finding.count,
            is_guess: FIXES.iter().any(|fix| fix.is_guess && fix.codes.contains(&code)),
        })
    });
    let of_pieces = pieces.iter().map(|own| Offered {
        name: own.piece.name.to_owned(),
        kind: FixKind::Piece,
        action: own.action(),
        count: 1,
        is_guess: false,
    });
    let mut offered: Vec<Offered> = of_causes.chain(of_pieces).chain(of_findings).collect();
    offered.sort_by_key(|own| !own.is_guess);
    offered
}
