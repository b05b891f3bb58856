//! A real IQM file, compared with the arithmetic of the format's own runtime, computed directly
//! from the bytes.
//!
//! Source: `demo/demo.cpp` of lsalzman/iqm, `loadiqmmeshes`, `loadiqmanims` and `animateiqm`: one
//! matrix per joint and frame, relative to the base frame, interpolated component by component
//! between two frames, then multiplied by the parent's.

use glam::{Affine3A, Quat, Vec3};
use rigscope_core::model::{Aabb, ClipId, Report};
use rigscope_core::pose::{PoseSpec, Sampling, skin_model};
use rigscope_io::formats::{ReadOptions, Source, open};

use crate::support::samples;

/// Fields of the header, as word indices after the magic.
mod word {
    pub(super) const NUM_ARRAYS: usize = 7;
    pub(super) const NUM_VERTICES: usize = 8;
    pub(super) const ARRAYS: usize = 9;
    pub(super) const NUM_JOINTS: usize = 13;
    pub(super) const JOINTS: usize = 14;
    pub(super) const POSES: usize = 16;
    pub(super) const NUM_ANIMS: usize = 17;
    pub(super) const ANIMS: usize = 18;
    pub(super) const NUM_FRAMES: usize = 19;
    pub(super) const FRAMES: usize = 21;
}

struct Player {
    parents: Vec<Option<usize>>,
    /// All joints of one frame after another.
    frames: Vec<Affine3A>,
    /// First frame, number of frames, frames per second.
    anims: Vec<(usize, usize, f64)>,
    positions: Vec<Vec3>,
    joints_of: Vec<[u8; 4]>,
    weights_of: Vec<[u8; 4]>,
}

fn matrix(channels: &[f32]) -> Affine3A {
    let &[tx, ty, tz, qx, qy, qz, qw, sx, sy, sz] = channels else { panic!("not ten channels") };
    let rotation = Quat::from_xyzw(qx, qy, qz, qw).normalize();
    let [scale, place] = [[sx, sy, sz], [tx, ty, tz]].map(Vec3::from);
    Affine3A::from_scale_rotation_translation(scale, rotation, place)
}

