//! Counters and measures shared by several rules.

use glam::Vec3;

pub(super) use crate::model::spread;
use crate::model::{Aabb, BoneId, MAX_PLACES, Model, numbers};
use crate::pose::{PoseSpec, SkinnedMesh, sample, skin_model};

/// Counts occurrences, and records the worst and the first of them.
#[derive(Clone, Debug)]
pub(super) struct Worst<P> {
    pub(super) count: u64,
    /// The largest measure and its place; the first of equals.
    pub(super) worst: Option<(f32, P)>,
    /// The first places, at most [`MAX_PLACES`].
    pub(super) places: Vec<P>,
}

impl<P> Default for Worst<P> {
    fn default() -> Self {
        Self { count: 0, worst: None, places: Vec::new() }
    }
}

impl<P: Clone> Worst<P> {
    /// The worst place, then the recorded ones in order, which may include it again.
    pub(super) fn worst_first(&self) -> impl Iterator<Item = P> + '_ {
        let worst = self.worst.iter().map(|(_, place)| place);
        worst.chain(&self.places).cloned()
    }

    /// Adds the occurrences of `later`, which come after these.
    pub(super) fn join(&mut self, later: Self) {
        self.count += later.count;
        let room = MAX_PLACES.saturating_sub(self.places.len());
        self.places.extend(later.places.into_iter().take(room));
        if let Some((measure, place)) = later.worst
            && self.worst.as_ref().is_none_or(|(most, _)| measure > *most)
        {
            self.worst = Some((measure, place));
        }
    }

    /// Counts one occurrence with the size `measure`.
    pub(super) fn add(&mut self, measure: f32, place: P) {
        self.count += 1;
        if self.places.len() < MAX_PLACES {
            self.places.push(place.clone());
        }
        if self.worst.as_ref().is_none_or(|(most, _)| measure > *most) {
            self.worst = Some((measure, place));
        }
    }
}

/// The size of the model in the default pose.
pub(super) struct DefaultPose {
    /// The box around all vertices, or around the bones if there are no vertices; file space.
    pub(super) bounds: Aabb,
    /// Diagonal of `bounds`, file units.
    pub(super) extent: f32,
}

impl DefaultPose {
    /// Skins the whole model once.
    pub(super) fn of(model: &Model) -> Self {
        let spec = PoseSpec::default();
        let meshes = skin_model(model, &spec);
        let mut bounds = Aabb::from_points(positions(&meshes));
        if bounds.is_empty() {
            let pose = sample(model, &spec);
            let heads = pose.model_from_bone.iter();
            bounds = Aabb::from_points(heads.map(|matrix| matrix.translation.into()));
        }
        Self { extent: bounds.extent(), bounds }
    }
}

/// `length` (in file units) for a message: in metres, centimetres or millimetres if the file states its unit.
pub(super) fn length_text(model: &Model, length: f32) -> String {
    let shown = length * model.axes.display_units_per_file_unit();
    numbers::length(shown, model.axes.unit_meters.is_some())
}

/// `value` with three significant digits, without an exponent unless it is tiny or huge.
pub(super) fn three_digits(value: f32) -> String {
    numbers::significant(f64::from(value), 3)
}

/// The name of a bone in messages: `bone 3 "hand"`.
pub(super) fn bone_text(model: &Model, bone: BoneId) -> String {
    let noun = model.noun_of(bone).one();
    match &*model.skeleton.bones()[bone].name {
        "" => format!("{noun} {}", bone.0),
        name => format!("{noun} {} {name:?}", bone.0),
    }
}

/// The positions of all meshes.
pub(super) fn positions(meshes: &[SkinnedMesh]) -> impl Iterator<Item = Vec3> + '_ {
    meshes.iter().flat_map(|mesh| mesh.positions.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_worst_is_stored_and_all_are_counted() {
        let mut worst = Worst::default();
        assert_eq!((worst.count, worst.worst), (0, None));
        for (measure, place) in [(1.0, "a"), (3.0, "b"), (3.0, "c"), (2.0, "d")] {
            worst.add(measure, place);
        }
        assert_eq!((worst.count, worst.worst), (4, Some((3.0, "b"))));
    }

    #[test]
    fn lengths_are_shown_in_a_suitable_unit() {
        let mut model = Model::default();
        assert_eq!(length_text(&model, 12.345), "12.35 units");
        model.axes.unit_meters = Some(1.0);
        let texts = [1234.5, 2.5, 0.31, 0.0041, 0.0].map(|length| length_text(&model, length));
        assert_eq!(texts, ["1,234 m", "2.5 m", "31 cm", "4.1 mm", "0 m"]);
    }
}
