//! Removes animation channels without effect.

use serde_json::Value;

use super::json_text::{JsonText, place};
use super::skinned::nodes_without_effect;
use crate::formats::editor::Edit;

/// Removes the channels of the selected findings.
pub(super) fn remove(json: &mut JsonText, edit: &Edit<'_>) -> Option<()> {
    let without_target = edit.fixes("channel-without-target");
    let of_skinned = edit.fixes("skinned-node-animated");
    if !without_target && !of_skinned {
        return Some(());
    }
    let without_effect = nodes_without_effect(json);
    let is_kept = |channel: &&Value| {
        let target = channel.get("target").unwrap_or(&Value::Null);
        let node = target.get("node").filter(|node| !node.is_null());
        let has_target = node.is_some() || target.get("extensions").is_some();
        let number = node.and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        let has_effect = target.get("path").is_some_and(|path| path == "weights")
            || number.is_none_or(|number| !without_effect.contains(&number));
        (has_target || !without_target) && (has_effect || !of_skinned)
    };
    for animation in 0..json.len(place!("animations")) {
        let Some(channels) = json.get(place!("animations", animation, "channels")) else {
            continue;
        };
        let channels = channels.as_array()?;
        let kept: Vec<Value> = channels.iter().filter(is_kept).cloned().collect();
        // Section 5.5: an animation has at least one channel.
        if kept.len() < channels.len() && !kept.is_empty() {
            json.set(place!("animations", animation, "channels"), &Value::Array(kept))?;
        }
    }
    Some(())
}
