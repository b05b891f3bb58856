//! Packed CFP: results and errors.

use super::super::cfp::unpack;
use super::super::cfp_pack::{Column, pack};
use crate::formats::Limits;
use rigscope_testing::Random;

/// Packs, checks properties that all real files have, and returns the bytes and the unpacked values.
fn there_and_back(columns: &[Column]) -> (Vec<u8>, Vec<f32>) {
    let bytes = pack(columns);
    let num = columns.iter().map(|column| column.values.len()).sum();
    let read = unpack(&bytes, num, &Limits::default()).unwrap();
    assert_eq!((read.num_surplus, read.num_trailing), (0, 0));
    (bytes, read.values)
}

/// A walk of small and large steps, and rests.
fn walk(seed: u64, num: usize) -> Vec<f32> {
    let mut numbers = Random(seed);
    let mut random = || numbers.signed();
    let mut value = 0.3;
    let step = |random: &mut dyn FnMut() -> f32| match random() {
        r if r < -0.3 => 0.0,
        r if r < 0.6 => 0.02 * random(),
        _ => random(),
    };
    (0..num)
        .map(|_| {
            value += step(&mut random);
            value
        })
        .collect()
}

#[test]
fn deviations_stay_within_the_limit_and_do_not_accumulate() {
    for max_error in [1e-2, 1e-4, 1e-7] {
        let columns: Vec<Column> =
            (1..8).map(|seed| Column { values: walk(seed, 3000), max_error }).collect();
        let (bytes, read) = there_and_back(&columns);
        let all = columns.iter().flat_map(|column| &column.values);
        let worst = all.zip(&read).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(worst <= max_error, "{worst} {max_error}");
        assert!(bytes.len() < 5 * read.len());
    }
}

#[test]
fn lossless_packing_is_exact_and_finds_step_codes() {
    let exact = |values: Vec<f32>| Column { values, max_error: 0.0 };
    let walk = exact(walk(9, 500));
    let (_, read) = there_and_back(std::slice::from_ref(&walk));
    assert_eq!(read, walk.values);
    // Values made only of steps are packed into the same number of bytes.
    let codes: Vec<u8> = (0..=252).rev().filter(|code| !(120..=132).contains(code)).collect();
    let mut bytes = vec![0xff, 0, 0, 0, 0];
    bytes.extend(&codes);
    let values = unpack(&bytes, codes.len() + 1, &Limits::default()).unwrap();
    let (again, read) = there_and_back(&[exact(values.values.clone())]);
    assert_eq!(read, values.values);
    assert_eq!(again.len(), bytes.len());
}

#[test]
fn columns_start_with_a_value_and_repeats_do_not_cross_columns() {
    let still = |num| Column { values: vec![0.5; num], max_error: 1e-4 };
    let (bytes, _) = there_and_back(&[still(3), still(70_000), still(1), still(0)]);
    let value = [0xff, 0, 0, 0, 0x3f];
    let mut known = [&value[..], &[0xfe, 1, 0], &value].concat();
    // 69999 repeats: 65536 and 4463.
    known.extend([0xfe, 0xff, 0xff, 0xfe, 0x6e, 0x11]);
    known.extend(value);
    assert_eq!(bytes, known);
}
