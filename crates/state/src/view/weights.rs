//! Weights on the surface and in lists, updated whenever the selection changes.
//!
//! Invariant: the weights of a model are read once, in the background. Colours and lists are
//! computed once per bone, not per frame.

use std::sync::{Arc, Weak};

use glam::Vec3;

use super::weight_rows::{WeightRow, WeightStatistics, listed};
use super::weights_mode::WeightsMode;
use crate::{
    Action, AppState, Derived, DerivedIn, Document, LegendRow, ModelKey, Origin, Painter, Painting,
    Pane, Request, TaskSlot,
};
use rigscope_core::model::{BoneId, Model, Report, Skin};
use rigscope_core::visual::{
    INFLUENCE_CENTER, Marks, VertexPaint, WeightTable, bone_color, opaque, srgb8,
};

/// Reads the weights.
const SLOT: TaskSlot = TaskSlot("reading weights");
/// Packing loses less than this by rounding: half a step of a byte for each of four weights.
const ROUNDING: f32 = 2.0 / 255.0;
/// Linear RGB of the selected bone in a comparison.
pub const FIRST_OF_TWO: [f32; 3] = [1.0, 0.30, 0.03];
/// Linear RGB of the locked bone.
pub const SECOND_OF_TWO: [f32; 3] = [0.03, 0.25, 1.0];
/// Linear RGB of vertices that neither bone influences.
const NEITHER: [f32; 3] = [0.08; 3];
/// Most bones in a legend.
const MAX_LEGEND_ROWS: usize = 64;
/// Size of the mark at the influence centre, relative to the size of the model.
const CROSS: f32 = 0.02;

/// An action on weights.
#[derive(Clone, Debug)]
pub enum WeightsAction {
    /// Shows this mode on the surface and in the pane.
    Show(WeightsMode),
    /// Locks a bone for comparison; `None` unlocks it.
    Lock(Option<BoneId>),
    /// The weights have been read.
    Measured(Arc<WeightTable>),
}

/// Identifies the model that some data was computed for.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelIdentity {
    model: Weak<Model>,
    origin: Option<Origin>,
    bones: Vec<String>,
}

impl ModelIdentity {
    pub(crate) fn new(document: &Document) -> Self {
        Self {
            model: Arc::downgrade(&document.model),
            origin: Some(document.origin.clone()),
            bones: names_of(&document.model),
        }
    }

    pub(crate) fn is(&self, model: &Arc<Model>) -> bool {
        std::ptr::eq(self.model.as_ptr(), Arc::as_ptr(model))
    }

    /// Whether `document` is a reload of the same file with unchanged bones, so that settings about
    /// bones remain valid.
    pub(super) fn is_reload_of(&self, document: &Document) -> bool {
        self.origin.as_ref() == Some(&document.origin) && self.bones == names_of(&document.model)
    }
}

impl PartialEq for ModelIdentity {
    fn eq(&self, other: &Self) -> bool {
        self.model.ptr_eq(&other.model)
    }
}

fn names_of(model: &Model) -> Vec<String> {
    let bones = model.skeleton.bones().iter();
    bones.map(|bone| bone.name.clone()).collect()
}

/// The inputs of the list and the colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightsSubject {
    mode: WeightsMode,
    bone: Option<BoneId>,
    locked: Option<BoneId>,
    is_painted: bool,
}

impl WeightsSubject {
    /// The colours for `table`. `worst` is the end of the scale for modes that show deviations.
    pub(crate) fn paint(&self, table: &WeightTable, worst: f32) -> VertexPaint {
        let values = |bone: Option<BoneId>| match bone {
            Some(bone) => table.values(bone),
            None => vec![0.0; table.num_vertices()],
        };
        let heat = |values: Arc<Vec<f32>>, high: f32| VertexPaint::Heat { values, low: 0.0, high };
        match self.mode {
            WeightsMode::Bone => heat(Arc::new(values(self.bone)), 1.0),
            WeightsMode::Sums => heat(Arc::clone(table.sum_errors()), worst.max(1.0 / 255.0)),
            WeightsMode::Packing => heat(Arc::clone(table.lost()), worst.max(ROUNDING)),
            WeightsMode::Compare => {
                let pairs = values(self.bone).into_iter().zip(values(self.locked));
                VertexPaint::Colors(Arc::new(pairs.map(|(a, b)| mixed(a, b)).collect()))
            }
            WeightsMode::BoneColors => VertexPaint::Colors(Arc::clone(table.colors())),
        }
    }
}

