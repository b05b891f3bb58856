//! The document converted to BSM2: packed in memory, drawn through the packed path, with the
//! deviation of each vertex.

use std::sync::Arc;

use crate::{
    Action, AppState, DISPLAY_UNITS, Derived, DerivedIn, Histogram, ModelKey, Painting, Pane,
    Request, SecondModel, Selection, TaskSlot, ToastLevel,
};
use rigscope_core::measure::{self, FarthestVertex, MeasureOptions, PerPair, VertexValues};
use rigscope_core::model::{
    Cancelled, ClipId, DefaultPose, Material, Model, Report, VertexAt, VertexData,
};
use rigscope_core::pack::{Changed, Dropped, PackOptions, Packing, pack};
use rigscope_core::pose::{Moment, PoseSpec, sample};
use rigscope_core::reshape::{ReshapeError, has_placed_textures, with_placed_uvs};
use rigscope_core::visual::{Coloring, VertexPaint};

/// Packs the document.
pub const AS_BSM2_TASK: TaskSlot = TaskSlot("packing as BSM2");
/// The owner of the colours.
const OWNER: &str = "as BSM2";

/// The vertex attribute that deviates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviationKind {
    /// The position, over all keys.
    #[default]
    Position,
    Normal,
    Uv,
    /// The bone weights.
    Weight,
}

impl DeviationKind {
    pub const ALL: [Self; 4] = [Self::Position, Self::Normal, Self::Uv, Self::Weight];

    /// The name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "Position",
            Self::Normal => "Normal",
            Self::Uv => "UV",
            Self::Weight => "Weight",
        }
    }

    /// The definition as a sentence.
    pub fn help(self) -> &'static str {
        match self {
            Self::Position => {
                "Shows the deviation of positions: the largest distance over all keys of all clips."
            }
            Self::Normal => "Shows the deviation of normals: their angle in the first key.",
            Self::Uv => {
                "Shows the deviation of UVs: the larger difference in u or v, ignoring whole tiles."
            }
            Self::Weight => {
                "Shows the deviation of weights: the largest difference in the weight of one bone."
            }
        }
    }

    /// The unit after its numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Position => DISPLAY_UNITS,
            Self::Normal => "°",
            Self::Uv => "tiles",
            Self::Weight => "",
        }
    }
}

/// The deviations of all vertices in one attribute.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// Per source vertex, over all meshes; NaN if there is nothing to compare with.
    pub of_source: Arc<Vec<f32>>,
    /// The same per packed vertex, one list per part.
    pub of_parts: Vec<Arc<Vec<f32>>>,
    /// The largest; 0 if there is nothing to compare with.
    pub max: f32,
    /// Mean over all compared vertices.
    pub mean: f64,
    /// The source vertex with the largest deviation.
    pub worst: Option<VertexAt>,
    /// The clip and the seconds since its start at which it occurs; only for positions.
    pub when: Option<(ClipId, f64)>,
}

impl Deviation {
    fn of(spread: VertexValues, when: Option<(ClipId, f64)>) -> Self {
        Self {
            of_source: Arc::new(spread.of_source),
            of_parts: spread.of_parts.into_iter().map(Arc::new).collect(),
            max: spread.max,
            mean: spread.mean,
            worst: spread.worst,
            when,
        }
    }
}

/// The packed document.
#[derive(Clone, Debug)]
pub struct Bsm2Conversion {
    /// The packed models; several if one can't store everything.
    pub parts: Vec<Arc<Model>>,
    /// The file already has this layout; nothing changes and nothing was measured.
    pub is_verbatim: bool,
    /// Data that the layout can't store.
    pub dropped: Dropped,
    /// Data that is stored differently.
    pub changed: Changed,
    /// Materials with texture transforms, which were applied to the UVs.
    pub num_placed_materials: usize,
    /// Meshes whose subsets have different texture transforms, which therefore weren't applied.
    pub num_torn_meshes: usize,
    /// The largest position deviation at any time, if it is larger than at keys.
    pub between_keys: Option<FarthestVertex>,
    /// One per kind; empty if nothing was measured.
    deviations: Vec<Deviation>,
    histograms: [Histogram; 4],
}

