//! The one table of commands: menus, keys, palette, help and README are made from it.

use super::{
    AppState, Arrangement, LoopMode, Pane, PickWhat, SecondModel, Selection, Theme, UI_SCALES,
    WeightsMode,
};
use crate::camera::Projection;
use crate::pose::{Normals, Sampling};
use crate::visual::Coloring;

/// Which menu a command is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Menu {
    /// Files.
    File,
    /// Back and forth.
    Edit,
    /// What is drawn.
    Show,
    /// By what the surface is coloured.
    Colour,
    /// What is selected.
    Select,
    /// From where.
    Camera,
    /// When.
    Playback,
    /// Against what.
    Compare,
    /// Panels and colours.
    Window,
    /// How.
    Help,
}

impl Menu {
    /// All menus in the order of the menu bar.
    pub const ALL: [Self; 10] = [
        Self::File,
        Self::Edit,
        Self::Show,
        Self::Colour,
        Self::Select,
        Self::Camera,
        Self::Playback,
        Self::Compare,
        Self::Window,
        Self::Help,
    ];

    /// Name in the menu bar.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Show => "Show",
            Self::Colour => "Colour",
            Self::Select => "Select",
            Self::Camera => "Camera",
            Self::Playback => "Playback",
            Self::Compare => "Compare",
            Self::Window => "Window",
            Self::Help => "Help",
        }
    }
}

/// One row of the table of commands.
#[derive(Clone, Copy)]
pub struct CommandInfo {
    /// Which command.
    pub command: Command,
    /// As in the menu.
    pub name: &'static str,
    /// One sentence.
    pub help: &'static str,
    /// Where it is.
    pub menu: Menu,
    /// A line is drawn above it in the menu.
    pub starts_group: bool,
    /// Whether it can be done now.
    pub enabled: fn(&AppState) -> bool,
    /// Whether it is on, for what can be switched.
    pub checked: Option<fn(&AppState) -> bool>,
}

impl std::fmt::Debug for CommandInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.command)
    }
}

