//! The dialog that lists the programs of the user that read further formats.

use egui::{Grid, Id, Modal, RichText, ScrollArea, TextEdit, Ui};

use super::buttons::close_button_ui;
use super::theme::gap;
use super::widgets::card;
use rigscope_io::files::external::ReaderProgram;
use rigscope_state::{Action, AppState, Dialog, ReaderChange, ReadersAction, command_words};

const WIDTH: f32 = 640.0;
const MARGIN: f32 = 20.0;
/// Height of the list without scrolling.
const LIST_HEIGHT: f32 = 220.0;
const INTRODUCTION: &str = "A program that prints a model as GLB or as Rigscope JSON makes its format readable here \
    and on the command line. The manual's chapter \"Your own format\" shows how to write one.";

/// In egui's memory while the dialog is open.
#[derive(Clone, Default)]
struct ReaderInput {
    name: String,
    command: String,
    extensions: String,
}

pub(super) fn readers_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let id = Id::unique("readers");
    let ctx = ui.ctx();
    if state.dialog != Some(Dialog::Readers) {
        ctx.data_mut(|data| data.remove::<ReaderInput>(id));
        return;
    }
    let mut typed = ctx.data(|data| data.get_temp::<ReaderInput>(id)).unwrap_or_default();
    let modal = Modal::new(id.with("window")).frame(card(ui).inner_margin(MARGIN));
    let response = modal.show(ctx, |ui| {
        ui.set_width(WIDTH.min(ctx.content_rect().width() - 4.0 * MARGIN));
        ui.heading("Readers for other formats");
        ui.add_space(gap::MEDIUM);
        ui.label(INTRODUCTION);
        ui.add_space(gap::MEDIUM);
        let list = &state.readers;
        if let Some(fault) = &list.fault {
            ui.colored_label(ui.visuals().error_fg_color, fault);
        } else {
            list_ui(ui, &list.programs, out);
            ui.add_space(gap::LARGE);
            form_ui(ui, &mut typed, out);
        }
        ui.add_space(gap::MEDIUM);
        if !list.path.is_empty() {
            ui.weak(format!(
                "Stored in {}, where limits of time and memory can be set.",
                list.path
            ));
        }
        ui.add_space(gap::LARGE);
        close_button_ui(ui)
    });
    if response.inner || response.should_close() {
        out.push(Action::CloseDialog);
    }
    ctx.data_mut(|data| data.insert_temp(id, typed));
}

fn list_ui(ui: &mut Ui, programs: &[ReaderProgram], out: &mut Vec<Action>) {
    if programs.is_empty() {
        ui.weak("No readers yet.");
        return;
    }
    ScrollArea::vertical().id_salt("reader list").max_height(LIST_HEIGHT).show(ui, |ui| {
        Grid::new("reader list").num_columns(4).striped(true).show(ui, |ui| {
            for program in programs {
                ui.label(&program.name);
                let extensions = program.extensions.iter().map(|extension| format!(".{extension}"));
                ui.label(extensions.collect::<Vec<_>>().join(" "));
                let command = RichText::new(program.command.join(" ")).monospace();
                ui.add(egui::Label::new(command).truncate());
                let remove = ui
                    .small_button("Remove")
                    .on_hover_text("Files of its extensions can't be opened any more.");
                if remove.clicked() {
                    let change = ReaderChange::Remove(program.name.clone());
                    out.push(Action::Readers(ReadersAction::Change(change)));
                }
                ui.end_row();
            }
        });
    });
}

fn form_ui(ui: &mut Ui, typed: &mut ReaderInput, out: &mut Vec<Action>) {
    ui.strong("Add a reader");
    Grid::new("new reader").num_columns(2).show(ui, |ui| {
        let mut row = |name: &str, text: &mut String, hint: &str| {
            let label = ui.label(name);
            let hint = format!("such as {hint}");
            let edit = TextEdit::singleline(text).hint_text(hint).desired_width(f32::INFINITY);
            ui.add(edit).labelled_by(label.id);
            ui.end_row();
        };
        row("Name", &mut typed.name, "my_engine");
        row("Command", &mut typed.command, "python read_hero.py {file}");
        row("Extensions", &mut typed.extensions, "hero");
    });
    ui.add_space(gap::SMALL);
    let name = typed.name.trim();
    let command = command_words(&typed.command);
    let extensions: Vec<String> = (typed.extensions.split([',', ' ']))
        .map(|extension| extension.trim_start_matches('.').to_lowercase())
        .filter(|extension| !extension.is_empty())
        .collect();
    let is_complete = !name.is_empty() && !command.is_empty() && !extensions.is_empty();
    let add = ui.add_enabled(is_complete, egui::Button::new("Add"));
    let add = add.on_hover_text(
        "Adds the reader. The program runs with your rights whenever a file with such an extension is opened.",
    );
    if add.on_disabled_hover_text("A name, a command and an extension are needed.").clicked() {
        let name = name.to_owned();
        let change = ReaderChange::Add { name, command, extensions };
        out.push(Action::Readers(ReadersAction::Change(change)));
        *typed = ReaderInput::default();
    }
}
