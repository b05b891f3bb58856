//! What each command does.

use std::sync::Arc;

use super::{
    Action, AnimationAction, AppState, Arrangement, BonesAction, CollisionPart, Command,
    CompareAction, Dialog, Effect, FileKind, LoadReason, Origin, Overlays, PictureKind, Selection,
    Theme, TimeRange, ToastLevel, WeightsMode,
};
use crate::camera::{Preset, Projection};
use crate::model::{ClipId, Motion};
use crate::pose::{Normals, Sampling};
use crate::visual::Coloring;

impl AppState {
    /// Does what `command` says; nothing where it is not enabled.
    pub(super) fn run(&mut self, command: Command) -> Vec<Effect> {
        if !command.is_enabled(self) {
            return Vec::new();
        }
        // Whatever was done from the palette or with a dialog open.
        self.dialog = None;
        match command {
            Command::Open => return vec![Effect::PickFiles(FileKind::Model)],
            Command::TurnUp => return self.turn_up(),
            Command::AddCompanions => return vec![Effect::PickFiles(FileKind::Companions)],
            Command::Reload => return self.reload(),
            Command::ToggleWatch => {
                self.settings.watch ^= true;
                return vec![Effect::SaveSettings];
            }
            Command::CancelLoad => return self.cancel_job(),
            Command::OpenSample => {
                return self.start_job(Self::request(Origin::Sample, LoadReason::Open));
            }
            Command::Export => return self.open_export(),
            Command::NextTab => return self.step_tab(1),
            Command::PreviousTab => return self.step_tab(self.num_tabs() - 1),
            Command::CloseTab => return self.close_active_tab(),
            Command::ToggleReopen => {
                self.settings.reopen ^= true;
                return vec![Effect::SaveSettings];
            }
            Command::Undo => return self.undo(),
            Command::Redo => return self.redo(),
            Command::CopyPath => return self.copy_path(),
            Command::CopyNotes => return vec![Effect::CopyText(self.view.notes.text())],
            Command::CopyFigures => {
                let text = self.view.figures.as_ref().map(|figures| figures.text());
                return text.map(Effect::CopyText).into_iter().collect();
            }
            Command::SavePicture => self.open_pictures(PictureKind::Still),
            Command::SaveFilm => self.open_pictures(match self.can_play() {
                true => PictureKind::Clip,
                false => PictureKind::Turntable,
            }),
            Command::CopyCommandLine => return self.copy_command_line(),
            Command::Quit => return vec![Effect::SaveSettings, Effect::Quit],

            Command::ToggleSurface
            | Command::ToggleTextures
            | Command::ToggleChecker
            | Command::ToggleSubsetColors
            | Command::ToggleWireframe
            | Command::ToggleNormals
            | Command::ToggleTangents
            | Command::ToggleBitangents
            | Command::TogglePoints
            | Command::ToggleBones
            | Command::ToggleBonesOnTop
            | Command::ToggleBoneNames
            | Command::ToggleTwoSided
            | Command::ToggleFlat
            | Command::ToggleGrid
            | Command::ToggleAxes
            | Command::ToggleStatistics => return self.toggle_overlay(command),

            Command::ToggleInfluenceColors => {
                return self.toggle_coloring(Coloring::InfluenceCounts);
            }
            Command::ColorBoneWeights => self.toggle_weights(WeightsMode::Bone),
            Command::ColorTwoBones => self.toggle_weights(WeightsMode::Compare),
            Command::ColorBones => self.toggle_weights(WeightsMode::BoneColors),
            Command::ColorWeightSums => self.toggle_weights(WeightsMode::Sums),
            Command::ColorPackingLoss => self.toggle_weights(WeightsMode::Packing),
            Command::ToggleBoneAxes => return self.toggle_beside_bones(|bones| &mut bones.axes),
            Command::ToggleBoneBoxes => return self.toggle_beside_bones(|bones| &mut bones.boxes),
            Command::ToggleRestBones => return self.toggle_beside_bones(|bones| &mut bones.rest),
            Command::ToggleBindBones => return self.toggle_beside_bones(|bones| &mut bones.bind),
            Command::ToggleTrail => return self.toggle_beside_bones(|bones| &mut bones.trail),
            Command::LargerBones => return self.scale_bones(true),
            Command::SmallerBones => return self.scale_bones(false),
            Command::HideBranch => self.hide_branch(),
            Command::IsolateBranch => self.isolate_branch(),
            Command::ShowAllBones => return self.apply_bones(BonesAction::ShowAll),
            Command::LockBone => self.toggle_lock(),

            Command::ColorNormals => return self.toggle_coloring(Coloring::Normals),
            Command::ColorTangents => return self.toggle_coloring(Coloring::Tangents),
            Command::ColorBitangents => return self.toggle_coloring(Coloring::Bitangents),
            Command::ColorTangentSign => return self.toggle_coloring(Coloring::TangentSign),
            Command::ColorUv => return self.toggle_coloring(Coloring::Uv),
            Command::ColorMirroredUvs => return self.toggle_coloring(Coloring::MirroredUvs),
            Command::ColorVertexColors => return self.toggle_coloring(Coloring::VertexColors),
            Command::ColorVertexOrder => return self.toggle_coloring(Coloring::VertexOrder),
            Command::ColorFaceOrientation => {
                return self.toggle_coloring(Coloring::FaceOrientation);
            }
            Command::ColorMatcap => return self.toggle_coloring(Coloring::Matcap),

            Command::ToggleExactNormals => {
                self.set_normals(match self.playback.normals {
                    Normals::Runtime => Normals::Exact,
                    Normals::Exact => Normals::Runtime,
                });
                return vec![Effect::SaveSettings];
            }
            Command::LongerGlyphs => return self.scale_glyphs(true),
            Command::ShorterGlyphs => return self.scale_glyphs(false),
            Command::ToggleBadTriangles => return self.toggle_bad_triangles(),
            Command::ToggleHulls => return self.toggle_collision(CollisionPart::Hulls),
            Command::ToggleOccluder => return self.toggle_collision(CollisionPart::Occluder),
            Command::ToggleSilhouette => return self.toggle_collision(CollisionPart::Silhouette),
            Command::ToggleStoredBounds => {
                return self.toggle_collision(CollisionPart::StoredBounds);
            }
            Command::ToggleTrueBounds => return self.toggle_collision(CollisionPart::TrueBounds),

            Command::HideSelected => {
                if let Some(number) = self.selection.subset() {
                    if self.view.isolated == Some(number) {
                        self.view.isolated = None;
                    }
                    return self.apply(Action::SetVisible(number, false));
                }
            }
            Command::IsolateSelected => {
                let wanted = self.selection.subset();
                self.view.isolated = wanted.filter(|_| self.view.isolated != wanted);
            }
            Command::ShowAll => {
                self.view.isolated = None;
                for look in &mut self.view.looks {
                    look.is_visible = true;
                }
            }
            Command::SelectParent => {
                if let Some(parent) = self.parent_of_selected() {
                    self.selection = Selection::Bone(parent);
                }
            }
            Command::SelectNext => return self.select_neighbour(true),
            Command::SelectPrevious => return self.select_neighbour(false),
            Command::ClearSelection => self.selection = Selection::None,

            Command::GoToVertex => self.dialog = Some(Dialog::GoToVertex),
            Command::PickSubsets
            | Command::PickTriangles
            | Command::PickVertices
            | Command::PickBones
            | Command::ToggleHover
            | Command::NextVertex
            | Command::PreviousVertex
            | Command::CopyInspected
            | Command::CopyInspectedJson => return self.run_inspect(command),

            Command::FrameAll => {
                let bounds = self.shown_bounds();
                self.view.frame(bounds);
            }
            Command::FrameSelection => {
                let bounds = self.selected_bounds();
                self.view.frame(bounds);
            }
            Command::ViewFront => self.look_from(Preset::Front),
            Command::ViewSide => self.look_from(Preset::Side),
            Command::ViewTop => self.look_from(Preset::Top),
            Command::ViewIso => self.look_from(Preset::Iso),
            Command::ToggleProjection => {
                let camera = &mut self.view.camera;
                camera.projection = match camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
                self.view.frame_again();
            }

            Command::PlayPause => {
                if self.playback.is_playing {
                    self.playback.is_playing = false;
                } else {
                    let span = self.play_range();
                    self.playback.play(span);
                }
            }
            Command::PreviousKey => self.step(|keys, time| keys.before(time)),
            Command::NextKey => self.step(|keys, time| keys.after(time)),
            Command::FirstKey => self.seek(self.play_range().start_secs),
            Command::LastKey => self.seek(self.play_range().end_secs),
            Command::DefaultPose => {
                self.playback.is_playing = false;
                self.playback.is_default_pose = true;
                self.playback.time_secs = self.clip_range().start_secs;
            }
            Command::PreviousClip => self.step_clip(self.num_clips() - 1),
            Command::NextClip => self.step_clip(1),
            Command::CycleLoop => {
                return self.apply(Action::SetLoop(self.playback.loop_mode.next()));
            }
            Command::ToggleBindPair => self.toggle_bind_pair(),
            Command::ToggleLinear => {
                let sampling = match self.playback.sampling {
                    Sampling::Linear => Sampling::Player,
                    _ => Sampling::Linear,
                };
                return self.apply(Action::Animation(AnimationAction::SetSampling(sampling)));
            }
            Command::ToggleDecomposed
            | Command::MeasureBlendError
            | Command::ToggleLoopSeam
            | Command::ToggleOnion
            | Command::ToggleRootPath
            | Command::ToggleInPlace => return self.run_animation(command),
            Command::Slower => self.set_speed(self.playback.speed * 0.5),
            Command::Faster => self.set_speed(self.playback.speed * 2.0),
            Command::NormalSpeed => self.set_speed(1.0),
            Command::RangeStart => self.set_range(Some(TimeRange {
                start_secs: self.playback.time_secs,
                end_secs: self.play_range().end_secs,
            })),
            Command::RangeEnd => self.set_range(Some(TimeRange {
                start_secs: self.play_range().start_secs,
                end_secs: self.playback.time_secs,
            })),
            Command::ClearRange => self.playback.range = None,

            Command::AsBsm2 => return self.toggle_as_bsm2(),
            Command::CompareWith => return vec![Effect::PickFiles(FileKind::Compare)],
            Command::ComparePrevious => return self.compare_previous(),
            Command::EndCompare => return self.compare(CompareAction::End),
            Command::ArrangeFirst => return self.arrange(Arrangement::First),
            Command::ArrangeSecond => return self.arrange(Arrangement::Second),
            Command::ArrangeBeside => return self.arrange(Arrangement::Beside),
            Command::ArrangeOver => return self.arrange(Arrangement::Over),
            Command::ArrangeGhost => return self.arrange(Arrangement::Ghost),
            Command::ArrangeSplit => return self.arrange(Arrangement::Split),
            Command::ArrangeBlink => return self.arrange(Arrangement::Blink),
            Command::CheckGpu => return self.check_pose(),
            Command::CheckGpuClip => return self.check_clip(),

            Command::NextPane => self.step_pane(1),
            Command::PreviousPane => self.step_pane(-1),
            Command::ToggleOutline
            | Command::ToggleBytes
            | Command::ToggleInspector
            | Command::ToggleNotes
            | Command::ToggleAsBsm2Pane
            | Command::ToggleComparePane
            | Command::ToggleTruthPane
            | Command::ToggleLog
            | Command::ToggleWeights
            | Command::ToggleFigures
            | Command::ToggleCurves
            | Command::ToggleAnimation
            | Command::ToggleCollision
            | Command::ToggleUv
            | Command::ToggleTimeline => return self.toggle_panel(command),
            Command::ThemeSystem => return self.set_theme(Theme::System),
            Command::ThemeLight => return self.set_theme(Theme::Light),
            Command::ThemeDark => return self.set_theme(Theme::Dark),
            Command::ThemeHighContrast => return self.set_theme(Theme::HighContrast),
            Command::ResetLayout => {
                self.settings.layout = None;
                self.settings.panes = super::Panes::default();
                return vec![Effect::SaveSettings];
            }
            Command::LargerText => return self.scale_ui(0.1),
            Command::SmallerText => return self.scale_ui(-0.1),
            Command::UsualText => {
                self.settings.ui_scale = 1.0;
                return vec![Effect::SaveSettings];
            }
            Command::ToggleHints => {
                self.settings.shows_hints ^= true;
                return vec![Effect::SaveSettings];
            }

            Command::RevealBytes => return self.bytes_action(super::BytesAction::Reveal),
            Command::Palette => self.dialog = Some(Dialog::Palette),
            Command::Keys => self.dialog = Some(Dialog::Keys),
            Command::About => self.dialog = Some(Dialog::About),
        }
        Vec::new()
    }

