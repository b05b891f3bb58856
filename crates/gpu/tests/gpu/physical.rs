//! Materials lit by an environment: energy, formulas, maps.

use glam::{Vec2, Vec3, Vec4};
use half::f16;
use image::ImageFormat;
use rigscope_core::visual::{Coloring, EnvironmentKind, Light, Shading, ToneMapping};
use rigscope_gpu::{FrameInput, Show};

use super::images::{at, brightness, draw};
use super::squares::{Square, TEXTURED, UPRIGHT, assert_near, encoded, material, model, png, view};
use rigscope_testing::*;

pub(super) const LIT: Light =
    Light { shading: Shading::Physical, tone_mapping: ToneMapping::Off, ..Light::USUAL };

pub(super) fn lit(light: Light) -> FrameInput<'static> {
    FrameInput { show: Show { light, ..TEXTURED }, ..view() }
}

pub(super) fn linear(byte: u8) -> f32 {
    color_from_srgb8([byte; 4]).x
}

/// A cube map of `num_levels` levels with one colour per face, as KTX 1 in half floats.
pub(super) fn cube(num_levels: u32, faces: [Vec3; 6]) -> Image {
    let mut bytes = b"\xABKTX 11\xBB\r\n\x1A\n".to_vec();
    let side = 1 << (num_levels - 1);
    for word in [0x0403_0201, 0x140b, 2, 0x1908, 0x881a, 0x1908, side, side, 0, 0, 6, num_levels, 0]
    {
        bytes.extend(u32::to_le_bytes(word));
    }
    for level in 0..num_levels {
        let num_texels = (side >> level) * (side >> level);
        bytes.extend((num_texels * 8).to_le_bytes());
        for face in faces {
            let texel = face.extend(1.0).to_array().map(|n| f16::from_f32(n).to_le_bytes());
            bytes.extend(texel.as_flattened().repeat(num_texels as usize));
        }
    }
    Image { name: "cube.ktx".into(), bytes: ByteView::whole(bytes), is_embedded: true }
}

/// A ball of one material.
pub(super) fn ball(look: MaterialLook) -> Model {
    let (num_rings, num_sides) = (48u32, 96u32);
    let mut normals = Vec::new();
    for ring in 0..=num_rings {
        let (sine, cosine) = (std::f32::consts::PI * ring as f32 / num_rings as f32).sin_cos();
        for side in 0..=num_sides {
            let around = Vec2::from_angle(std::f32::consts::TAU * side as f32 / num_sides as f32);
            normals.push(Vec3::new(around.y * sine, cosine, around.x * sine));
        }
    }
    let mut indices = Vec::new();
    for ring in 0..num_rings {
        for side in 0..num_sides {
            let first = ring * (num_sides + 1) + side;
            let below = first + num_sides + 1;
            indices.extend([first, below, first + 1, first + 1, below, below + 1]);
        }
    }
    let positions: Vec<Vec3> = normals.iter().map(|normal| *normal * 0.9).collect();
    let mut ball = ModelBuilder::new().mesh(positions).indices(indices).normals(normals);
    ball = ball.of_material(0);
    ball.with(|model| model.materials = vec![material(Vec::new(), look)].into()).build()
}

/// The model with its own environment.
pub(super) fn in_environment(mut model: Model, irradiance: [Vec3; 6], seen: [Vec3; 6]) -> Model {
    let first = model.images.len();
    model.images.extend([cube(1, irradiance), cube(5, seen)]);
    model.environment = Some(Environment {
        irradiance: Some(ImageId::from_index(first)),
        prefiltered: Some(ImageId::from_index(first + 1)),
        split_sum: None,
    });
    model
}

fn in_even_light(model: Model, light: f32) -> Model {
    in_environment(model, [Vec3::splat(light); 6], [Vec3::splat(light); 6])
}

