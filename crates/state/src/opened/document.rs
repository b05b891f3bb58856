//! An open file: its model and data derived from it during loading.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::related_file_row::rows;
use super::subset_row::{SubsetRow, subset_rows};
use super::{KeyTimes, RelatedFileRow};
use crate::LoadRequest;
use rigscope_core::model::{
    Aabb, BoneId, Cancelled, Clip, ClipId, Element, Finding, IdVec, MaterialId, MeshId, Model,
    NO_SPANS, PartId, Provenance, Report, Severity, TextureRole, display_text, stats,
};
use rigscope_core::pose::{BoneAnchors, PoseSpec, moving_bounds, part_bounds};
use rigscope_io::OpenOptions;
use rigscope_io::formats::{Content, EFFECT_CONFIG, FormatInfo, Opened};
use rigscope_io::history::Revision;

/// Most places of missing files to watch, each of which costs a system call per second.
const MAX_MISSING_PATHS: usize = 100;

/// The display name of a file: its name without folder, or the folder's name if all files of its
/// kind have the same name.
pub fn file_label(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let folder = path.parent().and_then(Path::file_name);
    let own = folder.filter(|_| name.eq_ignore_ascii_case(EFFECT_CONFIG)).unwrap_or(name);
    own.to_string_lossy().into_owned()
}

/// The source of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    File(PathBuf),
    /// The built-in sample character.
    Sample,
    /// A file as of a revision of its Git repository.
    Revision {
        path: PathBuf,
        revision: Box<Revision>,
    },
}

impl Origin {
    /// The path, if the document was loaded from disk.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Sample | Self::Revision { .. } => None,
        }
    }

    /// The display name.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => file_label(path),
            Self::Sample => "the sample".into(),
            Self::Revision { path, revision } => {
                format!("{} at {}", file_label(path), revision.short())
            }
        }
    }
}

/// An open file.
#[derive(Clone)]
pub struct Document {
    pub origin: Origin,
    /// How it was read, as set by the user.
    pub options: OpenOptions,
    /// Related files found by the reader: buffers, skeletons, textures.
    pub found_along: Vec<PathBuf>,
    /// Places where files that the model names, but that are missing, would be found.
    pub missing_paths: Vec<PathBuf>,
    /// Related files, with their use.
    pub around: Vec<RelatedFileRow>,
    pub format: &'static FormatInfo,
    /// The bytes of the file.
    pub content: Content,
    /// The bytes of each entry of [`Model::related_bytes`], if they are available.
    pub related_contents: Vec<Option<Content>>,
    /// The names and bytes of further files that the model was read from, such as skeletons and images. Their spans
    /// aren't known.
    pub other_contents: Vec<(String, Content)>,
    pub model: Arc<Model>,
    /// Findings, worst first.
    pub findings: Vec<Finding>,
    /// The subsets of all meshes in order. Those of each mesh are followed by its lines and points.
    pub subsets: Vec<SubsetRow>,
    /// Some mesh has several subsets, whose materials tell them apart.
    has_divided_meshes: bool,
    /// Per bone, whether it influences a vertex.
    pub used_bones: IdVec<BoneId, bool>,
    /// Number of vertices, indexed by their number of influences.
    pub influences: Vec<usize>,
    /// Substitute positions for bones without a rest position in the file.
    pub anchors: BoneAnchors,
    /// Whether the file defines the colour of any part of the surface.
    pub has_looks: bool,
    /// Bounds over the default pose and sampled times of the clips, display space.
    pub bounds: Aabb,
    /// Bounds of everything drawn in the default pose, display space.
    pub default_pose_bounds: Aabb,
    /// Hull surfaces and occlusion mesh edges.
    pub collision: rigscope_core::visual::CollisionShapes,
    /// The key times of each clip.
    pub key_times: Vec<KeyTimes>,
    /// Seconds per frame of each clip.
    pub frame_secs: Vec<f64>,
    /// Clips whose classification as a bind pair or as an animation the user has reversed.
    pub bind_pair_choices: Vec<ClipId>,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let model = &self.model.name;
        write!(f, "Document({model} as {})", self.format.id)
    }
}

