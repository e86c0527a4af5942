// A host in Rust: a connection, a form and a decision.
use elicit_engine::contract::{Action, RelayEffect as Effect, Show};
use elicit_engine::{eval, Connection, End, Error, Next, Schema};
use serde_json::{from_str, json, Value};

const SCHEMA: &str = r#"{"type":"object","properties":{"days":{"type":"integer","maximum":30}},"required":["days"]}"#;

/// Prints what there is to do, and returns a question.
fn told(what: &str, connection: &mut Connection) -> Result<Option<Show>, Error> {
    let mut shown = None;
    loop {
        match connection.next(&mut ())? {
            Next::Write { to, .. } => println!("{what}: write to {to:?}"),
            Next::Effect { effect: Effect::Show(show), .. } => shown = Some(show),
            Next::Effect { effect: Effect::Settled(end), .. } => println!("{what}: {:?}", end.reply.outcome),
            Next::Effect { .. } => {}
            Next::Wait(_) => return Ok(shown),
        }
    }
}

fn main() -> Result<(), Error> {
    let rule = json!({"name": "no-url", "when": {"mode": "url"}, "then": "decline"});
    let policy = json!({"user": {"version": 1, "rules": [rule]}});
    let session = json!({"version": "2025-11-25", "declared": ["form", "url"]});
    let mut connection = Connection::open(&json!({"server": "backup", "role": "client", "modes": ["form", "url"],
        "session": session, "config": {"policy": policy}}))?;
    let ask = |of| json!({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": of}).to_string();
    let page = json!({"mode": "url", "message": "Pay", "url": "https://shop.example/", "elicitationId": "p"});
    connection.receive(End::Server, ask(page).as_bytes())?;
    told("url", &mut connection)?;
    let form = json!({"message": "Keep?", "requestedSchema": from_str::<Value>(SCHEMA)?});
    connection.receive(End::Server, ask(form).as_bytes())?;
    let show = told("question", &mut connection)?.unwrap();
    println!("shown: {} {}", show.message, show.form.as_ref().unwrap().fields[0].label);
    connection.step(&show.answer(Action::Accept, Some(r#"{"days":7}"#.to_owned())))?;
    told("answered", &mut connection)?;
    println!("check: {}", Schema::read(SCHEMA)?.check(r#"{"days":99}"#)?[0].code);
    eval("decide", &json!({"policy": policy, "facts": {"mode": "url"}}).to_string()).map(|o| println!("{}", &o[..20]))
}
