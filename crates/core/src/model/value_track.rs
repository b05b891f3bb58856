//! Curves of values that move no bone: root motion kept apart, and what a game reads of its own.

use glam::Quat;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// So many plain numbers, 1 to 4.
    Numbers(usize),
    /// A rotation: x, y, z, w.
    Rotation,
}

impl ValueKind {
    /// Numbers in one value.
    pub const fn num(self) -> usize {
        match self {
            Self::Numbers(num) => num,
            Self::Rotation => 4,
        }
    }

    /// What it is, as one word.
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

/// One named curve.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueTrack {
    /// Name in the file.
    pub name: String,
    /// What its values are.
    pub kind: ValueKind,
    /// Time of each key as a part of the clip that it goes with, 0 to 1, ascending.
    pub ratios: Vec<f32>,
    /// [`ValueKind::num`] numbers a key.
    pub values: Vec<f32>,
    /// Whether each key holds until the next; else values go straight, rotations along the shorter
    /// way.
    pub holds: Vec<bool>,
}

impl ValueTrack {
    /// The numbers of key `key`; nothing past the end.
    pub fn key(&self, key: usize) -> Option<&[f32]> {
        let num = self.kind.num();
        let first = key.checked_mul(num)?;
        self.values.get(first..first.checked_add(num)?)
    }

    /// The value at `ratio`, its unused numbers 0; nothing without keys.
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
                match length > f32::MIN_POSITIVE {
                    true => (blended * length.recip()).to_array(),
                    false => from.to_array(),
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
    fn values_go_straight_hold_or_turn_the_shorter_way() {
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
        let turn = ValueTrack {
            kind: ValueKind::Rotation,
            ratios: vec![0.0, 1.0],
            values: [Quat::IDENTITY, -Quat::from_rotation_y(1.0)]
                .map(|turn| turn.to_array())
                .concat(),
            holds: vec![false; 2],
            ..track
        };
        let half = Quat::from_array(turn.sample(0.5).unwrap());
        assert!(half.angle_between(Quat::from_rotation_y(0.5)) < 1e-3);
    }
}
