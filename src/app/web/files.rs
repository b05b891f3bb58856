//! Files that somebody gives to the page.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use winit::event_loop::EventLoopProxy;

use super::page::{self, field};
use crate::app::Msg;
use crate::files::{disk, model_file};
use crate::formats::{COMMON_EXTENSIONS, FORMATS, FormatInfo};

/// Puts files in memory that the page has read: a list of objects with `path`, `bytes` and `modified`, in
/// milliseconds, or of folders with `path` alone. Gives the paths of those that were meant, and not only
/// read along.
pub(super) fn take(given: &JsValue) -> Vec<PathBuf> {
    let (mut meant, mut sizes) = (Vec::new(), Vec::new());
    for file in Array::from(given) {
        let Some(path) = field(&file, "path").as_string().map(PathBuf::from) else { continue };
        let is_meant = field(&file, "isMeant").is_truthy();
        if field(&file, "isFolder").is_truthy() {
            meant.extend(model_in(path, &sizes));
            continue;
        }
        let bytes: Arc<[u8]> = Uint8Array::new(&field(&file, "bytes")).to_vec().into();
        let millis = field(&file, "modified").as_f64().filter(|millis| *millis >= 0.0);
        let age = Duration::try_from_secs_f64(millis.unwrap_or(0.0) / 1e3).unwrap_or_default();
        let modified = SystemTime::UNIX_EPOCH.checked_add(age).unwrap_or(SystemTime::UNIX_EPOCH);
        sizes.push((path.clone(), bytes.len()));
        disk::put(&path, bytes, modified);
        if is_meant {
            meant.push(path);
        }
    }
    meant
}

/// What to open of a folder of `files`, given by path and size: itself where it is an effect, else its
/// largest model; itself again where there is none, of which it is said.
fn model_in(folder: PathBuf, files: &[(PathBuf, usize)]) -> Option<PathBuf> {
    if model_file(&folder) != folder.as_path() {
        return Some(folder);
    }
    let is_model = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_of = |info: &FormatInfo| info.can_read && info.extensions.contains(&&*extension);
        !COMMON_EXTENSIONS.contains(&&*extension) && FORMATS.iter().any(|f| is_of(f.info()))
    };
    let inside = files.iter().filter(|(path, _)| path.starts_with(&folder) && is_model(path));
    let largest = inside.max_by_key(|(_, size)| *size).map(|(path, _)| path.clone());
    Some(largest.unwrap_or(folder))
}

/// Has the page tell of files that are let go over it, changed in their folder, or named in its address.
pub(super) fn listen(proxy: &EventLoopProxy<Msg>) {
    let (dropping, picking) = (proxy.clone(), proxy.clone());
    let dropped = page::callback(move |given| {
        // The page may be closed by now.
        let _ = dropping.send_event(Msg::Dropped(take(&given)));
    });
    // Noticed as elsewhere, by their time.
    let changed = page::callback(|given| {
        take(&given);
    });
    let pasting = proxy.clone();
    let pasted = page::callback(move |text| {
        let _ = pasting.send_event(Msg::Pasted(text.as_string().unwrap_or_default()));
    });
    let opened = page::callback(move |given| {
        let kind = crate::state::FileKind::Model;
        let _ = picking.send_event(Msg::Picked(kind, take(&given)));
    });
    page::call("listen", &[dropped, changed, opened, pasted]);
}
