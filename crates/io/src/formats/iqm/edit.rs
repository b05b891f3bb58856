//! Changes files in place: the bounds of frames.

use super::clips::{Anim, FrameBounds};
use super::write_clips::bounds_in;
use crate::formats::editor::{Edit, Edited, Editor, FileFix, one_file, whole};
use crate::formats::record::Record;
use rigscope_core::model::{ClipId, Element};
use rigscope_core::pose::PoseSpec;

const FIXES: &[FileFix] =
    &[FileFix::new(&["frame-bounds-wrong"], "compute the bounds of each frame from its pose")];

/// The functions for this format.
pub(super) const EDITOR: Editor = Editor { fixes: FIXES, joined: whole, edit, files: one_file };

fn edit(mut edit: Edit<'_>) -> Option<Edited> {
    if edit.has_new_bones() {
        return None;
    }
    if edit.fixes("frame-bounds-wrong") {
        let table = edit.provenance.find(Element::Bounds)?;
        for (index, clip) in (0u32..).zip(&edit.after.clips) {
            let header = edit.provenance.find(Element::ClipHeader { clip: index })?;
            let at = usize::try_from(header.offset).ok()?;
            let anim = Anim::from_bytes(edit.original.get(at..)?);
            let num_frames = anim.num_frames.min(u32::try_from(clip.frame_bounds.len()).ok()?);
            for frame in 0..num_frames {
                let share = f64::from(frame) / f64::from(num_frames.saturating_sub(1).max(1));
                let time_secs = clip.start_secs + clip.duration_secs * share;
                let bounds = bounds_in(edit.after, &PoseSpec::linear(ClipId(index), time_secs));
                let place = table.record(u64::from(anim.first_frame.checked_add(frame)?))?;
                let at = usize::try_from(place.start).ok()?;
                let mut bytes = Vec::with_capacity(FrameBounds::BYTES);
                bounds.put(&mut bytes);
                edit.patched.get_mut(at..at + bytes.len())?.copy_from_slice(&bytes);
            }
        }
    }
    Some(Edited::in_place(edit.patched))
}