impl Document {
    /// Computes the derived data; takes about as long as reading the file.
    ///
    /// # Errors
    /// If `report` asks to stop.
    pub fn new(
        request: &LoadRequest,
        content: impl Into<Content>,
        opened: Opened,
        report: &Report,
    ) -> Result<Self, Cancelled> {
        report.progress("measuring", 0.7)?;
        let model = Arc::new(opened.model);
        let mut influences = Vec::new();
        for mesh in &model.meshes {
            for (num, vertices) in stats::influence_histogram(mesh).into_iter().enumerate() {
                if influences.len() <= num {
                    influences.resize(num + 1, 0);
                }
                influences[num] += vertices;
            }
        }
        report.progress("measuring", 0.8)?;
        let bounds = moving_bounds(&model, report)?;
        let subsets = subset_rows(&model);
        let parts: Vec<_> = subsets.iter().map(|row| (row.mesh, row.part)).collect();
        Ok(Self {
            default_pose_bounds: part_bounds(&model, &PoseSpec::default(), &parts),
            origin: request.target.clone(),
            options: request.options.clone(),
            found_along: Vec::new(),
            missing_paths: Vec::new(),
            around: rows(report.related_files(), &request.options.with, |_| None),
            format: &opened.format.info,
            content: content.into(),
            related_contents: model
                .related_bytes
                .iter()
                .map(|related| related.bytes.clone().map(Content::from))
                .collect(),
            other_contents: Vec::new(),
            findings: report.findings(),
            subsets,
            has_divided_meshes: model.meshes.iter().any(|mesh| mesh.num_parts() > 1),
            // In a model without vertices, no bone counts as unused.
            used_bones: match model.num_vertices() {
                0 => IdVec::filled(true, model.skeleton.bones()),
                _ => stats::used_bones(&model),
            },
            influences,
            anchors: BoneAnchors::of(&model),
            has_looks: has_looks(&model),
            bounds,
            collision: rigscope_core::visual::CollisionShapes::of(&model),
            key_times: model.clips.iter().map(KeyTimes::of).collect(),
            frame_secs: model.clips.iter().map(Clip::frame_secs).collect(),
            bind_pair_choices: Vec::new(),
            model,
        })
    }

    /// The bytes of a file and the spans that were read from it, as numbered by
    /// [`rigscope_core::model::Span::file`].
    pub fn bytes_of(&self, file: usize) -> Option<(&str, &Content, &Provenance)> {
        let Some(number) = file.checked_sub(1) else {
            return Some((self.name(), &self.content, &self.model.provenance));
        };
        let Some(related) = self.model.related_bytes.get(number) else {
            let number = number - self.model.related_bytes.len();
            let (name, content) = self.other_contents.get(number)?;
            return Some((name, content, &NO_SPANS));
        };
        let content = self.related_contents.get(number)?.as_ref()?;
        Some((&related.name, content, &related.provenance))
    }

    /// The numbers of all files whose bytes can be shown; the main file first.
    pub fn byte_files(&self) -> impl Iterator<Item = usize> {
        let num = 1 + self.related_contents.len() + self.other_contents.len();
        (0..num).filter(|file| self.bytes_of(*file).is_some())
    }

