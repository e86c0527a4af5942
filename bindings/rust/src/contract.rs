// Code generated from docs/contract.schema.json by go test ./engine/abi -run TestContract -update; DO NOT EDIT.
//! The types of the events, the effects and the documents in them.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The exact text of a JSON value. It may be a number that no f64 holds, such as 1e400 or 12345678901234567890123.
/// `serde_json::from_str(json.get())` reads what fits, and `serde_json::value::to_raw_value` makes one.
pub type Json = Box<RawValue>;

/// Something that happened outside the engine. The set is closed. The engine refuses unknown events and members.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event")]
pub enum Event {
    #[serde(rename = "configured")]
    Configured(Configured),
    #[serde(rename = "opened")]
    Opened(Opened),
    #[serde(rename = "asked")]
    Asked(Asked),
    #[serde(rename = "answered")]
    Answered(Answered),
    #[serde(rename = "completed")]
    Completed(Completed),
    #[serde(rename = "called")]
    Called(Called),
    #[serde(rename = "cancelled")]
    Cancelled(Cancelled),
    #[serde(rename = "closed")]
    Closed(Closed),
    #[serde(rename = "resumed")]
    Resumed(Resumed),
    #[serde(rename = "noted")]
    Noted(Noted),
    #[serde(rename = "drafted")]
    Drafted(Drafted),
    #[serde(rename = "extended")]
    Extended(Extended),
    #[serde(rename = "preferred")]
    Preferred(Preferred),
    #[serde(rename = "revoked")]
    Revoked(Revoked),
    #[serde(rename = "unmuted")]
    Unmuted(Unmuted),
    #[serde(rename = "forgotten")]
    Forgotten(Forgotten),
    #[serde(rename = "ticked")]
    Ticked(Ticked),
    #[serde(rename = "consulted")]
    Consulted(Consulted),
}

/// Something that the host must do. It performs the effects of a step in their order.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum Effect {
    Append(Append),
    Show(Show),
    Withdraw(Withdraw),
    Reply(Reply),
    OpenUrl(OpenUrl),
    Resolve(Resolve),
    Remember(Remember),
    Extend(Extend),
    Pause(Pause),
    Wake(Wake),
    ProblemEffect(ProblemEffect),
    Consult(Consult),
    /// An effect of a later version. Ignore it.
    Unknown(String),
}

impl Effect {
    /// Reads one effect. Members of later versions are ignored.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        Ok(match effect_of(text)?.as_str() {
            "append" => Self::Append(serde_json::from_str(text)?),
            "show" => Self::Show(serde_json::from_str(text)?),
            "withdraw" => Self::Withdraw(serde_json::from_str(text)?),
            "reply" => Self::Reply(serde_json::from_str(text)?),
            "open_url" => Self::OpenUrl(serde_json::from_str(text)?),
            "resolve" => Self::Resolve(serde_json::from_str(text)?),
            "remember" => Self::Remember(serde_json::from_str(text)?),
            "extend" => Self::Extend(serde_json::from_str(text)?),
            "pause" => Self::Pause(serde_json::from_str(text)?),
            "wake" => Self::Wake(serde_json::from_str(text)?),
            "problem" => Self::ProblemEffect(serde_json::from_str(text)?),
            "consult" => Self::Consult(serde_json::from_str(text)?),
            other => Self::Unknown(other.to_owned()),
        })
    }
}

/// The events that a host gives the machine of a connection, besides messages (docs/reference/relay.md).
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event")]
pub enum RelayEvent {
    #[serde(rename = "received")]
    MessageReceived(MessageReceived),
    #[serde(rename = "ended")]
    Ended(Ended),
    #[serde(rename = "append_failed")]
    AppendFailed(AppendFailed),
    #[serde(rename = "answered")]
    Answered(Answered),
    #[serde(rename = "noted")]
    Noted(Noted),
    #[serde(rename = "drafted")]
    Drafted(Drafted),
    #[serde(rename = "extended")]
    Extended(Extended),
    #[serde(rename = "preferred")]
    Preferred(Preferred),
    #[serde(rename = "completed")]
    Completed(Completed),
    #[serde(rename = "consulted")]
    Consulted(Consulted),
    #[serde(rename = "revoked")]
    Revoked(Revoked),
    #[serde(rename = "unmuted")]
    Unmuted(Unmuted),
    #[serde(rename = "forgotten")]
    Forgotten(Forgotten),
    #[serde(rename = "configured")]
    Configured(Configured),
    #[serde(rename = "ticked")]
    Ticked(Ticked),
}

