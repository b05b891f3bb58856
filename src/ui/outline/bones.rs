//! The bones: a tree where the file has parents, else a list; what is searched is a list too, and so
//! is what has too many for a tree.

use egui::{Id, RichText, ScrollArea, TextEdit, Ui};
use egui_ltreeview::{NodeBuilder, RowLayout, TreeView, TreeViewBuilder, TreeViewState};

use crate::model::BoneId;
use crate::state::{
    Action, AppState, BonesAction, Command, Document, Selection, WeightsAction, WeightsMode,
};
use crate::ui::widgets::counted_heading_ui;
use crate::visual::Coloring;

const ROW_HEIGHT: f32 = 20.0;
/// A skeleton of more bones is a list: a tree is walked as a whole in every frame.
const MAX_TREE: usize = 4_000;
/// Bones of a skeleton whose tree is opened altogether at first.
const MAX_OPEN: usize = 200;

pub(super) fn bones_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let skeleton = &document.model.skeleton;
    let noun = document.model.bone_noun();
    counted_heading_ui(ui, noun.title(), skeleton.len());
    if skeleton.is_empty() {
        ui.weak("The file has none.");
        return;
    }
    let id = Id::unique("bone search");
    let mut search: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.add(
        TextEdit::singleline(&mut search)
            .id(id.with("text"))
            .hint_text(format!("Search {}", noun.many()))
            .desired_width(f32::INFINITY),
    )
    .accessible_name(format!("Search {}", noun.many()));
    let wanted = search.trim().to_lowercase();
    ui.data_mut(|data| data.insert_temp(id, search));
    if state.tab.view.bones.hides_some() {
        ui.horizontal(|ui| {
            let text = format!("Some {} are hidden.", noun.many());
            ui.colored_label(ui.visuals().warn_fg_color, text);
            if ui.link(format!("Show all {}", noun.many())).clicked() {
                out.push(Action::Bones(BonesAction::ShowAll));
            }
        });
    }
    ui.add_space(2.0);
    if !wanted.is_empty() {
        let found: Vec<_> = (0..skeleton.len())
            .map(BoneId::from_index)
            .filter(|&bone| !skeleton.bones()[bone.index()].is_helper)
            .filter(|&bone| document.bone_name(bone).to_lowercase().contains(&wanted))
            .collect();
        if found.is_empty() {
            ui.weak(format!("No {} is called that.", noun.one()));
        }
        list_ui(ui, state, document, found.len(), |row| found.get(row).copied(), out);
    } else if skeleton.has_hierarchy() && skeleton.len() <= MAX_TREE {
        tree_ui(ui, state, document, out);
    } else {
        let bone = |row| Some(BoneId::from_index(row));
        list_ui(ui, state, document, skeleton.len(), bone, out);
    }
}

/// Whether `selection` came from elsewhere since the last frame: then its row is scrolled to.
fn is_news(ui: &Ui, selection: Selection) -> bool {
    let id = Id::unique("bone shown last");
    let last: Option<BoneId> = ui.data(|data| data.get_temp(id)).flatten();
    let now = selection.bone();
    ui.data_mut(|data| data.insert_temp(id, now));
    now.is_some() && now != last
}

fn list_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    num_rows: usize,
    bone_of: impl Fn(usize) -> Option<BoneId>,
    out: &mut Vec<Action>,
) {
    let mut area = ScrollArea::vertical().id_salt("bone list").auto_shrink([false, false]);
    if is_news(ui, state.tab.selection)
        && let Some(row) = (0..num_rows).find(|&row| bone_of(row) == state.tab.selection.bone())
    {
        let pitch = ROW_HEIGHT + ui.spacing().item_spacing.y;
        let middle = ui.available_height() * 0.5;
        area = area.vertical_scroll_offset((row as f32 * pitch - middle).max(0.0));
    }
    area.show_rows(ui, ROW_HEIGHT, num_rows, |ui, rows| {
        for bone in rows.filter_map(bone_of) {
            let is_selected = state.tab.selection.bone() == Some(bone);
            let button = egui::Button::selectable(is_selected, bone_text(state, document, bone))
                .truncate()
                .min_size(egui::vec2(ui.available_width(), ROW_HEIGHT));
            let response = ui.add(button);
            if response.clicked() {
                out.push(Action::Select(Selection::Bone(bone)));
            }
            if response.double_clicked() {
                out.push(Action::Run(Command::FrameSelection));
            }
            response.context_menu(|ui| menu_ui(ui, state, bone, out));
        }
    });
}

