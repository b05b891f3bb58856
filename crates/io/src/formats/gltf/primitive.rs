//! The attributes of a primitive, and the vertices read from them.

use glam::{Vec2, Vec3, Vec4};
use gltf_json::accessor::{ComponentType, GenericComponentType};
use gltf_json::mesh::{Primitive, Semantic};
use gltf_json::validation::Checked;

use super::accessor::{Integers, as_many};
use super::asset::Asset;
use super::fault::within;
use super::spans::AccessorUse;
use super::{morph, skin, stored_bounds};
use crate::formats::ReadError;
use rigscope_core::model::{Element, MorphShape, StoredTarget, Streams, UvSet};

/// Higher UV sets are left out: a set's number is its index, so a huge number would need as many
/// empty sets before it.
pub(super) const MAX_UV_SETS: u32 = 8;
/// Names of attributes in the byte map, by set. Later sets have the last name.
const UV_NAMES: [&str; 9] = [
    "TEXCOORD_0",
    "TEXCOORD_1",
    "TEXCOORD_2",
    "TEXCOORD_3",
    "TEXCOORD_4",
    "TEXCOORD_5",
    "TEXCOORD_6",
    "TEXCOORD_7",
    "TEXCOORD",
];
const JOINT_NAMES: [&str; 5] = ["JOINTS_0", "JOINTS_1", "JOINTS_2", "JOINTS_3", "JOINTS"];
const WEIGHT_NAMES: [&str; 5] = ["WEIGHTS_0", "WEIGHTS_1", "WEIGHTS_2", "WEIGHTS_3", "WEIGHTS"];

fn set_name(names: &[&'static str], set: usize) -> &'static str {
    names.get(set).or(names.last()).copied().unwrap_or_default()
}

/// Accessors of a primitive. Primitives with equal accessors share their vertices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Attributes {
    position: usize,
    normal: Option<usize>,
    tangent: Option<usize>,
    color: Option<usize>,
    num_color_sets: usize,
    /// Set number and accessor.
    uvs: Vec<(u32, usize)>,
    /// Joints and weights of each set.
    influences: Vec<(usize, usize)>,
    targets: Vec<morph::Offsets>,
}

/// Which attributes exist. Only primitives with the same ones are combined into a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AttributeLayout {
    has_normals: bool,
    has_tangents: bool,
    has_colors: bool,
    uv_sets: Vec<u32>,
    pub(super) is_skinned: bool,
    num_targets: usize,
}

