//! Transforms of nodes with a skinned mesh, which the specification ignores (section 3.7.3.3) and
//! some engines apply.
//!
//! The check covers the node's placement relative to its joints: the transforms from the lowest
//! common ancestor (exclusive) down to the mesh's node. Transforms of common ancestors make no
//! difference in any of the common engines, however large they are, so the usual armature with a
//! rotation or a scale isn't reported: three.js (bind mode *attached*) multiplies by the inverse of
//! the mesh's own world matrix and by that matrix again; Unity and Unreal pose bones in world or
//! component space and ignore the renderer's place; Godot moves skinned meshes below the skeleton,
//! which has that transform; viewers that pose in the space of the common node apply its transform
//! once. Only a transform of the mesh's own branch is applied by some (Godot, Assimp's examples,
//! raylib) and ignored by the others.

use glam::{Affine3A, Mat4, Vec3};
use gltf_json::accessor::{ComponentType, GenericComponentType};
use gltf_json::animation::Property;
use gltf_json::mesh::Semantic;
use gltf_json::validation::Checked;

use super::{MAX_STEPS, parent_of, shown_nodes};
use crate::formats::gltf::asset::Asset;
use crate::formats::gltf::mesh::Meshes;
use rigscope_core::model::{
    Aabb, BoneId, FindingKind, InverseBindSkin, Mesh, Place, Skeleton, Skin, as_u32, numbered,
    numbers,
};

/// A shift below this fraction of the mesh's size isn't visible; matrices with few decimals cause
/// as much.
const MIN_SHIFT: f32 = 1e-3;

/// Reports nodes of skinned meshes with a transform relative to their joints, at rest or in a clip.
pub(super) fn check(asset: &Asset<'_>, skeleton: &Skeleton, meshes: &Meshes) {
    let animated = animated_nodes(asset);
    let mut num_steps = 0;
    for (node, number) in shown_nodes(meshes) {
        let Some(mesh) = meshes.list.get(number as usize) else { continue };
        let Skin::InverseBind(skin) = &mesh.skin else { continue };
        let joints = skin.bones.iter().map(|bone| bone.index());
        let Some(branch) = branch(skeleton, node, joints, &mut num_steps) else { return };
        let locals = skeleton.rest_locals();
        let local = |node: &usize| {
            locals.get(BoneId::from_index(*node)).copied().unwrap_or(Affine3A::IDENTITY)
        };
        let transform = branch.iter().rev().fold(Affine3A::IDENTITY, |above, n| above * local(n));
        let place = Place::Mesh(number);
        let common = parent_of(skeleton, *branch.last().unwrap_or(&node));
        let bounds = bounds(skeleton, mesh, skin, common.filter(|_| !branch.is_empty()));
        let size = bounds.extent();
        let shift = shift(&bounds, &transform);
        let is_shifted = shift > size * MIN_SHIFT && !is_dequantization(asset, node, &transform);
        let is_shifted = u64::from(is_shifted);
        asset.report.add_many(FindingKind::SkinnedNodeTransform, place, is_shifted, || {
            let node = asset.node_name(node);
            let percent = numbers::up_to_percent(shift / size.max(f32::MIN_POSITIVE));
            format!(
                "{node} has {} relative to its joints; runtimes that apply it move the mesh by \
                 {percent} of its size",
                described(&transform)
            )
        });
        let moved = branch.iter().find_map(|node| Some((*node, (*animated.get(*node)?)?)));
        let Some((moved, clip)) = moved else { continue };
        let place = Place::Clip(as_u32(clip));
        asset.report.add_many(FindingKind::SkinnedNodeAnimated, place, 1, || {
            let name = asset.root.animations.get(clip).and_then(|clip| clip.name.as_deref());
            let clip = numbered("clip", clip, name.unwrap_or_default());
            let skinned = asset.node_name(node);
            match asset.node_name(moved) {
                _ if moved == node => format!("{clip} moves the skinned {skinned}"),
                moved => format!("{clip} moves {moved} and with it the skinned {skinned}"),
            }
        });
    }
}

/// Whether a node's transform is the dequantization of its positions: exporters write it both to
/// the node, where it has no effect, and to the inverse bind matrices.
fn is_dequantization(asset: &Asset<'_>, node: usize, transform: &Affine3A) -> bool {
    let mesh = asset.root.nodes.get(node).and_then(|node| node.mesh);
    let mesh = mesh.and_then(|mesh| asset.root.meshes.get(mesh.value()));
    let is_quantized = mesh.into_iter().flat_map(|mesh| &mesh.primitives).all(|primitive| {
        let accessor = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
        let accessor = accessor.and_then(|index| asset.root.accessors.get(index.value()));
        accessor.is_some_and(|accessor| match accessor.component_type {
            Checked::Valid(GenericComponentType(component)) => component != ComponentType::F32,
            Checked::Invalid => false,
        })
    });
    let (scale, rotation, _) = transform.to_scale_rotation_translation();
    let is_even = scale.abs_diff_eq(Vec3::splat(scale.x), scale.x.abs() * 1e-3);
    is_quantized && is_even && rotation.is_near_identity()
}

