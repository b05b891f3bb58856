//! Small files built in code, intact and damaged.

use super::FBX;
use crate::formats::{ReadError, ReadOptions, Source};
use rigscope_core::model::{Place, Report};

/// A node of a binary file.
struct Node {
    name: &'static str,
    properties: Vec<Vec<u8>>,
    inside: Vec<Node>,
}

fn node(name: &'static str, properties: Vec<Vec<u8>>, inside: Vec<Node>) -> Node {
    Node { name, properties, inside }
}

fn int(value: i32) -> Vec<u8> {
    [&b"I"[..], &value.to_le_bytes()].concat()
}

fn long(value: i64) -> Vec<u8> {
    [&b"L"[..], &value.to_le_bytes()].concat()
}

fn text(value: &str) -> Vec<u8> {
    let len = u32::try_from(value.len()).unwrap().to_le_bytes();
    [&b"S"[..], &len, value.as_bytes()].concat()
}

fn list<const N: usize>(kind: u8, values: &[[u8; N]]) -> Vec<u8> {
    let num = u32::try_from(values.len()).unwrap().to_le_bytes();
    let bytes = values.concat();
    let len = u32::try_from(bytes.len()).unwrap().to_le_bytes();
    [&[kind][..], &num, &0u32.to_le_bytes(), &len, &bytes].concat()
}

impl Node {
    fn put(&self, out: &mut Vec<u8>, is_wide: bool) {
        let number = |value: usize| {
            if is_wide {
                (value as u64).to_le_bytes().to_vec()
            } else {
                u32::try_from(value).unwrap().to_le_bytes().to_vec()
            }
        };
        let start = out.len();
        let properties = self.properties.concat();
        out.extend(number(0));
        out.extend(number(self.properties.len()));
        out.extend(number(properties.len()));
        out.push(u8::try_from(self.name.len()).unwrap());
        out.extend(self.name.as_bytes());
        out.extend(properties);
        for node in &self.inside {
            node.put(out, is_wide);
        }
        if !self.inside.is_empty() {
            out.extend(vec![0; if is_wide { 25 } else { 13 }]);
        }
        let end = number(out.len());
        out[start..start + end.len()].copy_from_slice(&end);
    }
}

/// A triangle on a node.
fn file(version: u32) -> Vec<u8> {
    let is_wide = version >= 7500;
    let corners = [0.0f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].map(f64::to_le_bytes);
    let geometry = vec![
        node("Vertices", vec![list(b'd', &corners)], vec![]),
        node("PolygonVertexIndex", vec![list(b'i', &[0i32, 1, -3].map(i32::to_le_bytes))], vec![]),
    ];
    let version_node = node("FBXVersion", vec![int(i32::try_from(version).unwrap())], vec![]);
    let nodes = [
        node("FBXHeaderExtension", vec![], vec![version_node]),
        node(
            "Objects",
            vec![],
            vec![
                node("Geometry", vec![long(1), text("g\0\x01Geometry"), text("Mesh")], geometry),
                node("Model", vec![long(2), text("m\0\x01Model"), text("Mesh")], vec![]),
            ],
        ),
        node(
            "Connections",
            vec![],
            vec![
                node("C", vec![text("OO"), long(1), long(2)], vec![]),
                node("C", vec![text("OO"), long(2), long(0)], vec![]),
            ],
        ),
    ];
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(version.to_le_bytes());
    for node in &nodes {
        node.put(&mut out, is_wide);
    }
    out.extend(vec![0; if is_wide { 25 } else { 13 }]);
    out
}

const TEXT: &str = "; FBX 7.4.0 project file\n\
FBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\n\
Objects:  {\n\
\tGeometry: 1, \"Geometry::g\", \"Mesh\" {\n\
\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1e0,0\n\t\t}\n\
\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n\t}\n\
\tModel: 2, \"Model::m\", \"Mesh\" {\n\t\tShading: Y\n\t}\n}\n\
Connections:  {\n\tC: \"OO\",1,2\n\tC: \"OO\",2,0\n}\n";

fn read(bytes: Vec<u8>) -> Result<usize, ReadError> {
    let source = Source::new("a.fbx", bytes);
    let read = (FBX.reader.read)(&source, &ReadOptions::default(), &Report::new());
    read.map(|model| model.num_triangles())
}

#[test]
fn the_built_files_are_valid() {
    for version in [7400, 7700] {
        assert_eq!(read(file(version)).unwrap(), 1);
        assert!(super::records::first_fault(&file(version)).is_none());
    }
    assert_eq!(read(TEXT.into()).unwrap(), 1);
    assert!(super::tokens::first_fault(TEXT.as_bytes()).is_none());
}

#[test]
fn text_in_any_encoding_and_with_any_line_endings_is_read() {
    for end in ["\r\n", "\r"] {
        let text = TEXT.replace('\n', end);
        assert_eq!(read(text.clone().into()).unwrap(), 1, "{end:?}");
        let wide = format!("\u{feff}{text}");
        assert_eq!(read(wide.clone().into()).unwrap(), 1);
        let wide = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(wide).unwrap(), 1);
    }
}

#[test]
fn a_file_truncated_anywhere_is_an_error_with_a_place() {
    for version in [7400, 7700] {
        let whole = file(version);
        let mut num_refused = 0;
        for end in 24..whole.len() {
            if let Err(error) = read(whole[..end].to_vec()) {
                let place = error.place().unwrap();
                let Place::Offset(at) = place else { panic!("cut at {end} of {version}: {error}") };
                assert!(at <= end as u64, "{error}");
                num_refused += 1;
            }
        }
        assert!(num_refused > whole.len() / 2);
    }
    let mut num_refused = 0;
    for end in 1..TEXT.len() {
        if let Err(error) = read(TEXT.as_bytes()[..end].to_vec()) {
            let has_place = matches!(error.place(), Some(Place::Line { column: Some(_), .. }));
            assert!(has_place, "cut at {end}, {:?}: {error}", &TEXT[..end]);
            num_refused += 1;
        }
    }
    assert!(num_refused > 50, "{num_refused}");
}

