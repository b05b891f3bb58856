//! The prims of a stage that move or show something, each as a bone.

use std::collections::{BTreeMap, HashMap};

use glam::DMat4;
use openusd::sdf::Path;

use super::ID;
use super::attributes::Attributes;
use super::keys::affine;
use super::transforms::Operations;
use super::values::token;
use crate::formats::{Failure, ReadError, ReadOptions};
use rigscope_core::model::{Bone, BoneId, BoneKind, LocalTransform, Place, Trs};

/// The most prims of a stage.
const MAX_PRIMS: usize = 1 << 18;
/// Types without a transform.
const UNTRANSFORMED: [&str; 2] = ["", "Scope"];
/// Types with a surface, lines or points that aren't read.
const UNREAD: [&str; 14] = [
    "BasisCurves",
    "Capsule",
    "Cone",
    "Cube",
    "Cylinder",
    "HermiteCurves",
    "NurbsCurves",
    "NurbsPatch",
    "Plane",
    "PointInstancer",
    "Points",
    "Sphere",
    "TetMesh",
    "Volume",
];

/// The use of a prim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PrimKind {
    Mesh,
    Skeleton,
    SkelRoot,
    Xform,
    Animation,
    Other,
}

/// A prim of the stage.
#[derive(Debug)]
pub(super) struct Prim {
    pub(super) path: Path,
    pub(super) kind: PrimKind,
    /// Its place in the list.
    pub(super) parent: Option<usize>,
    /// The bone with its transform; `None` for prims without a transform that no mesh or skeleton depends on.
    pub(super) bone: Option<BoneId>,
    /// Rigscope added the prim, and it doesn't move anything.
    pub(super) is_added: bool,
    pub(super) operations: Operations,
    /// The schema of bindings is applied: without it, OpenUSD ignores their properties.
    pub(super) has_binding: bool,
    /// The prim is a SkelRoot, or below one.
    pub(super) is_in_skel_root: bool,
    /// The prim or an ancestor is invisible, or only meant as a guide or proxy.
    pub(super) is_hidden: bool,
}

/// All prims, parents before children.
#[derive(Debug, Default)]
pub(super) struct Prims {
    pub(super) list: Vec<Prim>,
    number_of: HashMap<String, usize>,
    /// The bones of prims, which joints follow.
    pub(super) bones: Vec<Bone>,
    /// Number of prims that aren't read, by type.
    pub(super) unread: BTreeMap<&'static str, u64>,
}

impl Prims {
    pub(super) fn read(
        attributes: &Attributes<'_>,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let failure = |what: String| Box::new(Failure::new(ID, "prims", Place::File, what));
        let mut prims = Self::default();
        let mut open = attributes.children(&Path::abs_root());
        open.reverse();
        while let Some(path) = open.pop() {
            if prims.list.len() % 256 == 0 {
                attributes.report.progress("reading prims", 0.2)?;
            }
            if prims.list.len() >= MAX_PRIMS {
                let what = format!("the stage has more than {MAX_PRIMS} prims");
                return Err(ReadError::Limit(failure(what)));
            }
            if !attributes.is_shown(&path) {
                continue;
            }
            let type_name = attributes.type_name(&path);
            // Prototypes of instancers aren't shown in their own place.
            if type_name != "PointInstancer" {
                open.extend(attributes.children(&path).into_iter().rev());
            }
            prims.add(attributes, path, &type_name);
        }
        prims.make_bones(attributes);
        let (num, max) = (prims.bones.len(), options.limits.max_bones);
        if num > max as usize {
            let what = format!("{num} transforms exceed the {max} allowed");
            return Err(ReadError::Limit(failure(what)));
        }
        Ok(prims)
    }

    fn add(&mut self, attributes: &Attributes<'_>, path: Path, type_name: &str) {
        if let Some(unread) = UNREAD.iter().find(|own| **own == type_name) {
            *self.unread.entry(unread).or_default() += 1;
        }
        let parent = path.parent().and_then(|parent| self.number(&parent));
        let outer = parent.and_then(|parent| self.list.get(parent));
        let is_in_hidden = outer.is_some_and(|outer| outer.is_hidden);
        let text = |name| attributes.value(&path, name).and_then(token).unwrap_or_default();
        let is_hidden = is_in_hidden
            || text("visibility") == "invisible"
            || ["guide", "proxy"].contains(&text("purpose").as_str());
        let operations = if UNTRANSFORMED.contains(&type_name) {
            Operations::default()
        } else {
            Operations::of(attributes, &path)
        };
        let kind = match type_name {
            "Mesh" => PrimKind::Mesh,
            "Skeleton" => PrimKind::Skeleton,
            "SkelRoot" => PrimKind::SkelRoot,
            "Xform" => PrimKind::Xform,
            "SkelAnimation" => PrimKind::Animation,
            _ => PrimKind::Other,
        };
        let is_in_skel_root =
            kind == PrimKind::SkelRoot || outer.is_some_and(|outer| outer.is_in_skel_root);
        let has_binding = attributes.has_schema(&path, "SkelBindingAPI");
        let is_added = !operations.has_effect() && attributes.is_added(&path);
        self.number_of.insert(path.as_str().to_owned(), self.list.len());
        self.list.push(Prim {
            path,
            kind,
            parent,
            bone: None,
            is_added,
            operations,
            has_binding,
            is_in_skel_root,
            is_hidden,
        });
    }

