//! Starts `rigscope` without a console window, for shortcuts and file associations on Windows.
//!
//! A Windows program is either a console program, whose output and exit code arrive in terminals and pipes, or a window
//! program, which opens no console. `rigscope.exe` is the former; this launcher starts it with the same arguments.

#![cfg_attr(windows, windows_subsystem = "windows")]

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let Ok(own) = std::env::current_exe() else { return ExitCode::FAILURE };
    let program = own.with_file_name(format!("rigscope{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1));
    #[cfg(windows)]
    {
        use std::os::windows::process::CommandExt;
        /// Source: Process Creation Flags, `CREATE_NO_WINDOW`: a console program is run without a console window.
        const CREATE_NO_WINDOW: u32 = 0x0800_0000;
        command.creation_flags(CREATE_NO_WINDOW);
    }
    // The window outlives the launcher.
    match command.spawn() {
        Ok(_) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
