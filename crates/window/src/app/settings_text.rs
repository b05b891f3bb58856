//! Settings as text: RON, one field per line.
//!
//! Reading is lenient: settings from other versions are used as far as they are understood.
//! Not for: storage.

use rigscope_state::Settings;

/// Result of parsing the settings.
#[derive(Debug)]
pub(super) enum ParsedSettings {
    /// Everything was understood.
    Complete(Settings),
    /// Some fields were understood; the text describes the others.
    Partial(Settings, String),
    /// Nothing was understood; the text is the reason.
    Invalid(String),
}

/// Parses settings.
pub(super) fn parse_settings(text: &str) -> ParsedSettings {
    match parsed(text) {
        Ok(settings) => ParsedSettings::Complete(settings),
        Err(error) => match usable_part(text) {
            Some((settings, lost)) => {
                let lost = lost.join(", ");
                ParsedSettings::Partial(
                    settings,
                    format!("settings of another version were reset: {lost}"),
                )
            }
            None => ParsedSettings::Invalid(format!(
                "the settings are damaged and were reset ({error})"
            )),
        },
    }
}

/// Formats `settings`.
///
/// # Errors
/// If a value can't be represented in RON.
pub(super) fn format_settings(settings: &Settings) -> Result<String, ron::Error> {
    ron::ser::to_string_pretty(settings, ron::ser::PrettyConfig::default())
}

/// Parses settings, including fields from older versions.
fn parsed(text: &str) -> Result<Settings, ron::error::SpannedError> {
    let mut settings: Settings = ron::from_str(text)?;
    if let Ok(old) = ron::from_str(text) {
        settings.add_old(&old);
    }
    Ok(settings)
}

/// The usable fields of a file from another version, and the names of the others, for example a pane or
/// theme that this version doesn't have. `None` if the text isn't a list of fields.
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

/// The fields of a RON struct as text; `None` if brackets don't match.
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
