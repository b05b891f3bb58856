//! Opening the GPU for the window: a browser is asked, and answers later.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use crate::app::Msg;
use crate::app::graphics::Graphics;

/// A GPU that is being opened.
pub(in crate::app) struct Opening(Rc<RefCell<Option<anyhow::Result<Graphics>>>>);

impl Opening {
    /// Opens it for `window`; [`Msg::Opened`] says when something came of it.
    pub(in crate::app) fn begin(window: &Arc<Window>, proxy: &EventLoopProxy<Msg>) -> Self {
        let opened = Rc::new(RefCell::new(None));
        let (there, window, proxy) = (Rc::clone(&opened), Arc::clone(window), proxy.clone());
        wasm_bindgen_futures::spawn_local(async move {
            let graphics = Graphics::new(&window).await;
            *there.borrow_mut() = Some(graphics);
            // The page may be closed by now.
            let _ = proxy.send_event(Msg::Opened);
        });
        Self(opened)
    }

    /// What came of it, once.
    pub(in crate::app) fn take(&mut self) -> Option<anyhow::Result<Graphics>> {
        self.0.borrow_mut().take()
    }
}
