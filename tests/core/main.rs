//! Tests that need no GPU and no window: known answers of real files, the registry over all
//! samples, and the promises that the documents make about the code.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

#[path = "../support/mod.rs"]
mod support;

mod bonespro;
mod bonespro_write;
mod bsm;
mod bsm2;
mod circles;
mod compare;
mod confusions;
mod curves;
mod docs;
mod effect;
mod environment;
mod examples;
mod fbx;
mod fbx_bsm2;
mod fbx_goldens;
mod fill_ins;
mod front;
mod fuzzing;
mod gltf;
mod gltf_write;
mod images;
mod imports;
mod iqm;
mod iqm_player;
mod iqm_write;
mod measured;
mod mirrored;
mod normals;
mod obj;
mod origins;
mod ozz;
mod ozz_write;
mod packaging;
mod properties;
mod provenance;
mod round_trips;
mod rules;
mod sample;
mod sims;
mod sims_damage;
mod sims_write;
mod sources;
mod waiting;
