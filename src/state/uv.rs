//! The layout of texture coordinates in a plane: what is shown of it, and what is under the pointer.
//!
//! The layout is made of models whose vertices lie at (u, -v), so that it is drawn as models are:
//! on the GPU, and only when something has changed.
//!
//! Not for: colours of the surface by its coordinates (`visual::Coloring`).

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::{Action, AppState, Document, Effect, Pane, Selection, SubsetLook, TaskSlot};
use crate::model::{
    Cancelled, Image, ImageId, Indices, Material, MaterialId, MaterialLook, Mesh, MeshId, Model,
    Report, Streams, Subset, TextureRef, TextureRole, UvSet, VertexData, VertexId,
};

/// Making the layout.
pub const UV_TASK: TaskSlot = TaskSlot("uv layout");

/// Height of what can be seen, in units of the texture.
const HEIGHT: std::ops::RangeInclusive<f32> = 1e-4..=1e6;
/// Room around what is fitted.
const FIT_MARGIN: f32 = 1.12;
/// Rounding leaves 0 to 1 by so much.
const EDGE: f32 = 1e-4;
/// Of triangles whose area in the texture is a smaller part of their longest side squared, no side
/// can be told.
const MIN_AREA: f32 = 1e-7;
/// Depths of the picture and of tints, behind the lines.
const PICTURE_Z: f32 = -0.02;
const TINT_Z: f32 = -0.01;

/// The coordinates of one UV set as models, each with the meshes and subsets of the document.
#[derive(Clone, Debug)]
pub struct UvLayout {
    /// The model that it was made of.
    source: Arc<Model>,
    /// Which of the sets.
    pub set: usize,
    /// All triangles.
    pub lines: Arc<Model>,
    /// Those whose texture is mirrored.
    pub mirrored: Option<Arc<Model>>,
    /// Those that leave 0 to 1.
    pub outside: Option<Arc<Model>>,
    /// Triangles of all subsets.
    pub num_triangles: usize,
    /// Of them, mirrored.
    pub num_mirrored: usize,
    /// Of them, out of 0 to 1.
    pub num_outside: usize,
    /// Of them, without area in the texture.
    pub num_flat: usize,
    /// Smallest and largest coordinates; those of the texture where there are none.
    pub bounds: [Vec2; 2],
}

impl PartialEq for UvLayout {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lines, &other.lines)
    }
}

/// The picture behind the layout.
#[derive(Clone, Debug)]
pub struct UvPicture {
    source: Arc<Model>,
    /// Which image; none: a checker.
    pub image: Option<ImageId>,
    /// A square of it from 0 to 1.
    pub model: Arc<Model>,
}

impl PartialEq for UvPicture {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model)
    }
}

/// What the UV pane shows.
#[derive(Clone, Debug, PartialEq)]
pub struct UvView {
    /// Which set.
    pub set: usize,
    /// The coordinate in the middle, v down.
    pub center: Vec2,
    /// Height of what is seen, in units of the texture.
    pub height: f32,
    /// Size of the picture, in points.
    pub size_points: Vec2,
    /// Mirrored triangles and those outside are tinted.
    pub has_tints: bool,
    /// Only subsets with the picture shown are drawn.
    pub only_picture: bool,
    /// The layout, once it is made.
    pub layout: Option<Arc<UvLayout>>,
    /// The picture behind it.
    pub picture: Option<Arc<UvPicture>>,
}

impl Default for UvView {
    fn default() -> Self {
        Self {
            set: 0,
            center: Vec2::splat(0.5),
            height: FIT_MARGIN,
            size_points: Vec2::ZERO,
            has_tints: true,
            only_picture: true,
            layout: None,
            picture: None,
        }
    }
}

/// What changes it.
#[derive(Clone, Debug)]
pub enum UvAction {
    /// Makes what the pane needs, where it is missing.
    Prepare,
    /// The layout is made.
    Made(Arc<UvLayout>),
    /// The picture has a new size, in points.
    Sized(Vec2),
    /// Moves what is seen, in points.
    Pan(Vec2),
    /// Multiplies the height of what is seen while `at` stays.
    Zoom {
        /// Below 1 is nearer.
        factor: f32,
        /// A coordinate.
        at: Vec2,
    },
    /// Shows all of the layout and the whole texture.
    Fit,
    /// Shows another set.
    ChooseSet(usize),
    /// Tints, or not.
    Tint(bool),
    /// Draws only subsets with the picture shown, or all.
    OnlyPicture(bool),
    /// Selects what is at a coordinate: a vertex within reach, else the triangle.
    Pick {
        /// Where.
        at: Vec2,
        /// In units of the texture.
        reach: f32,
    },
}