/// The effects of a connection. Its host performs them in order.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum RelayEffect {
    Forward(Forward),
    Send(Send),
    Close(Close),
    Note(Note),
    QuestionCame(QuestionCame),
    Settled(Settled),
    NewJournal(NewJournal),
    Append(Append),
    Show(Show),
    Withdraw(Withdraw),
    OpenUrl(OpenUrl),
    Resolve(Resolve),
    Remember(Remember),
    Extend(Extend),
    Pause(Pause),
    Wake(Wake),
    ProblemEffect(ProblemEffect),
    Consult(Consult),
    /// An effect of a later version. Ignore it.
    Unknown(String),
}

impl RelayEffect {
    /// Reads one effect. Members of later versions are ignored.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        Ok(match effect_of(text)?.as_str() {
            "forward" => Self::Forward(serde_json::from_str(text)?),
            "send" => Self::Send(serde_json::from_str(text)?),
            "close" => Self::Close(serde_json::from_str(text)?),
            "note" => Self::Note(serde_json::from_str(text)?),
            "question" => Self::QuestionCame(serde_json::from_str(text)?),
            "settled" => Self::Settled(serde_json::from_str(text)?),
            "new_journal" => Self::NewJournal(serde_json::from_str(text)?),
            "append" => Self::Append(serde_json::from_str(text)?),
            "show" => Self::Show(serde_json::from_str(text)?),
            "withdraw" => Self::Withdraw(serde_json::from_str(text)?),
            "open_url" => Self::OpenUrl(serde_json::from_str(text)?),
            "resolve" => Self::Resolve(serde_json::from_str(text)?),
            "remember" => Self::Remember(serde_json::from_str(text)?),
            "extend" => Self::Extend(serde_json::from_str(text)?),
            "pause" => Self::Pause(serde_json::from_str(text)?),
            "wake" => Self::Wake(serde_json::from_str(text)?),
            "problem" => Self::ProblemEffect(serde_json::from_str(text)?),
            "consult" => Self::Consult(serde_json::from_str(text)?),
            other => Self::Unknown(other.to_owned()),
        })
    }
}

/// The events of a machine of the asking side. docs/reference/abi.md describes the members.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event")]
pub enum AskingEvent {
    #[serde(rename = "called")]
    AskingCalled(AskingCalled),
    #[serde(rename = "posed")]
    AskingPosed(AskingPosed),
    #[serde(rename = "responded")]
    AskingResponded(AskingResponded),
    #[serde(rename = "submitted")]
    AskingSubmitted(AskingSubmitted),
    #[serde(rename = "once")]
    AskingOnce(AskingOnce),
    #[serde(rename = "claimed")]
    AskingClaimed(AskingClaimed),
    #[serde(rename = "completed")]
    AskingCompleted(AskingCompleted),
    #[serde(rename = "returned")]
    AskingReturned(AskingReturned),
    #[serde(rename = "cancelled")]
    AskingCancelled(AskingCancelled),
    #[serde(rename = "closed")]
    AskingClosed(AskingClosed),
    #[serde(rename = "lost")]
    AskingLost(AskingLost),
    #[serde(rename = "keyed")]
    AskingKeyed(AskingKeyed),
    #[serde(rename = "configured")]
    Configured(Configured),
    #[serde(rename = "revoked")]
    Revoked(Revoked),
    #[serde(rename = "unmuted")]
    Unmuted(Unmuted),
    #[serde(rename = "ticked")]
    Ticked(Ticked),
    #[serde(rename = "consulted")]
    Consulted(Consulted),
}

/// The effects of a machine of the asking side.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)]
pub enum AskingEffect {
    AskingSend(AskingSend),
    AskingCancelSent(AskingCancelSent),
    AskingNotify(AskingNotify),
    Interrupting(Interrupting),
    OpenPage(OpenPage),
    AskingValue(AskingValue),
    AskingResume(AskingResume),
    Append(Append),
    Remember(Remember),
    Wake(Wake),
    ProblemEffect(ProblemEffect),
    Consult(Consult),
    AskingSettled(AskingSettled),
    /// An effect of a later version. Ignore it.
    Unknown(String),
}

