//! Colours and spacing, dark and light.

use egui::{Color32, CornerRadius, Stroke, Style, Theme, Visuals};

use crate::state;

/// Blue that stands out on both grounds.
const ACCENT_DARK: Color32 = Color32::from_rgb(76, 141, 255);
const ACCENT_LIGHT: Color32 = Color32::from_rgb(22, 98, 214);

/// Sets both styles; egui chooses between them.
pub fn install(ctx: &egui::Context) {
    ctx.set_visuals_of(Theme::Dark, dark());
    ctx.set_visuals_of(Theme::Light, light());
    ctx.all_styles_mut(spacing);
}

/// Colours and size as the settings have them.
pub fn set(ctx: &egui::Context, settings: &state::Settings) {
    let theme = settings.theme;
    // The key of egui's own would change what is not kept.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    let scale = settings.usable_ui_scale();
    if ctx.zoom_factor() != scale {
        ctx.set_zoom_factor(scale);
    }
    let id = egui::Id::unique("high contrast");
    let was_strong = ctx.data(|data| data.get_temp(id)).unwrap_or(false);
    let is_strong = theme == state::Theme::HighContrast;
    if is_strong != was_strong {
        let visuals = if is_strong { high_contrast() } else { dark() };
        ctx.set_visuals_of(Theme::Dark, visuals);
        ctx.data_mut(|data| data.insert_temp(id, is_strong));
    }
    let wanted = match theme {
        state::Theme::System => egui::ThemePreference::System,
        state::Theme::Light => egui::ThemePreference::Light,
        state::Theme::Dark | state::Theme::HighContrast => egui::ThemePreference::Dark,
    };
    if ctx.options(|options| options.theme_preference) != wanted {
        ctx.set_theme(wanted);
    }
}

fn spacing(style: &mut Style) {
    style.spacing.item_spacing = egui::vec2(6.0, 4.0);
    style.spacing.button_padding = egui::vec2(7.0, 3.0);
    style.spacing.menu_margin = egui::Margin::same(6);
    style.spacing.interact_size.y = 21.0;
    style.spacing.indent = 16.0;
    style.interaction.tooltip_delay = 0.4;
    // Nothing moves unless it means something, and an idle window draws nothing.
    style.animation_time = 0.0;
    if let Some(font) = style.text_styles.get_mut(&egui::TextStyle::Small) {
        font.size = 10.5;
    }
}

fn dark() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = Color32::from_rgb(30, 32, 36);
    visuals.window_fill = Color32::from_rgb(37, 39, 44);
    visuals.extreme_bg_color = Color32::from_rgb(20, 21, 24);
    visuals.faint_bg_color = Color32::from_rgb(35, 37, 42);
    visuals.window_stroke = Stroke::new(1.0, Color32::from_rgb(62, 65, 72));
    visuals.hyperlink_color = ACCENT_DARK;
    visuals.selection.bg_fill = Color32::from_rgb(38, 79, 143);
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(225, 235, 255));
    visuals.warn_fg_color = Color32::from_rgb(240, 177, 60);
    visuals.error_fg_color = Color32::from_rgb(255, 107, 100);
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(48, 51, 57));
    widgets.noninteractive.fg_stroke.color = Color32::from_rgb(200, 203, 209);
    widgets.inactive.fg_stroke.color = Color32::from_rgb(212, 215, 221);
    widgets.inactive.weak_bg_fill = Color32::from_rgb(48, 51, 57);
    widgets.inactive.bg_fill = Color32::from_rgb(58, 61, 68);
    widgets.hovered.weak_bg_fill = Color32::from_rgb(58, 62, 70);
    widgets.hovered.bg_stroke = Stroke::new(1.0, Color32::from_rgb(86, 91, 101));
    corners(&mut visuals);
    visuals
}

/// White, yellow and cyan on black; every edge is a line of two points.
fn high_contrast() -> Visuals {
    const CYAN: Color32 = Color32::from_rgb(90, 225, 255);
    const YELLOW: Color32 = Color32::from_rgb(255, 230, 0);
    let mut visuals = dark();
    visuals.panel_fill = Color32::BLACK;
    visuals.window_fill = Color32::BLACK;
    visuals.extreme_bg_color = Color32::BLACK;
    visuals.faint_bg_color = Color32::from_gray(28);
    visuals.window_stroke = Stroke::new(2.0, Color32::WHITE);
    visuals.hyperlink_color = CYAN;
    visuals.selection.bg_fill = Color32::from_rgb(0, 70, 190);
    visuals.selection.stroke = Stroke::new(2.0, Color32::WHITE);
    visuals.warn_fg_color = YELLOW;
    visuals.error_fg_color = Color32::from_rgb(255, 130, 120);
    visuals.weak_text_color = Some(Color32::from_gray(215));
    visuals.override_text_color = None;
    let widgets = &mut visuals.widgets;
    widgets.noninteractive.bg_stroke = Stroke::new(2.0, Color32::from_gray(190));
    widgets.noninteractive.fg_stroke = Stroke::new(1.5, Color32::WHITE);
    widgets.inactive.fg_stroke = Stroke::new(2.0, Color32::WHITE);
    widgets.inactive.bg_stroke = Stroke::new(1.0, Color32::from_gray(190));
    widgets.inactive.weak_bg_fill = Color32::from_gray(64);
    widgets.inactive.bg_fill = Color32::from_gray(60);
    widgets.hovered.fg_stroke = Stroke::new(2.5, YELLOW);
    widgets.hovered.bg_stroke = Stroke::new(2.0, YELLOW);
    widgets.hovered.weak_bg_fill = Color32::from_gray(40);
    widgets.active.fg_stroke = Stroke::new(2.5, CYAN);
    widgets.active.bg_stroke = Stroke::new(2.0, CYAN);
    visuals
}

fn light() -> Visuals {
    let mut visuals = Visuals::light();
    visuals.panel_fill = Color32::from_rgb(244, 245, 247);
    visuals.window_fill = Color32::from_rgb(252, 252, 253);
    visuals.extreme_bg_color = Color32::WHITE;
    visuals.faint_bg_color = Color32::from_rgb(236, 238, 241);
    visuals.hyperlink_color = ACCENT_LIGHT;
    visuals.selection.bg_fill = Color32::from_rgb(191, 217, 255);
    visuals.selection.stroke = Stroke::new(1.0, Color32::from_rgb(12, 54, 120));
    visuals.warn_fg_color = Color32::from_rgb(166, 98, 0);
    visuals.error_fg_color = Color32::from_rgb(190, 32, 32);
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_rgb(52, 56, 62);
    visuals.widgets.inactive.fg_stroke.color = Color32::from_rgb(38, 41, 46);
    corners(&mut visuals);
    visuals
}

fn corners(visuals: &mut Visuals) {
    let widgets = &mut visuals.widgets;
    for widget in [
        &mut widgets.noninteractive,
        &mut widgets.inactive,
        &mut widgets.hovered,
        &mut widgets.active,
        &mut widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    }
}

/// The colour that says "here".
pub(super) fn accent(visuals: &Visuals) -> Color32 {
    visuals.hyperlink_color
}
