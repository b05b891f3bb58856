//! Ranks names by how well they fit the words that were typed.
//!
//! Every word of the query must fit: as a word of the name, the beginning of one, the initials of
//! several, a part of one, some of its letters in order, or a word of the description. The fits rank in
//! that order.

/// A name to match a query against, in lower case.
pub(super) struct MatchEntry {
    name: String,
    /// Additional search terms, such as words of its menu and help.
    others: String,
}

impl MatchEntry {
    pub(super) fn new(name: &str, others: &str) -> Self {
        Self { name: name.to_lowercase(), others: others.to_lowercase() }
    }

    /// How well `query` fits; `None` if one of its words doesn't. An empty query fits everything
    /// equally.
    pub(super) fn score(&self, query: &str) -> Option<i32> {
        /// The query is the name, or the name begins with it.
        const IS_NAME: i32 = 60;
        const BEGINS_NAME: i32 = 20;
        /// Number of letters that cost a point, so that the shorter of two matching names ranks first.
        const LETTERS_PER_POINT: usize = 8;
        let query = query.trim().to_lowercase();
        if query.is_empty() {
            return Some(0);
        }
        let mut score = 0;
        for word in query.split_whitespace() {
            score += self.word_score(word)?;
        }
        if self.name == query {
            score += IS_NAME;
        } else if self.name.starts_with(&query) {
            score += BEGINS_NAME;
        }
        let length = self.name.chars().count() / LETTERS_PER_POINT;
        Some(score - i32::try_from(length).unwrap_or(i32::MAX))
    }

    fn word_score(&self, word: &str) -> Option<i32> {
        /// Shorter words occur in almost every description.
        const MIN_DESCRIBING: usize = 3;
        let in_words = |words: &str| words_of(words).filter_map(|name| fit(word, name)).max();
        let letters: Vec<char> = word.chars().collect();
        let initials: Vec<char> =
            words_of(&self.name).filter_map(|name| name.chars().next()).collect();
        let are_initials = letters.len() > 1 && is_subsequence(&letters, &initials);
        let in_name = in_words(&self.name);
        let by_initials = are_initials.then_some(60);
        let in_others = || {
            let is_long = letters.len() >= MIN_DESCRIBING;
            let starts = |other: &str| other.starts_with(word);
            (is_long && words_of(&self.others).any(starts)).then_some(15)
        };
        in_name.max(by_initials).or_else(in_others)
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// How well a word of the query fits a word of the name.
fn fit(word: &str, name: &str) -> Option<i32> {
    if word == name {
        return Some(100);
    }
    if name.starts_with(word) {
        return Some(80);
    }
    if name.contains(word) {
        return Some(50);
    }
    let [word, name] = [word, name].map(|text| text.chars().collect::<Vec<_>>());
    let begins_alike = word.first() == name.first();
    // Single letters occur in many words.
    (begins_alike && word.len() > 1 && is_subsequence(&word, &name)).then_some(25)
}

fn is_subsequence(letters: &[char], of: &[char]) -> bool {
    let mut rest = of.iter();
    letters.iter().all(|letter| rest.any(|other| other == letter))
}

#[cfg(test)]
mod tests {
    use super::MatchEntry;

    fn score(query: &str, name: &str) -> Option<i32> {
        MatchEntry::new(name, "Show: lines on the ground.").score(query)
    }

    #[test]
    fn every_word_of_the_query_must_match() {
        assert!(score("wf", "Wireframe").is_some());
        assert!(score("fw", "Wireframe").is_none());
        assert!(score("frame all", "Frame all").is_some());
        assert!(score("all frame", "Frame all").is_some(), "in any order");
        assert!(score("frame some", "Frame all").is_none());
        assert_eq!(score("", "anything"), Some(0));
    }

    #[test]
    fn matches_rank_from_whole_words_to_the_description() {
        let names = ["Grid", "Grids", "Grow R I D", "Ungrid", "Glorified", "Plane"];
        let scores = names.map(|name| MatchEntry::new(name, "a grid").score("grid").unwrap());
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
    }

    #[test]
    fn initials_beat_letters_inside_of_words() {
        assert!(score("fa", "Frame all") > score("fa", "Surface"));
        assert!(score("frame all", "Frame all") > score("frame all", "Frame the selection all"));
    }
}
