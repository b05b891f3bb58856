//! Wavefront OBJ (`.obj`) with its material library (`.mtl`). Read only.
//!
//! Source: Wavefront, "Appendix B1. Object Files", and `ufbx.h` 0.23, which reads it.
//!
//! | line | meaning |
//! |---|---|
//! | `v x y z [w] [r g b]` | control point, maybe with a colour |
//! | `vt u v`, `vn x y z` | UV with v up, normal |
//! | `f a/b/c …` | polygon; numbers from 1, or from the end where negative |
//! | `p`, `l` | points and lines, which are left out and noted |
//! | `o`, `g` | name of what follows: one mesh each |
//! | `s n`, `s off` | whether missing normals are smoothed |
//! | `mtllib FILE`, `usemtl NAME` | materials |
//!
//! No unit, no bones; right-handed, Y up by custom. A file without faces is a cloud of points.
//! There is no writer here: `rigscope pose` writes OBJ.

mod points;
mod probe;
mod read;

pub(super) use read::read_merged;

use super::losses::Precision;
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, ProbeInput, ReadError, ReadOptions, Source,
};
use crate::model::{Model, Report};

/// The format's id.
pub(super) const ID: &str = "obj";

/// Wavefront OBJ.
pub struct Obj;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Wavefront OBJ",
    extensions: &["obj"],
    kind: FormatKind::Text,
    can_read: true,
    can_write: false,
    caps: Caps {
        mesh: true,
        skin: false,
        clips: false,
        collision: false,
    },
    parts: &[],
    precision: Precision::EXACT,
    citation: "Wavefront, \"Appendix B1. Object Files\"",
};

impl Format for Obj {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
        probe::probe(input)
    }

    fn read(
        &self,
        source: &Source,
        options: &ReadOptions,
        report: &Report,
    ) -> Result<Model, ReadError> {
        read::read(source, options, report)
    }
}

#[cfg(test)]
mod tests;
