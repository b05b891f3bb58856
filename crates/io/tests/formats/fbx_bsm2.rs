//! FBX files that are packed, written, read back and posed, compared with the geometry of the
//! programs that made them; and packed files that are unpacked and packed again.

use std::collections::BTreeSet;

use glam::Vec3;
use rigscope_core::measure::{Deviation, MeasureOptions, measure};
use rigscope_core::model::{Aabb, ClipId, MeshId, Model, Origin, PackedVertices, Report};
use rigscope_core::pack::{PackOptions, Packing, pack};
use rigscope_core::pose::{PoseSpec, Sampling, skin_model};
use rigscope_core::reshape::plain;
use rigscope_io::formats::{ReadOptions, Source, WriteOptions, by_id, open, write};

use crate::fbx_goldens::{GOLDENS, Golden, TOLERANCE, compare, wavefront};
use crate::support::{open_file, sample_files, samples};

/// Maximum distance between files with and without hierarchy, relative to the size.
const HIERARCHY_TOLERANCE: f32 = 1e-4;

fn packed(model: &Model, options: &PackOptions) -> (Packing, Deviation) {
    let packing = pack(model, options, &Report::new()).unwrap();
    let measured = measure(&packing.job(model), MeasureOptions::default(), &Report::new()).unwrap();
    (packing, measured)
}

/// Writes a packed model as BSM2 and reads it back.
fn through_file(model: &Model) -> Model {
    let format = by_id("bsm2").unwrap();
    let report = Report::new();
    let mut files = write(model, format, &WriteOptions::default(), &report).unwrap();
    let source = Source::new("x.bsm2", files.remove(0).bytes);
    open(&source, &ReadOptions::default(), &report).unwrap().model
}

fn at_key(model: &Model, clip: Option<ClipId>, key: u32) -> Vec<Vec3> {
    let spec = PoseSpec { sampling: Sampling::Step, ..PoseSpec::at_key(clip, key) };
    skin_model(model, &spec).remove(0).positions
}

fn vertices(model: &Model) -> &PackedVertices {
    rigscope_testing::packed(&model.meshes[MeshId(0)])
}

