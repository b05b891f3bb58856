//! Building models from arrays.

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3, Vec4};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyDict, PyMapping};
use rigscope::Document;
use rigscope::model::{
    Axes, Bone, BoneId, BoneTrack, ByteView, Clip, Handedness, Image, ImageId, Indices, Influences,
    Interpolation, InverseBindSkin, LocalTransform, Material, MaterialId, MaterialLook, Mesh,
    Model, MorphShape, MorphTarget, Motion, Skeleton, Skin, Streams, Subset, TEXTURE_ROLES,
    TextureRef, TextureRole, Track, Trs, UpAxis, UvSet, VertexData, VertexId,
};

use crate::arrays::{ArrayArg, read_array, read_matrices};
use crate::document;
use crate::errors::unknown_value;

type Dict<'py> = Bound<'py, PyMapping>;

/// Builds a model from arrays. It is checked as if it came from a file: values that are out of range or not finite are
/// fixed and listed in its `notes`. `convert` writes it in any format.
///
/// :param meshes: one dictionary per mesh: `positions` (n, 3), `normals` (n, 3), `tangents` (n, 4), `colors` (n, 4)
///     linear, `uvs` (n, 2) or a list of these, with v down, `triangles` (m, 3), `subsets` as (first triangle,
///     number of triangles, material or `None`), `joints` and `weights` (n, k) or `influences` as (first
///     (n + 1,), joints, weights), `skin_bones` (s,), `inverse_bind_matrices` (s, 4, 4), `attached_to` a bone,
///     `morph_targets` and `name`; everything except `positions` is optional
/// :param bones: one dictionary per bone: `name`, `parent` (a number, -1 or `None`), `rest` (4, 4) relative to the
///     parent
/// :param clips: one dictionary per clip: `name`, `times` (k,) seconds, `matrices` (k, b, 4, 4) relative to the parent, or
///     `translations` (k, b, 3), `rotations` (k, b, 4) as x y z w and `scales` (k, b, 3); `loops`; `step`
/// :param materials: one dictionary per material: `name`, `base_color` (4,) linear, `metallic`, `roughness`, `emissive` (3,),
///     `two_sided`, `textures` from role to path, or to name and bytes of an image
/// :param unit_meters: metres per unit; `None` if unknown
#[pyfunction]
#[pyo3(signature = (
    meshes = Vec::new(), *, bones = Vec::new(), clips = Vec::new(), materials = Vec::new(), name = String::new(),
    up = "y", handedness = "right", unit_meters = None,
))]
#[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
pub(crate) fn build<'py>(
    py: Python<'py>,
    meshes: Vec<Dict<'py>>,
    bones: Vec<Dict<'py>>,
    clips: Vec<Dict<'py>>,
    materials: Vec<Dict<'py>>,
    name: String,
    up: &str,
    handedness: &str,
    unit_meters: Option<f64>,
) -> PyResult<document::Model> {
    let mut model = Model {
        name,
        axes: Axes {
            up: match up {
                "y" => UpAxis::Y,
                "z" => UpAxis::Z,
                other => return Err(unknown_value("up", other, &["y", "z"])),
            },
            handedness: match handedness {
                "right" => Handedness::Right,
                "left" => Handedness::Left,
                other => return Err(unknown_value("handedness", other, &["right", "left"])),
            },
            unit_meters,
            ..Axes::default()
        },
        skeleton: skeleton(&bones)?,
        ..Model::default()
    };
    for (number, dict) in materials.iter().enumerate() {
        let of = DictArg::new(
            "materials",
            number,
            dict,
            &["name", "base_color", "metallic", "roughness", "emissive", "two_sided", "textures"],
        )?;
        let material = material(&of, &mut model.images)?;
        model.materials.push(material);
    }
    for (number, dict) in meshes.iter().enumerate() {
        let mesh = mesh(&DictArg::new("meshes", number, dict, MESH_KEYS)?)?;
        model.meshes.push(mesh);
    }
    for (number, dict) in clips.iter().enumerate() {
        let of = DictArg::new("clips", number, dict, CLIP_KEYS)?;
        model.clips.push(clip(&of, model.skeleton.len())?);
    }
    Ok(document::Model::new(py.detach(|| Document::of_model(model))))
}