/// What the pane draws on the GPU, back to front.
#[derive(Clone, Debug, PartialEq)]
pub struct UvShown {
    /// The picture behind all.
    pub picture: Arc<UvPicture>,
    /// Triangles.
    pub layout: Arc<UvLayout>,
    /// Mirrored triangles and those outside are tinted.
    pub has_tints: bool,
    /// The coordinate in the middle.
    pub center: Vec2,
    /// Height of what is seen.
    pub height: f32,
    /// In points.
    pub size_points: Vec2,
    /// How each subset looks.
    pub looks: Vec<SubsetLook>,
    /// The one that stands out.
    pub selected: Option<usize>,
}

impl UvView {
    /// Forgets what was about one document.
    pub(super) fn forget(&mut self) {
        self.layout = None;
        self.picture = None;
    }

    /// The coordinate at `at`, in points from the picture's middle, y down.
    #[must_use]
    pub fn uv_at(&self, at: Vec2) -> Vec2 {
        self.center + at * self.uv_per_point()
    }

    /// Where a coordinate is, in points from the picture's middle, y down.
    #[must_use]
    pub fn point_of(&self, uv: Vec2) -> Vec2 {
        (uv - self.center) / self.uv_per_point()
    }

    /// Units of the texture in a point.
    #[must_use]
    pub fn uv_per_point(&self) -> f32 {
        self.height / self.size_points.y.max(1.0)
    }

    fn fit(&mut self) {
        let [low, high] = self
            .layout
            .as_ref()
            .map_or([Vec2::ZERO, Vec2::ONE], |layout| {
                let [low, high] = layout.bounds;
                [low.min(Vec2::ZERO), high.max(Vec2::ONE)]
            });
        let aspect = match self.size_points.min_element() > 0.0 {
            true => self.size_points.x / self.size_points.y,
            false => 1.0,
        };
        let size = high - low;
        self.center = (low + high) * 0.5;
        self.set_height(size.y.max(size.x / aspect) * FIT_MARGIN);
    }

    fn set_height(&mut self, height: f32) {
        self.height = height.clamp(*HEIGHT.start(), *HEIGHT.end());
    }
}

impl AppState {
    pub(super) fn apply_uv(&mut self, action: UvAction) -> Vec<Effect> {
        let view = &mut self.view.uv;
        match action {
            UvAction::Prepare => return self.prepare_uv(),
            UvAction::Made(layout) => {
                let is_first = view.layout.is_none();
                view.layout = Some(layout);
                if is_first {
                    view.fit();
                }
            }
            UvAction::Sized(size) => {
                let is_first = view.size_points == Vec2::ZERO;
                view.size_points = size;
                if is_first {
                    view.fit();
                }
            }
            UvAction::Pan(delta) => view.center -= delta * view.uv_per_point(),
            UvAction::Zoom { factor, at } => {
                let before = view.height;
                view.set_height(before * factor);
                view.center = at + (view.center - at) * (view.height / before);
            }
            UvAction::Fit => view.fit(),
            UvAction::ChooseSet(set) => view.set = set,
            UvAction::Tint(has_tints) => view.has_tints = has_tints,
            UvAction::OnlyPicture(only) => view.only_picture = only,
            UvAction::Pick { at, reach } => {
                let selection = self.pick_uv(at, reach).unwrap_or_default();
                return self.apply(Action::Select(selection));
            }
        }
        Vec::new()
    }

    /// Whether the pane shows something else than it should.
    #[must_use]
    pub fn is_uv_stale(&self) -> bool {
        let Some(document) = &self.document else {
            return false;
        };
        self.is_uv_layout_stale(document) && !self.is_running(UV_TASK)
            || self.is_uv_picture_stale(document)
    }

    fn is_uv_layout_stale(&self, document: &Document) -> bool {
        let view = &self.view.uv;
        let is_right = |layout: &Arc<UvLayout>| {
            layout.set == view.set && Arc::ptr_eq(&layout.source, &document.model)
        };
        !view.layout.as_ref().is_some_and(is_right)
    }

