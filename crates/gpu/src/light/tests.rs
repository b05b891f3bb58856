//! Compares the cubes and the table with sums over all directions.

use glam::{Vec2, Vec3};
use half::f16;

use super::cubes::{
    BuiltIn, CubeMaker, EnvironmentInput, IRRADIANCE_SIZE, NUM_LEVELS, SIZE, cube, whole_cube,
};
use super::*;
use crate::pending::{Pending, staging};
use crate::same_layout::same_layout;
use crate::shaders::ENVIRONMENT;

#[test]
fn the_struct_has_the_layout_of_the_shader() {
    same_layout!(
        ENVIRONMENT,
        EnvironmentInput { size, kind, roughness, num_samples, source_size, has_seams }
    );
}

/// The texels of one face of a level.
fn read(gpu: &Gpu, texture: &wgpu::Texture, level: u32, face: u32) -> Vec<Vec3> {
    let (width, height) = ((texture.width() >> level).max(1), (texture.height() >> level).max(1));
    let row_bytes = (width * 8).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let back = staging(gpu, u64::from(row_bytes * height)).unwrap();
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level: level,
            origin: wgpu::Origin3d { x: 0, y: 0, z: face },
            aspect: wgpu::TextureAspect::All,
        },
        wgpu::TexelCopyBufferInfo {
            buffer: &back,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(row_bytes),
                rows_per_image: None,
            },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    let mut texels = Vec::new();
    let mut take = |bytes: &[u8]| {
        for row in bytes.chunks(row_bytes as usize) {
            let (row, _) = row[..(width * 8) as usize].as_chunks::<8>();
            texels.extend(row.iter().map(|texel| {
                let number = |at| f16::from_le_bytes([texel[at], texel[at + 1]]).to_f32();
                Vec3::new(number(0), number(2), number(4))
            }));
        }
    };
    pollster::block_on(Pending::submit(gpu, encoder, back).read(&mut take)).unwrap();
    texels
}

/// The directions of a cube's faces, as in `shaders/environment.wgsl`.
fn through(face: usize, place: Vec2) -> Vec3 {
    let Vec2 { x, y } = place;
    [
        Vec3::new(1.0, -y, -x),
        Vec3::new(-1.0, -y, x),
        Vec3::new(x, 1.0, y),
        Vec3::new(x, -1.0, -y),
        Vec3::new(x, -y, 1.0),
        Vec3::new(-x, -y, -1.0),
    ][face]
}

fn place(at: usize, size: u32) -> Vec2 {
    let size = size as usize;
    (Vec2::new((at % size) as f32, (at / size) as f32) + 0.5) * 2.0 / size as f32 - 1.0
}

/// Radiance from all directions: direction, solid angle, radiance.
fn all_light(gpu: &Gpu, base: &wgpu::Texture) -> Vec<(Vec3, f32, Vec3)> {
    let mut all = Vec::new();
    for face in 0..6 {
        for (at, light) in read(gpu, base, 0, face).into_iter().enumerate() {
            let toward = through(face as usize, place(at, SIZE));
            let squared = toward.length_squared();
            let solid_angle = 4.0 / (SIZE * SIZE) as f32 / (squared * squared.sqrt());
            all.push((toward.normalize_or_zero(), solid_angle, light));
        }
    }
    all
}

/// Errors are relative to `wanted`, or to `least` if that is larger.
fn assert_near(found: Vec3, wanted: Vec3, least: f32, tolerance: f32, what: &str) {
    let error = ((found - wanted) / wanted.max(Vec3::splat(least))).abs().max_element();
    assert!(error < tolerance, "{what}: {found} is not {wanted}");
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn irradiance_and_prefiltered_cubes_match_numerical_integrals() {
    assert_cubes_are_sums(&Gpu::headless().unwrap());
}

/// Covers adapters that don't filter across cube edges.
#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn cube_maps_are_correct_without_filtering_across_edges() {
    let mut gpu = Gpu::headless().unwrap();
    gpu.caps.has_cube_seams = true;
    assert_cubes_are_sums(&gpu);
}

