//! The GPU device, its capabilities, and its errors.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::image_formats::COLOR_VIEW_FORMAT;

/// APIs with the required features: storage buffers in every stage.
const BACKENDS: wgpu::Backends = wgpu::Backends::VULKAN
    .union(wgpu::Backends::METAL)
    .union(wgpu::Backends::DX12)
    .union(wgpu::Backends::BROWSER_WEBGPU);
/// If 1, a software adapter is preferred to hardware.
const SOFTWARE_VARIABLE: &str = "RIGSCOPE_SOFTWARE";

/// A device, its queue, and its capabilities.
///
/// Cloning shares the device.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    pub info: wgpu::AdapterInfo,
    pub caps: Caps,
    errors: ErrorLog,
    lost: Arc<AtomicBool>,
}

/// Compressed texture formats.
const COMPRESSED: wgpu::Features = wgpu::Features::TEXTURE_COMPRESSION_BC
    .union(wgpu::Features::TEXTURE_COMPRESSION_ETC2)
    .union(wgpu::Features::TEXTURE_COMPRESSION_ASTC);

/// Timestamps between the draws of a render pass.
const INSIDE_PASSES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;

/// Capabilities of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Largest width and height of a texture, in pixels.
    pub max_texture: u32,
    /// Largest buffer that a shader can read, in bytes.
    pub max_buffer: u64,
    /// Compressed texture formats that are uploaded without decoding.
    pub compressed: wgpu::Features,
    /// Passes can be timed.
    pub timestamps: bool,
    /// Draws within a pass can be timed.
    pub timestamps_inside: bool,
    /// [`super::Msaa::X4`] is supported.
    pub msaa4: bool,
    /// The adapter renders on the CPU, so the cost of each pixel matters.
    pub is_software: bool,
    /// The CPU can write to memory that the GPU reads.
    pub maps_buffers: bool,
    /// A thread may block on the device; in browsers, none may.
    pub can_wait: bool,
    /// The adapter doesn't filter across cube edges and reads undefined memory beyond a face, also for texels of
    /// weight 0. SwiftShader does so as driven by Chromium, which browsers use to render on the CPU.
    pub has_cube_seams: bool,
}

/// How to get a driver.
const INSTALL: &str = if cfg!(target_arch = "wasm32") {
    "Use a browser with WebGPU"
} else if cfg!(target_os = "linux") {
    "Install one; on Debian and Ubuntu: apt install mesa-vulkan-drivers. Commands that don't draw, such as info, \
     validate and convert, work without one"
} else {
    "Install the driver of the GPU's manufacturer. Commands that don't draw, such as info, validate and convert, work \
     without one"
};

/// Why no device is available.
#[derive(Debug, thiserror::Error)]
pub enum GpuInitError {
    #[error("{problem}")]
    NoAdapter {
        /// The missing driver, or the adapters that can't be used.
        problem: String,
    },
    /// The adapter didn't provide a device.
    #[error("the GPU {name} couldn't be opened: {reason}")]
    Device {
        name: String,
        /// As reported by the driver.
        reason: String,
    },
}

impl GpuInitError {
    /// The error if no graphics API of this system can draw.
    #[must_use]
    pub fn no_driver() -> Self {
        Self::NoAdapter { problem: problem(instance_descriptor().backends, &[]) }
    }
}

/// Distinct messages of a device, in the order of their first occurrence. Cloning shares the log.
#[derive(Clone, Debug, Default)]
pub struct ErrorLog(Arc<Mutex<Vec<String>>>);

impl ErrorLog {
    /// Adds `message` unless it is already in the log.
    pub fn push(&self, message: String) {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !messages.contains(&message) {
            messages.push(message);
        }
    }

