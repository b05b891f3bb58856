//! The rules of a runtime in words.

use super::{
    Binding, Culling, Extensions, Influencing, MorphOffsets, MorphWeights, Normalizes, Rates,
    Rotations, Rules, SparseTargets, Splines, Steps, Weights,
};
use crate::model::NormalMatrix;

impl Rules {
    /// The rules that differ from [`Self::EXACT`], as phrases whose subject is the runtime.
    pub fn facts(&self) -> Vec<String> {
        let limits = [
            match self.influences {
                Influencing::All => None,
                Influencing::FirstSet => Some("reads only `JOINTS_0` and `WEIGHTS_0`".to_owned()),
                Influencing::First(most) => Some(format!("reads the first {most} influences")),
                Influencing::Heaviest(most) => {
                    Some(format!("reads the {most} heaviest influences"))
                }
            },
            self.max_morph_targets.map(|max| match max {
                0 => "ignores morph targets".to_owned(),
                _ => format!("reads {max} morph targets"),
            }),
            self.max_joints.map(|max| format!("refuses skins with more than {max} joints")),
            self.max_attributes.map(|max| {
                format!(
                    "refuses meshes with more than {max} attributes, with those of morph targets"
                )
            }),
            self.max_uv_sets.map(|max| format!("reads {max} UV sets")),
            match self.rates {
                Rates::Exact => None,
                Rates::Frames(rate) => Some(format!("shows {rate} frames per second")),
                Rates::Interpolated(rate) => {
                    Some(format!("samples clips at {rate} frames per second"))
                }
            },
            match self.extensions {
                Extensions::Any => None,
                Extensions::Only(_) => {
                    Some("refuses files that require an unknown extension".to_owned())
                }
                Extensions::AllBut(names) => {
                    Some(format!("refuses files that require {}", names.join(" or ")))
                }
            },
        ];
        let treatments = [
            match self.binding {
                Binding::ByNode => "",
                Binding::ByName => {
                    "finds bones by name, and takes skins with the same joint names for one"
                }
            },
            match self.weights {
                Weights::Specified => "",
                Weights::Raw(_) => "doesn't normalize weights",
                Weights::Normalized => "hides vertices without weights",
                Weights::NormalizedFloats(_) => {
                    "normalizes only weights that are floats, and hides vertices without weights"
                }
                Weights::NormalizedToJoint => "binds vertices without weights to their first joint",
                Weights::RoundedToJoint(_) => {
                    "rounds integer weights again, and binds vertices without weights to their first joint"
                }
                Weights::ClampedToJoint => {
                    "clamps weights to 1, and binds vertices without weights to their first joint"
                }
            },
            match self.morph_weights {
                MorphWeights::AsStored => "",
                MorphWeights::Clamped => "clamps weights of morph targets",
            },
            if self.reads_node_weights { "" } else { "ignores morph weights of nodes" },
            match self.morph_offsets {
                MorphOffsets::AsStored => "",
                MorphOffsets::HalfFloats => "rounds morph offsets to half floats",
            },
            match self.rotations {
                Rotations::Slerp => "",
                Rotations::Nlerp => "blends rotations component by component",
                Rotations::Raw(raw) if raw.normalizes == Normalizes::Everything => "",
                Rotations::Raw(_) => "doesn't normalize rotation keys",
            },
            match self.splines {
                Splines::Cubic => "",
                Splines::Padded => "lets splines overshoot at the ends of a clip",
                Splines::TangentsByShare => "multiplies tangents of splines by the wrong time",
                Splines::Smooth => "recomputes the tangents of splines",
                Splines::Linear => "replaces splines by lines",
                Splines::Step => "replaces splines by steps",
            },
            match self.steps {
                Steps::AtKey => "",
                Steps::AfterKey => "changes stepped values after their key",
                Steps::NeverLast => "never reaches the last key of stepped tracks",
            },
            if self.reads_single_keys { "" } else { "ignores tracks with a single key" },
            if self.applies_node_scale { "applies the scale of a skinned mesh's node" } else { "" },
            match self.sparse_targets {
                SparseTargets::Read => "",
                SparseTargets::Ignored => "ignores sparse morph targets without base values",
                SparseTargets::Refused => "refuses sparse morph targets without base values",
            },
            match self.normals {
                NormalMatrix::InverseTranspose => "",
                NormalMatrix::Cofactor => "transforms normals by cofactors",
                NormalMatrix::Same => "transforms normals like positions",
            },
            match self.culling {
                Culling::EveryFrame => "",
                Culling::AsLoaded => "culls by the bounds as loaded",
                Culling::Stored => "culls by the bounds of stored vertices",
            },
        ];
        let treatments = treatments.into_iter().filter(|text| !text.is_empty()).map(str::to_owned);
        limits.into_iter().flatten().chain(treatments).collect()
    }
}
