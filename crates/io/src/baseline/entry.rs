//! The data of a file in a baseline.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::basis::Basis;
use super::prints::SignatureText;
use crate::open::{Document, format_id};
use rigscope_core::model::{Cancelled, Finding, Report};
use rigscope_core::signature::Signature;

/// A file of a baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Hash of the content.
    pub hash: String,
    pub bytes: u64,
    /// Id of the format; empty if the file can't be read.
    pub format: String,
    pub counts: Counts,
    /// Number of places by the code of a finding.
    pub findings: BTreeMap<String, u64>,
    /// `None` if the file can't be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<SignatureText>,
    /// `None` if the file must always be checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
}

/// Sizes of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub vertices: u64,
    pub triangles: u64,
    pub subsets: u64,
    pub bones: u64,
    pub clips: u64,
    pub morph_targets: u64,
}

impl Entry {
    /// The entry of a file with the given `hash`.
    ///
    /// # Errors
    /// If `report` asks to stop.
    pub fn of(
        document: &Document,
        hash: String,
        findings: &[Finding],
        report: &Report,
    ) -> Result<Self, Cancelled> {
        let model = &document.model;
        let morphs = model.meshes.iter().map(|mesh| mesh.morph_targets.len());
        let num = |number: usize| number as u64;
        let signature = Signature::of(model, report)?;
        Ok(Self {
            hash,
            bytes: document.num_bytes,
            format: format_id(document).to_owned(),
            counts: Counts {
                vertices: num(model.num_vertices()),
                triangles: num(model.num_triangles()),
                subsets: num(model.num_subsets()),
                bones: num(model.num_bones()),
                clips: num(model.clips.len()),
                morph_targets: num(morphs.sum()),
            },
            findings: count_by_code(findings),
            signature: Some(SignatureText::of(&signature)),
            basis: None,
        })
    }

    /// The entry of a file that can't be read.
    #[must_use]
    pub fn unreadable(hash: String, bytes: u64, findings: &[Finding]) -> Self {
        Self { hash, bytes, findings: count_by_code(findings), ..Self::default() }
    }

    /// The signature, as far as the text is precise.
    #[must_use]
    pub fn signature(&self) -> Option<Signature> {
        self.signature.as_ref().map(SignatureText::signature)
    }
}

fn count_by_code(findings: &[Finding]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for finding in findings {
        *counts.entry(finding.kind.code().to_owned()).or_default() += finding.count.max(1);
    }
    counts
}
