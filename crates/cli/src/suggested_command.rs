//! Commands of this program that its messages suggest, as words of a shell.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::Path;

use rigscope_core::model::display_text;

/// The command line with these arguments. The tests of the command line check that the program accepts all commands
/// that it prints.
pub(super) fn suggested<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> String {
    let words = args.into_iter().map(|arg| quoted(arg.as_ref()));
    std::iter::once("rigscope".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// A path as an argument, which can't be mistaken for an option or for standard input.
pub(super) fn file_arg(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path).into_os_string()
    } else {
        path.as_os_str().to_owned()
    }
}

/// `word` quoted for a shell.
fn quoted(word: &OsStr) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%…".contains(c);
    let text = word.to_string_lossy();
    if !text.is_empty() && text.chars().all(|c| is_plain(c) || (cfg!(windows) && c == '\\')) {
        return text.into_owned();
    }
    if cfg!(windows) {
        return format!("\"{}\"", text.replace('"', "\\\""));
    }
    let is_hidden = |c: char| display_text::is_invisible(c) || c == '#';
    if word.to_str().is_some_and(|text| !text.contains(is_hidden)) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    // The output spells such characters out for people, in a way that shells don't read.
    let mut escaped = String::new();
    for chunk in word.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if is_plain(c) {
                escaped.push(c);
            } else {
                escape(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut escaped);
            }
        }
        escape(chunk.invalid(), &mut escaped);
    }
    format!("$'{escaped}'")
}

fn escape(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        // Writing to a string never fails.
        let _ = write!(out, "\\x{byte:02X}");
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn words_with_special_characters_are_quoted() {
        let of = |path: &[u8]| {
            suggested([OsStr::new("info"), &file_arg(Path::new(OsStr::from_bytes(path)))])
        };
        assert_eq!(of(b"a/b.glb"), "rigscope info a/b.glb");
        assert_eq!(of(b"it's $1.glb"), r"rigscope info 'it'\''s $1.glb'");
        assert_eq!(of(b"-"), "rigscope info ./-");
        assert_eq!(of(b"h\xe9ros.glb"), r"rigscope info $'h\xE9ros.glb'");
        assert_eq!(of(b"a\nb c.glb"), r"rigscope info $'a\x0Ab\x20c.glb'");
    }
}
