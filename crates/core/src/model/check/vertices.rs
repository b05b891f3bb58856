//! Checks vertex attributes: finite, as many as positions; reports unusual directions.

use glam::{Vec3, Vec4};

use super::Tally;
use crate::model::{FindingKind, Mesh, PackedVertices, Place, Report, Streams, VertexData};

/// Lengths outside this range are reported; 10-bit rounding stays well inside.
const UNIT_LENGTH: std::ops::RangeInclusive<f32> = 0.98..=1.02;
/// The square of a larger coordinate overflows single precision.
const HUGE: f32 = 1e18;

#[derive(Default)]
struct Findings {
    not_finite: Tally,
    /// The attribute of the first value that isn't finite.
    attribute: &'static str,
    huge: Tally,
    zero_normal: Tally,
    non_unit_normal: Tally,
    zero_tangent: Tally,
    tangent_sign: Tally,
}

impl Findings {
    fn finite(&mut self, is_finite: bool, at: usize, attribute: &'static str) {
        if !is_finite && self.not_finite.count == 0 {
            self.attribute = attribute;
        }
        self.not_finite.add(!is_finite, at);
    }

    fn position(&mut self, position: Vec3, at: usize) {
        self.huge.add(position.is_finite() && position.abs().max_element() > HUGE, at);
    }

    fn normal(&mut self, normal: Vec3, at: usize) {
        let length = normal.length();
        self.zero_normal.add(length == 0.0, at);
        self.non_unit_normal.add(length > 0.0 && !UNIT_LENGTH.contains(&length), at);
    }

    fn tangent(&mut self, tangent: Vec4, at: usize) {
        let is_zero = tangent.truncate() == Vec3::ZERO;
        self.zero_tangent.add(is_zero, at);
        self.tangent_sign.add(!is_zero && tangent.w.abs() != 1.0, at);
    }

    fn report(self, mesh: u32, report: &Report) {
        let vertex = self.not_finite.first;
        let place = Place::Vertex { mesh, vertex };
        report.add_many(FindingKind::NotFinite, place, self.not_finite.count, || {
            format!("the {} of vertex {vertex} isn't finite", self.attribute)
        });
        let rows = [
            (FindingKind::HugeCoordinate, self.huge, "is more than 1e18 units from the origin"),
            (FindingKind::ZeroNormal, self.zero_normal, "has a normal of length 0"),
            (FindingKind::NonUnitNormal, self.non_unit_normal, "has a normal whose length isn't 1"),
            (FindingKind::ZeroTangent, self.zero_tangent, "has a tangent of length 0"),
            (
                FindingKind::TangentSign,
                self.tangent_sign,
                "has a bitangent sign other than +1 and -1",
            ),
        ];
        for (kind, tally, what) in rows {
            let vertex = tally.first;
            let places = tally.all.iter().map(|&vertex| Place::Vertex { mesh, vertex });
            report.add_places(kind, tally.count, places, || format!("vertex {vertex} {what}"));
        }
    }
}

/// Checks the vertex attributes of one mesh.
pub(super) fn check(mesh: &mut Mesh, number: u32, report: &Report) {
    let mut findings = Findings::default();
    match &mut mesh.vertices {
        VertexData::Packed(packed) => check_packed(packed, &mut findings),
        VertexData::Streams(streams) => check_streams(streams, &mut findings),
    }
    findings.report(number, report);
    if mesh.num_vertices() == 0 {
        report.add(FindingKind::EmptyMesh, Place::Mesh(number), "the mesh has no vertices");
    }
}

fn check_packed(packed: &mut PackedVertices, findings: &mut Findings) {
    for (at, vertex) in packed.iter().enumerate() {
        findings.finite(vertex.position.is_finite(), at, "position");
        findings.position(vertex.position, at);
        findings.normal(vertex.normal_decoded(), at);
        findings.tangent(vertex.tangent_decoded(), at);
    }
    if findings.not_finite.count > 0 {
        *packed = PackedVertices::from_vertices(packed.iter().map(|mut vertex| {
            vertex.position = finite_or_zero(vertex.position);
            vertex
        }));
    }
}

fn finite_or_zero(v: Vec3) -> Vec3 {
    Vec3::select(v.is_finite_mask(), v, Vec3::ZERO)
}

fn check_streams(streams: &mut Streams, findings: &mut Findings) {
    let num = streams.positions.len();
    for (at, position) in streams.positions.iter_mut().enumerate() {
        findings.finite(position.is_finite(), at, "position");
        findings.position(*position, at);
        *position = finite_or_zero(*position);
    }
    // An attribute that covers only some vertices can't be distinguished from a broken one: it is
    // padded with zeros, which are then counted below.
    if !streams.normals.is_empty() {
        streams.normals.resize(num, Vec3::ZERO);
    }
    if !streams.tangents.is_empty() {
        streams.tangents.resize(num, Vec4::ZERO);
    }
    if !streams.colors.is_empty() {
        streams.colors.resize(num, Vec4::ONE);
    }
    for (at, normal) in streams.normals.iter_mut().enumerate() {
        findings.finite(normal.is_finite(), at, "normal");
        *normal = finite_or_zero(*normal);
        findings.normal(*normal, at);
    }
    for (at, tangent) in streams.tangents.iter_mut().enumerate() {
        findings.finite(tangent.is_finite(), at, "tangent");
        *tangent = Vec4::select(tangent.is_finite_mask(), *tangent, Vec4::ZERO);
        findings.tangent(*tangent, at);
    }
    for (at, color) in streams.colors.iter_mut().enumerate() {
        findings.finite(color.is_finite(), at, "colour");
        *color = Vec4::select(color.is_finite_mask(), *color, Vec4::ZERO);
    }
    for set in &mut streams.uv_sets {
        set.coords.resize(num, glam::Vec2::ZERO);
        for (at, uv) in set.coords.iter_mut().enumerate() {
            findings.finite(uv.is_finite(), at, "UV");
            *uv = glam::Vec2::select(uv.is_finite_mask(), *uv, glam::Vec2::ZERO);
        }
    }
}
