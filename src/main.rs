//! The `rigscope` program: arguments to window or subcommand, outcome to exit code.

use std::process::ExitCode;

use rigscope_cli::{self as cli, Command, Output, ViewArgs};

fn main() -> ExitCode {
    let cli = match cli::parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(exit) => return exit.into(),
    };
    #[cfg(all(target_os = "linux", feature = "gpu"))]
    cli::set_library_environment(cli.command.as_ref(), cli.verbose);
    let output = Output::new(&cli.messages);
    let view = match cli.command {
        None => cli.view,
        Some(Command::View(view)) => view,
        Some(command) => return cli::run(&command, &output).into(),
    };
    if let Err(error) = cli::check_files(&view) {
        return cli::report_error(&error, &output).into();
    }
    let opened = cli::timed(&output, "opening the window and waiting", || open_window(view));
    opened.unwrap_or_else(|error| cli::report_error(&error, &output).into())
}

#[cfg(feature = "gui")]
fn open_window(view: ViewArgs) -> anyhow::Result<ExitCode> {
    let args = rigscope_window::app::RunArgs {
        files: view.files,
        sample: view.sample,
        is_embedded: false,
        options: view.input.0,
        clip: view.initial.clip,
        time_secs: view.initial.time,
        exit_after_frames: view.exit_after_frames,
        screenshot: view.screenshot,
        lose_gpu_after_frames: view.lose_gpu_after,
        script: None,
        warnings: Vec::new(),
    };
    let steps = rigscope_window::app::ScriptArgs {
        run: view.initial.run,
        runtime: view.initial.runtime,
        select: view.initial.select,
        panes: view.initial.panes,
        compare: view.compare,
    };
    let args = args.with_script(steps)?;
    match rigscope_window::app::run(args) {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(error) if error.is::<rigscope_gpu::GpuInitError>() => {
            Err(cli::NoGpu(error.to_string()).into())
        }
        Err(error) => Err(error),
    }
}

#[cfg(not(feature = "gui"))]
fn open_window(_: ViewArgs) -> anyhow::Result<ExitCode> {
    Err(cli::NoGpu("this build was made without the feature `gui` and has no window".to_owned())
        .into())
}
