//! A small animated scene, and its exports in every variant.

use std::fmt::Write as _;

use glam::{DAffine3, DMat3, DVec3};

pub(super) const NUM_FRAMES: usize = 3;

/// The variant of an export.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    pub(super) is_relative: bool,
    /// Order of Euler angles; `None` for matrices.
    pub(super) euler: Option<&'static str>,
    pub(super) is_radians: bool,
    pub(super) is_column: bool,
    pub(super) is_rotating: bool,
    pub(super) is_negative: bool,
    /// Whether boxes grow and scale the vertices that follow.
    pub(super) scales: bool,
    /// Distance between bones.
    pub(super) spread: f64,
}

pub(super) const PLAIN: Spelling = Spelling {
    is_relative: false,
    euler: None,
    is_radians: false,
    is_column: false,
    is_rotating: false,
    is_negative: false,
    scales: false,
    spread: 1.0,
};

/// Three bones, children before parents, as positions and angles in the order of the variant. The scene is
/// defined by angles, so that no test has to compute them.
pub(super) struct Scene(pub(super) Spelling);

pub(super) const PARENTS: [Option<usize>; 3] = [Some(1), Some(2), None];
pub(super) const VERTICES: [DVec3; 5] = [
    DVec3::new(10.0, 2.0, 3.0),
    DVec3::new(-4.0, 5.5, 6.0),
    DVec3::new(7.0, -8.0, 9.0),
    DVec3::new(1.0, 20.0, -3.0),
    DVec3::new(0.5, 0.25, 12.0),
];

/// The rotation of one letter in 3ds Max, as a matrix that maps columns.
fn turn(letter: char, angle: f64) -> DMat3 {
    let (s, c) = angle.sin_cos();
    match letter {
        'X' => DMat3::from_cols_array(&[1.0, 0.0, 0.0, 0.0, c, s, 0.0, -s, c]),
        'Y' => DMat3::from_cols_array(&[c, 0.0, -s, 0.0, 1.0, 0.0, s, 0.0, c]),
        _ => DMat3::from_cols_array(&[c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0]),
    }
}

impl Scene {
    /// Angles of a bone in a frame in the scene's system; `None` is the time of attaching.
    fn angles(&self, bone: usize, frame: Option<usize>) -> [f64; 3] {
        let (b, f) = (bone as f64, frame.map_or(0.0, |frame| 1.0 + frame as f64));
        [0.3 + 0.2 * b + 0.15 * f, 0.5 - 0.3 * b + 0.1 * f, -0.4 + 0.25 * b - 0.2 * f]
    }

    /// The expected rotation for the angles.
    fn rotation(&self, bone: usize, frame: Option<usize>) -> DMat3 {
        let order = self.0.euler.unwrap_or("XYZ");
        let sign = if self.0.is_negative { -1.0 } else { 1.0 };
        let mut rotations =
            order.chars().zip(self.angles(bone, frame)).map(|(l, a)| turn(l, a * sign));
        let (a, b, c) =
            (rotations.next().unwrap(), rotations.next().unwrap(), rotations.next().unwrap());
        if self.0.is_rotating { a * b * c } else { c * b * a }
    }

    fn translation(&self, bone: usize, frame: Option<usize>) -> DVec3 {
        let (b, f) = (bone as f64, frame.map_or(0.0, |frame| 1.0 + frame as f64));
        DVec3::new(2.0 + b, 3.0 * b - f, 1.0 + 0.5 * f) * self.0.spread
    }

    /// As stored: absolute or relative to the parent.
    fn stored(&self, bone: usize, frame: Option<usize>) -> DAffine3 {
        DAffine3 { matrix3: self.rotation(bone, frame), translation: self.translation(bone, frame) }
    }

    pub(super) fn size(&self, bone: usize, frame: Option<usize>) -> DVec3 {
        let grown = if self.0.scales && frame.is_some() { 1.5 } else { 1.0 };
        DVec3::new(1.0 + bone as f64, 2.0 * grown, 3.0)
    }

    /// Transform of a bone in a frame, without scale.
    pub(super) fn absolute(&self, bone: usize, frame: Option<usize>) -> DAffine3 {
        let own = self.stored(bone, frame);
        match PARENTS[bone] {
            // Structure files are always absolute.
            Some(parent) if self.0.is_relative && frame.is_some() => {
                self.absolute(parent, frame) * own
            }
            _ => own,
        }
    }

    fn influences(vertex: usize) -> Vec<(usize, f64)> {
        match vertex {
            0 => vec![(0, 1.0)],
            1 => vec![(0, 0.25), (1, 0.75)],
            2 => vec![(2, 0.5), (1, 0.25), (0, 0.25)],
            // The plug-in drops small weights.
            3 => vec![(1, 0.6), (2, 0.39)],
            _ => vec![(2, 1.0)],
        }
    }

