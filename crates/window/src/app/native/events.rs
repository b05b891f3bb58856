//! The event loop of a desktop.

use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;

use super::display::{self, plain};
use crate::app::Msg;

/// Opens it.
///
/// # Errors
/// When there is no display.
pub(in crate::app) fn open() -> anyhow::Result<EventLoop<Msg>> {
    let mut builder = EventLoop::<Msg>::with_user_event();
    display::choose(&mut builder);
    builder.build().map_err(|error| display::missing(&error))
}

/// Gives events to `app` until it ends, and gives it back.
///
/// # Errors
/// When the system takes the display away.
pub(in crate::app) fn run<A: ApplicationHandler<Msg>>(
    event_loop: EventLoop<Msg>,
    mut app: A,
) -> anyhow::Result<Option<A>> {
    event_loop
        .run_app(&mut app)
        .map_err(|error| anyhow::anyhow!("the window stopped unexpectedly: {}", plain(&error)))?;
    Ok(Some(app))
}
