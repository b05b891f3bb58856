//! Byte ranges of vertex arrays in binary layers that are the only one of a stage.

use openusd::usd::Stage;

use super::attributes::Attributes;
use super::layers::Layers;
use super::meshes::StagedMesh;
use super::prims::Prims;
use super::probe;
use super::stored_arrays::stored_arrays;
use super::values::{number, token};
use rigscope_core::model::{Element, Field, Scalar, Span};

/// Vertex attributes by name.
const ARRAYS: [&str; 8] = [
    "points",
    "normals",
    "primvars:normals",
    "primvars:displayColor",
    "primvars:displayOpacity",
    "primvars:st",
    "primvars:st1",
    "primvars:skel:jointWeights",
];
/// Bytes of a number in single precision.
const FLOAT_BYTES: usize = 4;

/// Reports the ranges of vertices that have the order of the file.
pub(super) fn report(
    attributes: &Attributes<'_>,
    layers: &Layers,
    prims: &Prims,
    meshes: &[StagedMesh],
) {
    if !attributes.report.takes_spans() || attributes.of_stage(Stage::layer_count) != 1 {
        return;
    }
    let Some((layer, start)) = layers.root() else { return };
    if !layer.starts_with(probe::BINARY) {
        return;
    }
    // The guard has accepted the layer, so that a fault here only means that it is stored in another way.
    let Ok(arrays) = stored_arrays(&layer) else { return };
    for (number, own) in meshes.iter().enumerate() {
        let Some(prim) = prims.list.get(own.prim) else { continue };
        let is_in_order = own.points.iter().zip(0..).all(|(point, number)| *point == number);
        let Ok(mesh) = u32::try_from(number) else { continue };
        for name in ARRAYS.iter().filter(|_| is_in_order) {
            let Some(array) = arrays.get(&format!("{}.{name}", prim.path)) else { continue };
            let num = own.points.len();
            let per_vertex = per_vertex(attributes, own, prims, name);
            let width = usize::from(array.width) * per_vertex;
            let is_fitting = usize::try_from(array.count).ok() == num.checked_mul(per_vertex);
            let (Ok(offset), Ok(count)) =
                (usize::try_from(start + array.offset), u16::try_from(width))
            else {
                continue;
            };
            if is_fitting && width > 0 {
                let field = Field::new(name, 0, Scalar::F32.times(count));
                let span = Span::new(Element::Vertex { mesh }, offset, width * FLOAT_BYTES, num);
                attributes.report.span(span.with_fields(vec![field]));
            }
        }
    }
}

/// How many elements of an array each vertex has; 0 if vertices share them.
fn per_vertex(attributes: &Attributes<'_>, own: &StagedMesh, prims: &Prims, name: &str) -> usize {
    let Some(prim) = prims.list.get(own.prim) else { return 0 };
    let metadata = |key: &str| attributes.metadata(&prim.path, name, key);
    let interpolation = metadata("interpolation").and_then(token);
    let is_per_vertex = match interpolation.as_deref() {
        Some("vertex" | "varying") => true,
        Some(_) => false,
        None => name == "points" || name == "normals",
    };
    let size = metadata("elementSize").and_then(|size| number(&size)).unwrap_or(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
    let size = size as usize;
    if is_per_vertex { size } else { 0 }
}
