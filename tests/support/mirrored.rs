//! A glTF file made in code: cubes on nodes and skins that mirror them, and on some that do not.

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Value, json};

/// Where the cubes of [`mirrored_gltf`] are, and which of them are mirrored: a negative scale, one in
/// another, none; a skin on a negative scale; half a skin on it.
pub const NUM_CUBES: usize = 6;
/// Of its meshes on nodes, and of its skins, those that are mirrored.
pub const NUM_MIRRORED_NODES: usize = 1;
pub const NUM_MIRRORED_SKINS: usize = 2;

#[derive(Default)]
struct Cubes {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    uvs: Vec<Vec2>,
    indices: Vec<u16>,
    joints: Vec<[u8; 4]>,
}

impl Cubes {
    /// A cube with sides of 1 around `middle`, moved by `joint`.
    fn add(mut self, middle: Vec3, joint: u8) -> Self {
        for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
            let right = if normal.y == 0.0 { Vec3::Y.cross(normal) } else { Vec3::X };
            let up = normal.cross(right);
            let first = u16::try_from(self.positions.len()).unwrap();
            for (u, v) in [(0.1, 0.9), (0.9, 0.9), (0.9, 0.1), (0.1, 0.1)] {
                let corner = normal + right * (if u < 0.5 { -1.0 } else { 1.0 });
                let corner = corner + up * (if v < 0.5 { 1.0 } else { -1.0 });
                self.positions.push(middle + corner / 2.0);
                self.normals.push(normal);
                self.tangents.push(right.extend(1.0));
                self.uvs.push(Vec2::new(u, v));
                self.joints.push([joint, 0, 0, 0]);
            }
            let quad = [0, 1, 2, 0, 2, 3].map(|corner| first + corner);
            self.indices.extend(quad);
        }
        self
    }
}

/// Tables of a file that grow together.
#[derive(Default)]
struct Tables {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Tables {
    fn add(&mut self, bytes: &[u8], kind: &str, component: u32, count: usize) -> usize {
        let (offset, view) = (self.bytes.len(), self.views.len());
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.push(json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}));
        self.accessors.push(json!({"bufferView": view, "componentType": component,
            "count": count, "type": kind}));
        view
    }

    fn floats(&mut self, floats: &[f32], kind: &str, count: usize) -> usize {
        let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
        self.add(&bytes, kind, 5126, count)
    }

    fn mesh(&mut self, name: &str, cubes: &Cubes, is_skinned: bool) -> Value {
        let num = cubes.positions.len();
        let flat = |list: &[Vec3]| -> Vec<f32> { list.iter().flat_map(|v| v.to_array()).collect() };
        let positions = self.floats(&flat(&cubes.positions), "VEC3", num);
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &position in &cubes.positions {
            (min, max) = (min.min(position), max.max(position));
        }
        let bounded = self.accessors.last_mut().unwrap();
        bounded["min"] = json!(min.to_array());
        bounded["max"] = json!(max.to_array());
        let normals = self.floats(&flat(&cubes.normals), "VEC3", num);
        let tangents: Vec<f32> = cubes.tangents.iter().flat_map(|t| t.to_array()).collect();
        let tangents = self.floats(&tangents, "VEC4", num);
        let uvs: Vec<f32> = cubes.uvs.iter().flat_map(|uv| uv.to_array()).collect();
        let uvs = self.floats(&uvs, "VEC2", num);
        let mut attributes = json!({"POSITION": positions, "NORMAL": normals,
            "TANGENT": tangents, "TEXCOORD_0": uvs});
        if is_skinned {
            let weights = [1.0, 0.0, 0.0, 0.0].repeat(num);
            attributes["JOINTS_0"] =
                json!(self.add(cubes.joints.as_flattened(), "VEC4", 5121, num));
            attributes["WEIGHTS_0"] = json!(self.floats(&weights, "VEC4", num));
        }
        let indices: Vec<u8> = cubes.indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let indices = self.add(&indices, "SCALAR", 5123, cubes.indices.len());
        json!({"name": name, "primitives": [{"attributes": attributes, "indices": indices,
            "material": 0}]})
    }
}

/// A binary file.
pub fn mirrored_gltf() -> Vec<u8> {
    let mut tables = Tables::default();
    let meshes = [
        tables.mesh("cube", &Cubes::default().add(Vec3::ZERO, 0), false),
        tables.mesh("skin", &Cubes::default().add(Vec3::ZERO, 0), true),
        tables.mesh(
            "half a skin",
            &Cubes::default().add(Vec3::Y * 5.0, 0).add(Vec3::new(0.0, 0.0, 9.0), 1),
            true,
        ),
    ];
    let json = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 4, 7]}],
        "nodes": [
            {"name": "root", "children": [1, 3, 5, 6], "translation": [0.0, 0.5, 0.0]},
            {"name": "mirror", "mesh": 0, "children": [2], "scale": [-1.5, 1.0, 1.0],
             "rotation": [0.0, 0.0, 0.3826834, 0.9238795]},
            {"name": "back", "mesh": 0, "translation": [0.0, 4.0, 0.0], "scale": [1.0, -1.0, 1.0]},
            {"name": "plain", "mesh": 0, "translation": [6.0, 0.0, 0.0]},
            {"name": "skin", "mesh": 1, "skin": 0},
            {"name": "mirrored joint", "translation": [-6.0, 0.0, 0.0], "scale": [1.0, 1.0, -1.0]},
            {"name": "joint", "translation": [1.0, 0.0, 0.0]},
            {"name": "half", "mesh": 2, "skin": 1},
        ],
        "skins": [{"joints": [5]}, {"joints": [5, 6]}],
        "materials": [{"name": "paint"}],
        "meshes": meshes,
        "accessors": tables.accessors, "bufferViews": tables.views,
        "buffers": [{"byteLength": tables.bytes.len()}],
    });
    let mut json = serde_json::to_vec(&json).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let mut out = b"glTF\x02\0\0\0".to_vec();
    out.extend(word(12 + 8 + json.len() + 8 + tables.bytes.len()));
    out.extend(word(json.len()));
    out.extend_from_slice(b"JSON");
    out.extend(json);
    out.extend(word(tables.bytes.len()));
    out.extend_from_slice(b"BIN\0");
    out.extend(tables.bytes);
    out
}
