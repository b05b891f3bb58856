//! Rigs with random proportions, bone axes, roots, weights and clips.
//!
//! A seed always gives the same rig. No two decisions depend on each other, so that any style of bones occurs with any
//! kind of surface.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::{Affine3A, EulerRot, Mat4, Quat, Vec3};
use rigscope_core::model::*;
use rigscope_testing::{ModelBuilder, Random, skin};

use super::bodies::{Joint, choose, joints};
use super::rigs::{paint, surface::Surface};

/// The rig of a seed, and a name that tells its kind.
pub(crate) fn rig(seed: u64) -> (String, Model) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let random = &mut random;
    for _ in 0..4 {
        random.bits();
    }
    let (kind, joints) = joints(random);
    let style = Style::new(random, kind);
    let name = format!("{kind} {seed}, {style}");
    (name, style.build(random, &joints))
}

/// How the bones' axes relate to their direction in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq)]
enum BoneAxes {
    /// All bones have the axes of the model, as in many engines and hand-written exporters.
    OfModel,
    /// Y along the bone, as in Blender.
    YAlong,
    /// X along the bone, as in 3ds Max.
    XAlong,
    /// Y along the bone, with any roll.
    Rolled,
    /// Unrelated to the direction.
    Any,
}

/// The node above the bones.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Root {
    Nothing,
    /// A node without a transform.
    Node,
    /// A node scaled by 0.01, with everything below it in centimetres.
    Centimetres,
    /// A node that turns Z up into Y up.
    ZUp,
}

/// The surface around a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Tube,
    Box,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Weights {
    /// Blended across joints.
    Smooth,
    /// Each vertex has one bone.
    Rigid,
}

struct Style {
    kind: &'static str,
    axes: BoneAxes,
    root: Root,
    shape: Shape,
    weights: Weights,
    /// The mesh is split into this many meshes, which share a skin.
    num_meshes: usize,
    /// The bones are in a random order in the skin.
    is_shuffled: bool,
    has_normals: bool,
    has_texture: bool,
    has_translation_keys: bool,
    is_rest_posed: bool,
    num_clips: usize,
    radius: f32,
}

impl std::fmt::Display for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}/{:?}/{:?}/{:?}", self.axes, self.root, self.shape, self.weights)?;
        let flags = [(self.is_rest_posed, "posed"), (self.num_meshes > 1, "split")];
        flags.iter().filter(|(is, _)| *is).try_for_each(|(_, name)| write!(f, "/{name}"))
    }
}

impl Style {
    fn new(random: &mut Random, kind: &'static str) -> Self {
        use BoneAxes::{Any, OfModel, Rolled, XAlong, YAlong};
        let axes = choose(random, &[OfModel, OfModel, YAlong, XAlong, Rolled, Any]);
        let root = choose(
            random,
            &[Root::Nothing, Root::Nothing, Root::Node, Root::Centimetres, Root::ZUp],
        );
        let shape = choose(random, &[Shape::Tube, Shape::Tube, Shape::Box]);
        let is_hard = matches!(kind, "boxes" | "vehicle");
        Self {
            kind,
            axes,
            root,
            shape: if is_hard { Shape::Box } else { shape },
            weights: if is_hard || random.below(4) == 0 { Weights::Rigid } else { Weights::Smooth },
            num_meshes: if random.below(3) == 0 { 2 + random.below(3) } else { 1 },
            is_shuffled: random.below(4) == 0,
            has_normals: random.below(6) != 0,
            has_texture: shape == Shape::Tube && !is_hard && random.below(2) == 0,
            has_translation_keys: random.below(2) == 0,
            is_rest_posed: random.below(5) == 0,
            num_clips: 1 + random.below(4),
            radius: 0.03 + 0.05 * random.unit(),
        }
    }

