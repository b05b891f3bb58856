//! Effects of Banuba's SDK (`config.json`): a folder of meshes, images and materials that are displayed
//! together.
//!
//! Source: 66 public effects with meshes, and their fragment shaders.
//!
//! UTF-8 JSON, of which these parts are read:
//!
//! | part | content |
//! |---|---|
//! | `assets.meshes` | name: path of a BSM2 file below the folder, or `$builtin$…` for meshes of the SDK |
//! | `assets.images` | name: `type` and, for `texture`, `cubemap` and `lut`, `file_name` |
//! | `assets.attachments`, `assets.media` | names of images without a file |
//! | `assets.materials` | name: `samplers` (`name`, `image`) and `state` (`blend`, `backfaces`, `colorwrite`, `ztest`, `zwrite`) |
//! | `render_list` | its list `default`: the draw order of `sub_geometries`, which are materials |
//! | `components` | `materials` of the SDK's meshes |
//! | `scene` | the effect's name |
//!
//! The material `shaders/NAME` belongs to the material NAME of the meshes. The use of each sampler follows
//! from its name (`samplers.rs`); names that begin with `bnb_` or `glfx_` belong to the SDK. Textures repeat,
//! and green is up in normal maps.
//!
//! Values of an unexpected type are ignored and counted; everything else is read.
//!
//! All meshes become one model (`join.rs`), whose clips are those of the meshes, matched by name.
//!
//! Ambiguous: a KTX of an sRGB format is decoded when sampled, as by OpenGL. The SDK's converter relies on
//! that for non-colour data too: a flat normal is stored as 188, which decodes to 0.5. In a base colour, the
//! sampled value therefore still has the sRGB curve of the image, as the shaders expect.
//! Ambiguous: a mesh material without counterpart (`Head` of an octopus, next to a shader `retouch`) is shown
//! without textures. Ambiguous: clips with the same name are played together, and meshes without a clip of
//! that name show their first key; scripts start clips individually.

mod clips;
mod config;
mod containing_effect;
mod effect_mesh;
mod fault;
mod images;
mod join;
mod materials;
mod probe;
mod read;
mod samplers;

pub(super) use containing_effect::apply_containing_effect;
pub use containing_effect::{CONFIG, may_be_in_effect};

use super::losses::Precision;
use super::{Caps, Format, FormatInfo, FormatKind, PoseWords, Reader};
use rigscope_core::runtime;

pub const ID: &str = "effect";

pub const EFFECT: Format = Format {
    info: FormatInfo {
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
    },
    probe: probe::probe,
    runtime: Some(&runtime::BANUBA),
    reader: Reader::of(read::read),
    writer: None,
};

#[cfg(test)]
mod tests;
