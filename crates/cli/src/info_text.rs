//! Text output of `info`: the same facts as the JSON, in columns.

use glam::Vec3;

use super::info_materials;
use super::lines::Lines;
use super::output::Paint;
use super::table::{Align, Table};
use super::text::{counted, grouped, name, path, plain, point};
use rigscope_core::model::{BoneNoun, Detail, Model, RelatedFileRole, Severity};
use rigscope_core::summary::{FindingEntry, Info, RelatedFile};
use rigscope_io::formats::by_id;

/// Longer lists are cut; the JSON has all rows.
const MAX_ROWS: usize = 40;

/// The kind of bones that are left out.
const HELPER: &str = "helper";

/// The text for one file.
pub(super) fn of(info: &Info, model: &Model, paint: Paint) -> Lines {
    let mut out = Lines::default();
    out.push(paint.bold(&path(info.file.as_ref())));
    out.append(&body(info, model, paint));
    out
}

/// The text for one file without its path and without colours.
pub(super) fn without_path(info: &Info, model: &Model) -> Lines {
    body(info, model, Paint::none())
}

fn body(info: &Info, model: &Model, paint: Paint) -> Lines {
    let mut out = Lines::default();
    push(&mut out, &facts(info).lines(), "  ");
    let loose = info.meshes.iter().flat_map(|mesh| &mesh.loose);
    section(&mut out, paint, "subsets", info.totals.subsets + loose.count(), subsets(info));
    let materials = info_materials::lines(model, MAX_ROWS);
    let num_materials = if materials.is_empty() { 0 } else { info.materials.len() };
    section(&mut out, paint, "materials", num_materials, materials);
    section(&mut out, paint, "clips", info.clips.len(), clips(info));
    let num_tracks = info.value_tracks.len();
    section(&mut out, paint, "curves", num_tracks, value_tracks(info));
    if info.bones.iter().any(|bone| bone.parent.is_some()) {
        let is_mixed = info.noun == BoneNoun::Bone && info.totals.nodes > 0;
        let title = if is_mixed { "bones and nodes" } else { info.noun.many() };
        let num = info.bones.iter().filter(|bone| bone.kind != HELPER).count();
        section(&mut out, paint, title, num, bones(info, is_mixed));
    }
    let listed = listed_related_files(info);
    let num_listed = listed.len();
    section(&mut out, paint, "related files", num_listed, related_files(&listed));
    if !info.findings.is_empty() {
        heading(&mut out, paint, "findings");
        push(&mut out, &findings(&info.findings, paint), "    ");
    }
    out
}

fn push(out: &mut Lines, lines: &[String], indent: &str) {
    out.extend(lines.iter().map(|line| format!("{indent}{line}")));
}

fn heading(out: &mut Lines, paint: Paint, title: &str) {
    out.push("");
    out.push(format!("  {}", paint.bold(title)));
}

/// A list with `len` entries; `lines` are the heading and the first rows.
fn section(out: &mut Lines, paint: Paint, title: &str, len: usize, lines: Vec<String>) {
    if len == 0 {
        return;
    }
    heading(out, paint, title);
    if let Some((columns, rows)) = lines.split_first() {
        push(out, &[paint.dim(columns)], "    ");
        push(out, rows, "    ");
    }
    if len > MAX_ROWS {
        let more = format!("and {} more; --json lists all", grouped((len - MAX_ROWS) as u64));
        push(out, &[paint.dim(&more)], "    ");
    }
}