    fn is_uv_picture_stale(&self, document: &Document) -> bool {
        let wanted = self.uv_image(document);
        let is_right = |picture: &Arc<UvPicture>| {
            picture.image == wanted && Arc::ptr_eq(&picture.source, &document.model)
        };
        !self.view.uv.picture.as_ref().is_some_and(is_right)
    }

    fn prepare_uv(&mut self) -> Vec<Effect> {
        let Some(document) = &self.document else {
            return Vec::new();
        };
        let is_layout_stale = self.is_uv_layout_stale(document);
        let model = Arc::clone(&document.model);
        if self.is_uv_picture_stale(document) {
            let image = self.uv_image(document);
            self.view.uv.picture = Some(Arc::new(picture(&model, image)));
        }
        if !is_layout_stale || self.is_running(UV_TASK) {
            return Vec::new();
        }
        let set = self.view.uv.set;
        self.start_task(UV_TASK, "laying out texture coordinates", move |report| {
            let layout = Arc::new(layout(&model, set, report)?);
            Ok(Action::Uv(UvAction::Made(layout)))
        })
    }

    /// The image of the selected subset's material; of the first material that has one where no
    /// subset is selected.
    fn uv_image(&self, document: &Document) -> Option<ImageId> {
        if let Some(number) = self.selection.subset() {
            return document.image_of_subset(number);
        }
        (0..document.subsets.len()).find_map(|number| document.image_of_subset(number))
    }

    /// Names of the UV sets that some mesh has; numbers where they have none.
    #[must_use]
    pub fn uv_set_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let meshes = self
            .document
            .iter()
            .flat_map(|document| &document.model.meshes);
        for mesh in meshes {
            let sets: &[UvSet] = match &mesh.vertices {
                VertexData::Streams(streams) => &streams.uv_sets,
                VertexData::Packed(_) => &[UvSet {
                    name: String::new(),
                    coords: Vec::new(),
                }],
            };
            for (number, set) in sets.iter().enumerate() {
                if names.len() <= number {
                    names.push(format!("UV {number}"));
                }
                if let Some(name) = names.get_mut(number)
                    && !set.name.is_empty()
                {
                    name.clone_from(&set.name);
                }
            }
        }
        names
    }

    /// Whether subset `number` is drawn in the pane.
    #[must_use]
    pub fn shows_uv_subset(&self, number: usize) -> bool {
        let (Some(document), view) = (&self.document, &self.view.uv) else {
            return false;
        };
        let image = view.picture.as_ref().and_then(|picture| picture.image);
        let is_of_picture = match image {
            Some(_) => document.image_of_subset(number) == image,
            // A checker is behind those without an image.
            None => self.selection.subset().is_none() || document.image_of_subset(number).is_none(),
        };
        self.view.shows(number) && (is_of_picture || !view.only_picture)
    }

    /// What is to be drawn; nothing while the pane is closed or has nothing to show.
    #[must_use]
    pub fn uv_shown(&self) -> Option<UvShown> {
        let view = &self.view.uv;
        if !self.settings.panes.shows(Pane::Uv) || view.size_points.min_element() < 1.0 {
            return None;
        }
        self.document.as_ref()?;
        let look = |(number, look): (usize, &SubsetLook)| SubsetLook {
            is_visible: self.shows_uv_subset(number),
            color: look.color,
        };
        Some(UvShown {
            picture: Arc::clone(view.picture.as_ref()?),
            layout: Arc::clone(view.layout.as_ref()?),
            has_tints: view.has_tints,
            center: view.center,
            height: view.height,
            size_points: view.size_points,
            looks: self.view.looks.iter().enumerate().map(look).collect(),
            selected: match self.selection {
                Selection::Subset(number) => Some(number),
                _ => None,
            },
        })
    }

    /// Coordinates of the selected vertex, or of the corners of the selected triangle.
    #[must_use]
    pub fn selected_uvs(&self) -> Vec<Vec2> {
        let (Some(document), Some(layout)) = (&self.document, &self.view.uv.layout) else {
            return Vec::new();
        };
        let (mesh, corners) = match self.selection {
            Selection::Vertex { mesh, vertex, .. } => (mesh, vec![vertex.0]),
            Selection::Triangle { mesh, triangle, .. } => {
                let first = triangle as usize * 3;
                let stored = document.model.meshes.get(mesh.index());
                let corners = stored.and_then(|mesh| mesh.triangles(first..first + 3).next());
                (mesh, corners.map_or(Vec::new(), |corners| corners.to_vec()))
            }
            _ => return Vec::new(),
        };
        let uvs = layout.uvs(mesh);
        let found = corners
            .iter()
            .filter_map(|&corner| uvs.get(corner as usize));
        found.map(|&at| uv_of(at)).collect()
    }

    fn pick_uv(&self, at: Vec2, reach: f32) -> Option<Selection> {
        let document = self.document.as_ref()?;
        let layout = self.view.uv.layout.as_ref()?;
        let mut nearest: Option<(f32, Selection)> = None;
        let mut inside = None;
        for (row, subset) in document.subsets.iter().enumerate() {
            let Some(mesh) = document.model.meshes.get(subset.mesh.index()) else {
                continue;
            };
            if !self.shows_uv_subset(row) {
                continue;
            }
            let uvs = layout.uvs(subset.mesh);
            let triangles = mesh.triangles(subset.subset.range());
            for (number, corners) in (subset.subset.first_index / 3..).zip(triangles) {
                let [Some(a), Some(b), Some(c)] =
                    corners.map(|corner| uvs.get(corner as usize).map(|&place| uv_of(place)))
                else {
                    continue;
                };
                for (vertex, place) in corners.into_iter().zip([a, b, c]) {
                    let distance = place.distance(at);
                    if distance <= reach && nearest.is_none_or(|(least, _)| distance < least) {
                        let selection = Selection::Vertex {
                            mesh: subset.mesh,
                            vertex: VertexId(vertex),
                            subset: Some(row),
                        };
                        nearest = Some((distance, selection));
                    }
                }
                if inside.is_none() && contains([a, b, c], at) {
                    inside = Some(Selection::Triangle {
                        mesh: subset.mesh,
                        triangle: number,
                        subset: Some(row),
                    });
                }
            }
        }
        nearest.map(|(_, selection)| selection).or(inside)
    }
}

