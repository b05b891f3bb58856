//! The window's surface, and how to handle each of its states.

use std::sync::Arc;

use anyhow::Context as _;
use winit::window::Window;

use rigscope_gpu::{Gpu, GpuInitError};

/// A surface configured for its device.
#[derive(Debug)]
pub(super) struct WindowSurface {
    /// `None` after a loss, until it is recreated.
    surface: Option<wgpu::Surface<'static>>,
    config: wgpu::SurfaceConfiguration,
    can_be_copied_to: bool,
    is_stale: bool,
    is_translucent: bool,
}

/// Result of acquiring the next frame.
#[derive(Debug)]
pub(super) enum Frame {
    Ready(wgpu::SurfaceTexture),
    /// Not available; retry immediately, because the surface has been reconfigured.
    Again,
    /// Not available and not needed: the window is hidden.
    Hidden,
    /// The surface must be recreated.
    Lost,
}

impl WindowSurface {
    /// Configures `surface` of `window` for `gpu`, which was opened on `adapter`. If it `is_translucent`, whatever is
    /// behind the window shows through.
    ///
    /// # Errors
    /// If the device can't present to it.
    pub(super) fn new(
        adapter: &wgpu::Adapter,
        gpu: &Gpu,
        surface: wgpu::Surface<'static>,
        window: &Window,
        is_translucent: bool,
    ) -> anyhow::Result<Self> {
        let capabilities = surface.get_capabilities(adapter);
        let size = window.inner_size();
        // A minimised window has a side of 0, which wgpu rejects.
        let (width, height) = (size.width.max(1), size.height.max(1));
        let mut config = surface
            .get_default_config(adapter, width, height)
            .context("the GPU can't draw in this window")?;
        // egui's output is already sRGB-encoded.
        config.format = egui_wgpu::preferred_framebuffer_format(&capabilities.formats)?;
        // On hardware GPUs, `COPY_DST` may slow presentation down.
        let can_be_copied_to =
            gpu.caps.is_software && capabilities.usages.contains(wgpu::TextureUsages::COPY_DST);
        if can_be_copied_to {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        if is_translucent {
            config.alpha_mode = wgpu::CompositeAlphaMode::PreMultiplied;
        }
        config.view_formats = Vec::new();
        config.present_mode = wgpu::PresentMode::AutoVsync;
        surface.configure(&gpu.device, &config);
        Ok(Self {
            surface: Some(surface),
            config,
            can_be_copied_to,
            is_stale: false,
            is_translucent,
        })
    }

    /// Replaces a lost surface.
    ///
    /// # Errors
    /// If the system can't provide one.
    pub(super) fn renew(
        &mut self,
        instance: &wgpu::Instance,
        gpu: &Gpu,
        window: &Arc<Window>,
    ) -> anyhow::Result<()> {
        // Drop the old surface first: a window supports only one at a time.
        self.surface = None;
        let surface = create(instance, window)?;
        surface.configure(&gpu.device, &self.config);
        self.surface = Some(surface);
        Ok(())
    }

    /// Whether frames are copied to the surface instead of drawn into it, as on software adapters.
    pub(super) fn can_be_copied_to(&self) -> bool {
        self.can_be_copied_to
    }

    /// The colour below everything painted.
    pub(super) fn clear_color(&self) -> wgpu::Color {
        if self.is_translucent { wgpu::Color::TRANSPARENT } else { wgpu::Color::BLACK }
    }

    /// The texture format for drawing.
    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.config.format
    }

    pub(super) fn size_px(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Records a new window size.
    pub(super) fn resize(&mut self, width: u32, height: u32) {
        if width > 0 && height > 0 && self.size_px() != [width, height] {
            self.config.width = width;
            self.config.height = height;
            self.is_stale = true;
        }
    }

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
            // Waiting for the next event here would deadlock with compositors that resize on their own (egui
            // issue 8171).
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

/// Creates a surface for `window`.
///
/// # Errors
/// If no graphics API can draw in the window.
pub(super) fn create(
    instance: &wgpu::Instance,
    window: &Arc<Window>,
) -> Result<wgpu::Surface<'static>, GpuInitError> {
    instance.create_surface(Arc::clone(window)).map_err(|error| {
        // The text lists errors by API and is empty if none could be loaded.
        tracing::debug!(%error, "no surface");
        GpuInitError::no_driver()
    })
}
