//! `bench`.

use super::runner::{Folder, Ran};
use crate::support::fixtures;

fn bench(more: &[&str]) -> Ran {
    let folder = Folder::with(&fixtures::two_triangles());
    folder.run_to(0, &[&["bench", "a.bsm2", "--only-file"], more].concat())
}

/// Every time is there, and the limit and its share come from one another.
#[track_caller]
fn names_of_rows(ran: &Ran) -> Vec<String> {
    let bench: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(bench["schema"], "rigscope.bench/1");
    let rows = bench["rows"].as_array().unwrap();
    let name = |row: &serde_json::Value| {
        let number = |name: &str| row[name].as_f64().unwrap_or_else(|| panic!("{name}: {row}"));
        assert_eq!(row["unit"], "ms");
        assert!(number("min") > 0.0 && number("min") <= number("median"), "{row}");
        assert!(number("work") > 0.0 && number("limit") > 0.0, "{row}");
        assert!((number("of_limit") * number("median") - number("limit")).abs() < 1e-9, "{row}");
        row["name"].as_str().unwrap().to_owned()
    };
    rows.iter().map(name).collect()
}

#[test]
#[cfg_attr(not(feature = "gpu"), ignore = "no feature gpu")]
#[cfg_attr(no_gpu, ignore = "no GPU")]
fn bench_measures_each_step_against_its_limit() {
    let ran = bench(&["--json"]);
    let names = names_of_rows(&ran);
    let steps = ["read", "skin on the CPU", "skin on the GPU, step", "skin on the GPU, linear"];
    let pictures = ["image of 1000 x 600", "PNG of 1000 x 600"];
    assert_eq!(names[..6], [&steps[..], &pictures[..]].concat());
    let bench: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    for fact in ["name", "backend", "type"] {
        assert!(!bench["adapter"][fact].as_str().unwrap().is_empty(), "{fact}");
    }
    let text = bench_text();
    assert!(text.contains("of limit") && text.contains("skin on the GPU, step"), "{text}");
}

fn bench_text() -> String {
    bench(&[]).stdout
}

#[cfg(not(feature = "gpu"))]
#[test]
fn without_gpu_only_the_cpu_is_measured() {
    let ran = bench(&["--json"]);
    assert_eq!(names_of_rows(&ran), ["read", "skin on the CPU"]);
    assert!(ran.stdout.contains("\"adapter\": null"), "{}", ran.stdout);
    assert!(ran.stderr.contains("without the feature `gpu`"), "{}", ran.stderr);
    assert!(bench_text().contains("skin on the CPU"));
}
