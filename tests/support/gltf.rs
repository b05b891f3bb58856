//! Small glTF files made in code: a textured triangle on a bone, and a motion of bones by name.

use std::path::{Path, PathBuf};

/// Writes `name` into `folder`: one triangle attached to node `arm` of `root`, with a texture at
/// `texture`, as a file spells it.
pub fn write_triangle(folder: &Path, name: &str, texture: &str) -> PathBuf {
    let floats: [f32; 15] = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // positions
        0.0, 1.0, 1.0, 1.0, 0.0, 0.0, // texture coordinates
    ];
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"root","children":[1]}},{{"name":"arm","mesh":0,"translation":[0,1,0]}}],
        "meshes":[{{"name":"flag","primitives":[{{"attributes":{{"POSITION":0,"TEXCOORD_0":1}},"material":0}}]}}],
        "materials":[{{"name":"cloth","pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
        "textures":[{{"source":0}}],"images":[{{"uri":{texture:?}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}},
                     {{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":24}}],
        "buffers":[{{"uri":"{name}.bin","byteLength":60}}]}}"#
    );
    write(folder, name, &json, &floats)
}

/// Writes `name` into `folder`: no mesh, but a clip `swing` of 2 seconds that moves the second of
/// `bones` up by 3, each hanging on the one before.
pub fn write_motion(folder: &Path, name: &str, bones: &[&str]) -> PathBuf {
    write_motions(folder, name, bones, &["swing"])
}

/// The same with several clips of these names, which all move alike.
pub fn write_motions(folder: &Path, name: &str, bones: &[&str], clips: &[&str]) -> PathBuf {
    let floats: [f32; 8] = [0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0];
    let last = bones.len() - 1;
    let node = |(at, bone): (usize, &&str)| {
        if at < last {
            format!(r#"{{"name":"{bone}","children":[{}]}}"#, at + 1)
        } else {
            format!(r#"{{"name":"{bone}"}}"#)
        }
    };
    let nodes: Vec<_> = bones.iter().enumerate().map(node).collect();
    let nodes = nodes.join(",");
    let clip = |name: &&str| {
        format!(
            r#"{{"name":"{name}","channels":[{{"sampler":0,"target":{{"node":1,"path":"translation"}}}}],
                "samplers":[{{"input":0,"output":1}}]}}"#
        )
    };
    let clips: Vec<_> = clips.iter().map(clip).collect();
    let clips = clips.join(",");
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],
        "animations":[{clips}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[2]}},
                     {{"bufferView":1,"componentType":5126,"count":2,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":8}},{{"buffer":0,"byteOffset":8,"byteLength":24}}],
        "buffers":[{{"uri":"{name}.bin","byteLength":32}}]}}"#
    );
    write(folder, name, &json, &floats)
}

fn write(folder: &Path, name: &str, json: &str, floats: &[f32]) -> PathBuf {
    let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
    std::fs::write(folder.join(format!("{name}.bin")), bytes).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, json).unwrap();
    path
}
