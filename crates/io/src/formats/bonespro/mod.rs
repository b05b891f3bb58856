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

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, OutputFile, PartInfo, PoseWords, ProbeInput,
    ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use rigscope_core::model::{Model, Report};
use write::part;

pub const ID: &str = "bonespro";

pub struct BonesPro;

const PARTS: &[PartInfo] = &[
    text_part(part::STRUCTURE, "bones, vertices and weights"),
    text_part(part::ANIMATION, "clips, bones as absolute matrices"),
    text_part(part::RELATIVE, "clips, bones as matrices relative to parents"),
    text_part(part::EULER, "clips, bones as Euler angles relative to parents"),
    text_part(part::MESH, "clips as positions of all vertices"),
    text_part(part::MESH_BONES, "clips as positions of vertices in their bones' systems"),
];

const fn text_part(id: &'static str, meaning: &'static str) -> PartInfo {
    PartInfo { id, extension: "txt", meaning }
}

const INFO: FormatInfo = FormatInfo {
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
};

impl Format for BonesPro {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        match sniff::head(input.head) {
            Some(_) => Confidence::Strong,
            None => Confidence::No,
        }
    }

    fn has_mesh(&self, input: &ProbeInput<'_>) -> Option<bool> {
        let head = sniff::head(input.head)?;
        Some(matches!(head, sniff::Head::Structure { .. }))
    }

    fn borrows_faces(&self) -> bool {
        true
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        let mut model = model::read(source, options, report)?;
        model.provenance = report.take_provenance();
        Ok(model)
    }

    fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
        let part = options.part.as_deref();
        let has_structure = part.is_none_or(|part| part == part::STRUCTURE);
        let has_vertices =
            has_structure || part == Some(part::MESH) || part == Some(part::MESH_BONES);
        let has_bone_keys = match part {
            None | Some(part::ANIMATION | part::RELATIVE | part::EULER) => true,
            Some(_) => false,
        };
        let has_caches = match part {
            None | Some(part::ANIMATION | part::MESH) => true,
            Some(_) => false,
        };
        let has_angles = part == Some(part::EULER);
        match aspect {
            Aspect::Vertices => Held::when(has_vertices),
            Aspect::Meshes if has_vertices => Held::UpTo(1),
            Aspect::Skins
            | Aspect::Influences
            | Aspect::UsedBones
            | Aspect::BoneNames
            | Aspect::Parents => Held::when(has_structure),
            // Without the structure file, bones move nothing, and their rest pose is the first frame.
            Aspect::UnusedBones | Aspect::Rest => Held::when(has_structure || has_bone_keys),
            Aspect::Clips | Aspect::ClipNames => Held::when(has_bone_keys),
            Aspect::VertexCaches => Held::when(has_caches),
            Aspect::Scales | Aspect::Shears => {
                Held::when((has_structure || has_bone_keys) && !has_angles)
            }
            Aspect::Triangles
            | Aspect::Lines
            | Aspect::Points
            | Aspect::Normals
            | Aspect::Tangents
            | Aspect::Colors
            | Aspect::UvSets
            | Aspect::Meshes
            | Aspect::MeshNames
            | Aspect::MaterialNames
            | Aspect::Textures
            | Aspect::TextureTransforms
            | Aspect::Looks
            | Aspect::Images
            | Aspect::BoneLocal
            | Aspect::DualQuaternions
            | Aspect::Curves
            | Aspect::UnevenKeys
            | Aspect::Interpolations
            | Aspect::StartTimes
            | Aspect::Events
            | Aspect::ValueTracks
            | Aspect::MorphTargets
            | Aspect::Hulls
            | Aspect::Occluders => Held::No,
        }
    }

    fn written_fps(&self, model: &Model, asked: Option<f64>) -> f64 {
        write::written_fps(model, asked)
    }

    fn write(
        &self,
        model: &Model,
        options: &WriteOptions,
        report: &Report,
    ) -> Result<Vec<OutputFile>, WriteError> {
        write::write(model, options, report)
    }
}

#[cfg(test)]
mod tests;
