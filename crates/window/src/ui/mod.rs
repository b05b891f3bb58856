//! The window's panes: functions that show the state and return actions.
//!
//! For: the window, and tests that operate the real panes without one.
//! Not for: decisions (`state`), drawing the model (`gpu`; here it is a texture), or files.
//!
//! Invariant: a pane reads the state and changes only egui's memory (scroll positions, text input);
//! everything else is returned as an [`Action`](rigscope_state::Action).
//! positions, text being typed); everything else leaves as an [`Action`](rigscope_state::Action).

mod animation;
mod as_bsm2;
mod banners;
mod beside;
mod bone_legend;
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
mod dialogs;
mod divider;
mod dock;
mod dock_room;
mod dock_tabs;
mod export;
mod finding_marks;
mod form;
mod format;
mod fps;
mod frame_times;
mod fuzzy;
mod glyphs;
mod go_to;
mod hints;
mod histogram;
mod icons;
mod inspector;
mod key_listener;
mod keys;
mod legend;
mod light;
mod log;
mod material_roles;
mod materials;
mod measure;
mod measure_marks;
mod menu_bar;
mod notes;
mod outline;
mod palette;
mod picking;
mod picture;
mod place;
mod poses;
mod rows;
mod search_field;
mod second;
mod shadowed;
mod shortcuts;
mod side_panel;
mod start;
mod statistics;
mod status_bar;
mod stretch;
mod tab_bar;
pub mod theme;
mod thumbnail_textures;
mod timeline;
mod toasts;
mod toolbar;
mod truth;
mod uv;
mod value_tracks;
mod view;
mod weights;
mod widgets;
mod window;

pub use compass::compass_end;
pub use status_bar::status_text;
pub use view::Picture;
pub use window::window_ui;
