//! Flags forms that seem to ask for a secret, by what their words and shape have in common with forms that do. See
//! README.md.

mod bias;
mod clues;
mod features;
mod letters;
mod model;
mod shape;
mod words;

use elicit_guardian::{cut, Decision, Kind, Phase, Problems, Question, Severity, Value, Verdict};
use features::{Field, Message, Texts};
use model::Evidence;
use reading::closed;
use reading::subject::number;

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["forms", "caution"]);
    problems.one_of(settings, "forms", &["ask", "find"]);
    problems.one_of(settings, "caution", &["low", "usual", "high"]);
}

/// The most fields that can be typed into, and the most bytes of each text, that are read. Of a longer message the end
/// counts.
const MOST_FIELDS: usize = 8;
const MOST_MESSAGE: usize = 800;
const MOST_TEXT: usize = 240;
const MOST_CHOICES: usize = 160;

pub fn evaluate(q: &Question, v: &mut Verdict) {
    if q.phase != Phase::BeforeShow {
        return;
    }
    let form = q.request.get("form");
    let fields = form.get("fields");
    let open = fields.items().filter(|f| !closed(*f)).count();
    if open == 0 {
        return;
    }
    let mut unread = MOST_UNREAD;
    let mut read = |value: Value| match unread.checked_sub(value.raw().len()) {
        Some(left) => {
            unread = left;
            value.text().into_owned()
        }
        None => {
            unread = 0;
            String::new()
        }
    };
    let text = read(q.request.get("message"));
    let message = Message::read(end(&text, MOST_MESSAGE));
    let skipped = text.len() - end(&text, MOST_MESSAGE).len();
    let shut = fields.items().count() - open;
    let choices = if shut > 0 { choices(fields, &mut read) } else { String::new() };
    let (mut best, mut left) = (None, TOTAL);
    for (i, f) in fields.items().enumerate().filter(|f| !closed(f.1)).take(MOST_FIELDS) {
        let owned =
            [f.get("name"), f.get("label"), f.get("help")].map(|t| cut(&read(t), MOST_TEXT.min(left)).to_owned());
        left -= owned.iter().map(String::len).sum::<usize>().min(left);
        let field = Field { name: &owned[0], title: &owned[1], description: &owned[2], choices: &choices };
        let limits = f.get("constraints");
        let (format, pattern) = (read(limits.get("format")), read(limits.get("pattern")));
        let shape = shape::signs(&shape::Shape {
            kind: "text",
            format: &format,
            pattern: &pattern,
            least: limits.get("minLength").int(),
            most: limits.get("maxLength").int(),
            fields: open,
            choices: shut,
            words: owned.iter().map(String::len).sum::<usize>() + choices.len(),
        });
        let texts = Texts::read(&field);
        let (score, units) = model::score(&message, &texts, &shape);
        if best.as_ref().map_or(true, |b: &Best| score > b.score) {
            best = Some(Best { score, units, field: i, texts, shape });
        }
    }
    if unread == 0 {
        v.find(Severity::Low, "too_long", "/request", "more text than this guardian reads");
        flag(q, v);
    }
    let best = match best {
        Some(best) => best,
        None => return,
    };
    let caution = match q.settings.get("caution") {
        c if c.is("low") => -bias::UNIT,
        c if c.is("high") => bias::UNIT,
        _ => 0,
    };
    if best.score + caution <= 0 {
        return;
    }
    let severity = if best.score > 2 * bias::UNIT { Severity::High } else { Severity::Medium };
    let evidence = model::evidence(&message, &best.texts, &best.shape, best.units, text.len() - skipped);
    let quoted: Vec<String> = evidence.iter().map(|e| quote(e, &text[skipped..], &best.texts.text)).collect();
    let by = if quoted.is_empty() { "its shape".into() } else { quoted.join(" and ") };
    let at = ["/request/form/fields/", &number(best.field), "/label"].concat();
    v.find(severity, "seems_to_ask_secret", &at, &["the form seems to ask for a secret, by ", &by].concat());
    flag(q, v);
}

fn flag(q: &Question, v: &mut Verdict) {
    if !q.settings.get("forms").is("find") {
        v.decide(Decision::Ask);
    }
}

/// The most bytes of texts, as they stand in the question, that are unpacked to be read in part. A form with more is
/// flagged.
const MOST_UNREAD: usize = 24 << 10;

/// The most bytes of all fields together.
const TOTAL: usize = 1600;

/// The texts of closed fields' choices. They may spell a request that no field makes.
fn choices(fields: Value, read: &mut dyn FnMut(Value) -> String) -> String {
    let mut all = String::new();
    for choice in fields.items().filter(|f| closed(*f)).flat_map(|f| f.get("choices").items()).take(32) {
        let title = choice.get("title");
        let text = read(if title.kind() == Kind::Text { title } else { choice.get("value") });
        if all.len() + text.len() + 2 <= MOST_CHOICES {
            if !all.is_empty() {
                all.push_str(". ");
            }
            all.push_str(&text);
        }
    }
    all
}

fn end(text: &str, most: usize) -> &str {
    let mut from = text.len().saturating_sub(most);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}

/// A stretch of a text, as far as whole characters go.
fn quote(e: &Evidence, message: &str, field: &str) -> String {
    let text = if e.message { message } else { field };
    let (mut from, mut to) = (e.from.min(text.len()), e.to.min(text.len()));
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    while !text.is_char_boundary(to) {
        to += 1;
    }
    ["\"", cut(text[from..to].trim(), MOST_QUOTED), "\""].concat()
}

const MOST_QUOTED: usize = 80;

/// The field that looks most like one that asks.
struct Best {
    score: i64,
    units: [i64; 5],
    field: usize,
    texts: Texts,
    shape: Vec<u32>,
}