impl AskingEffect {
    /// Reads one effect. Members of later versions are ignored.
    pub fn read(text: &str) -> serde_json::Result<Self> {
        Ok(match effect_of(text)?.as_str() {
            "send" => Self::AskingSend(serde_json::from_str(text)?),
            "cancel_sent" => Self::AskingCancelSent(serde_json::from_str(text)?),
            "notify" => Self::AskingNotify(serde_json::from_str(text)?),
            "interrupt" => Self::Interrupting(serde_json::from_str(text)?),
            "page" => Self::OpenPage(serde_json::from_str(text)?),
            "value" => Self::AskingValue(serde_json::from_str(text)?),
            "resume" => Self::AskingResume(serde_json::from_str(text)?),
            "append" => Self::Append(serde_json::from_str(text)?),
            "remember" => Self::Remember(serde_json::from_str(text)?),
            "wake" => Self::Wake(serde_json::from_str(text)?),
            "problem" => Self::ProblemEffect(serde_json::from_str(text)?),
            "consult" => Self::Consult(serde_json::from_str(text)?),
            "settle" => Self::AskingSettled(serde_json::from_str(text)?),
            other => Self::Unknown(other.to_owned()),
        })
    }
}

/// How the person answers: in a form, or by visiting a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mode {
    #[serde(rename = "form")]
    Form,
    #[serde(rename = "url")]
    Url,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

/// The parts of an answer that reach whoever asked, beside the action and the content: other arguments for the held
/// call, and a note with a decline or an accept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Takes {
    #[serde(rename = "edit")]
    Edit,
    #[serde(rename = "decline_note")]
    DeclineNote,
    #[serde(rename = "accept_note")]
    AcceptNote,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

/// The kind of a question. A `confirm` has no fields; an `approval` is a `confirm` of a tool call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "form")]
    Form,
    #[serde(rename = "confirm")]
    Confirm,
    #[serde(rename = "url")]
    Url,
    #[serde(rename = "approval")]
    Approval,
    #[serde(rename = "suggestion")]
    Suggestion,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

/// A part of a message. It covers the next lines; a blank line between parts belongs to the part before it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MessagePart {
    pub is: String,
    pub lines: i64,
}

/// A compiled schema: the ordered fields that every user interface draws.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Form {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    pub fields: Vec<Field>,
    /// The parts of the schema that were left out, for its author. The operation `explain` gives the sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Vec<Problem>>,
}

/// One field to fill in. Its texts come from the peer and are untrusted: draw them as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Field {
    /// The name of the member in the answer.
    pub name: String,
    /// The label to draw: the title, or the name made readable.
    pub label: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    pub kind: FieldKind,
    /// A suggestion. A host may draw another widget.
    pub widget: Widget,
    pub required: bool,
    /// The texts of the field mention a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sensitive: Option<bool>,
    /// Present for `choice` and `choices`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<Choice>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraints: Option<Constraints>,
    /// The initial value. It may be falsy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<FieldValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<String>,
}

/// `text` yields a string, `choice` one of the values of its choices, `choices` a list of strings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldKind {
    #[serde(rename = "text")]
    Text,
    #[serde(rename = "number")]
    Number,
    #[serde(rename = "integer")]
    Integer,
    #[serde(rename = "boolean")]
    Boolean,
    #[serde(rename = "choice")]
    Choice,
    #[serde(rename = "choices")]
    Choices,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

pub type FieldValue = Json;

/// The content of an answer.
pub type Content = BTreeMap<String, FieldValue>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Widget {
    #[serde(rename = "text")]
    Text,
    #[serde(rename = "multiline")]
    Multiline,
    #[serde(rename = "email")]
    Email,
    #[serde(rename = "url")]
    Url,
    #[serde(rename = "date")]
    Date,
    #[serde(rename = "date-time")]
    DateTime,
    #[serde(rename = "number")]
    Number,
    #[serde(rename = "checkbox")]
    Checkbox,
    #[serde(rename = "yes-no")]
    YesNo,
    #[serde(rename = "radio")]
    Radio,
    #[serde(rename = "select")]
    Select,
    #[serde(rename = "search")]
    Search,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

/// `value` goes into the answer unchanged, as a string or number. A person reads `title`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choice {
    pub value: Json,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The constraints of a field. A check enforces all of them except `note`. Lengths are in code points.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Constraints {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "minLength")]
    pub min_length: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "maxLength")]
    pub max_length: Option<Json>,
    /// A regular expression of ECMA-262, as it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Used in place of `pattern` if several patterns must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patterns: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "exclusiveMinimum")]
    pub exclusive_minimum: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "exclusiveMaximum")]
    pub exclusive_maximum: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "multipleOf")]
    pub multiple_of: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "minItems")]
    pub min_items: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "maxItems")]
    pub max_items: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// A format that the person sees and the check does not enforce.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The values that the sentence of a code needs.
