//! What is under a pixel: an image of numbers, of which a small square around the pointer is read
//! back.
//!
//! The image is drawn from the buffers that the picture is drawn from, when somebody asks for the
//! first time and whenever what it shows has changed since. The vertex of a triangle is the corner
//! nearest on the screen, found by where the GPU has put the corners: it is right for every skin.

use bytemuck::bytes_of;
use glam::{Mat4, Vec2};

use super::buffers::count;
use super::draws::draws;
use super::frame::{FrameInput, frame_uniform};
use super::image_formats::{DEPTH_FORMAT, ID_FORMAT};
use super::pass::{ID_PASSES, IdKind};
use super::readback::{self, ReadbackError};
use super::renderer::{encoder, window_px};
use super::target::DEPTH_CLEAR;
use super::{Gpu, Renderer, Scene};
use crate::camera::{Camera, nearest_on_screen};
use crate::model::{Aabb, MeshId, Model, VertexId};
use crate::pose::{BoneShape, PoseSpec};
use crate::visual::{PickHit, PickedBone, PickedPoint, PickedTriangle};

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickPoint {
    /// From the upper left corner of the picture, in pixels; a pixel's middle is at a half.
    pub at_px: Vec2,
    /// A bone this near is meant, in points.
    pub reach_points: f32,
}

/// The image of numbers and what it shows. Of one scene: for another make another.
#[derive(Debug, Default)]
pub struct Picker {
    image: Option<Image>,
    drawn: Option<Drawn>,
    num_drawn: u64,
}

#[derive(Debug)]
struct Image {
    ids: wgpu::Texture,
    ids_view: wgpu::TextureView,
    depth_view: wgpu::TextureView,
}

/// All that the image depends on.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    size_px: [u32; 2],
    camera: Camera,
    bounds: Aabb,
    pose: PoseSpec,
    passes: [bool; ID_PASSES.len()],
    bones_on_top: bool,
    has_textures: bool,
    visible: Vec<bool>,
    bones: Vec<BoneShape>,
    view: [f32; 2],
    window: [f32; 2],
    pixels_per_point: f32,
}

impl Drawn {
    fn of(scene: &Scene, input: &FrameInput<'_>, size_px: [u32; 2]) -> Self {
        Self {
            size_px,
            camera: input.camera,
            bounds: input.bounds,
            pose: input.pose,
            passes: ID_PASSES.map(|pass| pass.is_wanted(scene, input)),
            bones_on_top: input.show.bones_on_top,
            has_textures: input.show.textures,
            visible: input.subsets.iter().map(|look| look.visible).collect(),
            bones: input.bones.to_vec(),
            view: input.layer.view,
            window: input.layer.window,
            pixels_per_point: input.pixels_per_point,
        }
    }
}

/// Part of the image.
struct Square {
    first: [u32; 2],
    width: u32,
    /// Row after row.
    ids: Vec<[u32; 2]>,
}

impl Picker {
    /// What is at `point` of a picture of `size_px` that shows `input` of `scene`, which was made
    /// of `model`.
    ///
    /// # Errors
    /// When the device does not answer.
    pub fn pick(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        (scene, model): (&mut Scene, &Model),
        input: &FrameInput<'_>,
        size_px: [u32; 2],
        point: PickPoint,
    ) -> Result<PickHit, ReadbackError> {
        if gpu.lost() {
            return Err(ReadbackError::NoAnswer("the device is lost".into()));
        }
        let size_px = size_px.map(|side| side.clamp(1, gpu.caps.max_texture));
        self.draw(gpu, renderer, scene, input, size_px);
        let Some(image) = &self.image else { return Ok(PickHit::default()) };
        let reach_px = (point.reach_points * input.pixels_per_point).max(0.0);
        let Some(square) = read(gpu, image, point.at_px, reach_px)? else {
            return Ok(PickHit::default());
        };
        let mut hit = PickHit {
            bone: nearest_bone(&square, input, point.at_px, reach_px),
            ..PickHit::default()
        };
        match square.at(point.at_px).map(|[word, n]| (IdKind::of(word), n)) {
            Some(((IdKind::Triangle, draw), triangle)) => {
                let at_ndc = ndc(point.at_px, input, size_px);
                let place = (at_ndc, size_px);
                hit.triangle =
                    triangle_hit(gpu, renderer, (scene, model), input, place, draw, triangle)?;
            }
            Some(((IdKind::Point, draw), vertex)) => {
                hit.point = part_of_draw(scene, draw).map(|(mesh, part)| PickedPoint {
                    mesh: MeshId::from_index(mesh),
                    vertex: VertexId(vertex),
                    subset: part.map(|part| scene.meshes[mesh].first_subset + part),
                });
            }
            _ => {}
        }
        Ok(hit)
    }