const MESH_KEYS: &[&str] = &[
    "name",
    "positions",
    "normals",
    "tangents",
    "colors",
    "uvs",
    "triangles",
    "subsets",
    "joints",
    "weights",
    "influences",
    "skin_bones",
    "inverse_bind_matrices",
    "attached_to",
    "morph_targets",
];
const CLIP_KEYS: &[&str] =
    &["name", "times", "matrices", "translations", "rotations", "scales", "loops", "step"];

/// A dictionary passed by the caller, with its position for error messages.
struct DictArg<'a, 'py> {
    list: &'static str,
    number: usize,
    dict: &'a Dict<'py>,
}

impl<'a, 'py> DictArg<'a, 'py> {
    fn new(
        list: &'static str,
        number: usize,
        dict: &'a Dict<'py>,
        known: &[&str],
    ) -> PyResult<Self> {
        for key in dict.keys()? {
            let key: String = key.extract()?;
            if !known.contains(&key.as_str()) {
                return Err(unknown_value(&format!("a key of {list}[{number}]"), &key, known));
            }
        }
        Ok(Self { list, number, dict })
    }

    fn what(&self, key: &str) -> String {
        format!("{}[{}][{key:?}]", self.list, self.number)
    }

    fn get(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.dict.contains(key)? {
            Ok(Some(self.dict.get_item(key)?).filter(|value| !value.is_none()))
        } else {
            Ok(None)
        }
    }

    fn needed(&self, key: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(key)?.ok_or_else(|| PyKeyError::new_err(format!("{} is missing", self.what(key))))
    }

    fn text(&self, key: &str) -> PyResult<String> {
        self.get(key)?.map_or_else(|| Ok(String::new()), |value| value.extract())
    }

    fn flag(&self, key: &str) -> PyResult<bool> {
        self.get(key)?.map_or(Ok(false), |value| value.extract())
    }

    fn array<T: numpy::Element + Copy, const D: usize>(
        &self,
        key: &str,
        shape: [Option<usize>; D],
    ) -> PyResult<Option<ArrayArg<T>>> {
        let value = self.get(key)?;
        value.map(|value| read_array(&value, &self.what(key), shape)).transpose()
    }

    fn wrong(&self, key: &str, why: &str) -> PyErr {
        PyValueError::new_err(format!("{}: {why}", self.what(key)))
    }
}

fn vec2s(numbers: &[f32]) -> Vec<Vec2> {
    numbers.as_chunks().0.iter().copied().map(Vec2::from_array).collect()
}

fn vec3s(numbers: &[f32]) -> Vec<Vec3> {
    numbers.as_chunks().0.iter().copied().map(Vec3::from_array).collect()
}

fn vec4s(numbers: &[f32]) -> Vec<Vec4> {
    numbers.as_chunks().0.iter().copied().map(Vec4::from_array).collect()
}

