//! Hulls, the occlusion mesh and bounds as lines and faces.
//!
//! Not for: which of them are shown (`Show`, and `state` for single hulls); findings about them
//! (`validate`).

use std::collections::BTreeSet;

use glam::{Affine3A, Vec3};

use super::sphere::Sphere;
use super::{Face, HullMarks, Line, Marks, Show, opaque};
use crate::geometry::{HullFaces, hull_faces};
use crate::model::{Aabb, Model, OcclusionMesh};
use crate::pose::Reach;

/// Half length of the crosses for hulls without volume, as a fraction of the model's size.
const CROSS_SHARE: f32 = 0.01;

/// Line width of hulls on the screen, in points.
const HULL_POINTS: f32 = 1.4;

// No subset has these colours: they are more saturated than all of `subset_color`.
/// Linear RGB of hulls: violet.
pub const HULL_COLOR: [f32; 3] = [0.35, 0.0, 1.0];
/// Linear RGB of the occlusion mesh: blue.
pub const OCCLUDER_COLOR: [f32; 3] = [0.0, 0.06, 1.0];
/// Linear RGB of stored bounds: yellow.
pub const STORED_BOUNDS_COLOR: [f32; 3] = [1.0, 0.80, 0.0];
/// Linear RGB of true bounds: green.
pub const TRUE_BOUNDS_COLOR: [f32; 3] = [0.0, 1.0, 0.0];
/// The silhouette in the depth buffer of a runtime, as a flat shape; opaque faces aren't lit.
const SILHOUETTE: [f32; 4] = [0.004, 0.004, 0.006, 1.0];

/// Collision surfaces for display, in file space; computed once when a model is loaded.
#[derive(Clone, Debug, Default)]
pub struct CollisionShapes {
    /// One per hull; `None` if its points have no volume.
    pub hulls: Vec<Option<HullFaces>>,
    /// Each edge of the occlusion mesh once.
    pub occluder_edges: Vec<[u32; 2]>,
}

impl CollisionShapes {
    /// Computes the shapes of `model`.
    pub fn of(model: &Model) -> Self {
        let hulls = model.hulls.iter().map(|hull| hull_faces(&hull.points));
        Self {
            hulls: hulls.collect(),
            occluder_edges: model.occluder.as_ref().map(edges).unwrap_or_default(),
        }
    }
}

fn edges(occluder: &OcclusionMesh) -> Vec<[u32; 2]> {
    let mut edges = BTreeSet::new();
    for &[a, b, c] in occluder.indices.as_chunks::<3>().0 {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            edges.insert([from.min(to), from.max(to)]);
        }
    }
    edges.into_iter().collect()
}

impl Marks {
    /// Adds hull `number` of `model`, whose size is `extent`; crosses if the hull has no volume.
    pub fn add_hull(
        &mut self,
        model: &Model,
        shapes: &CollisionShapes,
        number: usize,
        extent: f32,
    ) {
        let display_from_file = model.axes.display_from_file();
        let first = [self.faces.len(), self.lines.len(), self.lines_on_top.len()];
        if let Some(Some(faces)) = shapes.hulls.get(number) {
            let points = moved(&faces.points, &display_from_file);
            self.add_faces(&points, &faces.triangles, with_alpha(HULL_COLOR, 0.22));
            self.add_edges(&points, &faces.edges, with_alpha(HULL_COLOR, 0.95), HULL_POINTS);
        } else {
            // Without volume, only the points are shown.
            let hull = model.hulls.get(number);
            for point in moved(hull.map_or(&[], |hull| &hull.points), &display_from_file) {
                self.add_cross(point, CROSS_SHARE * extent, opaque(HULL_COLOR), HULL_POINTS);
            }
        }
        self.hulls.push(HullMarks {
            number,
            faces: first[0]..self.faces.len(),
            lines: first[1]..self.lines.len(),
            lines_on_top: first[2]..self.lines_on_top.len(),
        });
    }

    /// Adds the occlusion mesh, stored bounds and measured bounds, as far as `show` includes them.
    pub(super) fn add_culling(
        &mut self,
        show: &Show,
        model: &Model,
        shapes: &CollisionShapes,
        reach: Option<&Reach>,
    ) {
        if let Some(occluder) = &model.occluder
            && (show.occluder || show.silhouette)
        {
            let points = moved(&occluder.positions, &model.axes.display_from_file());
            let triangles = occluder.indices.as_chunks::<3>().0;
            let color = if show.silhouette { SILHOUETTE } else { with_alpha(OCCLUDER_COLOR, 0.35) };
            self.add_faces(&points, triangles, color);
            if show.occluder {
                let color = with_alpha(OCCLUDER_COLOR, 0.95);
                self.add_edges(&points, &shapes.occluder_edges, color, 1.2);
            }
        }
        if let Some(stored) = model.stored_bounds.filter(|_| show.stored_bounds) {
            let sphere = Sphere { center: stored.sphere_center, radius: stored.sphere_radius };
            self.add_bounds(model, &stored.aabb, sphere, STORED_BOUNDS_COLOR);
        }
        if let Some(reach) = reach.filter(|_| show.true_bounds) {
            let sphere = Sphere { center: reach.sphere_center, radius: reach.sphere_radius };
            self.add_bounds(model, &reach.bounds, sphere, TRUE_BOUNDS_COLOR);
        }
    }

