//! Models built in code.

use std::f32::consts::TAU;

use glam::{Affine3A, EulerRot, Mat4, Quat, Vec3};

use rigscope_testing::*;

/// A small generator with the same numbers on every machine (the LCG of Numerical Recipes).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn bits(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 32).unwrap()
    }

    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.bits() % end
    }

    /// -1..1
    pub(crate) fn signed(&mut self) -> f32 {
        self.bits() as f32 / u32::MAX as f32 * 2.0 - 1.0
    }

    pub(crate) fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn byte(&mut self) -> u8 {
        u8::try_from(self.bits() & 0xff).unwrap()
    }

    /// A rotation, a nonuniform scale of 0.5..1.5, sometimes a mirror, and a translation of up to `reach`.
    pub(crate) fn affine(&mut self, reach: f32) -> Affine3A {
        let rotation = Quat::from_euler(
            EulerRot::XYZ,
            self.signed() * TAU,
            self.signed() * TAU,
            self.signed() * TAU,
        );
        let mut scale = Vec3::ONE + self.vec3() * 0.5;
        if self.below(6) == 0 {
            scale.x = -scale.x;
        }
        Affine3A::from_scale_rotation_translation(scale, rotation, self.vec3() * reach)
    }
}

/// Properties of a random model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub(crate) seed: u64,
    pub(crate) num_vertices: usize,
    pub(crate) num_bones: u32,
    pub(crate) num_keys: usize,
    pub(crate) has_hierarchy: bool,
    pub(crate) is_bind_pair: bool,
    /// Every third bone is scaled to zero.
    pub(crate) has_hidden_bones: bool,
}

/// The default recipe, which tests modify.
pub(crate) const PLAIN: Recipe = Recipe {
    seed: 1,
    num_vertices: 3000,
    num_bones: 40,
    num_keys: 9,
    has_hierarchy: false,
    is_bind_pair: false,
    has_hidden_bones: false,
};

impl Recipe {
    pub(crate) fn model(&self) -> Model {
        let random = &mut Random::new(self.seed);
        let vertices = (0..self.num_vertices).map(|_| self.vertex(random));
        let vertices = PackedVertices::from_vertices(vertices.collect::<Vec<_>>());
        let bones: Vec<BoneId> = (0..self.num_bones).map(BoneId).collect();
        let inverse = |_| Mat4::from(random.affine(1.0));
        let bone_from_mesh =
            if self.has_hierarchy { bones.iter().map(inverse).collect() } else { Vec::new() };
        let mesh = Mesh {
            vertices: VertexData::Packed(vertices),
            skin: Skin::InverseBind(InverseBindSkin {
                bones,
                bone_from_mesh,
                influences: Influences::InVertices,
                ..InverseBindSkin::default()
            }),
            ..Mesh::default()
        };
        Model {
            meshes: vec![mesh].into(),
            skeleton: self.skeleton(random),
            clips: vec![self.clip(random)].into(),
            default_pose: DefaultPose::FirstKey,
            ..Model::default()
        }
    }

    /// Weights that sum to 255, to less, or to zero; unused slots refer to other bones.
    fn vertex(&self, random: &mut Random) -> PackedVertex {
        let mut weights = [0, 0, 0, 0];
        match random.below(8) {
            0 => {}
            1 => weights = [0, random.byte(), 0, random.byte()],
            _ => {
                let mut left = 255u32;
                for weight in &mut weights[1..] {
                    let part = random.below(left / 2 + 1);
                    *weight = u8::try_from(part).unwrap();
                    left -= part;
                }
                weights[0] = u8::try_from(left).unwrap();
            }
        }
        let bone = |random: &mut Random| u8::try_from(random.below(self.num_bones)).unwrap();
        let sign = [-1, 0, 1][random.below(3) as usize];
        PackedVertex {
            position: random.vec3() * 10.0,
            normal: match random.below(10) {
                0 => 0,
                _ => pack_snorm1010102(random.vec3(), 0),
            },
            tangent: match random.below(10) {
                // -512 in each component, which is clamped.
                0 => 0x2008_0200 | 0b10 << 30,
                _ => pack_snorm1010102(random.vec3(), sign),
            },
            uv: [0, 65535],
            bones: std::array::from_fn(|_| bone(random)),
            weights,
        }
    }

    fn skeleton(&self, random: &mut Random) -> Skeleton {
        let bones = (0..self.num_bones).map(|bone| Bone {
            // A bushy tree with several roots; the parents of the second half of the bones come later.
            parent: (self.has_hierarchy && bone % 7 != 0).then(|| match bone % 2 {
                0 => BoneId(random.below(bone)),
                _ => BoneId((bone / 7) * 7),
            }),
            ..Bone::default()
        });
        Skeleton::new(bones.collect(), self.has_hierarchy).unwrap()
    }

    fn clip(&self, random: &mut Random) -> Clip {
        let mut keys = Vec::new();
        for _ in 0..self.num_keys {
            for bone in 0..self.num_bones {
                let mut matrix = random.affine(if self.has_hierarchy { 1.0 } else { 5.0 });
                if self.has_hidden_bones && bone % 3 == 1 {
                    matrix.matrix3 *= 0.0;
                }
                keys.push(matrix);
            }
        }
        let space = if self.has_hierarchy { KeySpace::Local } else { KeySpace::Skin };
        let mut clip = sampled("random", space, 33_333_333, self.num_bones, &keys);
        if let Motion::Sampled(motion) = &mut clip.motion {
            motion.is_bind_pair = self.is_bind_pair;
        }
        clip
    }
}

/// A triangle: corners, and their common normal.
#[derive(Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) corners: [Vec3; 3],
    pub(crate) normal: Vec3,
}

/// A triangle in the plane z = `z` that covers the middle, counter-clockwise from +Z.
pub(crate) fn facing(z: f32, half: f32) -> Triangle {
    Triangle {
        corners: [Vec3::new(-half, -half, z), Vec3::new(half, -half, z), Vec3::new(0.0, half, z)],
        normal: Vec3::Z,
    }
}

/// A rigid mesh of triangles with a subset each.
pub(crate) fn still_life(triangles: &[Triangle]) -> Model {
    let vertex = |position, normal| PackedVertex {
        normal: pack_snorm1010102(normal, 0),
        tangent: 0,
        ..packed_vertex(position)
    };
    let vertices = triangles.iter().flat_map(|t| t.corners.map(|corner| vertex(corner, t.normal)));
    let indices = (0..triangles.len() * 3).flat_map(|i| u16::try_from(i).unwrap().to_le_bytes());
    let mesh = Mesh {
        vertices: VertexData::Packed(PackedVertices::from_vertices(vertices)),
        indices: Indices::U16(ByteView::whole(indices.collect())),
        subsets: subsets_of(&vec![(3, None); triangles.len()]),
        ..Mesh::default()
    };
    Model { meshes: vec![mesh].into(), default_pose: DefaultPose::FirstKey, ..Model::default() }
}
