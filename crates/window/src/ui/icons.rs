//! The icons on buttons: a few lines each, on a square of 16 points.

use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, vec2};

use rigscope_state::Icon;

/// Side of the square that icons are drawn on.
const GRID: f32 = 16.0;
/// As strong as normal text.
const STROKE: f32 = 1.3;

type At = (f32, f32);

/// A shape of an icon.
#[derive(Clone, Copy)]
enum IconShape {
    Line(&'static [At]),
    Loop(&'static [At]),
    /// A filled convex polygon.
    Face(&'static [At]),
    Circle(At, f32),
    Dot(At, f32),
    /// Centre, radius, and start and end angle in degrees, clockwise from the right.
    Arc(At, f32, f32, f32),
}

use IconShape::{Arc, Circle, Dot, Face, Line, Loop};

/// The visible faces of a cube: outline, and the edges at the near corner.
const CUBE: [IconShape; 4] = [
    Loop(&[(8.0, 1.5), (13.8, 4.75), (13.8, 11.25), (8.0, 14.5), (2.2, 11.25), (2.2, 4.75)]),
    Line(&[(8.0, 8.0), (8.0, 14.5)]),
    Line(&[(8.0, 8.0), (2.2, 4.75)]),
    Line(&[(8.0, 8.0), (13.8, 4.75)]),
];

fn parts(icon: Icon) -> &'static [IconShape] {
    match icon {
        Icon::Folder => {
            &[Loop(&[(1.8, 13.0), (1.8, 3.5), (6.0, 3.5), (7.6, 5.6), (14.2, 5.6), (14.2, 13.0)])]
        }
        Icon::Again => {
            &[Arc((8.0, 8.4), 5.2, -30.0, 250.0), Line(&[(9.2, 0.9), (6.1, 3.4), (9.0, 6.1)])]
        }
        Icon::Out => &[
            Line(&[(2.5, 9.5), (2.5, 13.5), (13.5, 13.5), (13.5, 9.5)]),
            Line(&[(8.0, 10.5), (8.0, 2.4)]),
            Line(&[(4.6, 5.6), (8.0, 2.2), (11.4, 5.6)]),
        ],
        Icon::Photo => &[
            Loop(&[
                (1.6, 13.0),
                (1.6, 5.0),
                (4.8, 5.0),
                (6.0, 3.0),
                (10.0, 3.0),
                (11.2, 5.0),
                (14.4, 5.0),
                (14.4, 13.0),
            ]),
            Circle((8.0, 8.8), 2.6),
        ],
        Icon::Solid => &[
            Face(&[(8.0, 2.0), (14.3, 13.3), (1.7, 13.3)]),
            Loop(&[(8.0, 2.0), (14.3, 13.3), (1.7, 13.3)]),
        ],
        Icon::Wires => &[
            Loop(&[(8.0, 2.0), (14.3, 13.3), (1.7, 13.3)]),
            Loop(&[(4.85, 7.65), (11.15, 7.65), (8.0, 13.3)]),
        ],
        Icon::Dots => &[
            Dot((8.0, 2.8), 1.6),
            Dot((2.9, 12.8), 1.6),
            Dot((13.1, 12.8), 1.6),
            Dot((5.4, 7.8), 1.6),
            Dot((10.6, 7.8), 1.6),
            Dot((8.0, 12.8), 1.6),
        ],
        Icon::Bone => &[
            Loop(&[(3.0, 13.0), (4.2, 8.0), (13.0, 3.0), (8.0, 11.8)]),
            Line(&[(4.2, 8.0), (8.0, 11.8)]),
        ],
        Icon::Name => &[
            Loop(&[(1.8, 3.8), (9.6, 3.8), (14.2, 8.0), (9.6, 12.2), (1.8, 12.2)]),
            Line(&[(4.4, 6.8), (8.6, 6.8)]),
            Line(&[(4.4, 9.3), (8.6, 9.3)]),
        ],
        Icon::Ground => &[
            Loop(&[(4.6, 4.0), (11.4, 4.0), (15.0, 12.6), (1.0, 12.6)]),
            Line(&[(8.0, 4.0), (8.0, 12.6)]),
            Line(&[(3.1, 7.6), (12.9, 7.6)]),
        ],
        Icon::Frame => &[
            Line(&[(2.0, 5.4), (2.0, 2.0), (5.4, 2.0)]),
            Line(&[(10.6, 2.0), (14.0, 2.0), (14.0, 5.4)]),
            Line(&[(14.0, 10.6), (14.0, 14.0), (10.6, 14.0)]),
            Line(&[(5.4, 14.0), (2.0, 14.0), (2.0, 10.6)]),
            Dot((8.0, 8.0), 2.2),
        ],
        Icon::Parallel => &[
            Loop(&[(2.0, 6.0), (10.0, 6.0), (10.0, 14.0), (2.0, 14.0)]),
            Line(&[(2.0, 6.0), (6.0, 2.0), (14.0, 2.0), (14.0, 10.0), (10.0, 14.0)]),
            Line(&[(10.0, 6.0), (14.0, 2.0)]),
        ],
        Icon::FrontFace => &[
            CUBE[0],
            CUBE[1],
            CUBE[2],
            CUBE[3],
            Face(&[(2.2, 4.75), (8.0, 8.0), (8.0, 14.5), (2.2, 11.25)]),
        ],
        Icon::SideFace => &[
            CUBE[0],
            CUBE[1],
            CUBE[2],
            CUBE[3],
            Face(&[(13.8, 4.75), (8.0, 8.0), (8.0, 14.5), (13.8, 11.25)]),
        ],
        Icon::TopFace => &[
            CUBE[0],
            CUBE[1],
            CUBE[2],
            CUBE[3],
            Face(&[(8.0, 1.5), (13.8, 4.75), (8.0, 8.0), (2.2, 4.75)]),
        ],
        Icon::Corner => &CUBE,
        Icon::Pack => &[
            Loop(&[(2.2, 5.4), (13.8, 5.4), (13.8, 13.8), (2.2, 13.8)]),
            Line(&[(2.2, 5.4), (4.4, 2.2), (11.6, 2.2), (13.8, 5.4)]),
            Line(&[(5.4, 9.0), (8.0, 11.4), (10.6, 9.0)]),
        ],
        Icon::Pair => &[
            Loop(&[(1.8, 2.6), (7.0, 2.6), (7.0, 13.4), (1.8, 13.4)]),
            Loop(&[(9.0, 2.6), (14.2, 2.6), (14.2, 13.4), (9.0, 13.4)]),
            Face(&[(9.0, 2.6), (14.2, 2.6), (14.2, 13.4), (9.0, 13.4)]),
        ],
        Icon::Search => &[Circle((6.8, 6.8), 4.4), Line(&[(10.1, 10.1), (14.0, 14.0)])],
    }
}

/// Draws `icon` into `rect`, a square.
pub(super) fn paint(painter: &Painter, icon: Icon, rect: Rect, color: Color32) {
    let scale = rect.width() / GRID;
    let place = |&(x, y): &At| -> Pos2 { rect.min + vec2(x, y) * scale };
    let places = |points: &[At]| points.iter().map(place).collect::<Vec<_>>();
    let stroke = Stroke::new(STROKE * scale, color);
    for part in parts(icon) {
        painter.add(match part {
            Line(points) => Shape::line(places(points), stroke),
            Loop(points) => Shape::closed_line(places(points), stroke),
            Face(points) => Shape::convex_polygon(places(points), color, Stroke::NONE),
            Circle(middle, radius) => Shape::circle_stroke(place(middle), radius * scale, stroke),
            Dot(middle, radius) => Shape::circle_filled(place(middle), radius * scale, color),
            Arc(middle, radius, from, to) => {
                const STEPS: u8 = 20;
                let angle = |step: u8| {
                    egui::lerp(*from..=*to, f32::from(step) / f32::from(STEPS)).to_radians()
                };
                let on = |step| vec2(angle(step).cos(), angle(step).sin()) * *radius * scale;
                Shape::line((0..=STEPS).map(|step| place(middle) + on(step)).collect(), stroke)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_stay_inside_their_square() {
        for icon in Icon::ALL {
            for part in parts(icon) {
                let (points, around) = match part {
                    Line(points) | Loop(points) | Face(points) => (*points, 0.0),
                    Circle(middle, radius) | Dot(middle, radius) | Arc(middle, radius, ..) => {
                        (std::slice::from_ref(middle), *radius)
                    }
                };
                for (x, y) in points {
                    let is_inside = |value: f32| value - around >= 0.5 && value + around <= 15.5;
                    assert!(is_inside(*x) && is_inside(*y), "{icon:?} {x} {y}");
                }
            }
        }
    }
}
