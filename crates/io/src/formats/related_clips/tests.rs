//! Adding supplied files, and rigs in the folder, to a model of another format.

use crate::formats::ozz::related_archives_tests::{
    Files, clip_names, finding_of, part, rig, with_rests,
};
use crate::formats::{ReadOptions, WriteOptions, by_id, write};
use rigscope_core::model::{
    Bone, BoneId, ClipId, FindingKind, MeshId, Model, RelatedFileRole, RelatedFileUse, Report,
    Skeleton, Trs, ValueKind,
};
use rigscope_core::pose::transfer;

fn glb(model: &Model) -> Vec<u8> {
    let gltf = by_id("gltf").unwrap();
    write(model, gltf, &WriteOptions::default(), &Report::new()).unwrap().remove(0).bytes
}

fn without_clips(model: Model) -> Model {
    Model { clips: Vec::new().into(), ..model }
}

/// The model with other bone names.
fn renamed(model: Model) -> Model {
    let bones = model
        .skeleton
        .bones()
        .iter()
        .map(|bone| Bone { name: format!("other {}", bone.name), ..bone.clone() });
    Model { skeleton: Skeleton::new(bones.collect(), true).unwrap(), ..model }
}

fn why<'a>(related_files: &'a [RelatedFileUse], file: &str) -> (bool, &'a str) {
    let one = related_files.iter().find(|one| one.file == file).unwrap();
    (one.is_used, &one.why)
}

#[test]
fn a_mesh_gets_the_clips_of_the_matching_rig_in_its_folder() {
    let own = rig(1, 20);
    let stretched = |trs: &Trs| Trs { translation: trs.translation * 5.0, ..*trs };
    let files = Files::default()
        .put("hero.glb", glb(&without_clips(own.clone())))
        .put("own_skeleton.ozz", part(&own, "skeleton"))
        .put("own_walk.ozz", part(&own, "animation"))
        .put("few_skeleton.ozz", part(&rig(1, 6), "skeleton"))
        .put("far_skeleton.ozz", part(&with_rests(&own, stretched), "skeleton"))
        .put("strange_skeleton.ozz", part(&renamed(own.clone()), "skeleton"))
        .put("broken_skeleton.ozz", part(&own, "skeleton")[..90].to_vec());
    let (model, _, related_files) = files.open("hero.glb", &[]);
    assert_eq!(clip_names(&model), ["own_walk"], "{related_files:#?}");
    assert_eq!(why(&related_files, "own_skeleton.ozz"), (true, "fits the model's bones best"));
    assert!(why(&related_files, "own_walk.ozz").0);
    assert_eq!(why(&related_files, "few_skeleton.ozz"), (false, "no animation matches it"));
    assert_eq!(
        why(&related_files, "strange_skeleton.ozz"),
        (false, "no bone name occurs in the model")
    );
    // A user who supplies a file has chosen.
    let (model, ..) = files.open("hero.glb", &["few_skeleton.ozz"]);
    assert!(model.clips.is_empty());
}

/// Converting a model to ozz in its own folder must not double its clips.
#[test]
fn clips_that_the_model_has_are_not_added_again() {
    let mut own = rig(1, 20);
    own.clips[ClipId(0)].name = "walk".to_owned();
    let files = Files::default()
        .put("hero.glb", glb(&own))
        .put("hero.skeleton.ozz", part(&own, "skeleton"))
        .put("hero.walk.ozz", part(&own, "animation"));
    let (model, _, related_files) = files.open("hero.glb", &[]);
    assert_eq!(clip_names(&model), ["walk"], "{related_files:#?}");
    assert_eq!(
        why(&related_files, "hero.skeleton.ozz"),
        (false, "the model has clips of the same names")
    );
}

