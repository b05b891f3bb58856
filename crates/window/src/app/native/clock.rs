//! Wall-clock time for people.

/// The local time of day as `hh:mm:ss`.
pub(in crate::app) fn time_of_day() -> String {
    chrono::Local::now().format("%H:%M:%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_day_is_three_pairs_of_digits() {
        let parts: Vec<_> = time_of_day().split(':').map(str::to_owned).collect();
        assert_eq!(parts.len(), 3);
        assert!(parts.iter().all(|p| p.len() == 2 && p.parse::<u8>().is_ok()));
    }
}
