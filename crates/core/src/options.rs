//! Options of a request, declared once for the command line, Python and the window.
//!
//! A request is a plain struct. Its table lists the name, help and valid values of each option;
//! `rigscope-cli` makes arguments from the table, the Python package reads keywords with it, and the window
//! shows it as a form. A new option is a field, a row, and the code that obeys it.

use std::path::PathBuf;

/// A request whose options are in a table.
pub trait Request: Default + 'static {
    /// In the order in which help and forms show them.
    const OPTIONS: &'static [OptionInfo<Self>];

    /// The option of that name.
    fn option(name: &str) -> Option<&'static OptionInfo<Self>> {
        Self::OPTIONS.iter().find(|option| option.name == name)
    }

    /// Whether all options have the same values in both.
    fn has_same_options(&self, other: &Self) -> bool {
        Self::OPTIONS.iter().all(|option| option.get(self) == option.get(other))
    }
}

/// One option of the request `R`.
pub struct OptionInfo<R: 'static> {
    /// In Rust and Python.
    pub name: &'static str,
    /// On the command line, without the hyphens in front.
    pub flag: &'static str,
    /// One line without a full stop.
    pub help: &'static str,
    /// Paragraphs that follow it in long help, or nothing.
    pub details: &'static str,
    /// In a form: the row, and the label in it. An option without a row isn't in forms.
    pub row: &'static str,
    /// An empty label if the name of the row is enough.
    pub label: &'static str,
    /// The type of its value.
    pub kind: OptionKind<R>,
}

/// The type of an option's value, and its field.
pub enum OptionKind<R: 'static> {
    /// Set or not.
    Flag(Field<R, bool>),
    /// A number that passes `is_valid`; `expected` names such a number in errors.
    Number {
        /// In help.
        value_name: &'static str,
        /// The value that changes nothing, which a form shows if the option isn't set.
        neutral: Option<f64>,
        /// Whether the number can be used.
        is_valid: fn(f64) -> bool,
        /// As in "not `a number above 0`".
        expected: &'static str,
        /// The field.
        field: Field<R, Option<f64>>,
    },
    /// A whole number from `min` to `max`.
    Count {
        /// In help.
        value_name: &'static str,
        /// Smallest value.
        min: usize,
        /// Largest value.
        max: usize,
        /// The field.
        field: Field<R, Option<usize>>,
    },
    /// Any text.
    Text {
        /// In help.
        value_name: &'static str,
        /// The field.
        field: Field<R, Option<String>>,
    },
    /// Several texts; on the command line, one each time the option is given.
    Texts {
        /// In help.
        value_name: &'static str,
        /// The field.
        field: Field<R, Vec<String>>,
    },
    /// Several files or folders; on the command line, one each time the option is given.
    Paths {
        /// In help.
        value_name: &'static str,
        /// The field.
        field: Field<R, Vec<PathBuf>>,
    },
    /// Several names from a list; on the command line, separated by commas.
    Names {
        /// In help.
        value_name: &'static str,
        /// The kind of value that a name stands for, as in "unknown `kind of difference`".
        noun: &'static str,
        /// Where a user finds the list, as a clause.
        listed_by: &'static str,
        /// All names.
        names: fn() -> Vec<&'static str>,
        /// Follows the details in long help: parts of the list that are generated, or nothing.
        long_help: fn() -> String,
        /// The field.
        field: Field<R, Vec<String>>,
    },
    /// One of a few values.
    Choice {
        /// In help.
        value_name: &'static str,
        /// By number.
        choices: fn() -> Vec<Choice>,
        /// The number of the current choice, if there is one.
        field: Field<R, Option<usize>>,
    },
}

/// One value of an [`OptionKind::Choice`].
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// On the command line and in Python.
    pub name: &'static str,
    /// One line without a full stop, or nothing.
    pub help: &'static str,
}

/// Access to a value in `R`; [`field!`](crate::options::field) makes one for a field of that type.
pub struct Field<R: 'static, T: 'static> {
    /// The value.
    pub get: fn(&R) -> T,
    /// Changes the value; an optional one that is `None` becomes the default.
    pub set: fn(&mut R, T),
}

/// A [`Field`] by its path in the request: `field!(write.hierarchy)`.
#[macro_export]
macro_rules! field {
    ($($path:ident).+) => {
        $crate::options::Field {
            get: |r| ::core::clone::Clone::clone(&r.$($path).+),
            set: |r, value| r.$($path).+ = value,
        }
    };
}
pub use field;

/// A [`Field`] of an [`OptionKind::Choice`], by its name and the values in the order of the choices:
/// `choice!(up: UP_AXES)`.
#[macro_export]
macro_rules! choice {
    ($field:ident: $values:expr) => {
        $crate::options::Field {
            get: |r| $values.iter().position(|value| *value == r.$field),
            set: |r, number| {
                let value = number.and_then(|number: usize| $values.get(number).copied());
                r.$field = value.unwrap_or_default();
            },
        }
    };
}
pub use choice;

