//! Display options of the view: overlays, colours, bones, marks, camera history.
//!
//! Not for: drawing, which is in `gpu`.

mod bones;
mod camera_history;
mod camera_orbit;
mod collision;
mod color_source;
mod display_options;
mod histogram;
mod light;
mod normals;
mod painting;
mod surface;
mod weight_rows;
mod weights;
mod weights_mode;

pub use bones::{BONE_SIZES, BoneDrawing, BonesAction, BonesView, MotionPath};
pub(super) use camera_history::CameraHistory;
pub use camera_orbit::{CameraOrbit, OrbitDistance};
pub use collision::{BoundsVerdict, CollisionAction, CollisionView, REACH_TASK};
pub use color_source::ColorSource;
pub use histogram::{HISTOGRAM_STEPS, Histogram};
pub(super) use painting::ReplacedColoring;
pub use painting::{DISPLAY_UNITS, LegendRow, Painter, Painting, SecondModel};
pub use surface::{BAD_TRIANGLES_TASK, GLYPH_PERMILLE, SurfaceAction, SurfaceView};
pub use weight_rows::{WeightRow, WeightStatistics};
pub use weights::{FIRST_OF_TWO, SECOND_OF_TWO, WeightsAction, WeightsSubject, WeightsView};
pub use weights_mode::WeightsMode;
