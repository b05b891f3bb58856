//! The document as a runtime plays it.

use rigscope_core::model::Model;
use rigscope_core::runtime::Runtime;

use super::{apply, load, rigs};
use crate::{Action, AppState, RuntimeAction, SecondAction, SecondModel};

fn biped() -> Model {
    rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap().1
}

fn choose(state: &mut AppState, id: &str) {
    let runtime = Runtime::of_id(id).unwrap();
    apply(state, Action::Runtime(RuntimeAction::Choose(Some(runtime))));
}

#[test]
fn the_document_is_played_as_a_runtime_and_colored_by_its_deviation() {
    let mut state = AppState::default();
    load(&mut state, Action::Open("dir/test.bsm2".into()), biped());
    // It blends rotations component by component.
    choose(&mut state, "playcanvas");
    assert_eq!(state.tab.view.second.shown, Some(SecondModel::Played));
    let played = state.played().unwrap();
    assert_eq!(played.differences[0].kind, "rotations-nlerped");
    assert!(played.max_deviation > 1e-5, "{}", played.max_deviation);
    assert_eq!(state.layers().len(), 2);
    assert!(state.layers()[1].paint.is_some());
    assert_eq!(state.pair_names().unwrap()[1], "B: as PlayCanvas");

    // Babylon.js plays this model as specified, so that there is nothing to colour.
    choose(&mut state, "babylon.js");
    assert_eq!(state.played().unwrap().max_deviation, 0.0);
    assert!(state.layers()[1].paint.is_none());

    apply(&mut state, Action::Second(SecondAction::Hide));
    assert!(state.runtime().is_none() && state.played().is_none());
    assert_eq!(state.layers().len(), 1);
}
