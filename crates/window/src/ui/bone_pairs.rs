//! The Bone pairs pane: the bones of an added animation on the left, those of the model on the right. The mark of a bone shows
//! how sure its pair is.

use egui::{Button, ComboBox, RichText, ScrollArea, Sense, Stroke, TextWrapMode, Ui, vec2};
use rigscope_core::model::{BoneId, PairedBone, PairedBones, Skeleton, display_text};
use rigscope_state::{Action, AppState, BonePairsAction, Document, RelatedFileRow, Selection};

use super::theme::{accent, gap};

/// Pairs from this certainty on have the accent colour; less certain ones the warning colour.
const SURE: f32 = 0.8;
/// Indentation per level in points, and the deepest level that has one.
const INDENT: f32 = 7.0;
const MAX_INDENTS: u32 = 14;
const MARK_RADIUS: f32 = 4.0;

pub(super) fn bone_pairs_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return;
    };
    let Some((row, paired)) = state.paired_file() else {
        ui.weak(
            "Add a file with clips (Ctrl+Shift+O, or drop it on the view) to see which of its bones move which \
             bones of the model.",
        );
        return;
    };
    ui.horizontal_wrapped(|ui| {
        file_ui(ui, state, row, out);
        let num = paired.bones.iter().filter(|bone| bone.to.is_some()).count();
        let num_all = paired.bones.iter().filter(|bone| is_listed(bone)).count();
        let how = if paired.is_retargeted { "retargeted" } else { "keys copied" };
        ui.weak(format!("{num} of {num_all} bones paired, {how}"));
        buttons_ui(ui, state, paired, out);
    });
    ui.add_space(gap::SMALL);
    let from_of_to = from_of_to(document, paired);
    ui.columns_const(|[left, right]| {
        animation_ui(left, state, document, paired, out);
        model_ui(right, state, document, (paired, &from_of_to), out);
    });
}

/// The name of the file, as a choice if there are several.
fn file_ui(ui: &mut Ui, state: &AppState, row: &RelatedFileRow, out: &mut Vec<Action>) {
    let name = |row: &RelatedFileRow| display_text::name(&row.file.file).into_owned();
    if state.paired_files().nth(1).is_none() {
        ui.strong(name(row));
        return;
    }
    ComboBox::from_id_salt("animation").selected_text(name(row)).show_ui(ui, |ui| {
        for (other, _) in state.paired_files() {
            if ui.selectable_label(other.file.file == row.file.file, name(other)).clicked() {
                out.push(Action::BonePairs(BonePairsAction::ShowFile(other.file.file.clone())));
            }
        }
    });
}

fn buttons_ui(ui: &mut Ui, state: &AppState, paired: &PairedBones, out: &mut Vec<Action>) {
    let view = &state.tab.view.bone_pairs;
    let source = ui.selectable_label(view.shows_source, RichText::new("Source skeleton").small());
    let help = "Draws the skeleton of the animation over the model, in the same moment and in the size of the model.";
    if source.on_hover_text(help).clicked() {
        out.push(Action::BonePairs(BonePairsAction::ShowSource(!view.shows_source)));
    }
    let chosen = view
        .chosen
        .filter(|bone| paired.bones.get(bone.index()).is_some_and(|own| own.to.is_some()));
    let has_changes = !view.stated.entries.is_empty();
    let is_file = state.tab.document.as_ref().is_some_and(|own| own.origin.path().is_some());
    let save = if is_file {
        (
            "Save",
            "Saves your changes in a file next to the model, which is used whenever the model is opened with an animation.",
        )
    } else {
        (
            "Copy",
            "Copies the pairs that you have changed as a bone map, because the model isn't a file.",
        )
    };
    for (is_enabled, (text, help), action) in [
        (
            chosen.is_some(),
            ("Unpair", "Leaves the chosen bone of the animation without a counterpart."),
            chosen.map(BonePairsAction::Unpair),
        ),
        (has_changes, save, Some(BonePairsAction::Save)),
        (
            has_changes,
            ("Discard changes", "Returns to the pairs that were found or saved."),
            Some(BonePairsAction::Discard),
        ),
    ] {
        let button = ui.add_enabled(is_enabled, Button::new(text).small()).on_hover_text(help);
        if button.clicked() {
            out.extend(action.map(Action::BonePairs));
        }
    }
}

/// The bone of the animation that moves each bone of the model.
fn from_of_to(document: &Document, paired: &PairedBones) -> Vec<Option<BoneId>> {
    let mut found = vec![None; document.model.skeleton.len()];
    for (number, bone) in paired.bones.iter().enumerate() {
        if let Some(slot) = bone.to.and_then(|to| found.get_mut(to.index())) {
            *slot = Some(BoneId::from_index(number));
        }
    }
    found
}

fn animation_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    paired: &PairedBones,
    out: &mut Vec<Action>,
) {
    ui.weak("Animation");
    let depths = depths(paired.bones.iter().map(|bone| bone.parent));
    let chosen = state.tab.view.bone_pairs.chosen;
    let listed = paired.bones.iter().enumerate().filter(|(_, bone)| is_listed(bone));
    let listed: Vec<(usize, &PairedBone)> = listed.collect();
    rows_ui(ui, "animation bones", listed.len(), |ui, row| {
        let Some(&(number, bone)) = listed.get(row) else { return };
        let to = bone.to.map(|to| document.bone_title(to));
        let row = Row {
            depth: depths.get(number).copied().unwrap_or_default(),
            name: &bone.name,
            other: to.as_deref(),
            certainty: bone.to.map(|_| bone.certainty),
            is_selected: chosen.is_some_and(|chosen| chosen.index() == number),
            help: &help(bone, to.as_deref()),
        };
        if row_ui(ui, &row) {
            out.push(Action::BonePairs(BonePairsAction::Choose(BoneId::from_index(number))));
        }
    });
}

