//! A layer under construction.

use std::collections::HashMap;

use openusd::sdf::{
    AssetPath, ChildrenKey, Data, FieldKey, ListOp, Path, SpecData, SpecType, Specifier, Value,
    Variability,
};

use super::names::Names;

/// The mark of prims that the model has no bone for.
pub(in super::super) const ADDED: &str = "rigscopeAdded";

/// A layer, whose prims are added parents first.
pub(super) struct Layer {
    pub(super) data: Data,
    is_text: bool,
    /// Names of the children of each prim.
    names: HashMap<Path, Names>,
}

/// The interpolation of a primvar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PerElement {
    Mesh,
    Vertex,
}

impl PerElement {
    fn token(self) -> &'static str {
        match self {
            Self::Mesh => "constant",
            Self::Vertex => "vertex",
        }
    }
}

impl Layer {
    pub(super) fn new(is_text: bool) -> Self {
        let mut data = Data::new();
        data.create_spec(Path::abs_root(), SpecType::PseudoRoot);
        Self { data, is_text, names: HashMap::new() }
    }

    /// The finished layer, and how many texts were changed to be storable.
    pub(super) fn finish(mut self) -> (Data, u64) {
        let paths: Vec<Path> = self.data.iter().map(|(path, _)| path.clone()).collect();
        let mut num = 0;
        for path in paths {
            let Some(spec) = self.data.spec_mut(&path) else { continue };
            let values = spec.fields.iter_mut().map(|(_, value)| value);
            num += values.map(|value| make_storable(value, self.is_text)).sum::<u64>();
        }
        (self.data, num)
    }

    /// Sets metadata of the layer or a prim.
    pub(super) fn set(&mut self, owner: &Path, key: impl AsRef<str>, value: impl Into<Value>) {
        if let Some(spec) = self.data.spec_mut(owner) {
            spec.add(key, value);
        }
    }

    /// Adds a prim with a name like `name`, unique among its siblings. Tools display the name itself.
    pub(super) fn prim(&mut self, parent: &Path, name: &str, type_name: &str) -> Path {
        let own = self.names.entry(parent.clone()).or_default().identifier(name, type_name);
        // An identifier is always a valid element of a path.
        let path = parent.append_path(own.as_str()).unwrap_or_else(|_| parent.clone());
        self.push_child(parent, ChildrenKey::PrimChildren, &own);
        let spec = self.data.create_spec(path.clone(), SpecType::Prim);
        spec.add(FieldKey::Specifier, Value::Specifier(Specifier::Def));
        spec.add(FieldKey::TypeName, Value::Token(type_name.into()));
        if own != name && !name.is_empty() {
            spec.add(FieldKey::DisplayName, Value::String(name.to_owned()));
        }
        path
    }

    /// Marks a prim that the model has no bone for, so that none is made when the file is read.
    pub(super) fn mark_as_added(&mut self, prim: &Path) {
        let mark = HashMap::from([(ADDED.to_owned(), Value::Bool(true))]);
        self.set(prim, FieldKey::CustomData, Value::Dictionary(mark));
    }

    /// Applies an API schema.
    pub(super) fn apply(&mut self, prim: &Path, schema: &str) {
        let Some(spec) = self.data.spec_mut(prim) else { return };
        match spec.get_mut(FieldKey::ApiSchemas.as_str()) {
            Some(Value::TokenListOp(list)) => list.prepended_items.push(schema.into()),
            Some(Value::TokenVec(list)) => list.push(schema.into()),
            // The library's text writer leaves out the brackets of a list with one element, which OpenUSD requires.
            _ if self.is_text => {
                spec.add(FieldKey::ApiSchemas, Value::TokenVec(vec![schema.into()]));
            }
            _ => {
                let list = ListOp::prepended([schema.into()]);
                spec.add(FieldKey::ApiSchemas, Value::TokenListOp(list));
            }
        }
    }

    fn push_child(&mut self, parent: &Path, kind: ChildrenKey, name: &str) {
        let Some(spec) = self.data.spec_mut(parent) else { return };
        match spec.get_mut(kind.as_str()) {
            Some(Value::TokenVec(list)) => list.push(name.into()),
            _ => spec.add(kind, Value::TokenVec(vec![name.into()])),
        }
    }

