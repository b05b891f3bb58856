//! Which formats claim which files, over all samples and without looking at names.

use rigscope::formats::{Confidence, FORMATS, ProbeInput, Source, candidates};

use crate::support::{files_below, samples};

/// The id of the format that a sample is in, by the folder and extension that people gave it.
fn truth(path: &std::path::Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "bsm" => Some("bsm"),
        "bsm2" => Some("bsm2"),
        "iqm" => Some("iqm"),
        _ => None,
    }
}

#[test]
fn every_sample_is_claimed_by_its_own_format_and_by_no_other() {
    let Some(folder) = samples() else { return };
    let (mut own, mut foreign) = (0, 0);
    for path in files_below(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        let truth = truth(&path);
        for format in FORMATS {
            let confidence = format.probe(&ProbeInput::of(&bytes));
            let is_own = truth == Some(format.info().id);
            let id = format.info().id;
            match is_own {
                true => assert_eq!(confidence, Confidence::Strong, "{id} {}", path.display()),
                false => assert_eq!(confidence, Confidence::No, "{id} {}", path.display()),
            }
            own += usize::from(is_own);
            foreign += usize::from(!is_own);
        }
        // Content decides, whatever the name says.
        let misnamed = candidates(&Source::new("model.unknown", bytes));
        assert_eq!(
            misnamed.first().map(|c| c.format.info().id),
            truth,
            "{}",
            path.display()
        );
    }
    assert!(
        own > 10 && foreign > 50,
        "the table has {own} own and {foreign} foreign rows"
    );
}
