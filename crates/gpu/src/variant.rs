//! Specialization of pipelines: values that are constant over a draw are constants of its shader, so that
//! fragments don't branch on them.
//!
//! Software adapters run both sides of every branch, and GPUs reserve registers for both.

use super::frame::{FrameInput, effective_light};
use super::pass::{Geometry, Pass};
use super::shaders::ShaderSource;
use super::textures::{MaterialInput, is_lit};

/// The constants of a pipeline. Those that a pass doesn't use are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Variant {
    /// There is a colouring; which one is in the frame uniform.
    is_colored: bool,
    /// Flags of [`MaterialInput`].
    material: u32,
    /// Shading model.
    shading: u32,
    tone_mapping: u32,
}

impl Variant {
    /// The variant of a pass for `input` and a material with these flags.
    pub(super) fn of(pass: &Pass, input: &FrameInput<'_>, material: u32) -> Self {
        let is_colored = input.show.coloring.is_some();
        let light = effective_light(&input.show);
        let (shading, tone_mapping) = (light.shading as u32, light.tone_mapping as u32);
        match pass.geometry {
            Geometry::Frame { .. }
            | Geometry::Shadow { .. }
            | Geometry::Occlusion { .. }
            | Geometry::Layers { .. } => Self::default(),
            Geometry::Meshes(_) | Geometry::Triangles(..) | Geometry::Records { .. } => {
                Self { is_colored, ..Self::default() }
            }
            Geometry::Materials(_) => {
                let material = material & MaterialInput::FLAGS_OF_PLAIN_LIGHT;
                Self { is_colored, material, ..Self::default() }
            }
            Geometry::Peel(_) => {
                let lit_only = if is_lit(&input.show) { MaterialInput::TRANSMISSIVE } else { 0 };
                let material = material & (MaterialInput::FLAGS_OF_PLAIN_LIGHT | lit_only);
                Self { material, ..Self::default() }
            }
            Geometry::Stored(_) => {
                Self { material: material & MaterialInput::NORMAL_MAP, ..Self::default() }
            }
            Geometry::Lit(_) | Geometry::Deferred(_) => {
                Self { is_colored, material, shading, tone_mapping }
            }
            Geometry::Environment { .. } => Self { tone_mapping, ..Self::default() },
        }
    }

    /// Whether the material has an alpha cutoff.
    pub(super) fn is_cut(&self) -> bool {
        self.material & MaterialInput::CUT != 0
    }

    /// The constants that `shader` declares.
    pub(super) fn constants(&self, shader: &ShaderSource) -> Vec<(&'static str, f64)> {
        let all = [
            ("IS_COLORED", f64::from(u8::from(self.is_colored))),
            ("MATERIAL_FLAGS", f64::from(self.material)),
            ("SHADING", f64::from(self.shading)),
            ("TONE_MAPPING", f64::from(self.tone_mapping)),
        ];
        let has = |name: &str| shader.text.contains(&format!("override {name}:"));
        all.into_iter().filter(|(name, _)| has(name)).collect()
    }
}
