//! The UV pane: layout, view settings and picking.
//!
//! The layout consists of models with vertices at (u, -v), so that the mesh renderer can draw it on
//! the GPU, and only after a change.
//!
//! Not for: surface colours by UVs (`visual::Coloring`).

mod image;
mod layout;
mod pick;

use std::sync::Arc;

use glam::Vec2;

use crate::{
    Action, AppState, Derived, DerivedIn, ModelKey, Pane, Request, Selection, SubsetLook, TaskSlot,
};
use rigscope_core::model::{Report, UvSet, VertexData};

use image::UvImageKey;
pub use image::{UvImage, UvTextureChoice};
pub use layout::UvLayout;
use layout::{layout, uv_of};

/// Computes the layout.
pub const UV_TASK: TaskSlot = TaskSlot("laying out UVs");
/// Decodes the texture behind the layout.
const UV_PICTURE_TASK: TaskSlot = TaskSlot("decoding the UV texture");

/// Height of the visible area, in UV units.
const HEIGHT: std::ops::RangeInclusive<f32> = 1e-4..=1e6;
/// Margin around the fitted area.
const FIT_MARGIN: f32 = 1.12;
/// The state of the UV pane.
#[derive(Clone, Debug, PartialEq)]
pub struct UvView {
    /// Index of the UV set.
    pub set: usize,
    /// The UV in the middle, V down.
    pub center: Vec2,
    /// Height of the visible area, in UV units.
    pub height: f32,
    /// Size of the drawing area, in points.
    pub size_points: Vec2,
    /// Whether mirrored triangles and those outside 0 to 1 are tinted.
    pub has_tints: bool,
    /// Draws only the subsets that use the texture shown.
    pub only_texture: bool,
    /// The texture behind the layout.
    pub texture: UvTextureChoice,
    pub layout: Derived<LayoutKey, UvLayout>,
    /// The image of the texture.
    pub picture: Derived<UvImageKey, UvImage>,
    /// Whether the layout has been fitted to the pane.
    is_fitted: bool,
}

/// A UV set of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutKey {
    model: ModelKey,
    set: usize,
}

impl Default for UvView {
    fn default() -> Self {
        Self {
            set: 0,
            center: Vec2::splat(0.5),
            height: FIT_MARGIN,
            size_points: Vec2::ZERO,
            has_tints: true,
            only_texture: true,
            texture: UvTextureChoice::default(),
            layout: Derived::default(),
            picture: Derived::default(),
            is_fitted: false,
        }
    }
}

/// An action in the pane.
#[derive(Clone, Debug)]
pub enum UvAction {
    /// Computes missing data for the pane.
    Prepare,
    /// The layout has been computed.
    LayoutReady(Arc<UvLayout>),
    /// The texture has been decoded.
    ImageReady(Arc<UvImage>),
    /// Chooses the texture behind the layout.
    ChooseTexture(UvTextureChoice),
    /// The drawing area has a new size, in points.
    Sized(Vec2),
    /// Moves the visible area, in points.
    Pan(Vec2),
    /// Scales the visible height, keeping `at` in place.
    Zoom {
        /// Below 1 moves closer.
        factor: f32,
        /// In UV space.
        at: Vec2,
    },
    /// Fits the layout and the whole texture.
    Fit,
    /// Chooses the UV set.
    ChooseSet(usize),
    /// Turns tints on or off.
    Tint(bool),
    /// Draws only the subsets that use the texture shown, or all.
    OnlyTexture(bool),
    /// Selects the vertex within reach of a coordinate, else the triangle.
    Pick {
        /// In UV space.
        at: Vec2,
        /// In UV units.
        reach: f32,
    },
}

/// The contents of the pane, drawn on the GPU from back to front.
#[derive(Clone, Debug, PartialEq)]
pub struct UvLayers {
    /// The texture.
    pub picture: Arc<UvImage>,
    pub layout: Arc<UvLayout>,
    /// Whether mirrored triangles and those outside 0 to 1 are tinted.
    pub has_tints: bool,
    /// The UV in the middle.
    pub center: Vec2,
    /// Height of the visible area.
    pub height: f32,
    pub size_points: Vec2,
    /// One per subset.
    pub looks: Vec<SubsetLook>,
    /// The highlighted subset.
    pub selected: Option<usize>,
}

impl UvView {
    /// Drops the data about one document.
    pub(crate) fn forget(&mut self) {
        self.layout = Derived::default();
        self.picture = Derived::default();
        self.is_fitted = false;
    }

    /// The UV at `at`, in points from the middle of the drawing area, Y down.
    pub fn uv_at(&self, at: Vec2) -> Vec2 {
        self.center + at * self.uv_per_point()
    }

    /// The position of a UV, in points from the middle of the drawing area, Y down.
    pub fn point_of(&self, uv: Vec2) -> Vec2 {
        (uv - self.center) / self.uv_per_point()
    }

    /// UV units per point.
    pub fn uv_per_point(&self) -> f32 {
        self.height / self.size_points.y.max(1.0)
    }

