//! Fixes of findings about the file, which the model doesn't contain.

use std::collections::BTreeSet;

use glam::Quat;
use serde_json::{Value, json};

use super::accessors::{of_attributes, of_key_times, set_bounds};
use super::bones::{replace_matrix, set_rotation};
use super::channels;
use super::document::{Parts, numbers};
use super::json_text::{JsonText, place};
use super::skinned::{joints, joints_of, nodes_without_effect};
use crate::formats::editor::{Edit, FileFix};

/// Quaternions whose length differs from 1 by less are rounded; see the finding `rest-rotation-not-unit`.
const UNIT_TOLERANCE: f64 = 1e-3;
const QUANTIZATION: &str = "KHR_mesh_quantization";
const DRACO: &str = "KHR_draco_mesh_compression";

pub(super) const FIXES: &[FileFix] = &[
    FileFix::new(
        &["position-bounds-wrong", "position-bounds-missing"],
        "compute min and max of the positions",
    ),
    FileFix::new(&["key-time-bounds-wrong"], "compute min and max of the key times"),
    FileFix::new(&["quantized-without-extension"], "declare KHR_mesh_quantization"),
    FileFix::new(&["weights-not-fractions"], "mark integer weights as normalized"),
    FileFix::new(&["skeleton-not-ancestor"], "remove the skeleton of skins, which is optional"),
    FileFix::new(&["skin-without-joints"], "remove the skin of nodes whose mesh has no joints"),
    FileFix::new(
        &["animated-matrix-node"],
        "replace matrices of animated nodes by translation, rotation and scale",
    ),
    FileFix::new(&["rest-rotation-not-unit"], "normalize the rotations of nodes"),
    FileFix::new(
        &["skinned-node-transform"],
        "remove the transform of nodes with a skin, which has no effect",
    ),
    FileFix::new(
        &["morph-weight-count"],
        "give meshes as many morph weights as they have morph targets",
    ),
    FileFix::new(&["channel-without-target"], "remove animation channels without a target node"),
    FileFix {
        refusal: "the clip moves a node that also moves other nodes; decide which of them should move",
        ..FileFix::new(
            &["skinned-node-animated"],
            "remove the channels of nodes with a skin, which have no effect",
        )
    },
    FileFix::new(&["first-influences-missing"], "number the sets of joints and weights from 0"),
    FileFix::new(&["joints-outside-scene"], "add the joints to the scene"),
    FileFix {
        on_request: true,
        ..FileFix::new(&["meshes-outside-scene"], "add all meshes to the scene")
    },
    FileFix::new(&["name-not-utf8"], "replace bytes that aren't valid UTF-8"),
];

/// Applies the fixes selected in `edit`.
pub(super) fn edit(file: &mut Parts<'_>, edit: &Edit<'_>) -> Option<()> {
    let fixes = |codes: &[&str]| codes.iter().any(|code| edit.fixes(code));
    if fixes(&["position-bounds-wrong", "position-bounds-missing"]) {
        // The bounds are those of the compressed positions, which aren't in the buffer.
        (!has_draco(&file.json)).then_some(())?;
        for accessor in of_attributes(&file.json, "POSITION") {
            set_bounds(file, accessor)?;
        }
    }
    if fixes(&["key-time-bounds-wrong"]) {
        for accessor in of_key_times(&file.json) {
            set_bounds(file, accessor)?;
        }
    }
    type Change = fn(&mut JsonText) -> Option<()>;
    let changes: [(&str, Change); 10] = [
        ("quantized-without-extension", declare_quantization),
        ("weights-not-fractions", normalize_weights),
        ("skeleton-not-ancestor", remove_skeletons),
        ("skin-without-joints", remove_skins),
        ("animated-matrix-node", replace_matrices),
        ("rest-rotation-not-unit", normalize_rotations),
        ("skinned-node-transform", remove_transforms),
        ("morph-weight-count", resize_weights),
        ("first-influences-missing", renumber_influences),
        ("joints-outside-scene", |json| add_to_scene(json, &joints(json))),
    ];
    for (code, change) in changes {
        if edit.fixes(code) {
            change(&mut file.json)?;
        }
    }
    channels::remove(&mut file.json, edit)?;
    if edit.fixes("meshes-outside-scene") {
        let json = &mut file.json;
        let num_nodes = json.len(place!("nodes"));
        let has_mesh = |node: &usize| json.get(place!("nodes", *node, "mesh")).is_some();
        let nodes: BTreeSet<usize> = (0..num_nodes).filter(has_mesh).collect();
        add_to_scene(json, &nodes)?;
    }
    Some(())
}

