//! Generated files: golden values, each error, each finding, damage.

use glam::{Vec2, Vec3, Vec4};
use rigscope_core::model::{MaterialId, MeshId};

use super::ID;
use super::layout::Header;
use crate::formats::record::Record;
use crate::formats::{Limits, ReadError, ReadOptions, Source, candidates, open};
use rigscope_testing::*;

/// Offsets of header fields.
mod at {
    pub(super) const VERSION: usize = 0x10;
    pub(super) const EXTENSION: usize = 0x14;
    pub(super) const RADIUS: usize = 0x24;
    pub(super) const BOX_MAX: usize = 0x34;
    pub(super) const NUM_VERTICES: usize = 0x40;
    pub(super) const POSITIONS: usize = 0x44;
    pub(super) const UVS: usize = 0x48;
    pub(super) const TRIANGLES: usize = 0x58;
    pub(super) const MESHES: usize = 0x60;
    pub(super) const NUM_HULLS: usize = 0x6c;
    pub(super) const HULLS: usize = 0x70;
    pub(super) const NUM_OCCLUDER_VERTICES: usize = 0x74;
}

pub(super) fn put(bytes: &mut [u8], at: usize, value: i32) {
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
}

pub(super) fn stored(bytes: &[u8], at: usize) -> usize {
    let word = bytes[at..at + 4].try_into().unwrap();
    usize::try_from(i32::from_le_bytes(word)).unwrap()
}

/// A file under construction; arrays are appended.
struct Builder(Vec<u8>);

impl Builder {
    fn new(second_header: &[u8]) -> Self {
        let mut bytes = vec![0; Header::BYTES];
        bytes[..16].copy_from_slice(super::layout::MAGIC);
        put(&mut bytes, at::VERSION, 1);
        bytes.extend_from_slice(second_header);
        Self(bytes)
    }

    fn floats(&mut self, count_at: usize, offset_at: usize, width: usize, floats: &[f32]) {
        let bytes: Vec<u8> = floats.iter().flat_map(|f| f.to_le_bytes()).collect();
        self.array(count_at, offset_at, floats.len() / width, &bytes);
    }

    fn ints(&mut self, count_at: usize, offset_at: usize, width: usize, ints: &[i32]) {
        let bytes: Vec<u8> = ints.iter().flat_map(|i| i.to_le_bytes()).collect();
        self.array(count_at, offset_at, ints.len() / width, &bytes);
    }

    fn array(&mut self, count_at: usize, offset_at: usize, num: usize, bytes: &[u8]) {
        let offset = i32::try_from(self.0.len()).unwrap();
        put(&mut self.0, count_at, i32::try_from(num).unwrap());
        put(&mut self.0, offset_at, offset);
        self.0.extend_from_slice(bytes);
    }

    fn bounds(&mut self, floats: [f32; 10]) {
        for (word, float) in floats.iter().enumerate() {
            let at = 0x18 + word * 4;
            self.0[at..at + 4].copy_from_slice(&float.to_le_bytes());
        }
    }
}

fn mesh_record(first: i32, num: i32, material: &[u8]) -> Vec<u8> {
    let mut record = Vec::new();
    record.extend_from_slice(&first.to_le_bytes());
    record.extend_from_slice(&num.to_le_bytes());
    record.extend_from_slice(material);
    record.resize(264, 0);
    record
}

/// Two triangles in two meshes and a third in none, two hulls, an occlusion mesh.
pub(super) fn built_with(second_header: &[u8]) -> Vec<u8> {
    let mut file = Builder::new(second_header);
    #[rustfmt::skip]
    file.floats(at::NUM_VERTICES, at::POSITIONS, 3, &[
        0.0, 0.0, 0.0,  1.0, 0.0, 0.0,  0.0, 1.0, 0.0,  1.0, 1.0, 0.5,
    ]);
    let uvs = [0.0, 0.0, 1.0, 0.25, 0.0, 1.0, 1.5, -0.5];
    file.floats(at::NUM_VERTICES, at::UVS, 2, &uvs);
    file.floats(at::NUM_VERTICES, 0x4c, 3, &[0.0, 0.0, 1.0].repeat(4));
    #[rustfmt::skip]
    file.floats(at::NUM_VERTICES, 0x50, 4, &[
        1.0, 0.0, 0.0, 1.0,  1.0, 0.0, 0.0, 1.0,  1.0, 0.0, 0.0, -1.0,  1.0, 0.0, 0.0, -1.0,
    ]);
    file.ints(0x54, at::TRIANGLES, 3, &[0, 1, 2, 1, 3, 2, 0, 1, 3]);
    let long = [b'x'; 256];
    let meshes = [mesh_record(1, 1, b"stone.png\0junk"), mesh_record(0, 1, &long)];
    file.array(0x5c, at::MESHES, 2, &meshes.concat());
    #[rustfmt::skip]
    file.floats(0x64, 0x68, 3, &[
        0.0, 0.0, 0.0,  1.0, 0.0, 0.0,  0.0, 1.0, 0.0,  0.0, 0.0, 1.0,  2.0, 2.0, 2.0,
    ]);
    file.ints(at::NUM_HULLS, at::HULLS, 2, &[0, 4, 4, 1]);
    file.floats(at::NUM_OCCLUDER_VERTICES, 0x78, 3, &[0.0, 0.0, 0.0, 9.0, 0.0, 0.0, 0.0, 9.0, 0.0]);
    file.ints(0x7c, 0x80, 3, &[0, 1, 2]);
    file.bounds([0.5, 0.5, 0.25, 0.75, 0.0, 0.0, 0.0, 1.0, 1.0, 0.5]);
    file.0
}

