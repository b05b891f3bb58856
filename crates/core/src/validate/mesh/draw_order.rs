//! Compares the order of triangles and vertices with meshoptimizer's order for GPUs.
//!
//! Not for: reordering; the model remains unchanged.

use super::Geometry;
use crate::model::{Aabb, FindingKind, Place, Report, VERTEX_STRIDE_BYTES, findings};
use crate::validate::worst::three_digits;

findings! {
    pub(super) FINDINGS:
    VertexCacheOrder, "vertex-cache-order", Info, Mesh,
        "because of the order of the triangles, vertices are shaded more often than necessary",
        "costs GPU time, looks the same",
        "optimize the order of the triangles for the vertex cache on export, such as with gltfpack or meshoptimizer",
        "1.04 vertices are shaded per triangle, compared to 0.752 in the best order at meshes[0]";
    OverdrawOrder, "overdraw-order", Info, Mesh,
        "because of the order of the triangles, pixels are shaded more often than necessary",
        "costs GPU time, looks the same",
        "optimize the order of the triangles for overdraw on export, such as with meshoptimizer",
        "1.94 shadings are computed per pixel, compared to 1.21 in the best order at meshes[0]";
    VertexFetchOrder, "vertex-fetch-order", Info, Mesh,
        "because of the order of the vertices, memory is read more often than necessary",
        "costs memory bandwidth, looks the same",
        "sort the vertices by first use on export, such as with gltfpack or meshoptimizer",
        "2.31 bytes are read per byte of a vertex, compared to 1.04 in the best order at meshes[0]";
}

/// A factor above the best order from which a finding is worthwhile.
const WORTHWHILE: f32 = 1.25;
/// With fewer triangles, the order has no measurable cost.
const MIN_TRIANGLES: usize = 256;
/// With more triangles, measuring would take longer than all other rules together.
const MAX_TRIANGLES: usize = 1 << 20;
/// Entries of the modelled vertex cache: a FIFO cache of 16, as in meshoptimizer's demo.
pub(super) const CACHE_SIZE: u32 = 16;
/// The fraction of the cache's gain that the best order may give up to reduce overdraw: meshoptimizer's
/// recommendation.
const OVERDRAW_THRESHOLD: f32 = 1.05;
/// Sizes that the rasteriser behind the overdraw figure can scale to its image.
const RASTERISED_SIZES: std::ops::Range<f32> = 1e-12..1e12;

/// The search for the best order visits all triangles at a vertex whenever it places one of them. This limits
/// the sum of squares, which is large for fans of many triangles.
const MAX_NEIGHBOURS: u64 = 1 << 26;
/// Sides of the image that the overdraw figure rasterises, and the most pixels of all triangles: many large
/// triangles would take minutes.
const RASTER_SIDE: f64 = 256.0;
pub(super) const MAX_RASTERISED: f64 = (1u64 << 28) as f64;

/// Reports figures of a poor order.
pub(super) fn check(geometry: &Geometry<'_>, report: &Report) {
    if !(MIN_TRIANGLES..=MAX_TRIANGLES).contains(&geometry.triangles.len())
        || num_neighbours(geometry) > MAX_NEIGHBOURS
    {
        return;
    }
    let num_vertices = geometry.positions.len();
    // The C++ code below doesn't check indices: `geometry.indices` returns whole triangles of existing
    // vertices, and each call returns such a list again.
    let stored = geometry.indices();
    let mut best = meshopt::optimize_vertex_cache(&stored, num_vertices);
    let place = Place::Mesh(geometry.number);
    let report_finding = |kind, figure: &str, now: f32, then: f32| {
        report.add_many(kind, place, u64::from(now > then * WORTHWHILE), || {
            let (now, then) = (three_digits(now), three_digits(then));
            format!("{now} {figure}, compared to {then} in the best order")
        });
    };

    let transforms = |indices: &[u32]| {
        meshopt::analyze_vertex_cache(indices, num_vertices, CACHE_SIZE, 0, 0).acmr
    };
    let (now, then) = (transforms(&stored), transforms(&best));
    report_finding(FindingKind::VertexCacheOrder, "vertices are shaded per triangle", now, then);

    let points: Vec<[f32; 3]> = geometry.positions.iter().map(|p| p.to_array()).collect();
    // The rasteriser converts coordinates to pixels without checks: `num_rasterised` is only `Some` for
    // finite ones.
    if num_rasterised(geometry).is_some_and(|pixels| pixels <= MAX_RASTERISED) {
        meshopt::optimize_overdraw_in_place_decoder(&mut best, &points, OVERDRAW_THRESHOLD);
        let shaded = |indices: &[u32]| meshopt::analyze_overdraw_decoder(indices, &points).overdraw;
        let (now, then) = (shaded(&stored), shaded(&best));
        report_finding(FindingKind::OverdrawOrder, "shadings are computed per pixel", now, then);
    }

    let remap = meshopt::optimize_vertex_fetch_remap(&best, num_vertices);
    for index in &mut best {
        *index = remap.get(*index as usize).copied().unwrap_or(0);
    }
    let fetched = |indices: &[u32]| {
        meshopt::analyze_vertex_fetch(indices, num_vertices, VERTEX_STRIDE_BYTES).overfetch
    };
    let (now, then) = (fetched(&stored), fetched(&best));
    report_finding(FindingKind::VertexFetchOrder, "bytes are read per byte of a vertex", now, then);
}

