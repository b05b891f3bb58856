//! The hypotheses, by the part of the model that has the fault.
//!
//! | file | faults of |
//! |---|---|
//! | `surface` | triangles, normals, tangents, UVs |
//! | `binds` | inverse bind matrices |
//! | `rest` | the rest pose |
//! | `space` | mesh and bones that don't fit together |
//! | `whole` | axes, unit and handedness of the whole model |
//! | `weights` | influences |
//! | `vertex_weights` | influences of other vertices, and vertices without any |
//! | `rotations` | rotation keys |
//! | `wild_keys` | single keys |
//! | `keys` | other keys, times and whole clips |
//! | `morphs` | morph targets |
//! | `images` | normal maps |
//!
//! Each file has a table of causes, a table of hypotheses that test them, and functions that propose changes.

mod binds;
mod images;
mod keys;
mod morphs;
mod rest;
mod rotations;
mod space;
mod surface;
mod vertex_weights;
mod weights;
mod whole;
mod wild_keys;

pub(super) use binds::reference_binds;
pub(super) use weights::restored as restored_influences;
#[cfg(test)]
pub(super) use whole::mirror as mirror_whole;

use super::cause::CauseInfo;
use super::flat::{flat, num_items};
use super::trial::Hypothesis;
use crate::model::{Finding, Severity};

/// All causes.
pub const CAUSES: &[&CauseInfo] = &flat::<_, { num_items(CAUSES_BY_FILE) }>(CAUSES_BY_FILE);

const CAUSES_BY_FILE: &[&[&CauseInfo]] = &[
    binds::CAUSES,
    space::CAUSES,
    rest::CAUSES,
    whole::CAUSES,
    weights::CAUSES,
    vertex_weights::CAUSES,
    wild_keys::CAUSES,
    keys::CAUSES,
    rotations::CAUSES,
    surface::CAUSES,
    morphs::CAUSES,
    images::CAUSES,
];

/// An info, because root motion has it too; a clip with keys in another unit shows only there.
const OF_CLIPS: &str = "clip-leaves-default-bounds";

/// Whether a diagnosis is worth its time: a warning or an error may have a known cause, or a clip moves the model away.
pub fn may_have_cause<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> bool {
    findings.into_iter().any(|finding| {
        let is_worth = finding.severity() >= Severity::Warning || finding.kind.code() == OF_CLIPS;
        is_worth && CAUSES.iter().any(|cause| cause.explains(finding.kind))
    })
}

/// All hypotheses, in the order of preference among equally good explanations.
pub(super) fn all() -> impl Iterator<Item = &'static Hypothesis> {
    let tables = [
        surface::ROWS,
        binds::ROWS,
        rest::ROWS,
        space::ROWS,
        whole::ROWS,
        weights::ROWS,
        vertex_weights::ROWS,
        rotations::ROWS,
        wild_keys::ROWS,
        keys::ROWS,
        morphs::ROWS,
        images::ROWS,
        binds::LAST_ROWS,
    ];
    tables.into_iter().flatten()
}

/// Factors between units that are often confused: metres, centimetres, millimetres, inches, feet. The number undoes
/// the fault; the text names the fault.
pub(super) const FACTORS: [(f32, &str); 12] = [
    (0.01, "100"),
    (100.0, "0.01"),
    (0.0254, "39.37"),
    (39.370_08, "0.0254"),
    (0.001, "1,000"),
    (1000.0, "0.001"),
    (0.1, "10"),
    (10.0, "0.1"),
    (0.393_700_8, "2.54"),
    (2.54, "0.3937"),
    (0.3048, "3.281"),
    (3.280_84, "0.3048"),
];

/// Whether a cause is a fault of inverse bind matrices.
pub(super) fn is_about_binds(cause: &CauseInfo) -> bool {
    binds::CAUSES.iter().any(|own| own.name == cause.name)
}

/// Whether a cause explains the evidence of other faults too, so that it is right only if no other cause does.
pub(super) fn is_last_resort(cause: &CauseInfo) -> bool {
    binds::LAST_ROWS.iter().any(|row| row.cause.name == cause.name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_texts_are_phrases() {
        for cause in CAUSES {
            assert_eq!(CAUSES.iter().filter(|other| other.name == cause.name).count(), 1);
            assert!(
                cause.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                cause.name
            );
            for text in [cause.statement, cause.fix] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{}", cause.name);
            }
            for code in cause.explains {
                assert!(crate::validate::finding_of_code(code).is_some(), "{code}");
            }
        }
    }

    #[test]
    fn every_cause_has_a_hypothesis() {
        let tested: BTreeSet<&str> = all().map(|row| row.cause.name).collect();
        let named: BTreeSet<&str> = CAUSES.iter().map(|cause| cause.name).collect();
        assert_eq!(tested, named);
    }
}
