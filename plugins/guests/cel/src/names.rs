//! A walk over an expression: names that mean nothing here, and how deep it nests.

use cel::common::ast::{EntryExpr, Expr};
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
    fn walk(&mut self, expression: &'a Expression, scope: &mut Vec<&'a str>) {
        if self.depth == MOST_DEPTH {
            self.too_deep = true;
            return;
        }
        self.depth += 1;
        self.walk_inside(expression, scope);
        self.depth -= 1;
    }

    fn walk_inside(&mut self, expression: &'a Expression, scope: &mut Vec<&'a str>) {
        match &expression.expr {
            Expr::Unspecified | Expr::Literal(_) => {}
            Expr::Ident(name) => {
                let known = VARIABLES.contains(&&**name) || TYPES.contains(&&**name) || scope.contains(&&**name);
                note(&mut self.variables, name, known);
            }
            Expr::Call(call) => {
                note(&mut self.functions, &call.func_name, FUNCTIONS.contains(&&*call.func_name));
                for inner in call.target.iter().map(|t| &**t).chain(&call.args) {
                    self.walk(inner, scope);
                }
            }
            Expr::Comprehension(c) => {
                self.walk(&c.iter_range, scope);
                self.walk(&c.accu_init, scope);
                let outer = scope.len();
                scope.extend([&*c.iter_var, &*c.accu_var]);
                scope.extend(c.iter_var2.as_deref());
                for inner in [&c.loop_cond, &c.loop_step, &c.result] {
                    self.walk(inner, scope);
                }
                scope.truncate(outer);
            }
            Expr::List(list) => list.elements.iter().for_each(|e| self.walk(e, scope)),
            Expr::Select(select) => self.walk(&select.operand, scope),
            Expr::Map(map) => map.entries.iter().for_each(|e| self.entry(&e.expr, scope)),
            Expr::Struct(s) => {
                note(&mut self.functions, &s.type_name, false);
                s.entries.iter().for_each(|e| self.entry(&e.expr, scope));
            }
        }
    }

    fn entry(&mut self, entry: &'a EntryExpr, scope: &mut Vec<&'a str>) {
        match entry {
            EntryExpr::StructField(field) => self.walk(&field.value, scope),
            EntryExpr::MapEntry(pair) => {
                self.walk(&pair.key, scope);
                self.walk(&pair.value, scope);
            }
        }
    }
}

/// Notes a name. Those of operators and of what macros leave behind begin with another sign than a letter.
fn note<'a>(list: &mut Vec<&'a str>, name: &'a str, known: bool) {
    if !known && name.starts_with(|c: char| c.is_ascii_alphabetic()) && !list.contains(&name) {
        list.push(name);
    }
}
