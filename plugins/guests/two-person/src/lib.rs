//! Wants another person to approve answers to the requests that the settings name. See README.md.

use elicit_guardian::{Kind, Phase, Problems, Question, Severity, Value, Verdict};
use reading::{texts, Phrases};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

const MOST: usize = 128;

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["servers", "tools", "words", "match"]);
    problems.texts(settings, "servers", MOST);
    problems.texts(settings, "tools", MOST);
    problems.texts(settings, "words", MOST);
    problems.one_of(settings, "match", &["any", "all"]);
}

pub fn evaluate(q: &Question, v: &mut Verdict) {
    let lists =
        ["servers", "tools", "words"].map(|list| Some(q.settings.get(list)).filter(|l| l.kind() != Kind::Missing));
    let [servers, tools, words] = lists;
    let matched = [
        servers.map(|l| named(l, q.request.get("server")).then(|| "/request/server".into())),
        tools.map(|l| named(l, q.request.get("tool")).then(|| "/request/tool".into())),
        words.map(|l| said(l, q)),
    ];
    let hit = if lists.iter().all(|l| l.is_none()) {
        Some(String::new()) // no lists: every request
    } else if q.settings.get("match").is("all") && matched.iter().any(|m| *m == Some(None)) {
        None
    } else {
        matched.into_iter().flatten().flatten().next()
    };
    if let Some(at) = hit {
        v.find(Severity::Info, "two_person", &at, "another person must approve the answer");
        if q.phase == Phase::BeforeSend {
            v.second_person();
        }
    }
}

/// Whether a name is in a list. A name that the guardian may not read might be.
fn named(list: Value, name: Value) -> bool {
    if name.kind() != Kind::Text {
        return true;
    }
    let name = name.text();
    list.items().any(|item| {
        let item = item.text();
        match item.strip_suffix('*') {
            Some(begin) => name.starts_with(begin),
            None => name == item,
        }
    })
}

/// Where a phrase of the list is shown. A text that is too long to read might hold one.
fn said(list: Value, q: &Question) -> Option<String> {
    let mut phrases = Phrases::new(&[]);
    list.items().take(MOST).for_each(|w| phrases.add(0, &w.text()));
    let mut at = None;
    let all = texts(q, &mut |t, _| {
        if at.is_none() && phrases.first_of(&t.text, 0).is_some() {
            at = Some(t.pointer());
        }
    });
    at.or_else(|| (!all).then(|| "/request".into()))
}
