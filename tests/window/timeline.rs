//! Mouse actions on the timeline: scrubbing anywhere, changing the range by its handles, zooming.

use egui::accesskit::Role;
use egui::{Event, Modifiers, MouseWheelUnit, Pos2, Rect, pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use rigscope_core::model::ClipId;
use rigscope_core::pose::Moment;
use rigscope_state::{Action, Command, LoopMode, Pane, ShownPose, TimeRange};

use crate::host::{Host, Session, asset, window_with};

/// The sample at the first clip that plays.
fn playing_sample() -> Harness<'static, Host> {
    let mut harness = window_with(asset());
    harness.act(Action::SetClip(ClipId(1)));
    assert!(harness.app().can_play());
    harness
}

fn track(harness: &Harness<'static, Host>) -> Rect {
    harness.get_by_label("Timeline").rect()
}

fn time(harness: &Harness<'static, Host>) -> f64 {
    harness.app().tab.playback.time_secs
}

/// Where a share of the clip is along the track, `down` points below its top.
fn at(track: Rect, share: f32, down: f32) -> Pos2 {
    let along = track.x_range().shrink(10.0);
    pos2(egui::lerp(along, share), track.top() + down)
}

fn drag(harness: &mut Harness<'static, Host>, from: Pos2, over: &[Pos2]) {
    harness.drag_at(from);
    harness.step();
    for to in over {
        harness.hover_at(*to);
        harness.step();
    }
    harness.drop_at(*over.last().unwrap_or(&from));
    harness.run();
}

#[test]
fn a_drag_from_anywhere_on_the_track_follows_the_pointer() {
    let mut harness = playing_sample();
    let track = track(&harness);
    let whole = harness.app().clip_range();
    let secs = |share: f32| whole.start_secs + f64::from(share) * whole.duration_secs();
    // The ruler's labels, the line of the range below them, keys, and the playhead itself.
    for down in [4.0, 18.5, 30.0] {
        for (from, to) in [(0.2, 0.7), (0.7, 0.35), (0.35, 0.8)] {
            drag(&mut harness, at(track, from, down), &[at(track, 0.5, down), at(track, to, down)]);
            assert!(
                (time(&harness) - secs(to)).abs() < 1e-6 * whole.duration_secs(),
                "{down} {to}"
            );
        }
    }
    assert_eq!(harness.app().tab.playback.range, None, "no drag of these is of the range");
    // Beyond the ends it stays at them.
    drag(&mut harness, at(track, 0.5, 4.0), &[at(track, 1.5, 4.0)]);
    assert_eq!(time(&harness), whole.end_secs);
    // A press is enough.
    harness.drag_at(at(track, 0.25, 4.0));
    harness.step();
    assert!((time(&harness) - secs(0.25)).abs() < 1e-6 * whole.duration_secs());
    harness.drop_at(at(track, 0.25, 4.0));
    harness.run();
}

#[test]
fn playback_pauses_while_the_pointer_is_down_and_resumes_after() {
    let mut harness = playing_sample();
    let track = track(&harness);
    harness.state_mut().apply(Action::Run(Command::PlayPause));
    harness.drag_at(at(track, 0.4, 4.0));
    harness.step();
    let held = time(&harness);
    harness.state_mut().state.tick(0.1);
    assert_eq!(time(&harness), held);
    assert!(harness.app().tab.playback.is_playing);
    harness.drop_at(at(track, 0.4, 4.0));
    harness.step();
    harness.step();
    harness.state_mut().state.tick(0.1);
    assert!(time(&harness) > held);
}

#[test]
fn shift_snaps_to_keys() {
    let mut harness = playing_sample();
    let track = track(&harness);
    harness.event(Event::ModifiersChanged(Modifiers::SHIFT));
    for share in [0.301, 0.52, 0.777] {
        harness.drag_at(at(track, share, 4.0));
        harness.step();
        let found = time(&harness);
        let keys = harness.app().key_times().unwrap().clone();
        assert_eq!(keys.nearest(found), Some(found), "{share}");
        harness.drop_at(at(track, share, 4.0));
        harness.step();
    }
}

