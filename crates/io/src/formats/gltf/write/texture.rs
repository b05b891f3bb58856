//! Images, samplers and textures of materials.
//!
//! Source: glTF 2.0, sections 3.8 and 5.18, 5.26, 5.29; `KHR_texture_transform`.

use std::borrow::Cow;
use std::collections::HashMap;

use glam::Affine2;
use gltf_json::extensions::texture::{
    TextureTransform, TextureTransformOffset, TextureTransformRotation, TextureTransformScale,
};
use gltf_json::image::MimeType;
use gltf_json::texture::{Sampler, Texture, WrappingMode};
use gltf_json::validation::Checked;
use gltf_json::{Image as StoredImage, Index};

use super::super::uri;
use super::data::{FileData, index};
use super::nodes::name;
use crate::formats::image_bytes::{Takes, extension};
use crate::formats::related_images::{
    RelatedImages, existing_path, missing_path, report_unsupported_images,
};
use crate::formats::{ImagePlaces, last_part};
use rigscope_core::model::{
    FindingKind, Image, ImageId, Model, Place, Report, TextureRef, TextureTransform as Parts, Wrap,
};

/// Image formats that glTF allows (section 3.8.2).
pub(in super::super) const TAKES: Takes = Takes::Only(&["png", "jpg", "jpeg"]);
/// Tolerance for a transform to equal the one rebuilt from its parts.
const TRANSFORM_TOLERANCE: f32 = 1e-5;

/// Written images and textures by their source, so that none is written twice.
pub(super) struct TextureWriter<'a> {
    /// Images written as separate files.
    files: &'a RelatedImages,
    places: &'a ImagePlaces,
    report: &'a Report,
    embedded: HashMap<ImageId, usize>,
    file_images: HashMap<String, usize>,
    /// At most nine.
    samplers: Vec<([Wrap; 2], usize)>,
    textures: HashMap<(usize, Option<usize>), usize>,
}

impl<'a> TextureWriter<'a> {
    pub(super) fn new(
        files: &'a RelatedImages,
        places: &'a ImagePlaces,
        report: &'a Report,
    ) -> Self {
        Self {
            files,
            places,
            report,
            embedded: HashMap::new(),
            file_images: HashMap::new(),
            samplers: Vec::new(),
            textures: HashMap::new(),
        }
    }

    /// Writes `texture`; `None` if it has neither a path nor an image that the format can store.
    pub(super) fn add(
        &mut self,
        model: &Model,
        texture: &TextureRef,
        data: &mut FileData,
    ) -> Option<Index<Texture>> {
        let image = self.image(model, texture, data)?;
        let sampler = self.sampler(texture.wrap, data);
        let key = (image, sampler);
        if let Some(known) = self.textures.get(&key) {
            return Some(index(*known));
        }
        let at = data.root.textures.len();
        self.textures.insert(key, at);
        data.root.textures.push(Texture {
            name: None,
            sampler: sampler.map(index),
            source: index(image),
            extensions: None,
            extras: Default::default(),
        });
        Some(index(at))
    }

    /// The stored image of a texture: the name of a separate file if there is one, else embedded;
    /// textures without an image keep their path.
    fn image(&mut self, model: &Model, texture: &TextureRef, data: &mut FileData) -> Option<usize> {
        let Some((id, image)) = texture.image.map(|id| (id, model.image(id))) else {
            let is_named = !texture.path.trim().is_empty();
            return is_named.then(|| self.named(&missing_path(model, texture), data));
        };
        if let Some(path) = self.files.name(texture) {
            return Some(self.named(path, data));
        }
        if let Some(known) = self.embedded.get(&id) {
            return Some(*known);
        }
        let bytes = match TAKES.bytes(image) {
            Ok(bytes) => bytes,
            Err(why) => {
                let unfit = format!("{:?} ({why})", model.texture_name(texture));
                report_unsupported_images(vec![unfit], self.report);
                return None;
            }
        };
        if let Cow::Borrowed(_) = bytes
            && let Some(path) = existing_path(image, self.places)
        {
            return Some(self.named(&path, data));
        }
        let at = data.root.images.len();
        self.embedded.insert(id, at);
        let stored = embedded(image, &bytes, data);
        data.root.images.push(stored);
        Some(at)
    }

    /// The stored image of a path.
    fn named(&mut self, path: &str, data: &mut FileData) -> usize {
        if let Some(known) = self.file_images.get(path) {
            return *known;
        }
        let at = data.root.images.len();
        self.file_images.insert(path.to_owned(), at);
        data.root.images.push(StoredImage {
            buffer_view: None,
            mime_type: None,
            name: None,
            uri: Some(uri::encode_path(path)),
            extensions: None,
            extras: Default::default(),
        });
        at
    }

    /// The sampler with a wrapping mode; `None` if the texture repeats, which is the default.
    fn sampler(&mut self, wrap: [Wrap; 2], data: &mut FileData) -> Option<usize> {
        if wrap == [Wrap::Repeat; 2] {
            return None;
        }
        if let Some((_, known)) = self.samplers.iter().find(|(known, _)| *known == wrap) {
            return Some(*known);
        }
        let at = data.root.samplers.len();
        self.samplers.push((wrap, at));
        let [wrap_s, wrap_t] = wrap.map(|edge| {
            Checked::Valid(match edge {
                Wrap::Repeat => WrappingMode::Repeat,
                Wrap::Clamp => WrappingMode::ClampToEdge,
                Wrap::Mirror => WrappingMode::MirroredRepeat,
            })
        });
        data.root.samplers.push(Sampler { wrap_s, wrap_t, ..Sampler::default() });
        Some(at)
    }
}

fn embedded(image: &Image, bytes: &[u8], data: &mut FileData) -> StoredImage {
    let called = if image.is_embedded { &*image.name } else { last_part(&image.name) };
    let mime = if extension(bytes, called) == "png" { "image/png" } else { "image/jpeg" };
    StoredImage {
        buffer_view: Some(data.view(bytes)),
        mime_type: Some(MimeType(mime.to_owned())),
        name: name(called),
        uri: None,
        extensions: None,
        extras: Default::default(),
    }
}

/// The closest transform that `KHR_texture_transform` can store: scale, rotation, translation;
/// shear is left out. Animated textures have one even if it has no effect by itself.
pub(super) fn transform(
    texture: &TextureRef,
    is_animated: bool,
    report: &Report,
) -> Option<TextureTransform> {
    let stored = texture.texture_from_uv.as_deref().copied();
    let matrix = stored.or_else(|| is_animated.then_some(Affine2::IDENTITY))?;
    let parts = Parts::from_affine(&matrix);
    let is_near = parts.to_affine().abs_diff_eq(matrix, TRANSFORM_TOLERANCE);
    report.add_many(FindingKind::Altered, Place::File, u64::from(!is_near), || {
        "the shear of a texture's transform is left out".to_owned()
    });
    Some(TextureTransform {
        offset: TextureTransformOffset(parts.offset.to_array()),
        rotation: TextureTransformRotation(parts.rotation_rad),
        scale: TextureTransformScale(parts.scale.to_array()),
        // The crate would write `None` as `null`.
        tex_coord: Some(u32::from(texture.uv_set)),
        extras: Default::default(),
    })
}