fn facts(info: &Info) -> Table<2> {
    let mut table = Table::new([Align::Left, Align::Left]);
    let mut fact = |name: &str, value: String| table.row([name.to_owned(), value]);
    let full = by_id(info.format).map_or("", |format| format.info.name);
    let bytes = counted(info.bytes, "byte");
    fact("format", format!("{} ({full}), {bytes}", info.format));

    let totals = &info.totals;
    let mut geometry = vec![
        counted(totals.vertices as u64, "vertex"),
        counted(totals.triangles as u64, "triangle"),
        counted(totals.subsets as u64, "subset"),
    ];
    for (num, what) in [(totals.lines, "line"), (totals.points, "point")] {
        if num > 0 {
            geometry.push(counted(num as u64, what));
        }
    }
    if info.meshes.len() > 1 {
        geometry.insert(0, counted(info.meshes.len() as u64, "mesh"));
    }
    if totals.morph_targets > 0 {
        geometry.push(counted(totals.morph_targets as u64, "morph target"));
    }
    fact("geometry", geometry.join(", "));
    match info.noun {
        BoneNoun::Bone => fact("skin", skin(info)),
        BoneNoun::Node => {}
    }
    if totals.nodes > 0 {
        let label = if totals.bones > 0 { "other nodes" } else { "nodes" };
        fact(label, grouped(totals.nodes as u64));
    }
    if let Some(avatar) = &info.avatar {
        let parts = [
            counted(avatar.humanoid.len() as u64, "human bone"),
            counted(avatar.expressions.len() as u64, "expression"),
            counted(avatar.springs.len() as u64, "spring"),
            counted(avatar.colliders as u64, "collider"),
        ];
        fact("avatar", parts.join(", "));
    }
    if totals.hulls > 0 || info.occluder.is_some() {
        let mut parts = vec![counted(totals.hulls as u64, "hull")];
        if let Some(occluder) = &info.occluder {
            parts.push(format!(
                "occlusion mesh of {}",
                counted(occluder.triangles as u64, "triangle")
            ));
        }
        fact("collision", parts.join(", "));
    }
    match &info.bounds {
        Some(bounds) => {
            let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
            fact("bounds", format!("{}  to  {}", point(min), point(max)));
        }
        None => fact("bounds", "none".to_owned()),
    }
    let unit = match info.unit_meters {
        Some(meters) => format!("unit {meters} m"),
        None => "unit not stated".to_owned(),
    };
    let axes = &info.axes;
    let front = axes.front.map_or_else(String::new, |front| format!(", facing {front}"));
    fact("axes", format!("{} up, {}-handed{front}, {unit}", axes.up, axes.handedness));
    for (name, detail) in &info.details.0 {
        let value = match detail {
            Detail::Text(text) => plain(text),
            Detail::Int(number) => number.to_string(),
            Detail::Bool(true) => "yes".to_owned(),
            Detail::Bool(false) => "no".to_owned(),
        };
        fact(&name.replace('_', " "), value);
    }
    table
}

fn skin(info: &Info) -> String {
    let bones = counted(info.totals.bones as u64, "bone");
    let mut all = std::collections::BTreeMap::new();
    for (&num, &vertices) in info.meshes.iter().flat_map(|mesh| &mesh.influences) {
        *all.entry(num).or_insert(0) += vertices as u64;
    }
    let shares: Vec<_> =
        all.into_iter().map(|(num, vertices)| format!("{num}: {}", grouped(vertices))).collect();
    if shares.is_empty() {
        bones
    } else {
        format!("{bones}; vertices by influences {}", shares.join(", "))
    }
}

fn subsets(info: &Info) -> Vec<String> {
    let mut table =
        Table::new([Align::Right, Align::Right, Align::Right, Align::Left, Align::Left]);
    // With one mesh, all rows would have the same name.
    let has_names = info.meshes.len() > 1;
    let heading = if has_names { "mesh" } else { "" };
    table.row(["", "first index", "triangles", "material", heading].map(String::from));
    // First index, number of triangles or loose elements, material, mesh. Row numbers are those of `--hide`.
    let parts = info.meshes.iter().flat_map(|mesh| {
        let subsets = mesh.subsets.iter().map(move |subset| {
            let first = grouped(subset.first_index.into());
            let num = grouped((subset.index_count / 3).into());
            (first, num, subset.material, mesh)
        });
        let loose = mesh.loose.iter().map(move |loose| {
            let num = format!("{} {}", grouped(loose.count as u64), loose.kind);
            (String::new(), num, loose.material, mesh)
        });
        subsets.chain(loose)
    });
    for (number, (first, num, material, mesh)) in parts.take(MAX_ROWS).enumerate() {
        let material = material.and_then(|m| Some((m, info.materials.get(m)?)));
        let shown = match material {
            Some((number, material)) if material.name.is_empty() => format!("({number})"),
            Some((_, material)) => name(&material.name),
            None => "none".to_owned(),
        };
        let mesh = if has_names { name(&mesh.name) } else { String::new() };
        table.row([number.to_string(), first, num, shown, mesh]);
    }
    table.lines()
}