pub type Args = BTreeMap<String, Json>;

/// Something is wrong with an input. Problems of peers and people are collected as values and never thrown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    pub code: ProblemCode,
    /// RFC 6901 pointer into the document with the problem; "" is the whole document.
    pub pointer: String,
    /// The part of an answer with the problem, if it is not the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#in: Option<String>,
    /// Span in bytes of UTF-8; absent if the problem has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Args>,
}

/// The reason for a decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reason {
    pub code: ReasonCode,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Args>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Severity {
    #[serde(rename = "info")]
    Info,
    #[serde(rename = "low")]
    Low,
    #[serde(rename = "medium")]
    Medium,
    #[serde(rename = "high")]
    High,
    #[serde(rename = "critical")]
    Critical,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

/// A warning or note about a question, for the person to read before answering.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    pub code: Json,
    pub severity: Severity,
    /// RFC 6901 pointer into the request: `/message`, `/url`, `/requestedSchema/…`.
    pub pointer: String,
    /// Span in bytes of the string that `pointer` names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<i64>,
    /// The text that the finding is about, with invisible characters spelled out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Args>,
}

/// Replaces the whole configuration. A configuration with problems changes nothing. `refused` changes nothing either:
/// it tells the journal why the host does not give a configuration that it has.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Configured {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_text: Option<String>,
}

/// Begins a session with one peer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Opened {
    pub session: String,
    /// The name that the host gave the server, never the one that the server gives itself. People see it and policy
    /// matches it.
    pub server: String,
    pub side: String,
    /// The modes that were declared to the peer. A request in another mode is refused.
    pub declared: Vec<Mode>,
    /// The modes that the host can show to a person now. A request in another mode settles with the cause `no_ui`.
    pub shown: Vec<Mode>,
    /// The modes that the peer's own client draws. A question in one of them goes to the client first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Vec<Mode>>,
    /// The owner of the session. Answers must come from the same principal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    /// The server's program and arguments, or the origin of its URL. A grant with scope `always` answers only a
    /// server with the same identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// What the session did where this host could not see it, such as `read_secret`; `*` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
}

/// The server's annotations of a tool. A missing member means that the server did not say.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Annotations {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

/// A call that a question may belong to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Candidate {
    /// The called tool; "" for a call of something else.
    pub tool: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The call has no result yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<bool>,
}

/// A peer's question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub session: String,
    /// The peer's own handle, unique among the open requests of its session.
    pub r#ref: String,
    /// The call that the question belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The server's annotations of the tool. They count only for servers that a policy trusts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The calls that the question may belong to, if the host cannot tell which: every open call, and those that
    /// ended a moment ago. At most 64, in place of `tool` and `annotations`. A policy takes the strictest decision
    /// over them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<Candidate>>,
    /// There may be calls that `candidates` does not list. A policy then decides as if it could be any tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidates_cut: Option<bool>,
    pub mode: Mode,
    pub message: String,
    /// The parts of the message. The numbers of lines add up to those of the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<MessagePart>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The key that a later `completed` event names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict_review: Option<bool>,
    /// The deed of an approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub does: Option<String>,
    /// The command that an approval would run, and its directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_candidate: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The files that a patch would change, or the places that a permission would open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// The hosts that would be reached, without ports; `*` stands for every host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    /// There are more paths or hosts than the lists hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach_cut: Option<bool>,
    /// The message leaves out a part of a text that is too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_cut: Option<bool>,
    /// Whether a path lies outside the places that the peer may write to; left out when that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<bool>,
    /// The RFC 6901 pointer into the arguments at which the command stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_at: Option<String>,
    /// A call of this host's own client waits for the answer. It counts for the limit `held_calls` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_call: Option<bool>,
    /// The server's description of the tool, and a digest of all that it says. A yes for later holds for the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The parts of an answer that reach the peer beside the action and the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<Vec<Takes>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persistable: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments_text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments_schema: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments_schema_text: Option<String>,
    /// The principal who may answer; left out, anyone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#for: Option<String>,
}

