//! What the window's thread must never wait for, read off the sources.

use super::sources::{code, source_files};

/// What waits or takes longer than a frame, the files that may do so, and why they may. All other
/// code asks, and hears the answer on a thread of its own.
const WAITS: [(&str, &[&str], &str); 7] = [
    ("PollType::Wait", &[], "wgpu locks out whoever wants to present a frame meanwhile"),
    (
        "block_on(",
        &[
            "gpu/device.rs",
            "gpu/upload.rs",
            "gpu/pending.rs",
            "gpu/pick.rs",
            "gpu/readback.rs",
            "app/native/opening.rs",
            "app/native/jobs.rs",
            "app/native/dialogs.rs",
        ],
        "once, before there is a window; of what answers at once; on a thread of its own; of the command line",
    ),
    (
        "readback::skinned(",
        &["gpu/studio.rs"],
        "of the command line; the window asks with `ask_skinned`",
    ),
    (
        "Scene::upload(",
        &["gpu/studio.rs", "app/uploads.rs"],
        "textures take long; of the command line, and on a thread of its own",
    ),
    (
        "SceneMaterials::upload(",
        &["gpu/upload.rs", "app/uploads.rs", "app/view3d.rs"],
        "textures take long; for pictures and on threads of their own",
    ),
    (
        "SceneLight::upload(",
        &["gpu/studio.rs", "app/uploads.rs", "app/view3d.rs"],
        "images take long; of the command line, for pictures and on threads of their own",
    ),
    (
        "settings_file::write(",
        &["app/native/settings.rs"],
        "disks take long; on a thread of its own",
    ),
];

#[test]
fn nothing_waits_on_the_windows_thread() {
    let mut files = source_files();
    files.retain(|(path, _)| !path.ends_with("tests.rs"));
    assert!(files.len() > 300, "the sources were not found");
    for (word, allowed, why) in WAITS {
        for (path, text) in &files {
            let waits = code(text).contains(word);
            // A file that waits no more leaves the list.
            assert_eq!(waits, allowed.contains(&path.as_str()), "{path}: {word}: {why}");
        }
    }
}