#[test]
fn only_handles_change_the_range() {
    let mut harness = playing_sample();
    let whole = harness.app().clip_range();
    let start = harness.get_by_label("Range start").rect();
    let end = harness.get_by_label("Range end").rect();
    assert!(start.width() <= 8.0 && end.width() <= 8.0);
    let track = track(&harness);
    drag(&mut harness, start.center(), &[at(track, 0.25, 14.0)]);
    drag(&mut harness, end.center(), &[at(track, 0.75, 14.0)]);
    let range = harness.app().tab.playback.range.unwrap();
    let near = |a: f64, b: f64| (a - b).abs() < 0.02 * whole.duration_secs();
    assert!(near(range.start_secs, whole.start_secs + 0.25 * whole.duration_secs()), "{range:?}");
    assert!(near(range.end_secs, whole.start_secs + 0.75 * whole.duration_secs()), "{range:?}");
    // Right inside a handle is the moment itself.
    let start = harness.get_by_label("Range start").rect();
    drag(&mut harness, start.right_center() + egui::vec2(1.5, 0.0), &[at(track, 0.5, 14.0)]);
    assert_eq!(harness.app().tab.playback.range, Some(range));
}

fn wheel(harness: &mut Harness<'static, Host>, to: Pos2, lines: f32, modifiers: Modifiers) {
    harness.hover_at(to);
    harness.step();
    harness.event(Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: egui::vec2(0.0, lines),
        phase: egui::TouchPhase::Move,
        modifiers,
        source: egui::MouseWheelSource::Unknown,
    });
    harness.run();
}

#[test]
fn the_wheel_zooms_around_the_pointer_and_the_zoom_can_be_reset() {
    let mut harness = playing_sample();
    let track = track(&harness);
    let whole = harness.app().clip_range();
    let middle = at(track, 0.5, 4.0);
    wheel(&mut harness, middle, 4.0, Modifiers::NONE);
    let visible = |harness: &Harness<'static, Host>| harness.app().visible_times();
    let zoomed = visible(&harness);
    assert!(zoomed.duration_secs() < 0.9 * whole.duration_secs(), "{zoomed:?}");
    let centre = |range: TimeRange| 0.5 * (range.start_secs + range.end_secs);
    assert!((centre(zoomed) - centre(whole)).abs() < 1e-6);
    // Clicks refer to the visible range.
    drag(&mut harness, at(track, 0.0, 4.0), &[at(track, 0.0, 4.0)]);
    assert!((time(&harness) - zoomed.start_secs).abs() < 1e-9);
    // The strip above shows the visible range, and moves it.
    let strip = harness.get_by_label("Visible part of the clip").rect();
    drag(&mut harness, strip.center(), &[strip.center() + egui::vec2(30.0, 0.0)]);
    assert!(visible(&harness).start_secs > zoomed.start_secs);
    harness.command(Command::ShowAllTimes);
    assert_eq!(visible(&harness), whole);
    assert!(harness.query_by_label("Visible part of the clip").is_none());
}

#[test]
fn the_ruler_shows_seconds_or_frames_and_another_clip_resets_the_zoom() {
    let mut harness = playing_sample();
    harness.click("Frames on the timeline");
    assert!(harness.app().settings.ruler_frames);
    harness.state_mut().apply(Action::Run(Command::ZoomTimeIn));
    assert!(harness.app().tab.view.timeline.visible.is_some());
    harness.state_mut().apply(Action::SetClip(ClipId(0)));
    assert_eq!(harness.app().tab.view.timeline.visible, None);
}

