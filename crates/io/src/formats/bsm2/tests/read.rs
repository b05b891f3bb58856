//! Reading valid and unusual files.

use super::*;
use rigscope_core::model::{BoneId, ClipId, MeshId};

#[test]
fn vertices_indices_and_keys_are_views_of_the_file() {
    let bytes = file().bytes();
    let source = Source::new("x.bsm2", bytes);
    let model = open(&source, &ReadOptions::default(), &Report::new()).unwrap().model;
    let packed = packed(&model.meshes[MeshId(0)]);
    assert_eq!(packed.bytes().as_ptr(), source.whole().unwrap()[24..].as_ptr());
    let Indices::U16(indices) = &model.meshes[MeshId(0)].indices else { panic!("not viewed") };
    assert_eq!(indices.offset(), 24 + 4 * 32);
    let keys = &model.clips[ClipId(0)].as_sampled().unwrap().keys;
    let offset = keys.bytes().offset();
    assert_eq!(keys.bytes().as_ptr(), source.whole().unwrap()[offset..].as_ptr());
}

#[test]
fn provenance_covers_every_byte() {
    let (model, _) = read_ok(&with_hierarchy(&[0, 0]));
    let len = with_hierarchy(&[0, 0]).bytes().len() as u64;
    let mut at = 0;
    for span in &model.provenance.spans {
        assert_eq!(span.offset, at, "{:?}", span.element);
        at = span.range().end;
    }
    assert_eq!(at, len, "every byte belongs to a part");
    let vertex = model.provenance.find(Element::Vertex { mesh: 0 }).unwrap();
    assert_eq!(vertex.record(3), Some(24 + 96..24 + 128));
    assert_eq!(model.provenance.at(25).unwrap().span.element, Element::Vertex { mesh: 0 });
}

#[test]
fn keys_are_skinning_matrices_without_a_hierarchy_and_local_with_one() {
    let (flat, _) = read_ok(&file());
    let pose = sample(&flat, &PoseSpec::at_key(None, 1));
    assert_eq!(pose.model_from_mesh.unwrap()[BoneId(1)].translation.x, 3.0);

    let mut deep = with_hierarchy(&[0, 0]);
    deep.clips[0].3 =
        vec![Affine3A::from_translation(Vec3::X), Affine3A::from_translation(Vec3::Y)];
    deep.hierarchy.as_mut().unwrap().1[1] = Mat4::from_translation(Vec3::Z);
    let (model, _) = read_ok(&deep);
    let skinned = skin_model(&model, &PoseSpec::default());
    assert_eq!(skinned[0].positions[1], Vec3::X + Vec3::X + Vec3::Y + Vec3::Z);
    assert_eq!(rewritten(&model), deep.bytes());
}

#[test]
fn linear_sampling_blends_stored_matrices_component_by_component() {
    let (model, _) = read_ok(&file());
    let spec = PoseSpec::linear(None, 0.033_333_333 / 4.0);
    let x = sample(&model, &spec).model_from_mesh.unwrap()[BoneId(0)].translation.x;
    assert!((x - 0.5).abs() < 1e-5);
}

#[test]
fn a_root_is_its_own_parent_or_255_and_parents_may_follow_children() {
    let (model, findings) = read_ok(&with_hierarchy(&[255, 2, 2]));
    let parents: Vec<_> = model.skeleton.bones().iter().map(|b| b.parent).collect();
    assert_eq!(parents, [None, Some(BoneId(2)), None]);
    for kind in
        [FindingKind::RootStoredAs255, FindingKind::ParentAfterChild, FindingKind::SeveralRoots]
    {
        assert!(findings.contains(&kind), "{kind:?}");
    }
    assert_eq!(rewritten(&model), with_hierarchy(&[255, 2, 2]).bytes(), "255 is written back");
    let (_, findings) = read_ok(&with_hierarchy(&[0, 9]));
    assert!(findings.contains(&FindingKind::ParentOutOfRange));
}

#[test]
fn a_parent_cycle_is_an_error_that_names_the_field() {
    let (model, _) = read_bytes(with_hierarchy(&[1, 0]).bytes());
    let message = model.unwrap_err().to_string();
    assert!(message.contains("ancestor") && message.contains("parent bone index"), "{message}");
}

#[test]
fn a_truncated_hierarchy_is_an_error_with_its_offset() {
    let mut file = file();
    let offset = file.bytes().len();
    file.trailing = vec![0; 5];
    let message = read_bytes(file.bytes()).0.unwrap_err().to_string();
    assert!(
        message.contains(&format!("offset {offset:#x}")) && message.contains("5 bytes"),
        "{message}"
    );
}

