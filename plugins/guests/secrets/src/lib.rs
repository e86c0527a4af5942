//! Stops forms that ask for credentials, and answers that hold them. See README.md.

mod words;

use elicit_guardian::{Decision, Phase, Problems, Question, Severity, Value, Verdict};
use reading::phrases::Found;
use reading::subject::MOST_TEXT;
use reading::token;
use reading::{answers, closed, member, texts, Part, Phrases};

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

const SECRET: usize = 0;
const HARMLESS: usize = 1;
const NEGATION: usize = 2;
const ASK: usize = 3;
const WHOLE: usize = 4;
const ENDING: usize = 5;
const REFUSAL: usize = 6;

/// How far in bytes before a phrase a negation turns it around.
const NEAR: usize = 48;

fn forms(q: &Question, v: &mut Verdict) {
    let fields = q.request.get("form").get("fields");
    if !fields.items().any(|f| !closed(f)) {
        return; // nothing can be typed
    }
    let mut all = Phrases::new(&[words::SECRETS, words::HARMLESS, words::NEGATIONS, words::ASKS, words::WHOLE, words::ENDING, words::REFUSALS]);
    q.settings.get("words").items().for_each(|w| all.add(SECRET, &w.text()));
    q.settings.get("harmless").items().for_each(|w| all.add(HARMLESS, &w.text()));
    let mut found = false;
    let all_read = texts(q, &mut |t, field| {
        if t.part != Part::Message && (closed(field) || t.part == Part::Choice) || t.part == Part::Tool {
            return;
        }
        let prose = t.part == Part::Message || t.part == Part::Description;
        if let Some(at) = asked(&all, &t.text, prose) {
            found = true;
            v.find(Severity::High, "asks_secret", &t.pointer(), &["asks for a credential: ", quoted(&t.text, at.0, at.1)].concat());
        }
    });
    // The built-in inspection reads more languages, where it may be heard.
    for f in q.request.get("findings").items().filter(|f| f.get("code").is("secret_in_form")) {
        if !found {
            found = true;
            v.find(Severity::High, "asks_secret", "", &["the built-in inspection says that a form asks for a credential at ", &f.get("pointer").text()].concat());
        }
    }
    if !all_read {
        found = true;
        v.find(Severity::Medium, "too_long", "/request", "more text than this guardian reads");
    }
    if found {
        v.decide(match q.settings.get("forms") {
            s if s.is("find") => Decision::Pass,
            s if s.is("ask") => Decision::Ask,
            _ => Decision::Deny,
        });
    }
}

/// Where a text asks for a secret. A name or title does by naming it, prose only when it also asks and does not say no.
fn asked(all: &Phrases, text: &str, prose: bool) -> Option<(usize, usize)> {
    let mut first: Option<(usize, usize)> = None; // not yet known to be harmless
    let mut sure: Option<(usize, usize)> = None;
    let mut no: Option<usize> = None;
    let mut calm = 0..0; // the last harmless phrase
    let mut asks = !prose;
    all.find(text, &mut |f: Found| match f.group {
        ASK => asks = true,
        NEGATION => no = Some(f.end),
        REFUSAL => first = first.filter(|s| f.start < s.1 || !near(text, s.1, f.start)),
        WHOLE | ENDING if prose || !blank(&text[f.end..]) || f.group == WHOLE && !blank(&text[..f.start]) => {}
        HARMLESS => {
            first = first.filter(|s| s.0 < f.start || s.1 > f.end);
            calm = f.start..f.end;
        }
        _ => {
            if calm.start <= f.start && f.end <= calm.end {
                return;
            }
            if prose && no.map_or(false, |end| near(text, end, f.start)) {
                return;
            }
            if first.map_or(false, |s| s.1 < f.start) {
                sure = sure.or(first);
            }
            first = Some((f.start, f.end));
        }
    });
    sure.or(first).filter(|_| asks)
}

/// Whether two places of a text are close together and in one sentence.
fn near(text: &str, from: usize, to: usize) -> bool {
    from <= to && to - from <= NEAR && !text[from..to].contains(|c| matches!(c, '.' | ';' | '!' | '?' | '。'))
}

fn blank(text: &str) -> bool {
    !text.bytes().any(|c| c.is_ascii_alphanumeric() || c >= 0x80)
}

fn quoted(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).map_or("", |t| elicit_guardian::cut(t, 60))
}

/// More members than a host takes findings or obligations for are not looked at.
const MOST_FOUND: usize = 32;

fn sent(q: &Question, v: &mut Verdict) {
    let random = q.settings.get("random").raw() != "false";
    let action = q.settings.get("answers");
    let (mut found, mut redacts) = (0, true);
    let all_read = answers(q, MOST_TEXT, &mut |name, value| {
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
        v.find(if hidden { Severity::Medium } else { Severity::High }, if hidden { "hidden_answer" } else { "secret_answer" }, at, &["the answer holds ", what].concat());
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
