//! `log`, `bisect` and `diff --git` in a scratch repository.

use std::process::Command;

use rigscope_core::model::{MeshId, Model, Motion, VertexData};
use serde_json::Value;

use super::rigs;
use super::runner::Folder;
use crate::support::written::converted;

/// Runs Git in the folder; `None` if it isn't installed.
fn git(folder: &Folder, args: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(folder.path(""))
        .output()
        .ok()?;
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

fn commit(folder: &Folder, message: &str) {
    git(folder, &["add", "-A"]).unwrap();
    git(folder, &["commit", "--quiet", "--allow-empty", "-m", message]).unwrap();
}

/// A repository with ten revisions of a model: a weight is wrong from the fifth on, and a vertex moves at the eighth.
fn repository() -> Option<Folder> {
    let folder = Folder::new();
    git(&folder, &["init", "--quiet"])?;
    for revision in 0..10u8 {
        let mut bytes = rigscope_assets::SAMPLE.to_vec();
        if revision >= 5 {
            // The weights of the first vertex follow six counts and 28 bytes of other attributes.
            bytes[52] = 3;
        }
        if revision >= 8 {
            // x of the first vertex, after six counts.
            bytes[24..28].copy_from_slice(&0.9f32.to_le_bytes());
        }
        folder.put_bytes("hero.bsm2", &bytes);
        folder.put_bytes("notes.txt", &[b'0' + revision]);
        commit(&folder, &format!("revision {revision}"));
    }
    Some(folder)
}

#[test]
fn the_revision_that_introduced_a_finding_or_a_motion_is_found() {
    let Some(folder) = repository() else { return };
    let by_finding = ["bisect", "hero.bsm2", "--finding", "weights-not-normalized", "--json"];
    let found = folder.run_to(0, &by_finding).json();
    assert_eq!(found["subject"], "revision 5");
    let by_motion = ["bisect", "hero.bsm2", "--moved", "1%"];
    let text = folder.run_to(0, &by_motion).stdout;
    assert!(text.contains("A: revision 8\n  vertices moved by up to "), "{text}");
    // Without a sign, it is a percentage too: the vertex moved by more than 5 %.
    let text = folder.run_to(0, &["bisect", "hero.bsm2", "--moved", "5"]).stdout;
    assert!(text.contains("A: revision 8\n  vertices moved by up to "), "{text}");
    let ran = folder.run_to(2, &["bisect", "hero.bsm2", "--moved", "500"]);
    assert!(ran.stderr.contains("no vertex has moved by more than 500 %"), "{}", ran.stderr);
    let ran = folder.run_to(2, &["bisect", "hero.bsm2", "--finding", "no-clips"]);
    assert!(ran.stderr.contains("it has no finding no-clips"), "{}", ran.stderr);
    let ran = folder.run_to(2, &["bisect", "hero.bsm2", "--finding", "weigths"]);
    assert!(ran.stderr.contains("there is no such finding"), "{}", ran.stderr);
}

#[test]
fn the_log_has_a_line_per_revision_of_the_file() {
    let Some(folder) = repository() else { return };
    let text = folder.run_to(0, &["log", "hero.bsm2"]).stdout;
    let lines: Vec<&str> = text.lines().collect();
    // Revisions that don't change the file aren't listed.
    assert_eq!(lines.len(), 4, "{text}");
    assert!(lines[1].ends_with("\"revision 8\"") && lines[1].contains('%'), "{text}");
    assert!(lines[2].contains("+weights-not-normalized \"revision 5\""), "{text}");
    assert!(lines[3].ends_with("\"revision 0\""), "{text}");
    let lines = folder.run_to(0, &["log", "hero.bsm2", "--jsonl", "-n", "1"]).stdout;
    let line: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(
        (&line["schema"], &line["subject"]),
        (&"rigscope.log/1".into(), &"revision 8".into())
    );
    assert!(line["moved"].as_f64().unwrap() > 0.01, "{line}");
    let ran = folder.run_to(2, &["log", "other.bsm2"]);
    assert!(ran.stderr.contains("no revision has this file"), "{}", ran.stderr);
}

#[test]
fn a_folder_has_a_log_per_model_and_no_bisection() {
    let Some(folder) = repository() else { return };
    // Another model, whose revisions alternate with those of the first.
    let mut other = rigscope_assets::SAMPLE.to_vec();
    for revision in 0..2u8 {
        other[24..28].copy_from_slice(&f32::from(revision + 1).to_le_bytes());
        folder.put_bytes("props/other.bsm2", &other);
        commit(&folder, &format!("other {revision}"));
    }
    let text = folder.run_to(0, &["log", "."]).stdout;
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert!(
        parts[0].starts_with("hero.bsm2:\n") && parts[1].starts_with("props/other.bsm2:\n"),
        "{text}"
    );
    assert_eq!((parts[0].lines().count(), parts[1].trim_end().lines().count()), (5, 4), "{text}");
    assert!(parts.len() == 2 && !parts[0].contains("\"other"), "{text}");
    let lines = folder.run_to(0, &["log", "props", "--jsonl"]).stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line["file"] == "props/other.bsm2"), "{lines:?}");
    // The vertex moved, and no line says otherwise.
    assert!(lines[0]["moved"].as_f64().unwrap() > 0.1, "{lines:?}");
    let ran = folder.run_to(2, &["bisect", "props", "--moved", "5"]);
    assert!(ran.stderr.contains("is a folder; bisect follows one file"), "{}", ran.stderr);
}

