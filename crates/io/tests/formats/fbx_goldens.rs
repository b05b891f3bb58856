//! FBX files, compared with the geometry that their authoring programs exported at some frame.

use glam::Vec3;
use rigscope_core::model::{ClipId, Model, Report};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, skin_model};
use rigscope_io::formats::{ReadOptions, Source, open};

use crate::support::samples;

/// Metres per unit in most of the OBJ files.
const CENTIMETRE: f32 = 0.01;

/// Maximum distance, relative to the longest side. OBJ files of 3ds Max have few digits; all others
/// are within 5e-7.
pub(crate) const TOLERANCE: f32 = 1e-4;

pub(crate) struct Golden {
    pub(crate) fbx: &'static str,
    /// Name of the clip, or `None` for the rest pose.
    pub(crate) clip: Option<&'static str>,
    pub(crate) secs: f64,
    pub(crate) obj: &'static str,
    pub(crate) unit_meters: f32,
    /// The FBX contains more than the OBJ.
    pub(crate) is_part: bool,
}

const fn golden(
    fbx: &'static str,
    clip: Option<&'static str>,
    secs: f64,
    obj: &'static str,
    unit_meters: f32,
) -> Golden {
    Golden { fbx, clip, secs, obj, unit_meters, is_part: false }
}

const SAUSAGE: &str = "blender_279_sausage_7400_binary";
const COMBINED: &str = "maya_game_sausage_6100_binary_combined";
const WIGGLE: &str = "maya_game_sausage_7500_ascii_wiggle";
const NO_BIND: &str = "synthetic_sausage_wiggle_no_bind_7500_ascii";
const MAX7: &str = "max7_skin_5000_binary";
const KENNEY: &str = "maya_kenney_character_7700_binary";
const RRSS: &str = "motionbuilder_sausage_rrss_7700_binary";
const SHAPES: &str = "blender440_shape_weight_anim_7400_binary";

#[rustfmt::skip]
pub(crate) const GOLDENS: &[Golden] = &[
    golden(SAUSAGE, Some("Skeleton|Base"), 0.0, "blender_279_sausage_base_0", 1.0),
    golden(SAUSAGE, Some("Skeleton|Spin"), 15.0 / 24.0, "blender_279_sausage_spin_15", 1.0),
    golden(SAUSAGE, Some("Skeleton|Wiggle"), 20.0 / 24.0, "blender_279_sausage_wiggle_20", 1.0),
    golden(COMBINED, Some("wiggle"), 10.0 / 24.0, "maya_game_sausage_wiggle_10", CENTIMETRE),
    golden(COMBINED, Some("wiggle"), 18.0 / 24.0, "maya_game_sausage_wiggle_18", CENTIMETRE),
    golden(COMBINED, Some("spin"), 27.0 / 24.0, "maya_game_sausage_spin_7", CENTIMETRE),
    golden(COMBINED, Some("spin"), 35.0 / 24.0, "maya_game_sausage_spin_15", CENTIMETRE),
    golden(COMBINED, Some("deform"), 48.0 / 24.0, "maya_game_sausage_deform_8", CENTIMETRE),
    golden(COMBINED, Some("deform"), 55.0 / 24.0, "maya_game_sausage_deform_15", CENTIMETRE),
    golden(WIGGLE, Some("wiggle"), 10.0 / 24.0, "maya_game_sausage_wiggle_10", CENTIMETRE),
    golden(WIGGLE, Some("wiggle"), 18.0 / 24.0, "maya_game_sausage_wiggle_18", CENTIMETRE),
    golden(NO_BIND, Some("wiggle"), 10.0 / 24.0, "maya_game_sausage_wiggle_10", CENTIMETRE),
    golden(NO_BIND, Some("wiggle"), 18.0 / 24.0, "maya_game_sausage_wiggle_18", CENTIMETRE),
    golden(MAX7, Some("Take 001"), 5.0 / 30.0, "max7_skin_5", CENTIMETRE),
    golden(MAX7, Some("Take 001"), 15.0 / 30.0, "max7_skin_15", CENTIMETRE),
    golden(KENNEY, Some("Take 001"), 4.0 / 24.0, "maya_kenney_character_4", CENTIMETRE),
    golden(KENNEY, Some("Take 001"), 9.0 / 24.0, "maya_kenney_character_9", CENTIMETRE),
    golden(RRSS, Some("Take 001"), 0.0, "motionbuilder_sausage_rrss", CENTIMETRE),
    golden(RRSS, Some("Take 001"), 12.0 / 24.0, "motionbuilder_sausage_rrss_12", CENTIMETRE),
    golden(RRSS, Some("Take 001"), 1.0, "motionbuilder_sausage_rrss_24", CENTIMETRE),
    golden(RRSS, Some("Take 001"), 36.0 / 24.0, "motionbuilder_sausage_rrss_36", CENTIMETRE),
    golden(RRSS, Some("Take 001"), 48.0 / 24.0, "motionbuilder_sausage_rrss_48", CENTIMETRE),
    golden("maya_dual_quaternion_7500_ascii", None, 0.0, "maya_dual_quaternion", CENTIMETRE),
    golden(SHAPES, Some("Cube|Action"), 5.0 / 24.0, "blender440_shape_weight_anim_5", 1.0),
    golden(SHAPES, Some("Cube|Action"), 15.0 / 24.0, "blender440_shape_weight_anim_15", 1.0),
    golden(SHAPES, Some("Cube|Action"), 25.0 / 24.0, "blender440_shape_weight_anim_25", 1.0),
    golden("blender_293_half_skinned_7400_binary", None, 0.0, "blender_293_half_skinned", 1.0),
    Golden { is_part: true, ..golden("blender_340_z_up_7400_binary", None, 0.0, "blender_340_z_up", 1.0) },
];

