//! A model that no rule has anything to say about, and small changes to it, for the tests of all
//! rules.
//!
//! A box of 24 vertices, 4 a face, on two bones: face `f` has vertices `4f..4f + 4` and triangles
//! `2f` (its corners 0, 1, 2) and `2f + 1` (0, 2, 3).

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};

use crate::model::{
    Aabb, Bone, BoneId, BoneTrack, Cancelled, Clip, ClipId, Hull, Indices, Influences,
    Interpolation, InverseBindSkin, KeySpace, LocalTransform, Material, MaterialId, Mesh, Model,
    Motion, Note, NoteKind, PackedKeys, PackedVertex, PackedVertices, Report, SampledMotion,
    Skeleton, Skin, StoredBounds, Streams, Subset, Track, Trs, UvSet, VertexData,
    pack_snorm1010102,
};
use crate::pose::{Moment, PoseSpec, Sampling, sample};

/// Half the box's size, and the height of its middle and of the second bone.
const HALF: Vec3 = Vec3::new(1.0, 2.0, 1.0);
/// Outward normal and direction of increasing u of each face.
const FACES: [(Vec3, Vec3); 6] = [
    (Vec3::X, Vec3::NEG_Z),
    (Vec3::NEG_X, Vec3::Z),
    (Vec3::Y, Vec3::X),
    (Vec3::NEG_Y, Vec3::X),
    (Vec3::Z, Vec3::X),
    (Vec3::NEG_Z, Vec3::NEG_X),
];
/// Keys of the clip, a quarter of a second apart.
const ANGLES_RAD: [f32; 5] = [0.0, 0.3, 0.5, 0.2, 0.0];
const INTERVAL_NS: u64 = 250_000_000;

/// A closed, skinned, animated mesh: normals, tangents, UVs inside the texture, two subsets that
/// tile the triangles, a hull, and bounds with room for the clip.
pub(crate) fn clean_model() -> Model {
    let streams = box_streams();
    let aabb = Aabb::from_points(streams.positions.iter().copied());
    // Room for what the clip does.
    let bounds = Aabb::from_points([aabb.min - HALF, aabb.max + HALF]);
    let subset = |first_index, material| Subset {
        first_index,
        index_count: 18,
        material: Some(MaterialId(material)),
    };
    let mesh = Mesh {
        name: "box".to_owned(),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: vec![BoneId(0), BoneId(1)],
            bone_from_mesh: vec![
                Mat4::IDENTITY,
                Mat4::from_translation(Vec3::new(0.0, -HALF.y, 0.0)),
            ],
            influences: box_influences(&streams),
            ..InverseBindSkin::default()
        }),
        vertices: VertexData::Streams(streams),
        indices: Indices::U32(
            (0..6u32)
                .flat_map(|face| [0, 1, 2, 0, 2, 3].map(|corner| face * 4 + corner))
                .collect(),
        ),
        subsets: vec![subset(0, 0), subset(18, 1)],
        ..Mesh::default()
    };
    Model {
        name: "clean".to_owned(),
        meshes: vec![mesh],
        materials: ["front", "back"].map(named_material).to_vec(),
        skeleton: Skeleton::new(vec![bone("root", None), bone("tip", Some(0))], true).unwrap(),
        clips: vec![nod()],
        hulls: vec![Hull {
            points: aabb.corners().to_vec(),
        }],
        stored_bounds: Some(StoredBounds {
            aabb: bounds,
            sphere_center: bounds.center(),
            sphere_radius: bounds.extent() / 2.0,
        }),
        ..Model::default()
    }
}

fn named_material(name: &str) -> Material {
    Material {
        name: name.to_owned(),
        ..Material::default()
    }
}

fn bone(name: &str, parent: Option<u32>) -> Bone {
    let height = if parent.is_some() { HALF.y } else { 0.0 };
    Bone {
        name: name.to_owned(),
        parent: parent.map(BoneId),
        rest_local: LocalTransform::Trs(Trs {
            translation: Vec3::new(0.0, height, 0.0),
            ..Trs::IDENTITY
        }),
        ..Bone::default()
    }
}

fn box_streams() -> Streams {
    let mut streams = Streams::default();
    let mut coords = Vec::new();
    for (normal, right) in FACES {
        let up = normal.cross(right);
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let corner = normal + right * x + up * y;
            streams.positions.push((corner + Vec3::Y) * HALF);
            streams.normals.push(normal);
            streams.tangents.push(right.extend(1.0));
            // v goes down while `up` goes up.
            coords.push(Vec2::new(0.5 + 0.4 * x, 0.5 - 0.4 * y));
        }
    }
    streams.uv_sets.push(UvSet {
        name: String::new(),
        coords,
    });
    streams
}

