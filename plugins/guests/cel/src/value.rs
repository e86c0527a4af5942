//! Documents as CEL has them.

use std::collections::HashMap;
use std::sync::Arc;

use cel::objects::{Key, Map};
use elicit_guardian::{Kind, Value};

/// A document as a value of CEL; missing is an empty object. `None` for a number that CEL does not have, which is one
/// that neither 64 bits nor a double can hold.
pub fn convert(v: Value) -> Option<cel::Value> {
    Some(match v.kind() {
        Kind::Missing => cel::Value::Map(Map { map: Arc::new(HashMap::new()) }),
        Kind::Null => cel::Value::Null,
        Kind::Bool => cel::Value::Bool(v.is_true()),
        Kind::Text => cel::Value::String(Arc::new(v.text().into_owned())),
        Kind::List => cel::Value::List(v.items().map(convert).collect::<Option<Vec<_>>>()?.into()),
        Kind::Object => {
            let mut map = HashMap::new();
            for (name, value) in v.members() {
                map.insert(Key::String(Arc::new(name.text().into_owned())), convert(value)?);
            }
            cel::Value::Map(Map { map: Arc::new(map) })
        }
        _ => match v.int() {
            Some(n) => cel::Value::Int(n),
            None => cel::Value::Float(v.raw().parse::<f64>().ok().filter(|f| f.is_finite())?),
        },
    })
}
