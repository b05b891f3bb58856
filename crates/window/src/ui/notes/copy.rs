//! Findings as JSON, with the keys of `rigscope validate --json`.

use serde_json::json;

use rigscope_state::FindingList;

/// The visible findings, as an array.
pub(super) fn json(list: &FindingList) -> String {
    let entries = list.shown().map(|note| {
        json!({
            "code": note.kind.code(),
            "severity": note.severity().as_str(),
            "message": note.message,
            "place": note.place.to_string(),
            "count": note.count,
        })
    });
    format!("{:#}", serde_json::Value::Array(entries.collect()))
}
