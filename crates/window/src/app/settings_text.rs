//! Settings as text: RON, a field a line.
//!
//! Reading forgives everything: what another version has written is used as far as it goes.
//! Not for: where the text is kept.

use rigscope_state::Settings;

/// What came of reading a text.
#[derive(Debug)]
pub(super) enum Read {
    /// All of it.
    All(Settings),
    /// Some of it, and what to tell the user of the rest.
    Part(Settings, String),
    /// None of it, and why.
    Nothing(String),
}

/// The settings that `text` is.
pub(super) fn read_text(text: &str) -> Read {
    match parsed(text) {
        Ok(settings) => Read::All(settings),
        Err(error) => match usable_part(text) {
            Some((settings, lost)) => {
                let lost = lost.join(", ");
                Read::Part(settings, format!("settings of another version start anew: {lost}"))
            }
            None => Read::Nothing(format!("the settings are damaged and start anew ({error})")),
        },
    }
}

/// The text of `settings`.
///
/// # Errors
/// When a value has no spelling.
pub(super) fn text_of(settings: &Settings) -> Result<String, ron::Error> {
    ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default())
}

/// The settings that `text` is, with what older versions wrote elsewhere.
fn parsed(text: &str) -> Result<Settings, ron::error::SpannedError> {
    let mut settings: Settings = ron::from_str(text)?;
    if let Ok(old) = ron::from_str(text) {
        settings.add_old(&old);
    }
    Ok(settings)
}

/// What can be used of a file that another version has written, and the names of the fields that
/// cannot: one of them may name a pane or a theme that this version does not have. None where it
/// is no list of fields.
fn usable_part(text: &str) -> Option<(Settings, Vec<String>)> {
    let (mut good, mut lost) = (Vec::new(), Vec::new());
    for field in fields(text)? {
        let (name, _) = field.split_once(':')?;
        match ron::from_str::<Settings>(&format!("({field})")) {
            Ok(_) => good.push(field),
            Err(_) => lost.push(name.trim().to_owned()),
        }
    }
    let settings = parsed(&format!("({})", good.join(","))).ok()?;
    (!good.is_empty()).then_some((settings, lost))
}

/// The fields of a RON struct as they are written; none where brackets do not match.
fn fields(text: &str) -> Option<Vec<&str>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    let (mut start, mut found) = (0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string ^= true,
            _ if in_string => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                found.push(inner.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(inner.get(start..)?.trim());
    found.retain(|field| !field.is_empty());
    (depth == 0 && !in_string).then_some(found)
}
