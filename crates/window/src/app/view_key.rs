//! Inputs that affect the image of the 3D view. Equal keys give equal images.
//!
//! For: deciding whether to redraw, and the parameters of each layer.
//! Not for: drawing (`view3d`), or for deciding visibility, which the state does.

use rigscope_core::model::{BoneId, IdVec};
use std::sync::Arc;

use rigscope_core::camera::Camera;
use rigscope_core::pose::BoneShape;
use rigscope_core::visual::{Marks, OutlineTarget, Show, VertexPaint};
use rigscope_gpu::{Background, FrameInput, SubsetLook};
use rigscope_state::{AppState, Layer, PageBackground, Theme};

/// The inputs of the view's image, compared to detect changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ViewKey {
    pub(super) layers: Vec<Layer>,
    pub(super) camera: Camera,
    pub(super) show: Show,
    pub(super) looks: Vec<SubsetLook>,
    pub(super) selected: Option<OutlineTarget>,
    pub(super) hovered: Option<OutlineTarget>,
    pub(super) bone_colors: Arc<Vec<[f32; 3]>>,
    pub(super) shown_bones: Arc<IdVec<BoneId, bool>>,
    pub(super) bone_size: f32,
    pub(super) paint: Option<VertexPaint>,
    pub(super) marks: Marks,
    pub(super) background: Background,
    pub(super) size_px: [u32; 2],
    pub(super) pixels_per_point: f32,
}

impl ViewKey {
    /// Whether a bone is outlined, even if bones are hidden.
    pub(super) fn outlines_bone(&self) -> bool {
        let outlined = [self.selected, self.hovered];
        outlined.into_iter().any(|one| matches!(one, Some(OutlineTarget::Bone(_))))
    }

    /// Whether camera, size or pose differ from `last`.
    pub(super) fn has_moved(&self, last: &Self) -> bool {
        let poses = |key: &Self| key.layers.iter().map(|layer| layer.pose).collect::<Vec<_>>();
        self.camera != last.camera || self.size_px != last.size_px || poses(self) != poses(last)
    }

    /// The display options for a layer.
    pub(super) fn show_of(&self, layer: &Layer) -> Show {
        if layer.is_document {
            self.show
        } else {
            Show {
                coloring: (self.show.coloring).filter(|c| !c.is_painted() || layer.paint.is_some()),
                bones: false,
                bones_on_top: false,
                ..self.show
            }
        }
    }

    /// The renderer input for a layer that is drawn over the layers `below`.
    pub(super) fn input<'a>(
        &'a self,
        layer: &'a Layer,
        below: &[&Layer],
        bones: &'a [BoneShape],
    ) -> FrameInput<'a> {
        let is_over = below.iter().any(|other| other.window == layer.window);
        let of_document = layer.is_document.then_some(());
        FrameInput {
            camera: self.camera,
            bounds: layer.bounds,
            pose: layer.pose,
            show: self.show_of(layer),
            subsets: of_document.map_or(&[], |()| &self.looks),
            selected: of_document.and(self.selected),
            hovered: of_document.and(self.hovered),
            bones,
            bone_colors: &self.bone_colors,
            bone_size: self.bone_size,
            paint: if layer.is_document { self.paint.as_ref() } else { layer.paint.as_ref() },
            marks: of_document.map_or(Marks::NONE, |()| &self.marks),
            background: self.background,
            layer: rigscope_gpu::Layer {
                keeps: !below.is_empty(),
                is_followed: false,
                view: layer.view,
                window: layer.window,
                ghost: layer.ghost,
                has_background: !is_over,
            },
            pixels_per_point: self.pixels_per_point,
        }
    }
}

/// The key for the current state; `None` before the view has a size.
pub(super) fn shown(
    state: &AppState,
    layers: Vec<Layer>,
    pixels_per_point: f32,
) -> Option<ViewKey> {
    let view = &state.tab.view;
    let size = state.view_size_points * pixels_per_point;
    if size.min_element() < 1.0 {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "a screen has few pixels")]
    #[expect(clippy::cast_sign_loss, reason = "checked above")]
    let size_px = [size.x.round() as u32, size.y.round() as u32];
    let look = |(number, look): (usize, &rigscope_state::SubsetLook)| SubsetLook {
        visible: view.shows(number),
        color: Some(look.color),
    };
    Some(ViewKey {
        layers,
        camera: view.camera,
        show: Show {
            // The silhouette comparison replaces the surface.
            surface: view.overlays.surface && !state.shows_silhouette(),
            ..view.overlays.drawn()
        },
        looks: view.looks.iter().enumerate().map(look).collect(),
        selected: state.tab.selection.outlined(),
        hovered: state.hovered(),
        bone_colors: Arc::clone(&view.bones.colors),
        shown_bones: Arc::clone(&view.bones.shown),
        bone_size: state.settings.bones.usable_size(),
        paint: state.vertex_paint().cloned(),
        marks: state.marks(),
        background: page_background(state).unwrap_or(match state.settings.theme {
            Theme::HighContrast => Background::Plain([0.0; 3]),
            _ => Background::default(),
        }),
        size_px,
        pixels_per_point,
    })
}

/// The background that the page around an embedded view has set.
pub(super) fn page_background(state: &AppState) -> Option<Background> {
    state.page_background.map(|background| match background {
        PageBackground::Plain(rgb) => Background::Plain(rgb),
        PageBackground::Transparent => Background::Transparent,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_view_key_exists_before_the_view_has_a_size() {
        let mut state = AppState::default();
        assert!(shown(&state, Vec::new(), 1.0).is_none());
        state.view_size_points = glam::Vec2::new(100.4, 50.0);
        let wanted = shown(&state, Vec::new(), 2.0).unwrap();
        assert_eq!(wanted.size_px, [201, 100]);
    }
}
