//! How much of an aspect a format stores, depending on the options and the model.

use super::Held;
use crate::formats::WriteOptions;
use rigscope_core::model::Model;

/// How much of an aspect a format stores.
#[derive(Clone, Copy, Debug)]
pub struct Stored {
    held: Held,
    /// The values of `--part` whose files store it; empty if all do.
    parts: &'static [&'static str],
    /// Options without which nothing of it is stored.
    condition: fn(&WriteOptions) -> bool,
    /// How many of a count are stored, if that depends on the model.
    num: Option<NumFn>,
}

type NumFn = fn(&Model, &WriteOptions, u64) -> u64;

impl Stored {
    pub(in crate::formats) const WHOLE: Self =
        Self { held: Held::Whole, parts: &[], condition: |_| true, num: None };
    pub(in crate::formats) const NO: Self = Self { held: Held::No, ..Self::WHOLE };

    pub(in crate::formats) const fn up_to(most: u64) -> Self {
        Self { held: Held::UpTo(most), ..Self::WHOLE }
    }

    /// Stored only in these parts of an output, or if all parts are written.
    pub(in crate::formats) const fn in_parts(self, parts: &'static [&'static str]) -> Self {
        Self { parts, ..self }
    }

    /// Stored only with these options.
    pub(in crate::formats) const fn when(self, condition: fn(&WriteOptions) -> bool) -> Self {
        Self { condition, ..self }
    }

    /// Of a count in a model, at most `num` are stored, whatever the conditions.
    pub(in crate::formats) const fn counted(self, num: NumFn) -> Self {
        Self { num: Some(num), ..self }
    }

    /// How much a file written with `options` stores. `loss_list` compares it with the model read back.
    pub fn held(&self, options: &WriteOptions) -> Held {
        let mut part = options.part.iter();
        let is_in_part = part.all(|part| self.parts.is_empty() || self.parts.contains(&&**part));
        if is_in_part && (self.condition)(options) { self.held } else { Held::No }
    }

    /// How many of `count` in `model` a file written with `options` stores.
    pub fn num(&self, model: &Model, options: &WriteOptions, count: u64) -> u64 {
        match self.num {
            Some(num) => num(model, options, count).min(count),
            None => self.held(options).of(count),
        }
    }
}

/// The table of what a format stores: a [`Stored`], and the aspects that it applies to. Doesn't compile unless
/// every aspect is in exactly one row.
macro_rules! stored {
    ($($stored:expr => $($aspect:ident)+;)+) => {
        |aspect| match aspect {
            $($($crate::formats::losses::Aspect::$aspect)|+ => $stored,)+
        }
    };
}
pub(in crate::formats) use stored;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_conditions_and_models_limit_the_stored_amount() {
        let of_part = |part: Option<&str>| WriteOptions {
            part: part.map(str::to_owned),
            ..WriteOptions::default()
        };
        let (all, mesh, clip) = (of_part(None), of_part(Some("mesh")), of_part(Some("clip")));
        let in_mesh = Stored::up_to(2).in_parts(&["mesh"]);
        for (options, held, num) in
            [(&all, Held::UpTo(2), 2), (&mesh, Held::UpTo(2), 2), (&clip, Held::No, 0)]
        {
            assert_eq!(in_mesh.held(options), held);
            assert_eq!(in_mesh.num(&Model::default(), options, 3), num);
        }
        let with_hierarchy = Stored::WHOLE.when(|options| options.hierarchy);
        assert_eq!(with_hierarchy.held(&all), Held::No);
        let hierarchy = WriteOptions { hierarchy: true, ..of_part(Some("clip")) };
        assert_eq!(with_hierarchy.held(&hierarchy), Held::Whole);
        let counted = with_hierarchy.counted(|_, _, _| 5);
        assert_eq!(counted.num(&Model::default(), &all, 7), 5);
        assert_eq!(counted.num(&Model::default(), &all, 3), 3);
    }
}
