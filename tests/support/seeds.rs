//! Files of every format, made in code, from which fuzzing starts.
//!
//! For: `tests/every.rs` and libFuzzer. Not for: known answers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use glam::{Quat, Vec2, Vec3};
use rigscope_io::formats::{FORMATS, Format, OutputFile, OutputPlace, WriteOptions, write};

use super::rich::rich;
use rigscope_core::model::{Interpolation, Model, Report, Track};
use rigscope_testing::ModelBuilder;

/// Name of the written files without their extensions.
const STEM: &str = "every";

/// The fuzz targets read an OBJ as its own material library, under this name.
const OWN_LIBRARY: &str = "every.mtl";
/// Larger files take too long to read, convert and compare many times.
const MAX_BYTES: usize = 40_000;
/// The formats whose files are put into an archive.
const IN_ARCHIVES: [&str; 3] = ["skn", "cmx", "bcf"];

/// Small and large files, each with the id of its format.
pub fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = Vec::new();
    for model in [small(), rich()] {
        let mut archived = Vec::new();
        for format in FORMATS.iter().filter(|format| format.info.can_write) {
            let id = format.info.id;
            for files in files(&model, format) {
                if IN_ARCHIVES.contains(&id) {
                    archived.extend(files.iter().map(|file| (name(file, id), file.bytes.clone())));
                }
                seeds.extend(in_one(id, &files).map(|file| (id, file)));
            }
        }
        seeds.push(("far", archive(&archived)));
    }
    seeds.push(("fbx", FBX.into()));
    seeds.push(("effect", EFFECT.into()));
    seeds.push(("json", JSON.into()));
    seeds.push(("usd", USDA.into()));
    seeds.push(("usd", STANDARD.decode(USDC).unwrap()));
    seeds.retain(|(_, file)| file.len() <= MAX_BYTES);
    // Some formats write the same file for several parts.
    seeds.dedup();
    seeds
}

/// Two triangles on two bones: of small files a fuzzer tries more per second.
fn small() -> Model {
    let angles = [0.0, 0.5].map(Quat::from_rotation_z);
    ModelBuilder::new()
        .bones(&[("root", None, Vec3::ZERO), ("tip", Some(0), Vec3::Y)])
        .quad(Vec3::ZERO)
        .name("flag")
        .normal(Vec3::Z)
        .uvs([Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE])
        .of_material(0)
        .bound([&[(0, 1.0)][..], &[(0, 0.5), (1, 0.5)], &[(1, 1.0)], &[(1, 1.0)]])
        .morph("wide", &[(1, Vec3::X)])
        .materials(&["cloth"])
        .clip("bend", 1.0)
        .rotation(
            1,
            Track {
                times_secs: vec![0.0, 1.0],
                values: angles.to_vec(),
                interpolation: Interpolation::Linear,
            },
        )
        .checked()
}

/// The files of each part of a format.
fn files(model: &Model, format: &Format) -> Vec<Vec<OutputFile>> {
    let parts = std::iter::once(None).chain(format.info.parts.iter().map(Some));
    let written = parts.filter_map(|part| {
        let options = WriteOptions {
            stem: STEM.into(),
            part: part.map(|part| part.id.to_owned()),
            ..WriteOptions::default()
        };
        write(model, format, &options, &Report::new()).ok()
    });
    written.collect()
}

/// The name of a file of format `id`.
fn name(file: &OutputFile, id: &str) -> String {
    match &file.place {
        OutputPlace::Main => format!("{STEM}.{id}"),
        OutputPlace::Suffix(suffix) => format!("{STEM}{suffix}.{id}"),
        OutputPlace::Named(name) | OutputPlace::There(name) => name.clone(),
    }
}

