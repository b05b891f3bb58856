//! Skinning on the CPU, in vertices per second, on one thread and on two.
//!
//! `cargo bench --no-default-features --bench skin`

#[path = "support/mod.rs"]
mod support;

use divan::counter::ItemsCount;
use rigscope_core::model::{Mesh, Model};
use rigscope_core::pose::{MeshPose, SkinnedMesh, skin_mesh, skin_mesh_into, skin_positions};
use support::{NUM_BONES, NUM_VERTICES, full_grid, grid};

fn main() {
    divan::main();
}

/// Packed vertices of four influences: position, normal and tangent, into reused memory.
#[divan::bench(args = [1, 2])]
fn packed(bencher: divan::Bencher, threads: usize) {
    let mut out = SkinnedMesh::default();
    run(bencher, threads, &grid(), |mesh, pose| skin_mesh_into(mesh, pose, &mut out));
}

/// The same into newly allocated memory.
#[divan::bench(args = [1, 2])]
fn packed_into_new(bencher: divan::Bencher, threads: usize) {
    run(bencher, threads, &grid(), skin_mesh);
}

/// Only positions.
#[divan::bench(args = [1, 2])]
fn packed_positions(bencher: divan::Bencher, threads: usize) {
    run(bencher, threads, &grid(), skin_positions);
}

/// Vertices and influences in full precision.
#[divan::bench(args = [1, 2])]
fn full(bencher: divan::Bencher, threads: usize) {
    let mut out = SkinnedMesh::default();
    run(bencher, threads, &full_grid(), |mesh, pose| skin_mesh_into(mesh, pose, &mut out));
}

fn run<T: Send>(
    bencher: divan::Bencher,
    threads: usize,
    model: &Model,
    mut skin: impl FnMut(&Mesh, &MeshPose) -> T + Send,
) {
    let Some(mesh) = model.meshes.first() else { return };
    let palette =
        (0..NUM_BONES).map(|bone| glam::Affine3A::from_rotation_y(f32::from(bone))).collect();
    let pose = MeshPose { palette, ..MeshPose::default() };
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else { return };
    bencher
        .counter(ItemsCount::new(NUM_VERTICES))
        .bench_local(|| pool.install(|| skin(mesh, &pose)));
}
