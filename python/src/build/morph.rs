//! Morph targets.

use pyo3::prelude::*;
use rigscope::model::{MorphShape, MorphTarget, VertexId};

use super::dict_arg::{DictArg, vec3s};
use crate::arrays::read_array;

const SHAPE_KEYS: &[&str] = &["full_weight", "vertices", "position_offsets", "normal_offsets"];
const TARGET_KEYS: &[&str] =
    &["name", "default_weight", "shapes", "vertices", "position_offsets", "normal_offsets"];

pub(super) fn targets(of: &DictArg<'_>, num_vertices: Option<usize>) -> PyResult<Vec<MorphTarget>> {
    let targets = of.dicts("morph_targets", TARGET_KEYS)?;
    targets.iter().map(|of| target(of, num_vertices)).collect()
}

fn target(of: &DictArg<'_>, num_vertices: Option<usize>) -> PyResult<MorphTarget> {
    let shapes = if of.has("shapes")? {
        for key in ["vertices", "position_offsets", "normal_offsets"] {
            if of.has(key)? {
                return Err(of.wrong("shapes", &format!("can't be combined with {key}")));
            }
        }
        let shapes = of.dicts("shapes", SHAPE_KEYS)?;
        let shape = |of: &DictArg<'_>| {
            let full_weight = of.number("full_weight")?.unwrap_or(1.0);
            Ok(MorphShape { full_weight: narrowed(full_weight), ..shape(of, num_vertices)? })
        };
        shapes.iter().map(shape).collect::<PyResult<_>>()?
    } else {
        vec![MorphShape { full_weight: 1.0, ..shape(of, num_vertices)? }]
    };
    let default_weight = narrowed(of.number("default_weight")?.unwrap_or_default());
    Ok(MorphTarget { name: of.text("name")?, default_weight, shapes })
}

/// Offsets of the listed vertices, or of all.
fn shape(of: &DictArg<'_>, num_vertices: Option<usize>) -> PyResult<MorphShape> {
    let what = of.what("position_offsets");
    let vertices = of.array::<u32, 1>("vertices", [None])?;
    let num = vertices.as_ref().map_or(num_vertices, |vertices| Some(vertices.data.len()));
    let offsets = of.needed("position_offsets")?;
    let offsets = read_array::<f32, 2>(&offsets, &what, [num, Some(3)])?;
    let normals = of.array::<f32, 2>("normal_offsets", [num, Some(3)])?;
    let all = || (0..).take(offsets.data.len() / 3).collect();
    let vertices: Vec<u32> = vertices.map_or_else(all, |vertices| vertices.data);
    Ok(MorphShape {
        vertices: vertices.into_iter().map(VertexId).collect(),
        position_offsets: vec3s(&offsets.data),
        normal_offsets: normals.map_or_else(Vec::new, |normals| vec3s(&normals.data)),
        ..MorphShape::default()
    })
}

#[expect(clippy::cast_possible_truncation, reason = "weights need no 53 bits")]
fn narrowed(number: f64) -> f32 {
    number as f32
}