#[test]
fn changed_models_are_compared_between_revisions_and_with_the_disk() {
    let Some(folder) = repository() else { return };
    let ran = folder.run_to(1, &["diff", "--git", "HEAD~9..HEAD"]);
    assert!(ran.stdout.starts_with("hero.bsm2: differs"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("notes.txt"), "{}", ran.stdout);
    let ran = folder.run_to(0, &["diff", "--git", "HEAD"]);
    assert!(ran.stderr.contains("no model file has changed"), "{}", ran.stderr);
    std::fs::rename(folder.path("hero.bsm2"), folder.path("other.bsm2")).unwrap();
    git(&folder, &["add", "-A"]).unwrap();
    let found = folder.run_to(1, &["diff", "--git", "HEAD", "--json"]).json();
    let states: Vec<_> = found["files"].as_array().unwrap().iter().map(|f| &f["state"]).collect();
    assert_eq!(states, ["removed", "added"]);
    let ran = folder.run_to(2, &["diff", "--git", "nope"]);
    assert!(ran.stderr.contains("there is no revision nope"), "{}", ran.stderr);
    let ran = folder.run_to(2, &["diff", "other.bsm2"]);
    assert!(ran.stderr.contains("diff compares two files"), "{}", ran.stderr);
}

#[test]
fn git_shows_and_compares_models_by_these_commands() {
    let Some(folder) = repository() else { return };
    let program = env!("CARGO_BIN_EXE_rigscope");
    folder.put_bytes(".gitattributes", b"*.bsm2 diff=rigscope\n");
    git(&folder, &["config", "diff.rigscope.textconv", &format!("'{program}' info --dump")])
        .unwrap();
    // A finding of a rule at the fifth revision, and a vertex that moves at the eighth.
    let text = git(&folder, &["diff", "HEAD~5", "HEAD~4", "--", "hero.bsm2"]).unwrap();
    assert!(text.contains("\n+") && text.contains("weights-not-normalized"), "{text}");
    let text = git(&folder, &["diff", "HEAD~2", "HEAD~1", "--", "hero.bsm2"]).unwrap();
    let changed = |start: &str| text.lines().any(|line| line.starts_with(start));
    assert!(changed("+    mesh 0") && changed("+    clip 0"), "{text}");
    // A file that can't be read doesn't stop Git.
    folder.put_bytes("hero.bsm2", &rigscope_assets::SAMPLE[..5000]);
    let text = git(&folder, &["diff", "--", "hero.bsm2"]).unwrap();
    assert!(text.contains("+can't be read: "), "{text}");
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    let tool = format!("'{program}' diff \"$LOCAL\" \"$REMOTE\"");
    git(&folder, &["config", "difftool.rigscope.cmd", &tool]).unwrap();
    let text =
        git(&folder, &["difftool", "-y", "-t", "rigscope", "HEAD~9", "HEAD", "--", "hero.bsm2"]);
    assert!(text.unwrap().starts_with("differs"));
}

#[test]
fn a_check_measures_against_the_repository() {
    let Some(folder) = repository() else { return };
    folder.run_to(0, &["baseline", "hero.bsm2"]);
    commit(&folder, "baseline");
    let mut bytes = folder.bytes("hero.bsm2");
    bytes[24..28].copy_from_slice(&0.5f32.to_le_bytes());
    folder.put_bytes("hero.bsm2", &bytes);
    let found = folder.run_to(1, &["check", "--json"]).json();
    let moved = &found["files"][0]["moved"];
    let message = moved["message"].as_str().unwrap();
    assert!(message.starts_with("vertices moved by up to "), "{message}");
    assert!(message.contains("vertex 0 of mesh 0, bone "), "{message}");
    assert!(moved["of_size"].as_f64().unwrap() > 0.1, "{moved}");
}

#[test]
fn commits_that_change_only_a_related_file_are_in_the_log() {
    let folder = Folder::new();
    if git(&folder, &["init", "--quiet"]).is_none() {
        return;
    }
    folder.put_bytes("sample.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "sample.bsm2", "-o", "hero.gltf"]);
    commit(&folder, "add");
    let buffer = folder.names().into_iter().find(|name| name.ends_with(".bin")).unwrap();
    let mut bytes = folder.bytes(&buffer);
    let end = bytes.len();
    // The last values of the buffer are keys.
    bytes[end - 4..].copy_from_slice(&0.25f32.to_le_bytes());
    folder.put_bytes(&buffer, &bytes);
    commit(&folder, "change the buffer");
    let text = folder.run_to(0, &["log", "hero.gltf"]).stdout;
    let subjects: Vec<&str> =
        text.lines().skip(1).filter_map(|line| line.rsplit("  ").next()).collect();
    assert_eq!(subjects.len(), 2, "{text}");
    assert!(subjects[0].ends_with("\"change the buffer\""), "{text}");
}

#[test]
fn the_hook_of_the_manual_checks_staged_models() {
    let Some(folder) = repository() else { return };
    let page = std::fs::read_to_string(crate::support::root().join("docs/ci.md")).unwrap();
    let (_, hook) = page.split_once("## A Git hook").unwrap();
    let script = hook.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let program = env!("CARGO_BIN_EXE_rigscope");
    folder.put_bytes(
        ".git/hooks/pre-commit",
        script.replace("rigscope validate", &format!("'{program}' validate")).as_bytes(),
    );
    let run = Command::new("chmod")
        .args(["+x", ".git/hooks/pre-commit"])
        .current_dir(folder.path(""))
        .status();
    if !run.is_ok_and(|status| status.success()) {
        return;
    }
    let commits = |message: &str| {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=A",
                "-c",
                "user.email=a@example.org",
                "commit",
                "-q",
                "-m",
                message,
            ])
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        // Git shows both outputs of a hook on its standard error.
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&text).into_owned())
    };
    // The staged file is damaged, and the one in the working tree is good again.
    folder.put_bytes("exports/a.bsm2", &rigscope_assets::SAMPLE[..5000]);
    git(&folder, &["add", "-A"]).unwrap();
    folder.put_bytes("exports/a.bsm2", rigscope_assets::SAMPLE);
    let (is_committed, text) = commits("damaged");
    assert!(!is_committed && text.contains("exports/a.bsm2: error: "), "{text}");
    // And the other way round.
    git(&folder, &["add", "-A"]).unwrap();
    folder.put_bytes("exports/a.bsm2", &rigscope_assets::SAMPLE[..5000]);
    let (is_committed, text) = commits("good");
    assert!(is_committed, "{text}");
}

