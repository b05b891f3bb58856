//! The list of shortcuts: mouse actions and every command with a shortcut, with a search field.

use egui::{Grid, Id, RichText, ScrollArea, Ui, vec2};

use super::search_field::{focus_when_opened, search_field_ui};
use super::shortcuts::{key_text, shortcuts};
use super::theme::gap;
use rigscope_state::{AppState, Command, MENUS};

/// Height of the list, and the space for title, search field and button in a low window.
const HEIGHT: f32 = 440.0;
const BESIDE: f32 = 160.0;

/// Mouse actions in the view, except moving the camera.
const MOUSE: [(&str, &str); 8] = [
    ("Shift+right drag", "Rotate the environment that lights the model"),
    ("Click", "Select, as chosen under Pick in the view"),
    ("Ctrl+click", "Select a vertex"),
    ("Alt+click", "Select a triangle"),
    ("Hover", "Show details of the object"),
    ("Double click", "Select and frame"),
    ("Right click", "Select, and open a menu"),
    ("Compass", "Click an axis for its view, drag to orbit"),
];

/// Mouse actions on the timeline.
const TIMELINE: [(&str, &str); 4] = [
    ("Press, drag", "Go to that time"),
    ("Shift+drag", "Go to the nearest key"),
    ("Wheel", "Zoom"),
    ("Ctrl+wheel, middle", "Pan"),
];

pub(super) fn shortcut_list_ui(ui: &mut Ui, state: &AppState) {
    let id = Id::unique("search keys");
    let mut sought: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let name = "Search shortcuts";
    let field = search_field_ui(ui, &mut sought, name, name, f32::INFINITY);
    focus_when_opened(&field);
    if field.changed() {
        ui.data_mut(|data| data.insert_temp(id, sought.clone()));
    }
    ui.add_space(gap::SMALL);
    let words: Vec<String> = sought.split_whitespace().map(str::to_lowercase).collect();
    // Constant height, so that nothing moves under the pointer while searching.
    let height = HEIGHT.min(ui.ctx().content_rect().height() - BESIDE);
    let list = ScrollArea::vertical().auto_shrink([false, false]);
    list.max_height(height).min_scrolled_height(height).show(ui, |ui| {
        let mut is_empty = true;
        let camera = state.settings.navigation.texts();
        for (title, rows) in [
            ("Mouse, in the view", camera.iter().chain(&MOUSE)),
            ("Mouse, on the timeline", TIMELINE.iter().chain(&[])),
        ] {
            let rows = rows.map(|&(what, means)| (what.to_owned(), means, ""));
            is_empty &= !section_ui(ui, title, rows, &words);
        }
        for menu in MENUS {
            let commands = menu.commands().filter(|command| !command.info().keys.is_empty());
            let rows: Vec<_> = commands.map(|command| row(ui, command)).collect();
            is_empty &= !section_ui(ui, menu.name, rows.into_iter(), &words);
        }
        if is_empty {
            ui.weak("No command or shortcut matches.");
        }
    });
}

fn row(ui: &Ui, command: Command) -> (String, &'static str, &'static str) {
    let keys: Vec<_> = shortcuts(command).map(|key| key_text(ui.ctx(), &key)).collect();
    (keys.join(", "), command.info().name, command.info().help)
}

/// The rows that contain all words in shortcut, name or help. Returns whether there are any.
fn section_ui(
    ui: &mut Ui,
    title: &str,
    rows: impl Iterator<Item = (String, &'static str, &'static str)>,
    words: &[String],
) -> bool {
    let is_sought = |(keys, name, help): &(String, &str, &str)| {
        let text = format!("{keys} {name} {help} {title}").to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let rows: Vec<_> = rows.filter(is_sought).collect();
    if rows.is_empty() {
        return false;
    }
    ui.label(RichText::new(title).strong());
    Grid::new(title).num_columns(2).min_col_width(210.0).spacing(vec2(16.0, 3.0)).show(ui, |ui| {
        for (keys, name, help) in rows {
            ui.monospace(keys);
            let label = ui.label(name);
            if !help.is_empty() {
                label.on_hover_text(help);
            }
            ui.end_row();
        }
    });
    ui.add_space(gap::MEDIUM);
    true
}
