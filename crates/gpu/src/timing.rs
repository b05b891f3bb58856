//! GPU times per pass, read back some frames later so that nothing waits.
//!
//! Not for: CPU times, which the callers measure.
//!
//! Invariant: without a timer, no timestamps are written.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::Gpu;

/// Timestamps per frame: two per pass, and an image of many layers has a hundred passes. If none are left,
/// a pass isn't measured.
const QUERIES: u32 = 512;
const BYTES_A_QUERY: u64 = 8;
/// Read-backs in flight; further frames aren't measured.
const RING: usize = 4;

/// GPU times of one frame, by the GPU's clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GpuTimes {
    pub frame: u64,
    /// The passes in the order in which they first began, with their time in milliseconds. Passes of the
    /// same name are added up.
    pub passes_ms: Vec<(&'static str, f32)>,
    /// Total time in milliseconds. Overlapping passes count once.
    pub total_ms: f32,
}

/// Measures the passes of frames.
#[derive(Debug)]
pub struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    ring: Vec<TimestampReadback>,
    ns_per_tick: f32,
    is_inside: bool,
    /// Of the frame being recorded.
    recorded: RefCell<FrameSpans>,
}

/// The spans of a frame.
#[derive(Debug, Default)]
struct FrameSpans {
    num_queries: u32,
    spans: Vec<Span>,
    /// Index of the span that began last.
    last: usize,
}

/// The time between two timestamps.
#[derive(Clone, Copy, Debug)]
struct Span {
    name: &'static str,
    begin: u32,
    end: u32,
}

/// A buffer for reading back timestamps.
#[derive(Debug)]
struct TimestampReadback {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    frame: u64,
    spans: Vec<Span>,
}

const FREE: u8 = 0;
const MAPPING: u8 = 1;
const READY: u8 = 2;
const FAILED: u8 = 3;

impl Timer {
    /// A timer, if the device supports timestamps.
    pub fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.caps.timestamps {
            return None;
        }
        let buffer = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: u64::from(QUERIES) * BYTES_A_QUERY,
                usage,
                mapped_at_creation: false,
            })
        };
        let back = || TimestampReadback {
            buffer: buffer(
                "times read back",
                wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            ),
            state: Arc::default(),
            frame: 0,
            spans: Vec::new(),
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
            is_inside: gpu.caps.timestamps_inside,
            recorded: RefCell::default(),
        })
    }

    /// Timestamps for a compute pass that is about to begin.
    pub(super) fn compute(
        &self,
        name: &'static str,
    ) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let span = self.begin(name)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(span.begin),
            end_of_pass_write_index: Some(span.end),
        })
    }

    /// Timestamps for a render pass that is about to begin.
    pub fn render(&self, name: &'static str) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let span = self.begin(name)?;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(span.begin),
            end_of_pass_write_index: Some(span.end),
        })
    }

    /// Attributes the draws since the beginning of the render pass, or since the last mark, to `name`, if
    /// the device supports it. The rest stays with the pass: clearing, resolving, storing.
    pub(super) fn mark(&self, pass: &mut wgpu::RenderPass<'_>, name: &'static str) {
        let mut recorded = self.recorded.borrow_mut();
        if !self.is_inside || recorded.num_queries >= QUERIES {
            return;
        }
        let (query, at) = (recorded.num_queries, recorded.last);
        let Some(rest) = recorded.spans.get_mut(at) else { return };
        let marked = Span { name, begin: rest.begin, end: query };
        rest.begin = query;
        recorded.spans.insert(at, marked);
        recorded.last += 1;
        recorded.num_queries += 1;
        pass.write_timestamp(&self.queries, query);
    }

    fn begin(&self, name: &'static str) -> Option<Span> {
        let mut recorded = self.recorded.borrow_mut();
        let begin = recorded.num_queries;
        if begin + 2 > QUERIES {
            return None;
        }
        let span = Span { name, begin, end: begin + 1 };
        recorded.num_queries += 2;
        recorded.last = recorded.spans.len();
        recorded.spans.push(span);
        Some(span)
    }

    /// Discards the spans of a frame that won't be presented.
    pub fn discard(&mut self) {
        *self.recorded.get_mut() = FrameSpans::default();
    }

    /// Ends a frame whose passes have all been submitted, and starts reading back its times if a buffer is
    /// free.
    pub fn finish(&mut self, gpu: &Gpu, frame: u64) {
        let FrameSpans { num_queries, spans, .. } = std::mem::take(self.recorded.get_mut());
        let is_free = |back: &&mut TimestampReadback| back.state.load(Ordering::Acquire) == FREE;
        let Some(back) = self.ring.iter_mut().find(is_free) else { return };
        if spans.is_empty() || gpu.lost() {
            return;
        }
        let bytes = u64::from(num_queries) * BYTES_A_QUERY;
        let label = Some("times");
        let mut encoder =
            gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        encoder.resolve_query_set(&self.queries, 0..num_queries, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &back.buffer, 0, bytes);
        gpu.queue.submit([encoder.finish()]);
        (back.frame, back.spans) = (frame, spans);
        back.state.store(MAPPING, Ordering::Release);
        let state = Arc::clone(&back.state);
        back.buffer.map_async(wgpu::MapMode::Read, ..bytes, move |result| {
            state.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
        });
    }

    /// The times that have arrived since the last call, oldest first.
    pub fn read(&mut self) -> Vec<GpuTimes> {
        let mut arrived = Vec::new();
        for back in &mut self.ring {
            match back.state.load(Ordering::Acquire) {
                READY => {
                    let ticks = read_ticks(&back.buffer, &back.spans);
                    back.buffer.unmap();
                    let times =
                        |ticks: Vec<u64>| times(back.frame, &back.spans, &ticks, self.ns_per_tick);
                    arrived.extend(ticks.map(times));
                }
                FAILED => {}
                _ => continue,
            }
            back.state.store(FREE, Ordering::Release);
        }
        arrived.sort_by_key(|times| times.frame);
        arrived
    }
}