/// Moves a vertex of a model.
fn move_vertex(model: &mut Model) {
    let VertexData::Streams(streams) = &mut model.meshes[MeshId(0)].vertices else {
        panic!("packed")
    };
    let at = streams.positions.len() / 3;
    streams.positions[at].y += 0.2;
}

/// Turns the key in the middle of a track of each clip.
fn turn_key(model: &mut Model) {
    for clip in &mut model.clips {
        let Motion::Tracks(tracks) = &mut clip.motion else { continue };
        let Some(track) = tracks.iter_mut().find_map(|track| track.rotation.as_mut()) else {
            continue;
        };
        let at = track.values.len() / 2;
        track.values[at] *= glam::Quat::from_rotation_x(0.3);
    }
}

#[test]
fn diff_log_and_check_name_the_same_distance_vertex_clip_and_time() {
    let glb = |model: &Model| converted(model, "gltf", None).files[0].1.bytes.clone();
    let mut num_in_clips = 0;
    let changes: [fn(&mut Model); 2] = [move_vertex, turn_key];
    for (rig, model) in rigs::all().into_iter().take(3) {
        for (number, change) in changes.into_iter().enumerate() {
            let case = format!("{rig}, change {number}");
            let folder = Folder::new();
            if git(&folder, &["init", "--quiet"]).is_none() {
                return;
            }
            let mut changed = model.clone();
            change(&mut changed);
            folder.put_bytes("model.glb", &glb(&model));
            folder.run_to(0, &["baseline", "."]);
            commit(&folder, "before");
            folder.put_bytes("old/model.glb", &glb(&model));
            folder.put_bytes("model.glb", &glb(&changed));
            let diff = folder.run_to(1, &["diff", "old/model.glb", "model.glb", "--json"]).json();
            let worst = &diff["worst"];
            let check = folder.run_to(1, &["check", "model.glb", "--json"]).json();
            let moved = &check["files"][0]["moved"];
            commit(&folder, "after");
            let log = folder.run_to(0, &["log", "model.glb", "--jsonl", "-n", "1"]).stdout;
            let log: Value = serde_json::from_str(&log).unwrap();

            assert!(worst["of_size"].as_f64().unwrap() > 1e-3, "{case}: {diff}");
            assert_eq!(log["moved"], worst["of_size"], "{case}: {log}");
            assert_eq!(moved["of_size"], worst["of_size"], "{case}: {check}");
            assert_eq!(moved["time_secs"], worst["time_secs"], "{case}: {check}");
            let place = log["moved_at"].as_str().unwrap();
            let vertex = format!("vertex {} of mesh {}", worst["vertex"], worst["mesh"]);
            assert!(place.starts_with(&vertex), "{case}: {worst} {place}");
            let message = moved["message"].as_str().unwrap();
            assert!(message.ends_with(place), "{case}: {message} {place}");
            let Some(clip) = worst["clip"].as_u64() else { continue };
            num_in_clips += 1;
            let name = moved["clip"].as_str().unwrap();
            assert!(place.ends_with(&format!(" of clip {clip} {name:?}")), "{case}: {place}");
        }
    }
    assert!(num_in_clips >= 3, "{num_in_clips}");
}
