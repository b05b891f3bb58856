//! Writes the fields of BMF and BCF: the inverse of `binary_fields`.

use super::names;
use super::rows::Rows;
use super::walk::{POLL_EVERY, Walk};
use crate::formats::record::Record;
use rigscope_core::model::{Cancelled, Report};

/// Maximum length of a string with a one-byte length; 255 marks a longer one.
const MAX_SHORT: usize = 254;

pub(super) struct BinaryFieldWriter<'a> {
    bytes: Vec<u8>,
    report: &'a Report,
}

impl<'a> BinaryFieldWriter<'a> {
    pub(super) fn new(report: &'a Report) -> Self {
        Self { bytes: Vec::new(), report }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn count(&mut self, num: usize) {
        // Lists come from files that store such counts, or are checked before.
        let num = i32::try_from(num).unwrap_or(i32::MAX);
        self.bytes.extend(num.to_le_bytes());
    }
}

impl Walk for BinaryFieldWriter<'_> {
    type Error = Cancelled;
    const IS_WEIGHT_FIRST: bool = true;

    fn string(&mut self, _: &'static str, value: &mut String) -> Result<(), Cancelled> {
        let text = names::to_bytes(value);
        match u8::try_from(text.len()) {
            Ok(len) if text.len() <= MAX_SHORT => self.bytes.push(len),
            _ => {
                self.bytes.push(u8::MAX);
                self.count(text.len());
            }
        }
        self.bytes.extend(&*text);
        Ok(())
    }

    fn int(&mut self, _: &'static str, value: &mut i32) -> Result<(), Cancelled> {
        self.bytes.extend(value.to_le_bytes());
        Ok(())
    }

    fn indices<const N: usize>(
        &mut self,
        _: [&'static str; N],
        values: &mut [i32; N],
    ) -> Result<(), Cancelled> {
        values.put(&mut self.bytes);
        Ok(())
    }

    fn floats<const N: usize>(
        &mut self,
        _: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), Cancelled> {
        values.put(&mut self.bytes);
        Ok(())
    }

    fn vector<const N: usize>(
        &mut self,
        field: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), Cancelled> {
        self.floats(field, values)
    }

    fn list<T: Default>(
        &mut self,
        _: Rows,
        list: &mut Vec<T>,
        mut record: impl FnMut(&mut Self, &mut T) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        self.count(list.len());
        for (at, value) in list.iter_mut().enumerate() {
            if at % POLL_EVERY == 0 {
                self.report.progress("writing", 0.9)?;
            }
            record(self, value)?;
        }
        Ok(())
    }
}
