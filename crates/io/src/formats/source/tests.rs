//! Resolving paths as spelled in files, and files that can't be read.

use super::*;
use crate::formats::leads_outside;

/// Files in memory, in the given order.
pub(in crate::formats) struct InMemory {
    paths: Vec<String>,
    files: Vec<Vec<u8>>,
}

impl InMemory {
    /// Files with these paths and contents.
    pub(in crate::formats) fn of<P: Into<String>, B: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (P, B)>,
    ) -> Arc<Self> {
        let files = files.into_iter().map(|(path, bytes)| (path.into(), bytes.into()));
        let (paths, files) = files.unzip();
        Arc::new(Self { paths, files })
    }

    /// Files that contain their own paths.
    pub(in crate::formats) fn named(paths: &[&str]) -> Arc<Self> {
        Self::of(paths.iter().map(|&path| (path, path)))
    }
}

impl Folder for InMemory {
    fn paths(&self) -> &[String] {
        &self.paths
    }

    fn read(&self, path: &str) -> std::io::Result<Vec<u8>> {
        let at = self.paths.iter().position(|known| known == path).unwrap();
        Ok(self.files[at].clone())
    }
}

fn source(paths: &[&str]) -> Source {
    Source::new("a.fbx", Vec::new()).with_folders(vec![InMemory::named(paths)])
}

fn found(source: &Source, path: &str) -> Option<String> {
    source.find(path).map(|related_file| related_file.name)
}

#[test]
fn whole_paths_take_precedence_over_names_and_shallow_over_deep_ones() {
    let source = source(&["x/skin.png", "skin.png", "textures/Skin.png"]);
    for path in ["x\\skin.png", ".\\x\\skin.png", "x//skin.png", "./x/.\\Skin.png"] {
        assert_eq!(found(&source, path).unwrap(), "x/skin.png", "{path}");
    }
    assert_eq!(found(&source, "./skin.png").unwrap(), "skin.png");
    assert_eq!(found(&source, "elsewhere/SKIN.PNG").unwrap(), "skin.png");
    assert_eq!(found(&source, "none.png"), None);
    assert_eq!(found(&source, ""), None);
}

#[test]
fn paths_outside_the_folder_are_searched_by_file_name() {
    for path in [
        "../secret/skin.png",
        "/etc/skin.png",
        "C:\\art\\skin.png",
        "\\\\server\\share\\skin.png",
        "file://server/skin.png",
        "a/../../skin.png",
    ] {
        assert!(leads_outside(path), "{path}");
        assert_eq!(found(&source(&["t/skin.png"]), path).unwrap(), "t/skin.png");
        assert_eq!(found(&source(&["other.png"]), path), None);
    }
    assert!(!leads_outside("textures/a..b.png"));
}

#[test]
fn related_file_candidates_are_limited_and_exclude_the_file_itself() {
    let many: Vec<String> = (0..300).map(|n| format!("{n:03}.ozz")).collect();
    let mut paths: Vec<&str> = many.iter().map(|path| &**path).collect();
    paths.extend(["A.ozz", "x/b.ozz", "c.txt"]);
    let mut source = source(&paths);
    source.name = "a.OZZ".into();
    source.related_files.push(RelatedFile::new("000.ozz", vec![7]));
    let report = Report::new();
    let files = source.related_file_candidates("ozz", &report).unwrap();
    assert_eq!(files.len(), 1 + 256);
    assert!(files[0].is_given && !files[1].is_given);
    assert_eq!(files[1].name, "001.ozz");
    assert!(files.iter().all(|file| !file.name.contains(['x', 'A', 'c'])));
    assert!(source.used().is_empty());
}

/// A folder whose files are all too large.
pub(in crate::formats) struct TooLarge(pub(in crate::formats) Vec<String>);

impl Folder for TooLarge {
    fn paths(&self) -> &[String] {
        &self.0
    }

    fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
        Err(std::io::Error::other("the file is larger than the limit of 9 bytes"))
    }
}

#[test]
fn unreadable_files_are_not_reported_as_missing() {
    let folder: Arc<dyn Folder> = Arc::new(TooLarge(vec!["a.bin".to_owned()]));
    let source = Source::new("a.gltf", Vec::new()).with_folders(vec![folder]);
    let too_large = source.look_up("a.bin").unwrap_err();
    assert_eq!(
        too_large.to_string(),
        "can't be read: the file is larger than the limit of 9 bytes"
    );
    let missing = source.look_up("b.bin").unwrap_err();
    assert_eq!(missing.to_string(), "was not found");
    assert!(source.used().is_empty());
}

#[test]
fn only_the_requested_range_is_read() {
    let source = source(&["skin.png"]);
    let part = source.look_up_range("skin.png", 2..6).unwrap();
    assert_eq!(*part.bytes, *b"in.p");
    assert_eq!((part.first, part.file_bytes), (2, 8));
    let beyond = source.look_up_range("skin.png", 6..u64::MAX).unwrap();
    assert_eq!((&**beyond.bytes, beyond.file_bytes), (&b"ng"[..], 8));
    let none = source.look_up_range("skin.png", 20..30).unwrap();
    assert_eq!(none.bytes.len(), 0);
}

#[test]
fn an_excluded_file_is_never_found() {
    let paths = ["skin.png", "t/skin.png", "t/eye.png", "x.ozz"];
    let hidden = ["SKIN.png".to_owned(), "t/eye.png".to_owned()];
    let source = source(&paths).without(&hidden);
    assert_eq!(source.names(), ["x.ozz"]);
    assert_eq!(found(&source, "skin.png"), None);
    let source = source.without(&["x.ozz".to_owned()]);
    assert!(source.related_file_candidates("ozz", &Report::new()).unwrap().is_empty());
}

#[test]
fn given_files_take_precedence_and_are_marked_as_used() {
    let mut source = source(&["skin.png"]);
    source.related_files.push(RelatedFile::new("Skin.PNG", vec![7]));
    assert!(!source.is_used("Skin.PNG"));
    assert_eq!(*source.find("skin.png").unwrap().bytes, [7]);
    assert!(source.is_used("Skin.PNG"));
    assert_eq!(source.names(), ["Skin.PNG", "skin.png"]);
}
