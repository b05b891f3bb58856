//! Stages written as text.

use std::io::{Cursor, Write};

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::{
    BoneId, ClipId, FindingKind, MaterialId, MeshId, Model, Motion, Report, TextureRole, VertexData,
};
use rigscope_core::pose::{PoseSpec, skin_model};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::ID;
use crate::formats::{ReadOptions, RelatedFile, Source, open};

const HEADER: &str =
    "#usda 1.0\n(\n    upAxis = \"Y\"\n    metersPerUnit = 1\n    timeCodesPerSecond = 10\n)\n";
const UNIT: &str = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";
/// One unit along x.
const MOVED: &str = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))";

/// A character: a quad whose left side follows the root, and its right side the tip, which moves up by 2 in a second.
fn character() -> String {
    format!(
        r#"{HEADER}
def SkelRoot "Hero" (prepend apiSchemas = ["SkelBindingAPI"]) {{
    rel skel:skeleton = </Hero/Rig>
    def Skeleton "Rig" (prepend apiSchemas = ["SkelBindingAPI"]) {{
        uniform token[] joints = ["Root", "Root/Tip"]
        uniform matrix4d[] bindTransforms = [{UNIT}, {MOVED}]
        uniform matrix4d[] restTransforms = [{UNIT}, {MOVED}]
        rel skel:animationSource = </Hero/Walk>
    }}
    def SkelAnimation "Walk" {{
        uniform token[] joints = ["Root/Tip"]
        float3[] translations.timeSamples = {{ 0: [(1, 0, 0)], 10: [(1, 2, 0)] }}
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
    }}
    def Mesh "Body" (prepend apiSchemas = ["SkelBindingAPI"]) {{
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        int[] primvars:skel:jointIndices = [0, 1, 1, 0] (elementSize = 1 interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1, 1, 1] (elementSize = 1 interpolation = "vertex")
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 0.25)] (interpolation = "faceVarying")
    }}
}}
"#
    )
}

fn read(text: &str) -> (Model, Vec<(FindingKind, String)>) {
    read_source(&Source::new("hero.usda", text.as_bytes().to_vec()))
}

fn read_source(source: &Source) -> (Model, Vec<(FindingKind, String)>) {
    let report = Report::new();
    let opened = open(source, &ReadOptions::default(), &report).unwrap();
    assert_eq!(opened.format.info.id, ID);
    let findings = report.findings().into_iter().map(|own| (own.kind, own.message)).collect();
    (opened.model, findings)
}

fn has(findings: &[(FindingKind, String)], kind: FindingKind, text: &str) {
    let is_it = |(own, message): &(FindingKind, String)| *own == kind && message.contains(text);
    assert!(findings.iter().any(is_it), "{kind:?} {text:?} in {findings:?}");
}

fn positions(model: &Model, time_secs: f64) -> Vec<Vec3> {
    skin_model(model, &PoseSpec::at_secs(ClipId(0), time_secs))[0].positions.clone()
}

#[test]
fn a_character_follows_its_skeleton() {
    let (model, findings) = read(&character());
    assert!(!findings.iter().any(|(kind, _)| *kind == FindingKind::BrokenRecord), "{findings:?}");
    let names: Vec<&str> = model.skeleton.bones().iter().map(|bone| &*bone.name).collect();
    assert_eq!(names, ["Hero", "Rig", "Body", "Root", "Tip"]);
    assert_eq!(model.skeleton.bones()[BoneId(4)].parent, Some(BoneId(3)));
    assert_eq!(
        (&*model.clips[ClipId(0)].name, model.clips[ClipId(0)].duration_secs),
        ("Walk", 1.0)
    );
    let wanted = [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 2.0, 0.0), Vec3::Y];
    for (found, wanted) in positions(&model, 0.5).into_iter().zip(wanted) {
        assert!(found.abs_diff_eq(wanted, 1e-6), "{found}");
    }
    let VertexData::Streams(streams) = &model.meshes[MeshId(0)].vertices else { panic!() };
    let uvs = &streams.uv_sets[0];
    assert_eq!((&*uvs.name, uvs.coords[3]), ("st", Vec2::new(0.0, 0.75)));
}

