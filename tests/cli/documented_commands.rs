//! Every `rigscope …` command in the manual and in messages is one that the program accepts, and runs if it needs
//! neither a window nor a Git history.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use rigscope_cli::Cli;

use super::runner::{Folder, put_viewer};
use crate::support::{files_below, root};

/// Placeholders and names of the manual, with their values in the tests.
const SUBSTITUTES: &[(&str, &str)] = &[
    ("\"exports/$(basename \"$reference\")\"", "exports/hero.bsm2"),
    ("$reference", "exports/robot.bsm2"),
    ("$LOCAL", "sample.glb"),
    ("$REMOTE", "weights.glb"),
    ("$1", "hero.glb"),
    ("PATH…", "exports"),
    ("[FILE…]", "hero.glb"),
    ("FILE…", "hero.glb"),
    ("FILE", "hero.glb"),
    ("IN", "hero.glb"),
    ("SOURCE", "hero.glb"),
    ("GOOD", "sample.glb"),
    ("BAD", "weights.glb"),
    ("OLD", "sample.glb"),
    ("NEW", "weights.glb"),
    ("A", "sample.glb"),
    ("B", "weights.glb"),
    ("OUT", "out.glb"),
    ("FOLDER", "exports"),
    ("SKELETON", "sample.glb"),
    ("CODE", "zero-normal"),
    ("CAUSE", "inverse-binds-transposed"),
    ("NAME", "inverse-binds-transposed"),
    ("RUNTIME", "three.js"),
    ("REV", "HEAD"),
    ("COMMAND", "info"),
    ("ID", "gltf"),
    ("SIZE", "64"),
    ("F", "2"),
];

/// Copies of the sample that pages begin with; the format is recognized by the content.
const BSM2: [&str; 5] =
    ["sample.bsm2", "assets/sample.bsm2", "hero.bsm2", "exports/hero.bsm2", "exports/robot.bsm2"];
const GLB: [&str; 15] = [
    "sample.glb",
    "hero.glb",
    "fox.glb",
    "hero.fbx",
    "walk.fbx",
    "WALK.fbx",
    "hand.glb",
    "big.glb",
    "small.glb",
    "older.glb",
    "inverse-binds.glb",
    "weights.glb",
    "scale.glb",
    "flipped.glb",
    "fixed.glb",
];

/// Words of commands that aren't run, and the reason or the test that runs them.
const NOT_RUN: &[(&str, &str)] = &[
    ("view", "opens a window"),
    ("-", "reads or writes a pipe: `standard_streams`, `many`"),
    ("bench", "takes long: `bench`"),
    ("log", "needs a history: `history`"),
    ("bisect", "needs a history: `history`"),
    ("--git", "needs a history: `history`"),
    ("--staged", "needs a repository: `history`, `history_files`"),
    ("$staged/list", "a Git hook: `history`"),
    ("leg.hero", "needs a reader: `readers`"),
    ("wave.vrma", "needs a human: `retarget`"),
    ("hero.psk", "needs a reader: `readers`"),
    ("arnaud_mesh.ozz", "a sample of ozz-animation"),
    ("MyEffect", "an effect: `effect`"),
    ("MyEffect/config.json", "an effect: `effect`"),
    ("MyEffect/meshes/hat.bsm2", "an effect: `effect`"),
];

/// A command and its source.
#[derive(Debug)]
struct Printed {
    place: String,
    text: String,
    /// Part of a sentence, which may be about a command without naming its files.
    is_mention: bool,
}

