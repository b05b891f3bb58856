//! Written files, which the browser receives as downloads.

use js_sys::Uint8Array;

use super::page;
use rigscope_io::files::take_downloads;

/// Passes newly written files to the browser.
pub(in crate::app) fn deliver() {
    for download in take_downloads() {
        let name = download.path.file_name().unwrap_or(download.path.as_os_str());
        let bytes = Uint8Array::from(download.bytes.as_slice());
        page::call("download", &[name.to_string_lossy().into_owned().into(), bytes.into()]);
    }
}
