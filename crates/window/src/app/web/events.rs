//! The event loop of a page, driven by the browser.

use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;
use winit::platform::web::EventLoopExtWebSys;

use super::{embedding, files, jobs, page};
use crate::app::Msg;

/// Creates the event loop and registers the page's callbacks.
///
/// # Errors
/// If the page already has one.
pub(in crate::app) fn open() -> anyhow::Result<EventLoop<Msg>> {
    std::panic::set_hook(Box::new(|panic| {
        page::log(&panic.to_string());
        jobs::record_panic(&panic.to_string());
        // Only on the page's thread: workers don't have this function.
        page::call("programStopped", &[panic.to_string().into()]);
    }));
    jobs::use_single_thread();
    let event_loop = EventLoop::<Msg>::with_user_event().build()?;
    files::listen(&event_loop.create_proxy());
    embedding::listen(&event_loop.create_proxy());
    Ok(event_loop)
}

/// Delivers events to `app` for as long as the page is open.
///
/// # Errors
/// Never fails.
pub(in crate::app) fn run<A: ApplicationHandler<Msg> + 'static>(
    event_loop: EventLoop<Msg>,
    app: A,
) -> anyhow::Result<Option<A>> {
    event_loop.spawn_app(app);
    Ok(None)
}
