//! Operations on points and triangles that don't need a model.
//!
//! | file | is for |
//! |---|---|
//! | `points` | the nearest of many points |
//! | `position_key` | positions as keys of maps |
//! | `triangle` | triangles as keys of maps |
//! | `weld` | vertices at the same position |

mod points;
mod position_key;
mod triangle;
mod weld;

pub(crate) use points::Points;
pub use position_key::position_key;
pub(crate) use triangle::from_lowest;
pub(crate) use weld::{welded, welded_near};
