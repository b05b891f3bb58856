//! The files around the model: which were taken and why, and choosing others.
//!
//! Every choice reads the model again, with a file given along or without one. Nothing here looks at
//! files.

use std::path::{Path, PathBuf};

use crate::{
    AppState, ByHandAction, CompanionRow, Document, Effect, HandSlot, LoadReason, LoadRequest,
    Origin, ToastLevel,
};
use rigscope_core::images::ImageKind;
use rigscope_core::model::{CompanionRole, NoteKind};

/// What can be done about the files around the model.
#[derive(Clone, Debug, PartialEq)]
pub enum CompanionAction {
    /// Takes the file of a row of [`Document::around`].
    Take(usize),
    /// Goes on without the file of a row.
    Leave(usize),
    /// Looks again at a file that was left out by hand.
    Allow(String),
    /// Forgets all choices.
    Reset,
}

/// Something let go over the window.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Where it is.
    pub path: PathBuf,
    /// What its front says.
    pub kind: DroppedKind,
}

/// What the front of a file states about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DroppedKind {
    /// An image.
    Image,
    /// Bones or their motion, and no mesh.
    Bones,
    /// A file of a known format, which may hold a mesh.
    Model,
    /// Of no known format.
    Unknown,
    /// It cannot be read; why.
    Unreadable(String),
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

impl AppState {
    pub(crate) fn apply_companion(&mut self, action: CompanionAction) -> Vec<Effect> {
        let Some((mut request, document)) = self.reload_request().zip(self.tab.document.as_ref())
        else {
            return Vec::new();
        };
        match action {
            CompanionAction::Take(row) => match document.around.get(row) {
                Some(row) => take(&mut request, document, row),
                None => return Vec::new(),
            },
            CompanionAction::Leave(row) => match document.around.get(row) {
                Some(row) if row.is_given => {
                    let path = row.path.as_ref();
                    request.companions.retain(|given| Some(given) != path);
                }
                Some(row) => request.without.push(row.file.file.clone()),
                None => return Vec::new(),
            },
            CompanionAction::Allow(name) => request.without.retain(|hidden| *hidden != name),
            CompanionAction::Reset => {
                request.companions.clear();
                request.without.clear();
            }
        }
        self.start_job(request)
    }

    /// What was let go over the window: models are opened, what goes with one is added to it, and of
    /// the rest it is said at once that it is of no use.
    pub(crate) fn apply_drop(&mut self, dropped: Vec<Dropped>) -> Vec<Effect> {
        let has_model = self.has_file();
        let (mut models, mut added, mut lights) = (Vec::new(), Vec::new(), Vec::new());
        for Dropped { path, kind } in dropped {
            let refusal = match kind {
                DroppedKind::Model => {
                    models.push(path);
                    continue;
                }
                DroppedKind::Bones if !has_model => {
                    models.push(path);
                    continue;
                }
                DroppedKind::Bones => None,
                DroppedKind::Image if self.is_light(&name_of(&path)) => {
                    lights.push(path);
                    continue;
                }
                DroppedKind::Image => self.refuse_image(&name_of(&path)),
                DroppedKind::Unknown if self.misses(&name_of(&path)) => None,
                DroppedKind::Unknown => Some("not a format this program reads".to_owned()),
                DroppedKind::Unreadable(why) => Some(why),
            };
            match refusal {
                None => added.push(path),
                Some(why) => {
                    let text = format!("{} is not used: {why}", name_of(&path));
                    self.toasts.push(ToastLevel::Warning, text);
                }
            }
        }
        if models.is_empty() {
            // What lights all is one.
            let light = lights.pop().map(|path| ByHandAction::Read(HandSlot::Environment, path));
            let mut effects = light.map_or_else(Vec::new, |read| self.apply_by_hand(read));
            if !added.is_empty() {
                effects.extend(self.add_companions(added));
            }
            return effects;
        }
        let is_one = models.len() == 1;
        let path = models.remove(0);
        models.append(&mut added);
        self.start_job(LoadRequest {
            companions: models,
            ..Self::request(
                Origin::File(path),
                // Only after reading is it known whether it has a mesh.
                match is_one && has_model {
                    true => LoadReason::Drop,
                    false => LoadReason::Open,
                },
            )
        })
    }

    /// Whether a dropped file that has been read goes with the model that is open, rather than in
    /// its place.
    pub(super) fn goes_along(&self, dropped: &Document) -> bool {
        let has_meshes = |document: &Document| !document.model.meshes.is_empty();
        let open = self.tab.document.as_ref();
        !has_meshes(dropped) && self.has_file() && open.is_some_and(has_meshes)
    }

    /// Says which of the files given along are of no use.
    pub(super) fn say_unused(&mut self) {
        let notes = self.tab.document.as_ref().map(|document| &document.notes);
        let unused = notes.into_iter().flatten();
        let unused = unused.filter(|note| note.kind == NoteKind::UnusedCompanion);
        let texts: Vec<String> = unused.map(|note| note.message.clone()).collect();
        for text in texts {
            self.toasts.push(ToastLevel::Warning, text);
        }
    }

    /// Whether an image of that name holds light rather than a texture of the model.
    fn is_light(&self, name: &str) -> bool {
        let is_light = ImageKind::of_name(name).is_some_and(ImageKind::is_light);
        is_light && self.tab.document.is_some() && !self.misses(name)
    }

    /// Why an image is of no use here, if it is.
    fn refuse_image(&self, name: &str) -> Option<String> {
        let document = self.tab.document.as_ref().filter(|_| self.has_file());
        let Some(document) = document else {
            return Some("an image goes on a model; open that first".to_owned());
        };
        let is_wanted =
            self.misses(name) || rigscope_io::formats::wants_image(&document.model, name);
        (!is_wanted).then(|| "no material names it".to_owned())
    }

    /// Whether the model names a file of that name that was not found.
    fn misses(&self, name: &str) -> bool {
        let document = self.tab.document.as_ref().filter(|_| self.has_file());
        let around = document.map(|document| &document.around);
        around.into_iter().flatten().any(|row| {
            let own = rigscope_io::formats::last_part(&row.file.file);
            row.file.is_missing && own.eq_ignore_ascii_case(name)
        })
    }
}

/// Gives the file of a row along.
fn take(request: &mut LoadRequest, document: &Document, row: &CompanionRow) {
    let Some(path) = &row.path else { return };
    request.without.retain(|hidden| *hidden != row.file.file);
    let of_role = |other: &&CompanionRow| other.file.role == row.file.role;
    match row.file.role {
        // A model has one.
        CompanionRole::Skeleton => {
            let others = document.around.iter().filter(of_role);
            let others: Vec<_> = others.filter_map(|other| other.path.as_ref()).collect();
            request.companions.retain(|given| !others.contains(&given));
        }
        // Who gives one along would lose those that were taken without being given.
        CompanionRole::Animation => {
            let taken = document.around.iter().filter(of_role);
            let taken = taken.filter(|other| other.file.is_taken && !other.is_given);
            request.companions.extend(taken.filter_map(|other| other.path.clone()));
        }
        _ => {}
    }
    if !request.companions.contains(path) {
        request.companions.push(path.clone());
    }
}