/// What can be done with the branch below a bone.
fn menu_ui(ui: &mut Ui, state: &AppState, bone: BoneId, out: &mut Vec<Action>) {
    let bones = &state.tab.view.bones;
    let is_only = bones.isolated == Some(bone);
    let mut entries = vec![
        ("Weights of this bone", Action::Select(Selection::Bone(bone))),
        ("Hide branch", Action::Bones(BonesAction::Hide(bone))),
        match is_only {
            true => ("Show the others again", Action::Bones(BonesAction::Isolate(None))),
            false => ("Isolate branch", Action::Bones(BonesAction::Isolate(Some(bone)))),
        },
    ];
    if bones.hides_some() {
        entries.push(("Show all bones", Action::Bones(BonesAction::ShowAll)));
    }
    entries.push(("Lock to compare weights", Action::Weights(WeightsAction::Lock(Some(bone)))));
    for (number, (name, action)) in entries.into_iter().enumerate() {
        if ui.button(name).clicked() {
            out.push(action);
            if number == 0 && !state.shows_weights(WeightsMode::Bone) {
                out.push(Action::Run(Command::coloring(Coloring::BoneWeights)));
            }
            ui.close();
        }
    }
}

/// Bones that move nothing are weak; those that are hidden are struck through.
fn bone_text(state: &AppState, document: &Document, bone: BoneId) -> RichText {
    let mut text = RichText::new(document.bone_name(bone));
    if !state.tab.view.bones.shows(bone) {
        text = text.strikethrough().weak();
    }
    if document.is_used(bone) { text } else { text.weak() }
}

fn tree_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let id = Id::unique("bone tree");
    let mut tree: TreeViewState<BoneId> = TreeViewState::load(ui, id).unwrap_or_default();
    let news = is_news(ui, state.tab.selection);
    if let Some(bone) = state.tab.selection.bone().filter(|_| news) {
        open_parents(&mut tree, document, bone);
    }
    let shown: Vec<_> = state.tab.selection.bone().into_iter().collect();
    if *tree.selected() != shown {
        tree.set_selected(shown);
    }
    let children = document.model.skeleton.shown_children();
    // Deep skeletons are wider than the panel.
    ScrollArea::both().id_salt("bone tree").auto_shrink([false, false]).show(ui, |ui| {
        let view = TreeView::new(id)
            .allow_multi_selection(false)
            .allow_drag_and_drop(false)
            .row_layout(RowLayout::Compact)
            .default_node_height(Some(ROW_HEIGHT));
        let scroll_to = state.tab.selection.bone().filter(|_| news);
        let (_, actions) = view.show_state(ui, &mut tree, |builder| {
            build(builder, state, document, &children, scroll_to, out);
        });
        for action in actions {
            match action {
                egui_ltreeview::Action::SetSelected(bones) => {
                    // A click on what is selected already is no news either.
                    if let Some(&bone) = bones.first()
                        && state.tab.selection.bone() != Some(bone)
                    {
                        out.push(Action::Select(Selection::Bone(bone)));
                    }
                }
                egui_ltreeview::Action::Activate(_) => {
                    out.push(Action::Run(Command::FrameSelection));
                }
                _ => {}
            }
        }
    });
    tree.store(ui, id);
}

fn open_parents(tree: &mut TreeViewState<BoneId>, document: &Document, bone: BoneId) {
    let parents = document.model.skeleton.shown_parents();
    let parent = |bone: BoneId| parents.get(bone.index()).copied().flatten();
    let mut at = parent(bone);
    while let Some(bone) = at {
        tree.set_openness(bone, true);
        at = parent(bone);
    }
}

/// Adds all bones, by a list of work and not by recursion: a chain may be as long as a skeleton.
fn build(
    builder: &mut TreeViewBuilder<'_, BoneId>,
    state: &AppState,
    document: &Document,
    children: &[Vec<BoneId>],
    scroll_to: Option<BoneId>,
    out: &mut Vec<Action>,
) {
    enum Step {
        Add(BoneId),
        Close,
    }
    let skeleton = &document.model.skeleton;
    let parents = skeleton.shown_parents();
    let bones = skeleton.bones().iter().zip(parents).enumerate().rev();
    let mut work: Vec<Step> = bones
        .filter(|(_, (bone, parent))| parent.is_none() && !bone.is_helper)
        .map(|(index, _)| Step::Add(BoneId::from_index(index)))
        .collect();
    while let Some(step) = work.pop() {
        let bone = match step {
            Step::Add(bone) => bone,
            Step::Close => {
                builder.close_dir();
                continue;
            }
        };
        let below = children.get(bone.index()).map_or(&[][..], |list| list);
        let node = if below.is_empty() {
            NodeBuilder::leaf(bone)
        } else {
            NodeBuilder::dir(bone).default_open(skeleton.len() <= MAX_OPEN)
        };
        let node = node
            .activatable(true)
            .label_ui(|ui| {
                let text = bone_text(state, document, bone);
                let response = ui.add(egui::Label::new(text).selectable(false));
                if scroll_to == Some(bone) {
                    response.scroll_to_me(None);
                }
            })
            .context_menu(|ui| menu_ui(ui, state, bone, out));
        let is_open = builder.node(node);
        if !below.is_empty() {
            work.push(Step::Close);
            if is_open {
                work.extend(below.iter().rev().map(|&child| Step::Add(child)));
            }
        }
    }
}