    fn toggle_overlay(&mut self, command: Command) -> Vec<Effect> {
        let overlays = &mut self.view.overlays;
        match command {
            Command::ToggleSurface => overlays.surface ^= true,
            Command::ToggleTextures => overlays.textures ^= true,
            Command::ToggleChecker => overlays.checker ^= true,
            Command::ToggleSubsetColors => overlays.subset_colors ^= true,
            Command::ToggleWireframe => overlays.wireframe ^= true,
            Command::ToggleNormals => overlays.normals ^= true,
            Command::ToggleTangents => overlays.tangents ^= true,
            Command::ToggleBitangents => overlays.bitangents ^= true,
            Command::TogglePoints => overlays.points ^= true,
            Command::ToggleBones => overlays.bones ^= true,
            Command::ToggleBonesOnTop => overlays.bones_on_top ^= true,
            Command::ToggleBoneNames => overlays.bone_names ^= true,
            Command::ToggleTwoSided => overlays.two_sided ^= true,
            Command::ToggleFlat => overlays.flat ^= true,
            Command::ToggleGrid => overlays.grid ^= true,
            Command::ToggleAxes => overlays.axes ^= true,
            Command::ToggleStatistics => overlays.statistics ^= true,
            _ => {}
        }
        // Names without bones would name nothing.
        if command == Command::ToggleBoneNames && overlays.bone_names {
            overlays.bones = true;
        }
        self.settings.overlays = *overlays;
        vec![Effect::SaveSettings]
    }

