//! `diagnose`, and the causes that `validate` names.

use glam::{Mat3, Mat4};
use rigscope_core::model::{ClipId, Model, Motion};

use super::rigs;
use super::runner::Folder;
use crate::support::written::converted;

/// A folder with a good rig and the same rig with transposed inverse bind matrices.
fn folder() -> Folder {
    let folder = Folder::new();
    let (_, good) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    let mut bad = good.clone();
    for mesh in &mut bad.meshes {
        let skin = mesh.inverse_bind_mut().unwrap();
        for matrix in &mut skin.bone_from_mesh {
            // The translation stays in its column, since a writer has no other place for it.
            let rotation = Mat4::from_mat3(Mat3::from_mat4(*matrix).transpose());
            *matrix = Mat4::from_translation(matrix.w_axis.truncate()) * rotation;
        }
    }
    let glb = |model: &Model| converted(model, "gltf", None).files[0].1.bytes.clone();
    folder.put_bytes("good.glb", &glb(&good));
    folder.put_bytes("bad.glb", &glb(&bad));
    folder
}

#[test]
fn the_cause_is_named_with_its_evidence_and_fix() {
    let folder = folder();
    let found = folder.run_to(0, &["diagnose", "good.glb"]).stdout;
    assert!(found.starts_with("good.glb: nothing unusual in "), "{found}");
    let found = folder.run_to(1, &["diagnose", "bad.glb"]).stdout;
    let lines: Vec<&str> = found.lines().collect();
    let head = "bad.glb: cause: the inverse bind matrices are transposed (rotations only) \
                [inverse-binds-transposed]";
    assert_eq!(lines[0], head);
    assert!(
        lines[1].starts_with("  evidence: without it, the distance by which the rest pose tears"),
        "{found}"
    );
    assert!(lines[2].starts_with("  fix: "), "{found}");

    let found = folder.run_to(1, &["diagnose", "bad.glb", "--json"]).json();
    assert_eq!(found["schema"], "rigscope.diagnose/1");
    let cause = &found["causes"][0];
    assert_eq!(cause["cause"], "inverse-binds-transposed");
    let [before, after] =
        ["before", "after"].map(|key| cause["evidence"][0][key].as_f64().unwrap());
    assert!(before > 0.1 && after < 1e-3, "{before} {after}");
}

#[test]
fn a_late_clip_shows_by_the_other_files_of_the_folder() {
    let folder = Folder::new();
    let (_, rig) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    for (at, clip) in rig.clips.iter().enumerate() {
        let mut own = Model { clips: vec![clip.clone()].into(), ..rig.clone() };
        if at == 0 {
            let Motion::Tracks(tracks) = &mut own.clips[ClipId(0)].motion else {
                panic!("no tracks")
            };
            for track in tracks {
                let moved = track.translation.iter_mut().flat_map(|track| &mut track.times_secs);
                let turned = track.rotation.iter_mut().flat_map(|track| &mut track.times_secs);
                moved.chain(turned).for_each(|time| *time += 0.3);
            }
            own.clips[ClipId(0)].start_secs = 0.3;
        }
        let bytes = converted(&own, "gltf", None).files[0].1.bytes.clone();
        folder.put_bytes(&format!("{}.glb", clip.name), &bytes);
    }
    folder.run_to(0, &["diagnose", "run.glb"]);
    let found = folder.run_to(1, &["diagnose", "walk.glb"]).stdout;
    assert!(found.contains("(by 0.3 s, in clip \"walk\") [clip-shifted]"), "{found}");
    folder.run_to(0, &["fix", "walk.glb", "-o", "fixed.glb", "--cause", "clip-shifted"]);
    folder.run_to(0, &["diagnose", "fixed.glb"]);
}

#[test]
fn a_good_version_shows_faults_that_look_well_made() {
    let folder = folder();
    let found = folder.run_to(1, &["diagnose", "bad.glb", "--good", "good.glb", "--json"]).json();
    assert_eq!(found["causes"][0]["cause"], "inverse-binds-transposed");
    folder.run_to(0, &["diagnose", "good.glb", "--source", "good.glb"]);
    folder.run_to(2, &["diagnose", "good.glb", "--source", "missing.glb"]);
}

