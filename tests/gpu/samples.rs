//! Real files, and the embedded sample: the GPU against the CPU.

use rigscope::formats::{ReadOptions, Source, open};
use rigscope::gpu::{Renderer, Scene, readback};
use rigscope::model::{Aabb, Clip, ClipId, Model, Report};
use rigscope::pose::{Moment, PoseSpec, Sampling, skin_model};

use super::gpu;
use super::support::sample_files;

/// Largest distance between the two, as a part of the extent.
const TOLERANCE: f32 = 1e-5;
/// Largest distance between two unit normals. A normal of almost cancelling matrices has few
/// significant digits on either side.
const NORMAL_TOLERANCE: f32 = 2e-3;

fn read(path: &std::path::Path) -> Model {
    let source = Source::new("x.bsm2", std::fs::read(path).unwrap());
    open(&source, &ReadOptions::default(), &Report::new())
        .unwrap()
        .model
}

/// The default pose, stored keys, and moments on and between keys, beyond both ends too.
fn poses(clip: ClipId, content: &Clip) -> Vec<PoseSpec> {
    let end = content.duration_secs;
    let last = u32::try_from(content.as_sampled().unwrap().keys.num_keys()).unwrap() - 1;
    let moments = [
        Moment::Default,
        Moment::Key(0),
        Moment::Key(last / 2),
        Moment::Key(last),
        Moment::TimeSecs(end * 0.137),
        Moment::TimeSecs(end * 0.5 + 0.011),
        Moment::TimeSecs(end * 0.93),
        Moment::TimeSecs(end + 1.0),
    ];
    let spec = |sampling| {
        moments.map(|moment| PoseSpec {
            clip: Some(clip),
            moment,
            sampling,
        })
    };
    [spec(Sampling::Step), spec(Sampling::Linear)].concat()
}

#[test]
fn every_sample_is_skinned_on_the_gpu_as_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let mut files = sample_files("bsm2", "bsm2");
    files.push(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2"));
    let renderer = Renderer::new(gpu);
    let mut compared = 0;
    for path in files {
        let model = read(&path);
        let mut scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
        for (index, clip) in model.clips.iter().enumerate() {
            for spec in poses(ClipId::from_index(index), clip) {
                let expected = skin_model(&model, &spec);
                let found = readback::skinned(gpu, &renderer, &mut scene, &spec).unwrap();
                let positions = || expected.iter().flat_map(|mesh| &mesh.positions);
                let extent = Aabb::from_points(positions().copied()).extent().max(1e-3);
                for (mesh, (a, b)) in expected.iter().zip(&found).enumerate() {
                    assert_eq!(a.positions.len(), b.positions.len());
                    for vertex in 0..a.positions.len() {
                        let off = a.positions[vertex].distance(b.positions[vertex]);
                        let turned = a.normals[vertex].distance(b.normals[vertex]);
                        assert!(
                            off <= TOLERANCE * extent && turned <= NORMAL_TOLERANCE,
                            "{} {spec:?} mesh {mesh} vertex {vertex}: {off} of {extent}, normal {turned}",
                            path.display()
                        );
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 32, "{compared} poses were compared");
}
