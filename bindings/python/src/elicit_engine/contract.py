# Code generated from docs/contract.schema.json by go test ./engine/abi -run TestContract -update; DO NOT EDIT.
"""The types of the events, the effects and the documents in them."""

from typing import Any, Dict, List, Literal, TypedDict, Union

__all__ = [
    "Event",
    "Effect",
    "RelayEvent",
    "RelayEffect",
    "AskingEvent",
    "AskingEffect",
    "Comparison",
    "Decision",
    "Mode",
    "Takes",
    "Kind",
    "Deed",
    "MessagePart",
    "Form",
    "Field",
    "FieldKind",
    "FieldValue",
    "Content",
    "Widget",
    "Choice",
    "Constraints",
    "Format",
    "Args",
    "Problem",
    "Reason",
    "Severity",
    "Finding",
    "Configured",
    "Opened",
    "Annotations",
    "Candidate",
    "Asked",
    "AnsweredRemember",
    "Answered",
    "Completed",
    "Called",
    "Cancelled",
    "Closed",
    "Resumed",
    "Noted",
    "Drafted",
    "Extended",
    "Preferred",
    "Revoked",
    "Unmuted",
    "Forgotten",
    "Ticked",
    "Append",
    "Show",
    "Change",
    "Suggestion",
    "Withdraw",
    "Reply",
    "OpenUrl",
    "Resolve",
    "Grant",
    "Remember",
    "Extend",
    "Pause",
    "Wake",
    "ProblemEffect",
    "Phase",
    "Consult",
    "Consulted",
    "QuestionRequestHeldCall",
    "QuestionRequest",
    "Question",
    "VerdictFindings",
    "Verdict",
    "End",
    "Ended",
    "AppendFailed",
    "MessageReceived",
    "Forward",
    "Send",
    "Close",
    "Note",
    "QuestionCame",
    "SettledReply",
    "Settled",
    "NewJournal",
    "Posing",
    "InterruptingRequests",
    "InterruptingError",
    "Interrupting",
    "OpenPage",
    "AskingSettled",
    "Problems",
    "SchemaInputLimits",
    "SchemaInput",
    "InterruptInput",
    "Impact",
    "GuardianResult",
    "Combined",
    "Review",
    "SealKey",
    "StoredEntry",
    "StoredChange",
    "StoredQuery",
    "StoredPlace",
    "StoredText",
    "StoredLast",
    "SealBinding",
    "SealClaims",
    "SealExpected",
    "OpenedClaims",
    "CodexRequest",
    "CodexAnswer",
    "CodexQuestionRequest",
    "CodexQuestion",
    "InterruptQuestion",
    "Interrupts",
    "InterruptAnswer",
    "AskingCalled",
    "AskingLost",
    "AskingKeyed",
    "AskingPosed",
    "AskingResponded",
    "AskingSubmitted",
    "AskingOnce",
    "AskingClaimed",
    "AskingCompleted",
    "AskingReturned",
    "AskingCancelled",
    "AskingClosed",
    "AskingSend",
    "AskingCancelSent",
    "AskingNotify",
    "AskingValue",
    "AskingResume",
    "Layers",
    "Profile",
    "Action",
    "Outcome",
    "Cause",
    "About",
    "Via",
    "Receipt",
    "Scope",
    "Fault",
    "ConsultPhase",
    "Resolution",
    "Framework",
    "InterruptOption",
    "ProblemCode",
    "ReasonCode",
    "FindingCode",
]


class _Comparison(TypedDict):
    verdict: Literal[
        "tightens", "loosens", "undecided"
    ]


class Comparison(_Comparison, total=False):
    """Whether a change of policies only tightens: a proof, what it loosens, or why neither was found."""

    #: With `undecided`: what could not be followed.
    why: str
    #: With `loosens`: a setting that the change loosens.
    setting: str
    #: With `loosens`: a request that is decided more loosely. The operation `decide` takes it.
    facts: Dict[str, Any]
    #: The severity of a finding in that request.
    finding: Literal[
        "low", "medium", "high", "critical"
    ]
    before: "Decision"
    after: "Decision"


class Decision(TypedDict):
    """What a policy does with a request, and why."""

    outcome: Literal[
        "accept", "decline", "cancel", "ask", "review"
    ]
    #: The index of the first reason that determines the outcome.
    by: int
    reasons: List["Reason"]

#: How the person answers: in a form, or by visiting a page.
Mode = Literal[
    "form", "url",
]

#: The parts of an answer that reach whoever asked, beside the action and the content: other arguments for the held
#: call, and a note with a decline or an accept.
Takes = Literal[
    "edit", "decline_note", "accept_note",
]

#: The kind of a question. A `confirm` has no fields; an `approval` is a `confirm` of a tool call.
Kind = Literal[
    "form", "confirm", "url", "approval", "suggestion",
]

#: The deed that an approval would let an agent do.
Deed = Literal[
    "command", "patch", "permissions", "tool",
]


_MessagePartWords = TypedDict("_MessagePartWords", {"is": Literal["text", "command",
                                                                                          "directory", "diff",
                                                                                          "access"]})


class MessagePart(_MessagePartWords):
    """A part of a message. It covers the next lines; a blank line between parts belongs to the part before it."""

    lines: int


class _Form(TypedDict):
    fields: List["Field"]


class Form(_Form, total=False):
    """A compiled schema: the ordered fields that every user interface draws."""

    title: str
    help: str
    #: The parts of the schema that were left out, for its author. The operation `explain` gives the sentences.
    notes: List["Problem"]


class _Field(TypedDict):
    #: The name of the member in the answer.
    name: str
    #: The label to draw: the title, or the name made readable.
    label: str
    kind: "FieldKind"
    #: A suggestion. A host may draw another widget.
    widget: "Widget"
    required: bool


