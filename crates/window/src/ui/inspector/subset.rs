//! Inspector of a subset.

use egui::Ui;

use crate::ui::command_button::framed_command_button_ui;
use crate::ui::format::count;
use crate::ui::theme::gap;
use crate::ui::widgets::{facts_ui, heading_ui};
use rigscope_core::model::{Element, LooseKind, display_text};
use rigscope_state::{Action, AppState, Command, Document};

/// Maximum number of textures shown; there are a dozen roles.
const MAX_TEXTURES: usize = 32;

pub(super) fn subset_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    number: usize,
    out: &mut Vec<Action>,
) {
    let Some(row) = document.subsets.get(number) else { return };
    heading_ui(ui, &format!("Subset {number}"));
    let range = row.subset.range();
    let (num, _) = row.content(&document.model);
    let mesh = document.model.meshes.get(row.mesh.index());
    let vertices = mesh.map_or(0, |mesh| {
        let mut used = vec![false; mesh.num_vertices()];
        for corner in mesh.part_corners(row.number) {
            if let Some(flag) = used.get_mut(corner as usize) {
                *flag = true;
            }
        }
        used.into_iter().filter(|used| *used).count()
    });
    let mut facts = vec![
        ("Material", document.material_name(number)),
        match row.loose {
            Some(LooseKind::Lines) => ("Lines", count(num)),
            Some(LooseKind::Points) => ("Points", count(num)),
            None => ("Triangles", count(num)),
        },
        ("Vertices used", count(vertices)),
        ("Mesh", row.mesh.0.to_string()),
    ];
    if let Some(mesh) = mesh.filter(|mesh| !mesh.name.is_empty()) {
        facts.push(("Mesh name", display_text::name(&mesh.name).into_owned()));
    }
    if row.loose.is_none() {
        facts.push(("First index", range.start.to_string()));
        facts.push(("Indices", row.subset.index_count.to_string()));
    }
    if let Some(material) = row.subset.material {
        facts.push(("Material number", material.0.to_string()));
        let textures = document.model.materials.get(material.index());
        let textures = textures.map_or(&[][..], |material| &material.textures);
        for texture in textures.iter().take(MAX_TEXTURES) {
            facts.push(("Texture", document.model.texture_name(texture).to_owned()));
        }
    }
    if row.overlaps {
        facts.push(("Overlap", "shares triangles with another subset".into()));
    }
    let span = document.model.provenance.find(Element::Subset { mesh: row.mesh.0 });
    if let Some(record) = span.and_then(|span| span.record(row.number as u64)) {
        facts.push(("In the file", format!("{:#x} to {:#x}", record.start, record.end)));
    }
    facts_ui(ui, &facts);
    ui.add_space(gap::MEDIUM);
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        framed_command_button_ui(ui, state, Command::HideSelected, "Hide", out);
        framed_command_button_ui(ui, state, Command::IsolateSelected, "Isolate", out);
    });
}
