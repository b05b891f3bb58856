//! Statistics of the open document: content, size and index order of each mesh and subset.
//!
//! Not for: frame times (`FrameTimings`), findings (`finding_list`).

use std::sync::Arc;

use crate::{Action, AppState, DerivedIn, Pane, Request, TaskSlot};
use rigscope_core::model::{
    Cancelled, Element, ImageId, Mesh, Model, PartId, Report, TextureRole, VertexData, as_u32,
};
use rigscope_core::validate::{OrderFigures, order_figures};

/// Computes the statistics.
const SLOT: TaskSlot = TaskSlot("computing mesh statistics");

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatisticsSubject {
    /// A mesh, by index.
    Mesh(usize),
    /// A subset, by index over all meshes.
    Subset(usize),
    /// The sum of all meshes.
    Total,
}

/// One row of statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct StatisticsRow {
    pub of: StatisticsSubject,
    pub name: String,
    /// Vertices; for a subset, those used by its triangles.
    pub num_vertices: usize,
    pub num_triangles: usize,
    /// The most influences that a vertex has.
    pub max_influences: usize,
    pub num_uv_sets: usize,
    /// Bytes of vertices and indices in the file, if the reader records spans.
    pub file_bytes: Option<u64>,
    /// Efficiency of the index order; only for meshes.
    pub order: Option<OrderFigures>,
}

/// An image used by textures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureRow {
    /// The name in the file.
    pub name: String,
    /// Its role in the first material that uses it.
    pub role: Option<TextureRole>,
    /// Width and height, if the image header can be read.
    pub size_px: Option<[u32; 2]>,
    /// Size of the encoded image.
    pub stored_bytes: u64,
    /// Size on the GPU: four bytes per texel, plus a third for mipmaps.
    pub gpu_bytes: Option<u64>,
}

/// All statistics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// The total, then each mesh followed by its subsets.
    pub rows: Vec<StatisticsRow>,
    pub textures: Vec<TextureRow>,
    /// Size of the keys of all clips.
    pub clip_bytes: u64,
}

/// An action on the statistics.
#[derive(Clone, Debug)]
pub enum StatisticsAction {
    /// The statistics have been computed.
    Measured(Arc<Statistics>),
}

impl Statistics {
    /// Computes the statistics. `names` are those of the subsets of all meshes.
    fn of(model: &Model, names: &[String], report: &Report) -> Result<Self, Cancelled> {
        let mut rows = Vec::new();
        let mut first_subset = 0;
        for (number, mesh) in model.meshes.iter().enumerate() {
            report.progress("measuring", number as f32 / model.meshes.len() as f32)?;
            let influences = influences(mesh);
            rows.push(StatisticsRow {
                order: order_figures(model, number),
                ..mesh_row(model, number, mesh, &influences)
            });
            let mut seen = vec![None; mesh.num_vertices()];
            for at in 0..mesh.num_parts() {
                report.progress("measuring", number as f32 / model.meshes.len() as f32)?;
                let of = first_subset + at;
                rows.push(StatisticsRow {
                    of: StatisticsSubject::Subset(of),
                    name: names.get(of).cloned().unwrap_or_default(),
                    ..part_row(mesh, PartId::from_index(at), &influences, &mut seen)
                });
            }
            first_subset += mesh.num_parts();
        }
        rows.insert(0, total(&rows));
        Ok(Self {
            rows,
            textures: (0..model.images.len()).map(|n| texture_row(model, n)).collect(),
            clip_bytes: model
                .clips
                .iter()
                .filter_map(|clip| clip.as_sampled())
                .map(|motion| motion.keys.bytes().len() as u64)
                .sum(),
        })
    }

