//! The document as BSM2 would store it: packed in memory, drawn through the packed path, and what
//! that changes of each vertex.

use std::sync::Arc;

use crate::{
    Action, AppState, Derived, DerivedIn, Effect, Histogram, ModelKey, Painting, Pane, SecondModel,
    Selection, TaskSlot, ToastLevel,
};
use rigscope_core::bake::{
    BakeError, BakeOptions, Changed, Dropped, Packing, has_placed_textures, pack, with_placed_uvs,
};
use rigscope_core::measure::{self, Spread, Wants, Worst};
use rigscope_core::model::{
    Cancelled, ClipId, DefaultPose, Material, Model, Report, VertexAt, VertexData,
};
use rigscope_core::pose::{Moment, PoseSpec, sample};
use rigscope_core::visual::{Coloring, VertexPaint};

/// The task that packs.
pub const AS_BSM2_TASK: TaskSlot = TaskSlot("packing");
/// Who the paint is of.
const OWNER: &str = "as BSM2";

/// What packing changes of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviationKind {
    /// Where it is, over all keys.
    #[default]
    Position,
    /// Where its normal points.
    Normal,
    /// Its texture coordinate.
    Uv,
    /// What its bones are to it.
    Weight,
}

impl DeviationKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Position, Self::Normal, Self::Uv, Self::Weight];

    /// As people read it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "Position",
            Self::Normal => "Normal",
            Self::Uv => "UV",
            Self::Weight => "Weight",
        }
    }

    /// What it is, as a sentence.
    pub fn help(self) -> &'static str {
        match self {
            Self::Position => "The largest distance over all keys of all clips.",
            Self::Normal => "The angle between both normals in the first key.",
            Self::Uv => "The larger difference of u and v; whole tiles do not count.",
            Self::Weight => "The largest difference of one bone's share.",
        }
    }

    /// What comes after its numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Position => "units",
            Self::Normal => "°",
            Self::Uv => "tiles",
            Self::Weight => "",
        }
    }
}

/// How far vertices are off in one way.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// Of each vertex of the source, numbered through all meshes; not a number where there is
    /// nothing to compare.
    pub of_source: Arc<Vec<f32>>,
    /// The same of each packed vertex, a list for each part.
    pub of_parts: Vec<Arc<Vec<f32>>>,
    /// The largest; 0 where there is nothing to compare.
    pub max: f32,
    /// Mean over all that could be compared.
    pub mean: f64,
    /// The vertex of the source at the largest.
    pub worst: Option<VertexAt>,
    /// The clip and the seconds since its beginning at which it is; only of positions.
    pub when: Option<(ClipId, f64)>,
}

impl Deviation {
    fn of(spread: Spread, when: Option<(ClipId, f64)>) -> Self {
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
pub struct Baked {
    /// The packed models; several where one cannot hold all.
    pub parts: Vec<Arc<Model>>,
    /// The file is stored like this already; nothing is changed and nothing was measured.
    pub is_verbatim: bool,
    /// What the layout cannot hold.
    pub dropped: Dropped,
    /// What is stored otherwise.
    pub changed: Changed,
    /// Materials whose textures lie shifted, scaled or turned, which went into the coordinates.
    pub num_placed_materials: usize,
    /// Meshes whose subsets place their textures differently, which keep their coordinates.
    pub num_torn_meshes: usize,
    /// Over all moments, between keys too; nothing where nothing was measured.
    pub between_keys: Option<Worst>,
    /// One a kind; none where nothing was measured.
    deviations: Vec<Deviation>,
    histograms: [Histogram; 4],
}

impl PartialEq for Baked {
    /// Whether it is the same work: each packing is new.
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<Model>, &Arc<Model>)| Arc::ptr_eq(a, b);
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&other.parts).all(same)
    }
}

impl Baked {
    /// How far vertices are off; nothing where nothing is changed.
    pub fn deviation(&self, kind: DeviationKind) -> Option<&Deviation> {
        self.deviations.get(kind as usize)
    }

    /// How many vertices of the source are how far off.
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

/// What is known of the document as BSM2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsBsm2 {
    /// The packed document, or why it cannot be packed.
    packed: Derived<ModelKey, Result<Baked, String>>,
    /// What the histogram shows.
    pub kind: DeviationKind,
}

