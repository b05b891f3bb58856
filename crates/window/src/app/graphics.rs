//! Everything on the GPU that belongs to the window, made as a whole and dropped as a whole.

use std::sync::Arc;

use winit::window::Window;

use super::painter::Painter;
use super::samples;
use super::surface::{self, WindowSurface};
use super::system::jobs;
use super::uv_view::UvMap;
use super::view3d::View3d;
use rigscope_gpu::{Gpu, Renderer, Timer, UiPainter};

/// The window's GPU objects.
// Dropped in this order: what draws, the surface, the device, the instance. The window outlives
// them all (it is dropped by its owner afterwards): on Wayland the other way round crashes
// (egui issues 7369 and 7660).
pub(super) struct Graphics {
    pub(super) view: View3d,
    pub(super) uv: UvMap,
    /// Keeps egui's textures.
    pub(super) egui_renderer: egui_wgpu::Renderer,
    pub(super) panels: UiPainter,
    pub(super) painter: Painter,
    /// Only where somebody wants to know what passes take.
    pub(super) timer: Option<Timer>,
    /// Threads that make something for it have it too.
    pub(super) renderer: Arc<Renderer>,
    pub(super) surface: WindowSurface,
    pub(super) gpu: Gpu,
    instance: wgpu::Instance,
}

impl Graphics {
    /// Opens the GPU for `window`.
    ///
    /// # Errors
    /// When there is none (a [`rigscope_gpu::GpuInitError`]) or it cannot draw there.
    pub(super) async fn new(window: &Arc<Window>) -> anyhow::Result<Self> {
        let instance = Gpu::instance();
        let surface = surface::create(&instance, window)?;
        let (gpu, adapter) = Gpu::for_surface(&instance, &surface).await?;
        let surface = WindowSurface::new(&adapter, &gpu, surface, window)?;
        let options = egui_wgpu::RendererOptions::default();
        let egui_renderer = egui_wgpu::Renderer::new(&gpu.device, surface.format(), options);
        let renderer = Arc::new(Renderer::new(&gpu));
        make_pipelines(&gpu, &renderer);
        let panels = UiPainter::new(&gpu, &renderer, surface.format())?;
        tracing::debug!(adapter = %adapter_name(&gpu), format = ?surface.format(), "opened the GPU");
        Ok(Self {
            view: View3d::default(),
            uv: UvMap::default(),
            egui_renderer,
            panels,
            painter: Painter::default(),
            timer: None,
            renderer,
            surface,
            gpu,
            instance,
        })
    }

    /// Makes the surface again, which the system has taken away.
    ///
    /// # Errors
    /// When the system gives no other.
    pub(super) fn renew_surface(&mut self, window: &Arc<Window>) -> anyhow::Result<()> {
        self.surface.renew(&self.instance, &self.gpu, window)
    }

    /// Begins a frame whose passes are measured, where the device can, or not.
    pub(super) fn measure_passes(&mut self, is_wanted: bool) {
        if is_wanted != self.timer.is_some() {
            self.timer = is_wanted.then(|| Timer::new(&self.gpu)).flatten();
        }
        // The last frame may have had no surface to be shown on.
        if let Some(timer) = &mut self.timer {
            timer.discard();
        }
    }

    /// The GPU's name and interface.
    pub(super) fn adapter_name(&self) -> String {
        adapter_name(&self.gpu)
    }
}

/// Makes all pipelines beside the window, so that no frame waits for one that is first needed.
fn make_pipelines(gpu: &Gpu, renderer: &Arc<Renderer>) {
    // A browser makes them beside the page by itself. Where the CPU draws, they are compiled at their first draw
    // whatever was made before, and all of them take more memory than many models.
    if !gpu.caps.can_wait || gpu.caps.is_software {
        return;
    }
    let (gpu, renderer) = (gpu.clone(), Arc::clone(renderer));
    let make = async move || {
        for msaa in samples::of_views(&gpu) {
            renderer.make_all(&gpu, msaa);
        }
    };
    // Without a thread each is made when it is needed.
    let _ = jobs::spawn_drawing("pipelines".to_owned(), make, |_| {});
}

fn adapter_name(gpu: &Gpu) -> String {
    let name = format!("{} ({})", gpu.info.name, gpu.info.backend);
    match gpu.caps.is_software {
        true => format!("{name}, smooth edges at rest"),
        false => name,
    }
}
