//! A host of today reads what a later version writes: unknown effects and members change nothing of what it knows.
use elicit_engine::contract::{AskingEffect, Effect, RelayEffect};
use serde_json::value::RawValue;

#[derive(serde::Deserialize)]
struct Step {
    machine: String,
    plain: String,
    later: String,
}

#[derive(serde::Deserialize)]
struct Output<'a> {
    #[serde(borrow)]
    effects: Vec<&'a RawValue>,
}

/// The effects of a step, without those of a later version.
fn read(machine: &str, text: &str) -> Vec<String> {
    let output: Output = serde_json::from_str(text).expect(text);
    let read = |one: &&RawValue| match machine {
        "Effect" => format!("{:?}", Effect::read(one.get()).expect(one.get())),
        "RelayEffect" => format!("{:?}", RelayEffect::read(one.get()).expect(one.get())),
        _ => format!("{:?}", AskingEffect::read(one.get()).expect(one.get())),
    };
    output.effects.iter().map(read).filter(|one| !one.starts_with("Unknown(")).collect()
}

#[test]
fn later_versions_change_nothing_of_what_is_known() {
    let text = std::fs::read_to_string("../../testdata/later.json").expect("testdata/later.json");
    let steps: Vec<Step> = serde_json::from_str(&text).expect("steps");
    assert!(steps.len() > 50);
    for step in steps {
        let want = read(&step.machine, &step.plain);
        assert!(!want.is_empty() || step.plain.contains("[]"), "{}", step.plain);
        assert_eq!(read(&step.machine, &step.later), want, "{}", step.later);
    }
}
