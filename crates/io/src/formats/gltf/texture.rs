//! Images, and the textures that use them: wrapping, UV sets and transforms.

use glam::{Affine2, Vec2};
use gltf_json::texture::{Sampler, Texture, WrappingMode};
use gltf_json::validation::Checked;
use serde_json::{Map, Value};

use super::asset::Asset;
use super::fault::{malformed, nth};
use super::pointer::TRANSFORM;
use super::uri;
use crate::formats::ReadError;
use rigscope_core::model::{
    ByteView, Element, FindingKind, Image, ImageId, Place, TextureRef, TextureRole,
    TextureTransform, Wrap, as_u32, numbered,
};

enum ImageSource {
    Embedded(ImageId),
    File(String),
    Missing,
}

pub(super) struct ImageTable {
    stored: Vec<ImageSource>,
    /// The embedded images.
    pub(super) list: Vec<Image>,
}

/// A material's reference to a texture.
pub(super) struct TextureUse<'a> {
    pub(super) role: TextureRole,
    pub(super) index: usize,
    pub(super) uv_set: u32,
    pub(super) transform: Option<Transform>,
    pub(super) of_material: &'a str,
}

/// `KHR_texture_transform`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    pub(super) parts: TextureTransform,
    pub(super) uv_set: Option<u32>,
}

impl Transform {
    /// From a texture's extensions that `gltf-json` leaves untyped.
    pub(super) fn of(extensions: &Map<String, Value>) -> Option<Self> {
        let value = extensions.get(TRANSFORM)?;
        #[expect(clippy::cast_possible_truncation, reason = "JSON's numbers are wider")]
        let number = |value: &Value| value.as_f64().map(|number| number as f32);
        let pair = |key: &str, default: Vec2| match value.get(key).and_then(Value::as_array) {
            Some(list) => match &list[..] {
                [x, y] => Vec2::new(number(x).unwrap_or_default(), number(y).unwrap_or_default()),
                _ => default,
            },
            None => default,
        };
        let uv_set = value.get("texCoord").and_then(Value::as_u64);
        Some(Self {
            parts: TextureTransform {
                offset: pair("offset", Vec2::ZERO),
                rotation_rad: value.get("rotation").and_then(number).unwrap_or_default(),
                scale: pair("scale", Vec2::ONE),
            },
            uv_set: uv_set.map(|set| u32::try_from(set).unwrap_or(u32::MAX)),
        })
    }
}

impl ImageTable {
    /// Finds all images. Broken ones are reported and skipped.
    pub(super) fn read(asset: &mut Asset<'_>) -> Result<Self, ReadError> {
        let mut images = Self { stored: Vec::new(), list: Vec::new() };
        for (index, image) in asset.root.images.iter().enumerate() {
            asset.report.progress("reading images", 0.15)?;
            let stored = match (&image.uri, image.buffer_view) {
                (Some(text), _) if !uri::is_data(text) => {
                    Ok(ImageSource::File(uri::decode_path(text)))
                }
                (text, view) => {
                    let view = view.map(|view| view.value());
                    if let (None, Some(view)) = (text, view) {
                        let image = as_u32(images.list.len());
                        asset.add_view_span(view, Element::Image { image });
                    }
                    embedded_bytes(asset, text.as_deref(), view).map(|bytes| {
                        let name = image.name.clone();
                        images.list.push(Image {
                            name: name.unwrap_or_else(|| format!("image {index}")),
                            bytes,
                            is_embedded: true,
                        });
                        ImageSource::Embedded(ImageId::from_index(images.list.len() - 1))
                    })
                }
            };
            images.stored.push(match stored {
                Ok(stored) => stored,
                Err(ReadError::Malformed(failure) | ReadError::Unsupported(failure)) => {
                    let what = format!(
                        "{}: {}",
                        numbered("image", index, image.name.as_deref().unwrap_or_default()),
                        failure.what
                    );
                    asset.report.add(FindingKind::ImageLeftOut, Place::File, what);
                    ImageSource::Missing
                }
                Err(other) => return Err(other),
            });
        }
        Ok(images)
    }

    /// The texture that a material refers to; `None` if it doesn't exist.
    pub(super) fn texture(&self, asset: &Asset<'_>, named: &TextureUse<'_>) -> Option<TextureRef> {
        match self.find(asset, named) {
            Ok(texture) => texture,
            Err(error) => {
                let why = match &error {
                    ReadError::Malformed(failure) => failure.what.clone(),
                    other => other.to_string(),
                };
                let what = format!("a texture of material {:?}: {why}", named.of_material);
                asset.report.add(FindingKind::TextureLeftOut, Place::File, what);
                None
            }
        }
    }

    fn find(
        &self,
        asset: &Asset<'_>,
        named: &TextureUse<'_>,
    ) -> Result<Option<TextureRef>, ReadError> {
        let texture = nth(&asset.root.textures, named.index, "texture")?;
        let stored = nth(&self.stored, source(texture), "image")?;
        let mut found = match stored {
            ImageSource::Embedded(image) => TextureRef::embedded(named.role, *image),
            ImageSource::File(path) => TextureRef::file(named.role, path.as_str()),
            ImageSource::Missing => return Ok(None),
        };
        if let Some(sampler) = texture.sampler {
            found.wrap = wrap(nth(&asset.root.samplers, sampler.value(), "sampler")?);
        }
        let moved_to = named.transform.and_then(|transform| transform.uv_set);
        let uv_set = moved_to.unwrap_or(named.uv_set);
        found.uv_set = u8::try_from(uv_set)
            .map_err(|_| malformed("texCoord", format!("UV set {uv_set} is too high")))?;
        let matrix = named.transform.map(|transform| transform.parts.to_affine());
        found.texture_from_uv = matrix.filter(|m| *m != Affine2::IDENTITY).map(Box::new);
        Ok(Some(found))
    }
}

/// The image of a texture. The plain source takes precedence, since every program can read it, then
/// the sources of extensions.
fn source(texture: &Texture) -> usize {
    let plain = texture.source.value();
    if plain != u32::MAX as usize {
        return plain;
    }
    let extensions = || texture.extensions.iter().flat_map(|extensions| &extensions.others);
    let source = |value: &Value| usize::try_from(value.get("source")?.as_u64()?).ok();
    extensions().find_map(|(_, value)| source(value)).unwrap_or(plain)
}

fn wrap(sampler: &Sampler) -> [Wrap; 2] {
    [sampler.wrap_s, sampler.wrap_t].map(|mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    })
}

fn embedded_bytes(
    asset: &mut Asset<'_>,
    text: Option<&str>,
    view: Option<usize>,
) -> Result<ByteView, ReadError> {
    match (text, view) {
        (Some(text), _) => {
            asset.charge::<[u8; 2]>(text.len(), "image")?;
            let bytes = uri::decode_data(text).map_err(|what| malformed("images", what))?;
            Ok(ByteView::whole(bytes))
        }
        (None, Some(view)) => {
            let bytes = asset.view(view)?.bytes;
            bytes.part(0..bytes.len())
        }
        (None, None) => Err(malformed("images", "it has neither uri nor buffer view")),
    }
}