    /// Colours by `coloring`, or by looks again.
    pub(super) fn toggle_coloring(&mut self, coloring: Coloring) -> Vec<Effect> {
        let overlays = &mut self.view.overlays;
        overlays.coloring = (overlays.coloring != Some(coloring)).then_some(coloring);
        // Paint is of one document.
        self.settings.overlays = Overlays {
            coloring: overlays.coloring.filter(|c| *c != Coloring::Paint),
            ..*overlays
        };
        vec![Effect::SaveSettings]
    }

    fn toggle_panel(&mut self, command: Command) -> Vec<Effect> {
        if command == Command::ToggleTimeline {
            self.settings.timeline ^= true;
        } else if let Some(pane) = super::Pane::of_toggle(command) {
            let panes = &mut self.settings.panes;
            panes.set(pane, !panes.shows(pane));
        }
        vec![Effect::SaveSettings]
    }

    fn scale_ui(&mut self, step: f32) -> Vec<Effect> {
        self.settings.scale_ui(step);
        vec![Effect::SaveSettings]
    }

    fn set_theme(&mut self, theme: Theme) -> Vec<Effect> {
        self.settings.theme = theme;
        vec![Effect::SaveSettings]
    }

    fn copy_path(&self) -> Vec<Effect> {
        let document = self.document.as_ref();
        let path = document.and_then(|document| document.origin.path());
        let text = path.map(|path| path.display().to_string());
        text.map(Effect::CopyText).into_iter().collect()
    }

