//! Files given to the page by the user.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsValue;
use winit::event_loop::EventLoopProxy;

use super::page::{self, field};
use crate::app::{Msg, send};
use rigscope_io::files::{disk, model_file, name_of};
use rigscope_io::formats::{COMMON_EXTENSIONS, FORMATS, FormatInfo};

/// Stores files that the page has read in memory: a list of objects with `path`, `bytes` and `modified`
/// (milliseconds), or folders with only `path`. Returns the paths to open, which are those with a `word`
/// that gives their role. Files without one are only read as related files.
pub(super) fn put(given: &JsValue) -> Vec<(PathBuf, String)> {
    let (mut named, mut sizes) = (Vec::new(), Vec::new());
    for file in Array::from(given) {
        let Some(path) = field(&file, "path").as_string().map(PathBuf::from) else { continue };
        let word = field(&file, "word").as_string();
        if field(&file, "isFolder").is_truthy() {
            named.extend(model_in(path, &sizes).zip(word));
            continue;
        }
        let Some(bytes) = bytes_of(&Uint8Array::new(&field(&file, "bytes"))) else {
            let name = name_of(&path);
            let text = format!("{name} doesn't fit into the page's memory; close other models");
            page::call("showError", &[text.into()]);
            continue;
        };
        let millis = field(&file, "modified").as_f64().filter(|millis| *millis >= 0.0);
        let age = Duration::try_from_secs_f64(millis.unwrap_or(0.0) / 1e3).unwrap_or_default();
        let modified = SystemTime::UNIX_EPOCH.checked_add(age).unwrap_or(SystemTime::UNIX_EPOCH);
        sizes.push((path.clone(), bytes.len()));
        disk::put(&path, bytes, modified);
        named.extend(word.map(|word| (path, word)));
    }
    named
}

/// A copy in WebAssembly memory; `None` if there isn't enough.
fn bytes_of(array: &Uint8Array) -> Option<Arc<[u8]>> {
    let len = usize::try_from(array.length()).ok()?;
    // A failed allocation below would abort the page.
    Vec::<u8>::new().try_reserve_exact(len).ok()?;
    let mut bytes: Arc<[u8]> = std::iter::repeat_n(0, len).collect();
    array.copy_to(Arc::get_mut(&mut bytes)?);
    Some(bytes)
}

/// Like [`put`], without the words.
pub(super) fn take(given: &JsValue) -> Vec<PathBuf> {
    put(given).into_iter().map(|(path, _)| path).collect()
}

/// The path to open for a folder of `files`, given by path and size: the folder itself if it contains an
/// effect, otherwise its largest model, otherwise the folder again, which is then reported as an error.
fn model_in(folder: PathBuf, files: &[(PathBuf, usize)]) -> Option<PathBuf> {
    if model_file(&folder) != folder.as_path() {
        return Some(folder);
    }
    let is_model = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_of = |info: &FormatInfo| info.can_read && info.extensions.contains(&&*extension);
        !COMMON_EXTENSIONS.contains(&&*extension) && FORMATS.iter().any(|f| is_of(&f.info))
    };
    let inside = files.iter().filter(|(path, _)| path.starts_with(&folder) && is_model(path));
    let largest = inside.max_by_key(|(_, size)| *size).map(|(path, _)| path.clone());
    Some(largest.unwrap_or(folder))
}

/// Registers callbacks for files dropped on the page or changed in their folder, and for pasted text.
pub(super) fn listen(proxy: &EventLoopProxy<Msg>) {
    let dropping = proxy.clone();
    let dropped = page::callback(move |given| {
        send(&dropping, Msg::Dropped(take(&given)));
    });
    // Changes are detected by modification time, as on a desktop.
    let changed = page::callback(|given| {
        take(&given);
    });
    let pasting = proxy.clone();
    let pasted = page::callback(move |text| {
        send(&pasting, Msg::Pasted(text.as_string().unwrap_or_default()));
    });
    page::call("listen", &[dropped, changed, pasted]);
}
