//! The inputs and statistics of one frame.

use glam::{Vec2, Vec3, Vec4};

use super::Show;
use super::gpu_data::Frame;
use rigscope_core::camera::{Camera, Projection};
use rigscope_core::model::{Aabb, Axes, Model};
use rigscope_core::pose::{BoneShape, PoseSpec};
use rigscope_core::visual::{
    Backdrop, Light, Marks, OutlineTarget, Shading, ToneMapping, VertexPaint,
};

/// The inputs of a frame, except the model.
#[derive(Clone, Copy, Debug)]
pub struct FrameInput<'a> {
    pub camera: Camera,
    /// Bounding box of the model in display space. Determines the depth range of orthographic views and the
    /// size of the ground.
    pub bounds: Aabb,
    pub pose: PoseSpec,
    /// Visibility options.
    pub show: Show,
    /// The look of each subset, mesh after mesh. Missing ones are [`SubsetLook::default`].
    pub subsets: &'a [SubsetLook],
    /// Gets an outline.
    pub selected: Option<OutlineTarget>,
    /// Gets a thinner outline, unless it is also selected.
    pub hovered: Option<OutlineTarget>,
    /// The skeleton, file space.
    pub bones: &'a [BoneShape],
    /// Linear RGB by bone index. Missing ones have the colour of deforming bones.
    pub bone_colors: &'a [[f32; 3]],
    /// Scale of the bones' thickness; 1 is the default.
    pub bone_size: f32,
    /// Vertex colours or values for [`rigscope_core::visual::Coloring::Paint`].
    pub paint: Option<&'a VertexPaint>,
    /// Additional lines and faces.
    pub marks: &'a Marks,
    pub background: Background,
    /// The layer of the image that this drawing is.
    pub layer: Layer,
    /// Scale of lines, dots and the compass: 1 on ordinary screens, 2 on high-density ones.
    pub pixels_per_point: f32,
}

impl Default for FrameInput<'_> {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            bounds: Aabb::EMPTY,
            pose: PoseSpec::default(),
            show: Show::default(),
            subsets: &[],
            selected: None,
            hovered: None,
            bones: &[],
            bone_colors: &[],
            bone_size: 1.0,
            paint: None,
            marks: Marks::NONE,
            layer: Layer::default(),
            background: Background::default(),
            pixels_per_point: 1.0,
        }
    }
}

impl FrameInput<'_> {
    /// Whether the surface is lit by vertex normals, without a colouring.
    pub(super) fn is_smooth(&self) -> bool {
        self.show.coloring.is_none() && !self.show.flat
    }

    pub(super) fn usable_pixels_per_point(&self) -> f32 {
        self.pixels_per_point.clamp(0.25, 16.0)
    }
}

/// One of several drawings that make up an image. Each is drawn over the previous ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// The contents of the target are kept instead of cleared.
    pub keeps: bool,
    /// Other layers follow; the last one resolves the image.
    pub is_followed: bool,
    /// Left and right edge of the view in the image, 0..=1.
    pub view: [f32; 2],
    /// Left and right edge of the area that may be drawn in, 0..=1.
    pub window: [f32; 2],
    /// Drawn as a ghost with this linear RGB and opacity.
    pub ghost: Option<[f32; 4]>,
    pub has_background: bool,
}

impl Default for Layer {
    /// A single layer.
    fn default() -> Self {
        Self {
            keeps: false,
            is_followed: false,
            view: [0.0, 1.0],
            window: [0.0, 1.0],
            ghost: None,
            has_background: true,
        }
    }
}

/// The look of a subset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SubsetLook {
    pub visible: bool,
    /// Linear RGB with [`Show::subset_colors`]. `None`: [`rigscope_core::model::subset_color`] of its
    /// index. Materials shown by [`Show::textures`] keep their own colour.
    pub color: Option<[f32; 3]>,
}

impl SubsetLook {
    /// The looks of a model's parts, of which the file may hide some.
    pub fn of_parts(model: &Model) -> Vec<Self> {
        model.hidden_parts().map(|hidden| Self { visible: !hidden, color: None }).collect()
    }
}

impl Default for SubsetLook {
    fn default() -> Self {
        Self { visible: true, color: None }
    }
}

/// The background behind the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Background {
    /// Dark grey, lighter at the top.
    #[default]
    Gradient,
    /// Light grey, lighter at the top.
    Light,
    /// Linear RGB.
    Plain([f32; 3]),
    /// Alpha 0.
    Transparent,
}

