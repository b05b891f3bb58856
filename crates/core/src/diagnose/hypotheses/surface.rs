//! Faults of triangles, normals, tangents and UVs.

use std::collections::HashMap;

use glam::{Mat3, Vec2, Vec3};

use crate::diagnose::cause::causes;
use crate::diagnose::edit::reverse_triangles;
use crate::diagnose::evidence::{from_reference, seams, surface};
use crate::diagnose::specimen::{Shared, Specimen};
use crate::diagnose::trial::{Hypothesis, Trial};
use crate::model::{ClipId, MeshId, Model, spread};
use crate::pose::{Moment, PoseSpec, sample};

causes! {
    TRIANGLES_REVERSED: "triangles-reversed",
        "the winding of the triangles is reversed",
        "reverse the winding whenever handedness changes or a mirrored transform is applied",
        &["reversed-winding", "flipped-triangle", "tangent-handedness"];
    MIRRORED_NODES: "mirrored-nodes",
        "the triangles of meshes on mirrored nodes are already reversed, so that runtimes turn them inside out",
        "apply negative scales before exporting (Blender: Object > Apply > Scale), or don't reverse the triangles",
        &["reversed-winding", "flipped-triangle"];
    SOME_TRIANGLES_REVERSED: "some-triangles-reversed",
        "some triangles face the opposite way from their neighbours",
        "make the winding consistent (Blender: Mesh > Normals > Recalculate Outside)",
        &["flipped-triangle", "reversed-winding"];
    NORMALS_FLIPPED: "normals-flipped",
        "the normals point inward",
        "flip the normals (Blender: Mesh > Normals > Flip), or stop negating them when handedness changes",
        &["reversed-winding", "flipped-triangle"];
    NORMALS_AXES: "normals-of-other-axes",
        "the normals weren't converted like the vertices: they use different axes or a different pose",
        "rotate the normals in the same way as the vertices",
        &["reversed-winding", "flipped-triangle", "skewed-tangent"];
    TANGENT_SIGN: "tangent-sign",
        "the bitangent signs are inverted",
        "negate w of the tangents, or compute tangents from the UVs as they are stored in the file",
        &["tangent-handedness"];
    UVS_FLIPPED: "v-flipped",
        "the V coordinates are flipped",
        "write 1 - V: glTF and DirectX place the origin of V at the top, OpenGL and FBX at the bottom",
        &["tangent-handedness"];
    UVS_SWAPPED: "uvs-swapped",
        "the UVs are swapped or flipped",
        "write U before V, and don't flip U",
        &["tangent-handedness"];
}