macro_rules! commands {
    ($($menu:ident { $($([$group:ident])? $name:ident: $title:literal, $help:literal, $enabled:expr $(=> $checked:expr)?;)+ })+) => {
        /// Everything that menus, keys and the palette can do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Command {
            $($(#[doc = $help] $name,)+)+
        }

        /// The table of commands, in the order of menus and of [`Command`].
        pub const COMMANDS: &[CommandInfo] = &[
            $($(CommandInfo {
                command: Command::$name,
                name: $title,
                help: $help,
                menu: Menu::$menu,
                starts_group: false $(|| !stringify!($group).is_empty())?,
                enabled: $enabled,
                checked: checked_of!($($checked)?),
            },)+)+
        ];
    };
}

macro_rules! checked_of {
    () => {
        None
    };
    ($checked:expr) => {
        Some($checked)
    };
}

fn always(_: &AppState) -> bool {
    true
}

fn has_tabs(state: &AppState) -> bool {
    state.num_tabs() > 1
}

fn has_document(state: &AppState) -> bool {
    state.document.is_some()
}

fn has_selection(state: &AppState) -> bool {
    state.selection != Selection::None
}

fn has_subset(state: &AppState) -> bool {
    state.selection.subset().is_some()
}

fn has_bone(state: &AppState) -> bool {
    state.selection.bone().is_some()
}

fn has_weights(state: &AppState) -> bool {
    let document = state.document.as_ref();
    document.is_some_and(|document| !document.model.skeleton.is_empty())
}

fn has_hulls(state: &AppState) -> bool {
    state
        .document
        .as_ref()
        .is_some_and(|document| !document.model.hulls.is_empty())
}

fn has_occluder(state: &AppState) -> bool {
    let document = state.document.as_ref();
    document.is_some_and(|document| document.model.occluder.is_some())
}

fn has_stored_bounds(state: &AppState) -> bool {
    let document = state.document.as_ref();
    document.is_some_and(|document| document.model.stored_bounds.is_some())
}

fn has_keys(state: &AppState) -> bool {
    state.key_times().is_some_and(|keys| !keys.is_empty())
}

fn has_clip(state: &AppState) -> bool {
    state.clip().is_some()
}

fn has_clips(state: &AppState) -> bool {
    state.num_clips() > 1
}

commands! {
    File {
        Open: "Open…", "Opens a file in a tab of its own; the sample makes room.", always;
        AddCompanions: "Add animation…", "Reads the file again with animations, skeletons, skins or textures of other files along with it.", AppState::has_file;
        Reload: "Reload", "Reads the file again and keeps camera, clip, time, selection and visibility.", has_document;
        TurnUp: "Turn the other axis up", "Reads the file again with Z up where Y was, or the other way round: exporters do not always keep to their format.", has_document;
        ToggleWatch: "Reload when the file changes", "Watches the file on disk and reads it again when it has changed.", always => |s| s.settings.watch;
        CancelLoad: "Cancel loading", "Stops reading; the file shown stays.", |s| s.job.is_some();
        Export: "Export…", "Writes the model in another format and says what that costs.", has_document;
        [group] OpenSample: "Open the sample", "Opens the character that comes with the program.", always;
        CopyPath: "Copy the file's path", "Puts the path of the file on the clipboard.", AppState::has_file;
        [group] NextTab: "Next tab", "Shows the file to the right.", has_tabs;
        PreviousTab: "Previous tab", "Shows the file to the left.", has_tabs;
        CloseTab: "Close the tab", "Closes the file that is shown.", |s| has_document(s) || has_tabs(s);
        ToggleReopen: "Open what was open last time", "Opens the files of all tabs again at the next start.", always => |s| s.settings.reopen;
        CopyNotes: "Copy the notes", "Puts the notes shown on the clipboard, one a line.", |s| !s.view.notes.rows.is_empty();
        CopyFigures: "Copy the statistics", "Puts the figures of meshes, subsets and textures on the clipboard, with tabs between columns.", |s| s.view.figures.is_some();
        [group] SavePicture: "Save picture…", "Draws what the view shows into a PNG of any size, also without background.", has_document;
        SaveFilm: "Save turntable or clip…", "Draws a turn about the model or a loop of its clip into a GIF or numbered PNGs.", has_document;
        CopyCommandLine: "Copy the command line", "Puts the `rigscope render` on the clipboard that draws this picture without a window.", AppState::has_file;
        [group] Quit: "Quit", "Closes the window.", always;
    }
    Edit {
        Undo: "Undo", "Takes the last change of visibility, colours, selection or what is drawn back.", |s| s.history.can_undo();
        Redo: "Redo", "Does again what was undone.", |s| s.history.can_redo();
    }
    Show {
        ToggleSurface: "Surface", "Lit triangles.", always => |s| s.view.overlays.surface;
        ToggleTextures: "Textures", "Materials with their textures, and colours of vertices.", always => |s| s.view.overlays.textures;
        ToggleChecker: "Checker", "A checker on texture coordinates, to see stretch.", always => |s| s.view.overlays.checker;
        ToggleSubsetColors: "Subset colours", "A colour for each subset.", always => |s| s.view.overlays.subset_colors;
        ToggleWireframe: "Wireframe", "Edges of all triangles.", always => |s| s.view.overlays.wireframe;
        TogglePoints: "Points", "Vertices.", always => |s| s.view.overlays.points;
        [group] ToggleBones: "Bones", "The skeleton.", always => |s| s.view.overlays.bones;
        ToggleBonesOnTop: "Bones on top", "The skeleton also where the surface hides it.", always => |s| s.view.overlays.bones_on_top;
        ToggleBoneNames: "Bone names", "Names beside the bones.", always => |s| s.view.overlays.bone_names;
        ToggleBoneAxes: "Axes of bones", "The axes of every bone: red is x, green y, blue z.", has_weights => |s| s.settings.bones.axes;
        ToggleBoneBoxes: "Boxes of bones", "The boxes that a BonesPro file has for its bones, as they were attached.", AppState::has_bone_boxes => |s| s.settings.bones.boxes;
        ToggleRestBones: "Bones at rest", "The skeleton outside any clip, as green lines beside the pose.", |s| s.view.bones.has_rest() => |s| s.settings.bones.rest;
        ToggleBindBones: "Bones as bound", "The skeleton of the inverse bind matrices, as magenta lines beside the pose.", |s| s.view.bones.has_bind() => |s| s.settings.bones.bind;
        ToggleTrail: "Trail of the bone", "The way of the selected bone through the clip, with its keys.", |s| has_bone(s) || s.settings.bones.trail => |s| s.settings.bones.trail;
        LargerBones: "Larger bones", "Draws bones thicker and their ends longer.", has_weights;
        SmallerBones: "Smaller bones", "Draws bones thinner and their ends shorter.", has_weights;
        [group] ToggleNormals: "Normals", "A blue line for each vertex's normal after skinning.", always => |s| s.view.overlays.normals;
        ToggleTangents: "Tangents", "A red line for each vertex's tangent after skinning.", always => |s| s.view.overlays.tangents;
        ToggleBitangents: "Bitangents", "A green line for each vertex's bitangent after skinning.", always => |s| s.view.overlays.bitangents;
        ToggleExactNormals: "Exact normals", "Turns normals and tangents with the surface, and not as the runtime of the file's format does: the engine will show the latter.", AppState::has_runtime_normals => |s| s.playback.normals == Normals::Exact;
        LongerGlyphs: "Longer lines of directions", "Makes lines of normals, tangents and bitangents longer by a half.", always;
        ShorterGlyphs: "Shorter lines of directions", "Makes lines of normals, tangents and bitangents shorter by a third.", always;
        ToggleBadTriangles: "Mark bad triangles", "Magenta where a triangle faces against its normals, red where it has no area.", has_document => |s| s.view.surface.marks_bad;
        [group] ToggleHulls: "Collision hulls", "The convex hull of each set of points stored for collision.", has_hulls => |s| s.view.collision.hulls;
        ToggleOccluder: "Occluder", "Faces and edges of the mesh that engines draw into the depth buffer.", has_occluder => |s| s.view.collision.occluder;
        ToggleSilhouette: "Occluder silhouette", "The flat shape that the depth buffer would hold, and the model as a ghost around it.", has_occluder => |s| s.view.collision.silhouette;
        ToggleStoredBounds: "Stored bounds", "The box and the sphere in the file, orange.", has_stored_bounds => |s| s.view.collision.stored_bounds;
        ToggleTrueBounds: "True bounds", "The box and the sphere around all vertices over all clips, green.", has_document => |s| s.view.collision.true_bounds;
        [group] ToggleTwoSided: "Two-sided light", "Back faces lit like front ones and not darkened.", always => |s| s.view.overlays.two_sided;
        ToggleFlat: "Flat shading", "Every triangle flat, whatever its normals say.", always => |s| s.view.overlays.flat;
        [group] ToggleGrid: "Ground", "A grid on the ground.", always => |s| s.view.overlays.grid;
        ToggleAxes: "Compass", "The axes in the corner of the view.", always => |s| s.view.overlays.axes;
        ToggleStatistics: "Statistics", "Figures about the model and frame times in the corner of the view.", always => |s| s.view.overlays.statistics;
    }
    Colour {
        ToggleInfluenceColors: "Influence counts", "A colour for how many bones move each vertex.", always => |s| s.view.overlays.coloring == Some(Coloring::InfluenceCounts);
        [group] ColorBoneWeights: "Weights of the bone", "How much the selected bone moves each vertex: blue is nothing, then green, yellow and red for all.", has_weights => |s| s.shows_weights(WeightsMode::Bone);
        ColorTwoBones: "Weights of two bones", "The selected bone in orange, the locked one in blue, both where they share vertices.", has_weights => |s| s.shows_weights(WeightsMode::Compare);
        ColorBones: "Weights of all bones", "A colour for each bone, blended by weight.", has_weights => |s| s.shows_weights(WeightsMode::BoneColors);
        ColorWeightSums: "Weight sums", "How far the stored weights of each vertex miss a sum of 1.", has_weights => |s| s.shows_weights(WeightsMode::Sums);
        ColorPackingLoss: "Weights lost by packing", "How much of each vertex other bones get with four influences of eight bits.", has_weights => |s| s.shows_weights(WeightsMode::Packing);
        [group] ColorNormals: "Normals as colours", "The normal after skinning: red is +X, green +Y, blue +Z; black has none.", has_document => |s| s.view.overlays.coloring == Some(Coloring::Normals);
        ColorTangents: "Tangents as colours", "The tangent after skinning: red is +X, green +Y, blue +Z; black has none.", has_document => |s| s.view.overlays.coloring == Some(Coloring::Tangents);
        ColorBitangents: "Bitangents as colours", "Normal and tangent crossed, times the sign: red is +X, green +Y, blue +Z.", has_document => |s| s.view.overlays.coloring == Some(Coloring::Bitangents);
        ColorTangentSign: "Tangent sign", "Green where the bitangent sign is +1, magenta where it is -1, grey where there is no tangent.", has_document => |s| s.view.overlays.coloring == Some(Coloring::TangentSign);
        [group] ColorUv: "Texture coordinates", "U is red and V is green; stripes where they leave 0 to 1.", has_document => |s| s.view.overlays.coloring == Some(Coloring::Uv);
        ColorMirroredUvs: "Mirrored UVs", "Blue where the texture lies as painted, orange where it is mirrored, red where its triangle has no area in the texture.", has_document => |s| s.view.overlays.coloring == Some(Coloring::MirroredUvs);
        [group] ColorVertexColors: "Vertex colours", "The colours that the file gives its vertices, without light; grey where it gives none.", has_document => |s| s.view.overlays.coloring == Some(Coloring::VertexColors);
        ColorVertexOrder: "Vertex order", "From dark blue at the first vertex of the file to yellow at the last.", has_document => |s| s.view.overlays.coloring == Some(Coloring::VertexOrder);
        ColorFaceOrientation: "Face orientation", "Blue where the front of a triangle is seen, red where the back is.", has_document => |s| s.view.overlays.coloring == Some(Coloring::FaceOrientation);
        ColorMatcap: "Matcap", "A ball of clay in place of lights and materials, to see the shape.", has_document => |s| s.view.overlays.coloring == Some(Coloring::Matcap);
    }
    Select {
        HideSelected: "Hide the subset", "Hides the selected subset.", has_subset;
        IsolateSelected: "Isolate the subset", "Shows only the selected subset, or all again.", |s| has_subset(s) || s.view.isolated.is_some() => |s| s.view.isolated.is_some();
        ShowAll: "Show all subsets", "Shows every subset again.", has_document;
        [group] SelectParent: "Select the parent bone", "Goes from the selected bone to its parent.", |s| s.parent_of_selected().is_some();
        RevealBytes: "Show the bytes of the selection", "Opens the bytes of the file at what is selected.", has_selection;
        SelectNext: "Select the next", "Goes to the next subset, bone, vertex or clip of the list.", has_document;
        SelectPrevious: "Select the one before", "Goes to the subset, bone, vertex or clip before.", has_document;
        HideBranch: "Hide the branch", "Hides the selected bone and all below it.", has_bone;
        IsolateBranch: "Isolate the branch", "Shows only the selected bone and all below it, or all again.", |s| has_bone(s) || s.view.bones.isolated.is_some() => |s| s.view.bones.isolated.is_some();
        ShowAllBones: "Show all bones", "Shows every bone again.", |s| s.view.bones.hides_some();
        LockBone: "Lock the bone", "Holds the bone to compare others with, or lets it go.", |s| s.view.weights.bone.is_some() => |s| s.view.weights.locked.is_some();
        ClearSelection: "Select nothing", "Shows the model as a whole in the inspector.", has_selection;
        [group] PickSubsets: "Click selects subsets", "A click selects a bone where one is drawn, otherwise the subset.", always => |s| s.settings.pick == PickWhat::Subset;
        PickTriangles: "Click selects triangles", "A click selects the triangle under the pointer; Alt+click does so at any time.", always => |s| s.settings.pick == PickWhat::Triangle;
        PickVertices: "Click selects vertices", "A click selects the nearest corner of the triangle under the pointer; Ctrl+click does so at any time.", always => |s| s.settings.pick == PickWhat::Vertex;
        PickBones: "Click selects bones", "A click selects the bone that is drawn there, or the one that moves the vertex most.", always => |s| s.settings.pick == PickWhat::Bone;
        ToggleHover: "Tell what is under the pointer", "Where the pointer rests: vertex, triangle, bones with their weights.", always => |s| s.settings.hover;
        [group] GoToVertex: "Go to vertex…", "Selects a vertex by its number and brings it into the view.", AppState::has_vertices;
        NextVertex: "Next vertex", "Goes to the next vertex of the selected subset or mesh.", AppState::can_step_vertex;
        PreviousVertex: "Previous vertex", "Goes to the vertex before in the selected subset or mesh.", AppState::can_step_vertex;
        [group] CopyInspected: "Copy as text", "Puts all that the inspector tells about the selection on the clipboard.", AppState::can_copy_inspected;
        CopyInspectedJson: "Copy as JSON", "The same as JSON, with all digits, for scripts and bug reports.", AppState::can_copy_inspected;
    }
    Camera {
        FrameAll: "Frame all", "Fills the view with all that is shown, in the pose shown.", has_document;
        FrameSelection: "Frame the selection", "Fills the view with what is selected.", has_document;
        [group] ViewFront: "Front", "Looks along -Z: the subject faces the camera.", always;
        ViewSide: "Side", "Looks along -X, at the subject's left.", always;
        ViewTop: "Top", "Looks down.", always;
        ViewIso: "Isometric", "Looks from above, between front and side.", always;
        [group] ToggleProjection: "Orthographic", "Parallel and not perspective.", always => |s| s.view.camera.projection == Projection::Orthographic;
    }
    Playback {
        PlayPause: "Play or pause", "Starts or stops the clock.", AppState::can_play => |s| s.playback.is_playing;
        [group] PreviousKey: "Previous key", "Goes to the key before and stops the clock.", has_keys;
        NextKey: "Next key", "Goes to the key after and stops the clock.", has_keys;
        FirstKey: "First key", "Goes to the start of the clip, or of the range.", has_keys;
        LastKey: "Last key", "Goes to the end of the clip, or of the range.", has_keys;
        DefaultPose: "Default pose", "Shows the pose that the file opens with.", |s| has_document(s) && !s.shows_default_pose();
        [group] PreviousClip: "Previous clip", "Shows the clip before this one.", has_clips;
        NextClip: "Next clip", "Shows the clip after this one.", has_clips;
        [group] CycleLoop: "Once, loop or ping-pong", "Changes what happens at the end.", always;
        ToggleBindPair: "Two keys are a bind pair", "Shows the product of the clip's two keys, a bone matrix and its inverse bind, and not a motion.", AppState::can_be_bind_pair => AppState::is_bind_pair;
        ToggleLinear: "Linear between keys", "Blends stored keys as matrices and does not hold the earlier one.", always => |s| s.playback.sampling == Sampling::Linear;
        ToggleDecomposed: "Decomposed between keys", "Blends move, turn and scale of stored keys, turns spherically, and not the matrices.", always => |s| s.playback.sampling == Sampling::Decomposed;
        Slower: "Slower", "Halves the speed.", has_document;
        Faster: "Faster", "Doubles the speed.", has_document;
        NormalSpeed: "Normal speed", "One second a second.", |s| s.playback.speed != 1.0;
        [group] RangeStart: "Start the range here", "What is played begins at the time shown.", AppState::can_play;
        RangeEnd: "End the range here", "What is played ends at the time shown.", AppState::can_play;
        ClearRange: "Play the whole clip", "Takes the range away.", |s| s.playback.range.is_some();
        [group] ToggleOnion: "Onion skin", "Shows neighbouring keys as ghosts: blue was before, orange comes after.", has_clip => |s| s.view.animation.onion.is_on;
        ToggleLoopSeam: "Loop seam", "Shows the first key as a ghost over the last one and measures how they meet.", has_clip => |s| s.view.animation.shows_seam;
        ToggleRootPath: "Way of the root", "Draws where the selected bone, or the one that travels, goes over the ground.", has_clip => |s| s.view.animation.shows_root;
        ToggleInPlace: "Stay in place", "Takes the way of the selected bone, or of the one that travels, out of the clip: the model stays where it begins.", has_clip => |s| s.playback.in_place.is_some();
        MeasureBlendError: "Linear against decomposed", "Paints how far linear blending of matrices leads each vertex astray between keys.", has_clip => AppState::shows_blend_error;
    }
    Compare {
        AsBsm2: "Show as BSM2", "Packs the model in memory as an export to BSM2 would and shows both.", has_document => |s| s.view.second.shown == Some(SecondModel::AsBsm2);
        CompareWith: "Compare with…", "Compares the file with another one: what differs, and both together.", has_document;
        ComparePrevious: "Compare with what was there before", "Compares the file with what it held before it was read again.", |s| s.view.compare.previous.is_some();
        EndCompare: "End the comparison", "Forgets the other file.", |s| s.view.compare.other.is_some() || s.view.compare.loading().is_some();
        [group] ArrangeFirst: "Only the document", "Shows the first of both models alone.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::First;
        ArrangeSecond: "Only the other", "Shows the second of both models alone.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::Second;
        ArrangeBeside: "Side by side", "Two views with one camera and one clock.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::Beside;
        ArrangeOver: "One over the other", "Both models in one place.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::Over;
        ArrangeGhost: "The other as a ghost", "The second model see-through over the first.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::Ghost;
        ArrangeSplit: "Split", "One model left of a line that can be dragged, the other right of it.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::Split;
        ArrangeBlink: "Blink", "Both models by turns.", AppState::has_second => |s| s.view.second.arrangement == Arrangement::Blink;
        [group] CheckGpu: "Check the GPU against the CPU", "Reads the skinned vertices back and compares them with the reference, in the pose shown.", has_document;
        CheckGpuClip: "Check the GPU over the clip", "The same at all keys of the clip, three hundred at most.", has_document;
    }
    Window {
        ToggleOutline: "Outline", "Subsets and bones, on the left.", always => |s| s.settings.panes.shows(Pane::Outline);
        ToggleInspector: "Inspector", "What is selected, on the right.", always => |s| s.settings.panes.shows(Pane::Inspector);
        ToggleNotes: "Notes", "What was found in the file, on the right.", always => |s| s.settings.panes.shows(Pane::Notes);
        ToggleAsBsm2Pane: "As BSM2", "What packing changes, on the right.", always => |s| s.settings.panes.shows(Pane::AsBsm2);
        ToggleComparePane: "Comparison", "What differs from another file, below the view.", always => |s| s.settings.panes.shows(Pane::Compare);
        ToggleTruthPane: "GPU check", "How far the GPU is from the CPU, on the right.", always => |s| s.settings.panes.shows(Pane::Truth);
        ToggleWeights: "Weights", "Weights of bones and their vertices, on the right.", always => |s| s.settings.panes.shows(Pane::Weights);
        ToggleFigures: "Statistics of meshes", "What each mesh and subset holds and costs, on the right.", always => |s| s.settings.panes.shows(Pane::Statistics);
        ToggleCurves: "Curves", "Move, turn and scale of the selected bone over the clip, below the view.", always => |s| s.settings.panes.shows(Pane::Curves);
        ToggleAnimation: "Animation", "Ghosts, loop seam, way of the root, a second clip and weights of morph targets.", always => |s| s.settings.panes.shows(Pane::Animation);
        ToggleCollision: "Collision", "Hulls, occluder and bounds, and whether bounds hold the model.", always => |s| s.settings.panes.shows(Pane::Collision);
        ToggleUv: "UV layout", "Texture coordinates over their texture, below the view.", always => |s| s.settings.panes.shows(Pane::Uv);
        ToggleTimeline: "Timeline", "Time, at the bottom.", always => |s| s.settings.timeline;
        ToggleBytes: "Bytes", "The bytes of the file, coloured by what they became, below the view.", always => |s| s.settings.panes.shows(Pane::Bytes);
        ToggleLog: "Log", "What was said: loads, faults, work; below the view.", always => |s| s.settings.panes.shows(Pane::Log);
        NextPane: "To the next pane", "Gives the keyboard to the next open pane; Tab goes on inside it.", always;
        PreviousPane: "To the pane before", "Gives the keyboard to the open pane before.", always;
        ResetLayout: "Put the panes back", "Opens the panes that are open at first, where they belong.", always;
        [group] ThemeSystem: "Colours of the desktop", "Light or dark as the desktop has it.", always => |s| s.settings.theme == Theme::System;
        ThemeLight: "Light colours", "Dark text on light ground.", always => |s| s.settings.theme == Theme::Light;
        ThemeDark: "Dark colours", "Light text on dark ground.", always => |s| s.settings.theme == Theme::Dark;
        ThemeHighContrast: "High contrast", "White and strong colours on black, with thick lines.", always => |s| s.settings.theme == Theme::HighContrast;
        [group] LargerText: "Larger text", "Makes text and buttons larger.", |s| s.settings.usable_ui_scale() < *UI_SCALES.end();
        SmallerText: "Smaller text", "Makes text and buttons smaller.", |s| s.settings.usable_ui_scale() > *UI_SCALES.start();
        UsualText: "Usual text size", "Makes text and buttons as large as they are at first.", |s| s.settings.ui_scale != 1.0;
    }
    Help {
        Palette: "Command palette…", "Finds a command by its name and does it.", always;
        ToggleHints: "First steps", "Shows how to turn, pick and play in a corner of the view.", always => |s| s.settings.shows_hints;
        Keys: "Keys…", "Lists all keys.", always;
        About: "About…", "Says what this program is and on which GPU it draws.", always;
    }
}

impl Command {
    /// This command's row in the table.
    #[must_use]
    pub fn info(self) -> &'static CommandInfo {
        &COMMANDS[self as usize]
    }

    /// Whether it can be done now.
    #[must_use]
    pub fn is_enabled(self, state: &AppState) -> bool {
        (self.info().enabled)(state)
    }

    /// The name with what it would change to, where one name does not do.
    #[must_use]
    pub fn title(self, state: &AppState) -> String {
        let info = self.info();
        match self {
            Self::CycleLoop => format!("At the end: {}", state.playback.loop_mode.name()),
            Self::PlayPause if state.playback.is_playing => "Pause".into(),
            Self::PlayPause if state.playback.loop_mode == LoopMode::Once => "Play once".into(),
            Self::PlayPause => "Play".into(),
            Self::Undo | Self::Redo => {
                let what = match self {
                    Self::Undo => state.undo_title(),
                    _ => state.redo_title(),
                };
                what.map_or_else(|| info.name.into(), |what| format!("{}: {what}", info.name))
            }
            _ => info.name.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum_and_of_the_menus() {
        for (index, info) in COMMANDS.iter().enumerate() {
            assert_eq!(info.command as usize, index);
            assert!(info.help.ends_with('.') && !info.name.is_empty());
        }
        let menus: Vec<_> = COMMANDS.iter().map(|info| info.menu).collect();
        let mut order = menus.clone();
        order.dedup();
        assert_eq!(order, Menu::ALL);
    }

    #[test]
    fn names_are_unique() {
        for info in COMMANDS {
            let same = COMMANDS.iter().filter(|other| other.name == info.name);
            assert_eq!(same.count(), 1, "{}", info.name);
        }
    }

    #[test]
    fn without_a_document_only_what_needs_none_is_enabled() {
        let state = AppState::default();
        assert!(Command::Open.is_enabled(&state));
        for command in [Command::PlayPause, Command::FrameAll, Command::CopyPath] {
            assert!(!command.is_enabled(&state), "{command:?}");
        }
    }
}