/// A value of any option, as Python and JSON have it.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// Of a flag.
    Flag(bool),
    /// Of a number or a count; none if not set.
    Number(Option<f64>),
    /// Of a text or a choice; none if not set.
    Text(Option<String>),
    /// Of several texts.
    Texts(Vec<String>),
    /// Of several paths.
    Paths(Vec<PathBuf>),
}

impl<R> OptionKind<R> {
    /// A number above 0.
    pub const fn positive(value_name: &'static str, field: Field<R, Option<f64>>) -> Self {
        Self::Number {
            value_name,
            neutral: None,
            is_valid: |value| value > 0.0 && value.is_finite(),
            expected: "a number above 0",
            field,
        }
    }
}

impl<R> OptionInfo<R> {
    /// An option that isn't in forms, without details.
    pub const fn new(
        name: &'static str,
        flag: &'static str,
        help: &'static str,
        kind: OptionKind<R>,
    ) -> Self {
        Self { name, flag, help, details: "", row: "", label: "", kind }
    }

    /// Adds paragraphs to the long help.
    #[must_use]
    pub const fn details(mut self, details: &'static str) -> Self {
        self.details = details;
        self
    }

    /// Shows the option in this row of forms.
    #[must_use]
    pub const fn row(mut self, row: &'static str) -> Self {
        self.row = row;
        self
    }

    /// Labels the option in its row.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// The value in `request`.
    pub fn get(&self, request: &R) -> OptionValue {
        match &self.kind {
            OptionKind::Flag(field) => OptionValue::Flag((field.get)(request)),
            OptionKind::Number { field, .. } => OptionValue::Number((field.get)(request)),
            OptionKind::Count { field, .. } => {
                #[expect(clippy::cast_precision_loss, reason = "counts are checked to be small")]
                let number = (field.get)(request).map(|count| count as f64);
                OptionValue::Number(number)
            }
            OptionKind::Text { field, .. } => OptionValue::Text((field.get)(request)),
            OptionKind::Texts { field, .. } | OptionKind::Names { field, .. } => {
                OptionValue::Texts((field.get)(request))
            }
            OptionKind::Paths { field, .. } => OptionValue::Paths((field.get)(request)),
            OptionKind::Choice { choices, field, .. } => {
                let choice = (field.get)(request).and_then(|number| choices().get(number).copied());
                OptionValue::Text(choice.map(|choice| choice.name.to_owned()))
            }
        }
    }

    /// Sets the value.
    ///
    /// # Errors
    /// The expected values, if the value has another type or is out of range.
    pub fn set(&self, request: &mut R, value: OptionValue) -> Result<(), String> {
        match (&self.kind, value) {
            (OptionKind::Flag(field), OptionValue::Flag(value)) => (field.set)(request, value),
            (OptionKind::Number { field, is_valid, .. }, OptionValue::Number(value))
                if value.is_none_or(is_valid) =>
            {
                (field.set)(request, value);
            }
            (&OptionKind::Count { min, max, ref field, .. }, OptionValue::Number(value)) => {
                let count = |value| count_of(value, min, max).ok_or_else(|| self.expected());
                (field.set)(request, value.map(count).transpose()?);
            }
            (OptionKind::Text { field, .. }, OptionValue::Text(value)) => {
                (field.set)(request, value);
            }
            (OptionKind::Texts { field, .. }, OptionValue::Texts(values)) => {
                (field.set)(request, values);
            }
            (OptionKind::Names { names, field, .. }, OptionValue::Texts(values)) => {
                let names = names();
                if values.iter().any(|value| !names.contains(&value.as_str())) {
                    return Err(self.expected());
                }
                (field.set)(request, values);
            }
            (OptionKind::Paths { field, .. }, OptionValue::Paths(values)) => {
                (field.set)(request, values);
            }
            (OptionKind::Choice { choices, field, .. }, OptionValue::Text(value)) => {
                let number = |value| choices().iter().position(|choice| choice.name == value);
                let number = |value: String| number(value).ok_or_else(|| self.expected());
                (field.set)(request, value.map(number).transpose()?);
            }
            _ => return Err(self.expected()),
        }
        Ok(())
    }

