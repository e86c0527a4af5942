//! Everything that a guardian of Elicit needs in Rust: see README.md. A guardian is two functions and a manifest:
//!
//! ```ignore
//! elicit_guardian::guardian!("guardian.json", evaluate, check_settings);
//! fn evaluate(question: &Question, verdict: &mut Verdict) {}
//! fn check_settings(settings: Value, problems: &mut Problems) {}
//! ```

mod arena;
pub mod data;
pub mod json;
mod settings;

pub use json::{at, pointer, Kind, Value};
pub use settings::Problems;

use json::{quote, Doc};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    BeforeShow,
    BeforeSend,
}

/// A question to the guardian. Members that were not declared and permitted are missing.
pub struct Question<'a> {
    pub phase: Phase,
    /// Milliseconds since 1970; a guardian has no other clock.
    pub at: i64,
    pub request: Value<'a>,
    /// The values by the names of their fields; missing before a question is shown.
    pub answer: Value<'a>,
    pub settings: Value<'a>,
    /// 32 hexadecimal digits, the same when the question is asked again on replay.
    pub seed: &'a str,
}

/// In the order of strictness: a verdict that was given two keeps the stricter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    Pass,
    Allow,
    Ask,
    Deny,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

const MAX_FINDINGS: usize = 32;
const MAX_OBLIGATIONS: usize = 8;
const MAX_MESSAGE: usize = 500;
const MAX_FOUND: usize = 12 << 10; // of the 16 KiB that a host reads

/// The guardian's verdict, `Pass` until it says something else.
pub struct Verdict {
    pub decision: Decision,
    findings: (usize, String),
    obligations: (usize, String),
}

impl Default for Verdict {
    fn default() -> Verdict {
        Verdict { decision: Decision::Pass, findings: (0, String::new()), obligations: (0, String::new()) }
    }
}

impl Verdict {
    /// Decides, unless something stricter was decided before.
    pub fn decide(&mut self, decision: Decision) {
        self.decision = self.decision.max(decision);
    }

    /// Tells what was found. The code is lower_snake; the pointer leads into the question's documents, "" for none. The
    /// host reads 32 findings; those behind are dropped here, and long messages cut.
    pub fn find(&mut self, severity: Severity, code: &str, at: &str, message: &str) {
        let (count, out) = &mut self.findings;
        let before = out.len();
        if *count == MAX_FINDINGS {
            return;
        }
        out.push_str(if *count == 0 { "{\"code\":" } else { ",{\"code\":" });
        quote(out, code);
        if !at.is_empty() {
            out.push_str(",\"pointer\":");
            quote(out, at);
        }
        out.push_str(",\"message\":");
        quote(out, cut(message, MAX_MESSAGE));
        out.push_str(match severity {
            Severity::Info => ",\"severity\":\"info\"}",
            Severity::Low => ",\"severity\":\"low\"}",
            Severity::Medium => ",\"severity\":\"medium\"}",
            Severity::High => ",\"severity\":\"high\"}",
            Severity::Critical => ",\"severity\":\"critical\"}",
        });
        if out.len() > MAX_FOUND {
            out.truncate(before);
        } else {
            *count += 1;
        }
    }

    /// Obliges the host to leave this part of the answer out. Only before an answer is sent.
    pub fn redact(&mut self, at: &str) {
        let mut one = String::from("{\"do\":\"redact\",\"pointer\":");
        quote(&mut one, at);
        one.push('}');
        self.oblige(&one);
    }

    /// Obliges the host to let another person approve. Only before an answer is sent.
    pub fn second_person(&mut self) {
        self.oblige("{\"do\":\"second_person\"}");
    }

    /// An obligation is never dropped: one more than the host takes is a denial.
    fn oblige(&mut self, one: &str) {
        let (count, out) = &mut self.obligations;
        if *count == MAX_OBLIGATIONS {
            return self.decide(Decision::Deny);
        }
        if *count > 0 {
            out.push(',');
        }
        out.push_str(one);
        *count += 1;
    }

