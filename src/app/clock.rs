//! Wall-clock time for people.

use std::time::{SystemTime, UNIX_EPOCH};

const SECS_PER_DAY: u64 = 24 * 60 * 60;

/// The time of day as `hh:mm:ss UTC`; the standard library knows no time zones.
pub(super) fn time_of_day(now: SystemTime) -> String {
    let secs = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() % SECS_PER_DAY;
    let (hours, minutes, secs) = (secs / 3600, secs / 60 % 60, secs % 60);
    format!("{hours:02}:{minutes:02}:{secs:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_day_begins_at_zero() {
        let at = |secs| time_of_day(UNIX_EPOCH + Duration::from_secs(secs));
        assert_eq!(at(SECS_PER_DAY * 20_000), "00:00:00 UTC");
        assert_eq!(at(3 * SECS_PER_DAY - 1), "23:59:59 UTC");
    }
}
