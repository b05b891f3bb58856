//! The options of opening: fields, and the table that the command line and Python share.

use std::path::PathBuf;

use crate::files::ExternalReaders;
use crate::formats::{EFFECT_CONFIG, FORMATS};
use rigscope_core::model::{CancelToken, UpAxis};
use rigscope_core::options::{Choice, Field, OptionInfo, OptionKind, Request, choice, field};
use rigscope_core::rig::BoneMap;

/// Options for opening a file; `rigscope::open` uses the defaults.
///
/// # Examples
/// ```
/// # use rigscope_io as rigscope;
/// # std::env::set_current_dir("../..").unwrap();
/// let mut options = rigscope::OpenOptions::default();
/// options.format = Some("gltf".into());
/// let error = options.open("assets/sample.bsm2").unwrap_err();
/// assert!(matches!(error, rigscope::Error::NotUnderstood { .. }));
/// ```
///
/// Versions may add fields: end literals with `..OpenOptions::default()`.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Additional files and folders: skeletons, animations, textures.
    pub with: Vec<PathBuf>,
    /// Additional files in memory: names and bytes.
    pub with_bytes: Vec<(String, Vec<u8>)>,
    /// Related files to ignore, by name or by path relative to the folder of the file.
    pub without: Vec<String>,
    /// Id of the format, if it should not be detected.
    pub format: Option<String>,
    /// Frames per second, for formats that store no frame rate.
    pub fps: Option<f64>,
    /// Up axis, overriding the one of the format.
    pub up: Option<UpAxis>,
    /// If no bone of an additional animation has the name of a bone of the model, match them by their order,
    /// even if hierarchies or lengths differ.
    pub bones_by_order: bool,
    /// Files that state which bones of additional animations are which bones of the model.
    pub bone_map: Vec<PathBuf>,
    /// Pairs of bones that take precedence over those of files.
    pub bone_pairs: BoneMap,
    /// Programs that read further formats; none by default, because they run with the rights of the user.
    pub readers: ExternalReaders,
    /// Cancels opening from another thread.
    pub cancel: CancelToken,
}

const UP_AXES: [Option<UpAxis>; 2] = [Some(UpAxis::Y), Some(UpAxis::Z)];

fn readable_formats() -> Vec<Choice> {
    let infos = FORMATS.iter().map(|format| &format.info);
    infos.filter(|info| info.can_read).map(|info| Choice { name: info.id, help: "" }).collect()
}

impl Request for OpenOptions {
    const OPTIONS: &'static [OptionInfo<Self>] = &[
        OptionInfo::<Self>::new(
            "with",
            "with",
            "Read this related file too: a skeleton, skin, animation or texture, or a \
             folder of them",
            OptionKind::Paths { value_name: "FILE", field: field!(with) },
        ),
        OptionInfo::<Self>::new(
            "without",
            "without",
            "Don't use this related file, given by name or by path relative to the folder \
             of the input",
            OptionKind::Texts { value_name: "NAME", field: field!(without) },
        ),
        OptionInfo::<Self>::new(
            "no_effect",
            "no-effect",
            "Show a mesh inside an effect without the materials of the effect",
            OptionKind::Flag(Field {
                get: |options| options.without.iter().any(|name| name == EFFECT_CONFIG),
                set: |options, is_set| {
                    options.without.retain(|name| name != EFFECT_CONFIG);
                    options.without.extend(is_set.then(|| EFFECT_CONFIG.to_owned()));
                },
            }),
        ),
        OptionInfo::<Self>::new(
            "fps",
            "fps",
            "Frames per second, for formats that count frames but don't store a rate",
            OptionKind::positive("NUMBER", field!(fps)),
        ),
        OptionInfo::<Self>::new(
            "up",
            "up",
            "The axis that points up, instead of the one that the format defines",
            OptionKind::Choice {
                value_name: "AXIS",
                choices: || vec![Choice { name: "y", help: "" }, Choice { name: "z", help: "" }],
                field: choice!(up: UP_AXES),
            },
        ),
        OptionInfo::<Self>::new(
            "bones_by_order",
            "bones-by-order",
            "Match the bones of an additional animation by their order if no name matches",
            OptionKind::Flag(field!(bones_by_order)),
        )
        .details("By default, their order is used only if hierarchies and bone lengths agree."),
        OptionInfo::<Self>::new(
            "bone_map",
            "bone-map",
            "Pair the bones of additional animations with those of the model as in this file",
            OptionKind::Paths { value_name: "FILE", field: field!(bone_map) },
        )
        .details(
            "TOML or JSON: \"bone of the animation\" = \"bone of the model\", or false for a bone without a \
             counterpart; or a bone map of Godot (.tres). Pairs that it doesn't name are found as without \
             it. By default, the file MODEL.bones.toml next to the model is used if there is one.",
        ),
        OptionInfo::<Self>::new(
            "format",
            "format",
            "Read the input as this format instead of detecting it",
            OptionKind::Choice {
                value_name: "ID",
                choices: readable_formats,
                field: Field {
                    get: |options| {
                        let is_it =
                            |choice: &Choice| Some(choice.name) == options.format.as_deref();
                        readable_formats().iter().position(is_it)
                    },
                    set: |options, number| {
                        let choice =
                            number.and_then(|number| readable_formats().get(number).copied());
                        options.format = choice.map(|choice| choice.name.to_owned());
                    },
                },
            },
        ),
    ];
}

impl PartialEq for OpenOptions {
    /// Whether both describe the same way of reading.
    fn eq(&self, other: &Self) -> bool {
        self.with_bytes == other.with_bytes
            && self.bone_pairs == other.bone_pairs
            && self.format == other.format
            && self.readers == other.readers
            && self.has_same_options(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::options::OptionValue;

    #[test]
    fn no_effect_ignores_its_config_and_keeps_other_names() {
        let option = OpenOptions::option("no_effect").unwrap();
        let mut options = OpenOptions { without: vec!["a.png".into()], ..OpenOptions::default() };
        assert_eq!(option.get(&options), OptionValue::Flag(false));
        option.set(&mut options, OptionValue::Flag(true)).unwrap();
        assert_eq!(options.without, ["a.png", EFFECT_CONFIG]);
        option.set(&mut options, OptionValue::Flag(false)).unwrap();
        assert_eq!(options.without, ["a.png"]);
    }

    #[test]
    fn only_readable_formats_can_be_named() {
        let option = OpenOptions::option("format").unwrap();
        let mut options = OpenOptions::default();
        let value = |name: &str| OptionValue::Text(Some(name.to_owned()));
        option.set(&mut options, value("fbx")).unwrap();
        assert_eq!((options.format.as_deref(), option.get(&options)), (Some("fbx"), value("fbx")));
        assert!(option.set(&mut options, value("blend")).is_err());
    }
}
