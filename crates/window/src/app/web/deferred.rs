//! The window's GPU, which a browser opens asynchronously.

use std::cell::RefCell;
use std::rc::Rc;

use winit::event_loop::EventLoopProxy;

use crate::app::{Msg, send};

/// A value that becomes available later.
pub(in crate::app) struct Deferred<T>(Rc<RefCell<Option<T>>>);

impl<T: 'static> Deferred<T> {
    /// Starts opening; [`Msg::Opened`] signals the result.
    pub(in crate::app) fn begin(
        open: impl AsyncFnOnce() -> T + 'static,
        proxy: &EventLoopProxy<Msg>,
    ) -> Self {
        let opened = Rc::new(RefCell::new(None));
        let (there, proxy) = (Rc::clone(&opened), proxy.clone());
        wasm_bindgen_futures::spawn_local(async move {
            let made = open().await;
            *there.borrow_mut() = Some(made);
            send(&proxy, Msg::Opened);
        });
        Self(opened)
    }

    /// The result, once.
    pub(in crate::app) fn take(&mut self) -> Option<T> {
        self.0.borrow_mut().take()
    }
}
