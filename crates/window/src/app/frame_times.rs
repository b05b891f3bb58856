//! Frame timings, recorded while they are shown: CPU times immediately, GPU times once they have been read
//! back.

use super::graphics::Graphics;
use super::step_times::WAITING;
use rigscope_gpu::GpuTimes;
use rigscope_state::{AppState, FrameTimes};

/// Records the last frame and any GPU times of earlier frames that have arrived. Never waits or requests a
/// frame: GPU times of the last frames arrive with the next one.
pub(super) fn record_frame(state: &mut AppState, graphics: &mut Graphics) {
    let keeps = state.records_frame_times();
    let timings = &mut state.timings;
    if keeps {
        let worked = timings.steps_ms.iter().filter(|(step, _)| *step != WAITING);
        timings.log.push(FrameTimes {
            number: timings.frames,
            cpu_ms: worked.map(|(_, ms)| ms).sum(),
            steps_ms: timings.steps_ms.clone(),
            gpu: None,
        });
    } else {
        timings.log.clear()
    }
    let Some(timer) = &mut graphics.timer else {
        (timings.gpu_ms, timings.passes_ms) = (None, Vec::new());
        return;
    };
    timer.finish(&graphics.gpu, timings.frames);
    for GpuTimes { frame, passes_ms, total_ms } in timer.read() {
        timings.gpu_ms = Some(total_ms);
        if keeps {
            timings.log.set_gpu(frame, total_ms, passes_ms.clone());
        }
        timings.passes_ms = passes_ms;
    }
}
