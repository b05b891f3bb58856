//! Picking, vertex selection and facts, without a window.

use rigscope_core::model::MeshId;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use crate::tests::{opened, picked};
use crate::*;
use rigscope_core::visual::OutlineTarget;
use rigscope_testing::*;

/// Two triangles, the second one moved by its bone, after `change`.
fn with(change: impl FnOnce(&mut Model)) -> AppState {
    let mut state = opened();
    let document = state.tab.document.as_mut().unwrap();
    change(Arc::make_mut(&mut document.model));
    state
}

fn streams(model: &mut Model) -> &mut Streams {
    streams_mut(&mut model.meshes[MeshId(0)])
}

fn vertex_of(state: &AppState) -> Option<(u32, Option<usize>)> {
    match state.tab.selection {
        Selection::Vertex { vertex, subset, .. } => Some((vertex.0, subset)),
        _ => None,
    }
}

const SECOND: Selection = Selection::Triangle { mesh: MeshId(0), triangle: 1, subset: Some(1) };

#[test]
fn triangle_probe_has_corners_area_facing_and_uv_area() {
    let mut state = with(|model| {
        let streams = streams(model);
        streams.normals = vec![Vec3::Z; 6];
        // Not mirrored: V points down, so the corners are clockwise in UV coordinates.
        let coords = [(0.0, 0.0), (0.5, 0.0), (0.0, -0.5)].map(|(u, v)| Vec2::new(u, v));
        let mirrored = coords.map(|uv| Vec2::new(-uv.x, uv.y));
        streams.uv_sets = vec![UvSet { coords: [coords, mirrored].concat(), ..UvSet::default() }];
    });
    state.apply(Action::Seek(0.5));
    state.apply(Action::Select(SECOND));
    let probe = state.triangle_probe().unwrap();
    assert_eq!(probe.corners, [3, 4, 5].map(VertexId));
    assert_eq!((probe.area, probe.posed_area), (0.5, 0.5));
    // Key 5 has moved it by 5.
    assert_eq!(probe.posed[0], Vec3::new(6.0, 0.0, 0.0));
    assert_eq!(probe.posed_normal, Vec3::Z);
    assert_eq!(probe.faces, FacesVertexNormals::Along);
    assert_eq!((probe.uv_area, probe.is_mirrored), (Some(0.125), Some(true)));
    state.apply(Action::Select(Selection::Triangle { mesh: MeshId(0), triangle: 0, subset: None }));
    assert_eq!(state.triangle_probe().unwrap().is_mirrored, Some(false));
    let document = state.tab.document.as_mut().unwrap();
    streams(Arc::make_mut(&mut document.model)).normals = vec![Vec3::NEG_Z; 6];
    let probe = state.triangle_probe().unwrap();
    assert_eq!(probe.faces, FacesVertexNormals::Against);
}

#[test]
fn hull_probe_has_points_corners_faces_and_size() {
    let corner = |n: u8| Vec3::new(f32::from(n & 1), f32::from(n >> 1 & 1), f32::from(n >> 2));
    let mut state = with(|model| {
        let inside = Vec3::splat(0.5);
        model.hulls = vec![
            Hull { points: (0..8).map(|n| corner(n) * 2.0).chain([inside]).collect() },
            Hull { points: vec![Vec3::ZERO, Vec3::X, Vec3::Y] },
        ];
    });
    state.apply(Action::Select(Selection::Hull(0)));
    let probe = state.hull_probe().unwrap();
    assert_eq!((probe.num_points, probe.num_corners), (9, 8));
    assert_eq!(probe.num_faces, Some(12));
    assert_eq!((probe.size, probe.center), (Vec3::splat(2.0), Vec3::ONE));
    state.apply(Action::Select(Selection::Hull(1)));
    assert_eq!(state.hull_probe().unwrap().num_faces, None);
    assert_eq!(state.inspector_facts()[0].title, "Hull 1");
}

