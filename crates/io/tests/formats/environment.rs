//! Requires the samples on CI machines, unless they are disabled explicitly.

use crate::support::is_set;

#[test]
fn ci_has_the_samples_or_declares_that_it_has_none() {
    let is_stated = std::env::var_os("RIGSCOPE_SAMPLES").is_some_and(|value| value == "none");
    assert!(
        cfg!(has_samples) || is_stated || !is_set("CI"),
        "set RIGSCOPE_SAMPLES to the folder of the samples, or to `none` if you don't have them"
    );
}
