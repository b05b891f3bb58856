//! Related files and folders that the user supplies with a model. Files are read at once, folders are
//! searched.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::external::{ExternalReaders, ReaderOutput};
use super::recording_folder::RecordingFolder;
use super::virtual_folder::{FolderCallbacks, VirtualFolder};
use super::{
    DiskFolder, FileError, FolderReads, Inputs, Pipes, disk, folder_of, name_of, read_file,
};
use crate::formats::{
    Content, EFFECT_CONFIG, Folder, RelatedFile, Source, below, last_part, may_be_in_effect,
};
use rigscope_core::model::Report;

#[derive(Clone)]
pub struct RelatedFiles {
    related_files: Vec<RelatedFile>,
    folders: Vec<Arc<DiskFolder>>,
    without: Vec<String>,
    /// Whether reads of folders are recorded.
    records: bool,
    /// Folders of the requested files, so that the folder of a thousand files is listed once.
    by_path: Arc<Mutex<HashMap<PathBuf, Arc<DiskFolder>>>>,
    inputs: Inputs,
}

impl Default for RelatedFiles {
    fn default() -> Self {
        Self {
            related_files: Vec::new(),
            folders: Vec::new(),
            without: Vec::new(),
            records: false,
            by_path: Arc::default(),
            inputs: Inputs::none(),
        }
    }
}

impl RelatedFiles {
    /// Reads the files among `paths` and stores the folders.
    ///
    /// # Errors
    /// The path that can't be read, and why.
    pub fn read(
        paths: &[PathBuf],
        limit_bytes: u64,
        pipes: Pipes,
        readers: &ExternalReaders,
        report: &Report,
    ) -> Result<Self, (PathBuf, FileError)> {
        let mut related = Self::default();
        related.inputs.extend(paths);
        for path in paths {
            if disk::is_dir(path) {
                related.folders.push(Arc::new(DiskFolder::new(path, limit_bytes)));
                continue;
            }
            let bytes = match readers.read(path, report) {
                Some(output) => output.and_then(ReaderOutput::into_model_bytes),
                None => read_file(path, limit_bytes, pipes, |_| report.progress("reading", 0.0)),
            };
            let bytes = bytes.map_err(|error| (path.clone(), error))?;
            related.related_files.push(RelatedFile::new(name_of(path), bytes));
        }
        Ok(related)
    }

    /// Adds files in memory, by name and bytes, after those on disk.
    #[must_use]
    pub fn with_bytes(mut self, files: &[(String, Vec<u8>)]) -> Self {
        let files = files.iter().cloned();
        self.related_files.extend(files.map(|(name, bytes)| RelatedFile::new(name, bytes)));
        self
    }

    /// Excludes files with these names or paths (relative to a folder).
    #[must_use]
    pub fn without(mut self, names: &[String]) -> Self {
        self.without.extend_from_slice(names);
        self
    }

    /// Enables recording of reads from folders; see [`FileSource::reads`].
    #[must_use]
    pub fn recording(self) -> Self {
        Self { records: true, ..self }
    }

