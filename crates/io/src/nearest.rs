//! Suggestions for misspelled names.

/// Names are suggested if at least this fraction of their characters matches.
const MIN_SIMILARITY: f64 = 0.6;

/// The name that is most similar to `text`, if it is similar at all.
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let similarity = |name: &str| strsim::normalized_damerau_levenshtein(name, text);
    let rated = names.into_iter().map(|name| (similarity(name), name));
    let (similarity, name) = rated.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (similarity >= MIN_SIMILARITY).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_names_are_suggested() {
        let names = ["zero-normal", "warnings", "collision"];
        assert_eq!(nearest("zero-normals", names), Some("zero-normal"));
        assert_eq!(nearest("colision", names), Some("collision"));
        assert_eq!(nearest("xyz", names), None);
        assert_eq!(nearest("collision", []), None);
    }
}
