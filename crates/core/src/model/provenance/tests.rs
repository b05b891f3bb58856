//! Tests of the mapping between bytes and records.

#![allow(clippy::single_range_in_vec_init, reason = "lists of ranges are intended")]

use super::*;

const VERTEX: Element = Element::Vertex { mesh: 0 };
const FIELDS: &[Field] = &[
    Field::new("position", 0, Scalar::F32.times(3)),
    Field::new("uv", 12, Scalar::Unorm16.times(2)),
];

#[test]
fn byte_offset_resolves_to_its_record_and_field() {
    let map = Provenance::from_spans(vec![
        Span::new(Element::Index { mesh: 0 }, 104, 2, 6),
        Span::new(VERTEX, 24, 16, 5).with_fields(FIELDS),
        Span::new(Element::Header, 0, 24, 1),
    ]);
    let hit = map.at(24 + 2 * 16 + 13).unwrap();
    assert_eq!((hit.span.element, hit.record), (VERTEX, 2));
    assert_eq!(hit.record_bytes, 56..72);
    assert_eq!(hit.field.unwrap().name, "uv");
    assert_eq!(hit.field_bytes, 68..72);
    let hit = map.at(105).unwrap();
    assert_eq!((hit.record, hit.field), (0, None));
    assert_eq!(hit.field_bytes, 104..106);
    assert_eq!(map.at(116), None);
    assert_eq!(map.of(VERTEX, 4), [88..104]);
    assert!(map.of(VERTEX, 5).is_empty());
    assert_eq!((map.num_bytes(), map.end()), (116, 116));
    assert_eq!(map.gaps(120), [116..120]);
}

#[test]
fn names_of_varying_length_are_separate_records() {
    let names = Span::varied(Element::BoneName, 100, vec![5u32, 5, 12]);
    let parents = Span::new(Element::BoneParent, 90, 1, 3);
    let map = Provenance::from_spans(vec![names, parents]);
    assert_eq!(map.at(104).unwrap().record, 0);
    assert_eq!(map.at(105).unwrap().record, 2, "the second is empty");
    assert_eq!(map.at(112), None);
    assert_eq!(map.of(Element::BoneName, 2), [105..112]);
    assert_eq!(map.of(Element::Bone, 2), [92..93, 105..112]);
    assert_eq!(map.gaps(112), [0..90, 93..100]);
}

#[test]
fn interleaved_arrays_do_not_overlap() {
    let mesh = |mesh| Element::Vertex { mesh };
    let map = Provenance::from_spans(vec![
        Span::new(mesh(0), 10, 20, 3).with_len(12),
        Span::new(mesh(0), 22, 20, 3).with_len(8),
        // The same bytes for another mesh.
        Span::new(mesh(1), 10, 20, 3).with_len(12),
        Span::new(Element::Index { mesh: 0 }, 70, 2, 3),
    ]);
    assert_eq!(map.spans.len(), 3);
    assert_eq!(map.shared.len(), 1);
    assert_eq!(map.at(10 + 20 + 11).unwrap().record_bytes, 30..42);
    assert_eq!(map.at(10 + 20 + 12).unwrap().record_bytes, 42..50);
    assert_eq!(map.of(mesh(0), 1), [30..42, 42..50]);
    assert_eq!(map.of(mesh(1), 1), [30..42]);
    assert_eq!(map.num_bytes(), 66);
}

#[test]
fn overlapping_span_is_stored_as_shared() {
    let map = Provenance::from_spans(vec![
        Span::new(Element::Header, 0, 24, 1),
        Span::new(VERTEX, 20, 4, 9),
        Span::new(VERTEX, 24, 0, 9),
        Span::new(Element::Trailing, 24, 2, 1),
    ]);
    assert_eq!(map.spans.len(), 2);
    assert_eq!((map.shared.len(), map.end()), (1, 26));
}

#[test]
fn later_span_continues_the_record_numbers_of_its_element() {
    let map = Provenance::from_spans(vec![
        Span::new(VERTEX, 0, 12, 2),
        Span::new(VERTEX, 100, 12, 2).from_record(2),
    ]);
    assert_eq!(map.at(113).unwrap().record, 3);
    assert_eq!(map.of(VERTEX, 2), [100..112]);
    assert!(map.of(VERTEX, 4).is_empty());
}
