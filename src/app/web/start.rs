//! Opening the window in the page.

use winit::event_loop::EventLoop;
use winit::platform::web::EventLoopExtWebSys;

use super::{files, page};
use crate::app::window::App;
use crate::app::{Msg, RunArgs};

/// Opens the window, which stays for as long as the page does.
///
/// # Errors
/// When the page has a window already.
pub fn run(args: RunArgs) -> anyhow::Result<()> {
    std::panic::set_hook(Box::new(|panic| {
        page::log(&panic.to_string());
        page::call("failed", &[panic.to_string().into()]);
    }));
    // On this thread nothing waits for another.
    super::work();
    let event_loop = EventLoop::<Msg>::with_user_event().build()?;
    let proxy = event_loop.create_proxy();
    files::listen(&proxy);
    // Whoever comes without a file wants to see one.
    let sample =
        args.sample || !page::call("bringsFiles", &[]).is_some_and(|brings| brings.is_truthy());
    event_loop.spawn_app(App::new(RunArgs { sample, ..args }, proxy));
    Ok(())
}
