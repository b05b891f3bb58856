//! How surfaces with materials are lit: shading model, environment and tone mapping.
//!
//! For: command line, window, settings, undo and `gpu`, which all use these tables.
//! Not for: the material itself (`model::Material`), drawing (`gpu`).

use serde::{Deserialize, Serialize};

/// A row of a table of options.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    /// The value of this row.
    pub value: T,
    /// Name on the command line.
    pub word: &'static str,
    /// Label in menus.
    pub label: &'static str,
    /// Description in one sentence.
    pub help: &'static str,
}

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident $all:ident { $($variant:ident $word:literal $label:literal $help:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name {
            $(#[doc = $help] $variant,)+
        }

        /// All rows, in the order of the enum.
        pub const $all: &[Choice<$name>] = &[
            $(Choice { value: $name::$variant, word: $word, label: $label, help: $help },)+
        ];

        impl $name {
            /// The table row of this value.
            #[must_use]
            pub const fn info(self) -> &'static Choice<Self> {
                &$all[self as usize]
            }

            /// Parses a command-line name.
            ///
            /// # Errors
            /// A sentence that lists the valid names.
            pub fn parse(word: &str) -> Result<Self, String> {
                let known = $all.iter().map(|choice| choice.word);
                let found = $all.iter().find(|choice| choice.word == word);
                found.map(|choice| choice.value).ok_or_else(|| {
                    format!("`{word}` isn't one of {}", known.collect::<Vec<_>>().join(", "))
                })
            }
        }
    };
}

choices! {
    /// The shading model of materials.
    Shading SHADINGS {
        Plain "plain" "Plain light"
            "Base colour and normal map under a fixed set of lights.";
        Physical "physical" "Physically based"
            "The metallic-roughness model of glTF, lit by the environment.";
        Sdk "sdk" "Banuba SDK"
            "The shading of Banuba SDK effects, lit by the environment, without tone mapping.";
    }
}

choices! {
    /// The light source of a model.
    EnvironmentKind ENVIRONMENTS {
        File "file" "From the model"
            "The environment of the model, or the studio if the model has no environment.";
        Studio "studio" "Studio"
            "Soft boxes in a grey room.";
        Sunset "sunset" "Sunset"
            "A low sun in a clear sky.";
        Neutral "neutral" "Neutral"
            "Even light, slightly brighter from above.";
    }
}

choices! {
    /// The conversion of light to display colours.
    ToneMapping TONE_MAPPINGS {
        Off "none" "No tone mapping"
            "Colours brighter than white are clipped.";
        Agx "agx" "AgX"
            "As in Blender: bright colours fade to white.";
        Neutral "neutral" "Khronos PBR Neutral"
            "Colours are unchanged up to 80 % of white.";
    }
}

choices! {
    /// Whether the environment is visible behind the model.
    Backdrop BACKDROPS {
        Off "none" "No backdrop"
            "The background behind the model is plain.";
        Blurred "blurred" "Blurred backdrop"
            "The environment is visible behind the model, out of focus.";
        Sharp "sharp" "Sharp backdrop"
            "The environment is visible behind the model.";
    }
}

/// How surfaces with materials are lit. Integers, so that settings and undo compare exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Light {
    /// Shading model.
    pub shading: Shading,
    /// Light source.
    pub environment: EnvironmentKind,
    /// Visibility of the environment behind the model.
    pub backdrop: Backdrop,
    /// Conversion of light to display colours.
    pub tone_mapping: ToneMapping,
    /// Exposure in hundredths of a stop; 100 doubles all light.
    pub exposure_centistops: i16,
    /// Strength of the environment in percent.
    pub intensity_percent: u16,
    /// Rotation of the environment about the vertical axis, anticlockwise from above.
    pub turn_degrees: i16,
}

/// An option from one of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after their content")]
pub enum LightChoice {
    Shading(Shading),
    Environment(EnvironmentKind),
    ToneMapping(ToneMapping),
    Backdrop(Backdrop),
}

impl LightChoice {
    /// Label and description of its row.
    #[must_use]
    pub const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Shading(value) => (value.info().label, value.info().help),
            Self::Environment(value) => (value.info().label, value.info().help),
            Self::ToneMapping(value) => (value.info().label, value.info().help),
            Self::Backdrop(value) => (value.info().label, value.info().help),
        }
    }

    /// Whether `light` has this option.
    #[must_use]
    pub fn is_in(self, light: &Light) -> bool {
        match self {
            Self::Shading(value) => light.shading == value,
            Self::Environment(value) => light.environment == value,
            Self::ToneMapping(value) => light.tone_mapping == value,
            Self::Backdrop(value) => light.backdrop == value,
        }
    }

    /// Sets this option in `light`.
    pub fn set(self, light: &mut Light) {
        match self {
            Self::Shading(value) => light.shading = value,
            Self::Environment(value) => light.environment = value,
            Self::ToneMapping(value) => light.tone_mapping = value,
            Self::Backdrop(value) => light.backdrop = value,
        }
    }
}

/// Range of [`Light::exposure_centistops`].
pub const EXPOSURE_CENTISTOPS: std::ops::RangeInclusive<i16> = -800..=800;
/// Maximum of [`Light::intensity_percent`].
pub const MAX_INTENSITY_PERCENT: u16 = 1000;

impl Light {
    /// The plain shading under fixed lights.
    pub const PLAIN: Self = Self { shading: Shading::Plain, ..Self::USUAL };

    /// The default when a file is opened.
    pub const USUAL: Self = Self {
        shading: Shading::Physical,
        environment: EnvironmentKind::File,
        backdrop: Backdrop::Off,
        tone_mapping: ToneMapping::Neutral,
        exposure_centistops: 0,
        intensity_percent: 100,
        turn_degrees: 0,
    };

    /// Whether the environment is used for lighting.
    #[must_use]
    pub fn is_from_environment(&self) -> bool {
        self.shading != Shading::Plain
    }
}

impl Default for Light {
    fn default() -> Self {
        Self::USUAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Copy + PartialEq>(all: &[Choice<T>], number: impl Fn(T) -> usize) {
        for (at, choice) in all.iter().enumerate() {
            assert_eq!(number(choice.value), at);
            assert_eq!(all.iter().filter(|other| other.word == choice.word).count(), 1);
            assert!(choice.help.ends_with('.'));
        }
    }

    #[test]
    fn rows_are_in_enum_order_and_names_are_unique() {
        check(SHADINGS, |value| value as usize);
        check(ENVIRONMENTS, |value| value as usize);
        check(TONE_MAPPINGS, |value| value as usize);
        check(BACKDROPS, |value| value as usize);
        assert_eq!(Shading::parse("sdk"), Ok(Shading::Sdk));
        assert!(Shading::parse("pbr").unwrap_err().contains("physical"));
    }
}
