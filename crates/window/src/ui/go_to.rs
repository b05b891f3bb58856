//! The dialog that goes to a vertex by number.

use egui::{ComboBox, Id, Key, Modal, TextEdit, Ui};

use super::buttons::buttons_ui;
use super::format::count;
use super::rows::{popup_height, rows_within_ui};
use super::theme::gap;
use super::widgets::card;
use rigscope_core::model::{MeshId, VertexId, display_text};
use rigscope_state::{Action, AppState, Dialog, Document, InspectAction, Selection};

/// In egui's memory while the dialog is open.
#[derive(Clone)]
struct GoToInput {
    text: String,
    mesh: MeshId,
}

pub(super) fn go_to_ui(ui: &Ui, state: &AppState, out: &mut Vec<Action>) {
    let id = Id::unique("go to vertex");
    let ctx = ui.ctx();
    let document = state.tab.document.as_ref();
    let Some(document) = document.filter(|_| state.dialog == Some(Dialog::GoToVertex)) else {
        ctx.data_mut(|data| data.remove::<GoToInput>(id));
        return;
    };
    let known = ctx.data(|data| data.get_temp::<GoToInput>(id));
    let is_new = known.is_none();
    let mut typed = known
        .unwrap_or_else(|| GoToInput { text: String::new(), mesh: first_mesh(state, document) });
    let response =
        Modal::new(id.with("window")).frame(card(ui).inner_margin(20.0)).show(ctx, |ui| {
            ui.set_width(320.0);
            ui.heading("Go to vertex");
            ui.add_space(gap::MEDIUM);
            if document.model.meshes.len() > 1 {
                mesh_ui(ui, document, &mut typed.mesh);
            }
            let meshes = &document.model.meshes;
            let num = meshes.get(typed.mesh).map_or(0, |m| m.num_vertices());
            let edit = TextEdit::singleline(&mut typed.text)
                .hint_text(format!("0 to {}", count(num.saturating_sub(1))))
                .desired_width(f32::INFINITY);
            let edit = ui.add(edit).accessible_name("Vertex number");
            if is_new {
                edit.request_focus();
            }
            let number = typed.text.trim().parse::<u32>().ok();
            let vertex = number.filter(|&number| (number as usize) < num);
            if vertex.is_none() && !typed.text.trim().is_empty() {
                let text = format!("The mesh has vertices 0 to {}.", num.saturating_sub(1));
                ui.colored_label(ui.visuals().warn_fg_color, text);
            }
            ui.add_space(gap::MEDIUM);
            let enter = ui.input(|input| input.key_pressed(Key::Enter));
            if enter && vertex.is_none() {
                // So that the number can be corrected immediately.
                edit.request_focus();
            }
            let pressed = buttons_ui(ui, "Go", vertex.is_some(), "Cancel");
            if pressed.close {
                out.push(Action::CloseDialog);
            }
            vertex.filter(|_| pressed.main || enter)
        });
    if let Some(vertex) = response.inner {
        let (mesh, vertex) = (typed.mesh, VertexId(vertex));
        out.push(Action::Inspect(InspectAction::GoToVertex { mesh, vertex }));
    } else if response.should_close() {
        out.push(Action::CloseDialog);
    }
    ctx.data_mut(|data| data.insert_temp(id, typed));
}

/// The selected mesh, or the first one with vertices.
fn first_mesh(state: &AppState, document: &Document) -> MeshId {
    let of_subset = || {
        let row = document.subsets.get(state.tab.selection.subset()?)?;
        Some(row.mesh)
    };
    match state.tab.selection {
        Selection::Vertex { mesh, .. } | Selection::Triangle { mesh, .. } => mesh,
        _ => of_subset().unwrap_or_else(|| {
            let mut meshes = document.model.meshes.iter();
            let first = meshes.position(|mesh| mesh.num_vertices() > 0);
            MeshId::from_index(first.unwrap_or(0))
        }),
    }
}

fn mesh_ui(ui: &mut Ui, document: &Document, chosen: &mut MeshId) {
    let name = |number: usize| match document.model.meshes.get(MeshId::from_index(number)) {
        Some(mesh) if !mesh.name.is_empty() => {
            format!("{number}: {}", display_text::name(&mesh.name))
        }
        _ => format!("mesh {number}"),
    };
    let height = popup_height(ui);
    let combo = ComboBox::from_id_salt("mesh of the vertex")
        .selected_text(name(chosen.index()))
        .width(300.0)
        .height(height);
    let num = document.model.meshes.len();
    let opened = combo.show_ui(ui, |ui| {
        rows_within_ui(ui, "meshes", Some(height), num, Some(chosen.index()), |ui, number| {
            ui.selectable_value(chosen, MeshId::from_index(number), name(number));
        });
    });
    let help = "Chooses the mesh whose vertices are numbered.";
    opened.response.on_hover_text(help).accessible_name("Mesh");
    ui.add_space(gap::SMALL);
}
