//! Shared handling of bytes without meaning for a model and of names that aren't UTF-8, for binary formats.

use std::ops::Range;
use std::sync::Arc;

use rigscope_core::model::{
    ByteView, Element, FindingKind, Place, Preserved, Report, Span, counted, singular_or_plural,
};

/// Bytes to be preserved when the file is written again; `None` for an empty range.
pub(super) fn kept(
    format: &'static str,
    what: &'static str,
    file: &Arc<Vec<u8>>,
    range: Range<usize>,
) -> Option<Preserved> {
    let bytes = ByteView::new(Arc::clone(file), range).filter(|bytes| !bytes.is_empty());
    bytes.map(|bytes| Preserved { format, what, bytes })
}

/// Reports the `num` trailing bytes from `start` on, which follow `last`, if there are any.
pub(super) fn report_trailing(start: usize, num: usize, last: &str, report: &Report) {
    report.span(Span::new(Element::Trailing, start, num, 1));
    let place = Place::Offset(start as u64);
    report.add_many(FindingKind::TrailingBytes, place, u64::from(num > 0), || {
        let follow = singular_or_plural(num as u64, "follows", "follow");
        format!("{} {follow} {last}", counted(num as u64, "byte"))
    });
}

/// The text of a name; reports a finding if it isn't UTF-8.
pub(super) fn lossy(bytes: &[u8], place: Place, what: &str, report: &Report) -> String {
    let text = String::from_utf8_lossy(bytes);
    if let std::borrow::Cow::Owned(_) = text {
        report.add_many(FindingKind::NameNotUtf8, place, 1, || {
            format!("the {what} {text:?} isn't valid UTF-8")
        });
    }
    text.into_owned()
}