class Field(_Field, total=False):
    """One field to fill in. Its texts come from the peer and are untrusted: draw them as text."""

    help: str
    #: The texts of the field mention a secret.
    sensitive: Literal[True]
    #: Present for `choice` and `choices`.
    choices: List["Choice"]
    constraints: "Constraints"
    #: The initial value. It may be falsy.
    initial: "FieldValue"
    provenance: Literal["default"]

#: `text` yields a string, `choice` one of the values of its choices, `choices` a list of strings.
FieldKind = Literal[
    "text", "number", "integer", "boolean", "choice", "choices",
]

FieldValue = Union[str, float, bool, List[str]]

#: The content of an answer.
Content = Dict[str, FieldValue]

Widget = Literal[
    "text", "multiline", "email", "url", "date", "date-time", "number", "checkbox", "yes-no", "radio", "select",
    "search",
]


class _Choice(TypedDict):
    value: Any
    title: str


class Choice(_Choice, total=False):
    """`value` goes into the answer unchanged, as a string or number. A person reads `title`."""

    description: str


class Constraints(TypedDict, total=False):
    """The constraints of a field. A check enforces all of them except `note`. Lengths are in code points."""

    minLength: float
    maxLength: float
    #: A regular expression of ECMA-262, as it was written.
    pattern: str
    #: Used in place of `pattern` if several patterns must match.
    patterns: List[str]
    minimum: float
    maximum: float
    exclusiveMinimum: float
    exclusiveMaximum: float
    multipleOf: float
    minItems: float
    maxItems: float
    format: Literal[
        "email", "date", "date-time", "uri", "time", "uuid", "ipv4", "ipv6", "hostname"
    ]
    #: A format that the person sees and the check does not enforce.
    note: str

Format = Literal[
    "email", "uri", "date", "date-time", "time", "uuid", "ipv4", "ipv6", "hostname",
]

#: The values that the sentence of a code needs.
Args = Dict[str, Any]


class _Problem(TypedDict):
    code: "ProblemCode"
    #: RFC 6901 pointer into the document with the problem; "" is the whole document.
    pointer: str


_ProblemMoreWords = TypedDict("_ProblemMoreWords", {"in": Literal["note", "arguments"]}, total=False)


class Problem(_Problem, _ProblemMoreWords, total=False):
    """Something is wrong with an input. Problems of peers and people are collected as values and never thrown."""

    #: Span in bytes of UTF-8; absent if the problem has none.
    start: int
    end: int
    args: "Args"


class _Reason(TypedDict):
    code: "ReasonCode"


class Reason(_Reason, total=False):
    """The reason for a decision."""

    layer: Literal[
        "builtin", "session", "user", "managed", "project"
    ]
    rule: str
    args: "Args"

Severity = Literal[
    "info", "low", "medium", "high", "critical",
]


class _Finding(TypedDict):
    code: Any
    severity: "Severity"
    #: RFC 6901 pointer into the request: `/message`, `/url`, `/requestedSchema/…`.
    pointer: str


class Finding(_Finding, total=False):
    """A warning or note about a question, for the person to read before answering."""

    #: Span in bytes of the string that `pointer` names.
    start: int
    end: int
    #: The text that the finding is about, with invisible characters spelled out.
    evidence: str
    args: "Args"


class _Configured(TypedDict):
    event: Literal["configured"]


class Configured(_Configured, total=False):
    """Replaces the whole configuration. A configuration with problems changes nothing. `refused` changes nothing
    either: it tells the journal why the host does not give a configuration that it has."""

    refused: str
    config: Any
    config_text: str


class _Opened(TypedDict):
    event: Literal["opened"]
    session: str
    #: The name that the host gave the server, never the one that the server gives itself. People see it and policy
    #: matches it.
    server: str
    side: Literal["answering", "asking"]
    #: The modes that were declared to the peer. A request in another mode is refused.
    declared: List["Mode"]
    #: The modes that the host can show to a person now. A request in another mode settles with the cause `no_ui`.
    shown: List["Mode"]


class Opened(_Opened, total=False):
    """Begins a session with one peer."""

    #: The modes that the peer's own client draws. A question in one of them goes to the client first.
    client: List["Mode"]
    #: The owner of the session. Answers must come from the same principal.
    principal: str
    #: The server's program and arguments, or the origin of its URL. A grant with scope `always` answers only a server
    #: with the same identity.
    identity: str
    #: What the session did where this host could not see it, such as `read_secret`; `*` if that is not known.
    labels: List[str]


class Annotations(TypedDict, total=False):
    """The server's annotations of a tool. A missing member means that the server did not say."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


class _Candidate(TypedDict):
    #: The called tool; "" for a call of something else.
    tool: str


class Candidate(_Candidate, total=False):
    """A call that a question may belong to."""

    annotations: "Annotations"
    #: The call has no result yet.
    open: bool


class _Asked(TypedDict):
    event: Literal["asked"]
    session: str
    #: The peer's own handle, unique among the open requests of its session.
    ref: str
    mode: "Mode"
    message: str


_AskedMoreWords = TypedDict("_AskedMoreWords", {"for": str}, total=False)


class Asked(_Asked, _AskedMoreWords, total=False):
    """A peer's question."""

    #: The call that the question belongs to.
    parent: str
    tool: str
    #: The server's annotations of the tool. They count only for servers that a policy trusts.
    annotations: "Annotations"
    #: The calls that the question may belong to, if the host cannot tell which: every open call, and those that ended
    #: a moment ago. At most 64, in place of `tool` and `annotations`. A policy takes the strictest decision over
    #: them.
    candidates: List["Candidate"]
    #: There may be calls that `candidates` does not list. A policy then decides as if it could be any tool.
    candidates_cut: bool
    #: The parts of the message. The numbers of lines add up to those of the message.
    parts: List["MessagePart"]
    url: str
    #: The key that a later `completed` event names.
    link: str
    claim: Literal[
        "approval", "malformed", "suggestion"
    ]
    strict_review: bool
    #: The deed of an approval.
    does: Literal[
        "command", "patch", "permissions", "tool"
    ]
    #: The command that an approval would run, and its directory.
    command: str
    command_candidate: str
    cwd: str
    #: The files that a patch would change, or the places that a permission would open.
    paths: List[str]
    #: The hosts that would be reached, without ports; `*` stands for every host.
    hosts: List[str]
    #: There are more paths or hosts than the lists hold.
    reach_cut: bool
    #: The message leaves out a part of a text that is too long.
    message_cut: bool
    #: Whether a path lies outside the places that the peer may write to; left out when that is not known.
    outside: bool
    #: The RFC 6901 pointer into the arguments at which the command stands.
    command_at: str
    #: A call of this host's own client waits for the answer. It counts for the limit `held_calls` alone.
    held_call: bool
    #: The server's description of the tool, and a digest of all that it says. A yes for later holds for the digest.
    description: str
    definition: str
    #: The parts of an answer that reach the peer beside the action and the content.
    takes: List["Takes"]
    persistable: bool
    schema: Dict[str, Any]
    schema_text: str
    arguments: Dict[str, Any]
    arguments_text: str
    arguments_schema: Dict[str, Any]
    arguments_schema_text: str


