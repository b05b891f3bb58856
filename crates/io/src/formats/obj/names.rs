//! Names as the format can hold them: one word each, and no two of one kind alike.

use std::collections::HashSet;

use rigscope_core::model::{MaterialId, Model, NoteKind, Place, Report};

/// What meshes and materials of a model are called in its file.
pub(super) struct Names {
    /// The material library's file, where there are materials.
    pub(super) library: Option<String>,
    /// One a mesh of the model.
    pub(super) meshes: Vec<String>,
    /// One a material of the model; `None` for those that nothing drawn has.
    pub(super) materials: Vec<Option<String>>,
    /// What triangles without material are given.
    without_material: String,
    /// There is no triangle and nothing loose: all vertices are points.
    pub(super) is_cloud: bool,
}

impl Names {
    /// Names for a file whose library is to be called `library`; notes those that change.
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

    /// The name of a material, or of none.
    pub(super) fn material(&self, id: Option<MaterialId>) -> &str {
        let named = id.and_then(|id| self.materials.get(id.index())?.as_deref());
        named.unwrap_or(&self.without_material)
    }
}

/// Names of one kind so far.
struct Words<'a> {
    taken: HashSet<String>,
    report: &'a Report,
}

impl<'a> Words<'a> {
    fn new(report: &'a Report) -> Self {
        Self { taken: HashSet::new(), report }
    }

    /// `name` as one word that no other has, or a word for what it is and its number.
    fn of(&mut self, name: &str, what: &str, number: usize) -> String {
        // A backslash at its end would join the next line.
        let plain = word(name, what, number).replace('\\', "_");
        let mut own = plain.clone();
        // The number of another is taken only by a name that looks like one made here.
        let mut next = number;
        while !self.taken.insert(own.clone()) {
            own = format!("{plain}_{next}");
            next += 1;
        }
        let is_changed = u64::from(own != name && !name.is_empty());
        (self.report).note_many(NoteKind::NameRespelled, Place::File, is_changed, || {
            format!("{what} {name:?} is written as {own}")
        });
        own
    }
}

/// A name as OBJ can hold it: one word.
pub(super) fn word(name: &str, what: &str, number: usize) -> String {
    if name.trim().is_empty() {
        return format!("{what}_{number}");
    }
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}