fn read_ticks(buffer: &wgpu::Buffer, spans: &[Span]) -> Option<Vec<u64>> {
    let last = spans.iter().map(|span| span.end).max()?;
    let view = buffer.get_mapped_range(..u64::from(last + 1) * BYTES_A_QUERY).ok()?;
    let (words, _) = view.as_chunks::<8>();
    Some(words.iter().map(|&word| u64::from_le_bytes(word)).collect())
}

/// Adds up passes of the same name, and the total.
fn times(frame: u64, spans: &[Span], ticks: &[u64], ns_per_tick: f32) -> GpuTimes {
    let tick = |at: u32| ticks.get(at as usize).copied().unwrap_or_default();
    let ms = |ticks: u64| ticks as f32 * ns_per_tick / 1e6;
    let mut passes: Vec<(&'static str, u64)> = Vec::new();
    let mut stretches = Vec::with_capacity(spans.len());
    for span in spans {
        let (begin, end) = (tick(span.begin), tick(span.end));
        let took = end.saturating_sub(begin);
        stretches.push((begin, end));
        match passes.iter_mut().find(|(name, _)| *name == span.name) {
            Some((_, sum)) => *sum += took,
            None => passes.push((span.name, took)),
        }
    }
    GpuTimes {
        frame,
        passes_ms: passes.into_iter().map(|(name, ticks)| (name, ms(ticks))).collect(),
        total_ms: ms(covered(stretches)),
    }
}

/// The total length of the union of all spans.
fn covered(mut stretches: Vec<(u64, u64)>) -> u64 {
    stretches.sort_unstable();
    let mut reached = 0;
    let mut sum = 0;
    for (begin, end) in stretches {
        sum += end.saturating_sub(begin.max(reached));
        reached = reached.max(end);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_added_up_by_name_and_overlaps_count_once() {
        let span = |name, begin, end| Span { name, begin, end };
        let spans =
            [span("skinning", 0, 1), span("layer", 2, 3), span("image", 4, 5), span("layer", 6, 7)];
        let ticks = [100, 200, 150, 250, 400, 1400, 1400, 1500];
        let times = times(7, &spans, &ticks, 1000.0);
        assert_eq!(times.frame, 7);
        assert_eq!(times.passes_ms, [("skinning", 0.1), ("layer", 0.2), ("image", 1.0)]);
        assert_eq!(times.total_ms, 1.25, "100..250 and 400..1500");
    }

    #[test]
    fn timestamps_going_backwards_count_as_zero() {
        let spans = [Span { name: "image", begin: 0, end: 1 }];
        assert_eq!(times(1, &spans, &[20, 10], 1.0).total_ms, 0.0);
        assert_eq!(times(1, &spans, &[], 1.0).passes_ms, [("image", 0.0)]);
    }
}
