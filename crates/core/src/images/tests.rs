//! Tests of all containers and formats, including malformed ones.

use super::testing::{Ktx1, ktx2, random_numbers};
use super::*;

pub(super) fn decoded(bytes: &[u8], name: &str) -> Result<Decoded, Refusal> {
    decode(bytes, header_within(bytes, name, MAX_SIDE)?)
}

pub(super) fn bytes_of(surface: &Surface) -> &[u8] {
    match &surface.texels {
        Texels::Rgba8(bytes) => bytes,
        Texels::Rgba32F(_) => panic!("floats"),
    }
}

fn floats_of(surface: &Surface) -> &[f32] {
    match &surface.texels {
        Texels::Rgba32F(floats) => floats,
        Texels::Rgba8(_) => panic!("bytes"),
    }
}

#[test]
fn rows_are_in_enum_order_and_format_numbers_are_unique() {
    for (at, row) in TEXEL_FORMATS.iter().enumerate() {
        assert_eq!(row.format as usize, at, "{}", row.name);
        assert_eq!(row.format.info().name, row.name);
        let others = TEXEL_FORMATS.iter().filter(|other| other.name == row.name);
        assert_eq!(others.count(), 1);
    }
    // All Vulkan block formats from BC1 to ASTC 12x12 are known, except the signed ones of one and
    // two channels.
    for number in (131..=184).filter(|number| ![140, 142, 154, 156].contains(number)) {
        let (format, is_srgb) = TexelFormat::of_vk(number).unwrap_or_else(|| panic!("{number}"));
        assert!(format.is_compressed(), "{number}");
        assert!(!is_srgb || TexelFormat::of_vk(number - 1) == Some((format, false)), "{number}");
    }
    assert_eq!(TexelFormat::of_vk(157), Some((TexelFormat::Astc4x4, false)));
}

/// Blocks whose texels follow from the specification; checks the first row of the first block.
#[test]
fn blocks_decode_as_specified() {
    // Red and blue, then at one third and two thirds between them; each row has indices 0, 1, 2, 3.
    let bc1 = [0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4];
    let ramp: &[[u8; 4]] =
        &[[255, 0, 0, 255], [0, 0, 255, 255], [170, 0, 85, 255], [85, 0, 170, 255]];
    let opaque = [0xff; 8];
    let bc2 = [&opaque[..], &bc1].concat();
    // Alpha 200 and 100, index 0 everywhere.
    let bc3 = [&[200, 100, 0, 0, 0, 0, 0, 0][..], &bc1].concat();
    let at_200: Vec<[u8; 4]> = ramp.iter().map(|&[r, g, b, _]| [r, g, b, 200]).collect();
    let bc4 = [200, 100, 0, 0, 0, 0, 0, 0];
    let bc5 = [bc4, [40, 20, 0, 0, 0, 0, 0, 0]].concat();
    // Void extent (ASTC, 23.20): a single colour with 16 bits per channel.
    let astc = [0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 255, 255, 0, 0, 128, 128, 255, 255];
    // ETC1, individual mode: two halves with one base each (8 and 15 of 15), table 0, offset +2.
    let etc1 = [0x88, 0x88, 0x88, 0x00, 0, 0, 0, 0];
    // EAC: base 100, multiplier 0 is 1/8 of a step in R11.
    let eac = [100, 0, 0, 0, 0, 0, 0, 0];
    let eac_2 = [eac, [200, 0, 0, 0, 0, 0, 0, 0]].concat();
    let etc2_rgba = [[77, 0x10, 0, 0, 0, 0, 0, 0], etc1].concat();
    let solid = |texel: [u8; 4]| vec![texel; 4];
    type Case<'a> = (u32, &'a [u8], Vec<[u8; 4]>);
    let cases: [Case<'_>; 12] = [
        (0x83f0, &bc1, ramp.to_vec()),
        (0x83f1, &bc1, ramp.to_vec()),
        (0x83f2, &bc2, ramp.to_vec()),
        (0x83f3, &bc3, at_200),
        (0x8dbb, &bc4, solid([200, 0, 0, 255])),
        (0x8dbd, &bc5, solid([200, 40, 0, 255])),
        (0x93b0, &astc, solid([255, 0, 128, 255])),
        (0x8d64, &etc1, solid([138, 138, 138, 255])),
        (0x9274, &etc1, solid([138, 138, 138, 255])),
        (0x9278, &etc2_rgba, solid([138, 138, 138, 74])),
        (0x9270, &eac, solid([100, 0, 0, 255])),
        (0x9272, &eac_2, solid([100, 200, 0, 255])),
    ];
    for (number, block, wanted) in cases {
        let file = Ktx1::compressed(number, [4, 4], block);
        let decoded = decoded(&file, "a.ktx").unwrap();
        let (texels, _) = bytes_of(&decoded.levels[0][0]).as_chunks::<4>();
        for (found, wanted) in texels.iter().zip(wanted) {
            let off = found.iter().zip(wanted).map(|(a, b)| a.abs_diff(b)).max();
            assert!(off <= Some(1), "{number:#x}: {found:?}, not {wanted:?}");
        }
    }
}

