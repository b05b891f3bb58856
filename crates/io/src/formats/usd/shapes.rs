//! Blend shapes as morph targets.
//!
//! Source: OpenUSD, `UsdSkelBlendShape`: offsets of the points in `pointIndices`, or of all points; in-betweens are
//! attributes `inbetweens:NAME` with a weight.

use openusd::sdf::Path;

use super::attributes::Attributes;
use super::prims::Prims;
use super::values::{ints, number, real, tokens, vec3s};
use crate::formats::ReadError;
use glam::Vec3;
use rigscope_core::model::{FindingKind, MorphShape, MorphTarget, Place, VertexId, as_u32};

const IN_BETWEENS: &str = "inbetweens:";

/// The blend shapes of a mesh with vertices at `points`, after the names by which animations refer to them.
pub(super) fn morph_targets(
    attributes: &Attributes<'_>,
    prims: &Prims,
    prim: usize,
    points: &[u32],
    num_points: usize,
    moves_normals: bool,
) -> Result<(Vec<String>, Vec<MorphTarget>), ReadError> {
    // Unlike other properties of a binding, these aren't inherited.
    let own = prims.list.get(prim).filter(|own| own.is_in_skel_root && own.has_binding);
    let Some(path) = own.map(|own| &own.path) else { return Ok(Default::default()) };
    let names = attributes.value(path, "skel:blendShapes").and_then(tokens).unwrap_or_default();
    let targets = attributes.targets(path, "skel:blendShapeTargets").unwrap_or_default();
    if names.is_empty() || targets.is_empty() {
        return Ok(Default::default());
    }
    if names.len() != targets.len() {
        let message = format!(
            "{path}.skel:blendShapes has {} names for {} targets; USD ignores them",
            names.len(),
            targets.len()
        );
        attributes.report.add(FindingKind::BrokenRecord, Place::File, message);
        return Ok(Default::default());
    }
    attributes.take::<[u32; 2]>(points.len() + num_points, "blend shapes")?;
    let vertices = VerticesOfPoint::of(points, num_points);
    let mut out = Vec::new();
    for (token, path) in names.iter().zip(targets) {
        let Some(mut shapes) = shapes(attributes, &path, &vertices, num_points)? else {
            let message = format!(
                "{path}: the offsets don't fit the points of the mesh; USD ignores all its blend shapes"
            );
            attributes.report.add(FindingKind::BrokenRecord, Place::File, message);
            return Ok(Default::default());
        };
        if !moves_normals {
            shapes.iter_mut().for_each(|shape| shape.normal_offsets.clear());
        }
        let name = attributes.stated_name(&path).unwrap_or_else(|| token.clone());
        out.push(MorphTarget { name, default_weight: 0.0, shapes });
    }
    Ok((names, out))
}

/// The shapes of a blend shape by ascending weight; `None` if they don't fit the points.
fn shapes(
    attributes: &Attributes<'_>,
    prim: &Path,
    vertices: &VerticesOfPoint,
    num_points: usize,
) -> Result<Option<Vec<MorphShape>>, ReadError> {
    let indices = attributes.value(prim, "pointIndices").and_then(ints);
    let indices = indices.filter(|indices| !indices.is_empty());
    let list = |name: &str| attributes.value(prim, name).and_then(vec3s).unwrap_or_default();
    let num = indices.as_ref().map_or(num_points, Vec::len);
    let is_inside = |index: &i32| usize::try_from(*index).is_ok_and(|index| index < num_points);
    if indices.iter().flatten().any(|index| !is_inside(index)) || list("offsets").len() != num {
        return Ok(None);
    }
    let shape = |offsets: &str, normals: &str, full_weight: f32| {
        let (offsets, normals) = (list(offsets), list(normals));
        let shape = vertices.shape(indices.as_deref(), &offsets, &normals, num_points);
        attributes.take::<[f32; 14]>(shape.vertices.len(), "blend shapes")?;
        Ok::<_, ReadError>(MorphShape { full_weight, ..shape })
    };
    let mut out = vec![shape("offsets", "normalOffsets", 1.0)?];
    for name in attributes.property_names(prim) {
        let Some(own) = name.strip_prefix(IN_BETWEENS).filter(|own| !own.contains(':')) else {
            continue;
        };
        let weight = attributes.metadata(prim, &name, "weight");
        let Some(weight) = weight.and_then(|weight| number(&weight)).map(real) else { continue };
        // UsdSkel ignores in-betweens at the ends.
        if weight != 0.0 && weight != 1.0 {
            let normals = format!("{IN_BETWEENS}{own}:normalOffsets");
            out.push(shape(&name, &normals, weight)?);
        }
    }
    out.sort_by(|a, b| a.full_weight.total_cmp(&b.full_weight));
    Ok(Some(out))
}

/// The vertices of each point.
struct VerticesOfPoint {
    /// Where each point's vertices begin in `vertices`.
    first: Vec<u32>,
    vertices: Vec<u32>,
}

impl VerticesOfPoint {
    fn of(points: &[u32], num_points: usize) -> Self {
        let mut first = vec![0u32; num_points + 1];
        for &point in points {
            if let Some(next) = first.get_mut(point as usize + 1) {
                *next += 1;
            }
        }
        let mut sum = 0;
        for count in &mut first {
            sum += *count;
            *count = sum;
        }
        let mut order: Vec<u32> = (0..as_u32(points.len())).collect();
        order.sort_by_key(|&vertex| points.get(vertex as usize).copied());
        Self { first, vertices: order }
    }

    fn of_point(&self, point: usize) -> &[u32] {
        let range = self.first.get(point).zip(self.first.get(point.saturating_add(1)));
        let range = range.map(|(from, to)| *from as usize..*to as usize);
        range.and_then(|range| self.vertices.get(range)).unwrap_or_default()
    }

    fn shape(
        &self,
        indices: Option<&[i32]>,
        offsets: &[Vec3],
        normals: &[Vec3],
        num_points: usize,
    ) -> MorphShape {
        let point = |at: usize| match indices {
            Some(indices) => usize::try_from(*indices.get(at)?).ok(),
            None => Some(at),
        };
        let has_normals = !normals.is_empty();
        let num = offsets.len().max(normals.len()).min(indices.map_or(num_points, <[_]>::len));
        let mut moved: Vec<(u32, Vec3, Vec3)> = Vec::new();
        for at in 0..num {
            let value = |list: &[Vec3]| list.get(at).copied().unwrap_or_default();
            let (offset, normal) = (value(offsets), value(normals));
            let own = point(at).map(|point| self.of_point(point)).unwrap_or_default();
            moved.extend(own.iter().map(|&vertex| (vertex, offset, normal)));
        }
        moved.sort_by_key(|(vertex, ..)| *vertex);
        moved.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                kept.1 += later.1;
                kept.2 += later.2;
            }
            is_same
        });
        MorphShape {
            full_weight: 1.0,
            vertices: moved.iter().map(|&(vertex, ..)| VertexId(vertex)).collect(),
            position_offsets: moved.iter().map(|&(_, offset, _)| offset).collect(),
            normal_offsets: if has_normals {
                moved.iter().map(|&(.., normal)| normal).collect()
            } else {
                Vec::new()
            },
        }
    }
}