/// On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AnsweredRemember {
    pub scope: Scope,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The file of a script agrees by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepared: Option<bool>,
}

/// An answer to a shown request. Missing fields get their defaults, except the fields that the person emptied.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answered {
    pub session: String,
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    pub action: Action,
    /// The names of the fields that the person emptied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleared: Option<Vec<String>>,
    /// The origin of the answer; left out, a person who uses this host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<Via>,
    /// On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remember: Option<AnsweredRemember>,
    /// On decline or cancel: refuse later questions of this server in this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mute: Option<bool>,
    /// Words for whoever asked. They go no further than the journal if the question does not take them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments_text: Option<String>,
}

/// The page of a URL request has been completed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Completed {
    pub session: String,
    pub link: String,
}

/// A held call is sent to its server. The event is for the journal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Called {
    pub session: String,
    /// That of the question about the call.
    pub r#ref: String,
    pub tool: String,
    /// SHA-256 of the canonical arguments, as the journal may keep them.
    pub digest: String,
    /// The server has had the call before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<bool>,
}

/// The peer withdraws one request (`ref`), or all requests of one of its calls (`parent`).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cancelled {
    pub session: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The host withdraws the request because its call ended. The peer still waits, so it gets a cancel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
}

/// Ends a session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Closed {
    pub session: String,
    pub cause: Cause,
}

/// Resumes a saved session. Its shown requests are shown again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Resumed {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_text: Option<String>,
}

/// A receipt of a shown request: the person saw it, focused it, or began to type.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Noted {
    pub session: String,
    pub id: String,
    pub receipt: Receipt,
}

/// The values that a person has typed so far. Without `draft`, the engine drops the draft it kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Drafted {
    pub session: String,
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_text: Option<String>,
}

/// Asks for a later deadline.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Extended {
    pub session: String,
    pub id: String,
    /// Milliseconds since 1970-01-01 UTC.
    pub until: i64,
}

/// The person chose a question that waits for its turn. It is shown at once, beside those that are shown already.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Preferred {
    pub session: String,
    pub r#ref: String,
}

/// Ends a grant (a remembered yes).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Revoked {
    pub grant: String,
}

/// Lets a muted server ask again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Unmuted {
    pub session: String,
    pub server: String,
}

/// Deletes the typed values that a session remembers: those of fields with one name, or all.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Forgotten {
    pub session: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// Tells the engine that the time of its `wake` has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ticked {
}

/// Keep one journal record. It must be durable before the host performs any reply, open_url or resolve after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Append {
    /// One line of JSON without its newline. Keep these exact bytes.
    pub record: Json,
}

/// Show a request to a person. Strings from the peer are untrusted: draw them as text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Show {
    pub session: String,
    pub id: String,
    pub r#ref: String,
    pub server: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    pub mode: Mode,
    pub kind: Kind,
    pub message: String,
    /// The kinds of text in the message, part by part. Left out, all of it is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<MessagePart>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    pub findings: Vec<Finding>,
    pub reasons: Vec<Reason>,
    /// Whether the peer's own client draws it, and not the host. A connection shows it to the client itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_client: Option<bool>,
    /// Milliseconds since 1970-01-01 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline: Option<i64>,
    /// The number of requests that wait behind this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<i64>,
    /// The values that the person had typed before a reload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<BTreeMap<String, Json>>,
    /// Values that the person typed into such fields before. Show them apart from defaults. Send one only if the
    /// person takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestions: Option<Vec<Suggestion>>,
    /// How long a yes may be remembered. Present if the configuration sets `offer_scopes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remember: Option<Vec<String>>,
    /// The server's description of the tool of a held call, and its annotations. They are the server's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The arguments of the call that waits for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
    /// The parts of an answer that reach whoever asked, beside the action and the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takes: Option<Vec<Takes>>,
    /// The deed of an approval, as the event `asked` said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub does: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach_cut: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<bool>,
    /// The differences from the last message of the same tool that was almost the same and that the person accepted.
    /// The texts of `same` and `new` together are the message. Present if the configuration sets `show_changes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<Change>>,
}

/// A part of a message, of the earlier message, or of both.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Change {
    pub is: String,
    pub text: String,
}

/// A value that the person typed before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Suggestion {
    pub field: String,
    pub value: Json,
    /// The time of that answer, in milliseconds since 1970-01-01 UTC.
    pub at: i64,
    /// The question it answered.
    pub id: String,
}

