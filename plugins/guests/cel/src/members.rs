//! The members of a request that a guardian can be shown. plugins/schema/question.schema.json describes them.

/// What is known of the value of an expression.
#[derive(Clone, Copy)]
pub enum Shape {
    Any,
    Text,
    /// A text that is one of these.
    Word(&'static [&'static str]),
    Bool,
    Int,
    One(&'static Object),
    List(&'static Object),
}

impl Shape {
    pub fn name(self) -> &'static str {
        match self {
            Any => "any",
            Text | Word(_) => "a text",
            Bool => "true or false",
            Int => "a number",
            One(_) => "an object",
            List(_) => "a list",
        }
    }
}

pub struct Object {
    pub name: &'static str,
    pub members: &'static [(&'static str, Shape)],
}

use Shape::{Any, Bool, Int, List, One, Text, Word};

impl Object {
    pub fn find(&self, name: &str) -> Option<Shape> {
        self.members.iter().find(|m| m.0 == name).map(|m| m.1)
    }
}

pub static REQUEST: Object = Object {
    name: "request",
    members: &[
        ("server", Text),
        ("tool", Text),
        ("mode", Word(&["form", "url"])),
        ("kind", Word(&["form", "confirm", "url", "approval", "suggestion"])),
        ("message", Text),
        ("url", Text),
        ("claim", Word(&["approval", "suggestion", "malformed"])),
        ("does", Word(&["command", "patch", "permissions", "tool"])),
        ("command", Text),
        ("cwd", Text),
        ("paths", Any),
        ("hosts", Any),
        ("reach_cut", Bool),
        ("outside", Bool),
        ("arguments", Any),
        ("annotations", One(&ANNOTATIONS)),
        ("form", One(&FORM)),
        ("findings", List(&FINDING)),
        ("inspected", Bool),
        ("impacts", List(&IMPACT)),
        ("labels", Any),
        ("held_call", One(&HELD_CALL)),
    ],
};

static ANNOTATIONS: Object = Object {
    name: "annotations",
    members: &[("read_only", Bool), ("destructive", Bool), ("idempotent", Bool), ("open_world", Bool)],
};

static FORM: Object =
    Object { name: "form", members: &[("title", Text), ("help", Text), ("fields", List(&FIELD)), ("notes", Any)] };

static FIELD: Object = Object {
    name: "a field",
    members: &[
        ("name", Text),
        ("label", Text),
        ("help", Text),
        ("kind", Word(&["text", "number", "integer", "boolean", "choice", "choices"])),
        ("widget", Text),
        ("required", Bool),
        ("sensitive", Bool),
        ("choices", List(&CHOICE)),
        ("constraints", Any),
        ("initial", Any),
        ("provenance", Text),
    ],
};

static CHOICE: Object = Object { name: "a choice", members: &[("value", Any), ("title", Text), ("description", Text)] };

static FINDING: Object = Object {
    name: "a finding",
    members: &[
        ("code", Text),
        ("severity", Word(&["info", "low", "medium", "high", "critical"])),
        ("pointer", Text),
        ("start", Int),
        ("end", Int),
        ("evidence", Text),
        ("args", Any),
    ],
};

static IMPACT: Object = Object {
    name: "an impact",
    members: &[
        (
            "impact",
            Word(&[
                "runs",
                "reads",
                "writes",
                "deletes",
                "sends",
                "fetches",
                "executes",
                "changes",
                "publishes",
                "unknown",
            ]),
        ),
        ("target", Text),
        ("how", Text),
        ("program", Text),
        ("open", Bool),
        ("at", Int),
        ("end", Int),
    ],
};

static HELD_CALL: Object = Object { name: "held_call", members: &[("description", Text), ("definition", Text)] };
