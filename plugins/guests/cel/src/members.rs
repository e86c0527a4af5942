//! The members of a request that a guardian can be shown. plugins/schema/question.schema.json describes them.

/// What is known of the value of an expression.
#[derive(Clone, Copy)]
pub enum Shape {
    Any,
    One(&'static Object),
    List(&'static Object),
}

pub struct Object {
    pub name: &'static str,
    pub members: &'static [(&'static str, Shape)],
}

use Shape::{Any, List, One};

impl Object {
    pub fn find(&self, name: &str) -> Option<Shape> {
        self.members.iter().find(|m| m.0 == name).map(|m| m.1)
    }
}

pub static REQUEST: Object = Object {
    name: "request",
    members: &[
        ("server", Any),
        ("tool", Any),
        ("mode", Any),
        ("kind", Any),
        ("message", Any),
        ("url", Any),
        ("claim", Any),
        ("does", Any),
        ("command", Any),
        ("command_candidate", Any),
        ("cwd", Any),
        ("paths", Any),
        ("hosts", Any),
        ("reach_cut", Any),
        ("outside", Any),
        ("arguments", Any),
        ("annotations", One(&ANNOTATIONS)),
        ("form", One(&FORM)),
        ("findings", List(&FINDING)),
        ("inspected", Any),
        ("impacts", List(&IMPACT)),
        ("labels", Any),
        ("held_call", One(&HELD_CALL)),
    ],
};

static IMPACT: Object = Object {
    name: "an impact",
    members: &[
        ("impact", Any),
        ("target", Any),
        ("how", Any),
        ("program", Any),
        ("open", Any),
        ("at", Any),
        ("end", Any),
    ],
};

static HELD_CALL: Object = Object { name: "held_call", members: &[("description", Any), ("definition", Any)] };

static ANNOTATIONS: Object = Object {
    name: "annotations",
    members: &[("read_only", Any), ("destructive", Any), ("idempotent", Any), ("open_world", Any)],
};

static FORM: Object =
    Object { name: "form", members: &[("title", Any), ("help", Any), ("fields", List(&FIELD)), ("notes", Any)] };

static FIELD: Object = Object {
    name: "a field",
    members: &[
        ("name", Any),
        ("label", Any),
        ("help", Any),
        ("kind", Any),
        ("widget", Any),
        ("required", Any),
        ("sensitive", Any),
        ("choices", List(&CHOICE)),
        ("constraints", Any),
        ("initial", Any),
        ("provenance", Any),
    ],
};

static CHOICE: Object = Object { name: "a choice", members: &[("value", Any), ("title", Any), ("description", Any)] };

static FINDING: Object = Object {
    name: "a finding",
    members: &[
        ("code", Any),
        ("severity", Any),
        ("pointer", Any),
        ("start", Any),
        ("end", Any),
        ("evidence", Any),
        ("args", Any),
    ],
};
