//! The start page, in place of the view while no file is open: recent files, the sample, first steps.

use std::path::Path;
use std::sync::Arc;

use egui::{
    Align, Button, Color32, FontId, Layout, Rect, RichText, ScrollArea, Sense, StrokeKind, Ui,
    UiBuilder, pos2, vec2,
};

use super::hints::steps_ui;
use super::shortcuts::shortcut_text;
use super::theme::gap;
use super::thumbnail_textures;
use super::tooltips::explained_by_command;
use super::widgets::heading_ui;
use rigscope_core::model::display_text;
use rigscope_io::formats::FORMATS;
use rigscope_state::{Action, AppState, Command, RecentAction, RecentInfo, file_label};

/// Card of a recent file: its thumbnail and two lines of text.
const CARD: egui::Vec2 = vec2(148.0, 142.0);
const PICTURE_HEIGHT: f32 = 99.0;
const GAP: f32 = 10.0;
/// Key of the thumbnails in egui's memory.
const PICTURES: &str = "start page";
/// Wider lines are hard to read.
const MAX_WIDTH: f32 = 780.0;

/// Shows the page in `rect`.
pub(super) fn start_ui(ui: &mut Ui, state: &AppState, rect: Rect, out: &mut Vec<Action>) {
    ui.painter().rect_filled(rect, 0.0, ui.visuals().panel_fill);
    let width = (rect.width() - 48.0).clamp(CARD.x, MAX_WIDTH);
    let left = rect.center().x - width * 0.5;
    let place = Rect::from_x_y_ranges(left..=left + width + 12.0, rect.y_range());
    ui.scope_builder(UiBuilder::new().max_rect(place), |ui| {
        ScrollArea::vertical().id_salt("start").auto_shrink([false, false]).show(ui, |ui| {
            ui.set_max_width(width);
            // Slightly above the middle if there is enough space.
            ui.add_space((rect.height() * 0.08).min(60.0));
            open_ui(ui, state, out);
            ui.add_space(gap::LARGE);
            ui.scope(|ui| recent_ui(ui, state, out));
            ui.add_space(gap::LARGE);
            help_ui(ui, state);
            ui.add_space(gap::PAGE);
        });
    });
}

/// Frees the thumbnails while the page isn't shown.
pub(super) fn forget(ui: &Ui) {
    thumbnail_textures::forget(ui.ctx(), PICTURES);
}

fn open_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    ui.label(RichText::new("Rigscope").size(26.0).strong());
    ui.weak("Drop a model here, with its skeleton, animations and textures, or");
    ui.add_space(gap::MEDIUM);
    ui.horizontal(|ui| {
        let fill = ui.visuals().selection.bg_fill;
        let text = RichText::new("Open files…").color(ui.visuals().strong_text_color());
        let open = ui.add(Button::new(text).fill(fill).min_size(vec2(90.0, 28.0)));
        if explained_by_command(open, state, Command::Open).clicked() {
            out.push(Action::Run(Command::Open));
        }
        let sample = Button::new(Command::OpenSample.info().name).min_size(vec2(90.0, 28.0));
        let sample = ui.add(sample).on_hover_text(Command::OpenSample.info().help);
        if sample.clicked() {
            out.push(Action::Run(Command::OpenSample));
        }
        let again = state.start_action().filter(|_| state.shows_start());
        if let Some(again) = again
            && ui
                .button("Reopen the last tabs")
                .on_hover_text("Opens the files of the last session again.")
                .clicked()
        {
            out.push(again);
        }
    });
}

fn recent_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    heading_ui(ui, "Recent files");
    let recent = &state.settings.recent;
    if recent.is_empty() {
        ui.weak("Files that you open are listed here.");
        return;
    }
    ui.add_space(gap::TIGHT);
    ui.spacing_mut().item_spacing = vec2(GAP, GAP);
    #[expect(clippy::cast_possible_truncation, reason = "a few")]
    #[expect(clippy::cast_sign_loss, reason = "at least one")]
    let num_columns = ((ui.available_width() + GAP) / (CARD.x + GAP)).max(1.0) as usize;
    for row in recent.chunks(num_columns) {
        ui.horizontal(|ui| {
            for path in row {
                card_ui(ui, path, state.start.look(path), out);
            }
        });
    }
}

