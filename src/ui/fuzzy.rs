//! Finding a name by some of its letters.

/// How well `pattern` fits `text`: its letters in order, better the closer together and the
/// nearer to beginnings of words. Nothing where a letter is missing.
pub(super) fn score(pattern: &str, text: &str) -> Option<i32> {
    /// A letter that begins a word.
    const WORD_START: i32 = 8;
    /// A letter that follows the one before.
    const NEXT: i32 = 5;
    let text: Vec<char> = text.chars().flat_map(char::to_lowercase).collect();
    let mut score = 0;
    let mut from = 0;
    let wanted = pattern.chars().filter(|c| !c.is_whitespace());
    for letter in wanted.flat_map(char::to_lowercase) {
        let found = from + text.get(from..)?.iter().position(|&c| c == letter)?;
        let starts_word = found == 0 || !text.get(found - 1).is_some_and(|c| c.is_alphanumeric());
        score += if starts_word {
            WORD_START
        } else if found == from && from > 0 {
            NEXT
        } else {
            0
        };
        score -= i32::try_from(found - from).unwrap_or(i32::MAX).min(3);
        from = found + 1;
    }
    Some(score)
}

#[cfg(test)]
mod tests {
    use super::score;

    #[test]
    fn letters_must_come_in_order() {
        assert!(score("wf", "Wireframe").is_some());
        assert!(score("fw", "Wireframe").is_none());
        assert_eq!(score("", "anything"), Some(0));
    }

    #[test]
    fn beginnings_of_words_win() {
        let whole = score("fa", "Frame all").unwrap();
        assert!(whole > score("fa", "Surface").unwrap());
        assert!(score("frame all", "Frame all") > score("frame all", "Frame the selection all"));
    }
}
