//! Rigs made in code: a biped, a quadruped, a face with morph targets, a tentacle and a prop.
//!
//! Each bone is surrounded by a closed tube with normals, tangents, UVs, and smooth weights across joints.

#[path = "surface.rs"]
pub(crate) mod surface;

use rigscope_core::model::MeshId;
use std::f32::consts::TAU;

use glam::{Affine3A, Mat4, Quat, Vec3};
use rigscope_core::images::png;
use rigscope_core::model::*;
use rigscope_testing::{ModelBuilder, morph, skin, streams, subsets_of};
use surface::Surface;

/// A joint: name, parent, head in metres.
type Joint = (&'static str, Option<usize>, [f32; 3]);

const BIPED: &[Joint] = &[
    ("Hips", None, [0.0, 0.95, 0.0]),
    ("Spine", Some(0), [0.0, 1.1, 0.0]),
    ("Chest", Some(1), [0.0, 1.3, 0.01]),
    ("Neck", Some(2), [0.0, 1.5, 0.0]),
    ("Head", Some(3), [0.0, 1.6, 0.02]),
    ("LeftArm", Some(2), [0.18, 1.42, 0.0]),
    ("LeftForeArm", Some(5), [0.45, 1.41, -0.02]),
    ("LeftHand", Some(6), [0.7, 1.4, 0.0]),
    ("RightArm", Some(2), [-0.18, 1.42, 0.0]),
    ("RightForeArm", Some(8), [-0.45, 1.41, -0.02]),
    ("RightHand", Some(9), [-0.7, 1.4, 0.0]),
    ("LeftUpLeg", Some(0), [0.1, 0.9, 0.0]),
    ("LeftLeg", Some(11), [0.11, 0.5, 0.02]),
    ("LeftFoot", Some(12), [0.11, 0.1, -0.02]),
    ("LeftToe", Some(13), [0.11, 0.03, 0.12]),
    ("RightUpLeg", Some(0), [-0.1, 0.9, 0.0]),
    ("RightLeg", Some(15), [-0.11, 0.5, 0.02]),
    ("RightFoot", Some(16), [-0.11, 0.1, -0.02]),
    ("RightToe", Some(17), [-0.11, 0.03, 0.12]),
];

const QUADRUPED: &[Joint] = &[
    ("pelvis", None, [0.0, 0.7, -0.4]),
    ("spine", Some(0), [0.0, 0.72, -0.1]),
    ("chest", Some(1), [0.0, 0.74, 0.25]),
    ("neck", Some(2), [0.0, 0.85, 0.45]),
    ("head", Some(3), [0.0, 1.0, 0.6]),
    ("tail", Some(0), [0.0, 0.72, -0.6]),
    ("tail_end", Some(5), [0.0, 0.6, -0.85]),
    ("thigh.L", Some(0), [0.12, 0.62, -0.4]),
    ("shin.L", Some(7), [0.12, 0.35, -0.45]),
    ("foot.L", Some(8), [0.12, 0.06, -0.42]),
    ("toe.L", Some(9), [0.12, 0.02, -0.32]),
    ("thigh.R", Some(0), [-0.12, 0.62, -0.4]),
    ("shin.R", Some(11), [-0.12, 0.35, -0.45]),
    ("foot.R", Some(12), [-0.12, 0.06, -0.42]),
    ("toe.R", Some(13), [-0.12, 0.02, -0.32]),
    ("arm.L", Some(2), [0.12, 0.62, 0.28]),
    ("forearm.L", Some(15), [0.12, 0.35, 0.25]),
    ("hand.L", Some(16), [0.12, 0.04, 0.28]),
    ("arm.R", Some(2), [-0.12, 0.62, 0.28]),
    ("forearm.R", Some(18), [-0.12, 0.35, 0.25]),
    ("hand.R", Some(19), [-0.12, 0.04, 0.28]),
];

const TENTACLE: &[Joint] = &[
    ("t0", None, [0.0, 0.0, 0.0]),
    ("t1", Some(0), [0.05, 0.4, 0.0]),
    ("t2", Some(1), [0.15, 0.8, 0.05]),
    ("t3", Some(2), [0.3, 1.15, 0.0]),
    ("t4", Some(3), [0.5, 1.4, -0.05]),
    ("t5", Some(4), [0.75, 1.6, 0.0]),
    ("t6", Some(5), [1.0, 1.7, 0.05]),
];

const PROP: &[Joint] = &[
    ("base", None, [0.0, 0.0, 0.0]),
    ("arm", Some(0), [0.0, 0.5, 0.0]),
    ("lamp", Some(1), [0.3, 0.8, 0.1]),
];

/// All rigs with their names.
pub(crate) fn all() -> Vec<(String, Model)> {
    let rigs = [
        ("biped", BIPED, 0.05),
        ("quadruped", QUADRUPED, 0.05),
        ("tentacle", TENTACLE, 0.07),
        ("prop", PROP, 0.06),
    ];
    let mut all: Vec<(String, Model)> = rigs
        .into_iter()
        .map(|(name, joints, radius)| (name.to_owned(), rig(joints, radius)))
        .collect();
    all.push(("face".to_owned(), face()));
    all.push(("lamps".to_owned(), lamps()));
    all
}

/// A joint and its ancestors, nearest first.
fn parents(joints: &[Joint], bone: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(bone), |bone| joints[*bone].1)
}