/// Cameras and the like are listed only if they are in a pair.
fn is_listed(bone: &PairedBone) -> bool {
    !bone.is_helper || bone.to.is_some()
}

fn help(bone: &PairedBone, to: Option<&str>) -> String {
    match to {
        Some(to) => format!(
            "moves {}: {}. Click it, then a bone of the model to change the pair.",
            display_text::name(to),
            bone.reason
        ),
        None => {
            "moves no bone of the model. Click it, then a bone of the model to make them a pair."
                .to_owned()
        }
    }
}

fn model_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    (paired, from_of_to): (&PairedBones, &[Option<BoneId>]),
    out: &mut Vec<Action>,
) {
    let chosen = state.tab.view.bone_pairs.chosen;
    let chosen_name = chosen.and_then(|bone| paired.bones.get(bone.index())).map(|bone| &bone.name);
    match chosen_name {
        Some(name) => {
            let name = display_text::name(name);
            ui.add(egui::Label::new(format!("Model: click the bone for {name}")).truncate());
        }
        None => _ = ui.weak("Model"),
    }
    let skeleton: &Skeleton = &document.model.skeleton;
    let depths = depths(skeleton.bones().iter().map(|bone| bone.parent));
    rows_ui(ui, "model bones", skeleton.len(), |ui, number| {
        let bone = BoneId::from_index(number);
        let from = from_of_to.get(number).copied().flatten();
        let own = from.and_then(|from| paired.bones.get(from.index()));
        let is_pair = chosen.is_some() && from == chosen;
        let row = Row {
            depth: depths.get(number).copied().unwrap_or_default(),
            name: &document.bone_title(bone),
            other: own.map(|own| &*own.name),
            certainty: own.map(|own| own.certainty),
            is_selected: is_pair || state.tab.selection == Selection::Bone(bone),
            help: match (chosen, is_pair) {
                (Some(_), true) => "Click to separate the pair.",
                (Some(_), false) => "Click to make it the counterpart of the chosen bone.",
                (None, _) => {
                    "Click to select it. To change a pair, click a bone of the animation first."
                }
            },
        };
        if row_ui(ui, &row) {
            out.push(match chosen {
                Some(_) => Action::BonePairs(BonePairsAction::Pair(bone)),
                None => Action::Select(Selection::Bone(bone)),
            });
        }
    });
}

/// The level of each bone. Parents may follow their children.
fn depths(parents: impl Iterator<Item = Option<BoneId>>) -> Vec<u32> {
    let parents: Vec<Option<BoneId>> = parents.collect();
    let depth = |bone: usize| {
        let above = std::iter::successors(parents.get(bone).copied().flatten(), |bone| {
            parents.get(bone.index()).copied().flatten()
        });
        // Deeper levels aren't indented further; the limit also ends a cycle.
        (0..MAX_INDENTS).zip(above).count()
    };
    (0..parents.len()).map(|bone| u32::try_from(depth(bone)).unwrap_or(MAX_INDENTS)).collect()
}

fn rows_ui(ui: &mut Ui, id: &str, num: usize, mut row_ui: impl FnMut(&mut Ui, usize)) {
    let height = ui.spacing().interact_size.y;
    ScrollArea::vertical().id_salt(id).auto_shrink([false, false]).show_rows(
        ui,
        height,
        num,
        |ui, rows| rows.for_each(|row| row_ui(ui, row)),
    );
}

struct Row<'a> {
    depth: u32,
    name: &'a str,
    /// The counterpart.
    other: Option<&'a str>,
    /// How sure the pair is; `None` without one.
    certainty: Option<f32>,
    is_selected: bool,
    help: &'a str,
}

/// Whether the row was clicked.
fn row_ui(ui: &mut Ui, row: &Row<'_>) -> bool {
    let clicked = ui.horizontal(|ui| {
        ui.add_space(INDENT * row.depth as f32);
        mark_ui(ui, row.certainty);
        let other = row.other.map(|other| format!("  ↔  {}", display_text::name(other)));
        let name = display_text::name(row.name);
        let text = RichText::new(format!("{name}{}", other.unwrap_or_default()));
        let text = if row.certainty.is_none() && !row.is_selected { text.weak() } else { text };
        let button = Button::selectable(row.is_selected, text).wrap_mode(TextWrapMode::Truncate);
        ui.add(button).on_hover_text(row.help).clicked()
    });
    clicked.inner
}

/// A dot for a pair, and a ring for a bone without one.
fn mark_ui(ui: &mut Ui, certainty: Option<f32>) {
    let size = vec2(MARK_RADIUS * 2.0, ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let (visuals, center) = (ui.visuals(), rect.center());
    match certainty {
        Some(certainty) => {
            let is_sure = certainty >= SURE;
            let color = if is_sure { accent(visuals) } else { visuals.warn_fg_color };
            ui.painter().circle_filled(center, MARK_RADIUS, color);
        }
        None => {
            let stroke = Stroke::new(1.0, visuals.weak_text_color());
            ui.painter().circle_stroke(center, MARK_RADIUS - 0.5, stroke);
        }
    }
}
