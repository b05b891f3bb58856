//! The passes of a frame, one file each, named like the shader. A pass consists of everything specific to
//! it: shader, state, condition, records on the GPU and draw function.

mod ids;
mod mask;

use std::ops::Range;

use glam::Affine3A;

use super::bind::Layouts;
use super::frame::FrameInput;
use super::mesh_pass::DrawCounts;
use super::records::{RecordBuffer, Records};
use super::scene::Scene;
use super::shaders::ShaderSource;
use super::vertex_inputs::VertexInputs;
use super::{Gpu, Msaa};

pub(super) use ambient_occlusion::PASS as AMBIENT_OCCLUSION;
pub(super) use blended::PEEL;
pub(super) use deferred::{GEOMETRY, PASS as DEFERRED, may_be_deferred, num_deferred_tiles};
pub(super) use ground_shadow::PASS as GROUND_SHADOW;
pub(super) use ids::{ID_PASSES, IdKind};
pub(super) use layers::PASS as LAYERS;
pub(super) use mask::MASK_PASSES;

/// Declares the modules of the passes, in drawing order.
macro_rules! passes {
    ($($pass:ident)+) => {
        $(mod $pass;)+

        const NUM: usize = [$(stringify!($pass)),+].len();

        /// All passes in drawing order: blended ones come after opaque ones.
        pub(super) const PASSES: [&Pass; NUM] = [$(&$pass::PASS),+];
    };
}

// `cargo fmt` doesn't find modules in macros, so `make fmt` lists the files.
passes! {
    background
    backdrop
    depth_only
    smooth
    surface
    textured
    deferred
    physical
    ambient_occlusion
    lines
    bones
    ground_shadow
    grid
    blended
    physical_blended
    layers
    ghost
    mark_faces
    wireframe
    points
    glyphs
    mark_lines
    mark_lines_on_top
    axes
}

