//! A device to draw with, what it can do, and what goes wrong on it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::image_formats::COLOR_VIEW_FORMAT;

/// Interfaces that have all that is needed: storage buffers in every stage.
const BACKENDS: wgpu::Backends = wgpu::Backends::VULKAN
    .union(wgpu::Backends::METAL)
    .union(wgpu::Backends::DX12)
    .union(wgpu::Backends::BROWSER_WEBGPU);
/// Set to 1: draw in software, whatever hardware there is.
const SOFTWARE_VARIABLE: &str = "RIGSCOPE_SOFTWARE";

/// A device, its queue, and what is known about both.
///
/// Cloning shares the device.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes work.
    pub queue: wgpu::Queue,
    /// Which adapter it is.
    pub info: wgpu::AdapterInfo,
    /// What it can do.
    pub caps: Caps,
    errors: ErrorLog,
    lost: Arc<AtomicBool>,
}

/// Kinds of compressed textures.
const COMPRESSED: wgpu::Features = wgpu::Features::TEXTURE_COMPRESSION_BC
    .union(wgpu::Features::TEXTURE_COMPRESSION_ETC2)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ASTC);

/// Times between the draws of a render pass too.
const INSIDE_PASSES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;

/// What a device can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Largest width and height of an image.
    pub max_texture: u32,
    /// Largest buffer that a shader can read, in bytes.
    pub max_buffer: u64,
    /// Kinds of compressed textures that it is given as they are.
    pub compressed: wgpu::Features,
    /// Times of passes can be measured.
    pub timestamps: bool,
    /// And between the draws of one.
    pub timestamps_inside: bool,
    /// [`super::Msaa::X4`] can be drawn.
    pub msaa4: bool,
    /// The CPU draws: what each pixel costs is felt.
    pub is_software: bool,
    /// Memory that the GPU reads can be written directly.
    pub maps_buffers: bool,
    /// A thread may wait for it: in a browser none may.
    pub can_wait: bool,
    /// Nothing is filtered across the edges of cubes: what lies beyond a face is whatever the memory held.
    /// SwiftShader does so as Chromium drives it, which is what browsers draw with on the CPU.
    pub has_cube_seams: bool,
}

/// Why there is no device.
#[derive(Debug, thiserror::Error)]
pub enum GpuInitError {
    /// No adapter has what is needed.
    #[error(
        "no usable GPU was found (tried {tried}); a driver for Vulkan, Metal or Direct3D 12 is needed"
    )]
    NoAdapter {
        /// The interfaces that were asked, and what they answered.
        tried: String,
    },
    /// The adapter gave no device.
    #[error("the GPU {name} could not be opened: {reason}")]
    Device {
        /// The adapter.
        name: String,
        /// What the driver said.
        reason: String,
    },
}

/// Distinct messages of a device, in the order of their first occurrence. Cloning shares the log.
#[derive(Clone, Debug, Default)]
pub struct ErrorLog(Arc<Mutex<Vec<String>>>);

impl ErrorLog {
    /// Keeps `message` unless it is known already.
    pub fn push(&self, message: String) {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !messages.contains(&message) {
            messages.push(message);
        }
    }