class _AnsweredRemember(TypedDict):
    scope: "Scope"


class AnsweredRemember(_AnsweredRemember, total=False):
    """On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970."""

    expires_at: int
    #: The file of a script agrees by itself.
    prepared: bool


class _Answered(TypedDict):
    event: Literal["answered"]
    session: str
    id: str
    action: "Action"


class Answered(_Answered, total=False):
    """An answer to a shown request. Missing fields get their defaults, except the fields that the person emptied."""

    principal: str
    #: The names of the fields that the person emptied.
    cleared: List[str]
    #: The origin of the answer; left out, a person who uses this host.
    via: "Via"
    #: On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970.
    remember: "AnsweredRemember"
    #: On decline or cancel: refuse later questions of this server in this session.
    mute: bool
    #: Words for whoever asked. They go no further than the journal if the question does not take them.
    note: str
    content: "Content"
    content_text: str
    arguments: Dict[str, Any]
    arguments_text: str


class Completed(TypedDict):
    """The page of a URL request has been completed."""

    event: Literal["completed"]
    session: str
    link: str


class _Called(TypedDict):
    event: Literal["called"]
    session: str
    #: That of the question about the call.
    ref: str
    tool: str
    #: SHA-256 of the canonical arguments, as the journal may keep them.
    digest: str


class Called(_Called, total=False):
    """A held call is sent to its server. The event is for the journal."""

    #: The server has had the call before.
    again: bool


class _Cancelled(TypedDict):
    event: Literal["cancelled"]
    session: str


class Cancelled(_Cancelled, total=False):
    """The peer withdraws one request (`ref`), or all requests of one of its calls (`parent`)."""

    ref: str
    parent: str
    #: The host withdraws the request because its call ended. The peer still waits, so it gets a cancel.
    cause: Literal[
        "call_ended", "handed_over", "left_open", "timeout", "superseded", "unsupported", "attempts_used",
        "peer_error", "carried"
    ]


class Closed(TypedDict):
    """Ends a session."""

    event: Literal["closed"]
    session: str
    cause: "Cause"


class _Resumed(TypedDict):
    event: Literal["resumed"]


class Resumed(_Resumed, total=False):
    """Resumes a saved session. Its shown requests are shown again."""

    state: Dict[str, Any]
    state_text: str


class Noted(TypedDict):
    """A receipt of a shown request: the person saw it, focused it, or began to type."""

    event: Literal["noted"]
    session: str
    id: str
    receipt: "Receipt"


class _Drafted(TypedDict):
    event: Literal["drafted"]
    session: str
    id: str


class Drafted(_Drafted, total=False):
    """The values that a person has typed so far. Without `draft`, the engine drops the draft it kept."""

    draft: Dict[str, Any]
    draft_text: str


class Extended(TypedDict):
    """Asks for a later deadline."""

    event: Literal["extended"]
    session: str
    id: str
    #: Milliseconds since 1970-01-01 UTC.
    until: int


class Preferred(TypedDict):
    """The person chose a question that waits for its turn. It is shown at once, beside those that are shown already."""

    event: Literal["preferred"]
    session: str
    ref: str


class Revoked(TypedDict):
    """Ends a grant (a remembered yes)."""

    event: Literal["revoked"]
    grant: str


class Unmuted(TypedDict):
    """Lets a muted server ask again."""

    event: Literal["unmuted"]
    session: str
    server: str


class _Forgotten(TypedDict):
    event: Literal["forgotten"]
    session: str


class Forgotten(_Forgotten, total=False):
    """Deletes the typed values that a session remembers: those of fields with one name, or all."""

    field: str


class Ticked(TypedDict):
    """Tells the engine that the time of its `wake` has come."""

    event: Literal["ticked"]


class Append(TypedDict):
    """Keep one journal record. It must be durable before the host performs any reply, open_url or resolve after it."""

    effect: Literal["append"]
    #: One line of JSON without its newline. Keep these exact bytes.
    record: str


class _Show(TypedDict):
    effect: Literal["show"]
    session: str
    id: str
    ref: str
    server: str
    mode: "Mode"
    kind: "Kind"
    message: str
    findings: List["Finding"]
    reasons: List["Reason"]


