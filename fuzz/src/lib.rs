//! The bodies of the fuzz targets: `reader` reads, checks and poses; `images` decodes image files;
//! `every` also runs all operations on a model.
//!
//! `tests/every.rs` includes this file too, so that both run the same code.

use std::sync::Arc;

use rigscope_core::compare::{DiffOptions, compare};
use rigscope_core::model::check::verify;
use rigscope_core::model::{ClipId, Model, Report};
use rigscope_core::pose::{Moment, PoseSpec, Sampling, skin_model};
use rigscope_core::reshape::plain;
use rigscope_core::validate::validate;
use rigscope_io::convert::{ConvertError, ConvertOptions, convert};
use rigscope_io::formats::{
    FORMATS, Folder, Format, Limits, ReadOptions, Source, WriteOptions, open,
};

/// Limit of posed clips; a file may have thousands.
const MAX_CLIPS: usize = 4;

/// Bytes before the file in the input of [`every`]: the format it is read as, the one that is
/// written, and the options of the conversion.
pub const EVERY_HEAD_BYTES: usize = 3;

/// Reads `bytes` as `format`, and poses the checked model.
pub fn read_and_pose(format: &str, bytes: &[u8]) {
    if let Some(model) = read(format, bytes) {
        pose(&model);
    }
}

/// Decodes `bytes` as the detected image type, and writes them as PNG.
pub fn image(bytes: &[u8]) {
    // Small enough that decoding takes no time.
    const MAX_SIDE: u32 = 256;
    // TGA has no magic number; unrecognised bytes are read as TGA.
    const NAME: &str = "fuzz.tga";
    if let Ok(header) = rigscope_core::images::header_within(bytes, NAME, MAX_SIDE) {
        let _ = rigscope_core::images::decode(bytes, header);
        let _ = rigscope_core::images::png(bytes, NAME);
    }
}

/// Reads, checks, poses, validates, bakes, writes, reads back and compares. The first bytes choose
/// both formats: [`every_head`].
pub fn every(bytes: &[u8]) {
    let Some((&[from, to, ways], file)) = bytes.split_first_chunk::<EVERY_HEAD_BYTES>() else {
        return;
    };
    let from = FORMATS[usize::from(from) % FORMATS.len()];
    let Some(model) = read(from.info.id, file) else { return };
    pose(&model);
    validate(&model, &Report::new()).unwrap();
    assert_eq!(verify(&plain(&model, None)), Ok(()));
    let writers: Vec<&Format> = writers().collect();
    let to = writers[usize::from(to) % writers.len()];
    let is_asked = |bit: u8| ways & (1 << bit) != 0;
    let parts = to.info.parts;
    let options = ConvertOptions {
        merge: is_asked(0),
        weld: is_asked(1),
        rate: is_asked(2).then_some(24.0),
        limit_influences: is_asked(3).then_some(2),
        flip_v: is_asked(4),
        scale: is_asked(5).then_some(0.5),
        write: WriteOptions {
            stem: "every".into(),
            part: (parts.first().filter(|_| is_asked(6))).map(|part| part.id.to_owned()),
            ..WriteOptions::default()
        },
        ..ConvertOptions::default()
    };
    let extension = to.info.extensions[0];
    let converted = convert(&model, to, extension, &options, &Report::new());
    if let Err(error @ ConvertError::ReadBack { .. }) = converted {
        panic!("{error}");
    }
    if is_asked(7) {
        compare(&model, &model, &DiffOptions::default(), &Report::new()).unwrap();
    }
}

/// The bytes before a file of the format `from` with which [`every`] writes it as `to`.
pub fn every_head(from: &str, to: &str, ways: u8) -> [u8; EVERY_HEAD_BYTES] {
    let from = FORMATS.iter().position(|format| format.info.id == from);
    let to = writers().position(|format| format.info.id == to);
    let number = |at: Option<usize>| u8::try_from(at.expect("a format")).expect("formats are few");
    [number(from), number(to), ways]
}

fn writers() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().copied().filter(|format| format.info.can_write)
}

fn read(format: &str, bytes: &[u8]) -> Option<Model> {
    let options = ReadOptions {
        format: Some(format.to_owned()),
        limits: Limits { max_alloc_bytes: 256 << 20, ..Limits::default() },
        ..ReadOptions::default()
    };
    let source = Source::new(format!("fuzz.{format}"), bytes.to_vec());
    let source = source.with_folders(match format {
        "effect" => vec![related_files(EFFECT_MESHES, SAMPLE)],
        // Each of the two readers skips the statements of the other.
        "obj" => vec![related_files(MATERIAL_LIBRARY, bytes)],
        _ => Vec::new(),
    });
    let opened = open(&source, &options, &Report::new()).ok()?;
    assert_eq!(verify(&opened.model), Ok(()));
    Some(opened.model)
}

/// Meshes that an effect can refer to.
const EFFECT_MESHES: &[&str] = &["meshes/a.bsm2", "meshes/b.bsm2"];
/// The material library that an OBJ can refer to: the file itself.
const MATERIAL_LIBRARY: &[&str] = &["every.mtl"];
const SAMPLE: &[u8] = include_bytes!("../../assets/sample.bsm2");

/// Files that the input can refer to, all with the same bytes.
struct RelatedFiles {
    paths: Vec<String>,
    bytes: Vec<u8>,
}

fn related_files(paths: &[&str], bytes: &[u8]) -> Arc<dyn Folder> {
    let paths = paths.iter().map(|&path| path.to_owned()).collect();
    Arc::new(RelatedFiles { paths, bytes: bytes.to_vec() })
}

impl Folder for RelatedFiles {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Ok(self.bytes.clone())
    }
}

fn pose(model: &Model) {
    let mut specs = vec![PoseSpec::default()];
    for (number, clip) in model.clips.iter().enumerate().take(MAX_CLIPS) {
        for share in [0.0, 0.37, 1.0] {
            specs.push(PoseSpec {
                clip: Some(ClipId::from_index(number)),
                moment: Moment::TimeSecs(clip.start_secs + clip.duration_secs * share),
                sampling: Sampling::Linear,
                ..PoseSpec::default()
            });
        }
    }
    for spec in specs {
        for (mesh, skinned) in model.meshes.iter().zip(skin_model(model, &spec)) {
            assert_eq!(skinned.positions.len(), mesh.num_vertices());
            for subset in &mesh.subsets {
                let inside = |index| (index as usize) < mesh.num_vertices();
                assert!(mesh.triangles(subset.range()).flatten().all(inside));
            }
        }
    }
}
