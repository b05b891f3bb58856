//! Text from files, for the programs that read the output of Rigscope: terminals, CI systems, browsers.
//!
//! For: all text that is printed or written into a report. [`text_for`] is the only place that escapes it.
//! Not for: text in the window (`display_text`), and data in files and JSON, which stays as it is.
//!
//! Invariant: for every target, control characters, bidirectional marks and other invisible characters
//! ([`is_invisible`]) are spelled out as `\u{202e}`, and a line end as `\n`.
//! Invariant: no text begins a command of a CI system. GitHub and GitLab run lines that begin with `::`, and GitHub,
//! Azure and TeamCity `##[…`, `##vso[…` and `##teamcity[…` anywhere in a line.

use std::borrow::Cow;

use super::display_text::{escape, escaped, is_invisible};

/// The reader of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputTarget {
    /// A line in a terminal or a log.
    Line,
    /// The message of a workflow command of GitHub Actions.
    WorkflowMessage,
    /// A property of a workflow command of GitHub Actions.
    WorkflowProperty,
    /// A text or an attribute in XML or HTML.
    Markup,
    /// A cell of a table in Markdown.
    Markdown,
    /// Code in a cell of a table in Markdown, with its backticks.
    MarkdownCode,
}

impl OutputTarget {
    /// All targets, for tests.
    pub const ALL: [Self; 6] = [
        Self::Line,
        Self::WorkflowMessage,
        Self::WorkflowProperty,
        Self::Markup,
        Self::Markdown,
        Self::MarkdownCode,
    ];
}

/// `text` as a part of a line for `target`.
#[must_use]
pub fn text_for(target: OutputTarget, text: &str) -> Cow<'_, str> {
    let plain = visible(text);
    match target {
        OutputTarget::Line => without_commands(plain),
        OutputTarget::WorkflowMessage => mapped(plain, |c| match c {
            '%' => Some("%25"),
            _ => None,
        }),
        OutputTarget::WorkflowProperty => mapped(plain, |c| match c {
            '%' => Some("%25"),
            ':' => Some("%3A"),
            ',' => Some("%2C"),
            _ => None,
        }),
        OutputTarget::Markup => without_commands(mapped(plain, |c| match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '"' => Some("&quot;"),
            '\'' => Some("&#39;"),
            _ => None,
        })),
        OutputTarget::Markdown => markdown(&without_commands(plain)).into(),
        OutputTarget::MarkdownCode => {
            let code = mapped(plain, |c| match c {
                '`' => Some("'"),
                '|' => Some("\\|"),
                _ => None,
            });
            format!("`{}`", without_commands(code)).into()
        }
    }
}

/// Serialized JSON with invisible characters escaped, which can only occur in its strings. Parsing it gives the same
/// values.
#[must_use]
pub fn json(serialized: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c == '\n' || !is_invisible(c);
    let mut out = Cow::Borrowed(serialized);
    if !serialized.chars().all(is_plain) {
        let mut escaped = String::with_capacity(serialized.len());
        for c in serialized.chars() {
            if is_plain(c) {
                escaped.push(c);
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    escaped.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        out = escaped.into();
    }
    // No line of JSON begins with a colon.
    if has_command(&out) { out.replace("##", "#\\u0023").into() } else { out }
}

/// A whole line in which a CI system finds no command.
#[must_use]
pub fn without_commands(line: Cow<'_, str>) -> Cow<'_, str> {
    let mut line = line;
    if line.trim_start().starts_with("::") {
        line = line.replacen("::", "\\u{3a}:", 1).into();
    }
    if has_command(&line) { line.replace("##", "#\\u{23}").into() } else { line }
}

/// Whether text contains the beginning of a command that may be anywhere in a line.
fn has_command(text: &str) -> bool {
    const BEGINNINGS: [&str; 3] = ["##[", "##vso[", "##teamcity["];
    let begins = |(at, _): (usize, &str)| {
        let rest = text.get(at..).unwrap_or_default();
        BEGINNINGS
            .iter()
            .any(|own| rest.get(..own.len()).is_some_and(|r| r.eq_ignore_ascii_case(own)))
    };
    // Overlapping: "###[" also contains one.
    text.match_indices('#').any(begins)
}

/// Spelled-out invisible characters, and the characters that XML doesn't allow.
fn visible(text: &str) -> Cow<'_, str> {
    let plain = escaped(text);
    if !plain.contains(['\u{fffe}', '\u{ffff}']) {
        return plain;
    }
    let spelled = plain.chars().flat_map(|c| {
        let is_allowed = !matches!(c, '\u{fffe}' | '\u{ffff}');
        let (own, spelled) = if is_allowed { (Some(c), None) } else { (None, Some(escape(c))) };
        own.into_iter().chain(spelled.into_iter().flatten())
    });
    spelled.collect::<String>().into()
}

fn mapped(text: Cow<'_, str>, of: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    if !text.chars().any(|c| of(c).is_some()) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match of(c) {
            Some(replacement) => out.push_str(replacement),
            None => out.push(c),
        }
    }
    out.into()
}

