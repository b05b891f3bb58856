//! Bad triangles as faces and lines over the model.
//!
//! Not for: finding them; see `validate::bad_triangles`.

use super::show::{DEGENERATE_COLOR, FLIPPED_COLOR};
use super::{Face, Line, Marks};
use crate::model::{MeshId, Model};
use crate::pose::{MeshPose, PoseSpec, sample, skin_vertex};
use crate::validate::{BadTriangles, TriangleAt};

/// Most triangles that are marked per kind; the count is reported separately.
const MAX_MARKED: usize = 2000;

impl Marks {
    /// Adds bad triangles in a pose. Only their own corners are skinned.
    pub(super) fn add_bad_triangles(&mut self, model: &Model, spec: &PoseSpec, bad: &BadTriangles) {
        if !bad.is_empty() {
            self.add_triangles(model, spec, &bad.flipped, FLIPPED_COLOR);
            self.add_triangles(model, spec, &bad.degenerate, DEGENERATE_COLOR);
        }
    }

    fn add_triangles(
        &mut self,
        model: &Model,
        spec: &PoseSpec,
        triangles: &[TriangleAt],
        [r, g, b]: [f32; 3],
    ) {
        let display_from_file = model.axes.display_from_file();
        let pose = sample(model, spec);
        let mut bound: Option<(MeshId, MeshPose)> = None;
        for at in triangles.iter().take(MAX_MARKED) {
            let mesh = model.mesh(at.mesh);
            if bound.as_ref().is_none_or(|(id, _)| *id != at.mesh) {
                bound = Some((at.mesh, pose.of_mesh(at.mesh, mesh)));
            }
            let Some((_, pose)) = &bound else { continue };
            let place = |corner: u32| {
                let position = skin_vertex(mesh, corner as usize, pose)?;
                Some(display_from_file.transform_point3(position))
            };
            let [Some(a), Some(b_), Some(c)] = at.corners.map(place) else { continue };
            self.faces.push(Face { corners: [a, b_, c], color: [r, g, b, 0.7] });
            for (from, to) in [(a, b_), (b_, c), (c, a)] {
                self.lines_on_top.push(Line { from, to, color: [r, g, b, 1.0], width_points: 1.6 });
            }
        }
    }
}