/// Two influences a vertex, more of the tip at the top.
fn box_influences(streams: &Streams) -> Influences {
    let lists: Vec<_> = streams
        .positions
        .iter()
        .map(|position| match position.y > HALF.y {
            true => [(0, 0.25), (1, 0.75)],
            false => [(0, 0.75), (1, 0.25)],
        })
        .collect();
    Influences::from_lists(lists.iter().map(|list| &list[..]))
}

/// The tip nods, the root turns a little, and both come back to where they began.
fn nod() -> Clip {
    let interval_secs = INTERVAL_NS as f64 / 1e9;
    let turning = |bone, rotation: fn(f32) -> Quat| BoneTrack {
        bone: BoneId(bone),
        translation: None,
        rotation: Some(Track {
            times_secs: (0..ANGLES_RAD.len())
                .map(|key| key as f64 * interval_secs)
                .collect(),
            values: ANGLES_RAD.map(rotation).to_vec(),
            interpolation: Interpolation::Linear,
        }),
        scale: None,
    };
    Clip {
        name: "nod".to_owned(),
        start_secs: 0.0,
        duration_secs: interval_secs * (ANGLES_RAD.len() - 1) as f64,
        motion: Motion::Tracks(vec![
            turning(0, |angle_rad| Quat::from_rotation_y(angle_rad / 4.0)),
            turning(1, Quat::from_rotation_x),
        ]),
        morph_tracks: Vec::new(),
        events: Vec::new(),
    }
}

/// [`clean_model`] with packed vertices, influences inside.
pub(crate) fn packed_model() -> Model {
    let mut model = clean_model();
    let streams = streams_of(&mut model).clone();
    let vertices = (0..streams.positions.len()).map(|at| PackedVertex {
        position: streams.positions[at],
        normal: pack_snorm1010102(streams.normals[at], 0),
        tangent: pack_snorm1010102(streams.tangents[at].truncate(), 1),
        uv: streams.uv_sets[0].coords[at].to_array().map(unorm16),
        bones: [0, 1, 0, 0],
        weights: match streams.positions[at].y > HALF.y {
            true => [64, 191, 0, 0],
            false => [191, 64, 0, 0],
        },
    });
    let packed = PackedVertices::from_vertices(vertices);
    model.meshes[0].vertices = VertexData::Packed(packed);
    if let Skin::InverseBind(skin) = &mut model.meshes[0].skin {
        skin.influences = Influences::InVertices;
    }
    model
}

#[expect(clippy::cast_possible_truncation, reason = "UVs of the box are inside")]
#[expect(clippy::cast_sign_loss, reason = "UVs of the box are inside")]
fn unorm16(value: f32) -> u16 {
    (value * 65535.0).round() as u16
}

/// As many vertices as bones, each on a bone of its own.
pub(crate) fn many_bones(num_bones: u32) -> Model {
    let mut model = clean_model();
    let bones = (0..num_bones).map(|at| bone(&format!("bone{at}"), None));
    model.skeleton = Skeleton::new(bones.collect(), true).unwrap();
    let lists: Vec<_> = (0..num_bones).map(|slot| [(slot, 1.0)]).collect();
    let mesh = &mut model.meshes[0];
    mesh.vertices = VertexData::Streams(Streams {
        positions: (0..num_bones).map(|at| Vec3::X * at as f32).collect(),
        ..Streams::default()
    });
    mesh.skin = Skin::InverseBind(InverseBindSkin {
        bones: (0..num_bones).map(BoneId).collect(),
        influences: Influences::from_lists(lists.iter().map(|list| &list[..])),
        ..InverseBindSkin::default()
    });
    model
}

/// The box in `num` sizes around its middle, the smallest first.
pub(crate) fn shells(num: u32) -> Model {
    let mut model = clean_model();
    let one = indices_of(&mut model).clone();
    let streams = streams_of(&mut model);
    let points = std::mem::take(streams);
    let middle = Vec3::Y * HALF.y;
    let mut indices = Vec::new();
    for shell in 0..num {
        indices.extend(one.iter().map(|index| index + shell * 24));
        let size = 1.0 + shell as f32;
        let grown = points
            .positions
            .iter()
            .map(|p| middle + (p - middle) * size);
        streams.positions.extend(grown);
    }
    model.meshes[0].skin = Skin::None;
    *indices_of(&mut model) = indices;
    model
}

