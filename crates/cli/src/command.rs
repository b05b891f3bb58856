//! The table of subcommands: help and arguments of each, and the function that runs it.

/// Declares the subcommands; they are listed in this order. Functions take the arguments and the output.
macro_rules! subcommands {
    ($(
        $(#[doc = $help:literal])+
        $(#[cfg($condition:meta)])?
        $name:ident($args:ty) => $run:path,
    )+) => {
        /// A subcommand with its arguments.
        #[derive(Debug, clap::Subcommand)]
        pub enum Command {
            /// Open files in a window
            View(ViewArgs),
            $(
                $(#[doc = $help])+
                $(#[cfg($condition)])?
                $name($args),
            )+
        }

        impl Command {
            /// Runs a subcommand that doesn't open a window; `main` runs [`Command::View`].
            fn run(&self, output: &Output) -> anyhow::Result<Exit> {
                match self {
                    Self::View(_) => Ok(Exit::Done),
                    $(
                        $(#[cfg($condition)])?
                        Self::$name(args) => $run(args, output),
                    )+
                }
            }
        }
    };
}

pub(super) use subcommands;
