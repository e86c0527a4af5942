//! What the engine's inspection found in the request, and where that stands in the question.

use crate::subject::number;
use elicit_guardian::json::quote;
use elicit_guardian::{at, Question, Severity, Value};
use std::borrow::Cow;

/// One finding.
pub struct Finding<'a> {
    pub value: Value<'a>,
    pub pointer: String, // of the text that it is about; of the finding itself where that text is not shown
    pub member: &'static str,
    pub field: Value<'a>,    // missing for a text above the fields
    pub text: Cow<'a, str>, // the whole text, "" where it is not shown or not read
}

impl<'a> Finding<'a> {
    /// The bytes of the text that the finding is about.
    pub fn span(&self) -> (usize, usize) {
        let of = |name| self.value.get(name).int().map_or(0, |n| n.max(0) as usize);
        (of("start"), of("end"))
    }

    /// What the finding is about, as the request spells it; as the inspection quotes it where the text is not shown.
    pub fn quoted(&self) -> String {
        let (start, end) = self.span();
        match self.text.get(start..end) {
            Some(text) if !text.is_empty() => text.into(),
            _ => self.value.get("evidence").text().into(),
        }
    }

    pub fn severity(&self) -> Severity {
        match self.value.get("severity") {
            s if s.is("critical") => Severity::Critical,
            s if s.is("high") => Severity::High,
            s if s.is("low") => Severity::Low,
            s if s.is("info") => Severity::Info,
            _ => Severity::Medium,
        }
    }
}

/// The most findings that a host tells of.
const MOST: usize = 32;

/// The most bytes of texts that are read for all findings together. The inspection's own words stand for the rest.
const MOST_READ: usize = 16 << 10;

/// How many fields are looked through. A finding about one behind them points at itself.
const MOST_FIELDS: usize = 400;

/// Calls with the findings, all of them. Reports whether they are all: the host says that it inspected the request, and
/// shows the whole list. A guardian that relies on the findings must not pass where this is false.
pub fn findings<'a>(q: &Question<'a>, each: &mut dyn FnMut(&Finding<'a>)) -> bool {
    let mut all = q.request.get("inspected").is_true();
    let mut left = MOST_READ;
    let mut fields: Vec<(&str, Value)> = Vec::new(); // the spelling of each name, read once
    for (n, value) in q.request.get("findings").items().enumerate() {
        let place = value.get("pointer").text();
        if n == MOST {
            return false;
        }
        if value.get("code").raw().len() < 3 || place.is_empty() {
            all = false;
            continue;
        }
        let missing = q.request.get("");
        let mut f = Finding { value, pointer: String::new(), member: "", field: missing, text: Cow::Borrowed("") };
        for member in ["message", "url", "command"] {
            if place.strip_prefix('/') == Some(member) {
                f.member = member;
                f.read(q.request.get(member), &mut left);
                f.pointer = ["/request/", member].concat();
            }
        }
        if let Some(path) = place.strip_prefix("/requestedSchema/properties/") {
            if fields.is_empty() {
                let all = q.request.get("form").get("fields").items();
                fields.extend(all.take(MOST_FIELDS).map(|field| (field.get("name").raw(), field)));
            }
            let (name, part) = path.split_once('/').unwrap_or((path, ""));
            let mut spelled = String::new();
            quote(&mut spelled, &name.replace("~1", "/").replace("~0", "~"));
            if let Some(i) = fields.iter().position(|field| field.0 == spelled) {
                f.field = fields[i].1;
                f.find(part, ["/request/form/fields/", &number(i)].concat(), &mut left);
            }
        }
        if f.pointer.is_empty() {
            f.pointer = at("/request/findings/*", n);
        }
        each(&f);
    }
    all
}

impl<'a> Finding<'a> {
    fn read(&mut self, text: Value<'a>, left: &mut usize) {
        if let Some(rest) = left.checked_sub(text.raw().len()) {
            *left = rest;
            self.text = text.text();
        }
    }

    /// Finds the text in its field. A pointer without a part stands for the name and for the labels of choices.
    fn find(&mut self, part: &str, field: String, left: &mut usize) {
        self.member = match part {
            "title" => "label",
            "description" => "help",
            "default" => "initial",
            _ => "name",
        };
        self.read(self.field.get(self.member), left);
        self.pointer = [&field, "/", self.member].concat();
        let (start, end) = self.span();
        let evidence = self.value.get("evidence").text();
        let quoted = |text: &str| text.get(start..end).map_or(false, |t| *t == *evidence);
        if self.member != "name" || quoted(&self.text) {
            return;
        }
        for (i, choice) in self.field.get("choices").items().enumerate() {
            let member = if choice.get("title").raw().is_empty() { "value" } else { "title" };
            let text = choice.get(member);
            *left = match left.checked_sub(text.raw().len() + EACH_CHOICE) {
                Some(left) => left,
                None => return,
            };
            if quoted(&text.text()) {
                (self.text, self.member) = (text.text(), "choice");
                self.pointer = [&field, "/choices/", &number(i), "/", member].concat();
                return;
            }
        }
    }
}

/// The cost of the label of a choice besides its bytes.
const EACH_CHOICE: usize = 24;
