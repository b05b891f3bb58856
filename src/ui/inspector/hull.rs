//! A collision hull.

use egui::Ui;

use crate::model::Aabb;
use crate::state::{Action, AppState, Command, Document};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::{count, vec3};
use crate::ui::widgets::{facts_ui, heading_ui};

const ROW_HEIGHT: f32 = 16.0;

pub(super) fn hull_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    number: usize,
    out: &mut Vec<Action>,
) {
    let Some(hull) = document.model.hulls.get(number) else {
        return;
    };
    heading_ui(ui, &format!("Hull {number}"));
    let bounds = Aabb::from_points(hull.points.iter().copied());
    let mut facts = vec![
        ("Points", count(hull.points.len())),
        ("Centre", vec3(bounds.center())),
        ("Size", vec3(bounds.size())),
    ];
    let faces = document
        .collision
        .hulls
        .get(number)
        .and_then(Option::as_ref);
    if let Some(faces) = faces {
        facts.extend([
            ("Corners", count(faces.points.len())),
            ("Triangles", count(faces.triangles.len())),
            ("Edges", count(faces.edges.len())),
        ]);
    }
    facts_ui(ui, "hull facts", &facts);
    match faces {
        None => {
            let text = "Its points have no volume: they are shown as crosses, and nothing \
                        collides with them.";
            ui.colored_label(ui.visuals().warn_fg_color, text);
        }
        Some(faces) if faces.points.len() < hull.points.len() => {
            let more = hull.points.len() - faces.points.len();
            ui.weak(format!("{more} of its points shape nothing."));
        }
        Some(_) => {}
    }
    ui.add_space(4.0);
    framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
    ui.add_space(6.0);
    heading_ui(ui, "Points, as stored");
    // The inspector scrolls, so only what is seen of the list is laid out.
    let (rect, _) = ui.allocate_exact_size(
        egui::vec2(ui.available_width(), ROW_HEIGHT * hull.points.len() as f32),
        egui::Sense::hover(),
    );
    let clip = ui.clip_rect();
    let font = egui::FontId::monospace(11.0);
    for (at, point) in hull.points.iter().enumerate() {
        let top = rect.top() + ROW_HEIGHT * at as f32;
        if top > clip.bottom() {
            break;
        }
        if top + ROW_HEIGHT >= clip.top() {
            ui.painter().text(
                egui::pos2(rect.left(), top),
                egui::Align2::LEFT_TOP,
                format!("{at:>3}  {}", vec3(*point)),
                font.clone(),
                ui.visuals().text_color(),
            );
        }
    }
}
