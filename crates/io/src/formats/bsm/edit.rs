//! Changes files in place: the stored bounds.

use glam::Vec3;

use super::layout::at;
use super::write::bounds_of;
use crate::formats::editor::{Edit, Edited, Editor, FileFix, one_file, whole};
use rigscope_core::pose::{PoseSpec, skin_model};

const FIXES: &[FileFix] =
    &[FileFix::new(&["bounds-mismatch"], "compute the bounding box and sphere from the vertices")];

/// The functions for this format.
pub(super) const EDITOR: Editor = Editor { fixes: FIXES, joined: whole, edit, files: one_file };

fn edit(mut edit: Edit<'_>) -> Option<Edited> {
    if edit.has_new_bones() {
        return None;
    }
    if edit.fixes("bounds-mismatch") {
        let meshes = skin_model(edit.after, &PoseSpec::default());
        let positions: Vec<Vec3> =
            meshes.iter().flat_map(|mesh| mesh.positions.iter().copied()).collect();
        let bounds = bounds_of(&positions);
        let sphere = bounds.sphere_center.extend(bounds.sphere_radius).to_array();
        let [min, max] = [bounds.aabb.min, bounds.aabb.max].map(|corner| corner.to_array());
        let corners = [min, max].concat();
        for (field, values) in [("bounding sphere", &sphere[..]), ("bounding box", &corners)] {
            let start = usize::try_from(at(field)).ok()?;
            let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            edit.patched.get_mut(start..start + bytes.len())?.copy_from_slice(&bytes);
        }
    }
    Some(Edited::in_place(edit.patched))
}
