//! Compares poses with the library's own: `ufbx_evaluate_scene` with skinning, at 21 times in each
//! clip.

use std::path::{Path, PathBuf};

use glam::{Affine3A, Vec3};
use ufbx::{EvaluateOpts, Scene, SceneRoot};

use super::*;
use crate::formats::{Budget, Limits, ReadOptions};
use rigscope_core::model::{Aabb, ClipId, Model, Motion, Report, check};
use rigscope_core::pose::{PoseSpec, skin_model};

/// Number of times per clip.
const NUM_TIMES: u32 = 21;
/// Relative to the size.
const TOLERANCE: f32 = 1e-5;

/// Results over all clips of a file.
#[derive(Debug, Default)]
struct Deviations {
    num_times: usize,
    num_channels: usize,
    /// Relative to the size.
    worst: f32,
    /// The library's lowest and highest weight of a channel.
    weights: (f64, f64),
    /// Largest distance of a vertex from its place at the start of a clip, relative to the size.
    moved: f32,
}

fn scene(bytes: &[u8]) -> SceneRoot {
    let options = ReadOptions::default();
    load("fbx", bytes, &options, &Report::new()).unwrap()
}

fn read(bytes: &[u8]) -> Model {
    let (options, report) = (ReadOptions::default(), Report::new());
    let mut model = convert("fbx", scene(bytes), &options, &report).unwrap();
    check::check(&mut model, &report);
    model
}

/// For each mesh of the model, the control point of each vertex in its source.
fn control_points(scene: &Scene) -> Vec<Vec<u32>> {
    let report = Report::new();
    let budget = Budget::new(&Limits::default());
    let mut context = context::Context {
        format: "fbx",
        report: &report,
        budget,
        dropped: std::collections::BTreeMap::new(),
    };
    let sources = sources(scene).into_iter();
    let of = |(source, _): (usize, usize)| {
        split::split(&scene.meshes[source], &mut context).unwrap().control_points
    };
    sources.map(of).collect()
}

/// The source of each mesh of the model, and the instance of it.
fn sources(scene: &Scene) -> Vec<(usize, usize)> {
    let mut sources = Vec::new();
    for (number, mesh) in scene.meshes.iter().enumerate() {
        let is_skinned = mesh.skin_deformers.count > 0;
        let most = if is_skinned { 1 } else { usize::MAX };
        let num = mesh.element.instances.count.min(most);
        sources.extend((0..num).map(|instance| (number, instance)));
    }
    sources
}

/// The library's positions for each mesh of the model.
fn positions(scene: &Scene, control_points: &[Vec<u32>]) -> Vec<Vec<Vec3>> {
    let meshes = sources(scene).into_iter().zip(control_points);
    let of_mesh = |((source, instance), points): ((usize, usize), &Vec<u32>)| {
        let mesh = &scene.meshes[source];
        let to_world = if mesh.skinned_is_local {
            math::affine(&mesh.element.instances[instance].geometry_to_world)
        } else {
            Affine3A::IDENTITY
        };
        let values = &mesh.skinned_position.values;
        let position = |&point: &u32| to_world.transform_point3(math::vec3(values[point as usize]));
        points.iter().map(position).collect()
    };
    meshes.map(of_mesh).collect()
}

fn farthest(a: &[Vec<Vec3>], b: &[Vec<Vec3>]) -> f32 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn compared(bytes: &[u8]) -> Deviations {
    let (scene, model) = (scene(bytes), read(bytes));
    let control_points = control_points(&scene);
    assert_eq!(model.clips.len(), scene.anim_stacks.count);
    let mut found =
        Deviations { num_channels: scene.blend_channels.count, ..Deviations::default() };
    for (number, stack) in scene.anim_stacks.iter().enumerate() {
        let clip = &model.clips[ClipId::from_index(number)];
        let mut first: Option<Vec<Vec<Vec3>>> = None;
        for moment in 0..NUM_TIMES {
            let share = f64::from(moment) / f64::from(NUM_TIMES - 1);
            let time_secs = clip.start_secs + share * clip.duration_secs;
            let opts = EvaluateOpts { evaluate_skinning: true, ..EvaluateOpts::default() };
            let evaluated = ufbx::evaluate_scene(&scene, &stack.anim, time_secs, opts).unwrap();
            for channel in &evaluated.blend_channels {
                let (low, high) = found.weights;
                found.weights = (low.min(channel.weight), high.max(channel.weight));
            }
            let wanted = positions(&evaluated, &control_points);
            let spec = PoseSpec::linear(ClipId::from_index(number), time_secs);
            let posed = skin_model(&model, &spec);
            let posed: Vec<Vec<Vec3>> = posed.into_iter().map(|mesh| mesh.positions).collect();
            assert_eq!(posed.len(), wanted.len());
            let extent = Aabb::from_points(wanted.iter().flatten().copied()).extent();
            let extent = extent.max(f32::MIN_POSITIVE);
            found.worst = found.worst.max(farthest(&posed, &wanted) / extent);
            let first = first.get_or_insert_with(|| wanted.clone());
            found.moved = found.moved.max(farthest(first, &wanted) / extent);
            found.num_times += 1;
        }
    }
    found
}

