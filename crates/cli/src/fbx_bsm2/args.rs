//! Arguments of `fbx_bsm2`, in the spelling of the original tool or of this program.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use crate::{OptionArgs, values};
use rigscope_io::OpenOptions;

/// Converts path/to/file.fbx to path/to/file.bsm2 and reports the deviation from the source.
///
/// Reads all formats that rigscope reads. An existing file.bsm2 is overwritten.
#[derive(Debug, Parser)]
#[command(
    name = "fbx_bsm2",
    version,
    override_usage = "fbx_bsm2 [-hierarchy] [-last_bones] [OPTIONS] <FILE>...",
    after_help = "Exit codes:
  0  done
  1  with --strict, data would be lost; nothing was written
  2  bad input or usage"
)]
pub(super) struct FbxBsm2 {
    /// Files to convert
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
    /// Store bone parents, names and inverse bind matrices; also -hierarchy
    #[arg(long)]
    pub(super) hierarchy: bool,
    /// Keep bones below the bones that move vertices; also -last_bones
    #[arg(long, alias = "last_bones")]
    pub(super) last_bones: bool,
    /// Keys per second, regardless of the frame rate of the file, as in the original tool; if the two
    /// differ, the difference is reported
    #[arg(long, value_name = "NUMBER", default_value_t = 30.0, value_parser = values::above_zero)]
    pub(super) rate: f64,
    /// Scale the model by this factor, after conversion to metres if the file states a unit
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, value_parser = values::factor)]
    pub(super) scale: f32,
    /// Convert only this clip, by name or number; may be repeated
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Vec<String>,
    /// Keep V pointing up, as in FBX, instead of down
    #[arg(long)]
    pub(super) no_flip_v: bool,
    /// Write nothing and fail if anything would be lost or the model split
    #[arg(long)]
    pub(super) strict: bool,
    /// Write JSON: one object, or an array if several files are given
    #[arg(long)]
    pub(super) json: bool,
    /// Log progress to stderr
    #[arg(long, short)]
    pub(super) verbose: bool,
    /// How files are read.
    #[command(flatten)]
    pub(super) input: OptionArgs<OpenOptions>,
}

/// Converts the single-dash flags of the original tool to double-dash ones.
pub(super) fn in_new_spelling(
    args: impl IntoIterator<Item = OsString>,
) -> impl Iterator<Item = OsString> {
    let mut only_files = false;
    args.into_iter().map(move |arg| {
        only_files |= arg == "--";
        match arg.to_str() {
            Some("-hierarchy") if !only_files => "--hierarchy".into(),
            Some("-last_bones") if !only_files => "--last-bones".into(),
            _ => arg,
        }
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parsed(args: &[&str]) -> FbxBsm2 {
        let args = ["fbx_bsm2"].iter().chain(args).map(OsString::from);
        FbxBsm2::try_parse_from(in_new_spelling(args)).unwrap()
    }

    #[test]
    fn the_command_definition_is_consistent() {
        FbxBsm2::command().debug_assert();
    }

    #[test]
    fn old_and_new_flags_are_accepted_anywhere() {
        for args in [
            ["-hierarchy", "-last_bones", "a.fbx"],
            ["a.fbx", "-last_bones", "-hierarchy"],
            ["--hierarchy", "a.fbx", "--last-bones"],
            ["--last_bones", "a.fbx", "--hierarchy"],
        ] {
            let parsed = parsed(&args);
            assert!(parsed.hierarchy && parsed.last_bones, "{args:?}");
            assert_eq!(parsed.files, [PathBuf::from("a.fbx")]);
        }
        let file = parsed(&["--", "-hierarchy"]);
        assert!(!file.hierarchy);
        assert_eq!(file.files, [PathBuf::from("-hierarchy")]);
    }

    #[test]
    fn scales_and_rates_must_be_positive() {
        for bad in ["0", "-1", "nan", "inf", "x", "1e-45"] {
            assert!(values::factor(bad).is_err(), "{bad}");
        }
        assert!(values::above_zero("0").is_err() && values::above_zero("inf").is_err());
        assert_eq!(parsed(&["a", "--rate", "24", "--scale", "100"]).scale, 100.0);
    }
}
