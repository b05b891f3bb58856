//! The Sims (2000): the character files of its engine, VitaBoy.
//!
//! | file | content | module |
//! |---|---|---|
//! | SKN, BMF | a mesh, as text and as binary | `skin_file`, `mesh` |
//! | CMX, BCF | skeletons, suits of meshes, skills, as text and as binary | `character_file`, `character_fields` |
//! | CFP | the numbers of a skill | `cfp`, `clips` |
//! | FAR | an archive of these files | `far`, `archive_read` |
//!
//! The text and binary formats have the same fields in the same order: `fields` reads either, and the layers
//! above it don't distinguish them. `read` combines several files to a model.
//!
//! Writing uses `encode` (structures to bytes), `originals` (contents preserved from reading) and `write`
//! (any model to structures).
//!
//! Vertices are in the space of their bone, and a vertex with two bones has a position in each:
//! [`rigscope_core::model::Skin::BoneLocal`]. File space is left-handed: x to the figure's right, y up, z
//! forward, the ground at y = 0. Stored quaternions (x y z w) are the conjugates of bone rotations. Face
//! normals computed as `(b - a) x (c - a)` point outward. v is down, and UVs leave 0..1, so textures repeat.
//!
//! Normals are transformed by the bones' matrices and added by weight, as in FreeSO and VitaMoo; bones only
//! rotate and translate, so that any rule gives the same result.
//!
//! Ambiguous: according to documentation and the size of the figures, a unit is a foot; no file states it, so
//! models are shown in file units.
//! Ambiguous: suits of type 1 (censor) mark areas that the game blurs; they are left out.
//! Ambiguous: no real BMF was available; its layout is the one that five public readers agree on.

mod archive_read;
mod binary_field_writer;
mod binary_fields;
mod cfp;
mod cfp_pack;
mod character_fields;
mod character_file;
mod clips;
mod encode;
mod far;
mod fields;
mod library;
mod mesh;
mod names;
mod originals;
mod parse;
mod probe;
mod read;
mod rig;
mod row_spans;
mod rows;
mod skeleton;
mod skeleton_search;
mod skin_file;
mod skin_images;
mod stored;
mod text_field_writer;
mod text_fields;
mod texture_names;
mod walk;
mod write;
mod write_parts;
mod write_skill;
mod write_skin;

use super::losses::Precision;
use super::{
    Caps, Format, FormatInfo, FormatKind, MimeType, PartInfo, PoseWords, ReadError, ReadOptions,
    Reader, Source, Writer,
};
use library::Library;
use read::ModelReader;
use rigscope_core::model::{Axes, Handedness, Model, Report, UpAxis, Winding};
use rigscope_core::runtime;

const SKN_ID: &str = "skn";
const BMF_ID: &str = "bmf";
const CMX_ID: &str = "cmx";
const BCF_ID: &str = "bcf";

/// The axes of all files.
const AXES: Axes = Axes {
    up: UpAxis::Y,
    handedness: Handedness::Left,
    winding: Winding::CounterClockwise,
    unit_meters: None,
    faces_backward: false,
};

const MESH: Caps = Caps { mesh: true, skin: true, clips: false, collision: false };
const CHARACTER: Caps = Caps { mesh: false, skin: true, clips: true, collision: false };

/// For models from other formats: positions are converted to bone space, weights are multiples of 1/32768,
/// and keys have the errors of `write_skill`. Data read from the game's files is written exactly.
const PRECISION: Precision =
    Precision { position: 1e-6, normal_deg: 1e-3, uv: 0.0, weight: 1.0 / 32768.0 };

/// A skin as text.
pub const SKN: Format = Format {
    info: FormatInfo {
        id: SKN_ID,
        name: "The Sims skin",
        extensions: &["skn"],
        mime_types: &[MimeType::own("model/x-sims-skn", "skn", &[(0, b"xskin-")])],
        kind: FormatKind::Text,
        can_read: true,
        can_write: true,
        caps: MESH,
        pose_words: PoseWords { rest: "skeleton of the character file", bind: "" },
        parts: &[],
        precision: PRECISION,
        citation: "Greg Noel, \"SKN/BMF File Format\"",
    },
    probe: probe::skn,
    runtime: Some(&runtime::THE_SIMS),
    reader: Reader::of(read_skn),
    writer: Some(Writer::of(
        |model, options, report| write::write(SKN_ID, model, options, report),
        stored::SKIN,
    )),
};

