//! The pane of frame times.

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_state::{Command, FrameTimes, Pane, Request};

use crate::host::{Host, Session, asset, window_with};

const EMPTY: &str = "No frame has been drawn since this pane was opened.";

/// The times of a frame in the shell; GPU times arrive later.
fn draw(harness: &mut Harness<'_, Host>, number: u64, cpu_ms: f32) {
    let steps_ms = vec![("interface", cpu_ms - 1.0), ("view", 1.0)];
    let frame = FrameTimes { number, cpu_ms, steps_ms, gpu: None };
    harness.state_mut().state.timings.log.push(frame);
}

/// Frames with both parts.
pub fn fill(harness: &mut Harness<'_, Host>) {
    draw(harness, 1, 1234.5);
    let passes_ms = vec![("image from ambient occlusion", 1000.25), ("ground_shadow", 10.0)];
    harness.state_mut().state.timings.log.set_gpu(1, 1010.25, passes_ms);
}

fn copied(harness: &Harness<'_, Host>) -> Option<String> {
    harness.state().requests.iter().rev().find_map(|request| match request {
        Request::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn the_pane_opens_by_its_shortcut_and_shows_drawn_frames() {
    let mut harness = window_with(asset());
    assert!(harness.query_by_label(EMPTY).is_none());
    harness.press(Modifiers::ALT, Key::F3);
    assert!(harness.app().settings.panes.shows(Pane::FrameTimes));
    harness.get_by_label(EMPTY);
    assert!(!Command::CopyFrameTimes.is_enabled(harness.app()));

    for number in 1..=9 {
        draw(&mut harness, number, number as f32);
    }
    let log = &mut harness.state_mut().state.timings.log;
    log.set_gpu(8, 2.5, vec![("ground_shadow", 0.75), ("image", 1.75)]);
    harness.run();
    assert!(harness.query_by_label(EMPTY).is_none());
    for label in ["CPU 9.00 ms", "GPU 2.50 ms", "interface", "ground shadow", "image", "0.75"] {
        assert!(harness.query_all_by_label(label).next().is_some(), "{label}");
    }
    harness.get_by_label("Milliseconds of the last frames");

    harness.click("Copy frame times");
    let text = copied(&harness).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], "step\tlast ms\tmedian ms\t95 % ms\tworst ms\tframes");
    assert_eq!(lines[1], "CPU, total\t9.000\t5.000\t9.000\t9.000\t9");
    assert_eq!(lines[5], "GPU: ground shadow\t0.750\t0.750\t0.750\t0.750\t1");
    assert_eq!(lines.len(), 7);
}

#[test]
fn the_pane_does_not_request_repaints() {
    let mut harness = window_with(asset());
    harness.command(Command::pane(Pane::FrameTimes));
    for number in 1..=300 {
        draw(&mut harness, number, 4.0);
    }
    // Until nothing asks for a frame any more; an error where that never ends.
    harness.run();
    harness.step();
    assert!(!harness.ctx.has_requested_repaint());
    assert_eq!(harness.app().wake_in_secs(), None);
}
