//! Properties of an archive's meshes that a model doesn't have, preserved so that an unchanged file is
//! written with the same bytes: how vertices were split into parts, and v if flipping it twice would round.
//!
//! Invariant: preserved data is only used if it's consistent with the model.

use super::ID;
use super::mesh::{MeshObject, PartShape};
use crate::formats::record::{Record, bytes_of, list};
use rigscope_core::model::{ByteView, Model, Preserved, as_u32};

const PARTS: &str = "mesh parts";
const UP: &str = "v up";

/// The preserved data of one mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct OriginalMesh {
    pub(super) parts: Vec<PartShape>,
    /// Stored v of each vertex; empty if it follows from the model.
    pub(super) up: Vec<f32>,
}

/// Stores the data in the model.
pub(super) fn keep(model: &mut Model, objects: &[MeshObject]) {
    let mut parts = Vec::new();
    let mut up = Vec::new();
    let mut word = |num: usize| as_u32(num).put(&mut parts);
    for object in objects {
        word(object.parts.len());
        for part in &object.parts {
            word(part.num_vertices);
            word(part.num_influences);
            let flags = [part.has_normals, part.has_tangents, part.has_uvs, part.has_colors];
            word(flags.iter().fold(0, |bits, flag| bits << 1 | usize::from(*flag)));
        }
        up.extend(bytes_of(&object.up));
    }
    let mut push = |what, bytes: Vec<u8>| {
        if !bytes.is_empty() {
            let bytes = ByteView::whole(bytes);
            model.preserved.push(Preserved { format: ID, what, bytes });
        }
    };
    push(PARTS, parts);
    // Only stored if it's needed at all.
    let is_needed = |v: &f32| (1.0 - (1.0 - *v)).to_bits() != v.to_bits();
    if objects.iter().flat_map(|object| &object.up).any(is_needed) {
        push(UP, up);
    }
}

/// The preserved data of each mesh; `None` if the model has changed.
pub(super) fn originals(model: &Model) -> Option<Vec<OriginalMesh>> {
    let bytes = model.preserved(ID, PARTS)?;
    let mut words = list::<u32>(bytes).map(|word| word as usize);
    let mut up = list::<f32>(model.preserved(ID, UP).map_or(&[][..], |bytes| bytes));
    let mut all = Vec::with_capacity(model.meshes.len());
    for mesh in &model.meshes {
        let mut kept = OriginalMesh::default();
        for _ in 0..words.next()? {
            let (num_vertices, num_influences) = (words.next()?, words.next()?);
            let flags = words.next()?;
            let part = PartShape {
                num_vertices,
                num_influences,
                has_normals: flags & 8 != 0,
                has_tangents: flags & 4 != 0,
                has_uvs: flags & 2 != 0,
                has_colors: flags & 1 != 0,
            };
            if part.has_uvs {
                kept.up.extend(up.by_ref().take(num_vertices));
            } else {
                kept.up.resize(kept.up.len() + num_vertices, 0.0);
            }
            kept.parts.push(part);
        }
        let num: usize = kept.parts.iter().map(|part| part.num_vertices).sum();
        if num != mesh.num_vertices() {
            return None;
        }
        if kept.up.len() != num {
            kept.up.clear();
        }
        all.push(kept);
    }
    Some(all)
}
