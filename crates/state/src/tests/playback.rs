//! The clock: playing, stepping, ranges, and clips that can't be played.

use super::*;
use rigscope_core::model::ClipId;
use rigscope_core::pose::Moment;

#[test]
fn space_plays_and_pauses_and_scrubbing_pauses() {
    let mut state = opened();
    state.apply(Action::Run(Command::PlayPause));
    assert_eq!(state.wake_in_secs(), Some(0.0));
    state.tick(0.25);
    assert!((state.tab.playback.time_secs - 0.25).abs() < 1e-9);
    state.apply(Action::Seek(0.7));
    assert!(!state.tab.playback.is_playing);
    assert_eq!(state.current_key(), Some(7));
    state.apply(Action::Seek(99.0));
    assert_eq!(state.tab.playback.time_secs, 1.0, "clamped to the clip");
}

#[test]
fn arrows_step_keys_and_stop_at_the_ends() {
    let mut state = opened();
    for _ in 0..3 {
        state.apply(Action::Run(Command::NextKey));
    }
    assert_eq!(state.current_key(), Some(3));
    state.apply(Action::Run(Command::PreviousKey));
    assert_eq!(state.current_key(), Some(2));
    state.apply(Action::Run(Command::LastKey));
    state.apply(Action::Run(Command::NextKey));
    assert_eq!(state.current_key(), Some(10));
}

#[test]
fn the_rest_and_bind_pose_replace_the_clip() {
    let mut state = opened();
    let rest = Model { default_pose: rigscope_core::model::DefaultPose::Rest, ..model(["a", "b"]) };
    load(&mut state, Action::Open("rest.glb".into()), rest);
    assert_eq!(state.shown_pose(), ShownPose::ClipTime, "a file opens at the start of its clip");
    state.apply(Action::Seek(0.3));
    state.apply(Action::Run(Command::PlayPause));
    for (command, pose, moment) in [
        (Command::ShowRestPose, ShownPose::Rest, Moment::Rest),
        (Command::ShowBindPose, ShownPose::Bind, Moment::Bind),
    ] {
        state.apply(Action::Run(command));
        assert_eq!(state.shown_pose(), pose);
        assert!(!state.tab.playback.is_playing && command.is_on(&state));
        assert_eq!(state.tab.playback.pose_spec().moment, moment);
    }
    state.apply(Action::Run(Command::ShowBindPose));
    assert_eq!(state.tab.playback.pose_spec().moment, Moment::TimeSecs(0.3), "where it was");
    state.apply(Action::Run(Command::ShowRestPose));
    state.apply(Action::Run(Command::PlayPause));
    assert!(state.tab.playback.is_playing && state.shown_pose() == ShownPose::ClipTime);
}

#[test]
fn files_with_baked_skinning_matrices_offer_no_rest_pose() {
    let state = opened();
    assert!(!Command::ShowRestPose.is_enabled(&state) && Command::ShowBindPose.is_enabled(&state));
}

#[test]
fn playback_stays_in_the_range_and_the_range_in_the_clip() {
    let mut state = opened();
    state.apply(Action::Seek(0.4));
    state.apply(Action::Run(Command::RangeStart));
    state.apply(Action::Seek(0.6));
    state.apply(Action::Run(Command::RangeEnd));
    state.apply(Action::Run(Command::PlayPause));
    state.tick(0.3);
    let time = state.tab.playback.time_secs;
    assert!((0.4..0.6).contains(&time), "{time}");
    state.apply(Action::SetRange(Some(TimeRange { start_secs: -5.0, end_secs: 500.0 })));
    assert_eq!(state.tab.playback.range, None, "that is the whole clip");
    state.apply(Action::SetRange(Some(TimeRange { start_secs: 0.6, end_secs: 0.4 })));
    assert_eq!(state.tab.playback.range, None, "a reversed range is ignored");
}

#[test]
fn a_bind_pair_is_shown_but_not_played() {
    let mut state = opened();
    let mut pair = model(["a", "b"]);
    pair.clips.as_mut_vec().truncate(1);
    if let rigscope_core::model::Motion::Sampled(motion) = &mut pair.clips[ClipId(0)].motion {
        motion.is_bind_pair = true;
    }
    load(&mut state, Action::Open("pair.bsm2".into()), pair);
    assert!(!state.tab.playback.shows_time());
    state.apply(Action::Run(Command::PlayPause));
    assert!(!state.tab.playback.is_playing);
}

#[test]
fn two_keys_can_be_toggled_as_a_bind_pair() {
    let mut state = opened();
    let mut model = model(["a", "b"]);
    let mut pair = clip("pair", 2);
    if let rigscope_core::model::Motion::Sampled(motion) = &mut pair.motion {
        motion.space = KeySpace::Skin;
    }
    model.clips = vec![pair, clip("walk", 3)].into();
    load(&mut state, Action::Run(Command::Reload), model);
    state.apply(Action::SetClip(ClipId(1)));
    state.apply(Action::SetClip(ClipId(0)));
    let before = Arc::clone(&state.tab.document.as_ref().unwrap().model);
    assert!(state.can_be_bind_pair() && state.can_play());
    state.apply(Action::Run(Command::PlayPause));
    state.apply(Action::Run(Command::ToggleBindPair));
    assert!(state.is_bind_pair() && !state.can_play() && !state.tab.playback.is_playing);
    assert!(!state.tab.playback.shows_time());
    let now = &state.tab.document.as_ref().unwrap().model;
    assert!(!Arc::ptr_eq(&before, now), "the view sees another model");
    state.apply(Action::Run(Command::ToggleBindPair));
    assert!(!state.is_bind_pair() && state.can_play());
    state.apply(Action::SetClip(ClipId(1)));
    assert!(!Command::ToggleBindPair.is_enabled(&state), "three keys are a motion");
}

#[test]
fn playback_starts_at_the_clip_and_time_of_the_command_line() {
    let mut state = AppState::default();
    let mut wanted = AppState::request(file(), LoadReason::Open);
    wanted.start = StartAt { clip: Some("run".into()), time_secs: Some(0.1) };
    load(&mut state, Action::Start(wanted), model(["a", "b"]));
    assert_eq!(state.clip().unwrap().name, "run");
    assert_eq!(state.current_key(), Some(1));
    assert!(state.toasts.list().is_empty());
    let mut late = AppState::request(file(), LoadReason::Open);
    late.start = StartAt { clip: Some("run".into()), time_secs: Some(99.0) };
    load(&mut state, Action::Start(late), model(["a", "b"]));
    let text = &state.toasts.list().last().unwrap().text;
    assert!(text.starts_with("the time 99 s is outside the clip \"run\""), "{text}");
}
