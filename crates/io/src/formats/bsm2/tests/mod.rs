//! The reader and writer on bytes made here, one oddity a test. Real files are in the
//! package's `tests/`.

mod read;
mod write;

use glam::{Affine3A, Mat4, Vec3, Vec4};

use super::*;
use crate::formats::{OutputPlace, open, write};
use rigscope_core::pose::{PoseSpec, sample, skin_model};
use rigscope_testing::*;

/// A file being made: parts in the order of the format, each of which a test may spoil.
#[derive(Clone)]
struct File {
    vertices: Vec<PackedVertex>,
    indices: Vec<u16>,
    subsets: Vec<[u32; 3]>,
    num_bones: u32,
    materials: Vec<&'static [u8]>,
    clips: Vec<(&'static str, u64, u64, Vec<Affine3A>)>,
    hierarchy: Option<(Vec<u8>, Vec<Mat4>, Vec<&'static str>)>,
    trailing: Vec<u8>,
}

fn vertex(position: Vec3, bone: u8) -> PackedVertex {
    PackedVertex { uv: [0, 65535], bones: [bone, 0, 0, 0], ..packed_vertex(position) }
}

/// Two triangles, two bones, one clip of two keys.
fn file() -> File {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
    File {
        vertices: corners.iter().zip([0, 1, 0, 1]).map(|(&p, bone)| vertex(p, bone)).collect(),
        indices: vec![0, 1, 2, 2, 1, 3],
        subsets: vec![[0, 3, 0], [3, 3, 1]],
        num_bones: 2,
        materials: vec![b"skin", b"hair"],
        clips: vec![(
            "walk",
            33_333_333,
            33_333_333,
            (0..4).map(|i| Affine3A::from_translation(Vec3::X * i as f32)).collect(),
        )],
        hierarchy: None,
        trailing: Vec::new(),
    }
}

fn with_hierarchy(parents: &[u8]) -> File {
    let mut file = file();
    let num = parents.len();
    file.num_bones = u32::try_from(num).unwrap();
    let key = vec![Affine3A::IDENTITY; num];
    file.clips = vec![("still", 0, 33_333_333, key)];
    let names = ["a", "b", "c", "d"];
    file.hierarchy = Some((parents.to_vec(), vec![Mat4::IDENTITY; num], names[..num].to_vec()));
    file
}

impl File {
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let word =
            |out: &mut Vec<u8>, n: usize| out.extend(u32::try_from(n).unwrap().to_le_bytes());
        let text = |out: &mut Vec<u8>, bytes: &[u8]| {
            out.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
            out.extend(bytes);
        };
        for n in
            [self.vertices.len(), self.indices.len(), self.subsets.len(), self.num_bones as usize]
        {
            word(&mut out, n);
        }
        word(&mut out, self.materials.len());
        word(&mut out, self.clips.len());
        self.vertices.iter().for_each(|v| out.extend(v.to_bytes()));
        self.indices.iter().for_each(|i| out.extend(i.to_le_bytes()));
        self.subsets.as_flattened().iter().for_each(|n| out.extend(n.to_le_bytes()));
        self.materials.iter().for_each(|m| text(&mut out, m));
        for (name, duration, interval, matrices) in &self.clips {
            text(&mut out, name.as_bytes());
            out.extend(duration.to_le_bytes());
            out.extend(interval.to_le_bytes());
            word(&mut out, matrices.len() / self.num_bones.max(1) as usize);
            let keys = PackedKeys::from_matrices(self.num_bones, matrices);
            out.extend_from_slice(keys.unwrap().bytes());
        }
        if let Some((parents, binds, names)) = &self.hierarchy {
            out.extend(parents);
            binds.iter().flat_map(Mat4::to_cols_array).for_each(|f| out.extend(f.to_le_bytes()));
            names.iter().for_each(|name| text(&mut out, name.as_bytes()));
        }
        out.extend(&self.trailing);
        out
    }
}

fn read_bytes(bytes: Vec<u8>) -> (Result<Model, ReadError>, Vec<Note>) {
    let report = Report::new();
    let options = ReadOptions { format: Some(ID.into()), ..ReadOptions::default() };
    let opened = open(&Source::new("test.bsm2", bytes), &options, &report);
    (opened.map(|o| o.model), report.notes())
}

fn read_ok(file: &File) -> (Model, Vec<NoteKind>) {
    let (model, notes) = read_bytes(file.bytes());
    (model.unwrap(), notes.iter().map(|n| n.kind).collect())
}

fn rewritten(model: &Model) -> Vec<u8> {
    let mut files = write(model, &Bsm2, &WriteOptions::default(), &Report::new()).unwrap();
    files.remove(0).bytes
}