    /// How often the image has been drawn.
    pub fn num_drawn(&self) -> u64 {
        self.num_drawn
    }

    /// Draws the numbers unless they are there.
    fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &Renderer,
        scene: &mut Scene,
        input: &FrameInput<'_>,
        size_px: [u32; 2],
    ) {
        let wanted = Drawn::of(scene, input, size_px);
        if self.drawn.as_ref() == Some(&wanted) {
            return;
        }
        let is_sized = |drawn: &Drawn| drawn.size_px == size_px;
        let image = match self.image.take() {
            Some(image) if self.drawn.as_ref().is_some_and(is_sized) => image,
            _ => Image::new(gpu, size_px),
        };
        let num_vertices = count(usize::try_from(scene.num_vertices()).unwrap_or(usize::MAX));
        let uniform = frame_uniform(input, &scene.axes, size_px, num_vertices);
        gpu.queue.write_buffer(&scene.frame, 0, bytes_of(&uniform));
        scene.write_draws(gpu, draws(&scene.meshes, &scene.materials, input));
        for pass in ID_PASSES {
            pass.prepare(gpu, &renderer.kernels.layouts, scene, input);
        }
        let mut encoder = encoder(gpu);
        let deformer = &mut scene.deformer;
        deformer.record(gpu, &renderer.kernels, &input.pose, &mut encoder, None);
        record(gpu, renderer, scene, &image, input, size_px, &mut encoder);
        gpu.queue.submit([encoder.finish()]);
        self.image = Some(image);
        self.drawn = Some(wanted);
        self.num_drawn += 1;
    }
}

impl Image {
    fn new(gpu: &Gpu, [width, height]: [u32; 2]) -> Self {
        let texture = |label, format, usage| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let drawn = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let ids = texture("ids", ID_FORMAT, drawn | wgpu::TextureUsages::COPY_SRC);
        let depth = texture("depth of ids", DEPTH_FORMAT, drawn);
        Self {
            ids_view: ids.create_view(&wgpu::TextureViewDescriptor::default()),
            depth_view: depth.create_view(&wgpu::TextureViewDescriptor::default()),
            ids,
        }
    }
}

impl Square {
    /// The words of the pixel that `at_px` lies in.
    fn at(&self, at_px: Vec2) -> Option<[u32; 2]> {
        let [x, y] = pixel(at_px)?;
        let (x, y) = (x.checked_sub(self.first[0])?, y.checked_sub(self.first[1])?);
        let in_row = x < self.width;
        let at = (y as usize).checked_mul(self.width as usize)? + x as usize;
        self.ids.get(at).copied().filter(|_| in_row)
    }

    /// Every pixel with the place of its middle.
    fn pixels(&self) -> impl Iterator<Item = (Vec2, [u32; 2])> + '_ {
        let width = self.width.max(1) as usize;
        self.ids.iter().enumerate().map(move |(at, &words)| {
            let (x, y) = ((at % width) as f32, (at / width) as f32);
            let first = Vec2::new(self.first[0] as f32, self.first[1] as f32);
            (first + Vec2::new(x, y) + 0.5, words)
        })
    }
}

/// Column and row of a place in the picture; none above it and to its left.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and a float as large as that saturates"
)]
fn pixel(at_px: Vec2) -> Option<[u32; 2]> {
    let is_inside = at_px.is_finite() && at_px.min_element() >= 0.0;
    is_inside.then_some([at_px.x as u32, at_px.y as u32])
}

/// The square of pixels `reach_px` around `at_px`, as far as there is a picture.
fn read(
    gpu: &Gpu,
    image: &Image,
    at_px: Vec2,
    reach_px: f32,
) -> Result<Option<Square>, ReadbackError> {
    /// The longest way to a bone, in pixels: dense screens have four to the point.
    const MAX_REACH_PX: f32 = 64.0;
    let reach = Vec2::splat(reach_px.min(MAX_REACH_PX).ceil());
    let Some([x, y]) = pixel(at_px) else { return Ok(None) };
    let size = [image.ids.width(), image.ids.height()];
    if x >= size[0] || y >= size[1] {
        return Ok(None);
    }
    let first = pixel((at_px - reach).max(Vec2::ZERO)).unwrap_or_default();
    let last = pixel(at_px + reach).unwrap_or([x, y]);
    let width = last[0].min(size[0] - 1) + 1 - first[0];
    let height = last[1].min(size[1] - 1) + 1 - first[1];
    let bytes = readback::part(gpu, &image.ids, first, [width, height], 8)?;
    let (texels, _) = bytes.as_chunks::<8>();
    let ids = texels.iter().map(|texel| bytemuck::pod_read_unaligned(texel));
    Ok(Some(Square { first, width, ids: ids.collect() }))
}

