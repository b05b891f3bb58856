//! Details of the selection, as facts.

use super::{FacesVertexNormals, FactSection, FactValue, Quantised, VertexProbe};
use crate::{AppState, Document, Selection};
use rigscope_core::model::{BoneId, BoneNoun, LooseKind, MeshId, PackedVertex, srgb8_from_color};

use FactValue::{Count, Hex, Integers, Number, Numbers};

impl AppState {
    /// Whether [`Self::inspector_facts`] has any facts.
    pub fn can_copy_facts(&self) -> bool {
        !matches!(self.tab.selection, Selection::None | Selection::Clip(_))
    }

    /// Whether the document has any vertices.
    pub fn has_vertices(&self) -> bool {
        let document = self.tab.document.as_ref();
        document.is_some_and(|document| document.model.num_vertices() > 0)
    }

    /// Facts about the selection; empty for the model as a whole and for clips.
    pub fn inspector_facts(&self) -> Vec<FactSection> {
        let Some(document) = &self.tab.document else { return Vec::new() };
        match self.tab.selection {
            Selection::None | Selection::Clip(_) => Vec::new(),
            Selection::Vertex { .. } => self
                .vertex_probe()
                .map_or_else(Vec::new, |probe| self.vertex_facts(document, &probe)),
            Selection::Triangle { .. } => self.triangle_facts(document).into_iter().collect(),
            Selection::Hull(_) => self.hull_facts().into_iter().collect(),
            Selection::Bone(bone) => vec![self.bone_facts(document, bone)],
            Selection::Subset(number) => subset_facts(document, number).into_iter().collect(),
        }
    }

    fn vertex_facts(&self, document: &Document, probe: &VertexProbe) -> Vec<FactSection> {
        let mut main = FactSection::new(format!("Vertex {}", probe.vertex.0));
        main.add("Index", Count(probe.vertex.0.into()));
        add_mesh(&mut main, document, probe.mesh.index());
        let path = document.model.paths.as_ref().and_then(|paths| paths.meshes.get(probe.mesh));
        if let Some(path) = path {
            main.text("Path", path.of_vertex(probe.vertex));
        }
        if let Some(number) = self.tab.selection.subset() {
            main.text("Subset", document.whole_subset_name(number).into_owned());
        }
        let numbers = |v: glam::Vec3| Numbers(v.to_array().to_vec());
        main.add("Position, stored", numbers(probe.position));
        main.add("Position, shown", numbers(probe.posed_position));
        if let Some(normal) = probe.normal {
            main.add("Normal", numbers(normal));
            main.add("Normal length", Number(normal.length()));
        }
        if let Some(tangent) = probe.tangent {
            main.add("Tangent", numbers(tangent.truncate()));
            main.add("Tangent length", Number(tangent.truncate().length()));
            main.add("Bitangent sign", Number(tangent.w));
        }
        for (name, uv) in &probe.uvs {
            main.add(name.clone(), Numbers(uv.to_array().to_vec()));
        }
        if let Some(color) = probe.color {
            main.add("Colour, linear", Numbers(color.to_array().to_vec()));
            let bytes = srgb8_from_color(color).map(i64::from);
            main.add("Colour, sRGB bytes", Integers(bytes.to_vec()));
        }
        let mut influences = FactSection::new("Influences");
        for influence in &probe.influences {
            let name = document.model.skeleton.display_name(influence.bone);
            influences.add_named(name, Number(influence.weight));
        }
        let sum = probe.influences.iter().map(|influence| influence.weight);
        influences.add("Weight sum", Number(sum.sum()));
        let mut sections = vec![main, influences];
        sections.extend(probe.packed.as_ref().map(stored_facts));
        sections.extend(probe.quantised.as_ref().map(quantised_facts));
        sections
    }

    fn triangle_facts(&self, document: &Document) -> Option<FactSection> {
        let probe = self.triangle_probe()?;
        let mut facts = FactSection::new(format!("Triangle {}", probe.triangle));
        facts.add("Index", Count(probe.triangle.into()));
        add_mesh(&mut facts, document, probe.mesh.index());
        if let Some(number) = self.tab.selection.subset() {
            facts.text("Subset", document.whole_subset_name(number).into_owned());
        }
        let corners = probe.corners.map(|corner| corner.0.into());
        facts.add("Corners", Integers(corners.to_vec()));
        facts.add("Area, stored", Number(probe.area));
        facts.add("Area, shown", Number(probe.posed_area));
        let normal = probe.posed_normal.to_array().to_vec();
        facts.add("Normal, shown", Numbers(normal));
        facts.text(
            "Winding",
            match probe.faces {
                FacesVertexNormals::Along => "with the normals",
                FacesVertexNormals::Against => "against the normals",
                FacesVertexNormals::Mixed => "some normals face the other way",
                FacesVertexNormals::Unknown => "no normals to compare with",
            },
        );
        if let Some(area) = probe.uv_area {
            facts.add("UV area", Number(area));
            facts.text(
                "Texture",
                match probe.is_mirrored {
                    Some(true) => "mirrored",
                    Some(false) => "as painted",
                    None => "no area in the texture",
                },
            );
        }
        Some(facts)
    }

