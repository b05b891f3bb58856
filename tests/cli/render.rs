//! `render`.

use super::runner::Folder;
use crate::support::fixtures;

#[cfg(not(feature = "gpu"))]
#[test]
fn a_build_without_gpu_says_so_and_exits_3() {
    let folder = Folder::with(&fixtures::two_triangles());
    let ran = folder.run_to(3, &["render", "a.bsm2", "-o", "out.png"]);
    assert!(
        ran.stderr.contains("without the feature `gpu`"),
        "{}",
        ran.stderr
    );
    let gpu = ["pose", "a.bsm2", "-o", "out.json", "--skin", "gpu"];
    folder.run_to(3, &gpu);
    folder.run_to(3, &["view", "a.bsm2"]);
    assert_eq!(folder.names(), ["a.bsm2"]);
}
