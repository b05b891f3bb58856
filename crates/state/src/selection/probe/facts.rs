//! Facts: names with values, grouped in sections; exported as text and as JSON.

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub enum FactValue {
    Text(String),
    /// A count or an index.
    Count(u64),
    Number(f32),
    /// A vector.
    Numbers(Vec<f32>),
    /// Fields of a packed value.
    Integers(Vec<i64>),
    /// A packed value.
    Hex(u32),
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// The name shown to users.
    pub name: String,
    /// Whether `name` comes from the file and is used unchanged as a JSON key.
    pub is_of_file: bool,
    pub value: FactValue,
}

/// Facts about one subject.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FactSection {
    /// The title shown to users.
    pub title: String,
    /// In display order.
    pub facts: Vec<Fact>,
}

impl FactSection {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), facts: Vec::new() }
    }

    pub(super) fn add(&mut self, name: impl Into<String>, value: FactValue) {
        let name = name.into();
        self.facts.push(Fact { name, is_of_file: false, value });
    }

    /// Adds a fact whose name comes from the file.
    pub(super) fn add_named(&mut self, name: impl Into<String>, value: FactValue) {
        let name = name.into();
        self.facts.push(Fact { name, is_of_file: true, value });
    }

    /// Adds text.
    pub(super) fn text(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.add(name, FactValue::Text(text.into()));
    }
}

impl FactValue {
    /// The value as text, with all digits.
    pub fn exact(&self) -> String {
        let list = |texts: Vec<String>| texts.join(" ");
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Numbers(numbers) => list(numbers.iter().map(f32::to_string).collect()),
            Self::Integers(numbers) => list(numbers.iter().map(i64::to_string).collect()),
            Self::Hex(word) => format!("{word:#010x}"),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Text(text) => text.clone().into(),
            Self::Count(count) => (*count).into(),
            Self::Number(number) => json_number(*number),
            Self::Numbers(numbers) => numbers.iter().copied().map(json_number).collect(),
            Self::Integers(numbers) => numbers.iter().copied().collect(),
            Self::Hex(_) => self.exact().into(),
        }
    }
}

/// The shortest decimal that represents the number; null if it isn't finite.
fn json_number(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

/// All sections as text, one fact per line.
pub(crate) fn to_text(sections: &[FactSection]) -> String {
    let mut text = String::new();
    for section in sections {
        text.push_str(&section.title);
        text.push('\n');
        for fact in &section.facts {
            text.push_str(&format!("  {}: {}\n", fact.name, fact.value.exact()));
        }
    }
    text
}

/// All sections as one JSON object. The title of the first section is `what` and its facts are at
/// the top level; each other section is an object. Keys are in snake case.
pub(crate) fn to_json(sections: &[FactSection]) -> String {
    let mut all = Map::new();
    for (number, section) in sections.iter().enumerate() {
        let facts = section.facts.iter();
        let facts: Map<String, Value> = facts.map(|fact| (fact.key(), fact.value.json())).collect();
        if number == 0 {
            all.insert("what".into(), section.title.clone().into());
            all.extend(facts);
        } else {
            all.insert(key(&section.title), facts.into());
        }
    }
    serde_json::to_string_pretty(&all).unwrap_or_default()
}

impl Fact {
    fn key(&self) -> String {
        if self.is_of_file { self.name.clone() } else { key(&self.name) }
    }
}

/// `Position, stored` becomes `position_stored`.
fn key(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_facts_are_written_as_text_and_as_json() {
        let mut first = FactSection::new("Vertex 3");
        first.add("Position, stored", FactValue::Numbers(vec![0.1, -2.0]));
        let mut second = FactSection::new("As stored");
        second.add("Normal, raw", FactValue::Hex(0x1ff));
        first.add_named("mixamorig:LeftHand", FactValue::Number(0.25));
        let sections = [first, second];
        assert_eq!(
            to_text(&sections),
            "Vertex 3\n  Position, stored: 0.1 -2\n  mixamorig:LeftHand: 0.25\nAs stored\n  Normal, raw: 0x000001ff\n"
        );
        let json: Value = serde_json::from_str(&to_json(&sections)).unwrap();
        assert_eq!(json["what"], "Vertex 3");
        assert_eq!(json["position_stored"][0], 0.1);
        assert_eq!(json["mixamorig:LeftHand"], 0.25);
        assert_eq!(json["as_stored"]["normal_raw"], "0x000001ff");
    }
}