fn card_ui(ui: &mut Ui, path: &Path, look: Option<&RecentInfo>, out: &mut Vec<Action>) {
    let name = display_text::name(&file_label(path)).into_owned();
    let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let is_missing = look == Some(&RecentInfo::Missing);
    let sense = if is_missing { Sense::hover() } else { Sense::click() };
    let (rect, response) = ui.allocate_exact_size(CARD, sense);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, !is_missing, &name));
    let visuals = *ui.style().interact(&response);
    let weak = ui.visuals().weak_text_color();
    let ground = Rect::from_min_size(rect.min, vec2(CARD.x, PICTURE_HEIGHT));
    let is_pointed_at = !is_missing && (response.hovered() || response.has_focus());
    let stroke = if is_pointed_at {
        egui::Stroke::new(1.5, super::theme::accent(ui.visuals()))
    } else {
        ui.visuals().widgets.noninteractive.bg_stroke
    };
    let fill = ui.visuals().extreme_bg_color;
    ui.painter().rect(ground, 5.0, fill, stroke, StrokeKind::Inside);
    match look {
        Some(RecentInfo::Drawn(thumbnail)) => {
            let name = path.to_string_lossy();
            let texture = thumbnail_textures::texture(ui.ctx(), PICTURES, &name, thumbnail);
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture, ground.shrink(1.5), whole, Color32::WHITE);
        }
        other => {
            let text = match other {
                Some(RecentInfo::Missing) => "missing",
                Some(_) => path.extension().and_then(|e| e.to_str()).unwrap_or(""),
                None => "…",
            };
            let font = FontId::proportional(15.0);
            let center = egui::Align2::CENTER_CENTER;
            ui.painter().text(ground.center(), center, text, font, weak);
        }
    }
    let color = if is_missing { weak } else { visuals.text_color() };
    let lines = [(&name, 13.0, color, 6.0), (&folder, 11.0, weak, 24.0)];
    for (text, size, color, below) in lines {
        let line = one_line(ui, text, size, color);
        ui.painter().galley(pos2(rect.left() + 2.0, ground.bottom() + below), line, color);
    }
    if response.clicked() {
        out.push(Action::Open(path.to_owned()));
    }
    let hover = if is_missing {
        format!("{}\nThis file no longer exists.", path.display())
    } else {
        format!("{}\nOpens this file.", path.display())
    };
    response.on_hover_text(display_text::escaped(&hover).into_owned());
    if is_missing || is_pointed_at || ui.rect_contains_pointer(rect) {
        let corner = Rect::from_min_size(ground.right_top() + vec2(-23.0, 3.0), vec2(20.0, 20.0));
        let button = Button::new("×").small();
        // The button doesn't use up space in the row.
        let mut over = ui.new_child(UiBuilder::new().max_rect(corner));
        let forget = over.put(corner, button).on_hover_text("Remove from the list");
        if forget.accessible_name(format!("Remove {name} from the list")).clicked() {
            out.push(Action::Recent(RecentAction::Forget(path.to_owned())));
        }
    }
}

/// A line of text, cut at the card's width.
fn one_line(ui: &Ui, text: &str, size: f32, color: Color32) -> Arc<egui::Galley> {
    let font = FontId::proportional(size);
    let mut job =
        egui::text::LayoutJob::simple_singleline(display_text::name(text).into(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(CARD.x - 4.0);
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Navigation, and an overview of features.
fn help_ui(ui: &mut Ui, state: &AppState) {
    let is_wide = ui.available_width() > 560.0;
    let layout =
        if is_wide { Layout::left_to_right(Align::Min) } else { Layout::top_down(Align::Min) };
    ui.with_layout(layout, |ui| {
        ui.vertical(|ui| {
            if is_wide {
                ui.set_max_width(260.0);
            }
            heading_ui(ui, "First steps");
            steps_ui(ui, state, "steps of the start page");
        });
        ui.add_space(gap::PAGE);
        ui.vertical(|ui| {
            heading_ui(ui, "What you can do");
            let key = |command| shortcut_text(ui.ctx(), command);
            let lines = [
                format!(
                    "Compare two files, or a file with its previous version ({})",
                    key(Command::CompareWith)
                ),
                format!(
                    "Export to another format, with a list of the losses ({})",
                    key(Command::Export)
                ),
                format!("See any model as BSM2 would store it ({})", key(Command::AsBsm2)),
                format!("Save images, turntables and clips ({})", key(Command::SaveImage)),
                "Keep a file open: it reloads when your exporter saves it".to_owned(),
            ];
            for line in lines {
                ui.add(egui::Label::new(line).wrap());
            }
            let readable = FORMATS.iter().map(|format| &format.info).filter(|info| info.can_read);
            let mut names: Vec<_> = readable.map(|info| info.name).collect();
            // Several versions of a format are listed once.
            names.dedup();
            ui.add_space(gap::SMALL);
            let text = RichText::new(format!("Opens {}.", names.join(", "))).weak();
            ui.add(egui::Label::new(text).wrap());
        });
    });
}
