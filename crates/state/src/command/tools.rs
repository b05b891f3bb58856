//! The Tools menu: measuring and searching bytes.

use super::conditions::{has_document, needs};
use super::menu::commands;
use crate::AppState;

commands! { Tools:
    {
        Measure "Measure" ["Shift+M"]
            "Measures the distance between two vertices or bones that you click in the view, and the \
            angle at the second if you click a third. Esc ends it.",
            when has_document, on |s| s.tab.view.measure.is_picking,
            change AppState::toggle_measure;
        MeasureSelection "Measure to the selection" ["Alt+M"]
            "Adds the selected bone or vertex as the next point.",
            when |s| needs(s.selected_point().is_some(), "needs a selected bone or vertex"),
            change AppState::measure_selection;
        CopyMeasured "Copy the measurement" ["Ctrl+Shift+M"]
            "Copies distances and angle over the clip as CSV.",
            when |s| needs(s.can_copy_measured(), "needs a measurement"), run AppState::copy_measured;
        ClearMeasured "Clear the measurement" ["Alt+Shift+M"]
            "Removes the points and the measurement.",
            when |s| needs(!s.tab.view.measure.points.is_empty(), "needs a measurement"),
            change AppState::clear_measure;
    }
    {
        FindBytes "Find in the bytes" ["Ctrl+F"]
            "Searches the file for text, bytes or a number. Enter goes to the next match, \
            Shift+Enter to the previous one.",
            when |s| needs(s.file_bytes().is_some(), "needs an open file"), opens_field true, change AppState::focus_byte_search;
    }
}
