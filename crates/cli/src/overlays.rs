//! The overlays and colours for `--show` and `--bone` of `render` that the renderer doesn't compute itself.

use std::sync::Arc;

use rigscope_core::model::{BoneId, Cancelled, Model, Report, stats};
use rigscope_core::pose::{BoneAnchors, PoseSpec, Reach, bone_frames, bone_shapes, reach, sample};
use rigscope_core::validate::{BadTriangles, bad_triangles};
use rigscope_core::visual::{
    CollisionShapes, Coloring, Marks, OverlayInput, Show, VertexPaint, WeightTable, bone_colors,
};

/// The vertex colours for `show`.
pub(super) fn paint(
    show: &Show,
    model: &Model,
    bone: Option<BoneId>,
) -> anyhow::Result<Option<VertexPaint>> {
    let shows_weights = show.coloring == Some(Coloring::BoneWeights);
    if !shows_weights && show.coloring != Some(Coloring::BoneColors) {
        return Ok(None);
    }
    let table = not_cancelled(WeightTable::of(model, &Report::new()))?;
    Ok(Some(match bone {
        Some(bone) if shows_weights => {
            VertexPaint::Heat { values: Arc::new(table.values(bone)), low: 0.0, high: 1.0 }
        }
        None if shows_weights => {
            anyhow::bail!("bone-weights shows one bone: name it with --bone")
        }
        _ => VertexPaint::Colors(Arc::clone(table.colors())),
    }))
}

fn not_cancelled<T>(measured: Result<T, Cancelled>) -> anyhow::Result<T> {
    measured.map_err(|Cancelled| anyhow::anyhow!("measuring was cancelled"))
}

/// The parts of the overlays that are the same in all poses.
pub(super) struct Overlays {
    show: Show,
    shapes: CollisionShapes,
    reach: Option<Reach>,
    bad: BadTriangles,
}

impl Overlays {
    /// Builds shapes, and measures bounds and triangles, as far as `show` needs them.
    pub(super) fn of(show: Show, model: &Model) -> anyhow::Result<Self> {
        let report = Report::new();
        Ok(Self {
            show,
            shapes: if show.hulls || show.occluder {
                CollisionShapes::of(model)
            } else {
                CollisionShapes::default()
            },
            reach: if show.true_bounds {
                Some(not_cancelled(reach(model, &report))?)
            } else {
                None
            },
            bad: if show.bad_triangles {
                not_cancelled(bad_triangles(model, &report))?
            } else {
                BadTriangles::default()
            },
        })
    }

    /// Whether bone axes are drawn, which are as long as their bones.
    pub(super) fn needs_anchors(&self) -> bool {
        self.show.bone_axes
    }

    /// Whether each pose needs its skinned vertices.
    pub(super) fn needs_vertices(&self) -> bool {
        self.show.bad_triangles
    }

    /// Lines and faces for the pose `spec`; `model` must be the one passed to [`Self::of`].
    pub(super) fn marks(
        &self,
        model: &Model,
        anchors: &BoneAnchors,
        spec: &PoseSpec,
        extent: f32,
    ) -> Marks {
        let show = &self.show;
        let bone_frames: Vec<_> = if show.bone_axes {
            let pose = sample(model, spec);
            let shapes = bone_shapes(model, &pose, anchors);
            bone_frames(model, &pose, &shapes).into_iter().map(|(_, frame)| frame).collect()
        } else {
            Vec::new()
        };
        let hulls: Vec<_> = (0..model.hulls.len()).filter(|_| show.hulls).collect();
        let mut marks = Marks::default();
        marks.add_overlays(&OverlayInput {
            show,
            model,
            extent,
            spec,
            bone_frames: &bone_frames,
            bone_size: 1.0,
            hulls: &hulls,
            shapes: &self.shapes,
            reach: self.reach.as_ref(),
            bad: Some(&self.bad),
        });
        marks
    }
}

/// The bone with this name, or else with this number.
pub(super) fn find_bone(model: &Model, name: &str) -> anyhow::Result<BoneId> {
    let skeleton = &model.skeleton;
    let mut bones = (0..skeleton.len()).map(BoneId::from_index);
    let by_name = bones.find(|&bone| skeleton.display_name(bone) == name);
    let number = || name.parse().ok().map(BoneId);
    let by_number = || number().filter(|bone| bone.index() < skeleton.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let lower = name.to_lowercase();
        let mut bones = (0..skeleton.len()).map(BoneId::from_index);
        let near = bones.find(|&bone| skeleton.display_name(bone).to_lowercase().contains(&lower));
        match near {
            Some(bone) => {
                let other = skeleton.display_name(bone);
                anyhow::anyhow!("there is no bone `{name}`; did you mean `{other}`?")
            }
            None => anyhow::anyhow!("there is no bone `{name}` among {}", skeleton.len()),
        }
    })
}

/// Colours of all bones if `bone` is selected.
pub(super) fn colors(model: &Model, bone: Option<BoneId>) -> Vec<[f32; 3]> {
    bone_colors(&model.skeleton, &stats::used_bones(model), bone, None)
}
