//! The fields of a file that store values of the model directly.

use rigscope_core::fix::Part;
use rigscope_core::model::{
    BoneTrack, ClipId, Element, Field, Interpolation, Mesh, MeshId, Model, Motion, Skin, Span,
    Track, UvSet, VertexData,
};

/// An array of a model that a span of a file stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Array {
    Positions(usize),
    Normals(usize),
    Tangents(usize),
    /// Mesh and UV set.
    Uvs(usize, usize),
    /// Mesh, and set of four influences.
    Joints(usize, usize),
    Weights(usize, usize),
    Indices(usize),
    /// Mesh, target and attribute.
    Morph(usize, usize, MorphField),
    InverseBinds(usize),
    /// Clip and bone.
    Times(usize, usize),
    Keys(usize, usize, KeyField),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum MorphField {
    Positions,
    Normals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum KeyField {
    Translation,
    Rotation,
    Scale,
}

/// The prefix of UV sets in glTF.
const UV_PREFIX: &str = "TEXCOORD_";

/// The set number at the end of a name such as `TEXCOORD_1`.
fn set_of(name: &str) -> usize {
    name.rsplit_once('_').and_then(|(_, set)| set.parse().ok()).unwrap_or(0)
}

/// The array that a field of a span stores, if it is known.
pub(super) fn array_of(span: &Span, field: &Field) -> Option<Array> {
    let name = field.name;
    match span.element {
        Element::Vertex { mesh } => {
            let mesh = mesh as usize;
            Some(match name {
                "POSITION" | "position" | "positions" => Array::Positions(mesh),
                "NORMAL" | "normal" | "normals" => Array::Normals(mesh),
                "TANGENT" | "tangent" | "tangents" | "tangent and handedness" => {
                    Array::Tangents(mesh)
                }
                "uv" | "uvs" => Array::Uvs(mesh, 0),
                "bones" | "blend indexes" => Array::Joints(mesh, 0),
                "weights" | "blend weights" => Array::Weights(mesh, 0),
                _ if name.starts_with(UV_PREFIX) => Array::Uvs(mesh, set_of(name)),
                _ if name.starts_with("JOINTS_") => Array::Joints(mesh, set_of(name)),
                _ if name.starts_with("WEIGHTS_") => Array::Weights(mesh, set_of(name)),
                _ => return None,
            })
        }
        Element::Index { mesh } => Some(Array::Indices(mesh as usize)),
        Element::Morph { mesh, target } => {
            let field = match name {
                "POSITION" => MorphField::Positions,
                "NORMAL" => MorphField::Normals,
                _ => return None,
            };
            Some(Array::Morph(mesh as usize, target as usize, field))
        }
        Element::SkinInverseBind { mesh } => Some(Array::InverseBinds(mesh as usize)),
        Element::BoneKey { clip, bone } => {
            let (clip, bone) = (clip as usize, bone as usize);
            Some(match name {
                "time" => Array::Times(clip, bone),
                "translation" => Array::Keys(clip, bone, KeyField::Translation),
                "rotation" => Array::Keys(clip, bone, KeyField::Rotation),
                "scale" => Array::Keys(clip, bone, KeyField::Scale),
                _ => return None,
            })
        }
        _ => None,
    }
}

impl Array {
    /// The part of the model that it belongs to.
    pub(super) fn part(self) -> Part {
        match self {
            Self::Positions(_) => Part::Positions,
            Self::Normals(_) => Part::Normals,
            Self::Tangents(_) => Part::Tangents,
            Self::Uvs(..) => Part::Uvs,
            Self::Joints(..) | Self::Weights(..) => Part::Influences,
            Self::Indices(_) => Part::Indices,
            Self::Morph(..) => Part::Morphs,
            Self::InverseBinds(_) => Part::InverseBinds,
            Self::Times(..) => Part::KeyTimes,
            Self::Keys(..) => Part::KeyValues,
        }
    }

    /// The numbers of one record in a model in plain form. Influences have no fixed number; see `influences`.
    pub(super) fn values(self, model: &Model, record: usize) -> Option<Vec<f64>> {
        fn list<const N: usize>(values: [f32; N]) -> Option<Vec<f64>> {
            Some(values.map(f64::from).to_vec())
        }
        let mesh = |index: usize| model.meshes.get(MeshId::from_index(index));
        let streams = |index: usize| match &mesh(index)?.vertices {
            VertexData::Streams(streams) => Some(streams),
            VertexData::Packed(_) => None,
        };
        match self {
            Self::Positions(at) => list(streams(at)?.positions.get(record)?.to_array()),
            Self::Normals(at) => list(streams(at)?.normals.get(record)?.to_array()),
            Self::Tangents(at) => list(streams(at)?.tangents.get(record)?.to_array()),
            Self::Uvs(at, set) => {
                let sets = &streams(at)?.uv_sets;
                let is_named =
                    |uvs: &&UvSet| uvs.name.starts_with(UV_PREFIX) && set_of(&uvs.name) == set;
                let named = sets.iter().find(is_named).or_else(|| sets.get(set));
                list(named?.coords.get(record)?.to_array())
            }
            Self::Indices(at) => Some(vec![f64::from(mesh(at)?.indices.get(record)?)]),
            Self::Morph(at, target, field) => {
                let target = mesh(at)?.morph_targets.get(target)?;
                morph_values(target, field, record)
            }
            Self::InverseBinds(at) => match &mesh(at)?.skin {
                Skin::InverseBind(skin) => list(skin.bone_from_mesh.get(record)?.to_cols_array()),
                _ => None,
            },
            Self::Times(..) | Self::Joints(..) | Self::Weights(..) => None,
            Self::Keys(clip, bone, field) => {
                let track = track_of(model, clip, bone)?;
                match field {
                    KeyField::Translation => {
                        key_values(track.translation.as_ref()?, record, |v| v.to_array())
                    }
                    KeyField::Rotation => {
                        key_values(track.rotation.as_ref()?, record, |v| v.to_array())
                    }
                    KeyField::Scale => key_values(track.scale.as_ref()?, record, |v| v.to_array()),
                }
            }
        }
    }

    /// The key times of each curve of the bone.
    pub(super) fn times(self, model: &Model) -> Vec<&[f64]> {
        let Self::Times(clip, bone) = self else { return Vec::new() };
        track_of(model, clip, bone).map(|track| track.times().collect()).unwrap_or_default()
    }
}

fn track_of(model: &Model, clip: usize, bone: usize) -> Option<&BoneTrack> {
    let Motion::Tracks(tracks) = &model.clips.get(ClipId::from_index(clip))?.motion else {
        return None;
    };
    tracks.iter().find(|track| track.bone.index() == bone)
}

fn key_values<T: Copy, const N: usize>(
    track: &Track<T>,
    key: usize,
    numbers: impl Fn(T) -> [f32; N],
) -> Option<Vec<f64>> {
    let per_key = if track.interpolation == Interpolation::Cubic { 3 } else { 1 };
    let values = track.values.get(key * per_key..(key + 1) * per_key)?;
    Some(values.iter().flat_map(|value| numbers(*value)).map(f64::from).collect())
}

fn morph_values(
    target: &rigscope_core::model::MorphTarget,
    field: MorphField,
    record: usize,
) -> Option<Vec<f64>> {
    // Targets with several shapes aren't stored as one array.
    let [shape] = &target.shapes[..] else { return None };
    let at = shape.vertices.binary_search_by_key(&record, |vertex| vertex.index()).ok();
    let offsets = match field {
        MorphField::Positions => &shape.position_offsets,
        MorphField::Normals => &shape.normal_offsets,
    };
    let offset = at.and_then(|at| offsets.get(at)).copied().unwrap_or_default();
    Some(offset.to_array().map(f64::from).to_vec())
}

/// The arrays of a part, with their number of records. Influences and times aren't included.
pub(super) fn arrays_of(model: &Model, part: Part) -> Vec<(Array, usize)> {
    let mut list = Vec::new();
    for (at, mesh) in model.meshes.iter().enumerate() {
        let num = mesh.num_vertices();
        match part {
            Part::Positions => list.push((Array::Positions(at), num)),
            Part::Normals => list.push((Array::Normals(at), num)),
            Part::Tangents => list.push((Array::Tangents(at), num)),
            Part::Uvs => {
                let VertexData::Streams(streams) = &mesh.vertices else { continue };
                for (index, set) in streams.uv_sets.iter().enumerate() {
                    let is_named = set.name.starts_with(UV_PREFIX);
                    let number = if is_named { set_of(&set.name) } else { index };
                    list.push((Array::Uvs(at, number), num));
                }
            }
            Part::Indices => list.push((Array::Indices(at), mesh.indices.len())),
            Part::InverseBinds => list.push((Array::InverseBinds(at), bones_of(mesh).len())),
            Part::Morphs => {
                for target in 0..mesh.morph_targets.len() {
                    list.push((Array::Morph(at, target, MorphField::Positions), num));
                    list.push((Array::Morph(at, target, MorphField::Normals), num));
                }
            }
            _ => {}
        }
    }
    if part == Part::KeyValues {
        for (clip, own) in model.clips.iter().enumerate() {
            let Motion::Tracks(tracks) = &own.motion else { continue };
            for track in tracks {
                let bone = track.bone.index();
                let mut push = |field, num: Option<usize>| {
                    list.extend(num.map(|num| (Array::Keys(clip, bone, field), num)));
                };
                push(KeyField::Translation, track.translation.as_ref().map(|t| t.times_secs.len()));
                push(KeyField::Rotation, track.rotation.as_ref().map(|t| t.times_secs.len()));
                push(KeyField::Scale, track.scale.as_ref().map(|t| t.times_secs.len()));
            }
        }
    }
    list
}

/// Whether two models have the same arrays with the same lengths, so that values can be written in place.
pub(super) fn have_same_layout(a: &Model, b: &Model) -> bool {
    let is_same_mesh = |(a, b): (&Mesh, &Mesh)| {
        a.num_vertices() == b.num_vertices()
            && a.indices.len() == b.indices.len()
            && a.subsets == b.subsets
            && a.attached_to == b.attached_to
            && a.morph_targets.len() == b.morph_targets.len()
            && bones_of(a) == bones_of(b)
    };
    let num_keys = |model: &Model| -> Vec<Vec<usize>> {
        let of_clip = |motion: &Motion| match motion {
            Motion::Tracks(tracks) => tracks
                .iter()
                .flat_map(|track| track.times().map(<[f64]>::len).chain([track.bone.index()]))
                .collect(),
            _ => Vec::new(),
        };
        model.clips.iter().map(|clip| of_clip(&clip.motion)).collect()
    };
    let parents = |model: &Model| -> Vec<_> {
        model.skeleton.bones().iter().map(|bone| bone.parent).collect()
    };
    let images = |model: &Model| -> Vec<_> {
        model.images.iter().map(|image| image.bytes.clone()).collect()
    };
    a.meshes.len() == b.meshes.len()
        && a.meshes.iter().zip(&b.meshes).all(is_same_mesh)
        && parents(a) == parents(b)
        && num_keys(a) == num_keys(b)
        && a.materials == b.materials
        && images(a) == images(b)
}

fn bones_of(mesh: &Mesh) -> &[rigscope_core::model::BoneId] {
    match &mesh.skin {
        Skin::InverseBind(skin) => &skin.bones,
        _ => &[],
    }
}
