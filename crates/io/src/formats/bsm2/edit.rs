//! Changes files in place: parents of roots and durations.

use super::layout::ClipHead;
use crate::formats::editor::{Edit, Edited, Editor, FileFix, one_file, whole};
use crate::formats::record::Record;
use rigscope_core::model::Element;

const FIXES: &[FileFix] = &[
    FileFix::new(
        &["root-stored-as-255"],
        "store the number of a root bone as its parent, as the format's documentation says",
    ),
    FileFix::new(
        &["zero-duration", "duration-mismatch"],
        "set the duration to the time of the last key",
    ),
];

/// The functions for this format.
pub(super) const EDITOR: Editor = Editor { fixes: FIXES, joined: whole, edit, files: one_file };

/// The parent of a root in some files.
const NO_PARENT: u8 = 255;

fn edit(mut edit: Edit<'_>) -> Option<Edited> {
    if edit.has_new_bones() {
        return None;
    }
    if edit.fixes("root-stored-as-255") {
        let parents = edit.provenance.find(Element::BoneParent)?;
        for bone in 0..u8::try_from(parents.count).unwrap_or(u8::MAX) {
            let place = parents.record(bone.into())?;
            let slot = edit.patched.get_mut(usize::try_from(place.start).ok()?)?;
            if *slot == NO_PARENT && bone != NO_PARENT {
                *slot = bone;
            }
        }
    }
    if edit.fixes("zero-duration") || edit.fixes("duration-mismatch") {
        for clip in 0..u32::try_from(edit.after.clips.len()).ok()? {
            let header = edit.provenance.find(Element::ClipHeader { clip })?;
            let at = usize::try_from(header.offset).ok()?;
            let mut head = ClipHead::from_bytes(edit.patched.get(at..)?);
            let last_ns =
                head.interval_ns.checked_mul(u64::from(head.num_keys.saturating_sub(1)))?;
            if head.duration_ns.abs_diff(last_ns) > head.interval_ns || head.duration_ns == 0 {
                head.duration_ns = last_ns;
            }
            let mut bytes = Vec::with_capacity(ClipHead::BYTES);
            head.put(&mut bytes);
            edit.patched.get_mut(at..at + bytes.len())?.copy_from_slice(&bytes);
        }
    }
    Some(Edited::in_place(edit.patched))
}
