//! Keys of commands.
//!
//! One exhaustive match; menus, help, README and the listener are made from it. The listener takes
//! keys out of the raw input before egui sees them: Space would press the focused button and
//! arrows would move the focus otherwise.

use egui::{Event, Key, KeyboardShortcut, ModifierNames, Modifiers, Plugin, RawInput};

use crate::state::{Action, AppState, COMMANDS, Command, Selection};

const NONE: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
/// Ctrl, or Command on a Mac.
const CTRL: Modifiers = Modifiers::COMMAND;

const fn key(modifiers: Modifiers, key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(modifiers, key)
}

/// The keys of `command`, the one that menus show first.
#[must_use]
pub fn shortcuts(command: Command) -> &'static [KeyboardShortcut] {
    match command {
        Command::Open => const { &[key(CTRL, Key::O)] },
        Command::TurnUp => const { &[key(SHIFT, Key::U)] },
        Command::AddCompanions => const { &[key(CTRL.plus(SHIFT), Key::O)] },
        Command::Reload => const { &[key(NONE, Key::F5), key(CTRL, Key::R)] },
        Command::ToggleWatch => &[],
        Command::CancelLoad => const { &[key(CTRL, Key::Period)] },
        Command::OpenSample => &[],
        Command::Export => const { &[key(CTRL, Key::E)] },
        Command::CopyPath => const { &[key(CTRL.plus(SHIFT), Key::C)] },
        Command::NextTab => const { &[key(CTRL, Key::Tab)] },
        Command::PreviousTab => const { &[key(CTRL.plus(SHIFT), Key::Tab)] },
        Command::CloseTab => const { &[key(CTRL, Key::W)] },
        Command::ToggleReopen => &[],
        Command::Undo => const { &[key(CTRL, Key::Z)] },
        Command::Redo => const { &[key(CTRL.plus(SHIFT), Key::Z), key(CTRL, Key::Y)] },
        Command::CopyNotes => &[],
        Command::CopyFigures => &[],
        Command::SavePicture => const { &[key(CTRL, Key::S)] },
        Command::SaveFilm => const { &[key(CTRL.plus(SHIFT), Key::S)] },
        Command::CopyCommandLine => const { &[key(CTRL.plus(SHIFT), Key::L)] },
        Command::Quit => const { &[key(CTRL, Key::Q)] },

        Command::ToggleSurface => const { &[key(NONE, Key::S)] },
        Command::ToggleTextures => const { &[key(NONE, Key::M)] },
        Command::ToggleChecker => const { &[key(NONE, Key::U)] },
        Command::ToggleSubsetColors => const { &[key(NONE, Key::C)] },
        Command::ToggleInfluenceColors => const { &[key(SHIFT, Key::C)] },
        Command::ToggleWireframe => const { &[key(NONE, Key::W)] },
        Command::TogglePoints => const { &[key(NONE, Key::P)] },
        Command::ToggleBones => const { &[key(NONE, Key::B)] },
        Command::ToggleBonesOnTop => const { &[key(SHIFT, Key::B)] },
        Command::ToggleBoneNames => const { &[key(NONE, Key::N)] },
        Command::ToggleNormals => const { &[key(ALT, Key::N)] },
        Command::ToggleTangents => const { &[key(ALT, Key::T)] },
        Command::ToggleBitangents => const { &[key(ALT.plus(SHIFT), Key::T)] },
        Command::ToggleExactNormals => const { &[key(ALT.plus(SHIFT), Key::N)] },
        Command::LongerGlyphs => const { &[key(ALT, Key::Period)] },
        Command::ShorterGlyphs => const { &[key(ALT, Key::Comma)] },
        Command::ToggleBadTriangles => const { &[key(ALT, Key::X)] },
        Command::ToggleHulls => const { &[key(ALT.plus(SHIFT), Key::H)] },
        Command::ToggleOccluder => const { &[key(ALT.plus(SHIFT), Key::O)] },
        Command::ToggleSilhouette => const { &[key(ALT, Key::D)] },
        Command::ToggleStoredBounds => const { &[key(ALT, Key::S)] },
        Command::ToggleTrueBounds => const { &[key(ALT.plus(SHIFT), Key::S)] },
        Command::ToggleTwoSided => const { &[key(NONE, Key::D)] },
        Command::ToggleFlat => const { &[key(SHIFT, Key::F)] },
        Command::ToggleGrid => const { &[key(NONE, Key::G)] },
        Command::ToggleAxes => const { &[key(NONE, Key::X)] },
        Command::ToggleStatistics => const { &[key(NONE, Key::F3)] },

        Command::ColorNormals => const { &[key(CTRL, Key::Num1)] },
        Command::ColorTangents => const { &[key(CTRL, Key::Num2)] },
        Command::ColorBitangents => const { &[key(CTRL, Key::Num3)] },
        Command::ColorTangentSign => const { &[key(CTRL, Key::Num4)] },
        Command::ColorUv => const { &[key(CTRL, Key::Num5)] },
        Command::ColorMirroredUvs => const { &[key(CTRL, Key::Num6)] },
        Command::ColorVertexColors => const { &[key(ALT.plus(SHIFT), Key::C)] },
        Command::ColorVertexOrder => const { &[key(CTRL, Key::Num7)] },
        Command::ColorFaceOrientation => const { &[key(CTRL, Key::Num8)] },
        Command::ColorMatcap => const { &[key(CTRL, Key::Num9)] },

        Command::ColorBoneWeights => const { &[key(NONE, Key::V)] },
        Command::ColorTwoBones => const { &[key(SHIFT, Key::V)] },
        Command::ColorBones => const { &[key(ALT, Key::V)] },
        Command::ColorWeightSums | Command::ColorPackingLoss => &[],
        Command::ToggleBoneAxes => const { &[key(SHIFT, Key::A)] },
        Command::ToggleBoneBoxes | Command::ToggleBindBones => &[],
        Command::ToggleRestBones => const { &[key(SHIFT, Key::R)] },
        Command::ToggleTrail => const { &[key(SHIFT, Key::T)] },
        Command::LargerBones => const { &[key(ALT, Key::CloseBracket)] },
        Command::SmallerBones => const { &[key(ALT, Key::OpenBracket)] },
        Command::HideBranch => const { &[key(CTRL, Key::H)] },
        Command::IsolateBranch => const { &[key(CTRL, Key::I)] },
        Command::ShowAllBones => const { &[key(CTRL.plus(SHIFT), Key::H)] },
        Command::LockBone => const { &[key(ALT, Key::L)] },

        Command::HideSelected => const { &[key(NONE, Key::H)] },
        Command::IsolateSelected => const { &[key(NONE, Key::I), key(SHIFT, Key::H)] },
        Command::ShowAll => const { &[key(ALT, Key::H)] },
        Command::SelectParent => const { &[key(NONE, Key::Backspace)] },
        Command::RevealBytes => const { &[key(SHIFT, Key::Y)] },
        Command::SelectNext => const { &[key(NONE, Key::ArrowDown)] },
        Command::SelectPrevious => const { &[key(NONE, Key::ArrowUp)] },
        Command::ClearSelection => const { &[key(NONE, Key::Escape)] },

        Command::PickSubsets => const { &[key(CTRL, Key::F1)] },
        Command::PickTriangles => const { &[key(CTRL, Key::F2)] },
        Command::PickVertices => const { &[key(CTRL, Key::F3)] },
        Command::PickBones => const { &[key(CTRL, Key::F4)] },
        Command::ToggleHover => const { &[key(ALT, Key::Q)] },
        Command::GoToVertex => const { &[key(CTRL, Key::G)] },
        Command::NextVertex => const { &[key(NONE, Key::Period)] },
        Command::PreviousVertex => const { &[key(NONE, Key::Comma)] },
        Command::CopyInspected => const { &[key(CTRL.plus(SHIFT), Key::I)] },
        Command::CopyInspectedJson => const { &[key(CTRL.plus(SHIFT), Key::J)] },

        Command::FrameAll => const { &[key(NONE, Key::A), key(NONE, Key::Home)] },
        Command::FrameSelection => const { &[key(NONE, Key::F)] },
        Command::ViewFront => const { &[key(NONE, Key::Num1)] },
        Command::ViewSide => const { &[key(NONE, Key::Num3)] },
        Command::ViewTop => const { &[key(NONE, Key::Num7)] },
        Command::ViewIso => const { &[key(NONE, Key::Num0)] },
        Command::ToggleProjection => const { &[key(NONE, Key::Num5), key(NONE, Key::O)] },

        Command::PlayPause => const { &[key(NONE, Key::Space)] },
        Command::PreviousKey => const { &[key(NONE, Key::ArrowLeft)] },
        Command::NextKey => const { &[key(NONE, Key::ArrowRight)] },
        Command::FirstKey => const { &[key(CTRL, Key::ArrowLeft)] },
        Command::LastKey => const { &[key(CTRL, Key::ArrowRight)] },
        Command::DefaultPose => const { &[key(NONE, Key::R)] },
        Command::PreviousClip => const { &[key(NONE, Key::PageUp)] },
        Command::NextClip => const { &[key(NONE, Key::PageDown)] },
        Command::CycleLoop => const { &[key(NONE, Key::L)] },
        Command::ToggleBindPair => const { &[key(NONE, Key::K)] },
        Command::ToggleLinear => const { &[key(NONE, Key::T)] },
        Command::Slower => const { &[key(NONE, Key::Minus)] },
        Command::Faster => const { &[key(NONE, Key::Plus), key(NONE, Key::Equals)] },
        Command::NormalSpeed => const { &[key(NONE, Key::Backslash)] },
        Command::RangeStart => const { &[key(NONE, Key::OpenBracket)] },
        Command::RangeEnd => const { &[key(NONE, Key::CloseBracket)] },
        Command::ClearRange => const { &[key(SHIFT, Key::Backslash)] },

        Command::AsBsm2 => const { &[key(ALT, Key::B)] },
        Command::CompareWith => const { &[key(ALT, Key::C)] },
        Command::ComparePrevious => const { &[key(ALT, Key::P)] },
        Command::EndCompare => const { &[key(ALT, Key::Backspace)] },
        Command::ArrangeFirst => const { &[key(ALT, Key::Num1)] },
        Command::ArrangeSecond => const { &[key(ALT, Key::Num2)] },
        Command::ArrangeBeside => const { &[key(ALT, Key::Num3)] },
        Command::ArrangeOver => const { &[key(ALT, Key::Num4)] },
        Command::ArrangeGhost => const { &[key(ALT, Key::Num5)] },
        Command::ArrangeSplit => const { &[key(ALT, Key::Num6)] },
        Command::ArrangeBlink => const { &[key(ALT, Key::Num7)] },
        Command::CheckGpu => const { &[key(ALT, Key::G)] },
        Command::CheckGpuClip => const { &[key(ALT.plus(SHIFT), Key::G)] },

        Command::ToggleAsBsm2Pane | Command::ToggleComparePane | Command::ToggleTruthPane => &[],
        Command::ToggleDecomposed => const { &[key(ALT.plus(SHIFT), Key::D)] },
        Command::ToggleOnion => const { &[key(ALT, Key::O)] },
        Command::ToggleLoopSeam => const { &[key(ALT.plus(SHIFT), Key::L)] },
        Command::ToggleRootPath => const { &[key(ALT, Key::R)] },
        Command::ToggleInPlace => const { &[key(ALT, Key::I)] },
        Command::MeasureBlendError => const { &[key(ALT, Key::E)] },
        Command::ToggleCurves => const { &[key(ALT, Key::F)] },
        Command::ToggleAnimation => const { &[key(ALT, Key::A)] },

        Command::ToggleOutline => const { &[key(NONE, Key::F6)] },
        Command::ToggleInspector => const { &[key(NONE, Key::F7)] },
        Command::ToggleNotes => const { &[key(NONE, Key::F8)] },
        Command::ToggleWeights => const { &[key(SHIFT, Key::W)] },
        Command::ToggleFigures => const { &[key(SHIFT, Key::F3)] },
        Command::ToggleCollision => const { &[key(ALT, Key::K)] },
        Command::ToggleUv => const { &[key(ALT, Key::U)] },
        Command::ToggleTimeline => const { &[key(NONE, Key::F9)] },
        Command::ToggleBytes => const { &[key(CTRL, Key::B)] },
        Command::ToggleLog => const { &[key(CTRL, Key::L)] },
        Command::NextPane => const { &[key(CTRL, Key::F6)] },
        Command::PreviousPane => const { &[key(CTRL.plus(SHIFT), Key::F6)] },
        Command::ResetLayout => &[],
        Command::ThemeSystem
        | Command::ThemeLight
        | Command::ThemeDark
        | Command::ThemeHighContrast => &[],
        Command::LargerText => {
            const {
                &[
                    key(CTRL, Key::Plus),
                    key(CTRL, Key::Equals),
                    key(CTRL.plus(SHIFT), Key::Plus),
                ]
            }
        }
        Command::SmallerText => const { &[key(CTRL, Key::Minus)] },
        Command::UsualText => const { &[key(CTRL, Key::Num0)] },
        Command::ToggleHints => const { &[key(SHIFT, Key::F1)] },

        Command::Palette => const { &[key(CTRL.plus(SHIFT), Key::P), key(CTRL, Key::K)] },
        Command::Keys => const { &[key(NONE, Key::F1)] },
        Command::About => &[],
    }
}

