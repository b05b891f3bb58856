//! Colours and spacing of the themes.

mod colors;
pub(super) mod gap;

use egui::style::WidgetVisuals;
use egui::{Color32, Context, CornerRadius, Stroke, Style, Theme, Visuals};

use rigscope_state as state;

pub(super) use colors::Colors;
use colors::{DARK, HIGH_CONTRAST, LIGHT};

/// Installs both styles; egui chooses between them.
pub fn install(ctx: &Context) {
    ctx.set_visuals_of(Theme::Dark, visuals(&DARK));
    ctx.set_visuals_of(Theme::Light, visuals(&LIGHT));
    ctx.all_styles_mut(spacing);
    super::wheel::install(ctx);
}

/// Applies theme and scale from the settings.
pub fn set(ctx: &Context, settings: &state::Settings) {
    let theme = settings.theme;
    // egui's zoom shortcuts would bypass the settings.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    let scale = settings.usable_ui_scale();
    if ctx.zoom_factor() != scale {
        ctx.set_zoom_factor(scale);
    }
    let id = egui::Id::unique("high contrast");
    let was_strong = ctx.data(|data| data.get_temp(id)).unwrap_or(false);
    let is_strong = theme == state::Theme::HighContrast;
    if is_strong != was_strong {
        ctx.set_visuals_of(Theme::Dark, visuals(if is_strong { &HIGH_CONTRAST } else { &DARK }));
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

/// The colours of the theme with these `visuals`.
pub(super) fn colors(visuals: &Visuals) -> &'static Colors {
    match (visuals.dark_mode, visuals.panel_fill == HIGH_CONTRAST.panel) {
        (true, true) => &HIGH_CONTRAST,
        (true, false) => &DARK,
        (false, _) => &LIGHT,
    }
}

/// Like [`colors`], for code that has only a painter.
pub(super) fn colors_of(ctx: &Context) -> &'static Colors {
    colors(&ctx.style_of(ctx.theme()).visuals)
}

/// The colour of highlighted lines and handles.
pub(super) fn accent(visuals: &Visuals) -> Color32 {
    colors(visuals).accent
}

fn spacing(style: &mut Style) {
    style.spacing.item_spacing = egui::vec2(6.0, 4.0);
    style.spacing.button_padding = egui::vec2(7.0, 3.0);
    style.spacing.menu_margin = egui::Margin::same(6);
    style.spacing.interact_size.y = 21.0;
    style.spacing.indent = 16.0;
    // A popup or dialog may be as high as the window.
    style.spacing.default_area_size.y = f32::INFINITY;
    // Scroll bars are next to the content, so that they don't cover the last digits.
    style.spacing.scroll.floating_allocated_width = 6.0;
    style.interaction.tooltip_delay = 0.4;
    // Animations are off: motion would have no meaning, and an idle window must not redraw.
    style.animation_time = 0.0;
    if let Some(font) = style.text_styles.get_mut(&egui::TextStyle::Small) {
        font.size = 10.5;
    }
}

/// egui's visuals for a theme. High contrast has thick edges.
fn visuals(colors: &Colors) -> Visuals {
    let is_strong = *colors == HIGH_CONTRAST;
    let mut visuals = if *colors == LIGHT { Visuals::light() } else { Visuals::dark() };
    let [thin, thick] = if is_strong { [1.5, 2.0] } else { [1.0, 1.0] };
    visuals.panel_fill = colors.panel;
    visuals.window_fill = colors.window;
    visuals.extreme_bg_color = colors.field;
    visuals.faint_bg_color = colors.stripe;
    visuals.window_stroke = Stroke::new(thick, colors.edge);
    visuals.hyperlink_color = colors.link;
    visuals.selection.bg_fill = colors.selected;
    visuals.selection.stroke = Stroke::new(thick, colors.on_selected);
    visuals.warn_fg_color = colors.warning;
    visuals.error_fg_color = colors.error;
    visuals.weak_text_color = Some(colors.weak);
    let widget = |widget: &mut WidgetVisuals, ground, bg_edge, fg| {
        widget.weak_bg_fill = ground;
        widget.bg_fill = ground;
        widget.bg_stroke = bg_edge;
        widget.fg_stroke = fg;
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    };
    let widgets = &mut visuals.widgets;
    let line = Stroke::new(thick, colors.line);
    let edge = if is_strong { Stroke::new(1.0, colors.line) } else { Stroke::NONE };
    let hovered_edge = Stroke::new(thick, colors.hovered_edge);
    let active_edge = Stroke::new(thick, colors.accent);
    let pen = |color| Stroke::new(thin, color);
    widget(&mut widgets.noninteractive, colors.panel, line, pen(colors.text));
    widget(&mut widgets.inactive, colors.button, edge, pen(colors.button_text));
    widget(&mut widgets.hovered, colors.hovered, hovered_edge, pen(colors.hovered_text));
    widget(&mut widgets.active, colors.active, active_edge, pen(colors.strong));
    widget(&mut widgets.open, colors.active, hovered_edge, pen(colors.strong));
    widgets.inactive.bg_fill = colors.tick_box;
    visuals
}
