//! A walk over an expression: names that mean nothing here, and how deep it nests.

use crate::members::{Object, Shape, REQUEST};
use cel::common::ast::{EntryExpr, Expr, LiteralValue};
use cel::parser::Expression;

/// The names that a rule can use.
pub const VARIABLES: [&str; 5] = ["request", "answer", "data", "phase", "at"];

/// The functions of rule::context. The macros (has, all, exists, exists_one, filter, map) are none.
pub const FUNCTIONS: [&str; 24] = [
    "size",
    "contains",
    "startsWith",
    "endsWith",
    "string",
    "int",
    "uint",
    "double",
    "bytes",
    "type",
    "dyn",
    "matches",
    "charAt",
    "format",
    "indexOf",
    "join",
    "lastIndexOf",
    "lowerAscii",
    "replace",
    "reverse",
    "split",
    "substring",
    "trim",
    "upperAscii",
];

/// Those of them that an extension adds.
pub const ON_TEXTS: &[&str] = FUNCTIONS.split_at(12).1;

/// Types are values of CEL.
const TYPES: [&str; 9] = ["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "uint"];

/// How deep an expression may nest. The host allows 256 calls within each other, and evaluation takes several for each
/// level.
const MOST_DEPTH: usize = 40;

/// Unknown names of variables and of functions, each once.
#[derive(Default)]
pub struct Unknown<'a> {
    pub variables: Vec<&'a str>,
    pub functions: Vec<&'a str>,
    pub members: Vec<(&'static Object, &'a str)>,
    /// Members of data that the expression reads, and those that it asks for with has.
    pub data: Vec<&'a str>,
    pub asked: Vec<&'a str>,
    /// Comparisons that are never true, or always, in words.
    pub types: Vec<String>,
    pub too_deep: bool,
    depth: usize,
}

impl<'a> Unknown<'a> {
    pub fn of(expression: &'a Expression) -> Self {
        let mut found = Unknown::default();
        found.walk(expression, &mut Vec::new());
        found
    }

    /// scope holds the variables that the macros around an expression bind.
    fn walk(&mut self, expression: &'a Expression, scope: &mut Vec<(&'a str, Shape)>) -> Shape {
        if self.depth == MOST_DEPTH {
            self.too_deep = true;
            return Shape::Any;
        }
        self.depth += 1;
        let shape = self.walk_inside(expression, scope);
        self.depth -= 1;
        shape
    }

    fn walk_inside(&mut self, expression: &'a Expression, scope: &mut Vec<(&'a str, Shape)>) -> Shape {
        match &expression.expr {
            Expr::Unspecified | Expr::Literal(_) => {}
            Expr::Ident(name) => {
                if let Some((_, shape)) = scope.iter().rev().find(|bound| bound.0 == name) {
                    return *shape;
                }
                note(&mut self.variables, name, VARIABLES.contains(&&**name) || TYPES.contains(&&**name));
                return if name == "request" { Shape::One(&REQUEST) } else { Shape::Any };
            }
            Expr::Call(call) => {
                note(&mut self.functions, &call.func_name, FUNCTIONS.contains(&&*call.func_name));
                let first = call.args.first().map(|a| self.walk(a, scope));
                let mut last = None;
                for inner in call.target.iter().map(|t| &**t).chain(call.args.iter().skip(1)) {
                    last = Some(self.walk(inner, scope));
                }
                if let ("_==_" | "_!=_", [a, b]) = (&*call.func_name, &call.args[..]) {
                    self.compare(first, b);
                    self.compare(last, a);
                }
                if call.func_name == "_[_]" {
                    let key = match call.args.get(1).map(|a| &a.expr) {
                        Some(Expr::Literal(LiteralValue::String(key))) => Some(key.inner()),
                        _ => None,
                    };
                    return match (first, key) {
                        (Some(Shape::List(element)), _) => Shape::One(element),
                        (Some(shape), Some(key)) => self.member(shape, key),
                        _ => Shape::Any,
                    };
                }
            }
            Expr::Comprehension(c) => {
                let range = self.walk(&c.iter_range, scope);
                self.walk(&c.accu_init, scope);
                let outer = scope.len();
                let element = match range {
                    Shape::List(element) if c.iter_var2.is_none() => Shape::One(element),
                    _ => Shape::Any,
                };
                scope.extend([(&*c.iter_var, element), (&*c.accu_var, Shape::Any)]);
                scope.extend(c.iter_var2.as_deref().map(|name| (name, Shape::Any)));
                for inner in [&c.loop_cond, &c.loop_step, &c.result] {
                    self.walk(inner, scope);
                }
                scope.truncate(outer);
            }
            Expr::List(list) => list.elements.iter().for_each(|e| {
                self.walk(e, scope);
            }),
            Expr::Select(select) => {
                let shape = self.walk(&select.operand, scope);
                let of_data = matches!(&select.operand.expr, Expr::Ident(name) if name == "data");
                if of_data && !scope.iter().any(|bound| bound.0 == "data") {
                    note(if select.test { &mut self.asked } else { &mut self.data }, &select.field, false);
                }
                return self.member(shape, &select.field);
            }
            Expr::Map(map) => map.entries.iter().for_each(|e| self.entry(&e.expr, scope)),
            Expr::Struct(s) => {
                note(&mut self.functions, &s.type_name, false);
                s.entries.iter().for_each(|e| self.entry(&e.expr, scope));
            }
        }
        Shape::Any
    }

    /// Notes a value that a member is compared with and never has.
    fn compare(&mut self, member: Option<Shape>, with: &Expression) {
        let Expr::Literal(literal) = &with.expr else { return };
        let why = match (member, literal) {
            (_, LiteralValue::Null) | (None | Some(Shape::Any), _) => return,
            (Some(Shape::Word(words)), LiteralValue::String(text)) => {
                if words.contains(&text.inner()) {
                    return;
                }
                format!("the value {}, and there are {}", text.inner(), words.join(", "))
            }
            (Some(Shape::Text), LiteralValue::String(_)) | (Some(Shape::Bool), LiteralValue::Boolean(_)) => return,
            (Some(Shape::Int), LiteralValue::Int(_) | LiteralValue::UInt(_) | LiteralValue::Double(_)) => return,
            (Some(shape), _) => format!("a value of another type than its own, which is {}", shape.name()),
        };
        if !self.types.contains(&why) {
            self.types.push(why);
        }
    }

    fn entry(&mut self, entry: &'a EntryExpr, scope: &mut Vec<(&'a str, Shape)>) {
        match entry {
            EntryExpr::StructField(field) => self.walk(&field.value, scope),
            EntryExpr::MapEntry(pair) => {
                self.walk(&pair.key, scope);
                self.walk(&pair.value, scope)
            }
        };
    }

    /// A member that an object never has is noted once.
    fn member(&mut self, shape: Shape, name: &'a str) -> Shape {
        let Shape::One(object) = shape else { return Shape::Any };
        let found = object.find(name);
        if found.is_none() && !self.members.iter().any(|m| m.0.name == object.name && m.1 == name) {
            self.members.push((object, name));
        }
        found.unwrap_or(Shape::Any)
    }
}

/// Notes a name. Those of operators and of what macros leave behind begin with another sign than a letter.
fn note<'a>(list: &mut Vec<&'a str>, name: &'a str, known: bool) {
    if !known && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !list.contains(&name) {
        list.push(name);
    }
}
