//! Vertex attributes and weights.

use glam::{Vec2, Vec3, Vec4};

use super::{Differing, Pairing, Piece};
use crate::diagnose::hypotheses::restored_influences;
use crate::diagnose::reference::MeshMatch;
use crate::diagnose::specimen::{size_of, skin_of};
use crate::model::{Influences, MeshId, Model, Streams, numbered, numbers};

pub(super) const ALL: &[&Piece] = &[&POSITIONS, &NORMALS, &TANGENTS, &UVS, &COLORS, &WEIGHTS];

const POSITIONS: Piece = Piece {
    name: "positions",
    meaning: "positions",
    item: "vertex",
    differing: |pairing, model| each_vertex(pairing, model, POSITION),
    take: |pairing, model| {
        take(pairing, model, |own| &mut own.positions, |own| &own.positions);
    },
};

const NORMALS: Piece = Piece {
    name: "normals",
    meaning: "normals",
    item: "vertex",
    differing: |pairing, model| each_vertex(pairing, model, NORMAL),
    take: |pairing, model| {
        take(pairing, model, |own| &mut own.normals, |own| &own.normals);
    },
};

const TANGENTS: Piece = Piece {
    name: "tangents",
    meaning: "tangents",
    item: "vertex",
    differing: |pairing, model| each_vertex(pairing, model, TANGENT),
    take: |pairing, model| {
        take(pairing, model, |own| &mut own.tangents, |own| &own.tangents);
    },
};

const UVS: Piece = Piece {
    name: "uvs",
    meaning: "UVs",
    item: "vertex",
    differing: |pairing, model| each_vertex(pairing, model, UV),
    take: |pairing, model| {
        for (mesh, other, found) in pairing.meshes() {
            let (Some(own), Some(theirs)) = (model.meshes[mesh].streams_mut(), other.streams())
            else {
                continue;
            };
            for (own, theirs) in own.uv_sets.iter_mut().zip(&theirs.uv_sets) {
                take_values(&mut own.coords, &theirs.coords, found);
            }
        }
    },
};

const COLORS: Piece = Piece {
    name: "colors",
    meaning: "colours",
    item: "vertex",
    differing: |pairing, model| each_vertex(pairing, model, COLOR),
    take: |pairing, model| {
        take(pairing, model, |own| &mut own.colors, |own| &own.colors);
    },
};

const WEIGHTS: Piece = Piece {
    name: "weights",
    meaning: "weights",
    item: "vertex",
    differing: |pairing, model| {
        /// Quantized weights may differ by less.
        const LEAST: f64 = 0.01;
        let mut out = Differing::default();
        for (mesh, other, found) in pairing.meshes() {
            let own = &model.meshes[mesh];
            let (Some(skin), Some(theirs)) =
                (skin_of(own), restored_influences(own, other, found, &pairing.reference.bones))
            else {
                continue;
            };
            for vertex in 0..own.num_vertices() {
                let row = |influences: &Influences| -> Vec<(u32, f32)> {
                    influences.row(vertex).collect()
                };
                let (a, b) = (row(&skin.influences), row(&theirs));
                let of = |list: &[(u32, f32)], slot: u32| -> f32 {
                    list.iter().filter(|own| own.0 == slot).map(|own| own.1).sum()
                };
                let apart =
                    a.iter().chain(&b).map(|(slot, _)| (of(&a, *slot) - of(&b, *slot)).abs());
                let Some(most) = apart.reduce(f32::max) else { continue };
                out.add(f64::from(most), LEAST, || {
                    format!("{} at {}", numbers::percent(most), vertex_text(mesh, vertex))
                });
            }
        }
        out
    },
    take: |pairing, model| {
        for (mesh, other, found) in pairing.meshes() {
            let own = &mut model.meshes[mesh];
            if let Some(theirs) = restored_influences(own, other, found, &pairing.reference.bones)
                && let Some(skin) = own.inverse_bind_mut()
            {
                skin.influences = theirs;
                skin.outside.clear();
            }
        }
    },
};

