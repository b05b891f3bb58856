//! The active source of surface colours, chosen by priority if several switches are on.
//!
//! Keep in sync with `gpu::draws` and `gpu::textures`, which draw it.

use crate::{AppState, Document, Request};
use rigscope_core::visual::{Coloring, Show, Switch};

/// The source of the surface colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorSource {
    /// Materials, textures and vertex colours.
    Materials,
    /// A colour per subset.
    Subsets,
    /// A uniform clay colour.
    Clay,
    /// A checkerboard mapped by UVs.
    Checker,
    /// Values of the vertices.
    Coloring(Coloring),
}

impl ColorSource {
    /// The source selected by `show`, depending on whether the file has materials.
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
    /// The source of the surface colours, if a model is open.
    pub fn color_source(&self) -> Option<ColorSource> {
        self.tab.document.as_ref()?;
        Some(ColorSource::of(&self.tab.view.overlays, self.has_materials()))
    }

    /// The name shown to users.
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

    /// Whether the file, or the user, defines the look of the surface.
    pub fn has_materials(&self) -> bool {
        let has_looks =
            |document: &Document| document.has_looks || self.material_override().is_some();
        self.tab.document.as_ref().is_some_and(has_looks)
    }

    /// Switches to `source`, which must not be [`ColorSource::Coloring`].
    pub(crate) fn color_from(&mut self, source: ColorSource) -> Vec<Request> {
        self.tab.view.weights.is_painted = false;
        let show = &mut self.tab.view.overlays;
        show.surface = true;
        show.checker = source == ColorSource::Checker;
        show.coloring = None;
        // The checker covers materials; without it, they are shown again.
        if source != ColorSource::Checker {
            show.textures = source == ColorSource::Materials;
        }
        // [`ColorSource::Materials`] leaves this switch as the fallback for surfaces without
        // materials.
        if !matches!(source, ColorSource::Materials | ColorSource::Checker) {
            show.subset_colors = source == ColorSource::Subsets;
        }
        self.save_overlays()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Command};

    #[test]
    fn exactly_one_color_source_is_active() {
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
    fn choosing_another_color_source_turns_weights_off() {
        let mut state = crate::tests::opened();
        state.apply(Action::Run(Command::coloring(Coloring::BoneWeights)));
        state.apply(Action::Run(Command::ColorBySubset));
        assert_eq!(state.color_source(), Some(ColorSource::Subsets));
        assert!(!state.shows(rigscope_core::visual::Item::Coloring(Coloring::BoneWeights)));
    }
}