pub(super) fn built() -> Vec<u8> {
    built_with(&[])
}

/// [`built`] with one changed header field.
fn changed(at: usize, value: i32) -> Vec<u8> {
    let mut bytes = built();
    put(&mut bytes, at, value);
    bytes
}

pub(super) fn read(bytes: Vec<u8>) -> Result<(Model, Report), ReadError> {
    let report = Report::new();
    let options = ReadOptions { format: Some(ID.into()), ..ReadOptions::default() };
    let opened = open(&Source::new("x.bsm", bytes), &options, &report)?;
    Ok((opened.model, report))
}

fn error(bytes: Vec<u8>) -> String {
    read(bytes).err().unwrap().to_string()
}

pub(super) fn count(report: &Report, kind: FindingKind) -> u64 {
    let findings = report.findings();
    findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count)
}

#[test]
fn a_built_file_has_the_expected_values() {
    let (model, report) = read(built()).unwrap();
    let [mesh] = &*model.meshes else { panic!("one mesh") };
    let streams = streams(mesh);
    assert_eq!(streams.positions[3], Vec3::new(1.0, 1.0, 0.5));
    assert_eq!(streams.normals, [Vec3::Z; 4]);
    let ranges: Vec<_> =
        mesh.subsets.iter().map(|s| (s.first_index, s.index_count, s.material)).collect();
    assert_eq!(ranges, [(3, 3, Some(MaterialId(0))), (0, 3, Some(MaterialId(1)))]);
    assert_eq!(mesh.indices.iter().collect::<Vec<_>>(), [0, 1, 2, 1, 3, 2, 0, 1, 3]);
    assert_eq!(count(&report, FindingKind::UncoveredIndices), 1);
    assert_eq!(model.materials[MaterialId(0)].name, "stone.png");
    assert_eq!(model.materials[MaterialId(0)].textures[0].path, "stone.png");
    assert_eq!(model.materials[MaterialId(1)].name, "x".repeat(256));
    assert_eq!(model.hulls.len(), 2);
    assert_eq!(model.hulls[0].points[3], Vec3::Z);
    assert_eq!(model.hulls[1].points, [Vec3::splat(2.0)]);
    let occluder = model.occluder.as_ref().unwrap();
    assert_eq!(occluder.positions[1], Vec3::X * 9.0);
    assert_eq!(occluder.indices, [0, 1, 2]);
    let bounds = model.stored_bounds.unwrap();
    assert_eq!(bounds.aabb.max, Vec3::new(1.0, 1.0, 0.5));
    assert_eq!((bounds.sphere_center.z, bounds.sphere_radius), (0.25, 0.75));
    assert_eq!(count(&report, FindingKind::BoundsMismatch), 0);
    assert_eq!(count(&report, FindingKind::OverlappingArrays), 0);
    assert_eq!(count(&report, FindingKind::TrailingBytes), 0);
    for what in ["extension header", "trailing"] {
        assert_eq!(model.preserved(ID, what), None);
    }
}

#[test]
fn v_is_flipped_and_tangent_handedness_preserved() {
    let (model, _) = read(built()).unwrap();
    let mesh = &model.meshes[MeshId(0)];
    assert_eq!(mesh.uv(1), Some(Vec2::new(1.0, 0.75)));
    assert_eq!(mesh.uv(3), Some(Vec2::new(1.5, 1.5)));
    assert_eq!(mesh.tangent(0), Some(Vec4::new(1.0, 0.0, 0.0, 1.0)));
    assert_eq!(mesh.tangent(2), Some(Vec4::new(1.0, 0.0, 0.0, -1.0)));
}

