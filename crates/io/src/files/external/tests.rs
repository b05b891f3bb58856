//! With programs of the shell.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{ExternalReaders, ReaderFault, ReaderOutput};
use crate::files::FileError;
use rigscope_core::model::{CancelToken, Report};

/// Readers of the extension `x`: each is a shell script with the file as `$1`.
fn readers(folder: &Path, script: &str, more: &str) -> ExternalReaders {
    std::fs::write(folder.join("read.sh"), script).unwrap();
    let text = format!(
        "[readers.shell]\ncommand = [\"sh\", \"read.sh\", \"{{file}}\"]\nextensions = [\"x\"]\n{more}"
    );
    ExternalReaders::parse(folder, &text).unwrap()
}

fn run(script: &str, more: &str) -> Result<ReaderOutput, FileError> {
    run_cancelled(script, more, &CancelToken::default())
}

fn run_cancelled(
    script: &str,
    more: &str,
    cancel: &CancelToken,
) -> Result<ReaderOutput, FileError> {
    let folder = tempfile::tempdir().unwrap();
    let models = tempfile::tempdir().unwrap();
    let path = models.path().join("a b'$c.X");
    std::fs::write(&path, "bytes").unwrap();
    let readers = readers(folder.path(), script, more);
    let report = Report::with_progress(|_| {}, cancel.clone());
    readers.read(&path, &report).expect("the reader claims the extension")
}

fn fault(result: Result<ReaderOutput, FileError>) -> ReaderFault {
    match result.unwrap_err() {
        FileError::Reader(fault) => *fault.downcast().unwrap(),
        other => panic!("{other}"),
    }
}

#[test]
fn output_and_warnings_are_those_of_the_program() {
    let output = run("cat \"$1\"; echo one >&2; echo >&2; echo two >&2", "").unwrap();
    assert_eq!((output.bytes, output.file_bytes), (b"bytes".to_vec(), 5));
    assert_eq!(output.warnings, ["one", "two"]);
}

#[test]
fn a_failure_has_the_last_line_of_the_message() {
    let fault = fault(run("echo Traceback >&2; echo 'line 3: no bones' >&2; exit 1", ""));
    assert_eq!(fault.to_string(), "the reader shell failed: line 3: no bones");
    let silent = run("exit 7", "").unwrap_err().to_string();
    assert!(silent.contains("7") && silent.contains("without a message"), "{silent}");
}

#[test]
fn time_memory_and_output_are_limited() {
    let start = Instant::now();
    // The shell starts a separate process for the sleep, which must end as well.
    let slow = fault(run("sleep 100; true", "timeout_secs = 0.3"));
    assert!(matches!(slow, ReaderFault::Timeout { .. }), "{slow}");
    let much = fault(run("cat /dev/zero", "memory_mib = 8"));
    assert!(matches!(much, ReaderFault::TooLarge { what: "printed", .. }), "{much}");
    let large = "x=$(head -c 1000000 /dev/zero | tr '\\0' x); while true; do x=$x$x; done";
    let large = fault(run(large, "memory_mib = 64"));
    assert!(matches!(large, ReaderFault::TooLarge { what: "used", .. }), "{large}");
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_cancelled_reading_stops_the_program() {
    let cancel = CancelToken::default();
    cancel.cancel();
    let start = Instant::now();
    let result = run_cancelled("sleep 100", "", &cancel);
    assert!(matches!(result, Err(FileError::Cancelled)), "{result:?}");
    assert!(start.elapsed() < Duration::from_secs(50));
}

#[test]
fn a_missing_program_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.x");
    std::fs::write(&path, "bytes").unwrap();
    let text = "[readers.none]\ncommand = [\"no-such-program\", \"{file}\"]\nextensions = [\"x\"]";
    let readers = ExternalReaders::parse(folder.path(), text).unwrap();
    let error = readers.read(&path, &Report::new()).unwrap().unwrap_err().to_string();
    assert!(error.contains("none can't be started: no-such-program: no such file"), "{error}");
}

#[test]
fn a_magic_decides_before_extensions() {
    let text = "[readers.a]\ncommand = [\"a\", \"{file}\"]\nextensions = [\"x\"]\n\
                [readers.b]\ncommand = [\"b\", \"{file}\"]\nmagic = \"BB\"\n\
                [readers.c]\ncommand = [\"c\", \"{file}\"]\nextensions = [\"y\"]\nmagic = \"CC\"\n";
    let readers = ExternalReaders::parse(Path::new(""), text).unwrap();
    let name = |file: &str, front: &[u8]| {
        let program = readers.program(file, || Some(front.to_vec()));
        program.map(|program| program.name.clone())
    };
    assert_eq!(name("1.X", b"??").as_deref(), Some("a"));
    assert_eq!(name("1.x", b"BBB").as_deref(), Some("b"));
    assert_eq!(name("1.y", b"CC").as_deref(), Some("c"));
    assert_eq!(name("1.y", b"??"), None);
    assert_eq!(readers.extensions().collect::<Vec<_>>(), ["x", "y"]);
}
