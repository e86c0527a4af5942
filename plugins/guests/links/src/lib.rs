//! Keeps links to the hosts that are allowed, and from hosts that only look like them. See README.md.

mod host;
mod puny;

use elicit_guardian::{cut, Decision, Kind, Phase, Problems, Question, Severity, Value, Verdict};
use host::{Host, Name};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

const MOST_HOSTS: usize = 128;
const MOST_LINKS: usize = 16;
const MOST_MESSAGE: usize = 24 << 10;

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["allow", "deny", "others", "tricks", "message"]);
    for list in ["allow", "deny"] {
        problems.texts(settings, list, MOST_HOSTS);
        for (i, host) in settings.get(list).items().enumerate() {
            if host.text().bytes().any(|c| matches!(c, b'/' | b':' | b'*' | b'@' | b' ') || c.is_ascii_uppercase())
                && !host.text().starts_with('[')
            {
                problems.add(
                    &["/", list, "/", &reading::subject::number(i)].concat(),
                    "must be a host in small letters, without scheme, port, path or star",
                );
            }
        }
    }
    problems.one_of(settings, "others", &["deny", "ask", "pass"]);
    problems.one_of(settings, "tricks", &["deny", "ask", "find"]);
    problems.truth(settings, "message");
}

/// The settings, read once.
struct Rules {
    allow: Vec<Name>,
    deny: Vec<String>,
    others: Decision,
    tricks: Decision,
}

impl Rules {
    fn of(settings: Value) -> Rules {
        let hosts = |list| settings.get(list).items().take(MOST_HOSTS).map(|h| host::decoded(&h.text()));
        let allow: Vec<Name> = hosts("allow").map(Name::of).collect();
        let listed = if allow.is_empty() { Decision::Pass } else { Decision::Deny };
        Rules {
            deny: hosts("deny").collect(),
            others: choice(settings.get("others"), listed),
            tricks: choice(settings.get("tricks"), Decision::Deny),
            allow,
        }
    }
}

fn choice(setting: Value, absent: Decision) -> Decision {
    match setting {
        s if s.is("deny") => Decision::Deny,
        s if s.is("ask") => Decision::Ask,
        s if s.kind() == Kind::Missing => absent,
        _ => Decision::Pass,
    }
}

pub fn evaluate(q: &Question, v: &mut Verdict) {
    if q.phase != Phase::BeforeShow {
        return;
    }
    let rules = Rules::of(q.settings);
    let url = q.request.get("url");
    if url.raw().len() > 8192 {
        v.decide(rules.tricks);
        v.find(Severity::High, "no_plain_link", "/request/url", "the link is longer than 8,192 bytes");
    } else if url.kind() != Kind::Missing {
        judge(&url.text(), "/request/url", &rules, v);
    }
    if q.settings.get("message").raw() == "false" {
        return;
    }
    let message = q.request.get("message");
    if message.raw().len() > MOST_MESSAGE {
        v.decide(Decision::Ask);
        v.find(Severity::Medium, "too_long", "/request/message", "more text than this guardian reads");
        return;
    }
    let text = message.text();
    let (mut from, mut count) = (0, 0);
    while let Some((start, end)) = next_link(&text, from) {
        count += 1;
        if count > MOST_LINKS {
            v.decide(Decision::Ask);
            v.find(Severity::Medium, "many_links", "/request/message", "more links than this guardian reads");
            return;
        }
        judge(&text[start..end], "/request/message", &rules, v);
        from = end;
    }
}

/// The next link in a text from a byte on: a scheme of the web, and what follows up to a blank, a quote or a bracket.
fn next_link(text: &str, from: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut i = from;
    loop {
        while *bytes.get(i)? != b':' {
            i += 1;
        }
        let start = match &bytes[from..i] {
            s if ends(s, b"https") => i - 5,
            s if ends(s, b"http") => i - 4,
            _ => {
                i += 1;
                continue;
            }
        };
        if !matches!(bytes.get(i + 1), Some(b'/' | b'\\')) {
            i += 1;
            continue;
        }
        let mut end = i;
        while end < bytes.len() && !matches!(bytes[end], 0..=b' ' | b'"' | b'<' | b'>' | b'`' | b')' | b'\'') {
            end += 1;
        }
        while end > i && matches!(bytes[end - 1], b'.' | b',' | b';' | b'!' | b'?') {
            end -= 1;
        }
        return Some((start, end));
    }
}

fn ends(s: &[u8], with: &[u8]) -> bool {
    s.len() >= with.len() && s[s.len() - with.len()..].eq_ignore_ascii_case(with)
}

fn judge(url: &str, at: &str, rules: &Rules, v: &mut Verdict) {
    let host = match host::of_url(url) {
        Ok(host) => host,
        Err(why) => {
            v.decide(rules.tricks);
            return v.find(Severity::High, "no_plain_link", at, &["the link ", why, ": ", cut(url, 80)].concat());
        }
    };
    let shown = cut(&host.written, 80);
    let name = Name::of(host::decoded(&host.unicode));
    if host.userinfo {
        v.decide(rules.tricks);
        v.find(
            Severity::High,
            "userinfo",
            at,
            &["what stands before the @ is no host; the link leads to ", shown].concat(),
        );
    }
    if let Some(d) = rules.deny.iter().find(|d| host::covers(d, &name.host)) {
        v.decide(Decision::Deny);
        return v.find(Severity::High, "host_denied", at, &[shown, " is denied by ", d].concat());
    }
    if rules.allow.iter().any(|a| host::covers(&a.host, &name.host)) {
        return;
    }
    if let Some(trick) = trick(&host) {
        v.decide(rules.tricks);
        v.find(Severity::High, trick.0, at, &[shown, trick.1].concat());
    } else if let Some((how, known)) = lookalike(&name, &rules.allow) {
        v.decide(rules.tricks);
        v.find(Severity::High, "lookalike", at, &[shown, how, &known.host].concat());
    }
    if rules.others != Decision::Pass {
        v.decide(rules.others);
        v.find(Severity::Medium, "host_not_allowed", at, &[shown, " is not among the allowed hosts"].concat());
    }
}

/// The first allowed host that a host resembles, and how.
fn lookalike<'a>(name: &Name, allowed: &'a [Name]) -> Option<(&'static str, &'a Name)> {
    let words = name.words();
    allowed.iter().find_map(|known| name.resembles(&words, known).map(|how| (how, known)))
}

fn trick(host: &Host) -> Option<(&'static str, &'static str)> {
    if host.ip {
        Some(("ip_literal", " is an address without a name"))
    } else if host.unicode.split('.').any(host::mixed) {
        Some(("mixed_script", " mixes alphabets"))
    } else if host::imitates(&host.unicode) {
        Some(("imitation", " imitates Latin letters"))
    } else {
        None
    }
}
