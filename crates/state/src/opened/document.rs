//! The file that is open: its model and all that is worked out once about it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::companion_row::rows;
use super::subset_row::{SubsetRow, subset_rows};
use super::{CompanionRow, KeyTimes};
use crate::LoadRequest;
use rigscope_core::model::{
    Aabb, BoneId, Cancelled, Clip, ClipId, MaterialId, MeshId, Model, Note, Report, Severity,
    TextureRole, UpAxis, shown, stats,
};
use rigscope_core::pose::{BoneAnchors, PoseSpec, moving_bounds, part_bounds};
use rigscope_io::formats::{Content, EFFECT_CONFIG, FormatInfo, Opened};

/// What a file is called: its name without folder, or the folder's where all files of its kind have one
/// name.
pub fn file_label(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    let folder = path.parent().and_then(Path::file_name);
    let own = folder.filter(|_| name.eq_ignore_ascii_case(EFFECT_CONFIG)).unwrap_or(name);
    own.to_string_lossy().into_owned()
}

/// Where a document came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file on disk.
    File(PathBuf),
    /// The character that comes with the program.
    Sample,
}

impl Origin {
    /// The file on disk.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Sample => None,
        }
    }

    /// What the file is called.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => file_label(path),
            Self::Sample => "the sample".into(),
        }
    }
}

/// An open file.
#[derive(Clone)]
pub struct Document {
    /// Where it came from.
    pub origin: Origin,
    /// Files read along with it.
    pub companions: Vec<PathBuf>,
    /// Files that the reader has found by itself: buffers, skeletons, textures.
    pub found_along: Vec<PathBuf>,
    /// Files around it that must not go with it.
    pub without: Vec<String>,
    /// The files around it, and what was made of them.
    pub around: Vec<CompanionRow>,
    /// Frames a second that the user has named for it.
    pub fps: Option<f64>,
    /// The axis that points up, where the user has named it.
    pub up: Option<UpAxis>,
    /// The format it was read as.
    pub format: &'static FormatInfo,
    /// The file's bytes.
    pub content: Content,
    /// What it holds.
    pub model: Arc<Model>,
    /// Findings, worst first.
    pub notes: Vec<Note>,
    /// The subsets of all meshes one after another, after those of each mesh its lines and points.
    pub subsets: Vec<SubsetRow>,
    /// Which bones move a vertex.
    pub used_bones: Vec<bool>,
    /// How many vertices have how many influences.
    pub influences: Vec<usize>,
    /// Stand-ins for bones whose place no file states.
    pub anchors: BoneAnchors,
    /// Whether the file says of what colour any of the surface is.
    pub has_looks: bool,
    /// Box around the default pose and moments of clips, display space.
    pub bounds: Aabb,
    /// Box around all that is drawn in the default pose, display space.
    pub default_pose_bounds: Aabb,
    /// Surfaces of hulls, edges of the occluder.
    pub collision: rigscope_core::visual::CollisionShapes,
    /// Keys of each clip.
    pub key_times: Vec<KeyTimes>,
    /// Clips whose two keys the user has taken for a bind pair, or for a motion, against the reader.
    pub bind_pair_choices: Vec<ClipId>,
}

impl std::fmt::Debug for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let model = &self.model.name;
        write!(f, "Document({model} as {})", self.format.id)
    }
}

