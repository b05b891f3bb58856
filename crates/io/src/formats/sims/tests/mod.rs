//! Known vectors, individual oddities, untrusted files.

mod archive;
mod bytes;
mod character;
mod packing;
mod skins;
mod values;

use super::skin_file::{Binding, Blend, Skin, SkinVertex};
use crate::formats::source::tests::InMemory;
use crate::formats::{Opened, ReadError, ReadOptions, Source, open};
use rigscope_core::model::{Finding, FindingKind, Report};

/// Opens bytes with files in the same folder; returns the model or the error, and the findings.
fn open_beside(
    name: &str,
    bytes: impl Into<Vec<u8>>,
    beside: &[(&str, &[u8])],
) -> (Result<Opened, ReadError>, Vec<Finding>) {
    let folder = InMemory::of(beside.iter().copied());
    let source = Source::new(name, bytes.into()).with_folders(vec![folder]);
    let report = Report::new();
    let opened = open(&source, &ReadOptions::default(), &report);
    (opened, report.findings())
}

fn count(findings: &[Finding], kind: FindingKind) -> u64 {
    findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count)
}

/// Three bones, one of which only has blended vertices; all weights and indices differ.
fn tiny() -> Skin {
    let vertex = |position: [f32; 3], normal: [f32; 3]| SkinVertex { position, normal };
    let binding = |[bone, first_raw, num_raw, first_blend, num_blends]: [i32; 5]| Binding {
        bone,
        first_raw,
        num_raw,
        first_blend,
        num_blends,
    };
    Skin {
        name: "tiny".into(),
        texture: "x".into(),
        bones: ["ROOT", "PELVIS", "SPINE"].map(str::to_owned).to_vec(),
        faces: vec![[0, 1, 2], [2, 1, 3]],
        bindings: vec![
            binding([0, 0, 2, -1, 0]),
            binding([1, 2, 2, 0, 1]),
            binding([2, -1, 0, 1, 1]),
        ],
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.25, -0.25]],
        blends: vec![Blend { vertex: 0, weight: 8192 }, Blend { vertex: 3, weight: 16384 }],
        vertices: vec![
            vertex([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
            vertex([0.0, 2.0, 0.0], [0.0, 0.0, 1.0]),
            vertex([0.0, 0.0, 3.0], [0.0, 1.0, 0.0]),
            vertex([1.0, 1.0, 1.0], [1.0, 0.0, 0.0]),
            vertex([0.5, 0.0, 0.0], [0.0, 1.0, 0.0]),
            vertex([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
        ],
    }
}

/// A root, a bone one foot above it rotated by a quarter turn about z, and one a foot along that bone's x.
const SKELETON: &str = "// a comment\r\nversion 300\r\n1\r\nadult\r\n3\r\n\
    ROOT\r\nNULL\r\n0\r\n| 0 3 0 |\r\n| 0 0 0 1 |\r\n1\r\n1\r\n0\r\n0\r\n0\r\n\
    PELVIS\r\nROOT\r\n1\r\n1\r\nname\r\nadult\r\n| 0 1 0 |\r\n| 0 0 -0.70710678 0.70710678 |\r\n1\r\n1\r\n1\r\n700000\r\n5.0e-002\r\n\
    SPINE\r\nPELVIS\r\n0\r\n|1 0 0|\r\n|\t0  0 0 1 |\r\n0\r\n1\r\n1\r\n0\r\n0\r\n\
    0\r\n0\r\n";