/// A key rate in keys per second at which one key is at the golden's time, and the number of that
/// key.
fn rate_and_key(model: &Model, golden: &Golden) -> (f64, u32) {
    let Some(name) = golden.clip else { return (30.0, 0) };
    let clip = model.find_clip(name).unwrap();
    let secs = golden.secs - model.clips[clip].start_secs;
    for rate in [30.0, 24.0] {
        let is_there = |key: &u32| (f64::from(*key) - secs * rate).abs() < 1e-3;
        if let Some(key) = (0..1000).find(is_there) {
            return (rate, key);
        }
    }
    panic!("no key at {secs} s of {}", golden.fbx);
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn references_match_within_the_printed_error_with_and_without_hierarchy() {
    let folder = samples();
    for golden in GOLDENS {
        let path = folder.join("fbx").join(format!("{}.fbx", golden.fbx));
        let mut model = open_file(&path, &[], &Report::new()).unwrap();
        let obj = folder.join("fbx").join(format!("{}.obj", golden.obj));
        let theirs = wavefront(&std::fs::read_to_string(obj).unwrap(), golden.unit_meters);
        let (rate, key) = rate_and_key(&model, golden);
        match golden.clip {
            None => model.clips.as_mut_vec().clear(),
            Some(name) => {
                let wanted = model.find_clip(name).unwrap();
                model.clips = vec![model.clips[wanted].clone()].into();
            }
        }
        for hierarchy in [false, true] {
            let options = PackOptions {
                hierarchy,
                rate: Some(rate),
                as_tool: true,
                ..PackOptions::default()
            };
            let (packing, measured) = packed(&model, &options);
            let file = through_file(&packing.parts[0].model);
            let ours = at_key(&file, Some(ClipId(0)), key);
            let (error, _) = compare(&ours, &theirs.points, golden.is_part);
            let bounds = Aabb::from_points(theirs.points.iter().copied());
            #[expect(clippy::cast_possible_truncation, reason = "of single precision")]
            let printed = measured.max_at_keys() as f32;
            let allowed = printed / bounds.size().max_element() + TOLERANCE;
            assert!(
                error <= allowed,
                "{} {} is {error} off, printed {allowed}",
                golden.fbx,
                golden.obj
            );
        }
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn poses_are_equal_with_and_without_hierarchy_and_weights_sum_to_255() {
    let mut num_moving = 0;
    for path in sample_files("fbx", "fbx") {
        let is_damaged = path.parent().is_some_and(|folder| folder.ends_with("bad"));
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        if is_damaged || model.num_vertices() == 0 {
            continue;
        }
        let both = [false, true].map(|hierarchy| {
            let options = PackOptions {
                hierarchy,
                rate: Some(30.0),
                as_tool: true,
                ..PackOptions::default()
            };
            let (packing, measured) = packed(&model, &options);
            assert!(measured.worst.is_some());
            through_file(&packing.parts[0].model)
        });
        let [baked, hierarchy] = &both;
        assert!(hierarchy.skeleton.has_hierarchy() && !baked.skeleton.has_hierarchy());
        let bones = hierarchy.skeleton.bones();
        for (number, bone) in bones.iter().enumerate() {
            assert!(bone.parent.is_none_or(|parent| parent.index() < number));
            assert!(!bone.name.is_empty(), "{}", path.display());
        }
        for file in &both {
            assert!(vertices(file).iter().all(|v| v.weight_sum() == 255));
        }
        let first = at_key(baked, None, 0);
        let extent = Aabb::from_points(first).extent();
        for (number, clip) in baked.clips.iter().enumerate() {
            let num_keys = u32::try_from(clip.as_sampled().unwrap().keys.num_keys()).unwrap();
            num_moving += usize::from(num_keys > 1);
            for key in 0..num_keys {
                let id = Some(ClipId::from_index(number));
                let (a, b) = (at_key(baked, id, key), at_key(hierarchy, id, key));
                assert_eq!(a.len(), b.len());
                let farthest = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(
                    farthest <= HIERARCHY_TOLERANCE * extent,
                    "{} {}: {farthest} of {extent}",
                    path.display(),
                    clip.name
                );
            }
        }
    }
    assert!(num_moving >= 8, "{num_moving}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn packed_bytes_do_not_depend_on_the_number_of_threads() {
    let format = by_id("bsm2").unwrap();
    let bytes = |model: &Model, num_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(num_threads);
        pool.build().unwrap().install(|| {
            let (packing, measured) = packed(model, &PackOptions::default());
            let files = packing.parts.iter().flat_map(|part| {
                let options = WriteOptions::default();
                write(&part.model, format, &options, &Report::new()).unwrap()
            });
            let files: Vec<Vec<u8>> = files.map(|file| file.bytes).collect();
            (files, measured)
        })
    };
    let mut num_made = 0;
    for path in sample_files("fbx", "fbx") {
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        // Skeletons without meshes aren't written.
        if model.num_vertices() == 0 {
            continue;
        }
        let is_same = bytes(&model, 1) == bytes(&model, 4);
        assert!(is_same, "{}", path.display());
        num_made += 1;
    }
    assert!(num_made > 10, "{num_made}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn uvs_outside_their_tile_show_the_same_texels_after_moving_and_cutting() {
    let folder = samples();
    let path = folder.join("fbx/huesitos.fbx");
    let model = open_file(&path, &[], &Report::new()).unwrap();
    let (packing, _) = packed(&model, &PackOptions::default());
    assert!(packing.changed.num_moved_uvs > 0 && packing.changed.num_cut_triangles > 0);
    assert_eq!(packing.dropped.num_clamped_uvs, 0);
    // Each corner shows the same texel as its source, possibly in another tile; corners at a tile seam may
    // show either side.
    let part = &packing.parts[0];
    let stored = vertices(&part.model);
    let mut num_compared = 0;
    part.origins.meshes[0].for_each(stored.len(), |vertex, origin| {
        let Origin::Vertex(from) = origin else { return };
        let mesh = &model.meshes[from.mesh];
        let wanted = mesh.uv(from.vertex.index()).unwrap();
        let found = stored.get(vertex as usize).unwrap().uv_decoded();
        let off = (wanted - found) - (wanted - found).round();
        assert!(off.abs().max_element() < 1e-4, "{wanted} became {found}");
        num_compared += 1;
    });
    assert!(num_compared > 100, "{num_compared}");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn unpacked_and_repacked_files_have_the_same_vertices() {
    let mut num_files = 0;
    for path in sample_files("bsm2", "bsm2") {
        let model = open_file(&path, &[], &Report::new()).unwrap();
        let before = vertices(&model);
        if before.len() > 20_000 {
            continue;
        }
        let options =
            PackOptions { hierarchy: model.skeleton.has_hierarchy(), ..PackOptions::default() };
        let packing = pack(&plain(&model, None), &options, &Report::new()).unwrap();
        assert_eq!(packing.parts.len(), 1);
        let after = vertices(&packing.parts[0].model);
        // A stored component of -512 means the same as -511.
        let mended = |word: u32| {
            (0..3).fold(word, |word, at| match (word >> (10 * at)) & 0x3ff {
                0x200 => word + (1 << (10 * at)),
                _ => word,
            })
        };
        let all = |vertices: &PackedVertices| -> BTreeSet<_> {
            let parts = vertices.iter().map(|v| {
                let mut weights = v.weights;
                weights.sort_unstable();
                let position = v.position.to_array().map(f32::to_bits);
                (position, mended(v.normal), mended(v.tangent), v.uv, weights)
            });
            parts.collect()
        };
        let (wanted, found) = (all(before), all(after));
        let num_off = wanted.symmetric_difference(&found).count();
        assert_eq!(num_off, 0, "{} of {}", path.display(), wanted.len());
        assert!(after.len() <= before.len());
        num_files += 1;
    }
    assert!(num_files > 10, "{num_files}");
}
