//! Opening the event loop and closing it.

use winit::event_loop::EventLoop;

use super::display::{self, plain};
use crate::app::window::App;
use crate::app::{Msg, RunArgs};

/// Opens the window and returns when it is closed.
///
/// # Errors
/// When there is no display, no GPU (then the error is a [`crate::gpu::GpuInitError`]), or with
/// [`RunArgs::exit_after_frames`] when the file could not be opened or the picture not be written.
pub fn run(args: RunArgs) -> anyhow::Result<()> {
    let mut builder = EventLoop::<Msg>::with_user_event();
    display::choose(&mut builder);
    let event_loop = builder.build().map_err(|error| display::missing(&error))?;
    let mut app = App::new(args, event_loop.create_proxy());
    event_loop
        .run_app(&mut app)
        .map_err(|error| anyhow::anyhow!("the window stopped unexpectedly: {}", plain(&error)))?;
    app.outcome()
}
