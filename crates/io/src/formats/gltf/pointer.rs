//! `KHR_animation_pointer`: channels whose pointer names a property that plain channels also animate become such
//! channels, those of material factors and texture transforms become [`MaterialChannel`]s. Others, such as those of
//! lights and cameras, aren't read and are reported.
//!
//! Source: Khronos, "KHR_animation_pointer", "KHR_texture_transform" and "glTF 2.0 Asset Object Model".

use rigscope_core::model::{MaterialProperty, TextureProperty, TextureRole};
use serde_json::{Value, json};

pub(super) const TRANSFORM: &str = "KHR_texture_transform";
pub(super) const ANIMATION_POINTER: &str = "KHR_animation_pointer";
/// Properties of nodes that plain channels animate.
pub(super) const NODE_PATHS: [&str; 4] = ["translation", "rotation", "scale", "weights"];

/// A channel of a material factor or of a part of a texture's transform.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MaterialChannel {
    pub(super) animation: usize,
    /// Its index in the file's list of channels.
    pub(super) number: usize,
    pub(super) sampler: usize,
    pub(super) material: usize,
    pub(super) factor: Factor,
}

/// An animated value of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    /// Stored as the property itself.
    Whole(MaterialProperty),
    /// `KHR_materials_emissive_strength`, which multiplies the emissive factor.
    EmissiveStrength,
}

impl Factor {
    /// The property of the material that the factor determines.
    pub(super) fn property(self) -> MaterialProperty {
        match self {
            Self::Whole(property) => property,
            Self::EmissiveStrength => MaterialProperty::Emissive,
        }
    }
}

/// The pointer of each factor, relative to its material.
const FACTORS: [(&str, Factor); 16] = {
    use MaterialProperty::*;
    [
        ("pbrMetallicRoughness/baseColorFactor", Factor::Whole(BaseColor)),
        ("pbrMetallicRoughness/metallicFactor", Factor::Whole(Metallic)),
        ("pbrMetallicRoughness/roughnessFactor", Factor::Whole(Roughness)),
        ("emissiveFactor", Factor::Whole(Emissive)),
        ("extensions/KHR_materials_emissive_strength/emissiveStrength", Factor::EmissiveStrength),
        ("alphaCutoff", Factor::Whole(AlphaCutoff)),
        ("normalTexture/scale", Factor::Whole(NormalScale)),
        ("occlusionTexture/strength", Factor::Whole(OcclusionStrength)),
        ("extensions/KHR_materials_ior/ior", Factor::Whole(Ior)),
        ("extensions/KHR_materials_specular/specularFactor", Factor::Whole(Specular)),
        ("extensions/KHR_materials_specular/specularColorFactor", Factor::Whole(SpecularColor)),
        ("extensions/KHR_materials_clearcoat/clearcoatFactor", Factor::Whole(Clearcoat)),
        (
            "extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor",
            Factor::Whole(ClearcoatRoughness),
        ),
        ("extensions/KHR_materials_sheen/sheenColorFactor", Factor::Whole(SheenColor)),
        ("extensions/KHR_materials_sheen/sheenRoughnessFactor", Factor::Whole(SheenRoughness)),
        ("extensions/KHR_materials_transmission/transmissionFactor", Factor::Whole(Transmission)),
    ]
};

/// The pointer of each texture, relative to its material.
const TEXTURES: [(&str, TextureRole); 5] = [
    ("pbrMetallicRoughness/baseColorTexture", TextureRole::BaseColor),
    ("pbrMetallicRoughness/metallicRoughnessTexture", TextureRole::MetallicRoughness),
    ("normalTexture", TextureRole::Normal),
    ("occlusionTexture", TextureRole::Occlusion),
    ("emissiveTexture", TextureRole::Emissive),
];

/// The names of the parts of a texture's transform.
const TEXTURE_PROPERTIES: [(&str, TextureProperty); 3] = [
    ("offset", TextureProperty::Offset),
    ("rotation", TextureProperty::Rotation),
    ("scale", TextureProperty::Scale),
];

/// The value at a pointer relative to its material.
fn factor(pointer: &str) -> Option<Factor> {
    let known = FACTORS.iter().find(|(path, _)| *path == pointer);
    known.map(|(_, factor)| *factor).or_else(|| {
        let (path, property) = pointer.rsplit_once('/')?;
        let texture = path.strip_suffix(TRANSFORM)?.strip_suffix("/extensions/")?;
        let (_, role) = TEXTURES.iter().find(|(path, _)| *path == texture)?;
        let (_, property) = TEXTURE_PROPERTIES.iter().find(|(name, _)| *name == property)?;
        Some(Factor::Whole(MaterialProperty::Texture(*role, *property)))
    })
}

/// The channel of an animation as one of a material; `None` if its pointer names another property.
pub(super) fn material_channel(
    animation: usize,
    number: usize,
    channel: &Value,
) -> Option<MaterialChannel> {
    let pointer = pointer_of(channel.get("target")?)?;
    let (material, rest) = pointer.strip_prefix("/materials/")?.split_once('/')?;
    let factor = factor(rest)?;
    let sampler = channel.get("sampler")?.as_u64()?;
    Some(MaterialChannel {
        animation,
        number,
        sampler: usize::try_from(sampler).ok()?,
        material: material.parse().ok()?,
        factor,
    })
}

/// The pointer of a property of the material with this index; `None` if the format has no texture of that role.
pub(super) fn material_pointer(material: usize, property: MaterialProperty) -> Option<String> {
    if let MaterialProperty::Texture(role, property) = property {
        let (texture, _) = TEXTURES.iter().find(|(_, own)| *own == role)?;
        let (name, _) = TEXTURE_PROPERTIES.iter().find(|(_, own)| *own == property)?;
        return Some(format!("/materials/{material}/{texture}/extensions/{TRANSFORM}/{name}"));
    }
    let is_it = |(_, factor): &&(&str, Factor)| *factor == Factor::Whole(property);
    let (path, _) = FACTORS.iter().find(is_it)?;
    Some(format!("/materials/{material}/{path}"))
}

