//! Colours for things that have only a number, the same in every picture and panel.

/// Colours of vertices by the number of bones that move them, linear RGB: 0, 1, 2, 3, 4, and 5 or
/// more. From cold to warm; none at all and too many stand out by their brightness too.
/// Keep in sync with `shaders/common.wgsl`.
pub const INFLUENCE_COLORS: [[f32; 3]; 6] = [
    [0.75, 0.75, 0.75],
    [0.03, 0.10, 0.55],
    [0.02, 0.42, 0.48],
    [0.12, 0.45, 0.06],
    [0.72, 0.45, 0.02],
    [0.70, 0.04, 0.05],
];

/// Turns hues by the golden ratio, which never comes near an earlier one for long.
const HUE_STEP: f32 = 0.618_034;
/// Hue of number 0: blue.
const FIRST_HUE: f32 = 0.58;

/// A colour for subset `number`, linear RGB: neighbours differ clearly, and all are about equally
/// bright.
#[must_use]
pub fn subset_color(number: usize) -> [f32; 3] {
    let hue = (FIRST_HUE + (number % 4096) as f32 * HUE_STEP).fract();
    // Three cosines a third of a turn apart.
    [0.0, 1.0 / 3.0, 2.0 / 3.0].map(|shift| {
        let wave = 0.5 + 0.5 * (std::f32::consts::TAU * (hue - shift)).cos();
        0.10 + 0.52 * wave
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_differ_clearly() {
        for number in 0..200 {
            let (a, b) = (subset_color(number), subset_color(number + 1));
            let difference: f32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
            assert!(difference > 0.3, "{number}: {difference}");
        }
    }
}
