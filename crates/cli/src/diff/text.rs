//! Text output of `diff`: the result, how vertices were matched, and one line per difference.

use crate::lines::Lines;
use crate::output::Paint;
use crate::table::{Align, Table};
use crate::text::{counted, grouped, plain};
use rigscope_core::compare::{
    Comparison, DiffOptions, Difference, DifferenceKind, MatchMethod, VertexMatching,
};
use rigscope_core::model::Severity;
use rigscope_core::model::numbers::{number, percent};

/// The same as text.
pub(crate) fn of(comparison: &Comparison, options: &DiffOptions, paint: Paint) -> String {
    lines(comparison, options, paint).as_str().to_owned()
}

pub(super) fn lines(comparison: &Comparison, options: &DiffOptions, paint: Paint) -> Lines {
    let mut out = Lines::default();
    out.push(verdict(comparison, options, paint));
    let matching = &comparison.matching;
    let mut how = if matching.a_of_b.is_empty() {
        "  no vertices to compare".to_owned()
    } else {
        format!(
            "  vertices matched by {}, {} of A against {} of B; the size of A is {} units",
            by(matching),
            matching.pose_a.as_str(),
            matching.pose_b.as_str(),
            number(comparison.extent),
        )
    };
    if let Some(error) = comparison.in_clips.as_ref().map(|in_clips| &in_clips.total) {
        let (num, rms) = (grouped(error.num_moments as u64), number(error.rms));
        how.push_str(&format!(
            "; root mean square deviation over {num} times in clips: {rms} units"
        ));
        if error.num_clips_left_out > 0 {
            let clips = counted(error.num_clips_left_out as u64, "clip");
            how.push_str(&format!("; {clips} not compared, because there are too many"));
        }
    }
    out.push(paint.dim(&how));
    let (beyond, within): (Vec<_>, Vec<_>) =
        comparison.differences.iter().partition(|difference| difference.exceeds);
    section(&mut out, &beyond, comparison, |line| paint.severity(Severity::Warning, line));
    if !within.is_empty() {
        out.push(paint.dim("  within the tolerance:"));
        section(&mut out, &within, comparison, |line| paint.dim(line));
    }
    out
}

fn verdict(comparison: &Comparison, options: &DiffOptions, paint: Paint) -> String {
    if comparison.is_equal() {
        let word = paint.good("equal");
        return if comparison.differences.is_empty() {
            word
        } else {
            format!("{word} within {}", options.tolerance)
        };
    }
    let exceeding = comparison.differences.iter().filter(|difference| difference.exceeds);
    let mut kinds: Vec<&str> = exceeding.map(|difference| difference.kind.code()).collect();
    kinds.dedup();
    let list = kinds.join(", ");
    format!("{}: {list}", paint.severity(Severity::Error, "differs"))
}

fn section(
    out: &mut Lines,
    differences: &[&Difference],
    comparison: &Comparison,
    painted: impl Fn(&str) -> String,
) {
    let mut table = Table::new([Align::Left, Align::Right, Align::Right, Align::Left]);
    for difference in differences {
        table.row([
            difference.kind.code().to_owned(),
            difference
                .amount
                .map_or(String::new(), |amount| with_unit(difference.kind, amount, comparison)),
            match difference.count {
                0 => String::new(),
                count => format!("x{}", grouped(count)),
            },
            plain(&difference.what),
        ]);
    }
    for (line, difference) in table.lines().iter().zip(differences) {
        let code = difference.kind.code();
        let rest = line.strip_prefix(code).unwrap_or_default();
        out.push(format!("  {}{rest}", painted(code)));
    }
}

/// An amount with its unit; distances also relative to the size.
fn with_unit(kind: DifferenceKind, amount: f64, comparison: &Comparison) -> String {
    use DifferenceKind as Kind;
    let plain = number(amount);
    match kind {
        Kind::Positions
        | Kind::Skinned
        | Kind::DefaultPose
        | Kind::MorphOffsets
        | Kind::Hulls
        | Kind::Occluder
        | Kind::StoredBounds => {
            let share = percent(amount / comparison.extent);
            format!("{plain} ({share})")
        }
        Kind::Normals | Kind::Tangents => format!("{plain}°"),
        Kind::ClipDuration => format!("{plain} s"),
        _ => plain,
    }
}

/// How vertices were matched, as one word.
pub(super) fn by(matching: &VertexMatching) -> &'static str {
    match matching.by {
        MatchMethod::Index => "index",
        MatchMethod::Position => "position",
    }
}
