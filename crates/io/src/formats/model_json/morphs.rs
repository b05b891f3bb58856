//! Morph targets.

use super::lengths::Lengths;
use super::schema::{MorphTargetText, ShapeText, vectors};
use crate::formats::ReadError;
use rigscope_core::model::{MorphShape, MorphTarget, VertexId};

pub(super) fn target(
    target: usize,
    text: MorphTargetText,
    at: &Lengths,
) -> Result<MorphTarget, ReadError> {
    let path = format!("morph_targets[{target}]");
    let shapes = match (text.shapes, text.position_offsets) {
        (Some(_), Some(_)) => {
            let what = "has both shapes and position_offsets; use one of them";
            return Err(at.fault(&format!("{path} {what}")));
        }
        (None, None) => return Err(at.fault(&format!("{path} has no position_offsets"))),
        (Some(shapes), None) => {
            let shapes = shapes.into_iter().enumerate();
            let shape = |(number, text)| shape(&format!("{path}.shapes[{number}]"), text, at);
            shapes.map(shape).collect::<Result<_, _>>()?
        }
        (None, Some(position_offsets)) => {
            let (vertices, normal_offsets) = (text.vertices, text.normal_offsets);
            let text = ShapeText { full_weight: None, vertices, position_offsets, normal_offsets };
            vec![shape(&path, text, at)?]
        }
    };
    Ok(MorphTarget { name: text.name, default_weight: text.default_weight, shapes })
}

/// Offsets of the listed vertices, or of all.
fn shape(path: &str, text: ShapeText, at: &Lengths) -> Result<MorphShape, ReadError> {
    let path = |name: &str| format!("{path}.{name}");
    let num = text.position_offsets.len();
    let vertices: Vec<VertexId> = match text.vertices {
        Some(vertices) => {
            at.check(&path("position_offsets"), num, vertices.len(), "its list of vertices")?;
            if !vertices.is_sorted_by(|a, b| a < b) {
                return Err(at.fault(&format!("{} doesn't rise", path("vertices"))));
            }
            vertices.into_iter().map(VertexId).collect()
        }
        None => {
            at.check(&path("position_offsets"), num, at.num_vertices, "positions")?;
            (0..).take(num).map(VertexId).collect()
        }
    };
    if !text.normal_offsets.is_empty() {
        at.check(&path("normal_offsets"), text.normal_offsets.len(), num, "position_offsets")?;
    }
    Ok(MorphShape {
        full_weight: text.full_weight.unwrap_or(1.0),
        vertices,
        position_offsets: vectors(text.position_offsets),
        normal_offsets: vectors(text.normal_offsets),
    })
}
