//! A window that is part of another page: requests of the page, and reports to the page.
//!
//! For: the web component (`web/package`). Not for: drawing; `ui::window` leaves everything but the view to the page.

use std::cell::RefCell;
use std::f32::consts::FRAC_PI_2;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use wasm_bindgen::JsValue;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

use super::page::{self, callback, field, list};
use crate::app::window::App;
use crate::app::{Msg, send};
use rigscope_core::model::{ClipId, Model, linear_from_srgb};
use rigscope_state::{
    Action, AppState, CameraOrbit, Command, Document, JobOwner, OrbitDistance, PageBackground,
    Selection, Selector,
};

/// A request of the page.
#[derive(Clone, Debug)]
pub(in crate::app) enum PageRequest {
    /// Opens the first file with the others as related files.
    Open(Vec<PathBuf>),
    /// Shows a clip, by name or number.
    Clip(String, Presence),
    /// Jumps to a time in seconds and pauses.
    Time(f64),
    Play(bool),
    Speed(f64),
    /// Selects an item, in the syntax of the command line; an empty text selects nothing.
    Select(String, Presence),
    Camera(CameraOrbit),
    Background(Option<PageBackground>),
    /// Runs a command.
    Run(String),
}

/// Whether it is an error if the model lacks the requested item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Presence {
    Required,
    /// The page kept the request from a previous model.
    Optional,
}

/// Registers the callback of the page's requests.
pub(super) fn listen(proxy: &EventLoopProxy<Msg>) {
    let proxy = proxy.clone();
    let requested = callback(move |given| {
        for request in requests(&given) {
            send(&proxy, Msg::Page(request));
        }
    });
    page::call("takeRequests", &[requested]);
}

/// The requests in the fields of an object. The clip comes first, because it starts at its beginning.
fn requests(given: &JsValue) -> Vec<PageRequest> {
    let text = |name| field(given, name).as_string();
    let number = |name| field(given, name).as_f64().filter(|number| number.is_finite());
    let optional = list(given, "optional");
    let presence = |name: &str| {
        let is_optional = optional.includes(&name.into(), 0);
        if is_optional { Presence::Optional } else { Presence::Required }
    };
    let files = field(given, "files");
    let files = (!files.is_undefined()).then(|| super::files::take(&files));
    let all = [
        files.map(PageRequest::Open),
        text("clip").map(|name| PageRequest::Clip(name, presence("clip"))),
        number("time").map(PageRequest::Time),
        number("speed").map(PageRequest::Speed),
        field(given, "playing").as_bool().map(PageRequest::Play),
        text("select").map(|text| PageRequest::Select(text, presence("select"))),
        orbit(&field(given, "orbit")).map(PageRequest::Camera),
        background(given).map(PageRequest::Background),
        text("run").map(PageRequest::Run),
    ];
    all.into_iter().flatten().collect()
}

/// The camera in an object with the optional fields `theta` and `phi`, in radians, and `radius` or `zoom`.
fn orbit(given: &JsValue) -> Option<CameraOrbit> {
    #[expect(clippy::cast_possible_truncation, reason = "a camera needs no 53 bits")]
    let number = |name| {
        let number = field(given, name).as_f64().map(|number| number as f32);
        number.filter(|number| number.is_finite())
    };
    let exact = number("radius").map(OrbitDistance::Exact);
    let fitted = number("zoom").map(|factor| OrbitDistance::Fitted(factor.clamp(1e-3, 1e3)));
    given.is_object().then(|| CameraOrbit {
        yaw_rad: number("theta"),
        pitch_rad: number("phi").map(|phi| FRAC_PI_2 - phi),
        distance: exact.or(fitted).unwrap_or_default(),
    })
}

/// The field `background`: a list of red, green, blue and alpha in sRGB; an empty list is the usual background.
fn background(given: &JsValue) -> Option<Option<PageBackground>> {
    let parts: Vec<f64> =
        list(given, "background").iter().filter_map(|part| part.as_f64()).collect();
    #[expect(clippy::cast_possible_truncation, reason = "a colour needs no 53 bits")]
    let linear = |part| linear_from_srgb(part) as f32;
    field(given, "background").is_array().then_some(match *parts {
        [red, green, blue, 1.0] => Some(PageBackground::Plain([red, green, blue].map(linear))),
        [_, _, _, _] => Some(PageBackground::Transparent),
        _ => None,
    })
}

impl App {
    /// Fulfils a request, or reports why that's impossible.
    pub(in crate::app) fn answer_page(
        &mut self,
        request: PageRequest,
        event_loop: &ActiveEventLoop,
    ) {
        if let PageRequest::Background(background) = request {
            self.state.page_background = background;
            if let Some(shell) = &self.shell {
                shell.window.request_redraw();
            }
            return;
        }
        match self.action_for(request) {
            Ok(Some(action)) => self.apply_between_frames(action, event_loop),
            Ok(None) => {}
            Err(message) => {
                page::call("viewerFailed", &[message.into(), "request".into()]);
            }
        }
    }

