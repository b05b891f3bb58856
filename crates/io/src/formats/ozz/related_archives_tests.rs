//! Meshes, skeletons and animations of several rigs in one folder.

use rigscope_core::model::MeshId;
use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3};

use super::*;
use crate::formats::{Folder, ReadOptions, RelatedFile, Source, WriteOptions, open};
use rigscope_core::pose::{PoseSpec, skin_model};
use rigscope_testing::*;

fn rotation(random: &mut Random) -> Quat {
    Quat::from_vec4(random.vec3().extend(1.5)).normalize()
}

/// A rig bound in another pose, and elsewhere, than its rest pose; one clip rotates its bones.
pub(in crate::formats) fn rig(seed: u64, num_bones: usize) -> Model {
    let mut random = Random(seed);
    let bone = |at: usize| Bone {
        name: format!("bone {at}"),
        // Branches, each numbered to its end.
        parent: match at % 5 {
            _ if at == 0 => None,
            4 => Some(BoneId::from_index(at - 3)),
            _ => Some(BoneId::from_index(at - 1)),
        },
        rest_local: LocalTransform::Trs(Trs {
            translation: random.vec3(),
            rotation: rotation(&mut random),
            ..Trs::IDENTITY
        }),
        ..Bone::default()
    };
    let bones: Vec<Bone> = (0..num_bones).map(bone).collect();
    let mut bound: Vec<Affine3A> = Vec::new();
    for bone in &bones {
        let rest = bone.rest_local.to_trs();
        let local = Affine3A::from_rotation_translation(rotation(&mut random), rest.translation);
        let place =
            Affine3A::from_rotation_translation(rotation(&mut random), Vec3::new(3.0, 0.0, 1.0));
        let place = place * Affine3A::from_scale(Vec3::splat(2.0));
        let above = bone.parent.map_or(place, |parent| bound[parent.index()]);
        bound.push(above * local);
    }
    let corners: Vec<Vec3> = bound.iter().map(|bone| bone.translation.into()).collect();
    let binds = (0..).zip(bound.iter().map(|bone| Mat4::from(bone.inverse())));
    let lists: Vec<_> = (0..).map(|slot| [(slot, 1.0)]).take(num_bones).collect();
    let mut rig = bones.into_iter().fold(ModelBuilder::new(), ModelBuilder::add_bone);
    rig = rig.mesh(corners).normal(Vec3::Y).indices([0, 1, 2]).subsets(&[]);
    rig = rig.skin(skin(&binds.collect::<Vec<_>>(), lists)).clip("", 1.0);
    for bone in 1..u32::try_from(num_bones).unwrap() {
        let turn = linear([(0.0, Quat::IDENTITY), (1.0, Quat::from_rotation_x(1.0))]);
        rig = rig.rotation(bone, turn);
    }
    rig.build()
}

/// The rig with other rest transforms.
pub(in crate::formats) fn with_rests(model: &Model, rest: impl Fn(&Trs) -> Trs) -> Model {
    let bones = model.skeleton.bones().iter().map(|bone| Bone {
        rest_local: LocalTransform::Trs(rest(&bone.rest_local.to_trs())),
        ..bone.clone()
    });
    Model { skeleton: Skeleton::new(bones.collect(), true).unwrap(), ..model.clone() }
}

pub(in crate::formats) fn part(model: &Model, part: &str) -> Vec<u8> {
    let options = WriteOptions { part: Some(part.to_owned()), ..WriteOptions::default() };
    let files = write::write(model, &options, &Report::new()).unwrap();
    files[0].bytes.clone()
}

/// The files of a folder, by name.
#[derive(Clone, Default)]
pub(in crate::formats) struct Files(Vec<String>, Vec<Vec<u8>>);

impl Files {
    pub(in crate::formats) fn put(mut self, name: &str, bytes: Vec<u8>) -> Self {
        self.0.push(name.to_owned());
        self.1.push(bytes);
        self
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        let at = self.0.iter().position(|known| known == name).unwrap();
        self.1[at].clone()
    }

