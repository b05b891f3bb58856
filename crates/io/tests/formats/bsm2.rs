//! Real BSM2 files, compared with the results of an independent reader and skinner.

use glam::Vec3;
use rigscope_core::model::{Finding, FindingKind, Model, Report, Severity};
use rigscope_core::pose::{PoseSpec, posed_bounds};
use rigscope_io::formats::{ReadOptions, Source, WriteOptions, open, write};

use crate::support::sample_files;

struct Known {
    name: &'static str,
    vertices: usize,
    triangles: usize,
    subsets: usize,
    bones: usize,
    clips: &'static [(&'static str, usize)],
    hierarchy: bool,
    min: [f32; 3],
    max: [f32; 3],
}

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    Known { name: "Gangster", vertices: 16582, triangles: 15182, subsets: 7, bones: 25, clips: &[("idle", 2), ("fire", 101)], hierarchy: false, min: [-184.89, -2752.14, -201.50], max: [152.54, 204.79, 177.85] },
    Known { name: "Hat", vertices: 9486, triangles: 15440, subsets: 2, bones: 4, clips: &[("static", 1)], hierarchy: false, min: [-131.57, -84.13, -114.35], max: [130.94, 153.76, 146.98] },
    Known { name: "Rabbit", vertices: 66, triangles: 62, subsets: 3, bones: 6, clips: &[("Take 001", 2)], hierarchy: false, min: [-135.02, -57.65, 85.29], max: [135.17, 212.89, 171.49] },
    Known { name: "blush", vertices: 3, triangles: 1, subsets: 20, bones: 1, clips: &[("static", 1)], hierarchy: false, min: [-1.0, -1.0, 4.0], max: [3.0, 3.0, 4.0] },
    Known { name: "diamond", vertices: 1408, triangles: 608, subsets: 1, bones: 3, clips: &[("static", 1)], hierarchy: true, min: [-7.81, 129.00, 41.53], max: [7.88, 161.39, 60.86] },
    Known { name: "eyes", vertices: 3606, triangles: 6640, subsets: 1, bones: 4, clips: &[("Take 001", 37)], hierarchy: true, min: [-56.21, -4.20, 49.99], max: [56.22, 37.11, 92.55] },
    Known { name: "hades", vertices: 13037, triangles: 25029, subsets: 1, bones: 23, clips: &[("Take 001", 2)], hierarchy: false, min: [-122.54, -221.84, -203.42], max: [122.54, 158.19, 204.00] },
    Known { name: "head", vertices: 1730, triangles: 3152, subsets: 1, bones: 1, clips: &[("static", 1)], hierarchy: false, min: [-81.78, -173.52, -127.77], max: [81.78, 127.90, 108.18] },
    Known { name: "metro", vertices: 220, triangles: 110, subsets: 6, bones: 55, clips: &[("Take 001", 950)], hierarchy: false, min: [-202.47, -99.26, -5.50], max: [14840.41, 118.34, 0.0] },
    Known { name: "necklace_1", vertices: 53636, triangles: 46701, subsets: 2, bones: 18, clips: &[("Take 001", 126)], hierarchy: true, min: [-79.99, -257.25, -75.43], max: [81.75, -120.76, 34.15] },
    Known { name: "octopus", vertices: 10410, triangles: 17180, subsets: 5, bones: 98, clips: &[("start", 43), ("idle", 53), ("trigger_1", 52), ("trigger_2_start", 76), ("trigger_2_idle", 60), ("trigger_2_end", 26), ("trigger_3", 66)], hierarchy: false, min: [-398.29, -113.62, -86.27], max: [-95.45, 62.34, 113.43] },
    Known { name: "spider_animation", vertices: 6814, triangles: 9188, subsets: 2, bones: 36, clips: &[("spider_rig|spider_jump_animation", 280), ("spider_rig|spider_walk_animation", 324)], hierarchy: false, min: [-28.82, -28.74, -157.88], max: [52.38, 72.76, -97.32] },
    Known { name: "tri", vertices: 3, triangles: 1, subsets: 1, bones: 1, clips: &[("static", 1)], hierarchy: false, min: [-1.0, -1.0, 0.0], max: [3.0, 3.0, 0.0] },
];

