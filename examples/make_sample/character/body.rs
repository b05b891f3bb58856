//! The parts of the figure, each with one material.

use glam::{Vec2, Vec3};
use rigscope_core::model::{
    BoneId, Indices, Influences, InverseBindSkin, Material, MaterialId, Mesh, Skeleton, Skin,
    Streams, Subset, UvSet, VertexData,
};
use rigscope_core::reshape::add_tangents;

use super::skeleton::{bone, inverse_binds};
use super::tube::{Ring, Shape};

/// The name of a material and the function that builds its surface.
type Part = (&'static str, fn(&mut Shape));

/// One mesh per part, and their materials.
pub(super) fn meshes(skeleton: &Skeleton) -> (Vec<Mesh>, Vec<Material>) {
    let parts: [Part; 6] = [
        ("suit", suit),
        ("skin", face),
        ("eyes", eyes),
        ("boots_and_gloves", boots_and_gloves),
        ("scarf", scarf),
        ("antenna", antenna),
    ];
    let mut meshes = Vec::new();
    let mut materials = Vec::new();
    for (index, (name, build)) in parts.into_iter().enumerate() {
        let mut shape = Shape::default();
        build(&mut shape);
        let shape = shape.without_unused();
        meshes.push(mesh(name, shape, MaterialId::from_index(index), skeleton.len()));
        materials.push(Material { name: name.into(), textures: Vec::new(), ..Material::default() });
    }
    (meshes, materials)
}

fn mesh(name: &str, shape: Shape, material: MaterialId, num_bones: usize) -> Mesh {
    let normals = shape.normals();
    let mut streams = Streams {
        positions: shape.positions,
        normals,
        uv_sets: vec![UvSet { name: String::new(), coords: shape.uvs }],
        ..Streams::default()
    };
    add_tangents(&mut streams, &shape.indices);
    Mesh {
        name: name.into(),
        vertices: VertexData::Streams(streams),
        subsets: vec![Subset {
            first_index: 0,
            index_count: u32::try_from(shape.indices.len()).unwrap_or(0),
            material: Some(material),
        }],
        indices: Indices::U32(shape.indices),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: (0..num_bones).map(BoneId::from_index).collect(),
            bone_from_mesh: inverse_binds(),
            influences: Influences::from_lists(&shape.weights),
            ..InverseBindSkin::default()
        }),
        ..Mesh::default()
    }
}

fn ring(center: [f32; 3], radii: [f32; 2], weights: &[(&str, f32)]) -> Ring {
    Ring {
        center: Vec3::from(center),
        radii: Vec2::from(radii),
        weights: weights.iter().map(|&(name, weight)| (bone(name), weight)).collect(),
    }
}