impl Attributes {
    /// The attributes of `primitive`; `None` if it has no positions.
    pub(super) fn of(primitive: &Primitive) -> Option<Self> {
        let get = |semantic| {
            let accessor = primitive.attributes.get(&Checked::Valid(semantic));
            accessor.map(|accessor| accessor.value())
        };
        let position = get(Semantic::Positions)?;
        let (mut uvs, mut influences, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        // `structure::attributes` reports attributes that are left out.
        for (semantic, accessor) in &primitive.attributes {
            match semantic {
                Checked::Valid(Semantic::TexCoords(set)) if *set < MAX_UV_SETS => {
                    uvs.push((*set, accessor.value()));
                }
                Checked::Valid(Semantic::Colors(_)) => colors.push(accessor.value()),
                Checked::Valid(Semantic::Joints(set)) => {
                    let weights = get(Semantic::Weights(*set));
                    influences.extend(weights.map(|weights| (accessor.value(), weights)));
                }
                _ => {}
            }
        }
        let targets = primitive.targets.iter().flatten();
        Some(Self {
            position,
            normal: get(Semantic::Normals),
            tangent: get(Semantic::Tangents),
            color: colors.first().copied(),
            num_color_sets: colors.len(),
            uvs,
            influences,
            targets: targets.map(morph::Offsets::of).collect(),
        })
    }

    /// The integer that stands for a weight of 1; `None` for floats.
    pub(super) fn max_integer_weight(&self, asset: &Asset<'_>) -> Option<u16> {
        let (_, weights) = self.influences.first()?;
        let accessor = asset.root.accessors.get(*weights)?;
        match accessor.component_type {
            Checked::Valid(GenericComponentType(ComponentType::U8)) => Some(u16::from(u8::MAX)),
            Checked::Valid(GenericComponentType(ComponentType::U16)) => Some(u16::MAX),
            _ => None,
        }
    }

    /// Whether a morph target has positions without base values.
    pub(super) fn has_sparse_targets(&self, asset: &Asset<'_>) -> bool {
        let accessors = self.targets.iter().flat_map(morph::Offsets::accessors);
        let positions = accessors.filter(|(_, name)| *name == "POSITION");
        let mut stored = positions.filter_map(|(index, _)| asset.root.accessors.get(index));
        stored.any(|accessor| accessor.sparse.is_some() && accessor.buffer_view.is_none())
    }

    pub(super) fn num_color_sets(&self) -> usize {
        self.num_color_sets
    }

    /// Attributes of the morph targets.
    pub(super) fn stored_targets(&self) -> Vec<StoredTarget> {
        self.targets.iter().map(morph::Offsets::stored).collect()
    }

    pub(super) fn layout(&self) -> AttributeLayout {
        AttributeLayout {
            has_normals: self.normal.is_some(),
            has_tangents: self.tangent.is_some(),
            has_colors: self.color.is_some(),
            uv_sets: self.uvs.iter().map(|(set, _)| *set).collect(),
            is_skinned: !self.influences.is_empty(),
            num_targets: self.targets.len(),
        }
    }

    /// Records where the attributes are stored, as vertices of the model's mesh `mesh` from `first`
    /// on.
    pub(super) fn add_spans(&self, asset: &mut Asset<'_>, mesh: u32, first: usize) {
        let usage = |name, integers| AccessorUse {
            element: Element::Vertex { mesh },
            first,
            per_record: 1,
            name,
            integers,
        };
        let (stated, fractions) = (Integers::AsStated, Integers::Fractions);
        asset.add_span(self.position, usage("POSITION", stated));
        for (accessor, usage) in [
            (self.normal, usage("NORMAL", stated)),
            (self.tangent, usage("TANGENT", stated)),
            (self.color, usage("COLOR_0", fractions)),
        ] {
            if let Some(accessor) = accessor {
                asset.add_span(accessor, usage);
            }
        }
        for &(set, accessor) in &self.uvs {
            let name = set_name(&UV_NAMES, set as usize);
            asset.add_span(accessor, usage(name, stated));
        }
        for (set, &(joints, weights)) in self.influences.iter().enumerate() {
            asset.add_span(joints, usage(set_name(&JOINT_NAMES, set), stated));
            asset.add_span(weights, usage(set_name(&WEIGHT_NAMES, set), fractions));
        }
        for (target, offsets) in (0u32..).zip(&self.targets) {
            let element = Element::Morph { mesh, target };
            for (accessor, name) in offsets.accessors() {
                asset.add_span(accessor, AccessorUse { element, ..usage(name, stated) });
            }
        }
    }

    /// Reads all vertices of the model's mesh `number`, with influences if the mesh has a skin.
    /// Messages refer to the mesh as `name`.
    pub(super) fn read(
        &self,
        asset: &mut Asset<'_>,
        is_skinned: bool,
        number: u32,
        name: &str,
    ) -> Result<PrimitiveVertices, ReadError> {
        let named = |attribute: &str| within(format!("{name}, {attribute}"));
        let positions = asset.floats::<3>(self.position, Integers::AsStated);
        let positions = positions.map_err(named("POSITION"))?;
        stored_bounds::check_positions(asset, self.position, &positions, number, name);
        let num = positions.len();
        let mut vertices = PrimitiveVertices {
            streams: Streams {
                positions: positions.into_iter().map(Vec3::from).collect(),
                ..Streams::default()
            },
            ..PrimitiveVertices::default()
        };
        let streams = &mut vertices.streams;
        if let Some(accessor) = self.normal {
            let normals = asset.floats::<3>(accessor, Integers::AsStated);
            let normals = normals.and_then(|normals| as_many(normals, num, accessor));
            streams.normals = normals.map_err(named("NORMAL"))?.map(Vec3::from).collect();
        }
        if let Some(accessor) = self.tangent {
            let tangents = asset.floats::<4>(accessor, Integers::AsStated);
            let tangents = tangents.and_then(|tangents| as_many(tangents, num, accessor));
            asset.charge::<Vec4>(num, "tangents")?;
            streams.tangents = tangents.map_err(named("TANGENT"))?.map(Vec4::from).collect();
        }
        if let Some(accessor) = self.color {
            streams.colors = colors(asset, accessor, num).map_err(named("COLOR_0"))?;
        }
        for &(set, accessor) in &self.uvs {
            let coords = asset.floats::<2>(accessor, Integers::AsStated);
            let coords = coords.and_then(|coords| as_many(coords, num, accessor));
            let coords = coords.map_err(named(&format!("TEXCOORD_{set}")))?;
            let coords = coords.map(Vec2::from).collect();
            while streams.uv_sets.len() < set as usize {
                asset.charge::<Vec2>(num, "empty uv set")?;
                streams.uv_sets.push(UvSet { name: String::new(), coords: vec![Vec2::ZERO; num] });
            }
            streams.uv_sets.push(UvSet { name: format!("TEXCOORD_{set}"), coords });
        }
        if is_skinned {
            vertices.rows = skin::InfluenceRows::read(asset, &self.influences, num, number, name)?;
        }
        for target in &self.targets {
            let shape = target.read(asset, num);
            vertices.shapes.push(shape.map_err(named("morph target"))?);
        }
        Ok(vertices)
    }
}

fn colors(asset: &mut Asset<'_>, accessor: usize, num: usize) -> Result<Vec<Vec4>, ReadError> {
    asset.charge::<Vec4>(num, "colors")?;
    let (_, num_components) = asset.shape(accessor)?;
    if num_components == 3 {
        let colors = asset.floats::<3>(accessor, Integers::Fractions)?;
        let colors = as_many(colors, num, accessor)?.map(Vec3::from);
        return Ok(colors.map(|color| color.extend(1.0)).collect());
    }
    let colors = asset.floats::<4>(accessor, Integers::Fractions)?;
    Ok(as_many(colors, num, accessor)?.map(Vec4::from).collect())
}

/// Vertices of one or more primitives with the same attributes.
#[derive(Debug, Default)]
pub(super) struct PrimitiveVertices {
    pub(super) streams: Streams,
    pub(super) rows: skin::InfluenceRows,
    /// One per morph target.
    pub(super) shapes: Vec<MorphShape>,
}

impl PrimitiveVertices {
    pub(super) fn len(&self) -> usize {
        self.streams.positions.len()
    }

    /// Appends the vertices of another primitive with the same attributes.
    pub(super) fn append(
        &mut self,
        mut other: Self,
        asset: &mut Asset<'_>,
    ) -> Result<(), ReadError> {
        let base = self.len();
        if base == 0 {
            *self = other;
            return Ok(());
        }
        let num = other.len();
        // Positions, normals, tangents, colours and one UV set; growing lists may allocate twice
        // their length.
        asset.charge::<[f32; 2 * (3 + 3 + 4 + 4 + 2)]>(num, "vertices")?;
        let (streams, others) = (&mut self.streams, &mut other.streams);
        streams.positions.append(&mut others.positions);
        streams.normals.append(&mut others.normals);
        streams.tangents.append(&mut others.tangents);
        streams.colors.append(&mut others.colors);
        for (set, other) in streams.uv_sets.iter_mut().zip(&mut others.uv_sets) {
            set.coords.append(&mut other.coords);
        }
        self.rows.append(other.rows, asset)?;
        for (shape, other) in self.shapes.iter_mut().zip(other.shapes) {
            morph::append(shape, other, base, asset)?;
        }
        Ok(())
    }
}