/// The property that a channel targets with the extension.
pub(super) fn pointer_of(target: &Value) -> Option<&str> {
    target.get("extensions")?.get(ANIMATION_POINTER)?.get("pointer")?.as_str()
}

/// Replaces channels of all animations that can be plain ones. `tree` is the whole file. Returns the number in the file
/// of each channel of each animation: channels are added at the end.
pub(super) fn resolve(tree: &mut Value) -> Vec<Vec<usize>> {
    let nodes = tree.get("nodes").and_then(Value::as_array);
    let mesh_of = |node: &Value| node.get("mesh").and_then(Value::as_u64);
    let meshes: Vec<_> = nodes.into_iter().flatten().map(mesh_of).collect();
    let animations = tree.get_mut("animations").and_then(Value::as_array_mut);
    let mut numbers = Vec::new();
    for animation in animations.into_iter().flatten() {
        let mut of_animation = Vec::new();
        if let Some(channels) = animation.get_mut("channels").and_then(Value::as_array_mut) {
            of_animation.extend(0..channels.len());
            let mut added = Vec::new();
            for (number, channel) in channels.iter_mut().enumerate() {
                let targets = pointer_of(channel.get("target").unwrap_or(&Value::Null));
                let targets = targets.map_or_else(Vec::new, |pointer| targets_of(pointer, &meshes));
                let mut targets = targets.into_iter();
                let Some((node, path)) = targets.next() else { continue };
                // A mesh that several nodes show has a channel for each.
                for (node, path) in targets {
                    let mut more = channel.clone();
                    set_target(&mut more, node, path);
                    added.push(more);
                    of_animation.push(number);
                }
                set_target(channel, node, path);
            }
            channels.append(&mut added);
        }
        numbers.push(of_animation);
    }
    numbers
}

fn set_target(channel: &mut Value, node: u64, path: &str) {
    if let Some(channel) = channel.as_object_mut() {
        channel.insert("target".to_owned(), json!({ "node": node, "path": path }));
    }
}

/// The node and property of each plain channel that `pointer` stands for; `meshes` are those of the nodes.
fn targets_of(pointer: &str, meshes: &[Option<u64>]) -> Vec<(u64, &'static str)> {
    let mut parts = pointer.strip_prefix('/').unwrap_or_default().split('/');
    let (list, number, path) = (parts.next(), parts.next(), parts.next());
    let number: Option<u64> = number.and_then(|number| number.parse().ok());
    let (Some(list), Some(number), Some(path), None) = (list, number, path, parts.next()) else {
        return Vec::new();
    };
    let path = NODE_PATHS.iter().find(|known| **known == path);
    match (list, path) {
        ("nodes", Some(path)) => vec![(number, path)],
        ("meshes", Some(&"weights")) => {
            let nodes = (0..).zip(meshes).filter(|(_, mesh)| **mesh == Some(number));
            nodes.map(|(node, _)| (node, "weights")).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_properties_of_nodes_and_weights_are_plain_channels() {
        let meshes = [Some(1), None, Some(1)];
        for (pointer, targets) in [
            ("/nodes/4/rotation", &[(4, "rotation")][..]),
            ("/nodes/4/weights", &[(4, "weights")]),
            ("/meshes/1/weights", &[(0, "weights"), (2, "weights")]),
            ("/meshes/0/weights", &[]),
            ("/meshes/1/scale", &[]),
            ("/nodes/4/weights/0", &[]),
            ("/nodes/-1/rotation", &[]),
            ("/nodes/4/matrix", &[]),
            ("/materials/0/alphaCutoff", &[]),
            ("nodes/4/rotation", &[]),
            ("", &[]),
        ] {
            assert_eq!(targets_of(pointer, &meshes), targets, "{pointer}");
        }
    }

    #[test]
    fn factors_of_materials_are_known_by_their_pointer() {
        let channel = |pointer: &str| {
            let extension = json!({ ANIMATION_POINTER: { "pointer": pointer } });
            let target = json!({ "path": "pointer", "extensions": extension });
            material_channel(3, 8, &json!({ "sampler": 5, "target": target }))
        };
        let roughness = Factor::Whole(MaterialProperty::Roughness);
        let found = channel("/materials/7/pbrMetallicRoughness/roughnessFactor");
        let expected =
            MaterialChannel { animation: 3, number: 8, sampler: 5, material: 7, factor: roughness };
        assert_eq!(found, Some(expected));
        for (_, factor) in FACTORS {
            if let Factor::Whole(property) = factor {
                let pointer = material_pointer(2, property).unwrap();
                let found = channel(&pointer).unwrap();
                assert_eq!((found.material, found.factor), (2, factor), "{pointer}");
            }
        }
        let offset = MaterialProperty::Texture(TextureRole::Normal, TextureProperty::Offset);
        let pointer = "/materials/2/normalTexture/extensions/KHR_texture_transform/offset";
        assert_eq!(material_pointer(2, offset).as_deref(), Some(pointer));
        assert_eq!(channel(pointer).map(|own| own.factor), Some(Factor::Whole(offset)));
        for other in [
            "/materials/0/pbrMetallicRoughness",
            "/materials/-1/alphaCutoff",
            "/materials/alphaCutoff",
            "/materials/0/normalTexture/extensions/KHR_texture_transform/texCoord",
            "/materials/0/extensions/KHR_texture_transform/offset",
            "/nodes/0/rotation",
        ] {
            assert_eq!(channel(other), None, "{other}");
        }
    }
}
