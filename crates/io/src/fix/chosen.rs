//! Which fixes apply to a file.

use crate::formats::{FORMATS, FileFix, Format};
use rigscope_core::diagnose::{Cause, CauseId, Diagnosis, PIECES, Piece};
use rigscope_core::fix::{FIXES, Fix};
use rigscope_core::model::Finding;

/// The thing that the name of a fix refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixKind {
    /// A finding: its code.
    Finding,
    /// A cause.
    Cause,
    /// A piece that is taken over from the reference.
    Piece,
}

impl FixKind {
    /// The name of the kind in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Finding => "finding",
            Self::Cause => "cause",
            Self::Piece => "piece",
        }
    }
}

/// Which findings and causes to fix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// All findings and causes with a fix, except guesses and fixes that remove, rename or reorder parts of the model.
    All,
    /// Only those with these codes and names.
    Named {
        /// Codes of findings.
        codes: Vec<String>,
        /// Names of causes.
        causes: Vec<String>,
        /// Names of pieces to take over from the reference.
        pieces: Vec<String>,
    },
}

impl Choice {
    /// Only findings with these codes.
    pub fn codes(codes: impl IntoIterator<Item = String>) -> Self {
        let (causes, pieces) = Default::default();
        Self::Named { codes: codes.into_iter().collect(), causes, pieces }
    }

    /// Only causes with these names.
    pub fn causes(causes: impl IntoIterator<Item = String>) -> Self {
        let (codes, pieces) = Default::default();
        Self::Named { codes, causes: causes.into_iter().collect(), pieces }
    }
}

/// Fixes that don't depend on a format.
const COMMON: &[FileFix] =
    &[FileFix::new(&["trailing-bytes"], "remove bytes after the end of the data")];

/// One fix that is applied to a file.
#[derive(Clone, Copy, Debug)]
pub enum Chosen {
    /// A change of the model.
    Model(&'static Fix),
    /// A change of the file.
    File(&'static FileFix),
    /// Undoing a cause.
    Cause(CauseId),
    /// Taking a piece over from the reference.
    Piece(&'static Piece),
}

impl Chosen {
    /// The cause that it undoes.
    pub(super) fn cause(&self) -> Option<CauseId> {
        match self {
            Self::Cause(id) => Some(*id),
            _ => None,
        }
    }

    /// The first code, or the name of the cause or piece.
    pub(super) fn name(&self, diagnosis: Option<&Diagnosis>) -> &'static str {
        match self {
            Self::Cause(id) => {
                let cause = diagnosis.and_then(|diagnosis| diagnosis.cause(*id));
                cause.map_or("", |cause| cause.info.name)
            }
            Self::Piece(piece) => piece.name,
            _ => self.codes().first().copied().unwrap_or_default(),
        }
    }

    /// Whether only a file made by the format's writer lacks its findings.
    pub(super) fn needs_new_file(&self) -> bool {
        matches!(self, Self::Model(fix) if fix.needs_new_file)
    }

    /// Why its finding may remain.
    pub(super) fn refusal(&self) -> &'static str {
        match self {
            Self::File(fix) if !fix.refusal.is_empty() => fix.refusal,
            _ => "the fix doesn't remove it",
        }
    }

    /// Codes of the findings that it removes; empty for causes and pieces.
    pub fn codes(&self) -> &'static [&'static str] {
        match self {
            Self::Model(fix) => fix.codes,
            Self::File(fix) => fix.codes,
            Self::Cause(_) | Self::Piece(_) => &[],
        }
    }
}

fn file_fixes(format: &Format) -> impl Iterator<Item = &'static FileFix> {
    let own = format.writer.and_then(|writer| writer.editor).map_or(&[][..], |editor| editor.fixes);
    own.iter().chain(COMMON)
}

/// The change that fixes findings with this code, as an imperative, and whether it must be named; `None` without a
/// fix.
pub fn can_fix(code: &str, format: &Format) -> Option<(&'static str, bool)> {
    let of_model = FIXES.iter().find(|fix| fix.codes.contains(&code));
    let of_model = of_model.map(|fix| (fix.action, fix.on_request));
    of_model.or_else(|| {
        let of_file = file_fixes(format).find(|fix| fix.codes.contains(&code));
        of_file.map(|fix| (fix.action, fix.on_request))
    })
}

