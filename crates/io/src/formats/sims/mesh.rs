//! Converts a skin to a mesh: one vertex per raw vertex, with separate copies in the space of each of its
//! bones.
//!
//! `final = (1 - w) * raw + w * blended`, where both copies have their own positions and normals. They don't
//! coincide in the rest pose (up to 0.27 ft at the shoulders of real files), so they must not be merged into
//! one bind position.
//!
//! The positions and normals of the mesh itself are only used for bounds and lists: [`place_at_rest`]
//! computes them from the resting skeleton.
//!
//! Ambiguous: two blends of one raw vertex (never seen) are applied one after the other.
//! Ambiguous: a weight of 1 or more (never seen) is taken as 1.

use std::ops::Range;

use glam::{Vec2, Vec3};

use super::skeleton::BoneNames;
use super::skin_file::{Skin, SkinVertex};
use rigscope_core::model::{
    BoneId, BoneLocalInfluence, BoneLocalSkin, FindingKind, Indices, MaterialId, Mesh, Model,
    Place, Report, Streams, Subset, UvSet, VertexData, as_u32, counted, numbers,
    singular_or_plural,
};
use rigscope_core::pose::{PoseSpec, skin_model};

/// A weight of one.
const WEIGHT_ONE: f32 = 32768.0;
/// Limit on the vertices in bindings, as a multiple of the number of vertices: real files bind each vertex
/// once.
const MAX_COVERAGE: usize = 8;

pub(super) fn build(
    skin: &Skin,
    name: &str,
    bones: &BoneNames,
    root: BoneId,
    number: u32,
    material: MaterialId,
    report: &Report,
) -> Mesh {
    let place = Place::Mesh(number);
    let builder = Builder {
        skin,
        name,
        place,
        report,
        bones: resolve(skin, name, bones, root, place, report),
        root,
    };
    let indices = builder.indices();
    let index_count = u32::try_from(indices.len()).unwrap_or(u32::MAX / 3 * 3);
    let num_raw = skin.uvs.len();
    Mesh {
        name: name.to_owned(),
        vertices: VertexData::Streams(Streams {
            positions: vec![Vec3::ZERO; num_raw],
            normals: vec![Vec3::ZERO; num_raw],
            uv_sets: vec![UvSet {
                name: String::new(),
                coords: skin.uvs.iter().map(|&uv| Vec2::from(uv)).collect(),
            }],
            ..Streams::default()
        }),
        indices: Indices::U32(indices),
        subsets: vec![Subset { first_index: 0, index_count, material: Some(material) }],
        skin: rigscope_core::model::Skin::BoneLocal(builder.bone_local()),
        ..Mesh::default()
    }
}

/// Sets the positions and normals of all meshes to those of the rest pose.
pub(super) fn place_at_rest(model: &mut Model) {
    let placed = skin_model(model, &PoseSpec::default());
    for (mesh, placed) in model.meshes.iter_mut().zip(placed) {
        if let VertexData::Streams(streams) = &mut mesh.vertices {
            streams.positions = placed.positions;
            streams.normals = placed.normals;
        }
    }
}

/// The model's bones for the bones of the skin.
fn resolve(
    skin: &Skin,
    name: &str,
    bones: &BoneNames,
    root: BoneId,
    place: Place,
    report: &Report,
) -> Vec<BoneId> {
    let mut missing = Vec::new();
    let found: Vec<BoneId> = (skin.bones.iter())
        .map(|bone| {
            bones.get(bone).unwrap_or_else(|| {
                missing.push(&**bone);
                root
            })
        })
        .collect();
    report.add_many(FindingKind::BoneNotInSkeleton, place, missing.len() as u64, || {
        format!("{name} follows bones that aren't in the skeleton: {}", missing.join(", "))
    });
    found
}

struct Builder<'a> {
    skin: &'a Skin,
    name: &'a str,
    place: Place,
    report: &'a Report,
    /// The model's bones for the bones of the skin.
    bones: Vec<BoneId>,
    root: BoneId,
}