pub(super) const ROWS: &[Hypothesis] = &[
    Hypothesis {
        cause: MIRRORED_NODES,
        evidence: &[&surface::FACING, &surface::MIRRORED_FRONTS, &from_reference::TRIANGLES],
        trials: |case, _, items| {
            let is_mirrored =
                |mesh: MeshId| case.mirrored.get(mesh.index()).copied().unwrap_or(false);
            // Other users of the same triangles aren't mirrored, and keep theirs.
            let mut meshes = case.affected(items, Shared::Geometry);
            meshes.retain(|mesh| is_mirrored(*mesh) || case.is_of(items, *mesh));
            let others: Vec<MeshId> =
                case.model.meshes.ids().filter(|mesh| !is_mirrored(*mesh)).collect();
            // The triangles of a room face inward on purpose.
            let is_room = faces_outward(case, &others) == Some(false);
            if is_room || !meshes.iter().all(|mesh| is_mirrored(*mesh)) {
                return Vec::new();
            }
            reversals(case, meshes)
        },
    },
    Hypothesis {
        cause: TRIANGLES_REVERSED,
        evidence: &[&surface::FACING, &surface::INSIDE_OUT, &from_reference::TRIANGLES],
        trials: |case, evidence, items| {
            let meshes = if evidence.name == surface::INSIDE_OUT.name {
                case.all_meshes()
            } else {
                case.affected(items, Shared::Geometry)
            };
            if evidence.name == surface::FACING.name && faces_outward(case, &meshes) == Some(true) {
                return Vec::new();
            }
            reversals(case, meshes).into_iter().take(1).collect()
        },
    },
    Hypothesis {
        cause: SOME_TRIANGLES_REVERSED,
        evidence: &[&surface::EDGE_ORDER, &surface::FACING, &from_reference::TRIANGLES],
        trials: |case, _, items| {
            let meshes = case.affected(items, Shared::Geometry);
            let mut trials = Vec::new();
            let by_neighbours: Vec<(MeshId, Vec<bool>)> = meshes
                .iter()
                .filter_map(|mesh| Some((*mesh, flipped_by_neighbours(&case.model, *mesh)?)))
                .filter(|(mesh, flipped)| is_confirmed(&case.model, *mesh, flipped))
                .collect();
            let by_normals: Vec<(MeshId, Vec<bool>)> = meshes
                .iter()
                .filter_map(|mesh| Some((*mesh, flipped_by_normals(&case.model, *mesh)?)))
                .collect();
            for flipped in [by_neighbours, by_normals] {
                let num: usize =
                    flipped.iter().map(|(_, list)| list.iter().filter(|flag| **flag).count()).sum();
                let all: usize = flipped.iter().map(|(_, list)| list.len()).sum();
                // If only a few triangles are correct, all were reversed, and those few were wrong before.
                if num == 0 || num * 4 > all * 3 {
                    continue;
                }
                let detail = format!("{num} of {all} triangles");
                trials.push(Trial::new(detail, move |model| {
                    for (mesh, list) in &flipped {
                        if let Some(mesh) = model.meshes.get_mut(*mesh) {
                            reverse_triangles(mesh, |number| {
                                list.get(number).copied().unwrap_or(false)
                            });
                        }
                    }
                }));
            }
            trials
        },
    },
    Hypothesis {
        cause: NORMALS_FLIPPED,
        evidence: &[&surface::FACING, &surface::NORMALS, &from_reference::NORMALS],
        trials: |case, _, items| {
            let meshes = case.affected(items, Shared::Geometry);
            if faces_outward(case, &meshes) == Some(false) {
                return Vec::new();
            }
            vec![normals(of_meshes(case, &meshes), meshes, |_, normal| -normal)]
        },
    },
    Hypothesis {
        cause: NORMALS_AXES,
        evidence: &[&surface::NORMALS, &surface::FACING, &from_reference::NORMALS],
        trials: |case, _, items| {
            let meshes = case.affected(items, Shared::Geometry);
            let mut trials: Vec<Trial> = axis_changes()
                .into_iter()
                .map(|rotation| {
                    normals(String::new(), meshes.clone(), move |_, normal| rotation * normal)
                })
                .collect();
            trials.extend(posed_normals(case, &meshes));
            trials
        },
    },
    Hypothesis {
        cause: TANGENT_SIGN,
        evidence: &[&surface::TANGENT_SIGNS, &from_reference::TANGENTS],
        trials: |case, _, items| {
            let meshes = case.affected(items, Shared::Geometry);
            vec![Trial::new(of_meshes(case, &meshes), move |model| {
                for &mesh in &meshes {
                    if let Some(streams) = model.meshes[mesh].streams_mut() {
                        streams.tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
                    }
                }
            })]
        },
    },
    Hypothesis {
        cause: UVS_FLIPPED,
        evidence: &[&seams::SEAM_COLORS, &surface::TANGENT_SIGNS, &from_reference::UVS],
        trials: |case, _, items| uvs(case, items, "", |uv| Vec2::new(uv.x, 1.0 - uv.y)),
    },
    Hypothesis {
        cause: UVS_SWAPPED,
        evidence: &[&seams::SEAM_COLORS, &surface::TANGENT_SIGNS, &from_reference::UVS],
        trials: |case, _, items| {
            [
                uvs(case, items, "U and V are swapped", |uv| Vec2::new(uv.y, uv.x)),
                uvs(case, items, "U is flipped", |uv| Vec2::new(1.0 - uv.x, uv.y)),
                uvs(case, items, "U and V are both flipped", |uv| Vec2::ONE - uv),
            ]
            .into_iter()
            .flatten()
            .collect()
        },
    },
];

/// Whether most of the closed surface of some meshes faces outward; `None` if no mesh is closed.
fn faces_outward(case: &Specimen, meshes: &[MeshId]) -> Option<bool> {
    let sides = meshes
        .iter()
        .filter_map(|mesh| surface::closed_area(&case.model, &case.model.meshes[*mesh]));
    let (mut sum, mut num) = (0.0, 0u32);
    for area in sides {
        sum += area;
        num += 1;
    }
    (num > 0).then_some(sum > 0.0)
}

