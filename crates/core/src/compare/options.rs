//! The options of a comparison: fields, and the table that the command line and Python share.

use super::{DIFFERENCES, DifferenceKind};
use crate::model::CancelToken;
use crate::options::{Choice, Field, OptionInfo, OptionKind, Request, choice};

/// How to match vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchBy {
    /// By index if both sides have the same number of vertices and most of them agree, otherwise by
    /// position.
    #[default]
    Auto,
    /// The first with the first, and so on.
    Index,
    /// By nearest position, in a pose that both models have.
    Position,
}

const MATCHES: [Choice; 3] = [
    Choice {
        name: "auto",
        help: "By index if the counts are equal and most vertices agree, otherwise by position",
    },
    Choice { name: "index", help: "Vertices with the same index" },
    Choice { name: "position", help: "The nearest vertices, in a pose that both files have" },
];

impl MatchBy {
    /// All ways, in the order of their choices.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Index, Self::Position];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        MATCHES[self as usize].name
    }
}

/// Options of a comparison; the defaults compare everything exactly.
///
/// Versions may add fields: end literals with `..DiffOptions::default()`.
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// Largest difference that counts as equal: a fraction of A's size for positions, radians for
    /// directions, a fraction of the duration for times, absolute for UVs, colours, weights and matrix
    /// entries.
    pub tolerance: f64,
    /// How vertices are matched.
    pub match_by: MatchBy,
    /// Kinds that aren't compared.
    pub ignore: Vec<DifferenceKind>,
    /// The only kinds to compare; empty for all.
    pub only: Vec<DifferenceKind>,
    /// The most keys of a clip at which all vertices are compared, evenly chosen. At other keys and
    /// between keys, a few vertices decide whether to compare all.
    pub max_moments: usize,
    /// Cancels the comparison from another thread.
    pub cancel: CancelToken,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self {
            tolerance: 0.0,
            match_by: MatchBy::Auto,
            ignore: Vec::new(),
            only: Vec::new(),
            max_moments: DEFAULT_MOMENTS,
            cancel: CancelToken::default(),
        }
    }
}

const DEFAULT_MOMENTS: usize = 300;

impl DiffOptions {
    /// Whether to compare `kind`.
    pub fn wants(&self, kind: DifferenceKind) -> bool {
        (self.only.is_empty() || self.only.contains(&kind)) && !self.ignore.contains(&kind)
    }
}

impl PartialEq for DiffOptions {
    /// Whether both compare alike.
    fn eq(&self, other: &Self) -> bool {
        self.has_same_options(other)
    }
}

impl Request for DiffOptions {
    const OPTIONS: &'static [OptionInfo<Self>] = &[
        OptionInfo::<Self>::new(
            "tolerance",
            "tolerance",
            "Largest difference of numbers that is ignored",
            OptionKind::Number {
                value_name: "X",
                neutral: None,
                is_valid: |tolerance| tolerance >= 0.0 && tolerance.is_finite(),
                expected: "a number of 0 or more",
                field: Field {
                    get: |options| Some(options.tolerance),
                    set: |options, tolerance| options.tolerance = tolerance.unwrap_or_default(),
                },
            },
        )
        .details(
            "Relative to the size of A for positions and to the duration for times, in \
             radians for normals and tangents, and absolute for UVs, colours, weights and \
             matrix entries. With 0, numbers must be identical bit for bit.",
        )
        .row("Tolerance"),
        OptionInfo::<Self>::new(
            "match_by",
            "match",
            "How vertices are matched",
            OptionKind::Choice {
                value_name: "HOW",
                choices: || MATCHES.to_vec(),
                field: choice!(match_by: MatchBy::ALL),
            },
        )
        .row("Match by"),
        OptionInfo::<Self>::new(
            "ignore",
            "ignore",
            "Kinds or groups of differences to ignore, separated by commas",
            kinds(
                kinds_by_group,
                Field {
                    get: |options| codes(&options.ignore),
                    set: |options, names| options.ignore = named(&names),
                },
            ),
        ),
        OptionInfo::<Self>::new(
            "only",
            "only",
            "Kinds or groups of differences to compare, separated by commas",
            kinds(
                String::new,
                Field {
                    get: |options| codes(&options.only),
                    set: |options, names| options.only = named(&names),
                },
            ),
        ),
        OptionInfo::<Self>::new(
            "max_moments",
            "moments",
            "Largest number of keys per clip at which all vertices are compared; at other \
             times, only a sample is compared",
            OptionKind::Count {
                value_name: "N",
                min: 1,
                max: 1_000_000,
                field: Field {
                    get: |options| Some(options.max_moments),
                    set: |options, count| options.max_moments = count.unwrap_or(DEFAULT_MOMENTS),
                },
            },
        ),
    ];
}

const fn kinds(
    long_help: fn() -> String,
    field: Field<DiffOptions, Vec<String>>,
) -> OptionKind<DiffOptions> {
    OptionKind::Names {
        value_name: "LIST",
        noun: "kind of difference",
        listed_by: "`rigscope diff --help` lists all",
        names: || {
            let groups = DIFFERENCES.chunk_by(|a, b| a.group == b.group);
            let groups = groups.map(|rows| rows[0].group);
            groups.chain(DIFFERENCES.iter().map(|info| info.code)).collect()
        },
        long_help,
        field,
    }
}

fn codes(kinds: &[DifferenceKind]) -> Vec<String> {
    kinds.iter().map(|kind| kind.code().to_owned()).collect()
}

fn named(names: &[String]) -> Vec<DifferenceKind> {
    names.iter().flat_map(|name| DifferenceKind::named(name)).collect()
}

/// A list of the groups, each with its kinds.
fn kinds_by_group() -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for info in DIFFERENCES {
        match groups.iter_mut().find(|(group, _)| *group == info.group) {
            Some((_, codes)) => codes.push(info.code),
            None => groups.push((info.group, vec![info.code])),
        }
    }
    let lines = groups.iter().map(|(group, codes)| format!("- {group}: {}", codes.join(", ")));
    lines.collect::<Vec<_>>().join("\n")
}
