//! The choice between normals as computed by the format's runtime and exact ones.

use crate::{AppState, Request};
use rigscope_core::model::{Model, NormalMatrix};
use rigscope_core::pose::Normals;

impl AppState {
    /// Shows these normals in all documents.
    pub(crate) fn set_normals(&mut self, normals: Normals) {
        self.settings.normals = normals;
        self.apply_playback_settings();
    }

    pub(crate) fn toggle_exact_normals(&mut self) -> Vec<Request> {
        self.set_normals(match self.tab.playback.normals {
            Normals::Runtime => Normals::Exact,
            Normals::Exact => Normals::Runtime,
        });
        vec![Request::SaveSettings]
    }

    /// Whether the choice makes a difference for any open model, or exact normals are selected.
    pub fn has_runtime_normals(&self) -> bool {
        let has_rule = |model: &Model| model.normal_matrix != NormalMatrix::default();
        self.tab.playback.normals == Normals::Exact
            || self.resident_models().iter().any(|model| has_rule(model))
    }

    /// Whether exact normals are shown that differ from those of the document's runtime.
    pub fn shows_exact_normals(&self) -> bool {
        self.tab.playback.normals == Normals::Exact && self.normals_text().is_some()
    }

    /// Describes the normals shown, if the document's runtime doesn't compute exact ones.
    pub fn normals_text(&self) -> Option<String> {
        let document = self.tab.document.as_ref()?;
        let by = document.model.normal_matrix;
        let runtime = format!("the runtime of {}", document.format.name);
        (by != NormalMatrix::default()).then(|| match self.tab.playback.normals {
            Normals::Runtime => format!("as in {runtime} (by {})", by.name()),
            Normals::Exact => format!("exact, unlike {runtime}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::tests::opened;
    use crate::{Action, Command};

    #[test]
    fn exact_normals_can_be_toggled_undone_and_saved() {
        let mut state = opened();
        assert_eq!(state.tab.playback.pose_spec().normals, Normals::Runtime);
        let text = state.normals_text().unwrap();
        assert!(text.contains("by the position matrix"), "{text}");
        state.apply(Action::Run(Command::ToggleExactNormals));
        assert_eq!(state.tab.playback.pose_spec().normals, Normals::Exact);
        assert!(state.normals_text().unwrap().starts_with("exact"));
        let next = AppState::new(state.settings.clone());
        assert_eq!(next.tab.playback.normals, Normals::Exact);
        assert_eq!(state.undo_title(), Some("Exact normals"));
        state.apply(Action::Run(Command::Undo));
        assert_eq!(state.tab.playback.pose_spec().normals, Normals::Runtime);
        assert_eq!(state.settings.normals, Normals::Runtime);
        state.apply(Action::Run(Command::Redo));
        assert_eq!(state.tab.playback.pose_spec().normals, Normals::Exact);
    }

    #[test]
    fn formats_without_a_runtime_have_no_normals_option() {
        let mut state = opened();
        let document = state.tab.document.as_mut().unwrap();
        Arc::make_mut(&mut document.model).normal_matrix = NormalMatrix::InverseTranspose;
        assert_eq!(state.normals_text(), None);
        assert!(!Command::ToggleExactNormals.is_enabled(&state));
    }
}
