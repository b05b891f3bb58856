//! Models of several meshes that share a skin, and files of them with damaged bytes.

use glam::{Mat4, Quat, Vec3};
use rigscope_core::model::{
    BoneId, ClipId, Indices, InverseBindSkin, Mesh, MeshId, Model, Skin, VertexData,
};
use rigscope_testing::{ModelBuilder, bone, linear, skin, streams, subsets_of};
use serde_json::json;

use crate::glb::{json as json_of, with_json, with_numbers};

/// Vertices and indices of each tube of a rig.
const TUBE: usize = 88;
const TUBE_INDICES: usize = 360;

/// The model with its mesh split into one mesh per so many tubes, all with the same skin.
pub(crate) fn split(model: &Model, tubes_per_mesh: usize) -> Model {
    let whole = &model.meshes[MeshId(0)];
    let num = whole.num_vertices() / TUBE;
    let parts = (0..num).step_by(tubes_per_mesh).map(|first| {
        let last = (first + tubes_per_mesh).min(num);
        part(whole, first * TUBE..last * TUBE, first * TUBE_INDICES..last * TUBE_INDICES)
    });
    Model { meshes: parts.collect(), ..model.clone() }
}

fn part(whole: &Mesh, vertices: std::ops::Range<usize>, indices: std::ops::Range<usize>) -> Mesh {
    let skin = whole.inverse_bind().unwrap();
    let mut own = streams(whole).clone();
    own.positions = own.positions[vertices.clone()].to_vec();
    own.normals = own.normals[vertices.clone()].to_vec();
    own.tangents = own.tangents[vertices.clone()].to_vec();
    for set in &mut own.uv_sets {
        set.coords = set.coords[vertices.clone()].to_vec();
    }
    let first = u32::try_from(vertices.start).unwrap();
    let list: Vec<u32> = indices.map(|at| whole.indices.get(at).unwrap() - first).collect();
    Mesh {
        name: format!("part {first}"),
        vertices: VertexData::Streams(own),
        subsets: subsets_of(&[(u32::try_from(list.len()).unwrap(), Some(0))]),
        indices: Indices::U32(list),
        skin: Skin::InverseBind(InverseBindSkin {
            influences: skin.influences.of_vertices(vertices),
            ..skin.clone()
        }),
        ..Mesh::default()
    }
}

/// The model in which every second mesh has its own list of bones, in reverse order.
pub(crate) fn with_several_skins(mut model: Model) -> Model {
    for mesh in model.meshes.iter_mut().skip(1).step_by(2) {
        let Some(skin) = mesh.inverse_bind_mut() else { continue };
        let num = u32::try_from(skin.bones.len()).unwrap();
        skin.bones.reverse();
        skin.bone_from_mesh.reverse();
        skin.influences.map_rows(|_, row| {
            row.iter_mut().for_each(|(slot, _)| *slot = num - 1 - *slot);
        });
    }
    model
}

/// The model with its first mesh twice: a writer stores its arrays once.
pub(crate) fn with_a_copy(mut model: Model) -> Model {
    let copy = model.meshes[MeshId(0)].clone();
    model.meshes.push(copy);
    model
}

