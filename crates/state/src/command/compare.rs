//! The Compare menu.

use super::Icon;
use super::conditions::has_document;
use super::menu::commands;
use crate::{AppState, Arrangement, CompareAction, Effect, FileKind, SecondModel};

commands! { Compare:
    {
        AsBsm2 "Show as BSM2" ["Alt+B"]
            "Converts the model to BSM2 in memory, as an export would, and shows both.",
            icon Icon::Pack,
            when has_document, on |s| s.tab.view.second.shown == Some(SecondModel::AsBsm2),
            run AppState::toggle_as_bsm2;
        CompareWith "Compare with…" ["Alt+C"]
            "Compares the file with another one, listing the differences and showing both.",
            icon Icon::Pair,
            when has_document, run |_| vec![Effect::PickFiles(FileKind::Compare)];
        ComparePrevious "Compare with the previous version" ["Alt+P"]
            "Compares the file with its content before it was reloaded.",
            when |s| s.tab.view.compare.previous.is_some(), run AppState::compare_previous;
        EndCompare "End comparison" ["Alt+Backspace"]
            "Closes the other file.",
            when |s| s.tab.view.compare.other.is_some() || s.tab.view.compare.loading().is_some(),
            run |s| s.apply_compare(CompareAction::End);
    }
    {
        ArrangeFirst "Only the document" ["Alt+1"]
            "Shows only the first model.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::First,
            run |s| s.arrange(Arrangement::First);
        ArrangeSecond "Only the other" ["Alt+2"]
            "Shows only the second model.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Second,
            run |s| s.arrange(Arrangement::Second);
        ArrangeBeside "Side by side" ["Alt+3"]
            "Shows two views with the same camera and time.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Beside,
            run |s| s.arrange(Arrangement::Beside);
        ArrangeOver "One over the other" ["Alt+4"]
            "Shows both models in the same place.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Over,
            run |s| s.arrange(Arrangement::Over);
        ArrangeGhost "The other as a ghost" ["Alt+5"]
            "Shows the second model translucent over the first.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Ghost,
            run |s| s.arrange(Arrangement::Ghost);
        ArrangeSplit "Split" ["Alt+6"]
            "Shows one model on each side of a divider that can be dragged.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Split,
            run |s| s.arrange(Arrangement::Split);
        ArrangeBlink "Blink" ["Alt+7"]
            "Shows both models in turn.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Blink,
            run |s| s.arrange(Arrangement::Blink);
    }
    {
        CheckGpu "Check the GPU against the CPU" ["Alt+G"]
            "Reads back the skinned vertices of the current pose and compares them with the CPU reference.",
            when has_document, run AppState::check_gpu_pose;
        CheckGpuClip "Check the GPU over the clip" ["Alt+Shift+G"]
            "Checks the GPU at all keys of the clip, at most 300.",
            when has_document, run AppState::check_gpu_clip;
    }
}
