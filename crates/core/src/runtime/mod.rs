//! Runtimes: the engines that play files, and how each plays a model.
//!
//! A [`Runtime`] is a row of facts. [`Runtime::play`] changes a copy of the model so that Rigscope's own player shows
//! it as the runtime does, and lists the differences from the format's specification.
//!
//! | file | contents |
//! |---|---|
//! | `rules` | the kinds of facts |
//! | `table` | the runtimes |
//! | `play` | the model as a runtime plays it |
//! | `effect` | one difference from the format's specification |
//! | `influences` | influences that a runtime reads, and its normalization of weights |
//! | `keys` | interpolation and sampling of keys |
//! | `findings` | differences as findings of `validate --for` |
//! | `worst` | the deviations of vertices, and the largest |
//!
//! To add a runtime, add a row to `table`, and a program to `engines` that verifies it. To add a kind of fact, add a
//! field to [`Rules`] and apply it in `play`.
//!
//! Invariant: the reference runtimes change nothing.

mod effect;
mod findings;
mod influences;
mod keys;
mod play;
mod rules;
mod table;
mod worst;

pub use effect::Effect;
pub use findings::validate_for;
pub use play::Played;
pub use rules::{Influencing, Rates, Rotations, Rules, Splines, Weights};
pub use table::{BANUBA, GLTF, IQM, OZZ, RUNTIMES, THE_SIMS, THREE_DS_MAX, UFBX};
pub use worst::{Deviations, deviations};

#[cfg(test)]
mod tests;

/// An engine, player or reference that plays files of some formats.
#[derive(Debug)]
pub struct Runtime {
    /// Stable identifier in lower case, as written on the command line.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// The version that the facts are from.
    pub version: &'static str,
    /// Ids of the formats that it opens.
    pub formats: &'static [&'static str],
    /// Where the facts are from.
    pub source: &'static str,
    /// Whether the facts were measured, and the known exceptions.
    pub verified: Verified,
    /// The facts.
    pub rules: Rules,
}

/// Whether posed vertices of the runtime itself were compared with the prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verified {
    /// It defines the correct result.
    Reference,
    /// By `make engines`.
    Measured {
        /// The largest deviation of a vertex, relative to the size of the model, in all files without exceptions.
        deviation: f64,
        /// Known differences that aren't predicted, as phrases.
        exceptions: &'static [&'static str],
    },
    /// The prediction fails for many files.
    No {
        /// Known differences that aren't predicted, as phrases.
        exceptions: &'static [&'static str],
    },
}

impl Verified {
    /// Whether the facts were verified.
    pub fn is_verified(self) -> bool {
        !matches!(self, Self::No { .. })
    }

    /// Known differences that aren't predicted, as phrases.
    pub fn exceptions(self) -> &'static [&'static str] {
        match self {
            Self::Measured { exceptions, .. } | Self::No { exceptions } => exceptions,
            Self::Reference => &[],
        }
    }
}

impl PartialEq for Runtime {
    /// Compares identifiers, which are unique.
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Runtime {}

impl Runtime {
    /// The runtime with this identifier.
    pub fn of_id(id: &str) -> Option<&'static Self> {
        RUNTIMES.iter().find(|runtime| runtime.id.eq_ignore_ascii_case(id))
    }

    /// Whether it opens files of a format.
    pub fn opens(&self, format: &str) -> bool {
        self.formats.contains(&format)
    }

    /// Checks that it opens files of a format.
    ///
    /// # Errors
    /// If it doesn't; the message names the runtimes that do.
    pub fn check_opens(&self, format: &str) -> Result<(), String> {
        if self.opens(format) {
            return Ok(());
        }
        let others: Vec<&str> =
            RUNTIMES.iter().filter(|other| other.opens(format)).map(|other| other.id).collect();
        let hint = if others.is_empty() {
            "no known runtime does".to_owned()
        } else {
            format!("runtimes that do: {}", others.join(", "))
        };
        Err(format!("{} doesn't open {format} files; {hint}", self.name))
    }
}