/// Three boxes that follow one bone each, on one skin of four bones without rotations.
pub(crate) fn boxes() -> Model {
    let bones = [
        ("pelvis", None, [0.0, 1.0, 0.0]),
        ("waist", Some(0), [0.0, 0.4, 0.0]),
        ("arm", Some(1), [0.3, 0.3, 0.1]),
        ("fist", Some(2), [0.6, 0.0, 0.1]),
    ];
    let mut builder = ModelBuilder::new();
    let mut heads: Vec<Vec3> = Vec::new();
    for (name, parent, at) in bones {
        let at = Vec3::from_array(at);
        heads.push(parent.map_or(Vec3::ZERO, |parent: u32| heads[parent as usize]) + at);
        builder = builder.add_bone(bone(name, parent, at));
    }
    let binds: Vec<(u32, Mat4)> =
        (0..).zip(&heads).map(|(bone, head)| (bone, Mat4::from_translation(-*head))).collect();
    for (number, size, slots) in [(0usize, 0.3, [0u32, 1]), (1, 0.35, [1, 2]), (3, 0.15, [3, 3])] {
        let cube = ModelBuilder::new().cube(size).into_mesh();
        let VertexData::Streams(mut own) = cube.vertices.clone() else { panic!("packed") };
        let center = own.positions.iter().sum::<Vec3>() / own.positions.len() as f32;
        own.positions.iter_mut().for_each(|at| *at += heads[number] - center);
        let lists: Vec<Vec<(u32, f32)>> = own
            .positions
            .iter()
            .map(|at| {
                if slots[0] == slots[1] {
                    vec![(slots[0], 1.0)]
                } else if at.y > heads[number].y {
                    vec![(slots[0], 0.4), (slots[1], 0.6)]
                } else {
                    vec![(slots[0], 1.0)]
                }
            })
            .collect();
        builder = builder.add_mesh(Mesh {
            name: format!("part {number}"),
            vertices: VertexData::Streams(own),
            skin: skin(&binds, &lists),
            ..cube
        });
    }
    let mut model = builder.clip("swing", 1.0).build();
    for bone in 0..4u32 {
        let swing = |key: u8| {
            let angle = (f32::from(key) / 12.0 * std::f32::consts::TAU + bone as f32).sin() * 0.4;
            (f64::from(key) / 12.0, Quat::from_rotation_z(angle))
        };
        let track = rigscope_core::model::BoneTrack {
            bone: BoneId(bone),
            translation: None,
            rotation: Some(linear((0..=12).map(swing))),
            scale: None,
        };
        rigscope_testing::tracks_mut(&mut model.clips[ClipId(0)]).push(track);
    }
    model.axes.unit_meters = Some(1.0);
    model
}

/// A change of a file's bytes.
pub(crate) struct Damage {
    pub(crate) name: &'static str,
    pub(crate) apply: fn(Vec<u8>) -> Vec<u8>,
}

fn matrix(numbers: &[f64]) -> glam::DMat4 {
    glam::DMat4::from_cols_slice(numbers)
}

fn binds(bytes: Vec<u8>, change: fn(glam::DMat4) -> glam::DMat4) -> Vec<u8> {
    with_numbers(bytes, "inverse bind matrix", |numbers, _| {
        numbers.copy_from_slice(&change(matrix(numbers)).to_cols_array());
    })
}

/// Adds `shift` to the joints of all influences.
pub(crate) fn shift_joints(bytes: Vec<u8>) -> Vec<u8> {
    // Weights precede joints in no particular order, so both are read from the model.
    let model = crate::glb::model_of("glb", &bytes);
    let mut bytes = bytes;
    for span in &model.provenance.spans {
        let rigscope_core::model::Element::Vertex { mesh } = span.element else { continue };
        let Some(field) = span.fields.iter().find(|own| own.name == "JOINTS_0") else { continue };
        let rigscope_core::model::Layout::Numbers { scalar, .. } = field.layout else { continue };
        let Skin::InverseBind(skin) = &model.meshes[MeshId(mesh)].skin else { continue };
        for record in span.first..span.first + span.count {
            let vertex = usize::try_from(record).unwrap();
            let num = skin.influences.row(vertex).filter(|(_, weight)| *weight > 0.0).count();
            let start = usize::try_from(span.record(record).unwrap().start).unwrap();
            let size = scalar.num_bytes();
            for slot in 0..num {
                let at = start + slot * size;
                let value = scalar.number(&bytes[at..at + size]).unwrap().to_f64();
                scalar.encode(value + 1.0, &mut bytes[at..at + size]);
            }
        }
    }
    bytes
}

fn quaternions(bytes: Vec<u8>, change: fn([f64; 4]) -> [f64; 4]) -> Vec<u8> {
    with_numbers(bytes, "rotation", |numbers, _| {
        for key in numbers.chunks_exact_mut(4) {
            let changed = change([key[0], key[1], key[2], key[3]]);
            key.copy_from_slice(&changed);
        }
    })
}

