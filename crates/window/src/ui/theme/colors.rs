//! All colours of the window, one row per theme. A test measures the contrast of each combination in use.
//!
//! Not for: colours of the rendered model, which are in `visual`.

use egui::Color32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) struct Colors {
    /// Backgrounds: panes, floating windows, fields and lists, alternate rows.
    pub(in crate::ui) panel: Color32,
    pub(in crate::ui) window: Color32,
    pub(in crate::ui) field: Color32,
    pub(in crate::ui) stripe: Color32,
    /// Backgrounds of buttons and checkboxes, and of both when hovered or pressed.
    pub(in crate::ui) button: Color32,
    pub(in crate::ui) tick_box: Color32,
    pub(in crate::ui) hovered: Color32,
    pub(in crate::ui) active: Color32,
    /// Background of selected or active items.
    pub(in crate::ui) selected: Color32,
    /// Text: normal, headings, secondary, on buttons, on selected items.
    pub(in crate::ui) text: Color32,
    pub(in crate::ui) strong: Color32,
    pub(in crate::ui) weak: Color32,
    pub(in crate::ui) button_text: Color32,
    pub(in crate::ui) on_selected: Color32,
    pub(in crate::ui) hovered_text: Color32,
    /// Text with a meaning conveyed by its colour.
    pub(in crate::ui) link: Color32,
    pub(in crate::ui) warning: Color32,
    pub(in crate::ui) error: Color32,
    /// Highlighted lines and handles.
    pub(in crate::ui) accent: Color32,
    /// Lines between panes, edges of floating windows, edges under the pointer. They are decorative:
    /// spacing conveys the same.
    pub(in crate::ui) line: Color32,
    pub(in crate::ui) edge: Color32,
    pub(in crate::ui) hovered_edge: Color32,
    /// Text over the 3D view, whatever it shows, and the halo around it.
    pub(in crate::ui) over: Color32,
    pub(in crate::ui) over_weak: Color32,
    pub(in crate::ui) over_accent: Color32,
    pub(in crate::ui) over_selected: Color32,
    pub(in crate::ui) halo: Color32,
    /// Overlay for inactive parts.
    pub(in crate::ui) veil: Color32,
    /// x, y, z and w; axes have these colours everywhere.
    pub(in crate::ui) channels: [Color32; 4],
    /// The measured points, in the view and next to it: as distinct as possible, and different from the
    /// axis colours.
    pub(in crate::ui) measured: [Color32; 3],
    /// UV faults of triangles: mirrored, outside the texture, without area.
    pub(in crate::ui) uv_faults: [Color32; 3],
}

const fn rgb(r: u8, g: u8, b: u8) -> Color32 {
    Color32::from_rgb(r, g, b)
}

const DARK_CHANNELS: [Color32; 4] =
    [rgb(240, 106, 106), rgb(104, 200, 92), rgb(112, 158, 255), rgb(214, 166, 78)];
const DARK_MEASURED: [Color32; 3] = [rgb(255, 176, 46), rgb(240, 142, 240), rgb(60, 200, 220)];
const DARK_FAULTS: [Color32; 3] = [rgb(235, 150, 50), rgb(200, 130, 240), rgb(255, 125, 118)];

pub(in crate::ui) const DARK: Colors = Colors {
    panel: rgb(30, 32, 36),
    window: rgb(37, 39, 44),
    field: rgb(20, 21, 24),
    stripe: rgb(35, 37, 42),
    button: rgb(48, 51, 57),
    tick_box: rgb(58, 61, 68),
    hovered: rgb(58, 62, 70),
    active: rgb(66, 71, 80),
    selected: rgb(28, 58, 107),
    text: rgb(208, 211, 217),
    strong: rgb(245, 246, 248),
    weak: rgb(168, 173, 181),
    button_text: rgb(216, 219, 225),
    on_selected: rgb(233, 240, 255),
    hovered_text: rgb(245, 246, 248),
    link: rgb(112, 167, 255),
    warning: rgb(240, 177, 60),
    error: rgb(255, 126, 119),
    accent: rgb(92, 152, 255),
    line: rgb(48, 51, 57),
    edge: rgb(66, 70, 78),
    hovered_edge: rgb(86, 91, 101),
    over: Color32::from_gray(232),
    over_weak: Color32::from_gray(190),
    over_accent: rgb(148, 192, 255),
    over_selected: rgb(255, 162, 56),
    halo: Color32::from_black_alpha(190),
    veil: Color32::from_black_alpha(140),
    channels: DARK_CHANNELS,
    measured: DARK_MEASURED,
    uv_faults: DARK_FAULTS,
};

