//! Waiting for the device: on a separate thread, or as a future in browsers, whose threads may not block.
//!
//! Invariant: never uses `PollType::Wait`. wgpu would hold a lock meanwhile, so that no other thread could
//! present a frame.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

use super::Gpu;

/// Longer than any frame should take, even in software. After that, the device is considered hung.
const PATIENCE: Duration = Duration::from_secs(30);

/// Why reading back failed.
#[derive(Debug, thiserror::Error)]
pub enum ReadbackError {
    /// The device is lost or hangs.
    #[error("the GPU didn't respond: {0}")]
    NoAnswer(String),
    /// The device has no room for a copy.
    #[error(
        "reading back the result needs a buffer of {bytes} bytes, but this GPU allows at most {limit} bytes"
    )]
    TooLarge {
        /// Required size.
        bytes: u64,
        /// Largest size that the device supports.
        limit: u64,
    },
}

/// A buffer of `bytes` bytes for reading back.
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

/// A pending read-back, requested on one thread and awaited on any.
#[derive(Debug)]
pub(super) struct Pending {
    gpu: Gpu,
    staging: wgpu::Buffer,
    mapped: CallbackResult<Result<(), wgpu::BufferAsyncError>>,
}

impl Pending {
    /// Submits the commands that copy data into `staging`.
    pub(super) fn submit(gpu: &Gpu, encoder: wgpu::CommandEncoder, staging: wgpu::Buffer) -> Self {
        gpu.queue.submit([encoder.finish()]);
        let (notify, mapped) = CallbackResult::channel();
        staging.map_async(wgpu::MapMode::Read, .., notify);
        Self { gpu: gpu.clone(), staging, mapped }
    }

    /// Waits for the bytes and passes them to `take`.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub(super) async fn read<T>(self, take: impl FnOnce(&[u8]) -> T) -> Result<T, ReadbackError> {
        Ok(self.mapped().await?.read(take)?.0)
    }

    /// Waits until the bytes can be read.
    ///
    /// # Errors
    /// If the device doesn't answer.
    pub(super) async fn mapped(self) -> Result<Mapped, ReadbackError> {
        let answer = self.mapped.wait(&self.gpu).await?;
        answer.map_err(|error| ReadbackError::NoAnswer(error.to_string()))?;
        Ok(Mapped(self.staging))
    }
}

/// A mapped read-back buffer. Any thread may read it.
#[derive(Debug)]
pub(super) struct Mapped(wgpu::Buffer);

impl Mapped {
    /// Passes the bytes to `take`. Returns its result, and the buffer for reuse.
    ///
    /// # Errors
    /// If the device is lost.
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

/// The future result of a device callback.
#[derive(Debug)]
struct CallbackResult<T> {
    receiver: mpsc::Receiver<T>,
    waker: Arc<Mutex<Option<Waker>>>,
}

impl<T: Send + 'static> CallbackResult<T> {
    /// The callback, and its future result.
    fn channel() -> (impl FnOnce(T) + Send + 'static, Self) {
        let (send, receiver) = mpsc::channel();
        let waker = Arc::new(Mutex::new(None::<Waker>));
        let answer = Self { receiver, waker: Arc::clone(&waker) };
        let notify = move |what| {
            // If the receiver is gone, the result isn't needed.
            let _ = send.send(what);
            let waker = waker.lock().unwrap_or_else(PoisonError::into_inner).take();
            waker.into_iter().for_each(Waker::wake);
        };
        (notify, answer)
    }

    /// Waits for the result. Browsers poll their device themselves; elsewhere this polls it.
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

/// Waits until all submitted work is done, if waiting is allowed.
///
/// # Errors
/// If the device doesn't answer.
pub(super) fn finish(gpu: &Gpu) -> Result<(), ReadbackError> {
    if !gpu.caps.can_wait {
        return Ok(());
    }
    let (notify, done) = CallbackResult::channel();
    gpu.queue.on_submitted_work_done(move || notify(()));
    pollster::block_on(done.wait(gpu))
}

/// Waits until all writes have reached the device and their staging memory is free again.
pub(super) fn finish_uploads(gpu: &Gpu) {
    gpu.queue.submit([]);
    // The loss of a device is reported elsewhere.
    let _ = finish(gpu);
}