#[test]
fn related_files_are_added_or_reported_with_the_reason() {
    let own = rig(1, 20);
    let flat = |trs: &Trs| Trs { translation: trs.translation * 7.0, ..*trs };
    let mut coat = own.clone();
    "coat".clone_into(&mut coat.meshes[MeshId(0)].name);
    let curve = {
        // One key of a value, without a name.
        let mut bytes = b"\x01ozz-float_track\0".to_vec();
        bytes.extend([1u32, 1, 0].map(u32::to_le_bytes).concat());
        bytes.extend([0f32, 0.5].map(f32::to_le_bytes).concat());
        bytes.push(0);
        bytes
    };
    let files = Files::default()
        .put("hero.glb", glb(&without_clips(own.clone())))
        .put("curve.ozz", curve)
        .put("walk.glb", glb(&own))
        .put("strange.glb", glb(&renamed(with_rests(&own, flat))))
        .put("coat.glb", glb(&without_clips(coat)))
        .put("bare.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec())
        .put("bones.glb", glb(&Model { meshes: Vec::new().into(), ..without_clips(own.clone()) }))
        .put("far.glb", glb(&without_clips(with_far_bind(own.clone()))))
        .put("cut.bsm2", vec![9; 30])
        .put("notes.xyz", b"hello".to_vec());
    let open = |given: &str| {
        let (model, findings, related_files) = files.open("hero.glb", &[given]);
        let left_out = finding_of(&findings, FindingKind::RelatedFileLeftOut);
        let unused = left_out.or_else(|| finding_of(&findings, FindingKind::UnusedRelatedFile));
        let unused = unused.map(str::to_owned);
        (model, unused, related_files)
    };

    let (model, unused, related_files) = open("curve.ozz");
    assert_eq!((model.value_tracks.len(), unused), (1, None));
    assert_eq!(
        (model.value_tracks[0].kind, &*model.value_tracks[0].values),
        (ValueKind::Numbers(1), &[0.5][..])
    );
    assert_eq!(
        why(&related_files, "curve.ozz"),
        (true, "given by the user; curves that move no bone")
    );

    let (model, unused, related_files) = open("walk.glb");
    assert_eq!((model.clips.len(), model.meshes.len(), unused), (1, 1, None));
    assert_eq!(why(&related_files, "walk.glb"), (true, "given by the user"));

    let (model, unused, related_files) = open("coat.glb");
    assert_eq!((model.clips.len(), model.meshes.len(), unused), (0, 2, None));
    let coat = related_files.iter().find(|one| one.file == "coat.glb").unwrap();
    assert_eq!((coat.is_used, coat.role), (true, RelatedFileRole::Skin));

    for (given, known) in [
        (
            "strange.glb",
            "none of its bone names occurs in the model, and matched by their order only",
        ),
        ("bare.obj", "its meshes match none of the model's bones"),
        ("far.glb", "its meshes fit only"),
        ("bones.glb", "it has neither animation nor mesh"),
        ("cut.bsm2", "number of bones"),
        ("notes.xyz", "its format isn't supported"),
    ] {
        let (model, unused, related_files) = open(given);
        assert_eq!((model.clips.len(), model.meshes.len()), (0, 1), "{given}");
        let message = unused.unwrap();
        assert!(message.starts_with(&format!("{given} is not used: {known}")), "{message}");
        let (is_used, why) = why(&related_files, given);
        assert!(!is_used && message.ends_with(why), "{why}");
    }
}

/// Two skeletons with the same number of bones may be different.
#[test]
fn bones_of_other_names_are_matched_by_order_if_their_structure_agrees_or_on_request() {
    let own = rig(1, 20);
    let names = |at: usize| Bone {
        name: format!("joint {at}"),
        ..own.skeleton.bones()[BoneId::from_index(at)].clone()
    };
    // Each bone below the previous one, with the same lengths.
    let chain = (0..20usize)
        .map(|at| Bone { parent: at.checked_sub(1).map(BoneId::from_index), ..names(at) });
    let with_bones =
        |bones: Vec<Bone>| Model { skeleton: Skeleton::new(bones, true).unwrap(), ..own.clone() };
    let files = Files::default()
        .put("hero.glb", glb(&without_clips(own.clone())))
        .put("renamed.glb", glb(&with_bones((0..20).map(names).collect())))
        .put("chain.glb", glb(&with_bones(chain.collect())))
        .put("few.glb", glb(&renamed(rig(1, 12))));
    let by_order = ReadOptions { bones_by_order: true, ..ReadOptions::default() };
    for (given, doubt) in [
        ("renamed.glb", None),
        ("chain.glb", Some("in their order they have other parents")),
        ("few.glb", Some("the number of bones differs")),
    ] {
        let (model, findings, related_files) = files.open("hero.glb", &[given]);
        let unused = finding_of(&findings, FindingKind::RelatedFileLeftOut);
        let is_same_number = given != "few.glb";
        let remedy =
            if is_same_number { "; match bones by their order to use it anyway" } else { "" };
        let expected = doubt.map(|doubt| {
            format!(
                "{given} is not used: none of its bone names occurs in the model, and {doubt}{remedy}"
            )
        });
        assert_eq!(
            (model.clips.len(), unused),
            (usize::from(doubt.is_none()), expected.as_deref())
        );
        let (model, findings, asked) = files.open_with("hero.glb", &[given], &by_order);
        assert_eq!(model.clips.len(), usize::from(is_same_number), "{findings:?}");
        let how = "given by the user; bones are matched by their order";
        assert_eq!(why(&related_files, given) == (true, how), doubt.is_none());
        assert_eq!(why(&asked, given) == (true, how), is_same_number);
    }
}

#[test]
fn the_order_of_bones_without_a_hierarchy_cannot_be_verified() {
    let own = rig(1, 20);
    let flat = own.skeleton.bones().iter();
    let flat = flat.map(|bone| Bone { parent: None, name: String::new(), ..bone.clone() });
    let flat = Model { skeleton: Skeleton::new(flat.collect(), false).unwrap(), ..own.clone() };
    let doubt = super::agrees_by_order(&transfer::matching(&flat, &own)).unwrap_err();
    assert_eq!(doubt, "without a hierarchy their order can't be verified");
}

/// The model bound far from where its bones rest.
fn with_far_bind(mut model: Model) -> Model {
    if let rigscope_core::model::Skin::InverseBind(skin) = &mut model.meshes[MeshId(0)].skin {
        for (number, bind) in skin.bone_from_mesh.iter_mut().enumerate() {
            *bind = glam::Mat4::from_translation(glam::Vec3::X * 100.0 * number as f32) * *bind;
        }
    }
    model
}
