//! The event loop of a desktop.

use winit::application::ApplicationHandler;
use winit::event_loop::EventLoop;

use super::display::{self, plain};
use crate::app::Msg;

/// Connects to the display.
///
/// # Errors
/// If there is no display, or no keyboard data for X11.
pub(in crate::app) fn open() -> anyhow::Result<EventLoop<Msg>> {
    let mut builder = EventLoop::<Msg>::with_user_event();
    display::choose(&mut builder);
    display::check_keyboard_data()?;
    builder.build().map_err(|error| display::missing(&error))
}

/// Delivers events to `app` until it ends, and returns it.
///
/// # Errors
/// If the connection to the display is lost.
pub(in crate::app) fn run<A: ApplicationHandler<Msg>>(
    event_loop: EventLoop<Msg>,
    mut app: A,
) -> anyhow::Result<Option<A>> {
    event_loop
        .run_app(&mut app)
        .map_err(|error| anyhow::anyhow!("the window stopped unexpectedly: {}", plain(&error)))?;
    Ok(Some(app))
}