impl Player {
    fn of(bytes: &[u8]) -> Self {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let f32_at = |at: usize| f32::from_bits(u32_at(at));
        let head = |word: usize| u32_at(16 + 4 * word) as usize;
        let floats = |at: usize, num: usize| -> Vec<f32> {
            (0..num).map(|number| f32_at(at + 4 * number)).collect()
        };
        let num_joints = head(word::NUM_JOINTS);
        let joint = |number: usize| head(word::JOINTS) + number * 48;
        let parents: Vec<Option<usize>> = (0..num_joints)
            .map(|number| usize::try_from(u32_at(joint(number) + 4).cast_signed()).ok())
            .collect();
        let mut base: Vec<Affine3A> = Vec::new();
        for (number, parent) in parents.iter().enumerate() {
            let local = matrix(&floats(joint(number) + 8, 10));
            base.push(parent.map_or(local, |parent| base[parent] * local));
        }
        let mut frames = Vec::new();
        let mut next = head(word::FRAMES);
        for _ in 0..head(word::NUM_FRAMES) {
            for (number, parent) in parents.iter().enumerate() {
                let pose = head(word::POSES) + number * 88;
                let mask = u32_at(pose + 4);
                let (mut channels, scales) = (floats(pose + 8, 10), floats(pose + 48, 10));
                for (at, channel) in channels.iter_mut().enumerate() {
                    if mask & 1 << at != 0 {
                        let stored = u16::from_le_bytes([bytes[next], bytes[next + 1]]);
                        *channel += f32::from(stored) * scales[at];
                        next += 2;
                    }
                }
                let local = matrix(&channels) * base[number].inverse();
                frames.push(parent.map_or(local, |parent| base[parent] * local));
            }
        }
        let anim = |number: usize| {
            let at = head(word::ANIMS) + number * 20;
            let rate = f64::from(f32_at(at + 12));
            (u32_at(at + 4) as usize, u32_at(at + 8) as usize, rate)
        };
        let num_vertices = head(word::NUM_VERTICES);
        let array = |kind: u32| {
            let mut all = (0..head(word::NUM_ARRAYS)).map(|n| head(word::ARRAYS) + n * 20);
            let at = all.find(|&at| u32_at(at) == kind).unwrap();
            u32_at(at + 16) as usize
        };
        let quads = |kind: u32| -> Vec<[u8; 4]> {
            let begin = array(kind);
            let all = bytes[begin..begin + num_vertices * 4].as_chunks::<4>();
            all.0.to_vec()
        };
        let positions = floats(array(0), num_vertices * 3);
        Self {
            anims: (0..head(word::NUM_ANIMS)).map(anim).collect(),
            positions: positions.chunks(3).map(Vec3::from_slice).collect(),
            joints_of: quads(4),
            weights_of: quads(5),
            parents,
            frames,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a place among frames")]
    #[expect(clippy::cast_sign_loss, reason = "times are not negative")]
    fn posed(&self, anim: usize, time_secs: f64) -> Vec<Vec3> {
        let (first, num, rate) = self.anims[anim];
        let position = time_secs * rate;
        let frame = (position as usize).min(num - 2);
        let share = (position - frame as f64) as f32;
        let num_joints = self.parents.len();
        let mut out: Vec<Affine3A> = Vec::new();
        for (joint, parent) in self.parents.iter().enumerate() {
            let at = |frame: usize| self.frames[(first + frame) * num_joints + joint];
            let (a, b) = (at(frame), at(frame + 1));
            let local = Affine3A {
                matrix3: a.matrix3 * (1.0 - share) + b.matrix3 * share,
                translation: a.translation * (1.0 - share) + b.translation * share,
            };
            out.push(parent.map_or(local, |parent| out[parent] * local));
        }
        let moved = |(vertex, position): (usize, &Vec3)| {
            let pairs = self.joints_of[vertex].iter().zip(self.weights_of[vertex]);
            pairs.fold(Vec3::ZERO, |sum, (&joint, weight)| {
                let share = f32::from(weight) / 255.0;
                sum + out[usize::from(joint)].transform_point3(*position) * share
            })
        };
        self.positions.iter().enumerate().map(moved).collect()
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn motion_between_frames_matches_the_runtime() {
    let bytes = std::fs::read(samples().join("iqm/guy.iqm")).unwrap();
    let player = Player::of(&bytes);
    let source = Source::new("guy.iqm", bytes);
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
    let model = model.model;
    let mut apart = [0.0f32; 2];
    for (number, clip) in model.clips.iter().enumerate() {
        for moment in 0..=240 {
            let time_secs = clip.duration_secs * f64::from(moment) / 240.0;
            let wanted = player.posed(number, time_secs);
            let extent = Aabb::from_points(wanted.iter().copied()).extent();
            let ways = [Sampling::Runtime, Sampling::Decomposed];
            for (apart, sampling) in apart.iter_mut().zip(ways) {
                let spec = PoseSpec {
                    sampling,
                    ..PoseSpec::at_secs(ClipId::from_index(number), time_secs)
                };
                let posed = skin_model(&model, &spec).remove(0).positions;
                for (posed, wanted) in posed.iter().zip(&wanted) {
                    *apart = apart.max(posed.distance(*wanted) / extent);
                }
            }
        }
    }
    let [player, parts] = apart;
    eprintln!("as the player {player:.2e}, by parts {parts:.2e} of the extent");
    assert!(player < 1e-5, "{player}");
    // At 24 frames per second, bones rotate little between two frames.
    assert!(parts > 5e-5, "taking frames apart makes no difference: {parts}");
}