#[test]
fn faults_that_usd_ignores_are_named() {
    let with = |from: &str, to: &str| {
        let text = character();
        assert!(text.contains(from), "{from}");
        read(&text.replace(from, to))
    };
    let is_still = |model: &Model| positions(model, 1.0)[1] == Vec3::X;
    let weights = "float[] primvars:skel:jointWeights = [1, 1, 1, 1]";
    for (from, to, kind, text) in [
        ("SkelRoot", "Xform", FindingKind::PosesMismatch, "outside of a SkelRoot"),
        (
            "[0, 1, 1, 0]",
            "[0, 1, 2, 0]",
            FindingKind::BoneOutOfRange,
            "there is no joint 2 among 2",
        ),
        ("[0, 1, 1, 0]", "[0, 1, 1]", FindingKind::BrokenRecord, "4 weights for 3 joints"),
        (
            "uniform matrix4d[] bindTransforms",
            "uniform matrix4d[] other",
            FindingKind::PosesMismatch,
            "no bindTransforms",
        ),
        (
            "uniform matrix4d[] restTransforms",
            "uniform matrix4d[] other",
            FindingKind::PosesMismatch,
            "no restTransforms",
        ),
        (
            "[\"Root\", \"Root/Tip\"]",
            "[\"Root/Tip\", \"Root\"]",
            FindingKind::PosesMismatch,
            "before its parent",
        ),
        ("half3[] scales", "half3[] other", FindingKind::ClipWithoutKeys, "lacks translations"),
    ] {
        let (model, findings) = with(from, to);
        has(&findings, kind, text);
        assert!(model.clips.is_empty() || is_still(&model), "{text}");
    }
    let (model, findings) = with(weights, &weights.replace("[1, 1", "[1, 0.5"));
    has(&findings, FindingKind::WeightsNotNormalized, "vertex 1");
    has(&findings, FindingKind::OtherConvention, "the weights of 1 vertex don't add up to 1");
    assert!(positions(&model, 1.0)[1].abs_diff_eq(Vec3::new(1.0, 2.0, 0.0), 1e-6));
    let (_, findings) = with("    metersPerUnit = 1\n", "");
    has(&findings, FindingKind::OtherConvention, "doesn't state metersPerUnit");
}

