//! No engine makes an effect that the crate cannot read, so this gives one to the function that reads them.
use super::*;

#[test]
fn a_question_that_cannot_be_read_is_cancelled_and_named_once() {
    let session = json!({"version": "2025-11-25", "declared": ["form"]});
    let relay = json!({"server": "s", "role": "client", "modes": ["form"], "session": session});
    let mut connection = Connection::open(&relay).unwrap();
    let schema = json!({"type": "object", "properties": {}});
    let ask = json!({"jsonrpc": "2.0", "id": 7, "method": "elicitation/create",
        "params": {"message": "Keep?", "requestedSchema": schema}});
    connection.receive(End::Server, ask.to_string().as_bytes()).unwrap();
    let show = loop {
        match connection.next(&mut ()).unwrap() {
            Next::Effect { effect: RelayEffect::Show(_), text } => break text,
            Next::Wait(_) => panic!("no question"),
            _ => {}
        }
    };
    for unreadable in [show[..9].to_owned(), show.replace(r#""Keep?""#, "7")] {
        match connection.effect(unreadable.clone()) {
            Err(Error::Unreadable { text, .. }) => assert_eq!(text, unreadable),
            other => panic!("{other:?}"),
        }
    }
    let mut sent = Vec::new();
    loop {
        match connection.next(&mut ()).unwrap() {
            Next::Write { message, .. } => sent.push(String::from_utf8_lossy(&message).into_owned()),
            Next::Wait(_) => break,
            Next::Effect { .. } => {}
        }
    }
    assert_eq!(sent, [r#"{"jsonrpc":"2.0","id":7,"result":{"action":"cancel"}}"#]);
}
