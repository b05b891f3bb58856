//! UV tiles.