#[test]
fn blend_shapes_have_in_betweens_and_follow_names() {
    let shape = r#"
    def BlendShape "Smile" {
        uniform int[] pointIndices = [2]
        uniform vector3f[] offsets = [(0, 0, 4)]
        uniform vector3f[] inbetweens:half = [(0, 0, 1)] (weight = 0.5)
    }
    def Mesh "Body" ("#;
    let binding = r#"uniform token[] skel:blendShapes = ["smile"]
        rel skel:blendShapeTargets = </Hero/Smile>
        int[] faceVertexCounts"#;
    let weights = r#"uniform token[] blendShapes = ["other", "smile"]
        float[] blendShapeWeights.timeSamples = { 0: [9, 0], 10: [9, 1] }
        half3[] scales"#;
    let text = character()
        .replace("\n    def Mesh \"Body\" (", shape)
        .replace("int[] faceVertexCounts", binding)
        .replace("half3[] scales", weights);
    let (model, _) = read(&text);
    for (time, z) in [(0.25, 0.5), (0.5, 1.0), (0.75, 2.5), (1.0, 4.0)] {
        let found = positions(&model, time)[2].z;
        assert!((found - z).abs() < 1e-5, "{found} at {time}");
    }
    let (model, findings) = read(&text.replace("pointIndices = [2]", "pointIndices = [7]"));
    has(&findings, FindingKind::BrokenRecord, "/Hero/Smile: the offsets don't fit");
    assert!(model.meshes[MeshId(0)].morph_targets.is_empty());
}

#[test]
fn transform_operations_have_pivots_and_keys() {
    let text = format!(
        r#"{HEADER}
def Xform "Door" {{
    double3 xformOp:translate:pivot = (1, 0, 0)
    float xformOp:rotateZ.timeSamples = {{ 0: 0, 10: 180 }}
    uniform token[] xformOpOrder = ["xformOp:translate:pivot", "xformOp:rotateZ", "!invert!xformOp:translate:pivot"]
    def Mesh "Leaf" {{
        uniform token orientation = "leftHanded"
        int[] faceVertexCounts = [3, 3]
        int[] faceVertexIndices = [0, 1, 2, 0, 2, 1]
        int[] holeIndices = [1]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        double3 xformOp:translate = (0, 0, 5)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }}
}}
"#
    );
    let (model, findings) = read(&text);
    assert!(findings.iter().all(|(kind, _)| *kind != FindingKind::BrokenRecord), "{findings:?}");
    let near = |found: Vec3, wanted: Vec3| assert!(found.abs_diff_eq(wanted, 1e-5), "{found}");
    near(positions(&model, 0.0)[0], Vec3::new(0.0, 0.0, 5.0));
    near(positions(&model, 0.5)[0], Vec3::new(1.0, -1.0, 5.0));
    near(positions(&model, 1.0)[0], Vec3::new(2.0, 0.0, 5.0));
    let mesh = &model.meshes[MeshId(0)];
    let triangle: Vec<u32> = (0..3).filter_map(|at| mesh.indices.get(at)).collect();
    assert_eq!((mesh.indices.len(), triangle), (3, vec![0, 2, 1]));
}

#[test]
fn points_are_blended_between_their_times() {
    let text = format!(
        r#"{HEADER}
def Xform "Group" {{
    double3 xformOp:translate = (0, 3, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "Cloth" {{
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points.timeSamples = {{
            0: [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
            10: [(0, 0, 2), (1, 0, 0), (0, 1, 0)],
        }}
    }}
}}
"#
    );
    let (model, _) = read(&text);
    assert!(matches!(model.clips[ClipId(0)].motion, Motion::VertexAnimation(_)));
    assert_eq!(positions(&model, 0.25)[0], Vec3::new(0.0, 3.0, 0.5));
}

#[test]
fn files_are_composed_and_missing_ones_reported() {
    let text = format!("{HEADER}def \"A\" (references = @./parts/hero.usda@</Hero>) {{}}\n");
    let text = format!("{text}def \"B\" (references = @missing.usda@) {{}}\n");
    let hero = RelatedFile::new("hero.usda", character().into_bytes());
    let source = Source::new("scene.usda", text.into_bytes()).with_related_files(vec![hero]);
    let (model, findings) = read_source(&source);
    assert!(positions(&model, 1.0)[1].abs_diff_eq(Vec3::new(1.0, 2.0, 0.0), 1e-6));
    has(&findings, FindingKind::MissingRelatedFile, "missing.usda");
    let looped = format!("{HEADER}def \"A\" (references = @hero.usda@</A>) {{}}\n");
    let (model, findings) = read(&looped);
    assert!(model.meshes.is_empty());
    has(&findings, FindingKind::BrokenRecord, "cycle");
}

#[test]
fn packages_contain_their_images() {
    let text = format!(
        r#"{HEADER}
def Material "Skin" {{
    token outputs:surface.connect = </Skin/Surface.outputs:surface>
    def Shader "Surface" {{
        uniform token info:id = "UsdPreviewSurface"
        color3f inputs:diffuseColor.connect = </Skin/Color.outputs:rgb>
        float inputs:roughness = 0.25
        float inputs:opacity.connect = </Skin/Color.outputs:a>
        float inputs:opacityThreshold = 0.5
        token outputs:surface
    }}
    def Shader "Color" {{
        uniform token info:id = "UsdUVTexture"
        asset inputs:file = @textures/skin.png@
        float4 inputs:scale = (0.5, 1, 1, 1)
        float2 inputs:st.connect = </Skin/Place.outputs:result>
        token inputs:wrapS = "clamp"
        float3 outputs:rgb
        float outputs:a
    }}
    def Shader "Place" {{
        uniform token info:id = "UsdTransform2d"
        float2 inputs:scale = (2, 2)
        float2 inputs:translation = (0.25, 0)
        float2 outputs:result
    }}
}}
def Mesh "Body" (prepend apiSchemas = ["MaterialBindingAPI"]) {{
    rel material:binding = </Skin>
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
}}
"#
    );
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let files: [(&str, &[u8]); 2] = [("hero.usda", text.as_bytes()), ("textures/skin.png", b"png")];
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    let package = writer.finish().unwrap().into_inner();
    let (model, _) = read_source(&Source::new("hero.usdz", package));
    let material = &model.materials[MaterialId(0)];
    let texture = &material.textures[0];
    let look = material.look.as_deref().unwrap();
    assert_eq!((look.base_color, look.roughness), (Vec4::new(0.5, 1.0, 1.0, 1.0), 0.25));
    assert_eq!((texture.role, texture.image.is_some()), (TextureRole::BaseColor, true));
    // v is up in the file.
    let place = texture.texture_from_uv.as_deref().unwrap();
    assert_eq!(place.transform_point2(Vec2::new(0.0, 1.0)), Vec2::new(0.25, 1.0));
    assert_eq!(place.transform_point2(Vec2::new(0.5, 0.5)), Vec2::new(1.25, 0.0));
}
