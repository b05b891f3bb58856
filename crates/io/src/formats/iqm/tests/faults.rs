//! Faulty files: each error, each oddity, damage.

use super::*;
use rigscope_core::model::{BoneId, ClipId, MeshId};

#[test]
fn magic_version_and_file_size_are_checked() {
    let claimed = candidates(&Source::new("x.unknown", built()));
    assert_eq!(claimed.first().unwrap().format.info.id, ID);
    let foreign = error(changed(0, 0));
    assert!(foreign.starts_with("not an IQM file"), "{foreign}");
    assert_eq!(error(changed(at::VERSION, 1)), "version 1 is not 2 (IQM version at offset 0x10)");
    let len = number(built().len());
    for size in [0, 123, len + 1, u32::MAX] {
        assert!(error(changed(at::FILE_SIZE, size)).contains("the stated file size is"));
    }
}

#[test]
fn tables_past_the_end_or_in_the_header_are_errors() {
    let tables = [at::TEXT, at::MESHES, at::TRIANGLES, at::JOINTS, at::POSES, at::ANIMS];
    for table in tables {
        assert!(read(changed(table, u32::MAX)).is_err(), "{table}");
        assert!(read(changed(table + 4, u32::MAX)).is_err(), "{table}");
        assert!(error(changed(table + 4, 16)).contains("is in the header"));
    }
    for at in [at::NUM_ARRAYS, at::NUM_VERTICES, at::NUM_FRAMES, at::FRAMES] {
        assert!(read(changed(at, u32::MAX)).is_err(), "{at}");
    }
    for table in [at::COMMENT, at::EXTENSIONS] {
        let mut bytes = changed(table, 9);
        put(&mut bytes, table + 4, u32::MAX);
        assert!(read(bytes).is_err(), "{table}");
    }
}

#[test]
fn frames_and_vertex_arrays_must_be_consistent() {
    assert!(error(changed(at::NUM_CHANNELS, 5)).contains("have 6 channels, but a frame has 5"));
    assert_eq!(
        read(changed_in(at::ANIMS, 28, 2)).err().unwrap().to_string(),
        format!(
            "damaged IQM file: anim 1 has 2 frames from 3 on, of 4 (anim frames at offset {:#x}). Export it again",
            stored(&built(), at::ANIMS + 4)
        )
    );
    assert!(read(changed_in(at::ANIMS, 4, u32::MAX)).is_err());
    assert!(error(with_array(0, (0, 9, 3, positions()))).contains("has format 9"));
    assert!(error(with_array(0, (0, 7, 2, positions()))).contains("has 2 components of 3"));
    let no_positions = with_array(0, (8, 7, 3, positions()));
    assert!(error(no_positions).contains("4 vertices have no positions"));
    assert!(error(with_array(6, (0x10 + 9999, 1, 4, vec![0; 16]))).contains("past the text"));
    assert!(error(changed_in(at::JOINTS, 0, 9999)).contains("joint name at 9999 is past"));
}

#[test]
fn invalid_parents_are_reported_and_cycles_are_errors() {
    let (model, report) = read(changed_in(at::JOINTS, 48 + 4, 9)).unwrap();
    assert_eq!(model.skeleton.bones()[BoneId(1)].parent, None);
    assert_eq!(count(&report, FindingKind::ParentOutOfRange), 1);
    assert_eq!(count(&report, FindingKind::PosesMismatch), 1, "the pose has another");
    assert!(error(changed_in(at::JOINTS, 4, 1)).contains("is its own ancestor"));
}

#[test]
fn different_numbers_of_poses_and_joints_are_reported() {
    let (model, report) = read(changed(at::JOINTS, 1)).unwrap();
    assert_eq!(count(&report, FindingKind::PosesMismatch), 1);
    assert_eq!(model.clips.len(), 2);
    let tracks = tracks(&model.clips[ClipId(0)]);
    assert_eq!(tracks.len(), 1);
}