/// The first clip that animates each node.
fn animated_nodes(asset: &Asset<'_>) -> Vec<Option<usize>> {
    let mut animated = vec![None; asset.root.nodes.len()];
    for (clip, animation) in asset.root.animations.iter().enumerate() {
        for channel in &animation.channels {
            let is_weights = channel.target.path == Checked::Valid(Property::MorphTargetWeights);
            if let Some(slot) =
                animated.get_mut(channel.target.node.value()).filter(|_| !is_weights)
            {
                slot.get_or_insert(clip);
            }
        }
    }
    animated
}

/// The mesh's node and its ancestors that aren't above all joints, lowest first. `None` if the file
/// needs too many steps.
fn branch(
    skeleton: &Skeleton,
    node: usize,
    joints: impl Iterator<Item = usize>,
    num_steps: &mut usize,
) -> Option<Vec<usize>> {
    let mut chain = vec![node];
    while let Some(parent) = parent_of(skeleton, *chain.last()?) {
        *num_steps += 1;
        if *num_steps > MAX_STEPS {
            return None;
        }
        chain.push(parent);
    }
    let places: std::collections::HashMap<usize, usize> =
        chain.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    let mut seen = std::collections::HashSet::new();
    // Number of nodes in the chain below the lowest common ancestor so far.
    let mut num_below = 0;
    for joint in joints {
        let mut at = Some(joint);
        num_below = loop {
            let Some(node) = at else { break chain.len() };
            *num_steps += 1;
            if *num_steps > MAX_STEPS {
                return None;
            }
            if let Some(place) = places.get(&node) {
                break num_below.max(*place);
            }
            if !seen.insert(node) {
                break num_below;
            }
            at = parent_of(skeleton, node);
        };
    }
    chain.truncate(num_below);
    Some(chain)
}

/// Bounds of the mesh as placed by the first joint at rest, in the space of the node `common`, or
/// of the scene.
fn bounds(skeleton: &Skeleton, mesh: &Mesh, skin: &InverseBindSkin, common: Option<usize>) -> Aabb {
    let mut matrix = skin.bone_from_mesh.first().copied().unwrap_or(Mat4::IDENTITY);
    let mut at = skin.bones.first().map(|bone| bone.index());
    while let Some(node) = at.filter(|_| at != common) {
        let local = skeleton
            .rest_locals()
            .get(BoneId::from_index(node))
            .copied()
            .unwrap_or(Affine3A::IDENTITY);
        matrix = Mat4::from(local) * matrix;
        at = parent_of(skeleton, node);
    }
    let positions = (0..mesh.num_vertices()).filter_map(|at| mesh.position(at));
    let stored = Aabb::from_points(positions);
    if stored.is_empty() {
        return stored;
    }
    Aabb::from_points(stored.corners().map(|corner| matrix.transform_point3(corner)))
}

/// Largest distance by which `transform` moves a corner of a box.
fn shift(bounds: &Aabb, transform: &Affine3A) -> f32 {
    if bounds.is_empty() {
        return 0.0;
    }
    let moved = bounds.corners().map(|corner| transform.transform_point3(corner).distance(corner));
    moved.into_iter().fold(0.0, f32::max)
}

/// Describes a transform: `a translation of 9 m and a rotation by 90°`.
fn described(transform: &Affine3A) -> String {
    let (scale, rotation, translation) = transform.to_scale_rotation_translation();
    let mut parts = Vec::new();
    if translation.length() > 1e-4 {
        parts.push(format!("a translation of {}", numbers::length(translation.length(), true)));
    }
    let angle = 2.0 * rotation.w.abs().min(1.0).acos().to_degrees();
    if angle > 0.05 {
        parts.push(format!("a rotation by {}", numbers::degrees(angle)));
    }
    if !scale.abs_diff_eq(Vec3::ONE, 1e-4) {
        let is_uniform = scale.abs_diff_eq(Vec3::splat(scale.x), scale.x.abs() * 1e-3);
        let [x, y, z] = scale.to_array().map(|factor| numbers::significant(f64::from(factor), 5));
        parts.push(if is_uniform {
            format!("a scale of {x}")
        } else {
            format!("a scale of {x}, {y}, {z}")
        });
    }
    if parts.is_empty() { "a small transform".to_owned() } else { parts.join(" and ") }
}
