//! Opening the window.

use super::RunArgs;
use super::system::events;
use super::window::App;

/// Opens the window and returns when it is closed; in a page at once, where it stays for as long as the page does.
///
/// # Errors
/// When there is no display, no GPU (then the error is a [`rigscope_gpu::GpuInitError`]), or with
/// [`RunArgs::exit_after_frames`] when the file could not be opened or the picture not be written.
pub fn run(args: RunArgs) -> anyhow::Result<()> {
    let event_loop = events::open()?;
    let app = App::new(args, event_loop.create_proxy());
    events::run(event_loop, app)?.map_or(Ok(()), App::outcome)
}
