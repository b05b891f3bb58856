//! `man`: the manual page, with all subcommands.

use clap::CommandFactory;
use clap_mangen::Man;

use super::Cli;
use super::exit::Exit;
use super::output::Output;

/// `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs;

/// Writes the page to stdout, as roff.
pub(super) fn run(_: &ManArgs, output: &Output) -> anyhow::Result<Exit> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    let main = Man::new(command.clone());
    main.render_title(&mut page)?;
    main.render_name_section(&mut page)?;
    main.render_synopsis_section(&mut page)?;
    main.render_description_section(&mut page)?;
    main.render_options_section(&mut page)?;
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        page.extend(section(subcommand)?);
    }
    main.render_extra_section(&mut page)?;
    main.render_version_section(&mut page)?;
    output.print(page)?;
    Ok(Exit::Done)
}

/// The page of a subcommand, as a section of the whole page.
fn section(subcommand: &clap::Command) -> std::io::Result<Vec<u8>> {
    let part = Man::new(subcommand.clone());
    let mut body = Vec::new();
    part.render_synopsis_section(&mut body)?;
    part.render_description_section(&mut body)?;
    part.render_options_section(&mut body)?;
    let body = String::from_utf8_lossy(&body).replace(".SH ", ".SS ");
    let title = subcommand.get_name().to_uppercase();
    Ok(format!(".SH {title}\n{body}").into_bytes())
}
