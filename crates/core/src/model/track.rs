//! Curves: keys of one channel over time, and those of one bone.

use glam::{Quat, Vec3};

use super::BoneId;

/// How values between two keys come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier value holds.
    Step,
    /// Straight line; spherical for rotations.
    Linear,
    /// Straight line, brought back to unit length for rotations.
    Nlerp,
    /// The matrices that moves, turns and scales of both keys make are blended component by
    /// component; taken by itself, as [`Self::Nlerp`]. Moves and scales of such a bone have their
    /// keys at the same times, or one.
    Matrix,
    /// Cubic Hermite: three values a key (in-tangent, value, out-tangent).
    Cubic,
}

/// Keys of one channel, times ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<T> {
    /// On the file's own clock.
    pub times_secs: Vec<f64>,
    /// One value a time, three with [`Interpolation::Cubic`].
    pub values: Vec<T>,
    /// How to read between keys.
    pub interpolation: Interpolation,
}

/// The curves of one bone; a channel without track keeps its rest value.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneTrack {
    /// What moves.
    pub bone: BoneId,
    /// Position in the parent.
    pub translation: Option<Track<Vec3>>,
    /// Rotation in the parent.
    pub rotation: Option<Track<Quat>>,
    /// Scale in the parent.
    pub scale: Option<Track<Vec3>>,
}

impl BoneTrack {
    /// The times of each curve that there is.
    pub fn times(&self) -> impl Iterator<Item = &[f64]> {
        let translation = self.translation.as_ref().map(|track| &track.times_secs[..]);
        let rotation = self.rotation.as_ref().map(|track| &track.times_secs[..]);
        let scale = self.scale.as_ref().map(|track| &track.times_secs[..]);
        [translation, rotation, scale].into_iter().flatten()
    }
}
