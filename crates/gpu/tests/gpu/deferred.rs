//! Deferred shading gives the same image as forward shading.

use glam::{Affine2, Vec2, Vec3, Vec4};
use rigscope_core::camera::Projection;
use rigscope_core::visual::{Coloring, EnvironmentKind, Light, Shading, ToneMapping};
use rigscope_gpu::headless::{self, Image as Picture};
use rigscope_gpu::{FrameInput, FrameStats, Msaa, Show, Target};

use super::squares::{TEXTURED, base, material, png, view};
use super::uploaded;
use rigscope_testing::*;

/// A ball of many triangles, with different materials on the left and right half but the same textures.
fn ball(tangent: Option<Vec4>, right: MaterialLook) -> Model {
    let (num_rings, num_sides) = (96u32, 192u32);
    let (mut normals, mut uvs) = (Vec::new(), Vec::new());
    for ring in 0..=num_rings {
        let down = ring as f32 / num_rings as f32;
        let (sine, cosine) = (std::f32::consts::PI * down).sin_cos();
        for side in 0..=num_sides {
            let share = side as f32 / num_sides as f32;
            let around = Vec2::from_angle(std::f32::consts::TAU * share);
            normals.push(Vec3::new(around.y * sine, cosine, around.x * sine));
            uvs.push(Vec2::new(share * 3.0, down * 2.0));
        }
    }
    let mut halves = [Vec::new(), Vec::new()];
    for ring in 0..num_rings {
        for side in 0..num_sides {
            let first = ring * (num_sides + 1) + side;
            let below = first + num_sides + 1;
            let half = &mut halves[usize::from(side < num_sides / 2)];
            half.extend([first, below, first + 1, first + 1, below, below + 1]);
        }
    }
    let num = u32::try_from(halves[0].len()).unwrap();
    let texel = |at: u32| {
        let [x, y] = [at % 64, at / 64].map(|side| u8::try_from(side).unwrap() * 4);
        [x ^ y, 255 - y, x, 255]
    };
    let bumps = |at: u32| [128 + u8::try_from(at % 16 * 3).unwrap(), 110, 230, 255];
    let images = [texel, bumps].map(|of| png(64, &(0..64 * 64).map(of).collect::<Vec<_>>()));
    let rotated = Affine2::from_angle(0.7);
    let textures = vec![
        TextureRef { texture_from_uv: Some(Box::new(rotated)), ..base() },
        TextureRef::embedded(TextureRole::Normal, ImageId(1)),
        TextureRef::embedded(TextureRole::MetallicRoughness, ImageId(0)),
        TextureRef::embedded(TextureRole::Occlusion, ImageId(0)),
        TextureRef::embedded(TextureRole::Emissive, ImageId(1)),
    ];
    let left = MaterialLook {
        metallic: 1.0,
        roughness: 0.8,
        emissive: Vec3::splat(0.1),
        clearcoat: 0.5,
        ..MaterialLook::default()
    };
    let materials = vec![material(textures.clone(), left), material(textures, right)];
    let mut ball = ModelBuilder::new()
        .mesh(normals.iter().map(|normal| *normal * 0.9).collect::<Vec<_>>())
        .indices(halves.concat())
        .subsets(&[(num, Some(0)), (num, Some(1))])
        .normals(normals)
        .uvs(uvs);
    if let Some(tangent) = tangent {
        ball = ball.tangent(tangent);
    }
    ball.with(|model| {
        model.materials = materials.into();
        model.images = images.into_iter().collect();
    })
    .build()
}

const SIZE_PX: [u32; 2] = [200, 150];

fn draw(model: &Model, input: &FrameInput<'_>, is_software: bool) -> (Picture, FrameStats) {
    let (gpu, renderer, mut scene) = uploaded(model);
    let mut gpu = gpu.clone();
    gpu.caps.is_software = is_software;
    let target = Target::new(&gpu, SIZE_PX, Msaa::Off);
    let stats = renderer.render(&gpu, &mut scene, &target, input);
    let image = headless::read_target(&gpu, &target, input.background).unwrap();
    assert!(gpu.errors().messages().is_empty(), "{:?}", gpu.errors());
    (image, stats)
}

fn lit(light: Light) -> FrameInput<'static> {
    FrameInput { show: Show { light, ..TEXTURED }, ..view() }
}

/// Draws `model` both ways. The images must be equal up to rounding, with `num_more` draws for deferred
/// lighting.
#[track_caller]
fn assert_same(model: &Model, input: &FrameInput<'_>, num_more: u32) {
    let (at_once, forward) = draw(model, input, false);
    let (afterwards, deferred) = draw(model, input, true);
    assert_eq!(deferred.draws, forward.draws + num_more);
    assert_eq!(deferred.triangles, forward.triangles);
    let different = at_once.rgba8.iter().zip(&afterwards.rgba8).map(|(a, b)| a.abs_diff(*b));
    let (mut most, mut num, mut seen) = (0, 0, 0);
    for step in different {
        most = most.max(step);
        num += usize::from(step > 1);
        seen += 1;
    }
    // At grazing pixels of the rim, drivers choose another mip level from explicit derivatives than from
    // their own.
    assert!(most <= 48 && num * 1000 < seen, "{num} of {seen} differ, at most by {most}");
    let covered = at_once.rgba8.chunks_exact(4).filter(|pixel| pixel[3] > 0).count();
    assert!(covered * 4 > at_once.rgba8.len() / 4, "little is visible: {covered}");
}

const STUDIO: Light =
    Light { shading: Shading::Physical, environment: EnvironmentKind::Studio, ..Light::USUAL };

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn deferred_shading_equals_forward_shading() {
    let chalk = MaterialLook { roughness: 0.4, normal_scale: 2.0, ..MaterialLook::default() };
    for tangent in [None, Some(Vec4::new(1.0, 0.0, 0.0, -1.0))] {
        let model = ball(tangent, chalk);
        for shading in [Shading::Physical, Shading::Sdk] {
            for tone_mapping in [ToneMapping::Off, ToneMapping::Agx] {
                assert_same(&model, &lit(Light { shading, tone_mapping, ..STUDIO }), 2);
            }
        }
        let mut from_aside = lit(STUDIO);
        from_aside.camera.projection = Projection::Orthographic;
        from_aside.camera.yaw_rad += 0.8;
        assert_same(&model, &from_aside, 2);
        let flat = FrameInput { show: Show { flat: true, ..lit(STUDIO).show }, ..lit(STUDIO) };
        assert_same(&model, &flat, 2);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn components_are_the_same_with_deferred_shading() {
    let model = ball(None, MaterialLook::default());
    for coloring in [Coloring::MaterialNormals, Coloring::BaseColor, Coloring::SpecularLight] {
        let show = Show { coloring: Some(coloring), ..lit(STUDIO).show };
        assert_same(&model, &FrameInput { show, ..lit(STUDIO) }, 2);
    }
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn cut_out_materials_use_forward_shading_among_deferred_ones() {
    let cut = MaterialLook { alpha: AlphaMode::Mask(0.5), ..MaterialLook::default() };
    assert_same(&ball(None, cut), &lit(STUDIO), 1);
    let blended = MaterialLook { alpha: AlphaMode::Blend, ..MaterialLook::default() };
    assert_same(&ball(None, blended), &lit(STUDIO), 1);
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn deferred_shading_works_in_part_of_an_image() {
    let model = ball(None, MaterialLook::default());
    let mut input = lit(STUDIO);
    input.layer.view = [0.25, 1.0];
    input.layer.window = [0.3, 0.9];
    assert_same(&model, &input, 2);
}
