//! Comparison with another file, or with the same file before a reload. The document is A and the
//! other one B, as in `rigscope diff A B`.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::deviation::{ModelDeviation, SecondModelSource, WorstVertex};
use crate::{
    Action, AppState, DISPLAY_UNITS, Derived, DerivedIn, Document, Histogram, JobId, JobOwner,
    LoadFailure, LoadReason, LoadRequest, ModelKey, Origin, Painter, Pane, Request, SecondModel,
    Subject, TaskSlot, ToastLevel,
};
use rigscope_core::compare::{
    Comparison, DiffOptions, Difference, DifferenceKind, MatchMethod, compare,
};
use rigscope_core::geometry::position_key;
use rigscope_core::model::{Aabb, MeshId, Model, Place, Report, VertexAt, VertexId, VertexNumbers};
use rigscope_core::pose::Moment;
use rigscope_core::visual::VertexPaint;

/// Compares the models.
pub const COMPARE_TASK: TaskSlot = TaskSlot("comparing");
/// Largest file size up to which the version before a reload is kept.
const MAX_KEPT_BYTES: u64 = 512 << 20;

/// A model to compare with.
#[derive(Clone, Debug)]
pub struct ComparedModel {
    /// The name shown to users.
    pub name: String,
    pub model: Arc<Model>,
    /// Bounds in display space.
    pub bounds: Aabb,
    pub origin: Origin,
    /// All files it was read from.
    pub files: Vec<PathBuf>,
}

impl PartialEq for ComparedModel {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.model, &other.model) && self.name == other.name
    }
}

impl ComparedModel {
    fn of(document: &Document, name: String) -> Self {
        Self {
            name,
            model: Arc::clone(&document.model),
            bounds: document.bounds,
            origin: document.origin.clone(),
            files: document.files().map(Path::to_owned).collect(),
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Debug)]
pub struct ComparisonResult {
    pub comparison: Arc<Comparison>,
    /// Per vertex of the document, the largest distance over all clips; NaN without a counterpart.
    of_document: Arc<Vec<f32>>,
    /// The same per vertex of the other model; infinite without a counterpart.
    of_other: Arc<Vec<f32>>,
    /// The numbers of the vertices of the other model.
    numbers_of_other: Arc<VertexNumbers>,
    /// As many values as both, all NaN.
    unknown: OnceLock<[Arc<Vec<f32>>; 2]>,
    /// Histogram of the distances.
    pub histogram: Histogram,
}

impl ComparisonResult {
    /// The differences; those above the tolerance come first.
    pub fn differences(&self) -> &[Difference] {
        &self.comparison.differences
    }

    /// The distances of both models, or NaN for all vertices: colours would be about other poses than those in
    /// the view.
    fn shown_distances(&self, is_known: bool) -> [&Arc<Vec<f32>>; 2] {
        let known = [&self.of_document, &self.of_other];
        if is_known {
            return known;
        }
        let nothing = |list: &Arc<Vec<f32>>| Arc::new(vec![f32::NAN; list.len()]);
        self.unknown.get_or_init(|| known.map(nothing)).each_ref()
    }

    /// Describes how vertices were matched, and in which poses.
    pub fn matching(&self) -> String {
        let matching = &self.comparison.matching;
        if matching.a_of_b.is_empty() {
            return "There are no vertices to match.".to_owned();
        }
        let by = match matching.by {
            MatchMethod::Index => "index",
            MatchMethod::Position => "position",
        };
        let (in_a, in_b) = (matching.pose_a.as_str(), matching.pose_b.as_str());
        format!("Vertices are matched by {by}, {in_a} of A against {in_b} of B.")
    }

    /// The place of a difference in the document (A). For a vertex or triangle of B, this is its
    /// counterpart.
    fn place_in_document(
        &self,
        document: &Model,
        other: &Model,
        difference: &Difference,
    ) -> Option<Place> {
        if difference.place_in_a.is_some() {
            return difference.place_in_a;
        }
        let (mesh, vertex) = match difference.place? {
            Place::Vertex { mesh, vertex } => (mesh, vertex),
            Place::Triangle { mesh, triangle } => {
                let first = usize::try_from(triangle).ok()?.checked_mul(3)?;
                let indices = &other.meshes.get(MeshId(mesh))?.indices;
                (mesh, indices.iter().nth(first)?)
            }
            // Bones of B have other indices in A, and this one has no counterpart.
            Place::Bone(_) => return None,
            place => return Some(place),
        };
        let of_other = VertexAt { mesh: MeshId(mesh), vertex: VertexId(vertex) };
        let of_other = self.numbers_of_other.get(of_other)? as usize;
        let own = (*self.comparison.matching.a_of_b.get(of_other)?)? as usize;
        let VertexAt { mesh, vertex } = VertexNumbers::of(document).at(own);
        Some(Place::Vertex { mesh: mesh.0, vertex: vertex.0 })
    }

