//! Converts UVs to models in a plane, so that the mesh renderer can draw them.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use rigscope_core::model::{
    Cancelled, Indices, LooseGeometry, Mesh, MeshId, Model, Report, Streams, Subset, VertexData,
    as_u32,
};

/// Tolerance for coordinates outside 0 to 1.
const EDGE: f32 = 1e-4;
/// Smallest ratio of UV area to the square of the longest side for which a triangle has an
/// orientation.
const MIN_AREA: f32 = 1e-7;
/// Depth of tinted triangles, behind the lines.
const TINT_Z: f32 = -0.01;

/// One UV set as models, each with the same meshes and subsets as the document.
#[derive(Clone, Debug)]
pub struct UvLayout {
    /// All triangles.
    pub lines: Arc<Model>,
    /// Mirrored triangles.
    pub mirrored: Option<Arc<Model>>,
    /// Triangles that extend outside 0 to 1.
    pub outside: Option<Arc<Model>>,
    /// Triangles of all subsets.
    pub num_triangles: usize,
    /// Mirrored triangles.
    pub num_mirrored: usize,
    /// Triangles that extend outside 0 to 1.
    pub num_outside: usize,
    /// Triangles without UV area.
    pub num_flat: usize,
    /// Smallest and largest coordinates; 0 and 1 without UVs.
    pub bounds: [Vec2; 2],
}

impl PartialEq for UvLayout {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.lines, &other.lines)
    }
}

impl UvLayout {
    /// Vertex positions of a mesh in the plane.
    pub(super) fn uvs(&self, mesh: MeshId) -> &[Vec3] {
        match self.lines.meshes.get(mesh).map(|mesh| &mesh.vertices) {
            Some(VertexData::Streams(streams)) => &streams.positions,
            _ => &[],
        }
    }
}

pub(super) fn uv_of(place: Vec3) -> Vec2 {
    Vec2::new(place.x, -place.y)
}

/// Lays out UV set `set` of `source`.
pub(super) fn layout(source: &Model, set: usize, report: &Report) -> Result<UvLayout, Cancelled> {
    const WHAT: &str = "laying out UVs";
    report.progress(WHAT, 0.0)?;
    let reverses = source.axes.reverses_winding();
    let coords: Vec<Vec<Vec2>> = source.meshes.iter().map(|mesh| coords(mesh, set)).collect();
    let mut made = UvLayout {
        lines: Arc::default(),
        mirrored: None,
        outside: None,
        num_triangles: 0,
        num_mirrored: 0,
        num_outside: 0,
        num_flat: 0,
        bounds: [Vec2::ZERO, Vec2::ONE],
    };
    let used = coords.iter().flatten();
    let low = used.clone().copied().reduce(Vec2::min);
    let high = used.copied().reduce(Vec2::max);
    if let (Some(low), Some(high)) = (low, high) {
        made.bounds = [low, high];
    }
    let all = |_: [Vec2; 3]| true;
    let (lines, num_triangles) = part(source, &coords, 0.0, all);
    made.lines = Arc::new(lines);
    made.num_triangles = num_triangles;
    report.progress(WHAT, 0.4)?;
    let is_mirrored = |corners| turn(corners).is_some_and(|is_left| is_left == reverses);
    let (mirrored, num_mirrored) = part(source, &coords, TINT_Z, is_mirrored);
    made.num_mirrored = num_mirrored;
    made.mirrored = (num_mirrored > 0).then(|| Arc::new(mirrored));
    report.progress(WHAT, 0.7)?;
    let (outside, num_outside) = part(source, &coords, TINT_Z, leaves_texture);
    made.num_outside = num_outside;
    made.outside = (num_outside > 0).then(|| Arc::new(outside));
    let is_flat = |corners| turn(corners).is_none();
    made.num_flat = part(source, &coords, TINT_Z, is_flat).1;
    Ok(made)
}

fn coords(mesh: &Mesh, set: usize) -> Vec<Vec2> {
    match &mesh.vertices {
        VertexData::Streams(streams) => {
            let set = streams.uv_sets.get(set);
            set.map_or(Vec::new(), |set| set.coords.clone())
        }
        VertexData::Packed(packed) if set == 0 => packed.iter().map(|v| v.uv_decoded()).collect(),
        VertexData::Packed(_) => Vec::new(),
    }
}

