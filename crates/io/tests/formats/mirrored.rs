//! Meshes that are mirrored by nodes and skins, through every writer: they are drawn as before.

use glam::Vec3;
use rigscope_core::model::{ClipId, FindingKind, MeshId, Model, Report};
use rigscope_core::pose::{PoseSpec, sample, skin_model};
use rigscope_io::convert::{Check, ConvertOptions, convert, read_back};
use rigscope_io::formats::losses::{Aspect, Held};
use rigscope_io::formats::{FORMATS, ReadOptions, Source, WriteOptions, open};

use crate::support::mirrored::{NUM_CUBES, NUM_MIRRORED_NODES, NUM_MIRRORED_SKINS, mirrored_gltf};

/// A triangle as it is drawn at the beginning, in display space.
struct Drawn {
    corners: [Vec3; 3],
    normals: [Vec3; 3],
    /// At the first corner, towards smaller v; zero without tangents.
    bitangent: Vec3,
    /// The same direction, computed from the UVs.
    up: Vec3,
}

fn drawn(model: &Model) -> Vec<Drawn> {
    let display = model.axes.display_from_file();
    // Not every format stores the rest pose of bones, so use the first clip, which starts with it.
    let spec =
        PoseSpec { clip: (!model.clips.is_empty()).then_some(ClipId(0)), ..PoseSpec::default() };
    let (pose, posed) = (sample(model, &spec), skin_model(model, &spec));
    let mut out = Vec::new();
    for (number, (mesh, posed)) in model.meshes.iter().zip(&posed).enumerate() {
        let is_mirrored = pose.is_mirrored(MeshId::from_index(number), mesh);
        let turns = is_mirrored != model.axes.reverses_winding();
        let sign = if is_mirrored != model.axes.is_mirrored() { -1.0 } else { 1.0 };
        for mut corners in mesh.triangles(0..mesh.indices.len()) {
            if turns {
                corners.swap(1, 2);
            }
            let corners = corners.map(|corner| corner as usize);
            let moved = |v: Vec3| display.transform_vector3(v).normalize_or_zero();
            let points = corners.map(|c| display.transform_point3(posed.positions[c]));
            let [first, ..] = corners;
            let (normal, tangent) = (moved(posed.normals[first]), posed.tangents[first]);
            let bitangent = normal.cross(moved(tangent.truncate())) * tangent.w * sign;
            // The gradient of -v in the plane of the triangle.
            let uvs = corners.map(|c| mesh.uv(c).unwrap_or_default());
            let [(p, a), (q, b)] = [1, 2].map(|at| (points[at] - points[0], uvs[at] - uvs[0]));
            let area = a.x * b.y - a.y * b.x;
            let up = -(q * a.x - p * b.x) / area;
            out.push(Drawn {
                corners: points,
                normals: corners.map(|c| moved(posed.normals[c])),
                bitangent,
                up: up.normalize_or_zero(),
            });
        }
    }
    out
}

/// Centre of each cube; a cube is 12 consecutive triangles.
fn middles(drawn: &[Drawn]) -> Vec<Vec3> {
    let middle = |cube: &[Drawn]| {
        let corners = cube.iter().flat_map(|triangle| triangle.corners);
        corners.sum::<Vec3>() / 36.0
    };
    drawn.chunks(12).map(middle).collect()
}

/// Checks that triangles face away from the centre of their cube, with matching normals and
/// tangents.
fn check_fronts(drawn: &[Drawn], middles: &[Vec3], has_tangents: bool, what: &str) {
    for triangle in drawn {
        let [a, b, c] = triangle.corners;
        let front = (b - a).cross(c - a).normalize_or_zero();
        let middle = (a + b + c) / 3.0;
        let nearest = middles.iter().copied();
        let nearest = nearest.min_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)));
        let outward = (middle - nearest.unwrap()).dot(front);
        assert!(outward > 0.1, "{what}: inside out at {middle}, {outward}");
        for normal in triangle.normals {
            assert!(normal.dot(front) > 0.99, "{what}: {normal} on {front}");
        }
        if has_tangents {
            let bitangent = triangle.bitangent;
            assert!(bitangent.dot(triangle.up) > 0.99, "{what}: {bitangent}");
        }
    }
}

