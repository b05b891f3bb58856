//! The provenance of every byte of a file, for all samples, whole and truncated.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rigscope_core::model::{Element, Layout, Provenance, Report, decode};
use rigscope_io::formats::{FileMap, ReadOptions, Source, candidates, map};

use crate::support;

/// Formats in which every byte belongs to a span.
const WHOLE: &[&str] = &["bsm2", "skn", "bmf", "cmx", "bcf", "ozz", "obj", "bonespro", "effect"];
/// Formats that align arrays, with the largest padding between them, which doesn't belong to a
/// span.
const ALIGNED: &[(&str, u64)] = &[("bsm", 3), ("iqm", 3), ("gltf", 3)];

/// Sample files and the embedded one, with the IDs of their formats.
fn files() -> Vec<(PathBuf, &'static str)> {
    let mut files = support::readable_samples_if_any();
    files.push(crate::support::sample_file());
    let of_format = |path: PathBuf| {
        let source = Source::new("nameless", std::fs::read(&path).unwrap());
        let format = candidates(&source).first()?.format.info.id;
        Some((path, format))
    };
    files.into_iter().filter_map(of_format).collect()
}

/// Checks that every byte is in at most one record, that all records are inside the file, and that
/// both directions of lookup agree.
fn check(map: &Provenance, bytes: &[u8], name: &str) {
    let mut owners = vec![0u8; bytes.len()];
    assert!(map.spans.is_sorted_by_key(|span| span.offset), "{name}");
    for span in &map.spans {
        assert!(!span.element.name().is_empty());
        assert!(span.range().end <= bytes.len() as u64, "{name}: {span:?}");
        for record in span.first..span.first + span.count {
            let range = span.record(record).unwrap();
            let range = usize::try_from(range.start).unwrap()..usize::try_from(range.end).unwrap();
            for owner in &mut owners[range] {
                assert_eq!(*owner, 0, "{name}: {span:?} overlaps");
                *owner = 1;
            }
        }
    }
    let num_owned = owners.iter().filter(|&&owner| owner == 1).count();
    assert_eq!(num_owned as u64, map.num_bytes(), "{name}");
    let step = (bytes.len() / 997).max(1);
    for at in (0..bytes.len()).step_by(step) {
        let hit = map.at(at as u64);
        assert_eq!(hit.is_some(), owners[at] == 1, "{name} at {at}");
        let Some(hit) = hit else { continue };
        assert!(hit.record_bytes.contains(&(at as u64)), "{name} at {at}");
        let known = map.of(hit.span.element, hit.record);
        assert!(known.contains(&hit.record_bytes), "{name} at {at}: {hit:?}");
        if let Some(field) = hit.field {
            let range = usize::try_from(hit.field_bytes.start).unwrap()
                ..usize::try_from(hit.field_bytes.end).unwrap();
            let bytes = &bytes[range];
            let text = decode(field, bytes);
            let is_text = matches!(field.layout, Layout::Text(_));
            assert!(is_text || !text.is_empty(), "{name}: {field:?} of {bytes:?}");
        }
    }
}

#[test]
fn every_byte_belongs_to_at_most_one_record_and_most_to_exactly_one() {
    let mut shares: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    let mut num_read = 0;
    for (path, format) in files() {
        let Ok(model) = support::open_file(&path, &[], &Report::new()) else { continue };
        num_read += 1;
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let map = &model.provenance;
        check(map, &bytes, &name);
        let share = shares.entry(format).or_default();
        share.0 += map.num_bytes();
        share.1 += bytes.len() as u64;
        let gaps = map.gaps(bytes.len() as u64);
        let longest = gaps.iter().map(|gap| gap.end - gap.start).max().unwrap_or(0);
        if support::is_set("RIGSCOPE_SHARES") {
            println!("{name}: {} of {}, gaps {gaps:x?}", map.num_bytes(), bytes.len());
        }
        if WHOLE.contains(&format) {
            assert_eq!(map.num_bytes(), bytes.len() as u64, "{name}: {gaps:x?}");
        }
        if let Some((_, padding)) = ALIGNED.iter().find(|(id, _)| *id == format) {
            assert!(longest <= *padding, "{name}: {gaps:x?}");
        }
    }
    for (format, (reported, all)) in &shares {
        println!(
            "{format}: {reported} of {all} bytes, {:.1} %",
            100.0 * *reported as f64 / *all as f64
        );
    }
    assert!(num_read > 40 || !cfg!(has_samples));
}

