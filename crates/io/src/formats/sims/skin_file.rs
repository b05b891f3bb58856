//! The contents of a SKN or BMF, and the walk over its fields.
//!
//! Source: "SKN/BMF File Format" by Greg Noel (simtech), corrected where real files and five public readers
//! agree on something else: a vertex is x y z nx ny nz; UVs leave 0..1; a binding may have no raw vertex
//! (first -1, count 0); faces are clockwise from outside in the file's left-handed space, which means
//! counter-clockwise computationally.
//!
//! | # | item | SKN | BMF |
//! |---|---|---|---|
//! | 1 | skin name | line | string |
//! | 2 | default texture, `x` for none | line | string |
//! | 3 | bones: count, names | lines | i32, strings |
//! | 4 | faces: count, 3 raw vertices each | `a b c` | i32, 3 x i32 |
//! | 5 | bindings: count, bone, first raw, raws, first blend, blends | 5 per line | i32, 5 x i32 |
//! | 6 | texture coordinates: count R, u v | `u v` | i32, 2 x f32 |
//! | 7 | blends: count B, raw vertex and weight / 32768 | `vertex weight` | i32, **weight, vertex** |
//! | 8 | vertices: count R + B | `x y z nx ny nz` | i32, 6 x f32 |
//!
//! No signature, no version. The first R vertices are raw, the other B belong to the blends.
//! Not for: its meaning (`mesh`), or the search for its skeleton (`skeleton_search`).

use super::fields::least;
use super::rows::{Rows, rows};
use super::walk::Walk;
use crate::formats::record::fields;
use rigscope_core::model::{Element, Field, Layout, Scalar};

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Skin {
    /// Name in the file, which may differ from the file name.
    pub(super) name: String,
    /// Default texture without extension; `x` for none.
    pub(super) texture: String,
    /// Names of the bones that bindings refer to.
    pub(super) bones: Vec<String>,
    /// Three raw vertices each.
    pub(super) faces: Vec<[i32; 3]>,
    /// The vertices of each bone.
    pub(super) bindings: Vec<Binding>,
    /// One per raw vertex, v down.
    pub(super) uvs: Vec<[f32; 2]>,
    /// One per blended vertex.
    pub(super) blends: Vec<Blend>,
    /// Raw vertices, then blended ones, each in the space of its bone.
    pub(super) vertices: Vec<SkinVertex>,
}

/// The vertices of one bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Binding {
    /// Index in [`Skin::bones`].
    pub(super) bone: i32,
    /// First raw vertex, or -1.
    pub(super) first_raw: i32,
    /// Number of raw vertices.
    pub(super) num_raw: i32,
    /// First blend, or -1.
    pub(super) first_blend: i32,
    /// Number of blends.
    pub(super) num_blends: i32,
}

/// The weight of a second bone for a raw vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Blend {
    pub(super) vertex: i32,
    /// Weight in 1/32768.
    pub(super) weight: i32,
}

/// Position and normal in a bone's space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SkinVertex {
    /// Feet.
    pub(super) position: [f32; 3],
    /// Unit length in valid files.
    pub(super) normal: [f32; 3],
}

const NAME_FIELDS: &[Field] = &fields([("length", Scalar::U8.one()), ("text", Layout::TEXT)]);
const FACE_FIELDS: &[Field] = &fields([
    ("first vertex", Scalar::I32.one()),
    ("second vertex", Scalar::I32.one()),
    ("third vertex", Scalar::I32.one()),
]);
const BINDING_FIELDS: &[Field] = &fields([
    ("bone index", Scalar::I32.one()),
    ("first raw vertex", Scalar::I32.one()),
    ("number of raw vertices", Scalar::I32.one()),
    ("first blended vertex", Scalar::I32.one()),
    ("number of blended vertices", Scalar::I32.one()),
]);
const UV_FIELDS: &[Field] = &fields([("texture point", Scalar::F32.times(2))]);
const BLEND_FIELDS: &[Field] =
    &fields([("weight", Scalar::I32.one()), ("vertex", Scalar::I32.one())]);
const VERTEX_FIELDS: &[Field] =
    &fields([("position", Scalar::F32.times(3)), ("normal", Scalar::F32.times(3))]);
const VERTEX: Element = Element::Vertex { mesh: 0 };

/// Walks over the fields before the faces, which distinguish a skin from other files.
pub(super) fn walk_head<W: Walk>(walk: &mut W, skin: &mut Skin) -> Result<(), W::Error> {
    walk.name("skin name", &mut skin.name)?;
    walk.string("default texture name", &mut skin.texture)?;
    let names = rows("number of bones", least(1, 0));
    let names = names.of(Element::SkinBone { mesh: 0 }, NAME_FIELDS);
    walk.list(names, &mut skin.bones, |walk, bone| walk.name("bone name", bone))?;
    Ok(())
}

/// Walks over the faces and the following fields.
pub(super) fn walk_body<W: Walk>(walk: &mut W, skin: &mut Skin) -> Result<(), W::Error> {
    // Faces with invalid vertices are left out of the mesh, so its indices may be fewer.
    let faces = rows("number of faces", least(0, 3)).of(Element::Face, FACE_FIELDS);
    walk.list(faces, &mut skin.faces, |walk, face| walk.indices(["face vertex"; 3], face))?;
    let bindings = rows("number of bone bindings", least(0, 5));
    let bindings = bindings.of(Element::Binding, BINDING_FIELDS);
    walk.list(bindings, &mut skin.bindings, binding)?;
    let uvs = rows("number of texture points", least(0, 2)).of(VERTEX, UV_FIELDS);
    walk.list(uvs, &mut skin.uvs, |walk, uv| walk.floats("texture point", uv))?;
    let blends = rows("number of blendings", least(0, 2)).of(Element::Blend, BLEND_FIELDS);
    walk.list(blends, &mut skin.blends, |walk, blend| {
        let mut pair = [blend.vertex, blend.weight];
        if W::IS_WEIGHT_FIRST {
            pair.reverse();
        }
        walk.indices(["blending"; 2], &mut pair)?;
        if W::IS_WEIGHT_FIRST {
            pair.reverse();
        }
        [blend.vertex, blend.weight] = pair;
        Ok(())
    })?;
    let vertices = Rows {
        // One per UV and one per blend.
        at_least: skin.uvs.len() + skin.blends.len(),
        // The following records are second copies of vertices, not vertices of the model.
        then: Some((skin.uvs.len(), Element::BlendVertex)),
        ..rows("number of vertices", least(0, 6)).of(VERTEX, VERTEX_FIELDS)
    };
    walk.list(vertices, &mut skin.vertices, |walk, vertex| {
        let ([x, y, z], [nx, ny, nz]) = (vertex.position, vertex.normal);
        let mut row = [x, y, z, nx, ny, nz];
        walk.floats("vertex", &mut row)?;
        let [x, y, z, nx, ny, nz] = row;
        (vertex.position, vertex.normal) = ([x, y, z], [nx, ny, nz]);
        Ok(())
    })
}

fn binding<W: Walk>(walk: &mut W, binding: &mut Binding) -> Result<(), W::Error> {
    const FIELDS: [&str; 5] = [
        "binding bone index",
        "binding first raw vertex",
        "binding number of raw vertices",
        "binding first blended vertex",
        "binding number of blended vertices",
    ];
    let Binding { bone, first_raw, num_raw, first_blend, num_blends } = binding;
    let mut row = [*bone, *first_raw, *num_raw, *first_blend, *num_blends];
    walk.indices(FIELDS, &mut row)?;
    [*bone, *first_raw, *num_raw, *first_blend, *num_blends] = row;
    Ok(())
}