#[test]
fn out_of_range_influences_matter_only_with_a_nonzero_weight() {
    let mut harmless = file();
    harmless.vertices[0].bones[3] = 77;
    let (model, findings) = read_ok(&harmless);
    assert_eq!(findings, [FindingKind::UnusedSlotOutOfRange]);
    assert_eq!(rewritten(&model), harmless.bytes());

    let mut harmful = file();
    harmful.vertices[0].bones = [77, 1, 0, 0];
    harmful.vertices[0].weights = [100, 155, 0, 0];
    let (model, findings) = read_ok(&harmful);
    assert!(findings.contains(&FindingKind::BoneOutOfRange));
    let mut bones = Vec::new();
    model.meshes[MeshId(0)].for_each_influence(0, |bone, weight| bones.push((bone.0, weight)));
    assert_eq!(bones, [(1, 1.0)]);
}

#[test]
fn invalid_weights_are_reported_and_normalized() {
    let mut file = file();
    file.vertices[0].weights = [100, 0, 100, 0];
    file.vertices[1].weights = [0; 4];
    let (model, findings) = read_ok(&file);
    for kind in [
        FindingKind::WeightsNotNormalized,
        FindingKind::WeightAfterZero,
        FindingKind::VertexWithoutWeights,
    ] {
        assert!(findings.contains(&kind), "{kind:?}");
    }
    let skinned = skin_model(&model, &PoseSpec::default());
    assert_eq!(skinned[0].positions[1], Vec3::X * 2.0, "only the first bone moves it");
    assert_eq!(rewritten(&model), file.bytes());
}

#[test]
fn subsets_out_of_range_are_left_out_and_the_others_remain() {
    let mut file = file();
    file.subsets = vec![[0, 3, 0], [3, 6, 0], [0, 3, 9], [u32::MAX, u32::MAX, 0]];
    let (model, findings) = read_ok(&file);
    let kept: Vec<_> =
        model.meshes[MeshId(0)].subsets.iter().map(|s| (s.first_index, s.material)).collect();
    assert_eq!(kept, [(0, Some(MaterialId(0))), (0, None)]);
    for kind in [
        FindingKind::SubsetOutOfRange,
        FindingKind::MaterialOutOfRange,
        FindingKind::OverlappingSubsets,
        FindingKind::UncoveredIndices,
    ] {
        assert!(findings.contains(&kind), "{kind:?}");
    }
}

#[test]
fn a_subset_with_an_index_out_of_range_is_left_out() {
    let mut file = file();
    file.indices[4] = 4;
    let (model, findings) = read_ok(&file);
    assert!(findings.contains(&FindingKind::IndexOutOfRange));
    assert_eq!(model.meshes[MeshId(0)].subsets.len(), 1);
}

#[test]
fn zero_length_directions_are_reported_once_with_a_count() {
    let mut file = file();
    for vertex in &mut file.vertices {
        vertex.normal = 0;
        vertex.tangent = 0;
    }
    file.vertices[3].normal = pack_snorm1010102(Vec3::Z * 0.75, 0);
    let (_, findings) = read_bytes(file.bytes());
    let count = |kind| findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count);
    assert_eq!(count(FindingKind::ZeroNormal), 3);
    assert_eq!(count(FindingKind::NonUnitNormal), 1);
    assert_eq!(count(FindingKind::ZeroTangent), 4);
}

#[test]
fn non_finite_numbers_are_read_as_zero_and_reported_with_their_place() {
    let mut file = file();
    file.vertices[2].position.y = f32::NAN;
    file.clips[0].3[3].translation.x = f32::INFINITY;
    let (model, findings) = read_bytes(file.bytes());
    let model = model.unwrap();
    let finding = findings.iter().find(|n| n.kind == FindingKind::NotFinite).unwrap();
    assert_eq!((finding.count, finding.place), (2, Place::Vertex { mesh: 0, vertex: 2 }));
    assert_eq!(model.meshes[MeshId(0)].position(2), Some(Vec3::ZERO));
    assert_eq!(model.clips[ClipId(0)].as_sampled().unwrap().keys.rows(1, 1).unwrap()[3], 0.0);
}

