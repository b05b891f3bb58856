//! A skin as SKN and BMF hold it, and the walk over its fields.
//!
//! Source: "SKN/BMF File Format" by Greg Noel (simtech), mended where real files and five public
//! readers agree otherwise: a vertex is x y z nx ny nz; texture coordinates leave 0..1; a binding
//! may have no raw vertex (first -1, count 0); faces are clockwise from outside, which in the
//! file's left-handed space is counter-clockwise by the numbers.
//!
//! | # | item | SKN | BMF |
//! |---|---|---|---|
//! | 1 | skin name | line | string |
//! | 2 | default texture, `x` for none | line | string |
//! | 3 | bones: count, names | lines | i32, strings |
//! | 4 | faces: count, 3 raw vertices each | `a b c` | i32, 3 x i32 |
//! | 5 | bindings: count, bone, first raw, raws, first blend, blends | 5 a line | i32, 5 x i32 |
//! | 6 | texture coordinates: count R, u v | `u v` | i32, 2 x f32 |
//! | 7 | blends: count B, raw vertex and weight / 32768 | `vertex weight` | i32, **weight, vertex** |
//! | 8 | vertices: count R + B | `x y z nx ny nz` | i32, 6 x f32 |
//!
//! No signature, no version. The first R vertices are raw, the other B belong to the blends.
//! Not for: what it means (`mesh`), where its skeleton is (`skeleton_search`).

use super::fields::least;
use super::rows::{Rows, rows};
use super::walk::Walk;
use crate::formats::record::fields;
use rigscope_core::model::{Element, Field, Layout, Scalar};

/// A skin as it stands in its file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Skin {
    /// Name in the file, which need not be the file's.
    pub(super) name: String,
    /// Default texture without extension; `x` for none.
    pub(super) texture: String,
    /// Names of the bones that bindings number.
    pub(super) bones: Vec<String>,
    /// Three raw vertices each.
    pub(super) faces: Vec<[i32; 3]>,
    /// Which vertices belong to which bone.
    pub(super) bindings: Vec<Binding>,
    /// One a raw vertex, v down.
    pub(super) uvs: Vec<[f32; 2]>,
    /// One a blended vertex.
    pub(super) blends: Vec<Blend>,
    /// Raw vertices, then blended ones, each in the space of its bone.
    pub(super) vertices: Vec<SkinVertex>,
}

/// The vertices of one bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Binding {
    /// Position in [`Skin::bones`].
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

/// A second bone's share in a raw vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Blend {
    /// The raw vertex.
    pub(super) vertex: i32,
    /// Share in 1/32768.
    pub(super) weight: i32,
}

/// Position and normal in a bone's space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct SkinVertex {
    /// Feet.
    pub(super) position: [f32; 3],
    /// Of unit length in sound files.
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

/// Walks over what comes before the faces: the part that tells a skin from other files.
pub(super) fn walk_head<W: Walk>(walk: &mut W, skin: &mut Skin) -> Result<(), W::Error> {
    walk.name("skin name", &mut skin.name)?;
    walk.string("default texture name", &mut skin.texture)?;
    let names = rows("number of bones", least(1, 0));
    let names = names.of(Element::SkinBone { mesh: 0 }, NAME_FIELDS);
    walk.list(names, &mut skin.bones, |walk, bone| walk.name("bone name", bone))?;
    Ok(())
}

/// Walks over the faces and all that follows.
pub(super) fn walk_body<W: Walk>(walk: &mut W, skin: &mut Skin) -> Result<(), W::Error> {
    // Faces that name no vertex are left out of the mesh, so that indices there may count on less.
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
        // One a texture point and one a blending.
        at_least: skin.uvs.len() + skin.blends.len(),
        // Copies of vertices follow: no vertex of the model is theirs alone.
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