    /// The largest differences with names and units; omits those that couldn't be compared.
    pub fn maxima(&self) -> Vec<(&'static str, f64, &'static str)> {
        let max = &self.comparison.max;
        let rows = [
            ("Position", max.position, DISPLAY_UNITS),
            ("Position in clips", max.skinned, DISPLAY_UNITS),
            ("Normal", max.normal_deg, "°"),
            ("UV", max.uv, "tiles"),
            ("Weight", max.weight, ""),
            ("Key", max.key, ""),
        ];
        let known = rows.into_iter();
        known.filter_map(|(name, amount, unit)| Some((name, amount?, unit))).collect()
    }
}

/// The title of the colours' legend; `gap` is the reason why B isn't in the pose of A.
fn heat_title(gap: Option<String>) -> String {
    match gap {
        Some(gap) => format!("No distances: {gap}"),
        None => "Largest distance from A to B over all clips (grey: unmatched)".to_owned(),
    }
}

/// The unit in which a difference is measured.
pub fn unit_of_difference(kind: DifferenceKind) -> &'static str {
    use DifferenceKind as Kind;
    match kind {
        Kind::Positions
        | Kind::Skinned
        | Kind::DefaultPose
        | Kind::MorphOffsets
        | Kind::Hulls
        | Kind::Occluder
        | Kind::StoredBounds => DISPLAY_UNITS,
        Kind::Normals | Kind::Tangents => "°",
        Kind::ClipDuration => "s",
        Kind::Scale => "times",
        _ => "",
    }
}

/// The inputs of a comparison.
#[derive(Clone, Debug, PartialEq)]
struct CompareKey {
    a: ModelKey,
    b: ModelKey,
    options: DiffOptions,
}

/// The state of the comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompareState {
    /// The model to compare with.
    pub other: Option<ComparedModel>,
    /// The model before the last reload.
    pub previous: Option<ComparedModel>,
    compared: Derived<CompareKey, ComparisonResult>,
    pub options: DiffOptions,
    /// The file being loaded for the comparison, with its job.
    loading: Option<(JobId, Origin)>,
}

impl CompareState {
    /// The name of the file being loaded.
    pub fn loading(&self) -> Option<String> {
        self.loading.as_ref().map(|(_, origin)| origin.name())
    }

    /// The result, once it is computed.
    pub fn compared(&self) -> Option<&ComparisonResult> {
        self.compared.get().map(Arc::as_ref)
    }
}

/// An action on the comparison.
#[derive(Clone, Debug)]
pub enum CompareAction {
    /// Loads a file and compares the document with it.
    Load(PathBuf),
    /// The comparison has finished.
    Done(Arc<ComparisonResult>),
    SetOptions(DiffOptions),
    /// Shows the place of a difference.
    ShowDifference(usize),
    /// Ends the comparison.
    End,
}

impl AppState {
    pub(crate) fn apply_compare(&mut self, action: CompareAction) -> Vec<Request> {
        match action {
            CompareAction::Load(path) => return self.load_other(Origin::File(path)),
            CompareAction::Done(compared) => self.tab.view.compare.compared.set(compared),
            CompareAction::SetOptions(options) => self.tab.view.compare.options = options,
            CompareAction::ShowDifference(number) => self.show_difference(number),
            CompareAction::End => return self.end_comparison(),
        }
        Vec::new()
    }

    pub(crate) fn load_other(&mut self, origin: Origin) -> Vec<Request> {
        if self.tab.document.is_none() {
            return Vec::new();
        }
        self.bring_to_front(Pane::Compare);
        let mut requests = vec![Request::SaveSettings];
        requests.extend(self.start_other(origin));
        requests
    }

    fn start_other(&mut self, origin: Origin) -> Vec<Request> {
        let mut requests = self.cancel_other();
        let id = self.new_job(JobOwner::Document);
        self.tab.view.compare.loading = Some((id, origin.clone()));
        let request = LoadRequest { id, ..Self::request(origin, LoadReason::Open) };
        requests.push(Request::Load(Box::new(request)));
        requests
    }

    fn cancel_other(&mut self) -> Vec<Request> {
        let loading = self.tab.view.compare.loading.take();
        let cancelled = loading.map(|(id, _)| Request::Cancel(id));
        cancelled.into_iter().collect()
    }

    /// Whether the other file is being loaded or compared.
    pub fn is_comparing(&self) -> bool {
        self.tab.view.compare.loading.is_some() || self.is_running(COMPARE_TASK)
    }

    /// Whether job `id` loads the other file.
    pub(crate) fn is_other(&self, id: JobId) -> bool {
        let loading = self.tab.view.compare.loading.as_ref();
        loading.is_some_and(|(other, _)| *other == id)
    }

