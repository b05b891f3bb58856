//! Skeletons: joints as bones below the bone of their prim.
//!
//! Source: OpenUSD, "UsdSkel", `UsdSkelSkeleton` and `UsdSkelTopology`. `bindTransforms` are in world space,
//! `restTransforms` relative to the parent joint. The parent of a joint is the nearest ancestor of its path in the list.

use std::collections::HashMap;

use glam::DMat4;
use openusd::sdf::Path;

use super::attributes::Attributes;
use super::keys::affine;
use super::prims::{PrimKind, Prims, rest};
use super::values::{matrices, tokens};
use rigscope_core::model::{Bone, BoneId, BoneKind, FindingKind, Place, counted};

/// A skeleton of the stage.
#[derive(Debug)]
pub(super) struct Joints {
    /// The place of its prim in the list of prims.
    pub(super) prim: usize,
    /// The bone of its prim; `None` if that was added and doesn't move.
    pub(super) root: Option<BoneId>,
    /// The place of each joint, by path.
    pub(super) number_of: HashMap<String, usize>,
    pub(super) bones: Vec<BoneId>,
    /// The path of each joint.
    pub(super) names: Vec<String>,
    /// `world_from_joint` at the time of binding; empty if the skeleton doesn't state it.
    pub(super) bind: Vec<DMat4>,
    /// Why OpenUSD computes no pose.
    pub(super) problem: Option<String>,
    /// The prim of its animation.
    pub(super) animation: Option<Path>,
}

/// Adds the joints of all skeletons to `bones`.
pub(super) fn skeletons(
    attributes: &Attributes<'_>,
    prims: &Prims,
    bones: &mut Vec<Bone>,
) -> Vec<Joints> {
    let mut out = Vec::new();
    for (number, prim) in prims.list.iter().enumerate() {
        if prim.kind != PrimKind::Skeleton {
            continue;
        }
        let root = prims.nearest_bone(number);
        let names = attributes.value(&prim.path, "joints").and_then(tokens).unwrap_or_default();
        let list = |name| attributes.value(&prim.path, name).and_then(matrices).unwrap_or_default();
        let stated = Stated { path: &prim.path, attributes, num: names.len() };
        let bind = stated.fitting(list("bindTransforms"), "bindTransforms");
        let local = stated.fitting(list("restTransforms"), "restTransforms");
        let number_of: HashMap<String, usize> =
            names.iter().enumerate().rev().map(|(at, name)| (name.clone(), at)).collect();
        let parents: Vec<Option<usize>> =
            names.iter().map(|name| parent(name, &number_of)).collect();
        stated.report_repeated(&names, &number_of);
        stated.report_parents(&names, &parents);
        let source = prims
            .upwards(number)
            .filter(|prim| prim.has_binding)
            .find_map(|prim| attributes.targets(&prim.path, "skel:animationSource"));
        let animation = source.and_then(|targets| targets.into_iter().next());
        let problem = stated.problem(&names, &parents, &bind, &local, animation.as_ref());
        attributes.report.add_many(
            FindingKind::PosesMismatch,
            Place::File,
            u64::from(problem.is_some()),
            || {
                format!(
                    "{}: {}; USD deforms no mesh",
                    prim.path,
                    problem.clone().unwrap_or_default()
                )
            },
        );
        let given = attributes.value(&prim.path, "jointNames").and_then(tokens);
        let given = given.filter(|list| list.len() == names.len());
        let first = bones.len();
        let id = |at: usize| BoneId::from_index(first + at);
        for (at, name) in names.iter().enumerate() {
            let parent = parents.get(at).copied().flatten();
            let of_bind = || {
                let own = *bind.get(at)?;
                let outer = parent.and_then(|parent| bind.get(parent));
                Some(outer.map_or(own, |outer| outer.inverse() * own))
            };
            let matrix = local.get(at).copied().or_else(of_bind).unwrap_or(DMat4::IDENTITY);
            bones.push(Bone {
                name: match given.as_ref().and_then(|list| list.get(at)) {
                    Some(given) if !given.is_empty() => given.clone(),
                    _ => name.rsplit('/').next().unwrap_or_default().to_owned(),
                },
                parent: parent.map(id).or(root),
                rest_local: rest(affine(matrix)),
                kind: BoneKind::Bone,
                ..Bone::default()
            });
        }
        out.push(Joints {
            prim: number,
            root,
            number_of,
            bones: (0..names.len()).map(id).collect(),
            names,
            bind,
            problem,
            animation,
        });
    }
    out
}

