//! The event loop of a page, which the browser turns.

use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;
use winit::platform::web::EventLoopExtWebSys;

use super::{files, jobs, page};
use crate::app::Msg;

/// Opens it, and listens to the page.
///
/// # Errors
/// When the page has one already.
pub(in crate::app) fn open() -> anyhow::Result<EventLoop<Msg>> {
    std::panic::set_hook(Box::new(|panic| {
        page::log(&panic.to_string());
        jobs::note_panic(&panic.to_string());
        // Where the page hears it: workers have none.
        page::call("failed", &[panic.to_string().into()]);
    }));
    jobs::be_alone();
    let event_loop = EventLoop::<Msg>::with_user_event().build()?;
    files::listen(&event_loop.create_proxy());
    Ok(event_loop)
}

/// Gives events to `app` from now on, for as long as the page is open.
///
/// # Errors
/// None.
pub(in crate::app) fn run<A: ApplicationHandler<Msg> + 'static>(
    event_loop: EventLoop<Msg>,
    app: A,
) -> anyhow::Result<Option<A>> {
    event_loop.spawn_app(app);
    Ok(None)
}
