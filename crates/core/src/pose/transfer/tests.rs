//! Clips added to other models.

use crate::model::{ClipId, MaterialId, MeshId};
use glam::{Affine3A, Quat, Vec3};

use super::{add_clips, add_meshes};
use crate::model::testing::*;
use crate::pose::{PoseSpec, sample};

fn skeleton(names: &[&str]) -> Skeleton {
    ModelBuilder::new().chain(names).build().skeleton
}

fn walking(names: &[&str]) -> Model {
    let mut walking = ModelBuilder::new().chain(names).clip("", 1.0);
    for bone in 0..u32::try_from(names.len()).unwrap() {
        walking = walking
            .translation(bone, linear([(0.0, Vec3::new(bone as f32, 2.0, 3.0))]))
            .rotation(bone, linear([(0.0, Quat::from_rotation_x(0.5))]));
    }
    walking.build()
}

#[test]
fn unmatched_bones_are_listed_and_the_rest_is_added() {
    let mut model = Model { skeleton: skeleton(&["Hips", "Head"]), ..Model::default() };
    let report = Report::new();
    add_clips(&mut model, &walking(&["Hips", "Head", "Tail"]), "walk", &report);
    assert_eq!(model.clips[ClipId(0)].name, "walk");
    // Tracks remain tracks if the parents are the same.
    let tracks = tracks(&model.clips[ClipId(0)]);
    assert_eq!(tracks.len(), 2);
    assert_eq!(tracks[1].bone, BoneId(1));
    let findings = report.findings();
    let unmatched = findings.iter().find(|n| n.kind == FindingKind::UnmatchedBones);
    assert_eq!(
        unmatched.unwrap().message,
        "1 of 3 bones of walk has no counterpart in the model: Tail"
    );

    let report = Report::new();
    add_clips(&mut model, &walking(&["Hips", "Head", ""]), "walk", &report);
    let findings = report.findings();
    let unmatched = findings.iter().find(|n| n.kind == FindingKind::UnmatchedBones);
    assert_eq!(
        unmatched.unwrap().message,
        "1 of 3 bones of walk has no counterpart in the model: bone 2",
        "it has no name"
    );
}

#[test]
fn animated_morph_targets_without_a_counterpart_are_reported() {
    let face = |target: &str| {
        let mesh = ModelBuilder::new().chain(&["Hips"]).triangle().name("face").attached_to(0);
        mesh.morph(target, &[(0, Vec3::X)])
    };
    let weights = linear([(0.0, 0.0), (1.0, 1.0)]);
    let track = MorphTrack { mesh: MeshId(0), target: 0, weights };
    let clip =
        Clip { morph_tracks: vec![track], ..ModelBuilder::new().clip("talk", 1.0).into_clip() };
    let animation = face("smile").add_clip(clip).build();
    let finding_of = |mut model: Model| {
        let report = Report::new();
        add_clips(&mut model, &animation, "talk", &report);
        let findings = report.findings().into_iter();
        let mut found = findings.filter(|finding| finding.kind == FindingKind::UnmatchedChannels);
        found.next().map(|finding| finding.message)
    };
    assert_eq!(finding_of(face("smile").build()), None);
    let message = finding_of(face("blink").build()).unwrap();
    let wanted = "1 animated morph target of talk has no counterpart in the model: smile";
    assert_eq!(message, wanted);
}

#[test]
fn missing_intermediate_bones_are_bridged_in_model_space() {
    let mut model = Model { skeleton: skeleton(&["Root", "Head"]), ..Model::default() };
    // The other skeleton has an intermediate bone that this one lacks.
    let animation = walking(&["Root", "Neck", "Head"]);
    add_clips(&mut model, &animation, "walk", &Report::new());
    let spec = |time| PoseSpec::linear(ClipId(0), time);
    let there = sample(&animation, &spec(0.0)).model_from_bone;
    let here = sample(&model, &spec(0.0)).model_from_bone;
    assert!(here[BoneId(0)].abs_diff_eq(there[BoneId(0)], 1e-5));
    assert!(here[BoneId(1)].abs_diff_eq(there[BoneId(2)], 1e-5));
}

#[test]
fn clips_with_other_axes_are_added() {
    let mut animation = walking(&["Hips", "Head"]);
    animation.axes = Axes {
        up: UpAxis::Z,
        handedness: Handedness::Left,
        unit_meters: Some(0.3048),
        ..Axes::default()
    };
    let mut model = Model {
        skeleton: skeleton(&["Hips", "Head"]),
        axes: Axes { unit_meters: Some(0.01), ..Axes::default() },
        ..Model::default()
    };
    add_clips(&mut model, &animation, "walk", &Report::new());
    assert_eq!(model.clips.len(), 1);
}

#[test]
fn sampled_keys_are_remapped_to_the_matching_bones() {
    let keys = [Affine3A::from_translation(Vec3::X), Affine3A::from_translation(Vec3::Y)];
    let mut animation = walking(&["Hips", "Neck"]);
    animation.clips[ClipId(0)] = sampled("keys", KeySpace::Local, 0, 2, &keys);
    let mut model = Model { skeleton: skeleton(&["Hips", "Neck", "Head"]), ..Model::default() };
    add_clips(&mut model, &animation, "x", &Report::new());
    let keys = &model.clips[ClipId(0)].as_sampled().unwrap().keys;
    assert_eq!(keys.matrix(0, 0), Some(Affine3A::from_translation(Vec3::X)));
    assert_eq!(keys.matrix(0, 1), Some(Affine3A::from_translation(Vec3::Y)));
    assert_eq!(keys.matrix(0, 2), Some(LocalTransform::default().to_affine()));
}