    pub(crate) fn other_loaded(&mut self, document: &Document) -> Vec<Request> {
        self.tab.view.compare.loading = None;
        let other = ComparedModel::of(document, document.origin.name());
        self.compare_with(other)
    }

    pub(crate) fn other_failed(&mut self, failure: LoadFailure) {
        let Some((_, origin)) = self.tab.view.compare.loading.take() else { return };
        if let LoadFailure::Failed { words, .. } = failure {
            let name = origin.name();
            let text = format!("{name} could not be opened for comparison. {words}");
            self.toasts.push_about(Subject::Comparison, ToastLevel::Error, text);
        }
    }

    /// Whether a second model is shown, compared or being loaded.
    pub(crate) fn is_comparing_models(&self) -> bool {
        let compare = &self.tab.view.compare;
        let is_compared = compare.other.is_some() || compare.loading().is_some();
        is_compared || self.tab.view.second.shown.is_some()
    }

    /// Hides the second model; if it is a file, the comparison ends.
    pub(crate) fn end_second(&mut self) -> Vec<Request> {
        self.hide_second();
        self.end_comparison()
    }

    /// Compares with the model before the last reload.
    pub(crate) fn compare_previous(&mut self) -> Vec<Request> {
        match self.tab.view.compare.previous.clone() {
            Some(previous) => self.compare_with(previous),
            None => Vec::new(),
        }
    }

    fn compare_with(&mut self, other: ComparedModel) -> Vec<Request> {
        self.toasts.withdraw(&Subject::Comparison);
        self.bring_to_front(Pane::Compare);
        self.tab.view.compare.other = Some(other);
        self.show_second(SecondModel::Compared);
        vec![Request::SaveSettings]
    }

    /// Compares the models if there is a second one.
    pub(crate) fn follow_compare(&mut self) -> Vec<Request> {
        let CompareState { other, options, .. } = &self.tab.view.compare;
        let key = other.as_ref().zip(self.model_key()).map(|(other, a)| CompareKey {
            a,
            b: ModelKey(Arc::clone(&other.model)),
            options: options.clone(),
        });
        let place: DerivedIn<_, _> = |view| &mut view.compare.compared;
        self.derive(COMPARE_TASK, place, key, true, |_, key| {
            move |report: &Report| {
                let CompareKey { a, b, options } = &key;
                let comparison = compare(&a.0, &b.0, options, report)?;
                let done = Arc::new(compared(&a.0, &b.0, comparison));
                Ok(Action::Compare(CompareAction::Done(done)))
            }
        })
    }

    fn end_comparison(&mut self) -> Vec<Request> {
        self.unpaint(Painter::Second(SecondModel::Compared));
        if self.tab.view.second.shown == Some(SecondModel::Compared) {
            self.hide_second();
        }
        self.tab.view.compare.other = None;
        self.cancel_other()
    }

    /// The place of difference `number` in the document, if it has a single one.
    pub fn place_of_difference(&self, number: usize) -> Option<Place> {
        let compare = &self.tab.view.compare;
        let compared = compare.compared()?;
        let document = &self.tab.document.as_ref()?.model;
        let other = &compare.other.as_ref()?.model;
        compared.place_in_document(document, other, compared.differences().get(number)?)
    }

    /// Selects and frames the place of difference `number`, at the time at which it is largest.
    fn show_difference(&mut self, number: usize) {
        let Some(place) = self.place_of_difference(number) else { return };
        let compared = self.tab.view.compare.compared();
        let moment = compared.and_then(|c| c.differences().get(number)?.moment);
        if let Some((clip, time_secs)) = moment {
            self.show_moment(Some(clip), Moment::TimeSecs(time_secs));
        }
        self.focus(place);
    }

    /// The vertex with the largest distance in clips, or else the first difference of a vertex.
    pub fn worst_difference(&self) -> Option<WorstVertex> {
        let compared = self.tab.view.compare.compared()?;
        if let Some(worst) = &compared.comparison.farthest {
            return Some(WorstVertex::of(worst.origin.nearest(), worst));
        }
        let places = (0..compared.differences().len()).filter_map(|n| self.place_of_difference(n));
        let vertex = |place| match place {
            Place::Vertex { mesh, vertex } => {
                Some(VertexAt { mesh: MeshId(mesh), vertex: VertexId(vertex) })
            }
            _ => None,
        };
        let vertex = places.into_iter().find_map(vertex)?;
        Some(WorstVertex { vertex, clip: None, moment: None })
    }

