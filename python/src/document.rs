//! Files and models.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use rigscope::model::{Detail, Handedness, UpAxis};
use rigscope::{Document, OpenOptions, Runtime, ValidateOptions};

use crate::arrays::{borrowed_array, matrix};
use crate::clip::Clip;
use crate::errors::exception;
use crate::material::{Image, Material};
use crate::mesh::Mesh;
use crate::note::Note;
use crate::options::request_of;
use crate::pose::{BonePose, PosedMesh};
use crate::pose_args::{ClipArg, PoseArgs, clip_id};
use crate::skeleton::Skeleton;
use crate::typed_args::{Height, Key, NormalsName, RuntimeName, SamplingName, Time, type_name};

/// A path, bytes, or bytes with a file name.
pub(crate) enum Input {
    Named(String, PyBackedBytes),
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for Input {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok((name, bytes)) = value.extract() {
            return Ok(Self::Named(name, bytes));
        }
        // Before paths, which may be bytes in Python too.
        if let Ok(bytes) = value.extract() {
            return Ok(Self::Bytes(bytes));
        }
        value.extract().map(Self::Path).map_err(|_| not_a_source(value, ""))
    }
}

fn not_a_source(value: Borrowed<'_, '_, PyAny>, also: &str) -> PyErr {
    let kind = type_name(value);
    let message =
        format!("a file must be {also}a path, bytes, or a pair of name and bytes, not {kind}");
    PyTypeError::new_err(message)
}

/// The contents of a file.
///
/// Models can be copied, pickled and sent to other processes. A model read from a file is pickled as the path of the
/// file, which the other process reads again; a model read from bytes contains them.
#[pyclass(frozen, module = "rigscope")]
#[derive(Clone)]
pub(crate) struct Model(Arc<Document>, Arc<Mutex<Option<Played>>>, Option<Arc<Py<PyAny>>>);

/// The model as the last requested runtime plays it, because poses are often computed in loops.
type Played = (&'static Runtime, Arc<rigscope::Model>);

impl Model {
    pub(crate) fn new(document: Document) -> Self {
        Self(Arc::new(document), Arc::default(), None)
    }

    /// `origin` is a function and its arguments, which pickle stores.
    pub(crate) fn with_origin(mut self, origin: Option<Py<PyAny>>) -> Self {
        self.2 = origin.map(Arc::new);
        self
    }

    /// The model as a runtime plays it; `None` without a runtime.
    pub(crate) fn played(
        &self,
        py: Python<'_>,
        runtime: Option<&str>,
    ) -> PyResult<Option<Arc<rigscope::Model>>> {
        let Some(id) = runtime else { return Ok(None) };
        let unknown = || PyValueError::new_err(format!("unknown runtime {id:?}"));
        let runtime = Runtime::of_id(id).ok_or_else(unknown)?;
        let format = self.0.format.map_or("", |format| format.id);
        runtime.check_opens(format, self.model()).map_err(PyValueError::new_err)?;
        let model = py.detach(|| {
            let mut played = self.1.lock().unwrap_or_else(PoisonError::into_inner);
            match &*played {
                Some((own, model)) if *own == runtime => Arc::clone(model),
                _ => {
                    let model = Arc::new(runtime.play(self.model()).model);
                    *played = Some((runtime, Arc::clone(&model)));
                    model
                }
            }
        });
        Ok(Some(model))
    }

    pub(crate) fn document(&self) -> &Arc<Document> {
        &self.0
    }

    fn model(&self) -> &rigscope::Model {
        &self.0.model
    }
}

/// A model, or a file to open.
pub(crate) enum ModelOrInput<'py> {
    Model(Bound<'py, Model>),
    Input(Input),
}

impl<'py> FromPyObject<'_, 'py> for ModelOrInput<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(model) = value.cast::<Model>() {
            return Ok(Self::Model(model.to_owned()));
        }
        value.extract().map(Self::Input).map_err(|_| not_a_source(value, "a model, "))
    }
}

impl ModelOrInput<'_> {
    pub(crate) fn model(self, py: Python<'_>) -> PyResult<Model> {
        match self {
            Self::Model(model) => Ok(model.get().clone()),
            Self::Input(input) => open_input(py, input, OpenOptions::default()),
        }
    }
}

fn open_input(py: Python<'_>, input: Input, options: OpenOptions) -> PyResult<Model> {
    let opened = py.detach(|| match input {
        Input::Path(path) => options.open(path),
        Input::Named(name, bytes) => options.open_bytes(&name, bytes.to_vec()),
        Input::Bytes(bytes) => options.open_bytes("", bytes.to_vec()),
    });
    opened.map(Model::new).map_err(|error| exception(py, &error))
}

