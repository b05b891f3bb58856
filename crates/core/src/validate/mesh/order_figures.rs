//! Measures how well the stored order of a mesh's triangles and vertices suits a GPU.
//!
//! For: tables of figures. Not for: comparing it with the best order, which is `draw_order`.

use super::Geometry;
use super::draw_order::{CACHE_SIZE, MAX_RASTERISED, num_rasterised};
use crate::model::{MeshId, Model, VERTEX_STRIDE_BYTES};

/// Figures of one mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderFigures {
    /// Vertices shaded per triangle, with a cache of 16: 0.5 is ideal, 3 the worst.
    pub acmr: f32,
    /// Shadings per vertex: 1 is ideal.
    pub atvr: f32,
    /// Number of times a byte of a packed vertex is fetched: 1 is ideal.
    pub overfetch: f32,
    /// Shadings per pixel, seen from all sides: 1 is ideal. `None` if measuring would take too
    /// long.
    pub overdraw: Option<f32>,
}

/// Measures mesh `number` of `model`; `None` without triangles.
#[must_use]
pub fn order_figures(model: &Model, number: usize) -> Option<OrderFigures> {
    let geometry = Geometry::of(model.meshes.get(MeshId::from_index(number))?, number, &model.axes);
    if geometry.triangles.is_empty() {
        return None;
    }
    // The C++ code below doesn't check indices: these are whole triangles of existing vertices.
    let (indices, num_vertices) = (geometry.indices(), geometry.positions.len());
    let cache = meshopt::analyze_vertex_cache(&indices, num_vertices, CACHE_SIZE, 0, 0);
    let fetch = meshopt::analyze_vertex_fetch(&indices, num_vertices, VERTEX_STRIDE_BYTES);
    // Positions can be rasterised if all are finite, which `num_rasterised` checks.
    let can_rasterise = num_rasterised(&geometry).is_some_and(|pixels| pixels <= MAX_RASTERISED);
    let overdraw = can_rasterise.then(|| {
        let points: Vec<[f32; 3]> = geometry.positions.iter().map(|p| p.to_array()).collect();
        meshopt::analyze_overdraw_decoder(&indices, &points).overdraw
    });
    Some(OrderFigures { acmr: cache.acmr, atvr: cache.atvr, overfetch: fetch.overfetch, overdraw })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Indices;
    use crate::validate::fixtures::clean::{clean_model, shells, streams_of};

    #[test]
    fn nested_shells_have_overdraw() {
        let figures = order_figures(&shells(24), 0).unwrap();
        assert!((0.5..=3.0).contains(&figures.acmr), "{figures:?}");
        assert!(figures.atvr >= 1.0 && figures.overfetch >= 1.0, "{figures:?}");
        assert!(figures.overdraw.unwrap() > 1.2, "{figures:?}");
    }

    #[test]
    fn out_of_range_indices_and_incomplete_triangles_are_not_counted() {
        let wanted = order_figures(&shells(4), 0);
        let mut model = shells(4);
        let past = u32::try_from(model.meshes[MeshId(0)].num_vertices()).unwrap();
        let Indices::U32(indices) = &mut model.meshes[MeshId(0)].indices else { unreachable!() };
        indices.splice(0..0, [u32::MAX, 0, 1, 0, past, 1]);
        indices.extend([u32::MAX, u32::MAX - 1, u32::MAX, 0, 1]);
        assert!(wanted.is_some());
        assert_eq!(order_figures(&model, 0), wanted);
    }

    #[test]
    fn non_finite_positions_omit_only_the_overdraw() {
        for value in [f32::NAN, f32::INFINITY, -f32::MAX] {
            let mut model = shells(4);
            streams_of(&mut model).positions[1].x = value;
            let figures = order_figures(&model, 0).unwrap();
            assert_eq!(figures.overdraw, None);
            assert!(figures.acmr > 0.0 && figures.overfetch > 0.0, "{figures:?}");
        }
    }

    #[test]
    fn meshes_without_valid_triangles_have_no_figures() {
        assert_eq!(order_figures(&clean_model(), 99), None);
        for list in [vec![], vec![0, 1], vec![u32::MAX; 3]] {
            let mut model = clean_model();
            model.meshes[MeshId(0)].indices = Indices::U32(list);
            assert_eq!(order_figures(&model, 0), None);
        }
    }
}