#[test]
fn an_unusable_frame_rate_is_reported_and_replaced_by_30_or_the_option() {
    for fps in [0.0, f32::NAN, -24.0, f32::INFINITY, 1e-40] {
        let (model, report) = read(changed_in(at::ANIMS, 12, fps.to_bits())).unwrap();
        assert_eq!(count(&report, FindingKind::UnusableFrameRate), 1, "{fps}");
        assert!((model.clips[ClipId(0)].duration_secs - 2.0 / 30.0).abs() < 1e-9);
    }
    let source = Source::new("x.iqm", changed_in(at::ANIMS, 12, 0));
    let options = ReadOptions { fps: Some(4.0), ..ReadOptions::default() };
    let opened = open(&source, &options, &Report::new()).unwrap();
    assert_eq!(opened.model.clips[ClipId(0)].duration_secs, 0.5);
}

#[test]
fn joints_without_an_inverse_are_reported() {
    let (model, report) = read(changed_in(at::JOINTS, 8 + 28, 0)).unwrap();
    assert!(count(&report, FindingKind::ZeroScaleBone) > 0);
    let nan = f32::NAN.to_bits();
    let (broken, report) = read(changed_in(at::JOINTS, 8, nan)).unwrap();
    assert_eq!(count(&report, FindingKind::NotFinite), 1);
    for model in [model, broken] {
        let all = skin_model(&model, &PoseSpec::default()).remove(0).positions;
        assert!(all.iter().all(|p| p.is_finite()));
    }
}

#[test]
fn mesh_ranges_out_of_bounds_are_reported_and_left_out() {
    for (first, num) in [(2, 1), (u32::MAX, u32::MAX), (0, 3)] {
        let mut bytes = changed_in(at::MESHES, 16, first);
        let mesh = stored(&bytes, at::MESHES + 4);
        put(&mut bytes, mesh + 20, num);
        let (model, report) = read(bytes).unwrap();
        assert_eq!(count(&report, FindingKind::SubsetOutOfRange), 1);
        assert_eq!(model.meshes[MeshId(0)].subsets.len(), 1);
    }
}

#[test]
fn influences_of_missing_bones_are_left_out() {
    let bad = with_array(4, (4, 0, 1, vec![0xff, 0, 1, 2]));
    let (_, report) = read(bad).unwrap();
    assert_eq!(count(&report, FindingKind::BoneOutOfRange), 2);
}

#[test]
fn many_clips_of_the_same_frames_or_one_long_name_exceed_the_limit() {
    let mut file = Builder::new();
    let poses = vec![pose(-1, 1, STILL, [1.0; 10]); 1000];
    file.table(at::POSES, 1000, &poses.concat());
    let anim = u32s(&[0, 0, 100, 1.0f32.to_bits(), 0]);
    file.table(at::ANIMS, 2000, &anim.repeat(2000));
    file.table(at::NUM_CHANNELS, 1000, &vec![0; 200_000]);
    put(&mut file.bytes, at::NUM_FRAMES, 100);
    assert!(matches!(read(file.finish()), Err(ReadError::Limit(_))));

    let mut file = Builder::new();
    let long = file.name(&"x".repeat(100_000));
    let anim = u32s(&[long, 0, 0, 0, 0]);
    file.table(at::ANIMS, 2000, &anim.repeat(2000));
    assert!(matches!(read(file.finish()), Err(ReadError::Limit(_))));
}

#[test]
fn a_file_truncated_anywhere_is_an_error() {
    let bytes = built();
    for len in 0..bytes.len() {
        assert!(read(bytes[..len].to_vec()).is_err(), "{len}");
        // A file with a correct size may be valid or not, but must never panic.
        let mut honest = bytes[..len].to_vec();
        if len >= IqmHeader::BYTES {
            put(&mut honest, at::FILE_SIZE, number(len));
        }
        let _ = read(honest);
    }
}

#[test]
fn changed_bytes_never_panic() {
    let bytes = built();
    let mut numbers = Random(11);
    let mut random = |limit| numbers.below(limit);
    let mut num_read = 0;
    for _ in 0..5000 {
        let mut copy = bytes.clone();
        for _ in 0..=random(4) {
            let reach = [IqmHeader::BYTES, copy.len()][random(2)];
            let at = random(reach);
            copy[at] = [0, 0xff, copy[at] ^ 0x80, copy[at].wrapping_add(1)][random(4)];
        }
        if let Ok((model, _)) = read(copy) {
            num_read += 1;
            let spec = PoseSpec::linear(model.find_clip("0"), 0.05);
            let _ = skin_model(&model, &spec);
        }
    }
    assert!(num_read > 100, "{num_read} were read");
}
