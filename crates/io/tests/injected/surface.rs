//! Surfaces around bones: closed tubes and boxes with normals, tangents and UVs.

#![allow(dead_code, reason = "some tests need only tubes")]

use std::f32::consts::TAU;

use glam::{Mat3, Quat, Vec2, Vec3};
use rigscope_core::model::{Indices, Mesh, Skin, Streams, VertexData};
use rigscope_testing::{subsets_of, uv_set};

#[derive(Default)]
pub(crate) struct Surface {
    pub(crate) streams: Streams,
    uvs: Vec<Vec2>,
    indices: Vec<u32>,
    /// The influences of each vertex, which the caller adds.
    pub(crate) weights: Vec<Vec<(u32, f32)>>,
}

impl Surface {
    /// The axes of a bone in this direction: Y along it, X and Z across.
    pub(crate) fn turn(along: Vec3) -> Quat {
        let y = along.normalize_or_zero();
        let x = y.cross(if y.z.abs() < 0.9 { Vec3::Z } else { Vec3::X }).normalize_or_zero();
        Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y)))
    }

    /// A closed tube. The UVs of each half are in a different part of the texture, with a seam in the middle.
    pub(crate) fn tube(&mut self, [head, tail]: [Vec3; 2], radius: f32) {
        const SIDES: u8 = 10;
        const RINGS: u8 = 6;
        let turn = Self::turn(tail - head);
        let first = u32::try_from(self.streams.positions.len()).unwrap();
        let rings = (0..=RINGS / 2)
            .map(|ring| (ring, 0.0))
            .chain((RINGS / 2..=RINGS).map(|ring| (ring, 0.5)));
        for (ring, half) in rings {
            let share = f32::from(ring) / f32::from(RINGS);
            let round = (1.0 - (share * 2.0 - 1.0).powi(4)).max(0.0).sqrt();
            for side in 0..=SIDES {
                let angle = -TAU * f32::from(side) / f32::from(SIDES);
                let out = turn * Vec3::new(angle.cos(), 0.0, angle.sin());
                let around = turn * Vec3::new(angle.sin(), 0.0, -angle.cos());
                self.streams.positions.push(head.lerp(tail, share) + out * radius * round);
                let lean = (tail - head).normalize_or_zero() * (share * 2.0 - 1.0).powi(3) * 2.0;
                self.streams.normals.push((out + lean).normalize_or_zero());
                self.streams.tangents.push(around.extend(if half > 0.0 { 1.0 } else { -1.0 }));
                let v = if half > 0.0 { 0.96 - (share - half) * 0.84 } else { 0.04 + share * 0.84 };
                self.uvs.push(Vec2::new(f32::from(side) / f32::from(SIDES), v));
            }
        }
        let row = u32::from(SIDES) + 1;
        for ring in (0..=u32::from(RINGS)).filter(|ring| *ring != u32::from(RINGS / 2)) {
            for side in 0..u32::from(SIDES) {
                let at = first + ring * row + side;
                self.indices.extend([at, at + 1, at + row, at + row, at + 1, at + row + 1]);
            }
        }
    }

    /// A box of six faces with hard edges, each of four quads.
    pub(crate) fn cuboid(&mut self, [head, tail]: [Vec3; 2], radius: f32) {
        let turn = Self::turn(tail - head);
        let half = Vec3::new(radius * 1.6, head.distance(tail) / 2.0, radius * 1.2);
        let center = head.midpoint(tail);
        for axis in 0..3 {
            for sign in [1.0, -1.0] {
                let mut normal = Vec3::ZERO;
                normal[axis] = sign;
                let mut u = Vec3::ZERO;
                u[(axis + 1) % 3] = 1.0;
                let v = normal.cross(u);
                let first = u32::try_from(self.streams.positions.len()).unwrap();
                for row in 0..3u8 {
                    for column in 0..3u8 {
                        let [a, b] = [column, row].map(|at| f32::from(at) - 1.0);
                        let at = (normal + u * a + v * b) * half;
                        self.streams.positions.push(center + turn * at);
                        self.streams.normals.push(turn * normal);
                        self.streams.tangents.push((turn * u).extend(1.0));
                        self.uvs.push(Vec2::new((a + 1.0) / 2.0, (1.0 - b) / 2.0));
                    }
                }
                for row in 0..2 {
                    for column in 0..2 {
                        let at = first + row * 3 + column;
                        self.indices.extend([at, at + 1, at + 3, at + 3, at + 1, at + 4]);
                    }
                }
            }
        }
    }

    pub(crate) fn mesh(&self, skin: Skin) -> Mesh {
        let streams = Streams { uv_sets: vec![uv_set(self.uvs.clone())], ..self.streams.clone() };
        Mesh {
            vertices: VertexData::Streams(streams),
            indices: Indices::U32(self.indices.clone()),
            subsets: subsets_of(&[(u32::try_from(self.indices.len()).unwrap(), None)]),
            skin,
            ..Mesh::default()
        }
    }
}