    /// A vertex in a frame.
    pub(super) fn vertex(&self, vertex: usize, frame: usize) -> DVec3 {
        let (mut sum, mut total) = (DVec3::ZERO, 0.0);
        for (bone, weight) in Self::influences(vertex) {
            let growth = self.size(bone, Some(frame)) / self.size(bone, None);
            let moved = self.absolute(bone, Some(frame)) * DAffine3::from_scale(growth);
            let local = self.absolute(bone, None).inverse().transform_point3(VERTICES[vertex]);
            sum += moved.transform_point3(local) * weight;
            total += weight;
        }
        sum / total
    }

    fn matrix_text(&self, transform: DAffine3) -> String {
        let images = transform.matrix3;
        let rows = if self.0.is_column { images.transpose() } else { images };
        let mut text = String::new();
        for row in [rows.x_axis, rows.y_axis, rows.z_axis, transform.translation] {
            writeln!(text, "{:.9} {:.9} {:.9}", row.x, row.y, row.z).unwrap();
        }
        text
    }

    pub(super) fn structure(&self) -> String {
        let mut text = format!("3 // bones\n{}\n", VERTICES.len());
        for (bone, parent) in PARENTS.into_iter().enumerate() {
            let parent = parent.map_or("*".to_owned(), |parent| parent.to_string());
            let (size, matrix) =
                (self.size(bone, None), self.matrix_text(self.absolute(bone, None)));
            writeln!(text, "<Bone {bone}>\n{parent}\n{} {} {}", size.x, size.y, size.z).unwrap();
            text += &matrix;
            text += &matrix;
        }
        for (vertex, at) in VERTICES.into_iter().enumerate() {
            let influences = Self::influences(vertex);
            writeln!(text, "{} {} {}\n{}", at.x, at.y, at.z, influences.len()).unwrap();
            for (bone, weight) in influences {
                writeln!(text, "{bone} {weight}").unwrap();
            }
        }
        text
    }

    fn head(&self, mode: &str) -> String {
        let system = if self.0.is_relative { "Relative to parent" } else { "Absolute" };
        let representation = if self.0.euler.is_some() { "Euler Angles" } else { "Matrix" };
        let units = if self.0.is_radians { "Radians" } else { "Degrees" };
        let order = self.0.euler.unwrap_or("XYZ");
        let num = VERTICES.len();
        format!(
            "3\n{num}\n{NUM_FRAMES}\n{mode}\n{system}\n{representation}\n{order}\n{units}\n10\n14\n2\n"
        )
    }

    pub(super) fn bones(&self) -> String {
        let mut text = self.head("Bones");
        for frame in 0..NUM_FRAMES {
            for bone in 0..PARENTS.len() {
                let size = self.size(bone, Some(frame));
                writeln!(text, "{} {} {}", size.x, size.y, size.z).unwrap();
                let transform = match self.0.euler {
                    None => self.matrix_text(self.stored(bone, Some(frame))),
                    Some(_) => {
                        let angles = self.angles(bone, Some(frame));
                        let unit = if self.0.is_radians { 1.0 } else { 1f64.to_degrees() };
                        let [a, b, c] = angles.map(|angle| angle * unit);
                        let at = self.translation(bone, Some(frame));
                        format!("{a:.9} {b:.9} {c:.9}\n{} {} {}\n", at.x, at.y, at.z)
                    }
                };
                text += &transform;
                text += &transform;
            }
        }
        text
    }

    pub(super) fn vertices(&self) -> String {
        let mut text = self.head("Mesh (absolute)");
        for frame in 0..NUM_FRAMES {
            for vertex in 0..VERTICES.len() {
                let at = self.vertex(vertex, frame);
                writeln!(text, "{:.6} {:.6} {:.6}", at.x, at.y, at.z).unwrap();
            }
        }
        text
    }

    pub(super) fn vertices_of_bones(&self) -> String {
        let mut text = self.head("Mesh (bones c.s)");
        for frame in 0..NUM_FRAMES {
            for bone in 0..PARENTS.len() {
                let follows =
                    |vertex: &usize| Self::influences(*vertex).iter().any(|i| i.0 == bone);
                let all: Vec<usize> = (0..VERTICES.len()).filter(follows).collect();
                writeln!(text, "{bone} {}", all.len()).unwrap();
                let inverse = self.absolute(bone, Some(frame)).inverse();
                for vertex in all {
                    let at = inverse.transform_point3(self.vertex(vertex, frame));
                    writeln!(text, "{vertex} {:.6} {:.6} {:.6}", at.x, at.y, at.z).unwrap();
                }
            }
        }
        text
    }
}
