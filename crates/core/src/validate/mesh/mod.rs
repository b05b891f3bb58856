//! Rules about vertices, triangles and their order, per mesh.
//!
//! For: errors of an artist or an exporter that a reader can tolerate: faces in the wrong direction, tangents
//! that mirror normal maps, clamped UVs, redundant data. Not for: problems that `model::check` already counts
//! (indices out of range, repeated indices, zero and non-unit directions, subsets that overlap or leave
//! gaps).
//!
//! Everything is examined in the mesh's own space, as stored, except the visible side of triangles, because a
//! skin may mirror them.

mod bad_triangles;
mod by_vertex;
mod geometry;
mod order_figures;

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

pub(crate) use bad_triangles::reversed_meshes;
pub use bad_triangles::{BadTriangles, TriangleAt, bad_triangles};
use geometry::Geometry;
pub use order_figures::{OrderFigures, order_figures};
pub(crate) use tangents::{MAX_COSINE as MAX_TANGENT_COSINE, tangent_signs};

use crate::model::{Cancelled, Model, Report};
use crate::pose::{PoseSpec, sample};

/// A rule of this group.
type MeshRule = fn(&Geometry<'_>, &Report);

rules! {
    ALL: MeshRule = check;
    slivers,
    duplicate_triangles,
    facing,
    unused,
    duplicate_vertices,
    tangents,
    uvs,
    headroom,
    edges,
    draw_order
}

/// On smaller meshes, all rules finish before another thread would have started.
const MIN_VERTICES_IN_PARALLEL: usize = 4096;

/// Applies every rule to every mesh.
pub(super) fn check(model: &Model, report: &Report) -> Result<(), Cancelled> {
    let rules = ALL.functions;
    let num_steps = (model.meshes.len() * rules.len()).max(1);
    let pose = sample(model, &PoseSpec::default());
    for (number, mesh) in model.meshes.iter().enumerate() {
        report.progress("checking meshes", number as f32 / model.meshes.len() as f32)?;
        let geometry = Geometry::of(mesh, number, &model.axes).posed(&pose);
        let num_done = AtomicUsize::new(number * rules.len());
        let is_small = mesh.num_vertices() < MIN_VERTICES_IN_PARALLEL;
        let at_once = if is_small { rules.len() } else { 1 };
        let found = rules.par_iter().with_min_len(at_once).map(|rule| {
            let done = num_done.fetch_add(1, Ordering::Relaxed);
            report.progress("checking meshes", done as f32 / num_steps as f32)?;
            let own = report.quiet();
            rule(&geometry, &own);
            Ok(own)
        });
        for own in found.collect::<Result<Vec<_>, Cancelled>>()? {
            report.add_all_of(own);
        }
    }
    Ok(())
}