/// The main file, with those related files in it that it can contain.
fn in_one(id: &str, files: &[OutputFile]) -> Option<Vec<u8>> {
    let main = files.iter().find(|file| !file.is_related_file)?.bytes.clone();
    let related = |extension: &str| files.iter().find(|file| name(file, id).ends_with(extension));
    match id {
        "obj" => {
            let Some(library) = related(".mtl") else { return Some(main) };
            let text = String::from_utf8(main).ok()?.replace(&name(library, id), OWN_LIBRARY);
            Some([text.as_bytes(), &library.bytes].concat())
        }
        "gltf" => {
            let Some(buffer) = related(".bin") else { return Some(main) };
            let bytes = STANDARD.encode(&buffer.bytes);
            let uri = format!("data:application/octet-stream;base64,{bytes}");
            Some(String::from_utf8(main).ok()?.replace(&name(buffer, id), &uri).into_bytes())
        }
        _ => Some(main),
    }
}

/// A FAR of files by name: header, files, directory.
fn archive(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut archive = b"FAR!byAZ\x01\0\0\0\0\0\0\0".to_vec();
    let mut directory = number(files.len()).to_vec();
    for (name, bytes) in files {
        for value in [bytes.len(), bytes.len(), archive.len(), name.len()] {
            directory.extend(number(value));
        }
        directory.extend(name.as_bytes());
        archive.extend(bytes);
    }
    let at = number(archive.len());
    archive.splice(12..16, at);
    archive.extend(directory);
    archive
}

/// A skinned triangle with a clip.
const JSON: &str = r#"{"schema": "rigscope.model/1", "up": "z",
    "bones": [{"name": "a", "parent": -1}, {"name": "b", "parent": 0, "translation": [0, 1, 0]}],
    "materials": [{"name": "m", "textures": {"base-color": "a.png"}}],
    "meshes": [{"positions": [[0, 0, 0], [1, 0, 0], [0, 2, 0]], "uvs": [[0, 0], [1, 0], [0, 1]],
        "triangles": [[0, 1, 2]], "subsets": [[0, 1, 0]], "joints": [[0], [0, 1], [1]], "weights": [[1], [0.5, 0.5], [1]],
        "morph_targets": [{"name": "t", "vertices": [2], "position_offsets": [[0, 0, 1]]}]}],
    "clips": [{"name": "c", "times": [0, 1], "rotations": [[[0, 0, 0, 1], [0, 0, 0, 1]], [[0, 0, 0, 1], [0, 0, 1, 0]]],
        "morph_tracks": [{"mesh": 0, "target": 0, "weights": [0, 1]}]}]}"#;

/// An effect of the meshes that the fuzz targets offer.
const EFFECT: &str = r#"{
    "assets": {
        "images": { "a.png": { "type": "texture", "file_name": "a.png" } },
        "materials": {
            "shaders/body": {
                "samplers": [ { "name": "tex_diffuse", "image": "a.png" }, { "name": "bnb_BONES" } ],
                "state": { "backfaces": true, "blend": "alpha", "colorwrite": true }
            }
        },
        "meshes": {
            "!glfx_FACE": "$builtin$meshes/face.stream:0",
            "a.bsm2": "meshes/a.bsm2",
            "b.bsm2": "meshes/b.bsm2"
        }
    }
}"#;