/// Draws the numbers of all that `input` shows.
fn record(
    gpu: &Gpu,
    renderer: &Renderer,
    scene: &Scene,
    image: &Image,
    input: &FrameInput<'_>,
    size_px: [u32; 2],
    encoder: &mut wgpu::CommandEncoder,
) {
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("ids"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: &image.ids_view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &image.depth_view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(DEPTH_CLEAR),
                store: wgpu::StoreOp::Discard,
            }),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    let [left, width] = view_px(input, size_px);
    let [first, end] = window_px(input.layer, size_px[0]);
    pass.set_scissor_rect(first, 0, end - first, size_px[1]);
    for (number, kind) in ID_PASSES.into_iter().enumerate() {
        if !kind.is_wanted(scene, input) {
            continue;
        }
        let (near, far) = kind.depth_range(input);
        pass.set_viewport(left, 0.0, width, size_px[1] as f32, near, far);
        pass.set_pipeline(renderer.id_pipeline(gpu, number));
        kind.draw(&mut pass, scene, input);
    }
}

/// Left end and width of the part of the picture that the view fills.
fn view_px(input: &FrameInput<'_>, size_px: [u32; 2]) -> [f32; 2] {
    let width = size_px[0] as f32;
    let [left, right] = input.layer.view.map(|share| share.clamp(0.0, 1.0) * width);
    [left, (right - left).max(1.0)]
}

/// A place in the picture as the camera counts, -1..=1, y up.
fn ndc(at_px: Vec2, input: &FrameInput<'_>, size_px: [u32; 2]) -> Vec2 {
    let [left, width] = view_px(input, size_px);
    let share = Vec2::new((at_px.x - left) / width, at_px.y / size_px[1] as f32);
    Vec2::new(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0)
}

fn nearest_bone(
    square: &Square,
    input: &FrameInput<'_>,
    at_px: Vec2,
    reach_px: f32,
) -> Option<PickedBone> {
    let own = pixel(at_px);
    let bones = square.pixels().filter_map(|(middle, [word, number])| {
        let shape = match IdKind::of(word).0 {
            IdKind::Bone => input.bones.get(number as usize)?,
            _ => return None,
        };
        let distance_px = match pixel(middle) == own {
            true => 0.0,
            false => middle.distance(at_px),
        };
        (distance_px <= reach_px).then_some((distance_px, shape.bone))
    });
    let (distance_px, bone) = bones.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(PickedBone {
        bone,
        distance_points: distance_px / input.pixels_per_point.max(f32::MIN_POSITIVE),
    })
}

/// The mesh of a draw, and which of its parts; none for the mesh as a whole.
fn part_of_draw(scene: &Scene, draw: u32) -> Option<(usize, Option<usize>)> {
    scene.meshes.iter().enumerate().find_map(|(number, mesh)| {
        let after = draw.checked_sub(mesh.whole_draw(number))? as usize;
        match after.checked_sub(1) {
            None => Some((number, None)),
            Some(part) => (part < mesh.num_parts()).then_some((number, Some(part))),
        }
    })
}

/// Mesh and subset of a draw, and the corner of the triangle that is nearest on the screen.
fn triangle_hit(
    gpu: &Gpu,
    renderer: &Renderer,
    (scene, model): (&mut Scene, &Model),
    input: &FrameInput<'_>,
    (at_ndc, size_px): (Vec2, [u32; 2]),
    draw: u32,
    triangle: u32,
) -> Result<Option<PickedTriangle>, ReadbackError> {
    let Some((number, Some(part))) = part_of_draw(scene, draw) else { return Ok(None) };
    let mesh = &scene.meshes[number];
    let (subset, first_vertex) = (mesh.first_subset + part, mesh.first_vertex);
    let indices = model.meshes.get(number).map(|mesh| &mesh.indices);
    let first = triangle as usize * 3;
    let corner = |at: usize| indices?.get(first + at);
    let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { return Ok(None) };
    let corners = [a, b, c];
    // Another picture may have been drawn of the same scene since.
    renderer.skin(gpu, scene, &input.pose);
    let positions = readback::positions(gpu, scene, corners.map(|corner| first_vertex + corner))?;
    let [_, width] = view_px(input, size_px);
    let size = Vec2::new(width, size_px[1] as f32);
    let clip_from_file = input.camera.clip_from_world(size.x / size.y, &input.bounds)
        * Mat4::from(scene.axes.display_from_file());
    let nearest = nearest_on_screen(&clip_from_file, size, at_ndc, &positions).unwrap_or(0);
    Ok(Some(PickedTriangle {
        mesh: MeshId::from_index(number),
        subset,
        triangle,
        vertex: VertexId(corners[nearest]),
    }))
}
