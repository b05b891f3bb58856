//! The window's GPU objects, created and dropped together.

use std::sync::Arc;

use winit::window::Window;

use super::paint_cache::PaintCache;
use super::sample_count;
use super::surface::{self, WindowSurface};
use super::system::jobs;
use super::uv_view::UvMap;
use super::view3d::View3d;
use rigscope_gpu::{Gpu, Renderer, Timer, UiPainter};

// Fields are dropped in this order: renderers, surface, device, instance. The window must outlive them all
// (its owner drops it afterwards): the reverse order crashes on Wayland (egui issues 7369 and 7660).
pub(super) struct Graphics {
    pub(super) view: View3d,
    pub(super) uv: UvMap,
    /// Owns egui's textures.
    pub(super) egui_renderer: egui_wgpu::Renderer,
    pub(super) ui_painter: UiPainter,
    pub(super) paint_cache: PaintCache,
    /// Only while pass timings are shown.
    pub(super) timer: Option<Timer>,
    /// Shared with upload threads.
    pub(super) renderer: Arc<Renderer>,
    pub(super) surface: WindowSurface,
    pub(super) gpu: Gpu,
    instance: wgpu::Instance,
}

impl Graphics {
    /// Opens the GPU for `window`, behind which something else may show through.
    ///
    /// # Errors
    /// If there is no GPU (a [`rigscope_gpu::GpuInitError`]) or it can't present to the window.
    pub(super) async fn new(window: &Arc<Window>, is_translucent: bool) -> anyhow::Result<Self> {
        let instance = Gpu::instance();
        let surface = surface::create(&instance, window)?;
        let (gpu, adapter) = Gpu::for_surface(&instance, &surface).await?;
        let surface = WindowSurface::new(&adapter, &gpu, surface, window, is_translucent)?;
        let options = egui_wgpu::RendererOptions::default();
        let egui_renderer = egui_wgpu::Renderer::new(&gpu.device, surface.format(), options);
        let renderer = Arc::new(Renderer::new(&gpu));
        make_pipelines(&gpu, &renderer);
        let ui_painter = UiPainter::new(&gpu, &renderer, surface.format())?;
        tracing::debug!(adapter = %adapter_name(&gpu), format = ?surface.format(), "opened the GPU");
        Ok(Self {
            view: View3d::default(),
            uv: UvMap::default(),
            egui_renderer,
            ui_painter,
            paint_cache: PaintCache::default(),
            timer: None,
            renderer,
            surface,
            gpu,
            instance,
        })
    }

    /// Recreates the surface after the system has taken it away.
    ///
    /// # Errors
    /// If the system can't provide another.
    pub(super) fn renew_surface(&mut self, window: &Arc<Window>) -> anyhow::Result<()> {
        self.surface.renew(&self.instance, &self.gpu, window)
    }

    /// Starts a frame, with pass timing if wanted and supported.
    pub(super) fn measure_passes(&mut self, is_wanted: bool) {
        if is_wanted != self.timer.is_some() {
            self.timer = is_wanted.then(|| Timer::new(&self.gpu)).flatten();
        }
        // The previous frame may not have been presented.
        if let Some(timer) = &mut self.timer {
            timer.discard();
        }
    }

    /// The GPU's name and interface.
    pub(super) fn adapter_name(&self) -> String {
        adapter_name(&self.gpu)
    }
}

/// Compiles all pipelines in the background, so that no frame waits for its first use of one.
fn make_pipelines(gpu: &Gpu, renderer: &Arc<Renderer>) {
    // Browsers compile pipelines asynchronously by themselves. Software adapters compile at the first draw
    // regardless, and all pipelines together take more memory than many models.
    if !gpu.caps.can_wait || gpu.caps.is_software {
        return;
    }
    let (gpu, renderer) = (gpu.clone(), Arc::clone(renderer));
    let make = async move || {
        for msaa in sample_count::of_views(&gpu) {
            renderer.make_all(&gpu, msaa);
        }
    };
    // Without a thread, each pipeline is compiled on first use.
    let _ = jobs::spawn_gpu_job("pipelines", make, |_| {});
}

fn adapter_name(gpu: &Gpu) -> String {
    let name = format!("{} ({})", gpu.info.name, gpu.info.backend);
    if gpu.caps.is_software {
        format!("{name}, antialiased only while nothing moves")
    } else {
        name
    }
}