/// Whether the corners are counter-clockwise with V up; `None` without area.
fn turn([a, b, c]: [Vec2; 3]) -> Option<bool> {
    let up = |uv: Vec2| Vec2::new(uv.x, -uv.y);
    let (along, across) = (up(b) - up(a), up(c) - up(a));
    let longest = along.length_squared().max(across.length_squared()).max(b.distance_squared(c));
    let area = along.perp_dot(across);
    (area.abs() > MIN_AREA * longest).then_some(area > 0.0)
}

fn leaves_texture(corners: [Vec2; 3]) -> bool {
    corners.iter().any(|uv| uv.min_element() < -EDGE || uv.max_element() > 1.0 + EDGE)
}

fn without_indices(loose: &LooseGeometry) -> LooseGeometry {
    LooseGeometry { kind: loose.kind, indices: Vec::new(), material: None }
}

/// The triangles of each subset that `is_wanted` accepts, as a model with the same meshes and
/// subsets, and their number.
fn part(
    source: &Model,
    coords: &[Vec<Vec2>],
    z: f32,
    is_wanted: impl Fn([Vec2; 3]) -> bool,
) -> (Model, usize) {
    let mut num = 0;
    let meshes = source.meshes.iter().zip(coords).map(|(mesh, coords)| {
        let mut indices: Vec<u32> = Vec::new();
        let subsets = mesh.subsets.iter().map(|subset| {
            let first = indices.len();
            for corners in mesh.triangles(subset.range()) {
                if let [Some(a), Some(b), Some(c)] =
                    corners.map(|corner| coords.get(corner as usize).copied())
                    && is_wanted([a, b, c])
                {
                    indices.extend(corners);
                }
            }
            num += (indices.len() - first) / 3;
            Subset {
                first_index: as_u32(first),
                index_count: as_u32(indices.len() - first),
                material: None,
            }
        });
        let subsets = subsets.collect();
        let place = |uv: &Vec2| Vec3::new(uv.x, -uv.y, z);
        Mesh {
            vertices: VertexData::Streams(Streams {
                positions: coords.iter().map(place).collect(),
                ..Streams::default()
            }),
            indices: Indices::U32(indices),
            subsets,
            // Empty, but they keep the numbering of the subsets of later meshes.
            loose: mesh.loose.iter().map(without_indices).collect(),
            ..Mesh::default()
        }
    });
    let meshes = meshes.collect();
    let model = Model { meshes, ..Model::default() };
    (model, num)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_testing::*;

    /// Two triangles: one as painted, the other mirrored and outside 0 to 1.
    fn source() -> Arc<Model> {
        let uvs = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (2.0, 0.0)].map(Vec2::from);
        let pair = ModelBuilder::new().mesh([Vec3::ZERO; 5]).indices([0, 1, 2, 2, 4, 3]).uvs(uvs);
        Arc::new(pair.subsets(&[(3, None), (3, None)]).build())
    }

    #[test]
    fn mirrored_and_outside_triangles_are_counted_separately() {
        let layout = layout(&source(), 0, &Report::new()).unwrap();
        assert_eq!((layout.num_triangles, layout.num_flat), (2, 0));
        assert_eq!((layout.num_mirrored, layout.num_outside), (1, 1));
        assert_eq!(layout.bounds, [Vec2::ZERO, Vec2::new(2.0, 1.0)]);
        let mirrored = layout.mirrored.unwrap();
        assert_eq!(mirrored.meshes[MeshId(0)].subsets[0].index_count, 0);
        assert_eq!(mirrored.meshes[MeshId(0)].subsets[1].index_count, 3);
        assert_eq!(layout.lines.meshes[MeshId(0)].position(1), Some(Vec3::NEG_Y));
    }

    #[test]
    fn clockwise_winding_inverts_the_mirrored_triangles() {
        let mut model = source();
        Arc::make_mut(&mut model).axes.winding = Winding::Clockwise;
        let layout = layout(&model, 0, &Report::new()).unwrap();
        assert_eq!(layout.mirrored.unwrap().meshes[MeshId(0)].subsets[0].index_count, 3);
    }

    #[test]
    fn missing_uv_set_has_an_empty_layout() {
        let layout = layout(&source(), 3, &Report::new()).unwrap();
        assert_eq!(layout.num_triangles, 0);
        assert_eq!(layout.bounds, [Vec2::ZERO, Vec2::ONE]);
        assert!(layout.mirrored.is_none());
    }
}
