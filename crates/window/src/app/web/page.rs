//! Calls between this program and the page around it (`web/page.js`).

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

/// The object of the page that has its functions.
const OBJECT: &str = "rigscopePage";

/// Calls a function of the page; nothing where it has none, or that fails, which the console tells.
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

/// Says something on the console, as an error.
pub(super) fn log(text: &str) {
    let console = Reflect::get(&js_sys::global(), &"console".into());
    let error = console.and_then(|console| Reflect::get(&console, &"error".into()));
    if let Some(error) = error.ok().and_then(|error| error.dyn_into::<Function>().ok()) {
        let _ = error.call1(&JsValue::NULL, &text.into());
    }
}

/// A function that the page may call for as long as it is open.
pub(super) fn callback(work: impl FnMut(JsValue) + 'static) -> JsValue {
    Closure::<dyn FnMut(JsValue)>::new(work).into_js_value()
}

/// A field of an object of the page.
pub(super) fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}