impl Document {
    /// The image that gives subset `number` its colour.
    #[must_use]
    pub fn image_of_subset(&self, number: usize) -> Option<ImageId> {
        let material = self.subsets.get(number)?.subset.material?;
        let material = self.model.materials.get(material.index())?;
        material.image_of(TextureRole::BaseColor)?.image
    }
}

impl UvLayout {
    /// Vertices of a mesh in the plane.
    fn uvs(&self, mesh: MeshId) -> &[Vec3] {
        match self
            .lines
            .meshes
            .get(mesh.index())
            .map(|mesh| &mesh.vertices)
        {
            Some(VertexData::Streams(streams)) => &streams.positions,
            _ => &[],
        }
    }
}

fn uv_of(place: Vec3) -> Vec2 {
    Vec2::new(place.x, -place.y)
}

fn contains([a, b, c]: [Vec2; 3], at: Vec2) -> bool {
    let side = |from: Vec2, to: Vec2| (to - from).perp_dot(at - from);
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|&side| side > 0.0) || sides.iter().all(|&side| side < 0.0)
}

/// A square of one image.
fn picture(source: &Arc<Model>, image: Option<ImageId>) -> UvPicture {
    let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)];
    let coords = corners.map(|(u, v)| Vec2::new(u, v)).to_vec();
    let place = |uv: &Vec2| Vec3::new(uv.x, -uv.y, PICTURE_Z);
    let file: Option<Image> = image.and_then(|id| source.images.get(id.index()).cloned());
    let mesh = Mesh {
        vertices: VertexData::Streams(Streams {
            positions: coords.iter().map(place).collect(),
            normals: vec![Vec3::Z; 4],
            uv_sets: vec![UvSet {
                name: String::new(),
                coords,
            }],
            ..Streams::default()
        }),
        indices: Indices::U32(vec![0, 1, 2, 0, 2, 3]),
        subsets: vec![Subset {
            first_index: 0,
            index_count: 6,
            material: Some(MaterialId(0)),
        }],
        ..Mesh::default()
    };
    let texture = TextureRef::embedded(TextureRole::BaseColor, ImageId(0));
    let material = Material {
        textures: file.iter().map(|_| texture.clone()).collect(),
        look: Some(Box::new(MaterialLook {
            is_unlit: true,
            ..MaterialLook::default()
        })),
        ..Material::default()
    };
    UvPicture {
        source: Arc::clone(source),
        image: image.filter(|_| file.is_some()),
        model: Arc::new(Model {
            meshes: vec![mesh],
            materials: vec![material],
            images: file.into_iter().collect(),
            ..Model::default()
        }),
    }
}

