//! Flags forms that seem to ask for a secret, by what their words have in common with forms that do. See README.md.

mod bias;
mod features;
mod letters;
mod model;
mod stretches;

use elicit_guardian::{cut, Decision, Phase, Problems, Question, Severity, Value, Verdict};
use letters::letters;
use reading::{closed, texts, Part};
use std::borrow::Cow;
use stretches::{stretches, Field, Place};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["forms", "caution"]);
    problems.one_of(settings, "forms", &["ask", "find"]);
    problems.one_of(settings, "caution", &["low", "usual", "high"]);
}

/// The most bytes of stretches that are judged, which each cost some more. Texts are judged alone and with their
/// neighbours. Where some text is not even read, half as many are.
const MOST_JUDGED: usize = 4 << 10;
const EACH: usize = 24;

pub fn evaluate(q: &Question, v: &mut Verdict) {
    if q.phase != Phase::BeforeShow {
        return;
    }
    let form = q.request.get("form");
    if form.get("fields").items().all(closed) {
        return;
    }
    let mut message = Vec::new();
    let mut owned: Vec<Owned> = Vec::new();
    let mut all = texts(q, &mut |text, field| {
        let part = match text.part {
            Part::Name => 0,
            Part::Title | Part::Choice => 1,
            Part::Description => 2,
            _ => return message.push(text.text.clone()),
        };
        let choice = text.part == Part::Choice;
        if !choice && closed(field) {
            return;
        }
        let pointer = text.pointer();
        let (at, member) = pointer.rsplit_once('/').unwrap_or(("", ""));
        if choice || owned.last().map_or(true, |last| last.at != at) {
            owned.push(Owned { at: at.into(), label: "name".into(), texts: Default::default() });
        }
        let last = owned.len() - 1;
        if part == 1 {
            owned[last].label = member.into();
        }
        owned[last].texts[part] = text.text.clone();
    });
    for above in ["title", "help"] {
        message.push(form.get(above).text());
    }
    let fields: Vec<Field> =
        owned.iter().map(|f| Field { name: &f.texts[0], label: &f.texts[1], help: &f.texts[2] }).collect();
    let mut best = (bias::BIAS.min(0) * 1000, Place::Message, String::new());
    let mut left = if all { MOST_JUDGED } else { MOST_JUDGED / 2 };
    stretches(&message.join("\n"), &fields, &mut |place, a, b| {
        let size = a.len() + b.len() + EACH;
        if size > left {
            left = 0;
            all = false;
            return;
        }
        left -= size;
        let text = [a, " ", b].concat();
        let score = model::score(&letters(&text));
        if score > best.0 {
            best = (score, place, text);
        }
    });
    if !all {
        v.find(Severity::Low, "too_long", "/request", "more text than this guardian reads");
        flag(q, v);
    }
    let (score, place, text) = best;
    let caution = match q.settings.get("caution") {
        c if c.is("low") => -bias::UNIT,
        c if c.is("high") => bias::UNIT,
        _ => 0,
    };
    if score + caution <= 0 {
        return;
    }
    let severity = if score > 2 * bias::UNIT { Severity::High } else { Severity::Medium };
    let at = match place {
        Place::Message => "/request/message".into(),
        Place::Label(i) => [&owned[i].at, "/", &owned[i].label].concat(),
        Place::Help(i) => [&owned[i].at, "/help"].concat(),
    };
    let read = letters(&text);
    let (from, to) = model::evidence(&read);
    let quoted = match read.get(from..to) {
        Some(read) if !read.is_empty() => &text[read[0].from as usize..read[read.len() - 1].to as usize],
        _ => &text,
    };
    let message = ["the form seems to ask for a secret, by \"", cut(quoted, MOST_QUOTED), "\""].concat();
    v.find(severity, "seems_to_ask_secret", &at, &message);
    flag(q, v);
}

const MOST_QUOTED: usize = 80;

/// A field that can be typed into, or a choice: where it stands, its label's member, and name, label and help.
struct Owned<'a> {
    at: String,
    label: String,
    texts: [Cow<'a, str>; 3],
}

fn flag(q: &Question, v: &mut Verdict) {
    if !q.settings.get("forms").is("find") {
        v.decide(Decision::Ask);
    }
}
