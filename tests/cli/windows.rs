//! Differences on Windows: paths, names, and files that other programs have open.

use std::fs::{File, OpenOptions};
use std::os::windows::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::runner::Folder;
use crate::support::{fixtures, gltf};

/// Source: `CreateFileW`, `dwShareMode`: 0 refuses all other programs, 1 and 2 allow them to read and to write.
const FOR_ONE_PROGRAM: u32 = 0;
const FOR_READERS_AND_WRITERS: u32 = 3;

/// Opens a file for writing, as an exporter does.
fn open_for_writing(path: &Path, sharing: u32) -> File {
    OpenOptions::new().write(true).share_mode(sharing).open(path).unwrap()
}

/// Converts `input` to `output` and reads the result.
fn convert(folder: &Folder, input: &str, output: &str) {
    folder.run_to(0, &["convert", input, "-o", output, "--force"]);
    let info = folder.run_to(0, &["info", output, "--json"]).json();
    assert_eq!(info["totals"]["triangles"], 2, "{output}: {info}");
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn drive_letters_are_understood_with_either_separator() {
    let folder = Folder::with(&fixtures::two_triangles());
    let absolute = folder.path("a.bsm2");
    let absolute = text(&absolute);
    let (drive, _) = absolute.split_once('\\').unwrap();
    assert!(drive.len() == 2 && drive.ends_with(':'), "{absolute}");
    convert(&folder, absolute, text(&folder.path("b.glb")));
    convert(&folder, &absolute.replace('\\', "/"), text(&folder.path("c.glb")));
    // Relative to the current folder of the drive.
    convert(&folder, &format!("{drive}a.bsm2"), &format!("{drive}d.glb"));
}

#[test]
fn extended_paths_are_understood() {
    let folder = Folder::with(&fixtures::two_triangles());
    let extended = |name: &str| format!("\\\\?\\{}", folder.path(name).display());
    convert(&folder, &extended("a.bsm2"), &extended("b.glb"));
    // An input is recognized in this form too.
    let args = ["convert", "a.bsm2", "-o", &extended("a.bsm2"), "--force"];
    let ran = folder.run_to(2, &args);
    assert!(ran.stderr.contains("this file is an input"), "{}", ran.stderr);
}

/// `RIGSCOPE_TEST_SHARE` names a folder on a network share, such as `\\server\share`.
#[test]
#[ignore = "needs a network share"]
fn network_shares_are_understood() {
    let share = PathBuf::from(std::env::var_os("RIGSCOPE_TEST_SHARE").expect("a share"));
    assert!(text(&share).starts_with("\\\\"), "{share:?}");
    std::fs::write(share.join("a.bsm2"), fixtures::bsm2(&fixtures::two_triangles())).unwrap();
    let folder = Folder::new();
    convert(&folder, text(&share.join("a.bsm2")), text(&share.join("b.glb")));
    let ran = folder.run_to(0, &["validate", text(&share), "--json"]);
    assert_eq!(ran.json()["files"].as_array().unwrap().len(), 2);
}

#[test]
fn paths_may_be_longer_than_260_characters() {
    let folder = Folder::new();
    let deep = ["a_folder_with_a_name_of_sixty_characters_for_long_paths_here"; 6].join("\\");
    let model = format!("{deep}\\flag.gltf");
    assert!(model.len() > 360);
    std::fs::create_dir_all(folder.path(&deep)).unwrap();
    gltf::write_triangle(&folder.path(&deep), "flag.gltf", "skin.png");
    folder.put_bytes(&format!("{deep}\\skin.png"), &png());
    for input in [model.as_str(), text(&folder.path(&model))] {
        let output = format!("{deep}\\out.gltf");
        folder.run_to(0, &["convert", input, "-o", &output, "--force"]);
        assert_image(&folder, &output);
    }
    let found = folder.run_to(0, &["validate", ".", "--json"]).json();
    assert_eq!(found["files"].as_array().unwrap().len(), 2, "{found}");
}

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let image = image::RgbaImage::from_pixel(2, 2, image::Rgba([200, 40, 30, 255]));
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Checks that the only image of a model was found.
fn assert_image(folder: &Folder, model: &str) {
    let found = folder.run_to(0, &["validate", model, "--json"]).json();
    let findings = found["files"][0]["notes"].as_array().unwrap();
    assert!(
        findings.iter().all(|finding| finding["code"] != "missing-texture"),
        "{model}: {found}"
    );
    let info = folder.run_to(0, &["info", model, "--json"]).json();
    assert_eq!(info["materials"][0]["textures"].as_array().map(Vec::len), Some(1), "{info}");
}

#[test]
fn references_may_contain_backslashes_and_text_may_have_crlf_line_ends() {
    let folder = Folder::new();
    folder.put_bytes("textures/skin.png", &png());
    gltf::write_triangle(&folder.path(""), "flag.gltf", "textures\\skin.png");
    assert_image(&folder, "flag.gltf");
    let obj = "mtllib .\\flag.mtl\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nvt 0 0\r\nusemtl cloth\r\nf 1/1 2/1 3/1\r\n";
    folder.put_bytes("flag.obj", obj.as_bytes());
    folder.put_bytes("flag.mtl", b"newmtl cloth\r\nmap_Kd textures\\skin.png\r\n");
    assert_image(&folder, "flag.obj");
}

#[test]
fn names_may_be_outside_ascii() {
    let folder = Folder::new();
    let name = "H\u{e9}ros \u{43b}\u{435}\u{441} \u{9aa8}.bsm2";
    folder.put(name, &fixtures::two_triangles());
    convert(&folder, name, "\u{9aa8}.glb");
    let ran = folder.run_to(0, &["validate", "."]);
    assert!(ran.stdout.contains(name), "{}", ran.stdout);
    folder.put_bytes("list.txt", format!("\u{feff}{name}\r\n").as_bytes());
    let ran = folder.run_to(0, &["validate", "--files-from", "list.txt"]);
    assert!(ran.stdout.contains(name), "{}", ran.stdout);
}

#[test]
fn device_names_are_never_written_as_files() {
    let folder = Folder::with(&fixtures::two_triangles());
    for output in ["nul.glb", "CON.glb", "aux.gltf"] {
        let ran = folder.run_to(2, &["convert", "a.bsm2", "-o", output, "--force"]);
        assert!(ran.stderr.contains("reserved by Windows"), "{output}: {}", ran.stderr);
    }
    folder.run_to(0, &["convert", "a.bsm2", "-o", "NUL", "--to", "glb"]);
    assert_eq!(folder.names(), ["a.bsm2"]);
}

#[test]
fn files_that_an_exporter_has_open_are_read_or_reported() {
    let folder = Folder::with(&fixtures::two_triangles());
    let exporter = open_for_writing(&folder.path("a.bsm2"), FOR_READERS_AND_WRITERS);
    folder.run_to(0, &["info", "a.bsm2"]);
    drop(exporter);
    let exporter = open_for_writing(&folder.path("a.bsm2"), FOR_ONE_PROGRAM);
    let ran = folder.run_to(2, &["info", "a.bsm2"]);
    let message = "a.bsm2: error: another program is writing this file or doesn't share it";
    assert!(ran.stderr.starts_with(message), "{}", ran.stderr);
    drop(exporter);
    folder.run_to(0, &["info", "a.bsm2"]);
}

#[test]
fn an_output_that_another_program_has_open_stays_as_it_is() {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.put_bytes("b.glb", b"old");
    let engine =
        OpenOptions::new().read(true).share_mode(FOR_ONE_PROGRAM).open(folder.path("b.glb"));
    let engine = engine.unwrap();
    let ran = folder.run_to(2, &["convert", "a.bsm2", "-o", "b.glb", "--force"]);
    assert!(ran.stderr.starts_with("b.glb: error: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("another program"), "{}", ran.stderr);
    drop(engine);
    assert_eq!(folder.bytes("b.glb"), b"old");
    assert_eq!(folder.names(), ["a.bsm2", "b.glb"]);
}