/// A request ended without an answer. Remove it if it was shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Withdraw {
    pub session: String,
    pub id: String,
    pub cause: Cause,
}

/// Answer the peer. A request gets at most one reply, ever.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reply {
    pub session: String,
    /// Absent if the request was refused before it had an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub r#ref: String,
    pub outcome: Outcome,
    pub cause: Cause,
    /// On accept of a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Words of the person for whoever asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The arguments with which the held call goes on, in place of its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<Problem>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipts: Option<Vec<String>>,
}

/// Open a page that the person has just agreed to. Open it where neither the host nor the model can read it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OpenUrl {
    pub session: String,
    pub id: String,
    pub url: String,
}

/// An agreed page was completed, or lapsed because no completion came in time. The reply was sent earlier.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Resolve {
    pub session: String,
    pub id: String,
    pub r#ref: String,
    pub resolution: Resolution,
}

/// A remembered yes: it answers the same question when it is asked again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Grant {
    pub id: String,
    pub digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    pub server: String,
    /// For scope `always`: the identity of the server that the grant was given to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    pub message: String,
    /// The digest of what the server said of the tool. A grant without it holds for every definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    pub scope: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
}

/// A new grant. The host keeps grants with scope `always` for the next configuration.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Remember {
    pub session: String,
    pub grant: Grant,
}

/// The deadline that is in force after an `extended` event.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Extend {
    pub session: String,
    pub id: String,
    pub deadline: i64,
}

/// Stop (`on`) or restart the host's own timers for the calls of a session. `total_ms` is in milliseconds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Pause {
    pub session: String,
    pub on: bool,
    pub total_ms: i64,
}

/// Give one `ticked` event at `at` or soon after. It replaces every earlier wake; 0 means that none is needed. With
/// `in`, the tick is due so many milliseconds after the input of this step, and `at` is only for people.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Wake {
    pub at: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#in: Option<i64>,
}

/// An input could not be used: the answer was wrong or late (`outcome`, `cause`), or the id is unknown. `about` names
/// the kind of input. A person can mend only problems about an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProblemEffect {
    pub about: About,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    pub problems: Vec<Problem>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
}

/// Asks a guardian. A host that can run it answers with one `consulted` event of the same round. Without one by the
/// deadline, the guardian counts as failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Consult {
    pub session: String,
    pub id: String,
    /// Names this asking among those of the request.
    pub round: i64,
    pub guardian: String,
    /// SHA-256 of the module, absent when the host knows what is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    pub phase: ConsultPhase,
    /// 2 and up when a reviewer is asked again because its answer could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<bool>,
    /// The host's to run, whoever else could.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasi: Option<bool>,
    /// SHA-256 of the guardian's data document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_digest: Option<String>,
    /// Milliseconds since 1970-01-01 UTC.
    pub deadline: i64,
    pub question: Json,
}

/// The answer of a guardian: what it wrote, unread, or why there is nothing. Exactly one of `output` and `fault`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Consulted {
    pub session: String,
    pub id: String,
    pub round: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Used by a guest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel: Option<i64>,
    /// In phase `second_person`: who approves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
}

/// What the server says of the tool whose call waits.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuestionRequestHeldCall {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuestionRequest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<BTreeMap<String, bool>>,
    /// Those members of the form that the guardian may read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
    /// Whether the built-in inspection read the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inspected: Option<bool>,
    /// What an approval would do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impacts: Option<Vec<Json>>,
    /// What the session did before: `read_secret`, `changed_settings`, `fetched:HOST`, `*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// What the server says of the tool whose call waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_call: Option<QuestionRequestHeldCall>,
    /// The deed of an approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub does: Option<String>,
    /// The command that an approval would run, and its directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The files that a patch would change, or the places that a permission would open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// The hosts that would be reached, without ports; `*` stands for every host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hosts: Option<Vec<String>>,
    /// There are more paths or hosts than the lists hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach_cut: Option<bool>,
    /// Whether a path lies outside the places that the peer may write to; left out when that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
}

/// The data that one guardian gets: no more than it declared and was permitted. Secrets are `{"$redacted": TYPE}`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    pub v: i64,
    pub phase: ConsultPhase,
    /// Milliseconds since 1970-01-01 UTC.
    pub at: i64,
    pub request: QuestionRequest,
    /// Before the answer is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<BTreeMap<String, Json>>,
    pub settings: BTreeMap<String, Json>,
    /// 32 hex digits, another for each asking.
    pub seed: String,
    /// A reviewer's: what to put before a language model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Json>,
    /// Words of the person for whoever asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct VerdictFindings {
    pub code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub severity: Option<String>,
}

