//! `init`: writes a commented `rigscope.toml` that the files of a project pass.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;

use super::config::Configs;
use super::exit::{Exit, at_path};
use super::output::Output;
use super::suggested_command::{file_arg, suggested};
use super::text::counted;
use super::{WalkArgs, batch, file_search, input, timings};
use rigscope_core::model::{Report, Severity};
use rigscope_core::project::{BUDGETS, BudgetItem, ProjectFile};
use rigscope_io::OpenOptions;
use rigscope_io::files::{catch_panic, check_target, save};

/// Room above the largest number, as a factor.
const ROOM: f64 = 1.25;

/// `init`.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// The folder of the project
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// Overwrite the rigscope.toml if it exists
    #[arg(long)]
    pub force: bool,
}

/// The largest numbers of all files.
#[derive(Default)]
struct Largest {
    numbers: [f64; BUDGETS.len()],
    num_files: usize,
    num_unreadable: usize,
}

pub(super) fn run(args: &InitArgs, output: &Output) -> anyhow::Result<Exit> {
    if !args.folder.is_dir() {
        return Err(at_path("no such folder", &args.folder));
    }
    let target = args.folder.join("rigscope.toml");
    if target.exists() && !args.force {
        return Err(at_path("the file already exists; --force overwrites it", &target));
    }
    let opener = input::opener(&OpenOptions::default())?.with_images();
    // Existing settings are replaced.
    let mut configs = Configs::none(opener.inputs());
    let folder = std::slice::from_ref(&args.folder);
    let found = file_search::find(folder, &WalkArgs::default(), &mut configs)?;
    let opener = opener.with_inputs(&found.files);
    check_target(&target, args.force, opener.inputs())?;
    let work = |path: &Path| {
        let _work = timings::begin("reading");
        let opened = catch_panic("reading", || opener.open(path, &Report::new())).ok()?.ok()?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let num_bytes = opened.num_bytes;
        let file = ProjectFile { model: &opened.model, name: &name, num_bytes };
        Some(BUDGETS.map(|row| row.item.of(file)))
    };
    let mut largest = Largest::default();
    let num_files = found.files.len();
    let done = |_, numbers: Option<[f64; BUDGETS.len()]>| {
        largest.num_files += 1;
        match numbers {
            Some(numbers) => {
                for (own, number) in largest.numbers.iter_mut().zip(numbers) {
                    *own = own.max(number);
                }
            }
            None => largest.num_unreadable += 1,
        }
        Ok(())
    };
    batch::each(found.files.into_iter().map(Ok), Some(num_files), output, work, done)?;
    save(&target, text(&largest).as_bytes(), args.force, opener.inputs())?;
    let files = counted(largest.num_files as u64, "file");
    let unreadable = match largest.num_unreadable {
        0 => String::new(),
        num => format!(", of which {num} can't be read"),
    };
    let folder = file_arg(&args.folder);
    let [check, begin] =
        ["validate", "baseline"].map(|name| suggested([OsStr::new(name), &folder]));
    let message = format!(
        "rules for {files}{unreadable}; check with `{check}`, and begin a baseline with `{begin}`"
    );
    output.report_at(Severity::Info, &target, &message);
    Ok(Exit::Done)
}

fn text(largest: &Largest) -> String {
    let mut out = String::from(
        "# Rules of this project for the commands validate and check.\n\
         # They apply to all files in this folder and below.\n\n\
         [validate]\n\
         # Findings to ignore everywhere; `rigscope rules` lists all.\n\
         allow = []\n\
         # Findings that fail a check in addition to errors; \"warnings\" for all warnings.\n\
         deny = []\n\n\
         # Limits, a quarter above the largest file of today. Tables such as [budget.\"props/**\"] replace\n\
         # limits for some files.\n\
         [budget]\n",
    );
    for (row, number) in BUDGETS.iter().zip(largest.numbers) {
        let limit = limit(row.item, number);
        let comment = row.meaning;
        // Nothing of it is in any file, so that a limit would be arbitrary.
        let mark = if number > 0.0 { "" } else { "# " };
        out.push_str(&format!("{mark}{} = {limit}    # {comment}\n", row.name));
    }
    out.push_str(
        "\n# Patterns of names with * and ?; a name must match one of its list.\n\
         # [names]\n\
         # bones = [\"Bip01*\", \"socket_*\"]\n\
         # materials = [\"M_*\"]\n\
         # clips = [\"*\"]\n\
         # files = [\"*.glb\"]\n\n\
         # The skeleton of all models: names, parents and rest pose of this file's bones.\n\
         # [skeleton]\n\
         # file = \"reference/skeleton.glb\"\n\
         # tolerance = 0.001    # of the skeleton's size\n\n\
         # Runtimes that must play the files as their format specifies; `rigscope runtimes` lists all.\n\
         # [runtimes]\n\
         # play = [\"three.js\"]\n\n\
         # Findings to ignore in some files, with a reason, until a day.\n\
         # [[ignore]]\n\
         # rule = \"zero-normal\"\n\
         # files = [\"old/**\"]\n\
         # reason = \"will be exported again in spring\"\n\
         # until = 2027-04-30\n",
    );
    out
}

/// A limit with some room, as it is written.
fn limit(item: BudgetItem, number: f64) -> String {
    let wanted = number * ROOM;
    match item {
        BudgetItem::Influences | BudgetItem::TextureSize => format!("{number}"),
        BudgetItem::FileSize | BudgetItem::TextureMemory => {
            format!("\"{} MB\"", (wanted / 1e5).ceil() / 10.0)
        }
        _ => {
            // Two significant digits.
            let step = 10f64.powf((wanted.max(1.0).log10().floor() - 1.0).max(0.0));
            format!("{}", (wanted / step).ceil() * step)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_two_digits_and_some_room() {
        assert_eq!(limit(BudgetItem::Triangles, 6856.0), "8600");
        assert_eq!(limit(BudgetItem::Bones, 22.0), "28");
        assert_eq!(limit(BudgetItem::Influences, 4.0), "4");
        assert_eq!(limit(BudgetItem::FileSize, 275_328.0), "\"0.4 MB\"");
    }
}