/// The weights display of one document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WeightsView {
    pub mode: WeightsMode,
    /// Whether the surface shows them.
    pub is_painted: bool,
    /// The bone selected last, or the strongest of the selected vertex.
    pub bone: Option<BoneId>,
    /// The bone that it is compared with.
    pub locked: Option<BoneId>,
    pub table: Derived<ModelKey, WeightTable>,
    /// The vertices that the mode lists.
    pub rows: Arc<Vec<WeightRow>>,
    /// Bones with their number of influenced vertices, largest first.
    pub bones: Arc<Vec<(BoneId, usize)>>,
    /// Statistics of the mode.
    pub figures: WeightStatistics,
    made_for: ModelIdentity,
    made_of: Option<WeightsSubject>,
}

impl AppState {
    pub(crate) fn apply_weights(&mut self, action: WeightsAction) {
        match action {
            WeightsAction::Show(mode) => self.show_weights(mode),
            WeightsAction::Lock(bone) => {
                let num = self.num_bones();
                self.tab.view.weights.locked = bone.filter(|bone| bone.index() < num);
            }
            WeightsAction::Measured(table) => {
                self.tab.view.weights.bones = Arc::new(bones_of(&table));
                self.tab.view.weights.table.set(table);
            }
        }
    }

    pub(crate) fn num_bones(&self) -> usize {
        let document = self.tab.document.as_ref();
        document.map_or(0, |document| document.model.skeleton.len())
    }

    pub(super) fn show_weights(&mut self, mode: WeightsMode) {
        let weights = &mut self.tab.view.weights;
        weights.mode = mode;
        weights.is_painted = true;
        weights.made_of = None;
    }

    /// Shows `mode`, or the previous colours if it is shown already.
    pub(crate) fn toggle_weights(&mut self, mode: WeightsMode) {
        if self.shows_weights(mode) {
            self.tab.view.weights.is_painted = false;
            self.unpaint(Painter::Weights);
        } else {
            self.show_weights(mode);
        }
    }

    pub fn shows_weights(&self, mode: WeightsMode) -> bool {
        self.tab.view.weights.is_painted && self.tab.view.weights.mode == mode
    }

    /// Locks the current bone, or unlocks it.
    pub(crate) fn toggle_lock(&mut self) {
        let weights = &mut self.tab.view.weights;
        weights.locked = weights.bone.filter(|_| weights.locked != weights.bone);
    }

    /// Updates colours, list and statistics to the selection, if it has changed.
    pub(crate) fn follow_weights(&mut self) -> Vec<Request> {
        let influences = self.selected_influences();
        let Some(document) = &self.tab.document else { return Vec::new() };
        let weights = &mut self.tab.view.weights;
        if !weights.made_for.is(&document.model) {
            let keeps = weights.made_for.is_reload_of(document);
            *weights = WeightsView {
                mode: weights.mode,
                is_painted: weights.is_painted && keeps,
                bone: weights.bone.filter(|_| keeps),
                locked: weights.locked.filter(|_| keeps),
                made_for: ModelIdentity::new(document),
                ..WeightsView::default()
            };
        }
        if let Some(bone) = self.tab.selection.bone() {
            weights.bone = Some(bone);
        } else if let Some((strongest, _)) = influences.first() {
            // The bone stays while its vertices are selected one after another.
            let bone = weights.bone.filter(|own| influences.iter().any(|(bone, _)| bone == own));
            weights.bone = bone.or(Some(*strongest));
        }
        // The user has chosen other colours.
        if weights.is_painted && weights.made_of.is_some_and(|made| made.is_painted) {
            let is_shown = self.shows_colors(Painter::Weights);
            self.tab.view.weights.is_painted = is_shown;
        }
        let is_painted = self.tab.view.weights.is_painted;
        let is_wanted = is_painted || self.settings.panes.shows(Pane::Weights);
        let place: DerivedIn<_, _> = |view| &mut view.weights.table;
        let requests = self.derive(SLOT, place, self.model_key(), is_wanted, |_, key| {
            move |report: &Report| {
                let table = Arc::new(WeightTable::of(&key.0, report)?);
                Ok(Action::Weights(WeightsAction::Measured(table)))
            }
        });
        let weights = &mut self.tab.view.weights;
        let Some(table) = weights.table.get().filter(|_| is_wanted).cloned() else {
            return requests;
        };
        let subject = WeightsSubject {
            mode: weights.mode,
            bone: weights.bone,
            locked: weights.locked,
            is_painted: weights.is_painted,
        };
        if weights.made_of != Some(subject) {
            weights.made_of = Some(subject);
            let (rows, figures) = listed(&table, subject.mode, [subject.bone, subject.locked]);
            weights.rows = Arc::new(rows);
            weights.figures = figures;
            if subject.is_painted {
                let painting = self.painting_of_weights(&table, subject);
                self.paint(painting);
            }
        }
        requests
    }

