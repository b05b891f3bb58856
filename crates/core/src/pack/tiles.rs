//! Moves texture coordinates into 0 to 1, sheet by sheet.
//!
//! A sheet (triangles that share vertices) inside a single tile moves by whole tiles. In other
//! sheets, each triangle moves separately, and those that extend over several tiles are cut at the
//! tile borders. With repeating textures, none of this is visible. Taking `fract` of single
//! vertices would be: it compresses the whole texture, reversed, into every triangle that crosses a
//! border.

use std::collections::HashMap;

use glam::{DVec2, DVec3, IVec2, Vec2, Vec3, Vec4};

use super::cut::{self, Corner};
use super::soup::{Soup, Triangle, Vertex};
use crate::geometry::DisjointSets;
use crate::model::{Origin, as_u32, influence_row};

/// Coordinates this far outside are rounding errors: half a step of the stored values.
const SLACK: f32 = 0.5 / 65_535.0;
/// A triangle over more tiles isn't cut.
const MAX_TILES_A_TRIANGLE: i64 = 1024;
/// The most pieces from all triangles of a mesh.
const MAX_PIECES: usize = 1 << 17;
/// Single precision can't distinguish tiles beyond this distance.
const MAX_TILE: f32 = 65_536.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileCounts {
    /// Vertices whose coordinates moved.
    pub(super) num_moved: usize,
    pub(super) num_cut: usize,
}

/// Moves and cuts; coordinates that are still outside are clamped when they are stored.
pub(super) fn tile(soup: &mut Soup) -> TileCounts {
    let mut tiled = TileCounts::default();
    if !soup.has_uvs || soup.vertices.iter().all(|v| is_inside(v.uv)) {
        return tiled;
    }
    let sheets = Sheets::of(soup);
    // Vertices of sheets that stay whole.
    let mut moved_by: Vec<Option<IVec2>> = Vec::with_capacity(soup.vertices.len());
    for vertex in 0..soup.vertices.len() {
        moved_by.push(sheets.tile_of(vertex));
    }
    let triangles = std::mem::take(&mut soup.triangles);
    let mut own = MadeVertices::default();
    for triangle in triangles {
        let [a, b, c] = triangle.corners;
        let keeps_together = moved_by.get(a as usize).copied().flatten().is_some();
        if keeps_together {
            soup.triangles.push(triangle);
            continue;
        }
        let uv = |corner: u32| soup.vertices.get(corner as usize).map_or(Vec2::ZERO, |v| v.uv);
        let (a, b, c) = (uv(a), uv(b), uv(c));
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        match tile_of(min, max) {
            Some(tile) => {
                let corners = triangle.corners.map(|vertex| own.moved(soup, vertex, tile));
                soup.triangles.push(Triangle { corners, ..triangle });
            }
            None => tiled.num_cut += usize::from(own.cut(soup, triangle, min, max)),
        }
    }
    for (vertex, tile) in soup.vertices.iter_mut().zip(moved_by) {
        if let Some(tile) = tile.filter(|tile| *tile != IVec2::ZERO) {
            vertex.uv -= tile.as_vec2();
            tiled.num_moved += 1;
        }
    }
    tiled.num_moved += own.num_moved;
    drop_left_behind(soup, &sheets);
    tiled
}

/// Removes vertices that are no longer used because their sheet was divided.
fn drop_left_behind(soup: &mut Soup, sheets: &Sheets) {
    let mut is_named = vec![false; soup.vertices.len()];
    for &corner in soup.triangles.iter().flat_map(|t| &t.corners) {
        if let Some(flag) = is_named.get_mut(corner as usize) {
            *flag = true;
        }
    }
    let mut new_number = Vec::with_capacity(soup.vertices.len());
    let mut kept = Vec::with_capacity(soup.vertices.len());
    for (number, vertex) in soup.vertices.iter().enumerate() {
        new_number.push(as_u32(kept.len()));
        let is_loose = sheets.is_loose(number);
        if is_loose || is_named.get(number).copied().unwrap_or(false) {
            kept.push(*vertex);
        }
    }
    for corner in soup.triangles.iter_mut().flat_map(|t| &mut t.corners) {
        if let Some(&new) = new_number.get(*corner as usize) {
            *corner = new;
        }
    }
    soup.vertices = kept;
}

