//! One way to break a file for each fix.

use glam::{DQuat, DVec3};
use rigscope_core::model::{
    BoneId, BoneTrack, ClipId, Hull, Interpolation, MeshId, Track, VertexData,
};
use rigscope_testing::tracks_mut;
use serde_json::{Value, json};

use crate::changes::{
    begin_late, first_rotation, gcd, indices, influences, map, nodes, one, position_accessor,
    rewrite, rotated_node, set_row, set_time, skinned, swap_corners,
};
use crate::glb::{json as json_of, model_of, with_json, with_numbers_of, with_text};

/// A change that leads to a finding.
pub(crate) struct Breakage {
    pub(crate) code: &'static str,
    pub(crate) rig: &'static str,
    pub(crate) extension: &'static str,
    /// Whether the fix changes only the affected bytes.
    pub(crate) is_patched: bool,
    /// Names of the fields and elements whose bytes the fix may change.
    pub(crate) fields: &'static [&'static str],
    pub(crate) apply: fn(&mut Vec<u8>),
}

const INFLUENCES: &[&str] = &["JOINTS_0", "WEIGHTS_0"];

const fn arrays(
    code: &'static str,
    fields: &'static [&'static str],
    apply: fn(&mut Vec<u8>),
) -> Breakage {
    Breakage { code, rig: "biped", extension: "glb", is_patched: true, fields, apply }
}

const fn in_json(code: &'static str, apply: fn(&mut Vec<u8>)) -> Breakage {
    arrays(code, &["JSON"], apply)
}

const fn rewritten(code: &'static str, apply: fn(&mut Vec<u8>)) -> Breakage {
    Breakage { is_patched: false, ..arrays(code, &[], apply) }
}