/// The known values have two decimals.
const ROUNDING: f32 = 0.0051;

fn read(path: &std::path::Path) -> (Model, Vec<Finding>) {
    let report = Report::new();
    let name = path.file_name().unwrap().to_string_lossy();
    let source = Source::new(name, std::fs::read(path).unwrap());
    let opened = open(&source, &ReadOptions::default(), &report).unwrap();
    (opened.model, report.findings())
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_has_the_known_counts_and_skinned_bounds() {
    let mut found = 0;
    for path in sample_files("bsm2", "bsm2") {
        let stem = path.file_stem().unwrap().to_string_lossy();
        let Some(known) = KNOWN.iter().find(|known| known.name == stem) else { continue };
        found += 1;
        let (model, _) = read(&path);
        let name = known.name;
        assert_eq!(model.num_vertices(), known.vertices, "{name} vertices");
        assert_eq!(model.num_triangles(), known.triangles, "{name} triangles");
        assert_eq!(model.num_subsets(), known.subsets, "{name} subsets");
        assert_eq!(model.skeleton.len(), known.bones, "{name} bones");
        assert_eq!(model.skeleton.has_hierarchy(), known.hierarchy, "{name} hierarchy");
        let clips: Vec<(&str, usize)> = model
            .clips
            .iter()
            .map(|clip| (clip.name.as_str(), clip.as_sampled().unwrap().keys.num_keys()))
            .collect();
        assert_eq!(clips, known.clips, "{name} clips");
        // Key 0 as stored, because a bind pair has another default pose.
        let key_0 = PoseSpec::at_key(None, 0);
        let bounds = posed_bounds(&model, &key_0);
        let (min, max) = (Vec3::from(known.min), Vec3::from(known.max));
        assert!(
            bounds.min.abs_diff_eq(min, ROUNDING) && bounds.max.abs_diff_eq(max, ROUNDING),
            "{name} bounds {bounds:?}"
        );
    }
    assert_eq!(found, KNOWN.len(), "every known file is there");
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn every_sample_is_rewritten_byte_for_byte() {
    for path in sample_files("bsm2", "bsm2") {
        let bytes = std::fs::read(&path).unwrap();
        let source = Source::new("x.bsm2", bytes.clone());
        let opened = open(&source, &ReadOptions::default(), &Report::new()).unwrap();
        let options = WriteOptions::default();
        let files = write(&opened.model, opened.format, &options, &Report::new()).unwrap();
        assert!(files[0].bytes == bytes, "{}", path.display());
    }
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn samples_have_no_errors_and_the_known_findings() {
    for path in sample_files("bsm2", "bsm2") {
        let (_, findings) = read(&path);
        let errors: Vec<_> = findings.iter().filter(|n| n.severity() == Severity::Error).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        let count = |kind| findings.iter().find(|n| n.kind == kind).map_or(0, |n| n.count);
        match path.file_stem().unwrap().to_str().unwrap() {
            "Gangster" => {
                assert_eq!(count(FindingKind::ZeroNormal), 5);
                assert_eq!(count(FindingKind::ZeroTangent), 2120);
            }
            "necklace_1" => assert_eq!(count(FindingKind::ZeroNormal), 14),
            "diamond" => assert_eq!(count(FindingKind::ZeroTangent), 832),
            "hades" => assert_eq!(count(FindingKind::BindPair), 1),
            "eyelash" => assert_eq!(count(FindingKind::PossibleBindPair), 1),
            "Rabbit" => assert_eq!(count(FindingKind::BindPair), 0),
            "eyes" => assert_eq!(count(FindingKind::SeveralRoots), 1),
            "blush" => assert_eq!(count(FindingKind::OverlappingSubsets), 19),
            "octopus" => assert!(count(FindingKind::ZeroScaleBone) > 0),
            _ => {}
        }
    }
}
