//! Tests that need no GPU and no window: known answers of real files, the registry over all
//! samples, and the promises that the documents make about the code.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test may fail and speak"
)]

mod support;

#[path = "core/bonespro.rs"]
mod bonespro;
#[path = "core/bonespro_write.rs"]
mod bonespro_write;
#[path = "core/bsm.rs"]
mod bsm;
#[path = "core/bsm2.rs"]
mod bsm2;
#[path = "core/circles.rs"]
mod circles;
#[path = "core/compare.rs"]
mod compare;
#[path = "core/confusions.rs"]
mod confusions;
#[path = "core/docs.rs"]
mod docs;
#[path = "core/environment.rs"]
mod environment;
#[path = "core/examples.rs"]
mod examples;
#[path = "core/fbx.rs"]
mod fbx;
#[path = "core/fbx_bsm2.rs"]
mod fbx_bsm2;
#[path = "core/fbx_goldens.rs"]
mod fbx_goldens;
#[path = "core/fill_ins.rs"]
mod fill_ins;
#[path = "core/front.rs"]
mod front;
#[path = "core/gltf.rs"]
mod gltf;
#[path = "core/gltf_write.rs"]
mod gltf_write;
#[path = "core/imports.rs"]
mod imports;
#[path = "core/iqm.rs"]
mod iqm;
#[path = "core/iqm_player.rs"]
mod iqm_player;
#[path = "core/iqm_write.rs"]
mod iqm_write;
#[path = "core/layers.rs"]
mod layers;
#[path = "core/measured.rs"]
mod measured;
#[path = "core/mirrored.rs"]
mod mirrored;
#[path = "core/normals.rs"]
mod normals;
#[path = "core/obj.rs"]
mod obj;
#[path = "core/origins.rs"]
mod origins;
#[path = "core/ozz.rs"]
mod ozz;
#[path = "core/ozz_write.rs"]
mod ozz_write;
#[path = "core/properties.rs"]
mod properties;
#[path = "core/provenance.rs"]
mod provenance;
#[path = "core/round_trips.rs"]
mod round_trips;
#[path = "core/rules.rs"]
mod rules;
#[path = "core/sample.rs"]
mod sample;
#[path = "core/sims.rs"]
mod sims;
#[path = "core/sims_damage.rs"]
mod sims_damage;
#[path = "core/sims_write.rs"]
mod sims_write;
