//! Display names of keys.

/// Names of keys in the command table and their labels.
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

/// The label of the key with this name in the table.
pub fn printed_key(name: &str) -> &str {
    PRINTED.iter().find(|(known, _)| *known == name).map_or(name, |(_, printed)| printed)
}

/// A shortcut of the table with the label of its key: `Alt+CloseBracket` as `Alt+]`.
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
    fn shortcuts_are_shown_as_printed_on_the_keyboard() {
        let keys = ["Alt+CloseBracket", "Shift+Backslash", "Period", "Ctrl+O", "Ctrl+Plus"];
        let printed = keys.map(printed_keys);
        assert_eq!(printed, ["Alt+]", "Shift+\\", ".", "Ctrl+O", "Ctrl++"]);
    }
}
