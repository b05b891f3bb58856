//! One walk over the fields of a file for both directions: reading fills the fields, writing stores them.
//!
//! For: `skin_file` and `character_fields`, which define the order of fields once. `Reading` fills them from
//! any [`Fields`]; `text_field_writer` and `binary_field_writer` store them as text and binary.
//! Not for: the meaning of fields.

use super::fields::Fields;
use super::row_spans::RowSpans;
use super::rows::Rows;
use crate::formats::ReadError;
use rigscope_core::model::Report;

/// Number of records between checks for cancellation.
pub(super) const POLL_EVERY: usize = 4096;

/// A visitor of the fields of a file in order, which reads or writes them.
pub(super) trait Walk: Sized {
    /// The error that ends the walk.
    type Error;
    /// Whether a blend is stored as weight and vertex instead of vertex and weight.
    const IS_WEIGHT_FIRST: bool;

    /// Text, which may be empty.
    fn string(&mut self, field: &'static str, value: &mut String) -> Result<(), Self::Error>;
    /// Text that isn't empty in valid files.
    fn name(&mut self, field: &'static str, value: &mut String) -> Result<(), Self::Error> {
        self.string(field, value)
    }
    fn int(&mut self, field: &'static str, value: &mut i32) -> Result<(), Self::Error>;
    /// An integer that is 0 or 1 in valid files.
    fn flag(&mut self, field: &'static str, value: &mut i32) -> Result<(), Self::Error> {
        self.int(field, value)
    }
    /// Indices or lengths, or -1 for none, on one line of text.
    fn indices<const N: usize>(
        &mut self,
        fields: [&'static str; N],
        values: &mut [i32; N],
    ) -> Result<(), Self::Error>;
    /// Numbers on one line of text.
    fn floats<const N: usize>(
        &mut self,
        field: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), Self::Error>;
    /// The numbers of a vector, delimited in text.
    fn vector<const N: usize>(
        &mut self,
        field: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), Self::Error>;
    /// A count and that many records.
    fn list<T: Default>(
        &mut self,
        rows: Rows,
        list: &mut Vec<T>,
        record: impl FnMut(&mut Self, &mut T) -> Result<(), Self::Error>,
    ) -> Result<(), Self::Error>;

    /// An index or a length, or -1 for none.
    fn index(&mut self, field: &'static str, value: &mut i32) -> Result<(), Self::Error> {
        let mut values = [*value];
        self.indices([field], &mut values)?;
        [*value] = values;
        Ok(())
    }

    fn float(&mut self, field: &'static str, value: &mut f32) -> Result<(), Self::Error> {
        let mut values = [*value];
        self.floats(field, &mut values)?;
        [*value] = values;
        Ok(())
    }
}

/// The walk that reads.
pub(super) struct Reading<'a, F> {
    fields: &'a mut F,
    report: &'a Report,
    spans: RowSpans,
}

impl<'a, F: Fields> Reading<'a, F> {
    pub(super) fn new(fields: &'a mut F, report: &'a Report) -> Self {
        Self { fields, report, spans: RowSpans::default() }
    }
}

impl<F: Fields> Walk for Reading<'_, F> {
    type Error = ReadError;
    const IS_WEIGHT_FIRST: bool = F::IS_WEIGHT_FIRST;

    fn string(&mut self, field: &'static str, value: &mut String) -> Result<(), ReadError> {
        *value = self.fields.string(field)?;
        Ok(())
    }

    fn name(&mut self, field: &'static str, value: &mut String) -> Result<(), ReadError> {
        *value = self.fields.name(field)?;
        Ok(())
    }

    fn int(&mut self, field: &'static str, value: &mut i32) -> Result<(), ReadError> {
        *value = self.fields.int(field)?;
        Ok(())
    }

    fn flag(&mut self, field: &'static str, value: &mut i32) -> Result<(), ReadError> {
        *value = self.fields.flag(field)?;
        Ok(())
    }

    fn indices<const N: usize>(
        &mut self,
        fields: [&'static str; N],
        values: &mut [i32; N],
    ) -> Result<(), ReadError> {
        for (field, value) in fields.into_iter().zip(values) {
            *value = self.fields.index(field)?;
        }
        Ok(())
    }

    fn floats<const N: usize>(
        &mut self,
        field: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), ReadError> {
        *values = self.fields.floats(field)?;
        Ok(())
    }

    fn vector<const N: usize>(
        &mut self,
        field: &'static str,
        values: &mut [f32; N],
    ) -> Result<(), ReadError> {
        *values = self.fields.vector(field)?;
        Ok(())
    }

    fn list<T: Default>(
        &mut self,
        rows: Rows,
        list: &mut Vec<T>,
        record: impl FnMut(&mut Self, &mut T) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let count_at = self.fields.offset();
        self.spans.head(&rows, count_at, self.report);
        let num = self.fields.count(rows.least, rows.field)?;
        if num < rows.at_least {
            let what = format!("{} {num} is less than {}", rows.field, rows.at_least);
            return Err(self.fields.malformed(rows.field, what));
        }
        let ends = self.spans.begin(&rows, count_at, self.fields, self.report);
        *list = self.fields.list(num, rows.field)?;
        let Some(mut ends) = ends else { return self.records(num, list, record, |_| {}) };
        let read = self.records(num, list, record, |fields| ends.end(fields.offset()));
        self.spans.end(&rows, ends, self.report);
        read
    }
}

impl<F: Fields> Reading<'_, F> {
    fn records<T: Default>(
        &mut self,
        num: usize,
        list: &mut Vec<T>,
        mut record: impl FnMut(&mut Self, &mut T) -> Result<(), ReadError>,
        mut is_read: impl FnMut(&F),
    ) -> Result<(), ReadError> {
        for at in 0..num {
            if at % POLL_EVERY == 0 {
                self.report.progress("reading", 0.2)?;
            }
            let mut value = T::default();
            record(self, &mut value)?;
            list.push(value);
            is_read(self.fields);
        }
        Ok(())
    }

    /// Reports the bytes after the last list.
    pub(super) fn report_trailing(&self, len: usize) {
        self.spans.trailing(len, self.fields.offset(), self.report);
    }
}
