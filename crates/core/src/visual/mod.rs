//! The visible parts of a model as plain data: the table of display switches and colourings,
//! replacement colours of surfaces, additional lines and faces, and pick results.
//!
//! For: `state`, which decides what to show, and `gpu`, which draws it; images without a window use
//! the same.
//! Not for: decisions (`state`), drawing (`gpu`), panes (`ui`).
//!
//! Invariant: everything here is in display space and linear colour.

mod bad_triangles;
mod collision;
mod light;
mod marks;
mod outlined;
mod overlays;
mod paint;
mod pick;
mod show;
mod skeleton;
mod sphere;
mod springs;
mod weights;

pub use collision::{
    CollisionShapes, HULL_COLOR, OCCLUDER_COLOR, STORED_BOUNDS_COLOR, TRUE_BOUNDS_COLOR,
};
pub use light::{
    BACKDROPS, Backdrop, Choice, ENVIRONMENTS, EXPOSURE_CENTISTOPS, EnvironmentKind, Light,
    LightChoice, MAX_INTENSITY_PERCENT, SHADINGS, Shading, TONE_MAPPINGS, ToneMapping,
};
pub use marks::{Face, HullMarks, Line, Marks, USUAL_GLYPH_PERMILLE};
pub use outlined::{OutlineTarget, SELECTED};
pub use overlays::OverlayInput;
pub use paint::{HEAT_STOPS, VertexPaint, heat};
pub use pick::{PickHit, PickedBone, PickedPoint, PickedTriangle};
pub use show::{
    Coloring, DrawnWith, Item, Needs, ON_HARDWARE, SHOW, Scope, Show, ShowGroup, ShowInfo, Switch,
};
pub use skeleton::{
    AXES, BIND_SKELETON, BONE_BOX, BONE_ON_PATH, DEFORMING_BONE, INFLUENCE_CENTER, LOCKED_BONE,
    MOTION_PATH, OTHER_BONE, REST_SKELETON, SOURCE_SKELETON, bone_colors, opaque,
};
pub use weights::{WeightTable, bone_color, srgb8};
