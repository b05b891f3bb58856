//! The options of a conversion: fields, and the table that the command line, Python and the window share.
//!
//! Not for: output paths and existing files, which the caller fills in.

use super::ImagePlaces;
use rigscope_core::model::CancelToken;
use rigscope_core::options::{Choice, OptionInfo, OptionKind, Request, choice, field};
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

/// In the order of [`TEXTURE_MODES`].
const TEXTURE_CHOICES: [Choice; 3] = [
    Choice {
        name: "copy",
        help: "Write them with the output, or inside it (glb), unless they are in its folder already",
    },
    Choice {
        name: "reference",
        help: "Refer to existing files; write only images that are embedded in the input",
    },
    Choice { name: "none", help: "Leave them out" },
];

/// Formats store factors and positions in single precision.
fn is_factor(value: f64) -> bool {
    #[expect(clippy::cast_possible_truncation, reason = "checks the result")]
    let factor = value as f32;
    factor > 0.0 && factor.is_normal()
}

impl Request for ConvertOptions {
    const OPTIONS: &'static [OptionInfo<Self>] = &[
        OptionInfo::<Self>::new(
            "part",
            "part",
            "Write only this part, for formats that consist of several files",
            OptionKind::Text { value_name: "PART", field: field!(write.part) },
        ),
        OptionInfo::<Self>::new(
            "clip",
            "clip",
            "Convert only this clip, by name or number",
            OptionKind::Text { value_name: "CLIP", field: field!(clip) },
        ),
        OptionInfo::<Self>::new(
            "rate",
            "rate",
            "Resample every clip at this many keys per second",
            OptionKind::positive("NUMBER", field!(rate)),
        )
        .details(
            "Without it, curves that must be sampled are sampled at the frame rate that \
             their file states (FBX), or 30 times per second if it states none.",
        ),
        OptionInfo::<Self>::new(
            "step_keys",
            "step-keys",
            "Keep the steps of clips that play without blending between keys (from bsm2 \
             to gltf)",
            OptionKind::Flag(field!(step_keys)),
        )
        .details(
            "Runtimes of .bsm2 show each key until the next one. Without this option, \
             formats that blend between keys show smooth motion instead.",
        )
        .row("Keys")
        .label("keep steps between keys"),
        OptionInfo::<Self>::new(
            "scale",
            "scale",
            "Scale everything by this factor",
            OptionKind::Number {
                value_name: "FACTOR",
                neutral: Some(1.0),
                is_valid: is_factor,
                expected: "a number above 0",
                field: field!(scale),
            },
        )
        .row("Scale"),
        OptionInfo::<Self>::new(
            "merge",
            "merge",
            "Join all meshes into one",
            OptionKind::Flag(field!(merge)),
        )
        .row("Meshes")
        .label("Join into one"),
        OptionInfo::<Self>::new(
            "weld",
            "weld",
            "Merge vertices that are identical bit for bit",
            OptionKind::Flag(field!(weld)),
        )
        .row("Meshes")
        .label("Weld identical vertices"),
        OptionInfo::<Self>::new(
            "limit_influences",
            "limit-influences",
            "Keep at most this many influences per vertex, those with the largest weights",
            OptionKind::Count {
                value_name: "NUMBER",
                min: 1,
                max: 255,
                field: field!(limit_influences),
            },
        )
        .row("Influences")
        .label("Limit per vertex"),
        OptionInfo::<Self>::new(
            "flip_v",
            "flip-v",
            "Flip the V coordinate of all UVs",
            OptionKind::Flag(field!(flip_v)),
        )
        .row("UVs")
        .label("Flip V"),
        OptionInfo::<Self>::new(
            "hierarchy",
            "hierarchy",
            "Keep bone parents, names and inverse bind matrices if the format makes them \
             optional (bsm2)",
            OptionKind::Flag(field!(write.hierarchy)),
        )
        .row("Bones")
        .label("Keep parents, names and inverse binds"),
        OptionInfo::<Self>::new(
            "last_bones",
            "last-bones",
            "Keep bones below those that move vertices (bsm2)",
            OptionKind::Flag(field!(write.last_bones)),
        )
        .row("Bones")
        .label("Keep end bones"),
        OptionInfo::<Self>::new(
            "make_hulls",
            "hull",
            "Make a convex hull of each mesh if the model has no hulls (bsm)",
            OptionKind::Flag(field!(write.make_hulls)),
        )
        .row("Collision")
        .label("Make hulls"),
        OptionInfo::<Self>::new(
            "make_occluder",
            "occluder",
            "Make a simplified occlusion mesh if the model has no occlusion mesh (bsm)",
            OptionKind::Flag(field!(write.make_occluder)),
        )
        .row("Collision")
        .label("Make an occlusion mesh"),
        OptionInfo::<Self>::new(
            "textures",
            "textures",
            "How to write the images of textures",
            OptionKind::Choice {
                value_name: "MODE",
                choices: || TEXTURE_CHOICES.to_vec(),
                field: choice!(textures: TEXTURE_MODES),
            },
        )
        .details(
            "Copied images get names that every system accepts, and become PNG files if \
             the format can't use them as they are. With reference, paths are relative to \
             the output's folder.",
        )
        .row("Textures"),
    ];
}

impl PartialEq for ConvertOptions {
    /// Whether both have the same values of all options in the table.
    fn eq(&self, other: &Self) -> bool {
        self.has_same_options(other)
    }
}
