//! The text of `convert`: losses, deviations with their reason, and related files.

use super::runner::Folder;

fn sample() -> Folder {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    folder
}

fn lines<'a>(stdout: &'a str, label: &str) -> Vec<&'a str> {
    let lines = stdout.lines().map(str::trim);
    lines.filter_map(|line| line.strip_prefix(label)).map(str::trim).collect()
}

#[test]
fn blended_steps_between_keys_are_a_loss_and_the_hint_names_the_option() {
    let folder = sample();
    let ran =
        folder.run_to(0, &["convert", "hero.bsm2", "-o", "steps.glb", "--step-keys", "--strict"]);
    let measured = lines(&ran.stdout, "measured:");
    assert!(measured[0].starts_with("positions exact; "), "{}", ran.stdout);
    assert_eq!(lines(&ran.stdout, "lost:"), [""; 0]);
    assert_eq!(lines(&ran.stdout, "hint:"), [""; 0]);
    let glb = folder.bytes("steps.glb");
    let is_step = glb.windows(6).any(|bytes| bytes == b"\"STEP\"");
    assert!(is_step, "no sampler holds its keys");

    let blended = ["convert", "hero.bsm2", "-o", "hero.glb"];
    let ran = folder.run_to(0, &blended);
    let measured = lines(&ran.stdout, "measured:");
    assert!(
        measured[0].starts_with(
            "positions exact at every key; between keys .bsm2 holds each key and .glb blends: up to 7.7 % of the \
             size (vertex 2743 of mesh 0, bone 10 \"hand_l\", at 1.762 s of clip 1 \"wave\"); normals deviate by up to 9.1°"
        ),
        "{}",
        ran.stdout
    );
    let lost =
        "steps between keys are blended: vertices deviate by up to 7.7 % of the size between keys";
    assert_eq!(lines(&ran.stdout, "lost:"), [lost]);
    let hint = ["--step-keys keeps the steps between keys"];
    assert_eq!(lines(&ran.stdout, "hint:"), hint);

    let also = |more: &[&'static str]| [&blended[..], more].concat();
    folder.run_to(1, &also(&["--force", "--strict"]));
    let json = folder.run_to(0, &also(&["--force", "--json"])).json();
    assert_eq!(json["with_losses"], 1);
    let losses = &json["files"][0]["losses"];
    assert_eq!(losses[0]["code"], "deviation-between-keys");
    assert_eq!(losses[0]["message"], lost);
}

#[test]
fn a_static_format_reports_one_sentence_about_skeleton_and_animation() {
    let folder = sample();
    let ran = folder.run_to(0, &["convert", "hero.bsm2", "-o", "hero.obj"]);
    assert_eq!(
        lines(&ran.stdout, "lost:"),
        [
            "skeleton, skin and 2 clips left out: the meshes are written in their default pose",
            "tangents left out"
        ]
    );
    assert!(
        lines(&ran.stdout, "measured:")[0].starts_with("default pose exact; "),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_reason_is_stated_if_nothing_is_compared() {
    let folder = sample();
    let ran = folder
        .run_to(0, &["convert", "hero.bsm2", "-o", "hero.ozz", "--part", "skeleton", "--force"]);
    let measured = lines(&ran.stdout, "measured:");
    assert_eq!(measured, ["not compared, because there are no vertices"], "{}", ran.stdout);
}

#[test]
fn files_of_the_folder_are_announced_and_outputs_of_earlier_runs_not_added_again() {
    let folder = sample();
    folder.run_to(0, &["convert", "hero.bsm2", "-o", "hero.glb"]);
    folder.run_to(0, &["convert", "hero.glb", "-o", "hero.ozz"]);
    let names = |file: &str| -> Vec<String> {
        let info = folder.run_to(0, &["info", file, "--json"]).json();
        let clips = info["clips"].as_array().unwrap().iter();
        clips.map(|clip| clip["name"].as_str().unwrap().to_owned()).collect()
    };
    // The outputs for ozz are next to the input now.
    assert_eq!(names("hero.glb"), ["walk", "wave"]);
    let again = folder.run_to(0, &["convert", "hero.glb", "-o", "again.glb"]);
    assert!(!again.stdout.contains("using"), "{}", again.stdout);
    assert_eq!(names("again.glb"), ["walk", "wave"]);

    let text = "using hero.skeleton.ozz (skeleton) and hero.walk.ozz, hero.wave.ozz (animations) from the same \
                folder; --without hero.skeleton.ozz ignores it";
    let ran = folder.run_to(0, &["convert", "hero.ozz", "-o", "back.glb"]);
    assert_eq!(lines(&ran.stdout, "info:")[0], text, "{}", ran.stdout);
    let ran = folder.run_to(0, &["pose", "hero.ozz", "--clip", "walk", "-o", "pose.obj"]);
    assert!(ran.stderr.contains(text), "{}", ran.stderr);
}