    fn write(&self) -> String {
        let mut out = String::with_capacity(self.findings.1.len() + self.obligations.1.len() + 80);
        out.push_str(match self.decision {
            Decision::Pass => "{\"v\":1,\"decision\":\"pass\"",
            Decision::Allow => "{\"v\":1,\"decision\":\"allow\"",
            Decision::Ask => "{\"v\":1,\"decision\":\"ask\"",
            Decision::Deny => "{\"v\":1,\"decision\":\"deny\"",
        });
        for (name, (count, list)) in [(",\"findings\":[", &self.findings), (",\"obligations\":[", &self.obligations)] {
            if *count > 0 {
                out.push_str(name);
                out.push_str(list);
                out.push(']');
            }
        }
        out.push('}');
        out
    }
}

/// The verdict for a question, both as JSON; `None` when it is no question.
pub fn evaluate(question: &[u8], rule: fn(&Question, &mut Verdict)) -> Option<String> {
    let doc = Doc::read(question)?;
    let q = doc.root();
    if q.get("v").int() != Some(1) {
        return None;
    }
    let phase = match q.get("phase") {
        p if p.is("before_show") => Phase::BeforeShow,
        p if p.is("before_send") => Phase::BeforeSend,
        _ => return None,
    };
    let mut verdict = Verdict::default();
    let seed = q.get("seed").raw().trim_matches('"');
    rule(
        &Question {
            phase,
            at: q.get("at").int()?,
            request: q.get("request"),
            answer: q.get("answer"),
            settings: q.get("settings"),
            seed,
        },
        &mut verdict,
    );
    Some(verdict.write())
}

/// The problems of settings, both as JSON.
pub fn check_settings(settings: &[u8], rule: fn(Value, &mut Problems)) -> Option<String> {
    let doc = Doc::read(settings)?;
    let mut problems = Problems::default();
    rule(doc.root(), &mut problems);
    Some(problems.write())
}

/// The beginning of a text, at most that many bytes.
pub fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[derive(Clone, Copy)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}

/// Writes a line to the host's log, which never changes a verdict.
pub fn log(level: Level, line: &str) {
    #[cfg(target_arch = "wasm32")]
    {
        #[link(wasm_import_module = "elicit_guardian_v1")]
        extern "C" {
            #[link_name = "log"]
            fn host_log(level: i32, ptr: *const u8, len: usize);
        }
        unsafe { host_log(level as i32, line.as_ptr(), line.len()) }
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = (level, line);
}

/// Makes a crate a guardian: the manifest's file, beside this source, and the two functions.
#[macro_export]
macro_rules! guardian {
    ($manifest:literal, $evaluate:path, $check:path) => {
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            #[link_section = "elicit.guardian"]
            #[used]
            static MANIFEST: [u8; include_bytes!($manifest).len()] = *include_bytes!($manifest);

            #[no_mangle]
            pub extern "C" fn elicit_alloc(len: usize) -> *mut u8 {
                $crate::take(len)
            }
            #[no_mangle]
            pub unsafe extern "C" fn elicit_evaluate(ptr: *const u8, len: usize) -> u64 {
                $crate::give($crate::evaluate(std::slice::from_raw_parts(ptr, len), $evaluate))
            }
            #[no_mangle]
            pub unsafe extern "C" fn elicit_check_settings(ptr: *const u8, len: usize) -> u64 {
                $crate::give($crate::check_settings(std::slice::from_raw_parts(ptr, len), $check))
            }
        };
    };
}

#[doc(hidden)]
pub fn take(len: usize) -> *mut u8 {
    Vec::leak(Vec::with_capacity(len.max(1))).as_mut_ptr()
}

#[doc(hidden)]
pub fn give(text: Option<String>) -> u64 {
    match text.map(|t| t.into_bytes().leak()) {
        Some(out) => (out.as_ptr() as u64) << 32 | out.len() as u64,
        None => 0,
    }
}
