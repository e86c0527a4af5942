//! Refuses links to the hosts of a list that is the data document. See README.md.

#[allow(dead_code)]
#[path = "../../links/src/host.rs"]
mod host;
mod list;
#[path = "../../links/src/puny.rs"]
mod puny;

use elicit_guardian::{cut, Decision, Kind, Problems, Question, Severity, Value, Verdict};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

const MOST_LINK: usize = 8192;

/// There is nothing to set. The list is read from end to end here, once, and not at each question.
pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &[]);
    if let Err(wrong) = list::check() {
        problems.add("", &wrong);
    }
}

pub fn evaluate(q: &Question, v: &mut Verdict) {
    let url = q.request.get("url");
    if url.kind() == Kind::Missing {
        return;
    }
    if url.raw().len() > MOST_LINK {
        v.decide(Decision::Deny);
        return v.find(Severity::High, "no_plain_link", "/request/url", "the link is longer than 8,192 bytes");
    }
    let text = url.text();
    let host = match host::of_url(&text) {
        Ok(host) => host.written,
        Err(why) => {
            v.decide(Decision::Deny);
            let message = ["the link ", why, ": ", cut(&text, 80)].concat();
            return v.find(Severity::High, "no_plain_link", "/request/url", &message);
        }
    };
    if !host.is_ascii() {
        // A browser turns it into punycode, by tables that this guardian has not.
        v.decide(Decision::Ask);
        let message = [cut(&host, 80), " has letters that the list has in punycode only"].concat();
        return v.find(Severity::Medium, "not_comparable", "/request/url", &message);
    }
    let mut name = &host[..];
    loop {
        if list::holds(name.as_bytes()) {
            v.decide(Decision::Deny);
            let message = [cut(&host, 80), " is refused by ", cut(name, 80), ", which is on the list"].concat();
            return v.find(Severity::High, "host_listed", "/request/url", &message);
        }
        match name.find('.') {
            Some(dot) => name = &name[dot + 1..],
            None => return,
        }
    }
}