    fn fit(&mut self) {
        let [low, high] = self.layout.get().map_or([Vec2::ZERO, Vec2::ONE], |layout| {
            let [low, high] = layout.bounds;
            [low.min(Vec2::ZERO), high.max(Vec2::ONE)]
        });
        let aspect = if self.size_points.min_element() > 0.0 {
            self.size_points.x / self.size_points.y
        } else {
            1.0
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
    pub(crate) fn apply_uv(&mut self, action: UvAction) -> Vec<Request> {
        let view = &mut self.tab.view.uv;
        match action {
            UvAction::Prepare => {
                view.layout.want();
                view.picture.want();
            }
            UvAction::ImageReady(picture) => view.picture.set(picture),
            UvAction::ChooseTexture(texture) => view.texture = texture,
            UvAction::LayoutReady(layout) => {
                view.layout.set(layout);
                if !std::mem::replace(&mut view.is_fitted, true) {
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
            UvAction::OnlyTexture(only) => view.only_texture = only,
            UvAction::Pick { at, reach } => {
                return self.pick_uv(at, reach);
            }
        }
        Vec::new()
    }

    /// Whether the pane has to request its data with [`UvAction::Prepare`].
    pub fn is_uv_stale(&self) -> bool {
        let view = &self.tab.view.uv;
        self.tab.document.is_some() && !(view.layout.is_wanted() && view.picture.is_wanted())
    }

    /// Computes the layout and decodes the texture, once the pane has requested them.
    pub(crate) fn follow_uv(&mut self) -> Vec<Request> {
        let set = self.tab.view.uv.set;
        let key = self.model_key().map(|model| LayoutKey { model, set });
        let place: DerivedIn<_, _> = |view| &mut view.uv.layout;
        let mut requests = self.derive(UV_TASK, place, key, false, |_, key| {
            move |report: &Report| {
                let layout = Arc::new(layout(&key.model.0, key.set, report)?);
                Ok(Action::Uv(UvAction::LayoutReady(layout)))
            }
        });
        // The texture follows the selected subset without another request.
        let is_shown = self.settings.panes.shows(Pane::Uv) && self.tab.view.uv.layout.is_wanted();
        let key = self.picture_key().filter(|_| is_shown);
        let place: DerivedIn<_, _> = |view| &mut view.uv.picture;
        requests.extend(self.derive(UV_PICTURE_TASK, place, key, is_shown, |_, key| {
            move |_: &Report| Ok(Action::Uv(UvAction::ImageReady(Arc::new(key.picture()))))
        }));
        requests
    }

    /// The names of the UV sets of all meshes, or their numbers if they have no name.
    pub fn uv_set_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let meshes = self.tab.document.iter().flat_map(|document| &document.model.meshes);
        for mesh in meshes {
            let sets: &[UvSet] = match &mesh.vertices {
                VertexData::Streams(streams) => &streams.uv_sets,
                VertexData::Packed(_) => &[UvSet { name: String::new(), coords: Vec::new() }],
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
    pub fn shows_uv_subset(&self, number: usize) -> bool {
        let view = &self.tab.view.uv;
        if self.tab.document.is_none() {
            return false;
        }
        let image = view.picture.get().and_then(|picture| picture.image);
        let is_of_texture = match image {
            Some(_) => self.uv_image_of(number) == image,
            // Subsets without an image have a checkerboard.
            None => self.tab.selection.subset().is_none() || self.uv_image_of(number).is_none(),
        };
        self.tab.view.shows(number) && (is_of_texture || !view.only_texture)
    }

    /// The contents to draw, if the pane is open and its data is available.
    pub fn uv_shown(&self) -> Option<UvLayers> {
        let view = &self.tab.view.uv;
        if !self.settings.panes.shows(Pane::Uv) || view.size_points.min_element() < 1.0 {
            return None;
        }
        self.tab.document.as_ref()?;
        let look = |(number, look): (usize, &SubsetLook)| SubsetLook {
            is_visible: self.shows_uv_subset(number),
            color: look.color,
        };
        Some(UvLayers {
            picture: Arc::clone(view.picture.get()?),
            layout: Arc::clone(view.layout.get()?),
            has_tints: view.has_tints,
            center: view.center,
            height: view.height,
            size_points: view.size_points,
            looks: self.tab.view.looks.iter().enumerate().map(look).collect(),
            selected: match self.tab.selection {
                Selection::Subset(number) => Some(number),
                _ => None,
            },
        })
    }

    /// The UVs of the selected vertex, or of the corners of the selected triangle.
    pub fn selected_uvs(&self) -> Vec<Vec2> {
        let (Some(document), Some(layout)) = (&self.tab.document, self.tab.view.uv.layout.get())
        else {
            return Vec::new();
        };
        let (mesh, corners) = match self.tab.selection {
            Selection::Vertex { mesh, vertex, .. } => (mesh, vec![vertex.0]),
            Selection::Triangle { mesh, triangle, .. } => {
                let first = triangle as usize * 3;
                let stored = document.model.meshes.get(mesh);
                let corners = stored.and_then(|mesh| mesh.triangles(first..first + 3).next());
                (mesh, corners.map_or(Vec::new(), |corners| corners.to_vec()))
            }
            _ => return Vec::new(),
        };
        let uvs = layout.uvs(mesh);
        let found = corners.iter().filter_map(|&corner| uvs.get(corner as usize));
        found.map(|&at| uv_of(at)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_point_under_the_pointer_and_fitting_shows_all() {
        let mut state = AppState::default();
        state.apply_uv(UvAction::Sized(Vec2::new(200.0, 100.0)));
        let pointer = Vec2::new(30.0, -20.0);
        let at = state.tab.view.uv.uv_at(pointer);
        state.apply_uv(UvAction::Zoom { factor: 0.5, at });
        assert!(state.tab.view.uv.uv_at(pointer).distance(at) < 1e-5);
        assert!(state.tab.view.uv.point_of(at).distance(pointer) < 1e-2);
        state.apply_uv(UvAction::Pan(Vec2::new(100.0, 0.0)));
        state.apply_uv(UvAction::Fit);
        assert_eq!(state.tab.view.uv.center, Vec2::splat(0.5));
        assert_eq!(state.tab.view.uv.height, FIT_MARGIN);
    }
}
