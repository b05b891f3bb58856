//! Normals and tangents of every kind of skin, compared with matrices inverted in double precision.

use glam::{Affine3A, DMat3, DVec3, Mat3, Mat3A, Mat4, Quat, Vec3, Vec4};

use super::*;
use crate::model::testing::*;

const NORMAL: Vec3 = Vec3::new(0.48, 0.6, 0.64);
const TANGENT: Vec4 = Vec4::new(0.8, 0.0, -0.6, -1.0);
const RULES: [NormalMatrix; 3] =
    [NormalMatrix::InverseTranspose, NormalMatrix::Same, NormalMatrix::Cofactor];

/// Uneven scale, shear, and a mirror.
fn palette() -> Vec<Affine3A> {
    let slanted = Mat3A::from_cols_array(&[1.0, 0.2, 0.0, 0.7, 0.8, 0.0, 0.1, -0.4, 1.6]);
    let rotation = Quat::from_rotation_z(1.2) * Quat::from_rotation_x(-0.4);
    vec![
        Affine3A::from_scale_rotation_translation(Vec3::new(3.0, 0.5, 1.0), rotation, Vec3::X),
        Affine3A::from_mat3(slanted.into()),
        Affine3A::from_scale(Vec3::new(-1.0, 2.0, 1.0)),
    ]
}

/// The directions by a rule for positions moved by `m`.
fn expected(m: DMat3, by: NormalMatrix) -> (Vec3, Vec3) {
    let inverse_transpose = m.inverse().transpose();
    let (of_normals, of_tangents) = match by {
        NormalMatrix::InverseTranspose | NormalMatrix::InverseTransposePerBone => {
            (inverse_transpose, m)
        }
        NormalMatrix::Same | NormalMatrix::SameIfSkinned => (m, m),
        NormalMatrix::Cofactor => {
            let cofactors = inverse_transpose * m.determinant();
            (cofactors, cofactors)
        }
    };
    let unit = |v: DVec3| v.normalize_or_zero().as_vec3();
    (unit(of_normals * NORMAL.as_dvec3()), unit(of_tangents * TANGENT.truncate().as_dvec3()))
}

fn wide(matrix: &Affine3A) -> DMat3 {
    Mat3::from(matrix.matrix3).as_dmat3()
}

fn mesh(skin: Skin) -> Mesh {
    let points = ModelBuilder::new().mesh([Vec3::ONE; 3]).normal(NORMAL).tangent(TANGENT);
    points.skin(skin).into_mesh()
}

fn rows(blending: Blending) -> Skin {
    let lists: [&[(u32, f32)]; 3] = [&[(0, 0.25), (1, 0.75)], &[(2, 1.0)], &[(1, 1.0)]];
    let mut mesh = mesh(skin(&[0, 1, 2].map(|bone| (bone, Mat4::IDENTITY)), lists));
    inverse_bind_mut(&mut mesh).blending = blending;
    mesh.skin
}

fn posed(palette: Vec<Affine3A>, by: NormalMatrix) -> MeshPose {
    MeshPose { palette, normal_matrix: by, ..MeshPose::default() }
}

fn check(skinned: &SkinnedMesh, vertex: usize, wanted: (Vec3, Vec3), what: &str) {
    let (normal, tangent) = (skinned.normals[vertex], skinned.tangents[vertex]);
    assert!(normal.distance(wanted.0) < 1e-5, "{what}: {normal} {wanted:?}");
    let xyz = tangent.truncate();
    assert!(xyz.distance(wanted.1) < 1e-5, "{what}: {xyz} {wanted:?}");
    assert_eq!(tangent.w, TANGENT.w, "{what}: the sign is passed on");
}

#[test]
fn sums_of_inverse_transposes_move_normals() {
    let all = palette();
    let inverse_transpose = |m: &Affine3A| wide(m).inverse().transpose();
    let sum = inverse_transpose(&all[0]) * 0.25 + inverse_transpose(&all[1]) * 0.75;
    let blend = wide(&all[0]) * 0.25 + wide(&all[1]) * 0.75;
    let by = NormalMatrix::InverseTransposePerBone;
    let skinned = skin_mesh(&mesh(rows(Blending::Linear)), &posed(all.clone(), by));
    let unit = |v: DVec3| v.normalize().as_vec3();
    let wanted = (unit(sum * NORMAL.as_dvec3()), unit(blend * TANGENT.truncate().as_dvec3()));
    check(&skinned, 0, wanted, "a sum");
    for (vertex, bone) in [(1, 2), (2, 1)] {
        check(&skinned, vertex, expected(wide(&all[bone]), by), "one bone");
    }
    let other = NormalMatrix::InverseTranspose;
    let other = skin_mesh(&mesh(rows(Blending::Linear)), &posed(all, other));
    assert!(other.normals[0].distance(skinned.normals[0]) > 0.1);
    assert_eq!(other.positions, skinned.positions);

    // A bone without an inverse doesn't contribute.
    let flat = vec![Affine3A::ZERO, Affine3A::from_rotation_x(1.0), Affine3A::IDENTITY];
    let skinned = skin_mesh(&mesh(rows(Blending::Linear)), &posed(flat.clone(), by));
    assert!(skinned.normals[0].distance(flat[1].transform_vector3(NORMAL)) < 1e-6);
}

