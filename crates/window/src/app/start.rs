//! Entry point.

use super::RunArgs;
use super::system::events;
use super::window::App;

/// Opens the window and returns when it is closed. In a browser it returns immediately, and the window
/// stays open as long as the page.
///
/// # Errors
/// If there is no display, no GPU (a [`rigscope_gpu::GpuInitError`]), or with
/// [`RunArgs::exit_after_frames`] if the file can't be opened or the image can't be written.
pub fn run(args: RunArgs) -> anyhow::Result<()> {
    let event_loop = events::open()?;
    let app = App::new(args, event_loop.create_proxy());
    events::run(event_loop, app)?.map_or(Ok(()), App::outcome)
}
