//! Imports between source files, from `use` lines and paths in code, followed through re-exports to the file that
//! defines the item.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{code, source_files};

/// The path of a module in the crate; a `mod.rs` has the path of its folder.
pub(super) type Module = Vec<String>;

/// The modules of the crate.
pub(super) struct Sources {
    modules: BTreeMap<Module, Code>,
}

/// The code of one file.
struct Code {
    /// Names of defined items.
    items: BTreeSet<String>,
    /// Imported paths, with the local name of each; `*` for glob imports.
    uses: Vec<(Vec<String>, String)>,
    /// Paths that are spelled out in the code.
    paths: Vec<Vec<String>>,
}

impl Sources {
    /// All files of `src` that are not only for tests.
    pub(super) fn of_package() -> Self {
        let files = source_files();
        let is_test: BTreeSet<Module> = (files.iter())
            .flat_map(|(path, text)| {
                let module = module_of(path);
                let names = test_modules(text).map(str::to_owned).collect::<Vec<_>>();
                names.into_iter().map(move |name| [module.clone(), vec![name]].concat())
            })
            .collect();
        let is_test = |module: &Module| (1..=module.len()).any(|n| is_test.contains(&module[..n]));
        Self::new(files.iter().filter(|(path, _)| !is_test(&module_of(path))))
    }

    /// Files by their paths below `src`, with their texts.
    pub(super) fn new<'a>(files: impl Iterator<Item = &'a (String, String)>) -> Self {
        let modules = files.map(|(path, text)| (module_of(path), Code::of(&code(text))));
        Self { modules: modules.collect() }
    }

    /// Each module with those whose items it names.
    pub(super) fn imports(&self) -> BTreeMap<&Module, BTreeSet<&Module>> {
        let of = |(module, code): (&'_ Module, &Code)| -> BTreeSet<&Module> {
            let used = code.uses.iter().map(|(path, _)| path);
            let found = used.chain(&code.paths).filter_map(|path| self.resolve(module, path, 0));
            found.filter(|found| *found != module).collect()
        };
        self.modules.iter().map(|entry| (entry.0, of(entry))).collect()
    }

    /// The module that defines the item at `path` in `module`; `None` for other crates.
    fn resolve(&self, module: &[String], path: &[String], depth: usize) -> Option<&Module> {
        let num_above = path.iter().take_while(|name| *name == "super").count();
        let (base, mut rest) = match path.first()?.as_str() {
            "crate" => (root_of(module), &path[1..]),
            "self" => (module, &path[1..]),
            // Cargo rejects circles between crates.
            name if name.starts_with("rigscope_") => return None,
            _ => (&module[..module.len().checked_sub(num_above)?], &path[num_above..]),
        };
        let mut at = base.to_vec();
        while let Some((name, others)) = rest.split_first() {
            let inside = [at.clone(), vec![name.clone()]].concat();
            if !self.modules.contains_key(&inside) {
                break;
            }
            (at, rest) = (inside, others);
        }
        if rest.len() == path.len() {
            // Neither a module here nor a way to one.
            return None;
        }
        let (found, code) = self.modules.get_key_value(&at)?;
        let (Some((name, others)), 0..8) = (rest.split_first(), depth) else { return Some(found) };
        // An item of another module is resolved by its name there.
        let by_name = || {
            let (path, _) = code.uses.iter().find(|(_, own)| own == name)?;
            self.resolve(found, &[path, others].concat(), depth + 1)
        };
        let by_glob = || {
            let mut globs = code.uses.iter().filter(|(_, own)| own == "*");
            let found = |(path, _): &(Vec<String>, String)| {
                let found = self.resolve(found, &[path, rest].concat(), depth + 1)?;
                self.modules[found].items.contains(name).then_some(found)
            };
            globs.find_map(found)
        };
        by_name().or_else(by_glob).or(Some(found))
    }
}

/// The path of the root of a module's crate: empty for crates whose modules are known by their own names.
fn root_of(module: &[String]) -> &[String] {
    let has_own_name = |name: &String| ["cli", "gpu", "rigscope", "state"].contains(&&**name);
    &module[..usize::from(module.first().is_some_and(has_own_name))]
}

impl Code {
    fn of(code: &str) -> Self {
        let (mut uses, mut rest) = (Vec::new(), String::new());
        let mut lines = code.lines();
        while let Some(line) = lines.next() {
            let Some(tree) = use_tree(line) else {
                rest.push_str(line);
                rest.push('\n');
                continue;
            };
            let mut tree = tree.to_owned();
            while !tree.contains(';') {
                tree.push_str(lines.next().unwrap_or(";"));
            }
            expand(&[], tree.split(';').next().unwrap_or_default(), &mut uses);
        }
        Self { items: items_in(&rest), uses, paths: paths_in(&rest) }
    }
}

fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let names = path.split('/').map(str::to_owned).filter(|name| name != "mod" && name != "lib");
    names.collect()
}

/// Modules of a file that only tests see.
fn test_modules(text: &str) -> impl Iterator<Item = &str> {
    text.split("#[cfg(test)]\n").skip(1).filter_map(|after| {
        let (_, name) = after.lines().next()?.split_once("mod ")?;
        name.strip_suffix(';')
    })
}

/// The rest of a line after `use`.
fn use_tree(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = line.strip_prefix("pub").map_or(line, |rest| {
        rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest)
    });
    line.trim_start().strip_prefix("use ")
}

/// Adds each path of a tree of imports, with the name that it has afterwards.
fn expand(before: &[String], tree: &str, uses: &mut Vec<(Vec<String>, String)>) {
    let names = |path: &str| -> Vec<String> {
        let names = path.split("::").map(|name| name.trim().to_owned());
        before.iter().cloned().chain(names.filter(|name| !name.is_empty())).collect()
    };
    if let Some((head, list)) = tree.split_once('{') {
        let head = names(head);
        let list = list.rsplit_once('}').map_or(list, |(list, _)| list);
        let mut depth = 0;
        let split = list.split(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        split.filter(|tree| !tree.trim().is_empty()).for_each(|tree| expand(&head, tree, uses));
        return;
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path = names(path);
    path.pop_if(|last| last == "self");
    let mut name = name.trim().to_owned();
    if name.is_empty() {
        name = path.last().cloned().unwrap_or_default();
    }
    path.pop_if(|last| last == "*");
    uses.push((path, name));
}

/// Names of types, functions and the like that code defines.
fn items_in(code: &str) -> BTreeSet<String> {
    let kinds = ["struct", "enum", "trait", "type", "fn", "const", "static", "mod"];
    let words = code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
    let mut before = "";
    let names = words.filter(|word| kinds.contains(&std::mem::replace(&mut before, word)));
    names.map(str::to_owned).collect()
}

/// Paths in code that begin at the crate or at a module above.
fn paths_in(code: &str) -> Vec<Vec<String>> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = code.split(|c| !is_path(c));
    let paths = words.map(|word| word.split("::").map(str::to_owned).collect::<Vec<_>>());
    let begins = |path: &Vec<String>| ["crate", "super", "self"].contains(&&*path[0]);
    paths.filter(|path| path.len() > 1 && begins(path)).collect()
}

#[test]
fn imports_in_every_notation_resolve_to_the_defining_file() {
    let files = [
        ("lib.rs", "pub mod a;\npub mod z;\npub use a::deep::Deep;"),
        ("z.rs", "pub struct Z;"),
        (
            "a/mod.rs",
            "mod low;\nmod deep;\n#[cfg(test)]\nmod tests;\npub use deep::{Deep as Renamed, inner::In};",
        ),
        ("a/low.rs", "pub struct Low;"),
        ("a/deep/mod.rs", "mod inner;\npub use self::inner::In;\npub struct Deep;"),
        ("a/deep/inner.rs", "use super::super::{low::{Low, *}, super::z};\npub struct In;"),
        ("a/list.rs", "use super::{\n    low::{self, Low},\n    Renamed,\n};"),
        ("a/path.rs", "fn f(x: crate::a::In, y: Option<crate::Deep>) { super::low::g() }"),
        ("a/glob/mod.rs", "mod one;\nmod two;\npub use one::*;\npub use two::*;"),
        ("a/glob/one.rs", "pub struct One;"),
        ("a/glob/two.rs", "pub enum Two {}"),
        ("a/user.rs", "use super::glob::{One as Uno, Two};"),
        (
            "a/other.rs",
            "use std::fmt;\n// use super::low;\npub(super) use crate::{a::{low}, z::Z};",
        ),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let sources = Sources::new(files.iter());
    let imports = sources.imports();
    let of = |path: &str| -> Vec<String> {
        imports[&module_of(path)].iter().map(|module| module.join("/")).collect()
    };
    assert_eq!(of("a/deep/inner.rs"), ["a/low", "z"]);
    assert_eq!(of("a/list.rs"), ["a/deep", "a/low"]);
    assert_eq!(of("a/path.rs"), ["a/deep", "a/deep/inner", "a/low"]);
    assert_eq!(of("a/other.rs"), ["a/low", "z"]);
    assert_eq!(of("a/user.rs"), ["a/glob/one", "a/glob/two"]);
    assert_eq!(of("lib.rs"), ["a/deep"]);
    assert!(of("z.rs").is_empty());
    let names: Vec<&str> = test_modules(&files[2].1).collect();
    assert_eq!(names, ["tests"]);
}
