//! Calls between this program and its page (the scripts in `web`).

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The global object with the page's functions.
const OBJECT: &str = "rigscopePage";

/// Calls a function of the page. `None` if it's missing or throws, which is logged to the console.
pub(super) fn call(name: &str, arguments: &[JsValue]) -> Option<JsValue> {
    let object = Reflect::get(&js_sys::global(), &OBJECT.into()).ok()?;
    let function: Function = Reflect::get(&object, &name.into()).ok()?.dyn_into().ok()?;
    let arguments: Array = arguments.iter().cloned().collect();
    match function.apply(&object, &arguments) {
        Ok(value) => Some(value),
        Err(error) => {
            log(&format!("{name}: {error:?}"));
            None
        }
    }
}

/// Logs an error to the console.
pub(super) fn log(text: &str) {
    let console = Reflect::get(&js_sys::global(), &"console".into());
    let error = console.and_then(|console| Reflect::get(&console, &"error".into()));
    if let Some(error) = error.ok().and_then(|error| error.dyn_into::<Function>().ok()) {
        let _ = error.call1(&JsValue::NULL, &text.into());
    }
}

/// A callback that stays valid for as long as the page is open.
pub(super) fn callback(work: impl FnMut(JsValue) + 'static) -> JsValue {
    Closure::<dyn FnMut(JsValue)>::new(work).into_js_value()
}

/// A list in a field of a JavaScript object; empty if it is missing.
pub(super) fn list(object: &JsValue, name: &str) -> Array {
    field(object, name).dyn_into().unwrap_or_default()
}

/// A field of a JavaScript object.
pub(super) fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
