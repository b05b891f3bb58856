//! Keyframe tracks of one channel and of one bone.

use glam::{Quat, Vec3};

use super::BoneId;

/// Interpolation between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier value is constant until the next key.
    Step,
    /// Linear; spherical for rotations.
    Linear,
    /// Linear; rotations are normalized.
    Nlerp,
    /// The matrices composed from translations, rotations and scales of both keys are blended
    /// component by component. A rotation track on its own is interpolated as [`Self::Nlerp`].
    /// Translations and scales of such a bone have their keys at the same times, or a single one.
    Matrix,
    /// Cubic Hermite: three values per key (in-tangent, value, out-tangent).
    Cubic,
}

/// Keys of one channel, times ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<T> {
    /// In seconds on the file's own clock.
    pub times_secs: Vec<f64>,
    /// One value per time, three with [`Interpolation::Cubic`].
    pub values: Vec<T>,
    /// Interpolation between keys.
    pub interpolation: Interpolation,
}

impl<T> Track<T> {
    /// Index of the first key's value in [`Self::values`], and the number of values per key.
    pub fn key_layout(&self) -> (usize, usize) {
        match self.interpolation {
            Interpolation::Cubic => (1, 3),
            _ => (0, 1),
        }
    }

    /// The same keys with other values, including tangents.
    pub fn map<U>(self, value: impl Fn(T) -> U) -> Track<U> {
        Track {
            times_secs: self.times_secs,
            values: self.values.into_iter().map(value).collect(),
            interpolation: self.interpolation,
        }
    }
}

/// The tracks of one bone; a channel without track keeps its rest value.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneTrack {
    /// The animated bone.
    pub bone: BoneId,
    /// Translation relative to the parent.
    pub translation: Option<Track<Vec3>>,
    /// Rotation relative to the parent.
    pub rotation: Option<Track<Quat>>,
    /// Scale relative to the parent.
    pub scale: Option<Track<Vec3>>,
}

impl BoneTrack {
    /// The key times of each existing track.
    pub fn times(&self) -> impl Iterator<Item = &[f64]> {
        let translation = self.translation.as_ref().map(|track| &track.times_secs[..]);
        let rotation = self.rotation.as_ref().map(|track| &track.times_secs[..]);
        let scale = self.scale.as_ref().map(|track| &track.times_secs[..]);
        [translation, rotation, scale].into_iter().flatten()
    }

    /// The interpolation of each track with more than one key.
    pub fn interpolations(&self) -> impl Iterator<Item = Interpolation> {
        fn of<T>(track: &Option<Track<T>>) -> Option<Interpolation> {
            let track = track.as_ref().filter(|track| track.times_secs.len() > 1);
            track.map(|track| track.interpolation)
        }
        let own = [of(&self.translation), of(&self.rotation), of(&self.scale)];
        own.into_iter().flatten()
    }
}
