//! The pane "Frame times": durations of the last frames, as a plot and a table.
//!
//! Invariant: never requests a frame; it shows frames that were drawn for other reasons.

use egui::{
    Align, Color32, Label, Layout, Rangef, RichText, ScrollArea, TextStyle, TextWrapMode, Ui,
    Vec2b, WidgetText,
};
use egui_extras::{Column, TableBody, TableBuilder};
use egui_plot::{AxisHints, HLine, HoverPosition, Line, Plot, PlotPoints};

use super::theme::{self, gap};
use rigscope_state::{
    Action, AppState, Command, FRAME_BUDGET_MS, FrameLog, FrameTimes, MAX_FRAMES, Processor,
    TimeRow,
};

const ROW_HEIGHT: f32 = 20.0;
/// In a narrower pane, both processors share a table; below the second width, it is below the plot.
const MIN_WIDTH_OF_THREE: f32 = 960.0;
const MIN_WIDTH_OF_TWO: f32 = 680.0;
const PLOT_HEIGHT: f32 = 130.0;
/// Minimum range of the plot in milliseconds: a frame at 60 Hz, with some margin.
const LEAST_TOP_MS: f64 = 20.0;
/// Margin above the times of most frames, so that outliers don't flatten the rest.
const ROOM_ABOVE: f64 = 1.4;
/// A driver that hasn't reported GPU times for this many frames doesn't measure them.
const PATIENCE_FRAMES: usize = 30;
/// Padding around a number.
const PADDING: f32 = 8.0;

/// Heading and tooltip.
const COLUMNS: [(&str, &str); 4] = [
    ("Last", "Latest known duration, in milliseconds."),
    ("Median", "Median duration over the frames that include this step."),
    ("95 %", "Duration that one in twenty frames with this step exceeds."),
    ("Worst", "Longest duration in the plotted frames."),
];

pub(super) fn frame_times_ui(ui: &mut Ui, state: &AppState, out: &mut Vec<Action>) {
    let log = &state.timings.log;
    if log.is_empty() {
        ui.weak("No frame has been drawn since this pane was opened.");
        return;
    }
    let rows = log.rows();
    head_ui(ui, log, &rows, out);
    ui.add_space(gap::TIGHT);
    let num = log.frames().len();
    let num_cpu = rows.iter().take_while(|row| !is_of_gpu(row)).count();
    let (cpu, gpu) = rows.split_at(num_cpu);
    let tables: &[&[TimeRow]] = match ui.available_width() {
        width if width >= MIN_WIDTH_OF_THREE && !gpu.is_empty() => &[cpu, gpu],
        width if width >= MIN_WIDTH_OF_TWO => &[&rows],
        _ => &[],
    };
    if !tables.is_empty() {
        ui.columns(1 + tables.len(), |columns| {
            if let [left, right @ ..] = columns {
                plot_ui(left, log, &rows, left.available_height());
                for (at, (ui, rows)) in right.iter_mut().zip(tables).enumerate() {
                    ui.push_id(at, |ui| table_ui(ui, rows, num));
                }
            }
        });
        return;
    }
    ScrollArea::vertical().id_salt("frame times").auto_shrink([false, false]).show(ui, |ui| {
        plot_ui(ui, log, &rows, PLOT_HEIGHT);
        ui.add_space(gap::SMALL);
        table_ui(ui, &rows, num);
    });
}

/// Line colours.
fn color(ui: &Ui, processor: Processor) -> Color32 {
    let [cpu, _, gpu] = theme::colors(ui.visuals()).measured;
    match processor {
        Processor::Cpu => cpu,
        Processor::Gpu => gpu,
    }
}

fn head_ui(ui: &mut Ui, log: &FrameLog, rows: &[TimeRow], out: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = ui.button("Copy").on_hover_text(Command::CopyFrameTimes.info().help);
            if copy.accessible_name("Copy frame times").clicked() {
                out.push(Action::Run(Command::CopyFrameTimes));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                for row in rows.iter().filter(|row| row.part.is_none()) {
                    let text = format!("{} {} ms", row.processor.name(), number(row.last));
                    ui.label(RichText::new(text).color(color(ui, row.processor)).strong());
                }
                let frames = match log.frames().len() {
                    1 => "One frame".to_owned(),
                    num => format!("{num} frames"),
                };
                let text = format!("{frames}; the line at 16.7 ms marks 60 frames per second");
                ui.add(Label::new(RichText::new(text).weak()).truncate());
            });
        });
    });
    if log.frames().len() >= PATIENCE_FRAMES && !rows.iter().any(is_of_gpu) {
        ui.weak("The driver doesn't report GPU times by pass.");
    }
}

fn is_of_gpu(row: &TimeRow) -> bool {
    row.processor == Processor::Gpu
}

/// Milliseconds of one processor, by number of frames ago.
fn points(log: &FrameLog, ms: impl Fn(&FrameTimes) -> Option<f32>) -> PlotPoints<'static> {
    let num = log.frames().len();
    let ago = |at: usize| at as f64 - (num - 1) as f64;
    let points = log.frames().enumerate();
    points.filter_map(|(at, frame)| Some([ago(at), f64::from(ms(frame)?)])).collect()
}