class Show(_Show, total=False):
    """Show a request to a person. Strings from the peer are untrusted: draw them as text."""

    tool: str
    #: The kinds of text in the message, part by part. Left out, all of it is text.
    parts: List["MessagePart"]
    form: "Form"
    url: str
    #: Whether the peer's own client draws it, and not the host. A connection shows it to the client itself.
    by_client: bool
    #: Milliseconds since 1970-01-01 UTC.
    deadline: int
    #: The number of requests that wait behind this one.
    waiting: int
    #: The values that the person had typed before a reload.
    draft: Dict[str, Any]
    #: Values that the person typed into such fields before. Show them apart from defaults. Send one only if the
    #: person takes it.
    suggestions: List["Suggestion"]
    #: How long a yes may be remembered. Present if the configuration sets `offer_scopes`.
    remember: List[str]
    #: The server's description of the tool of a held call, and its annotations. They are the server's word.
    description: str
    annotations: "Annotations"
    #: The arguments of the call that waits for the answer.
    arguments: Dict[str, Any]
    #: The parts of an answer that reach whoever asked, beside the action and the content.
    takes: List["Takes"]
    #: The deed of an approval, as the event `asked` said it.
    does: Literal[
        "command", "patch", "permissions", "tool"
    ]
    command: str
    cwd: str
    paths: List[str]
    hosts: List[str]
    reach_cut: bool
    outside: bool
    #: The differences from the last message of the same tool that was almost the same and that the person accepted.
    #: The texts of `same` and `new` together are the message. Present if the configuration sets `show_changes`.
    changed: List["Change"]


_ChangeWords = TypedDict("_ChangeWords", {"is": Literal["same", "new", "gone"]})


class Change(_ChangeWords):
    """A part of a message, of the earlier message, or of both."""

    text: str


class Suggestion(TypedDict):
    """A value that the person typed before."""

    field: str
    value: Any
    #: The time of that answer, in milliseconds since 1970-01-01 UTC.
    at: int
    #: The question it answered.
    id: str


class Withdraw(TypedDict):
    """A request ended without an answer. Remove it if it was shown."""

    effect: Literal["withdraw"]
    session: str
    id: str
    cause: "Cause"


class _Reply(TypedDict):
    effect: Literal["reply"]
    session: str
    ref: str
    outcome: "Outcome"
    cause: "Cause"


class Reply(_Reply, total=False):
    """Answer the peer. A request gets at most one reply, ever."""

    #: Absent if the request was refused before it had an id.
    id: str
    #: On accept of a form.
    content: "Content"
    #: Words of the person for whoever asked.
    note: str
    #: The arguments with which the held call goes on, in place of its arguments.
    arguments: Dict[str, Any]
    problems: List["Problem"]
    findings: List["Finding"]
    reasons: List["Reason"]
    receipts: List[str]


class OpenUrl(TypedDict):
    """Open a page that the person has just agreed to. Open it where neither the host nor the model can read it."""

    effect: Literal["open_url"]
    session: str
    id: str
    url: str


class Resolve(TypedDict):
    """An agreed page was completed, or lapsed because no completion came in time. The reply was sent earlier."""

    effect: Literal["resolve"]
    session: str
    id: str
    ref: str
    resolution: "Resolution"


class _Grant(TypedDict):
    id: str
    digest: str
    server: str
    message: str
    scope: Literal["session", "always"]


class Grant(_Grant, total=False):
    """A remembered yes: it answers the same question when it is asked again."""

    session: str
    principal: str
    #: For scope `always`: the identity of the server that the grant was given to.
    identity: str
    tool: str
    #: The digest of what the server said of the tool. A grant without it holds for every definition.
    definition: str
    expires_at: int


class Remember(TypedDict):
    """A new grant. The host keeps grants with scope `always` for the next configuration."""

    effect: Literal["remember"]
    session: str
    grant: "Grant"


class Extend(TypedDict):
    """The deadline that is in force after an `extended` event."""

    effect: Literal["extend"]
    session: str
    id: str
    deadline: int


class Pause(TypedDict):
    """Stop (`on`) or restart the host's own timers for the calls of a session. `total_ms` is in milliseconds."""

    effect: Literal["pause"]
    session: str
    on: bool
    total_ms: int


class _Wake(TypedDict):
    effect: Literal["wake"]
    at: int


_WakeMoreWords = TypedDict("_WakeMoreWords", {"in": int}, total=False)


class Wake(_Wake, _WakeMoreWords, total=False):
    """Give one `ticked` event at `at` or soon after. It replaces every earlier wake; 0 means that none is needed.
    With `in`, the tick is due so many milliseconds after the input of this step, and `at` is only for people."""

    pass


class _ProblemEffect(TypedDict):
    effect: Literal["problem"]
    about: "About"
    problems: List["Problem"]


class ProblemEffect(_ProblemEffect, total=False):
    """An input could not be used: the answer was wrong or late (`outcome`, `cause`), or the id is unknown. `about`
    names the kind of input. A person can mend only problems about an answer."""

    session: str
    id: str
    ref: str
    outcome: "Outcome"
    cause: "Cause"

#: When a guest is asked: before a person sees the question, or before their answer leaves.
Phase = Literal[
    "before_show", "before_send",
]


class _Consult(TypedDict):
    effect: Literal["consult"]
    session: str
    id: str
    #: Names this asking among those of the request.
    round: int
    guardian: str
    phase: "ConsultPhase"
    #: Milliseconds since 1970-01-01 UTC.
    deadline: int
    question: "Question"


class Consult(_Consult, total=False):
    """Asks a guardian. A host that can run it answers with one `consulted` event of the same round. Without one by
    the deadline, the guardian counts as failed."""

    #: SHA-256 of the module, absent when the host knows what is meant.
    digest: str
    #: 2 and up when a reviewer is asked again because its answer could not be read.
    attempt: int
    reviewer: Literal[True]
    #: The host's to run, whoever else could.
    host: Literal[True]
    fuel: int
    wasi: Literal[True]
    #: SHA-256 of the guardian's data document.
    data_digest: str


class _Consulted(TypedDict):
    event: Literal["consulted"]
    session: str
    id: str
    round: int


class Consulted(_Consulted, total=False):
    """The answer of a guardian: what it wrote, unread, or why there is nothing. Exactly one of `output` and `fault`."""

    output: str
    fault: "Fault"
    #: Used by a guest.
    fuel: int
    #: In phase `second_person`: who approves.
    principal: str


