//! Changes binary glTF and other files by their byte map.

use rigscope_core::model::{Layout, Model};
use rigscope_io::OpenOptions;
use serde_json::Value;

/// Calls `change` with the numbers of each record of the fields with this name, and the record's number.
pub(crate) fn with_numbers_of(
    extension: &str,
    mut bytes: Vec<u8>,
    field: &str,
    change: impl Fn(&mut [f64], u64),
) -> Vec<u8> {
    let model = model_of(extension, &bytes);
    for span in &model.provenance.spans {
        let Some(own) = span.fields.iter().find(|own| own.name == field) else { continue };
        let Layout::Numbers { scalar, .. } = own.layout else { continue };
        for record in span.first..span.first + span.count {
            let Some(range) = span.record(record) else { continue };
            let part = own.range(range.end - range.start);
            let start = usize::try_from(range.start + part.start).unwrap();
            let end = usize::try_from(range.start + part.end).unwrap();
            let size = scalar.num_bytes();
            let slots = &mut bytes[start..end];
            let mut numbers: Vec<f64> =
                slots.chunks(size).map(|slot| scalar.number(slot).unwrap().to_f64()).collect();
            let before = numbers.clone();
            change(&mut numbers, record);
            for ((slot, number), before) in slots.chunks_mut(size).zip(numbers).zip(before) {
                if number.to_bits() != before.to_bits() {
                    scalar.encode(number, slot);
                }
            }
        }
    }
    bytes
}

pub(crate) fn with_numbers(
    bytes: Vec<u8>,
    field: &str,
    change: impl Fn(&mut [f64], u64),
) -> Vec<u8> {
    with_numbers_of("glb", bytes, field, change)
}

pub(crate) fn model_of(extension: &str, bytes: &[u8]) -> Model {
    let name = format!("rig.{extension}");
    OpenOptions::default().open_bytes(&name, bytes.to_vec()).unwrap().model
}

fn length_at(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

/// The JSON of a binary file.
pub(crate) fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(&bytes[20..20 + length_at(bytes, 12)]).unwrap()
}

/// A binary file with other JSON text.
pub(crate) fn with_text(bytes: &[u8], mut text: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length_at(bytes, 12)..];
    let length = u32::try_from(20 + text.len() + rest.len()).unwrap();
    let num_text = u32::try_from(text.len()).unwrap();
    let head = [&bytes[..8], &length.to_le_bytes(), &num_text.to_le_bytes(), b"JSON"].concat();
    [&head, &text[..], rest].concat()
}

/// A binary file whose JSON is changed.
pub(crate) fn with_json(bytes: &mut Vec<u8>, change: impl Fn(&mut Value)) {
    let mut json = json(bytes);
    change(&mut json);
    *bytes = with_text(bytes, serde_json::to_vec_pretty(&json).unwrap());
}
