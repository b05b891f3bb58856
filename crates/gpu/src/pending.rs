//! Waiting for the device: on a thread that is not the one that asked, or in a browser, where no thread
//! may be held up, as a future.
//!
//! Invariant: never with `PollType::Wait`. While one thread waits so, another cannot present a frame:
//! wgpu holds a lock meanwhile.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::task::{Poll, Waker};
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
    gpu: Gpu,
    staging: wgpu::Buffer,
    mapped: CallbackResult<Result<(), wgpu::BufferAsyncError>>,
}

impl Pending {
    /// Submits what copies something into `staging`.
    pub(super) fn submit(gpu: &Gpu, encoder: wgpu::CommandEncoder, staging: wgpu::Buffer) -> Self {
        gpu.queue.submit([encoder.finish()]);
        let (notify, mapped) = CallbackResult::channel();
        staging.map_async(wgpu::MapMode::Read, .., notify);
        Self { gpu: gpu.clone(), staging, mapped }
    }

    /// Waits, and gives what `take` makes of the bytes.
    ///
    /// # Errors
    /// When the device does not answer.
    pub(super) async fn read<T>(self, take: impl FnOnce(&[u8]) -> T) -> Result<T, ReadbackError> {
        Ok(self.mapped().await?.read(take)?.0)
    }

    /// Waits until the bytes can be read.
    ///
    /// # Errors
    /// When the device doesn't answer.
    pub(super) async fn mapped(self) -> Result<Mapped, ReadbackError> {
        let answer = self.mapped.wait(&self.gpu).await?;
        answer.map_err(|error| ReadbackError::NoAnswer(error.to_string()))?;
        Ok(Mapped(self.staging))
    }
}

/// Bytes that have arrived, for any thread to read.
#[derive(Debug)]
pub(super) struct Mapped(wgpu::Buffer);

impl Mapped {
    /// Passes the bytes to `take`; returns its result, and the buffer for reuse.
    ///
    /// # Errors
    /// When the device is gone.
    pub(super) fn read<T>(
        self,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<(T, wgpu::Buffer), ReadbackError> {
        let Self(staging) = self;
        let view = staging.get_mapped_range(..);
        let view = view.map_err(|error| ReadbackError::NoAnswer(error.to_string()))?;
        let taken = take(&view);
        drop(view);
        staging.unmap();
        Ok((taken, staging))
    }
}

/// Shortest and longest time between two polls of the device.
const POLL_INTERVAL: [Duration; 2] = [Duration::from_micros(50), Duration::from_millis(1)];
/// The interval grows with the time waited so far, so that polling late adds at most this share to any wait.
const POLL_SHARE: u32 = 32;

/// What a callback of the device will say.
#[derive(Debug)]
struct CallbackResult<T> {
    receiver: mpsc::Receiver<T>,
    waker: Arc<Mutex<Option<Waker>>>,
}

impl<T: Send + 'static> CallbackResult<T> {
    /// The callback, and what it will say.
    fn channel() -> (impl FnOnce(T) + Send + 'static, Self) {
        let (send, receiver) = mpsc::channel();
        let waker = Arc::new(Mutex::new(None::<Waker>));
        let answer = Self { receiver, waker: Arc::clone(&waker) };
        let notify = move |what| {
            // The receiver is gone only where nobody wants to know any more.
            let _ = send.send(what);
            let waker = waker.lock().unwrap_or_else(PoisonError::into_inner).take();
            waker.into_iter().for_each(Waker::wake);
        };
        (notify, answer)
    }

    /// Waits for it: a browser looks after its device by itself, elsewhere this does until it answers.
    async fn wait(&self, gpu: &Gpu) -> Result<T, ReadbackError> {
        let no_answer = |error: &dyn std::fmt::Display| ReadbackError::NoAnswer(error.to_string());
        if !gpu.caps.can_wait {
            return poll_fn(|context| {
                let mut waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner);
                *waker = Some(context.waker().clone());
                match self.receiver.try_recv() {
                    Ok(what) => Poll::Ready(Ok(what)),
                    Err(mpsc::TryRecvError::Empty) => Poll::Pending,
                    Err(error) => Poll::Ready(Err(no_answer(&error))),
                }
            })
            .await;
        }
        let start = Instant::now();
        loop {
            gpu.device.poll(wgpu::PollType::Poll).map_err(|error| no_answer(&error))?;
            let [shortest, longest] = POLL_INTERVAL;
            let interval = (start.elapsed() / POLL_SHARE).clamp(shortest, longest);
            match self.receiver.recv_timeout(interval) {
                Ok(what) => return Ok(what),
                Err(mpsc::RecvTimeoutError::Timeout) if start.elapsed() < PATIENCE => {}
                Err(error) => return Err(no_answer(&error)),
            }
        }
    }
}

/// Waits until all that was submitted is done, where anybody may wait.
///
/// # Errors
/// When the device does not answer.
pub(super) fn finish(gpu: &Gpu) -> Result<(), ReadbackError> {
    if !gpu.caps.can_wait {
        return Ok(());
    }
    let (notify, done) = CallbackResult::channel();
    gpu.queue.on_submitted_work_done(move || notify(()));
    pollster::block_on(done.wait(gpu))
}

/// Waits until all that was written is on the device and its staging memory is free again.
pub(super) fn finish_uploads(gpu: &Gpu) {
    gpu.queue.submit([]);
    // A lost device is reported by others.
    let _ = finish(gpu);
}