#[test]
fn mesh_is_added_only_if_the_skeleton_has_all_its_bones() {
    let mut body = walking(&["Hips", "Head"]);
    body.materials = vec![Material::default()].into();
    let mut hat = Model { skeleton: skeleton(&["Head"]), ..Model::default() };
    hat.images =
        vec![Image { name: "felt".into(), bytes: ByteView::whole(Vec::new()), is_embedded: true }]
            .into();
    hat.materials = vec![Material {
        textures: vec![TextureRef::embedded(TextureRole::BaseColor, ImageId(0))],
        ..Material::default()
    }]
    .into();
    hat.meshes = vec![Mesh {
        attached_to: Some(BoneId(0)),
        subsets: vec![Subset { first_index: 0, index_count: 0, material: Some(MaterialId(0)) }],
        ..Mesh::default()
    }]
    .into();
    body.images = hat.images.clone();
    assert_eq!(add_meshes(&mut body, &hat, "hat", &Report::new()), 1);
    assert_eq!(body.meshes[MeshId(0)].attached_to, Some(BoneId(1)));
    assert_eq!(body.meshes[MeshId(0)].subsets[0].material, Some(MaterialId(1)));
    assert_eq!(body.materials[MaterialId(1)].textures[0].image, Some(ImageId(1)));

    hat.skeleton = skeleton(&["Tail"]);
    let report = Report::new();
    assert_eq!(add_meshes(&mut body, &hat, "hat", &report), 0);
    assert!(report.findings().is_empty() && body.meshes.len() == 1);
}

/// A mesh with targets of these names.
fn face(names: &[&str]) -> Mesh {
    let target = |name: &&str| MorphTarget::single((*name).to_owned(), MorphShape::default());
    Mesh { morph_targets: names.iter().map(target).collect(), ..Mesh::default() }
}

/// Curves that move the second target of the first mesh.
#[derive(Debug)]
struct Smile;

impl Curves for Smile {
    fn sample(&self, _: f64, _: &mut IdVec<BoneId, Affine3A>) {}

    fn sample_morphs(&self, time_secs: f64, weights: &mut [Vec<f32>]) {
        // May also be called for only the skeleton, without meshes.
        if let Some(weight) = weights.first_mut().and_then(|own| own.get_mut(1)) {
            *weight = if time_secs < 0.5 { 0.25 } else { 0.75 };
        }
    }
}

#[test]
fn morph_tracks_and_live_curves_are_added_without_bones() {
    let weights = curve(Interpolation::Step, [(0.0, 0.25), (0.5, 0.75)]);
    let motions =
        [Motion::Tracks(Vec::new()), Motion::Curves(LiveCurves(std::sync::Arc::new(Smile)))];
    for motion in motions {
        let is_live = matches!(motion, Motion::Curves(_));
        for (names, own, at) in [(["frown", "smile"], ["smile", "x"], 0), (["", ""], ["a", "b"], 1)]
        {
            let mut animation = walking(&[]);
            animation.meshes = vec![face(&names)].into();
            animation.clips[ClipId(0)].motion = motion.clone();
            if !is_live {
                animation.clips[ClipId(0)].morph_tracks =
                    vec![MorphTrack { mesh: MeshId(0), target: 1, weights: weights.clone() }];
            }
            let mut model = Model { meshes: vec![face(&own)].into(), ..Model::default() };
            add_clips(&mut model, &animation, "face", &Report::new());
            for (time_secs, weight) in [(0.0, 0.25), (0.75, 0.75)] {
                let spec = PoseSpec::linear(ClipId(0), time_secs);
                let weights = sample(&model, &spec).morph_weights;
                assert_eq!(weights[0][at], weight);
                assert_eq!(weights[0][1 - at], 0.0);
            }
        }
    }
}

#[test]
fn sampled_keys_that_need_too_much_memory_are_not_remapped() {
    let keys = vec![Affine3A::from_translation(Vec3::X); 40_000];
    let clip = |space| sampled("long", space, 1, 1, &keys);
    let mut animation = walking(&["Bone 0"]);
    animation.clips = vec![clip(KeySpace::Local), clip(KeySpace::Skin)].into();
    let mut model = ModelBuilder::new();
    for at in 0..1000 {
        model = model.bones(&[(&format!("Bone {at}"), None, Vec3::ZERO)]);
    }
    let mut model = model.build();
    add_clips(&mut model, &animation, "long", &Report::new());
    assert_eq!(model.clips.len(), 1, "finished matrices cannot be replayed");
    assert!(matches!(model.clips[ClipId(0)].motion, Motion::Curves(_)));
    let bones = sample(&model, &PoseSpec { clip: Some(ClipId(0)), ..PoseSpec::default() });
    assert_eq!(bones.model_from_bone[BoneId(0)].translation, glam::Vec3A::X);
}

#[test]
fn packed_vertices_are_remapped_through_their_skin_slots() {
    let mut model = ModelBuilder::new().chain(&["Hips", "Head"]).build();
    let on_head = packed_vertex(Vec3::ZERO);
    let hat = Mesh {
        vertices: VertexData::Packed(PackedVertices::from_vertices([on_head])),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: vec![BoneId(0), BoneId(1)],
            influences: Influences::InVertices,
            ..InverseBindSkin::default()
        }),
        ..Mesh::default()
    };
    let other = ModelBuilder::new().chain(&["Head", "Hips"]).add_mesh(hat).build();
    assert_eq!(add_meshes(&mut model, &other, "hat", &Report::new()), 1);
    let mut moved_by = Vec::new();
    model.meshes[MeshId(0)].for_each_influence(0, |bone, weight| moved_by.push((bone, weight)));
    // By index it would be the hips.
    assert_eq!(moved_by, [(BoneId(1), 1.0)]);
}
