//! One frame of the window: UI, actions, view, painting.

use std::path::PathBuf;
use std::time::Duration;

use web_time::Instant;

use egui::{ClippedPrimitive, TextureId, ViewportId};
use egui_wgpu::ScreenDescriptor;
use winit::event_loop::ActiveEventLoop;

use super::draw_context::DrawContext;
use super::graphics::Graphics;
use super::paint::paint_window;
use super::step_times::{StepTimes, WAITING};
use super::surface::Frame;
use super::system::{clipboard, clock::time_of_day};
use super::window::{App, Shell};
use super::{chosen_files, frame_times, screenshot};
use crate::ui::{ViewTextures, window_ui};
use rigscope_io::files::Inputs;
use rigscope_state::{Action, Subject, ToastLevel, UserImageAction};

/// How many times in a row a lost GPU or surface is recreated before giving up.
const MAX_REBUILDS: u32 = 2;
/// How often a window that closes by itself checks whether its content is complete.
const WAITING_INTERVAL: Duration = Duration::from_millis(50);
/// How often a hidden window checks whether it has become visible.
const HIDDEN_INTERVAL: Duration = Duration::from_millis(250);
/// Frames after which a recreated GPU counts as stable.
const SOUND_AFTER_FRAMES: u64 = 120;

impl App {
    /// Draws the window once, if it can be seen.
    pub(super) fn draw(&mut self, event_loop: &ActiveEventLoop) {
        let Some(mut shell) = self.shell.take() else { return };
        if shell.graphics.gpu.lost() {
            if let Err(error) = self.rebuild(shell, event_loop) {
                self.fail(error, event_loop);
            }
            return;
        }
        let result = self.draw_with(&mut shell, event_loop);
        self.shell = Some(shell);
        if let Err(error) = result {
            self.fail(error, event_loop);
        }
    }

