//! Good models other than the tube.

use super::*;
use crate::model::{
    Axes, ByteView, Image, ImageId, Indices, Material, Mesh, Skin, TextureRef, TextureRole,
};

/// The tube with the bones of its skin in reverse order.
pub(super) fn with_reversed_joints() -> Model {
    let mut model = tube();
    let skin = inverse_bind_mut(&mut model.meshes[MeshId(0)]);
    skin.bones.reverse();
    skin.bone_from_mesh.reverse();
    influences_by_row(&mut model, |_, row| {
        row.iter_mut().for_each(|(slot, _)| *slot = NUM_BONES - 1 - *slot);
    });
    model
}

/// A tube without a skin on a mirrored node, whose triangles face outward.
pub(super) fn mirrored_prop() -> Model {
    let mirrored = Trs { scale: reflection(0), ..Trs::IDENTITY };
    let node = ModelBuilder::new().bones(&[("node", None, Vec3::ZERO)]);
    let node = node.rest(LocalTransform::Trs(mirrored));
    let mesh = Mesh { skin: Skin::None, morph_targets: vec![], ..tube().meshes[MeshId(0)].clone() };
    plain(&node.add_mesh(mesh).attached_to(0).build(), None)
}

/// A chain of boxes that touch, each with a separate bone.
pub(super) fn boxes() -> Model {
    const NUM: u32 = 6;
    let mut builder = ModelBuilder::new();
    let (mut points, mut corners, mut lists, mut binds) = (vec![], vec![], vec![], vec![]);
    let cube = ModelBuilder::new().cube(1.0).into_mesh();
    for at in 0..NUM {
        let offset = if at == 0 { Vec3::ZERO } else { Vec3::Y };
        let parent = at.checked_sub(1);
        builder = builder.bones(&[(&*format!("bone {at}"), parent, offset)]);
        let origin = Vec3::Y * at as f32;
        let first = u32::try_from(points.len()).unwrap();
        points.extend(streams(&cube).positions.iter().map(|point| *point + origin));
        corners.extend(cube.indices.iter().map(|corner| corner + first));
        lists.extend((0..8).map(|_| vec![(at, 1.0)]));
        binds.push((at, Mat4::from_translation(-origin)));
    }
    builder = builder.mesh(points).indices(corners).skin(skin(&binds, lists)).clip("bend", 1.0);
    for at in 0..NUM {
        let rest = if at == 0 { Vec3::ZERO } else { Vec3::Y };
        let turn = |key: u8| Quat::from_rotation_z(f32::from(key) * 0.01);
        builder = builder
            .translation(at, linear((0u8..11).map(|key| (f64::from(key) / 10.0, rest))))
            .rotation(at, linear((0u8..11).map(|key| (f64::from(key) / 10.0, turn(key)))));
    }
    plain(&builder.build(), None)
}

/// The bones of a body that faces Z, 1.6 m high.
pub(super) fn body() -> Model {
    let bones: [(&str, Option<u32>, [f32; 3]); 9] = [
        ("Hips", None, [0.0, 0.9, 0.0]),
        ("Head", Some(0), [0.0, 0.7, 0.0]),
        ("LeftFoot", Some(0), [0.1, -0.85, 0.0]),
        ("LeftToe", Some(2), [0.0, -0.05, 0.15]),
        ("RightFoot", Some(0), [-0.1, -0.85, 0.0]),
        ("RightToe", Some(4), [0.0, -0.05, 0.15]),
        ("LeftHand", Some(0), [0.6, 0.4, 0.0]),
        ("RightHand", Some(0), [-0.6, 0.4, 0.0]),
        ("LeftArm", Some(0), [0.2, 0.45, 0.0]),
    ];
    let bones = bones.map(|(name, parent, at)| (name, parent, Vec3::from(at)));
    let axes = Axes { unit_meters: Some(1.0), ..Axes::default() };
    ModelBuilder::new().bones(&bones).with(|model| model.axes = axes).build()
}

/// Two adjacent strips of quads, with a texture that has the same colours on both sides of the seam.
pub(super) fn seam() -> Model {
    const ROWS: u16 = 40;
    let (mut points, mut uvs, mut corners) = (vec![], vec![], vec![]);
    for (side, u, v_scale) in [(-1.0, 0.25, 1.0), (0.0, 0.75, 0.5)] {
        let first = u32::try_from(points.len()).unwrap();
        for row in 0..=ROWS {
            let v = f32::from(row) / f32::from(ROWS) * 0.9 + 0.05;
            for column in [0.0, 1.0] {
                points.push(Vec3::new(side + column, v * 10.0, 0.0));
                uvs.push(Vec2::new(u, v * v_scale));
            }
        }
        for row in 0..u32::from(ROWS) {
            let at = first + row * 2;
            corners.extend([at, at + 1, at + 2, at + 2, at + 1, at + 3]);
        }
    }
    // The right half has the colours of the left half in its upper part.
    let texel = |x: u32, y: u32| {
        let v = (y as f32 + 0.5) / 64.0;
        let value = if x < 32 { v } else { (v * 2.0).min(1.0) };
        gray(value)
    };
    let sheet = ModelBuilder::new().mesh(points).uvs(uvs).indices(corners);
    let model = sheet.edit(of_first_material).build();
    with_texture(model, TextureRole::BaseColor, texel)
}

/// The tube with a flat normal map.
pub(super) fn with_normal_map() -> Model {
    let mut model = tube();
    let mesh = &mut model.meshes[MeshId(0)];
    // Where the UVs wrap, they are mirrored.
    let own: Vec<u32> = mesh.indices.iter().collect();
    let is_wrapped = |corners: &[u32; 3]| corners.iter().any(|at| at % NUM_SIDES == 0);
    let kept = own.as_chunks::<3>().0.iter().filter(|corners| !is_wrapped(corners));
    mesh.indices = Indices::U32(kept.flatten().copied().collect());
    of_first_material(mesh);
    with_texture(model, TextureRole::Normal, |_, _| [128, 128, 255, 255])
}

fn of_first_material(mesh: &mut Mesh) {
    mesh.subsets = subsets_of(&[(u32::try_from(mesh.indices.len()).unwrap(), Some(0))]);
}

fn gray(value: f32) -> [u8; 4] {
    let byte = crate::diagnose::evidence::single(f64::from(value * 255.0).round());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a byte")]
    let byte = byte as u8;
    [byte, byte, byte, 255]
}

/// Adds a material with an image of 64 x 64 texels.
fn with_texture(mut model: Model, role: TextureRole, texel: impl Fn(u32, u32) -> [u8; 4]) -> Model {
    let texels = (0..64).flat_map(|y| (0..64).map(move |x| (x, y)));
    let bytes: Vec<u8> = texels.flat_map(|(x, y)| texel(x, y)).collect();
    let png = crate::images::rgba_png(64, 64, bytes).unwrap();
    let bytes = ByteView::whole(png);
    model.images = vec![Image { name: "image".to_owned(), bytes, is_embedded: true }].into();
    let texture = TextureRef::embedded(role, ImageId(0));
    model.materials = vec![Material { textures: vec![texture], ..Material::default() }].into();
    model
}
