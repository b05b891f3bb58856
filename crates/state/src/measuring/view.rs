//! The measurement, and changes to its points.

use std::sync::Arc;

use super::{MeasureCurves, MeasureKey, ModelPoint};
use crate::{AppState, Derived, Document, Pane, PickHit, PickWhat, Selection, ToastLevel};
use rigscope_core::model::{BoneId, MeshId, VertexId};

/// Most points of a measurement, which define one angle.
pub const MAX_POINTS: usize = 3;

/// The current measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasureView {
    /// Whether a click in the view adds a point.
    pub is_picking: bool,
    /// The points in the order of selection; the angle is at the second one.
    pub points: Vec<ModelPoint>,
    /// Distances and angle over the clip.
    pub curves: Derived<MeasureKey, MeasureCurves>,
}

/// An action on the measurement.
#[derive(Clone, Debug)]
pub enum MeasureAction {
    /// Adds a point; after the last one, starts a new measurement.
    Add(ModelPoint),
    /// The curves have been computed.
    Curves(Arc<MeasureCurves>),
}

impl AppState {
    pub(crate) fn apply_measure(&mut self, action: MeasureAction) {
        match action {
            MeasureAction::Add(point) => self.add_point(point),
            MeasureAction::Curves(curves) => self.tab.view.measure.curves.set(curves),
        }
    }

    /// Turns the measuring tool on or off. Turning it off removes a single point.
    pub(crate) fn toggle_measure(&mut self) {
        let measure = &mut self.tab.view.measure;
        measure.is_picking ^= true;
        if measure.is_picking {
            self.bring_to_front(Pane::Measure);
        } else if measure.points.len() < 2 {
            measure.points.clear();
        }
    }

    pub(crate) fn clear_measure(&mut self) {
        self.tab.view.measure.points.clear();
    }

    /// Adds the selected bone or vertex as a point.
    pub(crate) fn measure_selection(&mut self) {
        if let Some(point) = self.selected_point() {
            self.bring_to_front(Pane::Measure);
            self.add_point(point);
        }
    }

    /// The selection as a point, if it is a bone or vertex.
    pub fn selected_point(&self) -> Option<ModelPoint> {
        match self.tab.selection {
            Selection::Bone(bone) => Some(ModelPoint::Bone(bone)),
            Selection::Vertex { mesh, vertex, .. } => Some(ModelPoint::Vertex { mesh, vertex }),
            _ => None,
        }
    }

    /// Adds the item under a click: a bone if one is drawn there, else the nearest vertex.
    pub(crate) fn measure_hit(&mut self, hit: &PickHit, what: PickWhat) {
        let what = match what {
            PickWhat::Subset if hit.bone.is_none() => PickWhat::Vertex,
            what => what,
        };
        let vertex = |mesh: MeshId, vertex: VertexId| ModelPoint::Vertex { mesh, vertex };
        let point = match (self.selection_of_hit(hit, what), hit.triangle) {
            (Selection::Bone(bone), _) => Some(ModelPoint::Bone(bone)),
            (Selection::Vertex { mesh, vertex: number, .. }, _) => Some(vertex(mesh, number)),
            (Selection::Triangle { .. }, Some(hit)) => Some(vertex(hit.mesh, hit.vertex)),
            _ => None,
        };
        match point {
            Some(point) => self.add_point(point),
            None => self.toasts.push(ToastLevel::Info, "there is no vertex or bone at that point"),
        }
    }

    fn add_point(&mut self, point: ModelPoint) {
        let Some(document) = &self.tab.document else { return };
        let points = &mut self.tab.view.measure.points;
        if !point.exists_in(&document.model) || points.last() == Some(&point) {
            return;
        }
        if points.len() >= MAX_POINTS {
            points.clear();
        }
        points.push(point);
    }

    /// Restores the points of an undo step.
    pub(crate) fn set_measured(&mut self, points: Vec<ModelPoint>) {
        let model = self.tab.document.as_ref().map(|document| &document.model);
        let exist = model.is_some_and(|model| points.iter().all(|point| point.exists_in(model)));
        self.tab.view.measure.points = if exist { points } else { Vec::new() };
    }

    /// Transfers points to the reloaded document: bones by name, vertices if their mesh has the
    /// same number as before. If a point can't be transferred, the measurement ends.
    pub(crate) fn renew_measured(&mut self, old: &Document) {
        let Some(new) = &self.tab.document else { return };
        let points = self.tab.view.measure.points.iter();
        let renewed: Option<Vec<_>> = points.map(|&point| renewed(point, old, new)).collect();
        self.tab.view.measure.points = renewed.unwrap_or_else(|| {
            let text = "the measurement has ended: the bones or vertices of the file have changed";
            self.toasts.push(ToastLevel::Warning, text);
            Vec::new()
        });
    }
}

fn renewed(point: ModelPoint, old: &Document, new: &Document) -> Option<ModelPoint> {
    match point {
        ModelPoint::Bone(bone) => {
            let name = old.model.skeleton.display_name(bone);
            let mut bones = (0..new.model.skeleton.len()).map(BoneId::from_index);
            let named = bones.find(|&bone| new.model.skeleton.display_name(bone) == name);
            named.map(ModelPoint::Bone)
        }
        ModelPoint::Vertex { mesh, .. } => {
            let num = |of: &Document| Some(of.model.meshes.get(mesh)?.num_vertices());
            (num(old) == num(new)).then_some(point)
        }
    }
}