#[test]
fn stepping_through_vertices_wraps_within_the_subset_or_mesh() {
    let mut state = opened();
    state.apply(Action::Select(Selection::Subset(1)));
    state.apply(Action::Run(Command::NextVertex));
    assert_eq!(vertex_of(&state), Some((3, Some(1))));
    state.apply(Action::Run(Command::PreviousVertex));
    assert_eq!(vertex_of(&state), Some((5, Some(1))));
    state.apply(Action::Select(Selection::None));
    state.apply(Action::Run(Command::PreviousVertex));
    assert_eq!(vertex_of(&state), Some((5, None)));
    state.apply(Action::Run(Command::NextVertex));
    assert_eq!(vertex_of(&state), Some((0, None)));
    state.apply(Action::Select(SECOND));
    state.apply(Action::Run(Command::NextVertex));
    assert_eq!(vertex_of(&state), Some((3, Some(1))));

    let go_to = |vertex| {
        Action::Inspect(InspectAction::GoToVertex { mesh: MeshId(0), vertex: VertexId(vertex) })
    };
    state.apply(go_to(2));
    assert_eq!(vertex_of(&state), Some((2, Some(0))));
    state.apply(go_to(6));
    assert_eq!(vertex_of(&state), Some((2, Some(0))), "there is no vertex 6");
}

#[test]
fn hovering_shows_a_tooltip_until_the_view_changes_and_never_selects() {
    let mut state = opened();
    let ndc = Vec2::new(0.1, 0.2);
    let at = PickAt { ndc, what: PickWhat::Vertex, wanted_for: PickFor::Hovering };
    let hit = PickHit {
        triangle: Some(PickedTriangle {
            mesh: MeshId(0),
            triangle: 1,
            subset: 1,
            vertex: VertexId(4),
        }),
        ..PickHit::default()
    };
    state.apply(Action::Pick(at));
    state.apply(picked(&state, at, hit));
    assert_eq!(state.tab.selection, Selection::None);
    let hover = state.hover_at(ndc).unwrap();
    assert_eq!(hover.position, Some(Vec3::new(2.0, 0.0, 0.0)));
    assert!(hover.lines[0].starts_with("triangle 1"), "{hover:?}");
    assert!(hover.lines[1] == "vertex 4" && hover.lines[3].starts_with("1.000  "));
    // The item that a click would select stays outlined while the pointer moves on.
    assert_eq!(state.hovered(), Some(OutlineTarget::Part(1)));
    assert!(state.hover_at(Vec2::new(0.2, 0.2)).is_none());
    state.apply(Action::SetVisible(0, false));
    assert!(state.hover_at(ndc).is_none(), "something else may be there");
    state.apply(Action::SetVisible(0, true));
    assert!(state.hover_at(ndc).is_some());
    state.apply(Action::Pan(Vec2::X));
    assert!(state.hover_at(ndc).is_none() && state.hovered().is_none());
    state.settings.pick = PickWhat::Triangle;
    state.apply(Action::Pick(at));
    state.apply(picked(&state, at, hit));
    let triangle = OutlineTarget::Triangle { mesh: MeshId(0), triangle: 1 };
    assert_eq!(state.hovered(), Some(triangle));
    state.apply(Action::LeaveView);
    assert_eq!(state.hovered(), None);
    assert!(state.shows_tooltips());
    state.apply(Action::Run(Command::ToggleHover));
    assert!(!state.shows_tooltips());
}

#[test]
fn hit_selects_the_requested_kind() {
    let mut state = opened();
    let bone = |distance_points| {
        Some(PickedBone { bone: rigscope_core::model::BoneId(0), distance_points })
    };
    let triangle =
        Some(PickedTriangle { mesh: MeshId(0), triangle: 1, subset: 1, vertex: VertexId(4) });
    let vertex = Selection::Vertex { mesh: MeshId(0), vertex: VertexId(4), subset: Some(1) };
    let of_bone = |n| Selection::Bone(rigscope_core::model::BoneId(n));
    for (what, bone, expected) in [
        (PickWhat::Subset, None, Selection::Subset(1)),
        (PickWhat::Subset, bone(5.0), of_bone(0)),
        (PickWhat::Triangle, bone(5.0), SECOND),
        (PickWhat::Vertex, bone(5.0), vertex),
        (PickWhat::Vertex, bone(0.0), of_bone(0)),
        // Bone 1 moves the second triangle.
        (PickWhat::Bone, None, of_bone(1)),
    ] {
        let at = PickAt { what, ..PickAt::default() };
        let hit = PickHit { triangle, bone, ..PickHit::default() };
        state.apply(Action::Pick(at));
        state.apply(picked(&state, at, hit));
        assert_eq!(state.tab.selection, expected, "{what:?}");
    }
}
