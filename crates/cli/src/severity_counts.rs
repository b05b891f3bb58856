//! How many findings of each severity were reported: the totals of `validate` and `baseline`.

use super::text::counted;
use rigscope_core::model::{Finding, Severity};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SeverityCounts {
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) infos: u64,
}

impl SeverityCounts {
    pub(super) fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Self {
        let mut counts = Self::default();
        for finding in findings {
            match finding.severity() {
                Severity::Error => counts.errors += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Info => counts.infos += 1,
            }
        }
        counts
    }

    pub(super) fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
    }

    /// `3 errors, 1 warning, 6 infos`; infos only if there are any.
    pub(super) fn text(self) -> String {
        let mut text =
            format!("{}, {}", counted(self.errors, "error"), counted(self.warnings, "warning"));
        if self.infos > 0 {
            text += &format!(", {}", counted(self.infos, "info"));
        }
        text
    }
}