    fn draw_with(&mut self, shell: &mut Shell, event_loop: &ActiveEventLoop) -> anyhow::Result<()> {
        let mut steps = StepTimes::new();
        let start = Instant::now();
        self.state.tick((start - self.last_tick).as_secs_f64());
        self.last_tick = start;
        self.state.toasts.set_clock(time_of_day());

        let mut actions = Vec::new();
        let textures = ViewTextures {
            texture: shell.graphics.view.texture(),
            uv: shell.graphics.uv.texture(),
        };
        let input = shell.egui_state.take_egui_input(&shell.window);
        let mut output = self.egui_ctx.run_ui(input, |ui| {
            window_ui(ui, &self.state, textures, &mut actions);
        });
        // Taken immediately: egui requires every delta to be applied, even if no frame is presented.
        self.textures.append(std::mem::take(&mut output.textures_delta));
        steps.end("interface");
        actions.extend(self.take_dropped(&actions));
        let has_actions = !actions.is_empty();
        for action in actions {
            self.apply(action, shell, event_loop);
        }
        // Playback advances without actions.
        #[cfg(target_arch = "wasm32")]
        super::system::embedding::report(&self.state);
        let mut platform_output = output.platform_output;
        clipboard::take_over(&mut platform_output);
        shell.egui_state.handle_platform_output(&shell.window, platform_output);
        steps.end("actions");

        let pixels_per_point = output.pixels_per_point;
        let graphics = &mut shell.graphics;
        graphics.measure_passes(self.state.shows_gpu_times());
        let is_light = self.egui_ctx.theme() == egui::Theme::Light;
        let drawer = DrawContext {
            gpu: &graphics.gpu,
            renderer: &graphics.renderer,
            timer: graphics.timer.as_ref(),
        };
        let drawn = graphics.view.draw(
            drawer,
            &mut graphics.egui_renderer,
            &self.state,
            pixels_per_point,
            is_light,
        );
        steps.end("view");
        let uv = graphics.uv.draw(
            drawer,
            &mut graphics.egui_renderer,
            &self.state,
            pixels_per_point,
            is_light,
        );
        steps.end("UV layout");
        for (model, request) in drawn.upload_requests.into_iter().chain(uv.upload_requests) {
            self.start_upload(graphics, model, request);
        }
        if let Some(failure) = drawn.failure {
            let text = format!("the model can't be drawn: {failure}");
            self.state.toasts.push(ToastLevel::Error, text);
        }
        for finding in drawn.findings {
            let text = format!("{}: {}", finding.kind.code(), finding.message);
            self.state.toasts.push(ToastLevel::Info, text);
        }
        if let Some(stats) = drawn.stats {
            let timings = &mut self.state.timings;
            (timings.triangles, timings.draws) = (stats.triangles, stats.draws);
            if drawn.is_new_model || timings.gpu_bytes.is_none() {
                let report = graphics.gpu.device.generate_allocator_report();
                timings.gpu_bytes = report.map(|report| report.total_allocated_bytes);
            }
        }
        self.report_gpu_errors(&graphics.gpu);

        self.set_textures(graphics);
        let view = graphics.view.texture().filter(|_| drawn.stats.is_some());
        let uv_view = graphics.uv.texture().filter(|_| uv.has_drawn);
        graphics.paint_cache.changed(view.into_iter().chain(uv_view));
        let jobs = self.egui_ctx.tessellate(output.shapes, pixels_per_point);
        steps.end("tessellating");
        let screen =
            ScreenDescriptor { size_in_pixels: graphics.surface.size_px(), pixels_per_point };
        // A script waits for its document, unless that can't be read.
        let has_played = self.args.script.is_none() || self.state.tab.problem.is_some();
        let is_idle = self.state.job.is_none()
            && !self.state.is_opening_group()
            && self.state.tasks.is_empty()
            && !self.state.is_comparing()
            && has_played;
        // Playback never settles, so it doesn't count as a draft.
        let is_draft = drawn.refine_in.is_some() && !self.state.tab.playback.is_playing;
        let is_settled = is_idle && !drawn.is_new_texture && !has_actions && !is_draft;
        self.take_screenshot(graphics, &jobs, &screen, is_settled);

        let mut is_hidden = false;
        let mut draws_again = has_actions || drawn.is_new_texture || uv.is_new_texture;
        let frame = graphics.surface.acquire(&graphics.gpu);
        steps.end(WAITING);
        match frame {
            Frame::Ready(frame) => {
                paint_window(graphics, jobs, &screen, &frame.texture);
                steps.end("painting");
                shell.window.pre_present_notify();
                graphics.gpu.queue.present(frame);
                graphics.view.presented();
                steps.end("presenting");
                self.surface_losses = 0;
                self.count_frame(start, &steps, graphics);
                if !graphics.view.awaits_scene() {
                    self.start_waiting();
                }
                draws_again |= self.simulate_loss(&graphics.gpu);
            }
            Frame::Again => draws_again = true,
            Frame::Lost => {
                self.surface_losses += 1;
                if self.surface_losses > MAX_REBUILDS {
                    anyhow::bail!("the GPU can no longer draw in this window");
                }
                graphics.renew_surface(&shell.window)?;
                draws_again = true;
            }
            Frame::Hidden => is_hidden = true,
        }
        for id in self.textures.free.drain() {
            graphics.egui_renderer.free_texture(&id);
        }

        let repaint_in = output
            .viewport_output
            .get(&ViewportId::ROOT)
            .map_or(Duration::MAX, |root| root.repaint_delay);
        if is_hidden {
            self.start_waiting();
            // Presenting doesn't throttle the loop while the window is hidden.
            self.plan_hidden();
            return Ok(());
        }
        let repaint_in = drawn.refine_in.map_or(repaint_in, |wait| wait.min(repaint_in));
        self.plan_next(shell, repaint_in, draws_again);
        self.exit_if_done(shell, is_settled, event_loop);
        Ok(())
    }

    /// Dropped files that no pane has claimed. This runs after the UI because only then is the pane under
    /// the pointer known.
    fn take_dropped(&mut self, actions: &[Action]) -> Option<Action> {
        let is_taken = |path: &PathBuf| {
            let mut actions = actions.iter();
            actions.any(|action| matches!(action, Action::UserImage(UserImageAction::Read(_, read)) if read == path))
        };
        let mut paths = std::mem::take(&mut self.dropped);
        paths.retain(|path| !is_taken(path));
        let dropped: Vec<_> =
            chosen_files::largest_first(paths).into_iter().map(chosen_files::classify).collect();
        (!dropped.is_empty()).then_some(Action::Drop(dropped))
    }

    /// Reopens the GPU and rebuilds everything on it from the state.
    fn rebuild(&mut self, shell: Shell, event_loop: &ActiveEventLoop) -> anyhow::Result<()> {
        tracing::warn!("the GPU was lost; rebuilding all GPU resources");
        self.rebuilds += 1;
        if self.rebuilds > MAX_REBUILDS {
            anyhow::bail!("the connection to the GPU was lost {} times in a row", self.rebuilds);
        }
        // egui uploads its fonts only once; a new context with the old memory uploads them again.
        self.reset_egui();
        self.textures.clear();
        let Shell { egui_state, graphics, window } = shell;
        // Drop the old surface first: a window supports only one at a time.
        drop(egui_state);
        drop(graphics);
        self.rebuilt_at_frame = self.state.timings.frames;
        let text = "the connection to the GPU was lost and has been restored";
        self.state.toasts.push_about(Subject::Gpu, ToastLevel::Warning, text);
        self.open_graphics(window, event_loop);
        Ok(())
    }

