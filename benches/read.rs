//! Reading a 256 MiB file of keys, compared with only reading its bytes.
//!
//! `cargo bench --no-default-features --bench read`

use std::path::PathBuf;

use divan::counter::BytesCount;
use glam::{Affine3A, Vec3};
use rigscope_core::model::{
    Bone, BoneId, ByteView, Clip, DefaultPose, Indices, Influences, InverseBindSkin, KeySpace,
    LocalTransform, Mesh, Model, PackedKeys, PackedVertex, PackedVertices, Report, SampledMotion,
    Skeleton, Skin, Trs, VertexData, pack_snorm1010102,
};
use rigscope_io::formats::{ReadOptions, Source, WriteOptions, bsm2::BSM2, open, write};

/// Size of the generated file.
const FILE_BYTES: usize = 256 << 20;
const NUM_BONES: u32 = 64;

fn main() {
    divan::main();
}

/// One triangle, and enough keys to reach the file size.
fn model() -> Model {
    let vertex = PackedVertex {
        position: Vec3::X,
        normal: pack_snorm1010102(Vec3::Z, 0),
        tangent: pack_snorm1010102(Vec3::X, 1),
        uv: [0; 2],
        bones: [0; 4],
        weights: [255, 0, 0, 0],
    };
    let num_keys = FILE_BYTES / (48 * NUM_BONES as usize);
    let matrices: Vec<Affine3A> = (0..num_keys * NUM_BONES as usize)
        .map(|at| Affine3A::from_rotation_y(at as f32 * 0.01))
        .collect();
    let bone = Bone {
        name: String::new(),
        parent: None,
        rest_local: LocalTransform::Trs(Trs::IDENTITY),
        ..Bone::default()
    };
    let interval_ns = 33_333_333;
    Model {
        meshes: vec![Mesh {
            vertices: VertexData::Packed(PackedVertices::from_vertices([vertex; 3])),
            indices: Indices::U16(ByteView::whole(vec![0, 0, 1, 0, 2, 0])),
            skin: Skin::InverseBind(InverseBindSkin {
                bones: (0..NUM_BONES).map(BoneId).collect(),
                bone_from_mesh: Vec::new(),
                influences: Influences::InVertices,
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        }]
        .into(),
        skeleton: Skeleton::new(vec![bone; NUM_BONES as usize], false).unwrap_or_default(),
        clips: vec![Clip::sampled(
            "long".into(),
            SampledMotion {
                duration_ns: interval_ns * (num_keys as u64 - 1),
                interval_ns,
                space: KeySpace::Skin,
                is_bind_pair: false,
                keys: PackedKeys::from_matrices(NUM_BONES, &matrices)
                    .unwrap_or_else(|| unreachable!()),
            },
        )]
        .into(),
        default_pose: DefaultPose::FirstKey,
        ..Model::default()
    }
}

/// The file, generated on first use in the build directory.
fn file() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("keys_256_mib.bsm2");
    if !path.exists() {
        let files = write(&model(), &BSM2, &WriteOptions::default(), &Report::new());
        let bytes = files.map(|mut files| files.remove(0).bytes).unwrap_or_default();
        assert!(std::fs::write(&path, bytes).is_ok(), "the file can be written");
    }
    path
}

fn bytes_of(path: &PathBuf) -> Vec<u8> {
    std::fs::read(path).unwrap_or_default()
}

/// The minimum for any reader: reading the bytes.
#[divan::bench(sample_count = 15)]
fn file_alone(bencher: divan::Bencher) {
    let path = file();
    bencher.counter(BytesCount::new(FILE_BYTES)).bench(|| bytes_of(&path));
}

/// File, reader and check.
#[divan::bench(sample_count = 15)]
fn file_read_and_checked(bencher: divan::Bencher) {
    let path = file();
    bencher.counter(BytesCount::new(FILE_BYTES)).bench(|| {
        let source = Source::new("keys.bsm2", bytes_of(&path));
        open(&source, &ReadOptions::default(), &Report::new()).map(|opened| opened.model)
    });
}

/// The same from memory, for the time of the reader itself.
#[divan::bench(sample_count = 15)]
fn read_and_checked_without_the_file(bencher: divan::Bencher) {
    let source = Source::new("keys.bsm2", bytes_of(&file()));
    bencher.counter(BytesCount::new(FILE_BYTES)).bench(|| {
        open(&source, &ReadOptions::default(), &Report::new()).map(|opened| opened.model)
    });
}
