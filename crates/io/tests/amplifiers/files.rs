//! Files whose parts cost far more than their bytes, of any size.

/// A kind of file.
pub(crate) struct Amplifier {
    /// With the extension of its format.
    pub(crate) name: &'static str,
    /// The file with this number of parts.
    pub(crate) file: fn(usize) -> Vec<u8>,
}

pub(crate) const AMPLIFIERS: &[Amplifier] = &[
    Amplifier {
        name: "groups.obj",
        file: |num| obj(num, |n| format!("g g{n}\nusemtl m{n}\nf 1 2 3\n")),
    },
    Amplifier { name: "objects.obj", file: |num| obj(num, |n| format!("o {n:x}\nf 1 2 3\n")) },
    Amplifier { name: "points.obj", file: |num| obj(num, |n| format!("g {}\np 1\n", n % 2)) },
    Amplifier {
        name: "materials.obj",
        file: |num| obj(num, |n| format!("usemtl {n:x}\nf 1 2 3\n")),
    },
    Amplifier { name: "libraries.obj", file: |num| obj(num, |n| format!("mtllib {n:x}.mtl\n")) },
    Amplifier {
        name: "smoothing.obj",
        file: |num| obj(num, |n| format!("s {}\nf 1 2 3\n", n % 2)),
    },
    Amplifier { name: "polygon.obj", file: polygon_obj },
    Amplifier {
        name: "nodes.glb",
        file: |num| glb(&[node(num), list("{}", num)].join(","), MESH, ""),
    },
    Amplifier { name: "meshes.glb", file: meshes },
    Amplifier {
        name: "instances.glb",
        file: |num| glb(&[node(num), list(r#"{"mesh":0}"#, num)].join(","), MESH, ""),
    },
    Amplifier { name: "primitives.glb", file: |num| glb(NODE, &primitives(num), "") },
    Amplifier { name: "morphs.glb", file: |num| glb(NODE, &targets(num), "") },
    Amplifier {
        name: "materials.glb",
        file: |num| glb(NODE, MESH, &format!(r#","materials":[{}]"#, list("{}", num))),
    },
    Amplifier {
        name: "skins.glb",
        file: |num| glb(NODE, MESH, &format!(r#","skins":[{}]"#, list(r#"{"joints":[0]}"#, num))),
    },
    Amplifier { name: "clips.glb", file: |num| glb(NODE, MESH, &clips(num, |_| 0)) },
    Amplifier { name: "channels.glb", file: channels },
    Amplifier {
        name: "models.fbx",
        file: |num| {
            fbx(
                num,
                |id| format!("Model: {id}, \"Model::m\", \"Mesh\" {{ }}\n"),
                |id| format!("C: \"OO\",{id},0\nC: \"OO\",10,{id}\n"),
            )
        },
    },
    Amplifier {
        name: "materials.fbx",
        file: |num| {
            fbx(
                num,
                |id| format!("Material: {id}, \"Material::m\", \"\" {{ }}\n"),
                |id| format!("C: \"OO\",{id},11\n"),
            )
        },
    },
    Amplifier {
        name: "stacks.fbx",
        file: |num| {
            fbx(
                num,
                |id| format!("AnimationStack: {id}, \"AnimStack::s\", \"\" {{ }}\n"),
                |_| String::new(),
            )
        },
    },
];

const NODE: &str = r#"{"mesh":0}"#;
const MESH: &str = r#"{"primitives":[{"attributes":{"POSITION":0}}]}"#;

/// `num` copies with commas between them.
fn list(item: &str, num: usize) -> String {
    vec![item; num].join(",")
}

fn obj(num: usize, lines: impl Fn(usize) -> String) -> Vec<u8> {
    let mut text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n".to_owned();
    text.extend((0..num).map(lines));
    text.push_str("f 1 2 3\n");
    text.into_bytes()
}

/// A face that returns to its three points.
fn polygon_obj(num: usize) -> Vec<u8> {
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf {}\n", "1 2 3 ".repeat(num)).into_bytes()
}

/// A node with a mesh, and the following `num` nodes as children.
fn node(num: usize) -> String {
    let children: Vec<String> = (1..=num).map(|child| child.to_string()).collect();
    format!(r#"{{"mesh":0,"children":[{}]}}"#, children.join(","))
}

fn meshes(num: usize) -> Vec<u8> {
    let nodes: Vec<String> = (0..num).map(|mesh| format!(r#"{{"mesh":{mesh}}}"#)).collect();
    glb(&[node(num), nodes.join(",")].join(","), &list(MESH, num), "")
}

fn primitives(num: usize) -> String {
    format!(r#"{{"primitives":[{}]}}"#, list(r#"{"attributes":{"POSITION":0}}"#, num))
}

fn targets(num: usize) -> String {
    let targets = list(r#"{"POSITION":0}"#, num);
    format!(r#"{{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{targets}]}}]}}"#)
}

/// Clips with a channel each.
fn clips(num: usize, node_of: impl Fn(usize) -> usize) -> String {
    let clip = |number: usize| {
        let node = node_of(number);
        format!(
            r#"{{"samplers":[{{"input":1,"output":2}}],"channels":[{{"sampler":0,"target":{{"node":{node},"path":"translation"}}}}]}}"#
        )
    };
    let clips: Vec<String> = (0..num).map(clip).collect();
    format!(r#","animations":[{}]"#, clips.join(","))
}

/// A clip that moves every node.
fn channels(num: usize) -> Vec<u8> {
    let channel =
        |node: usize| format!(r#"{{"sampler":0,"target":{{"node":{node},"path":"translation"}}}}"#);
    let channels: Vec<String> = (0..num).map(channel).collect();
    let clip = format!(
        r#","animations":[{{"samplers":[{{"input":1,"output":2}}],"channels":[{}]}}]"#,
        channels.join(",")
    );
    glb(&[node(num), list("{}", num)].join(","), MESH, &clip)
}

/// `size` clips of two keys over `size` vertices.
pub(crate) fn clips_over_vertices(size: usize) -> Vec<u8> {
    glb_with(size, 1.0, r#"{"mesh":0}"#, MESH, &clips(size, |_| 0))
}

/// A clip that moves `num_bones` bones by two keys each, this many seconds apart.
pub(crate) fn distant_keys(num_bones: usize, secs: f32) -> Vec<u8> {
    let nodes = [node(num_bones), list("{}", num_bones)].join(",");
    glb_with(3, secs, &nodes, MESH, &clips(1, |_| 0))
}

fn glb(nodes: &str, meshes: &str, rest: &str) -> Vec<u8> {
    glb_with(3, 1.0, nodes, meshes, rest)
}

/// A binary glTF with accessors of positions (0), of two times (1) and of two translations (2).
fn glb_with(num_vertices: usize, secs: f32, nodes: &str, meshes: &str, rest: &str) -> Vec<u8> {
    let mut data: Vec<f32> = vec![0.0, secs, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    data.extend(
        (0..num_vertices).flat_map(|vertex| [(vertex % 7) as f32, (vertex % 5) as f32, 0.0]),
    );
    let bytes: Vec<u8> = data.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{nodes}],"meshes":[{meshes}],"buffers":[{{"byteLength":{}}}],"bufferViews":[{{"buffer":0,"byteOffset":32,"byteLength":{}}},{{"buffer":0,"byteLength":8}},{{"buffer":0,"byteOffset":8,"byteLength":24}}],"accessors":[{{"bufferView":0,"componentType":5126,"count":{num_vertices},"type":"VEC3","min":[0,0,0],"max":[6,4,0]}},{{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[{secs}]}},{{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}}]{rest}}}"#,
        bytes.len(),
        bytes.len() - 32,
    );
    while !json.len().is_multiple_of(4) {
        json.push(' ');
    }
    let word = |value: usize| u32::try_from(value).unwrap().to_le_bytes();
    let mut out = b"glTF".to_vec();
    out.extend([word(2), word(28 + json.len() + bytes.len()), word(json.len())].concat());
    out.extend(b"JSON");
    out.extend(json.as_bytes());
    out.extend(word(bytes.len()));
    out.extend(b"BIN\0");
    out.extend(bytes);
    out
}

/// A text FBX with a triangle and `num` further objects with the numbers 1000 and above.
fn fbx(
    num: usize,
    object: impl Fn(usize) -> String,
    connection: impl Fn(usize) -> String,
) -> Vec<u8> {
    let ids = 1000..1000 + num;
    let objects: String = ids.clone().map(object).collect();
    let connections: String = ids.map(connection).collect();
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}}\n\
         Objects:  {{\nGeometry: 10, \"Geometry::g\", \"Mesh\" {{\n Vertices: *9 {{ a: 0,0,0,1,0,0,0,1,0 }}\n \
         PolygonVertexIndex: *3 {{ a: 0,1,-3 }}\n GeometryVersion: 124\n}}\nModel: 11, \"Model::m\", \"Mesh\" {{ \
         Version: 232 }}\n{objects}}}\nConnections:  {{\nC: \"OO\",10,11\nC: \"OO\",11,0\n{connections}}}\n"
    )
    .into_bytes()
}
