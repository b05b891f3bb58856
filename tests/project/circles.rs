//! Files and folders in the same folder don't import each other in circles.
//!
//! A `mod.rs` isn't compared with the files next to it, because it declares them and contains shared items. Its imports
//! count for its folder in the folder above.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Module, Sources};

/// Modules that import their siblings and are imported by them, because modules of `state` extend `AppState`. All other
/// imports go one way. `software` of `gpu` replaces steps of several modules.
const HUBS: &[(&str, &[&str])] =
    &[("gpu", &["software"]), ("state", &["action", "app_state", "apply", "tab", "view_state"])];

type Imports = BTreeMap<String, BTreeSet<String>>;

/// Imports between the direct children of `folder`.
fn inside(folder: &[String], imports: &BTreeMap<&Module, BTreeSet<&Module>>) -> Imports {
    let child = |module: &Module| module.strip_prefix(folder)?.first().cloned();
    let mut found = Imports::new();
    for (from, all) in imports {
        let Some(own) = child(from) else { continue };
        let others = all.iter().filter_map(|to| child(to)).filter(|other| *other != own);
        let others: Vec<String> = others.collect();
        found.entry(own).or_default().extend(others);
    }
    found
}

/// The modules in circles: those left after repeatedly removing modules without imports or importers.
fn in_circles(mut left: Imports) -> Imports {
    loop {
        let num = left.len();
        let imported: BTreeSet<String> = left.values().flatten().cloned().collect();
        left.retain(|name, _| imported.contains(name));
        let names: BTreeSet<String> = left.keys().cloned().collect();
        left.values_mut().for_each(|others| others.retain(|other| names.contains(other)));
        left.retain(|_, others| !others.is_empty());
        if left.len() == num {
            return left;
        }
    }
}

#[test]
fn files_of_a_folder_have_no_cyclic_imports() {
    let sources = Sources::of_package();
    let imports = sources.imports();
    let folders: BTreeSet<&[String]> =
        imports.keys().filter_map(|module| Some(module.split_last()?.1)).collect();
    let mut num_imports = 0;
    for folder in &folders {
        let mut found = inside(folder, &imports);
        num_imports += found.values().map(BTreeSet::len).sum::<usize>();
        let folder = folder.join("/");
        for (_, hub) in HUBS.iter().filter(|(of, _)| *of == folder) {
            hub.iter().for_each(|name| assert!(found.remove(*name).is_some(), "no {name}"));
        }
        let left = in_circles(found);
        assert!(left.is_empty(), "circles in src/{folder}: {left:#?}");
    }
    println!("{num_imports} imports between files and folders of {} folders", folders.len());
    assert!(num_imports > 1000, "imports are not seen");
}

#[test]
fn a_cycle_is_found() {
    let of = |pairs: &[(&str, &str)]| {
        let mut found = Imports::new();
        for (from, to) in pairs {
            found.entry((*from).to_owned()).or_default().insert((*to).to_owned());
            found.entry((*to).to_owned()).or_default();
        }
        in_circles(found).into_keys().collect::<Vec<_>>()
    };
    assert!(of(&[("a", "b"), ("b", "c"), ("a", "c")]).is_empty());
    assert_eq!(of(&[("a", "b"), ("b", "c"), ("c", "b"), ("c", "d")]), ["b", "c"]);
}
