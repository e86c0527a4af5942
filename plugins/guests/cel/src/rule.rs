//! One rule: an expression, and what follows where it holds.

use std::sync::Arc;

use crate::names::{Unknown, FUNCTIONS, ON_TEXTS, VARIABLES};
use cel::extractors::This;
use cel::parser::{Expression, PrattParser};
use cel::{Context, Env, ExecutionError};
use elicit_guardian::{cut, Decision, Kind, Phase, Problems, Severity, Value, Verdict};

const MOST_EXPRESSION: usize = 4096;
const MOST_NODES: usize = 2000;
const MOST_DEPTH: u16 = 32; // of the parser, whose stack is 256 KiB

pub struct Rule<'a>(Value<'a>);

pub enum Outcome {
    No,
    Yes,
    Failed(String),
}

fn parse(text: &str) -> Result<(&'static Expression, Unknown<'static>), String> {
    if text.len() > MOST_EXPRESSION {
        return Err(format!("is longer than {MOST_EXPRESSION} bytes"));
    }
    let parser = PrattParser::new()
        .max_recursion_depth(MOST_DEPTH)
        .max_expression_node_count(MOST_NODES)
        .error_reporting_limit(1);
    // The arena gives nothing back, and dropping a deep expression would take as many calls as it is deep.
    let expression =
        parser.parse(text).map(|e| &*Box::leak(Box::new(e))).map_err(|e| one_line(&format!("is not CEL: {e}")))?;
    let unknown = Unknown::of(expression);
    if unknown.too_deep {
        return Err("nests too deep, or is a chain of too many operators".to_string());
    }
    Ok((expression, unknown))
}

/// A text for people without line ends.
fn one_line(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), 300).to_string()
}

/// The functions that rules can call: the standard ones, those on texts, and matches. To list functions is a large part
/// of the cost of a question, so those on texts are listed only if a rule may name one. The parser has its own macros,
/// and knows no optional values.
pub fn context(named: impl Fn(&str) -> bool) -> Context<'static, 'static> {
    let mut env = Env::default().with_optional_support(false).with_stdlib();
    if ON_TEXTS.iter().any(|name| named(name)) {
        let _ = env.add_extension(cel::extensions::strings);
    }
    let mut context = Context::with_env(Arc::new(env));
    let _ = context.add_function("matches", matches);
    context
}

/// Whether a regular expression is found in a text. Expressions have the syntax of RE2 for ASCII classes, and take time
/// that grows with the text and not faster.
fn matches(This(text): This<Arc<String>>, pattern: Arc<String>) -> Result<bool, ExecutionError> {
    match regex_lite::Regex::new(&pattern) {
        Ok(regex) => Ok(regex.is_match(&text)),
        Err(e) => Err(ExecutionError::function_error("matches", e)),
    }
}

impl<'a> Rule<'a> {
    pub fn of(v: Value<'a>) -> Self {
        Rule(v)
    }

    pub fn code(&self) -> String {
        self.0.get("code").text().into_owned()
    }

    pub fn counts_in(&self, phase: &str) -> bool {
        let own = self.0.get("phase");
        own.kind() == Kind::Missing || own.is(phase)
    }

    pub fn outcome(&self, context: &Context) -> Outcome {
        let expression = match parse(&self.0.get("when").text()) {
            Ok((expression, _)) => expression,
            Err(why) => return Outcome::Failed(why),
        };
        match context.resolve(expression) {
            Ok(cel::Value::Bool(true)) => Outcome::Yes,
            Ok(cel::Value::Bool(false)) => Outcome::No,
            Ok(_) => Outcome::Failed("it is neither true nor false".to_string()),
            Err(why) => Outcome::Failed(one_line(&why.to_string())),
        }
    }

    /// Says what the rule says where it holds.
    pub fn speak(&self, phase: Phase, v: &mut Verdict) {
        let text = self.0.get("message").text();
        let message = if text.is_empty() { "a rule of the operator holds" } else { &text };
        v.find(self.severity(), &self.code(), &self.0.get("pointer").text(), message);
        v.decide(match self.0.get("decision") {
            d if d.is("pass") => Decision::Pass,
            d if d.is("allow") => Decision::Allow,
            d if d.is("ask") => Decision::Ask,
            _ => Decision::Deny,
        });
        if phase == Phase::BeforeSend {
            self.0.get("redact").items().for_each(|at| v.redact(&at.text()));
            if self.0.get("second_person").is_true() {
                v.second_person();
            }
        }
    }