fn angle_deg(a: Vec3, b: Vec3) -> f64 {
    let angle = f64::from(a.angle_between(b)).to_degrees();
    // Directions of length 0 are equal to each other only.
    if angle.is_finite() { angle } else { f64::from(a.distance(b)) * 90.0 }
}

fn vertex_text(mesh: MeshId, vertex: usize) -> String {
    format!("vertex {vertex} of {}", numbered("mesh", mesh.index(), ""))
}

/// How the values of an attribute are compared.
struct Attribute<T> {
    values: fn(&Streams) -> &[T],
    /// The difference of two values of a mesh of this size.
    difference: fn(T, T, f64) -> f64,
    /// Smaller differences don't count.
    tolerance: f64,
    text: fn(f64) -> String,
}

const POSITION: Attribute<Vec3> = Attribute {
    values: |own| &own.positions,
    difference: |a, b, size| f64::from(a.distance(b)) / size,
    tolerance: 1e-3,
    text: |value| format!("{} of the mesh's size", numbers::percent(value)),
};
const NORMAL: Attribute<Vec3> = Attribute {
    values: |own| &own.normals,
    difference: |a, b, _| angle_deg(a, b),
    tolerance: 5.0,
    text: |value| numbers::degrees(value),
};
const TANGENT: Attribute<Vec4> = Attribute {
    values: |own| &own.tangents,
    // A wrong sign turns the bitangent around.
    difference: |a, b, _| {
        if a.w * b.w < 0.0 { 180.0 } else { angle_deg(a.truncate(), b.truncate()) }
    },
    tolerance: 5.0,
    text: |value| numbers::degrees(value),
};
const UV: Attribute<Vec2> = Attribute {
    values: |own| own.uv_sets.first().map_or(&[], |set| &set.coords),
    difference: |a, b, _| f64::from((a - b).abs().max_element()),
    tolerance: 2e-3,
    text: |value| numbers::significant(value, 2),
};
const COLOR: Attribute<Vec4> = Attribute {
    values: |own| &own.colors,
    difference: |a, b, _| f64::from((a - b).abs().max_element()),
    tolerance: 0.02,
    text: |value| numbers::percent(value),
};

/// The vertices in which an attribute differs.
fn each_vertex<T: Copy>(
    pairing: &Pairing<'_>,
    model: &Model,
    attribute: Attribute<T>,
) -> Differing {
    let Attribute { values, difference, tolerance, text } = attribute;
    let mut out = Differing::default();
    for (mesh, other, found) in pairing.meshes() {
        let (Some(own), Some(theirs)) = (model.meshes[mesh].streams(), other.streams()) else {
            continue;
        };
        let size = f64::from(size_of(&theirs.positions)).max(f64::MIN_POSITIVE);
        let theirs = values(theirs);
        for (vertex, value) in values(own).iter().enumerate() {
            let Some(of) = counterpart(found, vertex).and_then(|of| theirs.get(of)) else {
                continue;
            };
            let apart = difference(*value, *of, size);
            let place = || format!("{} at {}", text(apart), vertex_text(mesh, vertex));
            out.add(apart, tolerance, place);
        }
    }
    out
}

fn counterpart(found: &MeshMatch, vertex: usize) -> Option<usize> {
    found.counterpart(u32::try_from(vertex).ok()?).map(|of| of as usize)
}

/// Replaces the values of vertices that both meshes have.
fn take<T: Copy>(
    pairing: &Pairing<'_>,
    model: &mut Model,
    own: fn(&mut Streams) -> &mut Vec<T>,
    theirs: fn(&Streams) -> &Vec<T>,
) {
    for (mesh, other, found) in pairing.meshes() {
        let Some(streams) = model.meshes[mesh].streams_mut() else { continue };
        if let Some(other) = other.streams() {
            take_values(own(streams), theirs(other), found);
        }
    }
}

fn take_values<T: Copy>(own: &mut [T], theirs: &[T], found: &MeshMatch) {
    for (vertex, value) in own.iter_mut().enumerate() {
        if let Some(of) = counterpart(found, vertex).and_then(|of| theirs.get(of)) {
            *value = *of;
        }
    }
}
