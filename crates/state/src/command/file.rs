//! The File menu.

use super::Icon;
use super::conditions::{has_document, has_file, has_tabs, needs};
use super::menu::commands;
use crate::{AppState, FileKind, ImageExportKind, Request, ToastLevel};

commands! { File:
    {
        Open "Open files…" ["Ctrl+O"]
            "Opens each chosen model in a separate tab. Files without a mesh are added to the largest model.",
            icon Icon::Folder,
            run |_| vec![Request::PickFiles(FileKind::Model)];
        AddRelatedFiles "Add files to model…" ["Ctrl+Shift+O"]
            "Reloads the file with animations, skeletons, skins or textures from other files.",
            when has_file, run |_| vec![Request::PickFiles(FileKind::RelatedFiles)];
        Reload "Reload" ["F5", "Ctrl+R"]
            "Reloads the file, keeping camera, clip, time, selection and visibility.",
            icon Icon::Again,
            when has_document, run AppState::reload;
        TurnUp "Swap up axis (Y/Z)" ["Shift+U"]
            "Reloads the file with Z as the up axis instead of Y, or the other way round, since \
            exporters don't always follow their format.",
            when has_document, run AppState::turn_up;
        ToggleWatch "Reload when the file changes"
            "Watches the file on disk and reloads it when it changes.",
            on |s| s.settings.watch, setting |s| s.watch ^= true;
        CancelLoad "Cancel loading" ["Ctrl+Period"]
            "Stops loading and keeps the current file.",
            when |s| needs(s.job.is_some(), "no file is being loaded"), run AppState::cancel_job;
        Export "Export…" ["Ctrl+E"]
            "Writes the model in another format and reports losses.",
            icon Icon::Out,
            when has_document, run AppState::open_export;
        CompareRevision "Compare with revision…"
            "Compares the file with an earlier version in its Git repository.",
            when |s| on_desktop(s).and_then(|()| has_file(s)), run AppState::open_revisions;
    }
    {
        OpenSample "Open the sample"
            "Opens the built-in sample character.",
            run AppState::open_sample;
        Readers "Readers for other formats…"
            "Lists the programs that read further formats, and adds or removes them.",
            when on_desktop, run AppState::open_readers;
        CopyPath "Copy the file's path" ["Ctrl+Shift+C"]
            "Copies the path of the file to the clipboard.",
            when has_file, run copy_path;
    }
    {
        NextTab "Next tab" ["Ctrl+Tab"]
            "Shows the file to the right.",
            when has_tabs, run |s| s.step_tab(1);
        PreviousTab "Previous tab" ["Ctrl+Shift+Tab"]
            "Shows the file to the left.",
            when has_tabs, run |s| s.step_tab(s.num_tabs() - 1);
        CloseTab "Close the tab" ["Ctrl+W"]
            "Closes the current file.",
            when |s| has_document(s).or_else(|_| has_tabs(s)), run AppState::close_active_tab;
        ToggleReopen "Reopen tabs at start"
            "Opens the files of all tabs again at the next start.",
            on |s| s.settings.reopen, setting |s| s.reopen ^= true;
        CopyFindings "Copy the findings"
            "Copies the visible findings, one per line.",
            when |s| needs(!s.tab.view.findings.rows.is_empty(), "no findings are listed"),
            run |s| vec![Request::CopyText(s.tab.view.findings.text())];
        CopyFigures "Copy the statistics"
            "Copies the statistics of meshes, subsets and textures as tab-separated text.",
            when has_document, run AppState::copy_statistics;
        CopyFrameTimes "Copy the frame times"
            "Copies the CPU and GPU times of recent frames as tab-separated text.",
            when |s| needs(!s.timings.log.is_empty(), "needs the Frame times pane"),
            run |s| vec![Request::CopyText(s.timings.log.text())];
    }
    {
        SaveImage "Save image…" ["Ctrl+S"]
            "Saves the view as a PNG of any size, with or without background.",
            icon Icon::Photo,
            when has_document, change |s| s.open_image_export(ImageExportKind::Still);
        CopyImage "Copy image" ["Ctrl+C"]
            "Copies the view to the clipboard, rendered as it would be saved.",
            when has_document, run AppState::copy_image;
        SaveFilm "Save turntable or clip…" ["Ctrl+Shift+S"]
            "Saves a full orbit around the model, or one loop of its clip, as a GIF or numbered PNGs.",
            when has_document, change save_film;
        CopyCommandLine "Copy the command line" ["Ctrl+Shift+L"]
            "Copies the `render` command that renders this image without a window.",
            when has_file, run copy_command_line;
    }
    {
        Quit "Quit" ["Ctrl+Q"]
            "Closes the window.",
            run |_| vec![Request::SaveSettings, Request::Quit];
    }
}

fn on_desktop(_: &AppState) -> Result<(), &'static str> {
    needs(cfg!(not(target_arch = "wasm32")), "needs the desktop program")
}

fn copy_path(state: &mut AppState) -> Vec<Request> {
    let document = state.tab.document.as_ref();
    let path = document.and_then(|document| document.origin.path());
    let text = path.map(|path| path.display().to_string());
    text.map(Request::CopyText).into_iter().collect()
}

fn save_film(state: &mut AppState) {
    state.open_image_export(if state.can_play() {
        ImageExportKind::Clip
    } else {
        ImageExportKind::Turntable
    });
}

fn copy_command_line(state: &mut AppState) -> Vec<Request> {
    let beyond = state.beyond_command_line();
    if !beyond.is_empty() {
        let text = format!("the copied command line leaves out {}", beyond.join(", "));
        state.toasts.push(ToastLevel::Warning, text);
    }
    let text = state.command_line();
    text.map(Request::CopyText).into_iter().collect()
}
