//! Tests of the comparison on models made in code.

mod attributes;
mod bones;
mod fixtures;
mod motion;
mod parts;