/// Commands that go on while a key is held.
fn repeats(command: Command) -> bool {
    matches!(
        command,
        Command::PreviousKey
            | Command::NextKey
            | Command::SelectNext
            | Command::SelectPrevious
            | Command::Undo
            | Command::Redo
            | Command::PreviousVertex
            | Command::NextVertex
    )
}

/// The command of a key press; while text is typed, only of keys that mean nothing to text.
fn command_of(pressed: Key, modifiers: Modifiers, is_typing: bool) -> Option<Command> {
    let is_for_text = is_typing
        && match pressed {
            Key::F1 | Key::F3 | Key::F5 | Key::F6 | Key::F7 | Key::F8 | Key::F9 => false,
            Key::C | Key::Z | Key::Y | Key::ArrowLeft | Key::ArrowRight => true,
            _ => !modifiers.command,
        };
    if is_for_text {
        return None;
    }
    let mut rows = COMMANDS.iter().map(|info| info.command);
    rows.find(|&command| {
        shortcuts(command)
            .iter()
            .any(|key| key.logical_key == pressed && modifiers.matches_exact(key.modifiers))
    })
}

/// The text of the key that menus show.
pub(super) fn shortcut_text(ctx: &egui::Context, command: Command) -> String {
    let first = shortcuts(command).first();
    first.map_or_else(String::new, |key| ctx.format_shortcut(key))
}

