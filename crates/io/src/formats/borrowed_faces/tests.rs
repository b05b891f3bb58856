//! Points matched with models built in code.

use glam::{Affine3A, Vec2, Vec3};
use rigscope_core::model::MeshId;

use super::surface::{self, MatchedSurface};
use rigscope_testing::*;

/// A tetrahedron's corners, one bone each.
const POINTS: [Vec3; 4] =
    [Vec3::ZERO, Vec3::new(10.0, 0.0, 0.0), Vec3::new(0.0, 8.0, 0.0), Vec3::new(0.0, 0.0, 6.0)];
const FACES: [u32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

fn floats(positions: Vec<Vec3>) -> VertexData {
    VertexData::Streams(Streams { positions, ..Streams::default() })
}

fn points() -> Model {
    let lists = [0, 1, 2, 3].map(|slot| [(slot, 1.0)]);
    let mut model = ModelBuilder::new().mesh(POINTS).bound_by_keys(4, lists).build();
    model.axes.up = UpAxis::Z;
    model
}

fn faces(positions: Vec<Vec3>, indices: Vec<u32>) -> Model {
    let mut model = ModelBuilder::new().mesh(positions).indices(indices).build();
    model.axes = points().axes;
    model
}

fn borrowed(points: &Model, other: &Model) -> Option<MatchedSurface> {
    surface::surface(points, other, None, &Report::new()).unwrap()
}

fn indices(surface: &MatchedSurface) -> Vec<u32> {
    surface.mesh.indices.iter().collect()
}

#[test]
fn equal_vertices_in_the_same_order_match_by_number() {
    let surface = borrowed(&points(), &faces(POINTS.to_vec(), FACES.to_vec())).unwrap();
    assert!(surface.is_by_order);
    assert_eq!((surface.num_lost, surface.num_bare, surface.distance), (0, 0, 0.0));
    assert_eq!(surface.point_of, [0, 1, 2, 3]);
    assert_eq!(indices(&surface), FACES);
}

#[test]
fn vertices_split_at_seams_keep_their_uvs_and_share_their_point_s_influences() {
    // Every corner is a separate vertex, in another order and slightly displaced.
    let split = FACES.map(|corner| POINTS[corner as usize] + Vec3::splat(0.002));
    let mut other = faces(split.to_vec(), (0..12).collect());
    let streams = streams_mut(&mut other.meshes[MeshId(0)]);
    let coords: Vec<Vec2> = (0u8..12).map(|v| Vec2::splat(f32::from(v))).collect();
    streams.normals = vec![Vec3::X; 12];
    streams.uv_sets = vec![UvSet { name: "map".into(), coords: coords.clone() }];
    let surface = borrowed(&points(), &other).unwrap();
    assert!(!surface.is_by_order);
    assert_eq!(surface.point_of, FACES);
    let made = rigscope_testing::streams(&surface.mesh);
    assert_eq!(made.uv_sets[0].coords, coords);
    assert_eq!(made.normals, vec![Vec3::X; 12]);
    for (vertex, &point) in FACES.iter().enumerate() {
        // The positions are exactly those of the points.
        assert_eq!(made.positions[vertex], POINTS[point as usize]);
        let mut bones = Vec::new();
        surface.mesh.for_each_influence(vertex, |bone, weight| bones.push((bone.0, weight)));
        assert_eq!(bones, [(point, 1.0)]);
    }
}

#[test]
fn unmatched_vertices_are_counted_and_their_triangles_left_out() {
    let mut moved = POINTS.to_vec();
    moved[3] = Vec3::new(50.0, 50.0, 50.0);
    moved.push(Vec3::NAN);
    let surface = borrowed(&points(), &faces(moved, FACES.to_vec())).unwrap();
    assert_eq!((surface.num_lost, surface.num_bare), (2, 1));
    assert_eq!(indices(&surface), [0, 2, 1]);
    assert_eq!(surface.point_of, [0, 1, 2, 3], "the bare point is kept behind the others");
    assert_eq!(surface.mesh.num_vertices(), 4);
    let far = POINTS.map(|point| point + Vec3::splat(500.0));
    assert!(borrowed(&points(), &faces(far.to_vec(), FACES.to_vec())).is_none());
}

#[test]
fn different_axes_windings_and_rest_poses_match() {
    // Y up: (x, z, -y).
    let rotated = POINTS.map(|p| Vec3::new(p.x, p.z, -p.y));
    let mut other = faces(rotated.to_vec(), FACES.to_vec());
    other.axes = Axes::default();
    let found = borrowed(&points(), &other).unwrap();
    assert_eq!(found.point_of, [0, 1, 2, 3]);
    assert_eq!(indices(&found), FACES);

    let reversed: Vec<u32> = FACES.chunks(3).flat_map(|t| [t[0], t[2], t[1]]).collect();
    let mut other = faces(POINTS.to_vec(), reversed);
    other.axes.winding = Winding::Clockwise;
    assert_eq!(indices(&borrowed(&points(), &other).unwrap()), FACES);

    // The mesh is attached to a bone that moves it to the points.
    let offset = Vec3::new(100.0, 0.0, -7.0);
    let mut other = faces(POINTS.map(|p| p - offset).to_vec(), FACES.to_vec());
    let bone = Bone {
        rest_local: LocalTransform::Matrix(Affine3A::from_translation(offset)),
        ..Bone::default()
    };
    other.skeleton = Skeleton::new(vec![bone], true).unwrap();
    other.meshes[MeshId(0)].attached_to = Some(BoneId(0));
    assert_eq!(borrowed(&points(), &other).unwrap().num_lost, 0);
}

#[test]
fn matching_100000_coincident_points_is_fast() {
    let mut all = points();
    all.meshes[MeshId(0)].vertices = floats(vec![Vec3::ONE; 100_000]);
    let other = faces(vec![Vec3::ONE; 100_001], FACES.to_vec());
    assert!(borrowed(&all, &other).is_some());
}

#[test]
fn vertex_numbers_distinguish_coincident_points() {
    let mut doubled = points();
    let at = |vertices: &[usize]| floats(vertices.iter().map(|&v| POINTS[v]).collect());
    doubled.meshes[MeshId(0)].vertices = at(&[0, 1, 2, 2]);
    let mut other = faces(Vec::new(), vec![0, 1, 2]);
    other.meshes[MeshId(0)].vertices = at(&[2, 0, 1]);
    let found = |numbers| surface::surface(&doubled, &other, numbers, &Report::new());
    let by_order = found(Some(&[3, 0, 1])).unwrap().unwrap();
    assert_eq!(by_order.point_of, [3, 0, 1, 2]);
    assert!(by_order.is_by_order);
    // Without numbers, or with wrong ones, the nearest point is used.
    for numbers in [None, Some(&[0, 1, 9][..])] {
        let nearest = found(numbers).unwrap().unwrap();
        assert_eq!(nearest.point_of, [2, 0, 1, 3]);
        assert!(!nearest.is_by_order);
    }
}
