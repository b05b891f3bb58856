//! Skins and influences: sets of four joints and weights per vertex, with weights that sum to 1.
//!
//! Source: glTF 2.0, sections 3.7.3.1 to 3.7.3.3 and 5.28.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use glam::{Mat4, Vec4};
use gltf_json::Skin;

use super::super::ID;
use super::data::{FileData, Use, index};
use super::nodes::Nodes;
use crate::formats::WriteError;
use rigscope_core::model::{InverseBindSkin, Report, influence_row};

const SET: usize = 4;
/// Number of joints that 16-bit indices can address.
const MAX_JOINTS: usize = 1 << 16;
/// Tolerance of the sum of weights around 1, per weight.
const ROUNDING: f32 = 6e-8;

/// Four joints and four weights per vertex.
type Set = (Vec<[u16; SET]>, Vec<[f32; SET]>);

/// The influences of a mesh.
pub(super) struct Sets {
    pub(super) list: Vec<Set>,
    /// Index of the skin in the file.
    pub(super) skin: usize,
}

/// Skins of the file: meshes with the same joints and bind matrices share one.
#[derive(Default)]
pub(super) struct Skins {
    known: Vec<(Vec<usize>, Vec<[f32; 16]>)>,
    /// Indices in `known` by the hash of a skin.
    by_hash: HashMap<u64, Vec<usize>>,
}

impl Skins {
    /// Adds the skin of a mesh with `num` vertices.
    pub(super) fn add(
        &mut self,
        skin: &InverseBindSkin,
        num: usize,
        nodes: &mut Nodes,
        report: &Report,
    ) -> Result<Sets, WriteError> {
        let mut joints = SkinJoints::default();
        let of_slots: Vec<usize> = (skin.bones.iter().enumerate())
            .map(|(slot, bone)| {
                let bind = skin.bone_from_mesh.get(slot).copied();
                joints.number(bone.index(), affine(bind.unwrap_or_default()), nodes, report)
            })
            .collect();
        let mut rows: Vec<Vec<(usize, f32)>> = Vec::with_capacity(num);
        for vertex in 0..num {
            let mut row: Vec<(usize, f32)> = Vec::new();
            for (slot, weight) in skin.influences.row(vertex).filter(|(_, weight)| *weight > 0.0) {
                if let Some(&joint) = of_slots.get(slot as usize) {
                    influence_row::add(&mut row, joint, weight);
                }
            }
            if row.is_empty() {
                // glTF requires a joint, so use one that never moves.
                let unmoved = nodes.unmoved(report);
                row.push((joints.number(unmoved, Mat4::IDENTITY, nodes, report), 1.0));
            }
            if row.len() > SET {
                // Many programs only read the first set.
                row.sort_by(|a, b| b.1.total_cmp(&a.1));
            }
            normalise(&mut row);
            rows.push(row);
            if vertex % 65_536 == 0 {
                report.progress("writing influences", vertex as f32 / num as f32)?;
            }
        }
        if joints.nodes.len() > MAX_JOINTS {
            return Err(WriteError::TooMany {
                format: ID,
                what: "bones of one mesh",
                count: joints.nodes.len() as u64,
                limit: MAX_JOINTS as u64,
            });
        }
        nodes.add_common_root(&joints.nodes, report);
        Ok(Sets { list: sets(&rows), skin: self.number(joints) })
    }

    fn number(&mut self, joints: SkinJoints) -> usize {
        let binds: Vec<[f32; 16]> = joints.binds.iter().map(Mat4::to_cols_array).collect();
        let skin = (joints.nodes, binds);
        let mut hasher = DefaultHasher::new();
        skin.0.hash(&mut hasher);
        // 0 and -0 are equal.
        skin.1.iter().flatten().for_each(|value| (value + 0.0).to_bits().hash(&mut hasher));
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        match alike.iter().find(|at| self.known.get(**at) == Some(&skin)) {
            Some(at) => *at,
            None => {
                self.known.push(skin);
                alike.push(self.known.len() - 1);
                self.known.len() - 1
            }
        }
    }

    pub(super) fn finish(self, data: &mut FileData) {
        for (nodes, binds) in self.known {
            let binds = data.floats(&binds, Use::Other);
            data.root.skins.push(Skin {
                extensions: None,
                extras: Default::default(),
                inverse_bind_matrices: Some(index(binds)),
                joints: nodes.into_iter().map(index).collect(),
                name: None,
                skeleton: None,
            });
        }
    }
}

/// Joints of one skin, without duplicate nodes.
#[derive(Default)]
struct SkinJoints {
    nodes: Vec<usize>,
    binds: Vec<Mat4>,
    /// The joints of each bone.
    of_bone: HashMap<usize, Vec<usize>>,
}

impl SkinJoints {
    /// The joint of a bone with the given bind matrix, created on first use.
    fn number(&mut self, bone: usize, bind: Mat4, nodes: &mut Nodes, report: &Report) -> usize {
        let known = self.of_bone.entry(bone).or_default();
        let is_same = |joint: &&usize| self.binds.get(**joint) == Some(&bind);
        if let Some(&joint) = known.iter().find(is_same) {
            return joint;
        }
        self.nodes.push(if known.is_empty() { bone } else { nodes.duplicate_joint(bone, report) });
        self.binds.push(bind);
        known.push(self.nodes.len() - 1);
        self.nodes.len() - 1
    }
}

/// The last row must be 0 0 0 1 (section 5.28.1); other values are ignored when posing.
fn affine(mut bind: Mat4) -> Mat4 {
    for column in [&mut bind.x_axis, &mut bind.y_axis, &mut bind.z_axis] {
        column.w = 0.0;
    }
    bind.w_axis = Vec4::new(bind.w_axis.x, bind.w_axis.y, bind.w_axis.z, 1.0);
    bind
}

fn normalise(row: &mut [(usize, f32)]) {
    let sum: f64 = row.iter().map(|(_, weight)| f64::from(*weight)).sum();
    #[expect(clippy::cast_possible_truncation, reason = "a weight is up to 1")]
    if (sum - 1.0).abs() > f64::from(ROUNDING) * row.len() as f64 {
        for (_, weight) in row {
            *weight = (f64::from(*weight) / sum) as f32;
        }
    }
}

fn sets(rows: &[Vec<(usize, f32)>]) -> Vec<Set> {
    let most = rows.iter().map(Vec::len).max().unwrap_or_default();
    let set = |number: usize| {
        let of_row = |row: &Vec<(usize, f32)>| {
            let (mut joints, mut weights) = ([0; SET], [0.0; SET]);
            let entries = row.iter().skip(number * SET);
            let slots = joints.iter_mut().zip(&mut weights);
            for ((joint, weight), entry) in slots.zip(entries) {
                *joint = u16::try_from(entry.0).unwrap_or_default();
                *weight = entry.1;
            }
            (joints, weights)
        };
        rows.iter().map(of_row).unzip()
    };
    (0..most.div_ceil(SET)).map(set).collect()
}
