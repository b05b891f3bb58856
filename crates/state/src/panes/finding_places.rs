//! The places of the selected finding: their names, their shapes in the current pose, and stepping
//! through them.

use glam::Vec3;

use crate::{AppState, Pane};
use rigscope_core::model::{
    BoneId, ClipId, Finding, MICROS_PER_SEC, MaterialId, MeshId, Place, display_text,
};
use rigscope_core::pose::{MeshPose, sample, skin_vertex};

/// The shape of a place in the view, in file space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlaceShape {
    /// A vertex, or the head of a bone.
    Point(Vec3),
    /// The corners of a triangle.
    Triangle([Vec3; 3]),
}

impl AppState {
    /// The finding selected in the list.
    pub fn selected_finding(&self) -> Option<&Finding> {
        let list = &self.tab.view.findings;
        list.all.get(list.selected?)
    }

    /// Whether the selected finding has several known places.
    pub(crate) fn can_step_place(&self) -> bool {
        self.selected_finding().is_some_and(|finding| finding.places.len() > 1)
    }

    /// Shows the next or previous place of the selected finding, wrapping around.
    pub(crate) fn step_place(&mut self, is_forward: bool) {
        let Some(num) = self.selected_finding().map(|finding| finding.places.len().max(1)) else {
            return;
        };
        let at = self.tab.view.findings.place;
        let step = if is_forward { 1 } else { num - 1 };
        self.show_place((at + step) % num);
    }

    /// Selects and frames place `number` of the selected finding.
    pub(crate) fn show_place(&mut self, number: usize) {
        let finding = self.selected_finding();
        let Some(place) = finding.and_then(|finding| finding.places.get(number).copied()) else {
            return;
        };
        self.tab.view.findings.place = number;
        self.focus(place);
    }

    /// The display name of a place, using the names of the model.
    pub fn place_name(&self, place: Place) -> String {
        let Some(document) = &self.tab.document else { return place.to_string() };
        let named = |what: &str, number: u32, name: Option<&str>| match name {
            Some(name) if !name.is_empty() => format!("{what} {}", display_text::name(name)),
            _ => format!("{what} {number}"),
        };
        let of_mesh = |mesh: u32| match document.model.meshes.len() {
            1 => String::new(),
            _ => format!(" of mesh {mesh}"),
        };
        match place {
            Place::Vertex { mesh, vertex } => format!("vertex {vertex}{}", of_mesh(mesh)),
            Place::Triangle { mesh, triangle } => format!("triangle {triangle}{}", of_mesh(mesh)),
            Place::Subset { mesh, subset } => format!("subset {subset}{}", of_mesh(mesh)),
            Place::Mesh(mesh) => {
                named("mesh", mesh, document.model.meshes.get(MeshId(mesh)).map(|m| &*m.name))
            }
            Place::Material(material) => {
                let own = document.model.materials.get(MaterialId(material));
                named("material", material, own.map(|own| &*own.name))
            }
            Place::Bone(bone) => {
                let own = document.model.skeleton.bones().get(BoneId(bone));
                named("bone", bone, own.map(|own| &*own.name))
            }
            Place::Clip(clip) => {
                let own = document.model.clips.get(ClipId(clip));
                named("clip", clip, own.map(|own| &*own.name))
            }
            Place::Key { clip, key, bone } => format!(
                "{}, key {key} of {}",
                document.bone_name(BoneId(bone)),
                document.clip_name(clip as usize)
            ),
            Place::Moment { clip, micros, bone } => {
                let clips = &document.model.clips;
                let start_secs = clips.get(ClipId(clip)).map_or(0.0, |clip| clip.start_secs);
                let time_secs = start_secs + micros as f64 / MICROS_PER_SEC;
                let clip = document.clip_name(clip as usize);
                match bone {
                    Some(bone) => {
                        format!("{}, {time_secs:.3} s of {clip}", document.bone_name(BoneId(bone)))
                    }
                    None => format!("{time_secs:.3} s of {clip}"),
                }
            }
            _ => place.to_string(),
        }
    }

