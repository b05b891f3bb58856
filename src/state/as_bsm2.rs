//! The document as BSM2 would store it: packed in memory, drawn through the packed path, and what
//! that changes of each vertex.

use std::sync::Arc;

use super::{
    Action, AppState, Effect, Histogram, Painting, Pane, SecondModel, Selection, TaskSlot,
    ToastLevel,
};
use crate::bake::{
    BakeError, BakeOptions, Changed, Deviation, Deviations, Dropped, deviations,
    has_placed_textures, pack, with_placed_uvs,
};
use crate::model::{Cancelled, ClipId, DefaultPose, Model, Motion, Report, VertexData};
use crate::visual::{Coloring, VertexPaint};

/// The task that packs.
pub const AS_BSM2_TASK: TaskSlot = TaskSlot("as BSM2");
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
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "Position",
            Self::Normal => "Normal",
            Self::Uv => "Texture coordinate",
            Self::Weight => "Weight",
        }
    }

    /// What it is, as a sentence.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Position => "The largest distance over all keys of all clips.",
            Self::Normal => "The angle between both normals in the first key.",
            Self::Uv => "The larger difference of u and v; whole tiles do not count.",
            Self::Weight => "The largest difference of one bone's share.",
        }
    }

    /// What comes after its numbers.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Self::Position => "units",
            Self::Normal => "°",
            Self::Uv => "tiles",
            Self::Weight => "",
        }
    }
}

/// The packed document.
#[derive(Clone, Debug)]
pub struct Baked {
    /// What was packed.
    source: Arc<Model>,
    /// The packed models; several where one cannot hold all.
    pub parts: Vec<Arc<Model>>,
    /// The file is stored like this already; nothing is changed and nothing was measured.
    pub is_verbatim: bool,
    /// What the layout cannot hold.
    pub dropped: Dropped,
    /// What is stored otherwise.
    pub changed: Changed,
    deviations: Option<Deviations>,
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
    #[must_use]
    pub fn deviation(&self, kind: DeviationKind) -> Option<&Deviation> {
        let all = self.deviations.as_ref()?;
        Some(match kind {
            DeviationKind::Position => &all.position,
            DeviationKind::Normal => &all.normal_deg,
            DeviationKind::Uv => &all.uv,
            DeviationKind::Weight => &all.weight,
        })
    }

    /// How many vertices of the source are how far off.
    #[must_use]
    pub fn histogram(&self, kind: DeviationKind) -> &Histogram {
        &self.histograms[kind as usize]
    }

    /// Vertices of all parts.
    #[must_use]
    pub fn num_vertices(&self) -> usize {
        self.parts.iter().map(|model| model.num_vertices()).sum()
    }

    /// Bones of all parts.
    #[must_use]
    pub fn num_bones(&self) -> usize {
        self.parts.iter().map(|model| model.skeleton.len()).sum()
    }
}

/// What is known of the document as BSM2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AsBsm2 {
    /// The packed document.
    pub baked: Option<Box<Baked>>,
    /// Why it cannot be packed.
    pub problem: Option<String>,
    /// What the histogram shows.
    pub kind: DeviationKind,
}

/// What can be done with it.
#[derive(Clone, Debug)]
pub enum AsBsm2Action {
    /// It is packed.
    Baked(Box<Baked>),
    /// It cannot be packed.
    Failed(String),
    /// Shows this in the histogram, and as colours where there are some.
    Choose(DeviationKind),
    /// Shows the colours, or looks again.
    ToggleHeat,
    /// Selects the vertex that is farthest off, at the time when it is.
    ShowWorst(DeviationKind),
}

impl AppState {
    /// Shows the document as BSM2 with it, or only the document again.
    pub(super) fn toggle_as_bsm2(&mut self) -> Vec<Effect> {
        if self.view.second.shown == Some(SecondModel::AsBsm2) {
            self.hide_second();
            return Vec::new();
        }
        self.bring_to_front(Pane::AsBsm2);
        let mut effects = vec![Effect::SaveSettings];
        effects.extend(self.show_as_bsm2());
        effects
    }

    /// Shows what is packed, packing it first where it is not.
    pub(super) fn show_as_bsm2(&mut self) -> Vec<Effect> {
        let Some(document) = &self.document else {
            return Vec::new();
        };
        let source = Arc::clone(&document.model);
        self.show_second(SecondModel::AsBsm2);
        self.leave_rest_pose();
        let baked = self.view.as_bsm2.baked.as_ref();
        if baked.is_some_and(|baked| Arc::ptr_eq(&baked.source, &source)) {
            return Vec::new();
        }
        self.view.as_bsm2.baked = None;
        self.view.as_bsm2.problem = None;
        self.start_task(AS_BSM2_TASK, "packing", move |report| {
            Ok(Action::AsBsm2(match baked_of(&source, report) {
                Ok(baked) => AsBsm2Action::Baked(Box::new(baked)),
                Err(BakeError::Cancelled) => return Err(Cancelled),
                Err(error) => AsBsm2Action::Failed(error.to_string()),
            }))
        })
    }