    /// All statistics as a tab-separated table.
    pub fn text(&self) -> String {
        let mut out = String::from(
            "kind\tname\tvertices\ttriangles\tinfluences\tuv sets\tfile bytes\tacmr\tatvr\toverfetch\toverdraw\n",
        );
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "-".into());
        for row in &self.rows {
            let what = match row.of {
                StatisticsSubject::Mesh(_) => "mesh",
                StatisticsSubject::Subset(_) => "subset",
                StatisticsSubject::Total => "total",
            };
            let figure = |of: fn(&OrderFigures) -> Option<f32>| {
                or_none(row.order.as_ref().and_then(of).map(|v| format!("{v:.3}")))
            };
            let fields = [
                what.to_owned(),
                row.name.clone(),
                row.num_vertices.to_string(),
                row.num_triangles.to_string(),
                row.max_influences.to_string(),
                row.num_uv_sets.to_string(),
                or_none(row.file_bytes.map(|bytes| bytes.to_string())),
                figure(|order| Some(order.acmr)),
                figure(|order| Some(order.atvr)),
                figure(|order| Some(order.overfetch)),
                figure(|order| order.overdraw),
            ];
            out.push_str(&fields.join("\t"));
            out.push('\n');
        }
        if !self.textures.is_empty() {
            out.push_str("\ntexture\twidth\theight\tstored bytes\tgpu bytes\n");
        }
        for texture in &self.textures {
            let side = |at: usize| or_none(texture.size_px.map(|size| size[at].to_string()));
            let fields = [
                texture.name.clone(),
                side(0),
                side(1),
                texture.stored_bytes.to_string(),
                or_none(texture.gpu_bytes.map(|bytes| bytes.to_string())),
            ];
            out.push_str(&fields.join("\t"));
            out.push('\n');
        }
        out
    }
}

/// How many influences each vertex has.
fn influences(mesh: &Mesh) -> Vec<usize> {
    let of = |vertex| {
        let mut num = 0;
        mesh.for_each_influence(vertex, |_, weight| num += usize::from(weight > 0.0));
        num
    };
    (0..mesh.num_vertices()).map(of).collect()
}

fn num_uv_sets(mesh: &Mesh) -> usize {
    match &mesh.vertices {
        VertexData::Streams(streams) => streams.uv_sets.len(),
        VertexData::Packed(_) => 1,
    }
}

fn mesh_row(model: &Model, number: usize, mesh: &Mesh, influences: &[usize]) -> StatisticsRow {
    let name = if mesh.name.is_empty() { format!("mesh {number}") } else { mesh.name.clone() };
    let at = as_u32(number);
    let spans = [Element::Vertex { mesh: at }, Element::Index { mesh: at }];
    let bytes: u64 = spans
        .into_iter()
        .flat_map(|element| {
            let related = model.related_bytes.iter().map(|related| &related.provenance);
            std::iter::once(&model.provenance).chain(related).flat_map(move |of| of.all(element))
        })
        .map(|span| span.range().end - span.range().start)
        .sum();
    StatisticsRow {
        of: StatisticsSubject::Mesh(number),
        name,
        num_vertices: mesh.num_vertices(),
        num_triangles: mesh.num_triangles(),
        max_influences: influences.iter().copied().max().unwrap_or(0),
        num_uv_sets: num_uv_sets(mesh),
        file_bytes: Some(bytes).filter(|bytes| *bytes > 0),
        order: None,
    }
}

/// `seen` stores the last part that used each vertex, so that no vertex is counted twice.
fn part_row(
    mesh: &Mesh,
    part: PartId,
    influences: &[usize],
    seen: &mut [Option<PartId>],
) -> StatisticsRow {
    let (mut num_vertices, mut max_influences) = (0, 0);
    for vertex in mesh.part_corners(part) {
        let vertex = vertex as usize;
        let last = &mut seen[vertex];
        if *last != Some(part) {
            *last = Some(part);
            num_vertices += 1;
            max_influences = max_influences.max(influences.get(vertex).copied().unwrap_or(0));
        }
    }
    StatisticsRow {
        of: StatisticsSubject::Subset(0),
        name: String::new(),
        num_vertices,
        num_triangles: (mesh.subsets.get(part.index()))
            .map_or(0, |subset| subset.num_triangles() as usize),
        max_influences,
        num_uv_sets: num_uv_sets(mesh),
        file_bytes: None,
        order: None,
    }
}

fn total(rows: &[StatisticsRow]) -> StatisticsRow {
    let meshes = || rows.iter().filter(|row| matches!(row.of, StatisticsSubject::Mesh(_)));
    StatisticsRow {
        of: StatisticsSubject::Total,
        name: "Total".into(),
        num_vertices: meshes().map(|row| row.num_vertices).sum(),
        num_triangles: meshes().map(|row| row.num_triangles).sum(),
        max_influences: meshes().map(|row| row.max_influences).max().unwrap_or(0),
        num_uv_sets: meshes().map(|row| row.num_uv_sets).max().unwrap_or(0),
        file_bytes: meshes().map(|row| row.file_bytes).sum(),
        order: None,
    }
}