    /// Hash of the supplied files and of the excluded names, because both can change the result of reading a
    /// file.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for related_file in &self.related_files {
            hasher.update(related_file.name.as_bytes()).update(&[0]);
            hasher.update(blake3::hash(&related_file.bytes).as_bytes());
        }
        for name in &self.without {
            hasher.update(name.as_bytes()).update(&[0]);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The file at `path` with the given content, its folder, and everything else that it may refer to.
    pub fn source(&self, path: &Path, content: impl Into<Content>, limit_bytes: u64) -> FileSource {
        self.inputs.add(path);
        let own = self.folder_of(path, limit_bytes);
        let mut file = self.with_folders(Some(own), path, name_of(path), content.into());
        if let Some(above) = effect_above(path).filter(|_| may_be_in_effect(&file.source)) {
            let above = self.listed(above, limit_bytes);
            let folder = self.for_readers(&above, &mut file.recordings);
            file.source = file.source.with_effect(folder);
            file.disk.push(above);
        }
        file
    }

    /// A file in memory that only sees the supplied files and folders.
    pub fn source_in_memory(&self, name: &str, bytes: Vec<u8>) -> FileSource {
        self.with_folders(None, Path::new(name), name.to_owned(), bytes.into())
    }

    /// A file in memory whose surrounding folders are provided by `around`.
    pub fn source_in_folders(
        &self,
        name: &str,
        bytes: Vec<u8>,
        around: FolderCallbacks,
        limit_bytes: u64,
    ) -> FileSource {
        let around = Arc::new(around);
        let mut file = self.with_folders(None, Path::new(name), name.to_owned(), bytes.into());
        let own = VirtualFolder::new("", Arc::clone(&around), limit_bytes);
        file.source.folders.insert(0, Arc::new(own));
        if may_be_in_effect(&file.source) {
            let above = VirtualFolder::new("../", around, limit_bytes);
            if above.has(EFFECT_CONFIG) {
                file.source = file.source.with_effect(Arc::new(above));
            }
        }
        file
    }

    /// A file that sees its `own` folder and the supplied files and folders.
    fn with_folders(
        &self,
        own: Option<Arc<DiskFolder>>,
        path: &Path,
        name: String,
        content: Content,
    ) -> FileSource {
        let disk: Vec<_> = own.into_iter().chain(self.folders.iter().cloned()).collect();
        let mut recordings = Vec::new();
        let folders = disk.iter().map(|folder| self.for_readers(folder, &mut recordings)).collect();
        let source = Source::new(name, content)
            .with_related_files(self.related_files.clone())
            .with_folders(folders)
            .without(&self.without);
        FileSource { path: path.to_owned(), source, reader: None, disk, recordings }
    }

    /// The folder as passed to readers: recording if requested.
    fn for_readers(
        &self,
        folder: &Arc<DiskFolder>,
        recordings: &mut Vec<Arc<RecordingFolder>>,
    ) -> Arc<dyn Folder> {
        let folder = Arc::clone(folder);
        if !self.records {
            return folder;
        }
        let folder = Arc::new(RecordingFolder::new(folder));
        recordings.push(Arc::clone(&folder));
        folder
    }

    /// Adds the files that readers have taken for `file` to the inputs.
    pub fn remember(&self, file: &FileSource) {
        let mut inputs = self.inputs.clone();
        inputs.extend(file.used_paths());
    }

    /// Does the same when the returned value is dropped.
    pub fn remember_at_end<'a>(&'a self, file: &'a FileSource) -> impl Drop + 'a {
        struct Remember<'a>(&'a RelatedFiles, &'a FileSource);
        impl Drop for Remember<'_> {
            fn drop(&mut self) {
                self.0.remember(self.1);
            }
        }
        Remember(self, file)
    }

    /// All files read so far through this value and its clones: supplied, requested and remembered ones.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    fn folder_of(&self, path: &Path, limit_bytes: u64) -> Arc<DiskFolder> {
        self.listed(path.parent().unwrap_or(Path::new("")).to_owned(), limit_bytes)
    }

    fn listed(&self, folder: PathBuf, limit_bytes: u64) -> Arc<DiskFolder> {
        let mut folders = self.by_path.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = folders
            .entry(folder)
            .or_insert_with_key(|folder| Arc::new(DiskFolder::new(folder, limit_bytes)));
        Arc::clone(folder)
    }
}

/// The folder above the folder of `path`, if it contains an effect's config.
fn effect_above(path: &Path) -> Option<PathBuf> {
    let own = folder_of(path);
    let named = own.file_name().and_then(|_| own.parent());
    let above = match named {
        Some(above) if !above.as_os_str().is_empty() => above.to_owned(),
        Some(_) => PathBuf::from("."),
        // `file_name` is `None` for "." and "..".
        None => own.join(".."),
    };
    disk::is_file(&above.join(EFFECT_CONFIG)).then_some(above)
}

/// The model file that a path refers to: the config if the path is an effect's folder, else the path itself.
#[must_use]
pub fn model_file(path: &Path) -> Cow<'_, Path> {
    let config = path.join(EFFECT_CONFIG);
    if disk::is_dir(path) && disk::is_file(&config) {
        Cow::Owned(config)
    } else {
        Cow::Borrowed(path)
    }
}

/// A source whose folders are on disk.
pub struct FileSource {
    /// Path of the file; its name if it is in memory.
    pub path: PathBuf,
    pub source: Source,
    /// The program whose output the source has, if a program read the file.
    pub reader: Option<ReaderOutput>,
    disk: Vec<Arc<DiskFolder>>,
    /// One per folder in `disk` if reads are recorded, else empty.
    recordings: Vec<Arc<RecordingFolder>>,
}

impl FileSource {
    /// States which program made the content.
    #[must_use]
    pub(crate) fn of_reader(mut self, reader: ReaderOutput) -> Self {
        self.reader = Some(reader);
        self
    }

    /// The recorded reads of each folder so far; empty unless reads are recorded.
    pub fn reads(&self) -> Vec<FolderReads> {
        self.recordings.iter().map(|folder| folder.reads()).collect()
    }

    /// Whether readers would still get the same bytes from the folders.
    pub fn is_unchanged(&self, reads: &[FolderReads]) -> bool {
        let mut pairs = reads.iter().zip(&self.disk);
        reads.len() == self.disk.len() && pairs.all(|(reads, folder)| reads.is_unchanged(folder))
    }

