//! Real textures: all texture files of the effects, level by level.

use rigscope_core::images::{MAX_SIDE, Surface, Texels, decode, header_within};

use crate::support::{files_below, samples};

/// Mean of each channel, with bytes scaled to 0..=1.
fn means(surface: &Surface) -> [f64; 4] {
    let mut sums = [0.0; 4];
    let mut add = |at: usize, value: f64| sums[at % 4] += value;
    match &surface.texels {
        Texels::Rgba8(bytes) => {
            bytes.iter().enumerate().for_each(|(at, &byte)| add(at, f64::from(byte) / 255.0));
        }
        Texels::Rgba32F(floats) => {
            floats.iter().enumerate().for_each(|(at, &value)| add(at, f64::from(value)));
        }
    }
    let num_texels = f64::from(surface.width) * f64::from(surface.height);
    sums.map(|sum| sum / num_texels)
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn effect_textures_decode_and_their_mip_levels_agree() {
    let is_image = |path: &std::path::PathBuf| path.parent().is_some_and(|p| p.ends_with("images"));
    let files: Vec<_> =
        files_below(&samples().join("effects")).into_iter().filter(is_image).collect();
    let (mut num_levels, mut num_cubes, mut num_floats) = (0, 0, 0);
    for file in &files {
        let name = file.display();
        let bytes = std::fs::read(file).unwrap();
        let header = header_within(&bytes, &file.to_string_lossy(), MAX_SIDE);
        let header = header.unwrap_or_else(|e| panic!("{name}: {e}"));
        let decoded = decode(&bytes, header).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(decoded.levels.len(), header.num_levels as usize, "{name}");
        num_cubes += usize::from(header.num_faces == 6);
        num_floats += usize::from(header.is_float);
        let is_light = file.to_string_lossy().contains("ibl_spec");
        for (level, faces) in (0..).zip(&decoded.levels) {
            assert_eq!(faces.len(), header.num_faces as usize, "{name}");
            for (face, surface) in faces.iter().enumerate() {
                assert_eq!([surface.width, surface.height], header.size_of(level), "{name}");
                num_levels += 1;
                // Levels of prefiltered light blur across more and more of the sphere, beyond one
                // face, and the smallest levels of images with odd sizes cover only a part.
                if is_light || surface.width < 8 {
                    continue;
                }
                let (own, largest) = (means(surface), means(&decoded.levels[0][face]));
                for (own, largest) in own.iter().zip(largest) {
                    // Encoders differ by a few steps.
                    assert!((own - largest).abs() < 0.04, "{name} {level}: {own} {largest}");
                }
            }
        }
    }
    assert_eq!((files.len(), num_cubes, num_floats), (44, 6, 6));
    assert!(num_levels > 150, "{num_levels}");
}

/// Properties that are known from other sources: RGB9_E5 and half floats of skies, and the
/// split-sum table.
#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn effect_light_maps_and_split_sum_tables_have_plausible_values() {
    let read = |path: &str| {
        let bytes = std::fs::read(samples().join("effects").join(path)).unwrap();
        decode(&bytes, header_within(&bytes, path, MAX_SIDE).unwrap()).unwrap()
    };
    for effect in ["CartoonOctopus", "Glasses_Clear", "necklace_02"] {
        let light = read(&format!("{effect}/images/ibl_diff.ktx"));
        for face in &light.levels[0] {
            let [r, g, b, a] = means(face);
            assert!([r, g, b].iter().all(|&light| light > 0.01 && light < 20.0) && a == 1.0);
        }
        let table = read(&format!("{effect}/images/brdf.ktx"));
        let Texels::Rgba8(bytes) = &table.levels[0][0].texels else { panic!() };
        let (texels, _) = bytes.as_chunks::<4>();
        // Smooth surfaces (the first row) reflect all light: scale (green) and bias (red) add up to
        // 1. Viewed head-on it is all scale, at a grazing angle all bias.
        for (x, texel) in texels[..250].iter().enumerate().skip(4) {
            let [bias, scale, ..] = texel.map(u16::from);
            assert!((235..=270).contains(&(bias + scale)), "{x}: {bias} {scale}");
        }
        assert!(texels[250][1] > 245 && texels[250][0] < 8 && texels[0][0] > 235);
    }
}
