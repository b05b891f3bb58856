//! Changes files in place: JSON values at their position in the text, arrays by the byte map.
//!
//! | file | contents |
//! |---|---|
//! | `json_text` | changes of values in JSON text |
//! | `document` | conversion of files with JSON and one buffer to a single binary file, and back |
//! | `accessors` | values and bounds of accessors |
//! | `bones` | rest transforms and names |
//! | `findings` | fixes of findings about the file |
//! | `channels` | animation channels without effect |
//! | `skinned` | joints and skinned nodes |

mod accessors;
mod bones;
mod channels;
mod document;
mod findings;
pub(super) mod json_text;
mod skinned;

use crate::formats::editor::{Edit, Edited, Editor};

/// The functions for this format.
pub(super) const EDITOR: Editor =
    Editor { fixes: findings::FIXES, joined: document::joined, edit, files: document::files };

fn edit(edit: Edit<'_>) -> Option<Edited> {
    let mut file = document::Parts::of(edit.original, &edit.patched)?;
    bones::edit(&mut file.json, edit.before, edit.after)?;
    findings::edit(&mut file, &edit)?;
    accessors::update_bounds(&mut file, edit.provenance)?;
    file.into_bytes(&edit)
}
