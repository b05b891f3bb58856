//! The document converted to BSM2: packed in memory, drawn through the packed path, with the
//! deviation of each vertex.

use std::sync::Arc;

use super::deviation::{ModelDeviation, SecondModelSource, WorstVertex};
use crate::{
    Action, AppState, DISPLAY_UNITS, Derived, DerivedIn, Histogram, ModelKey, Painter, Pane,
    Request, SecondModel, TaskSlot, ToastLevel,
};
use rigscope_core::measure::{self, FarthestVertex, MeasureOptions, PerPair, VertexValues};
use rigscope_core::model::{Cancelled, DefaultPose, Material, Model, Report, VertexData};
use rigscope_core::pack::{Changed, Dropped, PackOptions, Packing, pack};
use rigscope_core::pose::{Moment, PoseSpec, sample};
use rigscope_core::reshape::{ReshapeError, has_placed_textures, with_placed_uvs};

/// Packs the document.
pub const AS_BSM2_TASK: TaskSlot = TaskSlot("packing as BSM2");

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
    /// The source vertex with the largest deviation; the moment is known only for positions.
    pub worst: Option<WorstVertex>,
}

impl Deviation {
    fn of(spread: VertexValues, at_keys: Option<FarthestVertex>) -> Self {
        let worst = |vertex| match &at_keys {
            Some(farthest) => WorstVertex::of(vertex, farthest),
            None => WorstVertex { vertex, clip: None, moment: None },
        };
        Self {
            of_source: Arc::new(spread.of_source),
            of_parts: spread.of_parts.into_iter().map(Arc::new).collect(),
            max: spread.max,
            mean: spread.mean,
            worst: spread.worst.map(worst),
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
            }
            AsBsm2Action::Choose(kind) => self.tab.view.as_bsm2.kind = kind,
        }
        Vec::new()
    }
}

/// The document converted to BSM2, as a second model.
pub(super) struct ConversionSource;

impl SecondModelSource for ConversionSource {
    fn name(&self, _: &AppState) -> Option<String> {
        Some("as BSM2".to_owned())
    }

    fn models(&self, state: &AppState) -> Vec<Arc<Model>> {
        let conversion = state.tab.view.as_bsm2.conversion();
        conversion.map_or_else(Vec::new, |conversion| conversion.parts.clone())
    }

    fn deviation(&self, state: &AppState) -> Option<ModelDeviation> {
        let kind = state.tab.view.as_bsm2.kind;
        let deviation = state.tab.view.as_bsm2.conversion()?.deviation(kind)?;
        Some(ModelDeviation {
            pane: Some(Pane::AsBsm2),
            title: format!("{} deviation as BSM2", kind.name()),
            unit: kind.unit(),
            of_document: Arc::clone(&deviation.of_source),
            of_models: deviation.of_parts.clone(),
            max: deviation.max,
        })
    }

    fn hide(&self, state: &mut AppState) {
        state.unpaint(Painter::Second(SecondModel::AsBsm2));
    }
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
        Deviation::of(of(&measured.per_pair), at_keys),
        Deviation::of(of(&normals), None),
        Deviation::of(of(&uvs), None),
        Deviation::of(of(&weights), None),
    ];
    Ok((all, measured.worst.filter(|worst| worst.distance > measured.max_at_keys())))
}