/// The geometry of a square in a file of version 6100.
const SQUARE: &str = "
		Vertices: 0,0,0,2,0,0,2,2,0,0,2,0
		PolygonVertexIndex: 0,1,2,-4
		GeometryVersion: 124";

/// Keys of version 6 and older: times are fractions of a second, with linear interpolation.
fn old_keys(keys: &[(f64, f64)]) -> String {
    let key = |(secs, value): &(f64, f64)| format!("{},{value},L", secs * KTIME_A_SECOND);
    let all: Vec<String> = keys.iter().map(key).collect();
    format!("KeyVer: 4005\nKeyCount: {}\nKey: {}", keys.len(), all.join(","))
}

/// Time units per second.
const KTIME_A_SECOND: f64 = 46_186_158_000.0;

/// A file of version 6100: the mesh contains the shapes, and its own property animates them.
fn old_file(keys: &[(f64, f64)]) -> String {
    format!(
        r#"; FBX 6.1.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 6100
}}
Objects:  {{
	Model: "Model::square", "Mesh" {{
		Version: 232
		Properties60:  {{
			Property: "Lcl Translation", "Lcl Translation", "A+",0,0,5
			Property: "lift", "Number", "AN+",0
			Property: "still", "Number", "AN",-50
		}}{SQUARE}
		Shape: "lift" {{
			Indexes: 2
			Vertices: 0,0,4
		}}
		Shape: "still" {{
			Indexes: 1
			Vertices: 2,0,0
		}}
	}}
}}
Connections:  {{
	Connect: "OO", "Model::square", "Model::Scene"
}}
Takes:  {{
	Current: "Take 001"
	Take: "Take 001" {{
		FileName: "Take_001.tak"
		LocalTime: 0,46186158000
		ReferenceTime: 0,46186158000
		Model: "Model::square" {{
			Version: 1.1
			Channel: "lift" {{
				Default: 0
				{}
			}}
		}}
	}}
}}
"#,
        old_keys(keys)
    )
}

/// Curve `id` of version 7 and later with linear interpolation.
fn new_curve(id: u32, keys: &[(f64, f64)]) -> String {
    let list = |values: Vec<String>| format!("*{} {{\n a: {}\n}}", values.len(), values.join(","));
    let times = keys.iter().map(|(secs, _)| format!("{}", secs * KTIME_A_SECOND));
    let values = keys.iter().map(|(_, value)| value.to_string());
    format!(
        "	AnimationCurve: {id}, \"AnimCurve::\", \"\" {{
		Default: 0
		KeyVer: 4008
		KeyTime: {}
		KeyValueFloat: {}
		KeyAttrFlags: *1 {{ a: 4 }}
		KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
		KeyAttrRefCount: *1 {{ a: {} }}
	}}
",
        list(times.collect()),
        list(values.collect()),
        keys.len()
    )
}

/// A second layer over the keys of a file of version 7400.
#[derive(Clone, Copy, Default)]
struct Second<'a> {
    /// Keys of the second layer.
    keys: &'a [(f64, f64)],
    /// Its weight in percent, and whether it is additive.
    weight: f64,
    is_added: bool,
}

