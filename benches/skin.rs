//! Skinning on the CPU, in vertices a second, on one thread and on two.
//!
//! `cargo bench --no-default-features --bench skin`

#[path = "support/mod.rs"]
mod support;

use divan::counter::ItemsCount;
use rigscope::pose::{MeshPose, skin_mesh};
use support::{NUM_BONES, NUM_VERTICES, grid};

fn main() {
    divan::main();
}

/// Packed vertices of four influences: position, normal and tangent.
#[divan::bench(args = [1, 2])]
fn cpu(bencher: divan::Bencher, threads: usize) {
    let model = grid();
    let Some(mesh) = model.meshes.first() else { return };
    let palette =
        (0..NUM_BONES).map(|bone| glam::Affine3A::from_rotation_y(f32::from(bone))).collect();
    let pose = MeshPose { palette, ..MeshPose::default() };
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else { return };
    bencher
        .counter(ItemsCount::new(NUM_VERTICES))
        .bench(|| pool.install(|| skin_mesh(mesh, &pose)));
}
