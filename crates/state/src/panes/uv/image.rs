//! The texture behind the layout: role, mip level and channels.
//!
//! Not for: texture details (Materials pane).

use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::{AppState, Document, ModelKey, ShownChannel};
use rigscope_core::images::{header, level_png};
use rigscope_core::model::{
    ByteView, Image, ImageId, Indices, Material, MaterialId, MaterialLook, MaterialOverride, Mesh,
    Model, Streams, Subset, SurfaceMaterials, TextureRef, TextureRole, UvSet, VertexData,
};

/// Depth of the texture, behind tints and lines.
const PICTURE_Z: f32 = -0.02;

/// The choice of the texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UvTextureChoice {
    pub role: TextureRole,
    /// Mip level in the file, 0 is the largest. Clamped to the smallest level.
    pub level: u32,
    pub channel: ShownChannel,
}

impl Default for UvTextureChoice {
    fn default() -> Self {
        Self { role: TextureRole::BaseColor, level: 0, channel: ShownChannel::Rgb }
    }
}

/// The texture behind the layout.
#[derive(Clone, Debug)]
pub struct UvImage {
    /// `None` for a checkerboard.
    pub image: Option<ImageId>,
    pub name: String,
    /// Number of mip levels in the file.
    pub num_levels: u32,
    /// The reason why it can't be shown.
    pub refused: Option<String>,
    /// A square with the image, from 0 to 1.
    pub model: Arc<Model>,
}

impl PartialEq for UvImage {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
    }
}

/// The inputs of [`UvImage`]; without an image, a checkerboard.
#[derive(Clone, Debug)]
pub struct UvImageKey {
    model: ModelKey,
    material_override: Option<Arc<MaterialOverride>>,
    image: Option<ImageId>,
    texture: UvTextureChoice,
}

impl PartialEq for UvImageKey {
    fn eq(&self, other: &Self) -> bool {
        let is_same_override = match (&self.material_override, &other.material_override) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        is_same_override
            && self.model == other.model
            && self.image == other.image
            && (self.texture == other.texture || self.image.is_none())
    }
}

impl UvImageKey {
    /// Decodes the image if a level or a channel has to be extracted.
    pub(super) fn picture(&self) -> UvImage {
        let images =
            SurfaceMaterials::of(self.model.model(), self.material_override.as_deref()).images;
        let image = self.image.and_then(|id| images.get(id));
        let Some(image) = image else {
            return UvImage {
                image: None,
                name: String::new(),
                num_levels: 1,
                refused: None,
                model: Arc::new(square(None)),
            };
        };
        let header = header(&image.bytes, &image.name);
        let num_levels = header.map_or(1, |header| header.num_levels.max(1));
        let level = self.texture.level.min(num_levels - 1);
        let part = match self.texture.channel {
            ShownChannel::Rgb if level == 0 => None,
            ShownChannel::Rgb => Some(level_png(&image.bytes, &image.name, level, None)),
            ShownChannel::Single(at) => Some(level_png(&image.bytes, &image.name, level, Some(at))),
        };
        let refused = part.as_ref().and_then(|part| part.as_ref().err()).map(ToString::to_string);
        let seen = match part {
            Some(Ok(png)) => Image {
                name: "part.png".to_owned(),
                bytes: ByteView::whole(png),
                is_embedded: true,
            },
            _ => image.clone(),
        };
        UvImage {
            image: self.image,
            name: image.name.clone(),
            num_levels,
            refused,
            model: Arc::new(square(Some(seen))),
        }
    }
}

impl AppState {
    pub(super) fn picture_key(&self) -> Option<UvImageKey> {
        let image = self.uv_image(self.tab.document.as_ref()?);
        Some(UvImageKey {
            model: self.model_key()?,
            material_override: self.material_override().cloned(),
            image,
            texture: self.tab.view.uv.texture,
        })
    }

    /// The image of the selected subset's material; without a selection, of the first material
    /// with an image.
    fn uv_image(&self, document: &Document) -> Option<ImageId> {
        if let Some(number) = self.tab.selection.subset() {
            return self.uv_image_of(number);
        }
        (0..document.subsets.len()).find_map(|number| self.uv_image_of(number))
    }

    /// The image of subset `number` in the chosen role.
    pub(super) fn uv_image_of(&self, number: usize) -> Option<ImageId> {
        let material = self.tab.document.as_ref()?.subsets.get(number)?.subset.material?;
        let material = self.surface_materials()?.materials.get(material)?;
        material.image_of(self.tab.view.uv.texture.role)?.image
    }

    /// The roles in which any material has an image, and the chosen one.
    pub fn uv_roles(&self) -> Vec<TextureRole> {
        let materials = self.surface_materials().map_or(&[][..], |worn| worn.materials);
        let textures = materials.iter().flat_map(|material| &material.textures);
        let there = textures.filter(|texture| texture.image.is_some()).map(|texture| texture.role);
        let mut roles: Vec<_> = there.chain([self.tab.view.uv.texture.role]).collect();
        roles.sort();
        roles.dedup();
        roles
    }
}

/// A square with one image.
fn square(image: Option<Image>) -> Model {
    let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)];
    let coords = corners.map(|(u, v)| Vec2::new(u, v)).to_vec();
    let place = |uv: &Vec2| Vec3::new(uv.x, -uv.y, PICTURE_Z);
    let mesh = Mesh {
        vertices: VertexData::Streams(Streams {
            positions: coords.iter().map(place).collect(),
            normals: vec![Vec3::Z; 4],
            uv_sets: vec![UvSet { name: String::new(), coords }],
            ..Streams::default()
        }),
        indices: Indices::U32(vec![0, 1, 2, 0, 2, 3]),
        subsets: vec![Subset { first_index: 0, index_count: 6, material: Some(MaterialId(0)) }],
        ..Mesh::default()
    };
    let texture = TextureRef::embedded(TextureRole::BaseColor, ImageId(0));
    let material = Material {
        textures: image.iter().map(|_| texture.clone()).collect(),
        look: Some(Box::new(MaterialLook { is_unlit: true, ..MaterialLook::default() })),
        ..Material::default()
    };
    Model {
        meshes: vec![mesh].into(),
        materials: vec![material].into(),
        images: image.into_iter().collect(),
        ..Model::default()
    }
}