fn rig(joints: &[Joint], radius: f32) -> Model {
    let heads: Vec<Vec3> = joints.iter().map(|(.., head)| Vec3::from_array(*head)).collect();
    let tails: Vec<Vec3> = (0..joints.len())
        .map(|at| {
            let child = joints.iter().position(|(_, parent, _)| *parent == Some(at));
            match (child, joints[at].1) {
                (Some(child), _) => heads[child],
                (None, Some(parent)) => heads[at] + (heads[at] - heads[parent]) * 0.6,
                (None, None) => heads[at] + Vec3::Y * 0.3,
            }
        })
        .collect();
    let placed: Vec<Affine3A> = (0..joints.len())
        .map(|at| {
            Affine3A::from_rotation_translation(Surface::turn(tails[at] - heads[at]), heads[at])
        })
        .collect();
    let mut builder = ModelBuilder::new();
    for (at, (name, parent, _)) in joints.iter().enumerate() {
        let local = match parent {
            Some(parent) => placed[*parent].inverse() * placed[at],
            None => placed[at],
        };
        let rest_local = LocalTransform::Trs(Trs::from_affine(local));
        let parent = parent.map(|parent| BoneId(u32::try_from(parent).unwrap()));
        builder = builder.add_bone(Bone {
            name: (*name).to_owned(),
            parent,
            rest_local,
            ..Bone::default()
        });
    }
    let mut surface = Surface::default();
    for bone in 0..joints.len() {
        add_tube(&mut surface, joints, bone, [heads[bone], tails[bone]], radius);
    }
    let binds: Vec<(u32, Mat4)> =
        (0u32..).zip(&placed).map(|(bone, placed)| (bone, Mat4::from(placed.inverse()))).collect();
    let mesh = named(surface.mesh(skin(&binds, &surface.weights)));
    let mut model = builder.add_mesh(mesh).build();
    model.axes.unit_meters = Some(1.0);
    let clips = [("walk", 0.5, 24), ("run", 0.7, 15), ("idle", 0.3, 30), ("turn", 0.4, 20)];
    model.clips =
        clips.into_iter().map(|(name, amount, keys)| clip(&model, name, amount, keys)).collect();
    paint(&mut model);
    model
}

/// A clip in which each bone swings about its axes, and the root moves forward.
fn clip(model: &Model, name: &str, amount: f32, num_keys: u8) -> Clip {
    const KEYS_PER_SEC: f64 = 24.0;
    let times: Vec<f64> = (0..=num_keys).map(|key| f64::from(key) / KEYS_PER_SEC).collect();
    let tracks = model.skeleton.bones().iter_enumerated().map(|(bone, own)| {
        let rest = own.rest_local.to_trs();
        let phase = bone.0 as f32 * 1.3;
        let swing = |key: u8| {
            let turn = TAU * f32::from(key) / f32::from(num_keys) + phase;
            let angles =
                Vec3::new(turn.sin(), 0.4 * (turn * 2.0).cos(), 0.3 * (turn + 1.0).sin()) * amount;
            rest.rotation * Quat::from_euler(glam::EulerRot::XYZ, angles.x, angles.y, angles.z)
        };
        let moved = |key: u8| match own.parent {
            None => rest.translation + Vec3::Z * (0.8 * f32::from(key) / f32::from(num_keys)),
            Some(_) => rest.translation,
        };
        let turned = |key: u8| match own.parent {
            None => rest.rotation * Quat::from_rotation_x(0.05 * swing(key).x),
            Some(_) => swing(key),
        };
        let track = |values| Track {
            times_secs: times.clone(),
            values,
            interpolation: Interpolation::Linear,
        };
        BoneTrack {
            bone,
            translation: Some(Track {
                times_secs: times.clone(),
                values: (0..=num_keys).map(moved).collect(),
                interpolation: Interpolation::Linear,
            }),
            rotation: Some(track((0..=num_keys).map(turned).collect())),
            scale: None,
        }
    });
    Clip {
        name: name.to_owned(),
        duration_secs: f64::from(num_keys) / KEYS_PER_SEC,
        motion: Motion::Tracks(tracks.collect()),
        ..Clip::default()
    }
}

/// Adds a closed tube around a bone. Its first half follows the bone and its ancestors in equal parts at the end.
fn add_tube(
    surface: &mut Surface,
    joints: &[Joint],
    bone: usize,
    [head, tail]: [Vec3; 2],
    radius: f32,
) {
    const RINGS: f32 = 6.0;
    let first = surface.streams.positions.len();
    surface.tube([head, tail], radius);
    let along = tail - head;
    for position in &surface.streams.positions[first..] {
        let share: f32 = (*position - head).dot(along) / along.length_squared();
        let of_above: f32 = (0.5 - (share * RINGS).round() / RINGS).max(0.0);
        let chain: Vec<usize> = parents(joints, bone).collect();
        let shares = match (chain.get(1), chain.get(2)) {
            (Some(_), Some(_)) => vec![1.0 - of_above, of_above * 0.6, of_above * 0.4],
            (Some(_), None) => vec![1.0 - of_above, of_above],
            _ => vec![1.0],
        };
        let pairs = chain.iter().zip(shares).filter(|(_, share)| *share > 0.0);
        let list = pairs.map(|(bone, share)| (u32::try_from(*bone).unwrap(), share)).collect();
        surface.weights.push(list);
    }
}

