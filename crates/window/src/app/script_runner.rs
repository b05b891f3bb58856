//! Runs the script of the command line, step by step.
//!
//! Not for: the meaning of a step, which `state/script.rs` defines.

use winit::event_loop::ActiveEventLoop;

use super::window::App;
use rigscope_state::{Script, ToastLevel};

impl App {
    /// Runs the steps in order. Each waits for the work started by the previous one.
    pub(super) fn play_script(&mut self, event_loop: &ActiveEventLoop) {
        while self.state.tab.document.is_some()
            && self.state.tasks.is_empty()
            && !self.state.is_opening_group()
            && !self.state.is_comparing()
        {
            let step = self.args.script.as_mut().and_then(Script::step);
            let Some(step) = step else {
                self.args.script = None;
                return;
            };
            self.play_step(&step, event_loop);
        }
    }

    fn play_step(&mut self, script: &Script, event_loop: &ActiveEventLoop) {
        let Some(mut shell) = self.shell.take() else { return };
        match self.state.play_script(script) {
            Ok(requests) => {
                for request in requests {
                    self.carry_out(request, &mut shell, event_loop);
                }
            }
            Err(message) => {
                self.state.toasts.push(ToastLevel::Error, &*message);
                self.script_fault.get_or_insert(message);
            }
        }
        shell.window.request_redraw();
        self.shell = Some(shell);
    }
}
