//! The Playback menu.

use super::conditions::{
    can_play, has_clip, has_clips, has_document, has_keys, is_zoomed_in_time, needs,
};
use super::menu::commands;
use crate::{AppState, KeyTimes, LoopMode, ShownPose};
use rigscope_core::pose::Sampling;

commands! { Playback:
    {
        PlayPause "Play or pause" ["Space"]
            "Starts or pauses playback.",
            when can_play, on |s| s.tab.playback.is_playing, titled play_title,
            change AppState::play_or_pause;
    }
    {
        PreviousKey "Previous key" ["Left"]
            "Jumps to the previous key and pauses.",
            when has_keys, repeats true, change |s| s.step_key(KeyTimes::before);
        NextKey "Next key" ["Right"]
            "Jumps to the next key and pauses.",
            when has_keys, repeats true, change |s| s.step_key(KeyTimes::after);
        FirstKey "First key" ["Ctrl+Left"]
            "Jumps to the start of the clip or the range.",
            when has_keys, change |s| s.seek(s.play_range().start_secs);
        LastKey "Last key" ["Ctrl+Right"]
            "Jumps to the end of the clip or the range.",
            when has_keys, change |s| s.seek(s.play_range().end_secs);
    }
    {
        ShowClip "Draw the clip"
            "Draws the model in the pose of the clip at the playhead.",
            when has_clip, on |s| s.shown_pose() == ShownPose::ClipTime,
            change AppState::show_clip;
        ShowRestPose "Draw the rest pose" ["R"]
            "Draws the model in its rest pose, which doesn't belong to any clip, or in the pose \
            of the clip again.",
            when |s| needs(s.has_rest_pose(), "needs a file with a separate rest pose"),
            on |s| s.has_rest_pose() && s.shown_pose() == ShownPose::Rest,
            change |s| s.toggle_still_pose(ShownPose::Rest);
        ShowBindPose "Draw the bind pose" ["Alt+Shift+R"]
            "Draws the model in its bind pose, with every vertex as stored in the file, or in the \
            pose of the clip again.",
            when |s| needs(s.has_bind_pose(), "needs a file with a bind pose"),
            on |s| s.has_bind_pose() && s.shown_pose() == ShownPose::Bind,
            change |s| s.toggle_still_pose(ShownPose::Bind);
    }
    {
        PreviousClip "Previous clip" ["PageUp"]
            "Shows the previous clip.",
            when has_clips, change |s| s.step_clip(s.num_clips() - 1);
        NextClip "Next clip" ["PageDown"]
            "Shows the next clip.",
            when has_clips, change |s| s.step_clip(1);
    }
    {
        CycleLoop "Once, loop or ping-pong" ["L"]
            "Cycles through the loop modes: once, loop and ping-pong.",
            titled |s| format!("At the end: {}", s.tab.playback.loop_mode.name()),
            run |s| s.set_loop(s.tab.playback.loop_mode.next());
        ToggleBindPair "Treat two keys as a bind pair" ["K"]
            "Treats the two keys of the clip as a bone matrix and its inverse bind matrix, and \
            shows their product instead of playing them.",
            when |s| needs(s.can_be_bind_pair(), "needs a clip of two baked matrices"),
            on AppState::is_bind_pair,
            change AppState::toggle_bind_pair;
        ToggleLinear "Linear between keys" ["T"]
            "Blends the stored matrices between keys instead of holding the earlier key.",
            when has_clip, on |s| s.tab.playback.sampling == Sampling::Linear,
            run |s| s.toggle_sampling(Sampling::Linear);
        ToggleDecomposed "Decomposed between keys" ["Alt+Shift+D"]
            "Blends translation, rotation and scale separately between keys instead of blending matrices.",
            when has_clip, on |s| s.tab.playback.sampling == Sampling::Decomposed,
            run |s| s.toggle_sampling(Sampling::Decomposed);
        Slower "Slower" ["Minus"]
            "Halves the speed.",
            when has_document, change |s| s.set_speed(s.tab.playback.speed * 0.5);
        Faster "Faster" ["Plus", "Equals"]
            "Doubles the speed.",
            when has_document, change |s| s.set_speed(s.tab.playback.speed * 2.0);
        NormalSpeed "Normal speed" ["Backslash"]
            "Plays at the original speed.",
            when |s| needs(s.tab.playback.speed != 1.0, "the speed is normal"), change |s| s.set_speed(1.0);
    }
    {
        RangeStart "Start the range here" ["OpenBracket", "Alt+Left"]
            "Sets the start of the playback range to the current time.",
            when |s| can_play(s).and_then(|()| s.range_from_here().map(drop)),
            change AppState::start_range_here;
        RangeEnd "End the range here" ["CloseBracket", "Alt+Right"]
            "Sets the end of the playback range to the current time.",
            when |s| can_play(s).and_then(|()| s.range_to_here().map(drop)),
            change AppState::end_range_here;
        ClearRange "Play the whole clip" ["Shift+Backslash"]
            "Removes the playback range.",
            when |s| needs(s.tab.playback.range.is_some(), "the whole clip is played already"),
            change |s| s.tab.playback.range = None;
    }
    {
        ZoomTimeIn "Zoom in on the timeline" ["Shift+PageUp"]
            "Shows less of the clip on the timeline, around the current time.",
            when can_play, change |s| s.zoom_times(true);
        ZoomTimeOut "Zoom out on the timeline" ["Shift+PageDown"]
            "Shows more of the clip on the timeline.",
            when is_zoomed_in_time, change |s| s.zoom_times(false);
        ShowAllTimes "Show the whole clip on the timeline" ["Alt+Home"]
            "Resets the zoom of the timeline.",
            when is_zoomed_in_time,
            change |s| s.tab.view.timeline.visible = None;
        ToggleFrames "Frames on the timeline" ["Alt+Shift+F"]
            "Shows times in frames instead of seconds: on the timeline, in its fields and in plots.",
            on |s| s.settings.ruler_frames, setting |s| s.ruler_frames ^= true;
    }
    {
        ToggleOnion "Onion skin" ["Alt+O"]
            "Shows neighbouring keys as ghosts: blue for earlier, orange for later ones.",
            when has_clip, on |s| s.tab.view.animation.onion.is_on, change AppState::toggle_onion;
        ToggleLoopSeam "Loop seam" ["Alt+Shift+L"]
            "Shows the first key as a ghost over the last one and measures the difference.",
            when has_clip, on |s| s.tab.view.animation.shows_seam, change AppState::toggle_seam;
        ToggleRootPath "Root motion" ["Alt+R"]
            "Draws the path of the selected bone, or of the bone that moves the model, over the ground.",
            when has_clip, on |s| s.tab.view.animation.shows_root,
            change |s| s.tab.view.animation.shows_root ^= true;
        ToggleInPlace "Play in place" ["Alt+I"]
            "Removes the root motion of the selected bone, or of the bone that moves the model, so \
            that the model stays where it starts.",
            when has_clip, on |s| s.tab.playback.in_place.is_some(), change AppState::toggle_in_place;
        MeasureBlendError "Deviation of linear blending" ["Alt+E"]
            "Colours each vertex by how far linear blending of matrices deviates from decomposed sampling between keys.",
            when has_clip, on AppState::shows_blend_error, change AppState::measure_error;
        MeasureStretch "Edge stretch" ["Alt+Shift+E"]
            "Colours each vertex by the largest stretch of its edges in any clip, and lists the worst edges.",
            when has_clip, on AppState::shows_stretch, change AppState::toggle_stretch;
    }
}

fn play_title(state: &AppState) -> String {
    let title = match (state.tab.playback.is_playing, state.tab.playback.loop_mode) {
        (true, _) => "Pause",
        (false, LoopMode::Once) => "Play once",
        (false, _) => "Play",
    };
    title.into()
}
