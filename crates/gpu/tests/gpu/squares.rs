//! Squares with materials.

use glam::{Affine2, Vec3};
use image::ImageFormat;
use rigscope_gpu::{FrameInput, Show};

use super::images::front;
use rigscope_testing::*;

pub(crate) const RED: [u8; 4] = [220, 10, 30, 255];
pub(crate) const GREEN: [u8; 4] = [20, 190, 60, 255];
pub(crate) const BLUE: [u8; 4] = [30, 60, 230, 255];
pub(crate) const WHITE: [u8; 4] = [250, 251, 252, 255];

pub(crate) const TEXTURED: Show =
    Show { surface: true, textures: true, subset_colors: true, ..Show::NOTHING };

/// An image file of `side` x `side` texels.
pub(crate) fn encoded(side: u32, texels: &[[u8; 4]], format: ImageFormat) -> Image {
    let picture = image::RgbaImage::from_raw(side, side, texels.concat()).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    match format {
        ImageFormat::Png => picture.write_to(&mut bytes, format).unwrap(),
        _ => image::DynamicImage::from(picture).into_rgb8().write_to(&mut bytes, format).unwrap(),
    }
    Image {
        name: format!("picture.{}", format.extensions_str()[0]),
        bytes: ByteView::whole(bytes.into_inner()),
        is_embedded: true,
    }
}

pub(crate) fn png(side: u32, texels: &[[u8; 4]]) -> Image {
    encoded(side, texels, ImageFormat::Png)
}

/// An image with a colour per quarter.
pub(crate) fn quarters(texels: [[u8; 4]; 4], format: ImageFormat) -> Image {
    let texel = |at: usize| texels[at / 128 * 2 + at % 16 / 8];
    encoded(16, &(0..256).map(texel).collect::<Vec<_>>(), format)
}

/// A square in file space: the directions right and up of its texture, and its normal.
#[derive(Clone, Copy)]
pub(crate) struct Square {
    pub(crate) center: Vec3,
    pub(crate) half: f32,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) has_tangents: bool,
}

pub(crate) const UPRIGHT: Square = Square {
    center: Vec3::ZERO,
    half: 0.8,
    right: Vec3::X,
    up: Vec3::Y,
    normal: Vec3::Z,
    has_tangents: true,
};

impl Square {
    pub(crate) fn mesh(&self, material: u32) -> Mesh {
        let sign = self.normal.cross(self.right).dot(self.up).signum();
        let w = if sign > 0.0 { 1 } else { -1 };
        let tangent = if self.has_tangents { self.right } else { Vec3::ZERO };
        let corner = |u: u16, v: u16| {
            let (right, up) = (f32::from(u) * 2.0 - 1.0, 1.0 - f32::from(v) * 2.0);
            let place = self.center + (self.right * right + self.up * up) * self.half;
            PackedVertex {
                normal: pack_snorm1010102(self.normal, 0),
                tangent: pack_snorm1010102(tangent, w),
                uv: [u * 65535, v * 65535],
                ..packed_vertex(place)
            }
        };
        let corners = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        Mesh {
            vertices: VertexData::Packed(PackedVertices::from_vertices(corners)),
            // Outward by the winding.
            indices: Indices::U32(if sign > 0.0 {
                vec![0, 1, 2, 0, 2, 3]
            } else {
                vec![0, 2, 1, 0, 3, 2]
            }),
            subsets: subsets_of(&[(6, Some(material))]),
            ..Mesh::default()
        }
    }
}

pub(crate) fn model(squares: &[Square], materials: Vec<Material>, images: Vec<Image>) -> Model {
    Model {
        meshes: (0..).zip(squares).map(|(at, square)| square.mesh(at)).collect(),
        materials: materials.into(),
        images: images.into(),
        ..Model::default()
    }
}

pub(crate) fn unlit() -> MaterialLook {
    MaterialLook { is_unlit: true, ..MaterialLook::default() }
}

pub(crate) fn material(textures: Vec<TextureRef>, look: MaterialLook) -> Material {
    Material { textures, look: Some(Box::new(look)), ..Material::default() }
}

pub(crate) fn base() -> TextureRef {
    TextureRef::embedded(TextureRole::BaseColor, ImageId(0))
}

pub(crate) fn placed(matrix: Affine2, wrap: [Wrap; 2]) -> TextureRef {
    TextureRef { wrap, texture_from_uv: Some(Box::new(matrix)), ..base() }
}

pub(crate) fn view() -> FrameInput<'static> {
    FrameInput { show: TEXTURED, ..front() }
}

#[track_caller]
pub(crate) fn assert_near(found: [u8; 4], wanted: [u8; 4]) {
    let is_near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(is_near, "{found:?} is not {wanted:?}");
}
