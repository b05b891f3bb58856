//! Signatures of a bending cylinder.

use glam::{DVec3, Quat, Vec3};

use super::*;
use crate::model::testing::*;
use crate::model::{Clip, ClipId, MeshId, Report, Track};

/// A cylinder of rings along a chain of bones, which bends in its clip.
fn tentacle() -> Model {
    const NUM_BONES: u32 = 4;
    const NUM_SIDES: u32 = 12;
    let names = ["root", "low", "middle", "tip"];
    let mut model = ModelBuilder::new().chain(&names).build();
    let rings = NUM_BONES * 4;
    let mut positions = Vec::new();
    let mut lists = Vec::new();
    for ring in 0..=rings {
        let height = ring as f32 * 0.25;
        for side in 0..NUM_SIDES {
            let angle = side as f32 / NUM_SIDES as f32 * std::f32::consts::TAU;
            positions.push(Vec3::new(angle.cos() * 0.3, height, angle.sin() * 0.3));
            let bone = (ring / 4).min(NUM_BONES - 1);
            let share = (ring % 4) as f32 * 0.25;
            let next = (bone + 1).min(NUM_BONES - 1);
            lists.push(vec![(bone, 1.0 - share * 0.5), (next, share * 0.5)]);
        }
    }
    let mut indices = Vec::new();
    for ring in 0..rings {
        for side in 0..NUM_SIDES {
            let at = |ring: u32, side: u32| ring * NUM_SIDES + side % NUM_SIDES;
            let [a, b] = [at(ring, side), at(ring, side + 1)];
            let [c, d] = [at(ring + 1, side), at(ring + 1, side + 1)];
            indices.extend([a, b, c, b, d, c]);
        }
    }
    let skin = InverseBindSkin {
        bones: (0..NUM_BONES).map(BoneId).collect(),
        bone_from_mesh: Vec::new(),
        influences: Influences::from_lists(&lists),
        ..InverseBindSkin::default()
    };
    model.meshes = vec![Mesh {
        vertices: VertexData::Streams(Streams { positions, ..Streams::default() }),
        indices: Indices::U32(indices),
        skin: Skin::InverseBind(skin),
        ..Mesh::default()
    }]
    .into();
    let mut clip = ModelBuilder::new().clip("bend", 2.0);
    for bone in 1..NUM_BONES {
        let rotation = |angle: f32| Quat::from_rotation_x(angle);
        let keys = (0..=8).map(|key| (f64::from(key) * 0.25, rotation(0.1 * key as f32)));
        clip = clip.rotation(bone, linear(keys));
    }
    model.clips = vec![clip.into_clip()].into();
    check::check(&mut model, &Report::new());
    model
}

fn signature(model: &Model) -> Signature {
    Signature::of(model, &Report::new()).unwrap()
}

fn changes(change: impl FnOnce(&mut Model)) -> Changes {
    let before = tentacle();
    let mut after = before.clone();
    change(&mut after);
    signature(&before).changes(&signature(&after), Tolerance::SameFormat)
}

fn positions(model: &mut Model) -> &mut Vec<Vec3> {
    &mut streams_mut(&mut model.meshes[MeshId(0)]).positions
}

fn rotations(model: &mut Model, track: usize) -> &mut Track<Quat> {
    tracks_mut(&mut model.clips[ClipId(0)])[track].rotation.as_mut().unwrap()
}

#[test]
fn another_order_changes_nothing() {
    let reversed = changes(|model| {
        let mesh = &mut model.meshes[MeshId(0)];
        let last = u32::try_from(mesh.num_vertices()).unwrap() - 1;
        let skin = inverse_bind_mut(mesh);
        skin.influences.map_rows(|_, row| row.reverse());
        skin.influences = skin.influences.of_vertices((0..=last as usize).rev());
        let indices: Vec<u32> = mesh.indices.iter().map(|index| last - index).collect();
        let triangles: Vec<[u32; 3]> = indices.as_chunks::<3>().0.iter().rev().copied().collect();
        mesh.indices = Indices::U32(triangles.concat());
        positions(model).reverse();
    });
    assert!(reversed.is_empty(), "{reversed:?}");
    // Splitting vertices, as at seams, changes only their number.
    let split = changes(|model| {
        let mesh = &mut model.meshes[MeshId(0)];
        let corners: Vec<usize> = mesh.indices.iter().map(|index| index as usize).collect();
        let skin = inverse_bind_mut(mesh);
        skin.influences = skin.influences.of_vertices(corners.iter().copied());
        mesh.indices = Indices::U32((0..u32::try_from(corners.len()).unwrap()).collect());
        let old = positions(model).clone();
        *positions(model) = corners.into_iter().map(|corner| old[corner]).collect();
    });
    assert!(split.is_empty(), "{split:?}");
}