    /// Makes bones of meshes, skeletons, transforms and their ancestors.
    fn make_bones(&mut self, attributes: &Attributes<'_>) {
        let mut is_needed = vec![false; self.list.len()];
        for (number, prim) in self.list.iter().enumerate().rev() {
            let is_shown = !matches!(prim.kind, PrimKind::Animation | PrimKind::Other);
            let own = is_needed.get(number).copied().unwrap_or_default() || is_shown;
            if let Some(place) = is_needed.get_mut(number) {
                *place = own;
            }
            if let Some(place) = prim.parent.and_then(|parent| is_needed.get_mut(parent)) {
                *place |= own;
            }
        }
        for (number, _) in is_needed.into_iter().enumerate().filter(|(_, is_needed)| *is_needed) {
            let Some(prim) = self.list.get(number) else { continue };
            if prim.is_added {
                continue;
            }
            let parent = prim.parent.filter(|_| !prim.operations.resets);
            let parent = parent.and_then(|parent| self.nearest_bone(parent));
            let matrix = affine(prim.operations.local(None));
            let bone = Bone {
                name: attributes.display_name(&prim.path),
                parent,
                rest_local: rest(matrix),
                kind: BoneKind::Node,
                ..Bone::default()
            };
            if let Some(prim) = self.list.get_mut(number) {
                prim.bone = Some(BoneId::from_index(self.bones.len()));
            }
            self.bones.push(bone);
        }
    }

    /// The bone that a prim follows, which may belong to its nearest ancestor with a bone.
    pub(super) fn nearest_bone(&self, number: usize) -> Option<BoneId> {
        self.upwards(number).find(|prim| !prim.is_added).and_then(|prim| prim.bone)
    }

    /// The place of a prim in the list.
    pub(super) fn number(&self, path: &Path) -> Option<usize> {
        self.number_of.get(path.as_str()).copied()
    }

    /// A prim and its ancestors.
    pub(super) fn upwards(&self, number: usize) -> impl Iterator<Item = &Prim> {
        let first = self.list.get(number);
        std::iter::successors(first, |prim| self.list.get(prim.parent?))
    }

    /// The children of a prim, with their places in the list.
    pub(super) fn children(&self, number: usize) -> impl Iterator<Item = (usize, &Prim)> {
        let later = self.list.iter().enumerate().skip(number.saturating_add(1));
        let path = self.list.get(number).map(|prim| prim.path.clone());
        let inside = later.take_while(move |(_, prim)| {
            path.as_ref().is_some_and(|path| prim.path.has_prefix(path))
        });
        inside.filter(move |(_, prim)| prim.parent == Some(number))
    }

    /// The nearest value that a prim or an ancestor has.
    pub(super) fn inherited<T>(
        &self,
        number: usize,
        own: impl Fn(&Path) -> Option<T>,
    ) -> Option<T> {
        self.upwards(number).find_map(|prim| own(&prim.path))
    }

    /// `world_from_prim` at a time code.
    pub(super) fn world_from(&self, number: usize, time: f64) -> DMat4 {
        let mut world_from_prim = DMat4::IDENTITY;
        for prim in self.upwards(number) {
            world_from_prim = prim.operations.local(Some(time)) * world_from_prim;
            if prim.operations.resets {
                break;
            }
        }
        world_from_prim
    }

    /// The nearest value of a binding that a prim has, or an ancestor within the SkelRoot.
    pub(super) fn bound<T>(&self, number: usize, own: impl Fn(&Path) -> Option<T>) -> Option<T> {
        let inside = self.upwards(number).take_while(|prim| prim.is_in_skel_root);
        inside.filter(|prim| prim.has_binding).find_map(|prim| own(&prim.path))
    }
}

/// A matrix as translation, rotation and scale, if it has no shear.
pub(super) fn rest(matrix: glam::Affine3A) -> LocalTransform {
    let trs = Trs::from_affine(matrix);
    let size = matrix.to_cols_array().iter().fold(1.0f32, |size, value| size.max(value.abs()));
    if trs.to_affine().abs_diff_eq(matrix, size * 1e-6) {
        LocalTransform::Trs(trs)
    } else {
        LocalTransform::Matrix(matrix)
    }
}
