//! The browser's clipboard.

use egui::OutputCommand;

use super::page;

pub(in crate::app) fn copy_text(_: &mut egui_winit::State, text: String) {
    page::call("copyText", &[text.into()]);
}

/// Handles egui's clipboard and browser commands.
pub(in crate::app) fn take_over(output: &mut egui::PlatformOutput) {
    for command in std::mem::take(&mut output.commands) {
        match command {
            OutputCommand::CopyText(text) => {
                page::call("copyText", &[text.into()]);
            }
            OutputCommand::CopyImage(image) => {
                let rgba: Vec<u8> =
                    image.pixels.iter().flat_map(|pixel| pixel.to_srgba_unmultiplied()).collect();
                let bytes = js_sys::Uint8Array::from(rgba.as_slice());
                let [width, height] = image.size.map(|side| (side as f64).into());
                page::call("copyImage", &[bytes.into(), width, height]);
            }
            OutputCommand::OpenUrl(open) => {
                page::call("openUrl", &[open.url.into()]);
            }
            other => output.commands.push(other),
        }
    }
}
