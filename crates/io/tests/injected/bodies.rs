//! Joints of random bodies: bipeds, quadrupeds, spiders, tentacles, boxes and vehicles.

#![allow(clippy::type_complexity, reason = "short tables of functions")]

use std::f32::consts::TAU;

use glam::Vec3;
use rigscope_testing::Random;

/// A joint: name, parent, head in metres.
pub(crate) type Joint = (String, Option<usize>, Vec3);

/// One of a list.
pub(crate) fn choose<T: Copy>(random: &mut Random, list: &[T]) -> T {
    list[random.below(list.len())]
}

/// The joints of a random body, and its kind.
pub(crate) fn joints(random: &mut Random) -> (&'static str, Vec<Joint>) {
    let kinds: [(&str, fn(&mut Random) -> Vec<Joint>); 7] = [
        ("biped", biped),
        ("biped", biped),
        ("quadruped", quadruped),
        ("spider", spider),
        ("tentacle", tentacle),
        ("boxes", boxes),
        ("vehicle", vehicle),
    ];
    let (kind, of) = choose(random, &kinds);
    (kind, of(random))
}

/// A factor around 1.
fn about(random: &mut Random) -> f32 {
    0.75 + 0.5 * random.unit()
}

#[derive(Default)]
struct Builder(Vec<Joint>);

impl Builder {
    fn add(&mut self, name: impl Into<String>, parent: Option<usize>, head: Vec3) -> usize {
        self.0.push((name.into(), parent, head));
        self.0.len() - 1
    }

    /// A chain from a joint; each head is relative to the one before.
    fn chain(&mut self, names: &[String], parent: usize, steps: &[Vec3]) -> usize {
        let mut above = parent;
        for (name, step) in names.iter().zip(steps) {
            let head = self.0[above].2 + *step;
            above = self.add(name.clone(), Some(above), head);
        }
        above
    }
}

/// How a rig names the bones of its sides: (prefix, left, right).
const SIDES: [(&str, fn(&str, bool) -> String); 4] = [
    ("", |name, is_left| format!("{}{name}", if is_left { "Left" } else { "Right" })),
    ("mixamorig:", |name, is_left| {
        format!("mixamorig:{}{name}", if is_left { "Left" } else { "Right" })
    }),
    ("", |name, is_left| format!("{}.{}", name.to_lowercase(), if is_left { "L" } else { "R" })),
    ("Bip01 ", |name, is_left| format!("Bip01 {} {name}", if is_left { "L" } else { "R" })),
];

fn biped(random: &mut Random) -> Vec<Joint> {
    let (prefix, side) = choose(random, &SIDES);
    let size = 0.6 + random.unit();
    let [leg, trunk, arm, head] = std::array::from_fn(|_| about(random) * size);
    let is_t = random.below(2) == 0;
    let mut all = Builder::default();
    let one = |name: &str| format!("{prefix}{name}");
    let hips = all.add(one("Hips"), None, Vec3::new(0.0, 0.95 * leg, 0.0));
    let names = ["Spine", "Chest", "Neck", "Head"].map(one);
    let steps = [
        Vec3::new(0.0, 0.15 * trunk, 0.0),
        Vec3::new(0.0, 0.2 * trunk, 0.01),
        Vec3::new(0.0, 0.2 * trunk, -0.01),
        Vec3::new(0.0, 0.12 * head, 0.02),
    ];
    all.chain(&names, hips, &steps);
    let chest = hips + 2;
    for is_left in [true, false] {
        let x = if is_left { 1.0 } else { -1.0 };
        let down = if is_t { Vec3::new(0.26, 0.0, 0.0) } else { Vec3::new(0.17, -0.2, 0.0) };
        let names = ["Arm", "ForeArm", "Hand"].map(|name| side(name, is_left));
        let steps = [Vec3::new(0.18, 0.12, 0.0), down, down + Vec3::new(0.0, 0.0, 0.02)];
        all.chain(&names, chest, &steps.map(|step| step * Vec3::new(x, 1.0, 1.0) * arm));
        let names = ["UpLeg", "Leg", "Foot", "ToeBase"].map(|name| side(name, is_left));
        let steps = [
            Vec3::new(0.1, -0.05, 0.0),
            Vec3::new(0.01, -0.4, 0.02),
            Vec3::new(0.0, -0.4, -0.04),
            Vec3::new(0.0, -0.07, 0.13),
        ];
        all.chain(&names, hips, &steps.map(|step| step * Vec3::new(x, 1.0, 1.0) * leg));
    }
    all.0
}

