//! Finds card and account numbers and national identity numbers. See README.md.

mod number;

use elicit_guardian::{pointer, Decision, Kind, Phase, Problems, Question, Severity, Value, Verdict};
use reading::subject::number as decimal;
use reading::{answers, closed, member, texts, Part, Phrases};

elicit_guardian::guardian!("../guardian.json", evaluate, check_settings);

pub fn check_settings(settings: Value, problems: &mut Problems) {
    problems.only(settings, &["answers", "forms", "kinds"]);
    problems.one_of(settings, "answers", &["ask", "redact", "deny", "find"]);
    problems.one_of(settings, "forms", &["find", "ask", "deny"]);
    problems.texts(settings, "kinds", number::NAMES.len());
    for (i, kind) in settings.get("kinds").items().enumerate() {
        if !number::NAMES.iter().any(|n| kind.is(n)) {
            problems.add(&pointer("/kinds", &decimal(i)), "is no kind of number that this guardian knows");
        }
    }
}

pub fn evaluate(q: &Question, v: &mut Verdict) {
    match q.phase {
        Phase::BeforeShow => forms(q, v),
        Phase::BeforeSend => sent(q, v),
    }
}

/// The phrases that ask for a number, by kind, in the order of KINDS.
const KINDS: [&str; 13] = ["card", "iban", "be", "br", "ch", "cn", "de", "es", "fr", "it", "nl", "pl", "us"];
const ASKS: [&[&str]; 13] = [
    &[
        "credit card",
        "creditcard",
        "card number",
        "debit card",
        "cc number",
        "payment card",
        "Kreditkarte",
        "Kreditkartennummer",
        "carte bancaire",
        "carte de crédit",
        "tarjeta de crédito",
        "cartão de crédito",
        "carta di credito",
        "numer karty",
        "номер карты",
        "信用卡",
        "クレジットカード",
    ],
    &[
        "iban",
        "bank account",
        "account number",
        "Kontonummer",
        "Bankverbindung",
        "compte bancaire",
        "cuenta bancaria",
        "conta bancária",
        "conto corrente",
        "numer konta",
        "номер счета",
        "银行账号",
        "口座番号",
    ],
    &["rijksregisternummer", "numéro national", "numéro de registre national"],
    &["cpf", "cadastro de pessoas físicas"],
    &["AHV", "AHV Nummer", "numéro AVS", "numero AVS", "Sozialversicherungsnummer"],
    &["身份证", "身份證", "居民身份证", "identity card number"],
    &[
        "Steuer ID",
        "Steueridentifikationsnummer",
        "Steuernummer",
        "Identifikationsnummer",
        "Personalausweisnummer",
        "Ausweisnummer",
    ],
    &["dni", "nie", "número de identidad", "documento de identidad", "nif"],
    &["NIR", "numéro de sécurité sociale", "sécurité sociale", "numéro fiscal"],
    &["codice fiscale"],
    &["bsn", "burgerservicenummer", "sofinummer"],
    &["pesel", "numer dowodu", "nip"],
    &[
        "social security number",
        "social security",
        "ssn",
        "taxpayer identification",
        "tax id",
        "national id",
        "national identity number",
        "national insurance number",
        "passport number",
        "identity number",
        "driver license number",
        "drivers license",
        "Passnummer",
        "número de pasaporte",
        "numéro de passeport",
        "护照号码",
    ],
];

fn counts(settings: Value, kind: &str) -> bool {
    let kinds = settings.get("kinds");
    kinds.kind() == Kind::Missing || kinds.items().any(|k| k.is(kind))
}

fn forms(q: &Question, v: &mut Verdict) {
    let mut groups = ASKS;
    for (group, kind) in groups.iter_mut().zip(KINDS) {
        if !counts(q.settings, kind) {
            *group = &[];
        }
    }
    let all = Phrases::new(&groups);
    let mut found = false;
    let all_read = texts(q, &mut |t, field| {
        // A mention in the message is no request; a field for text is.
        if !matches!(t.part, Part::Name | Part::Title | Part::Description) || closed(field) {
            return;
        }
        if let Some(f) = all.first(&t.text) {
            found = true;
            let what = t.text.get(f.start..f.end).unwrap_or("");
            v.find(
                Severity::Medium,
                "asks_pii",
                &t.pointer(),
                &["asks for a number that names a person: ", elicit_guardian::cut(what, 60)].concat(),
            );
        }
    });
    if !all_read {
        found = true;
        v.find(Severity::Medium, "too_long", "/request", "more text than this guardian reads");
    }
    if found {
        v.decide(match q.settings.get("forms") {
            s if s.is("deny") => Decision::Deny,
            s if s.is("ask") => Decision::Ask,
            _ => Decision::Pass,
        });
    }
}

/// The most bytes of an answer that are looked at.
const MOST_ANSWER: usize = 8 << 10;

/// More members than a host takes findings or obligations for are not looked at.
const MOST_FOUND: usize = 32;

fn sent(q: &Question, v: &mut Verdict) {
    let action = q.settings.get("answers");
    let bsn = Phrases::new(&[ASKS[10]]);
    let mut found = 0;
    let all_read = answers(q, MOST_ANSWER, &mut |name, value| {
        if found > MOST_FOUND {
            return true;
        }
        let hidden = value.redacted();
        let text = value.text();
        let text = if value.kind() == Kind::Number { value.raw() } else { &*text };
        let mut worst: Option<&number::Kind> = None;
        if text.len() > 8 {
            let named = text.len() <= 32 && bsn.first(&name.text()).is_some();
            number::find(text, named, &mut |kind| {
                if counts(q.settings, kind.name) && worst.map_or(true, |w| kind.sure && !w.sure) {
                    worst = Some(kind);
                }
            });
        }
        let (severity, code, what) = match worst {
            _ if hidden => (Severity::Medium, "hidden_answer", "what the host keeps back as a secret"),
            Some(kind) => (if kind.sure { Severity::High } else { Severity::Low }, "pii_answer", kind.what),
            None => return false,
        };
        found += 1;
        let at = &member(name);
        v.find(severity, code, at, &["the answer holds ", what].concat());
        if action.is("redact") {
            v.redact(at);
        }
        true
    });
    if !all_read {
        v.find(Severity::Medium, "too_long", "/answer", "more than this guardian reads");
    }
    if found > 0 && !action.is("redact") || !all_read {
        v.decide(match action {
            a if a.is("deny") => Decision::Deny,
            a if a.is("find") => Decision::Pass,
            _ => Decision::Ask,
        });
    }
}
