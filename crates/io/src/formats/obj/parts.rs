//! Divides the faces of a file into meshes, by objects and groups, and those of a mesh by materials.
//!
//! The divisions are those of ufbx: an object begins a mesh with its first face, and so does a group outside of
//! objects. Faces without material get the first material of their mesh.

use std::collections::HashMap;
use std::ops::Range;

use super::faces::{Faces, Setting};
use rigscope_core::model::MaterialId;

/// The faces of a mesh.
#[derive(Default)]
pub(super) struct Part {
    pub(super) name: String,
    pub(super) faces: Range<usize>,
    /// In the order of first use.
    pub(super) materials: Vec<MaterialId>,
    /// Consecutive faces with the index of their material in `materials`.
    pub(super) runs: Vec<(Range<usize>, usize)>,
}

/// The division of a file.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    /// The names of materials, in the order of their first statements.
    pub(super) materials: Vec<String>,
    /// Faces with smooth edges, in order.
    pub(super) smooth: Vec<Range<usize>>,
}

impl Parts {
    /// Divides `faces`; `is_merged` puts all of them into one part.
    pub(super) fn of(faces: &mut Faces, is_merged: bool) -> Self {
        let mut divider = Divider {
            has_merged_objects: is_merged,
            has_merged_groups: is_merged,
            ..Divider::default()
        };
        let mut start = 0;
        for (face, setting) in std::mem::take(&mut faces.settings) {
            divider.add(start..face);
            divider.set(setting);
            start = face;
        }
        divider.add(start..faces.ends.len());
        divider.parts
    }
}

/// The settings of the current statement.
#[derive(Default)]
struct Divider {
    parts: Parts,
    known: HashMap<String, MaterialId>,
    /// For each material, the number of the last part that uses it, and its index there.
    uses: Vec<(usize, usize)>,
    object: String,
    group: String,
    has_new_object: bool,
    has_new_group: bool,
    material: Option<MaterialId>,
    is_smooth: bool,
    has_merged_objects: bool,
    has_merged_groups: bool,
}

impl Divider {
    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Object(name) => {
                self.object = name;
                self.has_new_object = true;
            }
            Setting::Group(name) => {
                self.group = name;
                self.has_new_group = true;
            }
            Setting::Smoothing(is_smooth) => self.is_smooth = is_smooth,
            Setting::Material(name) => self.material = name.map(|name| self.material_named(name)),
            Setting::MergedGroups => self.has_merged_groups |= self.parts.list.is_empty(),
        }
    }

    fn material_named(&mut self, name: String) -> MaterialId {
        let next = MaterialId::from_index(self.parts.materials.len());
        if let Some(known) = self.known.get(&name) {
            return *known;
        }
        self.parts.materials.push(name.clone());
        self.uses.push((usize::MAX, 0));
        self.known.insert(name, next);
        next
    }

    /// Adds consecutive faces with the same settings.
    fn add(&mut self, faces: Range<usize>) {
        if faces.is_empty() {
            return;
        }
        let has_object = !self.object.is_empty() && !self.has_merged_objects;
        let begins_object = std::mem::take(&mut self.has_new_object) && !self.has_merged_objects;
        let begins_group =
            std::mem::take(&mut self.has_new_group) && !has_object && !self.has_merged_groups;
        if begins_object || begins_group || self.parts.list.is_empty() {
            let name = match () {
                () if has_object => self.object.clone(),
                () if self.has_merged_groups => String::new(),
                () => self.group.clone(),
            };
            let faces = faces.start..faces.start;
            self.parts.list.push(Part { name, faces, ..Part::default() });
        }
        if self.is_smooth {
            self.parts.smooth.push(faces.clone());
        }
        let number = self.parts.list.len();
        let Some(part) = self.parts.list.last_mut() else { return };
        part.faces.end = faces.end;
        let unused = &mut (usize::MAX, 0);
        let used = self.material.and_then(|id| self.uses.get_mut(id.index())).unwrap_or(unused);
        if let Some(id) = self.material
            && used.0 != number
        {
            *used = (number, part.materials.len());
            // Most parts have one material and one run.
            part.materials.reserve_exact(usize::from(part.materials.is_empty()));
            part.materials.push(id);
        }
        let at = used.1;
        match part.runs.last_mut() {
            Some((last, material)) if *material == at => last.end = faces.end,
            _ => {
                part.runs.reserve_exact(usize::from(part.runs.is_empty()));
                part.runs.push((faces, at));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_split_meshes_only_outside_objects() {
        let set = |text: &str| match text.split_at(1) {
            ("o", name) => Setting::Object(name.into()),
            ("g", name) => Setting::Group(name.into()),
            ("m", name) => Setting::Material((!name.is_empty()).then(|| name.into())),
            _ => Setting::MergedGroups,
        };
        let names = |text: &str, is_merged: bool| -> Vec<String> {
            let mut faces = Faces::default();
            for word in text.split(' ') {
                if word == "f" { faces.end_face() } else { faces.set(set(word)) }
            }
            let parts = Parts::of(&mut faces, is_merged).list;
            parts.iter().map(|part| format!("{}{:?}", part.name, part.faces)).collect()
        };
        assert_eq!(names("f ga f f gb gc f g f", false), ["0..1", "a1..3", "c3..4", "4..5"]);
        assert_eq!(names("oa gb f gc f ob oc oc f", false), ["a0..2", "c2..3"]);
        assert_eq!(names("oa gb f gc f ob f", true), ["0..3"]);
        assert_eq!(names("z ga f gb f oa f", false), ["0..2", "a2..3"]);
        assert_eq!(names("ga f z gb f", false), ["a0..1", "b1..2"]);
    }
}