    /// Shows each new GPU error once.
    fn report_gpu_errors(&mut self, gpu: &rigscope_gpu::Gpu) {
        let messages = gpu.errors().messages();
        for message in messages.iter().skip(self.num_gpu_errors_shown) {
            tracing::error!("{message}");
            let line = message.lines().next().unwrap_or_default();
            let text = format!("the GPU reported an error: {line}");
            self.state.toasts.push(ToastLevel::Error, text);
        }
        self.num_gpu_errors_shown = messages.len();
    }

    /// Applies egui's texture changes.
    fn set_textures(&mut self, graphics: &mut Graphics) {
        let (device, queue) = (&graphics.gpu.device, &graphics.gpu.queue);
        for (id, deltas) in self.textures.set.drain() {
            for delta in &deltas {
                graphics.egui_renderer.update_texture(device, queue, id, delta);
            }
            // Added glyphs don't change existing ones.
            let is_other = deltas.iter().any(|delta| delta.is_whole());
            let is_seen = is_other || id != TextureId::default();
            graphics.paint_cache.changed(is_seen.then_some(id));
        }
    }

    fn count_frame(&mut self, start: Instant, steps: &StepTimes, graphics: &mut Graphics) {
        let timings = &mut self.state.timings;
        timings.frames += 1;
        timings.cpu_ms = start.elapsed().as_secs_f32() * 1e3;
        timings.steps_ms = steps.steps_ms();
        frame_times::record_frame(&mut self.state, graphics);
        let timings = &self.state.timings;
        if timings.frames - self.rebuilt_at_frame >= SOUND_AFTER_FRAMES {
            self.rebuilds = 0;
        }
        steps.log(timings.frames);
    }

    /// Schedules a check of a hidden window if anything is animated or loading.
    fn plan_hidden(&mut self) {
        let moves = self.state.wake_in_secs().is_some() || self.state.job.is_some();
        self.set_next_frame(moves.then(|| Instant::now() + HIDDEN_INTERVAL));
    }

    /// Destroys the device if the command line asked for that after this many frames. Returns whether it
    /// did.
    fn simulate_loss(&mut self, gpu: &rigscope_gpu::Gpu) -> bool {
        let is_due = self.args.lose_gpu_after_frames == Some(self.state.timings.frames);
        if is_due {
            gpu.device.destroy();
        }
        is_due
    }

    /// Writes the requested screenshot once the content is complete.
    fn take_screenshot(
        &mut self,
        graphics: &mut Graphics,
        jobs: &[ClippedPrimitive],
        screen: &ScreenDescriptor,
        is_settled: bool,
    ) {
        // If the window closes by itself, capture its last frame.
        let is_last = |wanted| self.state.timings.frames + 1 >= wanted;
        if !is_settled || !self.args.exit_after_frames.is_none_or(is_last) {
            return;
        }
        let Some(path) = self.args.screenshot.take() else { return };
        let inputs = Inputs::of(self.state.inputs());
        match screenshot::write(graphics, jobs, screen, &path, &inputs) {
            Ok(()) => {
                let text = format!("screenshot saved to {}", path.display());
                self.state.toasts.push(ToastLevel::Info, text);
            }
            Err(error) => {
                self.state.toasts.push(ToastLevel::Error, format!("{error:#}"));
                self.outcome = Err(error);
            }
        }
    }

    /// Closes the window after the requested number of frames.
    fn exit_if_done(&mut self, shell: &Shell, is_settled: bool, event_loop: &ActiveEventLoop) {
        let Some(wanted) = self.args.exit_after_frames else { return };
        if is_settled && self.state.timings.frames >= wanted {
            if let Some(problem) = &self.state.tab.problem {
                self.outcome = Err(anyhow::anyhow!("{}", problem.exact));
            } else if let Some(fault) = self.script_fault.take() {
                self.outcome = Err(anyhow::anyhow!(fault));
            }
            event_loop.exit();
        } else if is_settled {
            shell.window.request_redraw();
        } else {
            // Redraw rarely: frames without changes would slow down the work in progress.
            self.draw_within(WAITING_INTERVAL);
        }
    }
}

impl App {
    /// Applies `action` outside a frame; the next one shows it.
    pub(super) fn apply_between_frames(&mut self, action: Action, event_loop: &ActiveEventLoop) {
        let Some(mut shell) = self.shell.take() else { return };
        self.apply(action, &mut shell, event_loop);
        shell.window.request_redraw();
        self.shell = Some(shell);
    }
}