    /// The shapes of the selected finding's places in the current pose, with their indices.
    /// Empty while the Findings pane is closed.
    pub fn finding_shapes(&self) -> Vec<(usize, PlaceShape)> {
        let (Some(document), Some(finding)) = (&self.tab.document, self.selected_finding()) else {
            return Vec::new();
        };
        if !self.settings.panes.shows(Pane::Findings) {
            return Vec::new();
        }
        let model = &document.model;
        let pose = sample(model, &self.tab.playback.pose_spec());
        // Places are sorted by mesh, so that each palette is computed only once.
        let mut of_mesh: Option<(u32, MeshPose)> = None;
        let mut posed = |number: u32, vertices: &[u32]| -> Option<Vec<Vec3>> {
            let mesh = model.meshes.get(MeshId(number))?;
            if of_mesh.as_ref().is_none_or(|(known, _)| *known != number) {
                of_mesh = Some((number, pose.of_mesh(MeshId(number), mesh)));
            }
            let (_, pose) = of_mesh.as_ref()?;
            vertices.iter().map(|&vertex| skin_vertex(mesh, vertex as usize, pose)).collect()
        };
        let mut shape = |place: Place| match place {
            Place::Vertex { mesh, vertex } => {
                posed(mesh, &[vertex])?.first().copied().map(PlaceShape::Point)
            }
            Place::Triangle { mesh, triangle } => {
                let indices = &model.meshes.get(MeshId(mesh))?.indices;
                let first = (triangle as usize).checked_mul(3)?;
                let corner = |at: usize| indices.get(first.checked_add(at)?);
                let corners = [corner(0)?, corner(1)?, corner(2)?];
                let corners = posed(mesh, &corners)?;
                <[Vec3; 3]>::try_from(corners).ok().map(PlaceShape::Triangle)
            }
            Place::Bone(bone)
            | Place::Key { bone, .. }
            | Place::Moment { bone: Some(bone), .. } => {
                let point = crate::ModelPoint::Bone(BoneId(bone));
                point.place(model, &pose, &document.anchors).map(PlaceShape::Point)
            }
            _ => None,
        };
        let places = finding.places.iter().enumerate();
        places.filter_map(|(number, &place)| Some((number, shape(place)?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FindingsAction;
    use rigscope_core::model::FindingKind;

    fn with_places(places: Vec<Place>) -> AppState {
        let mut state = crate::tests::opened();
        let mut finding = Finding::new(FindingKind::ZeroNormal, places[0], "zero".into(), 9);
        finding.places = places;
        state.apply_findings(FindingsAction::Validated(std::sync::Arc::new(vec![finding])));
        let last = state.tab.view.findings.all.len() - 1;
        state.apply_findings(FindingsAction::Show(last));
        state
    }

    #[test]
    fn next_and_previous_cycle_through_the_places_of_a_finding() {
        let places = [0, 1, 2].map(|vertex| Place::Vertex { mesh: 0, vertex });
        let mut state = with_places(places.to_vec());
        assert!(state.can_step_place());
        for expected in [1, 2, 0] {
            state.step_place(true);
            assert_eq!(state.tab.view.findings.place, expected);
            assert!(state.is_about_selection(places[expected]));
        }
        state.step_place(false);
        assert_eq!(state.tab.view.findings.place, 2);
    }

    #[test]
    fn every_existing_place_has_a_shape() {
        let vertex = |vertex| Place::Vertex { mesh: 0, vertex };
        let triangle = Place::Triangle { mesh: 0, triangle: 0 };
        let state = with_places(vec![vertex(0), vertex(u32::MAX), triangle, Place::Bone(0)]);
        let shapes = state.finding_shapes();
        let numbers: Vec<_> = shapes.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [0, 2, 3]);
        assert!(matches!(shapes[1].1, PlaceShape::Triangle(_)));
    }
}
