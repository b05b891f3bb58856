//! What can be typed after `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{InputArgs, values};
use rigscope_core::compare::{DIFFERENCES, DifferenceKind, MatchBy};

/// `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The file to compare with
    pub a: PathBuf,
    /// The file to compare
    pub b: PathBuf,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// What numbers may differ by
    ///
    /// A part of A's extent for positions, radians for normals and tangents, a part of the
    /// duration for times, and the number itself for texture coordinates, colours, weights and
    /// matrix entries. 0 asks for the same bits.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = values::tolerance)]
    pub tolerance: f64,
    /// How vertices find each other
    #[arg(long = "match", value_enum, value_name = "HOW", default_value_t)]
    pub match_by: MatchArg,
    /// Kinds or groups of differences that do not count, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kinds, long_help = ignore_help())]
    pub ignore: Vec<String>,
    /// The only kinds or groups that count, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kinds)]
    pub only: Vec<String>,
    /// Compare all vertices at so many keys of each clip at most; at all other moments only a few
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub moments: u32,
    /// Draw B in colours for how far it is off, from blue to red, magenta without a partner
    #[arg(long, value_name = "OUT.png")]
    pub heat_map: Option<PathBuf>,
    /// Overwrite the heat map if it exists
    #[arg(long)]
    pub force: bool,
    /// A companion to read along with A only
    #[arg(long, value_name = "FILE")]
    pub with_a: Vec<PathBuf>,
    /// A companion to read along with B only
    #[arg(long, value_name = "FILE")]
    pub with_b: Vec<PathBuf>,
    /// How both files are read.
    #[command(flatten)]
    pub input: InputArgs,
}

/// How vertices find each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MatchArg {
    /// By index where both have as many and most agree, else by position
    #[default]
    Auto,
    /// The first with the first
    Index,
    /// The nearest, in a pose that both have
    Position,
}

impl From<MatchArg> for MatchBy {
    fn from(by: MatchArg) -> Self {
        match by {
            MatchArg::Auto => Self::Auto,
            MatchArg::Index => Self::Index,
            MatchArg::Position => Self::Position,
        }
    }
}

/// Refuses what names no kind and no group.
fn kinds(text: &str) -> Result<String, String> {
    match DifferenceKind::named(text).next() {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("not one of {}", names().join(", "))),
    }
}

/// Groups first, then kinds that are no group themselves.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    let groups = DIFFERENCES.iter().map(|info| info.group);
    for name in groups.chain(DIFFERENCES.iter().map(|info| info.code)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn ignore_help() -> String {
    let mut help =
        "Kinds or groups of differences that do not count, separated by commas\n".to_owned();
    let groups: Vec<_> = names()
        .into_iter()
        .filter(|name| DIFFERENCES.iter().any(|info| info.group == *name))
        .collect();
    for group in groups {
        let kinds = DIFFERENCES.iter().filter(|info| info.group == group);
        let codes: Vec<_> = kinds.map(|info| info.code).collect();
        help.push_str(&format!("\n- {group}: {}", codes.join(", ")));
    }
    help
}

impl DiffArgs {
    /// The kinds of differences that count.
    pub(super) fn kinds(&self) -> Vec<DifferenceKind> {
        let is_named = |list: &[String], kind: DifferenceKind| {
            list.iter().any(|name| DifferenceKind::named(name).any(|named| named == kind))
        };
        let all = DIFFERENCES.iter().map(|info| info.kind);
        all.filter(|&kind| self.only.is_empty() || is_named(&self.only, kind))
            .filter(|&kind| !is_named(&self.ignore, kind))
            .collect()
    }
}
