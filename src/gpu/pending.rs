//! Waiting for the device on a thread that is not the one that asked.
//!
//! Invariant: never with `PollType::Wait`. While one thread waits so, another cannot present a frame:
//! wgpu holds a lock meanwhile.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::Gpu;

/// Longer than any frame should take, also in software; then the device is taken for hung.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why nothing came back.
#[derive(Debug, thiserror::Error)]
pub enum ReadbackError {
    /// The device is gone or hangs.
    #[error("the GPU did not answer: {0}")]
    NoAnswer(String),
    /// The device has no room for a copy.
    #[error("reading back {bytes} bytes is more than this GPU allows ({limit})")]
    TooLarge {
        /// Size that is needed.
        bytes: u64,
        /// Size that can be had.
        limit: u64,
    },
}

/// A buffer that `bytes` are copied to, to be read.
pub(super) fn staging(gpu: &Gpu, bytes: u64) -> Result<wgpu::Buffer, ReadbackError> {
    let limit = gpu.device.limits().max_buffer_size;
    if bytes > limit {
        return Err(ReadbackError::TooLarge { bytes, limit });
    }
    Ok(gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("read back"),
        size: bytes,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    }))
}

/// Bytes on their way back: asked for on one thread, waited for on any.
#[derive(Debug)]
pub(super) struct Pending {
    device: wgpu::Device,
    staging: wgpu::Buffer,
    mapped: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Pending {
    /// Submits what copies something into `staging`.
    pub(super) fn submit(gpu: &Gpu, encoder: wgpu::CommandEncoder, staging: wgpu::Buffer) -> Self {
        gpu.queue.submit([encoder.finish()]);
        let (send, mapped) = mpsc::channel();
        staging.map_async(wgpu::MapMode::Read, .., move |result| {
            // The receiver is gone only where nobody wants to know any more.
            let _ = send.send(result);
        });
        Self { device: gpu.device.clone(), staging, mapped }
    }

    /// Waits, and shows the bytes to `take`.
    ///
    /// # Errors
    /// When the device does not answer.
    pub(super) fn wait(self, take: &mut dyn FnMut(&[u8])) -> Result<(), ReadbackError> {
        let no_answer = |error: &dyn std::fmt::Display| ReadbackError::NoAnswer(error.to_string());
        let answer = answer_of(&self.device, &self.mapped)?;
        answer.map_err(|error| no_answer(&error))?;
        let view = self.staging.get_mapped_range(..).map_err(|error| no_answer(&error))?;
        take(&view);
        drop(view);
        self.staging.unmap();
        Ok(())
    }
}

/// Between two looks at whether something is done.
const LOOKING: Duration = Duration::from_millis(1);

/// Looks after the device until it answers.
fn answer_of<T>(device: &wgpu::Device, answer: &mpsc::Receiver<T>) -> Result<T, ReadbackError> {
    let no_answer = |error: &dyn std::fmt::Display| ReadbackError::NoAnswer(error.to_string());
    let start = Instant::now();
    loop {
        device.poll(wgpu::PollType::Poll).map_err(|error| no_answer(&error))?;
        match answer.recv_timeout(LOOKING) {
            Ok(answer) => return Ok(answer),
            Err(mpsc::RecvTimeoutError::Timeout) if start.elapsed() < PATIENCE => {}
            Err(error) => return Err(no_answer(&error)),
        }
    }
}

/// Waits until all that was submitted is done.
///
/// # Errors
/// When the device does not answer.
pub(super) fn finish(gpu: &Gpu) -> Result<(), ReadbackError> {
    let (send, done) = mpsc::channel();
    gpu.queue.on_submitted_work_done(move || {
        let _ = send.send(());
    });
    answer_of(&gpu.device, &done)
}

/// Waits until all that was written is on the device and its staging memory is free again.
pub(super) fn finish_uploads(gpu: &Gpu) {
    gpu.queue.submit([]);
    // A lost device is reported by others.
    let _ = finish(gpu);
}
