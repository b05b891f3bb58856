//! The columns of `catalog`, shared by all writers of such tables.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::Value;

use ColumnType::{Boolean, Double, Int, List, Single, Struct, Text};

/// A column, or a field of a struct column.
#[derive(Debug, Serialize)]
pub struct Column {
    /// The key in `info --json`.
    pub name: &'static str,
    /// Type of the values.
    pub kind: ColumnType,
}

/// Type of a column's values. All columns except `file` are nullable.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ColumnType {
    /// True or false.
    Boolean,
    /// Signed 64-bit integer.
    Int,
    /// 32-bit float.
    Single,
    /// 64-bit float.
    Double,
    /// UTF-8 text.
    Text,
    /// A list of values.
    List(&'static ColumnType),
    /// A struct with named fields.
    Struct(&'static [Column]),
}

const fn column(name: &'static str, kind: ColumnType) -> Column {
    Column { name, kind }
}

/// All columns. Other keys of [`Row`](super::Row) are left out.
pub const COLUMNS: &[Column] = &[
    column("file", Text),
    column("format", Text),
    column("bytes", Int),
    column("content", Text),
    column("ok", Boolean),
    column("error", Text),
    column("errors", Int),
    column("warnings", Int),
    column("totals", Struct(TOTALS)),
    column("meshes", List(&Struct(MESH))),
    column("materials", List(&Struct(MATERIAL))),
    column("bones", List(&Struct(BONE))),
    column("clips", List(&Struct(CLIP))),
    column("bounds", Struct(BOUNDS)),
    column("unit_meters", Double),
    column("companions", List(&Struct(RELATED_FILE))),
    column("notes", List(&Struct(FINDING))),
];

const TOTALS: &[Column] = &[
    column("vertices", Int),
    column("triangles", Int),
    column("lines", Int),
    column("points", Int),
    column("subsets", Int),
    column("bones", Int),
    column("nodes", Int),
    column("clips", Int),
    column("hulls", Int),
    column("morph_targets", Int),
];

const MESH: &[Column] = &[
    column("name", Text),
    column("vertices", Int),
    column("triangles", Int),
    column("max_influences", Int),
    column("subsets", List(&Struct(SUBSET))),
];

const SUBSET: &[Column] =
    &[column("material", Int), column("first_index", Int), column("index_count", Int)];

const MATERIAL: &[Column] =
    &[column("name", Text), column("textures", List(&Text)), column("roles", List(&Text))];

const BONE: &[Column] = &[column("name", Text), column("parent", Int), column("kind", Text)];

const CLIP: &[Column] = &[
    column("name", Text),
    column("start_secs", Double),
    column("duration_secs", Double),
    column("keys", Int),
    column("interval_secs", Double),
];

const BOUNDS: &[Column] = &[column("min", List(&Single)), column("max", List(&Single))];

const RELATED_FILE: &[Column] = &[
    column("file", Text),
    column("role", Text),
    column("why", Text),
    column("taken", Boolean),
    column("fit", Double),
];

const FINDING: &[Column] = &[
    column("code", Text),
    column("severity", Text),
    column("message", Text),
    column("place", Text),
    column("count", Int),
];

/// All columns as JSON, for other programs.
pub fn columns() -> serde_json::Result<String> {
    serde_json::to_string(COLUMNS)
}

/// Serializes all columns in order, with null for missing values.
pub(super) struct InColumns<'a>(pub(super) &'a Value);

impl Serialize for InColumns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Picked(self.0, &Struct(COLUMNS)).serialize(serializer)
    }
}

/// A value restricted to the fields of its type.
struct Picked<'a>(&'a Value, &'a ColumnType);

impl Serialize for Picked<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.1, self.0) {
            (Struct(columns), Value::Object(fields)) => {
                let mut map = serializer.serialize_map(Some(columns.len()))?;
                for column in *columns {
                    let value = fields.get(column.name).unwrap_or(&Value::Null);
                    map.serialize_entry(column.name, &Picked(value, &column.kind))?;
                }
                map.end()
            }
            (List(kind), Value::Array(values)) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(&Picked(value, kind))?;
                }
                list.end()
            }
            (_, value) => value.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_exactly_the_columns_in_their_order() {
        let row = serde_json::json!({
            "schema": "x", "ok": true, "file": "a", "axes": {"up": "y"},
            "bones": [{"name": "hip", "rest": 1, "parent": null}],
            "bounds": {"max": [0.1f32], "min": []},
        });
        let text = serde_json::to_string(&InColumns(&row)).unwrap();
        let start = "{\"file\":\"a\",\"format\":null,\"bytes\":null,\"content\":null,\"ok\":true,";
        assert!(text.starts_with(start), "{text}");
        assert!(
            text.contains("\"bones\":[{\"name\":\"hip\",\"parent\":null,\"kind\":null}]"),
            "{text}"
        );
        // A 32-bit value as it appears in a table of doubles.
        assert!(text.contains("\"bounds\":{\"min\":[],\"max\":[0.10000000149011612]}"), "{text}");
        let back: serde_json::Map<_, _> = serde_json::from_str(&text).unwrap();
        assert_eq!(back.len(), COLUMNS.len());
    }

    #[test]
    fn columns_are_available_as_json() {
        let text = columns().unwrap();
        assert!(text.starts_with("[{\"name\":\"file\",\"kind\":\"text\"}"), "{text}");
        let bone = "{\"name\":\"bones\",\"kind\":{\"list\":{\"struct\":[{\"name\":\"name\",\"kind\":\"text\"}";
        assert!(text.contains(bone), "{text}");
    }
}