    fn severity(&self) -> Severity {
        match self.0.get("severity") {
            s if s.is("info") => Severity::Info,
            s if s.is("low") => Severity::Low,
            s if s.is("high") => Severity::High,
            s if s.is("critical") => Severity::Critical,
            _ => Severity::Medium,
        }
    }
}

/// Notes what is wrong with a rule.
pub fn check(rule: Value, data: Value, at: &str, problems: &mut Problems) {
    if rule.kind() != Kind::Object {
        return problems.add(at, "must be an object");
    }
    const MEMBERS: [&str; 9] =
        ["code", "when", "phase", "decision", "severity", "message", "pointer", "redact", "second_person"];
    for (name, _) in rule.members() {
        if !MEMBERS.iter().any(|m| name.is(m)) {
            problems.add(&elicit_guardian::pointer(at, &name.text()), "is no member of a rule");
        }
    }
    let code = rule.get("code").text();
    let later = |b: &u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let fits = |c: &[u8]| matches!(c, [b'a'..=b'z', rest @ ..] if rest.iter().all(later));
    if !fits(code.as_bytes()) || code.len() > 64 {
        problems
            .add(&format!("{at}/code"), "must be lower-case letters, digits and underscores, and begin with a letter");
    }
    for (name, choices) in [
        ("phase", &["before_show", "before_send"][..]),
        ("decision", &["deny", "ask", "allow", "pass"]),
        ("severity", &["info", "low", "medium", "high", "critical"]),
    ] {
        let value = rule.get(name);
        if value.kind() != Kind::Missing && !choices.iter().any(|c| value.is(c)) {
            problems.add(&format!("{at}/{name}"), &format!("must be one of {}", choices.join(", ")));
        }
    }
    for name in ["message", "pointer"] {
        if !matches!(rule.get(name).kind(), Kind::Missing | Kind::Text) {
            problems.add(&format!("{at}/{name}"), "must be a text");
        }
    }
    if !matches!(rule.get("second_person").kind(), Kind::Missing | Kind::Bool) {
        problems.add(&format!("{at}/second_person"), "must be true or false");
    }
    check_redact(rule.get("redact"), at, problems);
    check_when(rule.get("when"), data, at, problems);
}

fn check_redact(list: Value, at: &str, problems: &mut Problems) {
    let fit = |v: Value| v.text().strip_prefix("/answer/").is_some_and(|name| !name.is_empty() && !name.contains('*'));
    if list.kind() != Kind::Missing && (list.kind() != Kind::List || list.items().count() > 8 || !list.items().all(fit))
    {
        problems.add(&format!("{at}/redact"), "must be a list of at most 8 pointers to members of /answer");
    }
}

fn check_when(when: Value, data: Value, at: &str, problems: &mut Problems) {
    let at = format!("{at}/when");
    if when.kind() != Kind::Text {
        return problems.add(&at, "must be a CEL expression, as a text");
    }
    let unknown = match parse(&when.text()) {
        Ok((_, unknown)) => unknown,
        Err(why) => return problems.add(&at, &why),
    };
    for (object, name) in unknown.members {
        let there = object.members.iter().map(|m| m.0).collect::<Vec<_>>().join(", ");
        let why = format!("names the member {name} of {}, which is never there; there are {there}", object.name);
        problems.add(&at, &why);
    }
    for why in unknown.types {
        problems.add(&at, &format!("compares a member with {why}"));
    }
    for name in unknown.data.into_iter().filter(|name| !unknown.asked.contains(name)) {
        if data.kind() != Kind::Object || data.get(name).kind() == Kind::Missing {
            let why = format!("reads {name} of data, which is not there; ask for it first: has(data.{name})");
            problems.add(&at, &why);
        }
    }
    for (names, known, what) in
        [(unknown.variables, &VARIABLES[..], "variable"), (unknown.functions, &FUNCTIONS[..], "function")]
    {
        for name in names {
            problems.add(&at, &format!("names the {what} {name}, which is not there; there are {}", known.join(", ")));
        }
    }
}
