//! BonesPro text exports (`.txt`): structure files and animation files of the 3ds Max plug-in.
//!
//! Source: "BonesPro Export File Format" (doc.bonespro.com/Export.html), Digimation's `BonesPro.h`
//! and the Max SDK's conventions. No real export is public.
//!
//! | structure file | |
//! |---|---|
//! | head | number of bones, number of vertices |
//! | bone | `<name>`; parent's number or `*`; box size; bone transform and node transform, each 3 rows and T |
//! | vertex | position; number of influences; bone and weight of each |
//!
//! | animation file | |
//! |---|---|
//! | head | bones, vertices, frames; mode; system; representation; Euler order; angle unit; first, last, step |
//! | `Bones` | per frame and bone: box size, bone transform, node transform, as matrix or 3 angles and T |
//! | `Mesh (absolute)` | per frame and vertex: position |
//! | `Mesh (bones c.s)` | per frame and bone: bone, number; vertex and its position in the bone's system |
//!
//! `//` starts a comment, except inside `< >`. Right-handed, Z up, unit not specified. Row vectors:
//! `p' = p R + T`; each bone moves a vertex by `v B^-1 F`, where B is the bone's transform in the structure file and F
//! its transform in the frame. Node transforms are only for reference. Weights are stored as they are; their
//! sums may be below 1, because the plug-in drops small ones.
//!
//! There are no faces: they are taken from another file of the same mesh, see `borrowed_faces`. If an export
//! of the vertices exists, the meaning of transforms is determined by trial, see `convention`.
//!
//! Ambiguous: whether Euler axes are static, the direction of angles, and whether a bone's box scales the
//! vertices that follow it. The documentation specifies static axes and counter-clockwise angles, and nothing
//! about boxes.
//! Ambiguous: the frame rate isn't stored; 30 per second are assumed. Ambiguous: quotes around words, case,
//! and line breaks between numbers don't matter. Ambiguous: vertices in the bones' systems are read as
//! already moved, so that all copies of a vertex have the same position; without the bones of the same frames
//! they are shown on the bones as attached. Clips begin at 0, whatever the first frame is.
//!
//! The writer creates a structure file and an animation file for each clip, in one of five modes: absolute
//! matrices by default, vertices for clips of vertices. The frames of all clips are on one time line, at 30
//! per second if that gives whole steps. Texts that a model was read from are written unchanged if the model
//! hasn't changed.

mod animation;
mod convention;
mod euler;
mod grammar;
mod model;
mod motion;
mod pose_sampler;
mod related_exports;
mod sniff;
mod structure;
mod text_spans;
mod write;
mod write_animation;
mod write_names;
mod write_structure;

use super::losses::{Aspect, Precision, Stored, stored};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, PartInfo, PoseWords, Reader, Writer,
};
use rigscope_core::runtime;
use write::part;

pub const ID: &str = "bonespro";

const PARTS: &[PartInfo] = &[
    text_part(part::STRUCTURE, "bones, vertices and weights"),
    text_part(part::ANIMATION, "clips, bones as absolute matrices"),
    text_part(part::RELATIVE, "clips, bones as matrices relative to parents"),
    text_part(part::EULER, "clips, bones as Euler angles relative to parents"),
    text_part(part::MESH, "clips as positions of all vertices"),
    text_part(part::MESH_BONES, "clips as positions of vertices relative to their bones"),
];

const fn text_part(id: &'static str, meaning: &'static str) -> PartInfo {
    PartInfo { id, extension: "txt", meaning }
}

const STORED: fn(Aspect) -> Stored = stored! {
    Stored::WHOLE.in_parts(&[part::STRUCTURE, part::MESH, part::MESH_BONES]) => Vertices;
    Stored::up_to(1).in_parts(&[part::STRUCTURE, part::MESH, part::MESH_BONES]) => Meshes;
    Stored::WHOLE.in_parts(&[part::STRUCTURE]) => Skins Influences UsedBones BoneNames Parents;
    // Without the structure file, bones move nothing, and their rest pose is the first frame.
    Stored::WHOLE.in_parts(&[part::STRUCTURE, part::ANIMATION, part::RELATIVE, part::EULER]) =>
        UnusedBones Rest;
    Stored::WHOLE.in_parts(&[part::STRUCTURE, part::ANIMATION, part::RELATIVE]) => Scales Shears;
    Stored::WHOLE.in_parts(&[part::ANIMATION, part::RELATIVE, part::EULER]) => Clips ClipNames;
    Stored::WHOLE.in_parts(&[part::ANIMATION, part::MESH]) => VertexAnimations;
    Stored::NO => HumanBones Expressions Springs;
    Stored::NO => Triangles Lines Points Normals Tangents Colors UvSets MeshNames MaterialNames Textures
        TextureTransforms Looks Images BoneLocal DualQuaternions Curves UnevenKeys Interpolations StartTimes
        Events ValueTracks MorphTargets MaterialTracks Hulls Occluders;
};

pub const BONESPRO: Format = Format {
    info: FormatInfo {
        id: ID,
        name: "BonesPro export",
        extensions: &["txt"],
        mime_types: &[],
        kind: FormatKind::Text,
        can_read: true,
        can_write: true,
        caps: Caps { mesh: true, skin: true, clips: true, collision: false },
        pose_words: PoseWords {
            rest: "first frame of the animation, or the Structure file",
            bind: "Structure file (\"bind\" transforms)",
        },
        parts: PARTS,
        precision: Precision::EXACT,
        citation: "BonesPro documentation, \"BonesPro Export File Format\"",
    },
    probe: |input| match sniff::head(input.head) {
        Some(_) => Confidence::Strong,
        None => Confidence::No,
    },
    runtime: Some(&runtime::THREE_DS_MAX),
    reader: Reader {
        has_mesh: |input| {
            let head = sniff::head(input.head)?;
            Some(matches!(head, sniff::Head::Structure { .. }))
        },
        borrows_faces: true,
        ..Reader::of(model::read)
    },
    writer: Some(Writer { fps: write::written_fps, ..Writer::of(write::write, STORED) }),
};

#[cfg(test)]
mod tests;
