//! Commands always have a visible effect, or state the reason why they can't run.

use super::*;
use rigscope_core::model::MaterialId;
use rigscope_core::visual::{Coloring, EnvironmentKind, Light, Shading};

fn messages(state: &AppState) -> Vec<&str> {
    state.toasts.list().iter().map(|toast| toast.text.as_str()).collect()
}

fn is_on(state: &AppState, switch: Switch) -> bool {
    Command::switch(switch).is_on(state)
}

#[test]
fn a_command_that_cannot_run_shows_the_reason_until_another_runs() {
    let mut state = opened();
    run(&mut state, Command::HideBranch);
    assert_eq!(messages(&state), ["Hide the branch: needs a selected bone"]);
    run(&mut state, Command::Undo);
    assert_eq!(messages(&state), ["Undo: nothing to undo"], "instead of the previous reason");
    run(&mut state, Command::FrameAll);
    assert!(messages(&state).is_empty());
}

#[test]
fn every_reason_is_a_clause() {
    let (closed, opened) = (AppState::default(), opened());
    for command in Command::all() {
        for reason in [&closed, &opened].iter().filter_map(|state| command.refusal(state)) {
            let is_clause = reason.starts_with(char::is_lowercase) && !reason.ends_with('.');
            assert!(is_clause, "{command:?}: {reason}");
        }
    }
}

#[test]
fn colours_hidden_by_a_colouring_are_shown_by_their_keys() {
    let mut state = opened();
    assert!(is_on(&state, Switch::SubsetColors));
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    assert!(!is_on(&state, Switch::SubsetColors), "the weights hide them");
    run(&mut state, Command::switch(Switch::SubsetColors));
    assert_eq!(state.color_source(), Some(ColorSource::Subsets));
    assert!(state.vertex_paint().is_none() && is_on(&state, Switch::SubsetColors));
    run(&mut state, Command::coloring(Coloring::Normals));
    run(&mut state, Command::switch(Switch::Checker));
    assert_eq!(state.color_source(), Some(ColorSource::Checker));
    run(&mut state, Command::switch(Switch::Checker));
    assert_eq!(state.color_source(), Some(ColorSource::Subsets), "as before");

    let mut made = model(["skin", "cloth"]);
    made.materials[MaterialId(0)].look = Some(Box::default());
    let mut state = AppState::default();
    load(&mut state, Action::Open("b.bsm2".into()), made);
    assert_eq!(state.color_source(), Some(ColorSource::Materials));
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    run(&mut state, Command::switch(Switch::Textures));
    assert_eq!(state.color_source(), Some(ColorSource::Materials));
    run(&mut state, Command::switch(Switch::SubsetColors));
    assert_eq!(state.color_source(), Some(ColorSource::Subsets));
}

#[test]
fn textures_of_a_file_without_materials_are_refused() {
    let mut state = opened();
    let textures = Command::switch(Switch::Textures);
    let before = state.tab.view.overlays;
    run(&mut state, textures);
    assert_eq!(state.tab.view.overlays, before);
    assert_eq!(messages(&state), ["Textures: needs a file with materials"]);
    assert!(textures.is_enabled(&AppState::default()), "a setting for the next file");
}

#[test]
fn an_option_of_bones_shows_the_bones() {
    for switch in [Switch::BonesOnTop, Switch::BoneNames] {
        let mut state = opened();
        assert!(!is_on(&state, switch), "there are no bones to see");
        run(&mut state, Command::switch(switch));
        assert!(is_on(&state, switch) && state.tab.view.overlays.bones);
        run(&mut state, Command::switch(switch));
        assert!(!is_on(&state, switch) && state.tab.view.overlays.bones);
    }
}

#[test]
fn a_choice_of_environment_replaces_plain_shading() {
    let mut state = opened();
    state.apply(Action::SetLight(Light::PLAIN));
    let sunset = Command::all().find(|command| command.info().name == "Sunset").unwrap();
    run(&mut state, sunset);
    let light = state.tab.view.overlays.light;
    assert_eq!((light.environment, light.shading), (EnvironmentKind::Sunset, Shading::Physical));
}

#[test]
fn ranges_without_a_length_are_refused_with_the_reason() {
    let mut state = opened();
    state.apply(Action::Seek(0.4));
    run(&mut state, Command::RangeEnd);
    let range = TimeRange { start_secs: 0.0, end_secs: 0.4 };
    assert_eq!(state.tab.playback.range, Some(range));
    run(&mut state, Command::RangeEnd);
    assert_eq!(messages(&state), ["End the range here: the range ends here already"]);
    run(&mut state, Command::LastKey);
    state.apply(Action::Seek(1.0));
    run(&mut state, Command::RangeStart);
    let text = "Start the range here: the playhead is at the end of the clip";
    assert_eq!(messages(&state), [text]);
    assert_eq!(state.tab.playback.range, Some(range), "it stays");
    state.apply(Action::Seek(0.6));
    run(&mut state, Command::RangeStart);
    let after = TimeRange { start_secs: 0.6, end_secs: 1.0 };
    assert_eq!(state.tab.playback.range, Some(after), "up to the end of the clip");
    state.apply(Action::Seek(0.0));
    run(&mut state, Command::RangeEnd);
    let text = "End the range here: the playhead is at the start of the clip";
    assert_eq!(messages(&state), [text]);
}