fn plot_ui(ui: &mut Ui, log: &FrameLog, rows: &[TimeRow], height: f32) {
    let lines = [
        (Processor::Cpu, points(log, |frame| Some(frame.cpu_ms))),
        (Processor::Gpu, points(log, |frame| frame.gpu.as_ref().map(|(ms, _)| *ms))),
    ]
    .map(|(processor, points)| {
        Line::new(processor.name(), points).color(color(ui, processor)).width(1.5)
    });
    let most = rows.iter().filter(|row| row.part.is_none()).map(|row| f64::from(row.most));
    let top = most.fold(LEAST_TOP_MS, |top, most| top.max(ROOM_ABOVE * most));
    let budget = HLine::new("60 per second", f64::from(FRAME_BUDGET_MS))
        .color(ui.visuals().weak_text_color())
        .width(1.0);
    let label = |hover: &HoverPosition<'_>| {
        let (HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position }) =
            hover;
        frame_text(log, position.x)
    };
    let axis = AxisHints::new_y()
        .label_spacing(Rangef::new(10.0, 16.0))
        .formatter(|mark, _| format!("{} ms", mark.value));
    let plot = Plot::new("frame times")
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .set_margin_fraction(egui::Vec2::ZERO)
        .show_axes([false, true])
        .show_grid(Vec2b::new(false, true))
        .custom_y_axes(vec![axis.min_thickness(52.0)])
        .include_x(1.0 - MAX_FRAMES as f64)
        .include_x(0.0)
        .label_formatter(label);
    let response = plot.show(ui, |plot| {
        plot.set_plot_bounds_y(0.0..=top);
        plot.hline(budget);
        lines.into_iter().for_each(|line| plot.line(line));
    });
    let name = "Milliseconds of the last frames";
    response
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Image, true, name));
}

/// The known times of the frame `-at` frames ago.
fn frame_text(log: &FrameLog, at: f64) -> Option<String> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let ago = (-at).round().max(0.0) as usize;
    let frame = log.frames().rev().nth(ago)?;
    let mut text = format!("frame {}\nCPU {} ms", frame.number, number(frame.cpu_ms));
    if let Some((ms, _)) = frame.gpu {
        text += &format!("\nGPU {} ms", number(ms));
    }
    Some(text)
}

fn table_ui(ui: &mut Ui, rows: &[TimeRow], num_frames: usize) {
    let width = |text: &str, style: TextStyle| {
        let text = WidgetText::from(text);
        text.into_galley(ui, Some(TextWrapMode::Extend), f32::INFINITY, style).size().x
    };
    let widths = COLUMNS.map(|(name, _)| {
        let heading = width(name, TextStyle::Small);
        heading.max(width("0000.00", TextStyle::Body)) + PADDING
    });
    let mut table = TableBuilder::new(ui)
        .id_salt("frame time table")
        .striped(true)
        .cell_layout(Layout::right_to_left(Align::Center))
        .column(Column::remainder().clip(true))
        .auto_shrink([false, true])
        .min_scrolled_height(0.0);
    for width in widths {
        table = table.column(Column::exact(width).clip(true));
    }
    table
        .header(ROW_HEIGHT, |mut header| {
            header.col(|_| {});
            for (name, meaning) in COLUMNS {
                header.col(|ui| {
                    ui.label(RichText::new(name).small().weak()).on_hover_text(meaning);
                });
            }
        })
        .body(|body| body_ui(body, rows, num_frames));
}

fn body_ui(body: TableBody<'_>, rows: &[TimeRow], num_frames: usize) {
    body.rows(ROW_HEIGHT, rows.len(), |mut table_row| {
        let Some(row) = rows.get(table_row.index()) else { return };
        let styled = |text: String| match row.part {
            None => RichText::new(text).strong(),
            Some(_) => RichText::new(text),
        };
        table_row.col(|ui| {
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                if row.part.is_some() {
                    ui.add_space(gap::LARGE);
                }
                let name =
                    row.part.map_or(row.processor.name().to_owned(), |part| part.replace('_', " "));
                let label = Label::new(styled(name))
                    .truncate()
                    .show_tooltip_when_elided(false)
                    .selectable(false);
                let of = format!("{}, in {} of {num_frames} frames", row.name(), row.num_frames);
                ui.add(label).on_hover_text(of);
            });
        });
        for ms in [row.last, row.median, row.most, row.worst] {
            table_row.col(|ui| {
                ui.add(Label::new(styled(number(ms))).truncate().selectable(false));
            });
        }
    });
}

fn number(ms: f32) -> String {
    format!("{ms:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tooltip_shows_the_known_times_of_a_frame() {
        let mut log = FrameLog::default();
        for number in [7, 8] {
            log.push(FrameTimes { number, cpu_ms: number as f32, ..FrameTimes::default() });
        }
        log.set_gpu(7, 1.5, Vec::new());
        assert_eq!(frame_text(&log, 0.3).unwrap(), "frame 8\nCPU 8.00 ms");
        assert_eq!(frame_text(&log, -1.0).unwrap(), "frame 7\nCPU 7.00 ms\nGPU 1.50 ms");
        assert_eq!(frame_text(&log, -2.0), None);
    }
}
