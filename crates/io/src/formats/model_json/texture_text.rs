//! The textures of a material as data.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess};

use super::either::either;

/// The textures of a material.
#[derive(Debug)]
pub(super) enum TexturesText {
    ByRole(BTreeMap<String, RoleText>),
    Listed(Vec<TextureText>),
}

impl Default for TexturesText {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

/// The texture of a role.
#[derive(Debug)]
pub(super) enum RoleText {
    Path(String),
    Texture(Box<TextureText>),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TextureText {
    pub(super) role: Option<String>,
    pub(super) path: String,
    pub(super) image: Option<u32>,
    pub(super) uv_set: u8,
    pub(super) wrap: Option<[String; 2]>,
    pub(super) transform: Option<[[f32; 3]; 3]>,
    pub(super) found_by_name: bool,
}

either! {
    TexturesText,
    "an object from roles to paths or textures, or a list of textures",
    fn visit_map<A: MapAccess<'de>>(self, by_role: A) -> Result<TexturesText, A::Error> {
        BTreeMap::deserialize(MapAccessDeserializer::new(by_role)).map(TexturesText::ByRole)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<TexturesText, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(TexturesText::Listed)
    }
}

either! {
    RoleText,
    "a path or a texture",
    fn visit_str<E: Error>(self, path: &str) -> Result<RoleText, E> {
        Ok(RoleText::Path(path.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, texture: A) -> Result<RoleText, A::Error> {
        let texture = TextureText::deserialize(MapAccessDeserializer::new(texture))?;
        Ok(RoleText::Texture(Box::new(texture)))
    }
}
