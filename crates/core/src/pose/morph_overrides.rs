//! Morph target weights set by the user.

/// The most weights that can be set at once.
const MAX_WEIGHTS: usize = 64;

/// Morph target weights that replace those of the clip. Small and without heap memory, because
/// poses are passed by value.
#[derive(Clone, Copy)]
pub struct MorphOverrides {
    num: u8,
    targets: [u16; MAX_WEIGHTS],
    weights: [f32; MAX_WEIGHTS],
}

impl Default for MorphOverrides {
    fn default() -> Self {
        Self { num: 0, targets: [0; MAX_WEIGHTS], weights: [0.0; MAX_WEIGHTS] }
    }
}

impl PartialEq for MorphOverrides {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl std::fmt::Debug for MorphOverrides {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl MorphOverrides {
    /// Index of each overridden target, counted over all meshes, and its weight.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let targets = self.targets.iter().map(|&target| usize::from(target));
        targets.zip(self.weights.iter().copied()).take(usize::from(self.num))
    }

    pub fn is_empty(&self) -> bool {
        self.num == 0
    }

    /// The weight set for `target`, counted over all meshes.
    pub fn get(&self, target: usize) -> Option<f32> {
        self.iter().find(|(at, _)| *at == target).map(|(_, w)| w)
    }

    /// Sets a weight, or with `None` returns the target to the clip. Returns false if there is no
    /// room for it.
    pub fn set(&mut self, target: usize, weight: Option<f32>) -> bool {
        let Ok(number) = u16::try_from(target) else { return weight.is_none() };
        let num = usize::from(self.num);
        let known = self.targets.iter().copied().zip(self.weights).take(num);
        let mut all: Vec<(u16, f32)> = known.filter(|(at, _)| *at != number).collect();
        if let Some(weight) = weight.filter(|weight| weight.is_finite()) {
            if all.len() >= MAX_WEIGHTS {
                return false;
            }
            all.push((number, weight));
        }
        // Sorted, so that equal settings compare equal regardless of the order in which they were
        // set.
        all.sort_by_key(|(at, _)| *at);
        *self = Self::default();
        let slots = self.targets.iter_mut().zip(&mut self.weights);
        for ((target, weight), (at, value)) in slots.zip(all) {
            (*target, *weight) = (at, value);
            self.num += 1;
        }
        true
    }

    pub(super) fn apply(&self, weights: &mut [Vec<f32>]) {
        for (at, weight) in self.iter() {
            if let Some(slot) = weights.iter_mut().flatten().nth(at) {
                *slot = weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_set_reset_and_compared() {
        let mut overrides = MorphOverrides::default();
        assert!(overrides.is_empty());
        assert!(overrides.set(7, Some(0.5)) && overrides.set(2, Some(1.0)));
        assert!(overrides.set(7, Some(0.25)));
        assert_eq!(overrides.iter().collect::<Vec<_>>(), [(2, 1.0), (7, 0.25)]);
        assert_eq!((overrides.get(7), overrides.get(3)), (Some(0.25), None));
        let mut weights = vec![vec![0.0; 3], vec![0.1; 5]];
        overrides.apply(&mut weights);
        assert_eq!((weights[0][2], weights[1][4], weights[1][3]), (1.0, 0.25, 0.1));
        assert!(overrides.set(2, None) && overrides.set(7, None));
        assert_eq!(overrides, MorphOverrides::default());
    }

    #[test]
    fn weights_beyond_the_capacity_are_refused() {
        let mut overrides = MorphOverrides::default();
        for target in 0..MAX_WEIGHTS {
            assert!(overrides.set(target, Some(1.0)));
        }
        assert!(!overrides.set(1000, Some(1.0)));
        assert!(!overrides.set(1 << 20, Some(1.0)));
        assert!(overrides.set(3, Some(0.5)));
        assert_eq!(overrides.iter().count(), MAX_WEIGHTS);
    }
}