#[test]
fn ktx_1_rows_are_padded_and_foreign_byte_order_is_swapped() {
    // 3 texels of 3 bytes take 12 bytes per row.
    let rows = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0, 0, 0];
    let file = Ktx1 {
        gl_type: 0x1401,
        type_size: 1,
        gl_format: 0x1907,
        gl_internal: 0x8c41,
        size: [3, 2],
        levels: vec![vec![&rows], vec![&[20, 21, 22]]],
        orientation: Some("S=r,T=u"),
    };
    let decoded_file = decoded(&file.bytes(), "x").unwrap();
    let header = decoded_file.header;
    assert_eq!((header.num_levels, header.is_srgb), (2, Some(true)));
    assert_eq!(bytes_of(&decoded_file.levels[0][0])[12..16], [11, 12, 13, 255]);
    assert_eq!(bytes_of(&decoded_file.levels[1][0]), [20, 21, 22, 255]);

    let halves: Vec<u8> = [1.0f32, -2.0, 0.5, 0.25]
        .iter()
        .flat_map(|&v| half::f16::from_f32(v).to_le_bytes())
        .collect();
    let file = Ktx1 {
        gl_type: 0x140b,
        type_size: 2,
        gl_format: 0x1908,
        gl_internal: 0x881a,
        size: [1, 1],
        levels: vec![vec![&halves; 6]],
        orientation: None,
    };
    let mut bytes = file.bytes();
    let little = decoded(&bytes, "x").unwrap();
    assert_eq!(little.levels[0].len(), 6);
    assert!(little.header.is_float);
    assert_eq!(floats_of(&little.levels[0][5]), [1.0, -2.0, 0.5, 0.25]);
    bytes[12..64].as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
    bytes[64..68].reverse();
    bytes[68..].as_chunks_mut::<2>().0.iter_mut().for_each(|half| half.reverse());
    let big = decoded(&bytes, "x").unwrap();
    assert_eq!(big.levels, little.levels);
}

#[test]
fn ktx_2_is_read_plain_and_supercompressed() {
    let faces: Vec<u8> = (0..6 * 4 * 4).collect();
    let plain = ktx2(43, [2, 2], 6, 0, &[(faces.clone(), 0), (faces[..24].to_vec(), 0)]);
    let plain = decoded(&plain, "a.ktx2").unwrap();
    assert_eq!(plain.header.is_srgb, Some(true));
    assert_eq!(plain.levels.iter().map(Vec::len).collect::<Vec<_>>(), [6, 6]);
    assert_eq!(bytes_of(&plain.levels[0][1]), &faces[16..32]);
    assert_eq!(bytes_of(&plain.levels[1][5]), &faces[20..24]);

    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = ruzstd::encoding::compress_to_vec(&*faces, level);
    let file = ktx2(37, [2, 2], 6, 2, &[(packed, faces.len() as u64)]);
    let unpacked = decoded(&file, "a.ktx2").unwrap();
    assert_eq!(unpacked.levels[0], plain.levels[0]);
    assert_eq!(unpacked.header.is_srgb, Some(false));
    // The data is shorter than the stated size.
    let short = ruzstd::encoding::compress_to_vec(&faces[..40], level);
    let file = ktx2(37, [2, 2], 6, 2, &[(short, 96)]);
    assert!(matches!(decoded(&file, "a.ktx2"), Err(Refusal::Unreadable(_))));

    let zlib = ktx2(37, [2, 2], 1, 3, &[(vec![0; 16], 16)]);
    let why = header_within(&zlib, "a.ktx2", MAX_SIDE).unwrap_err().to_string();
    assert!(why.contains("compressed with ZLIB, which isn't supported"), "{why}");
}

#[test]
fn dds_levels_faces_and_formats_are_read_from_both_headers() {
    use dds::header::Header;
    let head = |header: &Header| {
        let mut out = Vec::new();
        header.write(&mut out).unwrap();
        out
    };
    let block = [0x00, 0xf8, 0x1f, 0x00, 0xe4, 0xe4, 0xe4, 0xe4];
    let header = Header::new_image(8, 4, dds::Format::BC1_UNORM).with_mipmap_count(2);
    let file = [head(&header), block.repeat(3)].concat();
    let found = decoded(&file, "a.dds").unwrap();
    assert_eq!(found.header.num_levels, 2);
    assert_eq!(bytes_of(&found.levels[1][0])[..8], [255, 0, 0, 255, 0, 0, 255, 255]);
    assert!(decoded(&file[..file.len() - 1], "a.dds").is_err());

    let header = Header::new_cube_map(4, 4, dds::Format::BC6H_UF16);
    let file = [head(&header), vec![0; 6 * 16]].concat();
    let cube = decoded(&file, "a.dds").unwrap();
    assert_eq!((cube.levels[0].len(), cube.header.is_float), (6, true));
    let volume = Header::new_volume(4, 4, 4, dds::Format::BC7_UNORM);
    let why = decoded(&[head(&volume), vec![0; 64]].concat(), "a.dds").unwrap_err();
    assert!(why.to_string().contains("volume"), "{why}");
}

