//! The losses of a conversion, as one list for all programs: aspects that the format can't store, findings of the
//! reader and the writer about dropped data, and measured deviations above the precision of formats.
//!
//! Invariant: a kind of finding decides whether it is a loss
//! ([`FindingKind::drops_data`](rigscope_core::model::FindingKind::drops_data)), never a caller.

use std::fmt;

use super::{Converted, LostPrecision};
use crate::formats::loss_list::Loss;
use crate::formats::loss_summary::summary;
use crate::formats::losses::{ASPECTS, Aspect};
use rigscope_core::model::{Finding, FindingKind, Place};
use rigscope_core::validate::findings;

/// A loss of a conversion; displays as a phrase.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    /// An aspect of the model that the file stores less of.
    Aspect(Loss),
    /// Data that was dropped when the input was read or the output written.
    Finding(Finding),
    /// Values that were written, and deviate.
    Deviation(LostPrecision),
}

impl Lost {
    /// The stable identifier of the aspect or finding.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Aspect(loss) => loss.aspect.info().code,
            Self::Finding(finding) => finding.kind.code(),
            Self::Deviation(deviation) => deviation.code(),
        }
    }
}

/// The codes of all losses.
pub fn loss_codes() -> impl Iterator<Item = &'static str> {
    let aspects = ASPECTS.iter().map(|aspect| aspect.code);
    let dropped = findings().filter(|kind| kind.drops_data()).map(FindingKind::code);
    aspects.chain(dropped).chain(LostPrecision::CODES)
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aspect(loss) => loss.fmt(f),
            Self::Finding(finding) => f.write_str(&sentence(finding)),
            Self::Deviation(deviation) => deviation.fmt(f),
        }
    }
}

impl Converted {
    /// All losses.
    #[must_use]
    pub fn losses(&self) -> Vec<Lost> {
        let aspects = self.predicted.iter().copied().chain(self.unforeseen());
        let findings = self.dropped().into_iter().cloned();
        let deviations = self.lost_precision().into_iter().map(Lost::Deviation);
        aspects.map(Lost::Aspect).chain(findings.map(Lost::Finding)).chain(deviations).collect()
    }

    /// Measured deviations above the precision of formats; empty if the files weren't compared.
    #[must_use]
    pub fn lost_precision(&self) -> Vec<LostPrecision> {
        let mut lost = self.errors.as_ref().map(LostPrecision::all_of).unwrap_or_default();
        // The weights of the others change with influences that are left out, which are listed.
        if self.predicted.iter().any(|loss| loss.aspect == Aspect::Influences) {
            lost.retain(|lost| !matches!(lost, LostPrecision::Weights(_)));
        }
        lost
    }

    /// Findings about dropped data: of the reader, then of the writer.
    #[must_use]
    pub fn dropped(&self) -> Vec<&Finding> {
        dropped(&self.read_findings, &self.findings)
    }

    /// Findings about bones, clips and meshes that were added because the format needs them.
    pub fn added(&self) -> impl Iterator<Item = &Finding> {
        added(&self.findings)
    }

    /// The other findings of the writer.
    pub fn remarks(&self) -> impl Iterator<Item = &Finding> {
        self.findings
            .iter()
            .filter(|finding| !finding.kind.drops_data() && !finding.kind.adds_data())
    }

    /// The losses except unforeseen ones, in few sentences.
    #[must_use]
    pub fn loss_sentences(&self) -> Vec<String> {
        let mut sentences = loss_sentences(&self.predicted, &self.read_findings, &self.findings);
        sentences.extend(self.lost_precision().iter().map(ToString::to_string));
        sentences
    }
}

/// Aspects that aren't stored and findings about dropped data, in few sentences.
#[must_use]
pub fn loss_sentences(
    aspects: &[Loss],
    of_reader: &[Finding],
    of_writer: &[Finding],
) -> Vec<String> {
    let mut sentences = summary(aspects);
    sentences.extend(dropped(of_reader, of_writer).into_iter().map(sentence));
    sentences
}

/// Findings about dropped data. Those that both report are listed once.
#[must_use]
pub fn dropped<'a>(of_reader: &'a [Finding], of_writer: &'a [Finding]) -> Vec<&'a Finding> {
    let of_writer = || of_writer.iter().filter(|finding| finding.kind.drops_data());
    let is_repeated = |finding: &&Finding| of_writer().any(|other| other.kind == finding.kind);
    let of_reader = of_reader.iter().filter(|finding| finding.kind.drops_data());
    of_reader.filter(|finding| !is_repeated(finding)).chain(of_writer()).collect()
}

/// Findings about bones, clips and meshes that a writer added.
pub fn added(of_writer: &[Finding]) -> impl Iterator<Item = &Finding> {
    of_writer.iter().filter(|finding| finding.kind.adds_data())
}

/// The message of a finding with its place.
fn sentence(finding: &Finding) -> String {
    let place = finding.place.to_string();
    if finding.place == Place::File || finding.message.contains(&place) {
        finding.message.clone()
    } else {
        format!("{} at {place}", finding.message)
    }
}
