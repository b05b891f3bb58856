//! The exit codes in the help of each command.

use clap::Command;

/// The meaning of exit code 1, by the name of the command; other commands never end with it.
const FINDINGS: &[(&str, &str)] = &[
    ("validate", "errors, or findings or causes named by --deny"),
    ("check", "something is worse than in the baseline, or a file exceeds a limit of the project"),
    ("diagnose", "a cause was named, or a difference from the reference is unexplained"),
    ("fix", "a fix was refused; the others were applied"),
    ("convert", "with --strict, something would be lost, and nothing was written"),
    ("diff", "the files differ"),
    ("fit", "some clips don't play on some models"),
    ("bones", "no bone corresponds to another"),
];
/// Commands that need a GPU or a software driver.
const WITH_GPU: &[&str] = &["view", "render", "thumbnail", "bench"];

/// Adds the exit codes of each subcommand to its help.
pub(super) fn with_exit_codes(command: Command) -> Command {
    command.mut_subcommands(|command| {
        let help = text(command.get_name());
        command.after_help(help)
    })
}

fn text(name: &str) -> String {
    let findings = FINDINGS.iter().find(|(of, _)| *of == name).map(|(_, meaning)| *meaning);
    let gpu = WITH_GPU.contains(&name).then_some("no usable GPU or driver");
    let rows = [(0, Some("done")), (1, findings), (2, Some("bad input or usage")), (3, gpu)];
    let lines =
        rows.iter().filter_map(|(code, meaning)| Some(format!("\n  {code}  {}", (*meaning)?)));
    format!("Exit codes:{}", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_row_belongs_to_a_command() {
        let command = with_exit_codes(crate::Cli::command());
        let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        let listed = FINDINGS.iter().map(|(name, _)| name).chain(WITH_GPU);
        listed.for_each(|name| assert!(names.contains(name), "{name}"));
        let of = |name: &str| {
            let found = command.get_subcommands().find(|own| own.get_name() == name);
            found.and_then(Command::get_after_help).map(ToString::to_string).unwrap_or_default()
        };
        assert!(of("diff").contains("\n  1  the files differ\n  2  bad input"));
        assert!(of("render").ends_with("\n  2  bad input or usage\n  3  no usable GPU or driver"));
        assert!(!of("formats").contains("  1  "));
    }
}
