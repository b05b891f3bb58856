//! Changes of single values in JSON text; everything else stays as it is, including spaces and the spelling of
//! numbers.
//!
//! Not for: validating JSON. The text must have passed `json::parse`.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

/// A step of a path to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// A path of keys and indices.
macro_rules! place {
    ($($step:expr),*) => { &[$(crate::formats::gltf::edit::json_text::Step::from($step)),*][..] };
}
pub(in super::super) use place;

/// A value in the text.
#[derive(Debug)]
struct Node {
    range: Range<usize>,
    members: Members,
}

#[derive(Debug)]
enum Members {
    None,
    /// Keys and values, each with the start of the key.
    Object(Vec<(String, usize, Node)>),
    Array(Vec<Node>),
}

/// JSON text with changes that are applied at the end.
#[derive(Debug)]
pub(in super::super) struct JsonText {
    text: String,
    root: Node,
    /// New text by the range that it replaces.
    replaced: BTreeMap<usize, (usize, String)>,
    /// New members by the start of their object or the end of their array.
    added: BTreeMap<usize, Vec<String>>,
}

impl JsonText {
    /// `None` if the text isn't JSON.
    pub(in super::super) fn new(text: String) -> Option<Self> {
        let mut scanner = Scanner { bytes: text.as_bytes(), at: 0 };
        let root = scanner.value(0)?;
        Some(Self { text, root, replaced: BTreeMap::new(), added: BTreeMap::new() })
    }

