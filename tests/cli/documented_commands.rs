//! Every `$ rigscope …` line of the manual runs on the sample, unless its block is marked as an excerpt.

use std::path::PathBuf;

use super::runner::Folder;
use crate::support::root;

/// The pages of the manual.
fn pages() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/formats"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    pages
}

/// The commands in blocks with the language `console`, without pipes and redirections. A backslash at the end
/// of a line continues it. Blocks with the words `console excerpt` show files that readers have.
fn commands(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in page.split("```").skip(1).step_by(2) {
        let Some(lines) = block.strip_prefix("console\n") else { continue };
        let lines = lines.replace("\\\n", " ");
        for line in lines.lines().filter_map(|line| line.trim_start().strip_prefix("$ rigscope ")) {
            let end = line.find(['|', '>', '#']).unwrap_or(line.len());
            commands.push(line[..end].trim().to_owned());
        }
    }
    commands
}

/// The arguments of a command, of which some are quoted.
fn arguments(command: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for (at, part) in command.split(['"', '\'']).enumerate() {
        if at % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    arguments
}

/// Whether a command opens the window.
fn opens_window(arguments: &[String]) -> bool {
    let first = arguments.first().map_or("", String::as_str);
    first == "view" || first == "--sample" || first.contains('.')
}

#[test]
fn documented_commands_run_on_the_sample() {
    let mut num_run = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let folder = Folder::new();
        for name in ["sample.bsm2", "assets/sample.bsm2"] {
            folder.put_bytes(name, rigscope_assets::SAMPLE);
        }
        for command in commands(&page) {
            let arguments = arguments(&command);
            // Without a GPU or the feature, drawing is tested elsewhere.
            if opens_window(&arguments) || (arguments[0] == "render" && !cfg!(feature = "gpu")) {
                continue;
            }
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let ran = folder.run(&arguments);
            // 1 means findings or differences.
            assert!(ran.code <= 1, "{}: {command}\n{}", path.display(), ran.stderr);
            num_run += 1;
        }
    }
    assert!(num_run > 20, "{num_run} commands were found");
}

#[test]
fn commands_are_read_without_pipes_and_with_their_continuation() {
    let page = "a\n```console\n$ rigscope info a.glb | jq .\n$ cp a b\n$ rigscope pose a.glb \\\n    -o 'b c.obj'\n```\n\
                ```console excerpt\n$ rigscope info x\n```\n";
    let found = commands(page);
    assert_eq!(found, ["info a.glb", "pose a.glb      -o 'b c.obj'"]);
    assert_eq!(arguments(&found[1]), ["pose", "a.glb", "-o", "b c.obj"]);
}
