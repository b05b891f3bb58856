//! Messages about wrong input: each states what is wrong, where, and what to do.

use super::runner::Folder;

/// A case: the arguments, and parts of the message about the subject, the problem and the remedy.
type Case = (&'static [&'static str], [&'static str; 3]);

const CASES: &[Case] = &[
    (&["info", "text.fbx"], ["text.fbx: error: ", "not an FBX file", "(it looks like text)"]),
    (
        &["info", "empty.glb"],
        ["empty.glb: error: ", "the file is empty (0 bytes)", "Export it again"],
    ),
    (
        &["info", "cut.glb"],
        ["cut.glb: error: ", "truncated glTF file: 5,000 of 386,944 bytes", "Export it again"],
    ),
    (
        &["info", "a.blend"],
        ["a.blend: error: ", "Blender files can't be read", "export glTF or FBX from Blender"],
    ),
    (
        &["info", "a.dae"],
        [
            "a.dae: error: ",
            "COLLADA files need the reader of the Python package",
            "export glTF or FBX instead",
        ],
    ),
    (
        &["info", "a.abc"],
        [
            "a.abc: error: ",
            "Alembic caches can't be read",
            "import them into Blender and export glTF",
        ],
    ),
    (
        &["convert", "hero.glb", "-o", "x.fbx"],
        ["x.fbx: error: ", "FBX is read-only", "writable formats: bsm2, obj, gltf"],
    ),
    (
        &["convert", "hero.glb", "-o", "x.xyz"],
        ["x.xyz: error: ", "no format is written as .xyz", "writable formats: bsm2, obj, gltf"],
    ),
    (
        &["valdate", "hero.glb"],
        ["error: ", "unknown command 'valdate'", "did you mean 'validate'?"],
    ),
    (
        &["convert", "hero.glb", "-o", "x.obj", "--clp", "walk"],
        ["error: ", "unexpected argument '--clp'", "a similar argument exists: '--clip'"],
    ),
    (
        &["validate", "hero.glb", "--allow", "zero-norma"],
        [
            "'--allow <CODE>'",
            "unknown finding or cause `zero-norma`",
            "did you mean `zero-normal`?",
        ],
    ),
    (
        &["pose", "hero.glb", "-o", "x.obj", "--clip", "wlk"],
        [
            "hero.glb: error: ",
            "there is no clip \"wlk\"",
            "the model has \"walk\" (0), \"wave\" (1)",
        ],
    ),
    (
        &["pose", "hero.glb", "-o", "x.obj", "--key", "-1"],
        ["'--key <NUMBER>'", "invalid value '-1'", "not a whole number of 0 or more"],
    ),
    (
        &["convert", "hero.glb", "-o", "hero.bsm2"],
        ["hero.bsm2: error: ", "the file already exists", "--force overwrites it"],
    ),
    (
        &["convert", "hero.glb", "-o", "nowhere/x.obj"],
        ["nowhere/x.obj: error: ", "the folder of this file doesn't exist", "create it first"],
    ),
    (
        &["convert", "twins", "--out-dir", "out", "--to", "obj", "--force"],
        [
            "hero.glb: error: ",
            "this file and twins/hero.bsm2 would both be written to out/hero.obj",
            "convert them separately",
        ],
    ),
    (
        &["validate", "nothing"],
        [
            "nothing: error: ",
            "the folder contains no model",
            "check the path, or pass --allow-empty",
        ],
    ),
    (
        &["info", "hero.png"],
        ["hero.png: error: ", "this is an image and not a model", "add it to a model with --with"],
    ),
];

/// `validate.rs` tests the messages of findings, `loss_list.rs` those of losses, and `render.rs` those of commands that
/// draw.
#[test]
fn quiet_commands_print_only_results_and_errors() {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    let pose = ["pose", "hero.bsm2", "-o", "-", "--to", "obj", "--clip", "0", "--time", "1000"];
    let ran = folder.run_to(0, &pose);
    assert!(ran.stderr.contains("warning: "), "{}", ran.stderr);
    let quiet = folder.run_to(0, &[&pose[..], &["-q"]].concat());
    assert_eq!((quiet.stdout, quiet.stderr.as_str()), (ran.stdout, ""));
    assert!(folder.run_to(2, &["info", "-q", "none.glb"]).stderr.contains("error: "));
    folder.run_to(2, &["info", "-q", "-v", "hero.bsm2"]);
}

#[test]
fn colours_can_be_switched_on_and_off() {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    let of = |when: &str| folder.run_to(0, &["info", "hero.bsm2", "--color", when]).stdout;
    assert!(of("always").contains("\u{1b}[1m"));
    assert!(!of("auto").contains('\u{1b}') && of("never") == of("auto"));
}

#[test]
fn a_log_file_gets_messages_and_is_only_appended_to() {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(2, &["info", "none.glb", "--log-file", "run.log"]);
    folder.run_to(0, &["info", "hero.bsm2", "--log-file", "run.log"]);
    let log = folder.read("run.log");
    assert_eq!(log.matches("# rigscope ").count(), 2, "{log}");
    assert!(log.contains("info none.glb --log-file run.log"), "{log}");
    assert!(log.contains("ERROR") && log.contains("none.glb: no such file"), "{log}");
    let ran = folder.run_to(2, &["info", "hero.bsm2", "--log-file", "hero.bsm2"]);
    assert!(ran.stderr.contains("isn't a log of rigscope"), "{}", ran.stderr);
    assert_eq!(folder.bytes("hero.bsm2"), rigscope_assets::SAMPLE);
}

#[test]
fn messages_state_the_place_the_problem_and_the_remedy() {
    let folder = Folder::new();
    folder.put_bytes("hero.bsm2", rigscope_assets::SAMPLE);
    folder.run_to(0, &["convert", "hero.bsm2", "-o", "hero.glb"]);
    let glb = folder.bytes("hero.glb");
    std::fs::create_dir(folder.path("twins")).unwrap();
    std::fs::create_dir(folder.path("nothing")).unwrap();
    for (name, bytes) in [
        ("text.fbx", &b"hello there, this is text"[..]),
        ("empty.glb", b""),
        ("cut.glb", &glb[..5000]),
        ("a.blend", b"BLENDER-v300"),
        ("a.dae", b"<?xml version=\"1.0\"?><COLLADA/>"),
        ("a.abc", b"Ogawa"),
        ("hero.png", b"\x89PNG\r\n\x1a\n"),
        ("twins/hero.bsm2", rigscope_assets::SAMPLE),
        ("twins/hero.glb", &glb),
    ] {
        folder.put_bytes(name, bytes);
    }
    for (args, parts) in CASES {
        let ran = folder.run_to(2, args);
        // Found paths have the separators of the system.
        let message = ran.stderr.replace('\\', "/");
        for part in parts {
            assert!(message.contains(part), "{args:?}: {part:?} is missing in: {message}");
        }
    }
}
