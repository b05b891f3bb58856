//! The clipboard, handled by `egui_winit`.

pub(in crate::app) fn copy_text(egui_state: &mut egui_winit::State, text: String) {
    egui_state.set_clipboard_text(text);
}

/// Nothing to do: `egui_winit` handles egui's clipboard commands.
pub(in crate::app) fn take_over(_: &mut egui::PlatformOutput) {}