fn clips(info: &Info) -> Vec<String> {
    let right = Align::Right;
    let mut table = Table::new([right, Align::Left, right, right, right, right]);
    table.row(["", "name", "start", "duration", "keys", "interval"].map(String::from));
    for (number, clip) in info.clips.iter().take(MAX_ROWS).enumerate() {
        table.row([
            number.to_string(),
            name(&clip.name),
            format!("{:.3} s", clip.start_secs),
            format!("{:.3} s", clip.duration_secs),
            clip.keys.map_or("-".into(), |keys| grouped(keys as u64)),
            clip.interval_secs.map_or("-".into(), |secs| format!("{:.3} ms", secs * 1e3)),
        ]);
    }
    table.lines()
}

/// Curves that don't move bones.
fn value_tracks(info: &Info) -> Vec<String> {
    let mut table = Table::new([Align::Right, Align::Left, Align::Left, Align::Right]);
    table.row(["", "name", "kind", "keys"].map(String::from));
    for (number, track) in info.value_tracks.iter().take(MAX_ROWS).enumerate() {
        table.row([
            number.to_string(),
            plain(&track.name),
            track.kind.to_owned(),
            grouped(track.keys as u64),
        ]);
    }
    table.lines()
}

fn bones(info: &Info, is_mixed: bool) -> Vec<String> {
    let mut table = Table::new([Align::Right, Align::Left, Align::Left, Align::Left]);
    let kind = if is_mixed { "kind" } else { "" };
    table.row(["", "name", "parent", kind].map(String::from));
    let name_of = |bone: usize| match info.bones.get(bone) {
        Some(bone) if !bone.name.is_empty() => name(&bone.name),
        _ => format!("({bone})"),
    };
    let is_shown = |bone: &usize| info.bones.get(*bone).is_none_or(|bone| bone.kind != HELPER);
    let bones = info.bones.iter().enumerate().filter(|(number, _)| is_shown(number));
    for (number, bone) in bones.take(MAX_ROWS) {
        let parent_of = |&bone: &usize| info.bones.get(bone).and_then(|bone| bone.parent);
        let parent = std::iter::successors(bone.parent, parent_of).find(is_shown);
        let parent = parent.map_or_else(String::new, name_of);
        let kind = if is_mixed { bone.kind.to_owned() } else { String::new() };
        table.row([number.to_string(), name_of(number), parent, kind]);
    }
    table.lines()
}

/// The related files, except unused images, of which a folder may contain many.
fn listed_related_files(info: &Info) -> Vec<&RelatedFile> {
    let texture = RelatedFileRole::Texture.as_str();
    let is_listed = |file: &&RelatedFile| file.taken || file.role != texture || file.is_missing;
    info.related_files.iter().filter(is_listed).collect()
}

/// The table of related files, in which used files are marked.
fn related_files(listed: &[&RelatedFile]) -> Vec<String> {
    let mut table = Table::new([Align::Left, Align::Left, Align::Left, Align::Right, Align::Left]);
    table.row(["", "role", "file", "fit", "reason"].map(String::from));
    for file in listed.iter().take(MAX_ROWS) {
        let mark = if file.taken { "*" } else { "" };
        let fit = file.fit.map(|fit| format!("{:.0} %", fit * 100.0));
        table.row([
            mark.to_owned(),
            file.role.to_owned(),
            plain(&file.file),
            fit.unwrap_or_default(),
            plain(&file.why),
        ]);
    }
    table.lines()
}

/// One line per finding: message, place, count.
fn findings(findings: &[FindingEntry], paint: Paint) -> Vec<String> {
    let severities = [Severity::Error, Severity::Warning, Severity::Info];
    let line = |finding: &FindingEntry| {
        let known = severities.into_iter().find(|s| s.as_str() == finding.severity);
        let label = format!("{:<7}", finding.severity);
        let label = known.map_or(label.clone(), |severity| paint.severity(severity, &label));
        format!("{label}  {}", finding_text(finding))
    };
    findings.iter().map(line).collect()
}

/// A finding as one phrase: `zero-normal: normal 0 0 0 at meshes[0].vertices[7], 5 times`.
pub(super) fn finding_text(finding: &FindingEntry) -> String {
    let mut text = plain(&finding.message);
    // Errors of readers already contain the place.
    if finding.place != "file" && !finding.message.contains(&finding.place) {
        text.push_str(&format!(" at {}", finding.place));
    }
    if finding.count > 1 {
        text.push_str(&format!(", {} times", grouped(finding.count)));
    }
    text.push_str(&format!(" [{}]", finding.code));
    text
}
