//! Data that writers generate if the source lacks it: normals, and files for embedded images.

use rigscope_core::model::{FindingKind, ImageId, Model, Report, TextureRole};
use rigscope_io::convert::{Check, ConvertOptions, Converted, convert};
use rigscope_io::formats::{
    OutputPlace, ReadOptions, RelatedFile, Source, WriteOptions, by_id, open,
};

use crate::support::rich::rich;
use crate::support::{open_file, samples};

fn converted(model: &Model, to: &str, extension: &str) -> Converted {
    let options = ConvertOptions {
        write: WriteOptions { stem: "out".into(), ..WriteOptions::default() },
        check: Check::None,
        ..ConvertOptions::default()
    };
    let format = by_id(to).unwrap();
    convert(model, format, extension, &options, &Report::new()).unwrap()
}

/// Reads the main file with all other outputs as related files, and with images.
fn read(converted: &Converted) -> Model {
    let mut main = None;
    let mut along = Vec::new();
    for (name, file) in &converted.files {
        match file.place {
            OutputPlace::Main => main = Some((name.clone(), file.bytes.clone())),
            _ => along.push(RelatedFile::new(name.clone(), file.bytes.clone())),
        }
    }
    let (name, bytes) = main.unwrap();
    let source = Source::new(name, bytes).with_related_files(along);
    let options = ReadOptions { images: true, ..ReadOptions::default() };
    open(&source, &options, &Report::new()).unwrap().model
}

fn is_told(converted: &Converted, kind: FindingKind) -> bool {
    converted.findings.iter().any(|finding| finding.kind == kind)
}

#[test]
#[cfg_attr(not(has_samples), ignore = "no samples")]
fn missing_normals_are_generated_for_formats_that_need_them() {
    let folder = samples();
    let fox = open_file(&folder.join("gltf/Fox.glb"), &[], &Report::new()).unwrap();
    assert!(fox.meshes.iter().all(|mesh| mesh.normal(0).is_none()));
    for (to, extension) in [("bsm2", "bsm2"), ("bsm", "bsm"), ("skn", "skn"), ("bmf", "bmf")] {
        let converted = converted(&fox, to, extension);
        assert!(is_told(&converted, FindingKind::NormalsMade), "{to}");
        let written = read(&converted);
        assert!(written.num_vertices() > 0);
        for mesh in &written.meshes {
            for vertex in 0..mesh.num_vertices() {
                let length = mesh.normal(vertex).unwrap().length();
                assert!((length - 1.0).abs() < 0.01, "{to}: {vertex} {length}");
            }
        }
    }
    let again = converted(&read(&converted(&fox, "bsm2", "bsm2")), "bsm2", "bsm2");
    assert!(!is_told(&again, FindingKind::NormalsMade));
}

#[test]
fn embedded_images_are_written_as_separate_files_and_found_again() {
    let mut model = rich();
    for (name, written) in [("", "out_image_0.png"), ("Skin tone.tga", "Skin_tone.png")] {
        model.images[ImageId(0)].name = name.into();
        for (to, extension) in [("obj", "obj"), ("bsm", "bsm")] {
            let converted = converted(&model, to, extension);
            assert!(is_told(&converted, FindingKind::ImageBeside), "{to}");
            let (_, file) = converted.files.iter().find(|(n, _)| n == written).unwrap();
            assert!(file.is_related_file);
            assert_eq!(file.bytes, &model.images[ImageId(0)].bytes[..]);
            let read = read(&converted);
            let mut textures = read.materials.iter().flat_map(|m| &m.textures);
            let texture = textures
                .find(|t| t.role == TextureRole::BaseColor && t.path.ends_with(written))
                .unwrap_or_else(|| panic!("{to}: {written}"));
            let image = &read.images[texture.image.unwrap()];
            assert_eq!(&image.bytes[..], &model.images[ImageId(0)].bytes[..]);
        }
    }
}

#[test]
fn formats_with_only_material_names_get_images_named_after_materials() {
    for to in ["bsm2", "iqm"] {
        let converted = converted(&rich(), to, to);
        let mut findings = converted.findings.iter();
        let is_it = |message: &str| message.contains("skin.png");
        assert!(findings.any(|finding| is_it(&finding.message)), "{to}: {:?}", converted.findings);
        let names: Vec<&str> = converted.files.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names[1..], ["skin.png"], "{to}");
        let read = read(&converted);
        let found = read.materials.iter().find_map(|m| m.image_of(TextureRole::BaseColor));
        let image = &read.images[found.unwrap().image.unwrap()];
        assert_eq!(&image.bytes[..], &rich().images[ImageId(0)].bytes[..]);
    }
}
