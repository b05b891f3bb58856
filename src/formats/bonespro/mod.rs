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
//! | `Bones` | a frame and bone: box size, bone transform, node transform, as matrix or 3 angles and T |
//! | `Mesh (absolute)` | a frame and vertex: position |
//! | `Mesh (bones c.s)` | a frame and bone: bone, number; vertex and its position in the bone's system |
//!
//! `//` begins a comment, but not in `< >`. Right-handed, Z up, unit not stated. Row vectors:
//! `p' = p R + T`; a vertex goes by `v B^-1 F` of each bone, B its transform in the structure file
//! and F that of the frame. Node transforms are for reference only. Weights stay as given; their
//! sums may fall short of 1, since the plug-in drops small ones.
//!
//! There are no faces: they are borrowed from another file of the same mesh, see `faces`. What
//! transforms mean is tried out where an export of the vertices allows it, see `convention`.
//!
//! Ambiguous: whether Euler axes stay, which way angles turn, and whether a bone's box scales what
//! follows it; documented are static axes, counter-clockwise angles, and nothing about boxes.
//! Ambiguous: frames a second are not in the file; 30 are assumed. Ambiguous: quotes around words,
//! upper and lower case, and where lines break between numbers do not matter. Ambiguous: vertices
//! in the bones' systems are taken as moved, each copy giving the same place; without the bones of
//! the same frames they are shown on the bones as attached. Clips begin at 0, whatever frame is
//! the first. There is no writer: no program but the plug-in's own reads these files.

mod animation;
mod borrow;
mod convention;
mod euler;
mod faces;
mod grammar;
mod model;
mod motion;
mod pair;
mod sniff;
mod structure;

use super::losses::Precision;
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, ProbeInput, ReadError, ReadOptions, Source,
};
use crate::model::{Model, Report};

/// The format's id.
pub const ID: &str = "bonespro";

/// BonesPro exports.
pub struct BonesPro;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "BonesPro export",
    extensions: &["txt"],
    kind: FormatKind::Text,
    can_read: true,
    can_write: false,
    caps: Caps {
        mesh: true,
        skin: true,
        clips: true,
        collision: false,
    },
    parts: &[],
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

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        model::read(source, options, report)
    }
}

#[cfg(test)]
mod tests;