    /// Reads a file of the folder, with others supplied.
    pub(in crate::formats) fn open(
        &self,
        name: &str,
        given: &[&str],
    ) -> (Model, Vec<Finding>, Vec<RelatedFileUse>) {
        self.open_with(name, given, &ReadOptions::default())
    }

    pub(in crate::formats) fn open_with(
        &self,
        name: &str,
        given: &[&str],
        options: &ReadOptions,
    ) -> (Model, Vec<Finding>, Vec<RelatedFileUse>) {
        let related_file = |name: &&str| RelatedFile::new(*name, self.bytes(name));
        let source = Source::new(name, self.bytes(name))
            .with_related_files(given.iter().map(related_file).collect())
            .with_folders(vec![Arc::new(self.clone())]);
        let report = Report::new();
        let opened = open(&source, options, &report).unwrap();
        (opened.model, report.findings(), report.related_files())
    }
}

impl Folder for Files {
    fn paths(&self) -> &[String] {
        &self.0
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.bytes(path))
    }
}

pub(in crate::formats) fn clip_names(model: &Model) -> Vec<&str> {
    model.clips.iter().map(|clip| clip.name.as_str()).collect()
}

pub(in crate::formats) fn finding_of(findings: &[Finding], kind: FindingKind) -> Option<&str> {
    let finding = findings.iter().find(|finding| finding.kind == kind);
    finding.map(|finding| &*finding.message)
}

/// Two characters, and files that only look like theirs.
fn folder() -> Files {
    let (arnaud, ruby) = (rig(1, 67), rig(2, 72));
    let flat = |trs: &Trs| Trs { translation: Vec3::ZERO, ..*trs };
    let stretched =
        |trs: &Trs| Trs { translation: trs.translation * Vec3::new(3.0, 0.2, 1.5), ..*trs };
    let twin = with_rests(&arnaud, stretched);
    Files::default()
        .put("arnaud_mesh.ozz", part(&arnaud, "mesh"))
        .put("arnaud_flat.ozz", part(&with_rests(&arnaud, flat), "skeleton"))
        .put("arnaud_twin.ozz", part(&twin, "skeleton"))
        .put("arnaud_twin_walk.ozz", part(&twin, "animation"))
        .put("baked_skeleton.ozz", part(&rig(3, 67), "skeleton"))
        .put("large_skeleton.ozz", part(&rig(4, 80), "skeleton"))
        .put("pab_skeleton.ozz", part(&arnaud, "skeleton"))
        .put("pab_walk.ozz", part(&arnaud, "animation"))
        .put("ruby_mesh.ozz", part(&ruby, "mesh"))
        .put("ruby_skeleton.ozz", part(&ruby, "skeleton"))
        .put("ruby_walk.ozz", part(&ruby, "animation"))
}

#[test]
fn each_mesh_selects_its_own_skeleton_and_clips_in_a_mixed_folder() {
    for (mesh, skeleton, num_bones, clips) in [
        ("arnaud_mesh.ozz", "pab_skeleton.ozz", 67, ["pab_walk"]),
        ("ruby_mesh.ozz", "ruby_skeleton.ozz", 72, ["ruby_walk"]),
    ] {
        let (model, findings, related_files) = folder().open(mesh, &[]);
        assert_eq!(model.skeleton.len(), num_bones);
        assert_eq!(clip_names(&model), clips, "{related_files:#?}");
        assert_eq!(finding_of(&findings, FindingKind::PoorFit), None);
        assert_eq!(finding_of(&findings, FindingKind::MissingSkeleton), None);
        for file in related_files {
            let is_own = file.file == skeleton || file.file == format!("{}.ozz", clips[0]);
            assert_eq!(file.is_used, is_own, "{file:?}");
            assert!(!is_own || file.fit.unwrap() > 0.99, "{file:?}");
        }
    }
}