    /// All messages so far.
    pub fn messages(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Gpu {
    /// An instance as this program wants it, for windows to make their surface from: only
    /// interfaces that can be used, of these the ones that `WGPU_BACKEND` names.
    #[must_use]
    pub fn instance() -> wgpu::Instance {
        wgpu::Instance::new(instance_descriptor())
    }

    /// A device that draws into images only.
    ///
    /// Hardware comes first; software does where the variable `RIGSCOPE_SOFTWARE` is 1.
    ///
    /// # Errors
    /// When there is no adapter or it gives no device.
    pub fn headless() -> Result<Self, GpuInitError> {
        let gpu = pollster::block_on(Self::open())?;
        if gpu.caps.is_software {
            // For programs that draw their pictures and end: a window would hold all day what it has freed.
            keep_freed_memory();
        }
        Ok(gpu)
    }

    /// As [`Gpu::headless`], where nobody may wait.
    ///
    /// # Errors
    /// When there is no adapter or it gives no device.
    pub async fn open() -> Result<Self, GpuInitError> {
        let adapter = adapter(&Self::instance(), software_requested(), None).await?;
        Self::from_adapter(&adapter).await
    }

    /// As [`Gpu::headless`], but software comes first: pictures are then the same everywhere.
    ///
    /// # Errors
    /// When there is no adapter or it gives no device.
    pub fn headless_preferring_software() -> Result<Self, GpuInitError> {
        let adapter = pollster::block_on(adapter(&Self::instance(), true, None))?;
        pollster::block_on(Self::from_adapter(&adapter))
    }

    /// A device that can present to `surface`, and its adapter.
    ///
    /// # Errors
    /// When no adapter can, or it gives no device.
    pub async fn for_surface(
        instance: &wgpu::Instance,
        surface: &wgpu::Surface<'_>,
    ) -> Result<(Self, wgpu::Adapter), GpuInitError> {
        let adapter = adapter(instance, software_requested(), Some(surface)).await?;
        Ok((Self::from_adapter(&adapter).await?, adapter))
    }

    async fn from_adapter(adapter: &wgpu::Adapter) -> Result<Self, GpuInitError> {
        let info = adapter.get_info();
        let available = adapter.limits();
        let wanted = wgpu::Features::TIMESTAMP_QUERY
            | INSIDE_PASSES
            | wgpu::Features::INDIRECT_FIRST_INSTANCE
            | COMPRESSED;
        let mut features = adapter.features() & wanted;
        if info.device_type == wgpu::DeviceType::Cpu {
            // All memory is its own. Elsewhere such buffers are slow to read.
            features |= adapter.features() & wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
        }
        let defaults = wgpu::Limits::default();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("rigscope"),
            required_features: features,
            // Only what grows with the model and the window is raised.
            required_limits: wgpu::Limits {
                max_texture_dimension_2d: available.max_texture_dimension_2d,
                max_buffer_size: available.max_buffer_size,
                max_storage_buffer_binding_size: available.max_storage_buffer_binding_size,
                ..defaults
            },
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            GpuInitError::Device { name: info.name.clone(), reason: error.to_string() }
        })?;
        let samples =
            adapter.get_texture_format_features(COLOR_VIEW_FORMAT).flags.sample_count_supported(4);
        Ok(Self::from_device(device, queue, info, samples))
    }

    /// Wraps a device made elsewhere (by a test, or shared with another renderer); its error and
    /// lost handlers are replaced.
    pub fn from_device(
        device: wgpu::Device,
        queue: wgpu::Queue,
        info: wgpu::AdapterInfo,
        msaa4: bool,
    ) -> Self {
        let limits = device.limits();
        // A driver that draws on the CPU decodes blocks at every look.
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        let is_browser = info.backend == wgpu::Backend::BrowserWebGpu;
        let compressed = match is_software {
            true => wgpu::Features::empty(),
            false => device.features() & COMPRESSED,
        };
        let caps = Caps {
            compressed,
            max_texture: limits.max_texture_dimension_2d,
            max_buffer: limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
            timestamps: device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            // Software draws a render pass when it ends, so that all marks in it are one.
            timestamps_inside: !is_software && device.features().contains(INSIDE_PASSES),
            // SwiftShader resolves samples by the texture's format, and not by the view's: pictures come out dark.
            msaa4: msaa4 && !(is_browser && is_software),
            is_software,
            maps_buffers: device.features().contains(wgpu::Features::MAPPABLE_PRIMARY_BUFFERS),
            can_wait: !is_browser,
            has_cube_seams: is_browser && is_software,
        };
        let errors = ErrorLog::default();
        let log = errors.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            log.push(error.to_string());
        }));
        let lost = Arc::new(AtomicBool::new(false));
        let (flag, log) = (Arc::clone(&lost), errors.clone());
        device.set_device_lost_callback(move |reason, message| {
            log.push(format!("the GPU was lost ({reason:?}): {message}"));
            flag.store(true, Ordering::Release);
        });
        Self { device, queue, info, caps, errors, lost }
    }

    /// Whether the device is gone: everything made with it must be made again with a new one.
    pub fn lost(&self) -> bool {
        // The news of a loss arrives while the device is looked after; asking a lost device's
        // surface for a frame first ends the program.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.lost.load(Ordering::Acquire)
    }

    /// What went wrong so far that nobody waited for.
    pub fn errors(&self) -> &ErrorLog {
        &self.errors
    }

    /// The same device with smaller limits, to see what happens on lesser hardware.
    #[must_use]
    pub fn with_max_buffer(mut self, max_buffer: u64) -> Self {
        self.caps.max_buffer = self.caps.max_buffer.min(max_buffer);
        self
    }
}

