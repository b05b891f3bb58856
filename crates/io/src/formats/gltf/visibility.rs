//! Nodes that the file hides (`KHR_node_visibility`).
//!
//! A hidden node hides its descendants, whatever they state. The model contains their meshes, marked
//! as hidden.

use gltf_json::{Node, Root};
use serde_json::Value;

const NAME: &str = "KHR_node_visibility";

/// Whether each node or an ancestor of it is hidden.
pub(super) fn hidden(root: &Root) -> Vec<bool> {
    let nodes = &root.nodes;
    let mut hidden = vec![false; nodes.len()];
    let own = nodes.iter().enumerate().filter(|(_, node)| is_hidden(node));
    let mut open: Vec<usize> = own.map(|(at, _)| at).collect();
    while let Some(at) = open.pop() {
        let Some(flag) = hidden.get_mut(at) else { continue };
        if !std::mem::replace(flag, true) {
            let children = nodes.get(at).and_then(|node| node.children.as_ref());
            open.extend(children.into_iter().flatten().map(|child| child.value()));
        }
    }
    hidden
}

fn is_hidden(node: &Node) -> bool {
    let stored = node.extensions.as_ref().and_then(|all| all.others.get(NAME));
    stored.and_then(|stored| stored.get("visible")).and_then(Value::as_bool) == Some(false)
}
