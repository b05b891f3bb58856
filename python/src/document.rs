//! Models.

use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rigscope::model::{Detail, Handedness, UpAxis};
use rigscope::{Document, PoseSpec, Runtime, ValidateOptions};
use rigscope_python_macros::guarded;

use crate::arrays::{borrowed_array, matrix, owned_array};
use crate::clip::Clip;
use crate::material::{Image, Material};
use crate::mesh::Mesh;
use crate::options::request_of;
use crate::pose::{BonePose, posed, posed_at};
use crate::pose_args::{ClipArg, PoseArgs, clip_id, single_spec};
use crate::results::{findings, parts};
use crate::running::detached;
use crate::skeleton::Skeleton;
use crate::typed_args::{Height, Key, NormalsName, OneOrMany, RuntimeName, SamplingName, Time};

/// The contents of a file.
///
/// Models can be copied, pickled and sent to other processes. A model read from a file is pickled as the path of the
/// file, which the other process reads again; a model read from bytes contains them.
#[pyclass(frozen, module = "rigscope")]
#[derive(Clone)]
pub(crate) struct Model {
    document: Arc<Document>,
    played: Arc<Mutex<Option<Played>>>,
    /// A function and its arguments, which pickle stores.
    origin: Option<Arc<Py<PyAny>>>,
}