    fn add_bounds(&mut self, model: &Model, aabb: &Aabb, sphere: Sphere, color: [f32; 3]) {
        let display_from_file = model.axes.display_from_file();
        let color = with_alpha(color, 0.9);
        self.add_box(&aabb.transformed(&display_from_file), color, 1.5);
        self.lines.extend(sphere.lines(&display_from_file, color));
    }

    fn add_faces(&mut self, points: &[Vec3], triangles: &[[u32; 3]], color: [f32; 4]) {
        let at = |number: u32| points.get(number as usize).copied();
        self.faces.extend(triangles.iter().filter_map(|&[a, b, c]| {
            let corners = [at(a)?, at(b)?, at(c)?];
            Some(Face { corners, color })
        }));
    }

    fn add_edges(
        &mut self,
        points: &[Vec3],
        edges: &[[u32; 2]],
        color: [f32; 4],
        width_points: f32,
    ) {
        let at = |number: u32| points.get(number as usize).copied();
        self.lines.extend(edges.iter().filter_map(|&[from, to]| {
            Some(Line { from: at(from)?, to: at(to)?, color, width_points })
        }));
    }
}

fn with_alpha([r, g, b]: [f32; 3], alpha: f32) -> [f32; 4] {
    [r, g, b, alpha]
}

fn moved(points: &[Vec3], display_from_file: &Affine3A) -> Vec<Vec3> {
    points.iter().map(|&point| display_from_file.transform_point3(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::subset_color;
    use crate::visual::SELECTED;

    /// Lightness and two hue axes, in which equal distances look about equally different (Björn
    /// Ottosson, "A perceptual color space for image processing", 2020).
    fn oklab([r, g, b]: [f32; 3]) -> Vec3 {
        let cones = Vec3::new(
            0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b,
            0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b,
            0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b,
        );
        let [l, m, s] = cones.to_array().map(f32::cbrt);
        Vec3::new(
            0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
            1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
            0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
        )
    }

    const OVERLAYS: [(&str, [f32; 3]); 4] = [
        ("hulls", HULL_COLOR),
        ("occluder", OCCLUDER_COLOR),
        ("stored bounds", STORED_BOUNDS_COLOR),
        ("true bounds", TRUE_BOUNDS_COLOR),
    ];

    /// Colours at this distance are easily distinguished side by side with normal colour vision.
    const APART: f32 = 0.12;

    #[test]
    fn no_subset_has_the_colour_of_an_overlay() {
        // All colours of `subset_color`, which repeats after 4096.
        for number in 0..4096 {
            let subset = oklab(subset_color(number));
            for (name, color) in OVERLAYS {
                let distance = oklab(color).distance(subset);
                assert!(distance > APART, "{name} and subset {number}: {distance}");
            }
        }
    }

    #[test]
    fn overlays_differ_from_each_other_from_the_selection_and_from_every_background() {
        // The darkest and the lightest possible backgrounds, and those of the themes.
        let grounds = [
            ("black", [0.0; 3]),
            ("gradient's bottom", [0.016, 0.018, 0.022]),
            ("gradient's top", [0.085, 0.095, 0.110]),
            ("light grey", [0.6; 3]),
            ("white", [1.0; 3]),
        ];
        let others = grounds.into_iter().chain([("selected", SELECTED)]).chain(OVERLAYS);
        let others: Vec<_> = others.collect();
        for (name, color) in OVERLAYS {
            for (other, ground) in others.iter().filter(|(other, _)| *other != name) {
                let distance = oklab(color).distance(oklab(*ground));
                assert!(distance > APART, "{name} and {other}: {distance}");
            }
        }
    }

    #[test]
    fn each_edge_of_an_occlusion_mesh_is_drawn_once() {
        let occluder =
            OcclusionMesh { positions: vec![Vec3::ZERO; 4], indices: vec![0, 1, 2, 2, 1, 3] };
        assert_eq!(edges(&occluder), [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
    }
}
