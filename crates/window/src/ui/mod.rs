//! The window's panes: functions that show the state and return actions.
//!
//! For: the window, and tests that operate the real panes without one.
//! Not for: decisions (`state`), drawing the model (`gpu`; here it is a texture), or files.
//!
//! Invariant: a pane reads the state and changes only egui's memory (scroll positions, text input);
//! everything else is returned as an [`Action`].

mod animation;
mod as_bsm2;
mod banners;
mod bone_legend;
mod bone_pairs;
mod buttons;
mod bytes;
mod channels;
mod clip_list;
mod clip_plot;
mod collision;
mod color_choice;
mod command_button;
mod compare;
mod compass;
mod context_menu;
mod curves;
mod diagnosis;
mod dialogs;
mod divider;
mod dock;
mod dock_groups;
mod dock_sizes;
mod dock_tabs;
mod export_pane;
mod file_chooser;
mod finding_marks;
mod findings;
mod form;
mod format;
mod frame_rate;
mod frame_times;
mod fuzzy_match;
mod glyph_legend;
mod go_to;
mod gpu_check;
mod haloed_text;
mod hints;
mod histogram;
mod icons;
mod image_export_pane;
mod inspector;
mod key_listener;
mod legend;
mod light;
mod log;
mod material_roles;
mod materials;
mod measure;
mod measure_marks;
mod menu_bar;
mod outline;
mod palette;
mod picking;
mod poses;
mod projection;
mod readers;
mod revisions;
mod rows;
mod search_field;
mod second_clip;
mod second_model;
mod shortcut_list;
mod shortcuts;
mod side_pane;
mod side_panes;
mod start;
mod statistics;
mod status_bar;
mod stretched_edges;
mod tab_bar;
pub mod theme;
mod thumbnail_textures;
mod timeline;
mod toasts;
mod toolbar;
mod tooltips;
mod uv;
mod value_tracks;
mod view;
mod weights;
mod wheel;
mod widgets;
mod window;

pub use compass::compass_end;
pub use status_bar::status_text;
pub use view::ViewTextures;
pub use window::window_ui;

use egui::Ui;
use rigscope_state::{Action, AppState, Pane};

/// Shows the content of `pane`.
fn pane_ui(
    ui: &mut Ui,
    pane: Pane,
    state: &AppState,
    textures: ViewTextures,
    out: &mut Vec<Action>,
) {
    let show: fn(&mut Ui, &AppState, &mut Vec<Action>) = match pane {
        // The dock shows the view, without a frame around it.
        Pane::View => return,
        Pane::Outline => outline::outline_ui,
        Pane::Inspector => inspector::inspector_ui,
        Pane::Findings => findings::findings_ui,
        Pane::Diagnosis => diagnosis::diagnosis_ui,
        Pane::Bytes => bytes::bytes_ui,
        Pane::AsBsm2 => as_bsm2::as_bsm2_ui,
        Pane::Compare => compare::compare_ui,
        Pane::Truth => gpu_check::gpu_check_ui,
        Pane::Log => log::log_ui,
        Pane::Weights => weights::weights_ui,
        Pane::Statistics => statistics::statistics_ui,
        Pane::Curves => curves::curves_ui,
        Pane::Animation => animation::animation_ui,
        Pane::Collision => collision::collision_ui,
        Pane::Uv => return uv::uv_ui(ui, state, textures, out),
        Pane::Measure => measure::measure_ui,
        Pane::Poses => poses::poses_ui,
        Pane::Light => light::light_ui,
        Pane::Materials => materials::materials_ui,
        Pane::BonePairs => bone_pairs::bone_pairs_ui,
        Pane::FrameTimes => frame_times::frame_times_ui,
    };
    show(ui, state, out);
}