#[test]
fn spans_map_offsets_to_records() {
    let bytes = built();
    let (model, _) = read(bytes.clone()).unwrap();
    let spans = &model.provenance;
    let uvs = stored(&bytes, at::UVS) as u64;
    let span = spans.at(uvs + 9).unwrap().span;
    assert_eq!(span.element, Element::Vertex { mesh: 0 });
    assert_eq!((span.stride, span.count), (8, 4));
    let triangles = stored(&bytes, at::TRIANGLES) as u64;
    let span = spans.at(triangles).unwrap().span;
    assert_eq!((span.element, span.count), (Element::Index { mesh: 0 }, 9));
    let meshes = stored(&bytes, at::MESHES) as u64;
    let hit = spans.at(meshes + 264).unwrap();
    assert_eq!((hit.span.stride, hit.record), (264, 1));
    assert!(spans.spans.is_sorted_by_key(|span| span.offset));
}

#[test]
fn later_versions_and_extensions_are_read_and_their_bytes_preserved() {
    let mut bytes = built_with(b"adjacency");
    put(&mut bytes, at::VERSION, 7);
    put(&mut bytes, at::EXTENSION, 42);
    bytes.extend_from_slice(b"end");
    let (model, report) = read(bytes).unwrap();
    assert_eq!(model.num_vertices(), 4);
    assert!(model.details.contains(&("version", rigscope_core::model::Detail::Int(7))));
    assert!(model.details.contains(&("extension", rigscope_core::model::Detail::Int(42))));
    let kept = |what| model.preserved(ID, what).map(|bytes| bytes.to_vec());
    assert_eq!(kept("extension header").unwrap(), b"adjacency");
    assert_eq!(kept("trailing").unwrap(), b"end");
    assert_eq!(count(&report, FindingKind::TrailingBytes), 1);
}

#[test]
fn the_magic_number_is_sufficient_for_the_probe() {
    let claimed = candidates(&Source::new("x.unknown", built()));
    assert_eq!(claimed.first().unwrap().format.info.id, ID);
    let mut bytes = built();
    bytes[3] = b'x';
    assert!(candidates(&Source::new("x.unknown", bytes.clone())).is_empty());
    assert_eq!(
        error(bytes),
        "not a BSM file, or damaged: the file does not begin with BINARYSTATICMESH (magic number at offset 0x0)"
    );
}

#[test]
fn versions_below_1_are_refused() {
    assert_eq!(
        error(changed(at::VERSION, 0)),
        "damaged BSM file: version 0 is below 1 (version at offset 0x10). Export it again"
    );
    assert!(error(changed(at::VERSION, -1)).contains("version -1"));
}

#[test]
fn negative_counts_and_offsets_are_refused() {
    assert_eq!(
        error(changed(at::NUM_VERTICES, -1)),
        "damaged BSM file: number of vertices -1 is negative (number of vertices at offset 0x40). Export it again"
    );
    assert_eq!(
        error(changed(at::POSITIONS, -12)),
        "damaged BSM file: world coordinate array -12 is negative (world coordinate array at offset 0x44). Export it again"
    );
}

#[test]
fn ranges_past_the_end_or_in_the_header_are_refused() {
    let len = i32::try_from(built().len()).unwrap();
    assert!(error(changed(at::UVS, len + 1)).contains("is past the end"));
    assert!(error(changed(at::UVS, len - 4)).contains("number of vertices 4 needs 8 bytes each"));
    assert_eq!(
        error(changed(at::UVS, 128)),
        "damaged BSM file: texture coordinate array at 128 is in the header (texture coordinate array at offset 0x48). Export it again"
    );
    assert!(read(changed(at::UVS, 0)).is_err());
    for count_at in [0x40, 0x54, 0x5c, 0x64, 0x6c, 0x74, 0x7c] {
        assert!(read(changed(count_at, i32::MAX)).is_err(), "{count_at:#x}");
    }
}

#[test]
fn the_offset_of_an_empty_array_is_ignored() {
    let mut bytes = changed(at::NUM_HULLS, 0);
    for offset in [-1, 0, i32::MAX] {
        put(&mut bytes, at::HULLS, offset);
        assert!(read(bytes.clone()).unwrap().0.hulls.is_empty());
    }
}

#[test]
fn overlapping_arrays_are_read_and_reported() {
    let bytes = built();
    let positions = i32::try_from(stored(&bytes, at::POSITIONS)).unwrap();
    let (model, report) = read(changed(at::UVS, positions)).unwrap();
    assert_eq!(count(&report, FindingKind::OverlappingArrays), 1);
    assert_eq!(model.meshes[MeshId(0)].uv(2), Some(Vec2::new(0.0, 1.0)));
    let vertex_spans =
        (model.provenance.spans.iter()).filter(|span| span.element == Element::Vertex { mesh: 0 });
    assert_eq!(vertex_spans.count(), 3, "spans do not overlap");
}

