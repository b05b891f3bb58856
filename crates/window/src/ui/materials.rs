//! The Materials pane: a list of materials, and for the current one its users, properties and textures by
//! channel.

use egui::{
    Color32, ColorImage, Label, Rect, RichText, ScrollArea, Sense, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

use super::format::{self, capital, count, number};
use super::material_roles;
use super::rows::rows_ui;
use super::theme::gap;
use super::thumbnail_textures;
use super::tooltips::{explained_by_command, explained_with_keys, truncated_ui};
use super::widgets::{counted_heading_ui, document_id, facts_ui, heading_ui};
use rigscope_core::model::{
    AlphaMode, ImageId, Material, MaterialId, MaterialLook, Model, TextureRef, Wrap, display_text,
    srgb8_from_color,
};
use rigscope_state::{
    Action, AppState, Command, Document, ImageFacts, MATERIALS_TASK, MaterialsAction, Pane,
    Selection, ShownChannel, Thumbnail, UvAction, UvTextureChoice,
};

/// Key of the thumbnails in egui's memory.
const PICTURES: &str = "textures of materials";
/// Side of a texture in the list.
const SIDE: f32 = 64.0;
/// Maximum side of an enlarged texture.
const LARGE_SIDE: f32 = 512.0;

/// Frees the thumbnails after the pane has been closed.
pub(super) fn forget(ui: &Ui) {
    thumbnail_textures::forget(ui.ctx(), PICTURES);
}

pub(super) fn materials_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let Some(document) = &state.tab.document else {
        ui.weak("Nothing is open.");
        return forget(ui);
    };
    let (Some(worn), shown) = (state.surface_materials(), state.shown_material()) else { return };
    let model = &document.model;
    counted_heading_ui(ui, "Materials", model.materials.len());
    let Some(shown) = shown else {
        ui.weak("The file has no material.");
        return forget(ui);
    };
    if model.materials.len() > 1 {
        rows_ui(ui, "materials", model.materials.len(), Some(shown), |ui, at| {
            let name = material_name(model, at);
            let row = egui::Button::selectable(at == shown, name).truncate();
            let row = row.min_size(vec2(ui.available_width(), 0.0));
            let label = format!("Material {}", material_name(model, at));
            let row = ui.add(row).on_hover_text("Shows this material and selects its subset.");
            if row.accessible_name(label).clicked() {
                out.push(Action::Materials(MaterialsAction::Show(at)));
            }
        });
        ui.separator();
    }
    let id = document_id(state, "material").with(shown);
    ScrollArea::vertical().id_salt(id).auto_shrink([false, false]).show(ui, |ui| {
        if let Some(material) = worn.materials.get(MaterialId::from_index(shown)) {
            heading_ui(ui, &material_name(model, shown));
            users_ui(ui, state, document, shown, out);
            look_ui(ui, material);
            textures_ui(ui, state, MaterialId::from_index(shown), material, out);
        }
    });
}

fn material_name(model: &Model, at: usize) -> String {
    match model.materials.get(MaterialId::from_index(at)).map(|material| &*material.name) {
        Some(name) if !name.is_empty() => display_text::name(name).into_owned(),
        _ => format!("material {at}"),
    }
}

/// The subsets that use the material.
fn users_ui(
    ui: &mut Ui,
    state: &AppState,
    document: &Document,
    material: usize,
    out: &mut Vec<Action>,
) {
    let Some(facts) = state.tab.view.materials.facts.get() else { return };
    let subsets = facts.subsets_of(material);
    if subsets.is_empty() {
        ui.weak("No subset uses this material.");
        return;
    }
    let selected = state.tab.selection.subset();
    egui::CollapsingHeader::new(format!("Used by {}", format::counted(subsets.len(), "subset")))
        .id_salt("users")
        .default_open(subsets.len() > 1)
        .show(ui, |ui| {
            let at = subsets.iter().position(|subset| selected == Some(*subset));
            rows_ui(ui, "users of a material", subsets.len(), at, |ui, row| {
                let Some(&subset) = subsets.get(row) else { return };
                let name = format!("{subset}: {}", document.subset_name(subset));
                let button = egui::Button::selectable(selected == Some(subset), name).truncate();
                if ui.add(button).on_hover_text("Selects this subset.").clicked() {
                    out.push(Action::Select(Selection::Subset(subset)));
                }
            });
        });
    if let Some(subset) = selected.filter(|subset| subsets.contains(subset)) {
        let is_alone = state.tab.view.isolated == Some(subset);
        let (text, command, name) = if is_alone {
            ("Show all", Command::ShowAll, "Show all subsets")
        } else {
            ("Isolate", Command::IsolateSelected, "Isolate the subset of the material")
        };
        let button = explained_by_command(ui.button(text), state, command);
        if button.accessible_name(name).clicked() {
            out.push(Action::Isolate((!is_alone).then_some(subset)));
        }
    }
}

