//! Rules that a project makes for its own files: budgets, names and a skeleton that all models share.
//!
//! For: `rigscope.toml`, whose settings become [`ProjectRules`]. Not for: problems that every project has, which are
//! the rules of `validate`.

mod budget;
mod names;
mod skeleton;

pub use budget::{BUDGETS, Budget, BudgetInfo, BudgetItem};
pub use names::{NamePatterns, NamedPart};
pub use skeleton::SkeletonRule;

use crate::model::{FindingKind, Model, Place, Report, findings};

findings! {
    /// Findings of the rules of a project.
    pub PROJECT:
    Moved, "moved", Error, File,
        "the shape, the motion or the skeleton differs from the baseline",
        "the engine shows another model than the one that was approved",
        "if the change is intended, accept it with `rigscope check --update`; `rigscope diff OLD NEW` shows it in detail",
        "vertices moved by up to 1.2 % of the size: vertex 1000 of mesh 0, bone 10 \"hand_l\"";
    FileMissing, "file-missing", Error, File,
        "a file of the baseline doesn't exist",
        "the engine can't load it",
        "restore the file, or accept its removal with `rigscope check --update`",
        "the file is in the baseline but doesn't exist";
    OverBudget, "over-budget", Error, File,
        "the file exceeds a limit of the project's rigscope.toml",
        "it uses more memory, time or space than the project allows for it",
        "reduce the number in the modelling program, or raise the limit in [budget]",
        "24,310 triangles (limit: 20,000 triangles)";
    NameNotAllowed, "name-not-allowed", Warning, File,
        "a name doesn't match the patterns of the project's rigscope.toml",
        "scripts and engine code that look for names may not find the part",
        "rename the part, or add a pattern to [names]",
        "bone 3 \"Bone.003\" matches none of the patterns Bip01*, socket_*";
    SkeletonMismatch, "skeleton-mismatch", Error, Skin,
        "the skeleton differs from the one that the project's rigscope.toml requires",
        "clips that are shared between the models play wrongly, or not at all",
        "export with the skeleton of the reference file, in its rest pose",
        "bone \"hand_l\" has the parent \"spine\" instead of \"forearm_l\"";
}

/// Reports all violations of a rule as one finding, because a report has one of each kind: place, text and number.
fn report_all(kind: FindingKind, found: Vec<(Place, String, u64)>, report: &Report) {
    let Some(place) = found.first().map(|(place, ..)| *place) else { return };
    let num = found.iter().map(|(.., num)| num).sum();
    report.add_many(kind, place, num, || {
        let texts = found.into_iter().map(|(_, text, _)| text);
        texts.collect::<Vec<_>>().join(", ")
    });
}

/// The rules of a project for one file.
#[derive(Clone, Debug, Default)]
pub struct ProjectRules {
    /// Limits.
    pub budget: Budget,
    /// Patterns of names.
    pub names: NamePatterns,
    /// The skeleton that the model must have.
    pub skeleton: Option<SkeletonRule>,
}

/// A file, for rules about it.
#[derive(Clone, Copy, Debug)]
pub struct ProjectFile<'a> {
    /// The model in it.
    pub model: &'a Model,
    /// Its name, without folders.
    pub name: &'a str,
    /// Its size.
    pub num_bytes: u64,
}

impl ProjectRules {
    /// Reports violations.
    pub fn check(&self, file: ProjectFile<'_>, report: &Report) {
        self.budget.check(file, report);
        self.names.check(file, report);
        if let Some(skeleton) = &self.skeleton {
            skeleton.check(file.model, report);
        }
    }

    /// Whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.budget.is_empty() && self.names.is_empty() && self.skeleton.is_none()
    }
}
