//! The options of a conversion: fields, and the table that the command line, Python and the window share.
//!
//! Not for: output paths and existing files, which the caller fills in.

use super::ImagePlaces;
use rigscope_core::model::CancelToken;
use rigscope_core::options::{Choice, Field, OptionInfo, OptionKind, Request, field};
use rigscope_core::reshape::SamplingLimit;

/// How a model is converted, whatever the target.
///
/// Versions may add fields: end literals with `..ConvertOptions::default()`.
#[derive(Clone, Debug, Default)]
pub struct ConvertOptions {
    /// Only this clip, by name or number.
    pub clip: Option<String>,
    /// Resample all clips at this many keys per second.
    pub rate: Option<f64>,
    /// Hold each key of clips whose runtime doesn't blend between keys, instead of blending.
    pub step_keys: bool,
    /// Factor by which the model becomes larger.
    pub scale: Option<f64>,
    /// Join all meshes into one.
    pub merge: bool,
    /// Merge vertices that are identical bit for bit.
    pub weld: bool,
    /// Largest number of influences per vertex; the largest weights are kept.
    pub limit_influences: Option<usize>,
    /// Flip the v coordinate of all UVs.
    pub flip_v: bool,
    /// Where the images of textures end up.
    pub textures: TextureMode,
    /// Options of the writer.
    pub write: WriteOptions,
    /// How closely the result is checked.
    pub check: Check,
    /// Replace existing files; inputs never are.
    pub overwrite: bool,
    /// Stops the conversion from another thread.
    pub cancel: CancelToken,
}

/// How a writer writes. Clips, scale and merging are changes to the model before it.
#[derive(Clone, Debug, Default)]
pub struct WriteOptions {
    /// The main output's name without extension, by which files refer to one another.
    pub stem: String,
    /// Only this part of the format's [`FormatInfo::parts`](super::FormatInfo::parts).
    pub part: Option<String>,
    /// Keys per second in formats that store keys at equal intervals; `None` for the keys' own
    /// rate, or 30 for curves.
    pub rate: Option<f64>,
    /// Store parents, names and inverse bind matrices if the format leaves the choice.
    pub hierarchy: bool,
    /// Keep bones below those that move vertices, if the format leaves them out.
    pub last_bones: bool,
    /// Fail if the model has to be split into several files.
    pub never_split: bool,
    /// Make a convex hull of every mesh if the format has hulls and the model hasn't.
    pub make_hulls: bool,
    /// Make a simplified occlusion mesh if the format has one and the model hasn't.
    pub make_occluder: bool,
    /// How many keys sampling may make.
    pub sampling: SamplingLimit,
    /// Images that are already in place, and the names that are free for new ones.
    pub images: ImagePlaces,
}

/// Where the images of textures end up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureMode {
    /// With the output, except those in its folder, which are named there.
    #[default]
    Copy,
    /// In their original place; only images inside the input are written.
    Reference,
    /// Left out, without references to them.
    None,
}

/// How closely the result of a conversion is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Check {
    /// It is read back, losses are counted, and it is compared with its source over all clips.
    #[default]
    Full,
    /// It is read back, and losses are counted.
    Losses,
    /// Not at all.
    None,
}

const TEXTURE_MODES: [TextureMode; 3] =
    [TextureMode::Copy, TextureMode::Reference, TextureMode::None];

impl TextureMode {
    /// Name and help.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Copy => (
                "copy",
                "Write them with the output, or inside it (glb), unless they are in its folder already",
            ),
            Self::Reference => (
                "reference",
                "Refer to existing files; write only images that are embedded in the input",
            ),
            Self::None => ("none", "Leave them out"),
        }
    }
}

/// Formats store factors and positions in single precision.
fn is_factor(value: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "checks the result")]
    let factor = value as f32;
    factor > 0.0 && factor.is_normal()
}

/// An option that no form shows.
const HIDDEN: &str = "";