fn has_draco(json: &JsonText) -> bool {
    let used = json.get(place!("extensionsUsed"));
    let used = used.as_ref().and_then(Value::as_array);
    used.is_some_and(|list| list.iter().any(|name| name == DRACO))
}

fn declare_quantization(json: &mut JsonText) -> Option<()> {
    for key in ["extensionsUsed", "extensionsRequired"] {
        let list = json.get(place!(key)).unwrap_or(Value::Null);
        let is_listed = |list: &Vec<Value>| list.iter().any(|name| name == QUANTIZATION);
        if !list.as_array().is_some_and(is_listed) {
            json.push(key, &json!(QUANTIZATION))?;
        }
    }
    Some(())
}

fn normalize_weights(json: &mut JsonText) -> Option<()> {
    const FLOAT: usize = 5126;
    for accessor in of_attributes(json, "WEIGHTS_") {
        if json.index(place!("accessors", accessor, "componentType")) != Some(FLOAT) {
            json.set(place!("accessors", accessor, "normalized"), &json!(true))?;
        }
    }
    Some(())
}

/// The parent of each node.
fn parents(json: &JsonText) -> Vec<Option<usize>> {
    let num_nodes = json.len(place!("nodes"));
    let mut parents = vec![None; num_nodes];
    for node in 0..num_nodes {
        for child in 0..json.len(place!("nodes", node, "children")) {
            let index = json.index(place!("nodes", node, "children", child));
            if let Some(slot) = index.and_then(|index| parents.get_mut(index)) {
                *slot = Some(node);
            }
        }
    }
    parents
}

/// The ancestors of a node, itself first. Ends at a cycle.
fn ancestors(parents: &[Option<usize>], node: usize) -> Vec<usize> {
    let up = std::iter::successors(Some(node), |node| parents.get(*node).copied().flatten());
    up.take(parents.len().max(1)).collect()
}

fn remove_skeletons(json: &mut JsonText) -> Option<()> {
    let parents = parents(json);
    for skin in 0..json.len(place!("skins")) {
        let Some(skeleton) = json.index(place!("skins", skin, "skeleton")) else { continue };
        let is_above = |joint: &usize| ancestors(&parents, *joint).contains(&skeleton);
        if !joints_of(json, skin).iter().all(is_above) {
            json.remove(place!("skins", skin, "skeleton"))?;
        }
    }
    Some(())
}

fn remove_skins(json: &mut JsonText) -> Option<()> {
    for node in 0..json.len(place!("nodes")) {
        let Some(mesh) = json.index(place!("nodes", node, "mesh")) else { continue };
        let has_joints = (0..json.len(place!("meshes", mesh, "primitives"))).any(|primitive| {
            let place = place!("meshes", mesh, "primitives", primitive, "attributes", "JOINTS_0");
            json.get(place).is_some()
        });
        if !has_joints && json.get(place!("nodes", node, "skin")).is_some() {
            json.remove(place!("nodes", node, "skin"))?;
        }
    }
    Some(())
}

/// The nodes that animations target.
fn animated(json: &JsonText) -> BTreeSet<usize> {
    let mut nodes = BTreeSet::new();
    for animation in 0..json.len(place!("animations")) {
        for channel in 0..json.len(place!("animations", animation, "channels")) {
            let place = place!("animations", animation, "channels", channel, "target", "node");
            nodes.extend(json.index(place));
        }
    }
    nodes
}

fn replace_matrices(json: &mut JsonText) -> Option<()> {
    for node in animated(json) {
        if json.get(place!("nodes", node, "matrix")).is_some() {
            replace_matrix(json, node)?;
        }
    }
    Some(())
}