/// Lays set `set` of `source` out.
fn layout(source: &Arc<Model>, set: usize, report: &Report) -> Result<UvLayout, Cancelled> {
    const WHAT: &str = "laying out texture coordinates";
    report.progress(WHAT, 0.0)?;
    let reverses = source.axes.reverses_winding();
    let coords: Vec<Vec<Vec2>> = source.meshes.iter().map(|mesh| coords(mesh, set)).collect();
    let mut made = UvLayout {
        source: Arc::clone(source),
        set,
        lines: Arc::default(),
        mirrored: None,
        outside: None,
        num_triangles: 0,
        num_mirrored: 0,
        num_outside: 0,
        num_flat: 0,
        bounds: [Vec2::ZERO, Vec2::ONE],
    };
    let used = coords.iter().flatten();
    let low = used.clone().copied().reduce(Vec2::min);
    let high = used.copied().reduce(Vec2::max);
    if let (Some(low), Some(high)) = (low, high) {
        made.bounds = [low, high];
    }
    let all = |_: [Vec2; 3]| true;
    let (lines, num_triangles) = part(source, &coords, 0.0, all);
    made.lines = Arc::new(lines);
    made.num_triangles = num_triangles;
    report.progress(WHAT, 0.4)?;
    let is_mirrored = |corners| turn(corners).is_some_and(|is_left| is_left == reverses);
    let (mirrored, num_mirrored) = part(source, &coords, TINT_Z, is_mirrored);
    made.num_mirrored = num_mirrored;
    made.mirrored = (num_mirrored > 0).then(|| Arc::new(mirrored));
    report.progress(WHAT, 0.7)?;
    let (outside, num_outside) = part(source, &coords, TINT_Z, leaves_texture);
    made.num_outside = num_outside;
    made.outside = (num_outside > 0).then(|| Arc::new(outside));
    let is_flat = |corners| turn(corners).is_none();
    made.num_flat = part(source, &coords, TINT_Z, is_flat).1;
    Ok(made)
}

fn coords(mesh: &Mesh, set: usize) -> Vec<Vec2> {
    match &mesh.vertices {
        VertexData::Streams(streams) => {
            let set = streams.uv_sets.get(set);
            set.map_or(Vec::new(), |set| set.coords.clone())
        }
        VertexData::Packed(packed) if set == 0 => packed.iter().map(|v| v.uv_decoded()).collect(),
        VertexData::Packed(_) => Vec::new(),
    }
}

/// Whether the corners go round to the left with v down turned up; nothing where they have no area.
fn turn([a, b, c]: [Vec2; 3]) -> Option<bool> {
    let up = |uv: Vec2| Vec2::new(uv.x, -uv.y);
    let (along, across) = (up(b) - up(a), up(c) - up(a));
    let longest = along
        .length_squared()
        .max(across.length_squared())
        .max(b.distance_squared(c));
    let area = along.perp_dot(across);
    (area.abs() > MIN_AREA * longest).then_some(area > 0.0)
}

fn leaves_texture(corners: [Vec2; 3]) -> bool {
    corners
        .iter()
        .any(|uv| uv.min_element() < -EDGE || uv.max_element() > 1.0 + EDGE)
}