#[derive(Clone, Copy)]
pub(super) struct Pass {
    /// Unique; also the label of its records on the GPU.
    pub(super) name: &'static str,
    pub(super) shader: ShaderSource,
    pub(super) geometry: Geometry,
    pub(super) depth: Depth,
    /// Colours are premultiplied and blended over the image.
    pub(super) is_blended: bool,
    /// Whether the pass is drawn for an input; see [`Pass::is_wanted`].
    condition: fn(&Scene, &FrameInput<'_>) -> bool,
    /// Whether it is drawn over the scene regardless of depth.
    is_on_top: fn(&FrameInput<'_>) -> bool,
}

/// Returns the pipeline of a pass for a material with these flags (0 if it draws no materials).
pub(super) type PipelineOf<'a> = &'a dyn Fn(u32) -> wgpu::RenderPipeline;

type DrawMaterials =
    fn(&mut wgpu::RenderPass<'_>, &Scene, &FrameInput<'_>, PipelineOf<'_>) -> DrawCounts;
type DrawMeshes = fn(&mut wgpu::RenderPass<'_>, &Scene, &FrameInput<'_>) -> DrawCounts;
type MakeRecords = fn(&FrameInput<'_>, &Affine3A) -> Records;
type WhichRecords = fn(&FrameInput<'_>) -> Range<u32>;

/// The geometry that a pass draws, with its bind groups apart from the frame.
#[derive(Clone, Copy)]
pub(super) enum Geometry {
    /// Only the frame.
    Frame { vertices: u32, instances: u32 },
    /// Meshes whose vertices and indices the shader pulls from storage.
    Meshes(DrawMeshes),
    /// Triangles of meshes with these vertex inputs.
    Triangles(VertexInputs, DrawMeshes),
    /// Meshes with materials.
    Materials(DrawMaterials),
    /// Meshes with materials, lit by an environment.
    Lit(DrawMaterials),
    /// Depth of meshes with materials, between two depth buffers that are already bound.
    Peel(DrawMaterials),
    /// Meshes with materials, drawn into the geometry buffer.
    Stored(DrawMaterials),
    /// Lights the geometry buffer, which is already bound, per material.
    Deferred(DrawMaterials),
    /// The environment.
    Environment { vertices: u32 },
    /// The scene's ground shadow.
    Shadow { vertices: u32 },
    /// The occlusion map, which is already bound.
    Occlusion { vertices: u32 },
    /// The peeled layers, which are already bound.
    Layers { vertices: u32 },
    /// A list of records in world space, created with `world_from_file`. Each is an instance of `vertices`
    /// vertices. `which` selects a range of records; all are drawn by default.
    Records { vertices: u32, make: MakeRecords, which: Option<WhichRecords> },
}

/// Depth test and depth write of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    Ignored,
    Tested,
    Written,
    /// Draws only at exactly the stored depth.
    Same,
}

/// Depth range of the scene. The rest is for overlays, which so need no separate pass. Floats are most
/// precise near 0, where distant surfaces are.
const SCENE_DEPTH: (f32, f32) = (0.0, 0.5);
const OVERLAY_DEPTH: (f32, f32) = (0.5, 1.0);

impl Pass {
    pub(super) fn is_lit(&self) -> bool {
        matches!(
            self.geometry,
            Geometry::Lit(_) | Geometry::Deferred(_) | Geometry::Environment { .. }
        )
    }

    pub(super) fn has_material(&self) -> bool {
        matches!(self.geometry, Geometry::Materials(_) | Geometry::Lit(_))
    }

    /// The vertex buffers of its vertex stage.
    pub(super) fn vertex_inputs(&self) -> &'static [Option<wgpu::VertexBufferLayout<'static>>] {
        match self.geometry {
            Geometry::Triangles(vertex_inputs, _) => vertex_inputs.layouts(),
            Geometry::Materials(_) | Geometry::Lit(_) | Geometry::Peel(_) | Geometry::Stored(_) => {
                VertexInputs::All.layouts()
            }
            _ => &[],
        }
    }

    /// The fragment entry point. A material is drawn in two parts, opaque and translucent. With
    /// multisampling, the edges of a cutoff cover some of the samples.
    pub(super) fn entry(&self, msaa: Msaa, is_cut: bool) -> &'static str {
        match self.has_material() {
            true if self.is_blended => "blended_main",
            true if msaa != Msaa::Off && is_cut => "covered_main",
            _ => "fragment_main",
        }
    }

    /// Whether the pass is drawn for `input`. Ghosts are drawn by a single pass.
    pub(super) fn is_wanted(&self, scene: &Scene, input: &FrameInput<'_>) -> bool {
        let is_ghost = self.name == ghost::PASS.name;
        input.layer.ghost.is_some() == is_ghost && (self.condition)(scene, input)
    }

    /// Distinct flags of the materials that the pass draws; only 0 if it draws none.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn materials(&self, scene: &Scene, input: &FrameInput<'_>) -> Vec<u32> {
        let is_drawn = match self.geometry {
            Geometry::Materials(_) | Geometry::Lit(_) if self.is_blended => blended::is_layered,
            Geometry::Peel(_) => blended::is_layered,
            Geometry::Materials(_) => textured::is_solid,
            Geometry::Lit(_) => physical::is_lit_at_once,
            Geometry::Stored(_) | Geometry::Deferred(_) => deferred::is_deferred,
            _ => return vec![0],
        };
        let drawn = textured::surface(scene, input).filter(|run| is_drawn(scene, run));
        let bound = drawn.filter_map(|run| scene.materials.bind(run.paint));
        let flags: std::collections::BTreeSet<u32> = bound.map(|material| material.flags).collect();
        flags.into_iter().collect()
    }

    pub(super) fn depth_range(&self, input: &FrameInput<'_>) -> (f32, f32) {
        if (self.is_on_top)(input) { OVERLAY_DEPTH } else { SCENE_DEPTH }
    }

    /// Uploads the records of the pass if it is drawn and they have changed.
    pub(super) fn prepare(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        scene: &mut Scene,
        input: &FrameInput<'_>,
    ) {
        if let Geometry::Records { make, .. } = self.geometry
            && self.is_wanted(scene, input)
        {
            let records = make(input, &scene.axes.display_from_file());
            let buffer = scene.record_buffers.entry(self.name).or_default();
            buffer.write(gpu, layouts, self.name, records);
        }
    }

    /// Draws the pass; the frame is already bound.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        scene: &Scene,
        input: &FrameInput<'_>,
        pipeline: PipelineOf<'_>,
    ) -> DrawCounts {
        if let Geometry::Materials(draw)
        | Geometry::Lit(draw)
        | Geometry::Peel(draw)
        | Geometry::Stored(draw)
        | Geometry::Deferred(draw) = self.geometry
        {
            return draw(pass, scene, input, pipeline);
        }
        pass.set_pipeline(&pipeline(0));
        match self.geometry {
            Geometry::Materials(_)
            | Geometry::Lit(_)
            | Geometry::Peel(_)
            | Geometry::Stored(_)
            | Geometry::Deferred(_) => DrawCounts::default(),
            Geometry::Frame { vertices, instances } => {
                pass.draw(0..vertices, 0..instances);
                DrawCounts::ONE
            }
            Geometry::Shadow { vertices } => {
                let Some(shadow) = &scene.shadow_map else { return DrawCounts::default() };
                pass.set_bind_group(1, shadow.bind(), &[]);
                pass.draw(0..vertices, 0..1);
                DrawCounts::ONE
            }
            Geometry::Environment { vertices }
            | Geometry::Occlusion { vertices }
            | Geometry::Layers { vertices } => {
                pass.draw(0..vertices, 0..1);
                DrawCounts::ONE
            }
            Geometry::Meshes(draw) | Geometry::Triangles(_, draw) => draw(pass, scene, input),
            Geometry::Records { vertices, which, .. } => {
                let buffer = scene.record_buffers.get(self.name);
                let Some((bind, num)) = buffer.and_then(RecordBuffer::bound) else {
                    return DrawCounts::default();
                };
                let records = which.map_or(0..num, |which| which(input));
                pass.set_bind_group(1, bind, &[]);
                pass.draw(0..vertices, records.start..records.end.min(num));
                DrawCounts::ONE
            }
        }
    }
}

/// For passes that are never drawn over the scene.
fn never(_: &FrameInput<'_>) -> bool {
    false
}
