//! How surfaces with materials are lit: formula, environment, and the way from light to a screen.
//!
//! For: command line, window, settings, undo and `gpu`, which all read these tables.
//! Not for: what a material is (`model::Material`), drawing (`gpu`).

use serde::{Deserialize, Serialize};

/// One of several ways.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    /// Which.
    pub value: T,
    /// As the command line spells it.
    pub word: &'static str,
    /// As in menus.
    pub label: &'static str,
    /// One sentence.
    pub help: &'static str,
}

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident $all:ident { $($variant:ident $word:literal $label:literal $help:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum $name {
            $(#[doc = $help] $variant,)+
        }

        /// All of them, in the order of the type.
        pub const $all: &[Choice<$name>] = &[
            $(Choice { value: $name::$variant, word: $word, label: $label, help: $help },)+
        ];

        impl $name {
            /// Its row.
            #[must_use]
            pub const fn info(self) -> &'static Choice<Self> {
                &$all[self as usize]
            }

            /// Reads a word of the command line.
            ///
            /// # Errors
            /// A sentence with the words there are.
            pub fn parse(word: &str) -> Result<Self, String> {
                let known = $all.iter().map(|choice| choice.word);
                let found = $all.iter().find(|choice| choice.word == word);
                found.map(|choice| choice.value).ok_or_else(|| {
                    format!("`{word}` is none of {}", known.collect::<Vec<_>>().join(", "))
                })
            }
        }
    };
}

choices! {
    /// By what formula materials are lit.
    Shading SHADINGS {
        Plain "plain" "Plain light"
            "Base colour and relief under one set of lamps.";
        Physical "physical" "Physically based"
            "The metallic-roughness model of glTF, lit by the environment.";
        Sdk "sdk" "As the SDK draws it"
            "The formula of the Banuba SDK's effects, lit by the environment, without tone mapping.";
    }
}

choices! {
    /// What lights a model.
    EnvironmentKind ENVIRONMENTS {
        File "file" "Of the file"
            "The light that the file brings, or a studio where it has none.";
        Studio "studio" "Studio"
            "Soft boxes in a grey room.";
        Sunset "sunset" "Sunset"
            "A low sun in a clear sky.";
        Neutral "neutral" "Neutral"
            "Even light, a little brighter from above.";
    }
}

choices! {
    /// How light of any strength becomes colours of a screen.
    ToneMapping TONE_MAPPINGS {
        Off "none" "No tone mapping"
            "Brighter than white is white.";
        Agx "agx" "AgX"
            "As Blender shows it: bright colours fade to white.";
        Neutral "neutral" "Khronos PBR Neutral"
            "Colours stay as they are up to four fifths of white.";
    }
}

choices! {
    /// Whether the environment is seen behind the model.
    Backdrop BACKDROPS {
        Off "none" "No backdrop"
            "The background behind the model is plain.";
        Blurred "blurred" "Blurred backdrop"
            "What lights the model is seen behind it, out of focus.";
        Sharp "sharp" "Sharp backdrop"
            "What lights the model is seen behind it.";
    }
}

/// How surfaces with materials are lit. Whole numbers, so that settings and undo compare exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Light {
    /// By what formula.
    pub shading: Shading,
    /// By what.
    pub environment: EnvironmentKind,
    /// Seen behind the model.
    pub backdrop: Backdrop,
    /// From light to colours.
    pub tone_mapping: ToneMapping,
    /// Hundredths of a stop; 100 doubles all light.
    pub exposure_centistops: i16,
    /// Strength of the environment.
    pub intensity_percent: u16,
    /// How far the environment is turned about the vertical axis, anticlockwise from above.
    pub turn_degrees: i16,
}

/// One way of one of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after what they hold")]
pub enum LightChoice {
    Shading(Shading),
    Environment(EnvironmentKind),
    ToneMapping(ToneMapping),
    Backdrop(Backdrop),
}

impl LightChoice {
    /// Label and help of its row.
    #[must_use]
    pub const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Shading(value) => (value.info().label, value.info().help),
            Self::Environment(value) => (value.info().label, value.info().help),
            Self::ToneMapping(value) => (value.info().label, value.info().help),
            Self::Backdrop(value) => (value.info().label, value.info().help),
        }
    }

    /// Whether `light` is so.
    #[must_use]
    pub fn is_in(self, light: &Light) -> bool {
        match self {
            Self::Shading(value) => light.shading == value,
            Self::Environment(value) => light.environment == value,
            Self::ToneMapping(value) => light.tone_mapping == value,
            Self::Backdrop(value) => light.backdrop == value,
        }
    }

    /// Makes `light` so.
    pub fn set(self, light: &mut Light) {
        match self {
            Self::Shading(value) => light.shading = value,
            Self::Environment(value) => light.environment = value,
            Self::ToneMapping(value) => light.tone_mapping = value,
            Self::Backdrop(value) => light.backdrop = value,
        }
    }
}

/// Least and most of [`Light::exposure_centistops`].
pub const EXPOSURE_CENTISTOPS: std::ops::RangeInclusive<i16> = -800..=800;
/// Most of [`Light::intensity_percent`].
pub const MAX_INTENSITY_PERCENT: u16 = 1000;

impl Light {
    /// Under lamps.
    pub const PLAIN: Self = Self { shading: Shading::Plain, ..Self::USUAL };

    /// As someone who opens a file expects it.
    pub const USUAL: Self = Self {
        shading: Shading::Physical,
        environment: EnvironmentKind::File,
        backdrop: Backdrop::Off,
        tone_mapping: ToneMapping::Neutral,
        exposure_centistops: 0,
        intensity_percent: 100,
        turn_degrees: 0,
    };

    /// Whether the environment lights anything.
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
    fn rows_lie_in_the_order_of_their_values_and_have_words_of_their_own() {
        check(SHADINGS, |value| value as usize);
        check(ENVIRONMENTS, |value| value as usize);
        check(TONE_MAPPINGS, |value| value as usize);
        check(BACKDROPS, |value| value as usize);
        assert_eq!(Shading::parse("sdk"), Ok(Shading::Sdk));
        assert!(Shading::parse("pbr").unwrap_err().contains("physical"));
    }
}