fn is_inside(uv: Vec2) -> bool {
    uv.cmpge(Vec2::splat(-SLACK)).all() && uv.cmple(Vec2::splat(1.0 + SLACK)).all()
}

/// The tile that contains a box; `None` if it isn't in a single one.
fn tile_of(min: Vec2, max: Vec2) -> Option<IVec2> {
    if is_inside(min) && is_inside(max) {
        return Some(IVec2::ZERO);
    }
    let tile = (min + SLACK).floor();
    let fits = (max - tile).cmple(Vec2::splat(1.0 + SLACK)).all();
    let is_near = tile.abs().max_element() < MAX_TILE;
    (fits && is_near).then(|| tile.as_ivec2())
}

/// Vertices that are connected by triangles, and the bounding box of each sheet.
struct Sheets {
    root: Vec<u32>,
    bounds: Vec<(Vec2, Vec2)>,
    num_corners: Vec<u32>,
}

impl Sheets {
    fn of(soup: &Soup) -> Self {
        let num = as_u32(soup.vertices.len());
        let mut islands = DisjointSets::new(soup.vertices.len());
        for triangle in &soup.triangles {
            let [a, b, c] = triangle.corners;
            islands.join(a, b);
            islands.join(a, c);
        }
        let mut sheets = Self {
            bounds: vec![(Vec2::INFINITY, Vec2::NEG_INFINITY); soup.vertices.len()],
            num_corners: vec![0; soup.vertices.len()],
            root: Vec::new(),
        };
        for number in 0..num {
            let top = islands.first_of(number);
            let vertex = soup.vertices.get(number as usize);
            if let (Some(bounds), Some(vertex)) = (sheets.bounds.get_mut(top as usize), vertex) {
                *bounds = (bounds.0.min(vertex.uv), bounds.1.max(vertex.uv));
            }
        }
        for triangle in &soup.triangles {
            for corner in triangle.corners {
                if let Some(count) = sheets.num_corners.get_mut(corner as usize) {
                    *count += 1;
                }
            }
        }
        sheets.root = (0..num).map(|number| islands.first_of(number)).collect();
        sheets
    }

    /// The tile of the vertex's sheet; `None` if it extends over several.
    fn tile_of(&self, vertex: usize) -> Option<IVec2> {
        let root = *self.root.get(vertex)?;
        let &(min, max) = self.bounds.get(root as usize)?;
        tile_of(min, max)
    }

    /// Whether no triangle used the vertex to begin with.
    fn is_loose(&self, vertex: usize) -> bool {
        self.num_corners.get(vertex) == Some(&0)
    }
}

/// Vertices made for triangles that move separately.
#[derive(Default)]
struct MadeVertices {
    moved: HashMap<(u32, IVec2), u32>,
    num_moved: usize,
    num_pieces: usize,
}

impl MadeVertices {
    /// The copy of a vertex moved by `tile`.
    fn moved(&mut self, soup: &mut Soup, vertex: u32, tile: IVec2) -> u32 {
        if tile == IVec2::ZERO {
            return vertex;
        }
        if let Some(&known) = self.moved.get(&(vertex, tile)) {
            return known;
        }
        let Some(&source) = soup.vertices.get(vertex as usize) else { return vertex };
        self.num_moved += 1;
        let copy = soup.push(Vertex { uv: source.uv - tile.as_vec2(), ..source });
        self.moved.insert((vertex, tile), copy);
        copy
    }