    fn action_for(&self, request: PageRequest) -> Result<Option<Action>, String> {
        let state = &self.state;
        let run = |is_needed: bool, command| Ok(is_needed.then_some(Action::Run(command)));
        match request {
            PageRequest::Open(paths) => {
                let mut paths = paths.into_iter();
                Ok(paths.next().map(|path| Action::OpenWith(path, paths.collect())))
            }
            PageRequest::Clip(name, presence) => {
                let document = state.tab.document.as_ref();
                match document.and_then(|document| document.model.find_clip(&name)) {
                    Some(clip) if state.tab.playback.clip == Some(clip) => Ok(None),
                    Some(clip) => Ok(Some(Action::SetClip(clip))),
                    None => missing(presence, format!("the file has no clip '{name}'")),
                }
            }
            PageRequest::Time(secs) => Ok(Some(Action::Seek(secs))),
            PageRequest::Speed(speed) => Ok(Some(Action::SetSpeed(speed))),
            PageRequest::Play(plays) => {
                run(state.tab.playback.is_playing != plays, Command::PlayPause)
            }
            PageRequest::Select(text, _) if text.is_empty() => {
                Ok(Some(Action::Select(Selection::None)))
            }
            PageRequest::Select(text, presence) => {
                let document = state.tab.document.as_ref();
                let found = Selector::parse(&text).map(|selector| {
                    let found = document.and_then(|document| selector.in_document(document));
                    found.ok_or_else(|| format!("the file has no {selector}"))
                });
                match found.flatten() {
                    Ok(found) => Ok(Some(Action::Select(found))),
                    Err(message) => missing(presence, message),
                }
            }
            PageRequest::Camera(orbit) => Ok(Some(Action::PlaceCamera(orbit))),
            PageRequest::Background(_) => Ok(None),
            PageRequest::Run(name) => run(true, Command::from_kebab(&name)?),
        }
    }
}

/// The result of a request for an item that the model lacks.
fn missing(presence: Presence, message: String) -> Result<Option<Action>, String> {
    if presence == Presence::Optional { Ok(None) } else { Err(message) }
}

/// The state of the playback, the selection and the camera.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct ViewerState {
    /// Number of the clip; none if the model has no clips.
    clip: Option<u32>,
    time: f64,
    playing: bool,
    select: String,
    camera: ViewerCamera,
}

/// Angles in radians, `phi` down from the top; the distance is in display space.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct ViewerCamera {
    theta: f32,
    phi: f32,
    radius: f32,
}

/// The document that a page shows.
#[derive(Serialize)]
struct ViewerDocument<'a> {
    name: &'a str,
    format: &'a str,
    vertices: usize,
    triangles: usize,
    bones: usize,
    clips: Vec<ViewerClip<'a>>,
}

#[derive(Serialize)]
struct ViewerClip<'a> {
    name: &'a str,
    start: f64,
    duration: f64,
}

thread_local! {
    /// The last reported state, and the model that it belongs to.
    static REPORTED: RefCell<Option<(Arc<Model>, ViewerState)>> = const { RefCell::new(None) };
}

/// Reports changes of `state` to the page.
pub(in crate::app) fn report(state: &AppState) {
    let Some(document) = state.tab.document.as_ref().filter(|_| state.is_embedded) else { return };
    let now = viewer_state(state, document);
    REPORTED.with_borrow_mut(|last| {
        let is_same_model =
            last.as_ref().is_some_and(|(model, _)| Arc::ptr_eq(model, &document.model));
        if !is_same_model {
            call_with("viewerLoaded", &viewer_document(document));
        }
        if !is_same_model || last.as_ref().is_none_or(|(_, last)| *last != now) {
            call_with("viewerChanged", &now);
        }
        *last = Some((Arc::clone(&document.model), now));
    });
}

fn call_with(name: &str, value: &impl Serialize) {
    if let Ok(text) = serde_json::to_string(value) {
        page::call(name, &[text.into()]);
    }
}

fn viewer_state(state: &AppState, document: &Document) -> ViewerState {
    let (playback, camera) = (&state.tab.playback, &state.tab.view.camera);
    ViewerState {
        clip: playback.clip.map(|ClipId(number)| number),
        time: playback.time_secs,
        playing: playback.is_playing,
        select: match state.tab.selection {
            Selection::Bone(bone) => format!("bone:{}", document.bone_name(bone)),
            Selection::Subset(number) => format!("subset:{number}"),
            Selection::Vertex { mesh, vertex, .. } => {
                let before = document.model.meshes.iter().take(mesh.index());
                let before: usize = before.map(|mesh| mesh.num_vertices()).sum();
                format!("vertex:{}", before + vertex.index())
            }
            _ => String::new(),
        },
        camera: ViewerCamera {
            theta: camera.yaw_rad,
            phi: FRAC_PI_2 - camera.pitch_rad,
            radius: camera.distance,
        },
    }
}

fn viewer_document(document: &Document) -> ViewerDocument<'_> {
    let model = &document.model;
    let clips = model.clips.iter().map(|clip| ViewerClip {
        name: &clip.name,
        start: clip.start_secs,
        duration: clip.duration_secs,
    });
    ViewerDocument {
        name: &model.name,
        format: document.format.id,
        vertices: model.meshes.iter().map(|mesh| mesh.num_vertices()).sum(),
        triangles: model.meshes.iter().map(|mesh| mesh.num_triangles()).sum(),
        bones: model.num_bones(),
        clips: clips.collect(),
    }
}

/// Reports that a job of `owner` has failed.
pub(in crate::app) fn report_failure(owner: JobOwner, message: &str) {
    let failed = |reason: &str| page::call("viewerFailed", &[message.into(), reason.into()]);
    match owner {
        JobOwner::Document | JobOwner::Upload(_) => failed("model"),
        JobOwner::CopiedImage => page::call("imageFailed", &[message.into()]),
        _ => failed("request"),
    };
}
