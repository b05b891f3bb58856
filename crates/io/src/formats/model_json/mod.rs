//! Rigscope JSON (`.json` with the schema `rigscope.model/1`): models printed by readers for other formats.
//!
//! For: programs that translate a format that Rigscope doesn't know; see `files::external`.
//! Not for: storage. Text needs several times the space of binary formats, so there is no writer.
//!
//! Source: docs/your-own-format.md of this project, which defines the format. Names and meanings are those of the
//! arguments of `rigscope.build` in Python.
//!
//! | key | value |
//! |---|---|
//! | `schema` | `rigscope.model/1` |
//! | `name`, `up`, `handedness`, `winding`, `unit_meters`, … | the model's name, axes and unit |
//! | `bones` | name, parent and rest transform relative to the parent |
//! | `materials`, `images` | name, properties, and textures: paths relative to the model, or embedded images |
//! | `meshes` | one list per attribute, with an entry per vertex; triangles; influences; morph targets |
//! | `clips` | key times and values for all bones, tracks per bone, stored matrices, or vertex animation |
//! | `findings` | sentences about the file, shown as warnings |
//!
//! UVs have v down, colours are linear, quaternions are x y z w, matrices are lists of rows for column vectors.
//!
//! Invariant: unknown keys are errors, so that a misspelled key isn't silently ignored.

mod build;
mod clips;
mod either;
mod lengths;
mod materials;
mod meshes;
mod morphs;
mod numbers;
mod parse;
mod rows;
mod schema;
mod skins;
mod texture_text;
mod tracks;

use super::losses::Precision;
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, PoseWords, ProbeInput, ReadError,
    ReadOptions, Reader, Source,
};
use rigscope_core::model::{Element, Model, Report, Span};

pub const ID: &str = "json";

pub const JSON: Format = Format {
    info: FormatInfo {
        id: ID,
        name: "Rigscope JSON",
        extensions: &["json"],
        mime_types: &[],
        kind: FormatKind::Text,
        can_read: true,
        can_write: false,
        caps: Caps { mesh: true, skin: true, clips: true, collision: false },
        pose_words: PoseWords {
            rest: "rest of the bones",
            bind: "inverse_bind_matrices of the meshes, or the rest pose without them",
        },
        parts: &[],
        precision: Precision::EXACT,
        citation: "Rigscope, \"Your own format\"",
    },
    probe,
    runtime: None,
    reader: Reader::of(read),
    writer: None,
};

/// The value of `schema` at the beginning of the text.
fn probe(input: &ProbeInput<'_>) -> Confidence {
    let head = input.text();
    let mut text = head.bytes.trim_ascii_start();
    for part in [&b"{"[..], b"\"schema\"", b":", b"\"rigscope.model/"] {
        match text.strip_prefix(part) {
            Some(rest) => text = rest.trim_ascii_start(),
            None => return Confidence::No,
        }
    }
    Confidence::Strong
}

fn read(source: &Source, options: &ReadOptions, report: &Report) -> Result<Model, ReadError> {
    report.progress("reading", 0.1)?;
    let bytes = source.whole()?;
    report.span(Span::new(Element::Json, 0, bytes.len(), 1));
    let parsed = parse::parse(&bytes, &options.limits)?;
    report.close_spans();
    report.progress("building the model", 0.4)?;
    let model = build::model(parsed, &options.limits, report)?;
    Ok(Model { provenance: report.take_provenance(), ..model })
}

#[cfg(test)]
mod tests;
