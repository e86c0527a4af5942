//! hosts: refuses links to hosts that are not allowed, and asks when a message or the label of a field uses one of some
//! words. Begin here: change the rule in `evaluate`, and in guardian.json the name and what the rule reads. To see a
//! whole question, run `elicit guardian question --schema FORM`.

use elicit_guardian::{at, guardian, pointer, Decision, Kind, Problems, Question, Severity, Value, Verdict};

guardian!("../guardian.json", evaluate, check_settings);

fn evaluate(question: &Question, verdict: &mut Verdict) {
    let url = question.request.get("url");
    if url.kind() != Kind::Missing {
        let url = url.text().to_ascii_lowercase();
        let host = host(&url);
        if host.is_empty() {
            verdict.decide(Decision::Deny);
            verdict.find(Severity::High, "no_https_host", "/request/url", "the link is not https or names no host");
        } else if !question.settings.get("allow").items().any(|h| h.is(host)) {
            verdict.decide(Decision::Deny);
            verdict.find(
                Severity::High,
                "host_not_allowed",
                "/request/url",
                &[host, " is not among the allowed hosts"].concat(),
            );
        }
    }
    let message = question.request.get("message").text().to_ascii_lowercase();
    for word in question.settings.get("words").items() {
        let word = word.text();
        if !word.is_empty() && message.contains(&*word) {
            verdict.decide(Decision::Ask);
            verdict.find(Severity::Medium, "word", "/request/message", &["the message says: ", &word].concat());
        }
    }
    for (n, field) in question.request.get("form").get("fields").items().enumerate() {
        let label = field.get("label").text().to_ascii_lowercase();
        for word in question.settings.get("words").items() {
            let word = word.text();
            if !word.is_empty() && label.contains(&*word) {
                verdict.decide(Decision::Ask);
                verdict.find(
                    Severity::Medium,
                    "word",
                    &at("/request/form/fields/*/label", n),
                    &["the form says: ", &word].concat(),
                );
            }
        }
    }
}

/// The host of an https URL, as a browser finds it; nothing when there is none.
fn host(url: &str) -> &str {
    let rest = url.strip_prefix("https://").unwrap_or("");
    let authority = rest.split(|c| matches!(c, '/' | '\\' | '?' | '#')).next().unwrap_or("");
    let host = authority.rsplit('@').next().unwrap_or("");
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    }
}

fn check_settings(settings: Value, problems: &mut Problems) {
    if settings.kind() != Kind::Object {
        problems.add("", "must be an object");
    }
    for (name, value) in settings.members() {
        let at = pointer("", &name.text());
        if !name.is("allow") && !name.is("words") {
            problems.add(&at, "is not a setting of this guardian");
        } else if value.kind() != Kind::List || value.items().any(|v| v.text().is_empty()) {
            problems.add(&at, "must be a list of texts");
        }
    }
}