/// Opens a file of any readable format with its related files: buffers, textures, skeletons.
///
/// :param source: a path; bytes; or a pair of name and bytes, where the name helps to detect the format
/// :param companions: additional related files and folders: paths, or pairs of name and bytes
/// :param options: `without`, `no_effect`, `fps`, `up`, `bones_by_order` and `format`, as in `rigscope info --help`;
///     `without` is a list
///
/// :raises rigscope.errors.Error: if the file cannot be read or parsed; `offset` is the position of the error
/// :raises TypeError: for an unknown option or a value of another type
/// :raises ValueError: for a value out of range
/// :param origin: a function and its arguments, which pickle stores
#[pyfunction]
#[pyo3(signature = (source, *, companions = Vec::new(), origin = None, **options))]
pub(crate) fn open(
    py: Python<'_>,
    source: Input,
    companions: Vec<Input>,
    origin: Option<Py<PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Model> {
    let model = open_input(py, source, open_options("open", companions, options)?)?;
    Ok(model.with_origin(origin))
}

/// The options that the keywords of `function` describe.
pub(crate) fn open_options(
    function: &str,
    companions: Vec<Input>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<OpenOptions> {
    let mut options: OpenOptions = request_of(function, keywords)?;
    for companion in companions {
        match companion {
            Input::Path(path) => options.with.push(path),
            Input::Named(name, bytes) => options.with_bytes.push((name, bytes.to_vec())),
            Input::Bytes(_) => {
                let message = "a companion in memory must be a pair of name and bytes";
                return Err(PyTypeError::new_err(message));
            }
        }
    }
    Ok(options)
}

/// All formats, as dictionaries with `id`, `name`, `extensions`, `can_read`, `can_write` and `parts`.
#[pyfunction]
pub(crate) fn formats(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let formats = rigscope::formats().map(|info| {
        let format = PyDict::new(py);
        format.set_item("id", info.id)?;
        format.set_item("name", info.name)?;
        format.set_item("extensions", info.extensions)?;
        format.set_item("can_read", info.can_read)?;
        format.set_item("can_write", info.can_write)?;
        let parts: Vec<_> = info.parts.iter().map(|part| part.id).collect();
        format.set_item("parts", parts)?;
        Ok(format)
    });
    formats.collect()
}

#[pymethods]
impl Model {
    /// The file name without its folder.
    #[getter]
    fn name(&self) -> &str {
        &self.model().name
    }

    /// Id of the format that was read; `None` for a model that was built.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.0.format.map(|format| format.id)
    }

    /// Size of the file; 0 for a model that was built.
    #[getter]
    fn num_bytes(&self) -> u64 {
        self.0.num_bytes
    }

    /// Number of vertices in all meshes.
    #[getter]
    fn num_vertices(&self) -> usize {
        self.model().num_vertices()
    }

    /// Number of triangles in all meshes.
    #[getter]
    fn num_triangles(&self) -> usize {
        self.model().num_triangles()
    }

    /// The axis that points up in the file: `"y"` or `"z"`.
    #[getter]
    fn up(&self) -> &'static str {
        match self.model().axes.up {
            UpAxis::Y => "y",
            UpAxis::Z => "z",
        }
    }

    /// Handedness of the axes in the file: `"right"` or `"left"`.
    #[getter]
    fn handedness(&self) -> &'static str {
        match self.model().axes.handedness {
            Handedness::Right => "right",
            Handedness::Left => "left",
        }
    }

    /// Metres per unit of the file; `None` if unknown.
    #[getter]
    fn unit_meters(&self) -> Option<f64> {
        self.model().axes.unit_meters
    }

    /// Whether conversion to display space reverses the winding of triangles.
    #[getter]
    fn reverses_winding(&self) -> bool {
        self.model().axes.reverses_winding()
    }

    /// (4, 4) float32: from the axes and unit of the file to display space, which is right-handed with Y up, and in
    /// metres if the file defines its unit.
    #[getter]
    fn display_from_file<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, self.model().axes.display_from_file().into())
    }

    /// All meshes, in the order of the file.
    #[getter]
    fn meshes(&self) -> Vec<Mesh> {
        (0..self.model().meshes.len()).map(|index| Mesh::new(&self.0, index)).collect()
    }

    /// All bones.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        Skeleton::new(&self.0)
    }

    /// All clips, in the order of the file.
    #[getter]
    fn clips(&self) -> Vec<Clip> {
        (0..self.model().clips.len()).map(|index| Clip::new(&self.0, index)).collect()
    }

    /// All materials, in the order of the file.
    #[getter]
    fn materials(&self) -> Vec<Material> {
        (0..self.model().materials.len()).map(|index| Material::new(&self.0, index)).collect()
    }

    /// Images used by textures.
    #[getter]
    fn images(&self) -> Vec<Image> {
        (0..self.model().images.len()).map(|index| Image::new(&self.0, index)).collect()
    }

    /// Convex hulls, each a view (n, 3) float32 in file space.
    #[getter]
    fn hulls<'py>(slf: &Bound<'py, Self>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let hulls = slf.get().model().hulls.iter();
        let lend = |hull: &rigscope::model::Hull| {
            let numbers: &[f32] = bytemuck::cast_slice(&hull.points);
            borrowed_array(slf.as_any(), numbers, [hull.points.len(), 3])
        };
        hulls.map(lend).collect()
    }

    /// The occlusion mesh, which is only drawn for depth, as positions (n, 3) float32 and triangles (m, 3) uint32; or
    /// `None`.
    #[getter]
    fn occluder<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
        let Some(occluder) = &slf.get().model().occluder else { return Ok(None) };
        let positions: &[f32] = bytemuck::cast_slice(&occluder.positions);
        let positions = borrowed_array(slf.as_any(), positions, [occluder.positions.len(), 3])?;
        let num_triangles = occluder.indices.len() / 3;
        let triangles = occluder.indices.get(..num_triangles * 3).unwrap_or_default();
        Ok(Some((positions, borrowed_array(slf.as_any(), triangles, [num_triangles, 3])?)))
    }

    /// Findings from reading the file, most severe first.
    #[getter]
    fn notes(&self) -> Vec<Note> {
        self.0.notes.iter().cloned().map(Note::from).collect()
    }

    /// Related files, and how each was used, as dictionaries.
    #[getter]
    fn companions<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let companions = self.0.companions.iter().map(|companion| {
            let entry = PyDict::new(py);
            entry.set_item("file", &companion.file)?;
            entry.set_item("role", companion.role.as_str())?;
            entry.set_item("is_taken", companion.is_used)?;
            entry.set_item("is_missing", companion.is_missing)?;
            entry.set_item("fit", companion.fit)?;
            entry.set_item("why", &companion.why)?;
            Ok(entry)
        });
        companions.collect()
    }

    /// Properties specific to the format, by name.
    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let details = PyDict::new(py);
        for (name, detail) in &self.model().details {
            match detail {
                Detail::Text(text) => details.set_item(name, text)?,
                Detail::Int(number) => details.set_item(name, number)?,
                Detail::Bool(value) => details.set_item(name, value)?,
            }
        }
        Ok(details)
    }

    /// The bytes that survive a rewrite in the same format, by format and meaning.
    #[getter]
    fn preserved<'py>(
        &self,
        py: Python<'py>,
    ) -> Vec<(&'static str, &'static str, Bound<'py, PyBytes>)> {
        let kept = self.model().preserved.iter();
        kept.map(|kept| (kept.format, kept.what, PyBytes::new(py, &kept.bytes))).collect()
    }

    /// The vertices of all meshes in a pose, in display space: one `PosedMesh` per mesh.
    ///
    /// :param clip: name or number; by default the first clip
    /// :param time: seconds on the time axis of the clip, clamped to the clip
    /// :param key: the number of a key, instead of `time`; the last one if there are fewer
    /// :param sampling: `"player"`, `"step"`, `"linear"` or `"decomposed"`
    /// :param normals: `"runtime"`: as computed by the runtime of the format; `"exact"`: perpendicular to the surface
    /// :param runtime: id of the runtime to play the file as, such as `"three.js"`
    ///
    /// Without time and key, returns the pose that the viewer shows initially.
    #[pyo3(
        signature = (
            clip = None, time = None, *, key = None, sampling = SamplingName("player".into()),
            normals = NormalsName("runtime".into()), runtime = None,
        ),
        text_signature = "($self, clip=None, time=None, *, key=None, sampling=\"player\", normals=\"runtime\", runtime=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python function")]
    fn pose(
        &self,
        py: Python<'_>,
        clip: Option<ClipArg>,
        time: Option<Time>,
        key: Option<Key>,
        sampling: SamplingName,
        normals: NormalsName,
        runtime: Option<RuntimeName>,
    ) -> PyResult<Vec<PosedMesh>> {
        let (time, key) = (time.map(|time| time.0), key.map(|key| key.0));
        let args = PoseArgs { clip, time, key, sampling: &sampling.0, normals: &normals.0 };
        let spec = args.spec(py, self.model())?;
        let played = self.played(py, runtime.as_ref().map(|runtime| &*runtime.0))?;
        let model = played.as_deref().unwrap_or(self.model());
        let meshes = py.detach(|| rigscope::pose(model, &spec));
        Ok(meshes.into_iter().map(PosedMesh::from).collect())
    }

    /// All bones at a time, in file space; see `pose` for the parameters.
    #[pyo3(
        signature = (clip = None, time = None, *, key = None, sampling = SamplingName("player".into())),
        text_signature = "($self, clip=None, time=None, *, key=None, sampling=\"player\")"
    )]
    fn sample(
        &self,
        py: Python<'_>,
        clip: Option<ClipArg>,
        time: Option<Time>,
        key: Option<Key>,
        sampling: SamplingName,
    ) -> PyResult<BonePose> {
        let (time, key) = (time.map(|time| time.0), key.map(|key| key.0));
        let args = PoseArgs { clip, time, key, sampling: &sampling.0, normals: "runtime" };
        let spec = args.spec(py, self.model())?;
        let pose = py.detach(|| rigscope::Pose::at(self.model(), &spec));
        Ok(BonePose::new(&self.0, pose))
    }

    /// The clip with this name or number; raises `KeyError` for an unknown name, `IndexError` for a number out of range.
    fn find_clip(&self, clip: ClipArg) -> PyResult<Clip> {
        Ok(Clip::new(&self.0, clip_id(self.model(), &clip)?.index()))
    }

    /// A function and its arguments, which pickle stores; `None` if the model wasn't opened by `rigscope.open`.
    #[getter]
    fn _origin(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.2.as_ref().map(|origin| origin.clone_ref(py))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rigscope.opening")?.call_method1("reduce", (slf,))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    /// An image of the model and a table of its contents, for notebooks.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rigscope.notebook")?.call_method1("html", (slf,))
    }

    /// The model in an interactive view, for notebooks: a frame that contains the viewer and the model.
    ///
    /// :param clip: name or number of the clip to show
    /// :param time: seconds on the time axis of the clip
    /// :param height: height of the frame in pixels
    #[pyo3(
        signature = (clip = None, time = None, *, height = Height(480)),
        text_signature = "($self, clip=None, time=None, *, height=480)"
    )]
    fn view<'py>(
        slf: &Bound<'py, Self>,
        clip: Option<ClipArg>,
        time: Option<Time>,
        height: Height,
    ) -> PyResult<Bound<'py, PyAny>> {
        let model = slf.get().model();
        let clip = clip.map(|clip| clip_id(model, &clip)).transpose()?.map(|clip| clip.index());
        slf.py()
            .import("rigscope.notebook")?
            .call_method1("view", (slf, clip, time.map(|time| time.0), height.0))
    }

    /// Findings, most severe first: those from reading the file, and those of all rules.
    ///
    /// :param rules: findings to check for: codes, groups (``"file"``, ``"skin"``, ``"mesh"``, ``"animation"``,
    ///     ``"collision"``), ``"readers"`` (only those from reading the file), or ``"all"``
    /// :param allow: codes of findings to leave out
    /// :param runtimes: ids of runtimes whose differences from the format's specification are reported too
    #[pyo3(signature = (*, rules = None, allow = None, runtimes = None))]
    fn validate(
        &self,
        py: Python<'_>,
        rules: Option<Bound<'_, PyAny>>,
        allow: Option<Bound<'_, PyAny>>,
        runtimes: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Note>> {
        let keywords = PyDict::new(py);
        for (name, value) in [("rules", rules), ("allow", allow), ("runtimes", runtimes)] {
            keywords.set_item(name, value)?;
        }
        let options: ValidateOptions = request_of("validate", Some(&keywords))?;
        let of_reader = self.0.notes.clone();
        let format = self.0.format.map_or("", |format| format.id);
        let validation = py.detach(|| options.validate(self.model(), format, of_reader));
        // Nothing cancels this.
        let findings = validation.map_or_else(|_| Vec::new(), |validation| validation.findings);
        Ok(findings.into_iter().map(Note::from).collect())
    }

    fn __repr__(&self) -> String {
        let model = self.model();
        let counted = |num: usize, one: &str, many: &str| match num {
            1 => format!("1 {one}"),
            num => format!("{num} {many}"),
        };
        let counts = [
            counted(model.meshes.len(), "mesh", "meshes"),
            counted(model.num_vertices(), "vertex", "vertices"),
            counted(model.num_triangles(), "triangle", "triangles"),
            counted(model.skeleton.len(), "bone", "bones"),
            counted(model.clips.len(), "clip", "clips"),
        ];
        let format =
            self.format().map_or("built".to_owned(), |format| format!("read from {format}"));
        format!("<Model {:?}, {format}: {}>", model.name, counts.join(", "))
    }
}