impl AsBsm2 {
    /// The packed document.
    pub fn baked(&self) -> Option<&Baked> {
        self.packed.get()?.as_ref().as_ref().ok()
    }

    /// Why it cannot be packed.
    pub fn problem(&self) -> Option<&str> {
        self.packed.get()?.as_ref().as_ref().err().map(String::as_str)
    }
}

/// What can be done with it.
#[derive(Clone, Debug)]
pub enum AsBsm2Action {
    /// It is packed, or cannot be.
    Packed(Arc<Result<Baked, String>>),
    /// Shows this in the histogram, and as colours where there are some.
    Choose(DeviationKind),
    /// Shows the colours, or looks again.
    ToggleHeat,
    /// Selects the vertex that is farthest off, at the time when it is.
    ShowWorst(DeviationKind),
}

impl AppState {
    /// Shows the document as BSM2 with it, or only the document again.
    pub(crate) fn toggle_as_bsm2(&mut self) -> Vec<Effect> {
        if self.tab.view.second.shown == Some(SecondModel::AsBsm2) {
            self.hide_second();
            return Vec::new();
        }
        self.bring_to_front(Pane::AsBsm2);
        self.show_as_bsm2();
        vec![Effect::SaveSettings]
    }

    /// Shows what is packed.
    pub(super) fn show_as_bsm2(&mut self) {
        if self.tab.document.is_some() {
            self.show_second(SecondModel::AsBsm2);
            self.leave_rest_pose();
            self.refuse_unpackable();
        }
    }

    /// Packs the document where that is shown.
    pub(crate) fn follow_as_bsm2(&mut self) -> Vec<Effect> {
        let is_wanted = self.tab.view.second.shown == Some(SecondModel::AsBsm2);
        let place: DerivedIn<_, _> = |view| &mut view.as_bsm2.packed;
        self.derive(AS_BSM2_TASK, place, self.model_key(), is_wanted, |_, key| {
            move |report: &Report| {
                let packed = match baked_of(&key.0, report) {
                    Err(BakeError::Cancelled) => return Err(Cancelled),
                    packed => packed.map_err(|error| error.to_string()),
                };
                Ok(Action::AsBsm2(AsBsm2Action::Packed(Arc::new(packed))))
            }
        })
    }

    /// Shows only the document again where it cannot be packed, and says why.
    fn refuse_unpackable(&mut self) {
        let Some(problem) = self.tab.view.as_bsm2.problem() else { return };
        let text = format!("the model cannot be packed: {problem}");
        self.toasts.push(ToastLevel::Error, text);
        if self.tab.view.second.shown == Some(SecondModel::AsBsm2) {
            self.hide_second();
        }
    }

    /// Packed models have no rest pose: both begin where the clip does.
    fn leave_rest_pose(&mut self) {
        let model = self.tab.document.as_ref().map(|document| &document.model);
        let has_rest = model.is_some_and(|m| m.default_pose != DefaultPose::FirstKey);
        if has_rest && !self.tab.playback.shows_time() && self.can_play() {
            self.seek(self.clip_range().start_secs);
        }
    }

    pub(crate) fn apply_as_bsm2(&mut self, action: AsBsm2Action) -> Vec<Effect> {
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
            AsBsm2Action::ToggleHeat => match self.shows_deviation() {
                true => self.unpaint(OWNER),
                false => self.paint_deviation(),
            },
            AsBsm2Action::ShowWorst(kind) => self.show_worst(kind),
        }
        Vec::new()
    }

    /// Whether the surface is coloured by how far vertices are off.
    pub fn shows_deviation(&self) -> bool {
        self.shown_painting().is_some_and(|painting| painting.owner == OWNER)
    }

    /// Ends the colours: the packed document is no longer shown.
    pub(super) fn unpaint_deviation(&mut self) {
        self.unpaint(OWNER);
    }

    fn paint_deviation(&mut self) {
        let kind = self.tab.view.as_bsm2.kind;
        let baked = self.tab.view.as_bsm2.baked();
        let Some(deviation) = baked.and_then(|baked| baked.deviation(kind)) else { return };
        let painting = Painting {
            owner: OWNER,
            pane: Some(Pane::AsBsm2),
            title: format!("{} as BSM2", kind.name()),
            paint: heat(&deviation.of_source, deviation.max),
            unit: kind.unit(),
            rows: Vec::new(),
        };
        self.paint(painting);
    }

    /// The packed models with their paint.
    pub(super) fn packed_models(&self) -> Vec<(Arc<Model>, Option<VertexPaint>)> {
        let Some(baked) = self.tab.view.as_bsm2.baked() else { return Vec::new() };
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
        let baked = self.tab.view.as_bsm2.baked();
        let deviation = baked.and_then(|baked| baked.deviation(kind));
        let Some((worst, when)) = deviation.and_then(|own| Some((own.worst?, own.when))) else {
            return;
        };
        if let Some((clip, secs)) = when {
            self.show_moment(clip, secs);
        }
        self.select_vertex(worst.mesh, worst.vertex);
    }

    /// Shows `clip` so long after its start.
    pub(super) fn show_moment(&mut self, clip: ClipId, secs: f64) {
        if clip.index() < self.num_clips() {
            self.set_clip(clip);
            self.seek(self.clip_range().start_secs + secs);
        }
    }

    /// Selects a vertex and turns the view to it.
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

