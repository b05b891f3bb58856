//! A model with something of everything, and ways to change it.

use glam::{Affine3A, Quat, Vec2, Vec3};

use crate::compare::{CompareOptions, Comparison, Difference, DifferenceKind, compare};
use crate::model::{
    Bone, BoneId, BoneTrack, Clip, Event, Hull, Indices, Influences, Interpolation,
    InverseBindSkin, LocalTransform, Material, MaterialId, Mesh, Model, MorphShape, MorphTarget,
    Motion, Report, Skeleton, Skin, Streams, Subset, TextureRef, TextureRole, Track, Trs, UvSet,
    VertexData, VertexId,
};

/// Vertices along one side of the sheet.
pub(super) const SIDE: usize = 6;

pub(super) fn bone(name: &str, parent: Option<u32>, at: Vec3) -> Bone {
    Bone {
        name: name.to_owned(),
        parent: parent.map(BoneId),
        rest_local: LocalTransform::Trs(Trs { translation: at, ..Trs::IDENTITY }),
        ..Bone::default()
    }
}

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
    let subset = |first_index, index_count, material| Subset {
        first_index,
        index_count,
        material: Some(MaterialId(material)),
    };
    let mesh = Mesh {
        name: "sheet".to_owned(),
        vertices: VertexData::Streams(Streams {
            normals: vec![Vec3::Z; positions.len()],
            uv_sets: vec![UvSet {
                name: String::new(),
                coords: numbers().map(|(x, y)| Vec2::new(x, y) / span).collect(),
            }],
            positions,
            ..Streams::default()
        }),
        indices: Indices::U32(indices),
        subsets: vec![subset(0, 60, 0), subset(60, 90, 1)],
        skin: Skin::InverseBind(InverseBindSkin {
            bones: vec![BoneId(0), BoneId(1), BoneId(2)],
            bone_from_mesh: [0.0f32, 2.0, 4.0]
                .map(|x| Affine3A::from_translation(Vec3::X * -x).into())
                .to_vec(),
            influences: Influences::from_lists(lists.iter().map(Vec::as_slice)),
            ..InverseBindSkin::default()
        }),
        morph_targets: vec![MorphTarget::single(
            "smile".to_owned(),
            MorphShape {
                vertices: vec![VertexId(3)],
                position_offsets: vec![Vec3::Z],
                ..MorphShape::default()
            },
        )],
        ..Mesh::default()
    };
    let bones = vec![
        bone("root", None, Vec3::ZERO),
        bone("arm", Some(0), Vec3::X * 2.0),
        bone("hand", Some(1), Vec3::X * 2.0),
    ];
    let material = |name: &str, texture: &str| Material {
        name: name.to_owned(),
        textures: vec![TextureRef::file(TextureRole::BaseColor, texture)],
        ..Material::default()
    };
    Model {
        meshes: vec![mesh],
        materials: vec![material("cloth", "a/cloth.png"), material("hem", "hem.png")],
        skeleton: Skeleton::new(bones, true).unwrap(),
        clips: vec![wave("wave", 1.0)],
        hulls: vec![Hull { points: vec![Vec3::ZERO, Vec3::X] }],
        ..Model::default()
    }
}

/// Bone 1 turns by `angle_rad` over a second and back.
pub(super) fn wave(name: &str, angle_rad: f32) -> Clip {
    let turned = Quat::from_rotation_z(angle_rad);
    let rotation = Track {
        times_secs: vec![0.0, 1.0, 2.0],
        values: vec![Quat::IDENTITY, turned, Quat::IDENTITY],
        interpolation: Interpolation::Linear,
    };
    Clip {
        name: name.to_owned(),
        duration_secs: 2.0,
        motion: Motion::Tracks(vec![BoneTrack {
            bone: BoneId(1),
            translation: None,
            rotation: Some(rotation),
            scale: None,
        }]),
        events: vec![Event {
            time_secs: 0.5,
            name: "step".to_owned(),
            value: String::new(),
            bone: None,
        }],
        ..Clip::default()
    }
}

pub(super) fn streams(model: &mut Model) -> &mut Streams {
    match &mut model.meshes[0].vertices {
        VertexData::Streams(streams) => streams,
        VertexData::Packed(_) => panic!("not floats"),
    }
}

pub(super) fn skin(model: &mut Model) -> &mut InverseBindSkin {
    match &mut model.meshes[0].skin {
        Skin::InverseBind(skin) => skin,
        _ => panic!("no skin"),
    }
}

/// Compares the sheet with one that `change` changes.
pub(super) fn changed(change: impl FnOnce(&mut Model)) -> Comparison {
    let mut b = sheet();
    change(&mut b);
    compared(&sheet(), &b, 0.0)
}

pub(super) fn compared(a: &Model, b: &Model, tolerance: f64) -> Comparison {
    let options = CompareOptions { tolerance, ..CompareOptions::default() };
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
