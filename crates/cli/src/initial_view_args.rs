//! Options for the initial view, shared by the window and `share`.

use clap::Args;

use super::values;
use rigscope_core::runtime::Runtime;

/// Initial view.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct InitialViewArgs {
    /// The clip to show, by name or number; by default the first
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// The time to show, in seconds on the time axis of the file
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Show the file as this runtime plays it, coloured by its deviation; `rigscope runtimes` lists all
    #[arg(long = "as", value_name = "RUNTIME", value_parser = values::runtime_of)]
    pub runtime: Option<&'static Runtime>,
    /// Run these commands once the file is open, separated by commas and named as in the command palette:
    /// wireframe,frame-all
    #[arg(long, value_name = "COMMAND", value_delimiter = ',')]
    pub run: Vec<String>,
    /// Select an item once the file is open: bone:NAME, vertex:NUMBER or subset:NUMBER
    #[arg(long, value_name = "ITEM")]
    pub select: Option<String>,
    /// Open only these panes, separated by commas, such as outline,inspector
    #[arg(long, value_name = "PANE", value_delimiter = ',')]
    pub panes: Vec<String>,
}

impl InitialViewArgs {
    /// The options as URL parameters of the web viewer.
    pub(super) fn url_parameters(&self) -> Vec<(&'static str, String)> {
        let runtime = self.runtime.map(|runtime| runtime.id.to_owned());
        let texts = [("clip", self.clip.clone()), ("as", runtime), ("select", self.select.clone())];
        let time = self.time.map(|time| time.to_string());
        let lists = [("run", &self.run), ("panes", &self.panes)];
        let lists = lists.map(|(word, list)| (word, (!list.is_empty()).then(|| list.join(","))));
        let all = texts.into_iter().chain([("time", time)]).chain(lists);
        all.filter_map(|(word, value)| Some((word, value?))).collect()
    }
}
