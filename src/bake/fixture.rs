//! Models that several tests of this module pose.

use glam::{Mat4, Quat, Vec3, Vec4};

use crate::model::{
    Axes, Bone, BoneId, BoneTrack, Clip, Handedness, Indices, Influences, Interpolation,
    InverseBindSkin, LocalTransform, Mesh, Model, Motion, Report, Skeleton, Skin, Streams, Subset,
    Track, Trs, UpAxis, UvSet, VertexData, check,
};
use crate::pose::{PoseSpec, skin_model};

/// A bent strip of two bones in inches, z up and left-handed.
pub(super) fn bent_strip() -> Model {
    let bone = |parent, x: f32| Bone {
        name: format!("at {x}"),
        parent,
        rest_local: LocalTransform::Trs(Trs { translation: Vec3::X * x, ..Trs::IDENTITY }),
        ..Bone::default()
    };
    let lists: [&[(u32, f32)]; 3] = [&[(0, 1.0)], &[(1, 1.0)], &[(0, 0.2), (1, 0.8)]];
    // In a left-handed file the raw cross product of a front agrees with its normal.
    let normal = Vec3::new(-1.0, 0.0, 3.0).normalize_or_zero();
    let rotation = Track {
        times_secs: vec![0.0, 1.0],
        values: vec![Quat::IDENTITY, Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.0)],
        interpolation: Interpolation::Linear,
    };
    let mut model = Model {
        axes: Axes {
            up: UpAxis::Z,
            handedness: Handedness::Left,
            unit_meters: Some(0.0254),
            ..Axes::default()
        },
        meshes: vec![Mesh {
            vertices: VertexData::Streams(Streams {
                positions: vec![Vec3::ZERO, Vec3::new(3.0, 0.0, 1.0), Vec3::new(3.0, 2.0, 1.0)],
                normals: vec![normal; 3],
                tangents: vec![Vec4::new(0.0, 1.0, 0.0, 1.0); 3],
                uv_sets: vec![UvSet {
                    name: String::new(),
                    coords: vec![glam::Vec2::new(0.25, 0.5); 3],
                }],
                ..Streams::default()
            }),
            indices: Indices::U32(vec![0, 1, 2]),
            subsets: vec![Subset { first_index: 0, index_count: 3, material: None }],
            skin: Skin::InverseBind(InverseBindSkin {
                bones: vec![BoneId(0), BoneId(1)],
                bone_from_mesh: vec![Mat4::IDENTITY, Mat4::from_translation(Vec3::X * -2.0)],
                influences: Influences::from_lists(lists),
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        }],
        skeleton: Skeleton::new(vec![bone(None, 0.0), bone(Some(BoneId(0)), 2.0)], true).unwrap(),
        clips: vec![Clip {
            name: "bend".into(),
            duration_secs: 1.0,
            motion: Motion::Tracks(vec![BoneTrack {
                bone: BoneId(1),
                translation: None,
                rotation: Some(rotation),
                scale: None,
            }]),
            ..Clip::default()
        }],
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    model
}

/// A clip in which the first bone has keys at these times, and stays where it is.
pub(super) fn still_clip(times_secs: Vec<f64>) -> Clip {
    let track = Track {
        values: vec![Vec3::ZERO; times_secs.len()],
        times_secs,
        interpolation: Interpolation::Linear,
    };
    Clip {
        name: "still".into(),
        motion: Motion::Tracks(vec![BoneTrack {
            bone: BoneId(0),
            translation: Some(track),
            rotation: None,
            scale: None,
        }]),
        ..Clip::default()
    }
}

/// A triangle on the last of a chain of bones, `num_mirrors` of which mirror, and the same triangle
/// beside it on the first bone, which does not.
///
/// Both face +z, and their texture's u grows along +x and its v along -y, before any bone moves them.
pub(super) fn mirrored_triangle(num_mirrors: u32) -> Model {
    let bone = |number: u32| Bone {
        name: format!("bone {number}"),
        parent: number.checked_sub(1).map(BoneId),
        rest_local: LocalTransform::Trs(Trs {
            translation: Vec3::new(0.5, 1.0, 0.0),
            rotation: Quat::from_rotation_y(0.3 * number as f32),
            scale: match number {
                0 => Vec3::ONE,
                _ => Vec3::new(-2.0, 1.0, 1.0),
            },
        }),
        ..Bone::default()
    };
    let mesh = |bone| Mesh {
        vertices: VertexData::Streams(Streams {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            normals: vec![Vec3::Z; 3],
            tangents: vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 3],
            uv_sets: vec![UvSet {
                name: String::new(),
                coords: vec![
                    glam::Vec2::new(0.1, 0.9),
                    glam::Vec2::new(0.9, 0.9),
                    glam::Vec2::new(0.1, 0.1),
                ],
            }],
            ..Streams::default()
        }),
        indices: Indices::U32(vec![0, 1, 2]),
        subsets: vec![Subset { first_index: 0, index_count: 3, material: None }],
        attached_to: Some(BoneId(bone)),
        ..Mesh::default()
    };
    let mut model = Model {
        meshes: vec![mesh(num_mirrors), mesh(0)],
        skeleton: Skeleton::new((0..=num_mirrors).map(bone).collect(), true).unwrap(),
        ..Model::default()
    };
    check::check(&mut model, &Report::new());
    model
}

/// For each triangle of a posed model of [`mirrored_triangle`] whether its front is where its normals
/// are, and its bitangent where v shrinks.
pub(super) fn outward(model: &Model) -> Vec<bool> {
    let posed = skin_model(model, &PoseSpec::default());
    let mut out = Vec::new();
    for (mesh, posed) in model.meshes.iter().zip(&posed) {
        for corners in mesh.triangles(0..mesh.indices.len()) {
            let corners = corners.map(|corner| corner as usize);
            let [a, b, c] = corners.map(|corner| posed.positions[corner]);
            let front = (b - a).cross(c - a);
            let [first, ..] = corners;
            let (normal, tangent) = (posed.normals[first], posed.tangents[first]);
            let bitangent = normal.cross(tangent.truncate()) * tangent.w;
            let coords = corners.map(|corner| mesh.uv(corner).unwrap());
            let highest = (0..3).min_by(|a, b| coords[*a].y.total_cmp(&coords[*b].y));
            let top = posed.positions[corners[highest.unwrap()]];
            let below = corners.map(|corner| posed.positions[corner]);
            let up: Vec3 = below.iter().map(|corner| top - *corner).sum();
            out.push(front.dot(normal) > 0.0 && bitangent.dot(up) > 0.0);
        }
    }
    out
}
