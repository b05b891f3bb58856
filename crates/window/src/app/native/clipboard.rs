//! The clipboard, which egui's link to the window looks after.

/// Puts `text` there.
pub(in crate::app) fn copy_text(egui_state: &mut egui_winit::State, text: String) {
    egui_state.set_clipboard_text(text);
}

/// What egui asks of the clipboard is done by its link to the window.
pub(in crate::app) fn take_over(_: &mut egui::PlatformOutput) {}
