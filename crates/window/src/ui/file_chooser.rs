//! The built-in file dialog, for systems without file dialogs.

use egui::{
    Align, Button, ComboBox, Context, Event, Id, Key, Layout, Modal, Modifiers, Response, RichText,
    ScrollArea, Sense, TextEdit, Ui,
};

use super::buttons::buttons_ui;
use super::format;
use super::theme::gap;
use super::widgets::card;
use rigscope_core::model::display_text;
use rigscope_io::files::FolderEntry;
use rigscope_state::{Action, AppState, ChooserAction, Dialog, FileChooser};

const REASON: &str =
    "No desktop portal and no zenity were found, so Rigscope shows its own file chooser.";

const WIDTH: f32 = 640.0;
const MARGIN: f32 = 20.0;
const LIST_HEIGHT: f32 = 320.0;
/// Height of the dialog without its list.
const OTHER_HEIGHT: f32 = 250.0;
/// Rows of a page, by which Page Up and Page Down move.
const PAGE_ROWS: usize = 12;

pub(super) fn file_chooser_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let ctx = ui.ctx();
    let id = Id::unique("file chooser");
    let chooser = state.chooser.as_ref().filter(|_| state.dialog == Some(Dialog::Files));
    let Some(chooser) = chooser else {
        ctx.data_mut(|data| data.remove::<bool>(id));
        return;
    };
    let is_new = !ctx.data(|data| data.get_temp::<bool>(id)).unwrap_or_default();
    ctx.data_mut(|data| data.insert_temp(id, true));
    let field = id.with("name");
    let shown = chooser.shown();
    let mut actions = Vec::new();
    // Another widget that has the focus uses the keys itself.
    if ctx.memory(|memory| memory.focused().is_none_or(|focused| focused == field)) {
        keys(ctx, chooser, shown.len(), &mut actions);
    }
    let has_moved = !actions.is_empty();
    let content = ctx.content_rect();
    let modal = Modal::new(id.with("window")).frame(card(ui).inner_margin(MARGIN));
    let response = modal.show(ctx, |ui| {
        ui.set_width(WIDTH.min(content.width() - 4.0 * MARGIN));
        ui.heading(chooser.dialog.title);
        ui.weak(REASON);
        ui.add_space(gap::MEDIUM);
        folder_ui(ui, chooser, &mut actions);
        ui.add_space(gap::SMALL);
        let edit = field_ui(ui, chooser, field, &mut actions);
        if is_new {
            edit.request_focus();
        }
        ui.add_space(gap::SMALL);
        let height = LIST_HEIGHT.min(content.height() - OTHER_HEIGHT);
        list_ui(ui, chooser, &shown, (height, has_moved), &mut actions);
        ui.add_space(gap::SMALL);
        filters_ui(ui, chooser, &mut actions);
        ui.add_space(gap::MEDIUM);
        end_ui(ui, chooser, &mut actions)
    });
    out.extend(actions.into_iter().map(Action::Chooser));
    if response.inner || response.should_close() {
        out.push(Action::CloseDialog);
    }
}

/// The keys of the name field and the list.
fn keys(ctx: &Context, chooser: &FileChooser, num_rows: usize, actions: &mut Vec<ChooserAction>) {
    ctx.input_mut(|input| {
        let mut is_up = input.consume_key(Modifiers::ALT, Key::ArrowUp);
        is_up |= chooser.text.is_empty() && input.consume_key(Modifiers::NONE, Key::Backspace);
        if is_up && let Some(parent) = chooser.folder.parent() {
            actions.push(ChooserAction::Enter(parent.to_owned()));
        }
        for modifiers in [Modifiers::SHIFT, Modifiers::NONE] {
            let mut pressed = |key| input.count_and_consume_key(modifiers, key);
            let down = pressed(Key::ArrowDown) + PAGE_ROWS * pressed(Key::PageDown);
            let up = pressed(Key::ArrowUp) + PAGE_ROWS * pressed(Key::PageUp);
            if down == up || num_rows == 0 {
                continue;
            }
            let row = chooser.rows.cursor.map_or(0, |row| (row + down).saturating_sub(up));
            let row = row.min(num_rows - 1);
            actions.push(if modifiers.shift {
                ChooserAction::SelectTo(row)
            } else {
                ChooserAction::Select(row)
            });
        }
        // A key that is held down must not also answer the question.
        let is_new = |event: &Event| {
            matches!(event, Event::Key { key: Key::Enter, pressed: true, repeat: false, .. })
        };
        let is_new = input.events.iter().any(is_new);
        if input.consume_key(Modifiers::NONE, Key::Enter) && is_new {
            let accepts = chooser.replaces.is_none();
            actions.push(if accepts { ChooserAction::Accept } else { ChooserAction::Replace });
        }
    });
}

fn folder_ui(ui: &mut Ui, chooser: &FileChooser, actions: &mut Vec<ChooserAction>) {
    ui.horizontal(|ui| {
        let parent = chooser.folder.parent();
        let up = ui.add_enabled(parent.is_some(), Button::new("Up"));
        let up = up.on_hover_text("Shows the folder above.\nShortcut: Alt+Up");
        if up.clicked()
            && let Some(parent) = parent
        {
            actions.push(ChooserAction::Enter(parent.to_owned()));
        }
        if let Some(home) = &chooser.home
            && ui.button("Home").on_hover_text("Shows your home folder.").clicked()
        {
            actions.push(ChooserAction::Enter(home.clone()));
        }
        let folder = chooser.folder.display().to_string();
        ui.add(egui::Label::new(&*display_text::escaped(&folder)).truncate());
    });
}

