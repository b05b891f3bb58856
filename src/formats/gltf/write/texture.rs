//! Images, samplers and textures that materials name.
//!
//! Source: glTF 2.0, sections 3.8 and 5.18, 5.26, 5.29; `KHR_texture_transform`.

use glam::{Affine2, Vec2};
use gltf_json::extensions::texture::{
    TextureTransform, TextureTransformOffset, TextureTransformRotation, TextureTransformScale,
};
use gltf_json::image::MimeType;
use gltf_json::texture::{Sampler, Texture, WrappingMode};
use gltf_json::validation::Checked;
use gltf_json::{Image as StoredImage, Index};

use super::super::uri;
use super::data::{Data, index};
use super::nodes::name;
use crate::model::{Image, ImageId, Model, NoteKind, Place, Report, TextureRef, Wrap};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG: &[u8] = b"\xff\xd8\xff";
/// A part of a transform that is off by this much is not what its parts make of it.
const TRANSFORM_TOLERANCE: f32 = 1e-5;

/// Images and textures by what they were made of: none is written twice.
#[derive(Default)]
pub(super) struct Textures {
    embedded: Vec<(ImageId, usize)>,
    beside: Vec<(String, usize)>,
    samplers: Vec<([Wrap; 2], usize)>,
    textures: Vec<((usize, Option<usize>), usize)>,
}

impl Textures {
    /// Puts `texture` into the file; nothing where there is neither path nor bytes that the format
    /// can hold.
    pub(super) fn add(
        &mut self,
        model: &Model,
        texture: &TextureRef,
        data: &mut Data,
        report: &Report,
    ) -> Option<Index<Texture>> {
        let image = self.image(model, texture, data);
        let Some(image) = image else {
            report.note(
                NoteKind::LeftOut,
                Place::File,
                format!(
                    "the image {:?}: only png and jpeg can lie inside the file",
                    model.texture_name(texture)
                ),
            );
            return None;
        };
        let sampler = self.sampler(texture.wrap, data);
        let key = (image, sampler);
        if let Some((_, known)) = self.textures.iter().find(|(known, _)| *known == key) {
            return Some(index(*known));
        }
        let at = data.root.textures.len();
        self.textures.push((key, at));
        data.root.textures.push(Texture {
            name: None,
            sampler: sampler.map(index),
            source: index(image),
            extensions: None,
            extras: Default::default(),
        });
        Some(index(at))
    }

    fn image(&mut self, model: &Model, texture: &TextureRef, data: &mut Data) -> Option<usize> {
        let image = texture
            .image
            .and_then(|id| Some((id, model.images.get(id.index())?)));
        let inside = image.filter(|(_, image)| image.is_embedded);
        if let Some((id, image)) = inside
            && let Some(mime) = mime_type(&image.bytes)
        {
            if let Some((_, known)) = self.embedded.iter().find(|(known, _)| *known == id) {
                return Some(*known);
            }
            let at = data.root.images.len();
            self.embedded.push((id, at));
            let stored = embedded(image, texture, mime, data);
            data.root.images.push(stored);
            return Some(at);
        }
        let path = match image {
            Some((_, image)) if texture.path.is_empty() && !image.is_embedded => &image.name,
            _ => &texture.path,
        };
        if path.is_empty() {
            return None;
        }
        if let Some((_, known)) = self.beside.iter().find(|(known, _)| known == path) {
            return Some(*known);
        }
        let at = data.root.images.len();
        self.beside.push((path.clone(), at));
        data.root.images.push(StoredImage {
            buffer_view: None,
            mime_type: None,
            name: None,
            uri: Some(uri::encode_path(path)),
            extensions: None,
            extras: Default::default(),
        });
        Some(at)
    }

    /// The sampler of such edges; none where the texture repeats.
    fn sampler(&mut self, wrap: [Wrap; 2], data: &mut Data) -> Option<usize> {
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
        data.root.samplers.push(Sampler {
            wrap_s,
            wrap_t,
            ..Sampler::default()
        });
        Some(at)
    }
}

fn embedded(image: &Image, texture: &TextureRef, mime: &str, data: &mut Data) -> StoredImage {
    let named = match image.name.is_empty() {
        true => &texture.path,
        false => &image.name,
    };
    StoredImage {
        buffer_view: Some(data.view(&image.bytes)),
        mime_type: Some(MimeType(mime.to_owned())),
        name: name(named),
        uri: None,
        extensions: None,
        extras: Default::default(),
    }
}

/// What the format calls such bytes, where it takes them.
fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(PNG) {
        Some("image/png")
    } else if bytes.starts_with(JPEG) {
        Some("image/jpeg")
    } else {
        None
    }
}

/// A transform as `KHR_texture_transform` has it: scaled, turned, moved. One that shears comes as
/// near as that can.
pub(super) fn transform(texture: &TextureRef, report: &Report) -> Option<TextureTransform> {
    let matrix = **texture.texture_from_uv.as_ref()?;
    let (u, v) = (matrix.matrix2.x_axis, matrix.matrix2.y_axis);
    // The inverse of `Transform::matrix` in the reader.
    let turn_rad = match u == Vec2::ZERO {
        true => v.x.atan2(v.y),
        false => (-u.y).atan2(u.x),
    };
    let (sin, cos) = turn_rad.sin_cos();
    let scale = Vec2::new(u.dot(Vec2::new(cos, -sin)), v.dot(Vec2::new(sin, cos)));
    let rebuilt = Affine2::from_cols(
        Vec2::new(cos, -sin) * scale.x,
        Vec2::new(sin, cos) * scale.y,
        matrix.translation,
    );
    let is_near = rebuilt.abs_diff_eq(matrix, TRANSFORM_TOLERANCE);
    report.note_many(NoteKind::Altered, Place::File, u64::from(!is_near), || {
        "a texture's transform shears, which is left out".to_owned()
    });
    Some(TextureTransform {
        offset: TextureTransformOffset(matrix.translation.to_array()),
        rotation: TextureTransformRotation(turn_rad),
        scale: TextureTransformScale(scale.to_array()),
        // The crate would write none as `null`.
        tex_coord: Some(u32::from(texture.uv_set)),
        extras: Default::default(),
    })
}