/// A file of version 7400: a channel with a shape at each of `full_weights`, in percent.
fn new_file(full_weights: &[f64], keys: &[(f64, f64)], second: Option<Second<'_>>) -> String {
    let shapes: Vec<String> = (0..full_weights.len())
        .map(|at| {
            format!(
                "	Geometry: {}, \"Geometry::lift{at}\", \"Shape\" {{
		Indexes: *1 {{ a: 2 }}
		Vertices: *3 {{ a: {},0,{} }}
	}}
",
                20 + at,
                at,
                1.0 + (at * at) as f64
            )
        })
        .collect();
    let links: Vec<String> =
        (0..full_weights.len()).map(|at| format!("	C: \"OO\",{},11\n", 20 + at)).collect();
    let weights: Vec<String> = full_weights.iter().map(f64::to_string).collect();
    let (layer, layer_links) = match second {
        None => (String::new(), String::new()),
        Some(second) => (
            format!(
                "	AnimationLayer: 41, \"AnimLayer::over\", \"\" {{
		Properties70:  {{
			P: \"Weight\", \"Number\", \"\", \"A\",{}
			P: \"BlendMode\", \"enum\", \"\", \"\",{}
		}}
	}}
	AnimationCurveNode: 51, \"AnimCurveNode::DeformPercent\", \"\" {{
		Properties70:  {{
			P: \"d|DeformPercent\", \"Number\", \"\", \"A\",0
		}}
	}}
{}",
                second.weight,
                if second.is_added { 0 } else { 2 },
                new_curve(61, second.keys)
            ),
            "	C: \"OO\",41,30
	C: \"OO\",51,41
	C: \"OP\",51,11, \"DeformPercent\"
	C: \"OP\",61,51, \"d|DeformPercent\"
"
            .to_owned(),
        ),
    };
    format!(
        "; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}}
Objects:  {{
	Geometry: 1, \"Geometry::\", \"Mesh\" {{
		Vertices: *12 {{ a: 0,0,0,2,0,0,2,2,0,0,2,0 }}
		PolygonVertexIndex: *4 {{ a: 0,1,2,-4 }}
	}}
	Model: 2, \"Model::square\", \"Mesh\" {{ }}
	Deformer: 10, \"Deformer::\", \"BlendShape\" {{ }}
	Deformer: 11, \"SubDeformer::lift\", \"BlendShapeChannel\" {{
		Properties70:  {{
			P: \"DeformPercent\", \"Number\", \"\", \"A\",0
		}}
		FullWeights: *{} {{
 a: {}
}}
	}}
{}	AnimationStack: 30, \"AnimStack::Take 001\", \"\" {{
		Properties70:  {{
			P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000
		}}
	}}
	AnimationLayer: 40, \"AnimLayer::base\", \"\" {{ }}
	AnimationCurveNode: 50, \"AnimCurveNode::DeformPercent\", \"\" {{
		Properties70:  {{
			P: \"d|DeformPercent\", \"Number\", \"\", \"A\",0
		}}
	}}
{}{layer}}}
Connections:  {{
	C: \"OO\",2,0
	C: \"OO\",1,2
	C: \"OO\",10,1
	C: \"OO\",11,10
{}	C: \"OO\",40,30
	C: \"OO\",50,40
	C: \"OP\",50,11, \"DeformPercent\"
	C: \"OP\",60,50, \"d|DeformPercent\"
{layer_links}}}
",
        weights.len(),
        weights.join(","),
        shapes.concat(),
        new_curve(60, keys),
        links.concat(),
    )
}

/// From below 0 to far beyond the last shape.
const WIDE: &[(f64, f64)] = &[(0.0, -80.0), (0.6, 150.0), (1.0, 20.0)];

#[test]
fn old_files_animate_shapes_by_a_property_of_the_mesh() {
    let found = compared(old_file(WIDE).as_bytes());
    assert_eq!((found.num_times, found.num_channels), (21, 2));
    assert_eq!(found.weights, (-0.8, 1.5));
    assert!(found.worst < TOLERANCE && found.moved > 0.5, "{found:?}");
    let model = read(old_file(WIDE).as_bytes());
    let Motion::Curves(curves) = &model.clips[ClipId(0)].motion else { panic!("no curves") };
    let mut weights = vec![vec![f32::NAN; 2]];
    curves.0.sample_morphs(0.6, &mut weights);
    assert_eq!(weights, [[1.5, -0.5]]);
}

#[test]
fn a_file_of_version_7100_has_the_weight_at_its_geometry() {
    let shape = "		Shape: \"lift\" {
			Indexes: *1 { a: 2 }
			Vertices: *3 { a: 0,0,4 }
		}
		Properties70:  {
			P: \"lift\", \"Number\", \"\", \"A\",0
		}
	}
	Model: 2,";
    let text = new_file(&[], WIDE, None)
        .replace("FBX 7.4.0", "FBX 7.1.0")
        .replace("FBXVersion: 7400", "FBXVersion: 7100")
        .replace("	}\n	Model: 2,", shape)
        .replace("\"OP\",50,11, \"DeformPercent\"", "\"OP\",50,1, \"lift\"")
        .replace("	C: \"OO\",10,1\n	C: \"OO\",11,10\n", "");
    let found = compared(text.as_bytes());
    assert_eq!(found.weights, (-0.8, 1.5), "{found:?}");
    assert!(found.worst < TOLERANCE && found.moved > 0.5, "{found:?}");
}

