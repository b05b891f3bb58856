//! Known facts about real files, and the format registry applied to all samples.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

#[path = "../../../../tests/support/mod.rs"]
mod support;

mod bonespro;
mod bonespro_write;
mod bsm;
mod bsm2;
mod compare;
mod confusions;
mod curves;
mod effect;
mod empty_models;
mod environment;
mod fbx;
mod fbx_bsm2;
mod fbx_goldens;
mod fill_ins;
mod gltf;
mod gltf_write;
mod images;
mod iqm;
mod iqm_player;
mod iqm_write;
mod measured;
mod mirrored;
mod normals;
mod obj;
mod obj_ufbx;
mod origins;
mod ozz;
mod ozz_write;
mod properties;
mod provenance;
mod round_trips;
mod rules;
mod sims;
mod sims_damage;
mod sims_write;
mod twice;
