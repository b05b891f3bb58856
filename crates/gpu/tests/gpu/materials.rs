//! Materials apart from their textures: alpha, sides, looks, and the checker.

use glam::{Affine2, Vec3, Vec4};
use rigscope_core::camera::Preset;
use rigscope_core::pose::{Moment, PoseSpec};
use rigscope_core::visual::{Light, Shading, ToneMapping};
use rigscope_gpu::{Background, FrameInput, Msaa, Show, SubsetLook, Target, headless};

use super::images::{at, brightness, covered, draw, draw_with, pixels};
use super::squares::{
    GREEN, RED, Square, TEXTURED, UPRIGHT, WHITE, assert_near, base, material, model, placed, png,
    unlit, view,
};
use super::uploaded;
use rigscope_testing::*;

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn texels_below_the_cutoff_are_cut_out() {
    let texels = [[200, 0, 0, 255], [200, 0, 0, 100], [200, 0, 0, 120], [200, 0, 0, 160]];
    let look = MaterialLook { alpha: AlphaMode::Mask(0.5), ..unlit() };
    let clamped = placed(Affine2::IDENTITY, [Wrap::Clamp; 2]);
    let materials = vec![material(vec![clamped], look)];
    let image = draw(&model(&[UPRIGHT], materials, vec![png(2, &texels)]), &view());
    assert_near(at(&image, -0.5, 0.5), [200, 0, 0, 255]);
    assert_near(at(&image, 0.5, -0.5), [200, 0, 0, 255]);
    assert_eq!(at(&image, 0.5, 0.5), [0; 4]);
    assert_eq!(at(&image, -0.5, -0.5), [0; 4]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_edge_of_a_cutout_is_smooth_with_msaa() {
    // Cut along the slanted line at alpha 0.5.
    let texels = [[200, 0, 0, 255], [200, 0, 0, 140], [200, 0, 0, 80], [200, 0, 0, 0]];
    let look = MaterialLook { alpha: AlphaMode::Mask(0.5), ..unlit() };
    let clamped = placed(Affine2::IDENTITY, [Wrap::Clamp; 2]);
    // Larger than the image, so that the cut is the only edge.
    let square = Square { half: 1.3, ..UPRIGHT };
    let model = model(&[square], vec![material(vec![clamped], look)], vec![png(2, &texels)]);
    let physical =
        Light { shading: Shading::Physical, tone_mapping: ToneMapping::Off, ..Light::USUAL };
    for light in [Light::PLAIN, physical] {
        let input = FrameInput { show: Show { light, ..TEXTURED }, ..view() };
        let partly = |image: &rigscope_gpu::headless::Image| {
            pixels(image).filter(|p| (1..255).contains(&p[3])).count()
        };
        let hard = draw_with(&model, &input, Msaa::Off);
        assert_eq!(partly(&hard), 0);
        let soft = draw_with(&model, &input, Msaa::X4);
        assert!(partly(&soft) > 40, "{} soft pixels", partly(&soft));
        // The edge hasn't moved.
        let sum = |image| pixels(image).map(|p| u32::from(p[3])).sum::<u32>() / 255;
        assert!(sum(&hard).abs_diff(sum(&soft)) < 100, "{} {}", sum(&hard), sum(&soft));
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn invisible_texels_do_not_color_the_edge_of_a_leaf() {
    let texel = |at: i32| {
        let (x, y) = (at % 64 - 32, at / 64 - 32);
        if x * x + y * y < 500 { [200, 0, 0, 255] } else { [0, 255, 0, 0] }
    };
    let leaf = png(64, &(0..64 * 64).map(texel).collect::<Vec<_>>());
    for alpha in [AlphaMode::Mask(0.5), AlphaMode::Blend] {
        let look = MaterialLook { alpha, ..unlit() };
        for half in [0.8, 0.21, 0.1] {
            let square = Square { half, ..UPRIGHT };
            let model = model(&[square], vec![material(vec![base()], look)], vec![leaf.clone()]);
            let image = draw(&model, &view());
            assert!(covered(&image) > 10);
            let green = pixels(&image).map(|p| p[1]).max();
            assert!(green < Some(12), "{alpha:?} {half}: {green:?}");
        }
    }
}

fn glass(color: Vec4) -> Material {
    let look =
        MaterialLook { base_color: color, alpha: AlphaMode::Blend, is_two_sided: true, ..unlit() };
    material(Vec::new(), look)
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn nearer_glass_is_drawn_over_farther_glass_from_both_sides() {
    let (red, green) = (Vec4::new(1.0, 0.0, 0.0, 0.5), Vec4::new(0.0, 1.0, 0.0, 0.5));
    let near = Square { center: Vec3::Z * 0.3, ..UPRIGHT };
    let far = Square { center: Vec3::Z * -0.3, ..UPRIGHT };
    // Half the light of the nearer surface, a quarter of the farther one's.
    let (half, quarter) = (188, 137);
    let mut behind = view();
    behind.camera.look_from(Preset::Front);
    behind.camera.yaw_rad += std::f32::consts::PI;
    for is_reversed in [false, true] {
        let (squares, glasses) = if !is_reversed {
            ([near, far], vec![glass(green), glass(red)])
        } else {
            ([far, near], vec![glass(red), glass(green)])
        };
        let model = model(&squares, glasses, Vec::new());
        let over_black = |input: &FrameInput<'static>| FrameInput {
            background: Background::Plain([0.0; 3]),
            ..*input
        };
        let image = draw(&model, &over_black(&view()));
        assert_near(at(&image, 0.0, 0.0), [quarter, half, 0, 255]);
        let image = draw(&model, &over_black(&behind));
        assert_near(at(&image, 0.0, 0.0), [half, quarter, 0, 255]);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn glass_does_not_depend_on_the_order_of_triangles() {
    // Three intersecting panes in one mesh with different colours, and one behind.
    let texels: Vec<[u8; 4]> =
        (0..16u8).map(|at| [at * 17, 255 - at * 13, at % 4 * 80, 60 + at * 9]).collect();
    let rotated = |angle: f32, center: Vec3| Square {
        center,
        right: Vec3::new(angle.cos(), 0.0, angle.sin()),
        normal: Vec3::new(-angle.sin(), 0.0, angle.cos()),
        ..UPRIGHT
    };
    let squares =
        [rotated(0.7, Vec3::ZERO), rotated(-0.6, Vec3::X * 0.1), rotated(0.0, Vec3::Z * -0.5)];
    let look = MaterialLook { alpha: AlphaMode::Blend, is_two_sided: true, ..unlit() };
    let one_mesh = |order: &[usize]| {
        let (mut positions, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for square in &squares {
            let first = u32::try_from(positions.len()).unwrap();
            for (u, v) in [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)] {
                let offset = square.right * (u * 2.0 - 1.0) + square.up * (1.0 - v * 2.0);
                positions.push(square.center + offset * square.half);
                uvs.push(glam::Vec2::new(u, v));
            }
            indices.push([first, first + 1, first + 2]);
            indices.push([first, first + 2, first + 3]);
        }
        let indices: Vec<u32> = order.iter().flat_map(|at| indices[*at]).collect();
        let mesh = ModelBuilder::new().mesh(positions).uvs(uvs).indices(indices).of_material(0);
        mesh.with(|model| {
            model.materials = vec![material(vec![base()], look)].into();
            model.images = vec![png(4, &texels)].into();
        })
        .build()
    };
    let physical =
        Light { shading: Shading::Physical, tone_mapping: ToneMapping::Off, ..Light::USUAL };
    for light in [Light::PLAIN, physical] {
        let show = Show { light, ..TEXTURED };
        let input = FrameInput { show, background: Background::Plain([0.2; 3]), ..view() };
        for msaa in [Msaa::Off, Msaa::X4] {
            let image = draw_with(&one_mesh(&[0, 1, 2, 3, 4, 5]), &input, msaa);
            assert!(pixels(&image).filter(|p| *p != at(&image, -0.99, 0.99)).count() > 3000);
            for order in [[5, 4, 3, 2, 1, 0], [2, 0, 5, 1, 3, 4]] {
                let other = draw_with(&one_mesh(&order), &input, msaa);
                let differing = pixels(&image).zip(pixels(&other)).filter(|(a, b)| a != b).count();
                assert_eq!(differing, 0, "{order:?} {msaa:?}");
            }
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn transparent_surfaces_on_bones_are_sorted_by_posed_depth() {
    let (red, green) = (Vec4::new(1.0, 0.0, 0.0, 0.5), Vec4::new(0.0, 1.0, 0.0, 0.5));
    for z in [0.3, -0.3] {
        let mut model = model(&[UPRIGHT; 2], vec![glass(green), glass(red)], Vec::new());
        let bones = [z, -z].map(|z| bone("", None, Vec3::Z * z));
        model.skeleton = Skeleton::new(bones.to_vec(), true).unwrap();
        for (at, mesh) in model.meshes.iter_mut().enumerate() {
            mesh.attached_to = Some(BoneId::from_index(at));
        }
        let input = FrameInput { background: Background::Plain([0.0; 3]), ..view() };
        let image = draw(&model, &input);
        let wanted = if z > 0.0 { [137, 188, 0, 255] } else { [188, 137, 0, 255] };
        assert_near(at(&image, 0.0, 0.0), wanted);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn an_opaque_body_with_a_blended_material_is_drawn_once() {
    let num_draws = |base_alpha: f32, texel_alpha: u8| {
        let look = MaterialLook {
            base_color: Vec4::new(1.0, 1.0, 1.0, base_alpha),
            alpha: AlphaMode::Blend,
            ..unlit()
        };
        let body = material(vec![base()], look);
        let images = vec![png(1, &[[200, 100, 50, texel_alpha]])];
        let (gpu, renderer, mut scene) = uploaded(&model(&[UPRIGHT], vec![body], images));
        let target = Target::new(gpu, [64; 2], Msaa::Off);
        renderer.render(gpu, &mut scene, &target, &view()).draws
    };
    let once = num_draws(1.0, 255);
    assert_eq!(num_draws(1.0, 253), once);
    assert!(num_draws(1.0, 252) > once);
    assert!(num_draws(0.9, 255) > once);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn glass_is_hidden_by_opaque_surfaces_and_hides_nothing() {
    let red_glass = glass(Vec4::new(1.0, 0.0, 0.0, 0.5));
    let wall = material(vec![base()], unlit());
    let behind = Square { center: Vec3::Z * -0.4, ..UPRIGHT };
    let images = vec![png(1, &[[0, 0, 255, 255]])];
    // The glass is first in the file in both cases.
    let materials = vec![red_glass, wall];
    let image = draw(&model(&[UPRIGHT, behind], materials.clone(), images.clone()), &view());
    assert_near(at(&image, 0.0, 0.0), [188, 0, 188, 255]);
    let image = draw(&model(&[behind, UPRIGHT], materials, images), &view());
    assert_near(at(&image, 0.0, 0.0), [0, 0, 255, 255]);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn two_sided_materials_are_lit_on_both_sides() {
    let away = Square { right: Vec3::NEG_X, normal: Vec3::NEG_Z, ..UPRIGHT };
    let shown = |square, is_two_sided| {
        let look = MaterialLook { is_two_sided, ..MaterialLook::default() };
        let model = model(&[square], vec![material(vec![base()], look)], vec![png(1, &[GREEN])]);
        brightness(at(&draw(&model, &view()), 0.0, 0.0))
    };
    let dark = shown(away, false);
    let faced = shown(UPRIGHT, false);
    let lit = shown(away, true);
    assert!(dark * 3 < faced * 2, "{dark} {faced}");
    assert!(lit.abs_diff(faced) <= 6, "{lit} {faced}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn subsets_without_textures_use_their_subset_colours() {
    let plain = Material::default();
    let other = Material {
        textures: vec![TextureRef::file(TextureRole::Other, "shine.png")],
        ..Material::default()
    };
    let colored = model(&[UPRIGHT], vec![plain], Vec::new());
    let with_other = model(&[UPRIGHT], vec![other], Vec::new());
    let image = draw(&colored, &view());
    assert_eq!(draw(&with_other, &view()), image);
    let without = FrameInput { show: Show { textures: false, ..TEXTURED }, ..view() };
    assert_eq!(draw(&colored, &without), image);
    // With textures disabled, a textured subset gets its colour too.
    let textured = model(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![png(1, &[RED])]);
    assert_eq!(draw(&textured, &without), image);
    // With textures enabled, a colour chosen by the user doesn't replace a texture.
    let chosen = FrameInput {
        subsets: &[SubsetLook { visible: true, color: Some([0.0, 0.0, 1.0]) }],
        ..view()
    };
    assert_near(at(&draw(&textured, &chosen), 0.0, 0.0), RED);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn untextured_material_is_drawn_like_a_subset_colour() {
    let look =
        MaterialLook { base_color: Vec4::new(0.8, 0.01, 0.01, 1.0), ..MaterialLook::default() };
    let image = draw(&model(&[UPRIGHT], vec![material(Vec::new(), look)], Vec::new()), &view());
    let chosen = FrameInput {
        subsets: &[SubsetLook { visible: true, color: Some([0.8, 0.01, 0.01]) }],
        ..view()
    };
    let by_hand = model(&[UPRIGHT], vec![Material::default()], Vec::new());
    assert_eq!(draw(&by_hand, &chosen), image);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_checker_covers_every_subset_with_or_without_textures() {
    let show = Show { checker: true, ..TEXTURED };
    let input = FrameInput { show, ..view() };
    let textured = model(&[UPRIGHT], vec![glass(Vec4::ONE)], Vec::new());
    let image = draw(&textured, &input);
    let plain = model(&[UPRIGHT], vec![Material::default()], Vec::new());
    assert_eq!(draw(&plain, &input), image);
    // Sixteen squares over 1.6 units: the second differs from the first, the third doesn't.
    let square = |x: u8, y: u8| {
        let middle = |at: u8| -0.8 + 0.1 * (f32::from(at) + 0.5);
        brightness(at(&image, middle(x), -middle(y)))
    };
    assert!(square(0, 0) > square(1, 0) + 100 && square(0, 0) > square(0, 1) + 100);
    assert!(square(2, 0).abs_diff(square(0, 0)) < 60);
    // Redder to the right, greener downwards.
    let balance = |x: f32, y: f32| {
        let [r, g, ..] = at(&image, x, y);
        i32::from(r) - i32::from(g)
    };
    assert!(balance(0.75, 0.55) > 20 && balance(-0.55, -0.75) < -20);
    // Hidden with the surface.
    let no_surface = FrameInput { show: Show { surface: false, ..show }, ..view() };
    assert_eq!(covered(&draw(&plain, &no_surface)), 0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn lines_are_visible_on_a_textured_surface() {
    let textured = model(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![png(1, &[WHITE])]);
    let wired = FrameInput { show: Show { wireframe: true, ..TEXTURED }, ..view() };
    let image = draw(&textured, &wired);
    // The diagonal.
    let darkest = (-3..=3).map(|d| brightness(at(&image, 0.02 * d as f32, 0.0))).min();
    assert!(darkest < Some(500), "{darkest:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn clips_animate_materials_with_and_without_textures() {
    let physical =
        Light { shading: Shading::Physical, tone_mapping: ToneMapping::Off, ..Light::USUAL };
    let green_to_red = |interpolation| MaterialTrack {
        material: MaterialId(0),
        property: MaterialProperty::BaseColor,
        values: Track {
            times_secs: vec![0.0, 1.0],
            values: vec![Vec4::new(0.0, 1.0, 0.0, 1.0), Vec4::new(1.0, 0.0, 0.0, 1.0)],
            interpolation,
        },
    };
    let white = png(1, &[[255; 4]]);
    let blue = Vec4::new(0.0, 0.0, 1.0, 1.0);
    let lit = MaterialLook { base_color: blue, ..MaterialLook::default() };
    for (textures, light, look) in [
        (vec![base()], Light::PLAIN, MaterialLook { base_color: blue, ..unlit() }),
        (vec![base()], physical, lit),
        (vec![], Light::PLAIN, lit),
        (vec![], physical, lit),
    ] {
        let mut model = model(&[UPRIGHT], vec![material(textures, look)], vec![white.clone()]);
        model.clips = vec![Clip {
            duration_secs: 1.0,
            material_tracks: vec![green_to_red(Interpolation::Linear)],
            ..Clip::default()
        }]
        .into();
        let (gpu, renderer, mut scene) = uploaded(&model);
        let target = Target::new(gpu, [super::images::SIDE; 2], Msaa::Off);
        // One scene, so that each pose has to replace the last one.
        let mut brightest = |spec| {
            let show = Show { light, ..TEXTURED };
            let input = FrameInput { show, pose: spec, ..view() };
            renderer.render(gpu, &mut scene, &target, &input);
            let image = headless::read_target(gpu, &target, input.background).unwrap();
            let [red, green, blue, _] = at(&image, 0.0, 0.0);
            [red, green, blue].map(|channel| channel > 80)
        };
        let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
        assert_eq!(brightest(rest), [false, false, true], "{light:?}");
        assert_eq!(brightest(PoseSpec::at_secs(ClipId(0), 0.0)), [false, true, false]);
        assert_eq!(brightest(PoseSpec::at_secs(ClipId(0), 0.5)), [true, true, false]);
        assert_eq!(brightest(PoseSpec::at_secs(ClipId(0), 1.0)), [true, false, false]);
        assert_eq!(brightest(rest), [false, false, true], "{light:?}");
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn clips_move_textures() {
    // The left half is black, the right half white.
    const BLACK: [u8; 4] = [0, 0, 0, 255];
    let image = png(2, &[BLACK, WHITE, BLACK, WHITE]);
    let offset = |role| MaterialTrack {
        material: MaterialId(0),
        property: MaterialProperty::Texture(role, TextureProperty::Offset),
        values: Track {
            times_secs: vec![0.0, 1.0],
            values: vec![Vec4::ZERO, Vec4::X * 0.5],
            interpolation: Interpolation::Step,
        },
    };
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let posed = |time| PoseSpec::at_secs(ClipId(0), time);
    for (role, right) in [(TextureRole::BaseColor, false), (TextureRole::Normal, true)] {
        let mut model =
            model(&[UPRIGHT], vec![material(vec![base()], unlit())], vec![image.clone()]);
        model.clips = vec![Clip {
            duration_secs: 1.0,
            material_tracks: vec![offset(role)],
            ..Clip::default()
        }]
        .into();
        let (gpu, renderer, mut scene) = uploaded(&model);
        let target = Target::new(gpu, [super::images::SIDE; 2], Msaa::Off);
        // One scene, so that each pose has to replace the last one.
        let mut is_bright = |spec| {
            let input = FrameInput { show: TEXTURED, pose: spec, ..view() };
            renderer.render(gpu, &mut scene, &target, &input);
            let image = headless::read_target(gpu, &target, input.background).unwrap();
            [-0.4, 0.4].map(|x| brightness(at(&image, x, 0.0)) > 300)
        };
        assert_eq!(is_bright(rest), [false, true]);
        assert_eq!(is_bright(posed(0.0)), [false, true]);
        assert_eq!(is_bright(posed(1.0)), [!right, right], "{role:?}");
        assert_eq!(is_bright(rest), [false, true]);
    }
}
