//! The path of the JSON value at an offset, such as `meshes[0].positions[12]`.

/// A list or object around the offset.
enum Around {
    /// The element that was begun.
    List { index: usize },
    /// The member that was begun; `None` before its key.
    Object { key: Option<String> },
}

/// The path of the value that contains the byte at `offset`; empty for the root. A closing bracket belongs to the value
/// around its list or object, because errors about a whole list or object are found at its end. The text after that
/// byte needn't be valid.
pub fn json_path(text: &str, offset: usize) -> String {
    let bytes = text.as_bytes();
    let mut stack: Vec<Around> = Vec::new();
    let mut at = 0;
    while at <= offset {
        let Some(byte) = bytes.get(at) else { break };
        let start = at;
        at += 1;
        match byte {
            b'{' => stack.push(Around::Object { key: None }),
            b'[' => stack.push(Around::List { index: 0 }),
            b'}' | b']' => {
                stack.pop();
            }
            b',' => match stack.last_mut() {
                Some(Around::List { index }) => *index += 1,
                Some(Around::Object { key }) => *key = None,
                None => {}
            },
            b'"' => {
                at = end_of_string(bytes, at);
                if let Some(Around::Object { key: key @ None }) = stack.last_mut() {
                    let quoted = text.get(start..at).unwrap_or_default();
                    *key = serde_json::from_str(quoted).ok();
                }
            }
            _ => {}
        }
    }
    let mut path = String::new();
    for around in &stack {
        match around {
            Around::List { index } => path.push_str(&format!("[{index}]")),
            Around::Object { key: Some(key) } => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(key);
            }
            Around::Object { key: None } => {}
        }
    }
    path
}

/// The offset after the closing quote of a string whose characters begin at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte == b'"' {
            break;
        }
    }
    at.min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_leads_to_the_value_at_the_offset() {
        let text = r#"{"a": 1, "b\"]": [{"c": [10, "x,]"]}, null], "d": {}}"#;
        let path_of = |part: &str| json_path(text, text.find(part).unwrap());
        assert_eq!(path_of("1,"), "a");
        assert_eq!(path_of("10"), "b\"][0].c[0]");
        assert_eq!(path_of("\"x"), "b\"][0].c[1]");
        assert_eq!(path_of("null"), "b\"][1]");
        assert_eq!(path_of("{}"), "d");
        assert_eq!(json_path(text, text.len() + 9), "");
    }

    #[test]
    fn a_closing_bracket_belongs_to_the_value_around_it() {
        assert_eq!(json_path(r#"{"a": [[1], [2]]}"#, 14), "a[1]");
        assert_eq!(json_path(r#"{"a": [{"b": 1}, 2"#, 14), "a[0]");
    }

    #[test]
    fn text_may_end_anywhere() {
        let text = r#"{"a": [[1, "\"#;
        for end in 0..text.len() {
            json_path(&text[..end], text.len());
        }
        assert_eq!(json_path(text, text.len()), "a[0][1]");
    }
}
