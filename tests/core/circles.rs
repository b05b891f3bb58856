//! Files of one folder do not import one another in circles, where ARCHITECTURE.md says so.

use std::collections::{BTreeMap, BTreeSet};

use super::layers::{code, names_after, source_files};

/// Folders of `src` without circles among what lies right in them.
const FOLDERS: &[&str] =
    &["bake", "bake/pack", "convert", "files", "measure", "validate", "visual"];

/// What each file or folder right in `folder` imports of the others.
fn imports(folder: &str) -> BTreeMap<String, BTreeSet<String>> {
    let inside = format!("{folder}/");
    let is_test = |path: &str| {
        path.ends_with("tests.rs") || path.contains("/tests/") || path.contains("fixture")
    };
    let files: Vec<(String, String)> = source_files()
        .into_iter()
        .filter(|(path, _)| !is_test(path))
        .filter_map(|(path, text)| {
            Some((path.strip_prefix(&inside)?.trim_end_matches(".rs").to_owned(), code(&text)))
        })
        .collect();
    let child = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, _) in files.iter().filter(|(path, _)| path != "mod") {
        found.entry(child(path)).or_default();
    }
    // What the folder itself hands on, by who has it.
    let root = files.iter().find(|(path, _)| path == "mod").map_or("", |(_, code)| code);
    let mut handed_on = BTreeMap::new();
    for name in found.keys() {
        for item in names_after(root, &format!("{name}::")) {
            handed_on.insert(item.to_owned(), name.clone());
        }
    }
    let whole = format!("crate::{}::", folder.replace('/', "::"));
    for (path, code) in files.iter().filter(|(path, _)| path != "mod") {
        let own = child(path);
        let depth = path.split('/').count() - usize::from(path.ends_with("/mod"));
        let above = "super::".repeat(depth);
        let names = [names_after(code, &whole), names_after(code, &above)].concat();
        for name in names {
            let target = match found.contains_key(name) {
                true => Some(name),
                false => handed_on.get(name).map(String::as_str),
            };
            if let Some(target) = target.filter(|target| *target != own) {
                found.entry(own.clone()).or_default().insert(target.to_owned());
            }
        }
    }
    found
}

/// What is left when all that imports nothing that is left is taken away.
fn in_circles(mut left: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let ends: Vec<String> = left
            .iter()
            .filter(|(_, imports)| !imports.iter().any(|name| left.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        if ends.is_empty() {
            return left;
        }
        left.retain(|name, _| !ends.contains(name));
    }
}

#[test]
fn files_of_a_folder_import_one_another_one_way() {
    for folder in FOLDERS {
        let found = imports(folder);
        let num_imports: usize = found.values().map(BTreeSet::len).sum();
        assert!(num_imports > 0, "nothing is seen in {folder}");
        let left = in_circles(found);
        assert!(left.is_empty(), "circles in src/{folder}, or on the way to one: {left:#?}");
    }
}

#[test]
fn a_circle_is_found() {
    let of = |pairs: &[(&str, &str)]| {
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (from, to) in pairs {
            found.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            found.entry((*to).to_owned()).or_default();
        }
        in_circles(found).into_keys().collect::<Vec<_>>()
    };
    assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "b")]), ["a", "b", "c"]);
}