/// Properties other than textures, and properties that can't be shown accurately.
fn look_ui(ui: &mut Ui, material: &Material) {
    let Some(look) = material.look.as_deref() else {
        ui.weak("The file doesn't describe the appearance of this material.");
        return;
    };
    ui.add_space(gap::SMALL);
    ui.horizontal(|ui| {
        let base = look.base_color;
        let [r, g, b, a] = srgb8_from_color(base);
        swatch_ui(ui, egui::Rgba::from_rgb(base.x, base.y, base.z).into());
        let hex = format!("Base colour #{r:02x}{g:02x}{b:02x}{a:02x}");
        ui.label(hex).on_hover_text("The base colour as sRGB with alpha.");
    });
    let texts: Vec<(&str, String)> = look_facts(look);
    facts_ui(ui, &texts);
    for text in material.approximated.texts() {
        ui.add(Label::new(RichText::new(format!("≈ {text}")).weak()).wrap())
            .on_hover_text("Not shown exactly as the file specifies it.");
    }
}

fn swatch_ui(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(vec2(14.0, 14.0), Sense::hover());
    let stroke = ui.visuals().widgets.noninteractive.bg_stroke;
    ui.painter().rect(rect, 2.0, color, stroke, StrokeKind::Inside);
}

/// Common properties, and others that differ from their defaults.
fn look_facts(look: &MaterialLook) -> Vec<(&'static str, String)> {
    let plain = MaterialLook::default();
    let color = |color: glam::Vec3| color.to_array().map(number).join(", ");
    let alpha = match look.alpha {
        AlphaMode::Opaque => "opaque".to_owned(),
        AlphaMode::Mask(cutoff) => format!("cut out below {}", number(cutoff)),
        AlphaMode::Blend => "blended".to_owned(),
    };
    let mut facts = vec![
        ("Metallic", number(look.metallic)),
        ("Roughness", number(look.roughness)),
        ("Alpha", alpha),
    ];
    let mut fact = |name, differs: bool, value: String| {
        if differs {
            facts.push((name, value));
        }
    };
    fact("Two-sided", look.is_two_sided, "yes".to_owned());
    fact("Lighting", look.is_unlit, "unlit".to_owned());
    fact("Colour", look.is_depth_only, "not drawn; only hides surfaces behind it".to_owned());
    fact("Emissive", look.emissive != plain.emissive, color(look.emissive));
    for (name, own, plain) in [
        ("Normal scale", look.normal_scale, plain.normal_scale),
        ("Occlusion", look.occlusion_strength, plain.occlusion_strength),
        ("Index of refraction", look.ior, plain.ior),
        ("Specular", look.specular, plain.specular),
        ("Clear coat", look.clearcoat, plain.clearcoat),
        ("Clear coat roughness", look.clearcoat_roughness, plain.clearcoat_roughness),
        ("Sheen roughness", look.sheen_roughness, plain.sheen_roughness),
        ("Transmission", look.transmission, plain.transmission),
    ] {
        fact(name, own != plain, number(own));
    }
    let is_colored = look.specular_color != plain.specular_color;
    fact("Specular colour", is_colored, color(look.specular_color));
    fact("Sheen colour", look.sheen_color != plain.sheen_color, color(look.sheen_color));
    if let Some(draw) = look.draw {
        let order = draw.order.map(|order| order.to_string()).unwrap_or_default();
        fact("Draw order", draw.order.is_some(), order);
        fact(
            "Depth test",
            !draw.tests_depth,
            "off; visible through surfaces in front of it".to_owned(),
        );
        fact(
            "Depth write",
            !draw.writes_depth,
            "off; doesn't hide surfaces drawn later".to_owned(),
        );
    }
    facts
}