    fn node(&self, path: &[Step<'_>]) -> Option<&Node> {
        path.iter().try_fold(&self.root, |node, step| match (&node.members, step) {
            (Members::Object(list), Step::Key(key)) => {
                // The last of several members with the same key counts, as in serde_json.
                list.iter().rfind(|(name, ..)| name == key).map(|(.., node)| node)
            }
            (Members::Array(list), Step::Index(index)) => list.get(*index),
            _ => None,
        })
    }

    /// The value at `path`, before all changes.
    pub(in super::super) fn get(&self, path: &[Step<'_>]) -> Option<Value> {
        serde_json::from_str(self.text.get(self.node(path)?.range.clone())?).ok()
    }

    /// The whole number at `path`.
    pub(in super::super) fn index(&self, path: &[Step<'_>]) -> Option<usize> {
        usize::try_from(self.get(path)?.as_u64()?).ok()
    }

    /// Number of elements or members of the value at `path`; 0 if it doesn't exist.
    pub(in super::super) fn len(&self, path: &[Step<'_>]) -> usize {
        match self.node(path).map(|node| &node.members) {
            Some(Members::Object(list)) => list.len(),
            Some(Members::Array(list)) => list.len(),
            _ => 0,
        }
    }

    /// The keys of the object at `path`.
    pub(in super::super) fn keys(&self, path: &[Step<'_>]) -> Vec<&str> {
        match self.node(path).map(|node| &node.members) {
            Some(Members::Object(list)) => list.iter().map(|(key, ..)| key.as_str()).collect(),
            _ => Vec::new(),
        }
    }

    /// Replaces the value at `path`, or adds it to its object, which must exist.
    pub(in super::super) fn set(&mut self, path: &[Step<'_>], value: &Value) -> Option<()> {
        if let Some(node) = self.node(path) {
            let Range { start, end } = node.range.clone();
            self.replaced.insert(start, (end, value.to_string()));
            return Some(());
        }
        let (last, parent) = path.split_last()?;
        let Step::Key(key) = last else { return None };
        let parent = self.node(parent)?;
        let Members::Object(_) = parent.members else { return None };
        let text = format!("{}:{value}", Value::from(*key));
        self.added.entry(parent.range.start + 1).or_default().push(text);
        Some(())
    }

    /// Adds a value at the end of the list of the root named `key`, which is created if it doesn't exist.
    pub(in super::super) fn push(&mut self, key: &str, value: &Value) -> Option<()> {
        match self.node(&[Step::Key(key)]) {
            Some(node) => {
                let Members::Array(_) = node.members else { return None };
                self.added.entry(node.range.end - 1).or_default().push(value.to_string());
                Some(())
            }
            None => self.set(&[Step::Key(key)], &Value::Array(vec![value.clone()])),
        }
    }

    /// Removes the member at `path` from its object.
    pub(in super::super) fn remove(&mut self, path: &[Step<'_>]) -> Option<()> {
        let (last, parent) = path.split_last()?;
        let node = self.node(parent)?;
        let (ranges, at): (Vec<Range<usize>>, usize) = match (&node.members, last) {
            (Members::Object(list), Step::Key(key)) => (
                list.iter().map(|(_, start, node)| *start..node.range.end).collect(),
                list.iter().rposition(|(name, ..)| name == key)?,
            ),
            (Members::Array(list), Step::Index(index)) => {
                (list.iter().map(|node| node.range.clone()).collect(), *index)
            }
            _ => return None,
        };
        let own = ranges.get(at)?.clone();
        // The comma before the member is removed with it, or the one after the first.
        let range =
            match (at.checked_sub(1).and_then(|before| ranges.get(before)), ranges.get(at + 1)) {
                (Some(before), _) => before.end..own.end,
                (None, Some(after)) => own.start..after.start,
                (None, None) => own,
            };
        self.replaced.insert(range.start, (range.end, String::new()));
        Some(())
    }

    /// Number of bytes that changes replace or insert.
    pub(in super::super) fn num_changed(&self) -> usize {
        let replaced = self.replaced.iter().map(|(start, (end, text))| text.len().max(end - start));
        let added = self.added.values().flatten().map(|text| text.len() + 1);
        replaced.chain(added).sum()
    }

    pub(in super::super) fn is_changed(&self) -> bool {
        !self.replaced.is_empty() || !self.added.is_empty()
    }

    /// The changed text.
    pub(in super::super) fn finish(self) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        let mut places: Vec<usize> =
            self.replaced.keys().chain(self.added.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            // Changes inside a replaced value are dropped with it.
            if place < at {
                continue;
            }
            out.push_str(self.text.get(at..place).unwrap_or_default());
            at = place;
            if let Some(members) = self.added.get(&place) {
                let joined = members.join(",");
                let before = self.text.get(..place).unwrap_or_default().trim_end();
                let after = self.text.get(place..).unwrap_or_default().trim_start();
                let is_first = before.ends_with(['{', '[']);
                let is_last = after.starts_with(['}', ']']);
                if !is_first {
                    out.push(',');
                }
                out.push_str(&joined);
                if is_first && !is_last {
                    out.push(',');
                }
            }
            if let Some((end, text)) = self.replaced.get(&place) {
                out.push_str(text);
                at = *end;
            }
        }
        out.push_str(self.text.get(at..).unwrap_or_default());
        out
    }
}

/// Finds the ranges of values in valid JSON.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// serde_json rejects text that is nested more deeply.
const MAX_DEPTH: usize = 128;

impl Scanner<'_> {
    fn skip_spaces(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn peek(&mut self) -> Option<u8> {
        self.skip_spaces();
        self.bytes.get(self.at).copied()
    }

    fn value(&mut self, depth: usize) -> Option<Node> {
        let first = self.peek().filter(|_| depth <= MAX_DEPTH)?;
        let start = self.at;
        let members = match first {
            b'{' => {
                let mut list = Vec::new();
                self.at += 1;
                while self.peek()? != b'}' {
                    if self.peek()? == b',' {
                        self.at += 1;
                        self.skip_spaces();
                    }
                    let key_at = self.at;
                    let key = self.string()?;
                    (self.peek()? == b':').then_some(())?;
                    self.at += 1;
                    list.push((key, key_at, self.value(depth + 1)?));
                }
                self.at += 1;
                Members::Object(list)
            }
            b'[' => {
                let mut list = Vec::new();
                self.at += 1;
                while self.peek()? != b']' {
                    if self.peek()? == b',' {
                        self.at += 1;
                    }
                    list.push(self.value(depth + 1)?);
                }
                self.at += 1;
                Members::Array(list)
            }
            b'"' => {
                self.string()?;
                Members::None
            }
            _ => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",]}".contains(byte);
                let rest = self.bytes.get(self.at..)?;
                let len = rest.iter().position(is_end).unwrap_or(rest.len());
                (len > 0).then_some(())?;
                self.at += len;
                Members::None
            }
        };
        Some(Node { range: start..self.at, members })
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        (self.bytes.get(start) == Some(&b'"')).then_some(())?;
        self.at += 1;
        loop {
            match self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        serde_json::from_slice(self.bytes.get(start..self.at)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text() -> JsonText {
        JsonText::new("{ \"a\" : [1.50, {\"b\":\"}\\\"\"}],\n \"c\":{} }".to_owned()).unwrap()
    }

    #[test]
    fn only_changed_values_differ() {
        let mut json = text();
        assert_eq!(json.get(place!("a", 1, "b")), Some(json!("}\"")));
        json.set(place!("a", 0), &json!(2)).unwrap();
        json.set(place!("c", "d"), &json!([3])).unwrap();
        json.set(place!("c", "e"), &json!(null)).unwrap();
        json.set(place!("a", 1, "x"), &json!(true)).unwrap();
        let expected =
            "{ \"a\" : [2, {\"x\":true,\"b\":\"}\\\"\"}],\n \"c\":{\"d\":[3],\"e\":null} }";
        assert_eq!(json.finish(), expected);
    }

    #[test]
    fn members_and_elements_are_removed_with_their_commas() {
        for (path, expected) in [
            (place!("a"), "{ \"c\":{} }"),
            (place!("c"), "{ \"a\" : [1.50, {\"b\":\"}\\\"\"}] }"),
            (place!("a", 0), "{ \"a\" : [{\"b\":\"}\\\"\"}],\n \"c\":{} }"),
            (place!("a", 1), "{ \"a\" : [1.50],\n \"c\":{} }"),
            (place!("a", 1, "b"), "{ \"a\" : [1.50, {}],\n \"c\":{} }"),
        ] {
            let mut json = text();
            json.remove(path).unwrap();
            assert_eq!(json.finish(), expected);
        }
    }

    #[test]
    fn lists_of_the_root_are_extended_or_created() {
        let mut json = text();
        json.push("a", &json!(7)).unwrap();
        json.push("a", &json!(8)).unwrap();
        json.push("n", &json!("x")).unwrap();
        let expected = "{\"n\":[\"x\"], \"a\" : [1.50, {\"b\":\"}\\\"\"},7,8],\n \"c\":{} }";
        assert_eq!(json.finish(), expected);
    }

    #[test]
    fn invalid_text_is_rejected_without_a_panic() {
        for text in ["", "{", "{\"a\"", "[1,", "\"", "\"\\", "{a:1}", &"[".repeat(500)] {
            assert!(JsonText::new(text.to_owned()).is_none(), "{text}");
        }
    }
}
