//! Detects the two kinds of files by their first lines.

use crate::formats::Limits;
use crate::formats::text::{TextCursor, decode, is_utf16};

use super::ID;
use super::grammar::{Mode, Representation, System, choice, float, skip_title, without_comments};

/// The counts in a file's first lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Structure { num_bones: i64, num_vertices: i64 },
    Animation { num_bones: i64, num_vertices: i64 },
}

/// The head of a file; `None` if it's something else.
pub(super) fn head(bytes: &[u8]) -> Option<Head> {
    // Text contains no zeros, and checking for them is faster than decoding.
    if bytes.contains(&0) && !is_utf16(bytes) {
        return None;
    }
    let text = decode(bytes);
    let text = without_comments(&text);
    let mut cursor = TextCursor::new(ID, &text, &Limits::default());
    skip_title(&mut cursor);
    let num_bones = count(&mut cursor)?;
    let num_vertices = count(&mut cursor)?;
    match cursor.peek()? {
        '<' | '"' | '\'' => {
            let quote = cursor.peek()?;
            let close = if quote == '<' { '>' } else { quote };
            cursor.enclosed(quote, close, "name").ok()?;
            let parent = cursor.token("parent").ok()?;
            if parent != "*" && parent.parse::<i64>().is_err() {
                return None;
            }
            for _ in 0..3 {
                float(&mut cursor, "size").ok()?;
            }
            Some(Head::Structure { num_bones, num_vertices })
        }
        _ => {
            count(&mut cursor)?;
            choice(&mut cursor, "mode", Mode::of).ok()?;
            choice(&mut cursor, "system", System::of).ok()?;
            choice(&mut cursor, "representation", Representation::of).ok()?;
            Some(Head::Animation { num_bones, num_vertices })
        }
    }
}

fn count(cursor: &mut TextCursor<'_>) -> Option<i64> {
    cursor.number("count").ok().filter(|&num: &i64| num >= 0)
}
