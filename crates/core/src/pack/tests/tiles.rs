//! Sheets that move, triangles that are cut, and data that remains unchanged.

use super::*;
use crate::model::VertexAt;

fn soup(corners: &[[f32; 2]], triangles: &[[u32; 3]]) -> Soup {
    let mut soup = Soup { has_uvs: true, ..Soup::default() };
    for (number, &uv) in (0u32..).zip(corners) {
        soup.influences.push((number, 1.0));
        soup.vertices.push(Vertex {
            position: Vec2::from(uv).extend(0.0),
            normal: Vec3::Z,
            tangent: Vec4::new(1.0, 0.0, 0.0, 1.0),
            uv: uv.into(),
            first: number,
            num: 1,
            origin: Origin::Vertex(VertexAt::new(0, number as usize)),
        });
    }
    soup.triangles = triangles.iter().map(|&corners| Triangle { corners, group: 0 }).collect();
    soup
}

fn all_inside(soup: &Soup) -> bool {
    soup.vertices.iter().all(|v| is_inside(v.uv))
}

#[test]
fn uv_island_in_another_tile_is_moved_as_a_whole() {
    let inside = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let outside = [[3.0, -2.0], [4.0, -2.0], [3.5, -1.0], [3.0, -1.5]];
    let mut soup = soup(&[&inside[..], &outside].concat(), &[[0, 1, 2], [3, 4, 5], [3, 5, 6]]);
    let tiled = tile(&mut soup);
    assert_eq!(tiled, TileCounts { num_moved: 4, num_cut: 0 });
    assert_eq!(soup.vertices.len(), 7, "nothing is doubled");
    assert_eq!(soup.vertices[1].uv, Vec2::X);
    assert_eq!(soup.vertices[5].uv, Vec2::new(0.5, 1.0));
}

#[test]
fn triangles_of_an_island_across_two_tiles_are_moved_separately() {
    // Two adjacent squares that share an edge at u = 1.
    let corners = [[0.2, 0.0], [1.0, 0.0], [1.0, 0.9], [1.8, 0.0]];
    let mut soup = soup(&corners, &[[0, 1, 2], [1, 3, 2]]);
    let tiled = tile(&mut soup);
    assert_eq!(tiled.num_cut, 0);
    assert!(all_inside(&soup));
    assert_eq!(soup.vertices.len(), 6, "the shared edge is doubled");
    let [a, b, _] = soup.triangles[1].corners.map(|c| soup.vertices[c as usize].uv);
    assert!(a.distance(Vec2::ZERO) < 1e-6 && b.distance(Vec2::X * 0.8) < 1e-6);
}

#[test]
fn triangles_across_tiles_are_split_with_interpolated_attributes() {
    let mut soup = soup(&[[0.5, 0.25], [1.5, 0.25], [0.5, 0.75]], &[[0, 1, 2]]);
    let before: f32 = 0.5 * 1.0 * 0.5;
    let tiled = tile(&mut soup);
    assert_eq!(tiled.num_cut, 1);
    assert!(all_inside(&soup));
    let mut after = 0.0;
    for triangle in &soup.triangles {
        let [a, b, c] = triangle.corners.map(|c| soup.vertices[c as usize].position);
        let area = (b - a).cross(c - a).z / 2.0;
        assert!(area > 0.0, "fronts stay fronts");
        after += area;
    }
    assert!((before - after).abs() < 1e-6);
    let cut = soup.vertices.iter().find(|v| matches!(v.origin, Origin::Inside { .. }));
    let cut = *cut.unwrap();
    assert_eq!(cut.position.x, 1.0);
    let own = soup.influences_of(&cut);
    let sum: f32 = own.iter().map(|(_, weight)| weight).sum();
    assert!(own.len() == 2 && (sum - 1.0).abs() < 1e-6, "{own:?}");
    assert!(soup.vertices.iter().all(|v| v.normal == Vec3::Z && v.tangent.w == 1.0));
}

#[test]
fn triangles_across_too_many_tiles_are_not_split() {
    let mut soup = soup(&[[0.0, 0.0], [5e3, 0.0], [0.0, 5e3]], &[[0, 1, 2]]);
    assert_eq!(tile(&mut soup), TileCounts::default());
    assert_eq!(soup.triangles.len(), 1);
    let mut far = self::soup(&[[1e20, 0.5], [1e20, 0.6], [-1e20, 0.5]], &[[0, 1, 2]]);
    assert_eq!(tile(&mut far).num_cut, 0);
}

#[test]
fn uvs_slightly_outside_the_tile_are_unchanged() {
    let mut soup = soup(&[[-1e-6, 0.0], [1.0 + 1e-6, 0.0], [0.0, 1.0]], &[[0, 1, 2]]);
    assert_eq!(tile(&mut soup), TileCounts::default());
}