    fn property(&mut self, prim: &Path, name: &str, kind: SpecType) -> Option<&mut SpecData> {
        let path = prim.append_property(name).ok()?;
        self.push_child(prim, ChildrenKey::PropertyChildren, name);
        Some(self.data.create_spec(path, kind))
    }

    /// An attribute without a value.
    pub(super) fn attribute(&mut self, prim: &Path, name: &str, type_name: &str) -> Attribute<'_> {
        let spec = self.property(prim, name, SpecType::Attribute);
        let mut attribute = Attribute { spec };
        attribute.add(FieldKey::TypeName, Value::Token(type_name.into()));
        attribute
    }

    /// A relationship.
    pub(super) fn relate(&mut self, prim: &Path, name: &str, targets: Vec<Path>) {
        if let Some(spec) = self.property(prim, name, SpecType::Relationship) {
            spec.add(FieldKey::TargetPaths, Value::PathListOp(ListOp::explicit(targets)));
        }
    }
}

/// An attribute under construction.
pub(super) struct Attribute<'a> {
    spec: Option<&'a mut SpecData>,
}

impl Attribute<'_> {
    fn add(&mut self, key: impl AsRef<str>, value: Value) {
        if let Some(spec) = &mut self.spec {
            spec.add(key, value);
        }
    }

    /// Sets the default value.
    pub(super) fn value(mut self, value: impl Into<Value>) -> Self {
        self.add(FieldKey::Default, value.into());
        self
    }

    /// Sets the values at time codes, which ascend.
    pub(super) fn samples(mut self, samples: Vec<(f64, Value)>) -> Self {
        self.add(FieldKey::TimeSamples, Value::TimeSamples(samples));
        self
    }

    /// The attribute doesn't change over time.
    pub(super) fn uniform(mut self) -> Self {
        self.add(FieldKey::Variability, Value::Variability(Variability::Uniform));
        self
    }

    /// Sets the interpolation of a primvar.
    pub(super) fn per(mut self, element: PerElement) -> Self {
        self.add("interpolation", Value::Token(element.token().into()));
        self
    }

    /// Sets other metadata.
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.add(key, value.into());
        self
    }

    /// Connects the attribute to the output of a shader.
    pub(super) fn connect(mut self, source: Path) {
        self.add(FieldKey::ConnectionPaths, Value::PathListOp(ListOp::explicit([source])));
    }
}

/// A text that a layer can store. A NUL ends texts in binary layers. Text layers need escapes, which the library neither
/// writes nor reads, so that characters that need them are replaced.
fn storable(text: &str, is_text: bool) -> Option<String> {
    let is_quoted_twice = text.contains('"') && text.contains('\'');
    let replaced = |c: char| match c {
        '\0' if !is_text => '\u{fffd}',
        c if is_text && c.is_control() => ' ',
        '\\' if is_text => '/',
        '"' if is_text && is_quoted_twice => '\'',
        c => c,
    };
    text.chars().any(|c| replaced(c) != c).then(|| text.chars().map(replaced).collect())
}

/// Makes the texts of a value storable; returns how many changed.
fn make_storable(value: &mut Value, is_text: bool) -> u64 {
    let change = |text: &str| storable(text, is_text);
    match value {
        Value::String(text) => change(text).map_or(0, |own| {
            *text = own;
            1
        }),
        Value::Token(text) => change(text.as_str()).map_or(0, |own| {
            *text = own.into();
            1
        }),
        Value::AssetPath(path) => change(path.as_str()).map_or(0, |own| {
            *path = AssetPath::new(own);
            1
        }),
        Value::TokenVec(list) => {
            let mut num = 0;
            for text in list {
                if let Some(own) = change(text.as_str()) {
                    *text = own.into();
                    num += 1;
                }
            }
            num
        }
        Value::Dictionary(entries) => {
            entries.values_mut().map(|value| make_storable(value, is_text)).sum()
        }
        _ => 0,
    }
}

/// A list of tokens.
pub(super) fn tokens<S: AsRef<str>>(names: impl IntoIterator<Item = S>) -> Value {
    Value::TokenVec(names.into_iter().map(|name| name.as_ref().into()).collect())
}

/// A token.
pub(super) fn token(name: &str) -> Value {
    Value::Token(name.into())
}

/// The path of a file.
pub(super) fn asset(path: &str) -> Value {
    Value::AssetPath(AssetPath::new(path))
}