#[test]
fn mutually_inverse_keys_are_a_bind_pair_and_equal_keys_are_not() {
    let mut pair = file();
    let rotation =
        |a: f32| Affine3A::from_rotation_y(a) * Affine3A::from_translation(Vec3::X * 20.0);
    pair.clips[0].3 =
        vec![rotation(0.3), rotation(1.0), rotation(0.3).inverse(), rotation(1.0).inverse()];
    let (model, findings) = read_ok(&pair);
    assert_eq!(findings, [FindingKind::BindPair]);
    let skinned = skin_model(&model, &PoseSpec::default());
    assert!(skinned[0].positions[3].distance(Vec3::ONE) < 1e-4, "the product is the bind pose");
    let as_stored = PoseSpec::at_key(None, 0);
    let stored = skin_model(&model, &as_stored);
    assert!(stored[0].positions[3].distance(Vec3::ONE) > 1.0, "a key is a key as stored");

    let mut still = file();
    let flip = Affine3A::from_scale(Vec3::NEG_ONE);
    still.clips[0].3 = vec![flip; 4];
    assert_eq!(read_ok(&still).1, [], "its own inverse, but a still pose");
}

#[test]
fn files_without_clips_keys_or_interval_are_readable_and_reported() {
    let mut none = file();
    none.clips.clear();
    let (model, findings) = read_ok(&none);
    assert_eq!(findings, [FindingKind::NoClips]);
    assert_eq!(skin_model(&model, &PoseSpec::default())[0].positions[3], Vec3::ONE);

    let mut keyless = file();
    keyless.clips[0].3.clear();
    let (model, findings) = read_ok(&keyless);
    assert!(findings.contains(&FindingKind::ClipWithoutKeys));
    assert_eq!(skin_model(&model, &PoseSpec::default())[0].positions[3], Vec3::ONE);

    let mut frozen = file();
    (frozen.clips[0].1, frozen.clips[0].2) = (0, 0);
    assert_eq!(read_ok(&frozen).1, [FindingKind::ZeroInterval]);

    let mut long = file();
    long.clips[0].1 = 900_000_000;
    assert_eq!(read_ok(&long).1, [FindingKind::DurationMismatch]);
}

#[test]
fn a_zero_scale_bone_is_reported_and_gives_finite_poses() {
    let mut file = file();
    file.clips[0].3[2] = Affine3A::from_scale(Vec3::ZERO);
    let (model, findings) = read_ok(&file);
    assert_eq!(findings, [FindingKind::ZeroScaleBone]);
    let spec = PoseSpec::at_key(None, 1);
    let skinned = skin_model(&model, &spec);
    assert!(skinned[0].normals.iter().chain(&skinned[0].positions).all(|v| v.is_finite()));
}

#[test]
fn an_inverse_bind_that_is_not_affine_is_reported_and_preserved() {
    let mut file = with_hierarchy(&[0, 0]);
    file.hierarchy.as_mut().unwrap().1[1].w_axis = Vec4::new(1.0, 2.0, 3.0, 4.0);
    let (model, findings) = read_ok(&file);
    assert_eq!(findings, [FindingKind::InverseBindNotAffine]);
    assert_eq!(rewritten(&model), file.bytes());
}

#[test]
fn a_name_that_is_not_utf8_is_reported() {
    let mut file = file();
    file.materials[0] = b"caf\xe9";
    assert_eq!(read_ok(&file).1, [FindingKind::NameNotUtf8]);
}

#[test]
fn unreferenced_bones_and_bones_beyond_256_are_reported() {
    let mut file = file();
    file.num_bones = 300;
    file.clips[0].3 = vec![Affine3A::IDENTITY; 300];
    let (_, findings) = read_ok(&file);
    assert!(
        findings.contains(&FindingKind::BonesBeyondU8)
            && findings.contains(&FindingKind::UnreferencedBone)
    );
}

#[test]
fn excessive_counts_are_refused_before_allocation() {
    for word in 0..6 {
        let mut bytes = file().bytes();
        bytes[word * 4..word * 4 + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = read_bytes(bytes).0.unwrap_err();
        assert!(matches!(error, ReadError::Malformed(_) | ReadError::Limit(_)), "{error}");
    }
}

#[test]
fn a_file_truncated_anywhere_except_before_the_hierarchy_is_refused() {
    let file = with_hierarchy(&[0, 0]);
    let bytes = file.bytes();
    let legal = File { hierarchy: None, ..file }.bytes().len();
    for len in 0..bytes.len() {
        let (model, _) = read_bytes(bytes[..len].to_vec());
        assert_eq!(model.is_ok(), len == legal, "cut to {len}");
    }
}
