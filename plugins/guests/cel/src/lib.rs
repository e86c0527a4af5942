//! Decides by rules in CEL that stand in the settings. See README.md.

mod members;
mod names;
mod rule;
mod value;

use elicit_guardian::{Decision, Phase, Problems, Question, Severity, Value, Verdict};
use rule::{Outcome, Rule};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

const MOST_RULES: usize = 64;

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["rules", "data", "on_error"]);
    problems.one_of(settings, "on_error", &["deny", "ask"]);
    let mut count = 0;
    for (i, one) in settings.get("rules").items().enumerate() {
        rule::check(one, settings.get("data"), &format!("/rules/{i}"), problems);
        count = i + 1;
    }
    if count == 0 || count > MOST_RULES {
        problems.add("/rules", "must be a list of 1 to 64 rules");
    }
}

pub fn evaluate(q: &Question, v: &mut Verdict) {
    let named = |name: &str| q.settings.get("rules").items().any(|r| r.get("when").text().contains(name));
    let mut context = rule::context(named);
    let phase = match q.phase {
        Phase::BeforeShow => "before_show",
        Phase::BeforeSend => "before_send",
    };
    for (name, document) in [("request", q.request), ("answer", q.answer), ("data", q.settings.get("data"))] {
        if !named(name) {
            continue; // a long document costs fuel
        }
        // A value that CEL does not have makes every rule that names it fail, and that counts as on_error says.
        if let Some(value) = value::convert(document) {
            context.add_variable_from_value(name, value);
        }
    }
    context.add_variable_from_value("phase", phase.to_string());
    context.add_variable_from_value("at", q.at);
    let failed = if q.settings.get("on_error").is("ask") { Decision::Ask } else { Decision::Deny };
    for one in q.settings.get("rules").items() {
        let rule = Rule::of(one);
        if !rule.counts_in(phase) {
            continue;
        }
        match rule.outcome(&context) {
            Outcome::No => {}
            Outcome::Yes => rule.speak(q.phase, v),
            Outcome::Failed(why) => {
                v.decide(failed);
                v.find(
                    Severity::High,
                    "rule_failed",
                    "",
                    &format!("the rule {} could not be evaluated: {why}", rule.code()),
                );
            }
        }
    }
}
