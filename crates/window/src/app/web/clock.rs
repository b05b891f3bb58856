//! Wall-clock time for people.

/// The local time of day as `hh:mm:ss`.
pub(in crate::app) fn time_of_day() -> String {
    let now = js_sys::Date::new_0();
    format!("{:02}:{:02}:{:02}", now.get_hours(), now.get_minutes(), now.get_seconds())
}
