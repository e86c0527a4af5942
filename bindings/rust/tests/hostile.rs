//! What hostile programs, peers and hosts may try.
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;
use std::time::Duration;

use elicit_engine::contract::{Action, Consult, RelayEffect, RelayEvent, Show};
use elicit_engine::{eval, Connection, Console, End, Error, Host, HostResult, Next, Schema};
use serde_json::json;

const ASK: &[u8] = concat!(
    r#"{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Keep?","#,
    r#""requestedSchema":{"type":"object","properties":{}}}}"#
)
.as_bytes();
const NOTICE: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/x"}"#;

fn open(config: serde_json::Value) -> Connection {
    let session = json!({"version": "2025-11-25", "declared": ["form"]});
    let relay = json!({"server": "s", "role": "client", "modes": ["form"], "session": session, "config": config});
    Connection::open(&relay).unwrap()
}

/// Takes everything until a wait or an error, and names it.
fn turn(connection: &mut Connection, host: &mut dyn Host) -> (Vec<String>, Result<Option<Duration>, Error>) {
    let mut told = Vec::new();
    loop {
        told.push(match connection.next(host) {
            Ok(Next::Write { message, .. }) => String::from_utf8_lossy(&message).into_owned(),
            Ok(Next::Effect { effect: RelayEffect::Show(_), .. }) => "show".to_owned(),
            Ok(Next::Effect { effect: RelayEffect::Settled(settled), .. }) => format!("{:?}", settled.reply.cause),
            Ok(Next::Effect { .. }) => continue,
            Ok(Next::Wait(time)) => return (told, Ok(time)),
            Err(wrong) => return (told, Err(wrong)),
        });
    }
}

fn shown(connection: &mut Connection) -> Option<Show> {
    loop {
        match connection.next(&mut ()).unwrap() {
            Next::Effect { effect: RelayEffect::Show(show), .. } => return Some(show),
            Next::Wait(_) => return None,
            _ => {}
        }
    }
}

/// A host whose callbacks do what their functions do, after a number of records.
struct Odd {
    keeps: i32,
    append: fn() -> HostResult,
    consult: fn() -> bool,
}

impl Host for Odd {
    fn append(&mut self, _: &str) -> HostResult {
        self.keeps -= 1;
        if self.keeps >= 0 {
            Ok(())
        } else {
            (self.append)()
        }
    }

    fn consult(&mut self, _: Consult) -> bool {
        (self.consult)()
    }
}

fn odd(keeps: i32, append: fn() -> HostResult) -> Odd {
    Odd { keeps, append, consult: || false }
}