fn textures_ui(
    ui: &mut Ui,
    state: &AppState,
    id: MaterialId,
    material: &Material,
    out: &mut Vec<Action>,
) {
    ui.add_space(gap::MEDIUM);
    counted_heading_ui(ui, "Textures", material.textures.len());
    if !material.textures.is_empty() {
        ui.horizontal(|ui| {
            let show = |channel| out.push(Action::Materials(MaterialsAction::Channel(channel)));
            channels_ui(ui, state.tab.view.materials.channel, "Textures", show);
            if state.is_running(MATERIALS_TASK) {
                ui.spinner();
            }
        });
    }
    let view = &state.tab.view.materials;
    let mut textures: Vec<&TextureRef> = material.textures.iter().collect();
    // Textures set by hand stay in the place of the file's own.
    textures.sort_by_key(|texture| texture.role);
    let mut kept = Vec::new();
    for texture in textures {
        ui.add_space(gap::SMALL);
        let image = texture.image;
        let facts = image.and_then(|id| facts_of(state, id));
        let picture = facts.and_then(|facts| facts.picture.as_ref());
        kept.extend(picture);
        let is_large = view.enlarged.is_some() && view.enlarged == image;
        let row = ui.horizontal_top(|ui| {
            let name = texture_name(state, texture);
            let response = picture_ui(ui, picture, view.channel, SIDE, &name);
            if response.on_hover_text("Enlarges the texture, or shrinks it again.").clicked() {
                let next = image.filter(|_| !is_large);
                out.push(Action::Materials(MaterialsAction::Enlarge(next)));
            }
            ui.vertical(|ui| {
                texture_ui(ui, state, &name, texture, facts);
                material_roles::role_ui(ui, state, id, texture.role, out);
            });
        });
        material_roles::drop_ui(ui, &row.response, id, texture.role, out);
        if is_large {
            let help = "Opens the UV layout pane with this texture, including its mip levels, behind the layout.";
            let show = ui.button("Show in UV layout");
            if explained_with_keys(show, help, &[Command::pane(Pane::Uv)]).clicked() {
                let role = texture.role;
                if state.tab.selection.subset().is_none() {
                    out.push(Action::Materials(MaterialsAction::Show(id.index())));
                }
                let channel = view.channel;
                out.push(Action::Uv(UvAction::ChooseTexture(UvTextureChoice {
                    role,
                    channel,
                    level: 0,
                })));
                out.push(Action::ShowPane(Pane::Uv, true));
            }
            let side = ui.available_width().min(LARGE_SIDE);
            picture_ui(ui, picture, view.channel, side, "large texture");
        }
    }
    thumbnail_textures::keep_only(ui.ctx(), PICTURES, &kept);
    material_roles::others_ui(ui, state, id, material, out);
}

/// Facts about an image shown on the model.
fn facts_of(state: &AppState, image: ImageId) -> Option<&ImageFacts> {
    match state.user_image(image) {
        Some(hand) => Some(&hand.facts),
        None => state.tab.view.materials.facts.get()?.images.get(image.index()),
    }
}

/// The texture's name in the file, or the name of the chosen file.
fn texture_name(state: &AppState, texture: &TextureRef) -> String {
    let document = state.tab.document.as_ref();
    match texture.image.and_then(|image| state.user_image(image)) {
        Some(hand) => hand.name(),
        None => document.map_or("", |document| document.model.texture_name(texture)).to_owned(),
    }
}

/// A button for each channel of a texture. `of` identifies the texture for screen readers.
pub(super) fn channels_ui(
    ui: &mut Ui,
    shown: ShownChannel,
    of: &str,
    mut show: impl FnMut(ShownChannel),
) {
    for channel in ShownChannel::ALL {
        let button = egui::Button::selectable(shown == channel, channel.name());
        let help = match channel {
            ShownChannel::Rgb => "Shows all colour channels.",
            ShownChannel::Single(_) => "Shows only this channel.",
        };
        let response = ui.add(button.frame_when_inactive(true)).on_hover_text(help);
        if response.accessible_name(format!("{of}: {}", channel.name())).clicked() {
            show(channel);
        }
    }
}

