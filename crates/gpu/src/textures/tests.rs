//! Images of all formats, including malformed ones.

use glam::Vec2;
use rigscope_core::model::MeshId;

use super::decode::{header, pixels};
use super::mips::chain;
use super::pixels::{ColorSpace, MipLevel};
use super::uv_set::uv_set_of;
use rigscope_core::images::{MAX_IMAGE_BYTES, Refusal};
use rigscope_testing::images::random_numbers;
use rigscope_testing::*;

const DEVICE_SIDE: u32 = 8192;

fn image(name: &str, bytes: Vec<u8>) -> Image {
    Image { name: name.to_owned(), bytes: ByteView::whole(bytes), is_embedded: false }
}

fn decoded(name: &str, bytes: Vec<u8>) -> Result<MipLevel, Refusal> {
    let image = image(name, bytes);
    let mut levels =
        pixels(&image, header(&image, DEVICE_SIDE)?, ColorSpace::Srgb, AlphaMode::Opaque)?;
    Ok(levels.swap_remove(0))
}

/// A BMP of 8-bit palette indices. `rows` are in file order, from the bottom.
fn bmp8(side: [i32; 2], compression: u32, palette: &[[u8; 3]], rows: &[u8]) -> Vec<u8> {
    let num_used = u32::try_from(palette.len() % 256).unwrap();
    let offset = 54 + u32::try_from(palette.len()).unwrap() * 4;
    let mut bytes = b"BM".to_vec();
    for word in [0, 0, offset, 40] {
        bytes.extend(u32::to_le_bytes(word));
    }
    bytes.extend(side.iter().flat_map(|side| side.to_le_bytes()));
    bytes.extend([1, 0, 8, 0]);
    for word in [compression, 0, 2834, 2834, num_used, 0] {
        bytes.extend(u32::to_le_bytes(word));
    }
    for [r, g, b] in palette {
        bytes.extend([*b, *g, *r, 0]);
    }
    bytes.extend(rows);
    // As The Sims writes them.
    bytes.extend([0, 0]);
    bytes
}

const RED: [u8; 3] = [200, 10, 20];
const BLUE: [u8; 3] = [10, 30, 220];

fn texel(pixels: &MipLevel, x: u32, y: u32) -> [u8; 3] {
    let at = ((y * pixels.width + x) * 4) as usize;
    pixels.rgba8[at..at + 3].try_into().unwrap()
}

#[test]
fn bottom_up_palette_bitmaps_are_flipped() {
    let full: Vec<[u8; 3]> = (0..=255)
        .map(|at| match at {
            0 => RED,
            _ => BLUE,
        })
        .collect();
    // The lower row is red. Rows are padded to four bytes.
    let rows = [0, 0, 0, 0, 1, 1, 1, 0];
    for palette in [&[RED, BLUE][..], &full] {
        let image = decoded("a.bmp", bmp8([3, 2], 0, palette, &rows)).unwrap();
        assert_eq!((image.width, image.height), (3, 2));
        assert_eq!(texel(&image, 1, 0), BLUE);
        assert_eq!(texel(&image, 1, 1), RED);
        assert!(image.rgba8.chunks(4).all(|p| p[3] == 255));
    }
}

#[test]
fn run_length_encoded_8_bit_bitmaps_are_decoded() {
    // 4 x red; a literal of 3, padded, and a run of 1; the end.
    let runs = [4, 0, 0, 0, 0, 3, 1, 0, 1, 0, 1, 1, 0, 1];
    let image = decoded("a.bmp", bmp8([4, 2], 1, &[RED, BLUE], &runs)).unwrap();
    assert_eq!([0, 1, 2, 3].map(|x| texel(&image, x, 1)), [RED; 4]);
    let upper = [0, 1, 2, 3].map(|x| texel(&image, x, 0));
    assert_eq!(upper, [BLUE, RED, BLUE, BLUE]);
}

#[test]
fn tga_is_recognised_by_its_file_name() {
    let mut bytes = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
    bytes.extend([BLUE[2], BLUE[1], BLUE[0]]);
    let image = decoded("coat.TGA", bytes.clone()).unwrap();
    assert_eq!(texel(&image, 0, 0), BLUE);
    let refusal = decoded("coat", bytes).unwrap_err();
    assert!(matches!(refusal, Refusal::Unreadable(_)), "{refusal:?}");
}

#[test]
fn content_wins_over_the_name() {
    let bytes = bmp8([3, 1], 0, &[RED], &[0; 4]);
    assert_eq!(texel(&decoded("a.tga", bytes).unwrap(), 0, 0), RED);
}

