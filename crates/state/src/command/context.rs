//! The commands of context menus, which act on the selection.

use super::Command;
use crate::{Pane, Selection};
use rigscope_core::visual::Coloring;

impl Selection {
    /// The commands for this kind of selection, in groups.
    pub fn commands(&self) -> &'static [&'static [Command]] {
        match self {
            Self::None => &[
                &[Command::FrameAll, Command::UndoCamera, Command::RedoCamera],
                &[Command::ShowAll, Command::ShowAllBones],
                &[Command::CopyImage, Command::SaveImage, Command::CopyCommandLine],
            ],
            Self::Subset(_) => &[
                &[Command::FrameSelection],
                &[Command::HideSelected, Command::IsolateSelected, Command::ShowAll],
                SURFACE,
                COPY,
            ],
            Self::Bone(_) => &[
                &[Command::FrameSelection, Command::SelectParent],
                &[Command::HideBranch, Command::IsolateBranch, Command::ShowAllBones],
                WEIGHTS,
                MOTION,
                COPY,
            ],
            Self::Vertex { .. } => &[
                &[Command::FrameSelection, Command::NextVertex, Command::PreviousVertex],
                SUBSET,
                &[Command::MeasureSelection, Command::RevealBytes],
                COPY,
            ],
            Self::Triangle { .. } => {
                &[&[Command::FrameSelection], SUBSET, &[Command::RevealBytes], COPY]
            }
            Self::Hull(_) => &[&[Command::FrameSelection], &[Command::RevealBytes], COPY],
            Self::Clip(_) => &[
                &[Command::PlayPause, Command::ShowRestPose, Command::ShowBindPose],
                &[Command::ToggleOnion, Command::ToggleLoopSeam, Command::ToggleInPlace],
                &[Command::RevealBytes],
                COPY,
            ],
        }
    }
}

const SURFACE: &[Command] =
    &[Command::pane(Pane::Materials), Command::pane(Pane::Uv), Command::RevealBytes];

const MOTION: &[Command] =
    &[Command::pane(Pane::Curves), Command::MeasureSelection, Command::RevealBytes];

const WEIGHTS: &[Command] = &[
    Command::coloring(Coloring::BoneWeights),
    Command::ColorTwoBones,
    Command::LockBone,
    Command::pane(Pane::Weights),
];

/// Commands for the subset of a vertex or triangle.
const SUBSET: &[Command] = &[Command::HideSelected, Command::IsolateSelected, Command::ShowAll];

const COPY: &[Command] = &[Command::CopyInspected, Command::CopyInspectedJson];

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::{BoneId, ClipId, MeshId, VertexId};

    #[test]
    fn no_context_menu_lists_a_command_twice() {
        let (mesh, vertex, subset) = (MeshId(0), VertexId(0), None);
        for selection in [
            Selection::None,
            Selection::Subset(0),
            Selection::Bone(BoneId(0)),
            Selection::Vertex { mesh, vertex, subset },
            Selection::Triangle { mesh, triangle: 0, subset },
            Selection::Hull(0),
            Selection::Clip(ClipId(0)),
        ] {
            let commands: Vec<_> = selection.commands().concat();
            for (number, command) in commands.iter().enumerate() {
                assert!(!commands[..number].contains(command), "{selection:?}: {command:?}");
            }
        }
    }
}