/// Torso, arms and legs.
fn suit(shape: &mut Shape) {
    let torso = [
        ring([0.0, 0.46, 0.0], [0.0, 0.0], &[("pelvis", 1.0)]),
        ring([0.0, 0.465, 0.0], [0.12, 0.10], &[("pelvis", 1.0)]),
        ring([0.0, 0.50, 0.0], [0.195, 0.155], &[("pelvis", 1.0)]),
        ring([0.0, 0.57, 0.0], [0.225, 0.18], &[("pelvis", 0.9), ("spine", 0.1)]),
        ring([0.0, 0.65, 0.0], [0.225, 0.18], &[("pelvis", 0.6), ("spine", 0.4)]),
        ring([0.0, 0.73, 0.0], [0.215, 0.175], &[("pelvis", 0.2), ("spine", 0.7), ("chest", 0.1)]),
        ring([0.0, 0.81, 0.0], [0.215, 0.175], &[("spine", 0.6), ("chest", 0.4)]),
        ring([0.0, 0.89, 0.0], [0.215, 0.17], &[("spine", 0.2), ("chest", 0.8)]),
        ring([0.0, 0.97, 0.0], [0.195, 0.155], &[("chest", 1.0)]),
        ring([0.0, 1.03, 0.0], [0.14, 0.125], &[("chest", 1.0)]),
        ring([0.0, 1.07, 0.0], [0.10, 0.10], &[("chest", 0.5), ("neck", 0.5)]),
        ring([0.0, 1.14, 0.0], [0.10, 0.10], &[("neck", 1.0)]),
    ];
    shape.tube(&torso, 24, Vec3::Z);
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let [arm, forearm, hand] = ["arm", "forearm", "hand"].map(|n| format!("{n}_{side}"));
        let [thigh, shin, foot] = ["thigh", "shin", "foot"].map(|n| format!("{n}_{side}"));
        let (arm, forearm, hand) = (arm.as_str(), forearm.as_str(), hand.as_str());
        let (thigh, shin, foot) = (thigh.as_str(), shin.as_str(), foot.as_str());
        let along = |t: f32| [x * (0.13 + 0.47 * t), 1.03 - 0.34 * t, 0.02 * t];
        let limb = [
            ring(along(0.0), [0.04, 0.05], &[("chest", 1.0)]),
            ring(along(0.06), [0.072, 0.075], &[("chest", 0.8), (arm, 0.2)]),
            ring(along(0.16), [0.085, 0.085], &[("chest", 0.35), (arm, 0.65)]),
            ring(along(0.28), [0.08, 0.08], &[(arm, 1.0)]),
            ring(along(0.42), [0.072, 0.072], &[(arm, 0.9), (forearm, 0.1)]),
            ring(along(0.50), [0.069, 0.069], &[(arm, 0.7), (forearm, 0.3)]),
            ring(along(0.575), [0.067, 0.067], &[(arm, 0.5), (forearm, 0.5)]),
            ring(along(0.65), [0.065, 0.065], &[(arm, 0.25), (forearm, 0.75)]),
            ring(along(0.75), [0.064, 0.064], &[(forearm, 1.0)]),
            ring(along(0.90), [0.062, 0.062], &[(forearm, 0.8), (hand, 0.2)]),
            ring(along(0.98), [0.058, 0.058], &[(forearm, 0.4), (hand, 0.6)]),
        ];
        shape.tube(&limb, 16, Vec3::Z);
        let leg = [
            ring([x * 0.11, 0.62, 0.0], [0.05, 0.05], &[("pelvis", 1.0)]),
            ring([x * 0.115, 0.57, 0.0], [0.105, 0.11], &[("pelvis", 0.7), (thigh, 0.3)]),
            ring([x * 0.12, 0.50, 0.0], [0.112, 0.115], &[("pelvis", 0.3), (thigh, 0.7)]),
            ring([x * 0.122, 0.43, 0.0], [0.104, 0.106], &[(thigh, 1.0)]),
            ring([x * 0.124, 0.37, 0.005], [0.096, 0.098], &[(thigh, 0.75), (shin, 0.25)]),
            ring([x * 0.125, 0.32, 0.01], [0.092, 0.094], &[(thigh, 0.5), (shin, 0.5)]),
            ring([x * 0.126, 0.27, 0.008], [0.09, 0.092], &[(thigh, 0.25), (shin, 0.75)]),
            ring([x * 0.128, 0.21, 0.004], [0.088, 0.09], &[(shin, 1.0)]),
            ring([x * 0.13, 0.15, 0.0], [0.086, 0.088], &[(shin, 0.7), (foot, 0.3)]),
            ring([x * 0.13, 0.11, 0.0], [0.08, 0.082], &[(shin, 0.3), (foot, 0.7)]),
        ];
        // From the hip down: the line runs downwards, so the front stays the front.
        shape.tube(&leg, 16, Vec3::Z);
    }
}

/// The head and two ears.
fn face(shape: &mut Shape) {
    let head = bone("head");
    shape.ball(Vec3::new(0.0, 1.40, 0.0), Vec3::new(0.335, 0.295, 0.305), head, [32, 20]);
    for x in [1.0, -1.0] {
        let center = Vec3::new(x * 0.335, 1.40, -0.01);
        shape.ball(center, Vec3::new(0.045, 0.075, 0.06), head, [12, 8]);
    }
}

/// Whites, pupils and a nose.
fn eyes(shape: &mut Shape) {
    let head = bone("head");
    for x in [1.0, -1.0] {
        let center = Vec3::new(x * 0.125, 1.43, 0.245);
        shape.ball(center, Vec3::new(0.062, 0.085, 0.05), head, [16, 12]);
    }
    shape.ball(Vec3::new(0.0, 1.345, 0.305), Vec3::new(0.032, 0.026, 0.026), head, [12, 8]);
}

