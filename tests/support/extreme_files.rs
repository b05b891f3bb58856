//! Well-formed files with extreme contents: very long names and lists, and control characters in names.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// How many items of each kind to write.
#[derive(Clone, Copy)]
pub struct Amount {
    pub clips: usize,
    pub subsets: usize,
    pub bones: usize,
    pub meshes: usize,
}

/// Writes a glTF file. `name` makes a name from the kind and number of an item.
pub fn write(folder: &Path, amount: Amount, name: impl Fn(&str, usize) -> String) -> PathBuf {
    let floats: [f32; 17] = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // positions
        0.0, 1.0, // times
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, // translations
    ];
    let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
    std::fs::write(folder.join("hostile.bin"), &bytes).unwrap();
    let list = |num: usize, make: &dyn Fn(usize) -> Value| (0..num).map(make).collect::<Vec<_>>();
    let first_bone = amount.meshes;
    let mut nodes = list(amount.meshes, &|n| json!({ "name": name("node", n), "mesh": n }));
    nodes.extend(list(amount.bones, &|n| {
        let child = first_bone + n + 1;
        // A chain of some bones; the others are roots.
        if n < 20 && n + 1 < amount.bones {
            json!({ "name": name("bone", n), "children": [child] })
        } else {
            json!({ "name": name("bone", n) })
        }
    }));
    let roots: Vec<usize> = (0..=first_bone).chain(first_bone + 21..nodes.len()).collect();
    let meshes = list(amount.meshes, &|n| {
        let num = if n == 0 { amount.subsets } else { 1 };
        let primitive = |at: usize| json!({ "attributes": { "POSITION": 0 }, "material": at });
        json!({ "name": name("mesh", n), "primitives": list(num, &primitive) })
    });
    let animations = list(amount.clips, &|n| {
        json!({
            "name": name("clip", n),
            "channels": [{ "sampler": 0, "target": { "node": first_bone, "path": "translation" } }],
            "samplers": [{ "input": 1, "output": 2 }],
        })
    });
    let root = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": roots }],
        "nodes": nodes, "meshes": meshes, "animations": animations,
        "materials": list(amount.subsets, &|n| json!({ "name": name("material", n) })),
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR" },
            { "bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 8 },
            { "buffer": 0, "byteOffset": 44, "byteLength": 24 },
        ],
        "buffers": [{ "uri": "hostile.bin", "byteLength": bytes.len() }],
    });
    let path = folder.join("hostile.gltf");
    std::fs::write(&path, serde_json::to_vec(&root).unwrap()).unwrap();
    path
}
