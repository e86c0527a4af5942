//! Names commands that destroy, and wants the answer to them twice. See README.md.

mod words;

use elicit_guardian::{Decision, Phase, Problems, Question, Severity, Value, Verdict};
use reading::phrases::Found;
use reading::{texts, Part, Phrases};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["confirm", "commands", "harmless", "prose", "negations"]);
    problems.truth(settings, "confirm");
    problems.texts(settings, "commands", 64);
    problems.texts(settings, "harmless", 64);
    problems.truth(settings, "prose");
    problems.one_of(settings, "negations", &["count", "skip"]);
}

// Groups of phrases; then a family's commands and what must follow them, by turns.
const COMMAND: usize = 0;
const SQL: usize = 1;
const PROSE: usize = 2;
const HARMLESS: usize = 3;
const NEGATION: usize = 4;
const TOOL: usize = 5;
const FAMILY: usize = 6;

/// How far apart in bytes a command and what makes it destroy, or a negation and what it turns around, may stand.
const NEAR: usize = 100;

pub fn evaluate(q: &Question, v: &mut Verdict) {
    let mut groups: Vec<&[&str]> = vec![words::COMMANDS, words::SQL, words::PROSE, &[], words::NEGATIONS, words::TOOLS];
    for f in &words::FAMILIES {
        groups.extend([f.commands, f.then]);
    }
    let mut all = Phrases::new(&groups);
    q.settings.get("commands").items().for_each(|p| all.add(COMMAND, &p.text()));
    q.settings.get("harmless").items().for_each(|p| all.add(HARMLESS, &p.text()));
    let prose = q.settings.get("prose").raw() != "false";
    let trusting = q.settings.get("negations").is("skip");
    let mut found = false;
    let all_read = texts(q, &mut |t, _| {
        if t.part == Part::Name {
            return; // an identifier
        }
        let hit = match t.part {
            Part::Tool => {
                all.first_of(&t.text, TOOL).map(|f| (Severity::Low, "tool_destroys", "the tool says: ", f.start, f.end))
            }
            _ => read(&all, &t.text, prose, trusting),
        };
        if let Some((severity, code, says, start, end)) = hit {
            found = true;
            let what = t.text.get(start..end).unwrap_or("");
            v.find(severity, code, &t.pointer(), &[says, elicit_guardian::cut(what, 100)].concat());
        }
    });
    if !all_read {
        found = true;
        v.find(Severity::Low, "too_long", "/request", "more text than this guardian reads");
    }
    if found && q.phase == Phase::BeforeSend && q.settings.get("confirm").raw() != "false" {
        v.decide(Decision::Ask);
    }
}

type Hit = (Severity, &'static str, &'static str, usize, usize);

/// The first command in a text, or else the first ordinary words for it.
fn read(all: &Phrases, text: &str, prose: bool, trusting: bool) -> Option<Hit> {
    let mut command: Option<(usize, usize)> = None;
    let mut said: Option<(usize, usize)> = None;
    let mut open = [None; words::FAMILIES.len()]; // the last command of each family
    let mut no = None;
    let mut calm = 0..0;
    all.find(text, &mut |f: Found| {
        let negated = |start: usize| {
            trusting && no.map_or(false, |end| start >= end && start - end <= NEAR && one_sentence(&text[end..start]))
        };
        let safe = |start: usize, end: usize| calm.start <= start && end <= calm.end || negated(start);
        match f.group {
            HARMLESS => {
                calm = f.start..f.end;
                command = command.filter(|c| c.0 < f.start || c.1 > f.end);
                said = said.filter(|c| c.0 < f.start || c.1 > f.end);
            }
            NEGATION => no = Some(f.end),
            COMMAND if written(text, &f) && !safe(f.start, f.end) => command = command.or(Some((f.start, f.end))),
            SQL if sql(text, &f) && !safe(f.start, f.end) => command = command.or(Some((f.start, f.end))),
            PROSE if prose && !safe(f.start, f.end) => said = said.or(Some((f.start, f.end))),
            COMMAND | SQL | PROSE | TOOL => {}
            g => {
                let (family, then) = ((g - FAMILY) / 2, (g - FAMILY) % 2 == 1);
                if !then {
                    open[family] = Some(f.start).filter(|_| written(text, &f));
                } else if let Some(start) = open[family] {
                    let near =
                        f.end - start <= NEAR && !text[start..f.start].contains(|c| matches!(c, '\n' | ';' | '|'));
                    let option = !words::FAMILIES[family].dash || text[..f.start].ends_with('-');
                    if near && option && !safe(start, f.end) {
                        command = command.or(Some((start, f.end)));
                    }
                }
            }
        }
    });
    command = command.or_else(|| spelled(text));
    match (command, said) {
        (Some((start, end)), _) => {
            Some((Severity::Medium, "destructive_command", "a command that destroys: ", start, end))
        }
        (None, Some((start, end))) => {
            Some((Severity::Low, "destructive_words", "words that tell of destruction: ", start, end))
        }
        _ => None,
    }
}

/// A command of signs instead of words.
fn spelled(text: &str) -> Option<(usize, usize)> {
    const ALL: [&str; 5] = ["> /dev/sd", "> /dev/nvme", ">/dev/sd", ":(){", "of=/dev/"];
    let b = text.as_bytes();
    // Most texts have none of these three bytes. str::find would prepare five searches, which costs more than this
    // loop.
    (0..b.len()).filter(|i| matches!(b[*i], b'>' | b':' | b'=')).find_map(|i| {
        let start = if b[i] == b'=' { i.checked_sub(2)? } else { i };
        ALL.iter().find(|a| b[start..].starts_with(a.as_bytes())).map(|a| (start, start + a.len()))
    })
}

fn one_sentence(between: &str) -> bool {
    !between.contains(|c| matches!(c, '.' | ';' | '!' | '?' | '\n' | '。'))
}

/// Whether a command stands there as one writes it, with blanks and not as an identifier such as drop_database.
fn written(text: &str, f: &Found) -> bool {
    let t = &text[f.start..f.end];
    !t.contains('_') && !text[f.end..].starts_with('_') && !text[..f.start].ends_with('_')
}

/// SQL is written in capitals, or a name follows and then the end of the statement, of code in the text, or a
/// condition.
fn sql(text: &str, f: &Found) -> bool {
    if !written(text, f) {
        return false;
    }
    if !text[f.start..f.end].bytes().any(|c| c.is_ascii_lowercase()) {
        return true;
    }
    let rest = elicit_guardian::cut(&text[f.end..], NEAR).trim_start_matches(' ').to_ascii_lowercase();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '"' | '`'))).unwrap_or(rest.len());
    let (name, rest) = (&rest[..end], rest[end..].trim_start_matches(' '));
    let ordinary =
        matches!(name, "" | "the" | "a" | "an" | "this" | "that" | "your" | "my" | "our" | "it" | "here" | "there");
    !ordinary
        && (rest.starts_with(';')
            || name.ends_with('`')
            || rest.starts_with("where ")
            || rest.starts_with("cascade")
            || name == "if" && rest.starts_with("exists"))
}