/// Points of an OBJ file and the points of each face, parsed without the reader under test.
pub(crate) struct Wavefront {
    pub(crate) points: Vec<Vec3>,
    faces: Vec<Vec<usize>>,
    /// Point and normal of each corner that has a normal.
    normals: Vec<(usize, Vec3)>,
}

pub(crate) fn wavefront(text: &str, unit_meters: f32) -> Wavefront {
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let lines: Vec<Vec<String>> = text.lines().map(words).collect();
    let of = |word: &'static str| {
        lines.iter().filter(move |line| line.first().is_some_and(|w| w == word))
    };
    let point = |line: &Vec<String>| {
        let number = |at: usize| line[at].parse::<f32>().unwrap();
        Vec3::new(number(1), number(2), number(3)) * unit_meters
    };
    let number = |word: &String, at: usize| {
        let number = word.split('/').nth(at)?.parse::<usize>();
        number.ok().map(|number| number - 1)
    };
    let directions: Vec<Vec3> = of("vn").map(point).collect();
    Wavefront {
        points: of("v").map(point).collect(),
        faces: of("f")
            .map(|line| line[1..].iter().map(|word| number(word, 0).unwrap()).collect())
            .collect(),
        normals: of("f")
            .flat_map(|line| &line[1..])
            .filter_map(|word| Some((number(word, 0)?, directions[number(word, 2)?])))
            .collect(),
    }
}

