//! Limits of numbers and sizes.

use std::collections::BTreeMap;

use super::{ProjectFile, report_all};
use crate::images;
use crate::model::{FindingKind, Model, Place, Report, VertexId, as_u32, numbers, plural};

/// A number that a budget limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BudgetItem {
    Vertices,
    Triangles,
    Subsets,
    Bones,
    Influences,
    Materials,
    MorphTargets,
    Clips,
    ClipSecs,
    TextureSize,
    TextureMemory,
    FileSize,
}

/// A row of the table of budgets.
#[derive(Clone, Copy, Debug)]
pub struct BudgetInfo {
    /// The item.
    pub item: BudgetItem,
    /// Name in `rigscope.toml`.
    pub name: &'static str,
    /// The unit of the limit in a sentence, in the singular; empty for bytes.
    pub unit: &'static str,
    /// The comment that `rigscope init` writes.
    pub meaning: &'static str,
}

/// All items, in the order in which `rigscope init` lists them.
pub const BUDGETS: [BudgetInfo; 12] = {
    const fn row(
        item: BudgetItem,
        name: &'static str,
        unit: &'static str,
        meaning: &'static str,
    ) -> BudgetInfo {
        BudgetInfo { item, name, unit, meaning }
    }
    use BudgetItem as Item;
    [
        row(Item::Vertices, "vertices", "vertex", "vertices of all meshes"),
        row(Item::Triangles, "triangles", "triangle", "triangles of all meshes"),
        row(Item::Subsets, "subsets", "subset", "subsets, each of which is a draw call"),
        row(Item::Bones, "bones", "bone", "bones, without other nodes"),
        row(Item::Influences, "influences", "influence", "influences of any vertex"),
        row(Item::Materials, "materials", "material", "materials"),
        row(Item::MorphTargets, "morph_targets", "morph target", "morph targets of all meshes"),
        row(Item::Clips, "clips", "clip", "clips"),
        row(Item::ClipSecs, "clip_secs", "second", "duration of the longest clip in seconds"),
        row(
            Item::TextureSize,
            "texture_size",
            "pixel",
            "pixels of the longest side of any texture",
        ),
        row(
            Item::TextureMemory,
            "texture_memory",
            "",
            "memory of all textures, decoded, with mipmaps",
        ),
        row(Item::FileSize, "file_size", "", "size of the file, without related files"),
    ]
};

impl BudgetItem {
    /// Its row in the table.
    #[must_use]
    pub fn info(self) -> &'static BudgetInfo {
        // Each item has a row, which a test verifies.
        BUDGETS.iter().find(|row| row.item == self).unwrap_or(&BUDGETS[0])
    }

    /// The number in a file.
    #[must_use]
    pub fn of(self, file: ProjectFile<'_>) -> f64 {
        let model = file.model;
        let count = |number: usize| number as f64;
        match self {
            Self::Vertices => count(model.num_vertices()),
            Self::Triangles => count(model.num_triangles()),
            Self::Subsets => count(model.num_subsets()),
            Self::Bones => count(model.num_bones()),
            Self::Influences => f64::from(most_influences(model).0),
            Self::Materials => count(model.materials.len()),
            Self::MorphTargets => {
                count(model.meshes.iter().map(|mesh| mesh.morph_targets.len()).sum())
            }
            Self::Clips => count(model.clips.len()),
            Self::ClipSecs => model.clips.iter().map(|clip| clip.duration_secs).fold(0.0, f64::max),
            Self::TextureSize => {
                let sides = headers(model).map(|header| header.width.max(header.height));
                f64::from(sides.max().unwrap_or(0))
            }
            // A mipmap chain adds a third.
            Self::TextureMemory => headers(model).map(|header| header.num_bytes as f64).sum(),
            Self::FileSize => file.num_bytes as f64,
        }
    }

    /// A number of this item for people.
    #[must_use]
    pub fn text(self, number: f64) -> String {
        let info = self.info();
        if info.unit.is_empty() {
            return bytes(number);
        }
        if self == Self::ClipSecs {
            return numbers::seconds(number);
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let whole = number as u64;
        format!("{} {}", numbers::grouped(whole), plural(whole, info.unit))
    }

    /// The place of the largest number.
    fn place(self, model: &Model) -> Place {
        match self {
            Self::Influences => most_influences(model).1,
            Self::ClipSecs => {
                let clips = model.clips.iter().enumerate();
                let longest = clips.max_by(|a, b| a.1.duration_secs.total_cmp(&b.1.duration_secs));
                longest.map_or(Place::File, |(at, _)| Place::Clip(as_u32(at)))
            }
            _ => Place::File,
        }
    }
}