#[test]
fn a_single_vertex_that_moves_by_a_ten_thousandth_is_noticed() {
    let size = signature(&tentacle()).size;
    for vertex in [0, 57, 100, 203] {
        for direction in
            [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, -0.8, 0.0), DVec3::ONE * 0.577]
        {
            let changes =
                changes(|model| positions(model)[vertex] += (direction * size * 1e-4).as_vec3());
            assert!(changes.bind.is_some(), "{vertex} {direction}");
        }
    }
}

#[test]
fn rounding_errors_are_tolerated() {
    let rounded = changes(|model| {
        for (at, position) in positions(model).iter_mut().enumerate() {
            *position *= if at % 2 == 0 { 1.0 + 1e-7 } else { 1.0 - 1e-7 };
        }
    });
    assert!(rounded.bind.is_none_or(|moved| moved.at_least == 0.0));
    let before = tentacle();
    let mut after = before.clone();
    for position in positions(&mut after) {
        *position = (*position * 20_000.0).round() / 20_000.0;
    }
    let tolerance = Tolerance::OtherFormat { precision: 2e-5 };
    let changes = signature(&before).changes(&signature(&after), tolerance);
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn changed_keys_are_found_in_their_clip() {
    let late = changes(|model| {
        let rotation = rotations(model, 1);
        rotation.values[7] = Quat::from_rotation_x(0.8);
    });
    let [(name, ClipChange::Moved(moved))] = &*late.clips else { panic!("{late:?}") };
    assert_eq!(name, "bend");
    assert!(moved.at_least > 1e-3 && moved.time_secs == Some(1.75), "{moved:?}");
    assert!(late.bind.is_none() && late.rest.is_none());
    // The tip moves by a few ten-thousandths of the size at a single key.
    let slight = changes(|model| {
        let rotation = rotations(model, 2);
        rotation.values[3] = Quat::from_rotation_x(0.3 + 4e-4);
    });
    assert!(matches!(&*slight.clips, [(_, ClipChange::Moved(_))]), "{slight:?}");
}

#[test]
fn other_clips_bones_and_weights_are_named() {
    let renamed = changes(|model| model.clips[ClipId(0)].name = "bow".into());
    let kinds: Vec<_> = renamed.clips.iter().map(|(name, change)| (&name[..], change)).collect();
    assert_eq!(kinds, [("bend", &ClipChange::Removed), ("bow", &ClipChange::Added)]);
    let faster = changes(|model| {
        model.clips[ClipId(0)].duration_secs = 1.0;
        for track in 0..3 {
            rotations(model, track).times_secs.iter_mut().for_each(|time| *time *= 0.5);
        }
    });
    let retimed = ClipChange::Retimed { before: [0.0, 2.0], after: [0.0, 1.0] };
    assert_eq!(faster.clips, [("bend".to_owned(), retimed)]);
    let mut bones = tentacle().skeleton.bones().clone();
    bones[BoneId(2)].name = "center".into();
    let bones = Skeleton::new(bones.into_vec(), true).unwrap();
    let renamed = changes(|model| model.skeleton = bones);
    assert!(renamed.has_other_bones, "{renamed:?}");
    let lost = changes(|model| {
        let skin = inverse_bind_mut(&mut model.meshes[MeshId(0)]);
        let Influences::Rows { weights, .. } = &mut skin.influences else { panic!("rows") };
        weights[40] = 0.0;
    });
    assert!(lost.has_other_weights, "{lost:?}");
    let scaled = changes(|model| {
        positions(model).iter_mut().for_each(|position| *position *= 2.0);
    });
    assert!(scaled.scaled_by.is_some_and(|ratio| (ratio - 2.0).abs() < 1e-6), "{scaled:?}");
}

#[test]
fn clips_posed_at_other_moments_are_compared_by_their_samples() {
    let full = signature(&tentacle());
    let mut limited = full.clone();
    let clip = limited.clips.get_mut("bend").unwrap();
    clip.limited_to = Some(2);
    clip.segments.iter_mut().for_each(|segment| segment.waves = [1e3; 6]);
    assert!(full.changes(&limited, Tolerance::SameFormat).is_empty());
    limited.clips.get_mut("bend").unwrap().segments[1].samples[0][1] += 0.01;
    let changes = full.changes(&limited, Tolerance::SameFormat);
    assert!(matches!(changes.clips[..], [(_, ClipChange::Moved(moved))] if moved.at_least > 0.009));
    // A clip that wasn't posed can't be compared.
    limited.clips.get_mut("bend").unwrap().segments.clear();
    assert!(full.changes(&limited, Tolerance::SameFormat).is_empty());
}

#[test]
fn signatures_of_many_clips_pose_fewer_moments() {
    let mut model = tentacle();
    let clip = model.clips[ClipId(0)].clone();
    model.meshes = vec![model.meshes[MeshId(0)].clone(); 100].into();
    model.clips = (0..1000).map(|at| Clip { name: at.to_string(), ..clip.clone() }).collect();
    let signature = signature(&model);
    let num_moments = signature.clips.values().map(|clip| clip.limited_to);
    assert!(num_moments.clone().all(|num| num.is_some_and(|num| num < 16)));
    assert!(num_moments.flatten().sum::<u32>() > 0);
}
