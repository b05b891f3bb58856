//! Layers that the library wrote, damaged in every way.

use std::panic::{AssertUnwindSafe, catch_unwind};

use openusd::sdf::AbstractData;
use openusd::usda;
use openusd::usdc::{CrateData, CrateWriter};

use super::*;

const MAX: u64 = 1 << 30;

const TEXT: &str = r#"#usda 1.0
(
    customLayerData = {
        dictionary a = { dictionary b = { string c = "d" } }
        int[] list = [1, 2, 3]
    }
    defaultPrim = "A"
    subLayers = [@b.usda@ (offset = 1)]
)
def Xform "A" (
    prepend references = [@c.usda@</C> (customData = { int x = 1 }), </D>]
    payload = @d.usda@
    variants = { string look = "red" }
    prepend variantSets = "look"
    apiSchemas = ["SkelBindingAPI"]
) {
    token[] joints = ["a", "a/b"]
    asset[] files = [@a.png@, @b.png@]
    string[] texts = ["x", "y"]
    int[] many = [7, 7, 7, 7, 7, 7, 9, 12]
    float[] halves = [0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.5, 0.5]
    double[] wholes = [1, 2, 3, 4, 5, 6, 7, 8]
    point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 1, 1)], 5: [(0, 0, 1), (1, 1, 2)] }
    quatf[] turns = [(1, 0, 0, 0)]
    matrix4d m = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 2))
    rel to = [</A>, </A/B>]
    float x.connect = </A.y>
    def Scope "B" { def Scope "C" { bool flag = 1 } }
    variantSet "look" = { "red" { float r = 1 } "blue" { float r = 2 } }
}
over "D" {}
"#;

fn layer() -> Vec<u8> {
    let data = usda::parse(TEXT).unwrap();
    let mut out = std::io::Cursor::new(Vec::new());
    CrateWriter::write(&data, &mut out).unwrap();
    out.into_inner()
}

/// Reads every value of a layer.
fn read(bytes: &[u8]) {
    let Ok(data) = CrateData::open(std::io::Cursor::new(bytes.to_vec()), true) else { return };
    for path in data.spec_paths() {
        for field in data.list_fields(&path).unwrap_or_default() {
            let _ = data.try_field(&path, &field);
        }
    }
}

#[test]
fn what_the_library_writes_is_accepted() {
    assert_eq!(check(&layer(), MAX), Ok(()));
    read(&layer());
    assert_eq!(check(TEXT.as_bytes(), MAX), Ok(()));
}

#[test]
fn indices_that_compress_well_are_accepted() {
    let list = (0..100_000).map(|at: u32| at.to_string()).collect::<Vec<_>>().join(", ");
    let data =
        usda::parse(&format!("#usda 1.0\ndef Mesh \"A\" {{ int[] i = [{list}] }}\n")).unwrap();
    let mut out = std::io::Cursor::new(Vec::new());
    CrateWriter::write(&data, &mut out).unwrap();
    let bytes = out.into_inner();
    assert!(bytes.len() < 2000, "{}", bytes.len());
    assert_eq!(check(&bytes, MAX), Ok(()));
}

#[test]
fn truncated_and_changed_layers_neither_hang_nor_exhaust_memory() {
    let whole = layer();
    // A wrong index is an error inside of the library, which the reader contains.
    std::panic::set_hook(Box::new(|_| {}));
    let try_read = |bytes: &[u8]| {
        if check(bytes, 1 << 24).is_ok() {
            let _ = catch_unwind(AssertUnwindSafe(|| read(bytes)));
        }
    };
    for end in 0..whole.len() {
        try_read(&whole[..end]);
    }
    for at in 0..whole.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[at] = value;
            try_read(&bytes);
        }
        for value in [u64::MAX, 1 << 32, 1 << 40, i64::MAX as u64] {
            let mut bytes = whole.clone();
            let end = whole.len().min(at + 8);
            bytes[at..end].copy_from_slice(&value.to_le_bytes()[..end - at]);
            try_read(&bytes);
        }
    }
    let _ = std::panic::take_hook();
}