pub(in crate::ui) const LIGHT: Colors = Colors {
    panel: rgb(244, 245, 247),
    window: rgb(240, 242, 245),
    field: Color32::WHITE,
    stripe: rgb(236, 238, 241),
    button: rgb(226, 229, 233),
    tick_box: rgb(206, 210, 217),
    hovered: rgb(212, 217, 224),
    active: rgb(196, 202, 211),
    selected: rgb(191, 217, 255),
    text: rgb(44, 47, 53),
    strong: rgb(14, 16, 20),
    weak: rgb(84, 89, 98),
    button_text: rgb(38, 41, 46),
    on_selected: rgb(10, 44, 100),
    hovered_text: rgb(14, 16, 20),
    link: rgb(18, 84, 190),
    warning: rgb(128, 73, 0),
    error: rgb(174, 22, 22),
    accent: rgb(22, 98, 214),
    line: rgb(208, 211, 217),
    edge: rgb(188, 193, 201),
    hovered_edge: rgb(150, 156, 166),
    over: rgb(24, 27, 32),
    over_weak: rgb(58, 62, 70),
    over_accent: rgb(8, 62, 150),
    over_selected: rgb(130, 46, 0),
    halo: Color32::from_rgba_premultiplied(190, 190, 190, 190),
    veil: Color32::from_rgba_premultiplied(170, 170, 170, 170),
    channels: [rgb(186, 30, 30), rgb(24, 112, 20), rgb(24, 84, 200), rgb(126, 84, 0)],
    measured: [rgb(108, 58, 0), rgb(128, 16, 128), rgb(0, 80, 92)],
    uv_faults: [rgb(140, 76, 0), rgb(118, 40, 168), rgb(174, 22, 22)],
};

