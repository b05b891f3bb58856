//! CFP: the table of steps, the known stream, and damage.

use super::super::cfp::{step, unpack};
use crate::formats::{Limits, ReadError};

const STREAM: [u8; 27] = [
    0xff, 0, 0, 0x80, 0x3f, 0xfc, 0, 0x7e, 0xff, 0, 0, 0, 0xbf, 0xfe, 1, 0, 0xbd, 0xff, 0, 0, 0x80,
    0x3e, 0x3f, 0xfe, 0, 0, 0x7f,
];

fn unpacked(bytes: &[u8], num: usize) -> Result<super::super::cfp::Values, ReadError> {
    unpack(bytes, num, &Limits::default())
}

#[test]
fn step_codes_are_quartic_in_the_distance_from_126() {
    let known = [
        (0, -0.1),
        (1, -0.096_862_99),
        (63, -0.006_25),
        (100, -1.813_056e-4),
        (119, -9.525_987e-7),
        (125, -3.967_508e-10),
        (126, 0.0),
        (127, 3.967_508e-10),
        (133, 9.525_987e-7),
        (189, 0.006_25),
        (251, 0.096_862_99),
        (252, 0.1),
    ];
    for (code, value) in known {
        let difference = (step(code) - value).abs();
        assert!(difference <= 1e-6 * value.abs(), "{code}: {}", step(code));
    }
}

#[test]
fn a_known_stream_unpacks_to_the_expected_columns() {
    let values = unpacked(&STREAM, 12).unwrap();
    let known =
        [1.0, 1.1, 1.0, 1.0, -0.5, -0.5, -0.5, -0.493_75, 0.25, 0.243_75, 0.243_75, 0.243_75];
    for (found, known) in values.values.iter().zip(known) {
        assert!((found - known).abs() < 1e-7, "{found} {known}");
    }
    assert_eq!((values.num_surplus, values.num_trailing), (0, 0));
}

#[test]
fn invalid_streams_are_errors_and_surplus_values_are_counted() {
    for len in 0..STREAM.len() {
        assert!(unpacked(&STREAM[..len], 12).is_err(), "cut to {len}");
    }
    assert!(unpacked(&[0xfd], 1).unwrap_err().to_string().contains("reserved"));
    let surplus = unpacked(&[0xff, 0, 0, 0, 0, 0xfe, 9, 0], 4).unwrap();
    assert_eq!((surplus.values.len(), surplus.num_surplus), (4, 7));
    assert_eq!(unpacked(&STREAM, 5).unwrap().num_trailing, 14);
    // A million values from no bytes are refused before memory is allocated.
    assert!(matches!(unpacked(&STREAM, usize::MAX), Err(ReadError::Limit(_))));
    assert!(unpacked(&[0xfe, 0xff, 0xff], 1 << 24).is_err());
}
