//! Commands, panes and a selection to apply once the first file is loaded.

use std::path::PathBuf;

use super::{
    Action, AppState, Command, CompareAction, Document, PANES, Pane, Request, RuntimeAction,
    Selection,
};
use rigscope_core::model::{BoneId, MeshId, VertexId};
use rigscope_core::runtime::Runtime;

/// Steps to run after the first file is loaded, in the order of the fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The only panes to open; `None` leaves them as they are.
    pub panes: Option<Vec<Pane>>,
    pub compare: Option<PathBuf>,
    /// The runtime to play the file as.
    pub runtime: Option<&'static Runtime>,
    pub select: Option<Selector>,
    pub run: Vec<Command>,
}

/// An item to select, in the syntax of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// A bone by name, or as "bone 3" if it has no name.
    Bone(String),
    /// A vertex, counted over all meshes.
    Vertex(usize),
    /// A subset, counted over all meshes.
    Subset(usize),
}

/// The command-line spelling of a name: lower-case words joined by hyphens.
fn kebab(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}

impl Command {
    /// The command-line name.
    pub fn kebab(self) -> String {
        kebab(self.info().name)
    }

    /// The command with the command-line name `name`.
    ///
    /// # Errors
    /// If there is no match; the message lists similar names.
    pub fn from_kebab(name: &str) -> Result<Self, String> {
        let known: Vec<_> = Self::all().collect();
        let found = known.iter().find(|command| command.kebab() == name);
        found.copied().ok_or_else(|| {
            let names = known.iter().map(|command| command.kebab());
            unknown("command", name, names.collect())
        })
    }
}

impl Pane {
    /// The command-line name.
    pub fn kebab(self) -> String {
        kebab(self.info().name)
    }

    /// The pane with the command-line name `name`, or with this identifier, under which layouts are saved: titles may
    /// change, and links keep working. `notes` is the former identifier of [`Pane::Findings`].
    ///
    /// # Errors
    /// If there is no match; the message lists similar names.
    pub fn from_kebab(name: &str) -> Result<Self, String> {
        let name = if name == "notes" { "findings" } else { name };
        let is_it = |pane: Pane| pane.kebab() == name || kebab(&format!("{pane:?}")) == name;
        let found = PANES.iter().find(|info| is_it(info.pane));
        found.map(|info| info.pane).ok_or_else(|| {
            let names = PANES.iter().map(|info| info.pane.kebab());
            unknown("pane", name, names.collect())
        })
    }
}

/// An error message with suggestions: names that contain the first letters of `name`, else all if they are few.
fn unknown(what: &str, name: &str, all: Vec<String>) -> String {
    const MOST_LISTED: usize = 40;
    let start: String = name.chars().take(3).collect();
    let like: Vec<_> = all.iter().filter(|known| known.contains(&start)).cloned().collect();
    let names = if like.is_empty() { all } else { like };
    if names.len() > MOST_LISTED {
        return format!("unknown {what} '{name}'; the command palette lists all");
    }
    format!("unknown {what} '{name}'; valid names: {}", names.join(", "))
}

impl Selector {
    /// Reads `bone:NAME` (or its number), `vertex:N` or `subset:N`.
    ///
    /// # Errors
    /// If `text` has another form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok();
        let parsed = match text.split_once(':') {
            Some(("bone", name)) if !name.is_empty() => Some(Self::Bone(name.to_owned())),
            Some(("vertex", text)) => number(text).map(Self::Vertex),
            Some(("subset", text)) => number(text).map(Self::Subset),
            _ => None,
        };
        parsed.ok_or_else(|| {
            format!(
                "the selection '{text}' isn't of the form bone:NAME, vertex:NUMBER or subset:NUMBER"
            )
        })
    }

    /// The item in `document`, if it exists.
    pub fn in_document(&self, document: &Document) -> Option<Selection> {
        let found = match self {
            Self::Bone(name) => Selection::Bone(bone_called(document, name)?),
            Self::Subset(number) => Selection::Subset(*number),
            Self::Vertex(number) => {
                let mut left = *number;
                let mut meshes = document.model.meshes.iter().enumerate();
                let (mesh, _) = meshes.find(|(_, mesh)| {
                    let num = mesh.num_vertices();
                    let is_here = left < num;
                    left -= if is_here { 0 } else { num };
                    is_here
                })?;
                Selection::Vertex {
                    mesh: MeshId::from_index(mesh),
                    vertex: VertexId(u32::try_from(left).ok()?),
                    subset: None,
                }
            }
        };
        found.exists_in(document).then_some(found)
    }
}