#[test]
fn a_damaged_record_is_reported_with_its_offset() {
    let whole = file(7400);
    let message = |at: usize, value: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        super::records::first_fault(&bytes)
            .map(|fault| format!("{} at {}", fault.what, fault.place))
    };
    assert_eq!(
        message(27, &[1, 0, 0, 0]).unwrap(),
        "a node ends at 0x1, before its start at offset 0x1b"
    );
    let far = message(27, &[0xff, 0xff, 0, 0]).unwrap();
    assert!(far.starts_with("a node ends at 0xffff, past the file's end at"), "{far}");
    assert_eq!(message(40, b"\x07").unwrap(), "the name of a node isn't text at offset 0x1b");
    // The version's node: its property follows 13 bytes and the name.
    let inner = 27 + 13 + "FBXHeaderExtension".len();
    let property = inner + 13 + "FBXVersion".len();
    let wrong = message(property, b"?").unwrap();
    assert_eq!(wrong, format!("a property has the unknown type '?' at offset {property:#x}"));
    let over = message(inner, &[0xff, 0, 0, 0]).unwrap();
    assert!(over.contains("past its parent's end"), "{over}");
}

/// A binary file of one node with these properties and these records, copied unchanged.
fn one_node(num_properties: u32, properties: &[u8], inside: &[u8]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(7400u32.to_le_bytes());
    let (len, name) = (u32::try_from(properties.len()).unwrap(), b"Node");
    let end = 27 + 13 + 4 + len + u32::try_from(inside.len()).unwrap();
    out.extend([end, num_properties, len].map(u32::to_le_bytes).concat());
    out.push(4);
    out.extend(name.iter().chain(properties).chain(inside));
    out.extend([0; 13]);
    out
}

#[test]
fn property_contents_are_checked() {
    let list = |kind: u8, words: [u32; 3], bytes: &[u8]| {
        [&[kind][..], &words.map(u32::to_le_bytes).concat(), bytes].concat()
    };
    let message = |properties: &[u8]| {
        super::records::first_fault(&one_node(1, properties, &[]))
            .map(|fault| format!("{} at {}", fault.what, fault.place))
    };
    let at = "at offset 0x2c";
    for sound in [
        b"C\x01".to_vec(),
        b"Y\x01\x02".to_vec(),
        list(b'b', [3, 0, 3], b"\0\x01\0"),
        list(b'c', [2, 0, 2], b"ab"),
        list(b'd', [1, 1, 3], b"\x78\x9c\0"),
    ] {
        assert_eq!(message(&sound), None, "{sound:?}");
    }
    for (wrong, known) in [
        (list(b'd', [1, 1, 3], b"\x78\x9d\0"), "a compressed list isn't a zlib stream"),
        (list(b'd', [1, 2, 3], b"\x78\x9c\0"), "a list has the unknown encoding 2"),
        (b"Y\x01".to_vec(), "property 0 reaches past the properties of its node"),
        (list(b'i', [9, 0, 4], &[0; 4]), "property 0 reaches past the properties of its node"),
    ] {
        assert_eq!(message(&wrong).unwrap(), format!("{known} {at}"));
    }
}

#[test]
fn incorrectly_nested_nodes_are_reported() {
    let message = |inside: &[u8]| {
        let fault = super::records::first_fault(&one_node(0, &[], inside)).unwrap();
        format!("{} at {}", fault.what, fault.place)
    };
    // The end of a list, followed by more bytes.
    let early = message(&[0; 20]);
    assert_eq!(early, "nested nodes end at 0x39, but their parent ends at 0x40 at offset 0x2c");
    // Properties that are longer than their node.
    let head = |end: u32, properties: u32| [end, 0, properties].map(u32::to_le_bytes).concat();
    let long = message(&[head(0x40, 0x40), vec![0; 8]].concat());
    assert_eq!(long, "properties end at 0x79, past the end of their node at 0x40 at offset 0x2c");
    let deep = [head(0x7000, 0), vec![0]].concat().repeat(0x900);
    let deep = message(&deep);
    assert!(deep.starts_with("nodes are nested deeper than 1024"), "{deep}");
}

#[test]
fn a_misplaced_token_is_reported_with_its_line_and_column() {
    let message = |from: &str, to: &str| {
        let text = TEXT.replacen(from, to, 1);
        let fault = super::tokens::first_fault(text.as_bytes()).unwrap();
        format!("{} at {}", fault.what, fault.place)
    };
    assert_eq!(
        message("7400\n}", "7400\n}}"),
        "a closing brace has no opening one at line 4, column 2"
    );
    assert_eq!(message("0,1,-3", "0,1,-x3"), "\"-x3\" isn't a number at line 11, column 11");
    assert_eq!(
        message("Objects:  {", "{"),
        "a brace opens without a name before it at line 5, column 1"
    );
    assert_eq!(
        message("Objects:  {", "Objects  {"),
        "expected a name, found a value at line 5, column 1"
    );
    assert_eq!(
        message("\"Mesh\" {\n\t\tS", "\"Mesh {\n\t\tS"),
        "a quoted string isn't closed at line 20, column 8"
    );
    assert_eq!(message("7400", "74\u{1}00"), "byte 0x01 isn't text at line 3, column 16");
    let open = message("2,0\n}", "2,0\n");
    assert_eq!(
        open,
        "the text ends while the brace at line 18, column 15 is open at line 22, column 1"
    );
}
