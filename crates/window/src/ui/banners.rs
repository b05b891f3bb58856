//! Cards over the view: loading, problems, drop hints.

use egui::{Align2, Area, Id, Order, ProgressBar, Rect, RichText, Ui};

use super::theme::gap;
use super::tooltips::{explained_by_command, explained_with_keys};
use super::widgets::{MAX_MESSAGE_CHARS, card, facts_ui};
use rigscope_core::model::display_text;
use rigscope_state::{Action, AppState, BytesAction, Command, Problem};

/// Shows all cards over `view`.
pub(super) fn banners_ui(ui: &Ui, state: &AppState, view: Rect, out: &mut Vec<Action>) {
    let mut top = view.top() + 12.0;
    if let Some(problem) = &state.tab.problem {
        let has_bytes = state.tab.broken.as_ref().is_some_and(|file| !file.content.is_empty());
        top = problem_ui(ui, state, problem, has_bytes, view, top, out);
    }
    if state.job.is_some() {
        job_ui(ui, state, view, top, out);
    } else if let Some(document) = &state.tab.document
        && super::frame_rate::is_unknown(document)
    {
        super::frame_rate::fps_ui(ui, view, top, out);
    }
    drop_hint_ui(ui, state, view);
}

/// A message with several lines, made safe to show and limited in length.
pub(super) fn message(text: &str) -> String {
    let end = text.char_indices().nth(MAX_MESSAGE_CHARS);
    let (text, more) = match end {
        Some((end, _)) => (text.get(..end).unwrap_or_default(), "…"),
        None => (text, ""),
    };
    let lines: Vec<_> = text.lines().map(display_text::escaped).collect();
    lines.join("\n") + more
}

/// Shows the effect of dropping the files over the window.
fn drop_hint_ui(ui: &Ui, state: &AppState, view: Rect) {
    let num = ui.input(|input| input.raw.hovered_files.len());
    if num == 0 {
        return;
    }
    let layer = egui::LayerId::new(Order::Foreground, Id::unique("drop hint"));
    let painter = ui.ctx().layer_painter(layer);
    let color = super::theme::accent(ui.visuals());
    painter.rect_filled(view, 0.0, super::theme::colors(ui.visuals()).veil);
    let stroke = egui::Stroke::new(2.0, color);
    painter.rect_stroke(view.shrink(8.0), 6.0, stroke, egui::StrokeKind::Inside);
    let text = match num {
        1 if state.drop_adds_files() => "Drop to add the file to the model".to_owned(),
        _ if state.drop_adds_files() => format!("Drop to add {num} files to the model"),
        1 => "Drop to open".to_owned(),
        _ => format!("Drop to open the largest file and add {} more", num - 1),
    };
    painter.text(
        view.center(),
        Align2::CENTER_CENTER,
        text,
        egui::FontId::proportional(20.0),
        super::theme::colors(ui.visuals()).over,
    );
}

fn problem_ui(
    ui: &Ui,
    state: &AppState,
    problem: &Problem,
    has_bytes: bool,
    view: Rect,
    top: f32,
    out: &mut Vec<Action>,
) -> f32 {
    let area = Area::new(Id::unique("problem"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(egui::pos2(view.center().x, top))
        .show(ui.ctx(), |ui| {
            let color = ui.visuals().error_fg_color;
            card(ui).stroke(egui::Stroke::new(1.0, color)).show(ui, |ui| {
                ui.set_width((view.width() - 60.0).clamp(200.0, 520.0));
                ui.label(RichText::new(&problem.title).strong().color(color));
                ui.add(egui::Label::new(message(&problem.message)).wrap());
                if !problem.facts.is_empty() {
                    ui.add_space(gap::SMALL);
                    facts_ui(ui, &problem.facts);
                }
                ui.add_space(gap::MEDIUM);
                ui.horizontal(|ui| problem_buttons_ui(ui, state, problem, has_bytes, out));
            });
        });
    area.response.rect.bottom() + 8.0
}

fn problem_buttons_ui(
    ui: &mut Ui,
    state: &AppState,
    problem: &Problem,
    has_bytes: bool,
    out: &mut Vec<Action>,
) {
    // Escape closes the message before it clears the selection.
    let escape = [Command::ClearSelection];
    let dismiss = ui.button("Dismiss");
    if explained_with_keys(dismiss, "Closes this message.", &escape).clicked() {
        out.push(Action::DismissProblem);
    }
    let help = "Opens the Bytes pane at the position of the error.";
    if has_bytes && ui.button("Show bytes").on_hover_text(help).clicked() {
        out.push(Action::Bytes(BytesAction::ShowBroken(true)));
    }
    let help = "Copies the message with all details.";
    if ui.button("Copy").on_hover_text(help).clicked() {
        out.push(Action::CopyText(problem.to_text()));
    }
    let open = ui.button("Open another file…");
    if explained_by_command(open, state, Command::Open).clicked() {
        out.push(Action::Run(Command::Open));
    }
}

fn job_ui(ui: &Ui, state: &AppState, view: Rect, top: f32, out: &mut Vec<Action>) {
    let Some(job) = &state.job else { return };
    Area::new(Id::unique("loading"))
        .order(Order::Middle)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(egui::pos2(view.center().x, top))
        .show(ui.ctx(), |ui| {
            card(ui).show(ui, |ui| {
                ui.set_width(300.0);
                ui.label(
                    RichText::new(format!("Loading {}", display_text::name(&job.target.name())))
                        .strong(),
                );
                ui.horizontal(|ui| {
                    let bar = ProgressBar::new(job.fraction).desired_width(220.0).text(job.what);
                    ui.add(bar).accessible_name("Loading");
                    let cancel = ui.button("Cancel");
                    if explained_by_command(cancel, state, Command::CancelLoad).clicked() {
                        out.push(Action::Run(Command::CancelLoad));
                    }
                });
            });
        });
}