/// The bone named `text`, or else with that number, as in `render`.
fn bone_called(document: &Document, text: &str) -> Option<BoneId> {
    let skeleton = &document.model.skeleton;
    let mut bones = (0..skeleton.len()).map(BoneId::from_index);
    let by_name = bones.find(|&bone| skeleton.display_name(bone) == text);
    let by_number = || text.parse().ok().filter(|&number: &usize| number < skeleton.len());
    by_name.or_else(|| by_number().map(BoneId::from_index))
}

impl Script {
    /// Removes the next step, which has a single field or command: each can wait for the tasks started by those
    /// before it, and one that fails doesn't affect the others.
    pub fn step(&mut self) -> Option<Self> {
        let mut step = Self::default();
        if self.panes.is_some() {
            step.panes = self.panes.take();
        } else if self.compare.is_some() {
            step.compare = self.compare.take();
        } else if self.runtime.is_some() {
            step.runtime = self.runtime.take();
        } else if self.select.is_some() {
            step.select = self.select.take();
        } else if !self.run.is_empty() {
            step.run.push(self.run.remove(0));
        } else {
            return None;
        }
        Some(step)
    }
}

impl AppState {
    /// Applies a script.
    ///
    /// # Errors
    /// If a step can't be applied to the current document.
    pub fn play_script(&mut self, script: &Script) -> Result<Vec<Request>, String> {
        let mut requests = Vec::new();
        if let Some(open) = &script.panes {
            for info in PANES {
                self.settings.panes.set(info.pane, open.contains(&info.pane));
            }
        }
        if let Some(path) = &script.compare {
            let with = CompareAction::Load(path.clone());
            requests.extend(self.apply(Action::Compare(with)));
        }
        if let Some(runtime) = script.runtime {
            if let Some(document) = &self.tab.document {
                runtime.check_opens(document.format.id, &document.model)?;
            }
            requests.extend(self.apply(Action::Runtime(RuntimeAction::Choose(Some(runtime)))));
        }
        if let Some(selector) = &script.select {
            let document = self.tab.document.as_ref();
            let found = document.and_then(|document| selector.in_document(document));
            let found = found.ok_or_else(|| format!("the file has no {selector}"))?;
            requests.extend(self.apply(Action::Select(found)));
        }
        for &command in &script.run {
            if let Some(reason) = command.refusal(self) {
                return Err(format!("{} isn't available: {reason}", command.kebab()));
            }
            requests.extend(self.apply(Action::Run(command)));
        }
        Ok(requests)
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bone(name) => write!(f, "bone '{name}'"),
            Self::Vertex(number) => write!(f, "vertex {number}"),
            Self::Subset(number) => write!(f, "subset {number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_pane_has_a_unique_command_line_name() {
        for command in Command::all() {
            let name = command.kebab();
            assert_eq!(Command::from_kebab(&name), Ok(command));
            assert!(!name.is_empty() && !name.contains(' '));
        }
        for info in PANES {
            assert_eq!(Pane::from_kebab(&info.pane.kebab()), Ok(info.pane));
        }
        assert_eq!(Command::Palette.kebab(), "command-palette");
        let error = Command::from_kebab("wire").unwrap_err();
        assert!(error.contains("wireframe"), "{error}");
        assert!(Command::from_kebab("zzz").unwrap_err().len() < 80, "not all commands");
        assert!(Pane::from_kebab("zzz").unwrap_err().contains("inspector"));
    }

    #[test]
    fn each_step_has_a_single_item() {
        let mut script = Script {
            panes: Some(vec![Pane::Bytes]),
            compare: Some("b.glb".into()),
            select: Some(Selector::Vertex(1)),
            run: vec![Command::FrameAll, Command::PlayPause],
            ..Script::default()
        };
        let steps: Vec<_> = std::iter::from_fn(|| script.step()).collect();
        assert_eq!(steps.len(), 5);
        assert_eq!(steps[2].select, Some(Selector::Vertex(1)));
        assert_eq!(steps[4], Script { run: vec![Command::PlayPause], ..Script::default() });
    }

    #[test]
    fn bones_are_selected_by_name_or_number() {
        let mut state = crate::tests::opened();
        let mut play = |text: &str| {
            let select = Some(Selector::parse(text).unwrap());
            state.play_script(&Script { select, ..Script::default() })?;
            Ok::<_, String>(state.tab.selection)
        };
        assert_eq!(play("bone:1"), Ok(Selection::Bone(BoneId(1))));
        assert!(play("bone:999").is_err());
    }

    #[test]
    fn valid_selectors_are_parsed_and_invalid_ones_are_rejected() {
        assert_eq!(Selector::parse("bone:a:b"), Ok(Selector::Bone("a:b".into())));
        assert_eq!(Selector::parse("vertex:7"), Ok(Selector::Vertex(7)));
        for text in ["bone", "bone:", "vertex:x", "subset:-1", "clip:3", ""] {
            assert!(Selector::parse(text).is_err(), "{text}");
        }
    }
}
