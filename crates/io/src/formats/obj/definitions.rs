//! The materials that a file and its libraries name, with the properties that the libraries state.

use std::collections::HashMap;

use super::maps;
use super::numbers::number;
use super::statements::Statement;

/// The statements with values that are read.
const WORDS: [&str; 11] = ["Kd", "Ks", "Ke", "Ns", "Ni", "d", "Pm", "Pr", "Pc", "Pcr", "Ps"];

/// The leading numbers of a statement.
#[derive(Clone, Copy, Default)]
pub(super) struct Values {
    pub(super) list: [f64; 4],
    pub(super) num: usize,
}

/// A material under construction.
#[derive(Default)]
pub(super) struct Definition {
    pub(super) name: String,
    /// The last statement with each of [`WORDS`].
    values: Vec<(&'static str, Values)>,
    /// Each with its use, such as `Kd`.
    pub(super) textures: Vec<(String, String)>,
}

impl Definition {
    pub(super) fn values(&self, word: &str) -> Option<&Values> {
        self.values.iter().find(|(own, _)| *own == word).map(|(_, values)| values)
    }

    pub(super) fn has_texture(&self, word: &str) -> bool {
        self.textures.iter().any(|(own, _)| own == word)
    }
}

/// All materials: first those that the file uses, then the others of its libraries.
#[derive(Default)]
pub(super) struct Definitions {
    list: Vec<Definition>,
    known: HashMap<String, usize>,
    /// The material that statements belong to.
    current: Option<usize>,
    /// Total number of textures.
    pub(super) num_textures: usize,
}

impl Definitions {
    /// Definitions for materials with these different names.
    pub(super) fn of(names: &[String]) -> Self {
        let mut all = Self::default();
        for name in names {
            all.begin(name.clone());
        }
        all
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Begins a material, which replaces the values of an earlier one with that name.
    pub(super) fn begin(&mut self, name: String) {
        let next = self.list.len();
        let at = *self.known.entry(name.clone()).or_insert(next);
        match self.list.get_mut(at) {
            Some(known) => known.values.clear(),
            None => self.list.push(Definition { name, ..Definition::default() }),
        }
        self.current = Some(at);
    }

    /// Adds a statement to the current material.
    pub(super) fn add(&mut self, word: &[u8], statement: &Statement, text: &[u8]) {
        let Some(material) = self.current.and_then(|at| self.list.get_mut(at)) else { return };
        if statement.words.len() < 2 {
            return;
        }
        if let Some(word) = maps::texture_use(word) {
            let word = String::from_utf8_lossy(word).into_owned();
            material.textures.push((word, maps::path(statement, text)));
            self.num_textures += 1;
        } else if let Some(word) = WORDS.iter().find(|known| known.as_bytes() == word) {
            let values = values(statement, text);
            match material.values.iter_mut().find(|(known, _)| known == word) {
                Some((_, known)) => *known = values,
                None => material.values.push((word, values)),
            }
        }
    }

    pub(super) fn into_list(self) -> Vec<Definition> {
        self.list
    }
}

/// The numbers of a statement before its first other word; 0 without numbers, and 1 for `on`.
fn values(statement: &Statement, text: &[u8]) -> Values {
    let mut values = Values::default();
    let words = (1..statement.words.len()).map_while(|at| number(statement.word(text, at)?));
    for (slot, value) in values.list.iter_mut().zip(words) {
        *slot = value;
        values.num += 1;
    }
    if values.num == 0 && statement.rest(text) == b"on" {
        values.list[0] = 1.0;
    }
    values
}