#[test]
fn linear_blending_supports_each_normal_matrix() {
    let all = palette();
    let blend = wide(&all[0]) * 0.25 + wide(&all[1]) * 0.75;
    for by in RULES {
        let skinned = skin_mesh(&mesh(rows(Blending::Linear)), &posed(all.clone(), by));
        for (vertex, m) in [(0, blend), (1, wide(&all[2])), (2, wide(&all[1]))] {
            check(&skinned, vertex, expected(m, by), &format!("{by:?} {vertex}"));
        }
    }
}

#[test]
fn rigid_mesh_supports_each_normal_matrix() {
    let mesh = mesh(Skin::None);
    for matrix in palette() {
        for by in RULES {
            let skinned = skin_mesh(&mesh, &posed(vec![matrix], by));
            check(&skinned, 0, expected(wide(&matrix), by), &format!("{by:?}"));
        }
    }
}

#[test]
fn packed_vertices_support_each_normal_matrix() {
    let all = palette();
    let vertex = PackedVertex {
        normal: pack_snorm1010102(NORMAL, 0),
        tangent: pack_snorm1010102(TANGENT.truncate(), -1),
        bones: [0, 1, 0, 0],
        weights: [51, 204, 0, 0],
        ..packed_vertex(Vec3::ONE)
    };
    let packed = PackedVertices::from_vertices([vertex]);
    let stored = packed.get(0).unwrap();
    let close = stored.normal_decoded().distance(NORMAL);
    assert!(close < 2e-3, "as stored: {close}");
    let mesh = Mesh {
        vertices: VertexData::Packed(packed),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: (0..3).map(BoneId).collect(),
            influences: Influences::InVertices,
            ..InverseBindSkin::default()
        }),
        ..Mesh::default()
    };
    let m = wide(&all[0]) * 0.2 + wide(&all[1]) * 0.8;
    for by in RULES {
        let skinned = skin_mesh(&mesh, &posed(all.clone(), by));
        let (normal, tangent) = expected(m, by);
        let xyz = skinned.tangents[0].truncate();
        assert!(skinned.normals[0].distance(normal) < 1e-2, "{by:?}");
        assert!(xyz.distance(tangent) < 1e-2, "{by:?}");
    }
}

#[test]
fn dual_quaternion_normals_use_the_blended_matrix() {
    let all = palette();
    let mesh = mesh(rows(Blending::DualQuaternion));
    // The second vertex has one bone, mirrored and scaled unevenly, without shear.
    for by in RULES {
        let skinned = skin_mesh(&mesh, &posed(all.clone(), by));
        check(&skinned, 1, expected(wide(&all[2]), by), &format!("{by:?}"));
    }
}

#[test]
fn bone_local_normals_are_summed_as_in_their_runtime() {
    let all = palette();
    let copies = [(0, 0.25, Vec3::ONE), (1, 0.75, Vec3::ONE)];
    let mesh = mesh(bone_local(NORMAL, &[&copies, &[], &[]]));
    let unit = |by| [0, 1].map(|bone| expected(wide(&all[bone]), by).0);
    let own = |by| skin_mesh(&mesh, &posed(all.clone(), by)).normals[0];
    let [a, b] = unit(NormalMatrix::InverseTranspose);
    let wanted = (a * 0.25 + b * 0.75).normalize_or_zero();
    assert!(own(NormalMatrix::InverseTranspose).distance(wanted) < 1e-5);
    let sum = wide(&all[0]) * 0.25 + wide(&all[1]) * 0.75;
    let wanted = expected(sum, NormalMatrix::Same).0;
    assert!(own(NormalMatrix::Same).distance(wanted) < 1e-5);
}

#[test]
fn morphs_offset_normals_before_the_normal_matrix_is_applied() {
    let matrix = palette().remove(1);
    let mut mesh = mesh(Skin::None);
    mesh.morph_targets.push(morph("bent", &[(0, Vec3::ZERO)]));
    mesh.morph_targets[0].shapes[0].normal_offsets = vec![Vec3::new(0.3, -0.9, 0.2)];
    let bent = (NORMAL + Vec3::new(0.3, -0.9, 0.2) * 0.5).as_dvec3();
    let m = wide(&matrix);
    for (by, wanted) in [
        (NormalMatrix::InverseTranspose, m.inverse().transpose() * bent),
        (NormalMatrix::Same, m * bent),
    ] {
        let pose = MeshPose { morph_weights: vec![0.5], ..posed(vec![matrix], by) };
        let wanted = wanted.normalize_or_zero().as_vec3();
        assert!(skin_mesh(&mesh, &pose).normals[0].distance(wanted) < 1e-5);
    }
}

#[test]
fn runtime_normals_use_the_normal_matrix_of_the_model() {
    let rest = LocalTransform::Matrix(palette().remove(1));
    for rule in RULES {
        let on_bone = ModelBuilder::new().chain(&[""]).rest(rest).add_mesh(mesh(Skin::None));
        let model = on_bone.attached_to(0).with(|model| model.normal_matrix = rule).build();
        let m = wide(&palette()[1]);
        for (normals, by) in
            [(Normals::Runtime, rule), (Normals::Exact, NormalMatrix::InverseTranspose)]
        {
            let spec = PoseSpec { normals, ..PoseSpec::default() };
            let skinned = &skin_model(&model, &spec)[0];
            check(skinned, 0, expected(m, by), &format!("{rule:?} {normals:?}"));
        }
    }
}
