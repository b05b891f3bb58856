//! The Compare menu.

use super::Icon;
use super::conditions::{has_document, has_second, needs};
use super::menu::commands;
use crate::{AppState, Arrangement, FileKind, Request, SecondModel};

commands! { Compare:
    {
        AsBsm2 "Show as BSM2" ["Alt+B"]
            "Converts the model to BSM2 in memory, as an export would, and shows both.",
            icon Icon::Pack,
            when has_document, on |s| s.tab.view.second.shown == Some(SecondModel::AsBsm2),
            run AppState::toggle_as_bsm2;
        PlayAsNext "Play as the next engine" ["Alt+J"]
            "Shows the file as the next engine plays it, coloured by the deviation of each vertex; \
            after the last engine, only the file.",
            when has_engines, on |s| s.tab.view.second.shown == Some(SecondModel::Played),
            titled play_as_title, run AppState::play_as_next;
        WorstAsPlayed "Largest deviation of the engine" ["Alt+Shift+J"]
            "Selects the vertex that the engine places farthest from where it belongs, at the time \
            when it does.",
            when |s| needs(s.worst_as_played().is_some(), "needs an engine that plays the file differently"),
            change AppState::show_worst_as_played;
        CompareWith "Compare with…" ["Alt+C"]
            "Compares the file with another one, listing the differences and showing both.",
            icon Icon::Pair,
            when has_document, run |_| vec![Request::PickFiles(FileKind::Compare)];
        ComparePrevious "Compare with the previous version" ["Alt+P"]
            "Compares the file with its version before the last reload.",
            when |s| needs(s.tab.view.compare.previous.is_some(), "needs a file that was reloaded"),
            run AppState::compare_previous;
        EndCompare "End comparison" ["Alt+Backspace"]
            "Closes B and shows only A.",
            when |s| needs(s.is_comparing_models(), "needs a second model"),
            run AppState::end_second;
    }
    {
        ArrangeFirst "Only A" ["Alt+1"]
            "Shows only A, the file of this tab.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::First,
            run |s| s.arrange(Arrangement::First);
        ArrangeSecond "Only B" ["Alt+2"]
            "Shows only B, the model that A is compared with.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::Second,
            run |s| s.arrange(Arrangement::Second);
        ArrangeBeside "Side by side" ["Alt+3"]
            "Shows A and B in two views with the same camera and time.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::Beside,
            run |s| s.arrange(Arrangement::Beside);
        ArrangeOver "Overlay" ["Alt+4"]
            "Draws A and B in the same place.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::Over,
            run |s| s.arrange(Arrangement::Over);
        ArrangeGhost "B as a ghost" ["Alt+5"]
            "Draws B translucent over A.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::Ghost,
            run |s| s.arrange(Arrangement::Ghost);
        ArrangeSplit "Split" ["Alt+6"]
            "Shows A on the left and B on the right of a divider that you can drag.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::Split,
            run |s| s.arrange(Arrangement::Split);
        ArrangeBlink "Blink" ["Alt+7"]
            "Shows A and B alternately.",
            when has_second, on |s| s.tab.view.second.arrangement == Arrangement::Blink,
            run |s| s.arrange(Arrangement::Blink);
    }
    {
        CheckGpu "Check the GPU against the CPU" ["Alt+G"]
            "Reads back the skinned vertices of the current pose and compares them with the CPU reference.",
            when has_document, run AppState::check_gpu_pose;
        CheckGpuClip "Check the GPU over the clip" ["Alt+Shift+G"]
            "Compares GPU and CPU at every key of the clip, up to 300 keys.",
            when has_document, run AppState::check_gpu_clip;
    }
}

fn has_engines(state: &AppState) -> Result<(), &'static str> {
    needs(!state.runtimes().is_empty(), "needs a file that an engine opens")
}

fn play_as_title(state: &AppState) -> String {
    match state.runtime() {
        Some(runtime) => format!("Play as {}", runtime.name),
        None => "Play as an engine".into(),
    }
}