    fn build(&self, random: &mut Random, joints: &[Joint]) -> Model {
        let heads: Vec<Vec3> = joints.iter().map(|(.., head)| *head).collect();
        let tails: Vec<Vec3> = (0..joints.len()).map(|at| tail(joints, at)).collect();
        let placed: Vec<Affine3A> = (0..joints.len())
            .map(|at| {
                let rotation = self.rotation(random, tails[at] - heads[at]);
                Affine3A::from_rotation_translation(rotation, heads[at])
            })
            .collect();
        let (above, scale) = match self.root {
            Root::Nothing => (None, 1.0),
            Root::Node => (Some(Trs::IDENTITY), 1.0),
            Root::Centimetres => (Some(Trs { scale: Vec3::splat(0.01), ..Trs::IDENTITY }), 100.0),
            Root::ZUp => {
                let rotation = Quat::from_rotation_x(-FRAC_PI_2);
                (Some(Trs { rotation, ..Trs::IDENTITY }), 1.0)
            }
        };
        let mut builder = ModelBuilder::new();
        let first = u32::from(above.is_some());
        if let Some(trs) = above {
            builder = builder.add_bone(Bone {
                name: "Armature".to_owned(),
                rest_local: LocalTransform::Trs(trs),
                ..Bone::default()
            });
        }
        let armature = above.map_or(Affine3A::IDENTITY, |trs| trs.to_affine());
        let local = |at: usize| match joints[at].1 {
            Some(parent) => {
                let own = placed[parent].inverse() * placed[at];
                Trs { translation: Vec3::from(own.translation) * scale, ..Trs::from_affine(own) }
            }
            None => Trs { scale: Vec3::ONE, ..Trs::from_affine(armature.inverse() * placed[at]) },
        };
        let rest: Vec<Trs> = (0..joints.len()).map(local).collect();
        for (at, (name, parent, _)) in joints.iter().enumerate() {
            let parent = parent.map(|parent| BoneId(first + u32::try_from(parent).unwrap()));
            builder = builder.add_bone(Bone {
                name: name.clone(),
                parent: parent.or(above.map(|_| BoneId(0))),
                rest_local: LocalTransform::Trs(rest[at]),
                ..Bone::default()
            });
        }
        // The bones are in centimetres below a scaled armature, and the skin takes the scale back.
        let bound: Vec<Mat4> = placed
            .iter()
            .map(|placed| Mat4::from_scale(Vec3::splat(scale)) * Mat4::from(placed.inverse()))
            .collect();
        let mut order: Vec<usize> = (0..joints.len()).collect();
        if self.is_shuffled {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at + 1));
            }
        }
        let mut slot_of = vec![0u32; joints.len()];
        order.iter().zip(0..).for_each(|(joint, slot)| slot_of[*joint] = slot);
        let binds: Vec<(u32, Mat4)> = order
            .iter()
            .map(|joint| (first + u32::try_from(*joint).unwrap(), bound[*joint]))
            .collect();
        let num_meshes = self.num_meshes.min(joints.len());
        for part in 0..num_meshes {
            let mut surface = Surface::default();
            for joint in (0..joints.len()).filter(|joint| joint * num_meshes / joints.len() == part)
            {
                let ends = [heads[joint], tails[joint]];
                self.surround(&mut surface, joints, joint, ends, &slot_of);
            }
            let mut mesh = surface.mesh(skin(&binds, &surface.weights));
            mesh.name = format!("part{part}");
            if !self.has_normals {
                let streams = rigscope_testing::streams_mut(&mut mesh);
                (streams.normals, streams.tangents) = (Vec::new(), Vec::new());
            }
            builder = builder.add_mesh(mesh);
        }
        let mut model = builder.build();
        model.axes.unit_meters = Some(1.0);
        for number in 0..self.num_clips {
            let clip = self.clip(random, joints, &rest, first, scale, number);
            model.clips.push(clip);
        }
        if self.is_rest_posed {
            pose_rest(&mut model);
        }
        if self.has_texture {
            paint(&mut model);
        }
        model
    }

    fn rotation(&self, random: &mut Random, along: Vec3) -> Quat {
        let y_along = Surface::turn(along);
        match self.axes {
            BoneAxes::OfModel => Quat::IDENTITY,
            BoneAxes::YAlong => y_along,
            BoneAxes::XAlong => y_along * Quat::from_rotation_z(FRAC_PI_2),
            BoneAxes::Rolled => y_along * Quat::from_rotation_y(TAU * random.unit()),
            BoneAxes::Any => {
                let angles = random.vec3() * 3.0;
                Quat::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z)
            }
        }
    }

    fn surround(
        &self,
        surface: &mut Surface,
        joints: &[Joint],
        joint: usize,
        ends: [Vec3; 2],
        slot_of: &[u32],
    ) {
        let first = surface.streams.positions.len();
        match self.shape {
            Shape::Tube => surface.tube(ends, self.radius),
            Shape::Box => surface.cuboid(ends, self.radius),
        }
        let along = ends[1] - ends[0];
        let parent = joints[joint].1;
        for position in &surface.streams.positions[first..] {
            let share = (*position - ends[0]).dot(along) / along.length_squared();
            let of_parent = (0.5 - share).clamp(0.0, 0.5);
            let list = match parent.filter(|_| self.weights == Weights::Smooth && of_parent > 0.0) {
                Some(parent) => {
                    vec![(slot_of[joint], 1.0 - of_parent), (slot_of[parent], of_parent)]
                }
                None => vec![(slot_of[joint], 1.0)],
            };
            surface.weights.push(list);
        }
    }

    /// A clip in which bones swing about their rest rotations, and the first one travels.
    fn clip(
        &self,
        random: &mut Random,
        joints: &[Joint],
        rest: &[Trs],
        first: u32,
        scale: f32,
        number: usize,
    ) -> Clip {
        let keys_per_sec = choose(random, &[24.0, 30.0, 30.0, 60.0]);
        let num_keys = 8 + random.below(40);
        let amount = 0.15 + 0.6 * random.unit();
        let travel = if random.below(2) == 0 { random.unit() * 2.0 } else { 0.0 };
        let times: Vec<f64> = (0..=num_keys).map(|key| key as f64 / keys_per_sec).collect();
        let mut tracks = Vec::new();
        for (at, (_, parent, _)) in joints.iter().enumerate() {
            let phase = random.vec3() * 3.0;
            let share = |key: usize| TAU * key as f32 / num_keys as f32;
            let swing = |key: usize| {
                let is_wheel = self.kind == "vehicle" && parent.is_some();
                if is_wheel {
                    return Quat::from_rotation_x(share(key));
                }
                let turn = Vec3::splat(share(key)) + phase;
                let angles = Vec3::new(turn.x.sin(), 0.4 * turn.y.sin(), 0.5 * turn.z.sin())
                    * amount
                    * if parent.is_some() { 1.0 } else { 0.1 };
                Quat::from_euler(EulerRot::XYZ, angles.x, angles.y, angles.z)
            };
            let own = rest[at];
            let linear = |values| Track {
                times_secs: times.clone(),
                values,
                interpolation: Interpolation::Linear,
            };
            let rotation = linear((0..=num_keys).map(|key| own.rotation * swing(key)).collect());
            let moves = parent.is_none();
            let is_keyed = moves || self.has_translation_keys;
            let translation = is_keyed.then(|| Track {
                times_secs: times.clone(),
                values: (0..=num_keys)
                    .map(|key| {
                        let by = travel * key as f32 / num_keys as f32;
                        let bob = 0.02 * (share(key) * 2.0).sin();
                        let moved = Vec3::new(0.0, bob, by) * scale;
                        own.translation + if moves { moved } else { Vec3::ZERO }
                    })
                    .collect(),
                interpolation: Interpolation::Linear,
            });
            let bone = BoneId(first + u32::try_from(at).unwrap());
            tracks.push(BoneTrack { bone, translation, rotation: Some(rotation), scale: None });
        }
        Clip {
            name: format!("clip{number}"),
            duration_secs: num_keys as f64 / keys_per_sec,
            motion: Motion::Tracks(tracks),
            ..Clip::default()
        }
    }
}

