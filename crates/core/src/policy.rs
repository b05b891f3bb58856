//! The options of `validate`: which findings are looked for, reported, and make it fail. Lists of findings may also name
//! causes, which `diagnose` looks up in them.

use crate::diagnose::CAUSES;
use crate::model::{
    CancelToken, Cancelled, Finding, FindingGroup, FindingKind, Model, Report, Severity,
};
use crate::options::{Field, OptionInfo, OptionKind, Request};
use crate::runtime::{RUNTIMES, Runtime, validate_for};
use crate::validate::{findings, validate};

/// Options of a validation; the defaults report all findings, and fail on errors.
///
/// Versions may add fields: end literals with `..ValidateOptions::default()`.
#[derive(Clone, Debug, Default)]
pub struct ValidateOptions {
    /// The findings to check for; empty for all.
    pub rules: Vec<RuleSelection>,
    /// Findings that are counted and not reported.
    pub allow: Vec<FindingKind>,
    /// Names of the causes that are counted and not reported.
    pub allow_causes: Vec<&'static str>,
    /// Findings other than errors that fail.
    pub deny: Vec<Denied>,
    /// Names of the causes that are reported although a project allows them.
    pub deny_causes: Vec<&'static str>,
    /// Runtimes that must play the model as its format specifies.
    pub runtimes: Vec<&'static Runtime>,
    /// Cancels the validation from another thread.
    pub cancel: CancelToken,
}

/// Findings to check for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleSelection {
    /// All findings.
    All,
    /// Only the findings of readers; no rules run.
    Readers,
    /// All findings of a group.
    Group(FindingGroup),
    /// One finding.
    Code(FindingKind),
}

/// Findings other than errors that fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// All warnings.
    Warnings,
    /// This finding, regardless of its severity.
    Code(FindingKind),
}

/// The result of a validation.
#[derive(Clone, Debug, Default)]
pub struct Validation {
    /// The reported findings, most severe first.
    pub findings: Vec<Finding>,
    /// Number of findings in [`ValidateOptions::allow`], which aren't reported.
    pub num_allowed: usize,
    /// Whether a reported finding is an error or in [`ValidateOptions::deny`].
    pub has_failed: bool,
}

const ALL: &str = "all";
const READERS: &str = "readers";
const WARNINGS: &str = "warnings";
/// The noun for unknown names in lists of findings and causes.
pub const FINDING_OR_CAUSE: &str = "finding or cause";

/// The codes of all findings, and the names of all causes. Some causes have the name of their only finding.
pub fn rule_names() -> impl Iterator<Item = &'static str> {
    findings().map(FindingKind::code).chain(cause_names())
}

fn cause_names() -> impl Iterator<Item = &'static str> {
    CAUSES.iter().map(|cause| cause.name)
}

impl RuleSelection {
    fn name(self) -> &'static str {
        match self {
            Self::All => ALL,
            Self::Readers => READERS,
            Self::Group(group) => group.as_str(),
            Self::Code(kind) => kind.code(),
        }
    }

    fn every() -> impl Iterator<Item = Self> {
        let groups = FindingGroup::ALL.into_iter().map(Self::Group);
        [Self::All, Self::Readers].into_iter().chain(groups).chain(findings().map(Self::Code))
    }
}

impl Denied {
    fn name(self) -> &'static str {
        match self {
            Self::Warnings => WARNINGS,
            Self::Code(kind) => kind.code(),
        }
    }

    fn every() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Warnings).chain(findings().map(Self::Code))
    }
}

impl ValidateOptions {
    /// All findings that exist: of readers, rules and writers.
    pub fn all_rules() -> impl Iterator<Item = FindingKind> {
        findings()
    }

    /// Runs the selected rules on a checked model from a file of the format with this id, and filters their findings
    /// and those of its reader.
    ///
    /// # Errors
    /// [`Cancelled`] if [`ValidateOptions::cancel`] is set.
    pub fn validate(
        &self,
        model: &Model,
        format: &str,
        of_reader: Vec<Finding>,
    ) -> Result<Validation, Cancelled> {
        let report = Report::with_progress(|_| {}, self.cancel.clone());
        if self.runs_rules() {
            validate(model, &report)?;
        }
        validate_for(model, format, &self.runtimes, &report)?;
        Ok(self.filter(of_reader, report.findings()))
    }