impl Builder<'_> {
    fn broken(&self, count: usize, what: impl FnOnce() -> String) {
        let kind = FindingKind::BrokenRecord;
        self.report
            .add_many(kind, self.place, count as u64, || format!("{}: {}", self.name, what()));
    }

    fn indices(&self) -> Vec<u32> {
        let num_raw = self.skin.uvs.len();
        let inside = |&index: &i32| usize::try_from(index).is_ok_and(|index| index < num_raw);
        let faces = self.skin.faces.iter();
        let kept: Vec<u32> = faces
            .filter(|face| face.iter().all(inside))
            .flatten()
            .filter_map(|&index| u32::try_from(index).ok())
            .collect();
        let num_bad = self.skin.faces.len() - kept.len() / 3;
        self.broken(num_bad, || {
            let (faces, refer) = (
                counted(num_bad as u64, "face"),
                singular_or_plural(num_bad as u64, "refers", "refer"),
            );
            let vertices = counted(num_raw as u64, "vertex");
            format!("{faces} {refer} to a vertex that doesn't exist; the skin has {vertices}")
        });
        kept
    }

    fn bone_local(&self) -> BoneLocalSkin {
        let (num_raw, num_blends) = (self.skin.uvs.len(), self.skin.blends.len());
        let (raw_bones, blend_bones) = self.bones_of_vertices();
        let num_unbound = raw_bones.iter().filter(|bone| bone.is_none()).count();
        let kind = FindingKind::VertexWithoutWeights;
        self.report.add_many(kind, self.place, num_unbound as u64, || {
            let name = self.name;
            let belong = singular_or_plural(num_unbound as u64, "belongs", "belong");
            let (num, all) =
                (numbers::grouped(num_unbound as u64), counted(num_raw as u64, "vertex"));
            format!("{name}: {num} of {all} {belong} to no bone")
        });
        // Blends sorted by vertex; stable, so that several of one vertex keep their order.
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(num_blends);
        for (at, blend) in self.skin.blends.iter().enumerate() {
            let vertex = usize::try_from(blend.vertex).ok().filter(|v| *v < num_raw);
            let is_bound = blend_bones.get(at).is_some_and(Option::is_some);
            if let Some(vertex) = vertex.filter(|_| is_bound) {
                order.push((vertex, at));
            }
        }
        self.broken(num_blends - order.len(), || {
            "a blend refers to no vertex or belongs to no bone".to_owned()
        });
        order.sort_by_key(|(vertex, _)| *vertex);
        let mut order = order.into_iter().peekable();
        let mut numbers = Numbers::default();
        let mut skin = BoneLocalSkin {
            first: Vec::with_capacity(num_raw + 1),
            influences: Vec::with_capacity(num_raw + num_blends),
        };
        skin.first.push(0);
        for (vertex, bone) in raw_bones.iter().enumerate() {
            let begin = skin.influences.len();
            let bone = bone.unwrap_or(self.root);
            let stored = self.skin.vertices.get(vertex);
            skin.influences.push(numbers.influence(stored, bone, 1.0));
            while let Some((_, at)) = order.next_if(|(target, _)| *target == vertex) {
                let weight = self.skin.blends.get(at).map_or(0, |blend| blend.weight);
                let weight = numbers.weight(weight);
                for earlier in skin.influences.iter_mut().skip(begin) {
                    earlier.weight *= 1.0 - weight;
                }
                let bone = blend_bones.get(at).copied().flatten().unwrap_or(self.root);
                let stored = self.skin.vertices.get(num_raw + at);
                skin.influences.push(numbers.influence(stored, bone, weight));
            }
            let end = as_u32(skin.influences.len());
            skin.first.push(end);
        }
        numbers.report(self.name, self.place, self.report);
        skin
    }

    /// The bone of each raw vertex and of each blend, from the bindings.
    fn bones_of_vertices(&self) -> (Vec<Option<BoneId>>, Vec<Option<BoneId>>) {
        let (num_raw, num_blends) = (self.skin.uvs.len(), self.skin.blends.len());
        let mut raw = vec![None; num_raw];
        let mut blends = vec![None; num_blends];
        let (mut num_bad, mut num_twice) = (0, 0);
        let mut left = MAX_COVERAGE * (num_raw + num_blends + 1);
        for binding in &self.skin.bindings {
            let known = usize::try_from(binding.bone).ok();
            let known = known.and_then(|at| self.bones.get(at)).copied();
            let bone = known.or(self.bones.first().copied()).unwrap_or(self.root);
            let (raw_range, is_raw_sound) = range(binding.first_raw, binding.num_raw, num_raw);
            let (blend_range, is_blend_sound) =
                range(binding.first_blend, binding.num_blends, num_blends);
            num_bad += usize::from(known.is_none() || !is_raw_sound || !is_blend_sound);
            // Bindings that contain the same vertices many times would take too long.
            let Some(less) = left.checked_sub(raw_range.len() + blend_range.len()) else {
                num_bad += 1;
                break;
            };
            left = less;
            for (list, range) in [(&mut raw, raw_range), (&mut blends, blend_range)] {
                for slot in list.get_mut(range).into_iter().flatten() {
                    num_twice += usize::from(slot.replace(bone).is_some());
                }
            }
        }
        self.broken(num_bad, || {
            let (bindings, refer) = (
                counted(num_bad as u64, "binding"),
                singular_or_plural(num_bad as u64, "refers", "refer"),
            );
            format!("{bindings} {refer} to bones or vertices that don't exist")
        });
        self.broken(num_twice, || {
            let (vertices, belong) = (
                counted(num_twice as u64, "vertex"),
                singular_or_plural(num_twice as u64, "belongs", "belong"),
            );
            format!("{vertices} {belong} to two bindings; the later one is used")
        });
        (raw, blends)
    }
}

