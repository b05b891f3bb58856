//! Keys as people read them.

/// Names of keys in the table of commands, and what is printed on them.
const PRINTED: [(&str, &str); 11] = [
    ("OpenBracket", "["),
    ("CloseBracket", "]"),
    ("Backslash", "\\"),
    ("Period", "."),
    ("Comma", ","),
    ("Minus", "-"),
    ("Plus", "+"),
    ("Equals", "="),
    ("PageUp", "Page Up"),
    ("PageDown", "Page Down"),
    ("Escape", "Esc"),
];

/// What is printed on a key that the table calls `name`.
pub fn printed_key(name: &str) -> &str {
    PRINTED.iter().find(|(known, _)| *known == name).map_or(name, |(_, printed)| printed)
}

/// The keys of a row of the table, such as `Alt+CloseBracket`, as `Alt+]`.
pub fn printed_keys(keys: &str) -> String {
    match keys.rsplit_once('+') {
        Some((modifiers, key)) => format!("{modifiers}+{}", printed_key(key)),
        None => printed_key(keys).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spelt_as_they_are_printed() {
        let keys = ["Alt+CloseBracket", "Shift+Backslash", "Period", "Ctrl+O", "Ctrl+Plus"];
        let printed = keys.map(printed_keys);
        assert_eq!(printed, ["Alt+]", "Shift+\\", ".", "Ctrl+O", "Ctrl++"]);
    }
}
