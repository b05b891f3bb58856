//! Inspector of a vertex: decoded values, raw words, packing errors, bytes.

use egui::{RichText, Ui};

use super::facts::{copy_ui, section_ui};
use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::{counted, hex, number};
use crate::ui::theme::gap;
use crate::ui::widgets::{bone_link_ui, heading_ui, named_rows_ui};
use rigscope_core::model::Skin;
use rigscope_state::{Action, AppState, Command, Document, Selection, VertexProbe};

pub(super) fn vertex_ui(ui: &mut Ui, state: &AppState, document: &Document, out: &mut Vec<Action>) {
    let Some(probe) = state.vertex_probe() else { return };
    let sections = state.inspector_facts();
    let Some((main, others)) = sections.split_first() else { return };
    section_ui(ui, main);
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        framed_command_button_ui(ui, state, Command::PreviousVertex, "◀", out);
        framed_command_button_ui(ui, state, Command::NextVertex, "▶", out);
        if let Some(number) = state.tab.selection.subset()
            && ui
                .button("Select subset")
                .on_hover_text("Selects the subset of this vertex.")
                .clicked()
        {
            out.push(Action::Select(Selection::Subset(number)));
        }
        copy_ui(ui, state, out);
    });

    ui.add_space(gap::MEDIUM);
    influences_ui(ui, document, &probe, out);
    // The influences are shown as bars instead.
    for section in others.iter().skip(1) {
        ui.add_space(gap::MEDIUM);
        section_ui(ui, section);
    }
    bytes_ui(ui, &probe, out);
}

fn influences_ui(ui: &mut Ui, document: &Document, probe: &VertexProbe, out: &mut Vec<Action>) {
    let mesh = document.model.meshes.get(probe.mesh);
    if let Some(mesh) = mesh.filter(|mesh| matches!(mesh.skin, Skin::None)) {
        if let Some(bone) = mesh.attached_to {
            ui.horizontal(|ui| {
                ui.weak(format!("Attached to {}", document.model.noun_of(bone).one()));
                bone_link_ui(ui, &document.model.skeleton.display_name(bone), bone, out);
            });
        }
        return;
    }
    heading_ui(ui, "Influences");
    for influence in &probe.influences {
        ui.horizontal(|ui| {
            let bar = egui::ProgressBar::new(influence.weight)
                .desired_width(80.0)
                .text(number(influence.weight));
            let name = document.bone_name(influence.bone);
            ui.add(bar).accessible_name(format!("Weight of {name}"));
            bone_link_ui(ui, &name, influence.bone, out);
        });
    }
    if probe.influences.is_empty() {
        ui.weak("No bone moves this vertex.");
    } else {
        let sum: f32 = probe.influences.iter().map(|i| i.weight).sum();
        ui.weak(format!("Sum {}", number(sum)));
    }
}

fn bytes_ui(ui: &mut Ui, probe: &VertexProbe, out: &mut Vec<Action>) {
    if probe.bytes.is_empty() {
        return;
    }
    ui.add_space(gap::MEDIUM);
    heading_ui(ui, "In the file");
    for (span, offset, bytes) in &probe.bytes {
        let end = offset + bytes.len() as u64;
        ui.weak(format!("{}, {offset:#x} to {end:#x}", counted(bytes.len(), "byte")));
        let names: Vec<_> = span.fields.iter().map(|field| field.name).collect();
        named_rows_ui(ui, &names, |ui, row| {
            let Some(field) = span.fields.get(row) else { return };
            let start = usize::from(field.offset);
            let part = bytes.get(start..start + usize::from(field.len));
            let text = RichText::new(hex(part.unwrap_or_default())).monospace().size(11.0);
            let label = ui.add(egui::Label::new(text).wrap());
            label.on_hover_text(field.layout.to_string());
        });
    }
    let help = "Copies the vertex's bytes in hexadecimal.";
    if ui.button("Copy the bytes").on_hover_text(help).clicked() {
        let all: Vec<String> = probe.bytes.iter().map(|(_, _, bytes)| hex(bytes)).collect();
        out.push(Action::CopyText(all.join("\n")));
    }
}