#[test]
fn a_difference_without_a_cause_is_shown_and_taken_over_from_the_good_version() {
    let folder = Folder::new();
    let (_, good) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    let mut bad = good.clone();
    let mesh = bad.meshes.iter_mut().next().unwrap();
    mesh.streams_mut().unwrap().positions[7].y += 0.3;
    let glb = |model: &Model| converted(model, "gltf", None).files[0].1.bytes.clone();
    folder.put_bytes("good.glb", &glb(&good));
    folder.put_bytes("bad.glb", &glb(&bad));
    let args = ["diagnose", "bad.glb", "--good", "good.glb"];
    let ran = folder.run_to(1, &args);
    let head =
        "bad.glb: differs from good.glb, and no known cause explains it: vertices are up to ";
    assert!(ran.stdout.starts_with(head), "{}", ran.stdout);
    assert!(ran.stdout.contains("\n  positions: 1 vertex differs, most "), "{}", ran.stdout);
    let take = "rigscope fix bad.glb --from-good positions --good good.glb -o bad-fixed.glb";
    assert_eq!(ran.suggestions(), [take]);
    let found = folder.run_to(1, &[&args[..], &["--json"]].concat()).json();
    assert_eq!(found["unexplained"]["pieces"][0]["command"], take);
    // The same vertex and distance as in `diff`.
    let diff = folder.run_to(1, &["diff", "good.glb", "bad.glb", "--json"]).json();
    assert_eq!(diff["worst"]["vertex"], 7);
    assert!(found["unexplained"]["message"].as_str().unwrap().contains("vertex 7 of mesh 0"));
    let words: Vec<&str> = take.split(' ').skip(1).collect();
    let fixed = folder.run_to(0, &words).stdout;
    assert!(fixed.contains("positions (piece): the positions of the reference"), "{fixed}");
    folder.run_to(0, &["diff", "good.glb", "bad-fixed.glb"]);
    let other = [&words[..2], &["--from-good", "keys"], &words[4..], &["--force"]].concat();
    let ran = folder.run_to(0, &other);
    assert!(ran.stderr.contains("the keys don't differ from the reference"), "{}", ran.stderr);
    let ran = folder.run_to(2, &["fix", "bad.glb", "--from-good", "keys", "-o", "x.glb"]);
    assert!(ran.stderr.contains("--source"), "{}", ran.stderr);
}

#[test]
fn validate_groups_findings_under_their_cause() {
    let folder = folder();
    let found = folder.run_to(0, &["validate", "bad.glb", "--json"]).json();
    let cause = &found["files"][0]["causes"][0];
    assert_eq!(cause["cause"], "inverse-binds-transposed");
    let explains: Vec<&str> =
        cause["explains"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
    assert!(explains.contains(&"dislocated-joint"), "{explains:?}");
    let text = folder.run_to(0, &["validate", "bad.glb", "--brief"]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("bad.glb: cause: the inverse bind matrices"), "{text}");
    assert!(lines[1].ends_with(&format!("[{}]", explains[0])), "{text}");
    let commands = folder.run_to(0, &["validate", "bad.glb"]).suggestions();
    assert_eq!(commands[0], "rigscope diagnose bad.glb");
    let denied = ["validate", "bad.glb", "--deny", "inverse-binds-transposed"];
    folder.run_to(1, &denied);
    folder.run_to(0, &["validate", "bad.glb", "--deny", "up-axis"]);
    let good = folder.run_to(0, &["validate", "good.glb", "--json"]).json();
    assert_eq!(good["files"][0]["causes"], serde_json::json!([]));
    for format in ["sarif", "github", "gitlab", "junit", "markdown", "html"] {
        let report = folder.run_to(0, &["validate", "bad.glb", "--report", format]).stdout;
        assert!(report.contains("; cause: the inverse bind matrices"), "{format}: {report}");
    }
}

#[test]
fn check_and_bisect_know_causes() {
    const CAUSE: &str = "inverse-binds-transposed";
    let folder = folder();
    std::fs::copy(folder.path("good.glb"), folder.path("hero.glb")).unwrap();
    folder.run_to(0, &["baseline", "hero.glb"]);
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let mut git = std::process::Command::new("git");
        let ran = git.current_dir(folder.path(".")).args(identity).args(args).output();
        ran.is_ok_and(|ran| ran.status.success())
    };
    let has_git = git(&["init", "--quiet"]);
    let commit = || git(&["add", "-A"]) && git(&["commit", "--quiet", "-m", "export"]);
    assert_eq!(commit(), has_git);
    std::fs::copy(folder.path("bad.glb"), folder.path("hero.glb")).unwrap();
    assert_eq!(commit(), has_git);

    let found = folder.run_to(1, &["check", "hero.glb", "--json"]).json();
    assert_eq!(found["files"][0]["causes"][0]["cause"], CAUSE);
    let text = folder.run_to(1, &["check", "hero.glb"]).stdout;
    assert!(text.contains(&format!(" [{CAUSE}]")), "{text}");
    if has_git {
        let bisected = folder.run_to(0, &["bisect", "--finding", CAUSE, "hero.glb"]).stdout;
        assert!(bisected.contains("A: export\n  the inverse bind matrices"), "{bisected}");
    }
}