/// Colours of the gradients at both ends, linear RGB.
const GRADIENT_TOP: [f32; 3] = [0.085, 0.095, 0.110];
const GRADIENT_BOTTOM: [f32; 3] = [0.016, 0.018, 0.022];
const LIGHT_TOP: [f32; 3] = [0.84, 0.86, 0.89];
const LIGHT_BOTTOM: [f32; 3] = [0.56, 0.58, 0.62];

impl Background {
    /// Top and bottom colour, linear premultiplied RGBA.
    pub(super) fn ends(self) -> [Vec4; 2] {
        let opaque = |rgb: [f32; 3]| Vec3::from(rgb).extend(1.0);
        match self {
            Self::Gradient => [opaque(GRADIENT_TOP), opaque(GRADIENT_BOTTOM)],
            Self::Light => [opaque(LIGHT_TOP), opaque(LIGHT_BOTTOM)],
            Self::Plain(rgb) => [opaque(rgb); 2],
            Self::Transparent => [Vec4::ZERO; 2],
        }
    }
}

/// Colour of subsets without a colour, linear RGB.
pub(super) const CLAY: [f32; 3] = [0.50, 0.485, 0.465];

/// Statistics of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameStats {
    /// The vertices were skinned for this frame; otherwise the previous ones were still valid.
    pub skinned: bool,
    /// Number of surface triangles that were drawn.
    pub triangles: u64,
    /// Number of draw calls.
    pub draws: u32,
}

/// Number of fine grid lines over the height of the view.
const GRID_LINES_OVER_VIEW: f32 = 5.0;
/// Radius of the ground, relative to the larger of view height and model size.
const GRID_RADIUS: f32 = 5.0;
/// Dots are moved towards the viewer by their radius, so that a surface at up to 45 degrees doesn't hide
/// half of them.
const DEPTH_PULL_POINTS: f32 = 2.2;

/// Radius in which ambient occlusion is sampled, relative to the size of the model.
const OCCLUSION_RADIUS: f32 = 0.08;
/// Side of the ground area that receives the shadow, relative to the model.
const SHADOW_MARGIN: f32 = 1.3;

/// Level of the prefiltered cube that shows the environment out of focus.
const BLURRED_LEVEL: f32 = 2.5;

/// The uniform buffer contents of a frame.
pub(super) fn frame_uniform(input: &FrameInput<'_>, axes: &Axes, size_px: [u32; 2]) -> Frame {
    let camera = &input.camera;
    let light = effective_light(&input.show);
    let [left, right] = input.layer.view;
    let width = size_px[0] as f32 * (right - left).max(0.0);
    let size = Vec2::new(width.max(1.0), size_px[1] as f32);
    let (paint_low, paint_high) = match input.paint {
        Some(&VertexPaint::Heat { low, high, .. }) => (low, high),
        _ => (0.0, 1.0),
    };
    let [background_top, background_bottom] = input.background.ends();
    let flags = [
        (input.show.two_sided, Frame::TWO_SIDED),
        (input.show.flat, Frame::FLAT),
        (axes.reverses_winding(), Frame::MIRRORED),
        (input.show.surface, Frame::SURFACE_SHOWN),
        (input.show.subset_colors, Frame::SUBSET_COLORS),
        (input.show.normals, Frame::NORMALS),
        (input.show.tangents, Frame::TANGENTS),
        (input.show.bitangents, Frame::BITANGENTS),
    ];
    // Spacings are powers of ten. The finer lines fade as the view grows to the next one.
    let level = (camera.view_height() / GRID_LINES_OVER_VIEW).max(f32::MIN_POSITIVE).log10();
    let ground = ground_height(&input.bounds);
    let radius = GRID_RADIUS * camera.view_height().max(input.bounds.size().max_element());
    let pixels_per_point = input.usable_pixels_per_point();
    let clip_from_view = camera.clip_from_view(size.x / size.y, &input.bounds);
    let pull = DEPTH_PULL_POINTS * pixels_per_point * camera.view_height() / size.y;
    let (depth_pull_factor, depth_pull_offset) = match camera.projection {
        // Depth is near plane over distance, and a pixel covers a size proportional to the distance.
        Projection::Perspective => (1.0 + pull / camera.distance, 0.0),
        Projection::Orthographic => (1.0, clip_from_view.z_axis.z * pull),
    };
    Frame {
        clip_from_world: clip_from_view * camera.view_from_world(),
        view_from_world: camera.view_from_world(),
        world_from_file: axes.display_from_file().into(),
        view_from_clip: clip_from_view.inverse(),
        background_top,
        background_bottom,
        shadow_area: shadow_area(&input.bounds),
        grid_center: Vec3::new(camera.target.x, ground, camera.target.z),
        grid_radius: radius,
        viewport_px: size,
        pixels_per_point,
        flags: flags.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag)).sum(),
        grid_spacing: 10f32.powf(level.floor()),
        grid_fine_share: 1.0 - (level - level.floor()),
        depth_pull_factor,
        depth_pull_offset,
        tint: input.layer.ghost.map_or(Vec4::ZERO, Vec4::from),
        coloring: match input.show.coloring {
            Some(coloring) => coloring.number(input.paint),
            None => 0,
        },
        paint_low,
        paint_high,
        view_left_px: size_px[0] as f32 * left.clamp(0.0, 1.0),
        glyph_length: f32::from(input.show.glyph_permille) * 1e-3 * input.bounds.extent(),
        exposure: (f32::from(light.exposure_centistops) * 0.01).exp2(),
        light_intensity: f32::from(light.intensity_percent) * 0.01,
        // Set once the environment is known.
        light_levels: 0.0,
        eye: match camera.projection {
            Projection::Perspective => camera.eye().extend(1.0),
            Projection::Orthographic => {
                (camera.eye() - camera.target).normalize_or_zero().extend(0.0)
            }
        },
        light_turn: Vec2::from_angle(f32::from(light.turn_degrees).to_radians()),
        backdrop_level: match light.backdrop {
            Backdrop::Blurred => BLURRED_LEVEL,
            Backdrop::Off | Backdrop::Sharp => 0.0,
        },
        occlusion_radius: OCCLUSION_RADIUS * input.bounds.extent(),
    }
}