fn normalize_rotations(json: &mut JsonText) -> Option<()> {
    for node in 0..json.len(place!("nodes")) {
        let Some(list) = json.get(place!("nodes", node, "rotation")) else { continue };
        let values: Vec<f64> = list.as_array()?.iter().filter_map(Value::as_f64).collect();
        let values: [f64; 4] = values.try_into().ok()?;
        let rotation = glam::DQuat::from_array(values);
        if (rotation.length() - 1.0).abs() <= UNIT_TOLERANCE {
            continue;
        }
        let is_direction = rotation.length() > f64::from(f32::EPSILON);
        if is_direction {
            let list = numbers(rotation.normalize().to_array());
            json.set(place!("nodes", node, "rotation"), &list)?;
        } else {
            set_rotation(json, node, Quat::IDENTITY)?;
        }
    }
    Some(())
}

/// Section 3.7.3.2: only the joints place a skinned mesh.
fn remove_transforms(json: &mut JsonText) -> Option<()> {
    for node in nodes_without_effect(json) {
        for key in ["translation", "rotation", "scale", "matrix"] {
            if json.get(place!("nodes", node, key)).is_some() {
                json.remove(place!("nodes", node, key))?;
            }
        }
    }
    Some(())
}

fn resize_weights(json: &mut JsonText) -> Option<()> {
    let num_targets =
        |json: &JsonText, mesh: usize| json.len(place!("meshes", mesh, "primitives", 0, "targets"));
    let resized = |list: &Value, num: usize| -> Option<Value> {
        let list = list.as_array()?;
        let filled = list.iter().cloned().chain(std::iter::repeat(json!(0)));
        (list.len() != num).then(|| Value::Array(filled.take(num).collect()))
    };
    for mesh in 0..json.len(place!("meshes")) {
        let num = num_targets(json, mesh);
        let weights = json.get(place!("meshes", mesh, "weights"));
        if let Some(list) = weights.as_ref().and_then(|list| resized(list, num)) {
            json.set(place!("meshes", mesh, "weights"), &list)?;
        }
    }
    for node in 0..json.len(place!("nodes")) {
        let Some(mesh) = json.index(place!("nodes", node, "mesh")) else { continue };
        let num = num_targets(json, mesh);
        let weights = json.get(place!("nodes", node, "weights"));
        if let Some(list) = weights.as_ref().and_then(|list| resized(list, num)) {
            json.set(place!("nodes", node, "weights"), &list)?;
        }
    }
    Some(())
}

/// Section 3.7.2.1: sets are numbered from 0 without gaps.
fn renumber_influences(json: &mut JsonText) -> Option<()> {
    for mesh in 0..json.len(place!("meshes")) {
        for primitive in 0..json.len(place!("meshes", mesh, "primitives")) {
            let place = place!("meshes", mesh, "primitives", primitive, "attributes");
            let Some(Value::Object(mut attributes)) = json.get(place) else { continue };
            let set = |name: &String| name.strip_prefix("JOINTS_")?.parse::<usize>().ok();
            let mut sets: Vec<usize> = attributes.keys().filter_map(set).collect();
            sets.sort_unstable();
            if sets.iter().copied().eq(0..sets.len()) {
                continue;
            }
            for (new, old) in sets.into_iter().enumerate() {
                for kind in ["JOINTS", "WEIGHTS"] {
                    if let Some(accessor) = attributes.remove(&format!("{kind}_{old}")) {
                        attributes.insert(format!("{kind}_{new}"), accessor);
                    }
                }
            }
            let place = place!("meshes", mesh, "primitives", primitive, "attributes");
            json.set(place, &Value::Object(attributes))?;
        }
    }
    Some(())
}

/// Adds the roots of some nodes to the default scene.
fn add_to_scene(json: &mut JsonText, nodes: &BTreeSet<usize>) -> Option<()> {
    let scene = json.index(place!("scene")).unwrap_or(0);
    let parents = parents(json);
    let roots = nodes.iter().filter_map(|node| ancestors(&parents, *node).last().copied());
    let roots: BTreeSet<usize> = roots.collect();
    let num = json.len(place!("scenes", scene, "nodes"));
    let listed = (0..num).filter_map(|node| json.index(place!("scenes", scene, "nodes", node)));
    let mut listed: Vec<usize> = listed.collect();
    let before = listed.len();
    for root in roots {
        if !listed.contains(&root) {
            listed.push(root);
        }
    }
    if listed.len() > before {
        json.set(place!("scenes", scene, "nodes"), &json!(listed))?;
    }
    Some(())
}