fn quadruped(random: &mut Random) -> Vec<Joint> {
    let [leg, trunk, neck] = std::array::from_fn(|_| about(random));
    let mut all = Builder::default();
    let pelvis = all.add("pelvis", None, Vec3::new(0.0, 0.7 * leg, -0.4 * trunk));
    let names = ["spine", "chest", "neck", "head"].map(str::to_owned);
    let steps = [
        Vec3::new(0.0, 0.02, 0.3 * trunk),
        Vec3::new(0.0, 0.02, 0.35 * trunk),
        Vec3::new(0.0, 0.11, 0.2) * neck,
        Vec3::new(0.0, 0.15, 0.15) * neck,
    ];
    all.chain(&names, pelvis, &steps);
    let names: Vec<String> = (0..2 + random.below(4)).map(|at| format!("tail{at}")).collect();
    let steps: Vec<Vec3> = names.iter().map(|_| Vec3::new(0.0, -0.03, -0.16)).collect();
    all.chain(&names, pelvis, &steps);
    for (names, above, z) in [
        (["thigh", "shin", "foot", "toe"], pelvis, -1.0),
        (["arm", "forearm", "hand", "finger"], pelvis + 2, 1.0),
    ] {
        for (letter, x) in [("L", 1.0), ("R", -1.0)] {
            let names = names.map(|name| format!("{name}.{letter}"));
            let steps = [
                Vec3::new(0.12 * x, -0.08, 0.02),
                Vec3::new(0.0, -0.27, 0.04 * z),
                Vec3::new(0.0, -0.28, -0.03 * z),
                Vec3::new(0.0, -0.04, 0.1),
            ];
            all.chain(&names, above, &steps.map(|step| step * Vec3::new(1.0, leg, 1.0)));
        }
    }
    all.0
}

fn spider(random: &mut Random) -> Vec<Joint> {
    let mut all = Builder::default();
    let body = all.add("body", None, Vec3::new(0.0, 0.4, 0.0));
    let num_legs = 3 + random.below(6);
    let reach = 0.25 * about(random);
    for leg in 0..num_legs {
        let angle = TAU * (leg as f32 + 0.3) / num_legs as f32;
        let out = Vec3::new(angle.cos(), 0.0, angle.sin()) * reach;
        let names = ["hip", "knee", "tip"].map(|name| format!("{name}{leg}"));
        let steps = [out * 0.5, out + Vec3::Y * 0.2, out * 0.7 - Vec3::Y * 0.45];
        all.chain(&names, body, &steps);
    }
    all.0
}

fn tentacle(random: &mut Random) -> Vec<Joint> {
    let mut all = Builder::default();
    let mut head = Vec3::new(0.0, 0.1 * random.unit(), 0.0);
    let mut direction = Vec3::Y;
    let mut above = None;
    for at in 0..4 + random.below(9) {
        above = Some(all.add(format!("t{at}"), above, head));
        direction = (direction + random.vec3() * 0.4).normalize_or_zero();
        head += direction * 0.25 * about(random);
    }
    all.0
}

/// A few boxes on a few bones, as in a first test of an exporter.
fn boxes(random: &mut Random) -> Vec<Joint> {
    let mut all = Builder::default();
    let num = 3 + random.below(4);
    let mut above = all.add("root", None, Vec3::new(0.0, 0.95 * random.unit(), 0.0));
    for at in 1..num {
        let head = all.0[above].2 + Vec3::new(0.1, 0.5, 0.05) * about(random) + random.vec3() * 0.1;
        let bone = all.add(format!("bone{at}"), Some(above), head);
        above = if random.below(3) == 0 { 0 } else { bone };
    }
    all.0
}

fn vehicle(random: &mut Random) -> Vec<Joint> {
    let mut all = Builder::default();
    let chassis = all.add("chassis", None, Vec3::new(0.0, 0.6, 0.0));
    let [wide, long] = [about(random), 1.5 * about(random)];
    for (at, (x, z)) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)].iter().enumerate() {
        let head = Vec3::new(x * wide, 0.3, z * long);
        all.add(format!("wheel{at}"), Some(chassis), head);
    }
    let turret = all.add("turret", Some(chassis), Vec3::new(0.0, 1.1, 0.0));
    all.add("barrel", Some(turret), Vec3::new(0.0, 1.2, 0.5 * long));
    all.0
}
