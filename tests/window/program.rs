//! The program itself on a real or virtual display.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rigscope_state::PANES;

use crate::host::asset;

/// A software GPU on a busy machine takes its time.
const PATIENCE: Duration = Duration::from_secs(90);

/// The program with separate settings.
fn program(settings: &tempfile::TempDir) -> Command {
    let displays = ["DISPLAY", "WAYLAND_DISPLAY"].map(std::env::var_os);
    assert!(
        displays.into_iter().flatten().any(|name| !name.is_empty()),
        "no display: run the tests under xvfb-run (packages xvfb and xauth), or set \
         RIGSCOPE_DISPLAY=none to leave out what needs one"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    command.env("RIGSCOPE_CONFIG_DIR", settings.path());
    command
}

fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Runs the program, checks the exit code, and returns stderr.
fn ended(program: &mut Command, code: i32) -> String {
    let output = program.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn the_window_opens_saves_a_screenshot_and_closes() {
    let folder = scratch();
    let mut program = program(&folder);
    let picture = folder.path().join("window.png");
    program.arg("view").arg(asset()).arg("--screenshot").arg(&picture);
    program.args(["--clip", "wave", "--time", "0.5", "--exit-after-frames", "3"]);
    ended(&mut program, 0);
    let png = std::fs::read(&picture).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    // A window of one colour would be far smaller.
    assert!(png.len() > 20_000, "{} bytes", png.len());
    let settings = std::fs::read_to_string(folder.path().join("settings.ron")).unwrap();
    assert!(settings.contains("sample.bsm2"), "it is a recent file");
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn a_model_uploaded_in_the_background_is_shown() {
    // More vertices than a frame has time for.
    const SIDE: usize = 400;
    let folder = scratch();
    let (path, picture) = (folder.path().join("red.obj"), folder.path().join("window.png"));
    let mut text = String::new();
    for at in 0..SIDE * SIDE {
        text.push_str(&format!("v {} {} 0 1 0 0\n", at % SIDE, at / SIDE));
    }
    for at in (1..SIDE * (SIDE - 1)).filter(|at| at % SIDE != 0) {
        text.push_str(&format!("f {at} {} {} {}\n", at + 1, at + 1 + SIDE, at + SIDE));
    }
    std::fs::write(&path, text).unwrap();
    let mut program = program(&folder);
    program.arg("view").arg(&path).arg("--screenshot").arg(&picture);
    ended(program.args(["--exit-after-frames", "2"]), 0);
    let picture = image::open(&picture).unwrap().into_rgb8();
    let is_red = |pixel: &&image::Rgb<u8>| pixel[0] > 60 && pixel[0] / 3 > pixel[1].max(pixel[2]);
    let num_red = picture.pixels().filter(is_red).count();
    assert!(num_red > picture.pixels().len() / 20, "{num_red}");
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn unreadable_or_incomparable_files_fail_runs_with_exit_after_frames() {
    let folder = scratch();
    let path = folder.path().join("cut.bsm2");
    let bytes = std::fs::read(asset()).unwrap();
    std::fs::write(&path, &bytes[..1000]).unwrap();
    let stderr = ended(program(&folder).args(["view", "--exit-after-frames", "2"]).arg(&path), 2);
    assert!(stderr.contains("truncated BSM2 file: ") && stderr.contains("offset"), "{stderr}");
    let mut compared = program(&folder);
    compared.args(["view", "--exit-after-frames", "2", "--compare"]).arg(&path).arg(asset());
    let stderr = ended(&mut compared, 2);
    assert!(stderr.contains("truncated BSM2 file: "), "{stderr}");
}

#[test]
#[cfg(target_os = "linux")]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn the_window_has_its_own_file_dialog_without_a_portal_and_without_zenity() {
    let folder = scratch();
    let mut program = program(&folder);
    program.env("PATH", folder.path()).env("XDG_RUNTIME_DIR", folder.path());
    program.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
    program.args(["--verbose", "view", "--run", "open-files"]).arg(asset());
    let mut running = Running(program.stderr(Stdio::piped()).spawn().unwrap());
    let lines = BufReader::new(running.0.stderr.take().unwrap()).lines().map_while(Result::ok);
    let found = lines.take(10_000).any(|line| line.contains("the window's own file chooser"));
    assert!(found, "the dialog was taken for a cancelled one");
}

/// A program that is ended whatever becomes of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// A line for each frame drawn.
fn frames(child: &mut Child) -> Receiver<()> {
    let stderr = BufReader::new(child.stderr.take().unwrap());
    let (send, receive) = channel();
    std::thread::Builder::new()
        .name("frames".into())
        .spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if line.contains("frame=") && send.send(()).is_err() {
                    break;
                }
            }
        })
        .unwrap();
    receive
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn an_idle_window_draws_no_frames() {
    /// Longer than it looks after the file on disk.
    const IDLE: Duration = Duration::from_secs(3);
    let folder = scratch();
    let mut program = program(&folder);
    // A pane that shows frames asks for none.
    program.args(["--verbose", "view", "--panes", "frame-times"]).arg(asset());
    let mut running = Running(program.stderr(Stdio::piped()).spawn().unwrap());
    let frames = frames(&mut running.0);
    let start = Instant::now();
    let mut num_frames = 0;
    loop {
        match frames.recv_timeout(IDLE) {
            Ok(()) => num_frames += 1,
            Err(RecvTimeoutError::Timeout) if num_frames > 0 => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => panic!("the window closed"),
        }
        assert!(start.elapsed() < PATIENCE, "{num_frames} frames and no end");
    }
    assert!(num_frames < 60, "{num_frames} frames to show one file");
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
#[cfg(all(unix, not(target_vendor = "apple")))]
fn a_display_that_is_gone_is_passed_over_and_none_is_told_in_plain_words() {
    let folder = scratch();
    let mut program = program(&folder);
    program.arg("view").arg(asset());
    program.args(["--exit-after-frames", "1"]);
    if std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty()) {
        let stale =
            program.env("WAYLAND_DISPLAY", "wayland-stale").env("XDG_RUNTIME_DIR", folder.path());
        ended(stale, 0);
    }
    let stderr = ended(program.arg("-v"), 0);
    let longest = stderr.lines().map(str::len).max();
    assert!(longest.unwrap_or(0) < 1000, "the log holds bytes of pictures");
    let mut blind = Command::new(env!("CARGO_BIN_EXE_rigscope"));
    blind.arg("view").arg(asset());
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        blind.env_remove(name);
    }
    let stderr = ended(blind.env("RIGSCOPE_CONFIG_DIR", folder.path()), 2);
    assert!(stderr.contains("there is no display"), "{stderr}");
    let stderr = ended(blind.env("DISPLAY", ":9999"), 2);
    assert!(stderr.contains("the display DISPLAY=:9999 doesn't respond"), "{stderr}");
    assert!(!stderr.contains(".rs") && !stderr.contains("os error"), "{stderr}");
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn window_timings_are_printed_as_one_table_on_close() {
    let folder = scratch();
    let mut program = program(&folder);
    program.args(["--timings", "view", "--exit-after-frames", "3"]).arg(asset());
    let stderr = ended(&mut program, 0);
    assert!(stderr.starts_with("timings: ") && !stderr.contains("DEBUG"), "{stderr}");
    for step in ["reading files", "interface", "view", "painting"] {
        let is_row = |line: &str| line.trim_start().starts_with(step) && line.contains(" ms ");
        assert!(stderr.lines().any(is_row), "{step}: {stderr}");
    }
}

/// The last of twelve frames.
fn pictured(extra: &[&str]) -> image::RgbaImage {
    let folder = scratch();
    let mut program = program(&folder);
    let picture = folder.path().join("window.png");
    program.arg("view").arg(asset()).args(["--exit-after-frames", "12"]).args(extra);
    ended(program.arg("--screenshot").arg(&picture), 0);
    image::open(&picture).unwrap().to_rgba8()
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn a_lost_gpu_is_recovered_with_the_same_content() {
    let panes: Vec<_> = PANES.iter().map(|info| info.pane.kebab()).collect();
    let panes = panes.join(",");
    let shown = ["--panes", &panes, "--select", "bone:neck", "--run", "bones"];
    let sound = pictured(&shown);
    let lost = pictured(&[&shown[..], &["--lose-gpu-after", "8"]].concat());
    assert_eq!(sound.dimensions(), lost.dimensions());
    let pairs = sound.pixels().zip(lost.pixels());
    let num_different = pairs.filter(|(a, b)| a != b).count();
    // Only the message about it is new, and its line in the log.
    let share = num_different as f64 / (sound.width() * sound.height()) as f64;
    assert!(share > 0.0 && share < 0.05, "{share} of the picture differs");
}

#[test]
#[cfg_attr(no_display, ignore = "no display")]
#[cfg_attr(all(no_gpu, not(no_display)), ignore = "no GPU")]
fn an_invalid_script_fails_and_lists_the_available_names() {
    let folder = scratch();
    let mut unknown = program(&folder);
    let stderr = ended(unknown.args(["view", "--run", "wirefram"]), 2);
    assert!(stderr.contains("valid names: wireframe"), "{stderr}");

    let mut missing = program(&folder);
    missing.args(["view", "--select", "bone:nobody", "--exit-after-frames", "2"]);
    let stderr = ended(missing.arg(asset()), 2);
    assert!(stderr.contains("the file has no bone"), "{stderr}");
}
