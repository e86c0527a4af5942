//! The texts that a request shows a person, and the values of an answer.

use elicit_guardian::{pointer, Kind, Question, Value};
use std::borrow::Cow;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Message,
    Tool,
    Name,
    Title,
    Description,
    Choice,
}

/// One text of a request. Its pointer is spelled only when something is found there.
pub struct Text<'a> {
    pub part: Part,
    pub text: Cow<'a, str>,
    field: usize,
    choice: usize,
    member: &'static str,
}

impl<'a> Text<'a> {
    pub fn pointer(&self) -> String {
        let field = ["/request/form/fields/", &number(self.field)].concat();
        match self.part {
            Part::Message => "/request/message".into(),
            Part::Tool => "/request/tool".into(),
            Part::Choice => [&field, "/choices/", &number(self.choice), "/", self.member].concat(),
            _ => [&field, "/", self.member].concat(),
        }
    }
}

/// Whether a person cannot type into a field. Such a field gives no secret away.
pub fn closed(field: Value) -> bool {
    matches!(&*field.get("kind").text(), "boolean" | "choice" | "choices")
}

/// The most bytes of text that a guardian reads in one question, and EACH_TEXT for each text. People do not read more
/// before they answer, and reading more would take all the fuel.
pub const MOST_TEXT: usize = 8 << 10;

/// The cost of a text besides its bytes.
const EACH_TEXT: usize = 24;

/// How many texts a guardian passes over because they are too long, before it reads no more.
const MOST_UNREAD: usize = 8;

/// Calls with every text that is permitted: the tool, the message, and of each field its name, label, help and choices.
/// Reports whether all of it was read.
pub fn texts<'a>(q: &Question<'a>, each: &mut dyn FnMut(&Text<'a>, Value<'a>)) -> bool {
    let none = q.request.get("");
    let mut left = MOST_TEXT;
    let mut all = true;
    // Reports whether to go on.
    let mut tell = |part, value: Value<'a>, field: Value<'a>, at: (usize, usize), member| {
        let size = value.raw().len() + EACH_TEXT;
        if value.kind() != Kind::Text || size <= EACH_TEXT + 2 {
        } else if size > left {
            all = false;
            left = left.saturating_sub(MOST_TEXT / MOST_UNREAD);
        } else {
            left -= size;
            each(&Text { part, text: value.text(), field: at.0, choice: at.1, member }, field);
        }
        left > 0
    };
    tell(Part::Tool, q.request.get("tool"), none, (0, 0), "");
    tell(Part::Message, q.request.get("message"), none, (0, 0), "");
    for (i, field) in q.request.get("form").get("fields").items().enumerate() {
        for (name, value) in field.members() {
            let more = match name.raw() {
                "\"name\"" => tell(Part::Name, value, field, (i, 0), "name"),
                "\"label\"" => tell(Part::Title, value, field, (i, 0), "label"),
                "\"help\"" => tell(Part::Description, value, field, (i, 0), "help"),
                "\"choices\"" => value.items().enumerate().all(|(n, choice)| {
                    let title = choice.get("title");
                    if title.kind() == Kind::Text {
                        tell(Part::Choice, title, field, (i, n), "title")
                    } else {
                        tell(Part::Choice, choice.get("value"), field, (i, n), "value")
                    }
                }),
                _ => true,
            };
            if !more {
                return false;
            }
        }
    }
    all
}

/// Calls with every text, number and hidden value of an answer and the name of its member, which is the list's for an
/// item of a list. When the callback returns true, the rest of the member's items are skipped. Reports whether all of
/// it was read; it reads at most so many bytes.
pub fn answers<'a>(q: &Question<'a>, most: usize, each: &mut dyn FnMut(Value<'a>, Value<'a>) -> bool) -> bool {
    let mut left = most;
    for (name, value) in q.answer.members() {
        let list = value.kind() == Kind::List;
        let mut items = value.items();
        while let Some(one) = if list { items.next() } else { Some(value) } {
            left = match left.checked_sub(one.raw().len() + EACH) {
                Some(left) => left,
                None => return false,
            };
            if each(name, one) || !list {
                break;
            }
        }
    }
    true
}

/// The cost of a value besides its bytes.
const EACH: usize = 16;

/// The pointer of a member of the answer.
pub fn member(name: Value) -> String {
    pointer("/answer", &name.text())
}

/// A number in decimal.
pub fn number(mut n: usize) -> String {
    let mut digits = [0u8; 20];
    let mut i = digits.len();
    loop {
        i -= 1;
        digits[i] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            return digits[i..].iter().map(|d| *d as char).collect();
        }
    }
}