/// The light settings that apply to `show`.
pub(super) fn effective_light(show: &Show) -> Light {
    match show.light.shading {
        // The SDK's shaders apply neither tone mapping nor exposure.
        Shading::Sdk => {
            Light { tone_mapping: ToneMapping::Off, exposure_centistops: 0, ..show.light }
        }
        Shading::Plain | Shading::Physical => show.light,
    }
}

/// Whether a model with these bounds rests on the ground or floats above it. Otherwise the ground cuts
/// through it, as with clothing, and a shadow would be inside the model.
pub(super) fn rests_on_ground(bounds: &Aabb) -> bool {
    /// Feet may sink in by this fraction of the height.
    const DEPTH: f32 = 0.15;
    !bounds.is_empty() && ground_height(bounds) - bounds.min.y <= DEPTH * bounds.size().y
}

/// Centre and half side of the ground area that receives the shadow, and the height from which it is cast.
fn shadow_area(bounds: &Aabb) -> Vec4 {
    if bounds.is_empty() {
        return Vec4::ONE;
    }
    let (center, size) = (bounds.center(), bounds.size());
    // Flat models get some height, so that they cast a shadow too.
    let height = size.y.max(0.1 * size.max_element()).max(f32::MIN_POSITIVE);
    let half = 0.5 * SHADOW_MARGIN * size.x.max(size.z).max(0.5 * height);
    Vec4::new(center.x, center.z, half, height)
}

/// Height of the ground: 0, or the model's lowest point if the model is farther from 0 than its own size.
fn ground_height(bounds: &Aabb) -> f32 {
    if bounds.is_empty() {
        return 0.0;
    }
    let reach = bounds.extent();
    if bounds.min.y - reach <= 0.0 && bounds.max.y + reach >= 0.0 { 0.0 } else { bounds.min.y }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slab(low: f32, high: f32) -> Aabb {
        Aabb::from_points([Vec3::new(-1.0, low, -1.0), Vec3::new(1.0, high, 1.0)])
    }

    #[test]
    fn the_ground_is_at_zero_unless_the_model_is_far_from_it() {
        assert_eq!(ground_height(&slab(0.5, 2.0)), 0.0);
        assert_eq!(ground_height(&slab(-2.0, 2.0)), 0.0);
        assert_eq!(ground_height(&slab(100.0, 102.0)), 100.0);
        assert_eq!(ground_height(&Aabb::EMPTY), 0.0);
    }
}