#[test]
fn large_counts_are_refused() {
    let mut bytes = layer();
    let start = u64::from_le_bytes(bytes[16..24].try_into().unwrap());
    let start = usize::try_from(start).unwrap();
    bytes[start..start + 8].copy_from_slice(&(1u64 << 40).to_le_bytes());
    let fault = check(&bytes, MAX).unwrap_err();
    assert_eq!(fault.field, "sections");
    assert!(fault.what.starts_with("1099511627776 values are stated"), "{fault:?}");
    let mut old = layer();
    old[9] = 3;
    assert_eq!(check(&old, MAX).unwrap_err().what, "version 0.3 of the format isn't supported");
}

#[test]
fn deeply_nested_text_is_refused_and_less_deep_text_is_parsed() {
    let nested = |depth: usize| {
        let open = "def \"A\" {".repeat(depth);
        format!("#usda 1.0\n{open}{}", "}".repeat(depth))
    };
    assert_eq!(check(nested(160).as_bytes(), MAX), Ok(()));
    assert!(usda::parse(&nested(160)).is_ok());
    assert_eq!(check(nested(161).as_bytes(), MAX).unwrap_err().field, "text");
    let hidden = format!("#usda 1.0\ndef \"{}\" {{}} # {}\n", "(".repeat(500), "[".repeat(500));
    assert_eq!(check(hidden.as_bytes(), MAX), Ok(()));
    let many =
        |num: usize| format!("#usda 1.0\ndef \"A\" {{ string s = \"{}\" }}", "\\n".repeat(num));
    assert_eq!(check(many(4096).as_bytes(), MAX), Ok(()));
    assert!(usda::parse(&many(4096)).is_ok());
    assert!(check(many(4097).as_bytes(), MAX).unwrap_err().what.starts_with("a string has more"));
    let escaped = format!(
        "#usda 1.0\nstring a = \"\\\"{}\" '''{}''' @{}@",
        "(".repeat(200),
        "[\"".repeat(200),
        "{".repeat(200)
    );
    assert_eq!(check(escaped.as_bytes(), MAX), Ok(()));
}

#[test]
fn paths_whose_parent_is_themselves_are_refused() {
    for body in [
        "def \"A\" { rel a = </A/B}> }",
        "def Xform \"A}\" {}",
        "over 'A}B' {}",
        "def \"A\" ( references = </A}{v=s}> ) {}",
        "''' 'b' def \"A}\" {}",
        "# comment\rdef \"A}\" {}",
        "/* ' */ def /* \" */ Xform # \"\n \"A}\" {}",
        "int a = 1e5def \"A}\" {}",
    ] {
        let fault = check(format!("#usda 1.0\n{body}\n").as_bytes(), MAX).unwrap_err();
        assert_eq!(fault.field, "path", "{body}");
    }
    let header = "#usda 1.0\n( defaultPrim = \"A}\" )\n";
    assert_eq!(check(header.as_bytes(), MAX).unwrap_err().field, "path");
    let sound = "#usda 1.0\n( doc = \"}\" )\ndef \"A\" { rel a = [</A{v=s}B.c>, <>]\nstring class = \"}\" }\n";
    assert_eq!(check(sound.as_bytes(), MAX), Ok(()));

    // The same in a binary layer, whose names are tokens.
    for (from, to) in [("Abc", "Ab}"), ("Xyz", "Xy}")] {
        let text = "#usda 1.0\n( defaultPrim = \"Xyz\" )\ndef \"Abc\" {}\n";
        let data = usda::parse(text).unwrap();
        let mut out = std::io::Cursor::new(Vec::new());
        CrateWriter::write(&data, &mut out).unwrap();
        let mut bytes = out.into_inner();
        assert_eq!(check(&bytes, MAX), Ok(()));
        let places: Vec<usize> =
            (0..bytes.len() - 3).filter(|at| bytes[*at..].starts_with(from.as_bytes())).collect();
        for at in &places {
            bytes[*at..*at + 3].copy_from_slice(to.as_bytes());
        }
        assert!(!places.is_empty());
        let fault = check(&bytes, MAX).unwrap_err();
        assert!(fault.what.ends_with("contains a brace"), "{fault:?}");
    }
}
