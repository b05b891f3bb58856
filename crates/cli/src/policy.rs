//! Which findings are reported, and which make the command fail.

use std::path::Path;
use std::sync::Arc;

use super::ValidateArgs;
use super::codes::{Deny, RuleArg};
use super::config::{self, Config, Configs};
use rigscope_core::model::{Finding, FindingKind, Severity};

/// Settings for one file: the command line overrides its `rigscope.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Policy {
    rules: Vec<RuleArg>,
    allow: Vec<FindingKind>,
    deny: Vec<Deny>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not selected by `--rules`.
    NotSelected,
    /// Ignored, and counted as allowed.
    Allowed,
    Reported,
    /// Reported, and the command fails.
    Fails,
}

/// Looks up the policy of each file.
pub(super) struct Policies<'a> {
    args: &'a ValidateArgs,
    named: Option<Arc<Config>>,
    found: Configs,
}

impl<'a> Policies<'a> {
    /// Reads the file that `--config` names.
    pub(super) fn new(args: &'a ValidateArgs) -> anyhow::Result<Self> {
        let named = args.config.as_deref().map(config::read).transpose()?;
        Ok(Self { args, named: named.map(Arc::new), found: Configs::default() })
    }

    /// The policy for the file at `path`.
    pub(super) fn of(&mut self, path: &Path) -> anyhow::Result<Policy> {
        let config = match &self.named {
            Some(named) => Arc::clone(named),
            None => self.found.of(path)?,
        };
        Ok(Policy::new(self.args, &config))
    }
}

impl Policy {
    fn new(args: &ValidateArgs, config: &Config) -> Self {
        let typed =
            |kind: FindingKind| args.allow.contains(&kind) || args.deny.contains(&Deny::Code(kind));
        let mut policy =
            Self { rules: args.rules.clone(), allow: args.allow.clone(), deny: args.deny.clone() };
        if policy.rules.is_empty() {
            policy.rules = config.rules.clone().unwrap_or_else(|| vec![RuleArg::All]);
        }
        // For each finding, the command line overrides the file.
        policy.allow.extend(config.allow.iter().filter(|kind| !typed(**kind)));
        policy.deny.extend(config.deny.iter().filter(|deny| match deny {
            Deny::Warnings => true,
            Deny::Code(kind) => !typed(*kind),
        }));
        policy
    }

    /// Whether rules must run, not only the reader.
    pub(super) fn runs_rules(&self) -> bool {
        self.rules.iter().any(|rule| *rule != RuleArg::Readers)
    }

    /// The verdict on `note`, which the reader or a rule found.
    ///
    /// An unreadable file is reported regardless of the selected rules.
    pub(super) fn verdict(&self, note: &Finding, is_of_reader: bool) -> Verdict {
        let is_wanted = self.rules.iter().any(|rule| match *rule {
            RuleArg::All => true,
            RuleArg::Readers => is_of_reader,
            RuleArg::Group(group) => note.kind.info().group == group,
            RuleArg::Code(kind) => note.kind == kind,
        });
        if !is_wanted && note.kind != FindingKind::Unreadable {
            return Verdict::NotSelected;
        }
        if self.allow.contains(&note.kind) {
            return Verdict::Allowed;
        }
        let is_denied = self.deny.iter().any(|deny| match *deny {
            Deny::Warnings => note.severity() >= Severity::Warning,
            Deny::Code(kind) => note.kind == kind,
        });
        if is_denied || note.severity() == Severity::Error {
            Verdict::Fails
        } else {
            Verdict::Reported
        }
    }
}
