//! Commands that messages suggest run as they are printed, in a shell.

use super::runner::{Folder, Ran};
use crate::support::fixtures;

/// Runs all commands that a run suggests, and returns their number.
fn run_suggestions(folder: &Folder, ran: &Ran) -> usize {
    let commands = ran.suggestions();
    for command in &commands {
        let ran = folder.run_in_shell(command);
        assert!(ran.code <= 1, "{command}\n{}{}", ran.stdout, ran.stderr);
    }
    commands.len()
}

#[test]
fn a_new_project_is_led_through_its_commands() {
    for (name, project) in [("in", "."), ("it's $1", "it's $1"), ("in", "in")] {
        let folder = Folder::new();
        folder.put(&format!("{name}/a.bsm2"), &fixtures::with_zero_normal());
        let ran = folder.run_to(0, &["init", project]);
        assert_eq!(run_suggestions(&folder, &ran), 2, "{}", ran.stderr);
        assert!(folder.path("rigscope.lock.jsonl").exists());
        let ran = folder.run_to(0, &["baseline", name, "-o", "other.jsonl"]);
        assert_eq!(run_suggestions(&folder, &ran), 1, "{}", ran.stderr);
    }
}

#[test]
fn a_check_suggests_the_command_that_makes_it_pass() {
    let folder = Folder::new();
    folder.put("in/a.bsm2", &fixtures::two_triangles());
    let check = ["check", "in", "--baseline", "my lock.jsonl"];
    let ran = folder.run_to(2, &check);
    assert_eq!(run_suggestions(&folder, &ran), 1, "{}", ran.stderr);
    folder.run_to(0, &check);
    folder.put("in/a.bsm2", &fixtures::with_hierarchy());
    let ran = folder.run_to(1, &check);
    assert_eq!(run_suggestions(&folder, &ran), 1, "{}", ran.stdout);
    folder.run_to(0, &check);
}

#[test]
fn findings_lead_to_their_fixes() {
    let folder = Folder::new();
    for name in ["a.bsm2", "b c.bsm2"] {
        folder.put(name, &fixtures::with_zero_normal());
        let ran = folder.run(&["validate", name]);
        let fixes = ran.suggestions();
        assert!(fixes.iter().any(|fix| fix.contains(" --rule zero-normal ")), "{fixes:?}");
        assert!(run_suggestions(&folder, &ran) > 0, "{}", ran.stdout);
    }
    assert_eq!(folder.names(), ["a-fixed.bsm2", "a.bsm2", "b c-fixed.bsm2", "b c.bsm2"]);
    let left = folder.run(&["validate", "a-fixed.bsm2"]).stdout;
    assert!(!left.contains("zero-normal"), "{left}");
    let text = folder.run_to(0, &["rules", "zero-normal"]).stdout;
    assert!(text.contains("Command: rigscope fix FILE -o OUT --rule zero-normal\n"), "{text}");
    let text = folder.run_to(0, &["rules", "missing-skeleton"]).stdout;
    assert!(!text.contains("Command:"), "{text}");
}
