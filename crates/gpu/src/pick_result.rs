//! Interprets the IDs around a pixel after they have been read back.
//!
//! The result doesn't use the scene, which may show something else by then. The picked vertex of a triangle
//! is the corner nearest on the screen, computed from the CPU reference positions.

use glam::{Mat4, Vec2};

use super::Scene;
use super::chunk::ChunkSource;
use super::frame::FrameInput;
use super::pass::IdKind;
use super::readback::{PendingRegion, ReadbackError};
use rigscope_core::camera::nearest_on_screen;
use rigscope_core::model::{BoneId, MeshId, Model, VertexId};
use rigscope_core::pose::{PoseSpec, sample, skin_vertex};
use rigscope_core::visual::{PickHit, PickedBone, PickedPoint, PickedTriangle};

/// A pending read-back of a square of the ID image.
#[derive(Debug)]
pub(super) struct PendingSquare {
    pub(super) first: [u32; 2],
    pub(super) width: u32,
    pub(super) ids: PendingRegion,
}

/// A pending pick, with all data that is needed to interpret the IDs.
#[derive(Debug)]
pub struct PendingHit {
    /// `None` if the point is outside the image.
    square: Option<PendingSquare>,
    at_px: Vec2,
    reach_px: f32,
    /// Position in the view, -1..=1, y up.
    at_ndc: Vec2,
    view_px: Vec2,
    pixels_per_point: f32,
    clip_from_file: Mat4,
    pose: PoseSpec,
    /// The drawn bones, in the order of their IDs.
    bones: Vec<BoneId>,
    chunks: Vec<ChunkDraws>,
}

/// The draws of a chunk.
#[derive(Debug)]
struct ChunkDraws {
    mesh: MeshId,
    source: Option<ChunkSource>,
    whole: u32,
    num_parts: usize,
    /// Index of the chunk's first part among the parts of all meshes.
    first_part: usize,
}

/// A square of the ID image.
struct IdSquare {
    first: [u32; 2],
    width: u32,
    /// Row-major.
    ids: Vec<[u32; 2]>,
}

impl PendingHit {
    /// A pick from `square`, which was rendered for `input` of `scene`.
    pub(super) fn new(
        square: Option<PendingSquare>,
        scene: &Scene,
        input: &FrameInput<'_>,
        size_px: [u32; 2],
        at_px: Vec2,
        reach_px: f32,
    ) -> Self {
        let [left, width] = view_px(input, size_px);
        let view_px = Vec2::new(width, size_px[1] as f32);
        let share = (at_px - Vec2::new(left, 0.0)) / view_px;
        let chunks = scene.meshes.iter().map(|mesh| ChunkDraws {
            mesh: mesh.id,
            source: mesh.source.clone(),
            whole: mesh.first_draw,
            num_parts: mesh.num_parts(),
            first_part: mesh.first_subset,
        });
        Self {
            square,
            at_px,
            reach_px,
            at_ndc: Vec2::new(share.x * 2.0 - 1.0, 1.0 - share.y * 2.0),
            view_px,
            pixels_per_point: input.pixels_per_point,
            clip_from_file: input.camera.clip_from_world(view_px.x / view_px.y, &input.bounds)
                * Mat4::from(scene.axes.display_from_file()),
            pose: input.pose,
            bones: input.bones.iter().map(|shape| shape.bone).collect(),
            chunks: chunks.collect(),
        }
    }

