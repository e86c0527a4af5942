//! Stops forms that ask for credentials, and answers that hold them, by what the inspection found. See README.md.

use elicit_guardian::{cut, Decision, Kind, Phase, Problems, Question, Severity, Value, Verdict};
use reading::{closed, findings, member, texts, Finding, Part, Phrases};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["forms", "answers", "words", "harmless"]);
    problems.one_of(settings, "forms", &["deny", "ask", "find"]);
    problems.one_of(settings, "answers", &["ask", "redact", "deny", "find"]);
    problems.texts(settings, "words", 64);
    problems.texts(settings, "harmless", 64);
}

pub fn evaluate(q: &Question, v: &mut Verdict) {
    match q.phase {
        Phase::BeforeShow => forms(q, v),
        Phase::BeforeSend => sent(q, v),
    }
}

fn forms(q: &Question, v: &mut Verdict) {
    let fields = || q.request.get("form").get("fields").items();
    if fields().next().is_some() && fields().all(closed) {
        return; // nothing can be typed; without fields, the permit may hide them
    }
    let phrases = |setting| {
        let mut all = Phrases::new(&[]);
        q.settings.get(setting).items().for_each(|p| all.add(0, &p.text()));
        all
    };
    let harmless = phrases("harmless");
    let (mut found, mut sure) = (false, true);
    let mut asks = |at: &str, quoted: &str| {
        found = true;
        v.find(Severity::High, "asks_secret", at, &["asks for a credential: ", cut(quoted, 60)].concat());
    };
    let inspected = findings(q, &mut |f| {
        if f.value.get("code").is("secret_in_form") && !calm(&harmless, f) {
            asks(&f.pointer, &f.quoted());
        }
    });
    if q.settings.get("words").items().next().is_some() {
        let words = phrases("words");
        sure = texts(q, &mut |t, field| {
            let typed = t.part == Part::Message || field.kind() == Kind::Object && !closed(field);
            if let Some(f) = words.first(&t.text).filter(|_| typed && t.part != Part::Tool) {
                asks(&t.pointer(), t.text.get(f.start..f.end).unwrap_or(""));
            }
        });
    }
    if !sure {
        v.find(Severity::Medium, "too_long", "/request", "more text than this guardian reads");
    }
    v.decide(match q.settings.get("forms") {
        s if s.is("find") => Decision::Pass,
        s if found && !s.is("ask") => Decision::Deny,
        _ if found || !sure || !inspected => Decision::Ask,
        _ => Decision::Pass,
    });
    if !inspected {
        unread(v);
    }
}

fn unread(v: &mut Verdict) {
    v.find(Severity::Medium, "not_inspected", "/request", "the host does not tell all that the inspection found");
}

/// Whether harmless phrases are all that a person reads in the text of a finding and in those that the inspection reads
/// after it. It tells only of the first text of a field that asks.
fn calm(harmless: &Phrases, f: &Finding) -> bool {
    let help = f.field.get("help");
    let rest = help.text().is_empty() || covered(harmless, &help.text());
    match f.member {
        "message" | "help" => covered(harmless, &f.text),
        "name" | "label" => covered(harmless, &f.field.get("label").text()) && rest,
        _ => false,
    }
}

/// The longest text that harmless phrases may cover.
const MOST_COVERED: usize = 512;

/// Whether a text is nothing but phrases and marks between them.
fn covered(phrases: &Phrases, text: &str) -> bool {
    if text.is_empty() || text.len() > MOST_COVERED {
        return false;
    }
    let mut left = Vec::from(text);
    phrases.find(text, &mut |f| left[f.start..f.end].iter_mut().for_each(|b| *b = b' '));
    !left.iter().any(|b| b.is_ascii_alphanumeric() || *b >= 0x80)
}

fn sent(q: &Question, v: &mut Verdict) {
    let action = q.settings.get("answers");
    let mut found = false;
    for (name, _) in q.answer.members().filter(|m| m.1.redacted()) {
        found = true;
        let at = &member(name);
        v.find(Severity::Medium, "hidden_answer", at, "the answer holds what the host keeps back as a secret");
        if action.is("redact") {
            v.redact(at);
        }
    }
    let inspected = findings(q, &mut |_| {});
    if !inspected {
        unread(v);
    }
    if !inspected && !action.is("find") || found && !action.is("find") && !action.is("redact") {
        v.decide(if found && action.is("deny") { Decision::Deny } else { Decision::Ask });
    }
}