fn texture_row(model: &Model, number: usize) -> TextureRow {
    let image = &model.images[ImageId::from_index(number)];
    let mut textures = model.materials.iter().flat_map(|m| &m.textures);
    let is_it = |id: rigscope_core::model::ImageId| id.index() == number;
    let used = textures.find(|texture| texture.image.is_some_and(is_it));
    let header = rigscope_core::images::header(&image.bytes, &image.name).ok();
    let size_px = header.map(|header| [header.width, header.height]);
    TextureRow {
        name: image.name.clone(),
        role: used.map(|texture| texture.role),
        size_px,
        stored_bytes: image.bytes.len() as u64,
        gpu_bytes: size_px.map(|[width, height]| u64::from(width) * u64::from(height) * 4 * 4 / 3),
    }
}

impl AppState {
    /// Computes the statistics of a document when they are first shown.
    pub(crate) fn follow_statistics(&mut self) -> Vec<Request> {
        let place: DerivedIn<_, _> = |view| &mut view.statistics;
        let is_shown = self.settings.panes.shows(Pane::Statistics);
        self.derive(SLOT, place, self.model_key(), is_shown, |state, key| {
            let document = state.tab.document.iter();
            let names = document.flat_map(|d| (0..d.subsets.len()).map(|n| d.subset_name(n)));
            let names: Vec<_> = names.collect();
            move |report: &Report| {
                let figures = Arc::new(Statistics::of(&key.0, &names, report)?);
                Ok(Action::Statistics(StatisticsAction::Measured(figures)))
            }
        })
    }

    pub(crate) fn apply_statistics(&mut self, action: StatisticsAction) -> Vec<Request> {
        match action {
            StatisticsAction::Measured(figures) => self.tab.view.statistics.set(figures),
        }
        let to_copy = self.tab.view.statistics_to_copy.take();
        let is_of_these = to_copy.is_some_and(|model| Some(model) == self.model_key());
        if is_of_these { self.copy_statistics() } else { Vec::new() }
    }

    /// Copies the statistics as text, computing them first if necessary.
    pub(crate) fn copy_statistics(&mut self) -> Vec<Request> {
        if let Some(figures) = self.tab.view.statistics.get() {
            return vec![Request::CopyText(figures.text())];
        }
        self.tab.view.statistics.want();
        self.tab.view.statistics_to_copy = self.model_key();
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::Command;
    use rigscope_testing::*;

    fn model() -> Model {
        let quad = ModelBuilder::new().quad(Vec3::ZERO).indices([0, 1, 2, 1, 3, 2]);
        let quad = quad.subsets(&[(6, None), (3, None)]);
        quad.edit(|mesh| mesh.subsets[1].first_index = 3).build()
    }

    #[test]
    fn meshes_subsets_and_the_total_have_a_row_each() {
        let names = ["skin".to_owned(), "hair".to_owned()];
        let figures = Statistics::of(&model(), &names, &Report::new()).unwrap();
        let counts: Vec<_> = figures
            .rows
            .iter()
            .map(|row| (row.name.as_str(), row.num_vertices, row.num_triangles))
            .collect();
        let wanted = [("Total", 4, 2), ("mesh 0", 4, 2), ("skin", 4, 2), ("hair", 3, 1)];
        assert_eq!(counts, wanted);
        let order = figures.rows[1].order.unwrap();
        assert_eq!((order.acmr, order.atvr), (2.0, 1.0));
        let text = figures.text();
        assert!(text.contains("mesh\tmesh 0\t4\t2\t0\t0\t-\t2.000\t1.000"), "{text}");
    }
    #[test]
    fn statistics_are_computed_once_when_requested() {
        let tasks = |requests: &[Request]| -> Vec<_> {
            let task = |request: &Request| match request {
                Request::Run(task) if task.slot == SLOT => Some(task.clone()),
                _ => None,
            };
            requests.iter().filter_map(task).collect()
        };
        let copied = |requests: &[Request]| {
            requests.iter().any(
                |request| matches!(request, Request::CopyText(text) if text.contains("overdraw")),
            )
        };
        let mut state = crate::tests::opened();
        assert!(!state.is_running(SLOT), "nobody looks");
        let asked = state.apply(Action::Run(Command::CopyFigures));
        assert!(!copied(&asked));
        let [task] = tasks(&asked).try_into().unwrap();
        let answer = task.run(&Report::new()).unwrap();
        let answered =
            state.apply(Action::TaskDone { id: task.id, answer: Some(Box::new(answer)) });
        assert!(copied(&answered));
        assert!(copied(&state.apply(Action::Run(Command::CopyFigures))), "again, at once");

        let mut state = crate::tests::opened();
        assert_eq!(tasks(&state.apply(Action::Run(Command::pane(Pane::Statistics)))).len(), 1);
    }
}