#[test]
fn too_large_images_are_rejected_by_their_header() {
    for size in [[60_000, 4], [16_384, 16_384]] {
        let file = Ktx1 {
            gl_type: 0x1406,
            type_size: 4,
            gl_format: 0x1908,
            gl_internal: 0x8814,
            size,
            levels: vec![vec![&[]]],
            orientation: None,
        };
        let refused = header_within(&file.bytes(), "a.ktx", MAX_SIDE);
        assert!(matches!(refused, Err(Refusal::TooLarge(_))), "{refused:?}");
    }
    let packed = ktx2(37, [16_384, 16_384], 6, 2, &[(vec![0; 64], 1 << 40)]);
    assert!(matches!(header_within(&packed, "a", MAX_SIDE), Err(Refusal::TooLarge(_))));
}

#[test]
fn truncated_and_corrupted_containers_never_panic() {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = ruzstd::encoding::compress_to_vec(&[7u8; 64][..], level);
    let mut dds = Vec::new();
    let header_of =
        dds::header::Header::new_cube_map(8, 8, dds::Format::BC7_UNORM).with_mipmap_count(2);
    header_of.write(&mut dds).unwrap();
    let whole = [
        Ktx1::compressed(0x9278, [8, 8], &[0x5a; 64]),
        Ktx1 {
            gl_type: 0x8c3e,
            type_size: 4,
            gl_format: 0x1907,
            gl_internal: 0x8c3d,
            size: [2, 2],
            levels: vec![vec![&[9; 16]; 6], vec![&[9; 4]; 6]],
            orientation: Some("S=r,T=d"),
        }
        .bytes(),
        ktx2(37, [4, 4], 1, 2, &[(packed, 64)]),
        ktx2(157, [4, 4], 6, 0, &[(vec![3; 96], 0)]),
        [dds, vec![1; 6 * (64 + 16)]].concat(),
    ];
    let mut random = random_numbers();
    for bytes in whole {
        decoded(&bytes, "x").unwrap();
        for end in 0..bytes.len() {
            let found = decoded(&bytes[..end], "x");
            // A truncated DDS file still provides its complete levels.
            let is_dds = bytes.starts_with(b"DDS ");
            assert!(found.is_err() || is_dds || end + 4 > bytes.len(), "{end}");
        }
        for _ in 0..2000 {
            let mut changed = bytes.clone();
            for _ in 0..=random() % 4 {
                let at = usize::try_from(random() >> 33).unwrap() % changed.len().min(160);
                changed[at] = random().to_le_bytes()[0];
            }
            let _ = decoded(&changed, "x");
        }
    }
}

#[test]
fn float_images_are_converted_to_8_bit_png() {
    let one: Vec<u8> = [1.0f32, 0.5, 0.0, 1.0].iter().flat_map(|v| v.to_le_bytes()).collect();
    let file = ktx2(109, [1, 1], 1, 0, &[(one, 0)]);
    let png = png(&file, "a.ktx2").unwrap();
    let read = image::load_from_memory(&png).unwrap().into_rgba8();
    assert_eq!(read.into_raw(), [255, 188, 0, 255]);
}

#[test]
fn single_levels_and_channels_can_be_extracted() {
    let large = [10, 20, 30, 40].repeat(4);
    let file = ktx2(37, [2, 2], 1, 0, &[(large, 0), (vec![50, 60, 70, 80], 0)]);
    let seen = |level, channel| {
        let png = level_png(&file, "a.ktx2", level, channel).unwrap();
        let read = image::load_from_memory(&png).unwrap().into_rgba8();
        (read.dimensions(), read.get_pixel(0, 0).0)
    };
    assert_eq!(seen(0, None), ((2, 2), [10, 20, 30, 40]));
    assert_eq!(seen(1, None), ((1, 1), [50, 60, 70, 80]));
    assert_eq!(seen(0, Some(2)), ((2, 2), [30, 30, 30, 255]));
    assert_eq!(seen(1, Some(3)), ((1, 1), [80, 80, 80, 255]));
    assert!(level_png(&file, "a.ktx2", 2, None).is_err());
}
