//! The window's surface: what each of its states asks for.

use std::sync::Arc;

use anyhow::Context as _;
use winit::window::Window;

use rigscope_gpu::{Gpu, GpuInitError};

/// A surface that is configured for its device.
#[derive(Debug)]
pub(super) struct WindowSurface {
    /// None after it was lost, until there is another.
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    can_be_copied_to: bool,
    is_stale: bool,
}

/// What came of asking for the next frame.
#[derive(Debug)]
pub(super) enum Frame {
    /// Draw into it.
    Ready(wgpu::SurfaceTexture),
    /// There is none now; ask again at once, the surface has been set up anew.
    Again,
    /// There is none now, and none is needed: the window cannot be seen.
    Hidden,
    /// The surface must be made again.
    Lost,
}

impl WindowSurface {
    /// Sets up `surface` of `window` for `gpu`, which was opened on `adapter`.
    ///
    /// # Errors
    /// When the device cannot present there.
    pub(super) fn new(
        adapter: &wgpu::Adapter,
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        window: &Window,
    ) -> anyhow::Result<Self> {
        let capabilities = surface.get_capabilities(adapter);
        let size = window.inner_size();
        // A side of 0 is not allowed; a minimised window has one.
        let (width, height) = (size.width.max(1), size.height.max(1));
        let mut config = surface
            .get_default_config(adapter, width, height)
            .context("the GPU cannot draw in this window")?;
        // egui writes bytes that are already sRGB.
        config.format = egui_wgpu::preferred_framebuffer_format(&capabilities.formats)?;
        // GPUs may present more slowly what can be copied to.
        let can_be_copied_to =
            gpu.caps.is_software && capabilities.usages.contains(wgpu::TextureUsages::COPY_DST);
        if can_be_copied_to {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        config.view_formats = Vec::new();
        config.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&gpu.device, &config);
        Ok(Self { surface: Some(surface), config, can_be_copied_to, is_stale: false })
    }

    /// Makes another surface in place of a lost one.
    ///
    /// # Errors
    /// When the system gives none.
    pub(super) fn renew(
        &mut self,
        instance: &wgpu::Instance,
        gpu: &Gpu,
        window: &Arc<Window>,
    ) -> anyhow::Result<()> {
        // First the old one: a window takes one surface at a time.
        self.surface = None;
        let surface = create(instance, window)?;
        surface.configure(&gpu.device, &self.config);
        self.surface = Some(surface);
        Ok(())
    }

    /// Whether frames can be copied to and need not be drawn into, where the CPU draws.
    pub(super) fn can_be_copied_to(&self) -> bool {
        self.can_be_copied_to
    }

    /// What is drawn must be in this format.
    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    /// Width and height.
    pub(super) fn size_px(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// The window has another size now.
    pub(super) fn resize(&mut self, width: u32, height: u32) {
        if width > 0 && height > 0 && self.size_px() != [width, height] {
            self.config.width = width;
            self.config.height = height;
            self.is_stale = true;
        }
    }

    /// The next frame to draw into.
    pub(super) fn acquire(&mut self, gpu: &Gpu) -> Frame {
        let Some(surface) = &self.surface else { return Frame::Lost };
        if std::mem::take(&mut self.is_stale) {
            surface.configure(&gpu.device, &self.config);
        }
        match surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(frame) => Frame::Ready(frame),
            wgpu::CurrentSurfaceTexture::Suboptimal(frame) => {
                self.is_stale = true;
                Frame::Ready(frame)
            }
            // Only waiting for the next event here hangs on compositors that resize on their own
            // (egui issue 8171).
            wgpu::CurrentSurfaceTexture::Outdated => {
                self.is_stale = true;
                Frame::Again
            }
            wgpu::CurrentSurfaceTexture::Timeout => Frame::Again,
            wgpu::CurrentSurfaceTexture::Occluded => Frame::Hidden,
            wgpu::CurrentSurfaceTexture::Lost | wgpu::CurrentSurfaceTexture::Validation => {
                Frame::Lost
            }
        }
    }
}

/// A surface for `window`.
///
/// # Errors
/// When no interface to a GPU can draw in it.
pub(super) fn create(
    instance: &wgpu::Instance,
    window: &Arc<Window>,
) -> Result<wgpu::Surface<'static>, GpuInitError> {
    instance.create_surface(Arc::clone(window)).map_err(|error| {
        // Its text is a list by interface, and empty where none could be loaded.
        tracing::debug!(%error, "no surface");
        GpuInitError::NoAdapter { tried: "all interfaces that can draw in a window".to_owned() }
    })
}
