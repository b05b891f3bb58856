//! Reports the library's warnings as findings: one kind per type of warning, with the object that
//! caused it.

use std::collections::BTreeMap;

use ufbx::{Scene, Warning, WarningType};

use rigscope_core::model::{FindingKind, Place, Report};

/// Reports each type of warning once, with the number of its occurrences.
pub(super) fn report_finding(scene: &Scene, report: &Report) {
    // By type: number of occurrences, and the first one.
    let mut found: BTreeMap<u32, (u64, &Warning)> = BTreeMap::new();
    for warning in &scene.metadata.warnings {
        let (count, _) = found.entry(warning.type_ as u32).or_insert((0, warning));
        *count += warning.count.max(1) as u64;
    }
    for (count, first) in found.values() {
        if let Some((kind, what)) = described(scene, first) {
            report.add_many(kind, Place::File, *count, || match object(scene, first) {
                Some(object) => format!("{object}: {what}"),
                None => what,
            });
        }
    }
}

/// The name of the object that a warning is about.
fn object(scene: &Scene, warning: &Warning) -> Option<String> {
    let element = scene.elements.get(usize::try_from(warning.element_id).ok()?)?;
    (!element.name.is_empty()).then(|| format!("{:?}", &*element.name))
}

/// The kind and message of a warning's finding; `None` if it isn't a problem.
fn described(scene: &Scene, warning: &Warning) -> Option<(FindingKind, String)> {
    let text: &str = &warning.description;
    // After the colon, the library's text has a name from the file.
    let name = || text.split_once(": ").map_or("without a name", |(_, name)| name);
    let mut quoted = text.split('\'').skip(1).step_by(2);
    Some(match warning.type_ {
        WarningType::MissingExternalFile => {
            (FindingKind::MissingReference, format!("the file {:?} can't be opened", name()))
        }
        // Of OBJ, which is read without the library.
        WarningType::ImplicitMtl | WarningType::UnknownObjDirective => return None,
        WarningType::TruncatedArray => {
            let what = format!("the array {} is shorter than the polygons require", name());
            (FindingKind::TruncatedArray, what)
        }
        WarningType::MissingGeometryData => {
            (FindingKind::MissingGeometryData, format!("the array {} is missing", name()))
        }
        WarningType::DuplicateConnection => {
            let what = "the object is connected to more than one parent".to_owned();
            (FindingKind::DuplicateConnection, what)
        }
        WarningType::BadVertexWAttribute => {
            let what = "the fourth components of a layer differ in number from its values";
            (FindingKind::UnusableVertexW, what.to_owned())
        }
        WarningType::MissingPolygonMapping => {
            let (layer, mapping) = (quoted.next().unwrap_or("?"), quoted.next().unwrap_or("?"));
            let what = format!("the layer {layer} has the unknown mapping {mapping:?}");
            (FindingKind::UnknownLayerMapping, what)
        }
        WarningType::UnsupportedVersion => {
            let version = scene.metadata.version;
            (FindingKind::OldFbxVersion, format!("FBX version {version} isn't fully supported"))
        }
        WarningType::IndexClamped => {
            (FindingKind::IndexClamped, "an index is past the end of its array".to_owned())
        }
        WarningType::BadUnicode => {
            (FindingKind::NameNotUtf8, "a name or text isn't valid UTF-8".to_owned())
        }
        WarningType::BadBase64Content => {
            (FindingKind::BadEmbeddedContent, "an embedded file isn't valid base64".to_owned())
        }
        WarningType::BadElementConnectedToRoot => {
            let what = "the object isn't a node but is connected to the root".to_owned();
            (FindingKind::StrayConnection, what)
        }
        WarningType::DuplicateObjectId => {
            (FindingKind::DuplicateObjectId, "two objects have the same number".to_owned())
        }
        WarningType::EmptyFaceRemoved => {
            (FindingKind::EmptyFace, "a face has no corners".to_owned())
        }
    })
}
