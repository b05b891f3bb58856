//! Effects of Banuba's SDK (`config.json`): a folder of meshes, images and materials that are shown
//! together.
//!
//! Source: 66 public effects with meshes, and the fragment shaders in them.
//!
//! JSON in UTF-8. Of it is read:
//!
//! | part | holds |
//! |---|---|
//! | `assets.meshes` | name: path of a BSM2 file below the folder, or `$builtin$…` for the SDK's own |
//! | `assets.images` | name: `type` and, for `texture`, `cubemap` and `lut`, `file_name` |
//! | `assets.attachments`, `assets.media` | names of images without a file |
//! | `assets.materials` | name: `samplers` (`name`, `image`) and `state` (`blend`, `backfaces`, `colorwrite`, `ztest`, `zwrite`) |
//! | `render_list` | its list `default`: in which order `sub_geometries`, which are materials, are drawn |
//! | `components` | `materials` that the SDK's own meshes have |
//! | `scene` | the effect's name |
//!
//! The material `shaders/NAME` belongs to the material NAME of the meshes. What each sampler is for is
//! told by its name (`samplers.rs`); those that begin with `bnb_` or `glfx_` are the SDK's. Textures are
//! repeated, green of normal maps is up.
//!
//! What lies in a place of another type than it should is left out and counted; all else is read.
//!
//! All meshes become one model (`join.rs`), whose clips are those of the meshes by name.
//!
//! Ambiguous: a KTX of an sRGB format is decoded where it is sampled, as OpenGL does. The SDK's converter
//! counts on that for numbers too: a flat normal is stored as 188, which decodes to 0.5. So in a base
//! colour the sRGB curve of the picture is still on what the sampler gives, as the shaders take it.
//! Ambiguous: a material of a mesh without counterpart (`Head` of an octopus, beside a shader `retouch`)
//! is shown without textures. Ambiguous: clips of one name are played together, and meshes without a
//! clip of that name stand in their first key; scripts start them one by one.

mod clips;
mod config;
mod dress;
mod fault;
mod images;
mod join;
mod lying;
mod part;
mod probe;
mod read;
mod samplers;

pub(super) use lying::dress_lying;
pub use lying::{CONFIG, may_lie_in_effect};

use super::losses::Precision;
use super::{
    Caps, Confidence, Format, FormatInfo, FormatKind, PoseWords, ProbeInput, ReadError,
    ReadOptions, Source,
};
use rigscope_core::model::{Model, NormalMatrix, Report};

/// The format's id.
pub const ID: &str = "effect";

/// An effect.
pub struct Effect;

const INFO: FormatInfo = FormatInfo {
    id: ID,
    name: "Banuba effect",
    extensions: &["json"],
    mime_types: &[],
    kind: FormatKind::Text,
    can_read: true,
    can_write: false,
    caps: Caps { mesh: true, skin: true, clips: true, collision: false },
    pose_words: PoseWords {
        rest: "",
        bind: "vertices as stored; inverse bind matrices are part of the keys",
    },
    parts: &[],
    precision: Precision::EXACT,
    citation: "public effects of the Banuba SDK",
};

impl Format for Effect {
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

    fn normal_matrix(&self) -> NormalMatrix {
        NormalMatrix::Same
    }
}

#[cfg(test)]
mod tests;