fn nearest(from: Vec3, points: &[Vec3]) -> (usize, f32) {
    let distances = points.iter().map(|point| point.distance(from)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

/// Positions of all vertices in metres.
fn posed(model: &Model, golden: &Golden) -> Vec<Vec3> {
    let display = model.axes.display_from_file();
    let meshes = skin_model(model, &spec_of(model, golden));
    let points = meshes.iter().flat_map(|mesh| &mesh.positions);
    points.map(|&p| display.transform_point3(p)).collect()
}

fn spec_of(model: &Model, golden: &Golden) -> PoseSpec {
    let clip = golden.clip.map(|name| {
        let clip = model.find_clip(name);
        clip.unwrap_or_else(|| panic!("{} has no clip {name}", golden.fbx))
    });
    PoseSpec {
        clip,
        moment: match clip {
            Some(ClipId(_)) => Moment::TimeSecs(golden.secs),
            None => Moment::Default,
        },
        sampling: Sampling::Linear,
        ..PoseSpec::default()
    }
}

/// Largest distance between the two sets of points, relative to the longest side, and the nearest
/// OBJ point of each vertex.
pub(crate) fn compare(ours: &[Vec3], theirs: &[Vec3], is_part: bool) -> (f32, Vec<usize>) {
    let min = theirs.iter().copied().reduce(Vec3::min).unwrap();
    let max = theirs.iter().copied().reduce(Vec3::max).unwrap();
    let extent = (max - min).max_element();
    let mut farthest = 0.0f32;
    for &point in theirs {
        farthest = farthest.max(nearest(point, ours).1);
    }
    let mut behind = Vec::new();
    for &vertex in ours {
        let (point, distance) = nearest(vertex, theirs);
        behind.push(point);
        if !is_part {
            farthest = farthest.max(distance);
        }
    }
    (farthest / extent, behind)
}

/// All edges of the triangles, as unordered pairs of OBJ points.
fn edges(model: &Model, behind: &[usize]) -> std::collections::BTreeSet<(usize, usize)> {
    let mut edges = std::collections::BTreeSet::new();
    let mut first = 0;
    for mesh in &model.meshes {
        for corners in mesh.triangles(0..mesh.indices.len()) {
            let points = corners.map(|corner| behind[first + corner as usize]);
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (points[a], points[b]);
                edges.insert((a.min(b), a.max(b)));
            }
        }
        first += mesh.num_vertices();
    }
    edges
}

/// Reads the FBX and the OBJ file of a golden.
fn both(folder: &std::path::Path, golden: &Golden) -> (Model, Wavefront) {
    let path = folder.join("fbx").join(format!("{}.fbx", golden.fbx));
    let source = Source::new("x.fbx", std::fs::read(path).unwrap());
    let opened = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
    let obj = folder.join("fbx").join(format!("{}.obj", golden.obj));
    let text = std::fs::read_to_string(obj).unwrap();
    (opened.model, wavefront(&text, golden.unit_meters))
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_fbx_matches_the_poses_of_its_source_program() {
    let folder = samples();
    let mut known = std::collections::HashMap::new();
    for golden in GOLDENS {
        let (model, theirs) = both(&folder, golden);
        let ours = posed(&model, golden);
        let (error, behind) = compare(&ours, &theirs.points, golden.is_part);
        println!("{:45} {:35} {error:.1e}", golden.fbx, golden.obj);
        assert!(error <= TOLERANCE, "{} is {error} off {}", golden.fbx, golden.obj);
        if golden.is_part {
            continue;
        }
        // A vertex matches the same point in every frame, so the match is the right one.
        let first = known.entry(golden.fbx).or_insert_with(|| behind.clone());
        assert_eq!(*first, behind, "{} {}", golden.fbx, golden.obj);
        // The OBJ's faces have the same edges.
        let edges = edges(&model, &behind);
        for face in &theirs.faces {
            for (&a, &b) in face.iter().zip(face.iter().cycle().skip(1)) {
                assert!(
                    edges.contains(&(a.min(b), a.max(b))),
                    "{} has no edge {a} {b}",
                    golden.fbx
                );
            }
        }
    }
}

/// If bones bend a mesh, Blender and Maya compute new normals, and the OBJ files of other programs
/// have normals that don't fit any of their faces. Only these two files are useful as references.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn normals_match_the_source_program_if_it_did_not_recompute_them() {
    let folder = samples();
    for name in ["blender_279_sausage_base_0", "maya_game_sausage_deform_8"] {
        let golden = GOLDENS.iter().find(|golden| golden.obj == name).unwrap();
        let (model, theirs) = both(&folder, golden);
        let (_, behind) = compare(&posed(&model, golden), &theirs.points, false);
        let display = model.axes.display_from_file();
        let meshes = skin_model(&model, &spec_of(&model, golden));
        let normals = meshes.iter().flat_map(|mesh| &mesh.normals);
        let mut at_point = vec![Vec::new(); theirs.points.len()];
        for (point, &normal) in behind.iter().zip(normals) {
            at_point[*point].push(display.transform_vector3(normal).normalize_or_zero());
        }
        assert!(theirs.normals.len() > 80, "{name}");
        for (point, wanted) in &theirs.normals {
            let angles = at_point[*point].iter().map(|n| n.angle_between(*wanted));
            let least_deg = angles.fold(f32::INFINITY, f32::min).to_degrees();
            assert!(least_deg < 0.1, "{name} at point {point}: {least_deg} degrees");
        }
    }
}
