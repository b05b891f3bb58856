//! Real files, and the embedded sample: the GPU against the CPU.

use rigscope::gpu::{Renderer, Scene, readback};
use rigscope::model::{Aabb, ClipId, Model, Report};
use rigscope::pose::{Moment, PoseSpec, Sampling, skin_model};

use super::gpu;
use super::support::{open_file, readable_samples_if_any};

/// Largest distance between the two, as a part of the extent.
const TOLERANCE: f32 = 1e-5;
/// Largest distance between two unit normals. A normal of almost cancelling matrices has few
/// significant digits on either side.
const NORMAL_TOLERANCE: f32 = 2e-3;
/// Clips compared of each file.
const MAX_CLIPS: usize = 4;

/// The default pose, and of each clip stored keys and moments on and between keys, beyond both ends
/// too.
fn poses(model: &Model) -> Vec<PoseSpec> {
    let mut poses = vec![PoseSpec::default()];
    for (number, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
        let (start, duration) = (clip.start_secs, clip.duration_secs);
        let last = clip.as_sampled().map_or(9, |motion| motion.keys.num_keys() - 1);
        let last = u32::try_from(last).unwrap();
        let moments = [
            Moment::Key(0),
            Moment::Key(last / 2),
            Moment::Key(last),
            Moment::TimeSecs(start + duration * 0.137),
            Moment::TimeSecs(start + duration * 0.5 + 0.011),
            Moment::TimeSecs(start + duration + 1.0),
        ];
        for moment in moments {
            // What both mean is one of these, but for frames of IQM taken apart.
            for sampling in [Sampling::Step, Sampling::Linear, Sampling::Decomposed] {
                poses.push(PoseSpec {
                    clip: Some(ClipId::from_index(number)),
                    moment,
                    sampling,
                    ..PoseSpec::default()
                });
            }
        }
    }
    poses
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn every_sample_is_skinned_on_the_gpu_as_on_the_cpu() {
    let gpu = gpu();
    let mut files = readable_samples_if_any();
    files.push(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2"));
    let renderer = Renderer::new(gpu);
    let (mut num_files, mut worst) = (0, (0.0, String::new()));
    for path in files {
        // Some samples are broken on purpose.
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        num_files += 1;
        let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        for spec in poses(&model) {
            let expected = skin_model(&model, &spec);
            let found = readback::skinned(gpu, &renderer, &mut scene, &spec).unwrap();
            let positions = || expected.iter().flat_map(|mesh| &mesh.positions);
            let extent = Aabb::from_points(positions().copied()).extent().max(1e-3);
            for (mesh, (a, b)) in expected.iter().zip(&found).enumerate() {
                assert_eq!(a.positions.len(), b.positions.len());
                for vertex in 0..a.positions.len() {
                    let off = a.positions[vertex].distance(b.positions[vertex]) / extent;
                    let turned = a.normals[vertex].distance(b.normals[vertex]);
                    let place =
                        || format!("{} {spec:?} mesh {mesh} vertex {vertex}", path.display());
                    assert!(
                        off <= TOLERANCE && turned <= NORMAL_TOLERANCE,
                        "{}: {off} of {extent}, normal {turned}",
                        place()
                    );
                    if off > worst.0 {
                        worst = (off, place());
                    }
                }
            }
        }
    }
    println!("{num_files} files compared, worst {} of the extent: {}", worst.0, worst.1);
    assert!(num_files > 50 || !cfg!(has_samples), "{num_files} files were compared");
}
