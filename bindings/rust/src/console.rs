use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, Write};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{json, Value};

use crate::contract::{About, Action, Field, FieldKind, Json, Mode, Problem, RelayEffect, RelayEvent, Show};
use crate::{eval, explain};

/// A user interface of plain lines. It shows one question after another and asks for each field.
///
/// Give it every effect, and every line that the person types. It writes texts of peers as one line without invisible
/// characters. It cannot hide what is typed into a field for a secret.
#[derive(Debug)]
pub struct Console<W> {
    out: W,
    schemas: HashMap<(String, String), String>,
    waiting: VecDeque<Box<Show>>,
    typed: BTreeMap<String, Value>,
    /// The places of the fields that are still to be typed.
    fields: VecDeque<usize>,
    /// Whether nobody will type any more, and whether the first question has not been answered because of that.
    ended: bool,
    fresh: bool,
}

impl<W: Write> Console<W> {
    /// Makes an interface that writes to `out`.
    pub fn new(out: W) -> Self {
        let (schemas, waiting) = (HashMap::new(), VecDeque::new());
        Self { out, schemas, waiting, typed: BTreeMap::new(), fields: VecDeque::new(), ended: false, fresh: false }
    }

    /// Whether a question waits for a line.
    pub fn asking(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Performs an effect, if it is about what a person sees. It returns an answer, for
    /// [`Connection::step`](crate::Connection::step), when the effect shows a question after the last line was typed.
    pub fn perform(&mut self, effect: &RelayEffect) -> io::Result<Option<RelayEvent>> {
        match effect {
            RelayEffect::QuestionCame(came) => {
                let schema = came.schema_text.clone().unwrap_or_else(|| r#"{"type":"object","properties":{}}"#.into());
                self.schemas.insert((came.session.clone(), came.r#ref.clone()), schema);
            }
            RelayEffect::Show(show) if show.by_client != Some(true) => {
                self.waiting.push_back(Box::new(show.clone()));
                if self.waiting.len() == 1 {
                    self.show()?;
                }
            }
            RelayEffect::Withdraw(gone) => self.withdraw(&gone.session, &gone.id)?,
            RelayEffect::Settled(settled) => {
                let reply = &settled.reply;
                self.schemas.remove(&(reply.session.clone(), reply.r#ref.clone()));
                self.withdraw(&reply.session, reply.id.as_deref().unwrap_or(""))?;
                let word = serde_json::to_string(&(&reply.outcome, &reply.cause))?;
                writeln!(self.out, "  {}", plain(&word))?;
            }
            RelayEffect::ProblemEffect(told) => {
                self.complain(&told.problems)?;
                let shown = self.waiting.front().is_some_and(|show| Some(&show.id) == told.id.as_ref());
                if told.about == About::Answer && told.outcome.is_none() && shown {
                    self.ask(&told.problems)?;
                }
            }
            RelayEffect::Note(note) => self.complain(&note.problems)?,
            RelayEffect::OpenUrl(page) => writeln!(self.out, "  open this page: {}", plain(&page.url))?,
            _ => {}
        }
        self.out.flush()?;
        if self.ended && self.fresh {
            return self.typed(None);
        }
        Ok(None)
    }

    /// Takes a line that the person typed, or `None` when there will be no more. It returns the answer of a question
    /// that is complete, for [`Connection::step`](crate::Connection::step).
    pub fn typed(&mut self, line: Option<&[u8]>) -> io::Result<Option<RelayEvent>> {
        self.ended |= line.is_none();
        let Some(show) = self.waiting.front() else { return Ok(None) };
        self.fresh = false;
        let line = line.map_or("!cancel".into(), String::from_utf8_lossy);
        let word = line.trim();
        let field = self.fields.pop_front().and_then(|at| fields(show).get(at));
        let action = match (word, field) {
            ("!cancel", _) => Some(Action::Cancel),
            ("!decline", _) => Some(Action::Decline),
            ("y" | "yes", None) => Some(Action::Accept),
            ("n" | "no", None) => Some(Action::Decline),
            _ => None,
        };
        if let (None, Some(field)) = (&action, field) {
            match value(field, word) {
                Some(value) => self.typed.insert(field.name.clone(), value),
                None => self.typed.remove(&field.name),
            };
        }
        let content = match action {
            Some(action) => return self.answered(action, None),
            None if field.is_some() && self.fields.is_empty() => self.read()?,
            None => None,
        };
        if content.is_some() {
            return self.answered(Action::Accept, content);
        }
        self.prompt()?;
        Ok(None)
    }

    /// The answer of the first question. A yes to a page has no content.
    fn answered(&self, action: Action, content: Option<String>) -> io::Result<Option<RelayEvent>> {
        let Some(show) = self.waiting.front() else { return Ok(None) };
        let content = content.or_else(|| (action == Action::Accept && show.mode != Mode::Url).then(|| "{}".to_owned()));
        Ok(Some(show.answer(action, content)))
    }

    /// Reads what was typed. Of a wrong answer it tells the problems and asks for those fields again.
    fn read(&mut self) -> io::Result<Option<String>> {
        #[derive(Deserialize)]
        struct Read {
            content: Option<Box<RawValue>>,
            #[serde(default)]
            problems: Vec<Problem>,
        }
        let Some(show) = self.waiting.front() else { return Ok(None) };
        let schema = self.schemas.get(&(show.session.clone(), show.r#ref.clone()));
        // The engine has taken the schema, and its configuration may have any limits: these are the most of each.
        let limits = json!({"bytes": 98_304, "fields": 512, "choices": 10_000});
        let input = json!({"schema_text": schema, "text": self.typed, "limits": limits}).to_string();
        let read: Read = serde_json::from_str(&eval("coerce", &input).map_err(io::Error::other)?)?;
        if read.problems.is_empty() {
            return Ok(Some(read.content.map_or_else(|| "{}".to_owned(), |content| content.get().to_owned())));
        }
        self.complain(&read.problems)?;
        self.begin(&read.problems);
        Ok(None)
    }

    fn withdraw(&mut self, session: &str, id: &str) -> io::Result<()> {
        let Some(at) = self.waiting.iter().position(|show| show.session == session && show.id == id) else {
            return Ok(());
        };
        self.waiting.remove(at);
        if at == 0 {
            writeln!(self.out)?;
            self.show()?;
        }
        Ok(())
    }

    /// Shows the first question.
    fn show(&mut self) -> io::Result<()> {
        self.typed.clear();
        self.fresh = true;
        let Some(show) = self.waiting.front() else { return Ok(()) };
        let out = &mut self.out;
        let tool = show.tool.as_ref().map_or_else(String::new, |tool| format!(" (while running {})", plain(tool)));
        writeln!(out, "\n{} asks{tool}:", plain(&show.server))?;
        let said = show.description.iter().flat_map(|text| ["The server says of the tool:", text]);
        for line in said.chain([show.message.as_str()]).flat_map(str::lines) {
            writeln!(out, "  | {}", plain(line))?;
        }
        if let Some(arguments) = &show.arguments {
            writeln!(out, "  | {}", plain(&serde_json::to_string(arguments)?))?;
        }
        for warning in warnings(show).map_err(io::Error::other)? {
            writeln!(out, "  ! {}", plain(&warning))?;
        }
        writeln!(out, "  !decline says no, !cancel puts it away unanswered.")?;
        self.ask(&[])
    }

    /// Asks for the fields with problems, or for all.
    fn ask(&mut self, problems: &[Problem]) -> io::Result<()> {
        self.begin(problems);
        self.prompt()
    }

    fn begin(&mut self, problems: &[Problem]) {
        let Some(show) = self.waiting.front() else { return };
        let all = fields(show);
        let wrong = |field: &Field| {
            let pointer = format!("/{}", field.name.replace('~', "~0").replace('/', "~1"));
            problems
                .iter()
                .any(|p| p.pointer.strip_prefix(&pointer).is_some_and(|r| r.is_empty() || r.starts_with('/')))
        };
        self.fields = (0..all.len()).filter(|&at| wrong(&all[at])).collect();
        if self.fields.is_empty() {
            self.fields = (0..all.len()).collect();
        }
    }

    fn prompt(&mut self) -> io::Result<()> {
        let Some(show) = self.waiting.front() else { return Ok(()) };
        let out = &mut self.out;
        match self.fields.front().and_then(|&at| fields(show).get(at)) {
            Some(field) => {
                for choice in field.choices.iter().flatten() {
                    writeln!(out, "    {}  {}", plain(&shown(&choice.value)), plain(&choice.title))?;
                }
                if let Some(help) = &field.help {
                    writeln!(out, "    {}", plain(help))?;
                }
                let initial = field.initial.as_ref().map(|value| format!(" [{}]", plain(&shown(value))));
                let empty = if field.required { "" } else { " (may stay empty)" };
                write!(out, "  {}{}: ", plain(&field.label), initial.as_deref().unwrap_or(empty))?;
            }
            None if show.mode == Mode::Url => {
                write!(out, "  Open {}? [y/n] ", plain(show.url.as_deref().unwrap_or("")))?
            }
            None => write!(out, "  Agree? [y/n] ")?,
        }
        out.flush()
    }

    fn complain(&mut self, problems: &[Problem]) -> io::Result<()> {
        for (problem, sentence) in problems.iter().zip(explain(problems).map_err(io::Error::other)?) {
            writeln!(self.out, "  ! {} {}", plain(&problem.pointer), plain(&sentence))?;
        }
        Ok(())
    }
}

fn fields(show: &Show) -> &[Field] {
    show.form.as_ref().map_or(&[], |form| &form.fields)
}

/// The value of a line for `coerce`. Commas separate several choices.
fn value(field: &Field, line: &str) -> Option<Value> {
    if line.is_empty() {
        return None;
    }
    Some(match field.kind {
        FieldKind::Choices => line.split(',').map(str::trim).filter(|part| !part.is_empty()).collect(),
        _ => line.into(),
    })
}

fn shown(value: &Json) -> String {
    if let Ok(list) = serde_json::from_str::<Vec<Json>>(value.get()) {
        return list.iter().map(shown).collect::<Vec<_>>().join(", ");
    }
    match value.get() {
        "true" => "yes".to_owned(),
        "false" => "no".to_owned(),
        other => serde_json::from_str(other).unwrap_or_else(|_| other.to_owned()),
    }
}

fn warnings(show: &Show) -> Result<Vec<String>, crate::Error> {
    #[derive(Deserialize)]
    struct Explained {
        warnings: Vec<Warning>,
    }
    #[derive(Deserialize)]
    struct Warning {
        severity: String,
        text: String,
    }
    let out = eval("explain", &json!({ "warnings": show.findings }).to_string())?;
    let warnings = serde_json::from_str::<Explained>(&out)?.warnings;
    Ok(warnings.into_iter().map(|warning| format!("{}: {}", warning.severity, warning.text)).collect())
}

/// A peer's text as one line, with invisible characters spelled.
fn plain(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        match c {
            '\t' | '\n' => line.push(' '),
            '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{70f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{e000}'..='\u{f8ff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffc}'
            | '\u{13430}'..='\u{13440}'
            | '\u{16fe4}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'.. => spell(&mut line, c),
            c if c.is_control() => spell(&mut line, c),
            c if c.is_whitespace() => line.push(' '),
            c => line.push(c),
        }
    }
    line
}

fn spell(line: &mut String, c: char) {
    line.push_str(&format!("<U+{:04X}>", u32::from(c)));
}