    /// Resets everything about second models for a new document, except options.
    pub(crate) fn reset_second_models(&mut self) -> Vec<Request> {
        let requests = self.cancel_other();
        self.hide_second();
        self.tab.view.gpu_check = crate::GpuCheck::default();
        self.tab.view.compare = CompareState {
            options: self.tab.view.compare.options.clone(),
            ..CompareState::default()
        };
        requests
    }

    /// Stores the model before a reload for comparison, and restarts the display of the conversion.
    pub(crate) fn reload_second_models(&mut self, old: Option<Document>, clock: &str) {
        if let Some(old) = old {
            let is_cheap = old.content.len() <= MAX_KEPT_BYTES;
            let name = format!("{} before {clock}", old.name());
            self.tab.view.compare.previous = is_cheap.then(|| ComparedModel::of(&old, name));
        }
        self.tab.view.gpu_check = crate::GpuCheck::default();
        if self.tab.view.second.shown == Some(SecondModel::AsBsm2) {
            self.show_as_bsm2();
        }
    }

    /// Stops background work on second models in a tab that is left.
    pub(crate) fn stop_second_models(&mut self) -> Vec<Request> {
        self.end_gpu_check();
        let loading = self.tab.view.compare.loading.as_ref();
        loading.map(|(id, _)| Request::Cancel(*id)).into_iter().collect()
    }

    /// Restarts a load that was stopped when the tab was left.
    pub(crate) fn resume_second_models(&mut self) -> Vec<Request> {
        match self.tab.view.compare.loading.take() {
            Some((_, origin)) => self.start_other(origin),
            None => Vec::new(),
        }
    }
}

/// The other file, as a second model.
pub(super) struct ComparedSource;

impl SecondModelSource for ComparedSource {
    fn name(&self, state: &AppState) -> Option<String> {
        let other = state.tab.view.compare.other.as_ref()?;
        Some(format!("{}{}", other.name, state.remark_on_compared_pose(&other.model)))
    }

    fn models(&self, state: &AppState) -> Vec<Arc<Model>> {
        state.tab.view.compare.other.iter().map(|other| Arc::clone(&other.model)).collect()
    }

    fn deviation(&self, state: &AppState) -> Option<ModelDeviation> {
        let compared = state.tab.view.compare.compared()?;
        let gap = state.pose_gap();
        let [of_document, of_other] = compared.shown_distances(gap.is_none());
        Some(ModelDeviation {
            pane: Some(Pane::Compare),
            of_document: Arc::clone(of_document),
            of_models: vec![Arc::clone(of_other)],
            max: compared.histogram.max,
            title: heat_title(gap),
            unit: DISPLAY_UNITS,
        })
    }

    fn other_paint(&self, state: &AppState) -> Option<VertexPaint> {
        state.paint_of_compared_weights()
    }

    fn bounds(&self, state: &AppState) -> Option<Aabb> {
        Some(state.tab.view.compare.other.as_ref()?.bounds)
    }
}

fn compared(a: &Model, b: &Model, comparison: Comparison) -> ComparisonResult {
    let of_other = rigscope_core::compare::heat(&comparison);
    let of_document = of_a(a, &comparison, &of_other);
    ComparisonResult {
        numbers_of_other: Arc::new(VertexNumbers::of(b)),
        histogram: Histogram::of(&of_document),
        comparison: Arc::new(comparison),
        of_document: Arc::new(of_document),
        of_other: Arc::new(of_other),
        unknown: OnceLock::new(),
    }
}

/// The largest distance of each vertex of A to any of its counterparts. If B has one vertex for
/// several of A at the same position, those without a counterpart take the distance of those with
/// one.
fn of_a(a: &Model, comparison: &Comparison, of_b: &[f32]) -> Vec<f32> {
    let mut of_a = vec![f32::NAN; a.num_vertices()];
    for (partner, &apart) in comparison.matching.a_of_b.iter().zip(of_b) {
        let partner = partner.and_then(|vertex| of_a.get_mut(vertex as usize));
        if let Some(largest) = partner {
            *largest = largest.max(apart);
        }
    }
    let key = |mesh: usize, position: Vec3| (mesh, position_key(position));
    let keys = || {
        let meshes = a.meshes.iter().enumerate();
        meshes.flat_map(move |(number, mesh)| {
            (0..mesh.num_vertices())
                .map(move |vertex| key(number, mesh.position(vertex).unwrap_or_default()))
        })
    };
    let mut by_place: HashMap<_, f32> = HashMap::new();
    for (key, &apart) in keys().zip(&of_a).filter(|(_, apart)| !apart.is_nan()) {
        let largest = by_place.entry(key).or_insert(apart);
        *largest = largest.max(apart);
    }
    for (key, apart) in keys().zip(&mut of_a).filter(|(_, apart)| apart.is_nan()) {
        *apart = by_place.get(&key).copied().unwrap_or(f32::NAN);
    }
    of_a
}