/// White, yellow and cyan on black.
pub(in crate::ui) const HIGH_CONTRAST: Colors = Colors {
    panel: Color32::BLACK,
    window: Color32::BLACK,
    field: Color32::BLACK,
    stripe: Color32::from_gray(28),
    button: Color32::from_gray(44),
    tick_box: Color32::from_gray(60),
    hovered: Color32::from_gray(40),
    active: Color32::from_gray(60),
    selected: rgb(0, 52, 150),
    text: Color32::WHITE,
    strong: Color32::WHITE,
    weak: Color32::from_gray(215),
    button_text: Color32::WHITE,
    on_selected: Color32::WHITE,
    hovered_text: rgb(255, 230, 0),
    link: rgb(90, 225, 255),
    warning: rgb(255, 230, 0),
    error: rgb(255, 140, 130),
    accent: rgb(90, 225, 255),
    line: Color32::from_gray(190),
    edge: Color32::WHITE,
    hovered_edge: rgb(255, 230, 0),
    over: Color32::WHITE,
    over_weak: Color32::from_gray(215),
    over_accent: rgb(90, 225, 255),
    over_selected: rgb(255, 162, 56),
    halo: Color32::from_black_alpha(220),
    veil: Color32::from_black_alpha(190),
    channels: DARK_CHANNELS,
    measured: DARK_MEASURED,
    uv_faults: DARK_FAULTS,
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Minimum contrast for text and for graphical elements, from WCAG 2.2, 1.4.3 and 1.4.11.
    const TEXT: f32 = 4.5;
    const SIGN: f32 = 3.0;

    /// Combinations of foreground and background, with the minimum contrast.
    fn pairs(colors: &Colors) -> Vec<(String, Color32, Color32, f32)> {
        let c = colors;
        let grounds =
            [("panel", c.panel), ("window", c.window), ("field", c.field), ("stripe", c.stripe)];
        let buttons = [("button", c.button), ("hovered", c.hovered), ("active", c.active)];
        let texts = [
            ("text", c.text),
            ("strong", c.strong),
            ("weak", c.weak),
            ("button text", c.button_text),
            ("hovered text", c.hovered_text),
            ("link", c.link),
            ("warning", c.warning),
            ("error", c.error),
        ];
        let mut pairs = Vec::new();
        let mut add = |what: &str, on: (&str, Color32), color, least| {
            pairs.push((format!("{what} on {}", on.0), color, on.1, least));
        };
        for ground in grounds {
            texts.iter().for_each(|(name, color)| add(name, ground, *color, TEXT));
            add("accent", ground, c.accent, SIGN);
            c.channels.iter().for_each(|color| add("channel", ground, *color, TEXT));
            c.measured.iter().for_each(|color| add("measured", ground, *color, TEXT));
            c.uv_faults.iter().for_each(|color| add("fault", ground, *color, TEXT));
        }
        for button in buttons {
            add("button text", button, c.button_text, TEXT);
            add("hovered text", button, c.hovered_text, TEXT);
        }
        // Hovered rows and segmented buttons.
        for ground in [("button", c.button), ("hovered", c.hovered)] {
            add("text", ground, c.text, TEXT);
            add("weak", ground, c.weak, TEXT);
        }
        add("tick", ("tick box", c.tick_box), c.button_text, TEXT);
        let selected = ("selected", c.selected);
        for (name, color) in [
            ("its text", c.on_selected),
            ("weak", c.weak),
            ("link", c.link),
            ("warning", c.warning),
            ("error", c.error),
        ] {
            add(name, selected, color, TEXT);
        }
        add("accent", selected, c.accent, SIGN);
        // The least favourable background under the halo.
        let worst = if c.over.r() > 127 { Color32::WHITE } else { Color32::BLACK };
        let haloed = ("the halo", worst.blend(c.halo));
        for (name, color) in [
            ("over", c.over),
            ("over, weak", c.over_weak),
            ("over, accent", c.over_accent),
            ("over, selected", c.over_selected),
        ] {
            add(name, haloed, color, TEXT);
        }
        c.measured.iter().for_each(|color| add("measured", haloed, *color, TEXT));
        pairs
    }

    /// Relative luminance, WCAG 2.2.
    fn luminance(color: Color32) -> f32 {
        let [r, g, b, _] = egui::Rgba::from(color).to_array();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn contrast_matches_the_standard() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 0.01);
        // The darkest grey that just passes on white.
        assert!((contrast(Color32::from_gray(0x76), Color32::WHITE) - 4.54).abs() < 0.01);
    }

    #[test]
    fn selected_items_have_the_colour_of_the_outline() {
        let [r, g, b] = rigscope_core::visual::SELECTED;
        let outline = Color32::from(egui::Rgba::from_rgb(r, g, b));
        assert_eq!([DARK, HIGH_CONTRAST].map(|colors| colors.over_selected), [outline; 2]);
    }

    #[test]
    fn all_text_contrasts_with_its_background() {
        for (theme, colors) in [("dark", DARK), ("light", LIGHT), ("high contrast", HIGH_CONTRAST)]
        {
            let pairs = pairs(&colors);
            assert!(pairs.len() > 60);
            let low = pairs.iter().filter(|(_, one, other, least)| contrast(*one, *other) < *least);
            let low: Vec<String> = low
                .map(|(what, one, other, least)| {
                    format!("{what}: {:.2} of {least}", contrast(*one, *other))
                })
                .collect();
            assert!(low.is_empty(), "{theme}: {low:#?}");
        }
    }
}