    /// Whether rules must run, not only the reader.
    pub fn runs_rules(&self) -> bool {
        self.rules.is_empty() || self.rules.iter().any(|rule| *rule != RuleSelection::Readers)
    }

    /// The findings that are reported, out of all findings about a file.
    pub fn filter(&self, of_reader: Vec<Finding>, of_rules: Vec<Finding>) -> Validation {
        let of_reader = of_reader.into_iter().map(|finding| (finding, true));
        let of_rules = of_rules.into_iter().map(|finding| (finding, false));
        let mut validation = Validation::default();
        for (finding, is_of_reader) in of_reader.chain(of_rules) {
            if !self.selects(&finding, is_of_reader) {
                continue;
            }
            if self.allow.contains(&finding.kind) {
                validation.num_allowed += 1;
                continue;
            }
            validation.has_failed |= self.denies(&finding);
            validation.findings.push(finding);
        }
        validation.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity()));
        validation
    }

    /// An unreadable file is reported regardless of the selected rules.
    fn selects(&self, finding: &Finding, is_of_reader: bool) -> bool {
        let selects = |rule: &RuleSelection| match *rule {
            RuleSelection::All => true,
            RuleSelection::Readers => is_of_reader,
            RuleSelection::Group(group) => finding.kind.info().group == group,
            RuleSelection::Code(kind) => finding.kind == kind,
        };
        self.rules.is_empty()
            || finding.kind == FindingKind::Unreadable
            || self.rules.iter().any(selects)
    }

    /// Whether a finding makes a validation fail.
    pub fn denies(&self, finding: &Finding) -> bool {
        let denies = |denied: &Denied| match *denied {
            Denied::Warnings => finding.severity() >= Severity::Warning,
            Denied::Code(kind) => finding.kind == kind,
        };
        finding.severity() == Severity::Error || self.deny.iter().any(denies)
    }

    /// Whether the cause with this name is reported.
    pub fn reports_cause(&self, name: &str) -> bool {
        !self.allow_causes.contains(&name)
    }

    /// These options if they are set, otherwise those of `project`. For each finding, `allow` and
    /// `deny` of these options override both of `project`.
    #[must_use]
    pub fn over(&self, project: &Self) -> Self {
        let is_set = |kind: FindingKind| {
            self.allow.contains(&kind) || self.deny.contains(&Denied::Code(kind))
        };
        let mut merged = self.clone();
        if merged.rules.is_empty() {
            merged.rules.clone_from(&project.rules);
        }
        if merged.runtimes.is_empty() {
            merged.runtimes.clone_from(&project.runtimes);
        }
        merged.allow.extend(project.allow.iter().filter(|kind| !is_set(**kind)));
        merged.deny.extend(project.deny.iter().filter(|denied| match denied {
            Denied::Warnings => true,
            Denied::Code(kind) => !is_set(*kind),
        }));
        let is_set =
            |name: &&&str| self.allow_causes.contains(*name) || self.deny_causes.contains(*name);
        merged.allow_causes.extend(project.allow_causes.iter().filter(|name| !is_set(name)));
        merged.deny_causes.extend(project.deny_causes.iter().filter(|name| !is_set(name)));
        merged
    }
}

impl PartialEq for ValidateOptions {
    /// Whether both report the same findings.
    fn eq(&self, other: &Self) -> bool {
        self.has_same_options(other)
    }
}