    /// Opens the related files that it was read from, as far as `content_of` does.
    pub fn open_contents(&mut self, content_of: impl Fn(&Path) -> Option<Content>) {
        let paths: Vec<PathBuf> = self.files().map(Path::to_owned).collect();
        let related = &self.model.related_bytes;
        for (related, content) in related.iter().zip(&mut self.related_contents) {
            let path = paths.iter().find(|path| path.ends_with(&related.name));
            *content = content.take().or_else(|| content_of(path?));
        }
        let is_related = |path: &Path| related.iter().any(|related| path.ends_with(&related.name));
        let others = paths.iter().skip(self.origin.path().into_iter().count());
        let others = others.filter(|path| !is_related(path)).filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((name, content_of(path)?))
        });
        self.other_contents = others.collect();
    }

    /// The total size of these files.
    pub fn num_file_bytes(&self) -> u64 {
        let files = self.byte_files().filter_map(|file| self.bytes_of(file));
        files.map(|(_, content, _)| content.len()).sum()
    }

    /// The first range of records of `element`, with the name of its file unless that is the main one.
    pub fn range_in_files(&self, element: Element, record: Option<u64>) -> Option<String> {
        self.byte_files().find_map(|file| {
            let (name, _, provenance) = self.bytes_of(file)?;
            let span = provenance.find(element)?;
            let range = record.map_or_else(|| Some(span.range()), |record| span.record(record))?;
            let place = if file == 0 { String::new() } else { format!(" of {name}") };
            Some(format!("{:#x} to {:#x}{place}", range.start, range.end))
        })
    }

    /// All files it was read from.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let along = self.options.with.iter().chain(&self.found_along);
        self.origin.path().into_iter().chain(along.map(PathBuf::as_path))
    }

    /// Sets the paths of related files without a path.
    pub fn place_related_files(&mut self, path_of: impl Fn(&str) -> Option<PathBuf>) {
        for row in &mut self.around {
            if row.path.is_none() {
                row.path = path_of(&row.file.file);
            }
        }
    }

    /// Sets the places where missing files would be found.
    pub fn find_missing(&mut self, places_of: impl Fn(&str) -> Vec<PathBuf>) {
        let missing = self.around.iter().filter(|row| row.file.is_missing);
        let places = missing.flat_map(|row| places_of(&row.file.file));
        self.missing_paths = places.take(MAX_MISSING_PATHS).collect();
    }

    /// The file name without folder.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// The display name of subset `number`: its material and its mesh if there are several. The order is the same for
    /// all subsets: first the part that differs most, because narrow lists cut off the end.
    pub fn subset_name(&self, number: usize) -> String {
        display_text::name(&self.whole_subset_name(number)).into_owned()
    }

    /// The same name in full, for copying.
    pub fn whole_subset_name(&self, number: usize) -> Cow<'_, str> {
        let material = self.whole_material_name(number);
        let row = self.subsets.get(number);
        let mesh = row.map(|row| self.model.mesh(row.mesh));
        let has_several = self.model.meshes.len() > 1;
        match mesh.filter(|mesh| has_several && !mesh.name.is_empty()) {
            Some(mesh) if mesh.name == material => material,
            // An owned name is a substitute: the material has no name, so the mesh identifies the
            // subset.
            Some(mesh) if mesh.num_parts() == 1 && matches!(material, Cow::Owned(_)) => {
                Cow::Borrowed(&mesh.name)
            }
            Some(mesh) if self.has_divided_meshes => {
                Cow::Owned(format!("{material} · {}", mesh.name))
            }
            Some(mesh) => Cow::Owned(format!("{} · {material}", mesh.name)),
            None => material,
        }
    }

    /// The display name of the material of subset `number`, or the subset's number if the material is unnamed.
    pub fn material_name(&self, number: usize) -> String {
        display_text::name(&self.whole_material_name(number)).into_owned()
    }

    /// The same name in full, for copying.
    pub fn whole_material_name(&self, number: usize) -> Cow<'_, str> {
        let material = self
            .subsets
            .get(number)
            .and_then(|row| row.subset.material)
            .map(|id| self.model.material(id));
        let loose = self.subsets.get(number).and_then(|row| row.loose);
        match (material, loose) {
            (Some(material), None) if !material.name.is_empty() => Cow::Borrowed(&material.name),
            (Some(material), Some(kind)) if !material.name.is_empty() => {
                Cow::Owned(format!("{} ({})", material.name, kind.name()))
            }
            (_, Some(kind)) => Cow::Owned(format!("{} {number}", kind.name())),
            (_, None) => Cow::Owned(format!("subset {number}")),
        }
    }

    /// The index in [`Self::subsets`] of a part of `mesh`.
    pub fn subset_row(&self, mesh: MeshId, part: PartId) -> Option<usize> {
        let mut rows = self.subsets.iter();
        rows.position(|row| row.mesh == mesh && row.part == part)
    }

    /// The display name of `bone`, followed by its name in the human rig of an avatar.
    pub fn bone_title(&self, bone: BoneId) -> String {
        let name = self.bone_name(bone);
        let avatar = self.model.avatar.as_ref();
        match avatar.and_then(|avatar| avatar.humanoid_name(bone)) {
            Some(human) if human != name => format!("{name} ({})", display_text::name(human)),
            _ => name,
        }
    }

    /// The display name of `bone`, or its number if it has no name.
    pub fn bone_name(&self, bone: BoneId) -> String {
        match self.model.skeleton.bones().get(bone) {
            Some(own) if !own.name.is_empty() => display_text::name(&own.name).into_owned(),
            _ => format!("bone {}", bone.0),
        }
    }

    /// The display name of clip `index`, or its number if it has no name.
    pub fn clip_name(&self, index: usize) -> String {
        match self.model.clips.get(ClipId::from_index(index)) {
            Some(Clip { name, .. }) if !name.is_empty() => display_text::name(name).into_owned(),
            _ => format!("clip {index}"),
        }
    }

    /// Whether `bone` influences a vertex.
    pub fn is_used(&self, bone: BoneId) -> bool {
        self.used_bones.get(bone).copied().unwrap_or(false)
    }

    /// The number of findings with `severity`; findings of one kind count once.
    pub fn num_findings(&self, severity: Severity) -> usize {
        let of_severity = |finding: &&Finding| finding.severity() == severity;
        self.findings.iter().filter(of_severity).count()
    }
}

/// Whether the file defines the colour of any subset or vertex.
fn has_looks(model: &Model) -> bool {
    let says = |id: MaterialId| {
        let material = model.material(id);
        let mut roles = material.textures.iter().map(|texture| texture.role);
        material.look.is_some() || roles.any(|role| role == TextureRole::BaseColor)
    };
    model.meshes.iter().any(|mesh| {
        mesh.is_tinted() || mesh.subsets.iter().any(|subset| subset.material.is_some_and(says))
    })
}