    fn hull_facts(&self) -> Option<FactSection> {
        let probe = self.hull_probe()?;
        let mut facts = FactSection::new(format!("Hull {}", probe.hull));
        facts.add("Points", Count(probe.num_points as u64));
        facts.add("Corners", Count(probe.num_corners as u64));
        match probe.num_faces {
            Some(faces) => facts.add("Faces", Count(faces as u64)),
            None => facts.text("Faces", "0 (the hull has no volume)"),
        }
        facts.add("Dimensions", Numbers(probe.size.to_array().to_vec()));
        facts.add("Centre", Numbers(probe.center.to_array().to_vec()));
        Some(facts)
    }

    fn bone_facts(&self, document: &Document, bone: BoneId) -> FactSection {
        let skeleton = &document.model.skeleton;
        let title = match document.model.noun_of(bone) {
            BoneNoun::Bone => "Bone",
            BoneNoun::Node => "Node",
        };
        let mut facts = FactSection::new(format!("{title} {}", bone.0));
        facts.add("Index", Count(bone.0.into()));
        facts.text("Name", skeleton.display_name(bone));
        let parent = skeleton.bones().get(bone).and_then(|b| b.parent);
        if let Some(parent) = parent {
            facts.text("Parent", skeleton.display_name(parent));
        }
        if let Some(pose) = self.pose() {
            let (name, matrices) = match &pose.model_from_mesh {
                Some(matrices) => ("Model from mesh, rows", matrices),
                None => ("Model from bone, rows", &pose.model_from_bone),
            };
            if let Some(matrix) = matrices.get(bone) {
                let matrix = glam::Mat4::from(*matrix);
                let rows = [0, 1, 2].map(|row| matrix.row(row).to_array());
                facts.add(name, Numbers(rows.as_flattened().to_vec()));
            }
        }
        facts
    }
}

fn add_mesh(facts: &mut FactSection, document: &Document, mesh: usize) {
    facts.add("Mesh", Count(mesh as u64));
    let name = document.model.meshes.get(MeshId::from_index(mesh)).map(|mesh| &mesh.name);
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        facts.text("Mesh name", name.clone());
    }
}

fn subset_facts(document: &Document, number: usize) -> Option<FactSection> {
    let row = document.subsets.get(number)?;
    let mut facts = FactSection::new(format!("Subset {number}"));
    facts.add("Index", Count(number as u64));
    facts.text("Material", document.whole_material_name(number).into_owned());
    add_mesh(&mut facts, document, row.mesh.index());
    match (row.content(&document.model), row.loose) {
        ((num, _), Some(LooseKind::Lines)) => facts.add("Lines", Count(num as u64)),
        ((num, _), Some(LooseKind::Points)) => facts.add("Points", Count(num as u64)),
        ((num, _), None) => {
            facts.add("First index", Count(row.subset.first_index.into()));
            facts.add("Triangles", Count(num as u64));
        }
    }
    Some(facts)
}

/// The four fields of a 10-10-10-2 value.
fn fields(word: u32) -> Vec<i64> {
    #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
    let field = |shift: u32| i64::from((word << (22 - shift)) as i32 >> 22);
    #[expect(clippy::cast_possible_wrap, reason = "the bits are two's complement")]
    let sign = i64::from(word as i32 >> 30);
    vec![field(0), field(10), field(20), sign]
}

/// A packed record with its raw values, and their deviations from unit length and from a weight sum
/// of 255.
fn stored_facts(packed: &PackedVertex) -> FactSection {
    let bytes = |four: [u8; 4]| Integers(four.map(i64::from).to_vec());
    let mut facts = FactSection::new("As stored");
    facts.add("Normal, raw", Hex(packed.normal));
    facts.add("Normal, fields", Integers(fields(packed.normal)));
    facts.add("Tangent, raw", Hex(packed.tangent));
    facts.add("Tangent, fields", Integers(fields(packed.tangent)));
    facts.add("UV, raw", Integers(packed.uv.map(i64::from).to_vec()));
    facts.add("Bones, raw", bytes(packed.bones));
    facts.add("Weights, raw", bytes(packed.weights));
    facts.add("Weight sum, out of 255", Count(packed.weight_sum().into()));
    let off_unit = |length: f32| Number((length - 1.0).abs());
    let normal = packed.normal_decoded().length();
    facts.add("Normal length, deviation from 1", off_unit(normal));
    let tangent = packed.tangent_decoded().truncate().length();
    facts.add("Tangent length, deviation from 1", off_unit(tangent));
    let sum = i64::from(packed.weight_sum());
    facts.add("Weight sum, deviation from 255", Integers(vec![sum - 255]));
    facts
}

fn quantised_facts(quantised: &Quantised) -> FactSection {
    let mut facts = FactSection::new("Packed to BSM2");
    facts.add("Position deviation", Number(quantised.position_off));
    if let Some(angle) = quantised.normal_off_rad {
        facts.add("Normal deviation, degrees", Number(angle.to_degrees()));
    }
    if let Some(angle) = quantised.tangent_off_rad {
        facts.add("Tangent deviation, degrees", Number(angle.to_degrees()));
    }
    if let Some(uv) = quantised.uv_off {
        facts.add("UV deviation", Numbers(uv.to_array().to_vec()));
        if quantised.uv_tile != glam::Vec2::ZERO {
            let tile = quantised.uv_tile.to_array().to_vec();
            facts.add("UV moved from tile", Numbers(tile));
        }
    }
    facts.add("Weight deviation", Number(quantised.weight_off));
    if quantised.num_cut > 0 {
        facts.add("Influences dropped", Count(quantised.num_cut as u64));
    }
    facts
}