/// Names meshes for the detail of a cause; empty if all are affected.
fn of_meshes(case: &Specimen, meshes: &[MeshId]) -> String {
    if meshes.len() >= case.model.meshes.len() {
        return String::new();
    }
    let name = |mesh: &MeshId| &*case.model.meshes[*mesh].name;
    match meshes {
        [mesh] => format!("in mesh {:?}", name(mesh)),
        [mesh, rest @ ..] => {
            let others = crate::model::counted(rest.len() as u64, "other mesh");
            format!("in mesh {:?} and {others}", name(mesh))
        }
        [] => String::new(),
    }
}

/// Reverses triangles, without and with normals and bitangents.
fn reversals(case: &Specimen, meshes: Vec<MeshId>) -> Vec<Trial> {
    let of_parts = |with_normals: bool| {
        let meshes = meshes.clone();
        Trial::new(of_meshes(case, &meshes), move |model| {
            for &mesh in &meshes {
                let mesh = &mut model.meshes[mesh];
                reverse_triangles(mesh, |_| true);
                let Some(streams) = mesh.streams_mut().filter(|_| with_normals) else { continue };
                streams.normals.iter_mut().for_each(|normal| *normal = -*normal);
                streams.tangents.iter_mut().for_each(|tangent| tangent.w = -tangent.w);
            }
        })
    };
    [false, true].map(of_parts).into()
}

fn normals(
    detail: String,
    meshes: Vec<MeshId>,
    change: impl Fn(usize, Vec3) -> Vec3 + Send + Sync + 'static,
) -> Trial {
    Trial::new(detail, move |model| {
        for &mesh in &meshes {
            if let Some(streams) = model.meshes[mesh].streams_mut() {
                for (vertex, normal) in streams.normals.iter_mut().enumerate() {
                    *normal = change(vertex, *normal);
                }
            }
        }
    })
}

/// Changes UVs, without and with negating the bitangent signs: tangents may have been computed before or after the
/// fault.
fn uvs(case: &Specimen, items: &[usize], detail: &str, change: fn(Vec2) -> Vec2) -> Vec<Trial> {
    let of_parts = |(meshes, with_signs): (Vec<MeshId>, bool)| {
        let scope = of_meshes(case, &meshes);
        let parts: Vec<&str> =
            [detail, &scope].into_iter().filter(|part| !part.is_empty()).collect();
        Trial::new(parts.join(", "), move |model| {
            for &mesh in &meshes {
                let Some(streams) = model.meshes[mesh].streams_mut() else {
                    continue;
                };
                for uv in streams.uv_sets.iter_mut().flat_map(|set| &mut set.coords) {
                    *uv = change(*uv);
                }
                for tangent in streams.tangents.iter_mut().filter(|_| with_signs) {
                    tangent.w = -tangent.w;
                }
            }
        })
    };
    // All meshes first, because those without seams aren't suspicious.
    let all = case.model.meshes.ids().collect();
    let scopes = [all, case.affected(items, Shared::Geometry)];
    scopes
        .into_iter()
        .flat_map(|meshes| [(meshes.clone(), false), (meshes, true)])
        .map(of_parts)
        .collect()
}

/// All permutations of the axes with all signs. The identity is left out, and so is the negation of all axes, which
/// is a separate cause.
fn axis_changes() -> Vec<Mat3> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let mut all = Vec::new();
    for order in orders {
        for signs in 0..8u8 {
            let column = |at: usize| {
                let mut axis = Vec3::ZERO;
                axis[order[at]] = if signs & (1 << at) == 0 { 1.0 } else { -1.0 };
                axis
            };
            let matrix = Mat3::from_cols(column(0), column(1), column(2));
            if matrix != Mat3::IDENTITY && matrix != -Mat3::IDENTITY {
                all.push(matrix);
            }
        }
    }
    all
}

/// The most clips whose first pose is tried.
const MAX_CLIPS: usize = 6;

