//! Splits models that exceed the limits of one packed mesh: by material, and by triangles if a
//! single material is too large.

use crate::model::as_u32;
use std::collections::{BTreeMap, BTreeSet};

use super::bone_order::{BoneOrder, Needed};
use super::merge::{Merged, MergedVertex};
use super::options::{MAX_BONES, MAX_VERTICES, PackOptions};
use crate::reshape::ReshapeError;

/// The content of one packed model.
#[derive(Default)]
pub(super) struct Piece {
    /// Numbers of merged vertices, in ascending order.
    pub(super) vertices: Vec<u32>,
    /// Groups and their triangles, by merged vertex.
    pub(super) runs: Vec<(u32, Vec<[u32; 3]>)>,
    /// Pairs that its vertices use.
    pub(super) pairs: BTreeSet<u32>,
}

/// One piece if everything fits, otherwise several.
///
/// # Errors
/// If splitting is required but not allowed, or a single triangle doesn't fit.
pub(super) fn pieces(
    merged: &Merged,
    bone_order: &BoneOrder<'_>,
    options: &PackOptions,
) -> Result<Vec<Piece>, ReshapeError> {
    let mut needed = Needed::default();
    let all = merged.vertices.iter().flat_map(MergedVertex::used_pairs);
    let num_bones = bone_order.count_with(&mut needed, all);
    let num_vertices = merged.vertices.len();
    if num_vertices <= MAX_VERTICES && num_bones <= MAX_BONES {
        let numbers = 0..as_u32(num_vertices);
        let runs = merged.runs().map(|(group, run)| {
            let corners = run.iter().map(|triangle| triangle.corners);
            (group, corners.collect())
        });
        return Ok(vec![Piece {
            vertices: numbers.collect(),
            runs: runs.collect(),
            pairs: needed.pairs,
        }]);
    }
    if options.never_split {
        return Err(if num_vertices > MAX_VERTICES {
            too_many("vertices", num_vertices, MAX_VERTICES)
        } else {
            too_many("bones", num_bones, MAX_BONES)
        });
    }
    let mut splitter = PieceBuilder {
        merged,
        bone_order,
        done: Vec::new(),
        open: Open::default(),
        taken_by: vec![0; num_vertices],
        number: 1,
    };
    let mut is_named = vec![false; num_vertices];
    for (group, run) in merged.runs() {
        let triangles: Vec<&[u32]> = run.iter().map(|t| &t.corners[..]).collect();
        for &corner in triangles.iter().copied().flatten() {
            if let Some(flag) = is_named.get_mut(corner as usize) {
                *flag = true;
            }
        }
        splitter.add_all(Some(group), &triangles)?;
    }
    // Points without triangles.
    let numbers = 0u32..;
    let loose: Vec<[u32; 1]> =
        numbers.zip(is_named).filter(|(_, named)| !named).map(|(number, _)| [number]).collect();
    let loose: Vec<&[u32]> = loose.iter().map(|point| &point[..]).collect();
    splitter.add_all(None, &loose)?;
    splitter.close();
    Ok(splitter.done)
}

fn too_many(what: &'static str, count: usize, limit: usize) -> ReshapeError {
    ReshapeError::TooMany { what, count, limit }
}

/// A piece that is being filled.
#[derive(Default)]
struct Open {
    /// Each once, in the order of addition.
    vertices: Vec<u32>,
    needed: Needed,
    runs: BTreeMap<u32, Vec<[u32; 3]>>,
}

struct PieceBuilder<'a> {
    merged: &'a Merged,
    bone_order: &'a BoneOrder<'a>,
    done: Vec<Piece>,
    open: Open,
    /// For each vertex, the number of the piece that used it last; 0 if none has.
    taken_by: Vec<u32>,
    /// Number of the open piece.
    number: u32,
}

impl PieceBuilder<'_> {
    /// Adds triangles or points: all to the open piece, or all to a new one, or one by one.
    fn add_all(&mut self, group: Option<u32>, items: &[&[u32]]) -> Result<(), ReshapeError> {
        if items.is_empty() || self.fits(group, items) {
            return Ok(());
        }
        if !self.open.vertices.is_empty() {
            let before = std::mem::take(&mut self.open);
            self.number += 1;
            if self.fits(group, items) {
                self.done.push(before.closed());
                return Ok(());
            }
            self.number -= 1;
            for &vertex in &before.vertices {
                self.take(vertex);
            }
            self.open = before;
        }
        for item in items {
            if self.fits(group, &[item]) {
                continue;
            }
            self.close();
            if !self.fits(group, &[item]) {
                let mut needed = Needed::default();
                let pairs = item.iter().flat_map(|&vertex| self.pairs_of(vertex));
                let count = self.bone_order.count_with(&mut needed, pairs);
                return Err(too_many(
                    "bones of one triangle and their ancestors",
                    count,
                    MAX_BONES,
                ));
            }
        }
        Ok(())
    }

    fn pairs_of(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let vertex = self.merged.vertices.get(vertex as usize);
        vertex.into_iter().flat_map(MergedVertex::used_pairs)
    }

    /// Adds items to the open piece if there is room for all of them.
    fn fits(&mut self, group: Option<u32>, items: &[&[u32]]) -> bool {
        let num_before = self.open.vertices.len();
        for &vertex in items.iter().copied().flatten() {
            if self.take(vertex) {
                self.open.vertices.push(vertex);
                if self.open.vertices.len() > MAX_VERTICES {
                    return self.give_back(num_before);
                }
            }
        }
        let new = self.open.vertices.get(num_before..).unwrap_or_default();
        let pairs: BTreeSet<u32> = (new.iter())
            .flat_map(|&vertex| self.pairs_of(vertex))
            .filter(|pair| !self.open.needed.pairs.contains(pair))
            .collect();
        if !pairs.is_empty() {
            let mut needed = self.open.needed.clone();
            if self.bone_order.count_with(&mut needed, pairs) > MAX_BONES {
                return self.give_back(num_before);
            }
            self.open.needed = needed;
        }
        if let Some(group) = group {
            let run = self.open.runs.entry(group).or_default();
            run.extend(items.iter().filter_map(|item| <[u32; 3]>::try_from(*item).ok()));
        }
        true
    }

    /// Whether the open piece didn't have the vertex before.
    fn take(&mut self, vertex: u32) -> bool {
        let taken_by = self.taken_by.get_mut(vertex as usize);
        taken_by.is_some_and(|number| std::mem::replace(number, self.number) != self.number)
    }

    /// Removes the vertices after the first `num` again, because there is no room for them.
    fn give_back(&mut self, num: usize) -> bool {
        for vertex in self.open.vertices.drain(num..) {
            if let Some(taken_by) = self.taken_by.get_mut(vertex as usize) {
                *taken_by = 0;
            }
        }
        false
    }

    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.number += 1;
        if !open.vertices.is_empty() {
            self.done.push(open.closed());
        }
    }
}

impl Open {
    fn closed(mut self) -> Piece {
        self.vertices.sort_unstable();
        Piece {
            vertices: self.vertices,
            runs: self.runs.into_iter().collect(),
            pairs: self.needed.pairs,
        }
    }
}
