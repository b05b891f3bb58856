//! The rows of the bone tree, their order and depth: open branches, or search results.
//!
//! Not for: drawing rows (`bone_rows`).
//!
//! Invariant: rows are computed when something changes, not in every frame, so large skeletons are cheap.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use rigscope_core::model::{BoneId, Model};
use rigscope_state::Document;

/// Largest skeleton whose tree is initially fully open.
const MAX_OPEN: usize = 200;
/// Number of initially open levels of a larger one.
const OPEN_LEVELS: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoneRow {
    pub bone: BoneId,
    /// The number of its ancestors.
    pub depth: u32,
    /// Whether it is open; `None` without children.
    pub is_open: Option<bool>,
}

/// Cached rows.
#[derive(Clone, Debug, Default)]
struct CachedRows {
    /// Their model. The weak reference keeps its address from being reused.
    model: Weak<Model>,
    search: String,
    all: Arc<[BoneRow]>,
    deepest: u32,
}

/// State of one document's tree in egui's memory.
#[derive(Clone, Debug, Default)]
pub(super) struct BoneTree {
    /// Branches opened or closed by the user.
    openness: Arc<HashMap<BoneId, bool>>,
    rows: Option<CachedRows>,
    /// The search text.
    pub search: String,
    /// The bone selected in the previous frame.
    last: Option<BoneId>,
}

impl BoneTree {
    /// Whether the selection has changed since the previous frame. If so, opens the branches above it.
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
        let parent = |bone: BoneId| parents.get(bone).copied().flatten();
        let mut at = parent(bone);
        while let Some(bone) = at {
            self.set_open(bone, true);
            at = parent(bone);
        }
    }

    /// The rows, and the depth of the deepest one.
    pub(super) fn rows(&mut self, document: &Document) -> (Arc<[BoneRow]>, u32) {
        let model = Arc::downgrade(&document.model);
        let wanted = self.search.trim().to_lowercase();
        let is_same =
            |rows: &&CachedRows| Weak::ptr_eq(&rows.model, &model) && rows.search == wanted;
        if let Some(rows) = self.rows.as_ref().filter(is_same) {
            return (Arc::clone(&rows.all), rows.deepest);
        }
        let all: Arc<[BoneRow]> = if wanted.is_empty() {
            open_rows(document, &self.openness).into()
        } else {
            found_rows(document, &wanted).into()
        };
        let deepest = all.iter().map(|row| row.depth).max().unwrap_or(0);
        self.rows = Some(CachedRows { model, search: wanted, all: Arc::clone(&all), deepest });
        (all, deepest)
    }
}

fn found_rows(document: &Document, wanted: &str) -> Vec<BoneRow> {
    let bones = document.model.skeleton.bones().iter_enumerated();
    bones
        .filter(|(_, bone)| !bone.is_helper())
        .map(|(bone, _)| bone)
        .filter(|&bone| document.bone_title(bone).to_lowercase().contains(wanted))
        .map(|bone| BoneRow { bone, depth: 0, is_open: None })
        .collect()
}

/// Iterative, because a chain may be as deep as the skeleton is large.
fn open_rows(document: &Document, openness: &HashMap<BoneId, bool>) -> Vec<BoneRow> {
    let skeleton = &document.model.skeleton;
    let (parents, children) = (skeleton.shown_parents(), skeleton.shown_children());
    let bones = skeleton.bones().iter_enumerated().rev();
    let mut work: Vec<(BoneId, u32)> = bones
        .filter(|(id, bone)| parents[*id].is_none() && !bone.is_helper())
        .map(|(bone, _)| (bone, 0))
        .collect();
    let mut rows = Vec::new();
    while let Some((bone, depth)) = work.pop() {
        let below = &children[bone];
        let is_open = (!below.is_empty()).then(|| {
            let at_first = skeleton.len() <= MAX_OPEN || depth < OPEN_LEVELS;
            openness.get(&bone).copied().unwrap_or(at_first)
        });
        rows.push(BoneRow { bone, depth, is_open });
        if is_open == Some(true) {
            work.extend(below.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    rows
}