/// Positions inside the ball's image.
fn inside() -> impl Iterator<Item = (f32, f32)> {
    let steps = || (-21i8..=21).map(|step| f32::from(step) * 0.04);
    let all = steps().flat_map(move |x| steps().map(move |y| (x, y)));
    all.filter(|(x, y)| x * x + y * y < 0.86 * 0.86)
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn white_furnace_test_passes_at_any_roughness() {
    for metallic in [0.0, 1.0] {
        for roughness in [0.0, 0.1, 0.25, 0.5, 0.75, 1.0] {
            let look = MaterialLook { metallic, roughness, ..MaterialLook::default() };
            let image = draw(&in_even_light(ball(look), 0.5), &lit(LIT));
            let (mut sum, mut num) = (0.0, 0.0);
            for (x, y) in inside() {
                let [r, g, b, a] = at(&image, x, y);
                let what =
                    format!("metallic {metallic} roughness {roughness} at {x} {y}: {r} {g} {b}");
                // 188 is half of the light; dithering adds or subtracts one.
                assert!([r, g, b].iter().all(|byte| byte.abs_diff(188) <= 2) && a == 255, "{what}");
                sum += linear(r);
                num += 1.0;
            }
            let mean: f32 = sum / num;
            assert!(
                (mean - 0.5).abs() < 0.005,
                "metallic {metallic} roughness {roughness}: {mean}"
            );
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn metals_tint_reflections_and_dielectrics_do_not() {
    let gold = Vec4::new(1.0, 0.766, 0.336, 1.0);
    let look =
        MaterialLook { base_color: gold, metallic: 1.0, roughness: 0.2, ..MaterialLook::default() };
    let image = draw(&in_even_light(ball(look), 0.8), &lit(LIT));
    let [r, g, b, _] = at(&image, 0.0, 0.0).map(linear);
    assert!((g / r - 0.766).abs() < 0.03 && (b / r - 0.336).abs() < 0.03, "{r} {g} {b}");
    // Light for specular reflection only; the irradiance is zero.
    let dark = |look| in_environment(ball(look), [Vec3::ZERO; 6], [Vec3::splat(0.9); 6]);
    let plastic = MaterialLook { metallic: 0.0, ..look };
    let [r, g, b, _] = at(&draw(&dark(plastic), &lit(LIT)), 0.0, 0.0).map(linear);
    assert!(
        (r - b).abs() < 0.01 && (r - g).abs() < 0.01 && (0.02..0.08).contains(&r),
        "{r} {g} {b}"
    );
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn higher_roughness_reduces_the_contrast_of_reflections() {
    let mut peaks = Vec::new();
    for metallic in [0.0, 1.0] {
        let row = [0.1, 0.35, 0.6, 1.0].map(|roughness| {
            let base_color = Vec4::new(0.3, 0.3, 0.3, 1.0);
            let look = MaterialLook { base_color, metallic, roughness, ..MaterialLook::default() };
            let light = Light { environment: EnvironmentKind::Studio, ..LIT };
            let image = draw(&ball(look), &lit(light));
            let all = inside().map(|(x, y)| brightness(at(&image, x, y)));
            let (mut least, mut most) = (u32::MAX, 0);
            for each in all {
                (least, most) = (least.min(each), most.max(each));
            }
            most - least
        });
        assert!(row.windows(2).all(|two| two[0] > two[1]), "metallic {metallic}: {row:?}");
        peaks.push(row);
    }
    assert!(peaks[1][0] > peaks[0][3], "{peaks:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn one_image_in_two_roles_gives_each_its_channel() {
    let look = MaterialLook { metallic: 1.0, roughness: 1.0, ..MaterialLook::default() };
    let texture = |role| TextureRef::embedded(role, ImageId(0));
    let textures = vec![texture(TextureRole::MetallicRoughness), texture(TextureRole::Occlusion)];
    let images = vec![png(1, &[[51, 102, 204, 255]])];
    let model = model(&[UPRIGHT], vec![material(textures, look)], images);
    let seen = |coloring| {
        let show = Show { coloring: Some(coloring), ..TEXTURED };
        at(&draw(&model, &FrameInput { show, ..view() }), 0.0, 0.0)[0]
    };
    let found = [Coloring::Occlusion, Coloring::Roughness, Coloring::Metallic].map(seen);
    assert!(found.iter().zip([51, 102, 204]).all(|(a, b)| a.abs_diff(b) <= 1), "{found:?}");
}

/// A one-texel texture with a role.
fn of_texel(role: TextureRole, texel: [u8; 4], look: MaterialLook) -> Model {
    let texture = TextureRef::embedded(role, ImageId(0));
    model(&[UPRIGHT], vec![material(vec![texture], look)], vec![png(1, &[texel])])
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn values_are_read_from_the_channels_of_their_roles() {
    use TextureRole as T;
    let look = MaterialLook { metallic: 1.0, roughness: 1.0, ..MaterialLook::default() };
    let texel = [51, 102, 204, 255];
    for (role, metallic, roughness, occlusion) in [
        (T::MetallicRoughness, 204, 102, 255),
        (T::MetallicRoughnessOcclusion, 51, 102, 204),
        (T::Metallic, 51, 255, 255),
        (T::Roughness, 255, 51, 255),
        (T::Occlusion, 255, 255, 51),
        (T::Other, 255, 255, 255),
    ] {
        let model = of_texel(role, texel, look);
        for (coloring, wanted) in [
            (Coloring::Metallic, metallic),
            (Coloring::Roughness, roughness),
            (Coloring::Occlusion, occlusion),
        ] {
            let show = Show { coloring: Some(coloring), ..TEXTURED };
            let image = draw(&model, &FrameInput { show, ..view() });
            assert_near(at(&image, 0.0, 0.0), [wanted, wanted, wanted, 255]);
        }
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn components_add_up_to_the_image() {
    let look = MaterialLook {
        base_color: Vec4::new(0.6, 0.2, 0.1, 1.0),
        roughness: 0.4,
        emissive: Vec3::new(0.0, 0.05, 0.1),
        ..MaterialLook::default()
    };
    let ball = ball(look);
    let light = Light { environment: EnvironmentKind::Neutral, ..LIT };
    let seen = |coloring| {
        let show = Show { light, coloring, ..TEXTURED };
        at(&draw(&ball, &FrameInput { show, ..view() }), 0.3, 0.2).map(linear)
    };
    let whole = seen(None);
    let parts = [Coloring::DiffuseLight, Coloring::SpecularLight, Coloring::Emissive];
    let parts = parts.map(|coloring| seen(Some(coloring)));
    for channel in 0..3 {
        let sum: f32 = parts.iter().map(|part| part[channel]).sum();
        assert!((sum - whole[channel]).abs() < 0.02, "{whole:?} {parts:?}");
    }
    assert!(parts[2][2] > 0.09 && parts[2][0] == 0.0);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn occlusion_darkens_and_its_strength_scales_it() {
    let seen = |occlusion_strength| {
        let look = MaterialLook { occlusion_strength, ..MaterialLook::default() };
        let model = in_even_light(of_texel(TextureRole::Occlusion, [0, 255, 255, 255], look), 0.5);
        linear(at(&draw(&model, &lit(LIT)), 0.0, 0.0)[0])
    };
    assert!(seen(1.0) < 0.01 && (seen(0.0) - 0.5).abs() < 0.02 && (seen(0.5) - 0.25).abs() < 0.02);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_sdk_formula_matches_its_shaders() {
    // A square viewed head-on, so that the cosine is 1 and Fresnel's term is F0.
    let base = Vec3::new(0.5, 0.25, 0.75);
    let (metallic, roughness) = (0.25, 0.5);
    let look = MaterialLook {
        base_color: base.extend(1.0),
        metallic,
        roughness,
        ..MaterialLook::default()
    };
    let plain = model(&[UPRIGHT], vec![material(Vec::new(), look)], Vec::new());
    let (around, seen) = (Vec3::new(0.4, 0.5, 0.6), Vec3::new(0.9, 0.3, 0.5));
    let mut effect = in_environment(plain, [around; 6], [seen; 6]);
    // Bias in red and scale in green, as in the tables of effects.
    effect.images.push(encoded(1, &[[51, 204, 0, 255]], ImageFormat::Png));
    let table = ImageId::from_index(effect.images.len() - 1);
    effect.environment.as_mut().unwrap().split_sum = Some(table);
    let light = Light {
        shading: Shading::Sdk,
        tone_mapping: ToneMapping::Agx,
        exposure_centistops: 300,
        ..LIT
    };
    let image = draw(&effect, &lit(light));
    let f0 = Vec3::splat(0.04).lerp(base, metallic);
    let diffuse = (Vec3::ONE - f0) * (1.0 - metallic) * around * base;
    let wanted = diffuse + seen * (f0 * 0.8 + 0.2);
    let found = Vec3::from_array([0, 1, 2].map(|at_| linear(at(&image, 0.0, 0.0)[at_])));
    assert!((found - wanted).abs().max_element() < 0.01, "{found} is not {wanted}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn depth_only_materials_are_invisible_and_hide_surfaces_behind_them() {
    let red = MaterialLook {
        base_color: Vec4::new(0.9, 0.0, 0.0, 1.0),
        is_unlit: true,
        ..MaterialLook::default()
    };
    let hidden = MaterialLook { is_depth_only: true, ..MaterialLook::default() };
    let back = Square { center: Vec3::Z * -0.3, ..UPRIGHT };
    let hider = Square { center: Vec3::new(0.0, 0.0, 0.1), half: 0.4, ..UPRIGHT };
    let front = Square { center: Vec3::new(0.0, 0.0, 0.4), half: 0.1, ..UPRIGHT };
    let materials =
        || vec![material(Vec::new(), red), material(Vec::new(), hidden), material(Vec::new(), red)];
    // In either order in the file.
    for squares in [[back, hider, front], [front, hider, back]] {
        let model = model(&squares, materials(), Vec::new());
        for light in [LIT, Light { shading: Shading::Plain, ..LIT }] {
            let image = draw(&model, &lit(light));
            assert!(at(&image, 0.0, 0.0)[0] > 200, "surfaces in front of it are visible");
            assert_eq!(at(&image, 0.25, 0.25), [0; 4], "surfaces behind it are hidden");
            assert!(at(&image, 0.6, 0.6)[0] > 200, "surfaces next to it are visible");
        }
        // Without materials it is an ordinary surface.
        let show = Show { textures: false, ..TEXTURED };
        assert_eq!(at(&draw(&model, &FrameInput { show, ..view() }), 0.25, 0.25)[3], 255);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn transmissive_bodies_transmit_and_reflect_light() {
    let red = MaterialLook {
        base_color: Vec4::new(0.5, 0.0, 0.0, 1.0),
        is_unlit: true,
        ..MaterialLook::default()
    };
    let glass = MaterialLook { transmission: 1.0, roughness: 0.0, ..MaterialLook::default() };
    let back = Square { center: Vec3::Z * -0.3, ..UPRIGHT };
    let pane = Square { half: 0.4, ..UPRIGHT };
    let materials = vec![material(Vec::new(), red), material(Vec::new(), glass)];
    let model = in_even_light(model(&[back, pane], materials, Vec::new()), 0.5);
    let image = draw(&model, &lit(LIT));
    let [bare, through] = [(0.6, 0.6), (0.1, 0.1)].map(|(x, y)| at(&image, x, y).map(linear));
    assert!((through[0] - (bare[0] * 0.96 + 0.02)).abs() < 0.02, "{through:?} {bare:?}");
    assert!((0.005..0.05).contains(&through[1]), "its reflection: {through:?}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn a_normal_map_looks_like_the_same_bumps_as_geometry() {
    let slope = |x: f32| 0.35 * (x * 14.0).cos();
    let height = |x: f32| 0.025 * (x * 14.0).sin();
    let normal = |x: f32| Vec3::new(-slope(x), 0.0, 1.0).normalize_or_zero();
    let look = MaterialLook {
        roughness: 0.35,
        base_color: Vec4::new(0.4, 0.5, 0.6, 1.0),
        ..MaterialLook::default()
    };
    // Bumps as geometry: strips from left to right.
    let num = 400u32;
    let places = || (0..=num).map(|at| at as f32 / num as f32 * 1.6 - 0.8);
    let positions =
        places().flat_map(|x| [Vec3::new(x, -0.8, height(x)), Vec3::new(x, 0.8, height(x))]);
    let normals = places().flat_map(|x| [normal(x); 2]);
    let indices = (0..num).flat_map(|at| {
        let first = at * 2;
        [first, first + 2, first + 1, first + 1, first + 2, first + 3]
    });
    let bumps = ModelBuilder::new()
        .mesh(positions.collect::<Vec<_>>())
        .indices(indices.collect::<Vec<_>>())
        .normals(normals.collect::<Vec<_>>())
        .of_material(0)
        .with(|model| model.materials = vec![material(Vec::new(), look)].into())
        .build();
    // The same bumps as a normal map on a flat square.
    let side = 256;
    let texel = |at: u32| {
        let x = ((at % side) as f32 + 0.5) / side as f32 * 1.6 - 0.8;
        let [r, g, b] = ((normal(x) * 0.5 + 0.5) * 255.0).to_array();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0..=255")]
        let byte = |value: f32| value.round() as u8;
        [byte(r), byte(g), byte(b), 255]
    };
    let map = png(side, &(0..side * side).map(texel).collect::<Vec<_>>());
    let texture = TextureRef::embedded(TextureRole::Normal, ImageId(0));
    let flat = model(&[UPRIGHT], vec![material(vec![texture], look)], vec![map]);
    let light = Light { environment: EnvironmentKind::Studio, ..LIT };
    let [bumps, flat] = [bumps, flat].map(|model| draw(&model, &lit(light)));
    let (mut sum, mut num, mut range) = (0u32, 0u32, (u32::MAX, 0));
    for step in -70i8..=70 {
        let x = f32::from(step) * 0.01;
        let (a, b) = (at(&bumps, x, 0.1), at(&flat, x, 0.1));
        sum += (0..3).map(|channel| u32::from(a[channel].abs_diff(b[channel]))).sum::<u32>();
        num += 3;
        range = (range.0.min(brightness(a)), range.1.max(brightness(a)));
    }
    assert!(range.1 - range.0 > 60, "bumps are visible: {range:?}");
    assert!(sum < num * 4, "off by {} of 255 in the mean", sum / num);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn tone_mapping_keeps_dark_colours_and_compresses_bright_ones() {
    let seen = |tone_mapping, light: f32| {
        let model = in_even_light(ball(MaterialLook::default()), light);
        linear(at(&draw(&model, &lit(Light { tone_mapping, ..LIT })), 0.0, 0.0)[0])
    };
    assert!(seen(ToneMapping::Off, 3.0) > 0.99);
    let neutral = [0.5, 1.0, 3.0].map(|light| seen(ToneMapping::Neutral, light));
    // Khronos: below the shoulder, 0.04 is subtracted, the reflectance of a dielectric.
    assert!((neutral[0] - 0.46).abs() < 0.01, "{neutral:?}");
    assert!(neutral[0] < neutral[1] && neutral[1] < neutral[2] && neutral[2] < 1.0, "{neutral:?}");
    let agx = [0.18, 1.0, 8.0].map(|light| seen(ToneMapping::Agx, light));
    // Middle grey stays the same.
    assert!((agx[0] - 0.18).abs() < 0.05, "{agx:?}");
    assert!(agx[0] < agx[1] && agx[1] < agx[2] && agx[1] < 0.9, "{agx:?}");
    let stops = |exposure_centistops| {
        let model = in_even_light(ball(MaterialLook::default()), 0.2);
        linear(at(&draw(&model, &lit(Light { exposure_centistops, ..LIT })), 0.0, 0.0)[0])
    };
    assert!((stops(100) - 0.4).abs() < 0.01 && (stops(-100) - 0.1).abs() < 0.01);
}
