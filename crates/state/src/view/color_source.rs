//! Where the colours of the surface come from just now: of several switches that are on, one wins.
//!
//! Keep in sync with `gpu::draws` and `gpu::textures`, which draw it.

use crate::{AppState, Document, Effect};
use rigscope_core::visual::{Coloring, Show, Switch};

/// Where the colours of the surface come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorSource {
    /// From materials, textures and colours of vertices.
    Materials,
    /// Each subset has a colour.
    Subsets,
    /// All is of clay.
    Clay,
    /// A checker on texture coordinates.
    Checker,
    /// What vertices hold.
    Coloring(Coloring),
}

impl ColorSource {
    /// What wins of `show`, where the file has looks or not.
    fn of(show: &Show, has_looks: bool) -> Self {
        match show.coloring {
            Some(coloring) => Self::Coloring(coloring),
            None if show.surface && show.checker => Self::Checker,
            None if show.surface && show.textures && has_looks => Self::Materials,
            None if show.subset_colors => Self::Subsets,
            None => Self::Clay,
        }
    }
}

impl AppState {
    /// Where the colours of the surface come from; nothing without a model.
    pub fn color_source(&self) -> Option<ColorSource> {
        self.tab.document.as_ref()?;
        Some(ColorSource::of(&self.tab.view.overlays, self.has_materials()))
    }

    /// As people call it.
    pub fn color_source_name(&self) -> Option<String> {
        Some(match self.color_source()? {
            ColorSource::Materials => "Textures".into(),
            ColorSource::Subsets => "Subsets".into(),
            ColorSource::Clay => "Plain".into(),
            ColorSource::Checker => Switch::Checker.info().label.into(),
            ColorSource::Coloring(coloring) => match (coloring.info(), self.shown_painting()) {
                (Some(info), _) => info.label.into(),
                (None, Some(painting)) => painting.title.clone(),
                (None, None) => String::new(),
            },
        })
    }

    /// Whether the file, or something set by hand, says how its surfaces look.
    pub fn has_materials(&self) -> bool {
        let has_looks = |document: &Document| document.has_looks || self.dress().is_some();
        self.tab.document.as_ref().is_some_and(has_looks)
    }

    /// Lets `source` win; only those that are no colouring of vertices.
    pub(crate) fn color_from(&mut self, source: ColorSource) -> Vec<Effect> {
        self.tab.view.weights.is_painted = false;
        let show = &mut self.tab.view.overlays;
        show.surface = true;
        show.checker = false;
        show.coloring = None;
        show.textures = source == ColorSource::Materials;
        // Without materials what they leave is coloured as it was.
        if source != ColorSource::Materials {
            show.subset_colors = source == ColorSource::Subsets;
        }
        self.keep_overlays()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Command};

    #[test]
    fn one_source_wins_and_is_said() {
        let mut state = crate::tests::opened();
        assert!(!state.has_materials());
        assert_eq!(state.color_source(), Some(ColorSource::Subsets));
        for (command, source) in [
            (Command::ColorPlain, ColorSource::Clay),
            (Command::switch(Switch::Checker), ColorSource::Checker),
            (Command::coloring(Coloring::Uv), ColorSource::Coloring(Coloring::Uv)),
            (Command::ColorBySubset, ColorSource::Subsets),
        ] {
            state.apply(Action::Run(command));
            assert_eq!(state.color_source(), Some(source), "{command:?}");
            assert!(command.is_on(&state), "{command:?}");
        }
        assert!(!Command::ColorPlain.is_on(&state) && !state.tab.view.overlays.checker);
        assert!(!Command::ColorByMaterials.is_enabled(&state));
    }

    #[test]
    fn weights_end_where_another_source_is_chosen() {
        let mut state = crate::tests::opened();
        state.apply(Action::Run(Command::coloring(Coloring::BoneWeights)));
        state.apply(Action::Run(Command::ColorBySubset));
        assert_eq!(state.color_source(), Some(ColorSource::Subsets));
        assert!(!state.shows(rigscope_core::visual::Item::Coloring(Coloring::BoneWeights)));
    }
}