/// Listens for keys, ahead of all widgets.
#[derive(Default)]
pub(super) struct KeyListener {
    pressed: Vec<Command>,
}

impl Plugin for KeyListener {
    fn debug_name(&self) -> &'static str {
        "rigscope keys"
    }

    fn input_hook(&mut self, ctx: &egui::Context, input: &mut RawInput) {
        let is_typing = ctx.text_edit_focused();
        // Escape closes a menu before it means anything else.
        let has_popup = ctx.any_popup_open();
        // A list that has the focus knows better what is above and below.
        let has_focus = has_popup || ctx.memory(|memory| memory.focused().is_some());
        input.events.retain(|event| {
            let Event::Key {
                key,
                pressed: true,
                repeat,
                modifiers,
                ..
            } = event
            else {
                return true;
            };
            if has_popup && *key == Key::Escape {
                return true;
            }
            if has_focus && matches!(key, Key::ArrowUp | Key::ArrowDown) {
                return true;
            }
            let Some(command) = command_of(*key, *modifiers, is_typing) else {
                return true;
            };
            if !repeat || repeats(command) {
                self.pressed.push(command);
            }
            false
        });
    }
}

/// Turns the keys pressed since the last time into actions.
pub(super) fn take_keys(ctx: &egui::Context, state: &AppState, out: &mut Vec<Action>) {
    let listener = ctx.plugin_or_default::<KeyListener>();
    for command in std::mem::take(&mut listener.lock().pressed) {
        out.push(match command {
            // Escape takes away whatever is on top.
            Command::ClearSelection if state.dialog.is_some() => Action::CloseDialog,
            Command::ClearSelection if state.problem.is_some() => Action::DismissProblem,
            // What is over the view goes before what is selected in it.
            Command::ClearSelection
                if state.settings.shows_hints && state.selection == Selection::None =>
            {
                Action::Run(Command::ToggleHints)
            }
            command => Action::Run(command),
        });
    }
}

