//! Values of attributes and targets of relationships. Unreadable values are collected for one finding.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use openusd::sdf::{Path, Value};
use openusd::usd::{PrimStatus, Stage, TimeCode};

use super::ID;
use super::write::ADDED;
use crate::formats::{Budget, Failure, ReadError};
use rigscope_core::model::{FindingKind, Place, Report, counted};

/// The time before a jump at which the earlier value still holds, relative to the time code.
const JUMP: f64 = 1e-9;

/// The composed stage of a file.
pub(super) struct Attributes<'a> {
    pub(super) stage: &'a Stage,
    pub(super) report: &'a Report,
    budget: RefCell<Budget>,
    /// Paths of attributes whose values can't be read, with the first reason.
    unreadable: RefCell<(Vec<String>, String)>,
    /// Paths of attributes with a spline, which the library doesn't evaluate.
    splines: RefCell<Vec<String>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(stage: &'a Stage, report: &'a Report, budget: Budget) -> Self {
        Self {
            stage,
            report,
            budget: RefCell::new(budget),
            unreadable: RefCell::default(),
            splines: RefCell::default(),
        }
    }

    /// The value at a time code, or without one the default.
    pub(super) fn at(&self, prim: &Path, name: &str, time: Option<f64>) -> Option<Value> {
        let path = prim.append_property(name).ok()?;
        let attribute = self.stage.attribute(path.clone());
        let found = || attribute.get_at::<Value>(time.map(TimeCode::new));
        self.checked(&path, found).filter(|value| !matches!(value, Value::ValueBlock | Value::None))
    }

    /// The default value; without one, the first sample.
    pub(super) fn value(&self, prim: &Path, name: &str) -> Option<Value> {
        let first = || self.at(prim, name, Some(TimeCode::EARLIEST.value()));
        self.at(prim, name, None).or_else(first)
    }

    /// The samples in the order of their time codes.
    pub(super) fn samples(&self, prim: &Path, name: &str) -> Vec<(f64, Value)> {
        let Ok(path) = prim.append_property(name) else { return Vec::new() };
        if self.metadata(prim, name, "spline").is_some() {
            self.splines.borrow_mut().push(path.as_str().to_owned());
        }
        let query = self.stage.attribute_query(path.clone());
        let times = self.checked(&path, || query.time_sample_times().map(Some)).unwrap_or_default();
        let mut times: Vec<f64> = times.into_iter().filter(|time| time.is_finite()).collect();
        if !times.is_empty() && self.has_clips(prim) {
            let before = |time: &f64| time - JUMP * time.abs().max(1.0);
            let jumps: Vec<f64> = times.iter().skip(1).map(before).collect();
            times.extend(jumps);
            times.sort_by(f64::total_cmp);
        }
        let value = |time: f64| {
            let found = || query.get_at::<Value>(TimeCode::new(time));
            Some((time, self.checked(&path, found)?))
        };
        times.into_iter().filter_map(value).collect()
    }

    /// Whether values may come from clips in other layers, which jump from one clip to the next.
    fn has_clips(&self, prim: &Path) -> bool {
        prim.ancestors_below_root().any(|own| {
            let found = || self.stage.prim(own.clone()).has_clips().map(Some);
            self.checked(&own, found).unwrap_or_default()
        })
    }

    /// The time codes of the samples.
    pub(super) fn times(&self, prim: &Path, name: &str) -> Vec<f64> {
        let Ok(path) = prim.append_property(name) else { return Vec::new() };
        let times = || self.stage.attribute(path.clone()).time_sample_times().map(Some);
        let times = self.checked(&path, times).unwrap_or_default();
        times.into_iter().filter(|time| time.is_finite()).collect()
    }

    /// The value of an attribute's metadata.
    pub(super) fn metadata(&self, prim: &Path, name: &str, key: &str) -> Option<Value> {
        let path = prim.append_property(name).ok()?;
        let found = || self.stage.attribute(path.clone()).get_metadata::<Value>(key);
        self.checked(&path, found)
    }

    /// The name of a prim for users, or else that in its path.
    pub(super) fn display_name(&self, prim: &Path) -> String {
        let stated = self.stated_name(prim);
        stated.unwrap_or_else(|| prim.name().unwrap_or_default().to_owned())
    }

    /// The `displayName` of a prim.
    pub(super) fn stated_name(&self, prim: &Path) -> Option<String> {
        let found = || self.stage.attribute(prim.clone()).get_metadata::<Value>("displayName");
        let stated = self.checked(prim, found).and_then(super::values::token);
        stated.filter(|name| !name.is_empty())
    }

    /// Whether Rigscope added the prim to store a model that has no bone for it.
    pub(super) fn is_added(&self, prim: &Path) -> bool {
        let found = || self.stage.prim(prim.clone()).custom_data();
        match self.checked(prim, found) {
            Some(Value::Dictionary(data)) => data.get(ADDED) == Some(&Value::Bool(true)),
            _ => false,
        }
    }

    /// A fact about the stage; its default if the library fails.
    pub(super) fn of_stage<T: Default>(&self, fact: impl FnOnce(&Stage) -> T) -> T {
        contained(|| Ok(fact(self.stage))).unwrap_or_default()
    }

    /// Metadata of the stage.
    pub(super) fn stage_metadata(&self, key: &str) -> Option<Value> {
        self.of_stage(|stage| stage.stage_metadata(key).ok().flatten())
    }

    /// The targets of a relationship; `None` if it has no opinion.
    pub(super) fn targets(&self, prim: &Path, name: &str) -> Option<Vec<Path>> {
        let path = prim.append_property(name).ok()?;
        let relationship = self.stage.relationship(path.clone());
        let has_targets = self.checked(&path, || relationship.has_authored_targets().map(Some))?;
        if !has_targets {
            return None;
        }
        self.checked(&path, || relationship.forwarded_targets().map(Some))
    }

    /// The sources that an attribute is connected to.
    pub(super) fn connections(&self, prim: &Path, name: &str) -> Vec<Path> {
        let Ok(path) = prim.append_property(name) else { return Vec::new() };
        let found = || self.stage.attribute(path.clone()).connections().map(Some);
        self.checked(&path, found).unwrap_or_default()
    }

    /// The children of a prim, also those of an instance's prototype.
    pub(super) fn children(&self, prim: &Path) -> Vec<Path> {
        let found = || self.stage.prim(prim.clone()).child_names().map(Some);
        let names = self.checked(prim, found).unwrap_or_default();
        names.iter().filter_map(|name| prim.append_path(name.as_str()).ok()).collect()
    }

    /// Whether a prim is active, loaded and defined, and not a class.
    pub(super) fn is_shown(&self, prim: &Path) -> bool {
        let needed = PrimStatus::ACTIVE | PrimStatus::LOADED | PrimStatus::DEFINED;
        let status = self.checked(prim, || self.stage.prim_status(prim.clone()).map(Some));
        status.is_some_and(|own| own.contains(needed) && !own.contains(PrimStatus::ABSTRACT))
    }

    /// The names of a prim's properties.
    pub(super) fn property_names(&self, prim: &Path) -> Vec<String> {
        let found = || self.stage.prim(prim.clone()).property_names().map(Some);
        let found = self.checked(prim, found).unwrap_or_default();
        found.iter().map(|name| name.as_str().to_owned()).collect()
    }

    /// The type of a prim; empty for a prim without a type.
    pub(super) fn type_name(&self, prim: &Path) -> String {
        let found = || self.stage.prim(prim.clone()).type_name();
        let found = self.checked(prim, found);
        found.map(|name| name.as_str().to_owned()).unwrap_or_default()
    }

    /// Whether an API schema is applied to a prim.
    pub(super) fn has_schema(&self, prim: &Path, name: &str) -> bool {
        let found = || self.stage.prim(prim.clone()).has_api_schema(name.to_owned()).map(Some);
        self.checked(prim, found).unwrap_or_default()
    }

    /// The type of an attribute's values.
    pub(super) fn value_type(&self, prim: &Path, name: &str) -> Option<String> {
        let path = prim.append_property(name).ok()?;
        let found = || self.stage.attribute(path.clone()).type_name();
        self.checked(&path, found).map(|name| name.as_str().to_owned())
    }

    /// Charges `count` values of `T` to the budget.
    pub(super) fn take<T>(&self, count: usize, what: &'static str) -> Result<(), ReadError> {
        self.budget.borrow_mut().take::<T>(count).map_err(|left| {
            let message = format!("{what} need more than the {left} bytes left");
            ReadError::Limit(Box::new(Failure::new(ID, what, Place::File, message)))
        })
    }

    fn checked<T>(
        &self,
        path: &Path,
        found: impl FnOnce() -> anyhow::Result<Option<T>>,
    ) -> Option<T> {
        contained(found).unwrap_or_else(|error| {
            let (paths, why) = &mut *self.unreadable.borrow_mut();
            if paths.is_empty() {
                *why = format!("{error:#}");
            }
            paths.push(path.as_str().to_owned());
            None
        })
    }

    /// Reports attributes whose values can't be read.
    pub(super) fn report_unreadable(&self) {
        let splines = self.splines.borrow();
        let num = splines.len() as u64;
        self.report.add_many(FindingKind::Dropped, Place::File, num, || {
            let first = splines.first().map_or("", String::as_str);
            format!("{} isn't played: {first}", counted(num, "spline"))
        });
        let (paths, why) = &mut *self.unreadable.borrow_mut();
        paths.sort();
        paths.dedup();
        let num = paths.len() as u64;
        self.report.add_many(FindingKind::BrokenRecord, Place::File, num, || {
            let first = paths.first().map_or("", String::as_str);
            format!("{} can't be read: {first} ({why})", counted(num, "attribute"))
        });
    }
}

/// The result of a call of the library; an error if it panics, because a layer has a wrong index.
pub(super) fn contained<T>(call: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|_| Err(anyhow::anyhow!("the file has an index that doesn't exist")))
}
