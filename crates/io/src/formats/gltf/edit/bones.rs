//! Rest transforms and names of nodes, and names of animations. Bones of the model have the numbers of their nodes.

use serde_json::{Value, json};

use super::document::numbers;
use super::json_text::{JsonText, place};
use rigscope_core::model::{LocalTransform, Model};

/// Writes the differences between two models with the same bones and clips.
pub(super) fn edit(json: &mut JsonText, before: &Model, after: &Model) -> Option<()> {
    let bones = before.skeleton.bones().iter().zip(after.skeleton.bones().iter());
    for (node, (old, new)) in bones.enumerate() {
        if old.rest_local != new.rest_local {
            rest(json, node, &old.rest_local, &new.rest_local)?;
        }
        if old.name != new.name {
            json.set(place!("nodes", node, "name"), &Value::from(new.name.as_str()))?;
        }
    }
    for (animation, (old, new)) in before.clips.iter().zip(&after.clips).enumerate() {
        if old.name != new.name {
            json.set(place!("animations", animation, "name"), &Value::from(new.name.as_str()))?;
        }
    }
    Some(())
}

fn rest(
    json: &mut JsonText,
    node: usize,
    old: &LocalTransform,
    new: &LocalTransform,
) -> Option<()> {
    if json.get(place!("nodes", node, "matrix")).is_some() {
        let matrix = glam::Mat4::from(new.to_affine());
        let list = numbers(matrix.to_cols_array().map(f64::from));
        return json.set(place!("nodes", node, "matrix"), &list);
    }
    let (old, new) = (old.to_trs(), new.to_trs());
    if old.translation != new.translation {
        let list = numbers(new.translation.to_array().map(f64::from));
        json.set(place!("nodes", node, "translation"), &list)?;
    }
    if old.rotation != new.rotation {
        set_rotation(json, node, new.rotation)?;
    }
    if old.scale != new.scale {
        let list = numbers(new.scale.to_array().map(f64::from));
        json.set(place!("nodes", node, "scale"), &list)?;
    }
    Some(())
}

pub(super) fn set_rotation(json: &mut JsonText, node: usize, rotation: glam::Quat) -> Option<()> {
    let list = numbers(rotation.to_array().map(f64::from));
    json.set(place!("nodes", node, "rotation"), &list)
}

/// Replaces the matrix of a node by translation, rotation and scale (section 5.25: animated nodes must not have a
/// matrix).
pub(super) fn replace_matrix(json: &mut JsonText, node: usize) -> Option<()> {
    let list = json.get(place!("nodes", node, "matrix"))?;
    let values: Vec<f64> = list.as_array()?.iter().filter_map(Value::as_f64).collect();
    let values: [f64; 16] = values.try_into().ok()?;
    let (scale, rotation, translation) =
        glam::DMat4::from_cols_array(&values).to_scale_rotation_translation();
    json.remove(place!("nodes", node, "matrix"))?;
    let is_finite = scale.is_finite() && rotation.is_finite() && translation.is_finite();
    is_finite.then_some(())?;
    json.set(place!("nodes", node, "translation"), &numbers(translation.to_array()))?;
    json.set(place!("nodes", node, "rotation"), &numbers(rotation.to_array()))?;
    json.set(place!("nodes", node, "scale"), &json!(numbers(scale.to_array())))
}