class QuestionRequestHeldCall(TypedDict, total=False):
    """What the server says of the tool whose call waits."""

    description: str
    definition: str


class QuestionRequest(TypedDict, total=False):
    server: str
    tool: str
    mode: Literal["form", "url"]
    kind: Literal[
        "form", "url", "confirm", "approval", "suggestion"
    ]
    message: str
    url: str
    claim: str
    annotations: Dict[str, bool]
    #: Those members of the form that the guardian may read.
    form: Dict[str, Any]
    findings: List["Finding"]
    #: Whether the built-in inspection read the request.
    inspected: bool
    #: What an approval would do.
    impacts: List[Any]
    #: What the session did before: `read_secret`, `changed_settings`, `fetched:HOST`, `*`.
    labels: List[str]
    #: What the server says of the tool whose call waits.
    held_call: "QuestionRequestHeldCall"
    #: The deed of an approval.
    does: Literal[
        "command", "patch", "permissions", "tool"
    ]
    #: The command that an approval would run, and its directory.
    command: str
    cwd: str
    #: The files that a patch would change, or the places that a permission would open.
    paths: List[str]
    #: The hosts that would be reached, without ports; `*` stands for every host.
    hosts: List[str]
    #: There are more paths or hosts than the lists hold.
    reach_cut: bool
    #: Whether a path lies outside the places that the peer may write to; left out when that is not known.
    outside: bool
    arguments: Dict[str, Any]


class _Question(TypedDict):
    v: Literal[1]
    phase: "ConsultPhase"
    #: Milliseconds since 1970-01-01 UTC.
    at: int
    request: "QuestionRequest"
    settings: Dict[str, Any]
    #: 32 hex digits, another for each asking.
    seed: str


class Question(_Question, total=False):
    """The data that one guardian gets: no more than it declared and was permitted. Secrets are `{"$redacted": TYPE}`."""

    #: Before the answer is sent.
    answer: Dict[str, Any]
    #: A reviewer's: what to put before a language model.
    prompt: Any
    #: Words of the person for whoever asked.
    note: str


class _VerdictFindings(TypedDict):
    code: str
    message: str


class VerdictFindings(_VerdictFindings, total=False):
    pointer: str
    severity: Literal[
        "info", "low", "medium", "high", "critical"
    ]


class _Verdict(TypedDict):
    v: Literal[1]
    decision: Literal[
        "pass", "allow", "ask", "deny"
    ]


class Verdict(_Verdict, total=False):
    """The answer of a guardian. Anything else in it, and it counts as a fault."""

    findings: List["VerdictFindings"]
    #: Before the answer is sent.
    obligations: List[Any]

#: An end of a connection.
End = Literal[
    "client", "server",
]


class Ended(TypedDict):
    """An end has closed its stream, or the host is about to stop. The machine settles open questions while messages
    can still reach both ends."""

    event: Literal["ended"]
    end: Literal[
        "host", "client", "server"
    ]


class AppendFailed(TypedDict):
    """An `append` of the last step could not be made durable. The host has performed no effect after it."""

    event: Literal["append_failed"]


_MessageReceivedWords = TypedDict("_MessageReceivedWords", {"from": "End"})


class _MessageReceived(_MessageReceivedWords):
    event: Literal["received"]


class MessageReceived(_MessageReceived, total=False):
    """A message was received. `receive` gives whole messages. `cut` marks the beginning of a message that is longer
    than the host accepts."""

    cut: bool


class Forward(TypedDict):
    """Write the message that was received in this step to the other end, byte for byte."""

    effect: Literal["forward"]
    to: "End"


class Send(TypedDict):
    """Write a message that the machine made, or a received message with one part replaced. It has no line end."""

    effect: Literal["send"]
    to: "End"
    message: str


class Close(TypedDict):
    """Close the stream that the host writes to an end, after everything written before."""

    effect: Literal["close"]
    end: "End"


_NoteWords = TypedDict("_NoteWords", {"from": Literal["host", "client",
                                                                                          "server"]})


class _Note(_NoteWords):
    effect: Literal["note"]
    problems: List["Problem"]


class Note(_Note, total=False):
    """Tell a person about a message that was not passed on, or was changed. Texts in the arguments may be a peer's."""

    #: A message of that end was not passed on, because of these problems.
    refused: Literal[True]


class _QuestionCame(TypedDict):
    effect: Literal["question"]
    session: str
    ref: str
    server: str
    mode: "Mode"
    message: str


class QuestionCame(_QuestionCame, total=False):
    """A question was received. It may be decided without a person. It comes before the `show` with the same ref."""

    link: str
    #: The exact text of its schema.
    schema_text: str
    tool: str
    url: str


class _SettledReply(TypedDict):
    session: str
    effect: Literal["reply"]
    ref: str
    outcome: "Outcome"
    cause: "Cause"


class SettledReply(_SettledReply, total=False):
    #: Words of the person for whoever asked.
    note: str
    #: The arguments with which the held call goes on, in place of its arguments.
    arguments: Dict[str, Any]
    findings: List["Finding"]
    #: Absent if the request was refused before it had an id.
    id: str
    problems: List["Problem"]
    reasons: List["Reason"]
    receipts: List[str]


class _Settled(TypedDict):
    effect: Literal["settled"]
    reply: "SettledReply"
    session: str
    ref: str
    server: str
    mode: "Mode"
    message: str


class Settled(_Settled, total=False):
    """A question ended, and why. The peer has already been answered."""

    tool: str
    url: str


class NewJournal(TypedDict):
    """A new engine replaced a broken one. The records that follow begin a new chain."""

    effect: Literal["new_journal"]


class _Posing(TypedDict):
    mode: "Mode"
    message: str


_PosingMoreWords = TypedDict("_PosingMoreWords", {"for": str}, total=False)


