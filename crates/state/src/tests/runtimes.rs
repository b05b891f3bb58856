//! The document as a runtime plays it.

use rigscope_core::model::Model;
use rigscope_core::runtime::Runtime;
use rigscope_io::formats::FORMATS;

use super::{apply, load, rigs};
use crate::{
    Action, AppState, Command, RuntimeAction, Script, SecondAction, SecondModel, Selection,
};

fn biped() -> Model {
    rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap().1
}

/// A biped in a glTF file.
fn opened() -> AppState {
    let mut state = AppState::default();
    load(&mut state, Action::Open("dir/test.glb".into()), biped());
    let gltf = FORMATS.iter().find(|format| format.info.id == "gltf").unwrap();
    state.tab.document.as_mut().unwrap().format = &gltf.info;
    state
}

fn choose(state: &mut AppState, id: &str) {
    let runtime = Runtime::of_id(id).unwrap();
    apply(state, Action::Runtime(RuntimeAction::Choose(Some(runtime))));
}

#[test]
fn the_document_is_played_as_a_runtime_and_colored_by_its_deviation() {
    let mut state = opened();
    // It blends rotations component by component.
    choose(&mut state, "playcanvas");
    assert_eq!(state.tab.view.second.shown, Some(SecondModel::Played));
    let played = state.played().unwrap();
    assert_eq!(played.differences[0].kind, "rotations-nlerped");
    assert!(played.max_deviation() > 1e-5, "{}", played.max_deviation());
    assert_eq!(state.layers().len(), 2);
    assert!(state.layers()[1].paint.is_some());
    assert_eq!(state.pair_names().unwrap()[1], "B: as PlayCanvas");

    // The command goes to the vertex and the time of the largest deviation.
    apply(&mut state, Action::Run(Command::WorstAsPlayed));
    let worst = state.played().unwrap().worst.unwrap();
    let Selection::Vertex { vertex, .. } = state.tab.selection else { panic!("no vertex") };
    assert_eq!(vertex, worst.made.vertex);
    assert_eq!(state.tab.playback.time_secs, worst.time_secs);

    // Babylon.js plays this model as specified, so that there is nothing to colour.
    choose(&mut state, "babylon.js");
    assert_eq!(state.played().unwrap().worst, None);
    assert!(state.layers()[1].paint.is_none());
    assert!(!Command::WorstAsPlayed.is_enabled(&state));

    apply(&mut state, Action::Second(SecondAction::Hide));
    assert!(state.runtime().is_none() && state.played().is_none());
    assert_eq!(state.layers().len(), 1);
}

#[test]
fn the_next_engine_is_chosen_until_only_the_file_is_shown() {
    let mut state = opened();
    let mut names = Vec::new();
    loop {
        apply(&mut state, Action::Run(Command::PlayAsNext));
        let Some(runtime) = state.runtime() else { break };
        names.push(runtime.id);
    }
    let expected: Vec<_> = state.runtimes().iter().map(|runtime| runtime.id).collect();
    assert!(names.len() > 3 && names == expected, "{names:?}");
    assert_eq!(state.layers().len(), 1);
}

#[test]
fn ending_a_comparison_also_ends_playing_as_an_engine() {
    let mut state = opened();
    choose(&mut state, "playcanvas");
    apply(&mut state, Action::Run(Command::EndCompare));
    assert!(state.runtime().is_none() && state.layers().len() == 1);
    assert!(!Command::EndCompare.is_enabled(&state));
}

#[test]
fn scripts_play_the_file_as_a_runtime_that_opens_it() {
    let mut state = opened();
    let mut play = |id| {
        let mut script = Script { runtime: Runtime::of_id(id), ..Script::default() };
        let step = script.step().unwrap();
        assert_eq!(script, Script::default());
        state.play_script(&step).map(|_| state.runtime().map(|runtime| runtime.id))
    };
    assert_eq!(play("three.js"), Ok(Some("three.js")));
    let error = play("ufbx").unwrap_err();
    assert!(
        error.starts_with("ufbx doesn't open gltf files; runtimes for this format: gltf"),
        "{error}"
    );
}
