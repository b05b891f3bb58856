//! Which matrix transforms the normals of each format, and that the rule stays with the model.

use rigscope_core::model::{Axes, Model, NormalMatrix, Report, UpAxis};
use rigscope_core::pack;
use rigscope_core::pose::PoseSpec;
use rigscope_core::reshape;
use rigscope_io::convert::{Check, ConvertOptions, convert, read_back};
use rigscope_io::formats::{FORMATS, WriteOptions};

use crate::support::rich::rich;

/// The behaviour of each format's runtime; the page of each format cites the source.
const RULES: &[(&str, NormalMatrix)] = &[
    ("bonespro", NormalMatrix::InverseTranspose),
    ("bsm", NormalMatrix::InverseTranspose),
    ("bsm2", NormalMatrix::Same),
    ("effect", NormalMatrix::Same),
    ("fbx", NormalMatrix::InverseTranspose),
    ("gltf", NormalMatrix::InverseTranspose),
    ("iqm", NormalMatrix::Cofactor),
    ("json", NormalMatrix::InverseTranspose),
    ("obj", NormalMatrix::InverseTranspose),
    ("ozz", NormalMatrix::Same),
    ("usd", NormalMatrix::InverseTransposePerBone),
    // The formats of The Sims.
    ("bcf", NormalMatrix::Same),
    ("bmf", NormalMatrix::Same),
    ("cmx", NormalMatrix::Same),
    ("far", NormalMatrix::Same),
    ("skn", NormalMatrix::Same),
];

fn rule_of(id: &str) -> NormalMatrix {
    let known = RULES.iter().find(|(known, _)| *known == id);
    known.unwrap_or_else(|| panic!("no rule for {id}")).1
}

#[test]
fn written_files_use_the_normal_matrix_of_their_runtime() {
    let model = rich();
    let report = Report::new();
    let mut num = 0;
    for format in FORMATS.iter().filter(|format| format.info.can_write) {
        let info = &format.info;
        let options = ConvertOptions {
            write: WriteOptions { stem: "rule".into(), ..WriteOptions::default() },
            check: Check::None,
            ..ConvertOptions::default()
        };
        let extension = info.extensions[0];
        let files = convert(&model, format, extension, &options, &report).unwrap();
        let fps = format.written_fps(&model, None);
        let models = read_back(&files.files, format, fps, &report).unwrap();
        for model in models {
            assert_eq!(model.normal_matrix, rule_of(info.id), "{}", info.id);
            num += 1;
        }
    }
    assert!(num >= 8, "{num}");
    for format in FORMATS {
        rule_of(format.info.id);
    }
}

#[test]
fn model_operations_preserve_the_normal_matrix() {
    let mut model = rich();
    model.normal_matrix = NormalMatrix::Cofactor;
    let z_up = Axes { up: UpAxis::Z, ..Axes::default() };
    let plain = reshape::plain(&model, None);
    let others: [(&str, Model); 6] = [
        ("axes", reshape::in_axes(&plain, &z_up)),
        ("scaled", reshape::scaled(&model, 2.0)),
        ("welded", reshape::welded(&plain).0),
        ("merged", reshape::merged(&plain).unwrap().0),
        ("still", reshape::static_model(&model, &PoseSpec::default())),
        ("plain", plain),
    ];
    for (name, other) in others {
        assert_eq!(other.normal_matrix, NormalMatrix::Cofactor, "{name}");
    }
}

#[test]
fn packing_for_bsm2_uses_the_normal_matrix_of_its_shader() {
    let packing = pack::pack(&rich(), &pack::PackOptions::default(), &Report::new()).unwrap();
    for part in &packing.parts {
        assert_eq!(part.model.normal_matrix, NormalMatrix::Same);
    }
}