/// All keys as a Markdown table, for the README.
#[must_use]
pub fn key_table_markdown() -> String {
    let mut table = String::from("| Keys | Command | What it does |\n| --- | --- | --- |\n");
    for info in COMMANDS {
        let keys: Vec<_> = shortcuts(info.command)
            .iter()
            .map(|key| format!("`{}`", key.format(&ModifierNames::NAMES, false)))
            .collect();
        if !keys.is_empty() {
            let (keys, name) = (keys.join(", "), info.name.trim_end_matches('…'));
            table.push_str(&format!("| {keys} | {name} | {} |\n", info.help));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_belongs_to_two_commands() {
        let mut taken = std::collections::HashMap::new();
        for info in COMMANDS {
            for key in shortcuts(info.command) {
                // On a Mac Ctrl and Command are two keys, elsewhere one: compare what is meant.
                let name = key.format(&ModifierNames::NAMES, false);
                if let Some(other) = taken.insert(name.clone(), info.command) {
                    panic!("{name} is both {other:?} and {:?}", info.command);
                }
            }
        }
        assert!(taken.len() > 40);
    }

    #[test]
    fn text_keeps_its_own_keys_and_leaves_the_others() {
        let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
        assert_eq!(command_of(Key::Space, NONE, true), None);
        assert_eq!(command_of(Key::ArrowLeft, NONE, true), None);
        assert_eq!(command_of(Key::ArrowLeft, ctrl, true), None);
        assert_eq!(command_of(Key::O, ctrl, true), Some(Command::Open));
        assert_eq!(
            command_of(Key::Space, NONE, false),
            Some(Command::PlayPause)
        );
        assert_eq!(command_of(Key::F5, NONE, true), Some(Command::Reload));
    }

    #[test]
    fn modifiers_are_matched_exactly() {
        let ctrl = Modifiers::CTRL.plus(Modifiers::COMMAND);
        assert_eq!(
            command_of(Key::P, ctrl.plus(SHIFT), false),
            Some(Command::Palette)
        );
        assert_eq!(command_of(Key::P, NONE, false), Some(Command::TogglePoints));
        assert_eq!(command_of(Key::P, ctrl, false), None);
    }

    #[test]
    fn the_table_names_every_command_that_has_a_key() {
        let table = key_table_markdown();
        assert!(table.contains("| `Space` | Play or pause |"), "{table}");
        assert!(table.contains("`Ctrl+Shift+P`, `Ctrl+K`"), "{table}");
    }
}