fn field_ui(
    ui: &mut Ui,
    chooser: &FileChooser,
    id: Id,
    actions: &mut Vec<ChooserAction>,
) -> Response {
    let mut text = chooser.text.clone();
    let hint = if chooser.is_saving() { "Name or path" } else { "Part of a name, or a path" };
    let edit = TextEdit::singleline(&mut text).id(id).hint_text(hint);
    let edit = ui.add(edit.desired_width(f32::INFINITY)).accessible_name("File name");
    if text != chooser.text {
        actions.push(ChooserAction::Type(text));
    }
    edit
}

fn list_ui(
    ui: &mut Ui,
    chooser: &FileChooser,
    shown: &[&FolderEntry],
    (height, has_moved): (f32, bool),
    actions: &mut Vec<ChooserAction>,
) {
    egui::Frame::canvas(ui.style()).inner_margin(gap::SMALL).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.set_height(height);
        if let Some(Err(message)) = &chooser.listing {
            let message = format!("The folder can't be read: {message}.");
            ui.colored_label(ui.visuals().error_fg_color, message);
        } else if chooser.listing.is_none() {
            ui.weak("Reading the folder…");
        } else if shown.is_empty() {
            ui.weak("No folder and no matching file.");
        }
        let row_height = ui.spacing().interact_size.y;
        let mut area = ScrollArea::vertical().id_salt(&chooser.folder).auto_shrink(false);
        if let Some(row) = chooser.rows.cursor.filter(|_| has_moved) {
            let pitch = row_height + ui.spacing().item_spacing.y;
            area = area.vertical_scroll_offset((row as f32 * pitch - height * 0.5).max(0.0));
        }
        area.show_rows(ui, row_height, shown.len(), |ui, rows| {
            for (row, entry) in rows.clone().zip(&shown[rows]) {
                row_ui(ui, chooser, row, entry, actions);
            }
        });
    });
}

fn row_ui(
    ui: &mut Ui,
    chooser: &FileChooser,
    row: usize,
    entry: &FolderEntry,
    actions: &mut Vec<ChooserAction>,
) {
    let name = display_text::name(&entry.name);
    let text = if entry.is_dir { format!("{name}/") } else { name.into_owned() };
    let size = if entry.is_dir { String::new() } else { format::bytes(entry.num_bytes) };
    let is_selected = chooser.rows.selected.contains(&row);
    let layout = Layout::top_down_justified(Align::Min);
    let button = Button::selectable(is_selected, text).truncate();
    let button = button.shortcut_text(RichText::new(size).weak());
    // The arrow keys move through the list, and Tab leaves it.
    let button = button.sense(Sense::CLICK);
    let response = ui.with_layout(layout, |ui| ui.add(button)).inner;
    if response.double_clicked() {
        actions.extend([ChooserAction::Select(row), ChooserAction::Accept]);
    } else if response.clicked() {
        let modifiers = ui.input(|input| input.modifiers);
        actions.push(match (modifiers.command, modifiers.shift) {
            (true, _) => ChooserAction::Toggle(row),
            (false, true) => ChooserAction::SelectTo(row),
            (false, false) => ChooserAction::Select(row),
        });
    }
}

fn filters_ui(ui: &mut Ui, chooser: &FileChooser, actions: &mut Vec<ChooserAction>) {
    ui.horizontal(|ui| {
        let filters = &chooser.dialog.filters;
        let title = filters.get(chooser.filter).map_or("All files", |filter| &filter.name);
        let combo = ComboBox::from_id_salt("file filter").selected_text(title).width(240.0);
        let combo = combo.show_ui(ui, |ui| {
            for (number, filter) in filters.iter().enumerate() {
                if ui.selectable_label(number == chooser.filter, &filter.name).clicked() {
                    actions.push(ChooserAction::SetFilter(number));
                }
            }
        });
        combo.response.on_hover_text("Formats to list").accessible_name("Files of type");
        let mut shows_hidden = chooser.shows_hidden;
        let help = "Lists files whose names begin with a dot.";
        if ui.checkbox(&mut shows_hidden, "Hidden files").on_hover_text(help).changed() {
            actions.push(ChooserAction::ShowHidden(shows_hidden));
        }
        if let Some(Ok(listing)) = &chooser.listing
            && listing.is_cut
        {
            let num = format::count(listing.entries.len());
            ui.weak(format!("Only {num} entries are listed; type a name or a path."));
        }
    });
}

/// The question or the buttons; whether the dialog was cancelled.
fn end_ui(ui: &mut Ui, chooser: &FileChooser, actions: &mut Vec<ChooserAction>) -> bool {
    let Some(path) = &chooser.replaces else {
        let title = if chooser.is_saving() { "Save" } else { "Open" };
        let pressed = buttons_ui(ui, title, chooser.can_accept(), "Cancel");
        if pressed.main {
            actions.push(ChooserAction::Accept);
        }
        return pressed.close;
    };
    let name = path.file_name().unwrap_or_default().display().to_string();
    ui.horizontal(|ui| {
        let question = format!("{} exists. Replace it?", display_text::name(&name));
        ui.colored_label(ui.visuals().warn_fg_color, question);
        let pressed = buttons_ui(ui, "Replace", true, "Keep");
        if pressed.main {
            actions.push(ChooserAction::Replace);
        } else if pressed.close {
            actions.push(ChooserAction::Keep);
        }
    });
    false
}