#[test]
fn mesh_ranges_out_of_bounds_are_reported_and_left_out() {
    for (first, num) in [(3, 1), (-1, 2), (0, -1), (i32::MAX, i32::MAX)] {
        let mut bytes = built();
        let record = stored(&bytes, at::MESHES);
        put(&mut bytes, record, first);
        put(&mut bytes, record + 4, num);
        let (model, report) = read(bytes).unwrap();
        assert_eq!(count(&report, FindingKind::SubsetOutOfRange), 1);
        let subsets = &model.meshes[MeshId(0)].subsets;
        assert_eq!(subsets.len(), 1);
        assert_eq!(subsets[0].material, Some(MaterialId(1)));
        assert_eq!(model.materials.len(), 2);
    }
}

#[test]
fn hull_ranges_out_of_bounds_are_refused() {
    for (first, num) in [(5, 1), (-1, 2), (0, -1), (i32::MAX, i32::MAX)] {
        let mut bytes = built();
        let record = stored(&bytes, at::HULLS);
        put(&mut bytes, record, first);
        put(&mut bytes, record + 4, num);
        assert!(error(bytes).contains("hull 0 has"), "{first} {num}");
    }
}

#[test]
fn many_hulls_that_share_all_points_exceed_the_limit() {
    let mut file = Builder::new(&[]);
    file.floats(0x64, 0x68, 3, &vec![0.0; 3000]);
    file.ints(at::NUM_HULLS, at::HULLS, 2, &[0, 1000].repeat(1000));
    assert!(matches!(read(file.0), Err(ReadError::Limit(_))));
}

#[test]
fn triangles_with_missing_vertices_are_reported() {
    for bad in [4, -1] {
        let mut bytes = built();
        let triangles = stored(&bytes, at::TRIANGLES);
        put(&mut bytes, triangles, bad);
        let (model, report) = read(bytes).unwrap();
        assert_eq!(count(&report, FindingKind::IndexOutOfRange), 1);
        assert_eq!(model.meshes[MeshId(0)].subsets.len(), 1);
    }
}

#[test]
fn vertices_outside_the_stored_bounds_are_reported() {
    let float = |value: f32| i32::from_le_bytes(value.to_le_bytes());
    let (_, report) = read(changed(at::RADIUS, float(0.7))).unwrap();
    assert_eq!(count(&report, FindingKind::BoundsMismatch), 4);
    let (_, report) = read(changed(at::BOX_MAX, float(0.5))).unwrap();
    assert_eq!(count(&report, FindingKind::BoundsMismatch), 2);
    let (model, report) = read(changed(at::RADIUS, float(f32::NAN))).unwrap();
    assert_eq!(count(&report, FindingKind::NotFinite), 1);
    assert_eq!(model.stored_bounds, None);
}

#[test]
fn a_material_name_that_is_not_utf8_is_reported() {
    let mut bytes = built();
    let meshes = stored(&bytes, at::MESHES);
    bytes[meshes + 8] = 0xff;
    let (model, report) = read(bytes).unwrap();
    assert_eq!(count(&report, FindingKind::NameNotUtf8), 1);
    assert_eq!(model.materials[MaterialId(0)].name, "\u{fffd}tone.png");
}

#[test]
fn a_file_truncated_anywhere_is_refused() {
    let bytes = built();
    for len in 0..bytes.len() {
        assert!(read(bytes[..len].to_vec()).is_err(), "{len}");
    }
}

#[test]
fn a_truncated_header_is_an_error_that_names_the_field() {
    for field in Header::FIELDS {
        let (start, end) = (usize::from(field.offset), usize::from(field.offset + field.len));
        let error = read(built()[..end - 1].to_vec()).err().unwrap();
        let failure = error.failure().unwrap();
        let bytes = Some(start as u64..end as u64);
        assert_eq!((failure.field, &failure.bytes), (field.name, &bytes));
    }
}

#[test]
fn changed_bytes_never_panic() {
    let bytes = built();
    let mut numbers = Random(7);
    let mut random = |limit| numbers.below(limit);
    for _ in 0..3000 {
        let mut copy = bytes.clone();
        for _ in 0..=random(6) {
            let reach = [132, copy.len()][random(2)];
            let at = random(reach);
            copy[at] = [0, 0xff, copy[at] ^ 0x80, copy[at].wrapping_add(1)][random(4)];
        }
        let _ = read(copy);
    }
}

#[test]
fn the_memory_limit_is_enforced() {
    let report = Report::new();
    let options = ReadOptions {
        limits: Limits { max_alloc_bytes: 100, ..Limits::default() },
        ..ReadOptions::default()
    };
    let read = open(&Source::new("x.bsm", built()), &options, &report);
    assert!(matches!(read, Err(ReadError::Limit(_))));
}
