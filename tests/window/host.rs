//! The user interface with a state that applies its actions, and reads files immediately.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use rigscope_core::model::Report;
use rigscope_io::files::{Pipes, list_folder};
use rigscope_io::open::Opener;
use rigscope_state::{
    Action, AppState, ChooserAction, Command, Document, ImageRequest, LoadFailure, LoadRequest,
    ModelKey, Origin, Request, Settings, UserImage, UserImageAction,
};
use rigscope_window::ui::{ViewTextures, window_ui};

/// The state, and its requests to the shell.
pub struct Host {
    pub state: AppState,
    pub requests: Vec<Request>,
}

impl Host {
    pub fn apply(&mut self, action: Action) {
        for request in self.state.apply(action) {
            match request {
                // Done at once, where the shell takes a thread.
                Request::Run(task) => {
                    let answer = task.run(&Report::new()).ok().map(Box::new);
                    let id = task.id;
                    self.apply(Action::TaskDone { id, answer });
                }
                // Without a GPU the reference answers.
                Request::Pick(at) => {
                    let document = self.state.tab.document.as_ref().unwrap();
                    let model = ModelKey::of(&document.model);
                    let hit = rigscope_state::pick(&self.state, at);
                    self.apply(Action::Picked(at, model, hit));
                }
                Request::ReadImage(ImageRequest { id, slot, path }) => {
                    let read = std::fs::read(&path).map_err(|error| error.to_string());
                    let image = read.and_then(|bytes| UserImage::new(slot, path.clone(), bytes));
                    let took = UserImageAction::Loaded(slot, path, image.map(Arc::new));
                    let answer = Some(Box::new(Action::UserImage(took)));
                    self.apply(Action::TaskDone { id, answer });
                }
                Request::ListFolder { id, folder, name } => {
                    let listing = list_folder(&folder, name.as_deref());
                    let listing = listing.map_err(|error| error.to_string());
                    self.apply(Action::Chooser(ChooserAction::Listed(id, listing)));
                }
                request => self.requests.push(request),
            }
        }
    }

    /// The request that waits to be answered.
    pub fn request(&self) -> LoadRequest {
        let mut requests = self.requests.iter().rev();
        requests
            .find_map(|request| match request {
                Request::Load(request) => Some((**request).clone()),
                _ => None,
            })
            .expect("something was to be loaded")
    }

    /// Reads as the shell would and applies the answer.
    pub fn answer(&mut self, request: &LoadRequest) {
        let Origin::File(path) = &request.target else { panic!("only files are read here") };
        let report = Report::new();
        let opener = Opener::new(&request.options, Pipes::Refused, &report);
        let opener = opener.map_err(|(path, error)| format!("{}: {error}", path.display()));
        let opener = opener.unwrap().with_images();
        let file = opener.file(path, &report).unwrap();
        let source = file.source.clone();
        let action = match opener.parse(&file, &report) {
            Ok(opened) => {
                let document = Document::new(request, source.content.clone(), opened, &report);
                let mut document = document.unwrap();
                document.place_related_files(|name| file.path_of(name));
                Action::Loaded {
                    id: request.id,
                    document: Box::new(document),
                    clock: "10:20:30".into(),
                }
            }
            Err(error) => Action::LoadFailed {
                id: request.id,
                failure: LoadFailure::of(&error, &source, &report),
            },
        };
        self.apply(action);
    }

    /// Opens a file as if it had been dropped.
    pub fn open(&mut self, path: PathBuf) {
        self.apply(Action::OpenWith(path, Vec::new()));
        let request = self.request();
        self.answer(&request);
    }
}

/// The character that comes with the program, as a file.
pub fn asset() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample.bsm2")
}

/// A real file.
pub fn sample(name: &str) -> PathBuf {
    crate::support::samples().join("bsm2").join(name)
}

/// The panels at the size of a usual window.
pub fn window() -> Harness<'static, Host> {
    let host = Host { state: AppState::new(Settings::default()), requests: Vec::new() };
    let mut harness = Harness::builder().with_size(egui::vec2(1400.0, 860.0)).build_ui_state(
        |ui, host: &mut Host| {
            let mut actions = Vec::new();
            window_ui(ui, &host.state, ViewTextures::default(), &mut actions);
            for action in actions {
                host.apply(action);
            }
        },
        host,
    );
    rigscope_window::ui::theme::install(&harness.ctx);
    harness.run();
    harness
}

/// The panels with `path` open.
pub fn window_with(path: PathBuf) -> Harness<'static, Host> {
    let mut harness = window();
    harness.state_mut().open(path);
    harness.run();
    harness
}

/// User actions, which run the necessary frames, and queries about the result.
pub trait Session {
    /// The state of the user interface.
    fn app(&self) -> &AppState;
    /// The open document.
    fn document(&self) -> &Document;
    fn click(&mut self, label: &str);
    fn press(&mut self, modifiers: Modifiers, key: Key);
    fn act(&mut self, action: Action);
    fn command(&mut self, command: Command);
    /// Reads the file that waits to be read.
    fn answer(&mut self);
}

impl Session for Harness<'_, Host> {
    fn app(&self) -> &AppState {
        &self.state().state
    }

    fn document(&self) -> &Document {
        self.app().tab.document.as_ref().unwrap()
    }

    fn click(&mut self, label: &str) {
        self.get_by_label(label).click();
        self.run();
    }

    fn press(&mut self, modifiers: Modifiers, key: Key) {
        self.key_press_modifiers(modifiers, key);
        self.run();
    }

    fn act(&mut self, action: Action) {
        self.state_mut().apply(action);
        self.run();
    }

    fn command(&mut self, command: Command) {
        self.act(Action::Run(command));
    }

    fn answer(&mut self) {
        let request = self.state().request();
        self.state_mut().answer(&request);
        self.run();
    }
}
