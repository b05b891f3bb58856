//! The options of a request as arguments.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

use rigscope_core::options::{Choice, OptionInfo, OptionKind, OptionValue, Request};
use rigscope_core::policy::{FINDING_OR_CAUSE, rule_names};
use rigscope_io::nearest::nearest;

/// The request `R`, parsed from arguments that its table of options describes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptionArgs<R>(pub R);

impl<R: Request> Args for OptionArgs<R> {
    fn augment_args(command: Command) -> Command {
        command.args(R::OPTIONS.iter().map(arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<R: Request> FromArgMatches for OptionArgs<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut request = Self(R::default());
        request.update_from_arg_matches(matches)?;
        Ok(request)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in R::OPTIONS {
            let Some(value) = value_of(option, matches) else { continue };
            let refused = |expected| {
                clap::Error::raw(ErrorKind::ValueValidation, format!("not {expected}\n"))
            };
            option.set(&mut self.0, value).map_err(refused)?;
        }
        Ok(())
    }
}

fn arg<R: Request>(option: &'static OptionInfo<R>) -> Arg {
    let arg = Arg::new(option.name).long(option.flag).help(option.help);
    let generated = match option.kind {
        OptionKind::Names { long_help, .. } => long_help(),
        _ => String::new(),
    };
    let details = [option.details, &generated].into_iter().filter(|text| !text.is_empty());
    let long_help: Vec<_> = std::iter::once(option.help).chain(details).collect();
    let arg = match long_help.len() {
        1 => arg,
        _ => arg.long_help(long_help.join("\n\n")),
    };
    match &option.kind {
        OptionKind::Flag(_) => arg.action(ArgAction::SetTrue),
        &OptionKind::Number { value_name, is_valid, expected, ref field, .. } => {
            let default = (field.get)(&R::default()).map(|number| number.to_string());
            with_default(arg, default).value_name(value_name).value_parser(move |text: &str| {
                let value = text.trim().parse().ok().filter(|value: &f64| is_valid(*value));
                value.ok_or_else(|| format!("not {expected}"))
            })
        }
        &OptionKind::Count { value_name, min, max, ref field } => {
            let default = (field.get)(&R::default()).map(|count| count.to_string());
            with_default(arg, default).value_name(value_name).value_parser(move |text: &str| {
                let value = text.trim().parse().ok().filter(|value| (min..=max).contains(value));
                value.ok_or_else(|| format!("not a whole number from {min} to {max}"))
            })
        }
        OptionKind::Text { value_name, .. } => arg.value_name(*value_name),
        OptionKind::Texts { value_name, .. } => {
            arg.value_name(*value_name).action(ArgAction::Append)
        }
        OptionKind::Paths { value_name, .. } => arg
            .value_name(*value_name)
            .value_parser(value_parser!(PathBuf))
            .action(ArgAction::Append),
        &OptionKind::Names { value_name, noun, listed_by, names, .. } => {
            arg.value_name(value_name).value_delimiter(',').action(ArgAction::Append).value_parser(
                move |text: &str| {
                    if names().contains(&text) {
                        Ok(text.to_owned())
                    } else {
                        Err(unknown_name(text, noun, listed_by, names()))
                    }
                },
            )
        }
        OptionKind::Choice { value_name, choices, field } => {
            let choices = choices();
            let default = (field.get)(&R::default()).and_then(|number| choices.get(number));
            let default = default.map(|choice| choice.name);
            let value = |choice: Choice| match choice.help {
                "" => PossibleValue::new(choice.name),
                help => PossibleValue::new(choice.name).help(help),
            };
            arg.value_name(*value_name)
                .value_parser(choices.into_iter().map(value).collect::<Vec<_>>())
                .default_value(default)
        }
    }
}

fn with_default(arg: Arg, default: Option<String>) -> Arg {
    match default {
        Some(default) => arg.default_value(default),
        None => arg,
    }
}

/// An error about a name that isn't in a list.
pub(super) fn unknown_name(
    text: &str,
    noun: &str,
    listed_by: &str,
    names: Vec<&'static str>,
) -> String {
    let hint = match nearest(text, names) {
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    format!("unknown {noun} `{text}`; {hint}{listed_by}")
}

/// An error about a name that neither a finding nor a cause has.
pub(super) fn unknown_rule(text: &str) -> String {
    let names = rule_names().collect();
    unknown_name(text, FINDING_OR_CAUSE, "`rigscope rules` lists all", names)
}

/// The value in the arguments, if it is given.
fn value_of<R>(option: &OptionInfo<R>, matches: &ArgMatches) -> Option<OptionValue> {
    let name = option.name;
    Some(match &option.kind {
        // Without the flag, another option that sets the same field counts.
        OptionKind::Flag(_) => OptionValue::Flag(matches.get_flag(name).then_some(true)?),
        OptionKind::Number { .. } => OptionValue::Number(Some(*matches.get_one(name)?)),
        OptionKind::Count { .. } => {
            #[expect(clippy::cast_precision_loss, reason = "counts are checked to be small")]
            let count = *matches.get_one::<usize>(name)? as f64;
            OptionValue::Number(Some(count))
        }
        OptionKind::Text { .. } | OptionKind::Choice { .. } => {
            OptionValue::Text(Some(matches.get_one::<String>(name)?.clone()))
        }
        OptionKind::Texts { .. } | OptionKind::Names { .. } => {
            OptionValue::Texts(matches.get_many(name)?.cloned().collect())
        }
        OptionKind::Paths { .. } => OptionValue::Paths(matches.get_many(name)?.cloned().collect()),
    })
}
