//! Losses of conversions: those of reading and grafting, in every program, with the same words.

use rigscope_core::model::MeshId;
use std::process::Command;

use glam::Vec3;
use rigscope_io::formats::{WriteOptions, by_id, write};
use rigscope_testing::*;

use super::runner::{Folder, program};

/// A quad on two bones with a clip. The first vertex has `num` more influences.
fn flag(bones: [&str; 2], num: u32) -> Model {
    let mut model = ModelBuilder::new().chain(&bones).quad(Vec3::ZERO).name("flag");
    let mut first = vec![(0, 0.5), (1, 0.25)];
    for extra in 0..num {
        model = model.bones(&[(&format!("extra {extra}"), Some(0), Vec3::X)]);
        first.push((2 + extra, 0.25 / num as f32));
    }
    let lists = [first, vec![(0, 1.0)], vec![(1, 1.0)], vec![(1, 1.0)]];
    let keys = linear([(0.0, Vec3::Y), (1.0, Vec3::Y * 2.0)]);
    model.bound(lists).clip("wave", 1.0).translation(1, keys).checked()
}

fn put_glb(folder: &Folder, name: &str, model: &Model) {
    let format = by_id("gltf").unwrap();
    let files = write(model, format, &WriteOptions::default(), &Report::new()).unwrap();
    folder.put_bytes(name, &files[0].bytes);
}

fn lost(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with("  lost: ")).collect()
}

#[test]
fn bones_of_a_related_file_that_do_not_match_are_a_loss() {
    let folder = Folder::new();
    put_glb(&folder, "a.glb", &flag(["hips", "chest"], 0));
    put_glb(&folder, "b.glb", &flag(["hips", "wing"], 2));
    let args = ["convert", "a.glb", "--with", "b.glb", "-o", "out.glb"];
    let ran = folder.run_to(0, &args);
    let line = "lost: 3 of 5 bones of b have no counterpart in the model: wing, extra 0, extra 1";
    assert!(lost(&ran.stdout).iter().any(|l| l.contains(line)), "{}", ran.stdout);
    let strict: Vec<&str> = args.into_iter().chain(["--strict", "--force"]).collect();
    let ran = folder.run_to(1, &strict);
    assert!(ran.stderr.contains("data would be lost"), "{}", ran.stderr);
    let json: Vec<&str> = args.into_iter().chain(["--json", "--force"]).collect();
    let file = folder.run_to(0, &json).json()["files"][0].clone();
    let losses = file["losses"].as_array().unwrap();
    assert!(losses.iter().any(|loss| loss["code"] == "unmatched-bones"), "{losses:?}");
}

#[test]
fn both_converters_list_the_same_losses() {
    let folder = Folder::new();
    put_glb(&folder, "a.glb", &flag(["hips", "chest"], 4));
    let convert = ["convert", "a.glb", "-o", "b.bsm2", "--rate", "30", "--textures", "none"];
    let ran = folder.run_to(0, &convert);
    let tool = |args: &[&str]| {
        let mut tool = Command::new(program("fbx_bsm2", env!("CARGO_BIN_EXE_fbx_bsm2")));
        tool.args(args).current_dir(folder.path("")).output().unwrap()
    };
    let other = tool(&["a.glb"]);
    let other_text = String::from_utf8(other.stdout).unwrap();
    assert_eq!(lost(&ran.stdout), lost(&other_text), "{}\n{other_text}", ran.stdout);
    let line = "influences beyond four of 1 vertex: up to 12 % of the weight";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let strict = tool(&["--strict", "a.glb"]);
    assert_eq!(strict.status.code(), Some(1));
}

#[test]
fn added_bones_are_named() {
    let folder = Folder::new();
    let mut model = flag(["hips", "chest"], 0);
    inverse_bind_mut(&mut model.meshes[MeshId(0)]).influences =
        Influences::from_lists([&[][..], &[(0, 1.0)], &[(1, 1.0)], &[(1, 1.0)]]);
    put_glb(&folder, "a.glb", &model);
    let ran = folder.run_to(0, &["convert", "a.glb", "-o", "b.iqm"]);
    let line = "added: bone \"_rigscope_still\" was added for vertices without weights";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    let ran = folder.run_to(0, &["convert", "b.iqm", "-o", "c.glb", "--json"]);
    let added = ran.json()["files"][0]["added"].clone();
    let messages = added.as_array().unwrap().iter().map(|one| one["message"].as_str().unwrap());
    let mut messages: Vec<&str> = messages.collect();
    messages.sort_unstable();
    let expected = [
        "bone \"_rigscope_root\" was added as the common parent of the joints of a skin",
        "bone \"_rigscope_still\" was added for vertices without weights",
        "node \"flag\" was added for a mesh",
    ];
    assert_eq!(messages, expected);
}

#[test]
fn strict_conversions_accept_losses_by_their_codes() {
    let folder = Folder::new();
    put_glb(&folder, "a.glb", &flag(["hips", "chest"], 0));
    let strict = ["convert", "a.glb", "-o", "b.obj", "--strict"];
    let ran = folder.run_to(1, &strict);
    let (_, codes) = ran.stderr.split_once("data would be lost (").unwrap();
    let (codes, _) = codes.split_once(')').unwrap();
    let codes: Vec<&str> = codes.split(", ").collect();
    assert!(codes.contains(&"skins") && codes.len() > 2, "{codes:?}");
    folder.run_to(1, &[&strict[..], &["--allow", "skins"]].concat());
    assert!(!folder.path("b.obj").exists());
    folder.run_to(0, &[&strict[..], &["--allow", &codes.join(",")]].concat());
    let ran = folder.run_to(2, &[&strict[..], &["--allow", "skin"]].concat());
    assert!(ran.stderr.contains("unknown loss `skin`; did you mean `skins`?"), "{}", ran.stderr);

    let list: Vec<String> = codes.iter().map(|code| format!("\"{code}\"")).collect();
    let toml = format!("[convert]\nallow = [{}]\n", list.join(", "));
    folder.put_bytes("rigscope.toml", toml.as_bytes());
    folder.run_to(0, &[&strict[..], &["--force"]].concat());
    folder.put_bytes("rigscope.toml", b"[convert]\nallow = [\"nope\"]\n");
    let ran = folder.run_to(2, &[&strict[..], &["--force"]].concat());
    assert!(ran.stderr.contains("rigscope.toml: error: line 2"), "{}", ran.stderr);
}
