//! The thread of the window must never call blocking functions; checked by searching the sources.

use super::sources::{code, source_files};

/// Functions that block or take longer than a frame, the files that may call them, and the reason. All other code must
/// run them on another thread.
const WAITS: [(&str, &[&str], &str); 7] = [
    ("PollType::Wait", &[], "wgpu blocks presenting a frame meanwhile"),
    (
        "block_on(",
        &[
            "gpu/device.rs",
            "gpu/upload.rs",
            "gpu/pending.rs",
            "gpu/readback.rs",
            "app/native/deferred.rs",
            "app/native/jobs.rs",
            "app/native/dialogs.rs",
        ],
        "once before the window opens; on futures that are ready; on other threads; in the command line",
    ),
    (
        "readback::skinned(",
        &["gpu/studio.rs"],
        "in the command line; the window uses `ask_skinned`",
    ),
    (
        "Scene::upload(",
        &["gpu/studio.rs", "app/uploads.rs"],
        "textures take long; in the command line, and on another thread",
    ),
    (
        "SceneMaterials::upload(",
        &["gpu/upload.rs", "app/uploads.rs", "app/view3d.rs"],
        "textures take long; for images and on other threads",
    ),
    (
        "SceneLight::upload(",
        &["gpu/studio.rs", "app/uploads.rs", "app/view3d.rs"],
        "images take long; in the command line, for images and on other threads",
    ),
    ("settings_file::write(", &["app/native/settings.rs"], "disks take long; on another thread"),
];

#[test]
fn nothing_blocks_the_window_thread() {
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