/// A skin in binary form.
pub const BMF: Format = Format {
    info: FormatInfo {
        id: BMF_ID,
        extensions: &["bmf"],
        mime_types: &[MimeType::own("model/x-sims-bmf", "bmf", &[(1, b"xskin-")])],
        kind: FormatKind::Binary,
        ..SKN.info
    },
    probe: probe::bmf,
    reader: Reader::of(read_bmf),
    writer: Some(Writer::of(
        |model, options, report| write::write(BMF_ID, model, options, report),
        stored::SKIN,
    )),
    ..SKN
};

/// A character file as text.
pub const CMX: Format = Format {
    info: FormatInfo {
        id: CMX_ID,
        name: "The Sims character",
        extensions: &["cmx"],
        mime_types: &[MimeType::own(
            "model/x-sims-cmx",
            "cmx",
            &[(0, b"// Character File"), (0, b"//Character File")],
        )],
        caps: CHARACTER,
        parts: &[PartInfo {
            id: cfp::ID,
            extension: "cfp",
            meaning: "the packed values of the only clip",
        }],
        citation: "Greg Noel, \"CMX/BCF File Format\" and \"CFP File Format\"",
        ..SKN.info
    },
    probe: probe::cmx,
    reader: Reader::of(read_cmx),
    writer: Some(Writer::of(
        |model, options, report| write::write(CMX_ID, model, options, report),
        stored::CHARACTER,
    )),
    ..SKN
};

/// A character file in binary form.
pub const BCF: Format = Format {
    info: FormatInfo {
        id: BCF_ID,
        extensions: &["bcf"],
        mime_types: &[MimeType::own("model/x-sims-bcf", "bcf", &[])],
        kind: FormatKind::Binary,
        ..CMX.info
    },
    probe: probe::bcf,
    reader: Reader::of(read_bcf),
    writer: Some(Writer::of(
        |model, options, report| write::write(BCF_ID, model, options, report),
        stored::CHARACTER,
    )),
    ..CMX
};

/// An archive of these files.
pub const FAR: Format = Format {
    info: FormatInfo {
        id: far::ID,
        name: "The Sims archive",
        extensions: &["far"],
        mime_types: &[MimeType::own("application/x-sims-far", "far", &[(0, far::MAGIC)])],
        can_write: false,
        caps: Caps { mesh: true, ..CHARACTER },
        parts: &[],
        precision: Precision::EXACT,
        citation: "VitaMoo's archive reader, \"FAR!byAZ\" version 1",
        ..BCF.info
    },
    probe: probe::far,
    reader: Reader::of(archive_read::read),
    writer: None,
    ..BCF
};

fn figure<'a>(
    format: &'static str,
    source: &Source,
    options: &'a ReadOptions,
    report: &'a Report,
) -> ModelReader<'a> {
    ModelReader { format, library: Library::new(source, options, report), options, report }
}

fn read_skn(source: &Source, options: &ReadOptions, report: &Report) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let skin = parse::skn(&bytes, options, report)?;
    report.close_spans();
    let figure = figure(SKN_ID, source, options, report);
    let mut model = figure.of_skin(&source.name, skin, None)?;
    originals::keep_spelling(&mut model, SKN_ID, &bytes);
    model.provenance = report.take_provenance();
    Ok(model)
}

fn read_bmf(source: &Source, options: &ReadOptions, report: &Report) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let skin = parse::bmf(&bytes, options, report)?;
    report.close_spans();
    let figure = figure(BMF_ID, source, options, report);
    let mut model = figure.of_skin(&source.name, skin, Some(&bytes))?;
    model.provenance = report.take_provenance();
    Ok(model)
}

fn read_cmx(source: &Source, options: &ReadOptions, report: &Report) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let file = parse::cmx(&bytes, options, report)?;
    report.close_spans();
    let mut model = figure(CMX_ID, source, options, report).of_character(file, None)?;
    originals::keep_spelling(&mut model, CMX_ID, &bytes);
    model.provenance = report.take_provenance();
    Ok(model)
}

fn read_bcf(source: &Source, options: &ReadOptions, report: &Report) -> Result<Model, ReadError> {
    let bytes = source.whole()?;
    let file = parse::bcf(&bytes, options, report)?;
    report.close_spans();
    let figure = figure(BCF_ID, source, options, report);
    let mut model = figure.of_character(file, Some(&bytes))?;
    model.provenance = report.take_provenance();
    Ok(model)
}

#[cfg(test)]
mod tests;
