//! Findings about a file, each with a kind, a count and places.

use super::Place;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, but a good exporter writes something else.
    Warning,
    /// Wrong: something is left out or shown differently than intended.
    Error,
}

impl Severity {
    /// Lower-case word, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The part of a model that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FindingGroup {
    /// The file, its parts and its related files.
    File,
    /// Bones and skinning.
    Skin,
    /// Vertices, triangles, subsets, materials.
    Mesh,
    /// Clips.
    Animation,
    /// Hulls, occlusion mesh, stored bounds.
    Collision,
}

impl FindingGroup {
    /// In the order in which they are listed.
    pub const ALL: [Self; 5] =
        [Self::File, Self::Skin, Self::Mesh, Self::Animation, Self::Collision];

    /// Lower-case word, as in JSON and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Skin => "skin",
            Self::Mesh => "mesh",
            Self::Animation => "animation",
            Self::Collision => "collision",
        }
    }
}

/// A property of a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingFlag {
    /// Data of the file is missing in the model, or data of the model in a written file. Conversions
    /// list such findings as losses.
    DropsData,
    /// A written file has data that isn't in the model. Conversions list such findings.
    AddsData,
    /// Findings with different messages are separate.
    SeparateMessages,
}

/// Description of a kind of finding.
#[derive(Clone, Copy, Debug)]
pub struct FindingInfo {
    /// Stable kebab-case identifier.
    pub code: &'static str,
    /// The severity of every finding of this kind.
    pub severity: Severity,
    /// The part of the model that it is about.
    pub group: FindingGroup,
    /// The problem, as one phrase.
    pub meaning: &'static str,
    /// The consequence for the image or in runtimes, as one phrase.
    pub consequence: &'static str,
    /// How to fix it in the exporting program or with Rigscope, as one phrase.
    pub fix: &'static str,
    /// A message of this kind, with its place.
    pub example: &'static str,
    /// Properties for conversions and reports.
    pub flags: &'static [FindingFlag],
}

/// A kind of finding: a row of a table declared by `findings!`.
#[derive(Clone, Copy)]
pub struct FindingKind(pub &'static FindingInfo);

impl FindingKind {
    /// The description of this kind.
    pub fn info(self) -> &'static FindingInfo {
        self.0
    }

    /// Stable kebab-case identifier.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// Whether a finding of this kind means that data is lost.
    pub fn drops_data(self) -> bool {
        self.0.flags.contains(&FindingFlag::DropsData)
    }

    /// Whether a finding of this kind means that a writer added something.
    pub fn adds_data(self) -> bool {
        self.0.flags.contains(&FindingFlag::AddsData)
    }

    /// Whether findings of this kind with different messages are separate.
    pub(super) fn has_separate_messages(self) -> bool {
        self.0.flags.contains(&FindingFlag::SeparateMessages)
    }
}

impl PartialEq for FindingKind {
    fn eq(&self, other: &Self) -> bool {
        self.0.code == other.0.code
    }
}

impl Eq for FindingKind {}

impl std::fmt::Debug for FindingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.code)
    }
}

/// Declares findings: a [`FindingKind`] constant for each, and the list of all of them. A row consists
/// of the constant's name, the code, severity, group with flags, meaning, effect, fix and example.
///
/// Findings that only one rule of `validate` reports are declared next to that rule, all others
/// here.
macro_rules! findings {
    ($(#[doc = $doc:literal])* $vis:vis $list:ident: $($kind:ident, $code:literal, $severity:ident,
        $group:ident $(+ $flag:ident)*, $meaning:literal, $consequence:literal, $fix:literal, $example:literal;)+
    ) => {
        #[expect(non_upper_case_globals, reason = "they read as the variants of an enum")]
        impl $crate::model::FindingKind {
            $(#[doc = $meaning]
            pub const $kind: Self = Self(&$crate::model::FindingInfo {
                code: $code,
                severity: $crate::model::Severity::$severity,
                group: $crate::model::FindingGroup::$group,
                meaning: $meaning,
                consequence: $consequence,
                fix: $fix,
                example: $example,
                flags: &[$($crate::model::FindingFlag::$flag),*],
            });)+
        }

        $(#[doc = $doc])*
        $vis const $list: &[$crate::model::FindingKind] = &[$($crate::model::FindingKind::$kind),+];
    };
}
pub(crate) use findings;

/// One finding, counted over all places where it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The first place, or the worst.
    pub place: Place,
    /// Details at that place.
    pub message: String,
    /// Number of occurrences.
    pub count: u64,
    /// The known places, starting with `place`: at most [`MAX_PLACES`], and fewer than `count` if
    /// the rule doesn't list all of them.
    pub places: Vec<Place>,
}

/// Places that are stored per finding; a broken file has one per vertex.
pub const MAX_PLACES: usize = 1000;

impl Finding {
    /// A finding with `count` occurrences, of which one place is known.
    #[must_use]
    pub fn new(kind: FindingKind, place: Place, message: String, count: u64) -> Self {
        Self { kind, place, message, count, places: vec![place] }
    }

    /// Adds places of further occurrences, without counting them.
    pub(super) fn add_places(&mut self, places: impl IntoIterator<Item = Place>) {
        for place in places {
            if self.places.len() >= MAX_PLACES {
                return;
            }
            // An element may have several faults of one kind.
            if place != self.place && self.places.last() != Some(&place) {
                self.places.push(place);
            }
        }
    }

    /// The severity of its kind.
    pub fn severity(&self) -> Severity {
        self.kind.info().severity
    }
}