/// Rotates normals that were stored in the rest pose, or in the first pose of a clip, back to the bind pose.
fn posed_normals(case: &Specimen, meshes: &[MeshId]) -> Vec<Trial> {
    let rest = PoseSpec { moment: Moment::Rest, ..PoseSpec::default() };
    let first = PoseSpec::default();
    let mut trials = Vec::new();
    let clips = spread(case.model.clips.len(), MAX_CLIPS)
        .map(ClipId::from_index)
        .map(|id| PoseSpec::linear(id, case.model.clips[id].start_secs));
    for spec in [rest, first].into_iter().chain(clips) {
        let pose = sample(&case.model, &spec);
        let rotations: HashMap<MeshId, Vec<Mat3>> = meshes
            .iter()
            .filter_map(|&at| {
                let mesh = &case.model.meshes[at];
                let palette = pose.of_mesh(at, mesh).palette;
                let skin = crate::diagnose::specimen::skin_of(mesh)?;
                let of_vertex = |vertex: usize| {
                    let mut blend = Mat3::ZERO;
                    mesh.for_each_slot(skin, vertex, |slot, weight| {
                        if let Some(matrix) = palette.get(slot as usize) {
                            blend += Mat3::from(matrix.matrix3) * weight;
                        }
                    });
                    // The transpose of a rotation is its inverse.
                    blend.transpose()
                };
                Some((at, (0..mesh.num_vertices()).map(of_vertex).collect()))
            })
            .collect();
        trials.push(Trial::new("taken from a posed mesh", move |model| {
            for (mesh, rotations) in &rotations {
                if let Some(streams) = model.meshes[*mesh].streams_mut() {
                    for (normal, rotation) in streams.normals.iter_mut().zip(rotations) {
                        *normal = (*rotation * *normal).normalize_or_zero();
                    }
                }
            }
        }));
    }
    trials
}

/// Triangles that face the opposite way from the majority of their connected surface.
fn flipped_by_neighbours(model: &Model, mesh: MeshId) -> Option<Vec<bool>> {
    let mesh = &model.meshes[mesh];
    let edges = surface::edges(mesh)?;
    let num = mesh.num_triangles();
    let mut neighbours: Vec<Vec<(u32, bool)>> = vec![Vec::new(); num];
    for pair in edges.chunk_by(|a, b| a.0 == b.0) {
        if let [a, b] = pair {
            let is_same = a.1 == b.1;
            neighbours.get_mut(a.2 as usize)?.push((b.2, is_same));
            neighbours.get_mut(b.2 as usize)?.push((a.2, is_same));
        }
    }
    let mut side: Vec<Option<bool>> = vec![None; num];
    let mut flipped = vec![false; num];
    for start in 0..num {
        if side[start].is_some() {
            continue;
        }
        side[start] = Some(false);
        let (mut part, mut next) = (vec![start], vec![start]);
        while let Some(at) = next.pop() {
            let own = side[at] == Some(true);
            for &(other, is_same) in &neighbours[at] {
                let slot = &mut side[other as usize];
                if slot.is_none() {
                    *slot = Some(own != is_same);
                    part.push(other as usize);
                    next.push(other as usize);
                }
            }
        }
        let num_other = part.iter().filter(|at| side[**at] == Some(true)).count();
        let minority = num_other * 2 <= part.len();
        for at in part {
            flipped[at] = side[at] == Some(minority);
        }
    }
    Some(flipped)
}

/// Whether most triangles that seem reversed face away from their normals as well; true without normals.
fn is_confirmed(model: &Model, mesh: MeshId, flipped: &[bool]) -> bool {
    let Some(by_normals) = flipped_by_normals(model, mesh) else { return true };
    let both = flipped.iter().zip(&by_normals).filter(|(flipped, _)| **flipped);
    let (num, num_away) =
        both.fold((0, 0), |(num, away), (_, is_away)| (num + 1, away + usize::from(*is_away)));
    num_away * 2 >= num
}

/// Triangles that face away from their normals.
fn flipped_by_normals(model: &Model, mesh: MeshId) -> Option<Vec<bool>> {
    let mesh = &model.meshes[mesh];
    let own = mesh.streams().filter(|own| !own.normals.is_empty())?;
    let is_clockwise = model.axes.winding == crate::model::Winding::Clockwise;
    let of = |[a, b, c]: [u32; 3]| {
        let at =
            |list: &[Vec3], corner: u32| list.get(corner as usize).copied().unwrap_or_default();
        let [p, q, r] = [a, b, c].map(|corner| at(&own.positions, corner));
        let mean: Vec3 = [a, b, c].map(|corner| at(&own.normals, corner)).into_iter().sum();
        ((q - p).cross(r - p).dot(mean) < 0.0) != is_clockwise
    };
    Some(mesh.triangles(0..mesh.indices.len()).map(of).collect())
}
