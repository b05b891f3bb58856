//! What `--show` and `--bone` of `render` ask for about bones, beside the switches of `gpu`.

use std::sync::Arc;

use crate::model::{BoneId, Model, Report, stats};
use crate::pose::{BoneAnchors, PoseSpec, bone_frames, bone_shapes, sample};
use crate::visual::{Marks, VertexPaint, WeightTable, bone_colors};

/// Names in the list of `--show`, and what they mean.
pub(super) const NAMES: [(&str, &str); 3] = [
    (
        "bone-weights",
        "a heat map of the weights of --bone: blue is nothing, red all",
    ),
    ("bone-colors", "a colour for each bone, blended by weight"),
    (
        "bone-axes",
        "the axes of every bone: red is x, green y, blue z",
    ),
];

/// Axes are this long, as a part of the model's extent.
const AXES_LENGTH: f32 = 0.03;

/// Which of the names were there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoneShow {
    pub(super) weights: bool,
    pub(super) colors: bool,
    pub(super) axes: bool,
}

impl BoneShow {
    /// Takes its own names out of a list; the others stay.
    pub(super) fn split(list: &str) -> (Self, String) {
        let mut own = Self::default();
        let mut others = Vec::new();
        for name in list.split(',') {
            match name.trim() {
                "bone-weights" => own.weights = true,
                "bone-colors" => own.colors = true,
                "bone-axes" => own.axes = true,
                _ => others.push(name),
            }
        }
        (own, others.join(","))
    }

    /// The paint that is asked for.
    pub(super) fn paint(
        self,
        model: &Model,
        bone: Option<BoneId>,
    ) -> anyhow::Result<Option<VertexPaint>> {
        if !self.weights && !self.colors {
            return Ok(None);
        }
        let table = WeightTable::of(model, &Report::new());
        let table = table.map_err(|_| anyhow::anyhow!("reading weights was cancelled"))?;
        Ok(Some(match bone {
            Some(bone) if self.weights => VertexPaint::Heat {
                values: Arc::new(table.values(bone)),
                low: 0.0,
                high: 1.0,
            },
            None if self.weights => {
                anyhow::bail!("bone-weights shows one bone: name it with --bone")
            }
            _ => VertexPaint::Colors(Arc::clone(table.colors())),
        }))
    }

    /// The lines that are asked for, in `spec`.
    pub(super) fn marks(self, model: &Model, spec: &PoseSpec, extent: f32) -> Marks {
        let mut marks = Marks::default();
        if self.axes {
            let pose = sample(model, spec);
            let shapes = bone_shapes(model, &pose, &BoneAnchors::of(model));
            let display_from_file = model.axes.display_from_file();
            for (_, matrix) in bone_frames(model, &pose, &shapes) {
                marks.add_axes(&(display_from_file * matrix), AXES_LENGTH * extent);
            }
        }
        marks
    }
}

/// The bone called `name`, or of that number.
pub(super) fn find(model: &Model, name: &str) -> anyhow::Result<BoneId> {
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
                anyhow::anyhow!("there is no bone `{name}`; there is `{other}`")
            }
            None => anyhow::anyhow!("there is no bone `{name}` among {}", skeleton.len()),
        }
    })
}

/// The colours of all bones while `bone` is selected.
pub(super) fn colors(model: &Model, bone: Option<BoneId>) -> Vec<[f32; 3]> {
    bone_colors(&model.skeleton, &stats::used_bones(model), bone, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_are_taken_out_of_the_list() {
        let (own, others) = BoneShow::split("surface, bone-weights,grid");
        assert!(own.weights && !own.colors && !own.axes);
        assert_eq!(others, "surface,grid");
        for (name, _) in NAMES {
            let (own, others) = BoneShow::split(name);
            assert!(own != BoneShow::default() && others.is_empty(), "{name}");
        }
    }
}
