//! Values of attributes as plain lists of single or double precision.

use glam::{DMat4, DQuat, DVec3, Vec2, Vec3};
use openusd::sdf::Value;

/// Three-component vectors.
pub(super) fn vec3s(value: Value) -> Option<Vec<Vec3>> {
    Some(match value {
        Value::Vec3fVec(list) => list.iter().map(|v| Vec3::new(v.x, v.y, v.z)).collect(),
        Value::Vec3dVec(list) => list.iter().map(|v| DVec3::new(v.x, v.y, v.z).as_vec3()).collect(),
        Value::Vec3hVec(list) => {
            list.iter().map(|v| Vec3::new(v.x.to_f32(), v.y.to_f32(), v.z.to_f32())).collect()
        }
        _ => return None,
    })
}

/// Two-component vectors.
pub(super) fn vec2s(value: Value) -> Option<Vec<Vec2>> {
    Some(match value {
        Value::Vec2fVec(list) => list.iter().map(|v| Vec2::new(v.x, v.y)).collect(),
        Value::Vec2dVec(list) => list.iter().map(|v| Vec2::new(real(v.x), real(v.y))).collect(),
        Value::Vec2hVec(list) => {
            list.iter().map(|v| Vec2::new(v.x.to_f32(), v.y.to_f32())).collect()
        }
        _ => return None,
    })
}

/// Numbers.
pub(super) fn floats(value: Value) -> Option<Vec<f32>> {
    Some(match value {
        Value::FloatVec(list) => list,
        Value::DoubleVec(list) => list.into_iter().map(real).collect(),
        Value::HalfVec(list) => list.iter().map(|v| v.to_f32()).collect(),
        _ => return None,
    })
}

/// Whole numbers.
pub(super) fn ints(value: Value) -> Option<Vec<i32>> {
    match value {
        Value::IntVec(list) => Some(list),
        _ => None,
    }
}

/// Names.
pub(super) fn tokens(value: Value) -> Option<Vec<String>> {
    Some(match value {
        Value::TokenVec(list) => list.iter().map(|token| token.as_str().to_owned()).collect(),
        Value::StringVec(list) => list,
        _ => return None,
    })
}

/// A name or text.
pub(super) fn token(value: Value) -> Option<String> {
    Some(match value {
        Value::Token(token) => token.as_str().to_owned(),
        Value::String(text) => text,
        _ => return None,
    })
}

/// Matrices for column vectors: those of USD, which multiply row vectors from the right, transposed.
pub(super) fn matrices(value: Value) -> Option<Vec<DMat4>> {
    match value {
        Value::Matrix4dVec(list) => {
            Some(list.iter().map(|own| DMat4::from_cols_array(&own.0)).collect())
        }
        _ => None,
    }
}

/// A matrix for column vectors.
pub(super) fn matrix(value: Value) -> Option<DMat4> {
    match value {
        Value::Matrix4d(own) => Some(DMat4::from_cols_array(&own.0)),
        _ => None,
    }
}

/// Quaternions, as stored.
pub(super) fn quats(value: Value) -> Option<Vec<DQuat>> {
    Some(match value {
        Value::QuatfVec(list) => list
            .iter()
            .map(|q| DQuat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into()))
            .collect(),
        Value::QuatdVec(list) => {
            list.iter().map(|q| DQuat::from_xyzw(q.x, q.y, q.z, q.w)).collect()
        }
        Value::QuathVec(list) => list
            .iter()
            .map(|q| DQuat::from_xyzw(q.x.to_f64(), q.y.to_f64(), q.z.to_f64(), q.w.to_f64()))
            .collect(),
        _ => return None,
    })
}

/// A quaternion.
pub(super) fn quat(value: Value) -> Option<DQuat> {
    let one = match value {
        Value::Quatf(q) => Value::QuatfVec(vec![q]),
        Value::Quatd(q) => Value::QuatdVec(vec![q]),
        Value::Quath(q) => Value::QuathVec(vec![q]),
        _ => return None,
    };
    quats(one)?.first().copied()
}

/// A three-component vector.
pub(super) fn vec3(value: Value) -> Option<DVec3> {
    Some(match value {
        Value::Vec3f(v) => DVec3::new(v.x.into(), v.y.into(), v.z.into()),
        Value::Vec3d(v) => DVec3::new(v.x, v.y, v.z),
        Value::Vec3h(v) => DVec3::new(v.x.to_f64(), v.y.to_f64(), v.z.to_f64()),
        _ => return None,
    })
}

/// A number.
pub(super) fn number(value: &Value) -> Option<f64> {
    Some(match *value {
        Value::Float(v) => v.into(),
        Value::Double(v) => v,
        Value::Half(v) => v.to_f64(),
        Value::Int(v) => v.into(),
        Value::Uint(v) => v.into(),
        Value::Uchar(v) => v.into(),
        #[expect(clippy::cast_precision_loss, reason = "numbers of this size are small")]
        Value::Int64(v) => v as f64,
        #[expect(clippy::cast_precision_loss, reason = "numbers of this size are small")]
        Value::Uint64(v) => v as f64,
        _ => return None,
    })
}

/// The nearest number in single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding is meant")]
pub(super) fn real(value: f64) -> f32 {
    value as f32
}
