//! Reports bones and nodes that a writer adds, because its format needs them.
//!
//! Not for: recognising them in files ([`rigscope_core::model::AddedBone`]).

use rigscope_core::model::{FindingKind, Place, Report, display_text};

/// The reason for a bone that doesn't move.
pub(super) const WITHOUT_WEIGHTS: &str = "for vertices without weights";
/// The reason for a copy of a bone.
pub(super) const SECOND_BIND: &str = "because meshes bind its parent in different poses";

/// Reports the bone `name`; `reason` continues "was added".
pub(super) fn report_added_bone(name: &str, reason: &str, report: &Report) {
    report_finding("bone", name, reason, report);
}

/// Reports a node of a skinned mesh, or of a second mesh of a node.
pub(super) fn report_added_node(name: &str, report: &Report) {
    report_finding("node", name, "for a mesh", report);
}

fn report_finding(what: &str, name: &str, reason: &str, report: &Report) {
    report.add_many(FindingKind::BoneAdded, Place::File, 1, || match name {
        "" => format!("a {what} without a name was added {reason}"),
        name => format!("{what} \"{}\" was added {reason}", display_text::name(name)),
    });
}
