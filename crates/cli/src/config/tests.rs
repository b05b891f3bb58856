//! Settings in text.

use super::*;
use rigscope_core::model::{FindingKind, Place};
use rigscope_core::policy::Denied;
use rigscope_core::project::BudgetItem;

#[test]
fn all_sections_are_read() {
    let text = "[validate]\nrules = [\"mesh\", \"readers\"]\nallow = ['zero-normal']\n\
                deny = [\"warnings\", \"no-clips\"]\n[runtimes]\nplay = ['three.js']\n\
                [budget]\ntriangles = 20000\nfile_size = '5 MB'\n\
                [budget.'props/**']\ntriangles = 2000\n[budget.'props/big/*']\ntriangles = 9000\n\
                [names]\nbones = ['Bip01*']\n\
                [[ignore]]\nrule = 'not-finite'\nfiles = ['old/*']\nreason = 'old'\n\
                [[ignore]]\nrule = 'no-clips'\nreason = 'x'\nuntil = 2001-01-31\n";
    let config = Config { file: parse(text).unwrap(), ..Config::default() };
    let options = &config.file.validate;
    assert_eq!(options.rules.len(), 2);
    assert_eq!(options.allow, [FindingKind::ZeroNormal]);
    assert_eq!(options.deny, [Denied::Warnings, Denied::Code(FindingKind::NoClips)]);
    assert_eq!(options.runtimes.len(), 1);
    let limit = |path: &str, item| config.file.rules(path, None).budget.limits[&item];
    assert_eq!(limit("a.glb", BudgetItem::Triangles), 20_000.0);
    assert_eq!(limit("props/x/a.glb", BudgetItem::Triangles), 2000.0);
    assert_eq!(limit("props/big/a.glb", BudgetItem::Triangles), 9000.0);
    assert_eq!(limit("props/big/a.glb", BudgetItem::FileSize), 5e6);
    assert!(config.file.ignored[0].applies_to("old/a.glb"));
    assert!(!config.file.ignored[0].applies_to("old/b/a.glb"));
    assert!(parse("").unwrap().rules("a", None).is_empty());
}

#[test]
fn exceptions_expire() {
    let text = "[[ignore]]\nrule = 'zero-normal'\nreason = 'x'\nuntil = '2999-12-31'\n\
                [[ignore]]\nrule = 'no-clips'\nreason = 'x'\nuntil = 2001-01-31\n";
    let config = Config { file: parse(text).unwrap(), ..Config::default() };
    let of_file = config.of(Path::new("a.glb"), &ValidateOptions::default());
    let finding = |kind| Finding::new(kind, Place::File, "found".to_owned(), 1);
    let kinds = [FindingKind::ZeroNormal, FindingKind::NoClips, FindingKind::NotFinite];
    let mut findings: Vec<Finding> = kinds.into_iter().map(finding).collect();
    of_file.apply(&mut findings);
    let messages: Vec<&str> = findings.iter().map(|finding| &*finding.message).collect();
    assert_eq!(messages, ["found (ignored until 2001-01-31, which is over)", "found"]);
}

#[test]
fn causes_are_allowed_and_ignored_like_findings() {
    let text = "[validate]\nallow = ['up-axis']\n\
                [[ignore]]\nrule = 'clip-shifted'\nfiles = ['old/*']\nreason = 'x'\n\
                [[ignore]]\nrule = 'keys-unit'\nreason = 'x'\nuntil = 2001-01-31\n";
    let config = Config { file: parse(text).unwrap(), ..Config::default() };
    let ignored =
        |path: &str, over: &ValidateOptions| config.of(Path::new(path), over).options.allow_causes;
    let none = ValidateOptions::default();
    assert_eq!(ignored("a.glb", &none), ["up-axis"]);
    let denied = ValidateOptions { deny_causes: vec!["up-axis"], ..ValidateOptions::default() };
    assert_eq!(ignored("a.glb", &denied), [""; 0]);
    let folder = Config { folder: std::env::current_dir().unwrap(), ..config };
    let options = folder.of(Path::new("old/a.glb"), &none).options;
    assert_eq!(options.allow_causes, ["up-axis", "clip-shifted"]);
}

#[test]
fn errors_have_line_and_column() {
    for (text, place, part) in [
        ("[validate]\nallow = [\"zero-normals\"]", (2, 10), "did you mean `zero-normal`"),
        ("[validate]\ndeny = [\n  \"no-clips\",\n  \"x\",\n]", (4, 3), "`x`"),
        ("[validate]\n\nalow = []", (3, 1), "did you mean `allow`"),
        ("[validate]\nallow = 3", (2, 9), "integer"),
        ("[validate]\nallow = [", (2, 10), ""),
        ("\n[budgets]\nx = 1", (2, 2), "did you mean `budget`"),
        ("[budget]\ntriangle = 1", (2, 1), "did you mean `triangles`"),
        ("[budget]\ntriangles = -1", (2, 13), "isn't negative"),
        ("[budget]\nfile_size = \"big\"", (2, 13), "64 MB"),
        ("[budget.'[']\ntriangles = 1", (1, 9), "isn't a pattern"),
        ("[names]\nbone = []", (2, 1), "did you mean `bones`"),
        ("[skeleton]\nfile = \"../x.glb\"", (2, 8), "in the folder"),
        ("[skeleton]\nfile = \"/etc/passwd\"", (2, 8), "in the folder"),
        ("[skeleton]\ntolerance = 0.5", (2, 1), "needs a file"),
        ("[runtimes]\nplay = [\"thre.js\"]", (2, 9), "thre.js"),
        ("[[ignore]]\nrule = \"no-clips\"", (2, 1), "needs a reason"),
        ("[[ignore]]\nreason = \"x\"", (2, 1), "needs a rule"),
        ("[validate]\nallow = [\"up-axs\"]", (2, 10), "did you mean `up-axis`"),
        ("[[ignore]]\nrule = \"up-axs\"\nreason = \"x\"", (2, 8), "finding or cause `up-axs`"),
        ("[[ignore]]\nrule = \"no-clip\"\nreason = \"x\"", (2, 8), "did you mean `no-clips`"),
        ("[[ignore]]\nrule = \"no-clips\"\nreason = \"x\"\nuntil = \"soon\"", (4, 9), "a day"),
    ] {
        let fault = parse(text).unwrap_err();
        let (line, column) = (place.0, Some(place.1));
        assert_eq!(fault.place, Place::Line { line, column }, "{text}: {fault:?}");
        assert!(fault.message.contains(part), "{fault:?}");
    }
}

#[test]
fn the_nearest_file_applies() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("a/b/c")).unwrap();
    std::fs::write(at("rigscope.toml"), "[validate]\nallow = ['no-clips']").unwrap();
    std::fs::write(at("a/b/rigscope.toml"), "").unwrap();
    let mut configs = Configs::new(None, &rigscope_io::files::Inputs::none()).unwrap();
    let num = |configs: &mut Configs, name: &str| {
        let config = configs.of(&at(name)).unwrap();
        config.of(&at(name), &ValidateOptions::default()).options.allow.len()
    };
    assert_eq!(num(&mut configs, "x.bsm2"), 1);
    assert_eq!(num(&mut configs, "a/x.bsm2"), 1);
    assert_eq!(num(&mut configs, "a/b/x.bsm2"), 0);
    assert_eq!(num(&mut configs, "a/b/c/x.bsm2"), 0);
}
