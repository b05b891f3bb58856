//! Vertex attributes and weights.

use glam::{Vec2, Vec3, Vec4};

use super::{Differing, Pairing, Piece};
use crate::diagnose::hypotheses::restored_influences;
use crate::diagnose::reference::MeshMatch;
use crate::diagnose::specimen::{size_of, skin_of};
use crate::model::{Influences, Mesh, MeshId, Model, Streams, numbered, numbers};

pub(super) const ALL: &[&Piece] = &[&POSITIONS, &NORMALS, &TANGENTS, &UVS, &COLORS, &WEIGHTS];

const POSITIONS: Piece = Piece {
    name: "positions",
    meaning: "positions",
    item: "vertex",
    differing: |pairing, model| {
        let mut out = Differing::default();
        for (mesh, other, found) in pairing.meshes() {
            let Some(theirs) = other.streams() else { continue };
            let size = f64::from(size_of(&theirs.positions)).max(f64::MIN_POSITIVE);
            let distance = |a: Vec3, b: Vec3| f64::from(a.distance(b)) / size;
            let text = |value| format!("{} of the mesh's size", numbers::percent(value));
            let of = |streams: &Streams| streams.positions.clone();
            each_vertex(&mut out, (model, mesh), (other, found), of, (1e-3, distance, text));
        }
        out
    },
    take: |pairing, model| {
        take(pairing, model, |streams| &mut streams.positions, |own| &own.positions)
    },
};

const NORMALS: Piece = Piece {
    name: "normals",
    meaning: "normals",
    item: "vertex",
    differing: |pairing, model| {
        let mut out = Differing::default();
        for (mesh, other, found) in pairing.meshes() {
            let of = |streams: &Streams| streams.normals.clone();
            each_vertex(&mut out, (model, mesh), (other, found), of, (5.0, angle_deg, degrees));
        }
        out
    },
    take: |pairing, model| take(pairing, model, |streams| &mut streams.normals, |own| &own.normals),
};

const TANGENTS: Piece = Piece {
    name: "tangents",
    meaning: "tangents",
    item: "vertex",
    differing: |pairing, model| {
        let mut out = Differing::default();
        // A wrong sign turns the bitangent around.
        let angle = |a: Vec4, b: Vec4| {
            if a.w * b.w < 0.0 { 180.0 } else { angle_deg(a.truncate(), b.truncate()) }
        };
        for (mesh, other, found) in pairing.meshes() {
            let of = |streams: &Streams| streams.tangents.clone();
            each_vertex(&mut out, (model, mesh), (other, found), of, (5.0, angle, degrees));
        }
        out
    },
    take: |pairing, model| {
        take(pairing, model, |streams| &mut streams.tangents, |own| &own.tangents)
    },
};

const UVS: Piece = Piece {
    name: "uvs",
    meaning: "UVs",
    item: "vertex",
    differing: |pairing, model| {
        let mut out = Differing::default();
        let distance = |a: Vec2, b: Vec2| f64::from((a - b).abs().max_element());
        let text = |value| numbers::significant(value, 2);
        for (mesh, other, found) in pairing.meshes() {
            let of = |streams: &Streams| first_uvs(streams);
            each_vertex(&mut out, (model, mesh), (other, found), of, (2e-3, distance, text));
        }
        out
    },
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
    differing: |pairing, model| {
        let mut out = Differing::default();
        let distance = |a: Vec4, b: Vec4| f64::from((a - b).abs().max_element());
        for (mesh, other, found) in pairing.meshes() {
            let of = |streams: &Streams| streams.colors.clone();
            each_vertex(&mut out, (model, mesh), (other, found), of, (0.02, distance, percent));
        }
        out
    },
    take: |pairing, model| take(pairing, model, |streams| &mut streams.colors, |own| &own.colors),
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

fn degrees(value: f64) -> String {
    numbers::degrees(value)
}

fn percent(value: f64) -> String {
    numbers::percent(value)
}

fn first_uvs(streams: &Streams) -> Vec<Vec2> {
    streams.uv_sets.first().map(|set| set.coords.clone()).unwrap_or_default()
}

fn vertex_text(mesh: MeshId, vertex: usize) -> String {
    format!("vertex {vertex} of {}", numbered("mesh", mesh.index(), ""))
}

/// Adds the differences of an attribute: its tolerance, the difference of two values, and the text of a difference.
fn each_vertex<T: Copy>(
    out: &mut Differing,
    (model, mesh): (&Model, MeshId),
    (other, found): (&Mesh, &MeshMatch),
    attribute: impl Fn(&Streams) -> Vec<T>,
    (tolerance, difference, text): (f64, impl Fn(T, T) -> f64, impl Fn(f64) -> String),
) {
    let (Some(own), Some(theirs)) = (model.meshes[mesh].streams(), other.streams()) else { return };
    let theirs = attribute(theirs);
    for (vertex, value) in attribute(own).into_iter().enumerate() {
        let Some(of) = counterpart(found, vertex).and_then(|of| theirs.get(of)) else { continue };
        let apart = difference(value, *of);
        out.add(apart, tolerance, || format!("{} at {}", text(apart), vertex_text(mesh, vertex)));
    }
}

fn counterpart(found: &MeshMatch, vertex: usize) -> Option<usize> {
    found.counterpart(u32::try_from(vertex).ok()?).map(|of| of as usize)
}

/// Replaces the values of vertices that both meshes have.
fn take<T: Copy>(
    pairing: &Pairing<'_>,
    model: &mut Model,
    own: impl Fn(&mut Streams) -> &mut Vec<T>,
    theirs: impl Fn(&Streams) -> &Vec<T>,
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