/// A row of the table of all fixes.
#[derive(Clone, Copy, Debug)]
pub struct FixRow {
    /// Codes of the findings that it removes.
    pub codes: &'static [&'static str],
    /// The change, as an imperative without a full stop.
    pub action: &'static str,
    /// Whether it is applied only if its finding is named.
    pub on_request: bool,
    /// Whether its finding may be nothing to fix.
    pub is_guess: bool,
    /// The name of the only format that it applies to.
    pub format: Option<&'static str>,
}

/// All fixes: those of models, those of any file, and those for a single format.
pub fn all_fixes() -> Vec<FixRow> {
    let of_file = |fix: &FileFix, format| FixRow {
        codes: fix.codes,
        action: fix.action,
        on_request: fix.on_request,
        is_guess: false,
        format,
    };
    let of_models = FIXES.iter().map(|fix| FixRow {
        codes: fix.codes,
        action: fix.action,
        on_request: fix.on_request,
        is_guess: fix.is_guess,
        format: None,
    });
    let of_formats = FORMATS.iter().flat_map(|format| {
        let editor = format.writer.and_then(|writer| writer.editor);
        let fixes = editor.map_or(&[][..], |editor| editor.fixes);
        fixes.iter().map(move |fix| of_file(fix, Some(format.info.name)))
    });
    of_models.chain(COMMON.iter().map(|fix| of_file(fix, None))).chain(of_formats).collect()
}

/// The fix of the findings with this code, in any format.
pub fn fix_of(code: &str) -> Option<FixRow> {
    all_fixes().into_iter().find(|fix| fix.codes.contains(&code))
}

/// Causes, grouped by the effect of a choice.
#[derive(Default)]
pub(super) struct ChosenCauses {
    /// Those to undo.
    pub(super) chosen: Vec<Chosen>,
    /// Those that aren't undone: rivals explain the evidence as well, or the right values are lost.
    pub(super) withheld: Vec<CauseId>,
    /// Guesses, which must be named.
    pub(super) guesses: Vec<CauseId>,
}

pub(super) fn choose_causes(choice: &Choice, diagnosis: Option<&Diagnosis>) -> ChosenCauses {
    let mut out = ChosenCauses::default();
    let Some(diagnosis) = diagnosis else { return out };
    for (at, cause) in diagnosis.causes.iter().enumerate() {
        let own = CauseId { cause: at, rival: None };
        match choice {
            Choice::All if !cause.rivals.is_empty() || cause.is_estimate => out.withheld.push(own),
            Choice::All if diagnosis.is_guess(own) => out.guesses.push(own),
            Choice::All => out.chosen.push(Chosen::Cause(own)),
            Choice::Named { causes, .. } => {
                let is_named = |own: &Cause| causes.iter().any(|name| name == own.info.name);
                let rival = cause.rivals.iter().position(is_named);
                // Rivals exclude each other.
                if is_named(cause) && cause.is_estimate {
                    out.withheld.push(own);
                } else if is_named(cause) {
                    out.chosen.push(Chosen::Cause(own));
                } else if rival.is_some() {
                    out.chosen.push(Chosen::Cause(CauseId { rival, ..own }));
                }
            }
        }
    }
    out
}

/// The pieces of a choice that differ from the reference.
pub(super) fn choose_pieces(choice: &Choice, diagnosis: Option<&Diagnosis>) -> Vec<Chosen> {
    let (Choice::Named { pieces, .. }, Some(diagnosis)) = (choice, diagnosis) else {
        return Vec::new();
    };
    let is_chosen = |piece: &&&'static Piece| {
        pieces.iter().any(|name| name == piece.name) && diagnosis.differs(piece, diagnosis.model())
    };
    PIECES.iter().filter(is_chosen).map(|piece| Chosen::Piece(piece)).collect()
}

/// The fixes of findings for a choice, in the order in which they are applied.
pub(super) fn choose_fixes(choice: &Choice, format: &Format, findings: &[Finding]) -> Vec<Chosen> {
    let is_found = |codes: &[&str], on_request: bool| {
        codes.iter().any(|code| {
            let is_present = findings.iter().any(|finding| finding.kind.code() == *code);
            let is_named = match choice {
                Choice::All => !on_request,
                Choice::Named { codes, .. } => codes.iter().any(|named| named == code),
            };
            is_present && is_named
        })
    };
    let of_model = FIXES.iter().filter(|fix| is_found(fix.codes, fix.on_request));
    let of_file = file_fixes(format).filter(|fix| is_found(fix.codes, fix.on_request));
    of_model.map(Chosen::Model).chain(of_file.map(Chosen::File)).collect()
}
