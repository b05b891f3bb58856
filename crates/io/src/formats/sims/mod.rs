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
mod holds;
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
mod text_field_writer;
mod text_fields;
mod texture_names;
mod walk;
mod write;
mod write_parts;
mod write_skill;
mod write_skin;

use super::losses::{Aspect, Held, Precision};
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, MimeType, OutputFile, PartInfo, PoseWords,
    ProbeInput, ReadError, ReadOptions, Source, WriteError, WriteOptions,
};
use library::Library;
use read::ModelReader;
use rigscope_core::model::{Axes, Handedness, Model, NormalMatrix, Report, UpAxis, Winding};

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
};

const MESH: Caps = Caps { mesh: true, skin: true, clips: false, collision: false };
const CHARACTER: Caps = Caps { mesh: false, skin: true, clips: true, collision: false };

/// For models from other formats: positions are converted to bone space, weights are multiples of 1/32768,
/// and keys have the errors of `write_skill`. Data read from the game's files is written exactly.
const PRECISION: Precision =
    Precision { position: 1e-6, normal_deg: 1e-3, uv: 0.0, weight: 1.0 / 32768.0 };

const PARTS: &[PartInfo] =
    &[PartInfo { id: cfp::ID, extension: "cfp", meaning: "the packed values of the only clip" }];

/// Defines the unit struct of a format from its properties, its probe and its reader.
macro_rules! sims_format {
    (
        $(#[$doc:meta])* $name:ident, $info:ident = $facts:expr,
        $probe:path, $read:path $(, $write:path, $holds:path)?
    ) => {
        $(#[$doc])*
        pub struct $name;

        const $info: FormatInfo = $facts;

        impl Format for $name {
            fn info(&self) -> &'static FormatInfo {
                &$info
            }

            fn probe(&self, input: &ProbeInput<'_>) -> Confidence {
                $probe(input)
            }

            fn read(
                &self,
                source: &Source,
                options: &ReadOptions,
                report: &Report,
            ) -> Result<Model, ReadError> {
                $read(source, options, report)
            }

            fn normal_matrix(&self) -> NormalMatrix {
                NormalMatrix::Same
            }

            $(
                fn holds(&self, aspect: Aspect, options: &WriteOptions) -> Held {
                    $holds($info.id, aspect, options)
                }

                fn num_held(
                    &self,
                    model: &Model,
                    aspect: Aspect,
                    options: &WriteOptions,
                    count: u64,
                ) -> u64 {
                    match aspect {
                        Aspect::Images => skin_images::num_images($info.id, model, options).min(count),
                        _ => self.holds(aspect, options).of(count),
                    }
                }

                fn write(
                    &self,
                    model: &Model,
                    options: &WriteOptions,
                    report: &Report,
                ) -> Result<Vec<OutputFile>, WriteError> {
                    $write($info.id, model, options, report)
                }
            )?
        }
    };
}

const POSE_WORDS: PoseWords = PoseWords { rest: "skeleton of the character file", bind: "" };

sims_format!(
    /// A skin as text.
    Skn,
    SKN_INFO = FormatInfo {
        id: SKN_ID,
        name: "The Sims skin",
        extensions: &["skn"],
        mime_types: &[MimeType::own("model/x-sims-skn", "skn", &[(0, b"xskin-")])],
        kind: FormatKind::Text,
        can_read: true,
        can_write: true,
        caps: MESH,
        pose_words: POSE_WORDS,
        parts: &[],
        precision: PRECISION,
        citation: "Greg Noel, \"SKN/BMF File Format\"",
    },
    probe::skn,
    read_skn,
    write::write,
    holds::holds
);

sims_format!(
    /// A skin in binary form.
    Bmf,
    BMF_INFO = FormatInfo {
        id: BMF_ID,
        name: "The Sims skin",
        extensions: &["bmf"],
        mime_types: &[MimeType::own("model/x-sims-bmf", "bmf", &[(1, b"xskin-")])],
        kind: FormatKind::Binary,
        can_read: true,
        can_write: true,
        caps: MESH,
        pose_words: POSE_WORDS,
        parts: &[],
        precision: PRECISION,
        citation: "Greg Noel, \"SKN/BMF File Format\"",
    },
    probe::bmf,
    read_bmf,
    write::write,
    holds::holds
);

sims_format!(
    /// A character file as text.
    Cmx,
    CMX_INFO = FormatInfo {
        id: CMX_ID,
        name: "The Sims character",
        extensions: &["cmx"],
        mime_types: &[MimeType::own(
            "model/x-sims-cmx",
            "cmx",
            &[(0, b"// Character File"), (0, b"//Character File")],
        )],
        kind: FormatKind::Text,
        can_read: true,
        can_write: true,
        caps: CHARACTER,
        pose_words: POSE_WORDS,
        parts: PARTS,
        precision: PRECISION,
        citation: "Greg Noel, \"CMX/BCF File Format\" and \"CFP File Format\"",
    },
    probe::cmx,
    read_cmx,
    write::write,
    holds::holds
);

sims_format!(
    /// A character file in binary form.
    Bcf,
    BCF_INFO = FormatInfo {
        id: BCF_ID,
        name: "The Sims character",
        extensions: &["bcf"],
        mime_types: &[MimeType::own("model/x-sims-bcf", "bcf", &[])],
        kind: FormatKind::Binary,
        can_read: true,
        can_write: true,
        caps: CHARACTER,
        pose_words: POSE_WORDS,
        parts: PARTS,
        precision: PRECISION,
        citation: "Greg Noel, \"CMX/BCF File Format\" and \"CFP File Format\"",
    },
    probe::bcf,
    read_bcf,
    write::write,
    holds::holds
);

sims_format!(
    /// An archive of these files.
    Far,
    FAR_INFO = FormatInfo {
        id: far::ID,
        name: "The Sims archive",
        extensions: &["far"],
        mime_types: &[MimeType::own("application/x-sims-far", "far", &[(0, far::MAGIC)])],
        kind: FormatKind::Binary,
        can_read: true,
        can_write: false,
        caps: Caps {
            mesh: true,
            ..CHARACTER
        },
        pose_words: POSE_WORDS,
        parts: &[],
        precision: Precision::EXACT,
        citation: "VitaMoo's archive reader, \"FAR!byAZ\" version 1",
    },
    probe::far,
    archive_read::read
);

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