fn named(mesh: Mesh) -> Mesh {
    Mesh { name: "body".to_owned(), ..mesh }
}

/// Adds a texture whose colours match at the seams of the tubes.
pub(crate) fn paint(model: &mut Model) {
    const SIDE: u8 = 64;
    let mut texels = Vec::new();
    for y in 0..SIDE {
        for x in 0..SIDE {
            let at = |step: u8| (f32::from(step) + 0.5) / f32::from(SIDE);
            let (u, v) = (at(x), at(y));
            let share = if v > 0.5 { 0.5 + (0.96 - v) / 0.84 } else { (v - 0.04) / 0.84 };
            let wave = |phase: f32| 0.5 + 0.5 * (TAU * (u + share * 0.5 + phase)).cos();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a channel"
            )]
            let channel = |value: f32| (value * 255.0) as u8;
            texels.extend([channel(wave(0.0)), channel(wave(0.3)), channel(share), 255]);
        }
    }
    // A TGA header for uncompressed texels, first row at the top.
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, SIDE, 0, SIDE, 0, 32, 0x28];
    tga.extend(texels);
    let bytes = ByteView::whole(png(&tga, "body.tga").unwrap());
    model.images.push(Image { name: "body.png".to_owned(), bytes, is_embedded: true });
    let textures = vec![TextureRef::embedded(TextureRole::BaseColor, ImageId(0))];
    model.materials.push(Material { textures, ..Material::default() });
    for mesh in &mut model.meshes {
        mesh.subsets = subsets_of(&[(u32::try_from(mesh.indices.len()).unwrap(), Some(0))]);
    }
}

/// Lamps on nodes, one of which is mirrored.
fn lamps() -> Model {
    let place = |x: f32, scale: Vec3| {
        LocalTransform::Trs(Trs {
            translation: Vec3::new(x, 0.0, 0.0),
            rotation: Quat::IDENTITY,
            scale,
        })
    };
    let nodes = [
        ("left", -0.5, Vec3::ONE),
        ("right", 0.5, Vec3::new(-1.0, 1.0, 1.0)),
        ("middle", 0.0, Vec3::ONE),
    ];
    let mut builder = ModelBuilder::new();
    for (name, x, scale) in nodes {
        builder = builder.add_bone(Bone {
            name: name.to_owned(),
            rest_local: place(x, scale),
            ..Bone::default()
        });
    }
    let mut surface = Surface::default();
    let heads = PROP.iter().map(|(.., head)| Vec3::from_array(*head)).collect::<Vec<_>>();
    add_tube(&mut surface, PROP, 0, [heads[0], heads[1]], 0.05);
    add_tube(&mut surface, PROP, 1, [heads[1], heads[2]], 0.04);
    for bone in 0..3 {
        let mesh = Mesh { attached_to: Some(BoneId(bone)), ..named(surface.mesh(Skin::None)) };
        builder = builder.add_mesh(mesh);
    }
    let mut model = builder.build();
    model.axes.unit_meters = Some(1.0);
    paint(&mut model);
    model
}

/// A head with bones for jaw and eyes, and morph targets that move parts of it.
fn face() -> Model {
    const JOINTS: &[Joint] = &[
        ("neck", None, [0.0, 1.4, 0.0]),
        ("head", Some(0), [0.0, 1.5, 0.0]),
        ("jaw", Some(1), [0.0, 1.5, 0.06]),
        ("eye.L", Some(1), [0.03, 1.58, 0.08]),
        ("eye.R", Some(1), [-0.03, 1.58, 0.08]),
    ];
    let mut model = rig(JOINTS, 0.05);
    let mesh = &mut model.meshes[MeshId(0)];
    let positions = streams(mesh).positions.clone();
    let target = |name: &str, center: Vec3, by: Vec3| {
        let near = (0u32..).zip(&positions).filter(|(_, at)| at.distance(center) < 0.12);
        let offsets: Vec<(u32, Vec3)> =
            near.map(|(vertex, at)| (vertex, by * (1.0 - at.distance(center) / 0.12))).collect();
        morph(name, &offsets)
    };
    mesh.morph_targets = vec![
        target("smile", Vec3::new(0.0, 1.5, 0.1), Vec3::new(0.01, 0.015, 0.0)),
        target("blink", Vec3::new(0.0, 1.6, 0.1), Vec3::new(0.0, -0.02, 0.005)),
        target("open", Vec3::new(0.0, 1.45, 0.1), Vec3::new(0.0, -0.03, 0.0)),
    ];
    model
}