impl Request for ValidateOptions {
    const OPTIONS: &'static [OptionInfo<Self>] = &[
        OptionInfo::<Self>::new(
            "rules",
            "rules",
            "Findings to check for, separated by commas: codes (see `rigscope rules`), \
             groups (file, skin, mesh, animation, collision), readers (only findings of \
             the file reader), or all",
            names(
                "LIST",
                "finding",
                || RuleSelection::every().map(RuleSelection::name).collect(),
                Field {
                    get: |options| texts(options.rules.iter().map(|rule| rule.name())),
                    set: |options, names| {
                        let is_named = |rule: &RuleSelection| has(&names, rule.name());
                        options.rules = RuleSelection::every().filter(is_named).collect();
                    },
                },
            ),
        ),
        OptionInfo::<Self>::new(
            "allow",
            "allow",
            "Ignore findings with this code, or causes with this name; may be repeated",
            names(
                "CODE",
                FINDING_OR_CAUSE,
                || rule_names().collect(),
                Field {
                    get: |options| {
                        let codes = options.allow.iter().map(|kind| kind.code());
                        with_shared_names(codes, &options.allow_causes)
                    },
                    set: |options, names| {
                        let is_named = |kind: &FindingKind| has(&names, kind.code());
                        options.allow = findings().filter(is_named).collect();
                        options.allow_causes = causes_in(&names);
                    },
                },
            ),
        ),
        OptionInfo::<Self>::new(
            "deny",
            "deny",
            "Also fail on findings with this code, or on all warnings; may be repeated",
            names(
                "CODE|warnings",
                FINDING_OR_CAUSE,
                || Denied::every().map(Denied::name).chain(cause_names()).collect(),
                Field {
                    get: |options| {
                        let names = options.deny.iter().map(|denied| denied.name());
                        with_shared_names(names, &options.deny_causes)
                    },
                    set: |options, names| {
                        let is_named = |denied: &Denied| has(&names, denied.name());
                        options.deny = Denied::every().filter(is_named).collect();
                        options.deny_causes = causes_in(&names);
                    },
                },
            ),
        ),
        OptionInfo::<Self>::new(
            "runtimes",
            "for",
            "Also report the parts that this runtime ignores or plays differently; may be \
             repeated",
            OptionKind::Names {
                value_name: "RUNTIME",
                noun: "runtime",
                listed_by: "`rigscope runtimes` lists all",
                names: || RUNTIMES.iter().map(|runtime| runtime.id).collect(),
                long_help: String::new,
                field: Field {
                    get: |options| texts(options.runtimes.iter().map(|runtime| runtime.id)),
                    set: |options, names| {
                        let named = names.iter().filter_map(|name| Runtime::of_id(name));
                        options.runtimes = named.collect();
                    },
                },
            },
        ),
    ];
}

const fn names(
    value_name: &'static str,
    noun: &'static str,
    names: fn() -> Vec<&'static str>,
    field: Field<ValidateOptions, Vec<String>>,
) -> OptionKind<ValidateOptions> {
    OptionKind::Names {
        value_name,
        noun,
        listed_by: "`rigscope rules` lists all",
        names,
        long_help: String::new,
        field,
    }
}

fn texts<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    names.map(str::to_owned).collect()
}

