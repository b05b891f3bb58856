//! Bringing texture coordinates into 0 to 1, sheet by sheet.
//!
//! A sheet (triangles that share vertices) inside one tile moves by whole tiles. Of others each
//! triangle moves by itself, and those that reach over several tiles are cut at the whole numbers.
//! All of that shows the same with textures that repeat. `fract` of single vertices would not: it
//! smears a texture backwards over every triangle that crosses a seam.

use std::collections::HashMap;

use glam::{DVec2, DVec3, IVec2, Vec2, Vec3, Vec4};

use super::cut::{self, Corner};
use super::soup::{Soup, Triangle, Vertex};
use crate::bake::islands::Islands;
use crate::model::Origin;

/// Coordinates this far outside are rounding: half a step of what is stored.
const SLACK: f32 = 0.5 / 65_535.0;
/// A triangle over more tiles than this is not cut.
const MAX_TILES_A_TRIANGLE: i64 = 1024;
/// Triangles of one mesh are cut into so many pieces in all.
const MAX_PIECES: usize = 1 << 17;
/// Tiles farther away than this are not distinguished in single precision.
const MAX_TILE: f32 = 65_536.0;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tiled {
    /// Vertices whose coordinates moved.
    pub(super) num_moved: usize,
    /// Triangles cut.
    pub(super) num_cut: usize,
}

/// Moves and cuts; what is still outside then is clamped when it is stored.
pub(super) fn tile(soup: &mut Soup) -> Tiled {
    let mut tiled = Tiled::default();
    if !soup.has_uvs || soup.vertices.iter().all(|v| is_inside(v.uv)) {
        return tiled;
    }
    let sheets = Sheets::of(soup);
    // Vertices of sheets that keep together.
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

/// Takes out vertices of sheets that fell apart, which no triangle names any more.
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
        new_number.push(u32::try_from(kept.len()).unwrap_or(u32::MAX));
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

/// The one tile that holds a box; `None` where there is none.
fn tile_of(min: Vec2, max: Vec2) -> Option<IVec2> {
    if is_inside(min) && is_inside(max) {
        return Some(IVec2::ZERO);
    }
    let tile = (min + SLACK).floor();
    let fits = (max - tile).cmple(Vec2::splat(1.0 + SLACK)).all();
    let is_near = tile.abs().max_element() < MAX_TILE;
    (fits && is_near).then(|| tile.as_ivec2())
}

/// Which vertices hang together by triangles, and the box around each sheet.
struct Sheets {
    root: Vec<u32>,
    bounds: Vec<(Vec2, Vec2)>,
    num_corners: Vec<u32>,
}

impl Sheets {
    fn of(soup: &Soup) -> Self {
        let num = u32::try_from(soup.vertices.len()).unwrap_or(u32::MAX);
        let mut islands = Islands::new(soup.vertices.len());
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

    /// The tile that the vertex's sheet lies in; `None` where it lies in several.
    fn tile_of(&self, vertex: usize) -> Option<IVec2> {
        let root = *self.root.get(vertex)?;
        let &(min, max) = self.bounds.get(root as usize)?;
        tile_of(min, max)
    }

    /// Whether no triangle named the vertex to begin with.
    fn is_loose(&self, vertex: usize) -> bool {
        self.num_corners.get(vertex) == Some(&0)
    }
}

/// Vertices made for triangles that go their own way.
#[derive(Default)]
struct MadeVertices {
    moved: HashMap<(u32, IVec2), u32>,
    num_moved: usize,
    num_pieces: usize,
}

impl MadeVertices {
    /// The copy of a vertex that is moved by `tile`.
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

    /// Cuts a triangle into pieces of one tile each; leaves it whole, and says so, where those
    /// would be too many.
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

/// A vertex inside a triangle: all that it has, and its influences, between those of the corners.
fn between(
    soup: &mut Soup,
    source: [Vertex; 3],
    numbers: [u32; 3],
    shares: DVec3,
    uv: DVec2,
) -> Vertex {
    // Corners in the order of their numbers, so that both triangles at an edge sum alike.
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
        let sum: f32 = own.iter().map(|(_, weight)| weight).sum();
        for &(pair, weight) in own.iter().filter(|_| part > 0.0 && sum > 0.0) {
            let weight = weight / sum * part;
            match influences.iter_mut().find(|(known, _)| *known == pair) {
                Some((_, total)) => *total += weight,
                None => influences.push((pair, weight)),
            }
        }
    }
    let largest = [0usize, 1, 2].into_iter().max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
    let nearest = source[largest.unwrap_or(0)];
    let first = u32::try_from(soup.influences.len()).unwrap_or(u32::MAX);
    let num = u32::try_from(influences.len()).unwrap_or(u32::MAX);
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