/// A skinned triangle and quad with a material, a blend shape and a clip.
const FBX: &str = r#"; FBX 7.4.0 project file
FBXHeaderExtension: { FBXVersion: 7400 }
GlobalSettings: {
    Version: 1000
    Properties70: {
        P: "UpAxis", "int", "Integer", "",2
        P: "UnitScaleFactor", "double", "Number", "",1
    }
}
Objects: {
    Geometry: 1, "Geometry::a", "Mesh" {
        Vertices: *12 { a: 0,0,0,1,0,0,0,1,0,1,1,0 }
        PolygonVertexIndex: *7 { a: 0,1,-3,2,1,3,-3 }
        GeometryVersion: 124
        LayerElementNormal: 0 {
            MappingInformationType: "ByPolygonVertex"
            ReferenceInformationType: "Direct"
            Normals: *21 { a: 0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1,0,0,1 }
        }
        LayerElementUV: 0 {
            Name: "map"
            MappingInformationType: "ByPolygonVertex"
            ReferenceInformationType: "IndexToDirect"
            UV: *8 { a: 0,0,1,0,0,1,1,1 }
            UVIndex: *7 { a: 0,1,2,2,1,3,2 }
        }
        LayerElementMaterial: 0 {
            MappingInformationType: "ByPolygon"
            ReferenceInformationType: "IndexToDirect"
            Materials: *2 { a: 0,0 }
        }
        Layer: 0 {
            LayerElement: { Type: "LayerElementNormal" TypedIndex: 0 }
            LayerElement: { Type: "LayerElementUV" TypedIndex: 0 }
            LayerElement: { Type: "LayerElementMaterial" TypedIndex: 0 }
        }
    }
    Geometry: 20, "Geometry::wide", "Shape" {
        Indexes: *2 { a: 1,3 }
        Vertices: *6 { a: 1,0,0,1,0,0 }
    }
    Model: 2, "Model::a", "Mesh" { Version: 232 }
    Model: 7, "Model::bone", "LimbNode" {
        Properties70: {
            P: "RotationOrder", "enum", "", "",2
            P: "PreRotation", "Vector3D", "Vector", "",0,90,0
            P: "Lcl Translation", "Lcl Translation", "", "A",0,1,0
        }
    }
    NodeAttribute: 8, "NodeAttribute::bone", "LimbNode" { TypeFlags: "Skeleton" }
    Material: 9, "Material::cloth", "" {
        ShadingModel: "phong"
        Properties70: { P: "DiffuseColor", "Color", "", "A",0.8,0.2,0.1 }
    }
    Texture: 10, "Texture::t", "" { RelativeFilename: "a.png" }
    Deformer: 11, "Deformer::skin", "Skin" { Version: 101 }
    Deformer: 12, "SubDeformer::cluster", "Cluster" {
        Indexes: *3 { a: 0,1,3 }
        Weights: *3 { a: 1,0.5,0.25 }
        Transform: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
        TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1 }
    }
    Deformer: 13, "Deformer::shapes", "BlendShape" { Version: 100 }
    Deformer: 14, "SubDeformer::wide", "BlendShapeChannel" {
        DeformPercent: 50
        FullWeights: *1 { a: 100 }
    }
    AnimationStack: 3, "AnimStack::a", "" { }
    AnimationLayer: 4, "AnimLayer::a", "" { }
    AnimationCurveNode: 5, "AnimCurveNode::T", "" {
        Properties70: { P: "d|X", "Number", "", "A",0 }
    }
    AnimationCurve: 6, "AnimCurve::", "" {
        KeyVer: 4009
        KeyTime: *2 { a: 0,46186158000 }
        KeyValueFloat: *2 { a: 0,2 }
        KeyAttrFlags: *1 { a: 24836 }
        KeyAttrDataFloat: *4 { a: 0,0,0,0 }
        KeyAttrRefCount: *1 { a: 2 }
    }
    AnimationCurveNode: 15, "AnimCurveNode::DeformPercent", "" {
        Properties70: { P: "d|DeformPercent", "Number", "", "A",0 }
    }
}
Connections: {
    C: "OO",1,2
    C: "OO",2,0
    C: "OO",7,0
    C: "OO",8,7
    C: "OO",9,2
    C: "OP",10,9, "DiffuseColor"
    C: "OO",11,1
    C: "OO",12,11
    C: "OO",7,12
    C: "OO",13,1
    C: "OO",14,13
    C: "OO",20,14
    C: "OO",4,3
    C: "OO",5,4
    C: "OP",5,7, "Lcl Translation"
    C: "OP",6,5, "d|X"
    C: "OO",15,4
    C: "OP",15,14, "DeformPercent"
    C: "OP",6,15, "d|DeformPercent"
}
"#;

/// A text layer with a skinned mesh.
const USDA: &str = r#"#usda 1.0