fn skeleton(bones: &[Dict<'_>]) -> PyResult<Skeleton> {
    let bone = |(number, dict)| {
        let of = DictArg::new("bones", number, dict, &["name", "parent", "rest"])?;
        let rest = of.array::<f32, 2>("rest", [Some(4), Some(4)])?;
        let rest = rest.and_then(|rest| rest.data.try_into().ok());
        let rest = rest.map_or(Mat4::IDENTITY, |rows| Mat4::from_cols_array(&rows).transpose());
        let parent: Option<i64> = of.get("parent")?.map(|value| value.extract()).transpose()?;
        Ok(Bone {
            name: of.text("name")?,
            parent: match parent {
                None | Some(-1) => None,
                Some(parent) => Some(BoneId(
                    u32::try_from(parent).map_err(|_| of.wrong("parent", "not a bone"))?,
                )),
            },
            rest_local: LocalTransform::Matrix(Affine3A::from_mat4(rest)),
            ..Bone::default()
        })
    };
    let bones = bones.iter().enumerate().map(bone).collect::<PyResult<_>>()?;
    Skeleton::new(bones, true).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn mesh(of: &DictArg<'_, '_>) -> PyResult<Mesh> {
    let positions =
        read_array::<f32, 2>(&of.needed("positions")?, &of.what("positions"), [None, Some(3)])?;
    let num = positions.shape.first().copied();
    let mut streams = Streams { positions: vec3s(&positions.data), ..Streams::default() };
    if let Some(normals) = of.array("normals", [num, Some(3)])? {
        streams.normals = vec3s(&normals.data);
    }
    if let Some(tangents) = of.array("tangents", [num, Some(4)])? {
        streams.tangents = vec4s(&tangents.data);
    }
    if let Some(colors) = of.array("colors", [num, Some(4)])? {
        streams.colors = vec4s(&colors.data);
    }
    if let Some(sets) = of.get("uvs")? {
        let is_one = sets.hasattr("shape")? && sets.getattr("shape")?.len()? == 2;
        let sets = if is_one { vec![sets] } else { sets.extract()? };
        for set in sets {
            let coords = read_array::<f32, 2>(&set, &of.what("uvs"), [num, Some(2)])?;
            streams.uv_sets.push(UvSet { coords: vec2s(&coords.data), ..UvSet::default() });
        }
    }
    let triangles = of.array::<u32, 2>("triangles", [None, Some(3)])?;
    let indices = triangles.map_or_else(Vec::new, |triangles| triangles.data);
    Ok(Mesh {
        name: of.text("name")?,
        subsets: subsets(of, indices.len())?,
        indices: Indices::U32(indices),
        skin: skin(of, num)?,
        attached_to: of.get("attached_to")?.map(|bone| bone.extract()).transpose()?.map(BoneId),
        morph_targets: morph_targets(of, num)?,
        vertices: VertexData::Streams(streams),
        ..Mesh::default()
    })
}

fn subsets(of: &DictArg<'_, '_>, num_indices: usize) -> PyResult<Vec<Subset>> {
    let Some(given) = of.get("subsets")? else {
        let whole = u32::try_from(num_indices).map_err(|_| of.wrong("triangles", "too many"))?;
        let whole = Subset { first_index: 0, index_count: whole, material: None };
        return Ok(if num_indices > 0 { vec![whole] } else { Vec::new() });
    };
    let given: Vec<(u32, u32, Option<u32>)> = given.extract()?;
    let subset = |(first, num, material): (u32, u32, Option<u32>)| {
        let ends = first.checked_mul(3).zip(num.checked_mul(3));
        let (first_index, index_count) = ends.ok_or_else(|| of.wrong("subsets", "too many"))?;
        Ok(Subset { first_index, index_count, material: material.map(MaterialId) })
    };
    given.into_iter().map(subset).collect()
}

fn skin(of: &DictArg<'_, '_>, num_vertices: Option<usize>) -> PyResult<Skin> {
    let influences = match (of.get("influences")?, of.get("joints")?) {
        (None, None) => return Ok(Skin::None),
        (Some(rows), _) => {
            let (first, slots, weights): (Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>) =
                rows.extract()?;
            let what = of.what("influences");
            let slots = read_array::<u32, 1>(&slots, &what, [None])?;
            let weights = read_array::<f32, 1>(&weights, &what, [Some(slots.data.len())])?;
            let num_first = num_vertices.map(|num| num + 1);
            let first = read_array::<u32, 1>(&first, &what, [num_first])?.data;
            let ends = (first.first().copied(), first.last().map(|last| *last as usize));
            if ends != (Some(0), Some(slots.data.len())) || !first.is_sorted() {
                let why =
                    "the first entry of each vertex must rise from 0 to the number of entries";
                return Err(of.wrong("influences", why));
            }
            Influences::Rows { first, slots: slots.data, weights: weights.data }
        }
        (None, Some(joints)) => {
            let joints = read_array::<u32, 2>(&joints, &of.what("joints"), [num_vertices, None])?;
            let width = joints.shape.get(1).copied().unwrap_or(0);
            let shape = [num_vertices, Some(width)];
            let weights =
                read_array::<f32, 2>(&of.needed("weights")?, &of.what("weights"), shape)?.data;
            let width = width.max(1);
            let rows = joints.data.chunks_exact(width).zip(weights.chunks_exact(width));
            let rows = rows.map(|(slots, weights)| {
                let pairs = slots.iter().copied().zip(weights.iter().copied());
                pairs.filter(|(_, weight)| *weight != 0.0).collect::<Vec<_>>()
            });
            let rows: Vec<_> = rows.collect();
            Influences::from_lists(rows.iter().map(Vec::as_slice))
        }
    };
    let bone_from_mesh = match of.get("inverse_bind_matrices")? {
        Some(value) => read_matrices(&value, &of.what("inverse_bind_matrices"))?,
        None => Vec::new(),
    };
    let bones: Vec<u32> = match of.array::<u32, 1>("skin_bones", [None])? {
        Some(bones) => bones.data,
        None => (0..).take(bone_from_mesh.len()).collect(),
    };
    if bones.len() != bone_from_mesh.len() && !bone_from_mesh.is_empty() {
        return Err(
            of.wrong("inverse_bind_matrices", "must have one matrix per entry of skin_bones")
        );
    }
    if bones.is_empty() {
        return Err(of.wrong("skin_bones", "joints require skin_bones or inverse_bind_matrices"));
    }
    let bones = bones.into_iter().map(BoneId).collect();
    Ok(Skin::InverseBind(InverseBindSkin {
        bones,
        bone_from_mesh,
        influences,
        ..InverseBindSkin::default()
    }))
}

fn morph_targets(of: &DictArg<'_, '_>, num_vertices: Option<usize>) -> PyResult<Vec<MorphTarget>> {
    let Some(given) = of.get("morph_targets")? else { return Ok(Vec::new()) };
    let given: Vec<Dict<'_>> = given.extract()?;
    let target = |(number, dict)| {
        let keys = &["name", "vertices", "position_offsets", "normal_offsets"];
        let of = DictArg::new("morph_targets", number, dict, keys)?;
        let what = of.what("position_offsets");
        let vertices = of.array::<u32, 1>("vertices", [None])?;
        let num = vertices.as_ref().map_or(num_vertices, |vertices| Some(vertices.data.len()));
        let offsets = of.needed("position_offsets")?;
        let offsets = read_array::<f32, 2>(&offsets, &what, [num, Some(3)])?;
        let normals = of.array::<f32, 2>("normal_offsets", [num, Some(3)])?;
        let all = || (0..).take(offsets.data.len() / 3).collect();
        let vertices: Vec<u32> = vertices.map_or_else(all, |vertices| vertices.data);
        let shape = MorphShape {
            vertices: vertices.into_iter().map(VertexId).collect(),
            position_offsets: vec3s(&offsets.data),
            normal_offsets: normals.map_or_else(Vec::new, |normals| vec3s(&normals.data)),
            ..MorphShape::default()
        };
        Ok(MorphTarget::single(of.text("name")?, shape))
    };
    given.iter().enumerate().map(target).collect()
}

fn clip(of: &DictArg<'_, '_>, num_bones: usize) -> PyResult<Clip> {
    let times = read_array::<f64, 1>(&of.needed("times")?, &of.what("times"), [None])?.data;
    if !times.is_sorted() || !times.iter().all(|time| time.is_finite()) {
        return Err(of.wrong("times", "must be finite and must rise"));
    }
    let (num_keys, num_bones) = (Some(times.len()), Some(num_bones));
    let interpolation = if of.flag("step")? { Interpolation::Step } else { Interpolation::Linear };
    let parts = match of.array::<f32, 4>("matrices", [num_keys, num_bones, Some(4), Some(4)])? {
        Some(matrices) => {
            let rows = matrices.data.as_chunks::<16>().0.iter();
            let matrices = rows.map(|rows| Mat4::from_cols_array(rows).transpose());
            let parts = matrices.map(|matrix| Trs::from_affine(Affine3A::from_mat4(matrix)));
            let parts: Vec<_> = parts.collect();
            BoneValues {
                translations: Some(parts.iter().map(|part| part.translation).collect()),
                rotations: Some(parts.iter().map(|part| part.rotation).collect()),
                scales: Some(parts.iter().map(|part| part.scale).collect()),
            }
        }
        None => {
            let vectors = |key| {
                let taken = of.array::<f32, 3>(key, [num_keys, num_bones, Some(3)])?;
                PyResult::Ok(taken.map(|taken| vec3s(&taken.data)))
            };
            let turns = of.array::<f32, 3>("rotations", [num_keys, num_bones, Some(4)])?;
            let turns = turns.map(|turns| {
                let turns = vec4s(&turns.data).into_iter();
                turns.map(Quat::from_vec4).collect()
            });
            BoneValues {
                translations: vectors("translations")?,
                rotations: turns,
                scales: vectors("scales")?,
            }
        }
    };
    let start_secs = times.first().copied().unwrap_or(0.0);
    let num_bones = num_bones.unwrap_or(0);
    let tracks = (0..num_bones).map(|bone| {
        let of_bone = Column { times: &times, bone, num_bones, interpolation };
        BoneTrack {
            bone: BoneId::from_index(bone),
            translation: of_bone.track(parts.translations.as_deref()),
            rotation: of_bone.track(parts.rotations.as_deref()),
            scale: of_bone.track(parts.scales.as_deref()),
        }
    });
    Ok(Clip {
        name: of.text("name")?,
        start_secs,
        duration_secs: times.last().map_or(0.0, |last| last - start_secs),
        is_looping: of.flag("loops")?,
        motion: Motion::Tracks(tracks.collect()),
        ..Clip::default()
    })
}

/// Values of all bones, in the order of keys.
struct BoneValues {
    translations: Option<Vec<Vec3>>,
    rotations: Option<Vec<Quat>>,
    scales: Option<Vec<Vec3>>,
}

/// The values of one bone.
struct Column<'a> {
    times: &'a [f64],
    bone: usize,
    num_bones: usize,
    interpolation: Interpolation,
}

impl Column<'_> {
    fn track<T: Copy>(&self, values: Option<&[T]>) -> Option<Track<T>> {
        let values = values?.iter().skip(self.bone).step_by(self.num_bones.max(1));
        Some(Track {
            times_secs: self.times.to_vec(),
            values: values.copied().collect(),
            interpolation: self.interpolation,
        })
    }
}