/// The start of a PNG, up to the end of its header.
fn png_header(width: u32, height: u32, color_type: u8, depth: u8) -> Vec<u8> {
    let mut chunk = b"IHDR".to_vec();
    chunk.extend(width.to_be_bytes());
    chunk.extend(height.to_be_bytes());
    chunk.extend([depth, color_type, 0, 0, 0]);
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    let crc = crc32(&chunk);
    bytes.extend(chunk);
    bytes.extend(crc.to_be_bytes());
    bytes.extend(b"\0\0\x10\0IDAT");
    bytes
}

/// The CRC of PNG (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            let shifted = crc >> 1;
            if crc & 1 == 1 { shifted ^ 0xedb8_8320 } else { shifted }
        })
    })
}

#[test]
fn oversized_images_are_refused_by_their_header_before_decoding() {
    let wide = image("a.png", png_header(60_000, 10, 6, 8));
    let refusal = header(&wide, DEVICE_SIDE).unwrap_err();
    assert!(
        matches!(&refusal, Refusal::TooLarge(text) if text.contains("60000x10") && text.contains("8192")),
        "{refusal:?}"
    );
    let fits = image("a.png", png_header(8192, 8192, 6, 8));
    assert_eq!(header(&fits, DEVICE_SIDE).map(|h| h.num_bytes), Ok(MAX_IMAGE_BYTES));
    // 16 bits per channel. The larger limit of the device doesn't matter.
    for (side, depth) in [(8192, 16), (16_000, 8)] {
        let deep = image("a.png", png_header(side, side, 6, depth));
        let refusal = header(&deep, 32_768).unwrap_err();
        assert!(matches!(refusal, Refusal::TooLarge(_)), "{refusal:?}");
    }
    let past = image("a.png", png_header(16_385, 1, 6, 8));
    assert!(matches!(header(&past, 32_768), Err(Refusal::TooLarge(_))));
}