    /// Packed models have no rest pose: both begin where the clip does.
    fn leave_rest_pose(&mut self) {
        let model = self.document.as_ref().map(|document| &document.model);
        let has_rest = model.is_some_and(|m| m.default_pose != DefaultPose::FirstKey);
        if has_rest && self.shows_default_pose() && self.can_play() {
            self.seek(self.clip_range().start_secs);
        }
    }

    pub(super) fn as_bsm2(&mut self, action: AsBsm2Action) -> Vec<Effect> {
        match action {
            AsBsm2Action::Baked(baked) => {
                self.view.as_bsm2.baked = Some(baked);
                if self.painting_of(OWNER).is_some() {
                    self.paint_deviation();
                }
            }
            AsBsm2Action::Failed(problem) => {
                if self.view.second.shown == Some(SecondModel::AsBsm2) {
                    self.hide_second();
                }
                let text = format!("the model cannot be packed: {problem}");
                self.toasts.push(ToastLevel::Error, text);
                self.view.as_bsm2.problem = Some(problem);
            }
            AsBsm2Action::Choose(kind) => {
                self.view.as_bsm2.kind = kind;
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
    #[must_use]
    pub fn shows_deviation(&self) -> bool {
        self.shown_painting()
            .is_some_and(|painting| painting.owner == OWNER)
    }

    fn paint_deviation(&mut self) {
        let kind = self.view.as_bsm2.kind;
        let baked = self.view.as_bsm2.baked.as_ref();
        let Some(deviation) = baked.and_then(|baked| baked.deviation(kind)) else {
            return;
        };
        let painting = Painting {
            owner: OWNER,
            title: format!("{} as BSM2", kind.name()),
            paint: heat(&deviation.of_source, deviation.max),
            unit: kind.unit(),
            rows: Vec::new(),
        };
        self.paint(painting);
    }

    /// The packed models with their paint.
    pub(super) fn packed_models(&self) -> Vec<(Arc<Model>, Option<VertexPaint>)> {
        let Some(baked) = &self.view.as_bsm2.baked else {
            return Vec::new();
        };
        let is_painted =
            self.shows_deviation() && self.view.overlays.coloring == Some(Coloring::Paint);
        let deviation = baked.deviation(self.view.as_bsm2.kind);
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
        let baked = self.view.as_bsm2.baked.as_ref();
        let found = baked.and_then(|baked| {
            let worst = baked.deviation(kind)?.worst?;
            let secs = worst.key.and_then(|(clip, key)| {
                let packed = baked.parts.first()?.clips.get(clip.index())?;
                let Motion::Sampled(motion) = &packed.motion else {
                    return None;
                };
                Some((clip, motion.interval_ns as f64 * 1e-9 * key as f64))
            });
            Some((worst, secs))
        });
        let Some((worst, secs)) = found else {
            return;
        };
        if let Some((clip, secs)) = secs {
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
        mesh: crate::model::MeshId,
        vertex: crate::model::VertexId,
    ) {
        let selection = Selection::Vertex {
            mesh,
            vertex,
            subset: None,
        };
        let exists = |document| selection.exists_in(document);
        if self.document.as_ref().is_some_and(exists) {
            self.selection = selection;
            let bounds = self.selected_bounds();
            self.view.frame(bounds);
        }
    }
}

/// Values from none to `max`.
pub(super) fn heat(values: &Arc<Vec<f32>>, max: f32) -> VertexPaint {
    VertexPaint::Heat {
        values: Arc::clone(values),
        low: 0.0,
        high: max,
    }
}

/// Packs `source` as the writer does and compares all of it.
fn baked_of(source: &Arc<Model>, report: &Report) -> Result<Baked, BakeError> {
    let is_packed = |model: &Model| match model.meshes.as_slice() {
        [mesh] => matches!(mesh.vertices, VertexData::Packed(_)),
        _ => false,
    };
    if is_packed(source) {
        return Ok(Baked {
            source: Arc::clone(source),
            parts: vec![Arc::clone(source)],
            is_verbatim: true,
            dropped: Dropped::default(),
            changed: Changed::default(),
            deviations: None,
            histograms: Default::default(),
        });
    }
    // BSM2 has no placements of textures.
    let placed = has_placed_textures(source).then(|| with_placed_uvs(source).0);
    let model = placed.as_ref().unwrap_or(source);
    let packing = pack(model, &BakeOptions::default(), report)?;
    let found = deviations(model, &packing, report)?;
    let histogram = |deviation: &Deviation| Histogram::of(&deviation.of_source);
    let histograms = [
        histogram(&found.position),
        histogram(&found.normal_deg),
        histogram(&found.uv),
        histogram(&found.weight),
    ];
    let parts = packing.parts.into_iter().map(|part| Arc::new(part.model));
    Ok(Baked {
        source: Arc::clone(source),
        parts: parts.collect(),
        is_verbatim: false,
        dropped: packing.dropped,
        changed: packing.changed,
        deviations: Some(found),
        histograms,
    })
}
