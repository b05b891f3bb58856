//! The files of a stage for the library, which asks for them by path: layers, packages and images.
//!
//! Invariant: the library opens no file itself. Layers come from the [`Source`], which only reads files in its folders,
//! and pass the guard before they are parsed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{Cursor, Error, Result};
use std::rc::Rc;
use std::sync::Arc;

use openusd::ar::{self, Asset, ResolvedPath, Resolver};

use super::guard::{Fault, check};
use super::package::Package;
use crate::formats::Source;

/// The most layers of a stage.
const MAX_LAYERS: usize = 4096;

/// The files of a stage, shared by the library and the reader.
#[derive(Clone)]
pub(super) struct Layers(Rc<State>);

struct State {
    source: Source,
    /// The identifier and content of the root layer, or of the package that contains it.
    main: (String, Arc<Vec<u8>>),
    packages: RefCell<HashMap<String, Option<Rc<Package>>>>,
    /// Bytes that further files may have.
    left_bytes: RefCell<u64>,
    num_layers: RefCell<usize>,
    fault: RefCell<Option<(String, Fault)>>,
}

impl Layers {
    /// The files around a stage of this name and content.
    pub(super) fn new(source: &Source, name: &str, content: Arc<Vec<u8>>, max_bytes: u64) -> Self {
        Self(Rc::new(State {
            source: source.clone(),
            main: (name.to_owned(), content),
            packages: RefCell::default(),
            left_bytes: RefCell::new(max_bytes),
            num_layers: RefCell::default(),
            fault: RefCell::default(),
        }))
    }

    /// Adds the package that is the main file.
    pub(super) fn add_package(&self, package: Package) {
        let name = self.0.main.0.clone();
        self.0.packages.borrow_mut().insert(name, Some(Rc::new(package)));
    }

    /// The root layer, and where it begins in the main file; `None` if it is compressed there.
    pub(super) fn root(&self) -> Option<(Arc<Vec<u8>>, u64)> {
        let (name, content) = &self.0.main;
        let packages = self.0.packages.borrow();
        match packages.get(name) {
            Some(Some(package)) => {
                Some((Arc::clone(package.file(&package.root)?), package.root_start?))
            }
            // The library also asks whether a layer is a package.
            _ => Some((Arc::clone(content), 0)),
        }
    }

    /// The first layer that the guard refused, and why.
    pub(super) fn fault(&self) -> Option<(String, Fault)> {
        self.0.fault.borrow().clone()
    }

    /// A file by its resolved path: the content, and whether it is part of a package.
    pub(super) fn file(&self, path: &str) -> Option<(Arc<Vec<u8>>, bool)> {
        let state = &self.0;
        if let Some((package, inner)) = ar::split_package_relative_path_outer(path) {
            return Some((Arc::clone(self.package(&package)?.file(&inner)?), true));
        }
        if path == state.main.0 {
            return Some((Arc::clone(&state.main.1), false));
        }
        let left = *state.left_bytes.borrow();
        let found = state.source.look_up_within(path, left).ok()?;
        let mut left = state.left_bytes.borrow_mut();
        *left = left.checked_sub(found.bytes.len() as u64)?;
        Some((found.bytes, false))
    }

    fn package(&self, path: &str) -> Option<Rc<Package>> {
        if let Some(known) = self.0.packages.borrow().get(path) {
            return known.clone();
        }
        let bytes = self.file(path).map(|(bytes, _)| bytes);
        let left = *self.0.left_bytes.borrow();
        let package = bytes.and_then(|bytes| Package::read(&bytes, left).ok()).map(Rc::new);
        self.0.packages.borrow_mut().insert(path.to_owned(), package.clone());
        package
    }

    fn exists(&self, path: &str) -> bool {
        match ar::split_package_relative_path_outer(path) {
            Some((package, inner)) => {
                self.package(&package).is_some_and(|package| package.file(&inner).is_some())
            }
            None => path == self.0.main.0 || self.0.source.name_of(path).is_some(),
        }
    }
}

impl Resolver for Layers {
    fn create_identifier(&self, path: &str, anchor: Option<&ResolvedPath>) -> String {
        let Some(anchor) = anchor.and_then(|anchor| anchor.to_str()) else {
            return path.to_owned();
        };
        if ar::is_package_relative_path(path) {
            return path.to_owned();
        }
        match ar::split_package_relative_path_inner(anchor) {
            Some((package, inner)) => {
                ar::join_package_relative_path(&package, &joined(&inner, path))
            }
            None => joined(anchor, path),
        }
    }

    fn resolve(&self, path: &str) -> Option<ResolvedPath> {
        self.exists(path).then(|| {
            // A package stands for its root layer.
            let package = ar::split_package_relative_path_outer(path).is_none()
                && path.to_ascii_lowercase().ends_with(".usdz");
            match self.package(path).filter(|_| package) {
                Some(package) => {
                    ResolvedPath::new(ar::join_package_relative_path(path, &package.root))
                }
                None => ResolvedPath::new(path),
            }
        })
    }

    fn resolve_for_new_asset(&self, _: &str) -> Option<ResolvedPath> {
        None
    }

    fn open_asset(&self, path: &ResolvedPath) -> Result<Box<dyn Asset>> {
        let name = path.to_str().unwrap_or_default();
        let missing = || Error::other(format!("{name:?} can't be read"));
        let (bytes, _) = self.file(name).ok_or_else(missing)?;
        *self.0.num_layers.borrow_mut() += 1;
        if *self.0.num_layers.borrow() > MAX_LAYERS {
            return Err(Error::other(format!("the stage has more than {MAX_LAYERS} layers")));
        }
        if let Err(fault) = check(&bytes, *self.0.left_bytes.borrow()) {
            let message = fault.what.clone();
            self.0.fault.borrow_mut().get_or_insert((name.to_owned(), fault));
            return Err(Error::other(message));
        }
        Ok(Box::new(Cursor::new(bytes.to_vec())))
    }

    fn get_modification_timestamp(
        &self,
        _: &str,
        _: &ResolvedPath,
    ) -> Option<std::time::SystemTime> {
        None
    }
}

/// `path` as a path below the folder of `anchor`; a path that leaves it stays as it is written.
fn joined(anchor: &str, path: &str) -> String {
    if path.starts_with(['/', '\\']) || path.contains(':') {
        return path.to_owned();
    }
    let folder = anchor.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn paths_are_relative_to_the_file_that_names_them() {
        for (anchor, path, wanted) in [
            ("hero.usda", "./parts/a.usd", "parts/a.usd"),
            ("parts/a.usd", "../b.usd", "b.usd"),
            ("parts/a.usd", "c/./d.usd", "parts/c/d.usd"),
            ("a.usd", "../b.usd", "../b.usd"),
            ("x/a.usd", "/abs/b.usd", "/abs/b.usd"),
            ("x/a.usd", "C:\\b.usd", "C:\\b.usd"),
        ] {
            assert_eq!(joined(anchor, path), wanted, "{anchor} {path}");
        }
    }
}