fn headers(model: &Model) -> impl Iterator<Item = images::ImageHeader> {
    model.images.iter().filter_map(|image| images::header(&image.bytes, &image.name).ok())
}

/// The most influences of a vertex, and that vertex.
fn most_influences(model: &Model) -> (u32, Place) {
    let mut most = (0, Place::File);
    for (number, mesh) in (0u32..).zip(&model.meshes) {
        for vertex in 0..mesh.num_vertices() {
            let mut num = 0;
            mesh.for_each_influence(vertex, |_, weight| num += u32::from(weight > 0.0));
            if num > most.0 {
                most =
                    (num, Place::Vertex { mesh: number, vertex: VertexId::from_index(vertex).0 });
            }
        }
    }
    most
}

fn bytes(number: f64) -> String {
    const UNITS: [(&str, f64); 3] = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    for (unit, size) in UNITS {
        if number >= size {
            return format!("{} {unit}", numbers::significant(number / size, 4));
        }
    }
    format!("{number} bytes")
}

/// The limits for a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Budget {
    /// In the unit of the item.
    pub limits: BTreeMap<BudgetItem, f64>,
}

impl Budget {
    /// Whether nothing is limited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.limits.is_empty()
    }

    pub(super) fn check(&self, file: ProjectFile<'_>, report: &Report) {
        let mut found = Vec::new();
        for (&item, &limit) in &self.limits {
            let number = item.of(file);
            if number > limit {
                found.push((item.place(file.model), excess(item, number, limit), 1));
            }
        }
        report_all(FindingKind::OverBudget, found, report);
    }
}

fn excess(item: BudgetItem, number: f64, limit: f64) -> String {
    let (has, most) = (item.text(number), item.text(limit));
    match item {
        BudgetItem::Influences => format!("a vertex with {has} (limit: {most})"),
        BudgetItem::ClipSecs => format!("a clip of {has} (limit: {most})"),
        BudgetItem::TextureSize => format!("a texture with a side of {has} (limit: {most})"),
        BudgetItem::TextureMemory => format!("{has} of textures (limit: {most})"),
        BudgetItem::FileSize => format!("a file of {has} (limit: {most})"),
        _ => format!("{has} (limit: {most})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::testing::ModelBuilder;

    #[test]
    fn each_item_has_a_row_with_its_own_name() {
        for row in BUDGETS {
            assert_eq!(row.item.info().name, row.name);
            assert_eq!(BUDGETS.iter().filter(|other| other.name == row.name).count(), 1);
        }
    }

    #[test]
    fn numbers_above_their_limit_are_reported_with_both() {
        let model = ModelBuilder::new().triangle().build();
        let file = ProjectFile { model: &model, name: "a.glb", num_bytes: 2_500_000 };
        let limits = [
            (BudgetItem::Vertices, 2.0),
            (BudgetItem::Triangles, 1.0),
            (BudgetItem::FileSize, 1e6),
        ];
        let report = Report::new();
        Budget { limits: limits.into() }.check(file, &report);
        let texts: Vec<_> = report.findings().into_iter().map(|finding| finding.message).collect();
        assert_eq!(texts, ["3 vertices (limit: 2 vertices), a file of 2.5 MB (limit: 1 MB)"]);
    }
}