fn opened() -> (Model, Report) {
    let source = Source::new("mirrored.glb", mirrored_gltf());
    let report = Report::new();
    let model = open(&source, &ReadOptions::default(), &report).unwrap().model;
    (model, report)
}

#[test]
fn mirrored_cubes_have_their_front_faces_outside() {
    let (model, report) = opened();
    let triangles = drawn(&model);
    assert_eq!(triangles.len(), 12 * NUM_CUBES);
    check_fronts(&triangles, &middles(&triangles), true, "as read");
    let reported = report.findings();
    let reported = reported.iter().filter(|n| n.kind == FindingKind::MirroredSkin);
    let num: u64 = reported.map(|finding| finding.count).sum();
    assert_eq!(num, NUM_MIRRORED_SKINS as u64);
}

/// Covers every writable format with triangles, including those added later.
#[test]
fn mirrored_meshes_are_drawn_the_same_in_every_writable_format() {
    let (source, _) = opened();
    let middles = middles(&drawn(&source));
    let mut num_formats = 0;
    for format in FORMATS.iter().filter(|format| format.info.can_write) {
        let holds = |aspect| format.stored(aspect).held(&WriteOptions::default()) != Held::No;
        if !holds(Aspect::Triangles) {
            continue;
        }
        for merge in [false, true] {
            let options = ConvertOptions {
                merge,
                check: Check::None,
                write: WriteOptions { stem: "a".into(), ..WriteOptions::default() },
                ..ConvertOptions::default()
            };
            let id = format.info.id;
            let extension = format.info.extensions[0];
            let report = Report::new();
            let made = convert(&source, format, extension, &options, &report).unwrap();
            let fps = format.written_fps(&source, None);
            let again = read_back(&made.files, format, fps, &Report::new()).unwrap();
            let triangles: Vec<Drawn> = again.iter().flat_map(drawn).collect();
            let what = format!("{id}, merge {merge}");
            assert_eq!(triangles.len(), 12 * NUM_CUBES, "{what}");
            check_fronts(&triangles, &middles, holds(Aspect::Tangents), &what);
            let findings = made.findings.iter();
            let reported: u64 = findings
                .filter(|finding| finding.kind == FindingKind::MirroredMesh)
                .map(|finding| finding.count)
                .sum();
            let keeps_nodes = ["gltf", "usd"].contains(&id);
            if !merge {
                let expected = if keeps_nodes { 0 } else { NUM_MIRRORED_NODES as u64 };
                assert_eq!(reported, expected, "{what}");
            }
        }
        num_formats += 1;
    }
    assert!(num_formats >= 9, "{num_formats}");
}

/// In a chain of conversions, a mesh that has left its node is never flipped again.
#[test]
fn front_faces_stay_outside_through_a_chain_of_conversions() {
    let (mut model, _) = opened();
    let middles = middles(&drawn(&model));
    // The runtime of IQM flips normals of mirrored bones, the runtimes of the others don't.
    for id in ["bsm2", "gltf", "ozz", "iqm", "gltf", "iqm", "bsm2", "iqm", "ozz", "gltf"] {
        let format = rigscope_io::formats::by_id(id).unwrap();
        let options = ConvertOptions { check: Check::None, ..ConvertOptions::default() };
        let extension = format.info.extensions[0];
        let made = convert(&model, format, extension, &options, &Report::new()).unwrap();
        model = read_back(&made.files, format, 30.0, &Report::new()).unwrap().remove(0);
        check_fronts(&drawn(&model), &middles, true, id);
    }
}