/// The answer of a guardian. Anything else in it, and it counts as a fault.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Verdict {
    pub v: i64,
    pub decision: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<VerdictFindings>>,
    /// Before the answer is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obligations: Option<Vec<Json>>,
}

/// An end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    #[serde(rename = "client")]
    Client,
    #[serde(rename = "server")]
    Server,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

/// An end has closed its stream, or the host is about to stop. The machine settles open questions while messages can
/// still reach both ends.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Ended {
    pub end: String,
}

/// An `append` of the last step could not be made durable. The host has performed no effect after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AppendFailed {
}

/// A message was received. `receive` gives whole messages. `cut` marks the beginning of a message that is longer than
/// the host accepts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MessageReceived {
    pub from: End,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<bool>,
}

/// Write the message that was received in this step to the other end, byte for byte.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Forward {
    pub to: End,
}

/// Write a message that the machine made, or a received message with one part replaced. It has no line end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Send {
    pub to: End,
    pub message: String,
}

/// Close the stream that the host writes to an end, after everything written before.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Close {
    pub end: End,
}

/// Tell a person about a message that was not passed on, or was changed. Texts in the arguments may be a peer's.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Note {
    pub from: String,
    /// A message of that end was not passed on, because of these problems.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<bool>,
    pub problems: Vec<Problem>,
}

/// A question was received. It may be decided without a person. It comes before the `show` with the same ref.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct QuestionCame {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// The exact text of its schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_text: Option<String>,
    pub session: String,
    pub r#ref: String,
    pub server: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    pub mode: Mode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SettledReply {
    pub session: String,
    /// Words of the person for whoever asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The arguments with which the held call goes on, in place of its arguments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<Finding>>,
    pub effect: String,
    /// Absent if the request was refused before it had an id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub r#ref: String,
    pub outcome: Outcome,
    pub cause: Cause,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<Problem>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipts: Option<Vec<String>>,
}

/// A question ended, and why. The peer has already been answered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settled {
    pub reply: SettledReply,
    pub session: String,
    pub r#ref: String,
    pub server: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    pub mode: Mode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A new engine replaced a broken one. The records that follow begin a new chain.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewJournal {
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InterruptingRequests {
    pub method: String,
    pub params: BTreeMap<String, Json>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct InterruptingError {
    pub code: i64,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Json>,
}

/// Ends the run of a call.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Interrupting {
    pub call: String,
    pub id: String,
    pub offer: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<BTreeMap<String, InterruptingRequests>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<InterruptingError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<BTreeMap<String, Json>>,
    pub expires: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<bool>,
}

/// A question is open on a page of the server.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OpenPage {
    pub link: String,
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// The principal who may answer; left out, the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#for: Option<String>,
    pub show: Show,
}

/// A question of a handler has its outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskingSettled {
    pub call: String,
    pub position: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub outcome: Outcome,
    pub cause: Cause,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<Vec<Problem>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
    /// Of the call and the question, with the configuration `history`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Who took the question back, in the machine of a process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingCalled {
    pub call: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responses: Option<Json>,
    /// The host's name of the call in all its runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// The process which ran a handler is gone. Its call keeps what it knows, and may be made again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingLost {
    pub call: String,
}