/// The pages of the manual, with their names.
fn pages() -> Vec<(String, String)> {
    let pages = files_below(&root().join("docs")).into_iter().chain([root().join("README.md")]);
    let mut pages: Vec<PathBuf> =
        pages.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.sort();
    let name = |path: &Path| path.strip_prefix(root()).unwrap().display().to_string();
    pages.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The commands in the code blocks of a page. A backslash at the end of a line continues it.
fn commands_of_blocks(page: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for block in page.split("```").skip(1).step_by(2) {
        let (language, lines) = block.split_once('\n').unwrap_or_default();
        let is_shell =
            matches!(language.split(' ').next(), Some("" | "console" | "sh" | "bash" | "yaml"));
        let lines = lines.replace("\\\n", " ");
        let has_prompt = language.starts_with("console");
        for line in lines.lines().filter(|_| is_shell) {
            let line = line.trim_start();
            if has_prompt && !line.starts_with("$ ") {
                continue;
            }
            let words: Vec<&str> = line.split_inclusive("rigscope ").collect();
            // Before the command may be `$`, `run:`, variables and other programs.
            let Some(at) = words.iter().position(|word| word.ends_with("rigscope ")) else {
                continue;
            };
            let before = words[..=at].concat();
            let before = before.trim_end_matches("rigscope ");
            let is_command = before.is_empty()
                || before.ends_with([' ', '|', '(', '{'])
                    && !before.contains("command -v")
                    && !before.contains("difftool")
                    && !before.contains("install");
            let rest = words[at + 1..].concat();
            let end = rest.find(['|', '>', '#', ';']).unwrap_or(rest.len());
            if is_command {
                commands.push(rest[..end].trim().to_owned());
            }
        }
    }
    commands
}

/// The commands in code spans, outside blocks.
fn commands_of_spans(text: &str) -> Vec<String> {
    let outside: String = text.split("```").step_by(2).collect();
    let spans = outside.split('`').skip(1).step_by(2);
    let commands = spans.filter_map(|span| span.strip_prefix("rigscope "));
    let is_command = |text: &&str| !text.starts_with('=');
    commands
        .filter(is_command)
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// The commands in the string literals of all crates, without comments.
fn commands_of_messages() -> Vec<Printed> {
    let sources =
        ["crates", "src"].into_iter().flat_map(|folder| files_below(&root().join(folder)));
    let sources = sources.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut found = Vec::new();
    for path in sources {
        let place = path.strip_prefix(root()).unwrap().display().to_string();
        if place.contains("/tests") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for span in line.split('`').skip(1).step_by(2) {
                let Some(command) = span.strip_prefix("rigscope ") else { continue };
                let (place, text) = (place.clone(), command.to_owned());
                assert!(!text.contains('{'), "{place}: `{span}` isn't made by `suggested`");
                found.push(Printed { place, text, is_mention: false });
            }
        }
    }
    found
}

fn printed_commands() -> Vec<Printed> {
    let mut found = commands_of_messages();
    for (place, page) in pages() {
        let printed = |is_mention| {
            let place = place.clone();
            move |text| Printed { place: place.clone(), text, is_mention }
        };
        found.extend(commands_of_blocks(&page).into_iter().map(printed(false)));
        found.extend(commands_of_spans(&page).into_iter().map(printed(true)));
    }
    found
}

/// The arguments of a command, of which some are quoted, with substitutes for placeholders.
fn arguments(command: &str) -> Vec<String> {
    let mut command = command.to_owned();
    for (name, substitute) in SUBSTITUTES.iter().filter(|(name, _)| name.contains(['$', '"'])) {
        command = command.replace(name, substitute);
    }
    let mut arguments = Vec::new();
    for (at, part) in command.split(['"', '\'']).enumerate() {
        if at % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    arguments.iter().map(|word| substituted(word)).collect()
}

fn substituted(word: &str) -> String {
    if let Some((_, substitute)) = SUBSTITUTES.iter().find(|(name, _)| *name == word) {
        return (*substitute).to_owned();
    }
    // As in `OUT.glb`.
    word.strip_prefix("OUT.").map_or_else(|| word.to_owned(), |rest| format!("out.{rest}"))
}

/// Whether the program accepts the arguments; `Ok(None)` for help, a version, and a mention without its files.
fn parsed(printed: &Printed, arguments: &[String]) -> Result<Option<Cli>, String> {
    use clap::FromArgMatches as _;
    let words = std::iter::once("rigscope").chain(arguments.iter().map(String::as_str));
    let parsed = Cli::command().try_get_matches_from(words);
    match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => Ok(Some(cli)),
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(None),
            ErrorKind::MissingRequiredArgument if printed.is_mention => Ok(None),
            // An option without its value.
            ErrorKind::InvalidValue
                if printed.is_mention && error.to_string().contains("a value is required") =>
            {
                Ok(None)
            }
            _ => Err(format!("{}: `rigscope {}`\n{error}", printed.place, printed.text)),
        },
    }
}

/// A folder with the files of the manual, and a baseline of `exports`.
fn scratch(glb: &[u8]) -> Folder {
    let folder = Folder::new();
    BSM2.iter().for_each(|name| folder.put_bytes(name, rigscope_assets::SAMPLE));
    GLB.iter().for_each(|name| folder.put_bytes(name, glb));
    put_viewer(&folder);
    folder.run_to(0, &["baseline", "exports"]);
    folder
}