fn directions(bytes: Vec<u8>, field: &str, change: fn(&mut [f64])) -> Vec<u8> {
    with_numbers(bytes, field, |numbers, _| change(numbers))
}

pub(crate) const DAMAGES: &[Damage] = &[
    Damage { name: "binds transposed", apply: |bytes| binds(bytes, |own| own.transpose()) },
    Damage { name: "binds not inverted", apply: |bytes| binds(bytes, |own| own.inverse()) },
    Damage {
        name: "binds x100",
        apply: |bytes| {
            binds(bytes, |mut own| {
                own.w_axis = (own.w_axis.truncate() * 100.0).extend(1.0);
                own
            })
        },
    },
    Damage {
        name: "binds mirrored",
        apply: |bytes| {
            binds(bytes, |own| {
                let mirror = glam::DMat4::from_scale(glam::DVec3::new(-1.0, 1.0, 1.0));
                mirror * own * mirror
            })
        },
    },
    Damage { name: "binds missing", apply: |bytes| binds(bytes, |_| glam::DMat4::IDENTITY) },
    Damage { name: "joints one too high", apply: shift_joints },
    Damage {
        name: "weights x0.8",
        apply: |bytes| {
            directions(bytes, "WEIGHTS_0", |own| own.iter_mut().for_each(|value| *value *= 0.8))
        },
    },
    Damage {
        name: "translation keys x100",
        apply: |bytes| {
            directions(bytes, "translation", |own| own.iter_mut().for_each(|value| *value *= 100.0))
        },
    },
    Damage {
        name: "rotation keys wxyz",
        apply: |bytes| quaternions(bytes, |[x, y, z, w]| [w, x, y, z]),
    },
    Damage {
        name: "rotation keys conjugated",
        apply: |bytes| quaternions(bytes, |[x, y, z, w]| [-x, -y, -z, w]),
    },
    Damage {
        name: "normals flipped",
        apply: |bytes| {
            directions(bytes, "NORMAL", |own| own.iter_mut().for_each(|value| *value = -*value))
        },
    },
    Damage {
        name: "bitangent signs",
        apply: |bytes| directions(bytes, "TANGENT", |own| own[3] = -own[3]),
    },
    Damage {
        name: "V flipped",
        apply: |bytes| directions(bytes, "TEXCOORD_0", |own| own[1] = 1.0 - own[1]),
    },
    Damage {
        name: "rest translations x100",
        apply: |mut bytes| {
            let joints: Vec<u64> = json_of(&bytes)["skins"]
                .as_array()
                .into_iter()
                .flatten()
                .flat_map(|skin| skin["joints"].as_array().unwrap().clone())
                .filter_map(|joint| joint.as_u64())
                .collect();
            with_json(&mut bytes, |json| {
                for (at, node) in json["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
                    if let (true, Some(list)) =
                        (joints.contains(&(at as u64)), node["translation"].as_array())
                    {
                        let scaled: Vec<f64> =
                            list.iter().map(|value| value.as_f64().unwrap() * 100.0).collect();
                        node["translation"] = json!(scaled);
                    }
                }
            });
            bytes
        },
    },
    Damage {
        name: "one wild key",
        apply: |bytes| {
            let model = crate::glb::model_of("glb", &bytes);
            let mut bytes = bytes;
            let spans = &model.provenance.spans;
            let span = spans.iter().rfind(|span| {
                span.fields.first().is_some_and(|own| own.name == "rotation") && span.count > 6
            });
            let Some(range) = span.and_then(|span| span.record(span.first + 5)) else {
                return bytes;
            };
            let at = usize::try_from(range.start).unwrap();
            for (number, value) in [0.95f32, 0.1, -0.2, 0.2].into_iter().enumerate() {
                let at = at + number * 4;
                if range.end - range.start == 16 {
                    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
                }
            }
            bytes
        },
    },
    Damage {
        name: "positions x100",
        apply: |bytes| {
            directions(bytes, "POSITION", |own| own.iter_mut().for_each(|value| *value *= 100.0))
        },
    },
];