impl PartialEq for Bsm2Conversion {
    /// Compared by identity: each packing is new.
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<Model>, &Arc<Model>)| Arc::ptr_eq(a, b);
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(same)
    }
}

impl Bsm2Conversion {
    /// The deviation of an attribute, if it was measured.
    pub fn deviation(&self, kind: DeviationKind) -> Option<&Deviation> {
        self.deviations.get(kind as usize)
    }

    /// The histogram of deviations over source vertices.
    pub fn histogram(&self, kind: DeviationKind) -> &Histogram {
        &self.histograms[kind as usize]
    }

    /// Vertices of all parts.
    pub fn num_vertices(&self) -> usize {
        self.parts.iter().map(|model| model.num_vertices()).sum()
    }

    /// Bones of all parts.
    pub fn num_bones(&self) -> usize {
        self.parts.iter().map(|model| model.skeleton.len()).sum()
    }
}

/// The state of the conversion to BSM2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsBsm2 {
    /// The packed document, or the reason why it can't be packed.
    packed: Derived<ModelKey, Result<Bsm2Conversion, String>>,
    /// The attribute shown in the histogram.
    pub kind: DeviationKind,
}

impl AsBsm2 {
    pub fn conversion(&self) -> Option<&Bsm2Conversion> {
        self.packed.get()?.as_ref().as_ref().ok()
    }

    /// The reason why it can't be packed.
    pub fn problem(&self) -> Option<&str> {
        self.packed.get()?.as_ref().as_ref().err().map(String::as_str)
    }
}

/// An action on the conversion.
#[derive(Clone, Debug)]
pub enum AsBsm2Action {
    /// Packing has finished or failed.
    Packed(Arc<Result<Bsm2Conversion, String>>),
    /// Shows this attribute in the histogram, and in the colours if they are shown.
    Choose(DeviationKind),
    /// Shows or hides the colours.
    ToggleHeat,
    /// Selects the vertex with the largest deviation, at the time when it occurs.
    ShowWorst(DeviationKind),
}

impl AppState {
    /// Shows the conversion along with the document, or only the document again.
    pub(crate) fn toggle_as_bsm2(&mut self) -> Vec<Request> {
        if self.tab.view.second.shown == Some(SecondModel::AsBsm2) {
            self.hide_second();
            return Vec::new();
        }
        self.bring_to_front(Pane::AsBsm2);
        self.show_as_bsm2();
        vec![Request::SaveSettings]
    }

    /// Shows the conversion.
    pub(super) fn show_as_bsm2(&mut self) {
        if self.tab.document.is_some() {
            self.show_second(SecondModel::AsBsm2);
            self.leave_rest_pose();
            self.refuse_unpackable();
        }
    }

    /// Packs the document while the conversion is shown.
    pub(crate) fn follow_as_bsm2(&mut self) -> Vec<Request> {
        let is_wanted = self.tab.view.second.shown == Some(SecondModel::AsBsm2);
        let place: DerivedIn<_, _> = |view| &mut view.as_bsm2.packed;
        self.derive(AS_BSM2_TASK, place, self.model_key(), is_wanted, |_, key| {
            move |report: &Report| {
                let packed = match convert(&key.0, report) {
                    Err(ReshapeError::Cancelled) => return Err(Cancelled),
                    packed => packed.map_err(|error| error.to_string()),
                };
                Ok(Action::AsBsm2(AsBsm2Action::Packed(Arc::new(packed))))
            }
        })
    }

    /// If the document can't be packed, reports that and shows only the document.
    fn refuse_unpackable(&mut self) {
        let Some(problem) = self.tab.view.as_bsm2.problem() else { return };
        let text = format!("the model can't be packed as BSM2: {problem}");
        self.toasts.push(ToastLevel::Error, text);
        if self.tab.view.second.shown == Some(SecondModel::AsBsm2) {
            self.hide_second();
        }
    }

