//! Related files of the model: reasons for their use, and changing the selection.
//!
//! Every change reloads the model with an additional related file or without one. This module doesn't
//! access files.

use super::files::{ChosenFile, ChosenKind, has_meshes, name_of};
use crate::{
    AppState, Document, ImageSlot, LoadRequest, RelatedFileRow, Request, StartAt, ToastLevel,
    UserImageAction,
};
use rigscope_core::images::ImageKind;
use rigscope_core::model::{FindingKind, RelatedFileRole};
use rigscope_io::OpenOptions;

/// A change to the related files of the model.
#[derive(Clone, Debug, PartialEq)]
pub enum RelatedFileAction {
    /// Uses the file in this row of [`Document::around`].
    Use(usize),
    /// Excludes the file in this row.
    Exclude(usize),
    /// Allows a file that the user had excluded.
    Allow(String),
    /// Matches the bones of given animations by their order, although nothing shows that it's the model's.
    MatchByOrder,
    /// Resets all choices.
    Reset,
}

impl AppState {
    pub(crate) fn apply_related_file(&mut self, action: RelatedFileAction) -> Vec<Request> {
        let Some((mut request, document)) = self.reload_request().zip(self.tab.document.as_ref())
        else {
            return Vec::new();
        };
        match action {
            RelatedFileAction::Use(row) => match document.around.get(row) {
                Some(row) => take(&mut request, document, row),
                None => return Vec::new(),
            },
            RelatedFileAction::Exclude(row) => match document.around.get(row) {
                Some(row) if row.is_given => {
                    let path = row.path.as_ref();
                    request.options.with.retain(|given| Some(given) != path);
                }
                Some(row) => request.options.without.push(row.file.file.clone()),
                None => return Vec::new(),
            },
            RelatedFileAction::Allow(name) => {
                request.options.without.retain(|hidden| *hidden != name)
            }
            RelatedFileAction::MatchByOrder => request.options.bones_by_order = true,
            RelatedFileAction::Reset => {
                request.options.bones_by_order = false;
                request.options.with.clear();
                request.options.without.clear();
            }
        }
        self.start_job(request)
    }

    /// Opens dropped models and adds files that belong to the current one. Each file that can't be
    /// used is reported at once.
    pub(crate) fn apply_drop(&mut self, dropped: Vec<ChosenFile>) -> Vec<Request> {
        let has_model = self.has_file();
        let (mut models, mut added, mut lights) = (Vec::new(), Vec::new(), Vec::new());
        for ChosenFile { path, kind } in dropped {
            let refusal = match kind {
                ChosenKind::Model => {
                    models.push(path);
                    continue;
                }
                ChosenKind::Bones if !has_model => {
                    models.push(path);
                    continue;
                }
                ChosenKind::Bones => None,
                ChosenKind::Image if self.is_light(&name_of(&path)) => {
                    lights.push(path);
                    continue;
                }
                ChosenKind::Image => self.refuse_image(&name_of(&path)),
                ChosenKind::Unknown if self.lacks_file(&name_of(&path)) => None,
                ChosenKind::Unknown => Some("its format isn't supported".to_owned()),
                ChosenKind::Unreadable(why) => Some(why),
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
            // There is only one environment light; the last one is used.
            let light =
                lights.pop().map(|path| UserImageAction::Read(ImageSlot::Environment, path));
            let mut requests = light.map_or_else(Vec::new, |read| self.apply_user_image(read));
            if !added.is_empty() {
                requests.extend(self.add_related_files(added));
            }
            return requests;
        }
        let target = self.tab.document.as_ref().filter(|document| has_meshes(document));
        let joins = (has_model && target.is_some()).then_some(self.tab_id());
        self.open_models(models, added, OpenOptions::default(), StartAt::default(), joins)
    }

    /// Whether dropping the files that are dragged over the window adds them to the open model: none of
    /// them has a mesh.
    pub fn drop_adds_files(&self) -> bool {
        let adds = |kind: &ChosenKind| *kind != ChosenKind::Model;
        self.has_file() && !self.dragged.is_empty() && self.dragged.iter().all(adds)
    }

    /// Reports related files given by the user that weren't used.
    pub(super) fn report_unused_related_files(&mut self) {
        let findings = self.tab.document.as_ref().map(|document| &document.findings);
        let unused = findings.into_iter().flatten();
        let kinds = [FindingKind::RelatedFileLeftOut, FindingKind::UnusedRelatedFile];
        let unused = unused.filter(|finding| kinds.contains(&finding.kind));
        let texts: Vec<String> = unused.map(|finding| finding.message.clone()).collect();
        for text in texts {
            self.toasts.push(ToastLevel::Warning, text);
        }
    }

    /// Whether an image with this name is an environment light rather than a texture of the model.
    fn is_light(&self, name: &str) -> bool {
        let is_light = ImageKind::of_name(name).is_some_and(ImageKind::is_light);
        is_light && self.tab.document.is_some() && !self.lacks_file(name)
    }

    /// The reason why an image can't be used, if any.
    fn refuse_image(&self, name: &str) -> Option<String> {
        let document = self.tab.document.as_ref().filter(|_| self.has_file());
        let Some(document) = document else {
            return Some("an image needs a model; open one first".to_owned());
        };
        let is_wanted =
            self.lacks_file(name) || rigscope_io::formats::wants_image(&document.model, name);
        (!is_wanted).then(|| "no material refers to it".to_owned())
    }

    /// Whether the model refers to a missing file with this name.
    fn lacks_file(&self, name: &str) -> bool {
        let document = self.tab.document.as_ref().filter(|_| self.has_file());
        let around = document.map(|document| &document.around);
        around.into_iter().flatten().any(|row| {
            let own = rigscope_io::formats::last_part(&row.file.file);
            row.file.is_missing && own.eq_ignore_ascii_case(name)
        })
    }
}

/// Adds the file in a row to the related files.
fn take(request: &mut LoadRequest, document: &Document, row: &RelatedFileRow) {
    let Some(path) = &row.path else { return };
    request.options.without.retain(|hidden| *hidden != row.file.file);
    let of_role = |other: &&RelatedFileRow| other.file.role == row.file.role;
    match row.file.role {
        // A model has one skeleton.
        RelatedFileRole::Skeleton => {
            let others = document.around.iter().filter(of_role);
            let others: Vec<_> = others.filter_map(|other| other.path.as_ref()).collect();
            request.options.with.retain(|given| !others.contains(&given));
        }
        // Giving an animation explicitly disables the automatic ones, so give those explicitly too.
        RelatedFileRole::Animation => {
            let taken = document.around.iter().filter(of_role);
            let taken = taken.filter(|other| other.file.is_used && !other.is_given);
            request.options.with.extend(taken.filter_map(|other| other.path.clone()));
        }
        _ => {}
    }
    if !request.options.with.contains(path) {
        request.options.with.push(path.clone());
    }
}
