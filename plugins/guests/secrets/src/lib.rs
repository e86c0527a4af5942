//! Stops forms that ask for credentials, and answers that hold them. See README.md.

use std::cell::Cell;

use elicit_guardian::{Decision, Kind, Phase, Problems, Question, Severity, Value, Verdict};
use inspection::{form, Field, Own, Part};
use reading::subject::number;
use reading::{answers, closed, member, token};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn evaluate(q: &Question, v: &mut Verdict) {
    match q.phase {
        Phase::BeforeShow => forms(q, v),
        Phase::BeforeSend => sent(q, v),
    }
}

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["forms", "answers", "random", "words", "harmless"]);
    problems.one_of(settings, "forms", &["deny", "ask", "find"]);
    problems.one_of(settings, "answers", &["ask", "redact", "deny", "find"]);
    problems.truth(settings, "random");
    problems.texts(settings, "words", 64);
    problems.texts(settings, "harmless", 64);
}

/// The most bytes of text that are read in one form. A person must confirm a longer one, unless the inspection tells of
/// it.
const MOST_TEXT: usize = 3 << 10;

/// The cost of a text besides its bytes.
const EACH_TEXT: usize = 16;

/// The cost of a text that is not read because it is too long.
const UNREAD: usize = 256;

fn forms(q: &Question, v: &mut Verdict) {
    let all = q.request.get("form").get("fields");
    if !all.items().any(|f| !closed(f)) {
        return; // nothing can be typed
    }
    let mut own = Own::default();
    for (setting, harmless) in [("words", false), ("harmless", true)] {
        q.settings.get(setting).items().for_each(|w| own.add(&w.text(), harmless));
    }
    let (left, unread) = (Cell::new(MOST_TEXT), Cell::new(false));
    let text = |value: Value| {
        let size = value.raw().len() + EACH_TEXT;
        let fits = size <= left.get();
        unread.set(unread.get() || !fits);
        left.set(left.get().saturating_sub(if fits { size } else { UNREAD }));
        if fits && value.kind() == Kind::Text {
            value.text().into_owned()
        } else {
            String::new()
        }
    };
    let message = text(q.request.get("message"));
    let mut open = Vec::new();
    for (i, f) in all.items().enumerate().filter(|f| !closed(f.1)) {
        if left.get() == 0 {
            unread.set(true);
            break;
        }
        let (label, title) = (f.get("label"), f.get("title"));
        let member = if label.kind() == Kind::Text { "label" } else { "title" };
        let title = text(if member == "label" { label } else { title });
        open.push((i, member, text(f.get("name")), title, text(f.get("help"))));
    }
    let fields: Vec<Field> = open.iter().map(|f| Field { name: &f.2, title: &f.3, description: &f.4 }).collect();
    let mut found = false;
    let asked = form(&message, &fields, &own, &mut |i, part, start, end| {
        let (text, member) = match part {
            Part::Message => (&*message, ""),
            Part::Name => (fields[i].name, "name"),
            Part::Title => (fields[i].title, open[i].1),
            Part::Description => (fields[i].description, "help"),
        };
        let pointer = match part {
            Part::Message => "/request/message".into(),
            _ => ["/request/form/fields/", &number(open[i].0), "/", member].concat(),
        };
        found = true;
        let quoted = text.get(start..end).map_or("", |t| elicit_guardian::cut(t, 60));
        v.find(Severity::High, "asks_secret", &pointer, &["asks for a credential: ", quoted].concat());
    });
    // The inspection reads the whole form, whatever this guardian was shown; a question has no list where it found
    // nothing. It does not know which phrases the operator calls harmless.
    let findings = q.request.get("findings");
    let all_read = !unread.get() && asked.all_read || findings.kind() == Kind::List;
    for f in findings.items().filter(|f| f.get("code").is("secret_in_form")) {
        if !found && !asked.calmed {
            found = true;
            v.find(
                Severity::High,
                "asks_secret",
                "",
                &["the built-in inspection says that a form asks for a credential at ", &f.get("pointer").text()]
                    .concat(),
            );
        }
    }
    if !all_read {
        v.find(Severity::Medium, "too_long", "/request", "more text than this guardian reads");
    }
    v.decide(match q.settings.get("forms") {
        s if s.is("find") || !found && all_read => Decision::Pass,
        s if s.is("ask") || !found => Decision::Ask,
        _ => Decision::Deny,
    });
}

/// The most bytes of an answer that are looked at.
const MOST_ANSWER: usize = 16 << 10;

/// More members than a host takes findings or obligations for are not looked at.
const MOST_FOUND: usize = 32;

fn sent(q: &Question, v: &mut Verdict) {
    let random = q.settings.get("random").raw() != "false";
    let action = q.settings.get("answers");
    let (mut found, mut redacts) = (0, true);
    let all_read = answers(q, MOST_ANSWER, &mut |name, value| {
        if found > MOST_FOUND {
            return true;
        }
        let hidden = value.redacted();
        let text = value.text();
        let what = match token::gravest(&text, random) {
            _ if hidden => "what the host keeps back as a secret",
            Some(token) => token.0.name(),
            None => return false,
        };
        found += 1;
        let at = &member(name);
        v.find(
            if hidden { Severity::Medium } else { Severity::High },
            if hidden { "hidden_answer" } else { "secret_answer" },
            at,
            &["the answer holds ", what].concat(),
        );
        if action.is("redact") {
            v.redact(at);
        }
        true
    });
    if !all_read {
        (found, redacts) = (1, false);
        v.find(Severity::Medium, "too_long", "/answer", "more than this guardian reads");
    }
    if found > 0 && !action.is("find") && !(action.is("redact") && redacts) {
        v.decide(if action.is("deny") { Decision::Deny } else { Decision::Ask });
    }
}
