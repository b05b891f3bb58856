//! What textures and materials must look like.

use glam::{Affine2, Affine3A, Vec2, Vec3, Vec4};
use image::ImageFormat;
use rigscope::camera::Preset;
use rigscope::gpu::{Background, FrameInput, Renderer, Scene, Show, SubsetLook};
use rigscope::model::*;

use super::gpu;
use super::images::{at, brightness, covered, draw, front};

const RED: [u8; 4] = [220, 10, 30, 255];
const GREEN: [u8; 4] = [20, 190, 60, 255];
const BLUE: [u8; 4] = [30, 60, 230, 255];
const WHITE: [u8; 4] = [250, 251, 252, 255];

const TEXTURED: Show = Show {
    surface: true,
    textures: true,
    subset_colors: true,
    ..Show::NOTHING
};

/// A picture of `side` x `side` texels as a file.
fn encoded(side: u32, texels: &[[u8; 4]], format: ImageFormat) -> Image {
    let picture = image::RgbaImage::from_raw(side, side, texels.concat()).unwrap();
    let mut bytes = std::io::Cursor::new(Vec::new());
    match format {
        ImageFormat::Png => picture.write_to(&mut bytes, format).unwrap(),
        _ => image::DynamicImage::from(picture)
            .into_rgb8()
            .write_to(&mut bytes, format)
            .unwrap(),
    }
    Image {
        name: format!("picture.{}", format.extensions_str()[0]),
        bytes: ByteView::whole(bytes.into_inner()),
        is_embedded: true,
    }
}

fn png(side: u32, texels: &[[u8; 4]]) -> Image {
    encoded(side, texels, ImageFormat::Png)
}

/// A picture of four quarters, each even.
fn quarters(texels: [[u8; 4]; 4], format: ImageFormat) -> Image {
    let texel = |at: usize| texels[at / 128 * 2 + at % 16 / 8];
    encoded(16, &(0..256).map(texel).collect::<Vec<_>>(), format)
}

/// A square in file space; the texture's right and up on it, and which way it looks.
#[derive(Clone, Copy)]
struct Square {
    center: Vec3,
    half: f32,
    right: Vec3,
    up: Vec3,
    normal: Vec3,
    has_tangents: bool,
}

const UPRIGHT: Square = Square {
    center: Vec3::ZERO,
    half: 0.8,
    right: Vec3::X,
    up: Vec3::Y,
    normal: Vec3::Z,
    has_tangents: true,
};

impl Square {
    fn mesh(&self, material: u32) -> Mesh {
        let sign = self.normal.cross(self.right).dot(self.up).signum();
        let w = if sign > 0.0 { 1 } else { -1 };
        let tangent = if self.has_tangents {
            self.right
        } else {
            Vec3::ZERO
        };
        let corner = |u: u16, v: u16| {
            let (right, up) = (f32::from(u) * 2.0 - 1.0, 1.0 - f32::from(v) * 2.0);
            PackedVertex {
                position: self.center + (self.right * right + self.up * up) * self.half,
                normal: pack_snorm1010102(self.normal, 0),
                tangent: pack_snorm1010102(tangent, w),
                uv: [u * 65535, v * 65535],
                bones: [0; 4],
                weights: [255, 0, 0, 0],
            }
        };
        let corners = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
        Mesh {
            vertices: VertexData::Packed(PackedVertices::from_vertices(corners)),
            // Outward as the numbers have it.
            indices: Indices::U32(match sign > 0.0 {
                true => vec![0, 1, 2, 0, 2, 3],
                false => vec![0, 2, 1, 0, 3, 2],
            }),
            subsets: vec![Subset {
                first_index: 0,
                index_count: 6,
                material: Some(MaterialId(material)),
            }],
            ..Mesh::default()
        }
    }
}

