//! Depth peeling: draws translucent surfaces layer by layer, from the nearest on, separately for each
//! pixel, so that the image doesn't depend on the order of triangles. Each layer is drawn twice: first its
//! depth, which finds the nearest surface behind the previous layer, then its colour, blended under the
//! previous layers. Surfaces behind the last layer are omitted.
//!
//! Without blended materials, none of this is created or drawn.

use super::frame::FrameInput;
use super::mesh_pass::DrawCounts;
use super::pass::{Depth, PASSES, PEEL, Pass};
use super::peel_targets::PeelTargets;
use super::render_context::RenderContext;
use super::target::DEPTH_CLEAR;
use super::variant::Variant;
use super::{Msaa, Scene, Target};

/// Enough for two hollow glass bodies, one behind the other.
const NUM_LAYERS: usize = 8;

/// In front of all surfaces.
const NEAREST: f32 = 1.0;

/// Draws the layers of `target`, whose depth buffer holds all opaque surfaces. `set_area` sets a pass's
/// scissor rectangle, viewport and depth range.
pub(super) fn draw(
    context: RenderContext<'_>,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
    set_area: impl Fn(&mut wgpu::RenderPass<'_>, (f32, f32)),
    encoder: &mut wgpu::CommandEncoder,
) -> (wgpu::BindGroup, DrawCounts) {
    let RenderContext { gpu, kernels, pipelines, light, .. } = context;
    let (layouts, msaa) = (&kernels.layouts, target.msaa());
    let peel_targets = target.peel_targets.get_or_init(|| {
        PeelTargets::new(gpu, layouts, target.size_px(), msaa.samples(), &target.depth_view)
    });
    drop(begin(context, encoder, peel_targets, 1, Draws::Depth { clear: NEAREST }));
    let find = &PEEL[usize::from(msaa != Msaa::Off)];
    let is_wanted = |pass: &&Pass| pass.depth == Depth::Same && pass.is_wanted(scene, input);
    let mut drawn = DrawCounts::default();
    let mut draw = |pass: &mut wgpu::RenderPass<'_>, kind: &Pass| {
        set_area(pass, kind.depth_range(input));
        let pipeline = |material| {
            let variant = Variant::of(kind, input, material);
            pipelines.pass(gpu, layouts, kind, msaa, variant)
        };
        drawn.draws += kind.draw(pass, scene, input, &pipeline).draws;
    };
    for layer in 0..NUM_LAYERS {
        let turn = layer % 2;
        let mut pass =
            begin(context, encoder, peel_targets, turn, Draws::Depth { clear: DEPTH_CLEAR });
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        pass.set_bind_group(3, &peel_targets.depth_binds[turn], &[]);
        draw(&mut pass, find);
        drop(pass);
        let colors = Draws::Colors { is_first: layer == 0, is_last: layer + 1 == NUM_LAYERS };
        let mut pass = begin(context, encoder, peel_targets, turn, colors);
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        if let Some(light) = light {
            pass.set_bind_group(3, light, &[]);
        }
        PASSES.into_iter().filter(is_wanted).for_each(|kind| draw(&mut pass, kind));
    }
    (peel_targets.bind.clone(), drawn)
}

/// The pass of a layer.
#[derive(Clone, Copy)]
enum Draws {
    Depth {
        clear: f32,
    },
    /// Surfaces at the depth of the layer.
    Colors {
        is_first: bool,
        is_last: bool,
    },
}

fn begin<'a>(
    context: RenderContext<'_>,
    encoder: &'a mut wgpu::CommandEncoder,
    peel_targets: &PeelTargets,
    turn: usize,
    draws: Draws,
) -> wgpu::RenderPass<'a> {
    let (colors, depth) = match draws {
        Draws::Depth { clear } => {
            let load = wgpu::LoadOp::Clear(clear);
            (None, Some(wgpu::Operations { load, store: wgpu::StoreOp::Store }))
        }
        Draws::Colors { is_first, is_last } => {
            let samples = peel_targets.samples_view.as_ref();
            let colors = wgpu::RenderPassColorAttachment {
                view: samples.unwrap_or(&peel_targets.view),
                depth_slice: None,
                resolve_target: samples.filter(|_| is_last).map(|_| &peel_targets.view),
                ops: wgpu::Operations {
                    load: if is_first {
                        wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT)
                    } else {
                        wgpu::LoadOp::Load
                    },
                    store: match samples {
                        Some(_) if is_last => wgpu::StoreOp::Discard,
                        _ => wgpu::StoreOp::Store,
                    },
                },
            };
            (Some(colors), None)
        }
    };
    let colors = colors.map(Some);
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("layer"),
        color_attachments: colors.as_slice(),
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &peel_targets.depth_views[turn],
            depth_ops: depth,
            stencil_ops: None,
        }),
        timestamp_writes: context.timestamps("layers"),
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