/// Values from none to `max`.
pub(crate) fn heat(values: &Arc<Vec<f32>>, max: f32) -> VertexPaint {
    VertexPaint::Heat { values: Arc::clone(values), low: 0.0, high: max }
}

/// Packs `source` as the writer does and compares all of it.
fn baked_of(source: &Arc<Model>, report: &Report) -> Result<Baked, BakeError> {
    let is_packed = |model: &Model| match model.meshes.as_slice() {
        [mesh] => matches!(mesh.vertices, VertexData::Packed(_)),
        _ => false,
    };
    if is_packed(source) {
        return Ok(Baked {
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
    // BSM2 has no placements of textures.
    let placed = has_placed_textures(source).then(|| with_placed_uvs(source));
    let (model, num_torn_meshes) = match &placed {
        Some((model, num_torn)) => (model, *num_torn),
        None => (&**source, 0),
    };
    let is_placed = |material: &&Material| {
        material.textures.iter().any(|texture| texture.texture_from_uv.is_some())
    };
    let packing = pack(model, &BakeOptions::default(), report)?;
    let (deviations, between_keys) = deviations(model, &packing, report)?;
    let mut histograms: [Histogram; 4] = Default::default();
    for (histogram, deviation) in histograms.iter_mut().zip(&deviations) {
        *histogram = Histogram::of(&deviation.of_source);
    }
    let parts = packing.parts.into_iter().map(|part| Arc::new(part.model));
    Ok(Baked {
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

/// How far vertices are off in each way of [`DeviationKind::ALL`]; and in place at any time, where
/// that is farther than at keys.
fn deviations(
    model: &Model,
    packing: &Packing,
    report: &Report,
) -> Result<(Vec<Deviation>, Option<Worst>), Cancelled> {
    let job = packing.job(model);
    let measured = measure::measure(&job, Wants { per_pair: true, ..Wants::default() }, report)?;
    report.progress("comparing vertices", 0.95)?;
    let at_keys = measured.at_keys;
    let when = at_keys.map(|worst| (worst.clip.unwrap_or(ClipId(0)), worst.time_secs));
    let first = |model: &Model, is_packed: bool| {
        let moment = match model.clips.is_empty() && !is_packed {
            true => Moment::Default,
            false => Moment::Key(0),
        };
        let spec = PoseSpec { moment, ..PoseSpec::default() };
        sample(model, &spec)
    };
    let made: Vec<_> = packing.parts.iter().map(|part| first(&part.model, true)).collect();
    let normals = measure::normals(&job, &first(model, false), &made);
    let uvs = measure::uvs(&job);
    let weights = measure::weights(&job, |part, bone| {
        let bones = packing.parts.get(part)?.origins.bones.as_ref()?;
        *bones.get(bone.index())?
    });
    let of = |values: &[measure::PairValues]| Spread::of(&job, values);
    let all = vec![
        Deviation::of(of(&measured.per_pair), when),
        Deviation::of(of(&normals), None),
        Deviation::of(of(&uvs), None),
        Deviation::of(of(&weights), None),
    ];
    Ok((all, measured.worst.filter(|worst| worst.distance > measured.max_at_keys())))
}