    /// Path on disk of a file in one of the folders.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        let mut folders = self.disk.iter();
        let folder = folders.find(|folder| folder.paths().iter().any(|path| path == name))?;
        Some(folder.on_disk(name))
    }

    /// Where readers would find a missing file that a model names: at its path below a folder, or by its name
    /// in any listed folder.
    pub fn places_of(&self, name: &str) -> Vec<PathBuf> {
        let (own, base) = (below(name), below(last_part(name)));
        let of_folder = |folder: &Arc<DiskFolder>| {
            let listed = folder.paths().iter().filter_map(|path| Path::new(path).parent());
            let folders: BTreeSet<&Path> = listed.chain([Path::new("")]).collect();
            let named =
                folders.into_iter().filter_map(|at| base.as_ref().map(|base| at.join(base)));
            let places: BTreeSet<PathBuf> = own.iter().map(PathBuf::from).chain(named).collect();
            places.into_iter().map(|place| folder.root().join(place)).collect::<Vec<_>>()
        };
        self.disk.iter().flat_map(of_folder).collect()
    }

    /// The files that readers have taken from the folders.
    pub fn used_paths(&self) -> Vec<PathBuf> {
        let used = self.source.used();
        let of_folder = |folder: &Arc<DiskFolder>| {
            let paths = folder.paths().iter().filter(|path| used.contains(path));
            paths.map(|path| folder.on_disk(path)).collect::<Vec<_>>()
        };
        // Don't list folders that haven't been used.
        if used.is_empty() { Vec::new() } else { self.disk.iter().flat_map(of_folder).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(paths: &[PathBuf]) -> Result<RelatedFiles, (PathBuf, FileError)> {
        let readers = ExternalReaders::default();
        RelatedFiles::read(paths, 99, Pipes::Refused, &readers, &Report::new())
    }

    #[test]
    fn additional_folders_are_searched_after_the_model_s_folder() {
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        for folder in ["model", "more"] {
            std::fs::create_dir(at(folder)).unwrap();
        }
        for path in ["model/a.png", "more/a.png", "more/b.png"] {
            std::fs::write(at(path), path).unwrap();
        }
        let related = read(&[at("more")]).unwrap_or_default();
        let file = related.source(&at("model/x.fbx"), Vec::new(), 99);
        let found = |path| file.source.find(path).map(|found| found.bytes.to_vec());
        assert_eq!(found("a.png").unwrap(), b"model/a.png");
        assert_eq!(found("b.png").unwrap(), b"more/b.png");
        assert!(file.used_paths().contains(&at("more/b.png")));
        let (path, _) = read(&[at("none")]).err().unwrap();
        assert_eq!(path, at("none"));
    }

    #[test]
    fn missing_files_have_places_only_below_the_folder() {
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        std::fs::create_dir_all(at("model/maps")).unwrap();
        std::fs::write(at("model/maps/a.png"), "a").unwrap();
        let file = RelatedFiles::default().source(&at("model/x.fbx"), Vec::new(), 99);
        let places = |name| file.places_of(name);
        assert_eq!(places("b.png"), [at("model/b.png"), at("model/maps/b.png")]);
        let below = [at("model/b.png"), at("model/maps/b.png"), at("model/tex/b.png")];
        assert_eq!(places("tex\\b.png"), below);
        assert_eq!(places("../../b.png"), [at("model/b.png"), at("model/maps/b.png")]);
        assert!(places("..").is_empty());
    }

    #[test]
    fn only_files_that_were_read_are_inputs() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["a.gltf", "a.bin", "b.bin", "given.ozz"] {
            std::fs::write(at(name), name).unwrap();
        }
        let given = [at("given.ozz")];
        let related = read(&given).unwrap_or_default();
        let file = related.source(&at("a.gltf"), Vec::new(), 99);
        assert!(file.source.find("a.bin").is_some());
        related.remember(&file);
        let is_input = |name: &str| related.inputs().holds(&at(name));
        assert!(["given.ozz", "a.gltf", "a.bin"].into_iter().all(is_input));
        assert!(!is_input("b.bin"));
    }

    #[test]
    fn an_effect_folder_opens_its_config_and_its_meshes_belong_to_it() {
        let outer = tempfile::tempdir().unwrap();
        let at = |path: &str| outer.path().join(path);
        std::fs::create_dir_all(at("effect/meshes/deep")).unwrap();
        std::fs::write(at("effect/config.json"), "{}").unwrap();
        assert_eq!(model_file(&at("effect")), at("effect/config.json"));
        for path in ["effect/meshes", "effect/config.json", "effect/none"] {
            assert_eq!(model_file(&at(path)), at(path));
        }
        assert_eq!(effect_above(&at("effect/meshes/a.bsm2")), Some(at("effect")));
        assert_eq!(effect_above(&at("effect/a.bsm2")), None);
        assert_eq!(effect_above(&at("effect/meshes/deep/a.bsm2")), None);
        let dots = at("effect/meshes/deep/../a.bsm2");
        assert_eq!(effect_above(&dots), Some(at("effect/meshes/deep/../..")));
        let related = RelatedFiles::default();
        let sample = rigscope_assets::SAMPLE;
        for (name, bytes, lies) in [("a.bsm2", sample, true), ("a.txt", b"hello", false)] {
            let file = related.source(&at("effect/meshes").join(name), bytes.to_vec(), 99);
            let place = file.path_of("config.json");
            assert_eq!(place, lies.then(|| at("effect/config.json")), "{name}");
        }
    }

    #[test]
    fn files_in_the_same_folder_share_its_listing() {
        let related = RelatedFiles::default();
        let folder = |path: &str| related.folder_of(Path::new(path), 99);
        assert!(Arc::ptr_eq(&folder("in/a.skn"), &folder("in/b.skn")));
        assert!(!Arc::ptr_eq(&folder("in/a.skn"), &folder("c.skn")));
    }
}