#[test]
fn without_a_matching_skeleton_the_mesh_is_in_its_bind_pose() {
    let mut files = folder();
    let at = files.0.iter().position(|name| name == "pab_skeleton.ozz");
    files.0[at.unwrap()] = "gone.txt".to_owned();
    let (model, findings, related_files) = files.open("arnaud_mesh.ozz", &[]);
    assert!(finding_of(&findings, FindingKind::MissingSkeleton).is_some());
    assert!(model.clips.is_empty() && !model.skeleton.has_hierarchy());
    assert!(related_files.iter().all(|file| !file.is_used), "{related_files:#?}");
    let flat = related_files.iter().find(|file| file.file == "arnaud_flat.ozz");
    assert_eq!(flat.unwrap().fit, Some(0.0), "no length fits no length");
    let posed = &skin_model(&model, &PoseSpec::default())[0].positions;
    for (vertex, posed) in posed.iter().enumerate() {
        let stored = model.meshes[MeshId(0)].position(vertex).unwrap();
        assert!(posed.abs_diff_eq(stored, 1e-3), "{posed} {stored}");
    }
}

#[test]
fn the_name_decides_between_equally_matching_skeletons() {
    let arnaud = rig(1, 20);
    let files = Files::default()
        .put("a.ozz", part(&arnaud, "skeleton"))
        .put("hero_bones.ozz", part(&arnaud, "skeleton"))
        .put("hero_mesh.ozz", part(&arnaud, "mesh"));
    let (_, _, related_files) = files.open("hero_mesh.ozz", &[]);
    let taken = related_files.iter().find(|file| file.is_used).unwrap();
    assert_eq!(taken.file, "hero_bones.ozz");
}

#[test]
fn a_mesh_that_references_only_some_joints_finds_its_skeleton() {
    let mut arnaud = rig(1, 67);
    if let Skin::InverseBind(skin) = &mut arnaud.meshes[MeshId(0)].skin {
        let kept = |at: usize| at % 3 != 1;
        skin.bones = (0..67).filter(|&at| kept(at)).map(BoneId::from_index).collect();
        let all = std::mem::take(&mut skin.bone_from_mesh);
        let all = all.into_iter().enumerate();
        skin.bone_from_mesh = all.filter(|(at, _)| kept(*at)).map(|(_, bind)| bind).collect();
        let lists: Vec<Vec<(u32, f32)>> = (0..67).map(|at| vec![(at % 44, 1.0)]).collect();
        skin.influences = Influences::from_lists(&lists);
    }
    let files = folder().put("some_mesh.ozz", part(&arnaud, "mesh"));
    let (_, _, related_files) = files.open("some_mesh.ozz", &[]);
    let taken = related_files.iter().find(|file| file.is_used).unwrap();
    assert_eq!((taken.file.as_str(), taken.role), ("pab_skeleton.ozz", RelatedFileRole::Skeleton));
}

#[test]
fn a_given_skeleton_is_used_and_a_poor_fit_is_reported() {
    let (model, findings, related_files) =
        folder().open("arnaud_mesh.ozz", &["baked_skeleton.ozz"]);
    assert!(model.skeleton.has_hierarchy());
    let message = finding_of(&findings, FindingKind::PoorFit).unwrap();
    assert!(message.starts_with("baked_skeleton.ozz fits only "), "{message}");
    let pab = related_files.iter().find(|file| file.file == "pab_skeleton.ozz");
    assert_eq!(pab.unwrap().why, "another file was given");
}

#[test]
fn each_mesh_selects_its_own_clips_from_a_given_folder() {
    let files = folder();
    let all: Vec<&str> = files.0.iter().map(String::as_str).collect();
    for (mesh, clips) in [("arnaud_mesh.ozz", ["pab_walk"]), ("ruby_mesh.ozz", ["ruby_walk"])] {
        let (model, _, related_files) = files.open(mesh, &all);
        assert_eq!(clip_names(&model), clips, "{related_files:#?}");
    }
}

#[test]
fn an_animation_selects_the_skeleton_that_matches_its_first_pose() {
    for (animation, skeleton) in [
        ("pab_walk.ozz", "pab_skeleton.ozz"),
        ("arnaud_twin_walk.ozz", "arnaud_twin.ozz"),
        ("ruby_walk.ozz", "ruby_skeleton.ozz"),
    ] {
        let (_, _, related_files) = folder().open(animation, &[]);
        let taken = related_files.iter().find(|file| file.is_used).unwrap();
        assert_eq!(taken.file, skeleton);
    }
}