    fn painting_of_weights(&self, table: &WeightTable, subject: WeightsSubject) -> Painting {
        let name = |bone: Option<BoneId>| match (bone, &self.tab.document) {
            (Some(bone), Some(document)) => document.bone_name(bone),
            _ => "no bone".to_owned(),
        };
        let row = |color, text| LegendRow { color, text };
        let (title, rows) = match subject.mode {
            WeightsMode::Bone if subject.bone.is_none() => {
                ("Weights: select a bone or vertex".to_owned(), Vec::new())
            }
            WeightsMode::Bone => (format!("Weights of {}", name(subject.bone)), Vec::new()),
            WeightsMode::Sums => ("Deviation of weight sums from 1".to_owned(), Vec::new()),
            WeightsMode::Packing => ("Weight lost by packing".to_owned(), Vec::new()),
            WeightsMode::Compare => {
                let rows = vec![
                    row(FIRST_OF_TWO, name(subject.bone)),
                    row(SECOND_OF_TWO, format!("{} (locked)", name(subject.locked))),
                    row([1.0, 0.5, 1.0], "shared".to_owned()),
                ];
                ("Two bones".to_owned(), rows)
            }
            WeightsMode::BoneColors => {
                let bones = self.tab.view.weights.bones.iter().take(MAX_LEGEND_ROWS);
                let rows = bones.map(|&(bone, _)| row(bone_color(bone), name(Some(bone))));
                ("Bones".to_owned(), rows.collect())
            }
        };
        Painting {
            painter: Painter::Weights,
            pane: None,
            title,
            paint: subject.paint(table, self.tab.view.weights.figures.worst),
            unit: "",
            rows,
        }
    }

    /// The inputs of the weight colours, if they are visible.
    pub(crate) fn painted_weights(&self) -> Option<WeightsSubject> {
        self.tab.view.weights.made_of.filter(|made| {
            let is_shown = self.shows_colors(Painter::Weights);
            made.is_painted && is_shown
        })
    }

    /// The centre of the vertices that the bone influences, in the current pose, display space.
    pub fn influence_center(&self) -> Option<Vec3> {
        let document = self.tab.document.as_ref()?;
        let bone = self.tab.view.weights.bone?;
        let center = self.tab.view.weights.table.get()?.center(bone)?;
        let pose = self.pose()?;
        let mut meshes = document.model.meshes.iter().enumerate();
        let matrix = meshes.find_map(|(index, mesh)| {
            let slot = match &mesh.skin {
                Skin::InverseBind(skin) => skin.bones.iter().position(|&b| b == bone)?,
                Skin::BoneLocal(_) => bone.index(),
                Skin::None => (mesh.attached_to == Some(bone)).then_some(0)?,
            };
            let id = rigscope_core::model::MeshId::from_index(index);
            pose.of_mesh(id, mesh).palette.get(slot).copied()
        })?;
        let display_from_file = document.model.axes.display_from_file();
        Some(display_from_file.transform_point3(matrix.transform_point3(center)))
    }

    /// Marks the influence centre with a cross.
    pub(crate) fn add_weight_marks(&self, marks: &mut Marks) {
        let is_of_bone =
            matches!(self.tab.view.weights.mode, WeightsMode::Bone | WeightsMode::Compare);
        if !self.tab.view.weights.is_painted || !is_of_bone {
            return;
        }
        if let (Some(center), Some(document)) = (self.influence_center(), &self.tab.document) {
            let half = CROSS * document.bounds.extent();
            marks.add_cross(center, half, opaque(NEITHER), 5.0);
            marks.add_cross(center, half, opaque(INFLUENCE_CENTER), 2.0);
        }
    }
}

/// Bones with their number of influenced vertices, largest first.
fn bones_of(table: &WeightTable) -> Vec<(BoneId, usize)> {
    let bones = (0..table.num_bones()).map(BoneId::from_index);
    let mut bones: Vec<_> =
        bones.map(|bone| (bone, table.of_bone(bone).len())).filter(|(_, num)| *num > 0).collect();
    bones.sort_by_key(|&(bone, num)| (std::cmp::Reverse(num), bone));
    bones
}

/// The colour for the weights of two bones; both together give a light colour.
fn mixed(first: f32, second: f32) -> [u8; 4] {
    let ground = Vec3::from(NEITHER) * (1.0 - first.max(second)).max(0.0);
    let color = ground + Vec3::from(FIRST_OF_TWO) * first + Vec3::from(SECOND_OF_TWO) * second;
    srgb8(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_bones_and_their_blend_have_distinct_colours() {
        let (first, second) = (mixed(1.0, 0.0), mixed(0.0, 1.0));
        assert_eq!(first, srgb8(FIRST_OF_TWO.into()));
        assert_eq!(second, srgb8(SECOND_OF_TWO.into()));
        let both = mixed(1.0, 1.0);
        assert!(both != first && both != second);
        assert_eq!(mixed(0.0, 0.0), srgb8(NEITHER.into()));
    }
}