fn encoded(format: image::ImageFormat) -> Vec<u8> {
    let picture = image::RgbImage::from_fn(13, 9, |x, y| {
        let channel = |value: u32| u8::try_from(value % 256).unwrap();
        image::Rgb([channel(x * 19), channel(y * 28), channel(x * y)])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A DDS of DXT1 blocks.
fn dds() -> Vec<u8> {
    let mut bytes = b"DDS ".to_vec();
    let mut words = [0u32; 31];
    (words[0], words[1], words[2], words[3]) = (124, 0x1007, 8, 8);
    (words[18], words[19], words[20]) = (32, 4, u32::from_le_bytes(*b"DXT1"));
    words[26] = 0x1000;
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend([0xff; 32]);
    bytes
}

#[test]
fn truncated_corrupted_and_random_images_never_panic() {
    use image::ImageFormat::{Bmp, Jpeg, Png, Tga};
    let runs = [4, 0, 0, 0, 0, 3, 1, 0, 1, 0, 1, 1, 0, 1];
    let whole = [
        ("a.png", encoded(Png)),
        ("a.jpg", encoded(Jpeg)),
        ("a.bmp", encoded(Bmp)),
        ("b.bmp", bmp8([4, 2], 1, &[RED, BLUE], &runs)),
        ("a.tga", encoded(Tga)),
        ("a.dds", dds()),
    ];
    let mut random = random_numbers();
    for (name, bytes) in whole {
        decoded(name, bytes.clone()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        for end in 0..bytes.len() {
            let _ = decoded(name, bytes[..end].to_vec());
        }
        for _ in 0..600 {
            let mut changed = bytes.clone();
            for _ in 0..=random() % 6 {
                // Mostly in the header.
                let reach = if random().is_multiple_of(4) { changed.len() } else { 64 };
                let at = usize::try_from(random() >> 33).unwrap() % reach.min(changed.len());
                changed[at] = random().to_le_bytes()[0];
            }
            let _ = decoded(name, changed);
        }
        for _ in 0..100 {
            let mut noise = bytes[..8.min(bytes.len())].to_vec();
            noise.extend((0..200).map(|_| random().to_le_bytes()[0]));
            let _ = decoded(name, noise);
        }
    }
}

#[test]
fn mip_levels_average_linear_light_down_to_one_texel() {
    let largest = MipLevel {
        width: 3,
        height: 2,
        rgba8: [[255, 0, 40, 255], [0, 0, 40, 255], [255, 0, 40, 0]].repeat(2).concat(),
    };
    let levels = chain(largest.clone(), ColorSpace::Srgb, AlphaMode::Opaque);
    assert_eq!(levels.len(), 2);
    // Two thirds of the light.
    assert_eq!(levels[1].rgba8, [213, 0, 40, 170]);
    let levels = chain(largest, ColorSpace::Linear, AlphaMode::Opaque);
    assert_eq!(levels[1].rgba8, [170, 0, 40, 170]);
    let even = MipLevel { width: 37, height: 5, rgba8: [1, 77, 254, 3].repeat(37 * 5) };
    let levels = chain(even, ColorSpace::Srgb, AlphaMode::Blend);
    let sizes: Vec<_> = levels.iter().map(|l| (l.width, l.height)).collect();
    assert_eq!(sizes, [(37, 5), (18, 2), (9, 1), (4, 1), (2, 1), (1, 1)]);
    for level in levels {
        assert!(level.rgba8.chunks(4).all(|p| p == [1, 77, 254, 3]));
    }
}

/// A red disc on invisible green.
fn leaf() -> MipLevel {
    let texel = |at: i32| {
        let (x, y) = (at % 64 - 32, at / 64 - 32);
        if x * x + y * y < 400 { [200, 0, 0, 255] } else { [0, 255, 0, 0] }
    };
    MipLevel { width: 64, height: 64, rgba8: (0..64 * 64).flat_map(texel).collect() }
}

#[test]
fn invisible_colours_do_not_bleed_into_mip_levels() {
    for alpha in [AlphaMode::Mask(0.5), AlphaMode::Blend] {
        for level in chain(leaf(), ColorSpace::Srgb, alpha) {
            let (texels, _) = level.rgba8.as_chunks::<4>();
            assert!(texels.iter().all(|texel| texel[0] > 190 && texel[1] == 0), "{}", level.width);
        }
    }
    // Without a role, alpha doesn't affect colours.
    let whole = chain(leaf(), ColorSpace::Srgb, AlphaMode::Opaque);
    assert_eq!(whole[0], leaf());
    assert!(whole[6].rgba8[1] > 190);
}

#[test]
fn mip_levels_preserve_alpha_coverage() {
    // A third of the texels are dots; all means are below the cutoff.
    let texel = |at: u32| match at.wrapping_mul(2_654_435_761) >> 16 {
        hash if hash % 3 == 0 => [9, 9, 9, 255],
        _ => [9, 9, 9, 0],
    };
    let dots = MipLevel { width: 64, height: 64, rgba8: (0..64 * 64).flat_map(texel).collect() };
    let share = |level: &MipLevel| {
        let (texels, _) = level.rgba8.as_chunks::<4>();
        texels.iter().filter(|texel| texel[3] >= 128).count() as f32 / texels.len() as f32
    };
    let levels = chain(dots.clone(), ColorSpace::Srgb, AlphaMode::Mask(0.5));
    for level in &levels[..4] {
        assert!((share(level) - 1.0 / 3.0).abs() < 0.12, "{} {}", level.width, share(level));
    }
    // Blended images keep their mean alpha.
    let blended = chain(dots, ColorSpace::Srgb, AlphaMode::Blend);
    assert!(blended[6].rgba8[3].abs_diff(85) < 6, "{:?}", blended[6]);
}

#[test]
fn a_mesh_uses_the_uv_set_that_its_textures_agree_on() {
    let model_with = |sets: &[u8]| {
        let texture = |&uv_set: &u8| TextureRef {
            uv_set,
            ..TextureRef::embedded(TextureRole::BaseColor, ImageId(0))
        };
        let material = |set: &u8| Material { textures: vec![texture(set)], ..Material::default() };
        let materials = (0u32..).take(sets.len());
        let subsets: Vec<_> = materials.map(|material| (0, Some(material))).collect();
        let empty = ModelBuilder::new().mesh([]).subsets(&subsets);
        let model = empty.uvs([Vec2::ZERO]).uvs([Vec2::ZERO]).uvs([Vec2::ZERO]).build();
        Model { materials: sets.iter().map(material).collect(), ..model }
    };
    let chosen = |sets: &[u8]| {
        let model = model_with(sets);
        uv_set_of(&model, &model.meshes[MeshId(0)])
    };
    assert_eq!(chosen(&[]), (0, false));
    assert_eq!(chosen(&[1, 1]), (1, false));
    assert_eq!(chosen(&[1, 0]), (0, true));
    assert_eq!(chosen(&[7]), (0, false), "there is no such UV set");
}
