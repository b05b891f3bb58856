//! Tracks of values that aren't bone transforms, such as separate root motion and game-specific
//! values.

use glam::Quat;

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// 1 to 4 plain numbers.
    Numbers(usize),
    /// A rotation: x, y, z, w.
    Rotation,
}

impl ValueKind {
    /// Number of components.
    pub const fn num(self) -> usize {
        match self {
            Self::Numbers(num) => num,
            Self::Rotation => 4,
        }
    }

    /// Identifier of the type, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Numbers(0 | 1) => "float",
            Self::Numbers(2) => "float2",
            Self::Numbers(3) => "float3",
            Self::Numbers(_) => "float4",
            Self::Rotation => "rotation",
        }
    }
}

/// A named track.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueTrack {
    /// Name in the file.
    pub name: String,
    /// Type of the values.
    pub kind: ValueKind,
    /// Time of each key as a fraction of its clip, 0 to 1, ascending.
    pub ratios: Vec<f32>,
    /// [`ValueKind::num`] numbers per key.
    pub values: Vec<f32>,
    /// Whether each key is constant until the next; otherwise values are interpolated linearly, and
    /// rotations along the shorter arc.
    pub holds: Vec<bool>,
}

impl ValueTrack {
    /// The numbers of key `key`; `None` past the end.
    pub fn key(&self, key: usize) -> Option<&[f32]> {
        let num = self.kind.num();
        let first = key.checked_mul(num)?;
        self.values.get(first..first.checked_add(num)?)
    }

    /// The value at `ratio`, padded with zeros; `None` without keys.
    pub fn sample(&self, ratio: f32) -> Option<[f32; 4]> {
        let next = self.ratios.partition_point(|&key| key <= ratio);
        let before = next.saturating_sub(1);
        let wide = |key: usize| {
            let mut wide = [0.0; 4];
            let numbers = self.key(key)?;
            wide.iter_mut().zip(numbers).for_each(|(to, from)| *to = *from);
            Some(wide)
        };
        let from = wide(before)?;
        let (Some(to), Some(&start), Some(&end)) =
            (wide(next), self.ratios.get(before), self.ratios.get(next))
        else {
            return Some(from);
        };
        let holds = self.holds.get(before).copied().unwrap_or(false);
        if holds || next == before || end <= start {
            return Some(from);
        }
        let share = (ratio - start) / (end - start);
        Some(match self.kind {
            ValueKind::Rotation => {
                let (from, to) = (Quat::from_array(from), Quat::from_array(to));
                let to = if from.dot(to) < 0.0 { -to } else { to };
                let blended = from * (1.0 - share) + to * share;
                let length = blended.length();
                if length > f32::MIN_POSITIVE {
                    (blended * length.recip()).to_array()
                } else {
                    from.to_array()
                }
            }
            ValueKind::Numbers(_) => {
                std::array::from_fn(|at| from[at] + (to[at] - from[at]) * share)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_held_or_interpolated_along_the_shorter_rotation() {
        let mut track = ValueTrack {
            name: "height".into(),
            kind: ValueKind::Numbers(1),
            ratios: vec![0.0, 0.5, 1.0],
            values: vec![1.0, 3.0, 5.0],
            holds: vec![false, true, false],
        };
        let at = |track: &ValueTrack, ratio| track.sample(ratio).unwrap()[0];
        assert_eq!([-1.0, 0.25, 0.75, 1.0, 9.0].map(|r| at(&track, r)), [1.0, 2.0, 3.0, 5.0, 5.0]);
        track.ratios.clear();
        track.values.clear();
        assert_eq!(track.sample(0.5), None);
        let rotation = ValueTrack {
            kind: ValueKind::Rotation,
            ratios: vec![0.0, 1.0],
            values: [Quat::IDENTITY, -Quat::from_rotation_y(1.0)]
                .map(|rotation| rotation.to_array())
                .concat(),
            holds: vec![false; 2],
            ..track
        };
        let half = Quat::from_array(rotation.sample(0.5).unwrap());
        assert!(half.angle_between(Quat::from_rotation_y(0.5)) < 1e-3);
    }
}