fn model(squares: &[Square], materials: Vec<Material>, images: Vec<Image>) -> Model {
    Model {
        meshes: (0..)
            .zip(squares)
            .map(|(at, square)| square.mesh(at))
            .collect(),
        materials,
        images,
        ..Model::default()
    }
}

fn unlit() -> MaterialLook {
    MaterialLook {
        is_unlit: true,
        ..MaterialLook::default()
    }
}

fn material(textures: Vec<TextureRef>, look: MaterialLook) -> Material {
    Material {
        textures,
        look: Some(Box::new(look)),
        ..Material::default()
    }
}

fn base() -> TextureRef {
    TextureRef::embedded(TextureRole::BaseColor, ImageId(0))
}

fn placed(matrix: Affine2, wrap: [Wrap; 2]) -> TextureRef {
    TextureRef {
        wrap,
        texture_from_uv: Some(Box::new(matrix)),
        ..base()
    }
}

fn view() -> FrameInput<'static> {
    FrameInput {
        show: TEXTURED,
        ..front()
    }
}

#[track_caller]
fn assert_near(found: [u8; 4], wanted: [u8; 4]) {
    let is_near = found.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) <= 2);
    assert!(is_near, "{found:?} is not {wanted:?}");
}

#[test]
fn each_quarter_of_an_upright_picture_is_in_its_corner() {
    for format in [ImageFormat::Png, ImageFormat::Bmp, ImageFormat::Tga] {
        let picture = quarters([RED, GREEN, BLUE, WHITE], format);
        let materials = vec![material(vec![base()], unlit())];
        let Some(image) = draw(&model(&[UPRIGHT], materials, vec![picture]), &view()) else {
            return;
        };
        // The middles of the quarters.
        assert_near(at(&image, -0.4, 0.4), RED);
        assert_near(at(&image, 0.4, 0.4), GREEN);
        assert_near(at(&image, -0.4, -0.4), BLUE);
        assert_near(at(&image, 0.4, -0.4), WHITE);
        assert_eq!(at(&image, 0.95, 0.0), [0; 4]);
    }
}

#[test]
fn every_byte_of_a_colour_comes_back() {
    for byte in [0u8, 1, 5, 20, 60, 128, 188, 254, 255] {
        let texel = [byte, 255 - byte, byte / 2, 255];
        let materials = vec![material(vec![base()], unlit())];
        let model = model(&[UPRIGHT], materials, vec![png(1, &[texel])]);
        let Some(image) = draw(&model, &view()) else {
            return;
        };
        assert_near(at(&image, 0.1, 0.2), texel);
    }
}

#[test]
fn the_looks_colour_multiplies_the_texture_in_linear_light() {
    let look = MaterialLook {
        base_color: Vec4::new(0.5, 1.0, 0.0, 1.0),
        ..unlit()
    };
    let materials = vec![material(vec![base()], look)];
    let model = model(&[UPRIGHT], materials, vec![png(1, &[[255; 4]])]);
    let Some(image) = draw(&model, &view()) else {
        return;
    };
    assert_near(at(&image, 0.0, 0.0), [188, 255, 0, 255]);
}

#[test]
fn what_lies_beyond_the_edge_repeats_stays_or_turns_round() {
    // Twice the size of the texture, from its first corner on.
    let twice = Affine2::from_scale(Vec2::splat(2.0));
    let picture = quarters([RED, GREEN, BLUE, WHITE], ImageFormat::Png);
    let wanted = [
        (Wrap::Repeat, [RED, GREEN, RED, GREEN]),
        (Wrap::Clamp, [RED, GREEN, GREEN, GREEN]),
        (Wrap::Mirror, [RED, GREEN, GREEN, RED]),
    ];
    for (wrap, row) in wanted {
        for is_turned in [false, true] {
            let wraps = match is_turned {
                false => [wrap, Wrap::Clamp],
                true => [Wrap::Clamp, wrap],
            };
            let materials = vec![material(vec![placed(twice, wraps)], unlit())];
            let model = model(&[UPRIGHT], materials, vec![picture.clone()]);
            let Some(image) = draw(&model, &view()) else {
                return;
            };
            for (texel, wanted) in [-0.6, -0.2, 0.2, 0.6].into_iter().zip(row) {
                match is_turned {
                    false => assert_near(at(&image, texel, 0.6), wanted),
                    true if wanted == GREEN => assert_near(at(&image, -0.6, -texel), BLUE),
                    true => assert_near(at(&image, -0.6, -texel), wanted),
                }
            }
        }
    }
}

