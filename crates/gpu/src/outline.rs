//! Outlines around the selected and the hovered part.
//!
//! Both parts are drawn again over the depth of the image, into a *mask* that holds per pixel how much of
//! it they cover, and how much of that is visible. A ring around each part is then drawn over the finished
//! image, so that the part itself keeps its colours.
//! Without outlines, nothing of this is created or drawn.

use std::sync::atomic::Ordering;

use super::frame::FrameInput;
use super::kernels::Kernels;
use super::masks::{MIN_TILE_PX, Masks};
use super::mesh_pass::DrawCounts;
use super::pass::MASK_PASSES;
use super::render_context::RenderContext;
use super::{Gpu, Scene, Target};
use rigscope_core::visual::OutlineTarget;

/// Side of a tile in points. A ring reaches at most into the neighbouring tiles.
/// Keep in sync with `shaders/outline.wgsl`.
const TILE_POINTS: f32 = 8.0;

/// The outlined parts, each with the mask channels for its whole area and for its visible area.
fn outlined(input: &FrameInput<'_>) -> impl Iterator<Item = (OutlineTarget, [wgpu::Color; 2])> {
    const fn channels(all: [f64; 2], seen: [f64; 2]) -> [wgpu::Color; 2] {
        [
            wgpu::Color { r: all[0], g: 0.0, b: all[1], a: 0.0 },
            wgpu::Color { r: 0.0, g: seen[0], b: 0.0, a: seen[1] },
        ]
    }
    const SELECTED: [wgpu::Color; 2] = channels([1.0, 0.0], [1.0, 0.0]);
    const HOVERED: [wgpu::Color; 2] = channels([0.0, 1.0], [0.0, 1.0]);
    let hovered = input.hovered.filter(|_| input.hovered != input.selected);
    let all = [input.selected.zip(Some(SELECTED)), hovered.zip(Some(HOVERED))];
    let is_ghost = input.layer.ghost.is_some();
    all.into_iter().flatten().filter(move |_| !is_ghost)
}

/// Whether `input` has outlines.
pub(super) fn is_wanted(input: &FrameInput<'_>) -> bool {
    outlined(input).next().is_some()
}

/// `input` with only `what` selected.
fn narrowed<'a>(input: &FrameInput<'a>, what: OutlineTarget) -> FrameInput<'a> {
    FrameInput { selected: Some(what), hovered: None, ..*input }
}

/// Uploads the records of outlined parts.
pub(super) fn prepare(gpu: &Gpu, kernels: &Kernels, scene: &mut Scene, input: &FrameInput<'_>) {
    for (what, _) in outlined(input) {
        for pass in &MASK_PASSES {
            pass.prepare(gpu, &kernels.layouts, scene, &narrowed(input, what));
        }
    }
}

/// Draws the masks, tested against the image's depth in `target`. `set_area` sets a pass's scissor
/// rectangle, viewport and depth range.
pub(super) fn draw_masks(
    context: RenderContext<'_>,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
    set_area: impl Fn(&mut wgpu::RenderPass<'_>, (f32, f32)),
    encoder: &mut wgpu::CommandEncoder,
) -> DrawCounts {
    let RenderContext { gpu, kernels, pipelines, .. } = context;
    let masks = target
        .masks
        .get_or_init(|| Masks::new(gpu, kernels, target.size_px(), target.msaa().samples()));
    masks.are_current.store(true, Ordering::Relaxed);
    let (view, resolve_target) = match &masks.samples_view {
        Some(samples) => (samples, Some(&masks.mask_view)),
        None => (&masks.mask_view, None),
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("masks"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                store: match resolve_target {
                    Some(_) => wgpu::StoreOp::Discard,
                    None => wgpu::StoreOp::Store,
                },
            },
        })],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &target.depth_view,
            // Read-only.
            depth_ops: None,
            stencil_ops: None,
        }),
        timestamp_writes: context.timestamps("masks"),
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_bind_group(0, &scene.frame_bind, &[]);
    let mut drawn = DrawCounts::default();
    for (what, channels) in outlined(input) {
        let input = narrowed(input, what);
        for (number, kind) in MASK_PASSES.iter().enumerate() {
            if !kind.is_wanted(scene, &input) {
                continue;
            }
            set_area(&mut pass, kind.depth_range(&input));
            for (is_visible, channel) in [false, true].into_iter().zip(channels) {
                let layouts = &kernels.layouts;
                let msaa = target.msaa();
                let pipeline = |_| pipelines.mask(gpu, layouts, number, msaa, is_visible);
                pass.set_blend_constant(channel);
                drawn.draws += kind.draw(&mut pass, scene, &input, &pipeline).draws;
            }
        }
    }
    drawn
}

/// Begins an image, which has no masks yet.
pub(super) fn forget_masks(target: &Target) {
    if let Some(masks) = target.masks.get() {
        masks.are_current.store(false, Ordering::Relaxed);
    }
}

/// Draws the rings over the image in `target`, if one of its layers has drawn masks.
pub(super) fn draw_rings(
    context: RenderContext<'_>,
    scene: &Scene,
    target: &Target,
    input: &FrameInput<'_>,
    encoder: &mut wgpu::CommandEncoder,
) {
    let RenderContext { gpu, kernels, pipelines, .. } = context;
    let masks = target.masks.get().filter(|masks| masks.are_current.load(Ordering::Relaxed));
    let Some(masks) = masks else { return };
    let draw = |encoder: &mut wgpu::CommandEncoder, view, load, pipeline, bind, vertices, num| {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("outlines"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            depth_stencil_attachment: None,
            timestamp_writes: context.timestamps("outlines"),
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &scene.frame_bind, &[]);
        pass.set_bind_group(1, bind, &[]);
        pass.draw(0..vertices, 0..num);
    };
    let [tiles, rings] = pipelines.outline(gpu, &kernels.layouts);
    let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
    draw(encoder, &masks.tiles_view, clear, &tiles, &masks.tiles_bind, 3, 1);
    let tile_px = tile_px(input.usable_pixels_per_point());
    let [across, down] = target.size_px().map(|side| side.div_ceil(tile_px));
    let keep = wgpu::LoadOp::Load;
    draw(encoder, &target.resolved_view, keep, &rings, &masks.ring_bind, 6, across * down);
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0.25..=16")]
fn tile_px(pixels_per_point: f32) -> u32 {
    ((TILE_POINTS * pixels_per_point).ceil() as u32).max(MIN_TILE_PX)
}
