//! Textures: position, colour, wrapping, normal maps; missing and shared ones.

use glam::{Affine2, Vec2, Vec3, Vec4};
use image::ImageFormat;
use rigscope_core::model::MeshId;
use rigscope_core::model::*;
use rigscope_gpu::headless::read_target;
use rigscope_gpu::{Msaa, Renderer, Scene, SceneMaterials, Target};

use super::images::{at, brightness, draw, mirrored_by_bone, pixels};
use super::squares::{
    BLUE, GREEN, RED, Square, UPRIGHT, WHITE, assert_near, base, encoded, material, model, placed,
    png, quarters, unlit, view,
};
use super::support::sample_files;
use super::{gpu, new_gpu, uploaded};

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn textures_are_drawn_upright() {
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tga] {
        let picture = quarters([RED, GREEN, BLUE, WHITE], format);
        let materials = vec![material(vec![base()], unlit())];
        let image = draw(&model(&[UPRIGHT], materials, vec![picture]), &view());
        // The centres of the quarters.
        assert_near(at(&image, -0.4, 0.4), RED);
        assert_near(at(&image, 0.4, 0.4), GREEN);
        assert_near(at(&image, -0.4, -0.4), BLUE);
        assert_near(at(&image, 0.4, -0.4), WHITE);
        assert_eq!(at(&image, 0.95, 0.0), [0; 4]);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn every_byte_of_a_colour_round_trips() {
    for byte in [0u8, 1, 5, 20, 60, 128, 188, 254, 255] {
        let texel = [byte, 255 - byte, byte / 2, 255];
        let materials = vec![material(vec![base()], unlit())];
        let model = model(&[UPRIGHT], materials, vec![png(1, &[texel])]);
        let image = draw(&model, &view());
        assert_near(at(&image, 0.1, 0.2), texel);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn base_colour_multiplies_the_texture_in_linear_light() {
    let look = MaterialLook { base_color: Vec4::new(0.5, 1.0, 0.0, 1.0), ..unlit() };
    let materials = vec![material(vec![base()], look)];
    let model = model(&[UPRIGHT], materials, vec![png(1, &[[255; 4]])]);
    let image = draw(&model, &view());
    assert_near(at(&image, 0.0, 0.0), [188, 255, 0, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn wrap_modes_repeat_clamp_or_mirror() {
    // Twice the size of the texture, from its first corner.
    let twice = Affine2::from_scale(Vec2::splat(2.0));
    let picture = quarters([RED, GREEN, BLUE, WHITE], ImageFormat::Png);
    let wanted = [
        (Wrap::Repeat, [RED, GREEN, RED, GREEN]),
        (Wrap::Clamp, [RED, GREEN, GREEN, GREEN]),
        (Wrap::Mirror, [RED, GREEN, GREEN, RED]),
    ];
    for (wrap, row) in wanted {
        for is_vertical in [false, true] {
            let wraps = if !is_vertical { [wrap, Wrap::Clamp] } else { [Wrap::Clamp, wrap] };
            let materials = vec![material(vec![placed(twice, wraps)], unlit())];
            let model = model(&[UPRIGHT], materials, vec![picture.clone()]);
            let image = draw(&model, &view());
            for (texel, wanted) in [-0.6, -0.2, 0.2, 0.6].into_iter().zip(row) {
                match is_vertical {
                    false => assert_near(at(&image, texel, 0.6), wanted),
                    true if wanted == GREEN => assert_near(at(&image, -0.6, -texel), BLUE),
                    true => assert_near(at(&image, -0.6, -texel), wanted),
                }
            }
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn texture_transforms_move_rotate_and_scale() {
    // The texture's u is the vertices' v: the image is mirrored at its diagonal.
    let swapped = Affine2::from_cols(Vec2::Y, Vec2::X, Vec2::ZERO);
    let moved = Affine2::from_translation(Vec2::new(0.5, 0.0));
    let picture = quarters([RED, GREEN, BLUE, WHITE], ImageFormat::Png);
    for (matrix, upper_right, lower_left) in [(swapped, BLUE, GREEN), (moved, RED, WHITE)] {
        let materials = vec![material(vec![placed(matrix, [Wrap::Repeat; 2])], unlit())];
        let image = draw(&model(&[UPRIGHT], materials, vec![picture.clone()]), &view());
        assert_near(at(&image, 0.4, 0.4), upper_right);
        assert_near(at(&image, -0.4, -0.4), lower_left);
    }
}

/// Brightness of a square with a normal map of constant slope.
fn leaning(square: Square, axes: Axes, lean: Vec2, matrix: Affine2) -> u32 {
    brightness_of(&leaning_model(square, axes, lean, matrix))
}

fn brightness_of(model: &Model) -> u32 {
    brightness(at(&draw(model, &view()), 0.1, 0.1))
}

fn leaning_model(square: Square, axes: Axes, lean: Vec2, matrix: Affine2) -> Model {
    let n = lean.extend((1.0 - lean.length_squared()).sqrt());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0..=255")]
    let texel = (n * 127.5 + 127.5).to_array().map(|c| c.round() as u8);
    let texel = [texel[0], texel[1], texel[2], 255];
    let normal = TextureRef {
        texture_from_uv: Some(Box::new(matrix)),
        ..TextureRef::embedded(TextureRole::Normal, ImageId(0))
    };
    let look = MaterialLook { is_two_sided: true, ..MaterialLook::default() };
    let mut model = model(&[square], vec![material(vec![normal], look)], vec![png(1, &[texel])]);
    model.axes = axes;
    if axes.winding == Winding::Clockwise
        && let Indices::U32(list) = &mut model.meshes[MeshId(0)].indices
    {
        list.reverse();
    }
    model
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_normal_map_on_a_mirrored_mesh_is_mirrored() {
    for has_tangents in [true, false] {
        let square = Square { has_tangents, ..UPRIGHT };
        let image = Square { right: Vec3::NEG_X, ..square };
        for lean in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
            let model =
                |square| leaning_model(square, Axes::default(), lean * 0.5, Affine2::IDENTITY);
            let wanted = brightness_of(&model(image));
            let found = brightness_of(&mirrored_by_bone(model(square)));
            assert!(
                found.abs_diff(wanted) <= 6,
                "tangents {has_tangents}, {lean}: {found} {wanted}"
            );
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn normal_maps_are_lit_from_the_upper_left_for_all_axes_and_sides() {
    let rotated = Affine2::from_angle(1.1);
    let axes = |up, handedness, winding| Axes {
        up,
        handedness,
        winding,
        unit_meters: None,
        faces_backward: false,
    };
    let (right_handed, left_handed) = (Handedness::Right, Handedness::Left);
    let (usual, reversed) = (Winding::CounterClockwise, Winding::Clockwise);
    let y_up = axes(UpAxis::Y, right_handed, usual);
    // Z up: right, up and towards the viewer are x, z and -y.
    let z_up = Square { right: Vec3::X, up: Vec3::Z, normal: Vec3::NEG_Y, ..UPRIGHT };
    let mirrored_coordinates = Square { right: Vec3::NEG_X, ..UPRIGHT };
    let from_behind = Square { normal: Vec3::NEG_Z, right: Vec3::NEG_X, ..UPRIGHT };
    let cases = [
        ("as displayed", UPRIGHT, y_up),
        ("mirrored coordinates", mirrored_coordinates, y_up),
        ("back face", from_behind, y_up),
        ("left-handed", UPRIGHT, axes(UpAxis::Y, left_handed, usual)),
        (
            "left-handed, mirrored coordinates",
            mirrored_coordinates,
            axes(UpAxis::Y, left_handed, usual),
        ),
        ("reversed", UPRIGHT, axes(UpAxis::Y, right_handed, reversed)),
        ("left-handed, reversed", UPRIGHT, axes(UpAxis::Y, left_handed, reversed)),
        ("z up", z_up, axes(UpAxis::Z, right_handed, usual)),
        ("left-handed, z up", z_up, axes(UpAxis::Z, left_handed, usual)),
    ];
    for (name, square, axes) in cases {
        for has_tangents in [true, false] {
            for matrix in [Affine2::IDENTITY, rotated, Affine2::from_scale(Vec2::new(-1.0, 2.0))] {
                let square = Square { has_tangents, ..square };
                let shown = |lean| leaning(square, axes, lean, matrix);
                // The directions right and up of the normal map on the screen: in file space, then in
                // display space. v points down.
                let in_uv = |direction: Vec2| {
                    let uv = matrix.matrix2.inverse() * Vec2::new(direction.x, -direction.y);
                    let in_file = square.right * uv.x - square.up * uv.y;
                    axes.display_from_file().transform_vector3(in_file).normalize_or_zero()
                };
                // A surface that slopes towards the light is lighter; from behind, bumps are dents.
                let light = Vec3::new(-0.6, 0.8, 0.0);
                let outward = axes.display_from_file().transform_vector3(square.normal);
                let side = outward.z.signum();
                for direction in [Vec2::X, Vec2::Y] {
                    let towards = in_uv(direction).dot(light) * side;
                    let one = shown(direction * 0.5);
                    let other = shown(direction * -0.5);
                    let difference = f64::from(one) - f64::from(other);
                    assert!(
                        difference * f64::from(towards) > 0.0 || towards.abs() < 0.4,
                        "{name}, tangents {has_tangents}, {matrix:?}, {direction}: {one} {other} {towards}"
                    );
                    assert!(difference.abs() > 30.0 || towards.abs() < 0.4, "{name}: {difference}");
                }
            }
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_flat_normal_map_changes_nothing() {
    let with = leaning(UPRIGHT, Axes::default(), Vec2::ZERO, Affine2::IDENTITY);
    let plain = vec![material(Vec::new(), MaterialLook::default())];
    let without = draw(&model(&[UPRIGHT], plain, Vec::new()), &view());
    assert!(with.abs_diff(brightness(at(&without, 0.1, 0.1))) <= 6);
}

/// Whether there are two colours, one of them from the checker for missing textures.
fn has_missing_checker(image: &rigscope_gpu::headless::Image) -> bool {
    let is_pink = |[r, g, b, _]: [u8; 4]| r > 120 && b > 120 && g < 90;
    let is_dark = |p: [u8; 4]| p[3] == 255 && brightness(p) < 200;
    let count = |is: &dyn Fn([u8; 4]) -> bool| pixels(image).filter(|p| is(*p)).count();
    count(&is_pink) > 1500 && count(&is_dark) > 1500
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn missing_and_unreadable_textures_show_a_checker_and_are_reported() {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    let named = TextureRef::file(TextureRole::BaseColor, "lost.png");
    let broken = Image {
        name: "broken.png".into(),
        bytes: ByteView::whole(b"\x89PNG\r\n\x1a\nnothing".to_vec()),
        is_embedded: true,
    };
    let mut huge_bmp = encoded(1, &[RED], ImageFormat::Bmp);
    let mut bytes = huge_bmp.bytes.to_vec();
    bytes[18..22].copy_from_slice(&60_000u32.to_le_bytes());
    huge_bmp.bytes = ByteView::whole(bytes);
    let cases = [
        (named, Vec::new(), None),
        (base(), Vec::new(), None),
        (base(), vec![broken], Some(FindingKind::UnreadableTexture)),
        (base(), vec![huge_bmp], Some(FindingKind::TextureTooLarge)),
    ];
    for (texture, images, wanted) in cases {
        let look = MaterialLook {
            alpha: AlphaMode::Blend,
            base_color: Vec4::new(0.1, 0.1, 0.1, 0.1),
            ..unlit()
        };
        let model = model(&[UPRIGHT], vec![material(vec![texture], look)], images);
        let report = Report::new();
        let scene = Scene::upload(gpu, &renderer, &model, &report).unwrap();
        assert_eq!(scene.num_textures(), 0);
        let findings: Vec<_> =
            report.findings().iter().map(|finding| (finding.kind, finding.place)).collect();
        let wanted: Vec<_> = wanted.map(|kind| (kind, Place::Material(0))).into_iter().collect();
        assert_eq!(findings, wanted);
        assert!(has_missing_checker(&draw(&model, &view())));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn shared_images_are_uploaded_once_and_unused_ones_never() {
    let images = vec![png(1, &[RED]), png(1, &[[128, 128, 255, 255]]), png(1, &[BLUE])];
    let normal = TextureRef::embedded(TextureRole::Normal, ImageId(1));
    let both = |look| material(vec![base(), normal.clone()], look);
    let unused = TextureRef::embedded(TextureRole::BaseColor, ImageId(2));
    let materials =
        vec![both(unlit()), both(MaterialLook::default()), material(vec![unused], unlit())];
    let model = model(&[UPRIGHT; 2], materials, images);
    let (_, _, scene) = uploaded(&model);
    assert_eq!(scene.num_textures(), 2);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
#[cfg_attr(not(any(has_samples, no_gpu)), ignore = "no samples")]
fn images_of_games_and_exporters_are_read_without_a_finding() {
    let gpu = gpu();
    let renderer = Renderer::new(gpu);
    let files = [("sims", "bmp"), ("bsm2", "png")].map(|(at, kind)| sample_files(at, kind));
    let image = |path: &std::path::PathBuf| Image {
        name: path.display().to_string(),
        bytes: ByteView::whole(std::fs::read(path).unwrap()),
        is_embedded: false,
    };
    for picture in files.iter().flatten().map(image) {
        let model = model(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![picture]);
        let report = Report::new();
        let scene = Scene::upload(gpu, &renderer, &model, &report).unwrap();
        assert_eq!((scene.num_textures(), report.findings()), (1, Vec::new()));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_surface_is_plain_until_its_textures_are_set() {
    let gpu = gpu();
    // Larger than a single write to the device.
    let picture = png(2048, &vec![BLUE; 2048 * 2048]);
    let model = model(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![picture]);
    let renderer = Renderer::new(gpu);
    assert!(SceneMaterials::are_slow(&model) && !SceneMaterials::are_slow(&Model::default()));
    let mut scene = Scene::upload_plain(gpu, &renderer, &model, &Report::new()).unwrap();
    let middle = |scene: &mut Scene| {
        let target = Target::new(gpu, [96; 2], Msaa::Off);
        renderer.render(gpu, scene, &target, &view());
        at(&read_target(gpu, &target, view().background).unwrap(), 0.0, 0.0)
    };
    assert_eq!(scene.num_textures(), 0);
    let plain = middle(&mut scene);
    assert!(plain[3] == 255 && plain != BLUE, "{plain:?}");
    let upload = || SceneMaterials::upload(gpu, &renderer, &model, None, &Report::new()).unwrap();
    let made = std::thread::scope(|scope| scope.spawn(upload).join().unwrap());
    scene.set_materials(made);
    assert_eq!(scene.num_textures(), 1);
    assert_near(middle(&mut scene), BLUE);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn textures_are_uploaded_again_on_another_device() {
    let lost = new_gpu();
    let model = model(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![png(1, &[RED])]);
    let renderer = Renderer::new(&lost);
    let mut scene = Scene::upload(&lost, &renderer, &model, &Report::new()).unwrap();
    lost.device.destroy();
    let target = Target::new(&lost, [16; 2], Msaa::Off);
    assert_eq!(renderer.render(&lost, &mut scene, &target, &view()).draws, 0);
    assert_near(at(&draw(&model, &view()), 0.0, 0.0), RED);
}
