//! Names valid in OBJ: one word each, and unique per kind.

use std::collections::HashSet;

use rigscope_core::model::{FindingKind, MaterialId, Model, Place, Report};

/// The names of meshes and materials in a file.
pub(super) struct Names {
    /// File name of the material library, if there are materials.
    pub(super) library: Option<String>,
    /// One per mesh.
    pub(super) meshes: Vec<String>,
    /// One per material; `None` for those that aren't drawn.
    pub(super) materials: Vec<Option<String>>,
    /// The material name for triangles without material.
    without_material: String,
    /// Whether there are no triangles and no lines or points: all vertices are written as points.
    pub(super) is_cloud: bool,
}

impl Names {
    /// Names for a file with a library named `library`; reports those that change.
    pub(super) fn of(model: &Model, library: String, report: &Report) -> Self {
        let mut is_used = vec![false; model.materials.len()];
        let subsets = || model.meshes.iter().flat_map(|mesh| &mesh.subsets);
        let loose = || model.meshes.iter().flat_map(|mesh| &mesh.loose);
        let drawn = subsets().filter(|subset| subset.index_count > 0);
        let materials = drawn.map(|subset| subset.material);
        for id in materials.chain(loose().map(|loose| loose.material)).flatten() {
            if let Some(used) = is_used.get_mut(id.index()) {
                *used = true;
            }
        }
        let mut words = Words::new(report);
        let meshes = model.meshes.iter().enumerate();
        let meshes = meshes.map(|(number, mesh)| words.of(&mesh.name, "mesh", number)).collect();
        let mut words = Words::new(report);
        let mut materials = Vec::with_capacity(is_used.len());
        for (number, (material, is_used)) in model.materials.iter().zip(&is_used).enumerate() {
            materials.push(is_used.then(|| words.of(&material.name, "material", number)));
        }
        Self {
            library: is_used.contains(&true).then_some(library),
            meshes,
            materials,
            without_material: words.of("none", "none", 0),
            is_cloud: subsets().all(|subset| subset.index_count == 0) && loose().next().is_none(),
        }
    }

    /// The name of a material, or of the material for triangles without one.
    pub(super) fn material(&self, id: Option<MaterialId>) -> &str {
        let named = id.and_then(|id| self.materials.get(id.index())?.as_deref());
        named.unwrap_or(&self.without_material)
    }
}

/// The names of one kind used so far.
struct Words<'a> {
    taken: HashSet<String>,
    report: &'a Report,
}

impl<'a> Words<'a> {
    fn new(report: &'a Report) -> Self {
        Self { taken: HashSet::new(), report }
    }

    /// `name` as a unique word, or a word made of `what` and the number.
    fn of(&mut self, name: &str, what: &str, number: usize) -> String {
        // A trailing backslash would join the next line.
        let plain = word(name, what, number).replace('\\', "_");
        let mut own = plain.clone();
        // The number of another item is only used by a name that looks like a generated one.
        let mut next = number;
        while !self.taken.insert(own.clone()) {
            own = format!("{plain}_{next}");
            next += 1;
        }
        let is_changed = u64::from(own != name && !name.is_empty());
        (self.report).add_many(FindingKind::NameRespelled, Place::File, is_changed, || {
            format!("{what} {name:?} is written as {own}")
        });
        own
    }
}

/// A name as one word.
pub(super) fn word(name: &str, what: &str, number: usize) -> String {
    if name.trim().is_empty() {
        return format!("{what}_{number}");
    }
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}