fn sample_as_glb() -> Vec<u8> {
    let folder = Folder::new();
    folder.put_bytes("a.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "a.bsm2", "-o", "a.glb"]);
    folder.bytes("a.glb")
}

#[test]
fn printed_commands_are_accepted_and_run() {
    let mut by_place: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let mut refused = Vec::new();
    let mut known = std::collections::HashSet::new();
    for printed in printed_commands() {
        let arguments = arguments(&printed.text);
        if arguments[0] == "catalog" && !cfg!(feature = "catalog") {
            continue;
        }
        match parsed(&printed, &arguments) {
            Err(text) => refused.push(text),
            Ok(None) => {}
            Ok(Some(cli)) => {
                let is_window = cli.command.is_none();
                let is_left_out = |word: &String| NOT_RUN.iter().any(|(name, _)| name == word);
                let needs_gpu = arguments[0] == "render" && !cfg!(feature = "gpu");
                if is_window || needs_gpu || arguments.iter().any(is_left_out) {
                    continue;
                }
                // The files that a page makes are inputs of its later commands.
                let is_first = known.insert(arguments.clone());
                if is_first || !printed.is_mention {
                    by_place.entry(printed.place).or_default().push(arguments);
                }
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    let glb = sample_as_glb();
    let places: Vec<_> = by_place.iter().collect();
    let num_run: usize = places.iter().map(|(_, commands)| commands.len()).sum();
    let failed: Vec<String> = std::thread::scope(|scope| {
        let run = |(place, commands): &(&String, &Vec<Vec<String>>)| run_all(place, commands, &glb);
        let half = places.len() / 2;
        let (first, second) = places.split_at(half);
        let other = scope.spawn(move || first.iter().flat_map(run).collect::<Vec<_>>());
        let mut failed: Vec<_> = second.iter().flat_map(run).collect();
        failed.extend(other.join().unwrap());
        failed
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(num_run > 120, "{num_run} commands were found");
}

/// Runs the commands of a page in their order, and returns those that fail.
fn run_all(place: &str, commands: &[Vec<String>], glb: &[u8]) -> Vec<String> {
    let folder = scratch(glb);
    let mut failed = Vec::new();
    for arguments in commands {
        let mut words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let command = Cli::command();
        let command = command.find_subcommand(words[0]);
        // The same output is written by several commands.
        if command.is_some_and(|own| own.get_arguments().any(|arg| arg.get_id() == "force"))
            && !words.contains(&"--force")
        {
            words.push("--force");
        }
        if words[0] == "share" {
            words.extend(["--viewer", "viewer"]);
        }
        let ran = folder.run(&words);
        // 1 means findings or differences.
        if ran.code > 1 && !(ran.code == 3 && cfg!(no_gpu)) {
            failed.push(format!("{place}: rigscope {}\n{}", words.join(" "), ran.stderr));
        }
    }
    failed
}

/// The commands in console blocks of a page, each with the lines of its output that the page quotes.
fn quoted_outputs(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for block in page.split("```console").skip(1) {
        let (block, _) = block.split_once("```").unwrap();
        let mut is_ours = false;
        for line in block.lines().skip(1) {
            let line = line.trim();
            if let Some(command) = line.strip_prefix("$ ") {
                let command = command.strip_prefix("rigscope ");
                is_ours = command.is_some();
                found.extend(command.map(|command| (command.to_owned(), Vec::new())));
            } else if let Some((_, lines)) =
                found.last_mut().filter(|_| is_ours && !line.is_empty())
            {
                lines.push(line.to_owned());
            }
        }
    }
    found
}

/// Whether a line is as quoted; `…` stands for any text.
fn is_as_quoted(line: &str, quoted: &str) -> bool {
    let mut rest = line.trim();
    let parts: Vec<&str> = quoted.split('…').map(str::trim).collect();
    for (at, part) in parts.iter().enumerate() {
        match rest.find(part) {
            Some(found) if at > 0 || found == 0 => rest = &rest[found + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || parts.last().is_some_and(|last| last.is_empty())
}

/// The page leads through four broken files, which a script makes.
#[test]
#[cfg_attr(windows, ignore = "Python has another name")]
fn the_walk_through_broken_files_quotes_what_is_printed() {
    let script = root().join("scripts/broken-exports.py");
    let folder = Folder::new();
    folder.put_bytes("sample.glb", &sample_as_glb());
    let mut python = std::process::Command::new("python3");
    python.arg(script).args(["sample.glb", "."]).current_dir(folder.path(""));
    let made = python.output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let page = std::fs::read_to_string(root().join("docs/looks-wrong.md")).unwrap();
    let mut num_lines = 0;
    for (command, quoted) in
        quoted_outputs(&page).iter().filter(|(command, _)| !command.contains("assets/"))
    {
        let arguments = arguments(command);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = folder.run(&arguments);
        let mut lines = ran.stdout.lines();
        let mut is_first = true;
        for quoted in quoted.iter().filter(|line| *line != "…") {
            let line =
                if is_first { lines.next() } else { lines.find(|line| is_as_quoted(line, quoted)) };
            let is_there = line.is_some_and(|line| is_as_quoted(line, quoted));
            assert!(is_there, "rigscope {command}\n{quoted}\nis not in\n{}", ran.stdout);
            is_first = false;
            num_lines += 1;
        }
    }
    assert!(num_lines > 10, "{num_lines} lines were compared");
}

#[test]
fn commands_are_found_in_blocks_and_sentences() {
    let page = "a `rigscope info FILE` b `rigscope = 1`\n```console\n$ rigscope info a.glb | jq .\n$ cp a b\n\
                $ rigscope pose a.glb \\\n    -o 'b c.obj'\n```\n```sh\nfind x | rigscope validate --files-from - > y\n\
                ```\n```toml\nrigscope x\n```\n";
    let found = commands_of_blocks(page);
    assert_eq!(found, ["info a.glb", "pose a.glb      -o 'b c.obj'", "validate --files-from -"]);
    assert_eq!(arguments(&found[1]), ["pose", "a.glb", "-o", "b c.obj"]);
    assert_eq!(commands_of_spans(page), ["info FILE"]);
    assert_eq!(arguments("convert IN -o OUT.obj"), ["convert", "hero.glb", "-o", "out.obj"]);
}
