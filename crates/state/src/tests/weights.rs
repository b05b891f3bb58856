//! Weights follow the selection and are computed once.

use super::*;
use rigscope_core::model::MeshId;
use rigscope_core::visual::{Coloring, Switch, VertexPaint};

fn heat(state: &AppState) -> (Vec<f32>, [f32; 2]) {
    match state.vertex_paint() {
        Some(VertexPaint::Heat { values, low, high }) => (values.to_vec(), [*low, *high]),
        other => panic!("no heat: {other:?}"),
    }
}

fn select(state: &mut AppState, bone: u32) {
    apply(state, Action::Select(Selection::Bone(BoneId(bone))));
}

#[test]
fn the_heat_map_follows_the_selected_bone_until_the_colouring_changes() {
    let mut state = opened();
    select(&mut state, 1);
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    let arm = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    assert_eq!(heat(&state), (arm, [0.0, 1.0]));
    assert_eq!(state.shown_painting().unwrap().title, "Weights of arm");
    select(&mut state, 0);
    assert_eq!(heat(&state).0, [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]);

    run(&mut state, Command::coloring(Coloring::Normals));
    assert!(state.vertex_paint().is_none() && !state.tab.view.weights.is_painted);
    select(&mut state, 1);
    assert_eq!(state.tab.view.overlays.coloring, Some(Coloring::Normals));
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    assert_eq!(heat(&state).0[5], 1.0);
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    assert_eq!(state.tab.view.overlays.coloring, None);
    assert!(state.tab.view.painting.is_none());
}

#[test]
fn weights_are_not_recomputed_for_the_same_selection() {
    let mut state = opened();
    select(&mut state, 1);
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    let paint = state.vertex_paint().cloned();
    apply(&mut state, Action::Seek(0.1));
    assert!(state.apply(Action::Run(Command::switch(Switch::Grid))).len() <= 1);
    assert_eq!(state.vertex_paint().cloned(), paint, "the same values");
    assert!(!state.is_running(crate::TaskSlot("reading weights")));
}

#[test]
fn selecting_a_vertex_in_the_list_keeps_the_bone() {
    let mut state = opened();
    select(&mut state, 1);
    apply(&mut state, Action::ShowPane(Pane::Weights, true));
    let rows = state.tab.view.weights.rows.clone();
    assert_eq!(rows.iter().map(|row| row.vertex).collect::<Vec<_>>(), [3, 4, 5]);
    let table = state.tab.view.weights.table.get().cloned().unwrap();
    let (mesh, vertex) = table.place(rows[1].vertex).unwrap();
    let selection = Selection::Vertex { mesh, vertex, subset: None };
    apply(&mut state, Action::Select(selection));
    assert_eq!(state.tab.selection, selection);
    assert_eq!(state.tab.view.weights.bone, Some(BoneId(1)));
    assert_eq!(state.tab.view.weights.rows, rows);
}

#[test]
fn a_selected_vertex_shows_the_weights_of_its_strongest_bone() {
    let mut state = AppState::default();
    let mut made = model(["skin", "cloth"]);
    let shared: &[(u32, f32)] = &[(0, 0.25), (1, 0.75)];
    made.meshes[MeshId(0)].skin =
        slots(2, [ONE, ONE, shared, &[(1, 1.0)], &[(1, 1.0)], &[(1, 1.0)]]);
    load(&mut state, Action::Open("dir/test.bsm2".into()), made);
    let vertex =
        |vertex| Selection::Vertex { mesh: MeshId(0), vertex: VertexId(vertex), subset: None };
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    apply(&mut state, Action::Select(vertex(2)));
    assert_eq!(state.subject_bone(), Some(BoneId(1)));
    assert_eq!(state.shown_painting().unwrap().title, "Weights of arm");
    apply(&mut state, Action::Select(vertex(0)));
    assert_eq!(state.shown_painting().unwrap().title, "Weights of root");
    apply(&mut state, Action::Select(vertex(2)));
    assert_eq!(state.tab.view.weights.bone, Some(BoneId(0)), "it influences this vertex too");
    let triangle = Selection::Triangle { mesh: MeshId(0), triangle: 0, subset: None };
    apply(&mut state, Action::Select(triangle));
    assert_eq!(state.subject_bone(), Some(BoneId(0)), "the largest sum of weights");
}

#[test]
fn a_locked_bone_is_compared_with_the_selected_one() {
    let mut state = opened();
    select(&mut state, 0);
    run(&mut state, Command::LockBone);
    select(&mut state, 1);
    run(&mut state, Command::ColorTwoBones);
    let figures = state.tab.view.weights.figures;
    assert_eq!((figures.vertices, figures.locked_vertices), (3, 3));
    assert_eq!((figures.sum, figures.locked_sum), (3.0, 3.0));
    assert_eq!((figures.shared_vertices, figures.shared_sum), (0, 0.0));
    let Some(VertexPaint::Colors(colors)) = state.vertex_paint() else { panic!("no colours") };
    assert!(colors[0] != colors[3], "each bone has its colour");
    let legend = &state.shown_painting().unwrap().rows;
    assert_eq!(legend[1].text, "root (locked)");
}

#[test]
fn sums_and_packing_losses_are_listed_worst_first() {
    let mut state = AppState::default();
    let wanted = request(state.apply(Action::Open("dir/test.bsm2".into())));
    let mut odd = model(["skin", "cloth"]);
    let lists: [&[(u32, f32)]; 6] = [
        ONE,
        &[(0, 0.5)],
        &[(0, 0.75), (1, 0.5)],
        &[(0, 0.999), (1, 0.001)],
        &[(1, 1.0)],
        &[(1, 1.0)],
    ];
    odd.meshes[MeshId(0)].skin = slots(2, lists);
    answer(&mut state, &wanted, odd);
    run(&mut state, Command::ColorWeightSums);
    let listed = |state: &AppState| -> Vec<_> {
        let rows = state.tab.view.weights.rows.iter();
        rows.map(|row| (row.vertex, row.value)).collect()
    };
    assert_eq!(listed(&state), [(1, 0.5), (2, 1.25)]);
    assert_eq!(heat(&state).1, [0.0, 0.5]);
    run(&mut state, Command::ColorPackingLoss);
    let rows = &state.tab.view.weights.rows;
    let dropped = rows.iter().find(|row| row.vertex == 3).unwrap();
    assert_eq!(dropped.other, 1.0);
    assert!(rows.windows(2).all(|two| two[0].value >= two[1].value));
}

#[test]
fn opening_another_model_clears_weights_and_locks() {
    let mut state = opened();
    select(&mut state, 1);
    run(&mut state, Command::LockBone);
    run(&mut state, Command::coloring(Coloring::BoneWeights));
    load(&mut state, Action::Open("b.bsm2".into()), Model::default());
    assert_eq!(state.tab.view.weights.locked, None);
    assert_eq!(state.tab.view.weights.bone, None);
    assert!(state.vertex_paint().is_none());
}