    fn copy_command_line(&mut self) -> Vec<Effect> {
        let beyond = self.beyond_command_line();
        if !beyond.is_empty() {
            let text = format!("the command leaves out: {}", beyond.join(", "));
            self.toasts.push(ToastLevel::Warning, text);
        }
        let text = self.command_line();
        text.map(Effect::CopyText).into_iter().collect()
    }

    fn step(&mut self, next: impl Fn(&super::KeyTimes, f64) -> Option<f64>) {
        let time = self
            .key_times()
            .and_then(|keys| next(keys, self.playback.time_secs));
        match time {
            Some(time) => self.seek(time),
            // Nowhere to go, but a step always stops the clock.
            None => self.seek(self.playback.time_secs),
        }
    }

    fn step_clip(&mut self, by: usize) {
        let at = self.playback.clip.map_or(0, ClipId::index);
        let next = (at + by) % self.num_clips().max(1);
        self.set_clip(ClipId::from_index(next));
        if matches!(self.selection, Selection::Clip(_)) {
            self.selection = Selection::Clip(ClipId::from_index(next));
        }
    }

    pub(super) fn apply_playback_settings(&mut self) {
        self.playback.loop_mode = self.settings.loop_mode;
        self.playback.sampling = self.settings.sampling;
        self.playback.normals = self.settings.normals;
    }
}

impl AppState {
    /// Takes the clip's two keys for a bind pair, or for a motion again. The model is copied; its
    /// vertices and keys stay views of the file.
    fn toggle_bind_pair(&mut self) {
        let (Some(document), Some(id)) = (&mut self.document, self.playback.clip) else {
            return;
        };
        let model = Arc::make_mut(&mut document.model);
        if let Some(clip) = model.clips.get_mut(id.index())
            && let Motion::Sampled(motion) = &mut clip.motion
        {
            motion.is_bind_pair ^= true;
            let choices = &mut document.bind_pair_choices;
            match choices.iter().position(|known| *known == id) {
                Some(at) => drop(choices.remove(at)),
                None => choices.push(id),
            }
        }
        self.playback.is_playing = false;
        self.playback.is_default_pose = true;
        self.playback.time_secs = self.clip_range().start_secs;
    }
}
