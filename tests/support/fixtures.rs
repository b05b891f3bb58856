//! Small models made in code, and files of them.

use glam::{Affine3A, Mat4, Quat, Vec3};
use rigscope_core::model::MeshId;
use rigscope_io::formats::{WriteOptions, by_id, write};

use rigscope_testing::*;

/// Time between the keys of all clips made here.
pub const INTERVAL_NS: u64 = 100_000_000;

fn vertex(position: Vec3, uv: [u16; 2], bones: [u8; 4], weights: [u8; 4]) -> PackedVertex {
    PackedVertex { uv, bones, weights, ..packed_vertex(position) }
}

fn mesh(bone_from_mesh: Vec<Mat4>) -> Mesh {
    let one = [255, 0, 0, 0];
    let vertices = [
        vertex(Vec3::ZERO, [0, 65535], [0; 4], one),
        vertex(Vec3::X, [65535, 65535], [1, 0, 0, 0], one),
        vertex(Vec3::Y, [0, 0], [0; 4], one),
        vertex(Vec3::new(1.0, 1.0, 0.1), [65535, 0], [1, 0, 0, 0], [191, 64, 0, 0]),
    ];
    Mesh {
        vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
        indices: Indices::U32(vec![0, 1, 2, 2, 1, 3]),
        subsets: subsets_of(&[(3, Some(0)), (3, Some(1))]),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: vec![BoneId(0), BoneId(1)],
            bone_from_mesh,
            influences: Influences::InVertices,
            ..InverseBindSkin::default()
        }),
        ..Mesh::default()
    }
}

fn skeleton(bones: &[(&str, Option<u32>)], has_hierarchy: bool) -> Skeleton {
    let bone = |&(name, parent): &(&str, _)| Bone {
        rest_local: LocalTransform::Matrix(Affine3A::IDENTITY),
        ..bone(name, parent, Vec3::ZERO)
    };
    Skeleton::new(bones.iter().map(bone).collect(), has_hierarchy).unwrap()
}

/// A clip of two bones; `keys` holds both matrices of each key.
pub fn clip(name: &str, space: KeySpace, keys: &[[Affine3A; 2]]) -> Clip {
    sampled(name, space, INTERVAL_NS, 2, keys.as_flattened())
}

/// Two triangles in two subsets on two bones without names, moved by two clips: `idle` has one
/// key, in `walk` bone 1 moves away along x and turns over four keys.
pub fn two_triangles() -> Model {
    let still = Affine3A::IDENTITY;
    let walk: Vec<[Affine3A; 2]> = [0.0f32, 1.0, 2.0, 3.0]
        .map(|key| {
            let rotation = Quat::from_rotation_z(0.3 * key);
            [still, Affine3A::from_rotation_translation(rotation, Vec3::X * 0.1 * key)]
        })
        .to_vec();
    Model {
        meshes: vec![mesh(Vec::new())].into(),
        skeleton: skeleton(&[("", None), ("", None)], false),
        clips: vec![
            clip("idle", KeySpace::Skin, &[[still; 2]]),
            clip("walk", KeySpace::Skin, &walk),
        ]
        .into(),
        default_pose: DefaultPose::FirstKey,
        normal_matrix: NormalMatrix::Same,
        ..ModelBuilder::new().materials(&["skin", "left hand"]).build()
    }
}

/// [`two_triangles`] on named bones, the second a child of the first, with local keys.
pub fn with_hierarchy() -> Model {
    let up = Affine3A::from_translation(Vec3::Y);
    let rotated = Affine3A::from_rotation_z(0.5);
    Model {
        meshes: vec![mesh(vec![Mat4::IDENTITY, Mat4::from(up.inverse())])].into(),
        skeleton: skeleton(&[("root", None), ("hand", Some(0))], true),
        clips: vec![clip(
            "wave",
            KeySpace::Local,
            &[[Affine3A::IDENTITY, up], [rotated, up * rotated]],
        )]
        .into(),
        ..two_triangles()
    }
}