/// The part of `first..first + num` below `len`, and whether that is all of it.
///
/// An empty range is valid with any start: files have -1 there.
fn range(first: i32, num: i32, len: usize) -> (Range<usize>, bool) {
    let (first, num) = (i64::from(first), i64::from(num));
    if num == 0 {
        return (0..0, true);
    }
    let end = first + num;
    let most = i64::try_from(len).unwrap_or(i64::MAX);
    let is_sound = first >= 0 && num > 0 && end <= most;
    let clipped = |at: i64| usize::try_from(at.clamp(0, most)).unwrap_or(0);
    let (from, to) = (clipped(first), clipped(end));
    (from..to.max(from), is_sound)
}

/// Sanitizes numbers and counts invalid ones.
#[derive(Default)]
struct Numbers {
    num_not_finite: u64,
    num_bad_weights: u64,
}

impl Numbers {
    fn influence(
        &mut self,
        stored: Option<&SkinVertex>,
        bone: BoneId,
        weight: f32,
    ) -> BoneLocalInfluence {
        let (position, normal) = stored.map_or_else(Default::default, |v| (v.position, v.normal));
        BoneLocalInfluence {
            bone,
            weight,
            position: self.finite(position),
            normal: self.finite(normal),
        }
    }

    fn finite(&mut self, stored: [f32; 3]) -> Vec3 {
        let mended = stored.map(|x| if x.is_finite() { x } else { 0.0 });
        let is_sound = stored.iter().all(|x| x.is_finite());
        self.num_not_finite += u64::from(!is_sound);
        mended.into()
    }

    fn weight(&mut self, stored: i32) -> f32 {
        let weight = stored as f32 / WEIGHT_ONE;
        self.num_bad_weights += u64::from(!(0.0..=1.0).contains(&weight));
        weight.clamp(0.0, 1.0)
    }

    fn report(&self, name: &str, place: Place, report: &Report) {
        let kind = FindingKind::NotFinite;
        report.add_many(kind, place, self.num_not_finite, || {
            format!("a vertex of {name} isn't finite")
        });
        let kind = FindingKind::WeightsNotNormalized;
        report.add_many(kind, place, self.num_bad_weights, || {
            format!("the weight of a blend of {name} isn't between 0 and 32,768")
        });
    }
}
