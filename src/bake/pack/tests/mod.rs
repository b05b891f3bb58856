//! Packing, part by part.
