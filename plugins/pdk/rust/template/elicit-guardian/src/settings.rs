//! Checking settings: what an operator wrote for a guardian.

use crate::json::{pointer, quote, Kind, Value};
use crate::{cut, MAX_FOUND, MAX_MESSAGE};

/// The problems of settings.
#[derive(Default)]
pub struct Problems(String);

impl Problems {
    /// Adds a problem; the pointer leads into the settings.
    pub fn add(&mut self, at: &str, message: &str) {
        if self.0.len() > MAX_FOUND {
            return;
        }
        self.0.push_str(if self.0.is_empty() { "{\"pointer\":" } else { ",{\"pointer\":" });
        quote(&mut self.0, cut(at, MAX_MESSAGE));
        self.0.push_str(",\"message\":");
        quote(&mut self.0, cut(message, MAX_MESSAGE));
        self.0.push('}');
    }

    /// Wants an object with no members but these.
    pub fn only(&mut self, settings: Value, names: &[&str]) {
        if settings.kind() != Kind::Object {
            self.add("", "must be an object");
        }
        for (name, _) in settings.members() {
            if !names.iter().any(|n| name.is(n)) {
                self.add(&pointer("", &name.text()), "is not a setting of this guardian");
            }
        }
    }

    /// Wants a list of at most this many texts, none empty, or nothing.
    pub fn texts(&mut self, settings: Value, name: &str, most: usize) {
        let list = settings.get(name);
        let fit = |v: Value| v.kind() == Kind::Text && v.raw().len() > 2;
        if list.kind() != Kind::Missing && (list.kind() != Kind::List || !list.items().all(fit)) {
            self.add(&pointer("", name), "must be a list of texts");
        } else if list.items().count() > most {
            self.add(&pointer("", name), "is too long");
        }
    }

    /// Wants one of these texts, or nothing.
    pub fn one_of(&mut self, settings: Value, name: &str, choices: &[&str]) {
        let value = settings.get(name);
        if value.kind() != Kind::Missing && !choices.iter().any(|c| value.is(c)) {
            self.add(&pointer("", name), &["must be one of: ", &choices.join(", ")].concat());
        }
    }

    /// Wants true or false, or nothing.
    pub fn truth(&mut self, settings: Value, name: &str) {
        let value = settings.get(name);
        if value.kind() != Kind::Missing && value.kind() != Kind::Bool {
            self.add(&pointer("", name), "must be true or false");
        }
    }

    pub(crate) fn write(&self) -> String {
        ["{\"v\":1,\"problems\":[", &self.0, "]}"].concat()
    }
}