#[test]
fn in_betweens_extrapolate_like_the_library() {
    for full_weights in [
        &[100.0][..],
        &[50.0, 100.0],
        &[20.0, 60.0, 100.0],
        &[-50.0, 100.0],
        &[-100.0, -50.0],
        &[-100.0, -50.0, 50.0, 100.0],
        &[0.0, 100.0],
        &[100.0, 100.0],
        &[100.0, 50.0],
    ] {
        let found = compared(new_file(full_weights, WIDE, None).as_bytes());
        assert_eq!(found.weights, (-0.8, 1.5), "{full_weights:?}");
        assert!(found.moved > 0.3, "{full_weights:?} {found:?}");
        assert!(found.worst < TOLERANCE, "{full_weights:?} {found:?}");
    }
}

#[test]
fn a_node_connected_to_the_translation_of_another_follows_it() {
    let driven = "\"OP\",50,3, \"Lcl Translation\"
	C: \"OO\",3,0
	C: \"PP\",3, \"Lcl Translation\",2, \"Lcl Translation\"";
    let driver = "	Model: 3, \"Model::driver\", \"Null\" {
		Properties70:  {
			P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,0
		}
	}
	Deformer: 10,";
    let own = "	Model: 2, \"Model::square\", \"Mesh\" {
		Properties70:  {
			P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,0,0
		}
";
    let text = new_file(&[100.0], WIDE, None)
        .replace("\"OP\",50,11, \"DeformPercent\"", driven)
        .replace("d|DeformPercent", "d|X")
        .replace("	Deformer: 10,", driver)
        .replace("	Model: 2, \"Model::square\", \"Mesh\" {", own);
    let found = compared(text.as_bytes());
    assert!(found.worst < TOLERANCE && found.moved > 0.5, "{found:?}");
}

#[test]
fn further_layers_are_evaluated_by_the_library() {
    let over = &[(0.0, 0.0), (1.0, 100.0)][..];
    for (weight, is_added) in [(100.0, true), (50.0, true), (30.0, false)] {
        let second = Second { keys: over, weight, is_added };
        let found = compared(new_file(&[50.0, 100.0], WIDE, Some(second)).as_bytes());
        assert!(found.worst < TOLERANCE && found.moved > 0.3, "{found:?}");
        assert_ne!(found.weights, (-0.8, 1.5), "the second layer tells nothing");
    }
}

#[test]
fn curves_are_sampled_at_the_rate_that_the_file_states() {
    let settings = "GlobalSettings:  {
	Version: 1000
	Properties70:  {
		P: \"TimeMode\", \"enum\", \"\", \"\",11
	}
}
Objects:";
    let plain = new_file(&[50.0, 100.0], WIDE, None);
    for (text, rate, num_keys) in [
        (plain.replace("Objects:", settings), None, 25),
        (plain.replace("Objects:", settings), Some(10.0), 11),
        (plain, None, 31),
    ] {
        let model = read(text.as_bytes());
        let sampled = rigscope_core::reshape::plain(&model, rate);
        let clip = &sampled.clips[ClipId(0)];
        assert_eq!(clip.morph_tracks[0].weights.times_secs.len(), num_keys);
        let (num, secs) = clip.uniform_keys().unwrap();
        assert_eq!(num, num_keys);
        assert!((secs * (num_keys - 1) as f64 - 1.0).abs() < 1e-9, "{secs}");
        // Sampling it again gives the same frames.
        assert_eq!(rigscope_core::reshape::plain(&sampled, None).clips[ClipId(0)], *clip);
    }
}

/// All FBX sample files.
fn samples() -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples");
    let folder = std::env::var_os("RIGSCOPE_SAMPLES").map_or_else(beside, PathBuf::from);
    let entries = std::fs::read_dir(folder.join("fbx")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|e| e == "fbx")).collect()
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn sample_poses_match_the_library() {
    let mut num_with_morphs = 0;
    for path in &samples() {
        let bytes = std::fs::read(path).unwrap();
        let options = ReadOptions::default();
        let Ok(scene) = load("fbx", &bytes, &options, &Report::new()) else {
            continue;
        };
        if scene.anim_stacks.count == 0 || scene.meshes.count == 0 {
            continue;
        }
        let found = compared(&bytes);
        num_with_morphs += usize::from(found.num_channels > 0);
        assert!(found.worst < TOLERANCE, "{}: {found:?}", path.display());
    }
    assert!(num_with_morphs > 1);
}