    pub fn messages(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Gpu {
    /// An instance for creating a window's surface. It is limited to the supported APIs and, if
    /// `WGPU_BACKEND` is set, to the APIs named there.
    #[must_use]
    pub fn instance() -> wgpu::Instance {
        wgpu::Instance::new(instance_descriptor())
    }

    /// A device for rendering without a window.
    ///
    /// Hardware is preferred, or software if the environment variable `RIGSCOPE_SOFTWARE` is 1.
    ///
    /// # Errors
    /// If there is no adapter or it provides no device.
    pub fn headless() -> Result<Self, GpuInitError> {
        let gpu = pollster::block_on(Self::open())?;
        if gpu.caps.is_software {
            // Only for programs that exit after rendering: a window would hold on to the freed memory all
            // day.
            keep_freed_memory();
        }
        Ok(gpu)
    }

    /// The asynchronous version of [`Gpu::headless`], for use where blocking isn't allowed.
    ///
    /// # Errors
    /// If there is no adapter or it provides no device.
    pub async fn open() -> Result<Self, GpuInitError> {
        let adapter = adapter(&Self::instance(), software_requested(), None).await?;
        Self::from_adapter(&adapter).await
    }

    /// Like [`Gpu::headless`], but prefers software, so that images are the same on every machine.
    ///
    /// # Errors
    /// If there is no adapter or it provides no device.
    pub fn headless_preferring_software() -> Result<Self, GpuInitError> {
        let adapter = pollster::block_on(adapter(&Self::instance(), true, None))?;
        pollster::block_on(Self::from_adapter(&adapter))
    }

    /// A device that can present to `surface`, and its adapter.
    ///
    /// # Errors
    /// If no adapter can present to it, or it provides no device.
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
            // Its memory is ordinary RAM. On hardware, such buffers are slow to read.
            features |= adapter.features() & wgpu::Features::MAPPABLE_PRIMARY_BUFFERS;
        }
        let defaults = wgpu::Limits::default();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("rigscope"),
            required_features: features,
            // Raises only the limits that depend on the size of the model and the window.
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

    /// Wraps an existing device (of a test, or shared with another renderer). Replaces its error and
    /// device-lost handlers.
    pub fn from_device(
        device: wgpu::Device,
        queue: wgpu::Queue,
        info: wgpu::AdapterInfo,
        msaa4: bool,
    ) -> Self {
        let limits = device.limits();
        // A driver that renders on the CPU decodes compressed blocks on every access.
        let is_software = info.device_type == wgpu::DeviceType::Cpu;
        let is_browser = info.backend == wgpu::Backend::BrowserWebGpu;
        let compressed =
            if is_software { wgpu::Features::empty() } else { device.features() & COMPRESSED };
        let caps = Caps {
            compressed,
            max_texture: limits.max_texture_dimension_2d,
            max_buffer: limits.max_buffer_size.min(limits.max_storage_buffer_binding_size),
            timestamps: device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            // Software adapters execute a render pass when it ends, so all timestamps in it are the same.
            timestamps_inside: !is_software && device.features().contains(INSIDE_PASSES),
            // SwiftShader resolves samples in the texture's format instead of the view's, which makes
            // images too dark.
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

    /// Whether the device is lost. Its resources must then be created again with a new one.
    pub fn lost(&self) -> bool {
        // A loss is only noticed while polling. Requesting a frame from the surface of a lost device would
        // crash.
        let _ = self.device.poll(wgpu::PollType::Poll);
        self.lost.load(Ordering::Acquire)
    }

    /// Errors so far that weren't returned to a caller.
    pub fn errors(&self) -> &ErrorLog {
        &self.errors
    }

    /// The same device with a smaller limit, to test behavior on weaker hardware.
    #[must_use]
    pub fn with_max_buffer(mut self, max_buffer: u64) -> Self {
        self.caps.max_buffer = self.caps.max_buffer.min(max_buffer);
        self
    }
}

/// The best adapter, of those that can present to `surface` if there is one.
async fn adapter(
    instance: &wgpu::Instance,
    prefers_software: bool,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<wgpu::Adapter, GpuInitError> {
    let backends = instance_descriptor().backends;
    let mut adapters = instance.enumerate_adapters(backends).await;
    if adapters.is_empty() {
        // Browsers can't enumerate adapters; they provide a single one.
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
    best.ok_or_else(|| GpuInitError::NoAdapter { problem: problem(backends, &found) })
}

fn instance_descriptor() -> wgpu::InstanceDescriptor {
    let is_set = std::env::var_os("WGPU_BACKEND").is_some_and(|names| !names.is_empty());
    let asked = wgpu::Backends::from_env().filter(|_| is_set).unwrap_or(BACKENDS);
    wgpu::InstanceDescriptor {
        backends: asked & BACKENDS,
        // Validation layers slow down the start, and wgpu validates all calls itself. WGPU_VALIDATION=1
        // enables them.
        flags: wgpu::InstanceFlags::empty().with_env(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    }
}

/// Makes the allocator keep freed memory for reuse, for drivers that render on the CPU: llvmpipe frees the
/// memory of an image's triangles after every 36 MB and allocates it again, and the system zeroes each new
/// page.
///
/// glibc keeps up to twice the size of the largest freed block below 32 MB that was allocated by mmap
/// (mallopt(3), `M_MMAP_THRESHOLD`: "the dynamic mmap threshold"). The block's pages are never touched.
/// Other allocators aren't affected.
fn keep_freed_memory() {
    const LARGEST_BYTES: usize = (32 << 20) - (64 << 10);
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGEST_BYTES)));
}

fn software_requested() -> bool {
    std::env::var(SOFTWARE_VARIABLE).is_ok_and(|value| value == "1")
}

/// Lower is better.
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

/// The missing driver, or the adapters `found` with `backends` that can't be used.
fn problem(backends: wgpu::Backends, found: &[String]) -> String {
    let name = |backend| match backend {
        wgpu::Backends::VULKAN => "Vulkan",
        wgpu::Backends::METAL => "Metal",
        wgpu::Backends::DX12 => "Direct3D 12",
        wgpu::Backends::GL => "OpenGL",
        _ => "WebGPU",
    };
    // Only the APIs of this system.
    let backends = backends & wgpu::Instance::enabled_backend_features();
    let names: Vec<_> = backends.iter().map(name).collect();
    if names.is_empty() {
        "WGPU_BACKEND excludes all graphics APIs of this system; unset it".to_owned()
    } else if found.is_empty() {
        format!("no {} driver found. {INSTALL}", names.join(" or "))
    } else {
        format!("the GPU can't be used: {}", found.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_messages_are_stored_once() {
        let log = ErrorLog::default();
        log.push("a".into());
        log.clone().push("b".into());
        log.push("a".into());
        assert_eq!(log.messages(), ["a", "b"]);
    }

    #[test]
    fn software_comes_last_unless_requested() {
        use wgpu::DeviceType::{Cpu, DiscreteGpu, IntegratedGpu};
        assert!(rank(DiscreteGpu, false) < rank(IntegratedGpu, false));
        assert!(rank(IntegratedGpu, false) < rank(Cpu, false));
        assert!(rank(Cpu, true) < rank(DiscreteGpu, true));
    }

    #[test]
    fn missing_adapter_error_names_the_tried_backends_and_adapters() {
        let text = |found: &[String]| {
            let problem = problem(wgpu::Backends::VULKAN, found);
            GpuInitError::NoAdapter { problem }.to_string()
        };
        assert!(text(&[]).starts_with("no Vulkan driver found. Install one"), "{}", text(&[]));
        assert!(text(&["old card".into()]).contains("can't be used: old card"));
    }
}
