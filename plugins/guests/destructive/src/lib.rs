//! Names commands that destroy, by what the inspection found, and wants the answer to them twice. See README.md.

use elicit_guardian::{cut, Decision, Phase, Problems, Question, Severity, Value, Verdict};
use reading::{findings, texts, Finding, Part, Phrases};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["confirm", "commands", "harmless", "prose", "negations"]);
    problems.truth(settings, "confirm");
    problems.texts(settings, "commands", 64);
    problems.texts(settings, "harmless", 64);
    problems.truth(settings, "prose");
    problems.one_of(settings, "negations", &["count", "skip"]);
}

// Groups of phrases.
const COMMAND: usize = 0;
const HARMLESS: usize = 1;
const NEGATION: usize = 2;
const TOOL: usize = 3;

/// The verbs of tools that destroy.
const TOOLS: &[&str] = &[
    "delete", "destroy", "drop", "purge", "wipe", "truncate", "terminate", "erase", "remove", "uninstall", "reset",
    "force push", "format",
];

/// Words that turn the words behind them around, where the settings trust them.
const NEGATIONS: &[&str] = &[
    "never", "not", "don't", "without", "no", "won't", "doesn't", "instead of", "avoid", "nie", "nicht", "kein", "ohne",
    "jamais", "sans", "nunca", "sin", "não", "sem", "mai", "senza", "не", "без", "不会", "不要", "没有",
];

/// How far apart in bytes a negation and the command that it turns around may stand.
const NEAR: usize = 100;

pub fn evaluate(q: &Question, v: &mut Verdict) {
    let trusting = q.settings.get("negations").is("skip");
    let mut own = Phrases::new(&[&[], &[], if trusting { NEGATIONS } else { &[] }, TOOLS]);
    let (mut commands, mut found) = (false, false);
    for (setting, group) in [("commands", COMMAND), ("harmless", HARMLESS)] {
        for phrase in q.settings.get(setting).items() {
            commands = commands || group == COMMAND;
            own.add(group, &phrase.text());
        }
    }
    let prose = q.settings.get("prose").raw() != "false";
    let mut destroys = |severity, code, at: &str, says: &str, quoted: &str| {
        found = true;
        v.find(severity, code, at, &[says, cut(quoted, 100)].concat());
    };
    let tool = q.request.get("tool").text();
    if let Some(f) = own.first_of(cut(&tool, NEAR), TOOL) {
        destroys(Severity::Low, "tool_destroys", "/request/tool", "the tool says: ", &tool[f.start..f.end]);
    }
    let inspected = findings(q, &mut |f| {
        let code = f.value.get("code");
        if !(code.is("text_destructive") || code.is("command_destructive")) || calm(&own, f) {
        } else if f.severity() != Severity::Low {
            destroys(f.severity(), "destructive_command", &f.pointer, "a command that destroys: ", &f.quoted());
        } else if prose {
            destroys(Severity::Low, "destructive_words", &f.pointer, "words that tell of destruction: ", &f.quoted());
        }
    });
    let read = !commands
        || texts(q, &mut |t, _| {
            if let Some(f) = own.first_of(&t.text, COMMAND).filter(|_| t.part != Part::Name && t.part != Part::Tool) {
                let quoted = t.text.get(f.start..f.end).unwrap_or("");
                destroys(Severity::Medium, "destructive_command", &t.pointer(), "a command that destroys: ", quoted);
            }
        });
    if !read {
        v.find(Severity::Low, "too_long", "/request", "more text than this guardian reads");
    }
    if !inspected {
        v.find(Severity::Medium, "not_inspected", "/request", "the host does not tell all that the inspection found");
    }
    let doubt = found || !read || !inspected;
    if doubt && q.phase == Phase::BeforeSend && q.settings.get("confirm").raw() != "false" {
        v.decide(Decision::Ask);
    }
}

/// Whether a harmless phrase holds the only command of a text, or a negation that the settings trust stands before it.
fn calm(own: &Phrases, f: &Finding) -> bool {
    let (start, end) = f.span();
    if f.value.get("args").get("count").int() != Some(1) || f.text.get(start..end).map_or(true, str::is_empty) {
        return false;
    }
    // Enough of the text for a phrase around the command.
    let (mut from, mut to) = (start.saturating_sub(2 * NEAR), (end + 2 * NEAR).min(f.text.len()));
    while !f.text.is_char_boundary(from) {
        from += 1;
    }
    while !f.text.is_char_boundary(to) {
        to -= 1;
    }
    let mut calm = false;
    own.find(&f.text[from..to], &mut |p| {
        let (first, last) = (p.start + from, p.end + from);
        calm = calm
            || p.group == HARMLESS && first <= start && end <= last
            || p.group == NEGATION && last <= start && start - last <= NEAR && one_sentence(&f.text[last..start]);
    });
    calm
}

fn one_sentence(between: &str) -> bool {
    !between.contains(|c| matches!(c, '.' | ';' | '!' | '?' | '\n' | '。'))
}
