//! Avatars of VRM 0 and VRM 1 (`.vrm`): the bones of a human, expressions and springs; and the bones of a human in VRM
//! animations (`.vrma`).
//!
//! Source: VRM Consortium, "VRM 0.0" (extension `VRM`) and "VRM 1.0" (`VRMC_vrm`, `VRMC_springBone`,
//! `VRMC_springBone_extended_collider`, `VRMC_vrm_animation`), vrm-c/vrm-specification.
//! First person and node constraints aren't read.
//!
//! Values of an unexpected type are ignored: everything here is additional to the glTF file. A reference to a node,
//! mesh or morph target that doesn't exist is dropped.

mod materials;
mod vrm0;
mod vrm1;

use glam::Vec3;
use gltf_json::Root;
use serde_json::Value;

use super::mesh::Meshes;
use rigscope_core::model::{
    Avatar, BoneId, Detail, Expression, ExpressionWeight, LookAtRange, MeshId,
};

/// Maximum number of springs, colliders and expressions. Files with more are damaged.
const MAX_ENTRIES: usize = 65_536;

/// Toon shading of VRM 1.
pub(super) const MTOON: &str = "VRMC_materials_mtoon";
/// The extension of VRM 0.
pub(super) const VRM_0: &str = "VRM";

/// The smallest angle of a range of look-at, in degrees: three-vrm's.
const LEAST_INPUT_DEG: f32 = 0.01;

/// The data of an avatar.
pub(super) struct Vrm {
    pub(super) avatar: Avatar,
    pub(super) details: Vec<(&'static str, Detail)>,
    /// The avatar faces -Z, unlike other glTF models.
    pub(super) faces_backward: bool,
}

/// The avatar of the file; `None` if it isn't a VRM file.
pub(super) fn read(root: &Root, meshes: &Meshes) -> Option<Vrm> {
    let extensions = &root.extensions.as_ref()?.others;
    let scene = Scene::of(root, meshes);
    if let Some(animation) = extensions.get("VRMC_vrm_animation") {
        let version = text(animation, "specVersion").unwrap_or("1.0").to_owned();
        return Some(Vrm {
            avatar: vrm1::animated(animation, &scene),
            details: vec![("vrm animation", Detail::Text(version))],
            faces_backward: false,
        });
    }
    let faces_backward = !extensions.contains_key("VRMC_vrm");
    let (avatar, meta, version) = if let Some(vrm) = extensions.get("VRMC_vrm") {
        let avatar = vrm1::avatar(vrm, extensions.get("VRMC_springBone"), &scene);
        (avatar, vrm.get("meta"), text(vrm, "specVersion").unwrap_or("1.0"))
    } else {
        let vrm = vrm_0(root)?;
        (vrm0::avatar(vrm, &scene), vrm.get("meta"), text(vrm, "specVersion").unwrap_or("0.0"))
    };
    let meta = meta.unwrap_or(&Value::Null);
    let mut details = vec![("vrm", Detail::Text(version.to_owned()))];
    let filled = |name: &&str| text(meta, name).filter(|value| !value.trim().is_empty());
    let one_of = |names: &[&str]| names.iter().find_map(filled);
    let authors =
        list(meta, "authors").iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", ");
    // VRM 0 names a licence, or "Other" and an address; VRM 1 always has an address.
    let license = match one_of(&["licenseUrl", "licenseName"]) {
        None | Some("Other") => one_of(&["otherLicenseUrl", "licenseName"]),
        named => named,
    };
    for (name, value) in [
        ("title", one_of(&["name", "title"])),
        ("author", one_of(&["author"]).or(Some(&*authors))),
        ("license", license),
    ] {
        let value = value.filter(|value| !value.is_empty());
        details.extend(value.map(|value| (name, Detail::Text(value.to_owned()))));
    }
    Some(Vrm { avatar, details, faces_backward })
}

/// The extension of VRM 0, if the file has it.
fn vrm_0(root: &Root) -> Option<&Value> {
    root.extensions.as_ref()?.others.get(VRM_0)
}

