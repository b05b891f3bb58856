//! The strip of clips' key poses below the view.

use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::ClipId;
use rigscope_state::{
    Action, ClipPoses, Command, JobId, Pane, PosesAction, Request, Strip, Thumbnail,
};

use crate::host::{Host, Session, asset, window_with};

/// The last request for the job that draws poses.
fn asked(harness: &Harness<'_, Host>) -> Option<(JobId, Vec<ClipPoses>)> {
    harness.state().requests.iter().rev().find_map(|request| match request {
        Request::DrawPoses { id, clips } => Some((*id, clips.clone())),
        _ => None,
    })
}

/// The reply of the shell for one clip.
fn draw(harness: &mut Harness<'_, Host>, id: JobId, poses: &ClipPoses) {
    let size_px = [2 * poses.times.len(), 2];
    let rgba8 = vec![200; size_px[0] * size_px[1] * 4];
    let strip = Some(Arc::new(Thumbnail { size_px, rgba8 }));
    harness.act(Action::Poses(PosesAction::Drawn { id, clip: poses.clip, strip }));
}

#[test]
fn clicking_a_pose_of_another_clip_seeks_to_that_clip_and_time() {
    let mut harness = window_with(asset());
    assert!(harness.document().model.clips.len() > 1, "the sample has several clips");
    assert!(asked(&harness).is_none(), "nothing is drawn before it is shown");
    harness.press(Modifiers::SHIFT, Key::P);
    assert!(harness.app().settings.panes.shows(Pane::Poses));
    assert!(harness.state().requests.contains(&Request::SaveSettings));
    let (id, clips) = asked(&harness).expect("visible poses are drawn");
    let seen = harness.app().tab.view.poses.seen().clone();
    assert_eq!(
        clips.iter().map(|poses| poses.clip.index()).collect::<Vec<_>>(),
        seen.collect::<Vec<_>>()
    );
    for poses in &clips {
        draw(&mut harness, id, poses);
    }
    harness.act(Action::TaskDone { id, answer: None });
    assert_eq!(asked(&harness).unwrap().0, id, "once each");
    // Nothing asks for a frame any more.
    harness.run_steps(3);
    assert_eq!(harness.app().wake_in_secs(), None);

    let shown = harness.app().tab.playback.clip.unwrap();
    let other = clips.iter().find(|poses| poses.clip != shown).expect("two rows are seen");
    let time = other.times[2];
    let name = harness.document().clip_name(other.clip.index());
    let label = format!("{name} at {}", rigscope_core::model::numbers::seconds(time));
    harness.get_by_label(&label).hover();
    harness.run_steps(60);
    let tooltip = harness.query_all_by_label_contains("Goes to ").next();
    assert!(tooltip.is_some(), "the tooltip has no time");
    click(&mut harness, &label);
    let playback = &harness.app().tab.playback;
    assert_eq!((playback.clip, playback.time_secs), (Some(other.clip), time));
    assert!(!playback.is_playing && playback.shows_time());
    assert_eq!(asked(&harness).unwrap().0, id, "display options don't change the images");
}

#[test]
fn drawn_images_are_removed_with_their_pane_and_document() {
    let mut harness = window_with(asset());
    harness.press(Modifiers::SHIFT, Key::P);
    let (id, clips) = asked(&harness).unwrap();
    draw(&mut harness, id, &clips[0]);
    assert!(harness.app().tab.view.poses.strip(clips[0].clip).thumbnail().is_some());
    // Read again: the pictures are of another model now.
    let reload = Command::all().find(|command| command.info().name == "Reload").unwrap();
    harness.command(reload);
    harness.answer();
    let (next, _) = asked(&harness).unwrap();
    assert_ne!(next, id);
    assert!(harness.state().requests.contains(&Request::Cancel(id)));
    draw(&mut harness, id, &clips[0]);
    assert_eq!(harness.app().tab.view.poses.strip(ClipId(0)), Strip::Pending, "too late");
    harness.press(Modifiers::SHIFT, Key::P);
    assert!(harness.state().requests.contains(&Request::Cancel(next)));
}

/// A click on the picture, and not on the words of its tooltip.
fn click(harness: &mut Harness<'_, Host>, label: &str) {
    let found = harness.query_all_by_label(label).next().map(|node| node.rect().center());
    let at = found.unwrap();
    harness.hover_at(at);
    for pressed in [true, false] {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    harness.run();
}