def SkelRoot "A" (
    prepend apiSchemas = ["SkelBindingAPI"]
)
{
    def Skeleton "K" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
        uniform matrix4d[] bindTransforms = [( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 1) )]
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] restTransforms = [( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) ), ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (1, 0, 0, 1) )]
        rel skel:animationSource = </A/N>
    }

    def Mesh "M" (
        prepend apiSchemas = ["SkelBindingAPI"]
    )
    {
        int[] faceVertexCounts = [4, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 3, 2, 4]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 2, 0)]
        int[] primvars:skel:jointIndices = [0, 1, 1, 0, 0] (
            elementSize = 1
            interpolation = "vertex"
        )
        float[] primvars:skel:jointWeights = [1, 1, 1, 1, 1] (
            elementSize = 1
            interpolation = "vertex"
        )
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.5)] (
            interpolation = "vertex"
        )
        rel skel:skeleton = </A/K>
    }

    def SkelAnimation "N"
    {
        uniform token[] joints = ["a", "a/b"]
        quatf[] rotations.timeSamples = {
            0: [(1, 0, 0, 0), (1, 0, 0, 0)],
        }
        half3[] scales.timeSamples = {
            0: [(1, 1, 1), (1, 1, 1)],
        }
        float3[] translations.timeSamples = {
            0: [(0, 0, 0), (1, 0, 0)],
            12: [(0, 1, 0), (1, 0, 0)],
        }
    }
}
"#;

