//! A host of today reads the effects of a later version, and the bytes of a record stay what they were.
use elicit_engine::contract::{Action, AskingEffect, Cause, Effect, Event, RelayEffect, Ticked, Unmuted};

#[test]
fn later_versions() {
    let text = r#"{"effect":"withdraw","session":"s","id":"1","cause":"rained","later":[1,{"a":null}]}"#;
    match Effect::read(text).unwrap() {
        Effect::Withdraw(w) => assert_eq!(w.cause, Cause::Unknown("rained".into())),
        other => panic!("{other:?}"),
    }
    for text in [r#"{"effect":"sing","to":"client"}"#, r#"{"later":1,"effect":"sing"}"#] {
        assert!(matches!(RelayEffect::read(text).unwrap(), RelayEffect::Unknown(name) if name == "sing"));
        assert!(matches!(AskingEffect::read(text).unwrap(), AskingEffect::Unknown(_)));
    }
    assert!(Effect::read(r#"{"effect":"withdraw","session":"s"}"#).is_err(), "a member is missing");
}

#[test]
fn records_keep_their_bytes() {
    let record = r#"{"n":1.0,"u":"\/","big":12345678901234567890123}"#;
    match Effect::read(&format!(r#"{{"effect":"append","record":{record}}}"#)).unwrap() {
        Effect::Append(append) => assert_eq!(append.record.get(), record),
        other => panic!("{other:?}"),
    }
}

#[test]
fn events() {
    let event = Event::Unmuted(Unmuted { session: "s".into(), server: "files".into() });
    let text = serde_json::to_string(&event).unwrap();
    assert_eq!(text, r#"{"event":"unmuted","session":"s","server":"files"}"#);
    assert_eq!(serde_json::to_string(&Event::Ticked(Ticked {})).unwrap(), r#"{"event":"ticked"}"#);
    assert_eq!(serde_json::to_string(&Action::Accept).unwrap(), r#""accept""#);
}
