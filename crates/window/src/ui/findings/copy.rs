//! Findings as JSON, with the keys of `rigscope validate --json`.

use serde_json::json;

use rigscope_state::FindingList;

/// The visible findings, as an array.
pub(super) fn json(list: &FindingList) -> String {
    let entries = list.shown().map(|finding| {
        json!({
            "code": finding.kind.code(),
            "severity": finding.severity().as_str(),
            "message": finding.message,
            "place": finding.place.to_string(),
            "count": finding.count,
        })
    });
    format!("{:#}", serde_json::Value::Array(entries.collect()))
}