/// An image in a square with that side, or an empty square.
fn picture_ui(
    ui: &mut Ui,
    picture: Option<&std::sync::Arc<Thumbnail>>,
    channel: ShownChannel,
    side: f32,
    name: &str,
) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
    let label = format!("Texture {}", display_text::name(name));
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
    let is_pointed_at = response.hovered() || response.has_focus();
    let stroke = if is_pointed_at {
        Stroke::new(1.0, ui.visuals().strong_text_color())
    } else {
        ui.visuals().widgets.noninteractive.bg_stroke
    };
    ui.painter().rect(rect, 2.0, ui.visuals().extreme_bg_color, stroke, StrokeKind::Inside);
    if let Some(picture) = picture {
        // Files in different folders may have the same name.
        let key = format!("{:p} {}", std::sync::Arc::as_ptr(picture), channel.name());
        let make = |picture: &Thumbnail| channel_image(picture, channel);
        let texture = thumbnail_textures::texture_made(ui.ctx(), PICTURES, &key, picture, make);
        let [width, height] = picture.size_px.map(|side| side as f32);
        let scale = (side - 2.0) / width.max(height).max(1.0);
        let inner = Rect::from_center_size(rect.center(), vec2(width, height) * scale);
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        ui.painter().image(texture, inner, whole, Color32::WHITE);
    }
    response
}

/// Colours without alpha, or one channel as grey.
fn channel_image(picture: &Thumbnail, channel: ShownChannel) -> ColorImage {
    let opaque = |pixel: &[u8]| match (channel, pixel) {
        (ShownChannel::Rgb, &[r, g, b, _]) => [r, g, b, u8::MAX],
        (ShownChannel::Single(at), _) => {
            let value = pixel.get(usize::from(at)).copied().unwrap_or_default();
            [value, value, value, u8::MAX]
        }
        _ => [0; 4],
    };
    let rgba8: Vec<u8> = picture.rgba8.chunks_exact(4).flat_map(opaque).collect();
    ColorImage::from_rgba_unmultiplied(picture.size_px, &rgba8)
}

/// Facts about a texture.
fn texture_ui(
    ui: &mut Ui,
    state: &AppState,
    name: &str,
    texture: &TextureRef,
    facts: Option<&ImageFacts>,
) {
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.add(Label::new(RichText::new(capital(texture.role.info().label)).strong()).truncate());
    let hand = texture.image.and_then(|image| state.user_image(image));
    let whole = hand.map_or_else(|| name.to_owned(), |hand| hand.path.display().to_string());
    truncated_ui(ui, &*display_text::name(name), &*display_text::name(&whole));
    let lines = texture_lines(texture, facts, hand.is_some());
    for line in lines {
        ui.add(Label::new(RichText::new(line).weak()).wrap());
    }
}

fn texture_lines(
    texture: &TextureRef,
    facts: Option<&ImageFacts>,
    is_by_hand: bool,
) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(facts) = facts {
        let mut of_file = Vec::new();
        if let Some([width, height]) = facts.size_px {
            of_file.push(format!("{width}×{height}"));
            of_file.push(facts.format.clone());
        }
        if facts.num_faces > 1 {
            of_file.push(format::counted(facts.num_faces as usize, "face"));
        }
        if facts.num_levels > 1 {
            of_file.push(format!("{} mip levels", count(facts.num_levels as usize)));
        }
        let is_srgb = facts.is_srgb.unwrap_or(texture.role.info().is_color);
        of_file.push(if is_srgb { "sRGB" } else { "linear" }.to_owned());
        lines.push(of_file.join("  ·  "));
        let mut memory = format!("{} stored", format::bytes(facts.stored_bytes));
        if let Some(on_gpu) = facts.gpu_bytes {
            memory.push_str(&format!("  ·  {} on the GPU", format::bytes(on_gpu)));
        }
        lines.push(memory);
        lines.extend(facts.refused.clone());
    }
    let found = match (texture.image.is_some(), texture.is_found_by_name, texture.path.is_empty()) {
        _ if is_by_hand => "set by you",
        (false, ..) => "not found",
        (true, true, _) => "found by name",
        (true, false, true) => "embedded in the file",
        (true, false, false) => "referenced by the file",
    };
    let mut placed = vec![found.to_owned()];
    if texture.uv_set > 0 {
        placed.push(format!("UV set {}", texture.uv_set));
    }
    if texture.wrap != [Wrap::Repeat; 2] {
        let edge = |wrap| match wrap {
            Wrap::Repeat => "repeats",
            Wrap::Clamp => "clamped",
            Wrap::Mirror => "mirrored",
        };
        placed.push(format!("{}, {}", edge(texture.wrap[0]), edge(texture.wrap[1])));
    }
    if texture.texture_from_uv.is_some() {
        placed.push("with a UV transform".to_owned());
    }
    lines.push(placed.join("  ·  "));
    lines
}
