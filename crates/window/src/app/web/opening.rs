//! What a browser gives later, and a desktop at once: the GPU of the window.

use std::cell::RefCell;
use std::rc::Rc;

use winit::event_loop::EventLoopProxy;

use crate::app::Msg;

/// Something that is being opened.
pub(in crate::app) struct Opening<T>(Rc<RefCell<Option<T>>>);

impl<T: 'static> Opening<T> {
    /// Opens it; [`Msg::Opened`] says when something came of it.
    pub(in crate::app) fn begin(
        open: impl AsyncFnOnce() -> T + 'static,
        proxy: &EventLoopProxy<Msg>,
    ) -> Self {
        let opened = Rc::new(RefCell::new(None));
        let (there, proxy) = (Rc::clone(&opened), proxy.clone());
        wasm_bindgen_futures::spawn_local(async move {
            let made = open().await;
            *there.borrow_mut() = Some(made);
            // The page may be closed by now.
            let _ = proxy.send_event(Msg::Opened);
        });
        Self(opened)
    }

    /// What came of it, once.
    pub(in crate::app) fn take(&mut self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}