    /// Cuts a triangle into pieces of one tile each. If there would be too many, leaves it whole
    /// and returns false.
    fn cut(&mut self, soup: &mut Soup, triangle: Triangle, min: Vec2, max: Vec2) -> bool {
        let (low, high) = (min.floor(), max.ceil());
        let is_near = low.abs().max_element() < MAX_TILE && high.abs().max_element() < MAX_TILE;
        let span = (high - low).as_i64vec2();
        let num_tiles = span.x.saturating_mul(span.y);
        if !is_near || num_tiles > MAX_TILES_A_TRIANGLE || self.num_pieces > MAX_PIECES {
            soup.triangles.push(triangle);
            return false;
        }
        let source = triangle.corners.map(|corner| soup.vertices.get(corner as usize).copied());
        let [Some(a), Some(b), Some(c)] = source else { return false };
        let corners = [(a, DVec3::X), (b, DVec3::Y), (c, DVec3::Z)]
            .map(|(vertex, shares)| Corner { uv: vertex.uv.as_dvec2(), shares });
        for (tile, piece) in cut::by_tile(&corners, low.as_ivec2(), high.as_ivec2()) {
            let numbers: Vec<u32> = piece
                .iter()
                .map(|corner| self.piece_vertex(soup, triangle.corners, [a, b, c], tile, corner))
                .collect();
            let Some((&first, rest)) = numbers.split_first() else { continue };
            for pair in rest.windows(2) {
                if let &[second, third] = pair {
                    self.num_pieces += 1;
                    soup.triangles.push(Triangle { corners: [first, second, third], ..triangle });
                }
            }
        }
        true
    }

    fn piece_vertex(
        &mut self,
        soup: &mut Soup,
        numbers: [u32; 3],
        source: [Vertex; 3],
        tile: IVec2,
        corner: &Corner,
    ) -> u32 {
        let shares = corner.shares;
        for (axis, number) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip(numbers) {
            if shares == axis {
                return self.moved(soup, number, tile);
            }
        }
        let vertex = between(soup, source, numbers, shares, corner.uv - tile.as_dvec2());
        soup.push(vertex)
    }
}

/// A vertex inside a triangle, with all attributes and influences interpolated between the corners.
fn between(
    soup: &mut Soup,
    source: [Vertex; 3],
    numbers: [u32; 3],
    shares: DVec3,
    uv: DVec2,
) -> Vertex {
    // Corners sorted by number, so that both triangles at an edge round alike.
    let mut corners = [0usize, 1, 2].map(|at| (numbers[at], source[at], shares[at].max(0.0)));
    corners.sort_by_key(|(number, ..)| *number);
    let mut position = DVec3::ZERO;
    let (mut normal, mut tangent) = (Vec3::ZERO, Vec3::ZERO);
    let mut influences: Vec<(u32, f32)> = Vec::new();
    for (_, vertex, share) in &corners {
        #[expect(clippy::cast_possible_truncation, reason = "a share needs no 53 bits")]
        let part = *share as f32;
        position += vertex.position.as_dvec3() * *share;
        normal += vertex.normal * part;
        tangent += vertex.tangent.truncate() * part;
        let own = soup.influences_of(vertex);
        let sum = influence_row::sum(own);
        for &(pair, weight) in own.iter().filter(|_| part > 0.0 && sum > 0.0) {
            influence_row::add(&mut influences, pair, weight / sum * part);
        }
    }
    let largest = [0usize, 1, 2].into_iter().max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
    let nearest = source[largest.unwrap_or(0)];
    let first = as_u32(soup.influences.len());
    let num = as_u32(influences.len());
    soup.influences.extend(influences);
    Vertex {
        position: position.as_vec3(),
        normal: normal.normalize_or_zero(),
        tangent: Vec4::from((tangent.normalize_or_zero(), nearest.tangent.w)),
        uv: uv.as_vec2(),
        first,
        num,
        origin: Origin::Inside {
            corners: source.map(|corner| corner.origin.nearest()),
            shares: shares.as_vec3(),
        },
    }
}

#[cfg(test)]
#[path = "tests/tiles.rs"]
mod tests;