#[test]
fn a_texture_is_moved_turned_and_scaled_on_its_way() {
    // u of the texture is v of the vertices: the picture is mirrored at its diagonal.
    let swapped = Affine2::from_cols(Vec2::Y, Vec2::X, Vec2::ZERO);
    let moved = Affine2::from_translation(Vec2::new(0.5, 0.0));
    let picture = quarters([RED, GREEN, BLUE, WHITE], ImageFormat::Png);
    for (matrix, upper_right, lower_left) in [(swapped, BLUE, GREEN), (moved, RED, WHITE)] {
        let materials = vec![material(vec![placed(matrix, [Wrap::Repeat; 2])], unlit())];
        let Some(image) = draw(
            &model(&[UPRIGHT], materials, vec![picture.clone()]),
            &view(),
        ) else {
            return;
        };
        assert_near(at(&image, 0.4, 0.4), upper_right);
        assert_near(at(&image, -0.4, -0.4), lower_left);
    }
}

#[test]
fn what_is_below_the_cutoff_is_not_there() {
    let texels = [
        [200, 0, 0, 255],
        [200, 0, 0, 100],
        [200, 0, 0, 120],
        [200, 0, 0, 160],
    ];
    let look = MaterialLook {
        alpha: AlphaMode::Mask(0.5),
        ..unlit()
    };
    let clamped = placed(Affine2::IDENTITY, [Wrap::Clamp; 2]);
    let materials = vec![material(vec![clamped], look)];
    let Some(image) = draw(
        &model(&[UPRIGHT], materials, vec![png(2, &texels)]),
        &view(),
    ) else {
        return;
    };
    assert_near(at(&image, -0.5, 0.5), [200, 0, 0, 255]);
    assert_near(at(&image, 0.5, -0.5), [200, 0, 0, 255]);
    assert_eq!(at(&image, 0.5, 0.5), [0; 4]);
    assert_eq!(at(&image, -0.5, -0.5), [0; 4]);
}

fn glass(color: Vec4) -> Material {
    let look = MaterialLook {
        base_color: color,
        alpha: AlphaMode::Blend,
        is_two_sided: true,
        is_unlit: true,
    };
    material(Vec::new(), look)
}

#[test]
fn of_two_panes_the_nearer_lies_over_the_farther_from_either_side() {
    let (red, green) = (Vec4::new(1.0, 0.0, 0.0, 0.5), Vec4::new(0.0, 1.0, 0.0, 0.5));
    let near = Square {
        center: Vec3::Z * 0.3,
        ..UPRIGHT
    };
    let far = Square {
        center: Vec3::Z * -0.3,
        ..UPRIGHT
    };
    // Half of the light of the nearer and a quarter of that of the farther.
    let (half, quarter) = (188, 137);
    let mut behind = view();
    behind.camera.look_from(Preset::Front);
    behind.camera.yaw_rad += std::f32::consts::PI;
    for is_reversed in [false, true] {
        let (squares, glasses) = match is_reversed {
            false => ([near, far], vec![glass(green), glass(red)]),
            true => ([far, near], vec![glass(red), glass(green)]),
        };
        let model = model(&squares, glasses, Vec::new());
        let over_black = |input: &FrameInput<'static>| FrameInput {
            background: Background::Plain([0.0; 3]),
            ..*input
        };
        let Some(image) = draw(&model, &over_black(&view())) else {
            return;
        };
        assert_near(at(&image, 0.0, 0.0), [quarter, half, 0, 255]);
        let image = draw(&model, &over_black(&behind)).unwrap();
        assert_near(at(&image, 0.0, 0.0), [half, quarter, 0, 255]);
    }
}

