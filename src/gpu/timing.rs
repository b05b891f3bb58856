//! How long the GPU takes, read back frames later so that nothing waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Gpu;

/// Begin and end of skinning, begin and end of drawing.
const QUERIES: u32 = 4;
const BYTES: u64 = QUERIES as u64 * 8;
/// Results on their way at one time; further frames are not measured.
const RING: usize = 3;

/// Times the passes of one scene.
#[derive(Debug)]
pub(super) struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    ring: Vec<Readback>,
    ns_per_tick: f32,
    skin_ms: Option<f32>,
    draw_ms: Option<f32>,
}

/// One buffer on its way back.
#[derive(Debug)]
struct Readback {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    has_skin: bool,
}

const FREE: u8 = 0;
const COPIED: u8 = 1;
const MAPPING: u8 = 2;
const READY: u8 = 3;
const FAILED: u8 = 4;

impl Timer {
    /// A timer, where the device can measure.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.caps.timestamps {
            return None;
        }
        let buffer = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        let back = || Readback {
            buffer: buffer(
                "times read back",
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            ),
            state: Arc::default(),
            has_skin: false,
        };
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("times"),
                ty: wgpu::QueryType::Timestamp,
                count: QUERIES,
            }),
            resolved: buffer(
                "times",
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            ring: std::iter::repeat_with(back).take(RING).collect(),
            ns_per_tick: gpu.queue.get_timestamp_period(),
            skin_ms: None,
            draw_ms: None,
        })
    }

    pub(super) fn skin(&self) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        })
    }

    /// For the first pass of a picture, for its last, or for both in one.
    pub(super) fn draw(
        &self,
        is_first: bool,
        is_last: bool,
    ) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        // One that writes nothing is a fault.
        (is_first || is_last).then(|| wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: is_first.then_some(2),
            end_of_pass_write_index: is_last.then_some(3),
        })
    }

    /// Records the copy of this frame's times, if a buffer is free.
    pub(super) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, has_skin: bool) {
        let is_free = |back: &&mut Readback| back.state.load(Ordering::Acquire) == FREE;
        let Some(back) = self.ring.iter_mut().find(is_free) else { return };
        let first = if has_skin { 0 } else { 2 };
        encoder.resolve_query_set(&self.queries, first..QUERIES, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &back.buffer, 0, BYTES);
        back.has_skin = has_skin;
        back.state.store(COPIED, Ordering::Release);
    }

    /// Asks for the times that were just copied, once the copy is submitted.
    pub(super) fn ask(&mut self) {
        for back in &mut self.ring {
            if back.state.load(Ordering::Acquire) == COPIED {
                back.state.store(MAPPING, Ordering::Release);
                let state = Arc::clone(&back.state);
                back.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
                    let now = if result.is_ok() { READY } else { FAILED };
                    state.store(now, Ordering::Release);
                });
            }
        }
    }

    /// The last times known of skinning and drawing, in milliseconds.
    pub(super) fn read(&mut self) -> (Option<f32>, Option<f32>) {
        for back in &mut self.ring {
            match back.state.load(Ordering::Acquire) {
                READY => {
                    let ticks = read_ticks(&back.buffer);
                    back.buffer.unmap();
                    let ms = |from: u64, to: u64| {
                        to.saturating_sub(from) as f32 * self.ns_per_tick / 1e6
                    };
                    match (ticks, back.has_skin) {
                        (Some([a, b, c, d]), true) => {
                            self.skin_ms = Some(ms(a, b));
                            self.draw_ms = Some(ms(c, d));
                        }
                        (Some([c, d, ..]), false) => self.draw_ms = Some(ms(c, d)),
                        (None, _) => {}
                    }
                    back.state.store(FREE, Ordering::Release);
                }
                FAILED => back.state.store(FREE, Ordering::Release),
                _ => {}
            }
        }
        (self.skin_ms, self.draw_ms)
    }
}

fn read_ticks(buffer: &wgpu::Buffer) -> Option<[u64; 4]> {
    let view = buffer.get_mapped_range(..).ok()?;
    let (words, _) = view.as_chunks::<8>();
    let ticks: Vec<u64> = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
    ticks.try_into().ok()
}