#[test]
fn a_failing_journal_answers_with_errors_and_then_says_why() {
    let (mut connection, mut host) = (open(json!({})), odd(9, || Err("the disk is full".into())));
    assert!(turn(&mut connection, &mut host).1.is_ok());
    host.keeps = 0;
    connection.receive(End::Server, ASK).unwrap();
    let (told, end) = turn(&mut connection, &mut host);
    assert!(told.iter().any(|told| told.contains(r#""id":7,"error""#)), "{told:?}");
    assert!(!told.contains(&"show".to_owned()), "{told:?}");
    match end {
        Err(Error::Host(wrong)) => assert_eq!(wrong.to_string(), "the disk is full"),
        other => panic!("{other:?}"),
    }
    connection.receive(End::Server, NOTICE).unwrap();
    assert!(turn(&mut connection, &mut host).1.is_ok(), "it is said once, and messages pass");
}

#[test]
fn a_panic_of_a_callback_comes_out_after_the_effects_that_follow() {
    let (mut connection, mut host) = (open(json!({})), odd(1, || panic!("a bug of the host")));
    connection.receive(End::Server, ASK).unwrap();
    let mut told = Vec::new();
    let panic = catch_unwind(AssertUnwindSafe(|| loop {
        if let Next::Write { message, .. } = connection.next(&mut host).unwrap() {
            told.push(String::from_utf8_lossy(&message).into_owned());
        }
    }))
    .unwrap_err();
    assert_eq!(panic.downcast_ref(), Some(&"a bug of the host"));
    assert!(told.iter().any(|told| told.contains(r#""id":7,"error""#)), "{told:?}");
    assert!(turn(&mut connection, &mut host).1.is_ok());
}

#[test]
fn a_panic_of_a_consult_fails_the_guardian() {
    let guardians = json!({"guardians": [{"name": "aunt", "phases": ["before_show"]}]});
    for (consult, fails) in [((|| true) as fn() -> bool, false), (|| false, true), (|| panic!("no"), true)] {
        let (mut connection, mut host) = (open(guardians.clone()), Odd { consult, ..odd(i32::MAX, || Ok(())) });
        connection.receive(End::Server, ASK).unwrap();
        let mut wrote = false;
        let ended = catch_unwind(AssertUnwindSafe(|| loop {
            match connection.next(&mut host).unwrap() {
                Next::Write { .. } => wrote = true,
                Next::Effect { .. } => {}
                Next::Wait(time) => return time.is_some(),
            }
        }));
        assert_eq!(wrote, fails, "a guardian that fails denies");
        assert!(ended.map_or(fails, |waits| waits != fails), "it waits for an answer of a guardian alone");
    }
}

#[test]
fn a_callback_may_use_other_connections() {
    let (mut connection, mut host) = (
        open(json!({})),
        odd(0, || {
            let mut other = open(json!({}));
            other.receive(End::Server, ASK)?;
            let told = turn(&mut other, &mut ()).0;
            if told.contains(&"show".to_owned()) {
                Ok(())
            } else {
                Err("no question".into())
            }
        }),
    );
    connection.receive(End::Server, ASK).unwrap();
    let (told, end) = turn(&mut connection, &mut host);
    assert!(end.is_ok() && told.contains(&"show".to_owned()), "{told:?} {end:?}");
}

#[test]
fn engines_on_threads() {
    let work = |mut connection: Connection| {
        move || {
            for _ in 0..50 {
                connection.receive(End::Server, NOTICE).unwrap();
                assert_eq!(turn(&mut connection, &mut ()).0, [String::from_utf8_lossy(NOTICE)]);
            }
            connection
        }
    };
    let schema = Schema::read(r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#).unwrap();
    thread::scope(|scope| {
        let threads = [0; 4].map(|_| thread::spawn(work(open(json!({})))));
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| assert_eq!(schema.check(r#"{"n":1.5}"#).unwrap().len(), 1)));
        }
        threads.into_iter().for_each(|thread| drop(thread.join().unwrap())); // dropped by a thread that did not open it
    });
}

#[test]
fn dropped_with_open_questions_and_effects() {
    for inputs in 0..3 {
        let mut connection = open(json!({}));
        for _ in 0..inputs {
            connection.receive(End::Server, ASK).unwrap();
        }
        let kept = connection.next(&mut ()).unwrap();
        drop(connection);
        assert!(!format!("{kept:?}").is_empty(), "an effect outlives its connection");
    }
    let mut connection = open(json!({}));
    connection.receive(End::Server, NOTICE).unwrap();
    let Next::Write { message, .. } = connection.next(&mut ()).unwrap() else { panic!("no message") };
    drop(connection);
    assert_eq!(&*thread::spawn(move || message).join().unwrap(), NOTICE);
}

#[test]
fn odd_bytes_and_sizes() {
    let mut connection = open(json!({}));
    let mut longest = br#"{"jsonrpc":"2.0","method":"n","params":{"a":""#.to_vec();
    longest.resize(Connection::MAX_MESSAGE - 3, b'x');
    longest.extend(b"\"}}");
    let longer = [&longest[..longest.len() - 3], b"y\"}}"].concat();
    for (message, passes) in [
        (&b""[..], false),
        (b"\xff\xfe{}", false),
        (b"{\"jsonrpc\":\"2.0\",\"method\":\"\xc3\"}", false),
        (br#"{"jsonrpc":"2.0","method":"\ud800"}"#, false),
        (b"\0", false),
        (&longest, true),
        (&longer, false),
        (NOTICE, true),
    ] {
        connection.receive(End::Server, message).unwrap();
        let (told, end) = turn(&mut connection, &mut ());
        assert_eq!(told.iter().any(|told| told.as_bytes() == message), passes, "{} bytes", message.len());
        assert!(end.is_ok());
    }
    assert!(
        matches!(connection.step_text("{\"event\":\"sing\"}"), Err(Error::Invalid(problems)) if problems.len() == 1)
    );
    assert!(matches!(connection.step_text(""), Err(Error::Invalid(_))));
    assert!(matches!(connection.step_text(&" ".repeat(9 << 20)), Err(Error::TooLarge(_))));
    connection.receive(End::Server, NOTICE).unwrap();
    assert_eq!(turn(&mut connection, &mut ()).0.len(), 1, "a refused input changes nothing");
}

fn ask(schema: &str) -> Vec<u8> {
    let params = format!(r#"{{"message":"Keep?","requestedSchema":{schema}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{params}}}"#).into_bytes()
}

const NUMBERS: [&str; 6] =
    ["1e400", "-1E-400", "12345678901234567890123", "-0.0", "1e9999999999", "0.10000000000000000001"];

#[test]
fn every_number_of_a_question_reaches_the_host() {
    for number in NUMBERS {
        let schema = format!(
            r#"{{"type":"object","properties":{{"n":{{"type":"number","minimum":{number},"default":{number}}}}}}}"#
        );
        let mut connection = open(json!({}));
        connection.receive(End::Server, &ask(&schema)).unwrap();
        let Some(show) = shown(&mut connection) else { panic!("{number} is not shown") };
        let form = show.form.unwrap();
        assert_eq!(form.fields[0].constraints.as_ref().unwrap().minimum.as_ref().unwrap().get(), number);
        let read = Schema::read(&schema).unwrap();
        assert_eq!(read.form().fields[0].constraints.as_ref().unwrap().minimum.as_ref().unwrap().get(), number);
    }
}

#[test]
fn every_number_of_a_held_call_reaches_the_host() {
    let relay = json!({"server": "s", "modes": ["form"], "hold_calls": true});
    for number in NUMBERS {
        let mut connection = Connection::open(&relay).unwrap();
        let params = format!(r#"{{"name":"save","arguments":{{"x":{number}}}}}"#);
        let call = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{params}}}"#);
        connection.receive(End::Client, call.as_bytes()).unwrap();
        let Some(show) = shown(&mut connection) else { panic!("{number} is not shown") };
        assert_eq!(show.arguments.as_ref().unwrap()["x"].get(), number);
        connection.step(&show.answer(Action::Accept, None)).unwrap();
        assert_eq!(turn(&mut connection, &mut ()).0.last(), Some(&call));
    }
}

#[test]
fn what_cannot_be_used() {
    assert!(matches!(Connection::open(&json!({"sever": "s"})), Err(Error::Invalid(_))));
    assert!(matches!(Connection::open(&"s"), Err(Error::Invalid(_))));
    assert!(matches!(Connection::open_text("{}").unwrap().next(&mut ()), Err(Error::Status(2))), "an engine");
    assert!(matches!(Schema::read("["), Err(Error::Invalid(_))));
    assert!(matches!(eval("sing", "{}"), Err(Error::Invalid(_))));
    assert!(matches!(eval("check\0", "{}"), Err(Error::Invalid(_))));
    assert!(matches!(eval("check", &"[".repeat(9 << 20)), Err(Error::TooLarge(_))));
    let said = Connection::open(&json!({"sever": "s"})).unwrap_err().to_string();
    assert!(said.starts_with("the engine cannot use the input: "), "{said}");
}

/// A connection may move between threads. Only a form may be shared.
#[test]
fn threads_and_types() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Connection>();
    send::<Next>();
    send::<Error>();
    sync::<Schema>();
}

#[test]
fn the_console_reads_a_schema_that_only_raised_limits_let_in() {
    let choices: Vec<_> = (0..1500).map(|i| format!("v{i}")).collect();
    let schema = json!({"type": "object", "properties": {"f": {"type": "string", "enum": choices}}});
    let ask = json!({"jsonrpc": "2.0", "id": 7, "method": "elicitation/create",
        "params": {"message": "Which?", "requestedSchema": schema}});
    let mut connection = open(json!({"limits": {"choices": 2000}}));
    connection.receive(End::Server, ask.to_string().as_bytes()).unwrap();
    let mut console = Console::new(Vec::new());
    loop {
        match connection.next(&mut ()).unwrap() {
            Next::Effect { effect, .. } => drop(console.perform(&effect).unwrap()),
            Next::Wait(_) => break,
            Next::Write { .. } => {}
        }
    }
    let Some(RelayEvent::Answered(answer)) = console.typed(Some(b"v1499")).unwrap() else { panic!("no answer") };
    assert_eq!(answer.content_text.as_deref(), Some(r#"{"f":"v1499"}"#));
}