    /// Waits for the IDs and looks them up in `model`, from which the scene was uploaded.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub async fn result(mut self, model: &Model) -> Result<PickHit, ReadbackError> {
        let Some(square) = self.square.take() else { return Ok(PickHit::default()) };
        let bytes = square.ids.read(|rows| rows.joined()).await?;
        let (texels, _) = bytes.as_chunks::<8>();
        let ids = texels.iter().map(|texel| bytemuck::pod_read_unaligned(texel)).collect();
        Ok(self.hit(&IdSquare { first: square.first, width: square.width, ids }, model))
    }

    fn hit(&self, square: &IdSquare, model: &Model) -> PickHit {
        let mut hit = PickHit { bone: self.nearest_bone(square), ..PickHit::default() };
        match square.at(self.at_px).map(|[word, n]| (IdKind::of(word), n)) {
            Some(((IdKind::Triangle, draw), triangle)) => {
                hit.triangle = self.triangle_hit(model, draw, triangle);
            }
            Some(((IdKind::Point, draw), vertex)) => {
                hit.point = self.part_of_draw(draw).and_then(|(chunk, part)| {
                    let vertex =
                        chunk.source.as_ref().map_or(Some(vertex), |source| source.vertex(vertex));
                    Some(PickedPoint { mesh: chunk.mesh, vertex: VertexId(vertex?), subset: part })
                });
            }
            _ => {}
        }
        hit
    }

    fn nearest_bone(&self, square: &IdSquare) -> Option<PickedBone> {
        let own = pixel(self.at_px);
        let bones = square.pixels().filter_map(|(middle, [word, number])| {
            let bone = match IdKind::of(word).0 {
                IdKind::Bone => *self.bones.get(number as usize)?,
                _ => return None,
            };
            let distance_px = if pixel(middle) == own { 0.0 } else { middle.distance(self.at_px) };
            (distance_px <= self.reach_px).then_some((distance_px, bone))
        });
        let (distance_px, bone) = bones.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let distance_points = distance_px / self.pixels_per_point.max(f32::MIN_POSITIVE);
        Some(PickedBone { bone, distance_points })
    }

    /// The chunk of a draw, and the index of the part among all parts; `None` for the chunk as a whole.
    fn part_of_draw(&self, draw: u32) -> Option<(&ChunkDraws, Option<usize>)> {
        self.chunks.iter().find_map(|chunk| {
            let after = draw.checked_sub(chunk.whole)? as usize;
            match after.checked_sub(1) {
                None => Some((chunk, None)),
                Some(part) => {
                    (part < chunk.num_parts).then_some((chunk, Some(chunk.first_part + part)))
                }
            }
        })
    }

    /// Mesh and subset of a triangle, and its corner nearest on the screen.
    fn triangle_hit(&self, model: &Model, draw: u32, triangle: u32) -> Option<PickedTriangle> {
        let Some((chunk, Some(part))) = self.part_of_draw(draw) else { return None };
        let id = chunk.mesh;
        let mesh = model.meshes.get(id)?;
        let first_subset = part - chunk.first_part;
        let first_triangle = mesh.subsets.get(first_subset)?.first_index / 3;
        let of_chunk = chunk.source.as_ref().map_or(0, |source| source.first_triangle);
        let triangle = triangle + first_triangle.max(of_chunk);
        let first = triangle as usize * 3;
        // One draw may cover several consecutive subsets.
        let mut subsets = mesh.subsets.iter().skip(first_subset);
        let after = subsets.position(|subset| subset.range().contains(&first));
        let subset = part + after.unwrap_or(0);
        let corner = |at: usize| mesh.indices.get(first + at);
        let corners = [corner(0)?, corner(1)?, corner(2)?];
        let pose = sample(model, &self.pose).of_mesh(id, mesh);
        let place = |corner: u32| skin_vertex(mesh, corner as usize, &pose).unwrap_or_default();
        let positions = corners.map(place);
        let nearest =
            nearest_on_screen(&self.clip_from_file, self.view_px, self.at_ndc, &positions);
        Some(PickedTriangle {
            mesh: id,
            subset,
            triangle,
            vertex: VertexId(corners[nearest.unwrap_or(0)]),
        })
    }
}

impl IdSquare {
    /// The words of the pixel at `at_px`.
    fn at(&self, at_px: Vec2) -> Option<[u32; 2]> {
        let [x, y] = pixel(at_px)?;
        let (x, y) = (x.checked_sub(self.first[0])?, y.checked_sub(self.first[1])?);
        let in_row = x < self.width;
        let at = (y as usize).checked_mul(self.width as usize)? + x as usize;
        self.ids.get(at).copied().filter(|_| in_row)
    }

    /// Every pixel with the position of its centre.
    fn pixels(&self) -> impl Iterator<Item = (Vec2, [u32; 2])> + '_ {
        let width = self.width.max(1) as usize;
        self.ids.iter().enumerate().map(move |(at, &words)| {
            let (x, y) = ((at % width) as f32, (at / width) as f32);
            let first = Vec2::new(self.first[0] as f32, self.first[1] as f32);
            (first + Vec2::new(x, y) + 0.5, words)
        })
    }
}

/// Column and row of a position in the image; `None` above and to the left of it.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; large values saturate"
)]
pub(super) fn pixel(at_px: Vec2) -> Option<[u32; 2]> {
    let is_inside = at_px.is_finite() && at_px.min_element() >= 0.0;
    is_inside.then_some([at_px.x as u32, at_px.y as u32])
}

/// Left edge and width of the view in the image.
pub(super) fn view_px(input: &FrameInput<'_>, size_px: [u32; 2]) -> [f32; 2] {
    let width = size_px[0] as f32;
    let [left, right] = input.layer.view.map(|share| share.clamp(0.0, 1.0) * width);
    [left, (right - left).max(1.0)]
}