/// The model as the last requested runtime plays it, because poses are often computed in loops.
type Played = (&'static Runtime, Arc<rigscope::Model>);

impl Model {
    pub(crate) fn new(document: Document) -> Self {
        Self { document: Arc::new(document), played: Arc::default(), origin: None }
    }

    /// `origin` is a function and its arguments, which pickle stores.
    pub(crate) fn with_origin(mut self, origin: Option<Py<PyAny>>) -> Self {
        self.origin = origin.map(Arc::new);
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
        let format = self.document.format.map_or("", |format| format.id);
        runtime.check_opens(format, self.model()).map_err(PyValueError::new_err)?;
        let model = detached(py, || {
            let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// A function and its arguments that make the model again.
    pub(crate) fn origin(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.origin.as_ref().map(|origin| origin.clone_ref(py))
    }

    pub(crate) fn document(&self) -> &Document {
        &self.document
    }

    pub(crate) fn model(&self) -> &rigscope::Model {
        &self.document.model
    }
}

#[guarded]
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
        self.document.format.map(|format| format.id)
    }

    /// Size of the file; 0 for a model that was built.
    #[getter]
    fn num_bytes(&self) -> u64 {
        self.document.num_bytes
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

    /// Number of bones, as everywhere in Rigscope: without nodes of the scene that aren't bones.
    #[getter]
    fn num_bones(&self) -> usize {
        self.model().num_bones()
    }

    /// Number of nodes that aren't bones. `skeleton` contains them too.
    #[getter]
    fn num_nodes(&self) -> usize {
        self.model().num_nodes()
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

    /// (2, 3) float32: the lowest and highest corner of the box around all vertices, in display space and the pose that
    /// the viewer shows initially; `None` without vertices.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let corners = detached(py, || {
            let meshes = rigscope::pose(self.model(), &PoseSpec::default());
            let points = meshes.iter().flat_map(|mesh| &mesh.positions);
            points.fold(None, |corners: Option<[Vec3; 2]>, &point| {
                let [low, high] = corners.unwrap_or([point; 2]);
                Some([low.min(point), high.max(point)])
            })
        });
        let Some([low, high]) = corners else { return Ok(None) };
        owned_array(py, [low.to_array(), high.to_array()].concat(), [2, 3]).map(Some)
    }

    /// All meshes, in the order of the file; also by name.
    #[getter]
    fn meshes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parts(py, (0..self.model().meshes.len()).map(|index| Mesh::new(self, index)).collect())
    }

    /// All bones.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        Skeleton::new(self)
    }

    /// All clips, in the order of the file.
    #[getter]
    fn clips<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parts(py, (0..self.model().clips.len()).map(|index| Clip::new(self, index)).collect())
    }

    /// All materials, in the order of the file.
    #[getter]
    fn materials<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parts(
            py,
            (0..self.model().materials.len()).map(|index| Material::new(self, index)).collect(),
        )
    }

    /// Images used by textures.
    #[getter]
    fn images<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parts(py, (0..self.model().images.len()).map(|index| Image::new(self, index)).collect())
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
    #[getter(notes)]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        findings(py, &self.document.findings)
    }

    /// Related files, and how each was used, as dictionaries.
    #[getter(companions)]
    fn related_files<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let related_files = self.document.related_files.iter().map(|related_file| {
            let entry = PyDict::new(py);
            entry.set_item("file", &related_file.file)?;
            entry.set_item("role", related_file.role.as_str())?;
            entry.set_item("is_taken", related_file.is_used)?;
            entry.set_item("is_missing", related_file.is_missing)?;
            entry.set_item("fit", related_file.fit)?;
            entry.set_item("why", &related_file.why)?;
            Ok(entry)
        });
        related_files.collect()
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

    /// The keywords of `rigscope.build` that give the model back, with copies of all arrays: change them and build again.
    ///
    /// `build` describes every key. `like` is the model itself, for facts without arrays, or the one that it was built
    /// like. Keys that have the default value are left out of dictionaries. Animation curves of FBX files become tracks with a key per frame; everything else is
    /// as stored.
    fn to_arrays<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        crate::to_arrays::to_arrays(slf.py(), slf.get().model(), slf.as_any())
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

    /// The vertices of all meshes in a pose, in display space: one `PosedMesh` per mesh, with arrays of (n, 3) and
    /// (n, 4).
    ///
    /// :param clip: name or number; by default the first clip
    /// :param time: seconds on the time axis of the clip, clamped to the clip; for several times, the arrays have
    ///     another dimension in front, and are computed on all cores
    /// :param key: the number of a key, or several, instead of `time`; the last one if there are fewer
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
    fn pose<'py>(
        &self,
        py: Python<'py>,
        clip: Option<ClipArg>,
        time: Option<OneOrMany<Time>>,
        key: Option<OneOrMany<Key>>,
        sampling: SamplingName,
        normals: NormalsName,
        runtime: Option<RuntimeName>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let args = PoseArgs { clip, time, key, sampling: &sampling.0, normals: &normals.0 };
        let specs = args.specs(py, self.model())?;
        let played = self.played(py, runtime.as_ref().map(|runtime| &*runtime.0))?;
        let model = played.as_deref().unwrap_or(self.model());
        match specs {
            OneOrMany::One(spec) => posed(py, model, &spec),
            OneOrMany::Many(specs) => posed_at(py, model, &specs),
        }
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
        let spec = single_spec(py, self.model(), clip, time, key, &sampling.0, "runtime")?;
        Ok(BonePose::at(py, self, spec, sampling.0))
    }

    /// The clip with this name or number; raises `KeyError` for an unknown name, `IndexError` for a number out of range.
    fn find_clip(&self, clip: ClipArg) -> PyResult<Clip> {
        Ok(Clip::new(self, clip_id(self.model(), &clip)?.index()))
    }

    /// A row for each bone, as a dictionary: `bone` (its number), `name`, `kind`, `num_vertices` that it moves,
    /// `total_weight` and `largest_weight`.
    fn influence_table<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rigscope.influences")?.call_method1("table", (slf,))
    }

    /// The bones that move no vertex, without nodes and helpers.
    #[getter]
    fn unweighted_bones<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("rigscope.influences")?.call_method1("unweighted", (slf,))
    }

    /// A function and its arguments, which pickle stores; `None` if the model wasn't opened by `rigscope.open`.
    #[getter]
    fn _origin(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.origin(py)
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
    fn validate<'py>(
        &self,
        py: Python<'py>,
        rules: Option<Bound<'py, PyAny>>,
        allow: Option<Bound<'py, PyAny>>,
        runtimes: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let keywords = PyDict::new(py);
        for (name, value) in [("rules", rules), ("allow", allow), ("runtimes", runtimes)] {
            keywords.set_item(name, value)?;
        }
        let options: ValidateOptions = request_of("validate", Some(&keywords))?;
        let of_reader = self.document.findings.clone();
        let format = self.document.format.map_or("", |format| format.id);
        let validation = detached(py, || options.validate(self.model(), format, of_reader));
        // Nothing cancels this.
        let found = validation.map_or_else(|_| Vec::new(), |validation| validation.findings);
        py.import("rigscope.results")?.getattr("Notes")?.call1((findings(py, &found)?,))
    }

    fn __repr__(&self) -> PyResult<String> {
        let model = self.model();
        let counted = |num: usize, one: &str, many: &str| match num {
            1 => format!("1 {one}"),
            num => format!("{num} {many}"),
        };
        let counts = [
            counted(model.meshes.len(), "mesh", "meshes"),
            counted(model.num_vertices(), "vertex", "vertices"),
            counted(model.num_triangles(), "triangle", "triangles"),
            model.bones_text(),
            counted(model.clips.len(), "clip", "clips"),
        ];
        let format =
            self.format()?.map_or("built".to_owned(), |format| format!("read from {format}"));
        Ok(format!("<Model {:?}, {format}: {}>", model.name, counts.join(", ")))
    }
}