#[test]
fn panes_that_hang_on_bones_are_sorted_where_the_bones_are() {
    let (red, green) = (Vec4::new(1.0, 0.0, 0.0, 0.5), Vec4::new(0.0, 1.0, 0.0, 0.5));
    for z in [0.3, -0.3] {
        let mut model = model(&[UPRIGHT; 2], vec![glass(green), glass(red)], Vec::new());
        let bone = |z: f32| Bone {
            rest_local: LocalTransform::Matrix(Affine3A::from_translation(Vec3::Z * z)),
            ..Bone::default()
        };
        model.skeleton = Skeleton::new(vec![bone(z), bone(-z)], true).unwrap();
        for (at, mesh) in model.meshes.iter_mut().enumerate() {
            mesh.attached_to = Some(BoneId::from_index(at));
        }
        let input = FrameInput {
            background: Background::Plain([0.0; 3]),
            ..view()
        };
        let Some(image) = draw(&model, &input) else {
            return;
        };
        let wanted = if z > 0.0 {
            [137, 188, 0, 255]
        } else {
            [188, 137, 0, 255]
        };
        assert_near(at(&image, 0.0, 0.0), wanted);
    }
}

#[test]
fn glass_is_hidden_by_what_is_opaque_and_hides_nothing() {
    let red_glass = glass(Vec4::new(1.0, 0.0, 0.0, 0.5));
    let wall = material(vec![base()], unlit());
    let behind = Square {
        center: Vec3::Z * -0.4,
        ..UPRIGHT
    };
    let images = vec![png(1, &[[0, 0, 255, 255]])];
    // The glass comes first in the file either way.
    let materials = vec![red_glass, wall];
    let Some(image) = draw(
        &model(&[UPRIGHT, behind], materials.clone(), images.clone()),
        &view(),
    ) else {
        return;
    };
    assert_near(at(&image, 0.0, 0.0), [188, 0, 188, 255]);
    let image = draw(&model(&[behind, UPRIGHT], materials, images), &view()).unwrap();
    assert_near(at(&image, 0.0, 0.0), [0, 0, 255, 255]);
}

#[test]
fn two_sided_materials_are_lit_on_both_sides() {
    let away = Square {
        right: Vec3::NEG_X,
        normal: Vec3::NEG_Z,
        ..UPRIGHT
    };
    let shown = |square, is_two_sided| {
        let look = MaterialLook {
            is_two_sided,
            ..MaterialLook::default()
        };
        let model = model(
            &[square],
            vec![material(vec![base()], look)],
            vec![png(1, &[GREEN])],
        );
        Some(brightness(at(&draw(&model, &view())?, 0.0, 0.0)))
    };
    let Some(dark) = shown(away, false) else {
        return;
    };
    let faced = shown(UPRIGHT, false).unwrap();
    let lit = shown(away, true).unwrap();
    assert!(dark * 3 < faced * 2, "{dark} {faced}");
    assert!(lit.abs_diff(faced) <= 6, "{lit} {faced}");
}

/// Brightness of a square whose normal map leans the same way everywhere.
fn leaning(square: Square, axes: Axes, lean: Vec2, matrix: Affine2) -> Option<u32> {
    let n = lean.extend((1.0 - lean.length_squared()).sqrt());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0..=255"
    )]
    let texel = (n * 127.5 + 127.5).to_array().map(|c| c.round() as u8);
    let texel = [texel[0], texel[1], texel[2], 255];
    let normal = TextureRef {
        texture_from_uv: Some(Box::new(matrix)),
        ..TextureRef::embedded(TextureRole::Normal, ImageId(0))
    };
    let look = MaterialLook {
        is_two_sided: true,
        ..MaterialLook::default()
    };
    let mut model = model(
        &[square],
        vec![material(vec![normal], look)],
        vec![png(1, &[texel])],
    );
    model.axes = axes;
    if axes.winding == Winding::Clockwise
        && let Indices::U32(list) = &mut model.meshes[0].indices
    {
        list.reverse();
    }
    Some(brightness(at(&draw(&model, &view())?, 0.1, 0.1)))
}

