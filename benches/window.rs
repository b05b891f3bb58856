//! CPU time per frame of the window while a clip plays, without drawing the model: panes, actions, tessellation, and
//! the draw requests of the state.
//!
//! `cargo bench --bench window`
//!
//! A model of 131,072 vertices; the goal is 2 ms per frame.
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

#[path = "support/mod.rs"]
mod support;

use std::sync::Arc;

use egui::{Pos2, RawInput, Rect, vec2};
use rigscope_core::model::{MeshId, Model, Report, VertexId};
use rigscope_core::visual::Switch;
use rigscope_io::formats::{Opened, by_id};
use rigscope_state::{
    Action, AppState, Command, Document, LoadReason, Origin, PANES, Pane, Selection, Settings,
};
use rigscope_window::ui::{ViewTextures, theme, window_ui};
use support::full_grid;

const SIZE: egui::Vec2 = vec2(1440.0, 900.0);
const FRAME_SECS: f64 = 1.0 / 60.0;

fn main() {
    divan::main();
}

/// The user interface and its state.
struct Window {
    ctx: egui::Context,
    state: AppState,
    secs: f64,
}

/// Twice the model of the other benchmarks.
fn model() -> Model {
    let mut model = full_grid();
    let second = model.meshes[MeshId(0)].clone();
    model.meshes.push(second);
    model
}

impl Window {
    fn playing() -> Self {
        let mut state = AppState::new(Settings::default());
        let request = AppState::request(Origin::Sample, LoadReason::Open);
        let effects = state.apply(Action::Start(request.clone()));
        assert!(!effects.is_empty());
        let id = state.job.as_ref().map(|job| job.id).unwrap_or_default();
        let opened = Opened { model: model(), format: by_id("bsm2").unwrap() };
        let bytes = Arc::new(Vec::new());
        let document = Document::new(&request, bytes, opened, &Report::new()).unwrap();
        state.apply(Action::Loaded { id, document: Box::new(document), clock: String::new() });
        state.apply(Action::Run(Command::PlayPause));
        assert!(state.tab.playback.is_playing);
        let ctx = egui::Context::default();
        theme::install(&ctx);
        Self { ctx, state, secs: 0.0 }
    }

    /// One frame, as the shell does it.
    fn step(&mut self) {
        self.secs += FRAME_SECS;
        self.state.tick(FRAME_SECS);
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.secs),
            ..RawInput::default()
        };
        let mut actions = Vec::new();
        let mut output = self.ctx.run_ui(input, |ui| {
            window_ui(ui, &self.state, ViewTextures::default(), &mut actions);
        });
        for action in actions {
            self.state.apply(action);
        }
        // There is no GPU to upload them to.
        output.textures_delta.clear();
        let jobs = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        divan::black_box((jobs, self.state.layers(), self.state.marks()));
    }

    fn measure(mut self, bencher: divan::Bencher<'_, '_>) {
        // The layout isn't stable in the first frames.
        for _ in 0..5 {
            self.step();
        }
        bencher.bench_local(move || self.step());
    }
}

/// The panes that are open by default.
#[divan::bench]
fn frame_of_first_panes(bencher: divan::Bencher) {
    Window::playing().measure(bencher);
}

/// The same with a vertex selected, whose values follow the pose.
#[divan::bench]
fn frame_with_a_vertex(bencher: divan::Bencher) {
    let mut window = Window::playing();
    window.state.apply(Action::Select(Selection::Vertex {
        mesh: MeshId(1),
        vertex: VertexId(70),
        subset: None,
    }));
    window.measure(bencher);
}

/// The same with the skeleton drawn.
#[divan::bench]
fn frame_with_bones(bencher: divan::Bencher) {
    let mut window = Window::playing();
    window.state.apply(Action::Run(Command::switch(Switch::Bones)));
    window.measure(bencher);
}

/// All panes open; only those in front are drawn.
#[divan::bench]
fn frame_of_all_panes(bencher: divan::Bencher) {
    let mut window = Window::playing();
    for info in PANES {
        window.state.apply(Action::ShowPane(info.pane, true));
    }
    window.measure(bencher);
}

/// The view and one pane, to compare panes.
#[divan::bench(args = PANES.iter().map(|info| info.pane))]
fn frame_of_pane(bencher: divan::Bencher, pane: Pane) {
    let mut window = Window::playing();
    for info in PANES {
        let is_shown = matches!(info.pane, Pane::View) || info.pane == pane;
        window.state.apply(Action::ShowPane(info.pane, is_shown));
    }
    window.measure(bencher);
}