/// The triangles of each subset that are wanted, as a model of the same meshes and subsets, and
/// how many they are.
fn part(
    source: &Model,
    coords: &[Vec<Vec2>],
    z: f32,
    is_wanted: impl Fn([Vec2; 3]) -> bool,
) -> (Model, usize) {
    let mut num = 0;
    let meshes = source.meshes.iter().zip(coords).map(|(mesh, coords)| {
        let mut indices: Vec<u32> = Vec::new();
        let subsets = mesh.subsets.iter().map(|subset| {
            let first = indices.len();
            for corners in mesh.triangles(subset.range()) {
                if let [Some(a), Some(b), Some(c)] =
                    corners.map(|corner| coords.get(corner as usize).copied())
                    && is_wanted([a, b, c])
                {
                    indices.extend(corners);
                }
            }
            num += (indices.len() - first) / 3;
            let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
            Subset {
                first_index: count(first),
                index_count: count(indices.len() - first),
                material: None,
            }
        });
        let subsets = subsets.collect();
        let place = |uv: &Vec2| Vec3::new(uv.x, -uv.y, z);
        Mesh {
            vertices: VertexData::Streams(Streams {
                positions: coords.iter().map(place).collect(),
                ..Streams::default()
            }),
            indices: Indices::U32(indices),
            subsets,
            ..Mesh::default()
        }
    });
    let meshes = meshes.collect();
    let model = Model {
        meshes,
        ..Model::default()
    };
    (model, num)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles: one as painted, one mirrored and out of the texture.
    fn source() -> Arc<Model> {
        let coords = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (2.0, 0.0)];
        let coords: Vec<_> = coords.map(|(u, v)| Vec2::new(u, v)).to_vec();
        let subset = |first_index| Subset {
            first_index,
            index_count: 3,
            material: None,
        };
        Arc::new(Model {
            meshes: vec![Mesh {
                vertices: VertexData::Streams(Streams {
                    positions: vec![Vec3::ZERO; 5],
                    uv_sets: vec![UvSet {
                        name: String::new(),
                        coords,
                    }],
                    ..Streams::default()
                }),
                indices: Indices::U32(vec![0, 1, 2, 2, 4, 3]),
                subsets: vec![subset(0), subset(3)],
                ..Mesh::default()
            }],
            ..Model::default()
        })
    }

    #[test]
    fn mirrored_triangles_and_those_outside_are_told_apart() {
        let layout = layout(&source(), 0, &Report::new()).unwrap();
        assert_eq!((layout.num_triangles, layout.num_flat), (2, 0));
        assert_eq!((layout.num_mirrored, layout.num_outside), (1, 1));
        assert_eq!(layout.bounds, [Vec2::ZERO, Vec2::new(2.0, 1.0)]);
        let mirrored = layout.mirrored.unwrap();
        assert_eq!(mirrored.meshes[0].subsets[0].index_count, 0);
        assert_eq!(mirrored.meshes[0].subsets[1].index_count, 3);
        assert_eq!(layout.lines.meshes[0].position(1), Some(Vec3::NEG_Y));
    }

    #[test]
    fn a_file_that_winds_the_other_way_has_the_other_ones_mirrored() {
        let mut model = source();
        Arc::make_mut(&mut model).axes.winding = crate::model::Winding::Clockwise;
        let layout = layout(&model, 0, &Report::new()).unwrap();
        assert_eq!(layout.mirrored.unwrap().meshes[0].subsets[0].index_count, 3);
    }

    #[test]
    fn a_set_that_is_not_there_is_empty() {
        let layout = layout(&source(), 3, &Report::new()).unwrap();
        assert_eq!(layout.num_triangles, 0);
        assert_eq!(layout.bounds, [Vec2::ZERO, Vec2::ONE]);
        assert!(layout.mirrored.is_none());
    }

    #[test]
    fn zooming_keeps_what_is_under_the_pointer_and_fitting_shows_all() {
        let mut state = AppState::default();
        state.apply_uv(UvAction::Sized(Vec2::new(200.0, 100.0)));
        let pointer = Vec2::new(30.0, -20.0);
        let at = state.view.uv.uv_at(pointer);
        state.apply_uv(UvAction::Zoom { factor: 0.5, at });
        assert!(state.view.uv.uv_at(pointer).distance(at) < 1e-5);
        assert!(state.view.uv.point_of(at).distance(pointer) < 1e-2);
        state.apply_uv(UvAction::Pan(Vec2::new(100.0, 0.0)));
        state.apply_uv(UvAction::Fit);
        assert_eq!(state.view.uv.center, Vec2::splat(0.5));
        assert_eq!(state.view.uv.height, FIT_MARGIN);
    }

    #[test]
    fn a_point_is_inside_of_a_triangle_whichever_way_it_goes_round() {
        let [a, b, c] = [Vec2::ZERO, Vec2::X, Vec2::Y];
        let at = Vec2::splat(0.2);
        assert!(contains([a, b, c], at) && contains([a, c, b], at));
        assert!(!contains([a, b, c], Vec2::splat(0.6)));
    }
}
