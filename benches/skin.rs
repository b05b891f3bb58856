//! Skinning on the CPU, in vertices a second, on one thread and on two.
//!
//! `cargo bench --no-default-features --bench skin`

use divan::counter::ItemsCount;
use glam::Vec3;
use rigscope::model::{
    BoneId, Influences, InverseBindSkin, Mesh, PackedVertex, PackedVertices, Skin, VertexData,
    pack_snorm1010102,
};
use rigscope::pose::skin_mesh;

const NUM_VERTICES: usize = 100_000;
const NUM_BONES: u8 = 64;

fn main() {
    divan::main();
}

/// Vertices of four influences each, which is the most that a packed vertex holds.
fn mesh() -> Mesh {
    let vertices = (0..NUM_VERTICES).map(|at| {
        let bone =
            |step: usize| u8::try_from((at * 7 + step * 13) % usize::from(NUM_BONES)).unwrap_or(0);
        PackedVertex {
            position: Vec3::new((at % 317) as f32, (at % 211) as f32, (at % 101) as f32),
            normal: pack_snorm1010102(Vec3::Z, 0),
            tangent: pack_snorm1010102(Vec3::X, 1),
            uv: [0; 2],
            bones: [bone(0), bone(1), bone(2), bone(3)],
            weights: [100, 80, 50, 25],
        }
    });
    Mesh {
        vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
        skin: Skin::InverseBind(InverseBindSkin {
            bones: (0..u32::from(NUM_BONES)).map(BoneId).collect(),
            bone_from_mesh: Vec::new(),
            influences: Influences::InVertices,
        }),
        ..Mesh::default()
    }
}

/// 100,000 packed vertices of four influences: position, normal and tangent.
#[divan::bench(args = [1, 2])]
fn cpu(bencher: divan::Bencher, threads: usize) {
    let mesh = mesh();
    let palette: Vec<_> = (0..NUM_BONES)
        .map(|bone| glam::Affine3A::from_rotation_y(f32::from(bone)))
        .collect();
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
        return;
    };
    bencher
        .counter(ItemsCount::new(NUM_VERTICES))
        .bench(|| pool.install(|| skin_mesh(&mesh, &palette, &[])));
}