/// The best adapter, of those that can present to `surface`.
async fn adapter(
    instance: &wgpu::Instance,
    prefers_software: bool,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<wgpu::Adapter, GpuInitError> {
    let backends = instance_descriptor().backends;
    let mut adapters = instance.enumerate_adapters(backends).await;
    if adapters.is_empty() {
        // Browsers have one to give and no list.
        let asked = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..Default::default()
        };
        adapters.extend(instance.request_adapter(&asked).await.ok());
    }
    let found: Vec<_> = adapters.iter().map(|a| a.get_info().name).collect();
    let can_present = |adapter: &wgpu::Adapter| {
        surface.is_none_or(|surface| adapter.is_surface_supported(surface))
    };
    let best = adapters
        .into_iter()
        .filter(can_present)
        .min_by_key(|adapter| rank(adapter.get_info().device_type, prefers_software));
    best.ok_or_else(|| GpuInitError::NoAdapter { tried: tried(backends, &found) })
}

fn instance_descriptor() -> wgpu::InstanceDescriptor {
    let asked = wgpu::Backends::from_env().unwrap_or(BACKENDS);
    wgpu::InstanceDescriptor {
        backends: asked & BACKENDS,
        // Validation layers cost start-up time; wgpu checks all calls itself. WGPU_VALIDATION=1
        // turns them on.
        flags: wgpu::InstanceFlags::empty().with_env(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }
}

/// Has the allocator keep what is freed for what comes next, for drivers that draw on the CPU: llvmpipe gives the
/// memory of a picture's triangles back after every 36 MB of them and takes it again, and each page that a system
/// gives anew is first made zero.
///
/// glibc keeps up to twice the largest block of those below 32 MB that was mapped for itself and has been freed
/// (mallopt(3), `M_MMAP_THRESHOLD`: "the dynamic mmap threshold"). None of its pages is touched. Other allocators
/// have rules of their own, and take no notice.
fn keep_freed_memory() {
    const LARGEST_BYTES: usize = (32 << 20) - (64 << 10);
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGEST_BYTES)));
}

fn software_requested() -> bool {
    std::env::var(SOFTWARE_VARIABLE).is_ok_and(|value| value == "1")
}

/// Smaller is better.
fn rank(kind: wgpu::DeviceType, prefers_software: bool) -> u32 {
    match kind {
        wgpu::DeviceType::Cpu if prefers_software => 0,
        wgpu::DeviceType::DiscreteGpu => 1,
        wgpu::DeviceType::IntegratedGpu => 2,
        wgpu::DeviceType::VirtualGpu => 3,
        wgpu::DeviceType::Other => 4,
        wgpu::DeviceType::Cpu => 5,
    }
}

/// The interfaces asked and the adapters they have, in words.
fn tried(backends: wgpu::Backends, found: &[String]) -> String {
    let names: Vec<_> = backends.iter_names().map(|(n, _)| n.to_lowercase()).collect();
    let asked = match names.is_empty() {
        true => "none that WGPU_BACKEND allows".to_owned(),
        false => names.join(", "),
    };
    match found.is_empty() {
        true => asked,
        false => format!("{asked}; {} cannot be used", found.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_kept_once() {
        let log = ErrorLog::default();
        log.push("a".into());
        log.clone().push("b".into());
        log.push("a".into());
        assert_eq!(log.messages(), ["a", "b"]);
    }

    #[test]
    fn software_comes_last_unless_it_is_asked_for() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu};
        assert!(rank(DiscreteGpu, false) < rank(IntegratedGpu, false));
        assert!(rank(IntegratedGpu, false) < rank(Cpu, false));
        assert!(rank(Cpu, true) < rank(DiscreteGpu, true));
    }

    #[test]
    fn errors_are_sentences_that_name_what_was_tried() {
        let error =
            GpuInitError::NoAdapter { tried: tried(wgpu::Backends::VULKAN, &["old card".into()]) };
        let text = error.to_string();
        assert!(text.contains("vulkan") && text.contains("old card"), "{text}");
    }
}