    /// The values that the option accepts, as in "not `true or false`".
    pub fn expected(&self) -> String {
        match &self.kind {
            OptionKind::Flag(_) => "true or false".to_owned(),
            OptionKind::Number { expected, .. } => (*expected).to_owned(),
            OptionKind::Count { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionKind::Text { .. } => "a text".to_owned(),
            OptionKind::Texts { .. } => "several texts".to_owned(),
            OptionKind::Paths { .. } => "several paths".to_owned(),
            OptionKind::Names { noun, listed_by, .. } => {
                format!("a list of names, each a {noun} ({listed_by})")
            }
            OptionKind::Choice { choices, .. } => {
                let names: Vec<_> = choices().iter().map(|choice| choice.name).collect();
                format!("one of {}", names.join(", "))
            }
        }
    }
}

/// A whole number in a range.
fn count_of(value: f64, min: usize, max: usize) -> Option<usize> {
    if value.fract() != 0.0 || !(0.0..=1e9).contains(&value) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 0 to 1e9"
    )]
    let count = value as usize;
    (min..=max).contains(&count).then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Bake {
        weld: bool,
        rate: Option<f64>,
        limit: Option<usize>,
        clip: Option<String>,
        without: Vec<String>,
        with: Vec<PathBuf>,
        checks: Vec<String>,
        mode: Option<usize>,
    }

    const fn info(name: &'static str, kind: OptionKind<Bake>) -> OptionInfo<Bake> {
        OptionInfo::new(name, name, "", kind)
    }

    impl Request for Bake {
        const OPTIONS: &'static [OptionInfo<Self>] = &[
            info("weld", OptionKind::Flag(field!(weld))),
            info(
                "rate",
                OptionKind::Number {
                    value_name: "HZ",
                    neutral: None,
                    is_valid: |value| value > 0.0,
                    expected: "a number above 0",
                    field: field!(rate),
                },
            ),
            info(
                "limit",
                OptionKind::Count { value_name: "N", min: 1, max: 4, field: field!(limit) },
            ),
            info("clip", OptionKind::Text { value_name: "CLIP", field: field!(clip) }),
            info("without", OptionKind::Texts { value_name: "NAME", field: field!(without) }),
            info("with", OptionKind::Paths { value_name: "FILE", field: field!(with) }),
            info(
                "checks",
                OptionKind::Names {
                    value_name: "LIST",
                    noun: "check",
                    listed_by: "the manual lists all",
                    names: || vec!["bounds", "weights"],
                    long_help: String::new,
                    field: field!(checks),
                },
            ),
            info(
                "mode",
                OptionKind::Choice {
                    value_name: "MODE",
                    choices: || ["copy", "none"].map(|name| Choice { name, help: "" }).to_vec(),
                    field: field!(mode),
                },
            ),
        ];
    }

    #[test]
    fn values_are_set_by_name_and_read_back() {
        let mut bake = Bake::default();
        let values = [
            ("weld", OptionValue::Flag(true)),
            ("rate", OptionValue::Number(Some(24.0))),
            ("limit", OptionValue::Number(Some(4.0))),
            ("clip", OptionValue::Text(Some("walk".into()))),
            ("without", OptionValue::Texts(vec!["a.png".into(), "b.png".into()])),
            ("with", OptionValue::Paths(vec!["more".into()])),
            ("checks", OptionValue::Texts(vec!["weights".into(), "bounds".into()])),
            ("mode", OptionValue::Text(Some("none".into()))),
        ];
        for (name, value) in &values {
            Bake::option(name).unwrap().set(&mut bake, value.clone()).unwrap();
        }
        let wanted = Bake {
            weld: true,
            rate: Some(24.0),
            limit: Some(4),
            clip: Some("walk".into()),
            without: vec!["a.png".into(), "b.png".into()],
            with: vec!["more".into()],
            checks: vec!["weights".into(), "bounds".into()],
            mode: Some(1),
        };
        assert_eq!(bake, wanted);
        for (name, value) in &values {
            assert_eq!(Bake::option(name).unwrap().get(&bake), *value, "{name}");
        }
        assert!(Bake::option("unknown").is_none());
        assert!(bake.has_same_options(&wanted) && !bake.has_same_options(&Bake::default()));
    }

    #[test]
    fn out_of_range_and_mistyped_values_are_rejected() {
        let mut bake = Bake::default();
        let refused = [
            ("weld", OptionValue::Number(Some(1.0)), "true or false"),
            ("rate", OptionValue::Number(Some(-1.0)), "a number above 0"),
            ("rate", OptionValue::Number(Some(f64::NAN)), "a number above 0"),
            ("limit", OptionValue::Number(Some(5.0)), "a whole number from 1 to 4"),
            ("limit", OptionValue::Number(Some(1.5)), "a whole number from 1 to 4"),
            ("limit", OptionValue::Number(Some(1e300)), "a whole number from 1 to 4"),
            ("clip", OptionValue::Flag(true), "a text"),
            ("without", OptionValue::Text(None), "several texts"),
            ("with", OptionValue::Text(None), "several paths"),
            (
                "checks",
                OptionValue::Texts(vec!["weights".into(), "bound".into()]),
                "a list of names, each a check (the manual lists all)",
            ),
            ("mode", OptionValue::Text(Some("all".into())), "one of copy, none"),
        ];
        for (name, value, expected) in refused {
            let error = Bake::option(name).unwrap().set(&mut bake, value).unwrap_err();
            assert_eq!(error, expected);
        }
        assert_eq!(bake, Bake::default());
    }
}
