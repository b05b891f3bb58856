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

use super::fields::{Fields, least};
use crate::formats::ReadError;
use crate::model::{Place, Report};

/// Records between two looks at whether to go on.
const POLL_EVERY: usize = 4096;

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
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blend {
    /// The raw vertex.
    pub(super) vertex: i32,
    /// Share in 1/32768.
    pub(super) weight: i32,
}

/// Position and normal in a bone's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SkinVertex {
    /// Feet.
    pub(super) position: [f32; 3],
    /// Of unit length in sound files.
    pub(super) normal: [f32; 3],
}

/// Reads what comes before the faces: the part that tells a skin from other files.
pub(super) fn read_head<F: Fields>(fields: &mut F) -> Result<Skin, ReadError> {
    let name = fields.name("skin name")?;
    let texture = fields.string("default texture name")?;
    let num = fields.count(least(1, 0), "number of bones")?;
    let mut bones = fields.list(num, "number of bones")?;
    for _ in 0..num {
        bones.push(fields.name("bone name")?);
    }
    Ok(Skin {
        name,
        texture,
        bones,
        ..Skin::default()
    })
}

/// Where the largest lists of a skin begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    pub(super) faces: Place,
    pub(super) vertices: Place,
}

/// Reads the faces and all that follows.
pub(super) fn read_body<F: Fields>(
    fields: &mut F,
    skin: &mut Skin,
    report: &Report,
) -> Result<Places, ReadError> {
    let num = fields.count(least(0, 3), "number of faces")?;
    let faces = fields.place();
    skin.faces = records(fields, num, "number of faces", report, |fields| {
        let field = "face vertex";
        Ok([
            fields.index(field)?,
            fields.index(field)?,
            fields.index(field)?,
        ])
    })?;
    let num = fields.count(least(0, 5), "number of bone bindings")?;
    skin.bindings = records(fields, num, "number of bone bindings", report, |fields| {
        Ok(Binding {
            bone: fields.index("binding bone index")?,
            first_raw: fields.index("binding first raw vertex")?,
            num_raw: fields.index("binding number of raw vertices")?,
            first_blend: fields.index("binding first blended vertex")?,
            num_blends: fields.index("binding number of blended vertices")?,
        })
    })?;
    let num = fields.count(least(0, 2), "number of texture points")?;
    skin.uvs = records(fields, num, "number of texture points", report, |fields| {
        fields.floats("texture point")
    })?;
    let num = fields.count(least(0, 2), "number of blendings")?;
    skin.blends = records(fields, num, "number of blendings", report, |fields| {
        let [a, b] = [fields.index("blending")?, fields.index("blending")?];
        let (vertex, weight) = match F::IS_WEIGHT_FIRST {
            true => (b, a),
            false => (a, b),
        };
        Ok(Blend { vertex, weight })
    })?;
    let field = "number of vertices";
    let num = fields.count(least(0, 6), field)?;
    let wanted = skin.uvs.len() + skin.blends.len();
    if num < wanted {
        let (uvs, blends) = (skin.uvs.len(), skin.blends.len());
        let what = format!("{num} vertices for {uvs} texture points and {blends} blendings");
        return Err(fields.malformed(field, what));
    }
    let vertices = fields.place();
    skin.vertices = records(fields, num, field, report, |fields| {
        let [x, y, z, nx, ny, nz] = fields.floats("vertex")?;
        Ok(SkinVertex {
            position: [x, y, z],
            normal: [nx, ny, nz],
        })
    })?;
    Ok(Places { faces, vertices })
}

/// Reads `num` records, looking now and then whether to go on.
fn records<F: Fields, T>(
    fields: &mut F,
    num: usize,
    field: &'static str,
    report: &Report,
    mut record: impl FnMut(&mut F) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    let mut list = fields.list(num, field)?;
    for at in 0..num {
        if at % POLL_EVERY == 0 {
            report.progress("reading", 0.2)?;
        }
        list.push(record(fields)?);
    }
    Ok(list)
}