/// The same as a binary layer.
const USDC: &str = concat!(
    "UFhSLVVTREMACAAAAAAAABgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "AAAAAAAAEAAAAAAAAAAgAAAAMAAAAAAAAABwAAAAgAAAAJAAAAIAEAAAAAAAAACgAAAAQAAAAAAAAADQAAAA4AAAAPAAAAEAAAAAcAAAAAAAAA",
    "EwAAABQAAAAVAAAAFgAAABcAAAAYAAAAGQAAAAQAAAAAAAAADQAAABsAAAAcAAAAHQAAAABQAQAAAAACAAAAAAAAAAAAAAAAAPA/AAAAAAAAAA",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwPwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA8D8AAAAAAAAAAAAA",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPA/AAAAAAAA8D8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPA/AAAAAA",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAADwPwAAAAAAAAAAAAAAAAAA8D8AAAAAAAAAAAAAAAAAAAAAAAAAAAAA8D8CAAAAAAAA",
    "AAQAAAADAAAABwAAAAAAAAAAAAAAAQAAAAIAAAADAAAAAwAAAAIAAAAEAAAAAAAAAAIAAAAAAAAAIwAAACQAAAAFAAAAAAAAAAAAAAAAAAAAAA",
    "AAAAAAgD8AAAAAAAAAAAAAgD8AAIA/AAAAAAAAAAAAAIA/AAAAAAAAAAAAAABAAAAAAAUAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAAAAFAAAA",
    "AAAAAAAAgD8AAIA/AACAPwAAgD8AAIA/AAAAAAUAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAgD8AAIA/AAAAAAAAgD8AAAA/AAAAPwMBAAAAAA",
    "AAAAQAAAADAQAAAAAAAAACAAAAAAAAAAAAAgAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPwIAAAAAAAAAADwAPAA8ADwA",
    "PAA8AAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAgAAAAAAAAAAAAAAAACAPwAAAAAAAIA/AAAAAAAAAAAYAAAAAAAAAAEAAA",
    "AAAAAAAAAAAAAAAACIAwAAAAAwAAgAAAAAAAAAAQAAAAAAAAAAAwAAAAARgAgAAAAAAAAAiAMAAAAAMAAIAAAAAAAAAAEAAAAAAAAAKAMAAAAA",
    "GYAgAAAAAAAAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAoQOgDAAAAADAACAAAAAAAAAACAAAAAAAAAEADAAAAABiAYAMAAAAAGIAwAAAAAAAAAO",
    "0BAAAAAAAAkgEAAAAAAAAA8SY7LSkAAEEAcHJpbUNoaWxkcmVuAHNwZWNpZmllcgBTa2VsUm9vdAB0eXBlTmFtZQBLAE0AThgA8QZCaW5kaW5n",
    "QVBJAGFwaVNjaGVtYXMaAPcQZXRvbgBqb2ludHMAYmluZFRyYW5zZm9ybXMAcmVzdA8A8hdza2VsOmFuaW1hdGlvblNvdXJjZQBwcm9wZXJ0aW",
    "VzAE1lc2gAcEoA0GZhY2VWZXJ0ZXhDb3VbAAYRAGNJbmRpY2VPAABUAAGCAADUAEF2YXJzEgAROpAABCkADxsAAGhXZWlnaHQbABF0zQAUQZ4A",
    "IAB0xwARbKoAU3MAcm90CgDyKnNjYWxlcwBtYXRyaXg0ZFtdAHZhcmlhYmlsaXR5AGRlZmF1bHQAaW50W10AdG9rZW5bXQBhAGEvYtkAIDNmMg",
    "AB2AAAJQBCZXJwb2QA8QIAZWxlbWVudFNpemUAZmxvYUEAAP4AQG9yZDI2AEBxdWF0CABQaGFsZjNeAKJhcmdldFBhdGhzMQABFQCwaW1lU2Ft",
    "cGxlcwAAAAAAAAAAACQAAAAAAAAALgAAAAAAAAAA8Abm////VVVVRRFVRFRVAwEC/Qj7C/UCAPADGQEaABoaBwH4GhoAJwDZKQAAzgAAAAAAAA",
    "AAIFgAAQAQKQUAYQAAACpABQgAMQtAZAgAMSkAeAgAMSAADAgAMQtAhQgAMSkAEggAMQtAnQgAMSkAGggAMQtAwQgAMSkAHggAMQtAAQgAMSxA",
    "4AgAMQ+AIQgAMQtA6BkAMwOA+AgAEyIYACAgAgkAMAuAJQcAQQALQDAQADMYgCYQAAEvAEEAA0B0GAAiA4C6ADELQJAQADMIgCooABGwEAAzFI",
    "ArEAATLAgAEeAYADMiAO0IABMuGAAggAMJADMuALgIAIDgAwAAAAAuAEMAAAAAAAAAUAAAAAAAAAAA8D4BAAAAFVBVVRUFRVVVVFBRVVVVVRUA",
    "/wL7AgT/AvkCBv0E9wII9QzyD/APAu8S+wbtFOsPB+gZ/QPmG/sG5A0S4Q0T4B0F3h4F3SED3BQAAAAAAAAAFAAAAAAAAAAZAAAAAAAAAADwBw",
    "EAAABBVRFQRQADAwYD8gMDBfIFBgMbAAAAAAAAAADwCf////9VRVFQRQEBBesB/hjkAvwDH+rxAhYAAAAAAAAAAPAEAAAAAFFQAVBB/wb7/gr4",
    "/gEB/hQAAAAAAAAADwAAAAAAAAAA0AEAAAABAABARAAD/QMZAAAAAAAAAADwBwMAAABVFRRVAAACBQUFBAQABAUF5R8QAAAAAAAAAADgAAAAAA",
    "UEAEAEB//7B/kGAAAAAAAAAFRPS0VOUwAAAAAAAAAAAAAoBAAAAAAAAKoBAAAAAAAAU1RSSU5HUwAAAAAAAAAAANIFAAAAAAAACAAAAAAAAABG",
    "SUVMRFMAAAAAAAAAAAAA2gUAAAAAAAAUAQAAAAAAAEZJRUxEU0VUUwAAAAAAAADuBgAAAAAAAGAAAAAAAAAAUEFUSFMAAAAAAAAAAAAAAE4HAA",
    "AAAAAAcgAAAAAAAABTUEVDUwAAAAAAAAAAAAAAwAcAAAAAAABYAAAAAAAAAA==",
);
