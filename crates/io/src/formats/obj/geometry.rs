//! Triangles, lines and points of a mesh, by material.

use glam::DVec3;

use super::faces::{Corner, Lists};
use super::normals::{face_normal, position};
use crate::formats::ReadError;
use rigscope_core::geometry::polygon::{self, ears};
use rigscope_core::model::{
    FindingKind, LooseGeometry, LooseKind, MaterialId, Place, Report, Subset, as_u32, counted,
};

/// The geometry of a mesh.
#[derive(Default)]
pub(super) struct Geometry {
    pub(super) indices: Vec<u32>,
    pub(super) subsets: Vec<Subset>,
    pub(super) loose: Vec<LooseGeometry>,
    /// Lines and points of the current material.
    lines: Vec<u32>,
    points: Vec<u32>,
}

impl Geometry {
    /// Adds a face of the current material; `vertices` are those of its corners.
    pub(super) fn add(
        &mut self,
        lists: &Lists,
        corners: &[Corner],
        vertices: &[u32],
        report: &Report,
    ) -> Result<(), ReadError> {
        match (corners, vertices) {
            (_, []) => {}
            (_, [_]) => self.points.extend(vertices),
            (_, [_, _]) => self.lines.extend(vertices),
            (_, [_, _, _]) => self.indices.extend(vertices),
            ([a, b, c, d], _) => {
                let positions = [a, b, c, d].map(|corner| position(&lists.points, corner));
                self.extend(&ears::quad(positions), vertices);
            }
            _ => {
                let positions: Vec<DVec3> =
                    corners.iter().map(|corner| position(&lists.points, corner)).collect();
                let is_small = positions.len() <= polygon::MANY_CORNERS;
                let clip = || ears::clip_ears(&positions, face_normal(&lists.points, corners));
                match is_small.then(clip).flatten() {
                    Some(triangles) => self.extend(&triangles, vertices),
                    None => self.polygon(&positions, vertices, report)?,
                }
            }
        }
        Ok(())
    }

    fn extend(&mut self, triangles: &[[usize; 3]], vertices: &[u32]) {
        let corners = triangles.iter().flatten();
        self.indices.extend(corners.filter_map(|&corner| vertices.get(corner)));
    }

    /// Adds a polygon with very many corners.
    fn polygon(
        &mut self,
        positions: &[DVec3],
        vertices: &[u32],
        report: &Report,
    ) -> Result<(), ReadError> {
        let corners: Vec<[f64; 3]> = positions.iter().map(DVec3::to_array).collect();
        let mut go_on = |share: f32| report.progress("triangulating a polygon", 0.4 + 0.5 * share);
        let cut = polygon::triangulate(&corners, &mut go_on)?;
        let corners = cut.triangles.iter().flatten();
        self.indices.extend(corners.filter_map(|&corner| vertices.get(corner as usize)));
        let num_forced = cut.num_forced;
        report.add_many(
            FindingKind::PolygonNotSimple,
            Place::File,
            u64::from(num_forced > 0),
            || {
                let triangles = counted(num_forced as u64, "triangle");
                let corners = counted(positions.len() as u64, "corner");
                format!("{triangles} of a polygon with {corners} may overlap others")
            },
        );
        Ok(())
    }

    /// Frees unused capacity: a file may have as many meshes as faces.
    pub(super) fn shrink(&mut self) {
        self.indices.shrink_to_fit();
        self.subsets.shrink_to_fit();
        self.loose.shrink_to_fit();
    }

    /// Ends the faces of a material.
    pub(super) fn end_material(&mut self, material: Option<MaterialId>) {
        let first = self.subsets.last().map_or(0, |last| last.first_index + last.index_count);
        let count = as_u32(self.indices.len()) - first;
        if count > 0 {
            self.subsets.push(Subset { first_index: first, index_count: count, material });
        }
        let lines = std::mem::take(&mut self.lines);
        let points = std::mem::take(&mut self.points);
        for (kind, indices) in [(LooseKind::Lines, lines), (LooseKind::Points, points)] {
            if !indices.is_empty() {
                self.loose.push(LooseGeometry { kind, indices, material });
            }
        }
    }
}
