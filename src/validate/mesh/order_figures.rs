//! How well the order of a mesh's triangles and vertices suits a GPU, as it is stored.
//!
//! For: tables of figures. Not for: judging it against the best order; that is `draw_order`.

use super::Geometry;
use super::draw_order::{CACHE_SIZE, MAX_RASTERISED, num_rasterised};
use crate::model::{Model, VERTEX_STRIDE_BYTES};

/// Figures of one mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderFigures {
    /// Vertices shaded a triangle, with a cache of 16: 0.5 is ideal, 3 the worst.
    pub acmr: f32,
    /// Times that a vertex is shaded: 1 is ideal.
    pub atvr: f32,
    /// Times that a byte of a packed vertex is fetched: 1 is ideal.
    pub overfetch: f32,
    /// Times that a pixel is shaded, seen from all sides: 1 is ideal. Nothing where measuring it
    /// would take too long.
    pub overdraw: Option<f32>,
}

/// Measures mesh `number` of `model`; nothing where it has no triangle.
#[must_use]
pub fn order_figures(model: &Model, number: usize) -> Option<OrderFigures> {
    let geometry = Geometry::of(model.meshes.get(number)?, number, &model.axes);
    if geometry.triangles.is_empty() {
        return None;
    }
    let (indices, num_vertices) = (geometry.indices(), geometry.positions.len());
    let cache = meshopt::analyze_vertex_cache(&indices, num_vertices, CACHE_SIZE, 0, 0);
    let fetch = meshopt::analyze_vertex_fetch(&indices, num_vertices, VERTEX_STRIDE_BYTES);
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
    use crate::validate::fixtures::clean::{clean_model, shells};

    #[test]
    fn figures_of_shells_tell_that_they_hide_each_other() {
        let figures = order_figures(&shells(24), 0).unwrap();
        assert!((0.5..=3.0).contains(&figures.acmr), "{figures:?}");
        assert!(figures.atvr >= 1.0 && figures.overfetch >= 1.0, "{figures:?}");
        assert!(figures.overdraw.unwrap() > 1.2, "{figures:?}");
    }

    #[test]
    fn a_mesh_that_does_not_exist_has_none() {
        assert_eq!(order_figures(&clean_model(), 99), None);
    }
}