#[test]
fn causes_are_ignored_by_name_and_counted() {
    const CAUSE: &str = "inverse-binds-transposed";
    let folder = folder();
    let ignored = folder.run_to(0, &["diagnose", "bad.glb", "--allow", CAUSE]).stdout;
    assert_eq!(ignored, format!("bad.glb: 1 cause ignored: {CAUSE}\n"));
    let ran = folder.run_to(0, &["diagnose", "bad.glb", "--json", "--allow", CAUSE]);
    let found = ran.json();
    assert_eq!(found["causes"], serde_json::json!([]));
    assert_eq!(found["ignored"], serde_json::json!([CAUSE]));
    let other = folder.run_to(1, &["diagnose", "bad.glb", "--allow", "up-axis"]).stdout;
    assert!(other.contains(CAUSE) && !other.contains("ignored"), "{other}");
    let ran = folder.run_to(2, &["diagnose", "bad.glb", "--allow", "up-axs"]);
    assert!(ran.stderr.contains("did you mean `up-axis`"), "{}", ran.stderr);
    // `validate` shows the findings without their cause.
    let found = folder.run_to(0, &["validate", "bad.glb", "--json", "--allow", CAUSE]).json();
    let file = &found["files"][0];
    assert_eq!(file["causes"], serde_json::json!([]));
    assert!(file["notes"].as_array().unwrap().iter().any(|own| own["code"] == "dislocated-joint"));

    folder.put_bytes("rigscope.toml", format!("[validate]\nallow = ['{CAUSE}']").as_bytes());
    folder.run_to(0, &["diagnose", "bad.glb"]);
    folder.run_to(1, &["diagnose", "bad.glb", "--deny", CAUSE]);
    let found = folder.run_to(0, &["validate", "bad.glb", "--json"]).json();
    assert_eq!(found["files"][0]["causes"], serde_json::json!([]));
    let ignore = format!("[[ignore]]\nrule = '{CAUSE}'\nfiles = ['good.glb']\nreason = 'x'");
    folder.put_bytes("rigscope.toml", ignore.as_bytes());
    folder.run_to(1, &["diagnose", "bad.glb"]);
}

#[cfg(feature = "gpu")]
#[test]
fn the_image_shows_the_model_with_and_without_the_fault() {
    let folder = folder();
    folder.run_to(1, &["diagnose", "bad.glb", "--image", "both.png"]);
    let image = image::load_from_memory(&folder.bytes("both.png")).unwrap().into_rgba8();
    assert_eq!(image.dimensions(), (1280, 720));
    let half = |left: u32| image::imageops::crop_imm(&image, left, 0, 640, 720).to_image();
    assert_ne!(half(0), half(640));
    let ran = folder.run_to(0, &["diagnose", "good.glb", "--image", "none.png"]);
    assert!(ran.stderr.contains("not written, because no cause was found"), "{}", ran.stderr);
    folder.run_to(2, &["diagnose", "bad.glb", "--image", "both.jpg"]);
}

#[test]
#[cfg(unix)]
fn printed_fixes_of_two_late_clips_succeed() {
    let folder = Folder::new();
    let (_, good) = rigs::all().into_iter().find(|(name, _)| name == "biped").unwrap();
    let mut late = good.clone();
    for (clip, late_secs) in late.clips.iter_mut().zip([0.3, 0.5]) {
        let Motion::Tracks(tracks) = &mut clip.motion else { panic!("no tracks") };
        for track in tracks {
            let moved = track.translation.iter_mut().flat_map(|track| &mut track.times_secs);
            let turned = track.rotation.iter_mut().flat_map(|track| &mut track.times_secs);
            moved.chain(turned).for_each(|time| *time += late_secs);
        }
        clip.start_secs += late_secs;
    }
    let glb = |model: &Model| converted(model, "gltf", None).files[0].1.bytes.clone();
    folder.put_bytes("good.glb", &glb(&good));
    folder.put_bytes("late.glb", &glb(&late));
    for options in [["--source", "good.glb"], ["--good", "good.glb"]] {
        let ran = folder.run_to(1, &[&["diagnose", "late.glb"][..], &options].concat());
        let commands = ran.suggestions();
        assert!(!commands.is_empty(), "{}", ran.stdout);
        for command in commands {
            // Again for the second command: the result of the first isn't a clip next to the model.
            let fixed = folder.run_in_shell(&format!("{command} --force"));
            assert_eq!(fixed.code, 0, "{command}\n{}{}{}", ran.stdout, fixed.stdout, fixed.stderr);
        }
        let args = [&["diagnose", "late-fixed.glb"][..], &options].concat();
        folder.run_to(0, &args);
        std::fs::remove_file(folder.path("late-fixed.glb")).unwrap();
    }
}