class Posing(_Posing, _PosingMoreWords, total=False):
    """The question of a handler."""

    schema: Dict[str, Any]
    url: str
    #: A URL is settled when its page was finished, not when the person consents.
    wait: bool
    #: The answer must pass neither client nor model.
    secret: bool
    ttl_ms: int


class InterruptingRequests(TypedDict):
    method: str
    params: Dict[str, Any]


class _InterruptingError(TypedDict):
    code: int
    message: str


class InterruptingError(_InterruptingError, total=False):
    data: Any


class _Interrupting(TypedDict):
    effect: Literal["interrupt"]
    call: str
    id: str
    offer: Literal[
        "input_required", "url_required", "fallback"
    ]
    expires: int


class Interrupting(_Interrupting, total=False):
    """Ends the run of a call."""

    requests: Dict[str, "InterruptingRequests"]
    error: "InterruptingError"
    result: Dict[str, Any]
    body: Dict[str, Any]
    keep: bool


class _OpenPage(TypedDict):
    effect: Literal["page"]
    link: str
    url: str
    show: "Show"


_OpenPageMoreWords = TypedDict("_OpenPageMoreWords", {"for": str}, total=False)


class OpenPage(_OpenPage, _OpenPageMoreWords, total=False):
    """A question is open on a page of the server."""

    secret: bool


class _AskingSettled(TypedDict):
    effect: Literal["settle"]
    call: str
    position: int
    outcome: "Outcome"
    cause: "Cause"


class AskingSettled(_AskingSettled, total=False):
    """A question of a handler has its outcome."""

    id: str
    content: "Content"
    problems: List["Problem"]
    reasons: List["Reason"]
    offer: str
    page: bool
    replayed: bool
    #: Of the call and the question, with the configuration `history`.
    target: str
    message: str
    #: Who took the question back, in the machine of a process.
    by: str


class Problems(TypedDict):
    """The output of an operation that could not use its input."""

    problems: List["Problem"]


class SchemaInputLimits(TypedDict, total=False):
    bytes: int
    depth: int
    fields: int
    choices: int
    text: int


class SchemaInput(TypedDict, total=False):
    """The schema and options that a form is compiled from. `schema_text` is the exact text of a schema."""

    schema: Dict[str, Any]
    schema_text: str
    profile: "Profile"
    limits: "SchemaInputLimits"


class _InterruptInput(TypedDict):
    framework: "Framework"


class InterruptInput(_InterruptInput, total=False):
    """The document of an agent framework. `document_text` is its exact text."""

    document: Any
    document_text: str


class _Impact(TypedDict):
    impact: str
    at: int
    end: int


class Impact(_Impact, total=False):
    """One thing that a command or another deed does, in the words of `engine/impact`."""

    target: str
    how: str
    program: str
    open: bool


class _GuardianResult(TypedDict):
    guardian: str


class GuardianResult(_GuardianResult, total=False):
    """The result of one guardian: its verdict as text, or a fault."""

    output: str
    fault: str
    audit: bool
    fuel: int
    digest: str


class _Combined(TypedDict):
    decision: Literal[
        "pass", "allow", "ask", "deny"
    ]
    #: The guardians whose verdicts gave the decision.
    determining: List[str]
    reasons: List["Reason"]
    findings: List["Finding"]


class Combined(_Combined, total=False):
    """The combined verdict of several guardians."""

    #: Pointers to the members of the answer that must be left out.
    redact: List[str]
    #: The guardians that want another person's approval.
    second_person: List[str]


class Review(TypedDict):
    """A reviewer's answer as the engine reads it. `within` says whether an `allow` in it counts."""

    outcome: Literal["allow", "ask", "deny"]
    risk: str
    authorization: str
    rationale: str
    within: bool


class SealKey(TypedDict):
    """A key of `seal`, `unseal`, `encrypt` and `decrypt`: at least 32 random bytes in base64url without padding. The
    first of a list seals."""

    id: str
    secret: str


class _StoredEntry(TypedDict):
    id: str
    at: int


class StoredEntry(_StoredEntry, total=False):
    """A settled question as a store keeps it."""

    session: str
    server: str
    tool: str
    outcome: str
    text: str
    body_base64: str


class _StoredChange(TypedDict):
    session: str


class StoredChange(_StoredChange, total=False):
    """The parts of a commit that an encrypted store seals. `version` is the one that the session gets."""

    version: int
    state_base64: str
    records_base64: List[str]
    entries: List["StoredEntry"]


class StoredQuery(TypedDict, total=False):
    """The parts of a query of the history that an encrypted store spells in another way."""

    session: str
    server: str
    tool: str
    outcome: str
    text: str
    limit: int
    before: "StoredPlace"


class StoredPlace(TypedDict):
    """The place of an entry in the history."""

    session: str
    id: str
    at: int


class _StoredText(TypedDict):
    session: str
    version: int
    sealed_base64: str


class StoredText(_StoredText, total=False):
    """A state or record to open. A record has an index, and the place of the record before in `last`."""

    index: int
    last: "StoredLast"


class StoredLast(TypedDict):
    version: int
    index: int


class SealBinding(TypedDict, total=False):
    """The facts to which a token is bound. A member that is left out is expected as left out."""

    principal: str
    method: str
    target: str
    audience: str
    #: The arguments of the request, their exact text, or their digest.
    arguments: Any
    arguments_text: str
    arguments_digest: str


class _SealClaims(TypedDict):
    issued_at: int
    expires_at: int


class SealClaims(_SealClaims, total=False):
    """The content of a token. Times are milliseconds since 1970."""

    #: 32 hexadecimal digits, from `random` unless given.
    id: str
    questions: List[str]
    body: Any
    body_text: str
    body_base64: str
    principal: str
    method: str
    target: str
    audience: str
    #: The arguments of the request, their exact text, or their digest.
    arguments: Any
    arguments_text: str
    arguments_digest: str


