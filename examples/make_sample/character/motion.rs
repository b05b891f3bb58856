//! Two clips: a walk on the spot and a wave with the left hand.

use std::f32::consts::{PI, TAU};

use glam::{EulerRot, Quat, Vec3};
use rigscope_core::model::{BoneId, BoneTrack, Clip, Interpolation, Motion, Track};

use super::skeleton::{BONES, bone, head};

/// Keys per second.
const RATE: f64 = 30.0;

/// Rotation and translation of one bone; the translation is relative to the rest pose.
type Moved = (&'static str, Quat, Vec3);

/// Rotates about z first, so that a lowered arm swings about x.
fn turn(x: f32, y: f32, z: f32) -> Quat {
    Quat::from_euler(EulerRot::XYZ, x, y, z)
}

/// Samples `pose` at `RATE` over `num_steps` steps; `pose` gets 0 to 1.
fn clip(name: &str, num_steps: u32, pose: impl Fn(f32) -> Vec<Moved>) -> Clip {
    let moments: Vec<Vec<Moved>> =
        (0..=num_steps).map(|step| pose(step as f32 / num_steps as f32)).collect();
    let times: Vec<f64> = (0..=num_steps).map(|step| f64::from(step) / RATE).collect();
    let track = |values: Vec<_>| Track {
        times_secs: times.clone(),
        values,
        interpolation: Interpolation::Linear,
    };
    let tracks = (0..moments[0].len())
        .map(|at| {
            let id = bone(moments[0][at].0);
            let parent = BONES[id as usize].1;
            let rest = head(id as usize) - parent.map_or(Vec3::ZERO, head);
            BoneTrack {
                bone: BoneId(id),
                translation: Some(Track {
                    times_secs: times.clone(),
                    values: moments.iter().map(|moved| rest + moved[at].2).collect(),
                    interpolation: Interpolation::Linear,
                }),
                rotation: Some(track(moments.iter().map(|moved| moved[at].1).collect())),
                scale: None,
            }
        })
        .collect();
    Clip {
        name: name.into(),
        duration_secs: f64::from(num_steps) / RATE,
        motion: Motion::Tracks(tracks),
        ..Clip::default()
    }
}

/// Arms out of the bind pose, down to the sides.
const ARM_DOWN: f32 = 0.55;

/// One second, two steps, on the spot.
pub(super) fn walk() -> Clip {
    clip("walk", 30, |t| {
        let phase = t * TAU;
        let sway = phase.sin();
        let bob = (phase * 2.0).cos();
        let mut moved: Vec<Moved> = vec![
            (
                "pelvis",
                turn(0.04, -0.10 * sway, 0.05 * sway),
                Vec3::new(0.018 * sway, 0.022 * bob, 0.0),
            ),
            ("spine", turn(0.03, 0.08 * sway, -0.04 * sway), Vec3::ZERO),
            ("chest", turn(0.02, 0.14 * sway, -0.03 * sway), Vec3::ZERO),
            ("head", turn(-0.05 + 0.03 * bob, -0.12 * sway, 0.03 * sway), Vec3::ZERO),
            (
                "antenna_1",
                turn(0.18 * (phase * 2.0 - 0.8).cos(), 0.0, 0.16 * (phase - 0.6).sin()),
                Vec3::ZERO,
            ),
            (
                "antenna_2",
                turn(0.26 * (phase * 2.0 - 1.6).cos(), 0.0, 0.24 * (phase - 1.2).sin()),
                Vec3::ZERO,
            ),
            (
                "scarf_1",
                turn(0.25 + 0.12 * (phase * 2.0 - 1.0).cos(), 0.0, 0.10 * sway),
                Vec3::ZERO,
            ),
            (
                "scarf_2",
                turn(0.15 + 0.22 * (phase * 2.0 - 1.9).cos(), 0.0, 0.14 * (phase - 0.7).sin()),
                Vec3::ZERO,
            ),
        ];
        for (names, x, offset) in [
            (["thigh_l", "shin_l", "foot_l", "arm_l", "forearm_l", "hand_l"], 1.0, 0.0),
            (["thigh_r", "shin_r", "foot_r", "arm_r", "forearm_r", "hand_r"], -1.0, PI),
        ] {
            let [thigh, shin, foot, arm, forearm, hand] = names;
            let step = phase + offset;
            let swing = step.sin();
            // The knee bends while the leg comes forward.
            let knee = 0.15 + 0.75 * (step + PI * 0.5).sin().max(0.0).powi(2);
            moved.extend([
                (thigh, turn(-0.55 * swing - 0.08, 0.0, 0.0), Vec3::ZERO),
                (shin, turn(knee, 0.0, 0.0), Vec3::ZERO),
                (foot, turn(0.12 * swing - 0.25 * (knee - 0.15), 0.0, 0.0), Vec3::ZERO),
                (arm, turn(0.6 * swing, 0.0, -x * ARM_DOWN), Vec3::ZERO),
                (forearm, turn(-0.45 - 0.25 * swing.max(0.0), -x * 0.25, 0.0), Vec3::ZERO),
                (hand, turn(-0.1, 0.0, 0.0), Vec3::ZERO),
            ]);
        }
        moved
    })
}

/// Two seconds: the left arm comes up, waves, goes down.
pub(super) fn wave() -> Clip {
    clip("wave", 60, |t| {
        // 0, up to 1, held, down to 0; smooth at both ends.
        let edge = (t * 5.0).min((1.0 - t) * 5.0).clamp(0.0, 1.0);
        let up = edge * edge * (3.0 - 2.0 * edge);
        let swing = (t * TAU * 4.0).sin() * up;
        let breath = (t * TAU).sin();
        vec![
            ("pelvis", turn(0.0, 0.06 * up, 0.03 * up), Vec3::new(-0.02 * up, 0.006 * breath, 0.0)),
            ("spine", turn(0.0, 0.0, -0.05 * up), Vec3::ZERO),
            ("chest", turn(-0.03 * breath, 0.05 * up, -0.06 * up), Vec3::ZERO),
            ("head", turn(-0.06 * up, 0.14 * up, 0.10 * up + 0.03 * swing), Vec3::ZERO),
            ("antenna_1", turn(0.05 * breath, 0.0, 0.10 * swing), Vec3::ZERO),
            ("antenna_2", turn(0.08 * breath, 0.0, 0.18 * swing), Vec3::ZERO),
            ("arm_l", turn(0.0, 0.0, -ARM_DOWN + (ARM_DOWN + 1.0) * up), Vec3::ZERO),
            ("forearm_l", turn(-0.25 * (1.0 - up), 0.0, 1.1 * up + 0.4 * swing), Vec3::ZERO),
            ("hand_l", turn(0.0, 0.0, 0.3 * swing), Vec3::ZERO),
            ("arm_r", turn(0.0, 0.0, ARM_DOWN), Vec3::ZERO),
            ("forearm_r", turn(-0.25, 0.25, 0.0), Vec3::ZERO),
            ("scarf_1", turn(0.05 + 0.04 * breath, 0.0, 0.05 * swing), Vec3::ZERO),
            ("scarf_2", turn(0.06 * breath, 0.0, 0.08 * swing), Vec3::ZERO),
        ]
    })
}
