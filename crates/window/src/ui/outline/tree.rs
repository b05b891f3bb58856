//! Which bones have a row, in which order and how deep: what is open of the tree, or what is searched.
//!
//! Not for: drawing rows (`bone_rows`).
//!
//! Invariant: rows are worked out when something changes and not in every frame, whatever the size of
//! the skeleton.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use rigscope_core::model::{BoneId, Model};
use rigscope_state::Document;

/// Bones of a skeleton whose tree is opened altogether at first.
const MAX_OPEN: usize = 200;
/// Of a larger one so many levels are.
const OPEN_LEVELS: u32 = 3;

/// A bone and its place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub bone: BoneId,
    /// Bones above it.
    pub depth: u32,
    /// Whether it is open, where there are bones below it.
    pub is_open: Option<bool>,
}

/// Rows that are worked out.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// What they are of. As long as it is held here, no other model has its address.
    model: Weak<Model>,
    search: String,
    all: Arc<[Row]>,
    deepest: u32,
}

/// What egui remembers of the tree of one document.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// What the user has opened and closed.
    openness: Arc<HashMap<BoneId, bool>>,
    rows: Option<Rows>,
    /// What is searched.
    pub search: String,
    /// The bone that was selected in the frame before.
    last: Option<BoneId>,
}

impl Tree {
    /// Whether `selected` has come from anywhere since the frame before; then the tree opens at it.
    pub(super) fn is_news(&mut self, document: &Document, selected: Option<BoneId>) -> bool {
        let is_news = selected.is_some() && selected != self.last;
        self.last = selected;
        if let Some(bone) = selected.filter(|_| is_news) {
            self.open_parents(document, bone);
        }
        is_news
    }

    pub(super) fn set_open(&mut self, bone: BoneId, is_open: bool) {
        Arc::make_mut(&mut self.openness).insert(bone, is_open);
        self.rows = None;
    }

    fn open_parents(&mut self, document: &Document, bone: BoneId) {
        let parents = document.model.skeleton.shown_parents();
        let parent = |bone: BoneId| parents.get(bone.index()).copied().flatten();
        let mut at = parent(bone);
        while let Some(bone) = at {
            self.set_open(bone, true);
            at = parent(bone);
        }
    }

    /// The rows, and how deep the deepest is.
    pub(super) fn rows(&mut self, document: &Document) -> (Arc<[Row]>, u32) {
        let model = Arc::downgrade(&document.model);
        let wanted = self.search.trim().to_lowercase();
        let is_same = |rows: &&Rows| Weak::ptr_eq(&rows.model, &model) && rows.search == wanted;
        if let Some(rows) = self.rows.as_ref().filter(is_same) {
            return (Arc::clone(&rows.all), rows.deepest);
        }
        let all: Arc<[Row]> = match wanted.is_empty() {
            true => open_rows(document, &self.openness).into(),
            false => found_rows(document, &wanted).into(),
        };
        let deepest = all.iter().map(|row| row.depth).max().unwrap_or(0);
        self.rows = Some(Rows { model, search: wanted, all: Arc::clone(&all), deepest });
        (all, deepest)
    }
}

fn found_rows(document: &Document, wanted: &str) -> Vec<Row> {
    let bones = document.model.skeleton.bones().iter().enumerate();
    bones
        .filter(|(_, bone)| !bone.is_helper())
        .map(|(index, _)| BoneId::from_index(index))
        .filter(|&bone| document.bone_name(bone).to_lowercase().contains(wanted))
        .map(|bone| Row { bone, depth: 0, is_open: None })
        .collect()
}

/// By a list of work and not by recursion: a chain may be as long as a skeleton.
fn open_rows(document: &Document, openness: &HashMap<BoneId, bool>) -> Vec<Row> {
    let skeleton = &document.model.skeleton;
    let (parents, children) = (skeleton.shown_parents(), skeleton.shown_children());
    let bones = skeleton.bones().iter().zip(parents).enumerate().rev();
    let mut work: Vec<(BoneId, u32)> = bones
        .filter(|(_, (bone, parent))| parent.is_none() && !bone.is_helper())
        .map(|(index, _)| (BoneId::from_index(index), 0))
        .collect();
    let mut rows = Vec::new();
    while let Some((bone, depth)) = work.pop() {
        let below = children.get(bone.index()).map_or(&[][..], |list| list);
        let is_open = (!below.is_empty()).then(|| {
            let at_first = skeleton.len() <= MAX_OPEN || depth < OPEN_LEVELS;
            openness.get(&bone).copied().unwrap_or(at_first)
        });
        rows.push(Row { bone, depth, is_open });
        if is_open == Some(true) {
            work.extend(below.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    rows
}
