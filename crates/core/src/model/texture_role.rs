//! Texture roles and their channels.

/// The role of a texture. [`TextureRole::info`] describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextureRole {
    /// Colour and alpha.
    BaseColor,
    /// Tangent-space normals, green up (as in glTF, OpenGL, Blender).
    Normal,
    /// Roughness in green, metallic in blue (glTF).
    MetallicRoughness,
    /// Metallic in red, roughness in green, occlusion in blue (effects of the Banuba SDK).
    MetallicRoughnessOcclusion,
    /// Metallic in red.
    Metallic,
    /// Roughness in red.
    Roughness,
    /// Ambient occlusion in red.
    Occlusion,
    /// Emitted light.
    Emissive,
    /// Any other role, listed by name only.
    Other,
}

/// A channel of an image, 0 red to 3 alpha.
pub type Channel = u8;

/// Description of a texture role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoleInfo {
    /// The role.
    pub role: TextureRole,
    /// Stable kebab-case identifier, as in JSON.
    pub name: &'static str,
    /// Name shown to users.
    pub label: &'static str,
    /// Whether the image contains colours, sRGB-encoded unless its file states otherwise, rather
    /// than data.
    pub is_color: bool,
    /// Channel of the metallic value.
    pub metallic: Option<Channel>,
    /// Channel of the roughness value.
    pub roughness: Option<Channel>,
    /// Channel of the occlusion value.
    pub occlusion: Option<Channel>,
}

const fn color(role: TextureRole, name: &'static str, label: &'static str) -> RoleInfo {
    RoleInfo { is_color: true, ..numbers(role, name, label, [None; 3]) }
}

const fn numbers(
    role: TextureRole,
    name: &'static str,
    label: &'static str,
    [metallic, roughness, occlusion]: [Option<Channel>; 3],
) -> RoleInfo {
    RoleInfo { role, name, label, is_color: false, metallic, roughness, occlusion }
}

const R: Option<Channel> = Some(0);
const G: Option<Channel> = Some(1);
const B: Option<Channel> = Some(2);

/// All roles in the order of the enum.
pub const TEXTURE_ROLES: [RoleInfo; 9] = [
    color(TextureRole::BaseColor, "base-color", "base colour"),
    numbers(TextureRole::Normal, "normal", "normals", [None; 3]),
    numbers(
        TextureRole::MetallicRoughness,
        "metallic-roughness",
        "metallic and roughness",
        [B, G, None],
    ),
    numbers(
        TextureRole::MetallicRoughnessOcclusion,
        "metallic-roughness-occlusion",
        "metallic, roughness, occlusion",
        [R, G, B],
    ),
    numbers(TextureRole::Metallic, "metallic", "metallic", [R, None, None]),
    numbers(TextureRole::Roughness, "roughness", "roughness", [None, R, None]),
    numbers(TextureRole::Occlusion, "occlusion", "occlusion", [None, None, R]),
    color(TextureRole::Emissive, "emissive", "emissive"),
    color(TextureRole::Other, "other", "other"),
];

impl TextureRole {
    /// The description of this role.
    #[must_use]
    pub fn info(self) -> &'static RoleInfo {
        // A test verifies that the table is in the order of the roles.
        &TEXTURE_ROLES[self as usize]
    }

    /// The role with this stable name.
    pub fn named(name: &str) -> Option<Self> {
        TEXTURE_ROLES.iter().find(|info| info.name == name).map(|info| info.role)
    }
}

#[cfg(test)]
#[test]
fn rows_are_in_the_order_of_their_roles() {
    for (at, info) in TEXTURE_ROLES.iter().enumerate() {
        assert_eq!(info.role as usize, at);
        assert_eq!(info.role.info(), info);
        assert_eq!(TextureRole::named(info.name), Some(info.role));
    }
}
