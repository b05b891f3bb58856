//! Where the lists of a BMF lie in its file, so that a picked vertex can show its own bytes.

use super::skin_file::{Places, Skin};
use crate::model::{Element, Field, Place, Provenance, Span};

const FACE_INDEX_BYTES: u64 = 4;
const VERTEX_BYTES: u64 = 24;

const VERTEX_FIELDS: &[Field] = &[
    Field {
        name: "position",
        offset: 0,
        len: 12,
        layout: "f32x3",
    },
    Field {
        name: "normal",
        offset: 12,
        len: 12,
        layout: "f32x3",
    },
];

/// The spans of a skin in bytes. Blended copies follow the raw vertices and have no span: no
/// vertex of the model is theirs alone.
pub(super) fn of_skin(skin: &Skin, places: Places) -> Provenance {
    let span = |element, place, stride, count: usize, fields| match place {
        Place::Offset(offset) => Some(Span {
            element,
            offset,
            stride,
            count: count as u64,
            fields,
        }),
        _ => None,
    };
    // The mesh leaves out faces that name no vertex, and those behind them move up.
    let is_inside = |&index: &i32| usize::try_from(index).is_ok_and(|at| at < skin.uvs.len());
    let is_sound = skin.faces.iter().flatten().all(is_inside);
    let indices = span(
        Element::Index { mesh: 0 },
        places.faces,
        FACE_INDEX_BYTES,
        skin.faces.len() * 3,
        &[],
    );
    let vertices = span(
        Element::Vertex { mesh: 0 },
        places.vertices,
        VERTEX_BYTES,
        skin.uvs.len(),
        VERTEX_FIELDS,
    );
    Provenance {
        spans: indices
            .filter(|_| is_sound)
            .into_iter()
            .chain(vertices)
            .collect(),
    }
}
