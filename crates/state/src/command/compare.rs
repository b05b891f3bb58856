//! The Compare menu.

use super::Icon;
use super::menu::commands;
use super::when::has_document;
use crate::{AppState, Arrangement, CompareAction, Effect, FileKind, SecondModel};

commands! { Compare:
    {
        AsBsm2 "Show as BSM2" ["Alt+B"]
            "Packs the model in memory as an export to BSM2 would and shows both.",
            icon Icon::Pack,
            when has_document, on |s| s.tab.view.second.shown == Some(SecondModel::AsBsm2),
            run AppState::toggle_as_bsm2;
        CompareWith "Compare with…" ["Alt+C"]
            "Compares the file with another one: lists what differs and shows both.",
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
            "Two views that share camera and time.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Beside,
            run |s| s.arrange(Arrangement::Beside);
        ArrangeOver "One over the other" ["Alt+4"]
            "Both models in the same place.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Over,
            run |s| s.arrange(Arrangement::Over);
        ArrangeGhost "The other as a ghost" ["Alt+5"]
            "The second model see-through over the first.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Ghost,
            run |s| s.arrange(Arrangement::Ghost);
        ArrangeSplit "Split" ["Alt+6"]
            "One model on each side of a line that can be dragged.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Split,
            run |s| s.arrange(Arrangement::Split);
        ArrangeBlink "Blink" ["Alt+7"]
            "Shows both models in turn.",
            when AppState::has_second, on |s| s.tab.view.second.arrangement == Arrangement::Blink,
            run |s| s.arrange(Arrangement::Blink);
    }
    {
        CheckGpu "Check the GPU against the CPU" ["Alt+G"]
            "Reads the skinned vertices back and compares them with the reference, in the pose \
            shown.",
            when has_document, run AppState::check_pose;
        CheckGpuClip "Check the GPU over the clip" ["Alt+Shift+G"]
            "The same at all keys of the clip, three hundred at most.",
            when has_document, run AppState::check_clip;
    }
}
