//! A model with every feature, and ways to change it.

use crate::model::MeshId;
use glam::{Quat, Vec2, Vec3};

use crate::compare::{Comparison, DiffOptions, Difference, DifferenceKind, compare};
use crate::model::testing::*;

/// Vertices along one side of the sheet.
pub(super) const SIDE: usize = 6;

/// A bent sheet of 6 x 6 vertices on three bones in a row, waving.
pub(super) fn sheet() -> Model {
    let numbers = || (0..SIDE * SIDE).map(|i| ((i % SIDE) as f32, (i / SIDE) as f32));
    let positions: Vec<Vec3> = numbers().map(|(x, y)| Vec3::new(x, y, 0.1 * x * y)).collect();
    let span = (SIDE - 1) as f32;
    let lists: Vec<Vec<(u32, f32)>> = numbers()
        .map(|(x, _)| match x {
            x if x < 1.5 => vec![(0, 1.0)],
            x if x < 3.5 => vec![(0, 0.25), (1, 0.75)],
            _ => vec![(1, 0.5), (2, 0.5)],
        })
        .collect();
    let mut indices = Vec::new();
    for corner in (0..SIDE * (SIDE - 1)).filter(|i| i % SIDE != SIDE - 1) {
        let (at, row) = (u32::try_from(corner).unwrap(), u32::try_from(SIDE).unwrap());
        indices.extend([at, at + 1, at + row, at + row, at + 1, at + row + 1]);
    }
    let along = Vec3::X * 2.0;
    ModelBuilder::new()
        .bones(&[("root", None, Vec3::ZERO), ("arm", Some(0), along), ("hand", Some(1), along)])
        .mesh(positions)
        .name("sheet")
        .indices(indices)
        .subsets(&[(60, Some(0)), (90, Some(1))])
        .normal(Vec3::Z)
        .uvs(numbers().map(|(x, y)| Vec2::new(x, y) / span).collect::<Vec<_>>())
        .bound(lists)
        .morph("smile", &[(3, Vec3::Z)])
        .textured("cloth", "a/cloth.png")
        .textured("hem", "hem.png")
        .add_clip(wave("wave", 1.0))
        .with(|model| model.hulls = vec![Hull { points: vec![Vec3::ZERO, Vec3::X] }])
        .build()
}

/// Bone 1 rotates by `angle_rad` over a second and back.
pub(super) fn wave(name: &str, angle_rad: f32) -> Clip {
    let rotations = [0.0, angle_rad, 0.0].map(Quat::from_rotation_z);
    let clip = ModelBuilder::new().clip(name, 2.0);
    let step = Event { time_secs: 0.5, name: "step".into(), value: String::new(), bone: None };
    let clip = clip.rotation(1, linear([0.0, 1.0, 2.0].into_iter().zip(rotations))).into_clip();
    Clip { events: vec![step], ..clip }
}

pub(super) fn streams(model: &mut Model) -> &mut Streams {
    streams_mut(&mut model.meshes[MeshId(0)])
}

pub(super) fn skin(model: &mut Model) -> &mut InverseBindSkin {
    inverse_bind_mut(&mut model.meshes[MeshId(0)])
}

/// Compares the sheet with a copy modified by `change`.
pub(super) fn changed(change: impl FnOnce(&mut Model)) -> Comparison {
    let mut b = sheet();
    change(&mut b);
    compared(&sheet(), &b, 0.0)
}

pub(super) fn compared(a: &Model, b: &Model, tolerance: f64) -> Comparison {
    let options = DiffOptions { tolerance, ..DiffOptions::default() };
    compare(a, b, &options, &Report::new()).unwrap()
}

pub(super) fn find(comparison: &Comparison, kind: DifferenceKind) -> &Difference {
    let found = comparison.differences.iter().find(|d| d.kind == kind);
    found.unwrap_or_else(|| panic!("no {kind:?} in {:#?}", comparison.differences))
}

pub(super) fn kinds(comparison: &Comparison) -> Vec<DifferenceKind> {
    let mut kinds: Vec<_> = comparison.differences.iter().map(|d| d.kind).collect();
    kinds.dedup();
    kinds
}
