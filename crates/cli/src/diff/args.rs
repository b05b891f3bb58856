//! Arguments of `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::{OptionArgs, values};
use rigscope_core::compare::{DIFFERENCES, DifferenceKind, MatchBy};
use rigscope_io::OpenOptions;

/// `diff`.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The reference file
    pub a: PathBuf,
    /// The file to compare
    pub b: PathBuf,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
    /// Largest difference of numbers that is ignored
    ///
    /// Relative to the size of A for positions and to the duration for times, in radians for normals
    /// and tangents, and absolute for UVs, colours, weights and matrix entries. With 0, numbers must be
    /// identical bit for bit.
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = values::tolerance)]
    pub tolerance: f64,
    /// Matching of vertices
    #[arg(long = "match", value_enum, value_name = "HOW", default_value_t)]
    pub match_by: MatchArg,
    /// Kinds or groups of differences to ignore, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kinds, long_help = ignore_help())]
    pub ignore: Vec<String>,
    /// Kinds or groups of differences to compare, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = kinds)]
    pub only: Vec<String>,
    /// Number of keys per clip at which all vertices are compared; at other times only a sample is
    #[arg(long, value_name = "N", default_value_t = 300,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub moments: u32,
    /// Render B coloured by deviation, from blue to red; unmatched vertices are magenta
    #[arg(long, value_name = "OUT.png")]
    pub heat_map: Option<PathBuf>,
    /// Overwrite the heat map if it exists
    #[arg(long)]
    pub force: bool,
    /// A related file to read with A only
    #[arg(long, value_name = "FILE")]
    pub with_a: Vec<PathBuf>,
    /// A related file to read with B only
    #[arg(long, value_name = "FILE")]
    pub with_b: Vec<PathBuf>,
    /// How both files are read.
    #[command(flatten)]
    pub input: OptionArgs<OpenOptions>,
}

/// Matching of vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MatchArg {
    /// By index if the counts are equal and most vertices agree, otherwise by position
    #[default]
    Auto,
    /// Vertices with the same index
    Index,
    /// The nearest vertices, in a pose that both files have
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

/// Rejects unknown kinds and groups.
fn kinds(text: &str) -> Result<String, String> {
    match DifferenceKind::named(text).next() {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("not one of {}", names().join(", "))),
    }
}

/// Groups first, then kinds that don't share the name of a group.
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
    let mut help = "Kinds or groups of differences to ignore, separated by commas\n".to_owned();
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