fn boots_and_gloves(shape: &mut Shape) {
    for (side, x) in [("l", 1.0), ("r", -1.0)] {
        let foot = format!("foot_{side}");
        let foot = foot.as_str();
        let at = |z: f32, y: f32, half: [f32; 2]| ring([x * 0.132, y, z], half, &[(foot, 1.0)]);
        let boot = [
            at(-0.115, 0.07, [0.0, 0.0]),
            at(-0.108, 0.07, [0.055, 0.045]),
            at(-0.07, 0.075, [0.09, 0.072]),
            at(0.0, 0.08, [0.103, 0.08]),
            at(0.08, 0.072, [0.104, 0.071]),
            at(0.15, 0.062, [0.09, 0.058]),
            at(0.19, 0.055, [0.06, 0.042]),
            at(0.205, 0.052, [0.0, 0.0]),
        ];
        shape.tube(&boot, 16, Vec3::Y);
        let cuff = [
            ring([x * 0.13, 0.10, 0.0], [0.095, 0.095], &[(foot, 1.0)]),
            ring([x * 0.13, 0.15, 0.0], [0.104, 0.104], &[(foot, 1.0)]),
            ring([x * 0.13, 0.175, 0.0], [0.104, 0.104], &[(foot, 1.0)]),
            ring([x * 0.13, 0.18, 0.0], [0.085, 0.087], &[(foot, 1.0)]),
        ];
        shape.tube(&cuff, 16, Vec3::Z);
        let hand = bone(&format!("hand_{side}"));
        shape.ball(Vec3::new(x * 0.65, 0.66, 0.02), Vec3::new(0.082, 0.088, 0.075), hand, [16, 12]);
        shape.ball(
            Vec3::new(x * 0.625, 0.655, 0.095),
            Vec3::new(0.032, 0.05, 0.036),
            hand,
            [10, 8],
        );
    }
}

/// A collar around the neck and a tail down the back, on the figure's left.
fn scarf(shape: &mut Shape) {
    const TURNS: u32 = 24;
    let collar: Vec<Ring> = (0..=TURNS)
        .map(|step| {
            let (sin, cos) = (step as f32 / TURNS as f32 * std::f32::consts::TAU).sin_cos();
            ring(
                [sin * 0.135, 1.075 + cos * 0.012, -cos * 0.125],
                [0.055, 0.05],
                &[("chest", 0.6), ("neck", 0.4)],
            )
        })
        .collect();
    shape.tube(&collar, 12, Vec3::Y);
    let tail = [
        ring([0.07, 1.085, -0.13], [0.0, 0.0], &[("chest", 1.0)]),
        ring([0.075, 1.08, -0.14], [0.05, 0.03], &[("chest", 0.8), ("scarf_1", 0.2)]),
        ring([0.10, 1.03, -0.20], [0.068, 0.026], &[("chest", 0.2), ("scarf_1", 0.8)]),
        ring([0.125, 0.95, -0.25], [0.076, 0.024], &[("scarf_1", 1.0)]),
        ring([0.15, 0.86, -0.30], [0.082, 0.022], &[("scarf_1", 0.5), ("scarf_2", 0.5)]),
        ring([0.17, 0.77, -0.335], [0.088, 0.02], &[("scarf_2", 1.0)]),
        ring([0.185, 0.69, -0.36], [0.092, 0.018], &[("scarf_2", 1.0)]),
        ring([0.187, 0.685, -0.361], [0.0, 0.0], &[("scarf_2", 1.0)]),
    ];
    shape.tube(&tail, 12, Vec3::NEG_Z);
}

fn antenna(shape: &mut Shape) {
    let stalk = [
        ring([0.0, 1.66, 0.0], [0.04, 0.04], &[("head", 1.0)]),
        ring([0.0, 1.69, 0.0], [0.022, 0.022], &[("head", 0.5), ("antenna_1", 0.5)]),
        ring([0.0, 1.74, 0.0], [0.016, 0.016], &[("antenna_1", 1.0)]),
        ring([0.0, 1.80, 0.0], [0.014, 0.014], &[("antenna_1", 0.5), ("antenna_2", 0.5)]),
        ring([0.0, 1.86, 0.0], [0.013, 0.013], &[("antenna_2", 1.0)]),
    ];
    shape.tube(&stalk, 10, Vec3::Z);
    shape.ball(Vec3::new(0.0, 1.89, 0.0), Vec3::splat(0.052), bone("antenna_2"), [16, 12]);
}