impl Request for ConvertOptions {
    const OPTIONS: &'static [OptionInfo<Self>] = &[
        OptionInfo {
            name: "part",
            flag: "part",
            help: "Write only this part, for formats that consist of several files",
            details: "",
            row: HIDDEN,
            label: "",
            kind: OptionKind::Text { value_name: "PART", field: field!(write.part) },
        },
        OptionInfo {
            name: "clip",
            flag: "clip",
            help: "Convert only this clip, by name or number",
            details: "",
            row: HIDDEN,
            label: "",
            kind: OptionKind::Text { value_name: "CLIP", field: field!(clip) },
        },
        OptionInfo {
            name: "rate",
            flag: "rate",
            help: "Resample every clip at this many keys per second",
            details: "Without it, curves that must be sampled are sampled at the frame rate that their file \
                states (FBX), or 30 times per second if it states none.",
            row: HIDDEN,
            label: "",
            kind: OptionKind::Number {
                value_name: "NUMBER",
                neutral: None,
                is_valid: |value| value > 0.0 && value.is_finite(),
                expected: "a number above 0",
                field: field!(rate),
            },
        },
        OptionInfo {
            name: "step_keys",
            flag: "step-keys",
            help: "Keep the steps of clips that play without blending between keys (from bsm2 to gltf)",
            details: "Runtimes of .bsm2 show each key until the next one. Without this option, formats that blend \
                between keys show smooth motion instead.",
            row: "Keys",
            label: "keep steps between keys",
            kind: OptionKind::Flag(field!(step_keys)),
        },
        OptionInfo {
            name: "scale",
            flag: "scale",
            help: "Scale everything by this factor",
            details: "",
            row: "Scale",
            label: "",
            kind: OptionKind::Number {
                value_name: "FACTOR",
                neutral: Some(1.0),
                is_valid: is_factor,
                expected: "a number above 0",
                field: field!(scale),
            },
        },
        OptionInfo {
            name: "merge",
            flag: "merge",
            help: "Join all meshes into one",
            details: "",
            row: "Meshes",
            label: "Join into one",
            kind: OptionKind::Flag(field!(merge)),
        },
        OptionInfo {
            name: "weld",
            flag: "weld",
            help: "Merge vertices that are identical bit for bit",
            details: "",
            row: "Meshes",
            label: "Weld identical vertices",
            kind: OptionKind::Flag(field!(weld)),
        },
        OptionInfo {
            name: "limit_influences",
            flag: "limit-influences",
            help: "Keep at most this many influences per vertex, those with the largest weights",
            details: "",
            row: "Influences",
            label: "Limit per vertex",
            kind: OptionKind::Count {
                value_name: "NUMBER",
                min: 1,
                max: 255,
                field: field!(limit_influences),
            },
        },
        OptionInfo {
            name: "flip_v",
            flag: "flip-v",
            help: "Flip the V coordinate of all UVs",
            details: "",
            row: "UVs",
            label: "Flip V",
            kind: OptionKind::Flag(field!(flip_v)),
        },
        OptionInfo {
            name: "hierarchy",
            flag: "hierarchy",
            help: "Keep bone parents, names and inverse bind matrices if the format makes them optional (bsm2)",
            details: "",
            row: "Bones",
            label: "Keep parents, names and inverse binds",
            kind: OptionKind::Flag(field!(write.hierarchy)),
        },
        OptionInfo {
            name: "last_bones",
            flag: "last-bones",
            help: "Keep bones below those that move vertices (bsm2)",
            details: "",
            row: "Bones",
            label: "Keep end bones",
            kind: OptionKind::Flag(field!(write.last_bones)),
        },
        OptionInfo {
            name: "make_hulls",
            flag: "hull",
            help: "Make a convex hull of each mesh if the model has no hulls (bsm)",
            details: "",
            row: "Collision",
            label: "Make hulls",
            kind: OptionKind::Flag(field!(write.make_hulls)),
        },
        OptionInfo {
            name: "make_occluder",
            flag: "occluder",
            help: "Make a simplified occlusion mesh if the model has no occlusion mesh (bsm)",
            details: "",
            row: "Collision",
            label: "Make an occlusion mesh",
            kind: OptionKind::Flag(field!(write.make_occluder)),
        },
        OptionInfo {
            name: "textures",
            flag: "textures",
            help: "How to write the images of textures",
            details: "Copied images get names that every system accepts, and become PNG files if the format \
                can't use them as they are. With reference, paths are relative to the output's folder.",
            row: "Textures",
            label: "",
            kind: OptionKind::Choice {
                value_name: "MODE",
                choices: || {
                    let choice = |(name, help)| Choice { name, help };
                    TEXTURE_MODES.map(|mode| choice(mode.words())).to_vec()
                },
                field: Field {
                    get: |options| Some(options.textures as usize),
                    set: |options, number| {
                        let mode = number.and_then(|number| TEXTURE_MODES.get(number).copied());
                        options.textures = mode.unwrap_or_default();
                    },
                },
            },
        },
    ];
}

impl PartialEq for ConvertOptions {
    /// Whether both have the same values of all options in the table.
    fn eq(&self, other: &Self) -> bool {
        Self::OPTIONS.iter().all(|option| option.get(self) == option.get(other))
    }
}