class _SealExpected(TypedDict):
    now: int


class SealExpected(_SealExpected, total=False):
    """The facts of the request that brings a token."""

    skew: int
    principal: str
    method: str
    target: str
    audience: str
    #: The arguments of the request, their exact text, or their digest.
    arguments: Any
    arguments_text: str
    arguments_digest: str


class _OpenedClaims(TypedDict):
    #: 32 hexadecimal digits, from `random` unless given.
    id: str
    arguments_digest: str
    issued_at: int
    expires_at: int


class OpenedClaims(_OpenedClaims, total=False):
    """The claims of a token that was accepted. `body_base64` stands for a body that is not UTF-8."""

    principal: str
    target: str
    questions: List[str]
    body_text: str
    body_base64: str
    method: str
    audience: str


class _CodexRequest(TypedDict):
    method: str


class CodexRequest(_CodexRequest, total=False):
    """A request of the Codex app-server, and the params of the `item/started` that came before it."""

    params: Dict[str, Any]
    params_text: str
    items: List[Dict[str, Any]]


class _CodexAnswer(TypedDict):
    action: "Action"


class CodexAnswer(_CodexAnswer, total=False):
    """An answer to a question of Codex. `option` is the exact decision or the permissions that the client chose."""

    content: Dict[str, Any]
    scope: "Scope"
    option: Any
    strict: bool
    note: str


class _CodexQuestionRequest(TypedDict):
    message: str
    mode: "Mode"


class CodexQuestionRequest(_CodexQuestionRequest, total=False):
    url: str
    strict_review: bool
    schema: Dict[str, Any]
    arguments: Dict[str, Any]
    #: The command that an approval would run, and its directory.
    command: str
    #: The parts of the message. The numbers of lines add up to those of the message.
    parts: List["MessagePart"]
    claim: Literal[
        "approval", "malformed", "suggestion"
    ]
    persistable: bool
    #: The deed of an approval.
    does: Literal[
        "command", "patch", "permissions", "tool"
    ]
    cwd: str
    #: The files that a patch would change, or the places that a permission would open.
    paths: List[str]
    #: The hosts that would be reached, without ports; `*` stands for every host.
    hosts: List[str]
    #: There are more paths or hosts than the lists hold.
    reach_cut: bool
    #: Whether a path lies outside the places that the peer may write to; left out when that is not known.
    outside: bool
    message_cut: bool
    link: str
    takes: List["Takes"]


class _CodexQuestion(TypedDict):
    request: "CodexQuestionRequest"
    #: The decisions on offer. `unknown` counts those that are not known; they approve nothing.
    options: List[Any]


class CodexQuestion(_CodexQuestion, total=False):
    """A question of Codex as the engine reads it. `answer` is what a given `result` means."""

    thread: str
    turn: str
    item: str
    server: str
    tool: str
    annotations: "Annotations"
    unknown: int
    #: No policy may accept it alone.
    choice: Literal[True]
    #: Only the client can make the answer, such as a proof of the device.
    client_only: Literal[True]
    answer: "CodexAnswer"


class _InterruptQuestion(TypedDict):
    #: Names the question in an answer.
    key: str
    kind: Literal["approval", "question"]
    #: Untrusted text of the framework.
    message: str
    #: A schema that a form can draw. That of an approval has no fields.
    schema: Dict[str, Any]
    #: The answers that this question takes.
    options: List["InterruptOption"]


class InterruptQuestion(_InterruptQuestion, total=False):
    """A question of an agent framework: a call that waits for a yes, or a question for content."""

    tool: str
    server: str
    #: The arguments of the call, if the document tells them.
    arguments: Any
    #: The schema that the framework gave for the answer, unchanged.
    response_schema: Dict[str, Any]
    #: When an answer comes too late, as the framework spelled it.
    expires: str


class _Interrupts(TypedDict):
    questions: List["InterruptQuestion"]


class Interrupts(_Interrupts, total=False):
    """The question of a framework. All questions are answered together."""

    #: The ids of waiting calls that a program answers, not a person.
    others: List[str]


class _InterruptAnswer(TypedDict):
    key: str
    action: "Action"


class InterruptAnswer(_InterruptAnswer, total=False):
    """The decision of a person. `arguments` replace those of the call, and the agent reads the `note`."""

    content: Dict[str, Any]
    #: The exact JSON text of the content, for numbers that no float can hold.
    content_text: str
    arguments: Dict[str, Any]
    arguments_text: str
    note: str


class _AskingCalled(TypedDict):
    event: Literal["called"]
    call: str


class AskingCalled(_AskingCalled, total=False):
    method: str
    target: str
    arguments: Any
    structured: bool
    answers: Any
    responses: Any
    #: The host's name of the call in all its runs.
    key: str


class AskingLost(TypedDict):
    """The process which ran a handler is gone. Its call keeps what it knows, and may be made again."""

    event: Literal["lost"]
    call: str


class AskingKeyed(TypedDict):
    """A handler uses the key of its call for what it does."""

    event: Literal["keyed"]
    call: str


class _AskingPosed(TypedDict):
    event: Literal["posed"]
    call: str
    mode: "Mode"
    message: str


_AskingPosedMoreWords = TypedDict("_AskingPosedMoreWords", {"for": str}, total=False)


class AskingPosed(_AskingPosed, _AskingPosedMoreWords, total=False):
    #: Counts the questions and values of the run from 0.
    position: int
    schema: Dict[str, Any]
    url: str
    #: A URL is settled when its page was finished, not when the person consents.
    wait: bool
    #: The answer must pass neither client nor model.
    secret: bool
    ttl_ms: int


class _AskingResponded(TypedDict):
    event: Literal["responded"]
    ref: str


class AskingResponded(_AskingResponded, total=False):
    result: Any
    error: Any


class _AskingSubmitted(TypedDict):
    event: Literal["submitted"]
    action: "Action"