fn map_of(bytes: &[u8], format: &str) -> FileMap {
    let options = ReadOptions { format: Some(format.into()), ..ReadOptions::default() };
    map(&Source::new("cut", bytes.to_vec()), &options, &Report::new())
}

#[test]
fn truncated_files_have_a_partial_map_and_a_failure_with_a_place() {
    let mut num_failed: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, format) in files() {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // The library that parses these two formats doesn't report places. Files that fail uncut
        // are skipped too.
        if ["fbx", "obj"].contains(&format) || map_of(&bytes, format).failure.is_some() {
            continue;
        }
        let whole = map_of(&bytes, format).provenance;
        for part in [3, 5, 7, 9] {
            let len = bytes.len() * part / 10;
            let cut = map_of(&bytes[..len], format);
            check(&cut.provenance, &bytes[..len], &name);
            let Some(failure) = cut.failure else { continue };
            if support::is_set("RIGSCOPE_SHARES") {
                println!("{name} cut to {len}: reported {:x}, {failure:?}", cut.provenance.end());
            }
            *num_failed.entry(format).or_default() += 1;
            let place = failure.bytes.unwrap_or_else(|| panic!("{name}: {}", failure.message));
            assert!(place.end <= len as u64, "{name}: {place:?}");
            let end = cut.provenance.end();
            // So few bytes don't even contain the first record.
            assert!(end > 0 || len < 64, "{name} cut to {len}");
            let is_count = cut.provenance.at(place.start).is_some_and(|hit| {
                let heads = [Element::Header, Element::Count, Element::Json];
                let is_clip = matches!(hit.span.element, Element::ClipHeader { .. });
                is_clip || heads.contains(&hit.span.element)
            });
            // In text, the whole line is marked, and its beginning may have been read already.
            let is_text = ["bonespro", "cmx", "skn"].contains(&format);
            let at = if is_text { place.end } else { place.start };
            assert!(is_count || at >= end, "{name}: {place:?}, reported {end}");
            // Each reported span has the same element as in the whole file.
            for span in &cut.provenance.spans {
                let known = whole.at(span.offset).map(|hit| hit.span.element);
                assert_eq!(known, Some(span.element), "{name} cut to {len}");
            }
        }
    }
    println!("{num_failed:?}");
    let formats = ["bcf", "bmf", "bonespro", "bsm", "bsm2", "cmx", "gltf", "iqm", "ozz", "skn"];
    for format in formats.iter().filter(|_| cfg!(has_samples)) {
        assert!(num_failed.contains_key(format), "{format}");
    }
}

#[test]
fn an_invalid_field_is_marked_in_its_bytes() {
    let sample = rigscope_assets::SAMPLE.to_vec();
    let mut bytes = sample.clone();
    bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let found = map_of(&bytes, "bsm2");
    let failure = found.failure.unwrap();
    assert_eq!(failure.field, "number of geometry subsets");
    let elements: Vec<_> = found.provenance.spans.iter().map(|s| s.element).collect();
    let (vertex, index) = (Element::Vertex { mesh: 0 }, Element::Index { mesh: 0 });
    assert_eq!(elements, [Element::Header, vertex, index]);
    assert_eq!(failure.bytes.unwrap().start, found.provenance.end());
}

#[test]
fn bone_and_material_names_are_found_by_index() {
    let bytes = rigscope_assets::SAMPLE;
    let source = Source::new("sample.bsm2", bytes.to_vec());
    let report = Report::new();
    let model = rigscope_io::formats::open(&source, &ReadOptions::default(), &report).unwrap();
    let model = model.model;
    for (number, bone) in model.skeleton.bones().iter().enumerate() {
        let ranges = model.provenance.of(Element::BoneName, number as u64);
        let [range] = &ranges[..] else { panic!("{ranges:?}") };
        let hit = model.provenance.at(range.start + 4).unwrap();
        assert_eq!((hit.record, hit.field.unwrap().name), (number as u64, "text"));
        let start = usize::try_from(hit.field_bytes.start).unwrap();
        let end = usize::try_from(hit.field_bytes.end).unwrap();
        assert_eq!(decode(hit.field.unwrap(), &bytes[start..end]), bone.name);
        // Name, parent and inverse bind.
        assert_eq!(model.provenance.of(Element::Bone, number as u64).len(), 3);
    }
}