fn material(of: &DictArg<'_, '_>, images: &mut Vec<Image>) -> PyResult<Material> {
    let mut look = MaterialLook::default();
    if let Some(color) = of.get("base_color")? {
        look.base_color = Vec4::from_array(color.extract()?);
    }
    if let Some(emissive) = of.get("emissive")? {
        look.emissive = Vec3::from_array(emissive.extract()?);
    }
    for (key, number) in [("metallic", &mut look.metallic), ("roughness", &mut look.roughness)] {
        if let Some(value) = of.get(key)? {
            *number = value.extract()?;
        }
    }
    look.is_two_sided = of.flag("two_sided")?;
    let mut textures = Vec::new();
    if let Some(given) = of.get("textures")? {
        for (name, value) in given.cast::<PyDict>()?.iter() {
            let name: String = name.extract()?;
            let role = TextureRole::named(&name).ok_or_else(|| {
                let names = TEXTURE_ROLES.map(|info| info.name);
                unknown_value(&of.what("textures"), &name, &names)
            })?;
            textures.push(match value.extract::<(String, PyBackedBytes)>() {
                Ok((name, bytes)) => {
                    let image = ImageId::from_index(images.len());
                    let bytes = ByteView::whole(bytes.to_vec());
                    images.push(Image { name, bytes, is_embedded: true });
                    TextureRef::embedded(role, image)
                }
                Err(_) => TextureRef::file(role, value.extract::<String>()?),
            });
        }
    }
    Ok(Material {
        name: of.text("name")?,
        look: Some(Box::new(look)),
        textures,
        ..Material::default()
    })
}