/// Markup, entities, mentions, formulas and links are escaped.
fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '#' | '~' | '@' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    // Addresses are links without any markup.
    out.replace("://", "\\://").replace("www.", "www\\.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that a file may have or contain.
    const NASTY: [&str; 14] = [
        "a\u{1b}[2J\u{1b}]0;title\u{7}b",
        "bell\u{7} back\u{8} delete\u{7f}",
        "c1 \u{9b}31m \u{85} \u{90}",
        "exe\u{202e}gnp.txt",
        "\u{2066}isolated\u{2069} \u{200e}\u{200f}\u{61c}",
        "line\u{2028}paragraph\u{2029}",
        "zero\u{200b}width\u{feff}\u{2060}",
        "tag\u{e0041}\u{e007f}",
        "a\n::set-output name=x::y",
        "::add-mask::secret",
        "  ::error::padded",
        "b\r\n##[add-path]/tmp ##VSO[task.setvariable] ##teamcity[x]",
        "100%0A::warning::decoded%0D",
        "<b onclick='x'>&\"</b>`|*_[l](http://x)@you #1 $x$ &#x202e; \u{ffff}",
    ];

    #[test]
    fn no_target_gets_invisible_characters_line_ends_or_commands() {
        for (target, text) in OutputTarget::ALL.iter().flat_map(|t| NASTY.map(|text| (*t, text))) {
            let out = text_for(target, text);
            assert!(!out.chars().any(is_invisible), "{target:?} {out:?}");
            assert!(!out.contains(['\u{fffe}', '\u{ffff}']), "{target:?} {out:?}");
            let is_inside =
                [OutputTarget::WorkflowMessage, OutputTarget::WorkflowProperty].contains(&target);
            assert!(is_inside || !out.trim_start().starts_with("::"), "{target:?} {out:?}");
            let lower = out.to_ascii_lowercase();
            let has_command = ["##[", "##vso[", "##teamcity["].iter().any(|c| lower.contains(c));
            assert!(is_inside || !has_command, "{target:?} {out:?}");
        }
    }

    #[test]
    fn decoding_a_workflow_command_gives_no_control_characters() {
        for text in NASTY {
            let out = text_for(OutputTarget::WorkflowProperty, text);
            assert!(!out.contains([':', ',']), "{out}");
            for target in [OutputTarget::WorkflowProperty, OutputTarget::WorkflowMessage] {
                let out = text_for(target, text);
                let decoded = out.replace("%3A", ":").replace("%2C", ",").replace("%0A", "\n");
                let decoded = decoded.replace("%0D", "\r").replace("%25", "%");
                assert_eq!(decoded, visible(text));
            }
        }
    }

    #[test]
    fn markup_and_markdown_show_the_text_itself() {
        assert_eq!(text_for(OutputTarget::Markup, "a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
        assert_eq!(text_for(OutputTarget::Markup, "\u{1}\n"), "\\u{1}\\n");
        assert_eq!(text_for(OutputTarget::Markdown, "a_b|&c"), "a\\_b\\|&amp;c");
        assert_eq!(text_for(OutputTarget::Markdown, "https://x"), "https\\://x");
        assert_eq!(text_for(OutputTarget::MarkdownCode, "a`b|c"), "`a'b\\|c`");
    }

    #[test]
    fn escaped_json_parses_to_the_same_text() {
        for text in NASTY {
            let quoted =
                format!("[\"{}\"]\n", text.escape_default().to_string().replace("\\'", "'"));
            assert_eq!(json(&quoted).replace("#\\u0023", "##"), quoted);
            assert!(!has_command(&json(&quoted)));
        }
        assert_eq!(json("[\"\u{202e}\u{e0041}\"]\n"), "[\"\\u202e\\udb40\\udc41\"]\n");
        assert_eq!(json("[\"###vso[x]\"]"), "[\"#\\u0023#vso[x]\"]");
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in ["hero.glb", "Haar – ö: 50 %, a/b", "👩‍💻", "a::b # c"] {
            for target in [OutputTarget::Line, OutputTarget::Markup] {
                assert!(matches!(text_for(target, text), Cow::Borrowed(same) if same == text));
            }
        }
    }
}