fn assert_cubes_are_sums(gpu: &Gpu) {
    let maker = CubeMaker::new(gpu);
    for kind in [BuiltIn::Studio, BuiltIn::Sunset, BuiltIn::Neutral] {
        let base = maker.base(gpu, kind);
        let light = all_light(gpu, &base);
        let whole: f32 = light.iter().map(|(_, solid_angle, _)| solid_angle).sum();
        assert!((whole - 4.0 * std::f32::consts::PI).abs() < 0.01, "{whole}");
        let mean = light.iter().map(|(_, solid_angle, light)| *light * *solid_angle).sum::<Vec3>();
        let mean = mean.element_sum() / 3.0 / whole;
        let cubes = maker.make(gpu, kind);
        for face in 0..6 {
            let matt = read(gpu, cubes.irradiance.texture(), 0, face);
            for at in [0, 37, 136, 255] {
                let normal = through(face as usize, place(at, IRRADIANCE_SIZE)).normalize_or_zero();
                let falls = light.iter().map(|(toward, solid_angle, light)| {
                    *light * (toward.dot(normal).max(0.0) * solid_angle)
                });
                let sum = falls.sum::<Vec3>() / std::f32::consts::PI;
                assert_near(matt[at], sum, 0.05, 0.02, &format!("{kind:?} matt {face} {at}"));
            }
            for level in 1..NUM_LEVELS {
                let rough = read(gpu, cubes.prefiltered.texture(), level, face);
                let roughness = level as f32 / (NUM_LEVELS - 1) as f32;
                for at in [0, rough.len() / 2 + rough.len().isqrt() / 2] {
                    let normal =
                        through(face as usize, place(at, SIZE >> level)).normalize_or_zero();
                    let seen = prefiltered(&light, normal, roughness);
                    let what = format!("{kind:?} roughness {roughness} {face} {at}");
                    // Few samples hit a small bright sun.
                    let tolerance = if kind == BuiltIn::Sunset { 0.25 } else { 0.06 };
                    assert_near(rough[at], seen, mean, tolerance, &what);
                }
            }
        }
    }
}

