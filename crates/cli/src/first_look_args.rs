//! What a window shows first: what the window and the page of `share` both are told.

use clap::Args;

use super::values;

/// What is shown once the file is open.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct FirstLookArgs {
    /// The clip to show, by name or number
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// The time to show, on the file's own clock, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Run these commands once the file is open, named as in the palette: wireframe,frame-all
    #[arg(long, value_name = "COMMAND", value_delimiter = ',')]
    pub run: Vec<String>,
    /// Select this once the file is open: bone:NAME, vertex:NUMBER or subset:NUMBER
    #[arg(long, value_name = "WHAT")]
    pub select: Option<String>,
    /// Open these panes and close all others: outline,inspector
    #[arg(long, value_name = "PANE", value_delimiter = ',')]
    pub panes: Vec<String>,
}

impl FirstLookArgs {
    /// The same as pairs of word and value.
    pub(super) fn words(&self) -> Vec<(&'static str, String)> {
        let texts = [("clip", self.clip.clone()), ("select", self.select.clone())];
        let time = self.time.map(|time| time.to_string());
        let lists = [("run", &self.run), ("panes", &self.panes)];
        let lists = lists.map(|(word, list)| (word, (!list.is_empty()).then(|| list.join(","))));
        let all = texts.into_iter().chain([("time", time)]).chain(lists);
        all.filter_map(|(word, value)| Some((word, value?))).collect()
    }
}
