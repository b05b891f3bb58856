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
    let mesh = document.model.mesh(row.mesh);
    let mut is_used = vec![false; mesh.num_vertices()];
    for corner in mesh.part_corners(row.part) {
        is_used[corner as usize] = true;
    }
    let vertices = is_used.into_iter().filter(|is_used| *is_used).count();
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
    if !mesh.name.is_empty() {
        facts.push(("Mesh name", display_text::name(&mesh.name).into_owned()));
    }
    let paths = document.model.paths.as_ref();
    if let Some(path) = paths.and_then(|paths| paths.meshes.get(row.mesh)) {
        facts.push(("Path", path.path.clone()));
    }
    if row.loose.is_none() {
        facts.push(("First index", range.start.to_string()));
        facts.push(("Indices", row.subset.index_count.to_string()));
    }
    if let Some(material) = row.subset.material {
        facts.push(("Material number", material.0.to_string()));
        if let Some(path) = paths.and_then(|paths| paths.materials.get(material)) {
            facts.push(("Material path", path.clone()));
        }
        let textures = &document.model.material(material).textures;
        for texture in textures.iter().take(MAX_TEXTURES) {
            facts.push(("Texture", document.model.texture_name(texture).to_owned()));
        }
    }
    if row.overlaps {
        facts.push(("Overlap", "shares triangles with another subset".into()));
    }
    let element = Element::Subset { mesh: row.mesh.0 };
    if let Some(range) = document.range_in_files(element, Some(row.part.0.into())) {
        facts.push(("In the file", range));
    }
    facts_ui(ui, &facts);
    ui.add_space(gap::MEDIUM);
    ui.horizontal_wrapped(|ui| {
        framed_command_button_ui(ui, state, Command::FrameSelection, "Frame", out);
        framed_command_button_ui(ui, state, Command::HideSelected, "Hide", out);
        framed_command_button_ui(ui, state, Command::IsolateSelected, "Isolate", out);
    });
}