    /// Packed models have no rest pose, so both are shown at the start of the clip.
    fn leave_rest_pose(&mut self) {
        let model = self.tab.document.as_ref().map(|document| &document.model);
        let has_rest = model.is_some_and(|m| m.default_pose != DefaultPose::FirstKey);
        if has_rest && !self.tab.playback.shows_time() && self.can_play() {
            self.seek(self.clip_range().start_secs);
        }
    }

    pub(crate) fn apply_as_bsm2(&mut self, action: AsBsm2Action) -> Vec<Request> {
        match action {
            AsBsm2Action::Packed(packed) => {
                self.tab.view.as_bsm2.packed.set(packed);
                self.refuse_unpackable();
                if self.painting_of(OWNER).is_some() {
                    self.paint_deviation();
                }
            }
            AsBsm2Action::Choose(kind) => {
                self.tab.view.as_bsm2.kind = kind;
                if self.painting_of(OWNER).is_some() {
                    self.paint_deviation();
                }
            }
            AsBsm2Action::ToggleHeat => {
                if self.shows_deviation() {
                    self.unpaint(OWNER)
                } else {
                    self.paint_deviation()
                }
            }
            AsBsm2Action::ShowWorst(kind) => self.show_worst(kind),
        }
        Vec::new()
    }

    /// Whether the surface is coloured by deviation.
    pub fn shows_deviation(&self) -> bool {
        self.shown_painting().is_some_and(|painting| painting.owner == OWNER)
    }

    /// Removes the colours because the conversion is no longer shown.
    pub(super) fn unpaint_deviation(&mut self) {
        self.unpaint(OWNER);
    }

    fn paint_deviation(&mut self) {
        let kind = self.tab.view.as_bsm2.kind;
        let baked = self.tab.view.as_bsm2.conversion();
        let Some(deviation) = baked.and_then(|baked| baked.deviation(kind)) else { return };
        let painting = Painting {
            owner: OWNER,
            pane: Some(Pane::AsBsm2),
            title: format!("{} deviation as BSM2", kind.name()),
            paint: heat(&deviation.of_source, deviation.max),
            unit: kind.unit(),
            rows: Vec::new(),
        };
        self.paint(painting);
    }

    /// The packed models with their colours.
    pub(super) fn packed_models(&self) -> Vec<(Arc<Model>, Option<VertexPaint>)> {
        let Some(baked) = self.tab.view.as_bsm2.conversion() else { return Vec::new() };
        let is_painted =
            self.shows_deviation() && self.tab.view.overlays.coloring == Some(Coloring::Paint);
        let deviation = baked.deviation(self.tab.view.as_bsm2.kind);
        let deviation = deviation.filter(|_| is_painted);
        let parts = baked.parts.iter().enumerate();
        parts
            .map(|(number, model)| {
                let paint = deviation.and_then(|deviation| {
                    let values = deviation.of_parts.get(number)?;
                    Some(heat(values, deviation.max))
                });
                (Arc::clone(model), paint)
            })
            .collect()
    }

    fn show_worst(&mut self, kind: DeviationKind) {
        let baked = self.tab.view.as_bsm2.conversion();
        let deviation = baked.and_then(|baked| baked.deviation(kind));
        let Some((worst, when)) = deviation.and_then(|own| Some((own.worst?, own.when))) else {
            return;
        };
        if let Some((clip, secs)) = when {
            self.show_moment(clip, secs);
        }
        self.select_vertex(worst.mesh, worst.vertex);
    }

    /// Shows `clip` at `secs` after its start.
    pub(super) fn show_moment(&mut self, clip: ClipId, secs: f64) {
        if clip.index() < self.num_clips() {
            self.set_clip(clip);
            self.seek(secs);
        }
    }

    /// Selects and frames a vertex.
    pub(super) fn select_vertex(
        &mut self,
        mesh: rigscope_core::model::MeshId,
        vertex: rigscope_core::model::VertexId,
    ) {
        let selection = Selection::Vertex { mesh, vertex, subset: None };
        let exists = |document| selection.exists_in(document);
        if self.tab.document.as_ref().is_some_and(exists) {
            self.tab.selection = selection;
            self.frame_selected();
        }
    }
}