pub(crate) const BREAKAGES: &[Breakage] = &[
    arrays("weights-not-normalized", INFLUENCES, |bytes| {
        one(bytes, "WEIGHTS_0", |weights| weights.iter_mut().for_each(|w| *w *= 0.5));
    }),
    arrays("negative-weight", INFLUENCES, |bytes| {
        influences(bytes, [1.0, 2.0, 0.0, 0.0], [1.2, -0.2, 0.0, 0.0]);
    }),
    arrays("not-finite", INFLUENCES, |bytes| {
        influences(bytes, [1.0, 2.0, 0.0, 0.0], [1.0, f64::NAN, 0.0, 0.0]);
    }),
    arrays("bone-out-of-range", INFLUENCES, |bytes| {
        influences(bytes, [1.0, 200.0, 0.0, 0.0], [0.6, 0.4, 0.0, 0.0]);
    }),
    arrays("joint-repeated-in-vertex", INFLUENCES, |bytes| {
        influences(bytes, [1.0, 1.0, 2.0, 0.0], [0.3, 0.3, 0.4, 0.0]);
    }),
    arrays("tiny-weight", INFLUENCES, |bytes| {
        influences(bytes, [1.0, 2.0, 0.0, 0.0], [0.999, 0.001, 0.0, 0.0]);
    }),
    arrays("flipped-triangle", &["vertex"], |bytes| {
        swap_corners(bytes, |triangle| triangle == 5);
    }),
    arrays("reversed-winding", &["vertex"], |bytes| swap_corners(bytes, |_| true)),
    arrays("zero-normal", &["NORMAL", "TANGENT"], |bytes| one(bytes, "NORMAL", |n| n.fill(0.0))),
    arrays("non-unit-normal", &["NORMAL"], |bytes| {
        one(bytes, "NORMAL", |normal| normal.iter_mut().for_each(|value| *value *= 3.0));
    }),
    arrays("zero-tangent", &["TANGENT"], |bytes| {
        one(bytes, "TANGENT", |tangent| tangent[..3].fill(0.0));
    }),
    arrays("tangent-sign", &["TANGENT"], |bytes| one(bytes, "TANGENT", |own| own[3] *= 0.5)),
    arrays("skewed-tangent", &["TANGENT"], |bytes| {
        let model = model_of("glb", bytes);
        let normal = model.meshes[MeshId(0)].normal(7).unwrap().as_dvec3();
        one(bytes, "TANGENT", |own| {
            let tangent = DVec3::from_slice(own);
            let skewed = (tangent + normal).normalize();
            own[..3].copy_from_slice(&skewed.to_array());
        });
    }),
    arrays("tangent-handedness", &["TANGENT"], |bytes| {
        map(bytes, "TANGENT", |own, _| own[3] = -own[3]);
    }),
    rewritten("degenerate-triangle", |bytes| {
        rewrite(bytes, "glb", |model| indices(model, |list| list[4] = list[3]));
    }),
    rewritten("zero-area-triangle", |bytes| {
        rewrite(bytes, "glb", |model| {
            let corners: Vec<u32> =
                model.meshes[MeshId(0)].indices.iter().skip(6).take(3).collect();
            let place = model.meshes[MeshId(0)].position(corners[0] as usize).unwrap();
            let streams = model.meshes[MeshId(0)].streams_mut().unwrap();
            streams.positions[corners[1] as usize] = place;
            streams.positions[corners[2] as usize] = place;
        });
    }),
    rewritten("duplicate-triangle", |bytes| {
        rewrite(bytes, "glb", |model| {
            indices(model, |list| {
                let first: Vec<u32> = list[..3].to_vec();
                list.extend(first);
            });
        });
    }),
    rewritten("unused-vertex", |bytes| {
        rewrite(bytes, "glb", |model| indices(model, |list| list.truncate(list.len() - 60)));
    }),
    rewritten("duplicate-vertex", |bytes| {
        rewrite(bytes, "glb", |model| {
            let mesh = &model.meshes[MeshId(0)];
            let num = u32::try_from(mesh.num_vertices()).unwrap();
            let sources: Vec<u32> = (0..num).chain([mesh.indices.get(0).unwrap()]).collect();
            let streams = mesh.streams().unwrap();
            let streams = rigscope_core::reshape::gather(streams, &sources);
            let skin = model.meshes[MeshId(0)].inverse_bind_mut().unwrap();
            let sources = sources.iter().map(|source| *source as usize);
            skin.influences = skin.influences.of_vertices(sources);
            model.meshes[MeshId(0)].vertices = VertexData::Streams(streams);
            indices(model, |list| list[0] = num);
        });
    }),
    arrays("vertex-cache-order", &["vertex"], |bytes| {
        let model = model_of("glb", bytes);
        let list: Vec<u32> = model.meshes[MeshId(0)].indices.iter().collect();
        let num = list.len() / 3;
        // A stride that is coprime to the number of triangles visits each once.
        let stride = (num / 3..num).find(|stride| gcd(*stride, num) == 1).unwrap();
        map(bytes, "vertex", |index, record| {
            let record = usize::try_from(record).unwrap();
            let triangle = record / 3 * stride % num;
            index[0] = f64::from(list[triangle * 3 + record % 3]);
        });
    }),
    Breakage {
        extension: "bsm",
        rig: "prop",
        ..rewritten("point-inside-hull", |bytes| {
            rewrite(bytes, "bsm", |model| {
                let corner = |at: u8| {
                    let side = |bit: u8| if at >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    glam::Vec3::new(side(0), side(1), side(2))
                };
                let points = (0..8).map(corner).chain([glam::Vec3::splat(0.1)]).collect();
                model.hulls = vec![Hull { points }];
            });
        })
    },
    Breakage {
        extension: "iqm",
        ..rewritten("parent-after-child", |bytes| {
            let model = model_of("iqm", bytes);
            let bones = model.skeleton.bones();
            let is_leaf = |bone: &u32| bones.iter().all(|own| own.parent != Some(BoneId(*bone)));
            let leaf = (1..u32::try_from(bones.len()).unwrap()).find(is_leaf).unwrap();
            let below = |numbers: &mut [f64], record: u64| {
                if record == u64::from(leaf) {
                    numbers[0] = f64::from(leaf + 1);
                }
            };
            *bytes = with_numbers_of("iqm", std::mem::take(bytes), "parent", below);
        })
    },
    rewritten("joint-listed-twice", |bytes| {
        with_json(bytes, |json| {
            let joints = json["skins"][0]["joints"].as_array_mut().unwrap();
            joints[3] = joints[2].clone();
        });
    }),
    arrays("keys-not-ascending", &["time", "translation", "rotation"], |bytes| {
        set_time(bytes, 3, |before, after| before + 0.1 * (after - before));
    }),
    arrays("equal-key-times", &["time"], |bytes| set_time(bytes, 3, |before, _| before)),
    rewritten("partial-track", |bytes| begin_late(bytes, 0.0)),
    rewritten("partial-track-jumps", |bytes| begin_late(bytes, 1.0)),
    arrays("rotation-key-zero", &["rotation"], |bytes| {
        first_rotation(bytes, |key, record| {
            if record == 3 {
                key.fill(0.0);
            }
        });
    }),
    arrays("rotation-key-not-unit", &["rotation"], |bytes| {
        first_rotation(bytes, |key, record| {
            if record == 3 {
                key.iter_mut().for_each(|value| *value *= 1.5);
            }
        });
    }),
    arrays("quaternion-flip", &["rotation"], |bytes| {
        first_rotation(bytes, |key, record| {
            if record == 3 {
                key.iter_mut().for_each(|value| *value = -*value);
            }
        });
    }),
    arrays("key-spike", &["rotation"], |bytes| {
        first_rotation(bytes, |key, record| {
            if record == 5 {
                let turned = DQuat::from_slice(key) * DQuat::from_rotation_x(1.5);
                key.copy_from_slice(&turned.to_array());
            }
        });
    }),
    rewritten("constant-bone", |bytes| {
        rewrite(bytes, "glb", |model| {
            let mut clip = model.clips[ClipId(0)].clone();
            "second".clone_into(&mut clip.name);
            let last = tracks_mut(&mut clip).last_mut();
            let values = &mut last.unwrap().rotation.as_mut().unwrap().values;
            *values = vec![values[0]; values.len()];
            model.clips.push(clip);
        });
    }),
    rewritten("constant-clip", |bytes| {
        rewrite(bytes, "glb", |model| {
            for track in tracks_mut(&mut model.clips[ClipId(0)]) {
                let first = track.rotation.as_ref().map(|track| track.values[0]);
                for value in track.rotation.iter_mut().flat_map(|track| &mut track.values) {
                    *value = first.unwrap();
                }
                let first = track.translation.as_ref().map(|track| track.values[0]);
                for value in track.translation.iter_mut().flat_map(|track| &mut track.values) {
                    *value = first.unwrap();
                }
            }
        });
    }),
    arrays("open-loop", &["rotation"], |bytes| {
        // At rest at both ends, so that the gap differs from a normal step.
        rewrite(bytes, "glb", |model| {
            for track in tracks_mut(&mut model.clips[ClipId(0)]) {
                let off = if track.bone.0 == 5 { 0.02 } else { 0.0 };
                if let Some(rotation) = &mut track.rotation {
                    let (first, num) = (rotation.values[0], rotation.values.len());
                    rotation.values[1] = first;
                    rotation.values[num - 3] = first;
                    rotation.values[num - 2..].fill(first * glam::Quat::from_rotation_z(off));
                }
                if let Some(translation) = &mut track.translation {
                    // A clip that travels isn't a loop.
                    let first = translation.values[0];
                    translation.values.fill(first);
                }
            }
        });
    }),
    arrays("tangent-overshoot", &["translation"], |bytes| {
        rewrite(bytes, "glb", |model| {
            let rest = model.skeleton.bones()[BoneId(5)].rest_local.to_trs().translation;
            let of_bone = |track: &&mut BoneTrack| track.bone == BoneId(5);
            let track = tracks_mut(&mut model.clips[ClipId(0)]).iter_mut().find(of_bone).unwrap();
            let (still, fast) = (glam::Vec3::ZERO, glam::Vec3::splat(3.0));
            track.translation = Some(Track {
                times_secs: vec![0.0, 0.5, 1.0],
                values: vec![still, rest, fast, -fast, rest, still, still, rest, still],
                interpolation: Interpolation::Cubic,
            });
        });
    }),
    arrays(
        "heaviest-influence-dropped",
        &["JOINTS_0", "WEIGHTS_0", "JOINTS_1", "WEIGHTS_1"],
        |bytes| {
            rewrite(bytes, "glb", |model| {
                set_row(model, 7, &[(1, 0.3), (2, 0.2), (3, 0.2), (4, 0.2), (5, 0.1)]);
            });
            one(bytes, "WEIGHTS_0", |own| own.copy_from_slice(&[0.1, 0.1, 0.1, 0.1]));
            one(bytes, "WEIGHTS_1", |own| own[0] = 0.6);
        },
    ),
    arrays("inverse-bind-not-affine", &["inverse bind matrix"], |bytes| {
        one(bytes, "inverse bind matrix", |matrix| matrix[3] = 0.25);
    }),
    in_json("duplicate-name", |bytes| {
        with_json(bytes, |json| {
            let name = json["nodes"][2]["name"].clone();
            json["nodes"][3]["name"] = name;
        });
    }),
    in_json("position-bounds-wrong", |bytes| {
        with_json(bytes, |json| {
            let accessor = position_accessor(json);
            json["accessors"][accessor]["max"][1] = json!(0.5);
        });
    }),
    in_json("position-bounds-missing", |bytes| {
        with_json(bytes, |json| {
            let accessor = position_accessor(json);
            let accessor = json["accessors"][accessor].as_object_mut().unwrap();
            accessor.remove("min");
            accessor.remove("max");
        });
    }),
    in_json("key-time-bounds-wrong", |bytes| {
        with_json(bytes, |json| {
            let input = json["animations"][0]["samplers"][0]["input"].as_u64().unwrap();
            json["accessors"][usize::try_from(input).unwrap()]["max"][0] = json!(9.0);
        });
    }),
    in_json("quantized-without-extension", |bytes| {
        // UVs stored as bytes are only allowed with the extension.
        with_json(bytes, |json| {
            let uvs = json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"].as_u64();
            let accessor = &mut json["accessors"][usize::try_from(uvs.unwrap()).unwrap()];
            accessor["componentType"] = json!(5122);
            accessor["normalized"] = json!(true);
            let view = usize::try_from(accessor["bufferView"].as_u64().unwrap()).unwrap();
            json["bufferViews"][view]["byteStride"] = json!(8);
        });
    }),
    in_json("weights-not-fractions", |bytes| {
        // A single bone with a weight of 255 in each vertex, as bytes in the first quarter of each record.
        let model = model_of("glb", bytes);
        let spans: Vec<_> = model
            .provenance
            .spans
            .iter()
            .filter(|span| span.fields.iter().any(|field| field.name == "WEIGHTS_0"))
            .cloned()
            .collect();
        for span in &spans {
            for record in span.first..span.first + span.count {
                let start = usize::try_from(span.record(record).unwrap().start).unwrap();
                bytes[start..start + 4].copy_from_slice(&[255, 0, 0, 0]);
            }
        }
        with_json(bytes, |json| {
            let weights = json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].as_u64();
            let accessor = &mut json["accessors"][usize::try_from(weights.unwrap()).unwrap()];
            accessor["componentType"] = json!(5121);
            accessor.as_object_mut().unwrap().remove("normalized");
            let view = usize::try_from(accessor["bufferView"].as_u64().unwrap()).unwrap();
            json["bufferViews"][view]["byteStride"] = json!(16);
        });
    }),
    in_json("skeleton-not-ancestor", |bytes| {
        with_json(bytes, |json| json["skins"][0]["skeleton"] = json!(5));
    }),
    in_json("skin-without-joints", |bytes| {
        with_json(bytes, |json| {
            let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
            attributes.as_object_mut().unwrap().remove("JOINTS_0");
            attributes.as_object_mut().unwrap().remove("WEIGHTS_0");
        });
    }),
    in_json("animated-matrix-node", |bytes| {
        with_json(bytes, |json| {
            let node = usize::try_from(rotated_node(json)).unwrap();
            let numbers = |value: &Value| -> Vec<f64> {
                value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
            };
            let node = json["nodes"][node].as_object_mut().unwrap();
            let translation = node.remove("translation").unwrap_or(json!([0, 0, 0]));
            let rotation = node.remove("rotation").unwrap_or(json!([0, 0, 0, 1]));
            let matrix = glam::DMat4::from_rotation_translation(
                DQuat::from_slice(&numbers(&rotation)),
                DVec3::from_slice(&numbers(&translation)),
            );
            node.insert("matrix".to_owned(), json!(matrix.to_cols_array()));
        });
    }),
    in_json("rest-rotation-not-unit", |bytes| {
        with_json(bytes, |json| {
            let node = nodes(json).iter_mut().find(|node| node.get("rotation").is_some()).unwrap();
            for value in node["rotation"].as_array_mut().unwrap() {
                *value = json!(value.as_f64().unwrap() * 1.5);
            }
        });
    }),
    in_json("skinned-node-transform", |bytes| {
        with_json(bytes, |json| skinned(json)["translation"] = json!([3, 0, 0]));
    }),
    Breakage {
        rig: "face",
        ..in_json("morph-weight-count", |bytes| {
            with_json(bytes, |json| json["meshes"][0]["weights"] = json!([0]));
        })
    },
    in_json("channel-without-target", |bytes| {
        with_json(bytes, |json| {
            let target = &mut json["animations"][0]["channels"][1]["target"];
            target.as_object_mut().unwrap().remove("node");
        });
    }),
    in_json("skinned-node-animated", |bytes| {
        with_json(bytes, |json| {
            let node = nodes(json).iter().position(|node| node.get("skin").is_some()).unwrap();
            let channels = json["animations"][0]["channels"].as_array_mut().unwrap();
            let rotation = |channel: &&Value| channel["target"]["path"] == "rotation";
            let mut own = channels.iter().find(rotation).unwrap().clone();
            own["target"]["node"] = json!(node);
            channels.push(own);
        });
    }),
    in_json("first-influences-missing", |bytes| {
        with_json(bytes, |json| {
            let attributes = json["meshes"][0]["primitives"][0]["attributes"].as_object_mut();
            let attributes = attributes.unwrap();
            for name in ["JOINTS", "WEIGHTS"] {
                let accessor = attributes.remove(&format!("{name}_0")).unwrap();
                attributes.insert(format!("{name}_1"), accessor);
            }
        });
    }),
    in_json("joints-outside-scene", |bytes| {
        with_json(bytes, |json| {
            let mesh = nodes(json).iter().position(|node| node.get("skin").is_some()).unwrap();
            json["scenes"][0]["nodes"] = json!([mesh]);
        });
    }),
    in_json("meshes-outside-scene", |bytes| {
        with_json(bytes, |json| {
            let node = json!({ "mesh": 0, "skin": 0, "name": "copy" });
            nodes(json).push(node);
        });
    }),
    in_json("name-not-utf8", |bytes| {
        let mut text = serde_json::to_vec(&json_of(bytes)).unwrap();
        let at = text.windows(6).position(|part| part == b"\"Hips\"").unwrap();
        text[at + 2] = 0xff;
        *bytes = with_text(bytes, text);
    }),
    arrays("trailing-bytes", &["trailing bytes"], |bytes| bytes.extend(*b"appended text")),
    Breakage {
        extension: "iqm",
        fields: &["lowest corner"],
        ..arrays("frame-bounds-wrong", &[], |bytes| {
            let narrow = |numbers: &mut [f64], _: u64| numbers.fill(0.0);
            *bytes = with_numbers_of("iqm", std::mem::take(bytes), "highest corner", narrow);
        })
    },
    Breakage {
        extension: "bsm",
        rig: "prop",
        fields: &["bounding box", "bounding sphere"],
        ..arrays("bounds-mismatch", &[], |bytes| {
            let narrow = |numbers: &mut [f64], _: u64| numbers[3..].fill(0.0);
            *bytes = with_numbers_of("bsm", std::mem::take(bytes), "bounding box", narrow);
        })
    },
    Breakage {
        extension: "bsm2",
        fields: &["parent bone index"],
        ..arrays("root-stored-as-255", &[], |bytes| {
            let hide = |numbers: &mut [f64], record: u64| {
                if record == 0 {
                    numbers[0] = 255.0;
                }
            };
            *bytes = with_numbers_of("bsm2", std::mem::take(bytes), "parent bone index", hide);
        })
    },
    Breakage {
        extension: "bsm2",
        fields: &["duration in ns"],
        ..arrays("zero-duration", &[], |bytes| {
            let clear = |numbers: &mut [f64], _: u64| numbers.fill(0.0);
            *bytes = with_numbers_of("bsm2", std::mem::take(bytes), "duration in ns", clear);
        })
    },
    Breakage {
        extension: "bsm2",
        fields: &["duration in ns"],
        ..arrays("duration-mismatch", &[], |bytes| {
            let longer = |numbers: &mut [f64], _: u64| numbers[0] *= 3.0;
            *bytes = with_numbers_of("bsm2", std::mem::take(bytes), "duration in ns", longer);
        })
    },
    Breakage {
        extension: "bsm2",
        fields: &["position"],
        ..arrays("unused-slot-out-of-range", &[], |bytes| {
            let wrong = |numbers: &mut [f64], record: u64| {
                if record == 7 {
                    numbers[3] = 200.0;
                }
            };
            *bytes = with_numbers_of("bsm2", std::mem::take(bytes), "bones", wrong);
        })
    },
    Breakage {
        extension: "bsm2",
        fields: &["position"],
        ..arrays("weights-not-normalized", &[], |bytes| {
            let light = |numbers: &mut [f64], record: u64| {
                if record == 7 {
                    numbers[0] *= 0.5;
                }
            };
            *bytes = with_numbers_of("bsm2", std::mem::take(bytes), "weights", light);
        })
    },
    Breakage {
        extension: "bsm2",
        fields: &["position"],
        ..arrays("weight-after-zero", &[], |bytes| {
            let single = |numbers: &mut [f64], record: u64| {
                if record == 7 {
                    numbers.copy_from_slice(&[0.0, 1.0, 0.0, 0.0]);
                }
            };
            *bytes = with_numbers_of("bsm2", std::mem::take(bytes), "weights", single);
        })
    },
];
