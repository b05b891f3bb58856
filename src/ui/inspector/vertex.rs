//! A vertex: decoded values, raw words, bytes.

use egui::{RichText, Ui};

use crate::state::{Action, AppState, Command, Document, Selection, VertexProbe};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::{float, hex, vec3};
use crate::ui::widgets::{facts_ui, heading_ui};

pub(super) fn vertex_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let Some(probe) = state.vertex_probe() else {
        return;
    };
    heading_ui(ui, &format!("Vertex {}", probe.vertex.0));
    facts_ui(ui, "vertex facts", &decoded(document, state, &probe));
    ui.horizontal(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        if let Some(number) = state.selection.subset()
            && ui.button("Its subset").clicked()
        {
            out.push(Action::Select(Selection::Subset(number)));
        }
    });

    ui.add_space(6.0);
    heading_ui(ui, "Influences");
    for influence in &probe.influences {
        ui.horizontal(|ui| {
            let bar = egui::ProgressBar::new(influence.weight)
                .desired_width(80.0)
                .text(float(influence.weight));
            let name = document.model.skeleton.display_name(influence.bone);
            ui.add(bar).accessible_name(format!("Weight of {name}"));
            if ui.link(name).clicked() {
                out.push(Action::Select(Selection::Bone(influence.bone)));
            }
        });
    }
    if probe.influences.is_empty() {
        ui.weak("No bone moves it.");
    }
    bytes_ui(ui, &probe, out);
}

fn decoded(
    document: &Document,
    state: &AppState,
    probe: &VertexProbe,
) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Mesh", probe.mesh.0.to_string()),
        ("Position, stored", vec3(probe.position)),
        ("Position, shown", vec3(probe.posed_position)),
    ];
    if let Some(number) = state.selection.subset() {
        facts.insert(1, ("Subset", document.subset_name(number)));
    }
    if let Some(normal) = probe.normal {
        facts.push(("Normal", vec3(normal)));
        facts.push(("Normal length", float(normal.length())));
    }
    if let Some(tangent) = probe.tangent {
        let sign = if tangent.w < 0.0 { "−" } else { "+" };
        facts.push(("Tangent", format!("{}  ({sign})", vec3(tangent.truncate()))));
    }
    if let Some(uv) = probe.uv {
        facts.push(("UV", format!("{}  {}", float(uv.x), float(uv.y))));
    }
    if let Some(packed) = &probe.packed {
        let list = |four: [u8; 4]| four.map(|n| n.to_string()).join("  ");
        facts.push(("Normal, raw", format!("{:#010x}", packed.normal)));
        facts.push(("Tangent, raw", format!("{:#010x}", packed.tangent)));
        facts.push(("UV, raw", format!("{}  {}", packed.uv[0], packed.uv[1])));
        facts.push(("Bones, raw", list(packed.bones)));
        let sum = packed.weight_sum();
        facts.push((
            "Weights, raw",
            format!("{}  (sum {sum})", list(packed.weights)),
        ));
    }
    facts
}

fn bytes_ui(ui: &mut Ui, probe: &VertexProbe, out: &mut Vec<Action>) {
    if probe.bytes.is_empty() {
        return;
    }
    ui.add_space(6.0);
    heading_ui(ui, "In the file");
    for (number, (span, offset, bytes)) in probe.bytes.iter().enumerate() {
        let end = offset + bytes.len() as u64;
        ui.weak(format!("{} bytes, {offset:#x} to {end:#x}", bytes.len()));
        egui::Grid::new(("vertex bytes", number))
            .num_columns(2)
            .spacing(egui::vec2(10.0, 2.0))
            .show(ui, |ui| {
                for field in span.fields.iter() {
                    let start = usize::from(field.offset);
                    let part = bytes.get(start..start + usize::from(field.len));
                    ui.weak(field.name).on_hover_text(field.layout);
                    let text = RichText::new(hex(part.unwrap_or_default()))
                        .monospace()
                        .size(11.0);
                    ui.add(egui::Label::new(text).wrap());
                    ui.end_row();
                }
            });
    }
    if ui.button("Copy the bytes").clicked() {
        let all: Vec<String> = probe.bytes.iter().map(|(_, _, bytes)| hex(bytes)).collect();
        out.push(Action::Copy(all.join("\n")));
    }
}