/// Names of findings and causes, with those that belong to both only once.
fn with_shared_names(
    codes: impl Iterator<Item = &'static str>,
    causes: &[&'static str],
) -> Vec<String> {
    let mut names: Vec<&str> = codes.collect();
    let causes: Vec<&str> = causes.iter().copied().filter(|name| !names.contains(name)).collect();
    names.extend(causes);
    texts(names.into_iter())
}

/// The causes among some names.
fn causes_in(names: &[String]) -> Vec<&'static str> {
    cause_names().filter(|name| has(names, name)).collect()
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|other| other == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Place;
    use crate::options::OptionValue;

    fn finding(kind: FindingKind) -> Finding {
        Finding::new(kind, Place::File, String::new(), 1)
    }

    fn options(values: &[(&str, &[&str])]) -> ValidateOptions {
        let mut options = ValidateOptions::default();
        for (name, names) in values {
            let value = OptionValue::Texts(texts(names.iter().copied()));
            ValidateOptions::option(name).unwrap().set(&mut options, value).unwrap();
        }
        options
    }

    fn kinds(validation: &Validation) -> Vec<FindingKind> {
        validation.findings.iter().map(|finding| finding.kind).collect()
    }

    #[test]
    fn names_refer_to_codes_groups_and_severities() {
        let options = options(&[
            ("rules", &["mesh", "readers"]),
            ("allow", &["zero-normal"]),
            ("deny", &["warnings", "no-clips"]),
        ]);
        let rules = [RuleSelection::Readers, RuleSelection::Group(FindingGroup::Mesh)];
        assert_eq!(options.rules, rules);
        assert_eq!(options.allow, [FindingKind::ZeroNormal]);
        assert_eq!(options.deny, [Denied::Warnings, Denied::Code(FindingKind::NoClips)]);
    }

    #[test]
    fn findings_are_selected_by_rules_and_source() {
        let findings = |options: &ValidateOptions| {
            let of_reader =
                vec![finding(FindingKind::Unreadable), finding(FindingKind::ZeroNormal)];
            kinds(&options.filter(of_reader, vec![finding(FindingKind::NoClips)]))
        };
        let all = [FindingKind::Unreadable, FindingKind::ZeroNormal, FindingKind::NoClips];
        assert_eq!(findings(&ValidateOptions::default()), all);
        assert_eq!(findings(&options(&[("rules", &["all"])])), all);
        assert_eq!(findings(&options(&[("rules", &["readers"])])), all[..2]);
        let animation = [FindingKind::Unreadable, FindingKind::NoClips];
        assert_eq!(findings(&options(&[("rules", &["animation"])])), animation);
        assert!(!options(&[("rules", &["readers"])]).runs_rules());
        assert!(ValidateOptions::default().runs_rules());
    }

    #[test]
    fn errors_and_denied_findings_fail_unless_ignored() {
        let has_failed = |options: &ValidateOptions, kind| {
            options.filter(Vec::new(), vec![finding(kind)]).has_failed
        };
        let default = ValidateOptions::default();
        assert!(has_failed(&default, FindingKind::Unreadable));
        assert!(!has_failed(&default, FindingKind::NoClips));
        assert!(has_failed(&options(&[("deny", &["no-clips"])]), FindingKind::NoClips));
        let both = options(&[("deny", &["no-clips"]), ("allow", &["no-clips"])]);
        let validation = both.filter(Vec::new(), vec![finding(FindingKind::NoClips)]);
        assert!(!validation.has_failed && validation.findings.is_empty());
        assert_eq!(validation.num_allowed, 1);
    }

    #[test]
    fn a_name_of_both_a_finding_and_a_cause_means_both() {
        let options = options(&[("allow", &["up-axis", "tangent-sign", "no-clips"])]);
        assert_eq!(options.allow, [FindingKind::TangentSign, FindingKind::NoClips]);
        assert_eq!(options.allow_causes, ["up-axis", "tangent-sign"]);
        assert!(!options.reports_cause("up-axis") && options.reports_cause("flipped-uvs"));
        let allow = ValidateOptions::option("allow").unwrap();
        let names = ["tangent-sign", "no-clips", "up-axis"];
        assert_eq!(allow.get(&options), OptionValue::Texts(texts(names.into_iter())));
        let denied = ValidateOptions { deny_causes: vec!["up-axis"], ..ValidateOptions::default() };
        let merged = denied.over(&options);
        assert!(merged.reports_cause("up-axis") && !merged.reports_cause("tangent-sign"));
    }

    #[test]
    fn the_command_line_overrides_the_project_for_each_finding() {
        let project = options(&[
            ("rules", &["mesh"]),
            ("allow", &["no-clips", "zero-normal"]),
            ("deny", &["warnings", "flat-hull"]),
        ]);
        assert_eq!(ValidateOptions::default().over(&project), project);
        let typed =
            options(&[("rules", &["skin"]), ("deny", &["no-clips"]), ("allow", &["flat-hull"])]);
        let merged = typed.over(&project);
        assert_eq!(merged.rules, typed.rules);
        assert_eq!(merged.allow, [FindingKind::FlatHull, FindingKind::ZeroNormal]);
        assert_eq!(merged.deny, [Denied::Code(FindingKind::NoClips), Denied::Warnings]);
    }
}