/// The nearest ancestor of a joint's path that is a joint as well. Names that aren't paths have no ancestors.
fn parent(name: &str, number_of: &HashMap<String, usize>) -> Option<usize> {
    if !is_path(name) {
        return None;
    }
    let mut outer = name;
    loop {
        (outer, _) = outer.rsplit_once('/')?;
        if let Some(found) = number_of.get(outer) {
            return Some(*found);
        }
    }
}

fn is_path(name: &str) -> bool {
    name.split('/').all(Path::is_valid_identifier)
}

/// Facts of a skeleton's prim.
struct Stated<'a> {
    path: &'a Path,
    attributes: &'a Attributes<'a>,
    num: usize,
}

impl Stated<'_> {
    /// A list with one matrix per joint; another list is reported and ignored, as by UsdSkel.
    fn fitting(&self, list: Vec<DMat4>, name: &str) -> Vec<DMat4> {
        if list.len() == self.num || list.is_empty() {
            return list;
        }
        let message = format!(
            "{}.{name} has {} and the skeleton {}; they are ignored",
            self.path,
            counted(list.len() as u64, "matrix"),
            counted(self.num as u64, "joint"),
        );
        self.attributes.report.add(FindingKind::BrokenRecord, Place::File, message);
        Vec::new()
    }

    /// Why no pose can be computed.
    fn problem(
        &self,
        names: &[String],
        parents: &[Option<usize>],
        bind: &[DMat4],
        local: &[DMat4],
        animation: Option<&Path>,
    ) -> Option<String> {
        let late =
            parents.iter().enumerate().find(|(at, parent)| parent.is_some_and(|own| own >= *at));
        if let Some((at, _)) = late {
            return Some(format!("the joint {:?} is listed before its parent", names.get(at)?));
        }
        if bind.len() != self.num {
            return Some("it has no bindTransforms".to_owned());
        }
        if local.len() == self.num {
            return None;
        }
        let animated = animation.and_then(|path| self.attributes.value(path, "joints"));
        let animated = animated.and_then(tokens).unwrap_or_default();
        let still = names.iter().find(|name| !animated.contains(name))?;
        Some(format!("it has no restTransforms, and {still:?} isn't animated"))
    }

    fn report_repeated(&self, names: &[String], number_of: &HashMap<String, usize>) {
        let is_later = |(at, name): &(usize, &String)| number_of.get(*name) != Some(at);
        let mut repeated = names.iter().enumerate().filter(is_later);
        let num = repeated.clone().count() as u64;
        self.attributes.report.add_many(FindingKind::BrokenRecord, Place::File, num, || {
            let first = repeated.next().map_or("", |(_, name)| name);
            format!("{}.joints lists {first:?} more than once; only the first moves", self.path)
        });
    }

    fn report_parents(&self, names: &[String], parents: &[Option<usize>]) {
        let mut missing = names
            .iter()
            .zip(parents)
            .filter(|(name, parent)| parent.is_none() && name.contains('/') && is_path(name));
        let num = missing.clone().count() as u64;
        self.attributes.report.add_many(FindingKind::ParentOutOfRange, Place::File, num, || {
            let first = missing.next().map_or("", |(name, _)| name);
            format!(
                "{}.joints: no ancestor of the joint {first:?} is in the list, so that it is a root",
                self.path
            )
        });
        let mut unusual = names.iter().filter(|name| !is_path(name));
        let num = unusual.clone().count() as u64;
        self.attributes.report.add_many(FindingKind::ParentOutOfRange, Place::File, num, || {
            let first = unusual.next().map_or("", String::as_str);
            format!(
                "{}.joints: {first:?} isn't a valid path, so that the joint is a root",
                self.path
            )
        });
    }
}