/// Sum over all vertices of the square of the number of their triangles.
fn num_neighbours(geometry: &Geometry<'_>) -> u64 {
    let mut valences = vec![0u64; geometry.positions.len()];
    for corner in geometry.triangles.iter().flat_map(|t| t.corners) {
        if let Some(valence) = valences.get_mut(corner as usize) {
            *valence += 1;
        }
    }
    valences.iter().map(|valence| valence * valence).sum()
}

/// Approximate number of pixels that the overdraw figure visits: the box around each triangle, from three
/// sides. `None` if positions can't be scaled to its image.
pub(super) fn num_rasterised(geometry: &Geometry<'_>) -> Option<f64> {
    let bounds = Aabb::from_points(geometry.positions.iter().copied());
    let largest = bounds.size().max_element();
    let is_near = |point: &glam::Vec3| point.abs().max_element() < RASTERISED_SIZES.end;
    // The bounds ignore non-finite coordinates.
    let are_numbers = geometry.positions.iter().all(|position| position.is_finite());
    if !are_numbers || !RASTERISED_SIZES.contains(&largest) || !bounds.corners().iter().all(is_near)
    {
        return None;
    }
    let scale = RASTER_SIDE / f64::from(largest);
    let pixels = geometry.triangles.iter().filter_map(|triangle| {
        let [a, b, c] = geometry.corner_positions(triangle)?;
        let size = (a.max(b).max(c) - a.min(b).min(c)) * scale + 1.0;
        Some(size.x * size.y + size.y * size.z + size.z * size.x)
    });
    Some(pixels.sum())
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::model::{Indices, MeshId};
    use crate::validate::fixtures::clean::{clean_model, find, findings_of_rules, streams_of};

    /// Vertices along a side: more bytes than the modelled memory cache has.
    const SIDE: u32 = 100;

    /// A sheet of quads whose triangles are reordered by `order`.
    fn sheet(order: impl Fn(&mut Vec<[u32; 3]>)) -> crate::model::Model {
        let mut model = clean_model();
        let mut triangles = Vec::new();
        for y in 0..SIDE - 1 {
            for x in 0..SIDE - 1 {
                let at = y * SIDE + x;
                triangles.push([at, at + 1, at + SIDE]);
                triangles.push([at + 1, at + SIDE + 1, at + SIDE]);
            }
        }
        order(&mut triangles);
        let streams = streams_of(&mut model);
        *streams = crate::model::Streams::default();
        for y in 0..SIDE {
            let row = (0..SIDE).map(|x| Vec3::new(x as f32, y as f32, 0.0));
            streams.positions.extend(row);
        }
        model.meshes[MeshId(0)].indices = Indices::U32(triangles.concat());
        model
    }

    /// Spreads the triangles so that neighbours are far apart.
    fn scatter(triangles: &mut Vec<[u32; 3]>) {
        let num = triangles.len();
        // 211 is coprime to 2 * 99 * 99.
        *triangles = (0..num).map(|at| triangles[at * 211 % num]).collect();
    }

    #[test]
    fn scattered_sheet_is_reported_with_current_and_best_acmr() {
        let findings = findings_of_rules(&sheet(scatter), super::super::check);
        let finding = find(&findings, FindingKind::VertexCacheOrder).unwrap();
        assert!(
            finding.message.contains("3 vertices are shaded per triangle, compared to 0."),
            "{}",
            finding.message
        );
        assert!(find(&findings, FindingKind::VertexFetchOrder).is_some());
    }

    #[test]
    fn optimal_order_is_not_reported() {
        let best = |triangles: &mut Vec<[u32; 3]>| {
            let flat = meshopt::optimize_vertex_cache(&triangles.concat(), (SIDE * SIDE) as usize);
            *triangles = flat.as_chunks::<3>().0.to_vec();
        };
        let findings = findings_of_rules(&sheet(best), super::super::check);
        assert_eq!(find(&findings, FindingKind::VertexCacheOrder), None);
        assert_eq!(find(&findings, FindingKind::OverdrawOrder), None);
    }

    #[test]
    fn surfaces_hidden_by_nearer_ones_count_as_overdraw() {
        // The innermost first: seen from outside, each covers the previous one.
        let mut model = crate::validate::fixtures::clean::shells(24);
        let findings = findings_of_rules(&model, super::super::check);
        assert!(find(&findings, FindingKind::OverdrawOrder).is_some());
        let Indices::U32(indices) = &mut model.meshes[MeshId(0)].indices else { unreachable!() };
        let (triangles, _) = indices.as_chunks::<3>();
        *indices = triangles.iter().rev().copied().flatten().collect();
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::OverdrawOrder), None);
    }

    #[test]
    fn extreme_coordinates_have_no_overdraw_finding() {
        let mut model = sheet(scatter);
        for position in &mut streams_of(&mut model).positions {
            *position *= 1e36;
        }
        let findings = findings_of_rules(&model, super::super::check);
        assert_eq!(find(&findings, FindingKind::OverdrawOrder), None);
    }

    #[test]
    fn out_of_range_indices_and_incomplete_triangles_are_skipped() {
        let sound = sheet(scatter);
        let mut model = sheet(scatter);
        let Indices::U32(indices) = &mut model.meshes[MeshId(0)].indices else { unreachable!() };
        let past = SIDE * SIDE;
        indices.splice(0..0, [u32::MAX, u32::MAX, u32::MAX, 0, 1, past]);
        indices.extend([past, 0, 1, 1, u32::MAX - 1, 0, 1, 2]);
        let findings = |model: &crate::model::Model| {
            let report = Report::new();
            check(&Geometry::of(&model.meshes[MeshId(0)], 0, &model.axes), &report);
            report.findings()
        };
        assert!(findings(&sound).len() >= 2);
        assert_eq!(findings(&model), findings(&sound));
    }

    #[test]
    fn non_finite_positions_are_not_rasterised() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            let mut model = sheet(scatter);
            streams_of(&mut model).positions[7].y = value;
            let geometry = Geometry::of(&model.meshes[MeshId(0)], 0, &model.axes);
            let pixels = num_rasterised(&geometry);
            assert!(!pixels.is_some_and(|pixels| pixels <= MAX_RASTERISED), "{value}: {pixels:?}");
            check(&geometry, &Report::new());
        }
    }

    #[test]
    fn fan_around_one_vertex_is_not_reported() {
        let fan = |triangles: &mut Vec<[u32; 3]>| {
            for (triangle, at) in triangles.iter_mut().zip(0..) {
                *triangle = [0, 1 + at % 9_000, 2 + at % 9_000];
            }
        };
        let findings = findings_of_rules(&sheet(fan), super::super::check);
        assert_eq!(find(&findings, FindingKind::VertexCacheOrder), None);
    }

    #[test]
    fn many_large_triangles_exceed_the_rasterisation_limit() {
        let across = |triangles: &mut Vec<[u32; 3]>| triangles.fill([0, SIDE - 1, SIDE * SIDE - 1]);
        let model = sheet(across);
        let geometry = Geometry::of(&model.meshes[MeshId(0)], 0, &model.axes);
        assert!(num_rasterised(&geometry).is_some_and(|pixels| pixels > MAX_RASTERISED));
        let model = sheet(|_| {});
        let geometry = Geometry::of(&model.meshes[MeshId(0)], 0, &model.axes);
        assert!(num_rasterised(&geometry).is_some_and(|pixels| pixels < MAX_RASTERISED));
    }
}