/// Makes a moment of the first clip the rest pose, without binding the mesh again.
pub(crate) fn pose_rest(model: &mut Model) {
    let Some(Motion::Tracks(tracks)) = model.clips.first().map(|clip| clip.motion.clone()) else {
        return;
    };
    let bones: Vec<Bone> = model
        .skeleton
        .bones()
        .iter_enumerated()
        .map(|(id, bone)| {
            let mut trs = bone.rest_local.to_trs();
            let track = tracks.iter().find(|track| track.bone == id);
            if let Some(rotation) = track.and_then(|track| track.rotation.as_ref()) {
                trs.rotation = rotation.values[rotation.values.len() / 3];
            }
            Bone { rest_local: LocalTransform::Trs(trs), ..bone.clone() }
        })
        .collect();
    model.skeleton = Skeleton::new(bones, model.skeleton.has_hierarchy()).unwrap();
}

/// The end of a joint's bone.
fn tail(joints: &[Joint], at: usize) -> Vec3 {
    let head = joints[at].2;
    let child = joints.iter().find(|(_, parent, _)| *parent == Some(at));
    match (child, joints[at].1) {
        (Some(child), _) => child.2,
        (None, Some(parent)) => head + (head - joints[parent].2).clamp_length(0.05, 0.3) * 0.8,
        (None, None) => head + Vec3::Y * 0.3,
    }
}
