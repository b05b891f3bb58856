//! Real files and the embedded sample: the GPU against the CPU.

use rigscope_core::model::{Aabb, ClipId, Model, Report};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, skin_model};
use rigscope_gpu::{Renderer, Scene, readback};

use super::gpu;
use super::rounding::position_tolerances;
use super::support::{open_file, readable_samples_if_any};

/// Largest difference between two unit normals. Normals from nearly cancelling matrices have few
/// significant digits on either side.
const NORMAL_TOLERANCE: f32 = 2e-3;
/// Number of clips that are compared per file.
const MAX_CLIPS: usize = 4;

/// The default pose and, for each clip, stored keys and moments on and between keys and beyond both ends.
pub(crate) fn poses(model: &Model) -> Vec<PoseSpec> {
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
            // `Sampling::Runtime` equals one of these, except for IQM frames that are decomposed.
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
fn gpu_skinning_matches_the_cpu_for_every_sample() {
    let gpu = gpu();
    let mut files = readable_samples_if_any();
    files.push(crate::support::sample_file());
    let renderer = Renderer::new(gpu);
    let (mut num_files, mut worst) = (0, (0.0, String::new()));
    let (mut widest, mut narrowest) = ((0.0, String::new()), (f32::INFINITY, String::new()));
    for path in files {
        // Some samples are broken on purpose.
        let Ok(model) = open_file(&path, &[], &Report::new()) else { continue };
        num_files += 1;
        let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        for spec in poses(&model) {
            let expected = skin_model(&model, &spec);
            let found = readback::skinned(gpu, &renderer, &mut scene, &spec).unwrap();
            let tolerances = position_tolerances(&model, &spec);
            let positions = expected.iter().flat_map(|mesh| &mesh.positions);
            let size = Aabb::from_points(positions.copied()).extent();
            for share in tolerances.iter().map(|tolerance| tolerance / size) {
                if size > 0.0 && share > widest.0 {
                    widest = (share, path.display().to_string());
                }
                if size > 0.0 && share < narrowest.0 {
                    narrowest = (share, path.display().to_string());
                }
            }
            for (mesh, (a, b)) in expected.iter().zip(&found).enumerate() {
                assert_eq!(a.positions.len(), b.positions.len());
                for vertex in 0..a.positions.len() {
                    let deviation = a.positions[vertex].distance(b.positions[vertex]);
                    let off = deviation / tolerances[mesh];
                    let rotated = a.normals[vertex].distance(b.normals[vertex]);
                    let place =
                        || format!("{} {spec:?} mesh {mesh} vertex {vertex}", path.display());
                    assert!(
                        off <= 1.0 && rotated <= NORMAL_TOLERANCE,
                        "{}: {deviation} of {}, normal {rotated}",
                        place(),
                        tolerances[mesh]
                    );
                    if off > worst.0 {
                        worst = (off, place());
                    }
                }
            }
        }
    }
    println!("tolerances by the model's size: {narrowest:?} to {widest:?}");
    println!(
        "{num_files} files compared, the largest deviation is {} of its tolerance: {}",
        worst.0, worst.1
    );
    assert!(num_files > 50 || !cfg!(has_samples), "{num_files} files were compared");
}