impl Document {
    /// Works out what the window asks for again and again; takes about as long as reading.
    ///
    /// # Errors
    /// When `report` says that nobody waits for it any more.
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
        let parts: Vec<_> = subsets.iter().map(|row| (row.mesh, row.number)).collect();
        Ok(Self {
            default_pose_bounds: part_bounds(&model, &PoseSpec::default(), &parts),
            origin: request.target.clone(),
            companions: request.companions.clone(),
            found_along: Vec::new(),
            without: request.without.clone(),
            around: rows(report.companions(), &request.companions, |_| None),
            fps: request.fps,
            up: request.up,
            format: opened.format.info(),
            content: content.into(),
            notes: report.notes(),
            subsets,
            // Where nothing can be moved no bone is less than another.
            used_bones: match model.num_vertices() {
                0 => vec![true; model.skeleton.len()],
                _ => stats::used_bones(&model),
            },
            influences,
            anchors: BoneAnchors::of(&model),
            has_looks: has_looks(&model),
            bounds,
            collision: rigscope_core::visual::CollisionShapes::of(&model),
            key_times: model.clips.iter().map(KeyTimes::of).collect(),
            bind_pair_choices: Vec::new(),
            model,
        })
    }

    /// All files it was read from.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let along = self.companions.iter().chain(&self.found_along);
        self.origin.path().into_iter().chain(along.map(PathBuf::as_path))
    }

    /// Says where the files around it are on disk.
    pub fn place_companions(&mut self, path_of: impl Fn(&str) -> Option<PathBuf>) {
        for row in &mut self.around {
            if row.path.is_none() {
                row.path = path_of(&row.file.file);
            }
        }
    }

    /// The file's name without folder.
    pub fn name(&self) -> &str {
        &self.model.name
    }

    /// What subset `number` is called, as it is shown: its material; where there are several meshes with the
    /// name of its mesh. First comes what tells it from its neighbours, since a narrow list cuts the end.
    pub fn subset_name(&self, number: usize) -> String {
        shown::name(&self.whole_subset_name(number)).into_owned()
    }

    /// The same in full, to be copied.
    pub fn whole_subset_name(&self, number: usize) -> Cow<'_, str> {
        let material = self.whole_material_name(number);
        let row = self.subsets.get(number);
        let mesh = row.and_then(|row| self.model.meshes.get(row.mesh.index()));
        let has_several = self.model.meshes.len() > 1;
        match mesh.filter(|mesh| has_several && !mesh.name.is_empty()) {
            Some(mesh) if mesh.name == material => material,
            Some(mesh) if mesh.num_parts() > 1 => Cow::Owned(format!("{material} · {}", mesh.name)),
            // The subset has a name of its own only where the file gives one.
            Some(mesh) if matches!(material, Cow::Owned(_)) => Cow::Borrowed(&mesh.name),
            Some(mesh) => Cow::Owned(format!("{} · {material}", mesh.name)),
            None => material,
        }
    }

    /// Name of subset `number`'s material as it is shown, or of its own number where it has none.
    pub fn material_name(&self, number: usize) -> String {
        shown::name(&self.whole_material_name(number)).into_owned()
    }

    /// The same in full, to be copied.
    pub fn whole_material_name(&self, number: usize) -> Cow<'_, str> {
        let material = self
            .subsets
            .get(number)
            .and_then(|row| row.subset.material)
            .and_then(|id| self.model.materials.get(id.index()));
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

    /// The position among all subsets of subset `number` of `mesh`.
    pub fn subset_row(&self, mesh: MeshId, number: usize) -> Option<usize> {
        let mut rows = self.subsets.iter();
        rows.position(|row| row.mesh == mesh && row.number == number)
    }

    /// The name of `bone` as it is shown, or its number where it has none.
    pub fn bone_name(&self, bone: BoneId) -> String {
        match self.model.skeleton.bones().get(bone.index()) {
            Some(own) if !own.name.is_empty() => shown::name(&own.name).into_owned(),
            _ => format!("bone {}", bone.0),
        }
    }

    /// The name of clip `index` as it is shown, or its number where it has none.
    pub fn clip_name(&self, index: usize) -> String {
        match self.model.clips.get(index) {
            Some(Clip { name, .. }) if !name.is_empty() => shown::name(name).into_owned(),
            _ => format!("clip {index}"),
        }
    }

    /// Whether `bone` moves a vertex.
    pub fn is_used(&self, bone: BoneId) -> bool {
        self.used_bones.get(bone.index()).copied().unwrap_or(false)
    }

    /// How many findings there are of `severity`, each kind counted once.
    pub fn num_notes(&self, severity: Severity) -> usize {
        let of_severity = |note: &&Note| note.severity() == severity;
        self.notes.iter().filter(of_severity).count()
    }
}

/// Whether the file says of what colour any subset is, or any vertex.
fn has_looks(model: &Model) -> bool {
    let says = |id: MaterialId| {
        model.materials.get(id.index()).is_some_and(|material| {
            let mut roles = material.textures.iter().map(|texture| texture.role);
            material.look.is_some() || roles.any(|role| role == TextureRole::BaseColor)
        })
    };
    model.meshes.iter().any(|mesh| {
        mesh.is_tinted() || mesh.subsets.iter().any(|subset| subset.material.is_some_and(says))
    })
}