class AskingSubmitted(_AskingSubmitted, total=False):
    link: str
    id: str
    principal: str
    content: "Content"
    cleared: List[str]
    via: Literal["model"]


class _AskingOnce(TypedDict):
    event: Literal["once"]
    call: str


class AskingOnce(_AskingOnce, total=False):
    position: int
    key: str
    value: Any


class _AskingClaimed(TypedDict):
    event: Literal["claimed"]
    link: str
    browser: str


class AskingClaimed(_AskingClaimed, total=False):
    principal: str


class AskingCompleted(TypedDict):
    event: Literal["completed"]
    id: str


class AskingReturned(TypedDict):
    event: Literal["returned"]
    call: str


class _AskingCancelled(TypedDict):
    event: Literal["cancelled"]


class AskingCancelled(_AskingCancelled, total=False):
    call: str
    id: str


class AskingClosed(TypedDict):
    event: Literal["closed"]
    cause: Literal[
        "session_closed", "shutdown"
    ]


class AskingSend(TypedDict):
    effect: Literal["send"]
    ref: str
    call: str
    id: str
    method: str
    params: Dict[str, Any]


class AskingCancelSent(TypedDict):
    effect: Literal["cancel_sent"]
    ref: str


class AskingNotify(TypedDict):
    effect: Literal["notify"]
    method: str
    params: Dict[str, Any]


class _AskingValue(TypedDict):
    effect: Literal["value"]
    call: str
    position: int


class AskingValue(_AskingValue, total=False):
    value: Any
    replayed: bool


class _AskingResume(TypedDict):
    effect: Literal["resume"]
    call: str


class AskingResume(_AskingResume, total=False):
    method: str
    target: str
    arguments: Dict[str, Any]


class Layers(TypedDict, total=False):
    """Policy documents by layer. The exact text of one goes under the name with `_text`."""

    managed: Dict[str, Any]
    user: Dict[str, Any]
    project: Dict[str, Any]
    session: Dict[str, Any]
    managed_text: str
    user_text: str
    project_text: str
    session_text: str
    managed_path: str

Profile = Literal[
    "tolerant", "2025-06-18", "2025-11-25", "2026-07-28",
]

Action = Literal[
    "accept", "decline", "cancel",
]

Outcome = Literal[
    "accept", "decline", "cancel", "error",
]

Cause = Literal[
    "user", "policy", "guardian", "rate_limited", "invalid_request", "unsupported", "timeout", "superseded",
    "peer_cancelled", "call_ended", "session_closed", "no_ui", "duplicate", "shutdown", "attempts_used",
    "peer_error", "handed_over", "no_answer", "left_open", "carried",
]

About = Literal[
    "question", "answer", "session", "guardian", "configuration", "host",
]

Via = Literal[
    "client", "script", "no_ui", "no_answer", "model",
]

Receipt = Literal[
    "shown", "focused", "first_input",
]

Scope = Literal[
    "once", "session", "always",
]

Fault = Literal[
    "fuel", "depth", "trap", "start", "no_memory", "bad_alloc", "bad_output", "output_too_large",
    "question_too_large", "exit", "refused", "not_loaded", "unavailable", "internal",
]

ConsultPhase = Literal[
    "before_show", "before_send", "second_person",
]

Resolution = Literal[
    "completed", "lapsed",
]

Framework = Literal[
    "ag_ui", "langgraph", "ai_sdk", "openai", "pydantic_ai",
]

InterruptOption = Literal[
    "accept", "edit", "respond", "decline", "cancel", "decline_note", "accept_note",
]

ProblemCode = str

ReasonCode = str

FindingCode = str

#: Something that happened outside the engine. The set is closed. The engine refuses unknown events and members.
Event = Union[
    Configured,
    Opened,
    Asked,
    Answered,
    Completed,
    Called,
    Cancelled,
    Closed,
    Resumed,
    Noted,
    Drafted,
    Extended,
    Preferred,
    Revoked,
    Unmuted,
    Forgotten,
    Ticked,
    Consulted,
]

#: Something that the host must do. It performs the effects of a step in their order.
Effect = Union[
    Append,
    Show,
    Withdraw,
    Reply,
    OpenUrl,
    Resolve,
    Remember,
    Extend,
    Pause,
    Wake,
    ProblemEffect,
    Consult,
]

#: The events that a host gives the machine of a connection, besides messages (docs/reference/relay.md).
RelayEvent = Union[
    MessageReceived,
    Ended,
    AppendFailed,
    Answered,
    Noted,
    Drafted,
    Extended,
    Preferred,
    Completed,
    Consulted,
    Revoked,
    Unmuted,
    Forgotten,
    Configured,
    Ticked,
]

#: The effects of a connection. Its host performs them in order.
RelayEffect = Union[
    Forward,
    Send,
    Close,
    Note,
    QuestionCame,
    Settled,
    NewJournal,
    Append,
    Show,
    Withdraw,
    OpenUrl,
    Resolve,
    Remember,
    Extend,
    Pause,
    Wake,
    ProblemEffect,
    Consult,
]

#: The events of a machine of the asking side. docs/reference/abi.md describes the members.
AskingEvent = Union[
    AskingCalled,
    AskingPosed,
    AskingResponded,
    AskingSubmitted,
    AskingOnce,
    AskingClaimed,
    AskingCompleted,
    AskingReturned,
    AskingCancelled,
    AskingClosed,
    AskingLost,
    AskingKeyed,
    Configured,
    Revoked,
    Unmuted,
    Ticked,
    Consulted,
]

#: The effects of a machine of the asking side.
AskingEffect = Union[
    AskingSend,
    AskingCancelSent,
    AskingNotify,
    Interrupting,
    OpenPage,
    AskingValue,
    AskingResume,
    Append,
    Remember,
    Wake,
    ProblemEffect,
    Consult,
    AskingSettled,
]
