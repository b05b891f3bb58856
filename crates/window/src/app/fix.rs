//! Fixes the file of a document, on a separate thread.

use super::document_loading::opened;
use rigscope_core::diagnose::Context;
use rigscope_core::model::numbers::grouped;
use rigscope_core::model::{Report, counted};
use rigscope_io::files::{ClaimedPaths, Inputs, SaveError, check_target, outputs_of, save_set};
use rigscope_io::fix::{FixKind, FixOptions, FixResult, fix};
use rigscope_io::open::conversion_files;
use rigscope_state::{FixOutcome, FixRequest, LoadFailure};

/// Reads the file again, fixes it, and saves the result unless it is a trial; an error is a sentence.
///
/// The user has agreed to overwrite the main file, but no other files in its folder.
pub(super) fn fix_file(
    request: &FixRequest,
    inputs: &Inputs,
    report: &Report,
) -> Result<FixOutcome, String> {
    let refused = |error: SaveError| error.in_window();
    if !request.is_trial {
        check_target(&request.path, true, inputs).map_err(refused)?;
    }
    let (opener, file) =
        opened(&request.target, &request.options, report).map_err(|failure| match failure {
            LoadFailure::Cancelled => "cancelled".to_owned(),
            LoadFailure::Failed { message, .. } => message,
        })?;
    let document = opener.read(&file, &report.quiet()).map_err(|error| error.to_string())?;
    let options =
        FixOptions { choice: request.choice.clone(), context: Context::default(), diagnosis: None };
    let claims = ClaimedPaths::default();
    let files = || conversion_files(&document, &request.path, false, claims.clone());
    let result =
        fix(&file, &document, &options, &files, report).map_err(|error| error.to_string())?;
    let mut lines = lines(&result);
    let Some(written) = &result.written else {
        if lines.is_empty() {
            lines.push("Nothing to fix".to_owned());
        }
        return Ok(FixOutcome { files: Vec::new(), lines });
    };
    lines.push(if written.is_patched {
        format!("Changed {}", counted(written.num_changed, "byte"))
    } else {
        "Rewrote the file".to_owned()
    });
    let moved = result.moved_text(&document.model);
    lines.push(format!("Result: {moved}"));
    let outputs = outputs_of(&written.files, &request.path, true, false);
    if !request.is_trial {
        save_set(&outputs, inputs).map_err(refused)?;
    }
    Ok(FixOutcome {
        files: outputs.iter().rev().map(|output| output.path.clone()).collect(),
        lines,
    })
}

/// The applied fixes, the rejected ones, and the losses of a rewritten file, one line each.
fn lines(result: &FixResult) -> Vec<String> {
    let applied = result.applied.iter().map(|fix| match fix.count {
        count if fix.kind == FixKind::Finding => format!("Fixed {} ({})", fix.name, grouped(count)),
        _ => format!("Fixed {}", fix.name),
    });
    let refused =
        result.refused.iter().map(|fix| format!("Not fixed: {}: {}", fix.name, fix.reason));
    // The rest of the findings that must be named is listed in the Findings pane.
    let guesses = result.offered.iter().filter(|fix| fix.is_guess).map(|fix| {
        let pane = if fix.kind == FixKind::Finding { "Findings" } else { "Diagnosis" };
        format!("A guess, not applied: {}; fix it in the {pane} pane if it is right", fix.name)
    });
    let losses = result.written.iter().flat_map(|written| &written.losses);
    let losses = losses.map(|loss| format!("Lost: {loss}"));
    applied.chain(refused).chain(guesses).chain(losses).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rigscope_io::OpenOptions;
    use rigscope_io::fix::Choice;
    use rigscope_state::{JobId, Origin};

    #[test]
    fn a_fixed_copy_is_saved_and_the_source_remains() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("hero.bsm2");
        let mut bytes = rigscope_assets::SAMPLE.to_vec();
        // A weight of the first vertex, after six counts and 28 bytes of other attributes.
        bytes[24 + 28] = 3;
        std::fs::write(&source, &bytes).unwrap();
        let request = |path| FixRequest {
            id: JobId::default(),
            target: Origin::File(source.clone()),
            options: OpenOptions::default(),
            choice: Choice::codes(["weights-not-normalized".to_owned()]),
            path,
            is_trial: false,
        };
        let fixed = folder.path().join("fixed.bsm2");
        let inputs = Inputs::of([&source]);
        let outcome = fix_file(&request(fixed.clone()), &inputs, &Report::new()).unwrap();
        assert_eq!(outcome.files, std::slice::from_ref(&fixed));
        assert_eq!(outcome.lines[0], "Fixed weights-not-normalized (1)");
        assert_eq!(std::fs::read(&source).unwrap(), bytes);
        let result = std::fs::read(&fixed).unwrap();
        assert_eq!(result.len(), bytes.len());
        assert!(result[..52] == bytes[..52] && result[56..] == bytes[56..]);
        let untouched = folder.path().join("trial.bsm2");
        let trial = FixRequest { is_trial: true, ..request(untouched.clone()) };
        assert_eq!(
            fix_file(&trial, &inputs, &Report::new()).unwrap().files,
            std::slice::from_ref(&untouched)
        );
        assert!(!untouched.exists());
        let error = fix_file(&request(source.clone()), &inputs, &Report::new()).unwrap_err();
        assert!(error.contains("never overwritten"), "{error}");
    }
}