/// A handler uses the key of its call for what it does.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingKeyed {
    pub call: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskingPosed {
    pub call: String,
    /// Counts the questions and values of the run from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    pub mode: Mode,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<BTreeMap<String, Json>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// A URL is settled when its page was finished, not when the person consents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<bool>,
    /// The answer must pass neither client nor model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<bool>,
    /// The principal who may answer, on a page; left out, the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#for: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_ms: Option<i64>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingResponded {
    pub r#ref: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Json>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AskingSubmitted {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
    pub action: Action,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleared: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingOnce {
    pub call: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingClaimed {
    pub link: String,
    pub browser: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub principal: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingCompleted {
    pub id: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingReturned {
    pub call: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingCancelled {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingClosed {
    pub cause: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingSend {
    pub r#ref: String,
    pub call: String,
    pub id: String,
    pub method: String,
    pub params: BTreeMap<String, Json>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingCancelSent {
    pub r#ref: String,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingNotify {
    pub method: String,
    pub params: BTreeMap<String, Json>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingValue {
    pub call: String,
    pub position: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Json>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replayed: Option<bool>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct AskingResume {
    pub call: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<BTreeMap<String, Json>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    #[serde(rename = "accept")]
    Accept,
    #[serde(rename = "decline")]
    Decline,
    #[serde(rename = "cancel")]
    Cancel,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[serde(rename = "accept")]
    Accept,
    #[serde(rename = "decline")]
    Decline,
    #[serde(rename = "cancel")]
    Cancel,
    #[serde(rename = "error")]
    Error,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    #[serde(rename = "user")]
    User,
    #[serde(rename = "policy")]
    Policy,
    #[serde(rename = "guardian")]
    Guardian,
    #[serde(rename = "rate_limited")]
    RateLimited,
    #[serde(rename = "invalid_request")]
    InvalidRequest,
    #[serde(rename = "unsupported")]
    Unsupported,
    #[serde(rename = "timeout")]
    Timeout,
    #[serde(rename = "superseded")]
    Superseded,
    #[serde(rename = "peer_cancelled")]
    PeerCancelled,
    #[serde(rename = "call_ended")]
    CallEnded,
    #[serde(rename = "session_closed")]
    SessionClosed,
    #[serde(rename = "no_ui")]
    NoUi,
    #[serde(rename = "duplicate")]
    Duplicate,
    #[serde(rename = "shutdown")]
    Shutdown,
    #[serde(rename = "attempts_used")]
    AttemptsUsed,
    #[serde(rename = "peer_error")]
    PeerError,
    #[serde(rename = "handed_over")]
    HandedOver,
    #[serde(rename = "no_answer")]
    NoAnswer,
    #[serde(rename = "left_open")]
    LeftOpen,
    #[serde(rename = "carried")]
    Carried,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum About {
    #[serde(rename = "question")]
    Question,
    #[serde(rename = "answer")]
    Answer,
    #[serde(rename = "session")]
    Session,
    #[serde(rename = "guardian")]
    Guardian,
    #[serde(rename = "configuration")]
    Configuration,
    #[serde(rename = "host")]
    Host,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Via {
    #[serde(rename = "client")]
    Client,
    #[serde(rename = "script")]
    Script,
    #[serde(rename = "no_ui")]
    NoUi,
    #[serde(rename = "no_answer")]
    NoAnswer,
    #[serde(rename = "model")]
    Model,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Receipt {
    #[serde(rename = "shown")]
    Shown,
    #[serde(rename = "focused")]
    Focused,
    #[serde(rename = "first_input")]
    FirstInput,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    #[serde(rename = "once")]
    Once,
    #[serde(rename = "session")]
    Session,
    #[serde(rename = "always")]
    Always,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    #[serde(rename = "fuel")]
    Fuel,
    #[serde(rename = "depth")]
    Depth,
    #[serde(rename = "trap")]
    Trap,
    #[serde(rename = "start")]
    Start,
    #[serde(rename = "no_memory")]
    NoMemory,
    #[serde(rename = "bad_alloc")]
    BadAlloc,
    #[serde(rename = "bad_output")]
    BadOutput,
    #[serde(rename = "output_too_large")]
    OutputTooLarge,
    #[serde(rename = "question_too_large")]
    QuestionTooLarge,
    #[serde(rename = "exit")]
    Exit,
    #[serde(rename = "refused")]
    Refused,
    #[serde(rename = "not_loaded")]
    NotLoaded,
    #[serde(rename = "unavailable")]
    Unavailable,
    #[serde(rename = "internal")]
    Internal,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConsultPhase {
    #[serde(rename = "before_show")]
    BeforeShow,
    #[serde(rename = "before_send")]
    BeforeSend,
    #[serde(rename = "second_person")]
    SecondPerson,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Resolution {
    #[serde(rename = "completed")]
    Completed,
    #[serde(rename = "lapsed")]
    Lapsed,
    /// A word of a later version.
    #[serde(untagged)]
    Unknown(String),
}

pub type ProblemCode = String;

pub type ReasonCode = String;

pub type FindingCode = String;

fn effect_of(text: &str) -> serde_json::Result<String> {
    #[derive(Deserialize)]
    struct Tagged {
        effect: String,
    }
    Ok(serde_json::from_str::<Tagged>(text)?.effect)
}