/// Adds a clip of finished matrices made from the first clip, each changed by
/// `change(key, bone, matrix)`.
pub(crate) fn with_baked_twin(
    model: &mut Model,
    change: impl Fn(usize, usize, Affine3A) -> Affine3A,
) {
    let mut matrices = Vec::new();
    for key in 0..ANGLES_RAD.len() {
        let spec = PoseSpec {
            clip: Some(ClipId(0)),
            moment: Moment::Key(u32::try_from(key).unwrap()),
            sampling: Sampling::Step,
        };
        let pose = sample(model, &spec);
        let palette = pose
            .of_mesh(crate::model::MeshId(0), &model.meshes[0])
            .palette;
        let changed = palette.iter().enumerate();
        matrices.extend(changed.map(|(bone, matrix)| change(key, bone, *matrix)));
    }
    let motion = SampledMotion {
        duration_ns: INTERVAL_NS * (ANGLES_RAD.len() as u64 - 1),
        interval_ns: INTERVAL_NS,
        space: KeySpace::Skin,
        is_bind_pair: false,
        keys: PackedKeys::from_matrices(2, &matrices).unwrap(),
    };
    let name = model.clips[0].name.clone();
    model.clips.push(Clip::sampled(name, motion));
}

/// Adds vertex 24, which is vertex 0 again and in no triangle.
pub(crate) fn add_copy_of_vertex_0(model: &mut Model) {
    let streams = streams_of(model);
    streams.positions.push(streams.positions[0]);
    streams.normals.push(streams.normals[0]);
    streams.tangents.push(streams.tangents[0]);
    let coords = &mut streams.uv_sets[0].coords;
    coords.push(coords[0]);
    let (first, slots, weights) = rows_of(model);
    slots.extend_from_within(..2);
    weights.extend_from_within(..2);
    first.push(u32::try_from(slots.len()).unwrap());
}

/// The float attributes of the first mesh.
pub(crate) fn streams_of(model: &mut Model) -> &mut Streams {
    match &mut model.meshes[0].vertices {
        VertexData::Streams(streams) => streams,
        VertexData::Packed(_) => panic!("the vertices are packed"),
    }
}

/// The triangle list of the first mesh.
pub(crate) fn indices_of(model: &mut Model) -> &mut Vec<u32> {
    match &mut model.meshes[0].indices {
        Indices::U32(list) => list,
        Indices::U16(_) => panic!("the indices are a view"),
    }
}

fn skin_of(model: &mut Model) -> &mut InverseBindSkin {
    match &mut model.meshes[0].skin {
        Skin::InverseBind(skin) => skin,
        _ => panic!("the skin has no inverse binds"),
    }
}

/// First entries, slots and weights of the first mesh's influences.
pub(crate) fn rows_of(model: &mut Model) -> (&mut Vec<u32>, &mut Vec<u32>, &mut Vec<f32>) {
    match &mut skin_of(model).influences {
        Influences::Rows {
            first,
            slots,
            weights,
        } => (first, slots, weights),
        Influences::InVertices => panic!("the influences are packed"),
    }
}

/// The inverse bind matrix of a slot of the first mesh.
pub(crate) fn inverse_bind_of(model: &mut Model, slot: usize) -> &mut Mat4 {
    &mut skin_of(model).bone_from_mesh[slot]
}

/// What `rule` notes about `model`.
pub(crate) fn notes_of(
    model: &Model,
    rule: impl Fn(&Model, &Report) -> Result<(), Cancelled>,
) -> Vec<Note> {
    let report = Report::new();
    rule(model, &report).unwrap();
    report.notes()
}

/// The finding of a kind.
pub(crate) fn find(notes: &[Note], kind: NoteKind) -> Option<&Note> {
    notes.iter().find(|note| note.kind == kind)
}

#[test]
fn no_rule_says_anything_about_the_clean_models() {
    for mut model in [clean_model(), packed_model()] {
        let report = Report::new();
        crate::model::check::check(&mut model, &report);
        super::validate(&model, &report).unwrap();
        assert_eq!(report.notes(), []);
        // The checks found what they judge: the box is closed, skinned and moves.
        assert!(model.meshes[0].tangent(0).is_some_and(|t| t != Vec4::ZERO));
        assert_eq!((model.num_triangles(), model.num_subsets()), (12, 2));
    }
}

#[test]
fn the_rules_can_be_cancelled() {
    let cancel = crate::model::CancelToken::default();
    let report = Report::with_progress(|_| {}, cancel.clone());
    cancel.cancel();
    assert_eq!(super::validate(&clean_model(), &report), Err(Cancelled));
}
