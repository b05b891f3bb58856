//! Arguments in the address of a page, named like command-line options.
//!
//! The reader of a link can't correct it, so the page reports wrong arguments and applies the others.

use super::{RunArgs, ScriptArgs};
use rigscope_core::options::{OptionInfo, OptionKind, OptionValue, Request};
use rigscope_core::runtime::{RUNTIMES, Runtime};
use rigscope_io::OpenOptions;

/// The arguments that aren't options of reading files.
const NAMES: [&str; 6] = ["clip", "time", "as", "run", "panes", "select"];

/// Adds the arguments `words`, pairs of name and value, and the script `steps`. Wrong ones become warnings.
pub(super) fn add(
    args: &mut RunArgs,
    mut steps: ScriptArgs,
    words: impl IntoIterator<Item = (String, String)>,
) {
    let mut warnings = Vec::new();
    for (word, value) in words {
        if let Err(warning) = set(args, &mut steps, &word, value) {
            warnings.push(warning);
        }
    }
    warnings.extend(args.add_valid_steps(steps));
    args.warnings.extend(warnings);
}

fn set(
    args: &mut RunArgs,
    steps: &mut ScriptArgs,
    word: &str,
    value: String,
) -> Result<(), String> {
    let wrong = |value: &str, expected: &str| format!("{word}={value}: not {expected}");
    match word {
        "clip" => args.clip = Some(value),
        "time" => {
            let secs = value.parse().ok().filter(|secs: &f64| secs.is_finite());
            args.time_secs = Some(secs.ok_or_else(|| wrong(&value, "a number of seconds"))?);
        }
        "as" => {
            let ids: Vec<_> = RUNTIMES.iter().map(|runtime| runtime.id).collect();
            let expected = format!("a runtime; valid names: {}", ids.join(", "));
            let runtime = Runtime::of_id(&value).ok_or_else(|| wrong(&value, &expected))?;
            steps.runtime = Some(runtime);
        }
        "run" => steps.run.extend(listed(&value)),
        "panes" => steps.panes.extend(listed(&value)),
        "select" => steps.select = Some(value),
        _ => match OpenOptions::OPTIONS.iter().find(|option| option.flag == word) {
            Some(option) => set_option(option, &mut args.options, &value)
                .map_err(|expected| wrong(&value, &expected))?,
            None => return misspelled(word),
        },
    }
    Ok(())
}

/// An error if `word` begins like an argument. All others are ignored: hosts and mail programs add parameters to links.
fn misspelled(word: &str) -> Result<(), String> {
    let start: String = word.chars().take(3).collect();
    if start.len() < 3 {
        return Ok(());
    }
    let flags = OpenOptions::OPTIONS.iter().map(|option| option.flag);
    match NAMES.into_iter().chain(flags).find(|name| name.starts_with(&start)) {
        Some(name) => Err(format!("unknown argument '{word}'; did you mean '{name}'?")),
        None => Ok(()),
    }
}

/// Sets an option from a text, or returns the values that it accepts.
fn set_option(
    option: &OptionInfo<OpenOptions>,
    options: &mut OpenOptions,
    text: &str,
) -> Result<(), String> {
    let value = match (&option.kind, option.get(options)) {
        (OptionKind::Flag(_), _) => OptionValue::Flag(true),
        (OptionKind::Number { .. } | OptionKind::Count { .. }, _) => {
            OptionValue::Number(Some(text.parse().map_err(|_| option.expected())?))
        }
        (_, OptionValue::Texts(texts)) => {
            OptionValue::Texts(texts.into_iter().chain([text.to_owned()]).collect())
        }
        _ => OptionValue::Text(Some(text.to_owned())),
    };
    option.set(options, value)
}

fn listed(value: &str) -> impl Iterator<Item = String> {
    value.split(',').filter(|word| !word.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_core::model::UpAxis;
    use rigscope_state::Pane;

    fn of(link: &str) -> RunArgs {
        let words = link.split('&').filter_map(|pair| pair.split_once('='));
        let mut args = RunArgs::default();
        let words = words.map(|(word, value)| (word.to_owned(), value.to_owned()));
        add(&mut args, ScriptArgs::default(), words);
        args
    }

    #[test]
    fn options_of_the_command_line_are_applied() {
        let args = of("clip=walk&time=0.5&fps=24&up=z&without=a.png&without=b.png&no-effect=\
             &bones-by-order=&format=fbx&panes=inspector,bytes&run=bones&select=bone:a");
        assert_eq!(args.warnings, [""; 0]);
        assert_eq!((args.clip.as_deref(), args.time_secs), (Some("walk"), Some(0.5)));
        let options = &args.options;
        assert_eq!((options.fps, options.up), (Some(24.0), Some(UpAxis::Z)));
        assert_eq!((options.without.len(), options.bones_by_order), (3, true));
        assert_eq!(options.format.as_deref(), Some("fbx"));
        let script = args.script.unwrap();
        assert_eq!(script.panes, Some(vec![Pane::Inspector, Pane::Bytes]));
        assert_eq!((script.run.len(), script.select.is_some()), (1, true));
    }

    #[test]
    fn every_wrong_argument_is_a_warning_and_the_others_apply() {
        let wrong = [
            ("time=abc", "time=abc: not a number of seconds"),
            ("time=inf", "time=inf: not a number of seconds"),
            ("fps=0", "fps=0: not a number above 0"),
            ("up=x", "up=x: not one of y, z"),
            ("format=zzz", "format=zzz: not one of bsm2"),
            ("as=zzz", "as=zzz: not a runtime; valid names: "),
            ("panes=zzz,bytes", "unknown pane 'zzz'; valid names: "),
            ("run=wirefram", "unknown command 'wirefram'; valid names: wireframe"),
            ("select=zzz", "the selection 'zzz' isn't of the form"),
            ("pane=bytes", "unknown argument 'pane'; did you mean 'panes'?"),
        ];
        for (link, warning) in wrong {
            let args = of(&format!("{link}&clip=walk"));
            assert_eq!(args.clip.as_deref(), Some("walk"), "{link}");
            assert!(
                matches!(&*args.warnings, [text] if text.starts_with(warning)),
                "{link}: {:?}",
                args.warnings
            );
        }
        assert_eq!(of("panes=zzz,bytes").script.unwrap().panes, Some(vec![Pane::Bytes]));
        assert_eq!(of("panes=zzz").script, None);
        assert_eq!(of("utm_source=mail&fbclid=1&t=2").warnings, [""; 0]);
    }
}