/// [`two_triangles`] whose two keys are bone matrices and their inverse.
pub fn bind_pair() -> Model {
    let bones =
        [Affine3A::from_rotation_x(0.4), Affine3A::from_translation(Vec3::new(5.0, 6.0, 7.0))];
    let inverse = bones.map(|bone| bone.inverse());
    Model {
        clips: vec![clip("Take 001", KeySpace::Skin, &[bones, inverse])].into(),
        ..two_triangles()
    }
}

/// [`two_triangles`] without clips.
pub fn without_clips() -> Model {
    Model { clips: Vec::new().into(), ..two_triangles() }
}

/// [`two_triangles`] with a normal of no length: one warning.
pub fn with_zero_normal() -> Model {
    let mut model = two_triangles();
    let mut vertices: Vec<_> = packed(&model.meshes[MeshId(0)]).iter().collect();
    vertices[2].normal = 0;
    model.meshes[MeshId(0)].vertices = VertexData::Packed(PackedVertices::from_vertices(vertices));
    model
}

/// [`two_triangles`] with a triangle that names a vertex past the end: one error.
pub fn with_bad_index() -> Model {
    let mut model = two_triangles();
    model.meshes[MeshId(0)].indices = Indices::U32(vec![0, 1, 2, 2, 1, 900]);
    model
}

/// The file of a model, as bytes.
pub fn bsm2(model: &Model) -> Vec<u8> {
    let format = by_id("bsm2").unwrap();
    let mut files = write(model, format, &WriteOptions::default(), &Report::new()).unwrap();
    assert_eq!(files.len(), 1);
    files.remove(0).bytes
}

/// An FBX text of a triangle that moves along x for a second, by straight lines through 0, 3 and 0
/// at 0, 0.3 and 1 s; `time_mode` is FBX's number of a frame rate (11: 24 frames a second).
pub fn fbx_at(time_mode: u32) -> String {
    format!(
        r#"; FBX 7.4.0 project file
FBXHeaderExtension:  {{
	FBXHeaderVersion: 1003
	FBXVersion: 7400
}}
GlobalSettings:  {{
	Version: 1000
	Properties70:  {{
		P: "UpAxis", "int", "Integer", "",1
		P: "UnitScaleFactor", "double", "Number", "",100
		P: "TimeMode", "enum", "", "",{time_mode}
	}}
}}
Objects:  {{
	Geometry: 1, "Geometry::", "Mesh" {{
		Vertices: *9 {{ a: 0,0,0,1,0,0,0,1,0 }}
		PolygonVertexIndex: *3 {{ a: 0,1,-3 }}
	}}
	Model: 2, "Model::triangle", "Mesh" {{ }}
	AnimationStack: 30, "AnimStack::Take 001", "" {{
		Properties70:  {{
			P: "LocalStop", "KTime", "Time", "",46186158000
		}}
	}}
	AnimationLayer: 40, "AnimLayer::base", "" {{ }}
	AnimationCurveNode: 50, "AnimCurveNode::T", "" {{
		Properties70:  {{
			P: "d|X", "Number", "", "A",0
		}}
	}}
	AnimationCurve: 60, "AnimCurve::", "" {{
		Default: 0
		KeyVer: 4008
		KeyTime: *3 {{ a: 0,13855847400,46186158000 }}
		KeyValueFloat: *3 {{ a: 0,3,0 }}
		KeyAttrFlags: *1 {{ a: 4 }}
		KeyAttrDataFloat: *4 {{ a: 0,0,0,0 }}
		KeyAttrRefCount: *1 {{ a: 3 }}
	}}
}}
Connections:  {{
	C: "OO",2,0
	C: "OO",1,2
	C: "OO",40,30
	C: "OO",50,40
	C: "OP",50,2, "Lcl Translation"
	C: "OP",60,50, "d|X"
}}
"#
    )
}
