//! The extension of a primitive.

use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use serde_json::Value;

use crate::formats::ReadError;
use crate::formats::gltf::fault::malformed;

pub(super) const NAME: &str = "KHR_draco_mesh_compression";

/// The kind of geometry in a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Has as many indices as the triangles of the stream have corners.
    TriangleList,
    /// Strips or fans, which the stream stores as single triangles.
    Triangles,
    /// Points or lines. The extension doesn't permit them, but point clouds exist.
    Loose,
}

/// A primitive whose data is in a Draco stream.
#[derive(Debug)]
pub(super) struct CompressedPrimitive {
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    /// The buffer view with the stream.
    pub(super) view: usize,
    pub(super) indices: Option<usize>,
    pub(super) shape: Shape,
    /// Attribute, its accessor, and its id in the stream.
    pub(super) attributes: Vec<(Semantic, usize, u32)>,
    /// Attributes in the stream that aren't read.
    pub(super) num_other_attributes: usize,
}

impl CompressedPrimitive {
    /// The number and the name of a primitive, for messages.
    pub(super) fn name(mesh: usize, name: Option<&str>, primitive: usize) -> String {
        let mesh = rigscope_core::model::numbered("mesh", mesh, name.unwrap_or_default());
        format!("{mesh}, primitive {primitive}")
    }

    /// The compression of `primitive`, if it has any.
    pub(super) fn of(
        primitive: &Primitive,
        (mesh, at): (usize, usize),
        name: impl Fn() -> String,
    ) -> Result<Option<Self>, ReadError> {
        let stored = primitive.extensions.as_ref().and_then(|all| all.others.get(NAME));
        let Some(stored) = stored else { return Ok(None) };
        let fault = |what: String| malformed(NAME, format!("{}: {what}", name()));
        let view = stored.get("bufferView").and_then(Value::as_u64);
        let view = view.and_then(|view| usize::try_from(view).ok());
        let view = view.ok_or_else(|| fault("bufferView is not an index".to_owned()))?;
        let listed = stored.get("attributes").and_then(Value::as_object);
        let mut attributes = Vec::new();
        for (semantic, accessor) in &primitive.attributes {
            let Checked::Valid(semantic) = semantic else { continue };
            let key = semantic.to_string();
            let Some(id) = listed.and_then(|all| all.get(&key)) else { continue };
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            let id = id.ok_or_else(|| fault(format!("the id of {key} is not an integer")))?;
            attributes.push((semantic.clone(), accessor.value(), id));
        }
        let shape = match primitive.mode {
            Checked::Valid(Mode::Triangles) => Shape::TriangleList,
            Checked::Valid(Mode::TriangleStrip | Mode::TriangleFan) => Shape::Triangles,
            _ => Shape::Loose,
        };
        let indices = primitive.indices.map(|accessor| accessor.value());
        let num_other_attributes = listed.map_or(0, |all| all.len() - attributes.len());
        Ok(Some(Self {
            num_other_attributes,
            mesh,
            primitive: at,
            view,
            indices,
            shape,
            attributes,
        }))
    }
}