/// Whether VRM 0 defines a material as a toon material.
pub(super) fn is_toon(root: &Root, material: usize) -> bool {
    let properties = vrm_0(root).map_or(&[][..], |vrm| list(vrm, "materialProperties"));
    let shader = properties.get(material).and_then(|own| text(own, "shader"));
    shader.is_some_and(|shader| shader.ends_with("MToon"))
}

/// The parts of VRM 0 that a file has, and that aren't simulated or drawn.
pub(super) fn missing_of_vrm_0(root: &Root) -> String {
    let is_toon = (0..root.materials.len()).any(|material| is_toon(root, material));
    let secondary = vrm_0(root).and_then(|vrm| vrm.get("secondaryAnimation"));
    let groups = secondary.map_or(&[][..], |own| list(own, "boneGroups"));
    let has_springs = groups.iter().any(|group| !list(group, "bones").is_empty());
    let parts = [
        Some("first person isn't applied"),
        is_toon.then_some("toon shading (MToon) isn't shown"),
        has_springs.then_some("springs are drawn, but not simulated"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The parts of the file that avatars refer to.
struct Scene<'a> {
    root: &'a Root,
    meshes: &'a Meshes,
    /// Model meshes by glTF mesh.
    of_mesh: Vec<Vec<MeshId>>,
}

impl<'a> Scene<'a> {
    fn of(root: &'a Root, meshes: &'a Meshes) -> Self {
        let mut of_mesh = vec![Vec::new(); root.meshes.len()];
        for (at, node) in root.nodes.iter().enumerate() {
            let slot = node.mesh.and_then(|mesh| of_mesh.get_mut(mesh.value()));
            if let (Some(slot), Some(own)) = (slot, meshes.of_node.get(&at)) {
                slot.extend(own.iter().copied());
            }
        }
        Self { root, meshes, of_mesh }
    }

    /// The bone of a node: bones have the numbers of nodes.
    fn bone(&self, value: Option<&Value>) -> Option<BoneId> {
        let node = usize::try_from(value?.as_u64()?).ok()?;
        (node < self.root.nodes.len()).then(|| BoneId::from_index(node))
    }

    /// The position of a bone relative to its parent.
    fn translation(&self, bone: BoneId) -> Vec3 {
        let node = self.root.nodes.get(bone.index());
        let of = |node: &gltf_json::Node| match (node.translation, node.matrix) {
            (Some(translation), _) => Vec3::from(translation),
            (None, Some(matrix)) => Vec3::new(matrix[12], matrix[13], matrix[14]),
            (None, None) => Vec3::ZERO,
        };
        node.map_or(Vec3::ZERO, of)
    }

    /// Children of a bone, in the order of the file.
    fn children(&self, bone: BoneId) -> impl Iterator<Item = BoneId> {
        let node = self.root.nodes.get(bone.index());
        let children = node.and_then(|node| node.children.as_ref()).into_iter().flatten();
        children.map(|child| BoneId::from_index(child.value()))
    }

    /// Adds a weight for a target of each of `meshes`; primitives of a mesh have the same targets.
    fn add_weight(&self, meshes: &[MeshId], target: usize, weight: f32, out: &mut Expression) {
        for &mesh in meshes {
            let own = self.meshes.list.get(mesh.index());
            if own.is_some_and(|own| target < own.morph_targets.len()) {
                out.weights.push(ExpressionWeight { mesh, target, weight });
            }
        }
    }
}

/// A range of look-at, with the names of its fields. Angles that aren't stated are 90 degrees.
fn look_at_range(value: Option<&Value>, [input, output]: [&str; 2], usual: f32) -> LookAtRange {
    let of = |name| value.and_then(|value| number(value, name));
    LookAtRange {
        most_input_deg: of(input).unwrap_or(90.0).max(LEAST_INPUT_DEG),
        most_output: of(output).unwrap_or(usual),
    }
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name)?.as_str()
}

fn number(value: &Value, name: &str) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "the model stores single precision")]
    value.get(name)?.as_f64().map(|number| number as f32).filter(|number| number.is_finite())
}

/// A list; empty if the field is missing.
fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    let list = value.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    list.get(..MAX_ENTRIES).unwrap_or(list)
}

/// The index in a field.
fn index(value: &Value, name: &str) -> Option<usize> {
    usize::try_from(value.get(name)?.as_u64()?).ok()
}

#[cfg(test)]
mod tests;
