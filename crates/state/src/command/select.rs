//! The Select menu.

use super::conditions::{has_document, has_selection, needs, selects_bone, selects_subset};
use super::menu::commands;
use crate::selection::probe;
use crate::{AppState, BonesAction, BytesAction, Dialog, PickWhat, Selection};

commands! { Select:
    {
        HideSelected "Hide the subset" ["H"]
            "Hides the selected subset.",
            when selects_subset, change AppState::hide_subset;
        IsolateSelected "Isolate the subset" ["I", "Shift+H"]
            "Shows only the selected subset, or all subsets again.",
            when |s| selects_subset(s).or_else(|no| needs(s.tab.view.isolated.is_some(), no)),
            on |s| s.tab.view.isolated.is_some(),
            change AppState::isolate_subset;
        ShowAll "Show all subsets" ["Alt+H"]
            "Shows every subset again.",
            when has_document, change AppState::show_all_subsets;
    }
    {
        SelectParent "Select the parent bone" ["Backspace"]
            "Selects the parent of the selected bone.",
            when |s| needs(s.parent_of_selected().is_some(), "needs a selected bone with a parent"),
            change AppState::select_parent;
        RevealBytes "Show the bytes of the selection" ["Shift+Y"]
            "Opens the Bytes pane at the bytes of the selection.",
            when has_selection, run |s| s.apply_bytes(BytesAction::Reveal);
        SelectNext "Select the next item" ["Down"]
            "Selects the next subset, bone, vertex or clip.",
            when has_document, repeats true, change |s| s.select_neighbour(true);
        SelectPrevious "Select the previous item" ["Up"]
            "Selects the previous subset, bone, vertex or clip.",
            when has_document, repeats true, change |s| s.select_neighbour(false);
        HideBranch "Hide the branch" ["Ctrl+H"]
            "Hides the selected bone and its descendants.",
            when selects_bone, change AppState::hide_branch;
        IsolateBranch "Isolate the branch" ["Ctrl+I"]
            "Shows only the selected bone and its descendants, or all bones again.",
            when |s| selects_bone(s).or_else(|no| needs(s.tab.view.bones.isolated.is_some(), no)),
            on |s| s.tab.view.bones.isolated.is_some(), change AppState::isolate_branch;
        ShowAllBones "Show all bones" ["Ctrl+Shift+H"]
            "Shows every bone again.",
            when |s| needs(s.tab.view.bones.hides_some(), "no bone is hidden"),
            run |s| s.apply_bones(BonesAction::ShowAll);
        LockBone "Lock the bone" ["Alt+L"]
            "Locks the selected bone, so that the weights of other bones are compared with it, or unlocks it.",
            when |s| needs(s.tab.view.weights.bone.is_some(), "needs a selected bone"),
            on |s| s.tab.view.weights.locked.is_some(),
            change AppState::toggle_lock;
        ClearSelection "Select nothing" ["Escape"]
            "Clears the selection. The inspector then shows the whole model.",
            when has_selection, change |s| s.tab.selection = Selection::None;
    }
    {
        PickSubsets "Click selects subsets" ["Ctrl+F1"]
            "Makes a click select the bone drawn under the pointer, or the subset if there is no bone.",
            on |s| s.settings.pick == PickWhat::Subset, setting |s| s.pick = PickWhat::Subset;
        PickTriangles "Click selects triangles" ["Ctrl+F2"]
            "Makes a click select the triangle under the pointer. Alt+click always does.",
            on |s| s.settings.pick == PickWhat::Triangle, setting |s| s.pick = PickWhat::Triangle;
        PickVertices "Click selects vertices" ["Ctrl+F3"]
            "Makes a click select the nearest corner of the triangle under the pointer. Ctrl+click \
            always does.",
            on |s| s.settings.pick == PickWhat::Vertex, setting |s| s.pick = PickWhat::Vertex;
        PickBones "Click selects bones" ["Ctrl+F4"]
            "Makes a click select the bone drawn under the pointer, or the one with the largest weight \
            on the vertex.",
            on |s| s.settings.pick == PickWhat::Bone, setting |s| s.pick = PickWhat::Bone;
        ToggleHover "Show details on hover" ["Alt+Q"]
            "Shows the vertex, the triangle and the bone weights when the pointer rests on the model.",
            on |s| s.settings.hover, setting |s| s.hover ^= true;
    }
    {
        GoToVertex "Go to vertex…" ["Ctrl+G"]
            "Selects a vertex by its number and frames it.",
            when |s| needs(s.has_vertices(), "needs a file with vertices"), opens_field true, change |s| s.open_modal(Dialog::GoToVertex);
        NextVertex "Next vertex" ["Period"]
            "Selects the next vertex of the selected subset or mesh.",
            when can_step_vertex, repeats true, change |s| s.step_vertex(true);
        PreviousVertex "Previous vertex" ["Comma"]
            "Selects the previous vertex of the selected subset or mesh.",
            when can_step_vertex, repeats true, change |s| s.step_vertex(false);
        NextPlace "Next place of the finding" ["Shift+F8"]
            "Shows the next place of the selected finding.",
            when can_step_place, repeats true, change |s| s.step_place(true);
        PreviousPlace "Previous place of the finding" ["Ctrl+Shift+F8"]
            "Shows the previous place of the selected finding.",
            when can_step_place, repeats true, change |s| s.step_place(false);
    }
    {
        CopyInspected "Copy as text" ["Ctrl+Shift+I"]
            "Copies the content of the inspector as text.",
            when can_copy_facts, run |s| s.copy_facts(probe::to_text);
        CopyInspectedJson "Copy as JSON" ["Ctrl+Shift+J"]
            "Copies the content of the inspector as JSON at full precision, for scripts and bug reports.",
            when can_copy_facts, run |s| s.copy_facts(probe::to_json);
    }
}

fn can_step_vertex(state: &AppState) -> Result<(), &'static str> {
    needs(state.can_step_vertex(), "needs a selected vertex, subset or mesh with vertices")
}

fn can_step_place(state: &AppState) -> Result<(), &'static str> {
    needs(state.can_step_place(), "needs a selected finding with several places")
}

fn can_copy_facts(state: &AppState) -> Result<(), &'static str> {
    needs(state.can_copy_facts(), "the inspector is empty")
}
