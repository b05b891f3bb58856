//! Rules about vertices, triangles and their order, mesh by mesh.
//!
//! For: what an artist or an exporter got wrong and a reader can live with: faces that look the
//! wrong way, tangents that mirror normal maps, UVs that were cut off, work done twice.
//! Not for: what `model::check` already counts (indices out of range, repeated indices, zero and
//! non-unit directions, subsets that overlap or leave gaps).
//!
//! Everything is judged in the mesh's own space, as stored, except on which side triangles are seen: a
//! skin may mirror them.

mod bad;
mod by_vertex;
mod draw_order;
mod edges;
mod facing;
mod geometry;
mod headroom;
mod order_figures;
mod repeats;
mod slivers;
mod tangents;
mod twins;
mod unused;
mod uvs;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub use bad::{BadTriangles, TriangleAt, bad_triangles};
use geometry::Geometry;
pub use order_figures::{OrderFigures, order_figures};

use crate::model::{Cancelled, Model, NoteKind, Report};
use crate::pose::{PoseSpec, sample};

/// What these rules note.
pub(super) const FINDINGS: &[&[NoteKind]] =
    findings![slivers, repeats, facing, unused, twins, tangents, uvs, headroom, edges, draw_order];

/// Of smaller meshes all rules are done before another thread would have begun.
const MIN_VERTICES_IN_PARALLEL: usize = 4096;

/// Applies every rule to every mesh.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    const RULES: &[fn(&Geometry<'_>, &Report)] = &[
        slivers::check,
        repeats::check,
        facing::check,
        unused::check,
        twins::check,
        tangents::check,
        uvs::check,
        headroom::check,
        edges::check,
        draw_order::check,
    ];
    let num_steps = (model.meshes.len() * RULES.len()).max(1);
    let pose = sample(model, &PoseSpec::default());
    for (number, mesh) in model.meshes.iter().enumerate() {
        report.progress("rules for meshes", number as f32 / model.meshes.len() as f32)?;
        let geometry = Geometry::of(mesh, number, &model.axes).posed(&pose);
        let num_done = AtomicUsize::new(number * RULES.len());
        let is_small = mesh.num_vertices() < MIN_VERTICES_IN_PARALLEL;
        let at_once = if is_small { RULES.len() } else { 1 };
        let found = RULES.par_iter().with_min_len(at_once).map(|rule| {
            let done = num_done.fetch_add(1, Ordering::Relaxed);
            report.progress("rules for meshes", done as f32 / num_steps as f32)?;
            let own = report.quiet();
            rule(&geometry, &own);
            Ok(own)
        });
        for own in found.collect::<Result<Vec<_>, Cancelled>>()? {
            report.add_notes(own);
        }
    }
    Ok(())
}
