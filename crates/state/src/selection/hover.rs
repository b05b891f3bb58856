//! The tooltip for the item under the resting pointer.
//!
//! Picked once when the pointer rests, and valid until the camera, the pose or the display options
//! change. A reloaded model counts as a different one, even if it is identical.

use glam::{Vec2, Vec3};

use crate::{AppState, ModelKey, Selection};
use rigscope_core::camera::Camera;
use rigscope_core::model::{BoneId, MeshId, Skin, VertexId, numbers, srgb8_from_color};
use rigscope_core::pose::{PoseSpec, sample, skin_vertex};
use rigscope_core::visual::{OutlineTarget, PickHit, Show};

/// Most bones to list; the rest are counted.
const MAX_NAMED: usize = 6;

/// The item under the resting pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hover {
    /// Position of the pointer, from -1 to 1, Y up.
    pub ndc: Vec2,
    /// The lines of the tooltip; empty over the background.
    pub lines: Vec<String>,
    /// The vertex that the lines describe, display space.
    pub position: Option<Vec3>,
    /// The result of a click.
    selection: Selection,
    context: PickContext,
}

/// The inputs of a pick. Equal contexts have equal results.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PickContext {
    camera: Camera,
    pose: PoseSpec,
    overlays: Show,
    model: Option<ModelKey>,
    visible: Vec<bool>,
    hulls: Vec<bool>,
    size_points: Vec2,
}

impl AppState {
    pub(super) fn pick_context(&self) -> PickContext {
        let view = &self.tab.view;
        PickContext {
            camera: view.camera,
            pose: self.tab.playback.pose_spec(),
            overlays: view.overlays,
            model: self.model_key(),
            visible: (0..view.looks.len()).map(|row| view.shows(row)).collect(),
            hulls: self.tab.document.as_ref().map_or_else(Vec::new, |document| {
                let all = 0..document.model.hulls.len();
                all.map(|hull| view.shows_hull(hull)).collect()
            }),
            size_points: self.view_size_points,
        }
    }

    /// The tooltip at `ndc`, if it is known and still valid.
    pub fn hover_at(&self, ndc: Vec2) -> Option<&Hover> {
        /// Pointer movements up to this size are ignored, in NDC.
        const STILL: f32 = 1e-4;
        let hover = self.tab.view.hover.as_ref()?;
        let is_right = hover.ndc.distance(ndc) <= STILL && hover.context == self.pick_context();
        is_right.then_some(hover)
    }

    /// The item of the row under the pointer.
    pub fn hovered_row(&self) -> Option<Selection> {
        self.hovered_row
    }

    /// The item that a click would select, to outline it: the row under the pointer, or the item
    /// under the pointer when it last rested in the view, until something changes or the pointer
    /// leaves.
    pub fn hovered(&self) -> Option<OutlineTarget> {
        if let Some(row) = self.hovered_row.filter(|_| self.settings.hover) {
            return row.outlined();
        }
        let hover = self.tab.view.hover.as_ref().filter(|_| self.shows_tooltips())?;
        hover.selection.outlined().filter(|_| hover.context == self.pick_context())
    }

    /// Whether tooltips are shown. Not during playback.
    pub fn shows_tooltips(&self) -> bool {
        self.settings.hover && self.tab.document.is_some() && !self.tab.playback.is_playing
    }

    pub(crate) fn hover_over(&mut self, ndc: Vec2, hit: &PickHit) {
        let (mut lines, position) = self.hover_lines(hit);
        if let Some(hull) = self.hull_at(ndc, hit) {
            lines.insert(0, format!("hull {hull}"));
        }
        let selection = self.selection_at(ndc, hit, self.settings.pick);
        self.tab.view.hover =
            Some(Hover { ndc, lines, position, selection, context: self.pick_context() });
    }

    fn hover_lines(&self, hit: &PickHit) -> (Vec<String>, Option<Vec3>) {
        let Some(document) = &self.tab.document else { return Default::default() };
        let name = |bone: BoneId| document.model.skeleton.display_name(bone);
        let mut lines = Vec::new();
        if let Some(hit) = hit.bone {
            let noun = document.model.noun_of(hit.bone).one();
            lines.push(format!("{noun} {}  {}", hit.bone.0, name(hit.bone)));
        }
        let (mesh, vertex) = match (hit.triangle, hit.point) {
            (Some(hit), _) => {
                let subset = document.subset_name(hit.subset);
                lines.push(format!("triangle {}  {subset}", hit.triangle));
                (hit.mesh, hit.vertex)
            }
            (None, Some(point)) => {
                lines.extend(point.subset.map(|subset| document.subset_name(subset)));
                (point.mesh, point.vertex)
            }
            (None, None) => return (lines, None),
        };
        let position = self.vertex_lines(mesh, vertex, name, &mut lines);
        (lines, position)
    }

    fn vertex_lines(
        &self,
        id: MeshId,
        vertex: VertexId,
        name: impl Fn(BoneId) -> String,
        lines: &mut Vec<String>,
    ) -> Option<Vec3> {
        let model = &self.tab.document.as_ref()?.model;
        let mesh = model.meshes.get(id)?;
        match model.meshes.len() {
            1 => lines.push(format!("vertex {}", vertex.0)),
            _ => lines.push(format!("vertex {} of mesh {}", vertex.0, id.0)),
        }
        let pose = sample(model, &self.tab.playback.pose_spec());
        let posed = skin_vertex(mesh, vertex.index(), &pose.of_mesh(id, mesh))?;
        let position = model.axes.display_from_file().transform_point3(posed);
        lines.push(format!("at {}", numbers::aligned(&position.to_array()).join("  ")));
        if let Some(color) = mesh.color(vertex.index()) {
            let [r, g, b, a] = srgb8_from_color(color);
            let alpha = if a == u8::MAX { "" } else { &format!("  alpha {a}") };
            lines.push(format!("colour {r} {g} {b}{alpha}"));
        }
        if matches!(mesh.skin, Skin::None) {
            lines.extend(mesh.attached_to.map(|bone| {
                let noun = model.noun_of(bone).one();
                format!("attached to {noun} {}", name(bone))
            }));
            return Some(position);
        }
        let mut influences = Vec::new();
        mesh.for_each_influence(vertex.index(), |bone, weight| {
            if weight > 0.0 {
                influences.push((weight, bone));
            }
        });
        influences.sort_by(|a, b| b.0.total_cmp(&a.0));
        for &(weight, bone) in influences.iter().take(MAX_NAMED) {
            lines.push(format!("{}  {}", numbers::fixed(f64::from(weight), 3), name(bone)));
        }
        if influences.len() > MAX_NAMED {
            lines.push(format!("and {} more bones", influences.len() - MAX_NAMED));
        }
        Some(position)
    }
}