#[test]
fn relief_is_lit_from_the_upper_left_whatever_the_axes_and_sides() {
    let turned = Affine2::from_angle(1.1);
    let axes = |up, handedness, winding| Axes {
        up,
        handedness,
        winding,
        unit_meters: None,
    };
    let (right_handed, left_handed) = (Handedness::Right, Handedness::Left);
    let (usual, reversed) = (Winding::CounterClockwise, Winding::Clockwise);
    let y_up = axes(UpAxis::Y, right_handed, usual);
    // Z up: what is shown as right, up and towards the viewer is x, z and -y.
    let z_up = Square {
        right: Vec3::X,
        up: Vec3::Z,
        normal: Vec3::NEG_Y,
        ..UPRIGHT
    };
    let mirrored_coordinates = Square {
        right: Vec3::NEG_X,
        ..UPRIGHT
    };
    let from_behind = Square {
        normal: Vec3::NEG_Z,
        right: Vec3::NEG_X,
        ..UPRIGHT
    };
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
        (
            "left-handed, reversed",
            UPRIGHT,
            axes(UpAxis::Y, left_handed, reversed),
        ),
        ("z up", z_up, axes(UpAxis::Z, right_handed, usual)),
        (
            "left-handed, z up",
            z_up,
            axes(UpAxis::Z, left_handed, usual),
        ),
    ];
    for (name, square, axes) in cases {
        for has_tangents in [true, false] {
            for matrix in [
                Affine2::IDENTITY,
                turned,
                Affine2::from_scale(Vec2::new(-1.0, 2.0)),
            ] {
                let square = Square {
                    has_tangents,
                    ..square
                };
                let shown = |lean| leaning(square, axes, lean, matrix);
                // Where on the screen the map's right and up point: file space, then display.
                // v points down.
                let in_uv = |direction: Vec2| {
                    let uv = matrix.matrix2.inverse() * Vec2::new(direction.x, -direction.y);
                    let in_file = square.right * uv.x - square.up * uv.y;
                    axes.display_from_file()
                        .transform_vector3(in_file)
                        .normalize()
                };
                // A surface that leans towards the light is lighter; seen from behind, bumps are
                // dents.
                let light = Vec3::new(-0.6, 0.8, 0.0);
                let outward = axes.display_from_file().transform_vector3(square.normal);
                let side = outward.z.signum();
                for direction in [Vec2::X, Vec2::Y] {
                    let towards = in_uv(direction).dot(light) * side;
                    let Some(one) = shown(direction * 0.5) else {
                        return;
                    };
                    let other = shown(direction * -0.5).unwrap();
                    let difference = f64::from(one) - f64::from(other);
                    assert!(
                        difference * f64::from(towards) > 0.0 || towards.abs() < 0.4,
                        "{name}, tangents {has_tangents}, {matrix:?}, {direction}: {one} {other} {towards}"
                    );
                    assert!(
                        difference.abs() > 30.0 || towards.abs() < 0.4,
                        "{name}: {difference}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_flat_normal_map_changes_nothing() {
    let Some(with) = leaning(UPRIGHT, Axes::default(), Vec2::ZERO, Affine2::IDENTITY) else {
        return;
    };
    let plain = vec![material(Vec::new(), MaterialLook::default())];
    let without = draw(&model(&[UPRIGHT], plain, Vec::new()), &view()).unwrap();
    assert!(with.abs_diff(brightness(at(&without, 0.1, 0.1))) <= 6);
}

/// Whether there are two colours, one of them as of the checker for what is missing.
fn has_missing_checker(image: &rigscope::gpu::headless::Image) -> bool {
    let is_pink = |[r, g, b, _]: [u8; 4]| r > 120 && b > 120 && g < 90;
    let is_dark = |p: [u8; 4]| p[3] == 255 && brightness(p) < 200;
    let count =
        |is: &dyn Fn([u8; 4]) -> bool| super::images::pixels(image).filter(|p| is(*p)).count();
    count(&is_pink) > 1500 && count(&is_dark) > 1500
}

#[test]
fn missing_and_unreadable_textures_are_checkers_and_noted() {
    let Some(gpu) = gpu() else { return };
    let renderer = Renderer::new(gpu);
    let named = TextureRef::file(TextureRole::BaseColor, "lost.png");
    let broken = Image {
        name: "broken.png".into(),
        bytes: ByteView::whole(b"\x89PNG\r\n\x1a\nnothing".to_vec()),
        is_embedded: true,
    };
    let mut huge = png(1, &[RED]);
    let mut bytes = huge.bytes.to_vec();
    // Width of a PNG; its checksum is not that of the header any more, so the BMP is huge too.
    bytes[16..20].copy_from_slice(&100_000u32.to_be_bytes());
    huge.bytes = ByteView::whole(bytes);
    let mut huge_bmp = encoded(1, &[RED], ImageFormat::Bmp);
    let mut bytes = huge_bmp.bytes.to_vec();
    bytes[18..22].copy_from_slice(&60_000u32.to_le_bytes());
    huge_bmp.bytes = ByteView::whole(bytes);
    let cases = [
        (named, Vec::new(), None),
        (base(), Vec::new(), None),
        (base(), vec![broken], Some(NoteKind::UnreadableTexture)),
        (base(), vec![huge_bmp], Some(NoteKind::TextureTooLarge)),
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
        let notes: Vec<_> = report
            .notes()
            .iter()
            .map(|note| (note.kind, note.place))
            .collect();
        let wanted: Vec<_> = wanted
            .map(|kind| (kind, Place::Material(0)))
            .into_iter()
            .collect();
        assert_eq!(notes, wanted);
        assert!(has_missing_checker(&draw(&model, &view()).unwrap()));
    }
}

#[test]
fn shared_images_are_uploaded_once_and_unused_ones_never() {
    let Some(gpu) = gpu() else { return };
    let renderer = Renderer::new(gpu);
    let images = vec![
        png(1, &[RED]),
        png(1, &[[128, 128, 255, 255]]),
        png(1, &[BLUE]),
    ];
    let normal = TextureRef::embedded(TextureRole::Normal, ImageId(1));
    let both = |look| material(vec![base(), normal.clone()], look);
    let unused = TextureRef::embedded(TextureRole::BaseColor, ImageId(2));
    let materials = vec![
        both(unlit()),
        both(MaterialLook::default()),
        material(vec![unused], unlit()),
    ];
    let model = model(&[UPRIGHT; 2], materials, images);
    let scene = Scene::upload(gpu, &renderer, &model, &Report::new()).unwrap();
    assert_eq!(scene.num_textures(), 2);
}

#[test]
fn without_textures_subsets_have_their_colours_as_before() {
    let plain = Material::default();
    let other = Material {
        textures: vec![TextureRef::file(TextureRole::Other, "shine.png")],
        ..Material::default()
    };
    let colored = model(&[UPRIGHT], vec![plain], Vec::new());
    let with_other = model(&[UPRIGHT], vec![other], Vec::new());
    let Some(image) = draw(&colored, &view()) else {
        return;
    };
    assert_eq!(draw(&with_other, &view()), Some(image.clone()));
    let without = FrameInput {
        show: Show {
            textures: false,
            ..TEXTURED
        },
        ..view()
    };
    assert_eq!(draw(&colored, &without), Some(image.clone()));
    // Switched off, a textured subset has its colour too.
    let textured = model(
        &[UPRIGHT],
        vec![material(vec![base()], unlit())],
        vec![png(1, &[RED])],
    );
    assert_eq!(draw(&textured, &without), Some(image));
    // Switched on, a colour chosen by hand does not win over a texture.
    let chosen = FrameInput {
        subsets: &[SubsetLook {
            visible: true,
            color: Some([0.0, 0.0, 1.0]),
        }],
        ..view()
    };
    assert_near(at(&draw(&textured, &chosen).unwrap(), 0.0, 0.0), RED);
}

#[test]
fn a_plain_look_is_a_colour_in_the_usual_light() {
    let look = MaterialLook {
        base_color: Vec4::new(0.8, 0.01, 0.01, 1.0),
        ..MaterialLook::default()
    };
    let Some(image) = draw(
        &model(&[UPRIGHT], vec![material(Vec::new(), look)], Vec::new()),
        &view(),
    ) else {
        return;
    };
    let chosen = FrameInput {
        subsets: &[SubsetLook {
            visible: true,
            color: Some([0.8, 0.01, 0.01]),
        }],
        ..view()
    };
    let by_hand = model(&[UPRIGHT], vec![Material::default()], Vec::new());
    assert_eq!(draw(&by_hand, &chosen), Some(image));
}

#[test]
fn the_checker_lies_on_every_subset_with_or_without_textures() {
    let show = Show {
        checker: true,
        ..TEXTURED
    };
    let input = FrameInput { show, ..view() };
    let textured = model(&[UPRIGHT], vec![glass(Vec4::ONE)], Vec::new());
    let Some(image) = draw(&textured, &input) else {
        return;
    };
    let plain = model(&[UPRIGHT], vec![Material::default()], Vec::new());
    assert_eq!(draw(&plain, &input), Some(image.clone()));
    // Eight squares over 1.6: the first and the second differ, the third is as the first.
    let square = |x: u8, y: u8| {
        let middle = |at: u8| -0.8 + 0.2 * (f32::from(at) + 0.5);
        brightness(at(&image, middle(x), -middle(y)))
    };
    assert!(square(0, 0) > square(1, 0) + 100 && square(0, 0) > square(0, 1) + 100);
    assert!(square(2, 0).abs_diff(square(0, 0)) < 60);
    // Redder to the right, greener downwards.
    let balance = |x: f32, y: f32| {
        let [r, g, ..] = at(&image, x, y);
        i32::from(r) - i32::from(g)
    };
    assert!(balance(0.7, 0.5) > 20 && balance(-0.5, -0.7) < -20);
    // Hidden with the surface.
    let no_surface = FrameInput {
        show: Show {
            surface: false,
            ..show
        },
        ..view()
    };
    assert_eq!(covered(&draw(&plain, &no_surface).unwrap()), 0);
}

#[test]
fn lines_lie_on_a_textured_surface() {
    let textured = model(
        &[UPRIGHT],
        vec![material(vec![base()], unlit())],
        vec![png(1, &[WHITE])],
    );
    let wired = FrameInput {
        show: Show {
            wireframe: true,
            ..TEXTURED
        },
        ..view()
    };
    let Some(image) = draw(&textured, &wired) else {
        return;
    };
    // The diagonal.
    let darkest = (-3..=3)
        .map(|d| brightness(at(&image, 0.02 * d as f32, 0.0)))
        .min();
    assert!(darkest < Some(500), "{darkest:?}");
}

#[test]
fn a_selected_textured_subset_stands_out() {
    let textured = model(
        &[UPRIGHT],
        vec![material(vec![base()], unlit())],
        vec![png(1, &[BLUE])],
    );
    let selected = FrameInput {
        selected_subset: Some(0),
        ..view()
    };
    let Some(image) = draw(&textured, &selected) else {
        return;
    };
    assert!(at(&image, 0.0, 0.0)[0] > 150);
}