/// The radiance that a surface reflects along its normal, over all directions: weighted by the GGX
/// distribution of its facets and by the cosine.
fn prefiltered(light: &[(Vec3, f32, Vec3)], normal: Vec3, roughness: f32) -> Vec3 {
    let a2 = roughness.powi(4);
    let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
    for &(toward, solid_angle, light) in light {
        let cosine = toward.dot(normal);
        if cosine <= 0.0 {
            continue;
        }
        let facet = (toward + normal).normalize_or_zero().dot(normal);
        let narrow = facet * facet * (a2 - 1.0) + 1.0;
        let weight = a2 / (narrow * narrow) * cosine * solid_angle;
        sum += light * weight;
        weights += weight;
    }
    sum / weights
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn the_split_sum_table_matches_numerical_integrals() {
    let gpu = Gpu::headless().unwrap();
    let table = CubeMaker::new(&gpu).split_sum(&gpu);
    let texels = read(&gpu, table.texture(), 0, 0);
    let side = texels.len().isqrt();
    for row in [6, 16, 31, 48, 63] {
        for column in [2, 8, 20, 40, 63] {
            let facing = (column as f64 + 0.5) / side as f64;
            let roughness = (row as f64 + 0.5) / side as f64;
            let [scale, bias, fibres] = integral(facing, roughness);
            let found = texels[row * side + column].as_dvec3();
            let what = format!("facing {facing} roughness {roughness}: {found}");
            let energy = scale + bias;
            assert!((found.x + found.y - energy).abs() < 0.02 * energy, "{what}, not {energy}");
            assert!((found.x - scale).abs() < 0.02, "{what}, scale {scale}");
            assert!((found.y - bias).abs() < 0.02, "{what}, bias {bias}");
            // The sheen table is accurate for fibres that are smooth enough to be visible.
            assert!((found.z - fibres).abs() < 0.06 * fibres.max(0.2), "{what}, fibres {fibres}");
        }
    }
}

/// Scale, bias and sheen by numerical integration over the hemisphere.
fn integral(facing: f64, roughness: f64) -> [f64; 3] {
    use std::f64::consts::PI;
    let alpha = roughness * roughness;
    let a2 = alpha * alpha;
    let eye = glam::DVec3::new((1.0 - facing * facing).sqrt(), 0.0, facing);
    // Finer where facets reflect towards the eye.
    let (num_cosines, num_angles) = (1200, 600);
    let [mut scale, mut bias, mut fibres] = [0.0; 3];
    for at in 0..num_cosines {
        // The facet's cosine; for sheen, the light's.
        let cosine = (f64::from(at) + 0.5) / f64::from(num_cosines);
        // Dense near 1, where the facets of smooth surfaces are.
        let facet_cosine = 1.0 - (1.0 - cosine).powi(3);
        let facet_step = 3.0 * (1.0 - cosine).powi(2) / f64::from(num_cosines);
        for around in 0..num_angles {
            let angle = (f64::from(around) + 0.5) / f64::from(num_angles) * 2.0 * PI;
            let turn = glam::DVec2::from_angle(angle);
            let step = 2.0 * PI / f64::from(num_angles);
            let sine = (1.0 - facet_cosine * facet_cosine).sqrt();
            let facet = (turn * sine).extend(facet_cosine);
            let seen = facet.dot(eye);
            let out = 2.0 * seen * facet.z - eye.z;
            if seen > 0.0 && out > 0.0 {
                let narrow = facet.z * facet.z * (a2 - 1.0) + 1.0;
                let density = a2 / (PI * narrow * narrow);
                let smith = |cosine: f64| (cosine * cosine * (1.0 - a2) + a2).sqrt();
                let visible = 0.5 / (out * smith(facing) + facing * smith(out));
                // Light directions are four times as dense as facets, divided by the cosine.
                let solid_angle = facet_step * step * 4.0 * seen;
                let mirrored = density * visible * out * solid_angle;
                let grazing = (1.0 - seen).powi(5);
                scale += mirrored * (1.0 - grazing);
                bias += mirrored * grazing;
            }
            let toward = (turn * (1.0 - cosine * cosine).sqrt()).extend(cosine);
            let half_way = (toward + eye).normalize_or_zero();
            let sine = (1.0 - half_way.z * half_way.z).max(0.0).sqrt();
            let sharpness = 1.0 / alpha;
            let density = (2.0 + sharpness) * sine.powf(sharpness) / (2.0 * PI);
            let visible = 1.0 / (4.0 * (cosine + facing - cosine * facing));
            fibres += density * visible * cosine * step / f64::from(num_cosines);
        }
    }
    [scale, bias, fibres.min(1.0)]
}

#[test]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn uniform_light_is_preserved_at_every_roughness() {
    let gpu = Gpu::headless().unwrap();
    let maker = CubeMaker::new(&gpu);
    let base = cube(&gpu, "even", SIZE, SIZE.ilog2() + 1);
    let light = [0.25f32, 1.0, 4.0, 1.0].map(|number| f16::from_f32(number).to_le_bytes());
    for level in 0..base.mip_level_count() {
        let side = SIZE >> level;
        let bytes = light.as_flattened().repeat((side * side * 6) as usize);
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &base,
                mip_level: level,
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            &bytes,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(side * 8),
                rows_per_image: Some(side),
            },
            wgpu::Extent3d { width: side, height: side, depth_or_array_layers: 6 },
        );
    }
    let cubes = maker.filtered(&gpu, &base, SIZE);
    assert_eq!(whole_cube(&base).texture().width(), SIZE);
    let wanted = Vec3::new(0.25, 1.0, 4.0);
    for face in 0..6 {
        for level in 0..NUM_LEVELS {
            for texel in read(&gpu, cubes.prefiltered.texture(), level, face) {
                assert_near(texel, wanted, 0.05, 0.002, &format!("level {level} face {face}"));
            }
        }
        for texel in read(&gpu, cubes.irradiance.texture(), 0, face) {
            assert_near(texel, wanted, 0.05, 0.002, &format!("matt, face {face}"));
        }
    }
}
