//! Operations on points and triangles that don't need a model.
//!
//! | file | is for |
//! |---|---|
//! | `points` | the nearest of many points |
//! | `position_key` | positions as keys of maps |
//! | `triangle` | triangles as keys of maps |
//! | `weld` | vertices at the same position |
//! | `disjoint_sets` | numbers joined to sets |
//! | `polygon` | triangles of polygons |
//! | `cache_order` | the order of triangles and vertices |
//! | `simplify` | fewer triangles |
//! | `corner_tangents` | tangents of triangle corners |
//! | `sphere`, `hull`, `hull_faces` | shapes around points |

mod cache_order;
mod corner_tangents;
mod disjoint_sets;
mod hull;
mod hull_faces;
mod points;
pub mod polygon;
mod position_key;
mod simplify;
mod sphere;
mod triangle;
mod weld;

pub use cache_order::cache_order;
pub(crate) use corner_tangents::corner_tangents;
pub(crate) use disjoint_sets::DisjointSets;
pub use hull::{HullPoints, hull_points};
pub use hull_faces::{HullFaces, hull_faces};
pub(crate) use points::Points;
pub use position_key::position_key;
pub use simplify::{Simplified, simplified};
pub use sphere::bounding_sphere;
pub(crate) use triangle::from_lowest;
pub(crate) use weld::{welded, welded_near};