/// A colour scale from 0 to `max`.
pub(crate) fn heat(values: &Arc<Vec<f32>>, max: f32) -> VertexPaint {
    VertexPaint::Heat { values: Arc::clone(values), low: 0.0, high: max }
}

/// Packs `source` like the writer and measures all deviations.
fn convert(source: &Arc<Model>, report: &Report) -> Result<Bsm2Conversion, ReshapeError> {
    let is_packed = |model: &Model| match &*model.meshes {
        [mesh] => matches!(mesh.vertices, VertexData::Packed(_)),
        _ => false,
    };
    if is_packed(source) {
        return Ok(Bsm2Conversion {
            parts: vec![Arc::clone(source)],
            is_verbatim: true,
            dropped: Dropped::default(),
            changed: Changed::default(),
            num_placed_materials: 0,
            num_torn_meshes: 0,
            between_keys: None,
            deviations: Vec::new(),
            histograms: Default::default(),
        });
    }
    // BSM2 has no texture transforms.
    let placed = has_placed_textures(source).then(|| with_placed_uvs(source));
    let (model, num_torn_meshes) = match &placed {
        Some((model, num_torn)) => (model, *num_torn),
        None => (&**source, 0),
    };
    let is_placed = |material: &&Material| {
        material.textures.iter().any(|texture| texture.texture_from_uv.is_some())
    };
    let packing = pack(model, &PackOptions::default(), report)?;
    let (deviations, between_keys) = deviations(model, &packing, report)?;
    let mut histograms: [Histogram; 4] = Default::default();
    for (histogram, deviation) in histograms.iter_mut().zip(&deviations) {
        *histogram = Histogram::of(&deviation.of_source);
    }
    let parts = packing.parts.into_iter().map(|part| Arc::new(part.model));
    Ok(Bsm2Conversion {
        parts: parts.collect(),
        is_verbatim: false,
        dropped: packing.dropped,
        changed: packing.changed,
        num_placed_materials: source.materials.iter().filter(is_placed).count(),
        num_torn_meshes,
        between_keys,
        deviations,
        histograms,
    })
}

/// The deviations for [`DeviationKind::ALL`], and the largest position deviation at any time, if it
/// is larger than at keys.
fn deviations(
    model: &Model,
    packing: &Packing,
    report: &Report,
) -> Result<(Vec<Deviation>, Option<FarthestVertex>), Cancelled> {
    let job = packing.job(model);
    let measured = measure::measure(
        &job,
        MeasureOptions { per_pair: PerPair::AtKeys, ..MeasureOptions::default() },
        report,
    )?;
    report.progress("comparing vertices", 0.95)?;
    let at_keys = measured.at_keys;
    let when = at_keys.map(|worst| (worst.clip.unwrap_or(ClipId(0)), worst.time_secs));
    let first = |model: &Model, is_packed: bool| {
        let moment =
            if model.clips.is_empty() && !is_packed { Moment::Default } else { Moment::Key(0) };
        let spec = PoseSpec { moment, ..PoseSpec::default() };
        sample(model, &spec)
    };
    let made: Vec<_> = packing.parts.iter().map(|part| first(&part.model, true)).collect();
    let normals = measure::normals(&job, &first(model, false), &made);
    let uvs = measure::uvs(&job);
    let weights = measure::weights(&job, |part, bone| {
        let bones = packing.parts.get(part)?.origins.bones.as_ref()?;
        *bones.get(bone)?
    });
    let of = |values: &[measure::PairValues]| VertexValues::of(&job, values);
    let all = vec![
        Deviation::of(of(&measured.per_pair), when),
        Deviation::of(of(&normals), None),
        Deviation::of(of(&uvs), None),
        Deviation::of(of(&weights), None),
    ];
    Ok((all, measured.worst.filter(|worst| worst.distance > measured.max_at_keys())))
}