#[test]
fn all_times_are_shown_in_the_unit_of_the_ruler() {
    let mut harness = playing_sample();
    let clip = harness.app().tab.playback.clip.unwrap();
    harness.act(Action::Seek(harness.app().key_times().unwrap().secs(3).unwrap()));
    let value = |harness: &Harness<'static, Host>| {
        harness.get_all_by_label("Time").last().unwrap().value().unwrap()
    };
    assert!(value(&harness).ends_with(" s"), "{}", value(&harness));
    harness.command(Command::ToggleFrames);
    let frame_secs = harness.app().shown_frame_secs(clip).unwrap();
    let frame = harness.app().tab.playback.time_secs / frame_secs;
    assert_eq!(value(&harness).parse::<f64>().unwrap(), (frame * 100.0).round() / 100.0);
    harness.get_by_label("Range start").hover();
    harness.run_steps(60);
    assert!(harness.query_by_label_contains("Range start: frame 0.").is_some());
}

#[test]
fn controls_never_overlap() {
    for width in [450.0, 640.0, 900.0, 1280.0, 1400.0, 2560.0] {
        let mut harness = playing_sample();
        harness.set_size(egui::vec2(width, 700.0));
        harness.run();
        let always = ["Key", "Time", "Clip"];
        let less = [
            "Draw the clip",
            "Draw the rest pose",
            "Draw the bind pose",
            "Loop mode",
            "Speed",
            "Decomposed between keys",
        ];
        let rest = if width < 560.0 { &["More timeline controls"][..] } else { &less };
        let labels: Vec<_> = always.iter().chain(rest).collect();
        let rects: Vec<Rect> = labels
            .iter()
            .map(|label| harness.get_all_by_label(label).last().unwrap().rect())
            .collect();
        for (number, rect) in rects.iter().enumerate() {
            assert!(rect.right() <= width && rect.left() >= 0.0, "{} at {width}", labels[number]);
            for other in &rects[..number] {
                assert!(!rect.shrink(1.0).intersects(other.shrink(1.0)), "{width}: {rect} {other}");
            }
        }
    }
}

#[test]
fn rest_and_bind_pose_are_buttons_next_to_the_clip() {
    let mut harness = playing_sample();
    harness.act(Action::Seek(0.2));
    harness.get_by_label("Draw the bind pose").click();
    harness.run();
    assert_eq!(harness.app().shown_pose(), ShownPose::Bind);
    harness.get_by_label("Draw the clip").click();
    harness.run();
    assert_eq!(harness.app().tab.playback.pose_spec().moment, Moment::TimeSecs(0.2));
    let rest = harness.get_by_label("Draw the rest pose");
    assert!(rest.accesskit_node().is_disabled(), "baked skinning matrices have no rest pose");
    rest.hover();
    harness.run();
    assert!(harness.query_by_label("The file stores no rest pose.").is_some());
}

#[test]
fn in_a_narrow_window_controls_fill_one_row_and_the_rest_is_in_a_menu() {
    let mut harness = playing_sample();
    harness.set_size(egui::vec2(450.0, 300.0));
    harness.run();
    let row = ["Next key", "Time", "Clip", "More timeline controls"];
    let middles = row.map(|label| harness.get_all_by_label(label).last().unwrap().rect().center());
    assert!(middles.windows(2).all(|pair| (pair[0].y - pair[1].y).abs() < 2.0), "{middles:?}");
    assert_eq!(harness.query_all_by_label("Speed").count(), 0);
    harness.click("More timeline controls");
    let mode = harness.app().tab.playback.loop_mode;
    let other = LoopMode::ALL.into_iter().find(|other| *other != mode).unwrap();
    harness.get_all_by_role_and_label(Role::Button, other.name()).last().unwrap().click();
    harness.run();
    assert_eq!(harness.app().tab.playback.loop_mode, other);
    // It stays open, for the next choice.
    assert_ne!(harness.query_all_by_label("Speed").count(), 0);
    harness.get_all_by_role_and_label(Role::Button, "Curves").last().unwrap().click();
    harness.run();
    assert!(harness.app().settings.panes.shows(Pane::Curves));
}
