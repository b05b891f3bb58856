//! Skins: influences and inverse bind matrices.

use glam::{Affine3A, Mat4, Vec3};
use pyo3::prelude::*;
use rigscope::model::value_names::Names;
use rigscope::model::{
    Blending, BoneId, BoneLocalInfluence, BoneLocalSkin, IdVec, Influences, InverseBindSkin, Skin,
    as_u32,
};

use super::dict_arg::{DictArg, named, wrong_type};
use crate::arrays::{read_array, read_matrices};

/// Inverse bind matrices of the bones at rest.
pub(super) type Binds = IdVec<BoneId, Option<Affine3A>>;

/// The ways to blend that are the same for all vertices.
const BLENDING: &Names<bool> = &[("linear", false), ("dual-quaternion", true)];

pub(super) fn skin(of: &DictArg<'_>, num_vertices: usize, binds: &Binds) -> PyResult<Skin> {
    let influences = match (of.get("influences")?, of.get("joints")?) {
        (None, None) => {
            for key in ["weights", "influence_positions", "influence_normals", "blending"] {
                if of.has(key)? {
                    return Err(of.wrong(key, "needs influences, or joints and weights"));
                }
            }
            return Ok(Skin::None);
        }
        (Some(_), Some(_)) => {
            return Err(of.wrong("influences", "can't be combined with joints"));
        }
        (Some(rows), None) => rows_of(of, &rows, num_vertices)?,
        (None, Some(joints)) => {
            let num = Some(num_vertices);
            let joints = read_array::<u32, 2>(&joints, &of.what("joints"), [num, None])?;
            let width = joints.shape.get(1).copied().unwrap_or(0);
            let weights = read_array::<f32, 2>(
                &of.needed("weights")?,
                &of.what("weights"),
                [num, Some(width)],
            )?;
            // Rows of no entries have no chunks.
            let first = (0..=num_vertices).map(|vertex| vertex * width);
            let rows = Rows::new(first, joints.data, weights.data);
            rows.ok_or_else(|| of.wrong("joints", "too many"))?.without_zeros()
        }
    };
    if of.has("influence_positions")? || of.has("influence_normals")? {
        return bone_local(of, influences);
    }
    let given = of.get("inverse_bind_matrices")?;
    let given = given.map(|value| read_matrices(&value, &of.what("inverse_bind_matrices")));
    let given = given.transpose()?;
    let bones: Vec<BoneId> = match (of.array::<u32, 1>("skin_bones", [None])?, &given) {
        (Some(bones), _) => bones.data.into_iter().map(BoneId).collect(),
        (None, Some(matrices)) if !matrices.is_empty() => {
            (0..).take(matrices.len()).map(BoneId).collect()
        }
        (None, _) => binds.ids().collect(),
    };
    if bones.is_empty() && !influences.slots.is_empty() {
        return Err(of.wrong("skin_bones", "joints require bones"));
    }
    let bone_from_mesh: Vec<Mat4> = match given {
        Some(matrices) if matrices.len() == bones.len() || matrices.is_empty() => matrices,
        Some(_) => {
            let why = "must have one matrix per entry of skin_bones";
            return Err(of.wrong("inverse_bind_matrices", why));
        }
        None => {
            // A bone that doesn't exist is found by the check of the model.
            let at_rest = |bone: &BoneId| binds.get(*bone).copied().flatten().unwrap_or_default();
            bones.iter().map(|bone| Mat4::from(at_rest(bone))).collect()
        }
    };
    Ok(Skin::InverseBind(InverseBindSkin {
        bones,
        bone_from_mesh,
        influences: influences.into(),
        blending: blending(of, num_vertices)?,
        ..InverseBindSkin::default()
    }))
}

/// Influences as compressed rows.
struct Rows {
    first: Vec<u32>,
    slots: Vec<u32>,
    weights: Vec<f32>,
}

impl Rows {
    /// `None` if there are too many entries.
    fn new(first: impl Iterator<Item = usize>, slots: Vec<u32>, weights: Vec<f32>) -> Option<Self> {
        let first = first.map(|entry| u32::try_from(entry).ok()).collect::<Option<_>>()?;
        Some(Self { first, slots, weights })
    }

    /// Without entries of weight 0, which fill rows of equal length.
    fn without_zeros(self) -> Self {
        let mut kept = Self { first: vec![0], slots: Vec::new(), weights: Vec::new() };
        for ends in self.first.windows(2) {
            for entry in ends[0] as usize..ends[1] as usize {
                if self.weights[entry] != 0.0 {
                    kept.slots.push(self.slots[entry]);
                    kept.weights.push(self.weights[entry]);
                }
            }
            // Not more than the entries of `self`.
            kept.first.push(as_u32(kept.slots.len()));
        }
        kept
    }
}

impl From<Rows> for Influences {
    fn from(Rows { first, slots, weights }: Rows) -> Self {
        Self::Rows { first, slots, weights }
    }
}

fn rows_of(of: &DictArg<'_>, value: &Bound<'_, PyAny>, num_vertices: usize) -> PyResult<Rows> {
    let what = of.what("influences");
    let parts: PyResult<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)> = value.extract();
    let expected = "three arrays: the first entry of each vertex, joints and weights";
    let (first, slots, weights) = parts.map_err(|_| wrong_type(&what, expected, value))?;
    let slots = read_array::<u32, 1>(&slots, &what, [None])?.data;
    let weights = read_array::<f32, 1>(&weights, &what, [Some(slots.len())])?.data;
    let first = read_array::<u32, 1>(&first, &what, [Some(num_vertices + 1)])?.data;
    let ends = (first.first().copied(), first.last().map(|last| *last as usize));
    if ends != (Some(0), Some(slots.len())) || !first.is_sorted() {
        let why = "the first entry of each vertex must rise from 0 to the number of entries";
        return Err(of.wrong("influences", why));
    }
    Ok(Rows { first, slots, weights })
}

fn blending(of: &DictArg<'_>, num_vertices: usize) -> PyResult<Blending> {
    let Some(value) = of.get("blending")? else { return Ok(Blending::Linear) };
    if let Ok(name) = value.extract::<String>() {
        let is_dual = named(&of.what("blending"), &name, BLENDING)?;
        return Ok(if is_dual { Blending::DualQuaternion } else { Blending::Linear });
    }
    let shares = of.array::<f32, 1>("blending", [Some(num_vertices)])?;
    Ok(shares.map_or(Blending::Linear, |shares| Blending::Mixed(shares.data)))
}

/// Influences with positions and normals in the space of their bones.
fn bone_local(of: &DictArg<'_>, rows: Rows) -> PyResult<Skin> {
    for key in ["skin_bones", "inverse_bind_matrices", "blending"] {
        if of.has(key)? {
            return Err(of.wrong(key, "can't be combined with influence_positions"));
        }
    }
    let num = rows.slots.len();
    let vectors = |key| {
        let taken = read_array::<f32, 2>(&of.needed(key)?, &of.what(key), [Some(num), Some(3)])?;
        PyResult::Ok(super::dict_arg::vec3s(&taken.data))
    };
    let (positions, normals) = (vectors("influence_positions")?, vectors("influence_normals")?);
    let places = positions.into_iter().zip(normals);
    let influence = |((bone, weight), (position, normal)): ((u32, f32), (Vec3, Vec3))| {
        BoneLocalInfluence { bone: BoneId(bone), weight, position, normal }
    };
    let influences = rows.slots.into_iter().zip(rows.weights).zip(places).map(influence).collect();
    Ok(Skin::BoneLocal(BoneLocalSkin { first: rows.first, influences }))
}
