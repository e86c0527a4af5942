// Code generated from docs/contract.schema.json by go test ./engine/abi -run TestContract -update; DO NOT EDIT.
// The events, the effects and the documents in them, for C++17. Each struct gives its members to a visitor,
// visit(name, member), with which any library for JSON reads and writes them. A reader ignores the members that
// it does not know, and an effect with a name that it does not know.
#ifndef ELICIT_CONTRACT_HPP
#define ELICIT_CONTRACT_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace elicit::contract {

/// The exact text of a JSON value, which may be a number that no double holds, such as 1e400.
struct Json {
  std::string text;
};

/// An effect of a later version. Ignore it.
struct Unknown {
  std::string effect;
};

/// Replaces the whole configuration. A configuration with problems changes nothing. `refused` changes nothing either:
/// it tells the journal why the host does not give a configuration that it has.
struct Configured {
  static constexpr const char *event = "configured";
  std::optional<std::string> refused;
  std::optional<Json> config;
  std::optional<std::string> config_text;

  template <class Visit>
  void each(Visit &&visit) {
    visit("refused", refused);
    visit("config", config);
    visit("config_text", config_text);
  }
};

/// How the person answers: in a form, or by visiting a page.
using Mode = std::string;

/// Begins a session with one peer.
struct Opened {
  static constexpr const char *event = "opened";
  std::string session;
  /// The name that the host gave the server, never the one that the server gives itself. People see it and policy
  /// matches it.
  std::string server;
  std::string side;
  /// The modes that were declared to the peer. A request in another mode is refused.
  std::vector<Mode> declared;
  /// The modes that the host can show to a person now. A request in another mode settles with the cause `no_ui`.
  std::vector<Mode> shown;
  /// The modes that the peer's own client draws. A question in one of them goes to the client first.
  std::optional<std::vector<Mode>> client;
  /// The owner of the session. Answers must come from the same principal.
  std::optional<std::string> principal;
  /// The server's program and arguments, or the origin of its URL. A grant with scope `always` answers only a server
  /// with the same identity.
  std::optional<std::string> identity;
  /// What the session did where this host could not see it, such as `read_secret`; `*` if that is not known.
  std::optional<std::vector<std::string>> labels;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("server", server);
    visit("side", side);
    visit("declared", declared);
    visit("shown", shown);
    visit("client", client);
    visit("principal", principal);
    visit("identity", identity);
    visit("labels", labels);
  }
};

/// The parts of an answer that reach whoever asked, beside the action and the content: other arguments for the held
/// call, and a note with a decline or an accept.
using Takes = std::string;

/// A part of a message. It covers the next lines; a blank line between parts belongs to the part before it.
struct MessagePart {
  std::string is;
  std::int64_t lines = 0;

  template <class Visit>
  void each(Visit &&visit) {
    visit("is", is);
    visit("lines", lines);
  }
};

/// The server's annotations of a tool. A missing member means that the server did not say.
struct Annotations {
  std::optional<bool> read_only;
  std::optional<bool> destructive;
  std::optional<bool> idempotent;
  std::optional<bool> open_world;

  template <class Visit>
  void each(Visit &&visit) {
    visit("read_only", read_only);
    visit("destructive", destructive);
    visit("idempotent", idempotent);
    visit("open_world", open_world);
  }
};

/// A call that a question may belong to.
struct Candidate {
  /// The called tool; "" for a call of something else.
  std::string tool;
  std::optional<Annotations> annotations;
  /// The call has no result yet.
  std::optional<bool> open;

  template <class Visit>
  void each(Visit &&visit) {
    visit("tool", tool);
    visit("annotations", annotations);
    visit("open", open);
  }
};

/// A peer's question.
struct Asked {
  static constexpr const char *event = "asked";
  std::string session;
  /// The peer's own handle, unique among the open requests of its session.
  std::string ref;
  /// The call that the question belongs to.
  std::optional<std::string> parent;
  std::optional<std::string> tool;
  /// The server's annotations of the tool. They count only for servers that a policy trusts.
  std::optional<Annotations> annotations;
  /// The calls that the question may belong to, if the host cannot tell which: every open call, and those that ended
  /// a moment ago. At most 64, in place of `tool` and `annotations`. A policy takes the strictest decision over them.
  std::optional<std::vector<Candidate>> candidates;
  /// There may be calls that `candidates` does not list. A policy then decides as if it could be any tool.
  std::optional<bool> candidates_cut;
  Mode mode;
  std::string message;
  /// The parts of the message. The numbers of lines add up to those of the message.
  std::optional<std::vector<MessagePart>> parts;
  std::optional<std::string> url;
  /// The key that a later `completed` event names.
  std::optional<std::string> link;
  std::optional<std::string> claim;
  std::optional<bool> strict_review;
  /// The deed of an approval.
  std::optional<std::string> does;
  /// The command that an approval would run, and its directory.
  std::optional<std::string> command;
  std::optional<std::string> command_candidate;
  std::optional<std::string> cwd;
  /// The files that a patch would change, or the places that a permission would open.
  std::optional<std::vector<std::string>> paths;
  /// The hosts that would be reached, without ports; `*` stands for every host.
  std::optional<std::vector<std::string>> hosts;
  /// There are more paths or hosts than the lists hold.
  std::optional<bool> reach_cut;
  /// The message leaves out a part of a text that is too long.
  std::optional<bool> message_cut;
  /// Whether a path lies outside the places that the peer may write to; left out when that is not known.
  std::optional<bool> outside;
  /// The RFC 6901 pointer into the arguments at which the command stands.
  std::optional<std::string> command_at;
  /// A call of this host's own client waits for the answer. It counts for the limit `held_calls` alone.
  std::optional<bool> held_call;
  /// The server's description of the tool, and a digest of all that it says. A yes for later holds for the digest.
  std::optional<std::string> description;
  std::optional<std::string> definition;
  /// The parts of an answer that reach the peer beside the action and the content.
  std::optional<std::vector<Takes>> takes;
  std::optional<bool> persistable;
  std::optional<std::map<std::string, Json>> schema;
  std::optional<std::string> schema_text;
  std::optional<std::map<std::string, Json>> arguments;
  std::optional<std::string> arguments_text;
  std::optional<std::map<std::string, Json>> arguments_schema;
  std::optional<std::string> arguments_schema_text;
  /// The principal who may answer; left out, anyone.
  std::optional<std::string> for_;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("ref", ref);
    visit("parent", parent);
    visit("tool", tool);
    visit("annotations", annotations);
    visit("candidates", candidates);
    visit("candidates_cut", candidates_cut);
    visit("mode", mode);
    visit("message", message);
    visit("parts", parts);
    visit("url", url);
    visit("link", link);
    visit("claim", claim);
    visit("strict_review", strict_review);
    visit("does", does);
    visit("command", command);
    visit("command_candidate", command_candidate);
    visit("cwd", cwd);
    visit("paths", paths);
    visit("hosts", hosts);
    visit("reach_cut", reach_cut);
    visit("message_cut", message_cut);
    visit("outside", outside);
    visit("command_at", command_at);
    visit("held_call", held_call);
    visit("description", description);
    visit("definition", definition);
    visit("takes", takes);
    visit("persistable", persistable);
    visit("schema", schema);
    visit("schema_text", schema_text);
    visit("arguments", arguments);
    visit("arguments_text", arguments_text);
    visit("arguments_schema", arguments_schema);
    visit("arguments_schema_text", arguments_schema_text);
    visit("for", for_);
  }
};

using FieldValue = Json;

/// The content of an answer.
using Content = std::map<std::string, FieldValue>;

using Scope = std::string;

/// On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970.
struct AnsweredRemember {
  Scope scope;
  std::optional<std::int64_t> expires_at;
  /// The file of a script agrees by itself.
  std::optional<bool> prepared;

  template <class Visit>
  void each(Visit &&visit) {
    visit("scope", scope);
    visit("expires_at", expires_at);
    visit("prepared", prepared);
  }
};

using Action = std::string;

using Via = std::string;

/// An answer to a shown request. Missing fields get their defaults, except the fields that the person emptied.
struct Answered {
  static constexpr const char *event = "answered";
  std::string session;
  std::string id;
  std::optional<std::string> principal;
  Action action;
  /// The names of the fields that the person emptied.
  std::optional<std::vector<std::string>> cleared;
  /// The origin of the answer; left out, a person who uses this host.
  std::optional<Via> via;
  /// On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970.
  std::optional<AnsweredRemember> remember;
  /// On decline or cancel: refuse later questions of this server in this session.
  std::optional<bool> mute;
  /// Words for whoever asked. They go no further than the journal if the question does not take them.
  std::optional<std::string> note;
  std::optional<Content> content;
  std::optional<std::string> content_text;
  std::optional<std::map<std::string, Json>> arguments;
  std::optional<std::string> arguments_text;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("principal", principal);
    visit("action", action);
    visit("cleared", cleared);
    visit("via", via);
    visit("remember", remember);
    visit("mute", mute);
    visit("note", note);
    visit("content", content);
    visit("content_text", content_text);
    visit("arguments", arguments);
    visit("arguments_text", arguments_text);
  }
};

/// The page of a URL request has been completed.
struct Completed {
  static constexpr const char *event = "completed";
  std::string session;
  std::string link;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("link", link);
  }
};

/// A held call is sent to its server. The event is for the journal.
struct Called {
  static constexpr const char *event = "called";
  std::string session;
  /// That of the question about the call.
  std::string ref;
  std::string tool;
  /// SHA-256 of the canonical arguments, as the journal may keep them.
  std::string digest;
  /// The server has had the call before.
  std::optional<bool> again;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("ref", ref);
    visit("tool", tool);
    visit("digest", digest);
    visit("again", again);
  }
};

/// The peer withdraws one request (`ref`), or all requests of one of its calls (`parent`).
struct Cancelled {
  static constexpr const char *event = "cancelled";
  std::string session;
  std::optional<std::string> ref;
  std::optional<std::string> parent;
  /// The host withdraws the request because its call ended. The peer still waits, so it gets a cancel.
  std::optional<std::string> cause;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("ref", ref);
    visit("parent", parent);
    visit("cause", cause);
  }
};

using Cause = std::string;

/// Ends a session.
struct Closed {
  static constexpr const char *event = "closed";
  std::string session;
  Cause cause;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("cause", cause);
  }
};

/// Resumes a saved session. Its shown requests are shown again.
struct Resumed {
  static constexpr const char *event = "resumed";
  std::optional<std::map<std::string, Json>> state;
  std::optional<std::string> state_text;

  template <class Visit>
  void each(Visit &&visit) {
    visit("state", state);
    visit("state_text", state_text);
  }
};

using Receipt = std::string;

/// A receipt of a shown request: the person saw it, focused it, or began to type.
struct Noted {
  static constexpr const char *event = "noted";
  std::string session;
  std::string id;
  Receipt receipt;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("receipt", receipt);
  }
};

/// The values that a person has typed so far. Without `draft`, the engine drops the draft it kept.
struct Drafted {
  static constexpr const char *event = "drafted";
  std::string session;
  std::string id;
  std::optional<std::map<std::string, Json>> draft;
  std::optional<std::string> draft_text;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("draft", draft);
    visit("draft_text", draft_text);
  }
};

/// Asks for a later deadline.
struct Extended {
  static constexpr const char *event = "extended";
  std::string session;
  std::string id;
  /// Milliseconds since 1970-01-01 UTC.
  std::int64_t until = 0;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("until", until);
  }
};

/// The person chose a question that waits for its turn. It is shown at once, beside those that are shown already.
struct Preferred {
  static constexpr const char *event = "preferred";
  std::string session;
  std::string ref;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("ref", ref);
  }
};

/// Ends a grant (a remembered yes).
struct Revoked {
  static constexpr const char *event = "revoked";
  std::string grant;

  template <class Visit>
  void each(Visit &&visit) {
    visit("grant", grant);
  }
};

/// Lets a muted server ask again.
struct Unmuted {
  static constexpr const char *event = "unmuted";
  std::string session;
  std::string server;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("server", server);
  }
};

/// Deletes the typed values that a session remembers: those of fields with one name, or all.
struct Forgotten {
  static constexpr const char *event = "forgotten";
  std::string session;
  std::optional<std::string> field;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("field", field);
  }
};

/// Tells the engine that the time of its `wake` has come.
struct Ticked {
  static constexpr const char *event = "ticked";

  template <class Visit>
  void each(Visit &&) {
  }
};

using Fault = std::string;

/// The answer of a guardian: what it wrote, unread, or why there is nothing. Exactly one of `output` and `fault`.
struct Consulted {
  static constexpr const char *event = "consulted";
  std::string session;
  std::string id;
  std::int64_t round = 0;
  std::optional<std::string> output;
  std::optional<Fault> fault;
  /// Used by a guest.
  std::optional<std::int64_t> fuel;
  /// In phase `second_person`: who approves.
  std::optional<std::string> principal;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("round", round);
    visit("output", output);
    visit("fault", fault);
    visit("fuel", fuel);
    visit("principal", principal);
  }
};

/// Something that happened outside the engine. The set is closed. The engine refuses unknown events and members.
using Event = std::variant<
    Configured, Opened, Asked, Answered, Completed, Called, Cancelled, Closed, Resumed, Noted, Drafted, Extended,
    Preferred, Revoked, Unmuted, Forgotten, Ticked, Consulted>;

/// Keep one journal record. It must be durable before the host performs any reply, open_url or resolve after it.
struct Append {
  static constexpr const char *effect = "append";
  /// One line of JSON without its newline. Keep these exact bytes.
  Json record;

  template <class Visit>
  void each(Visit &&visit) {
    visit("record", record);
  }
};

/// The kind of a question. A `confirm` has no fields; an `approval` is a `confirm` of a tool call.
using Kind = std::string;

/// `text` yields a string, `choice` one of the values of its choices, `choices` a list of strings.
using FieldKind = std::string;

using Widget = std::string;

/// `value` goes into the answer unchanged, as a string or number. A person reads `title`.
struct Choice {
  Json value;
  std::string title;
  std::optional<std::string> description;

  template <class Visit>
  void each(Visit &&visit) {
    visit("value", value);
    visit("title", title);
    visit("description", description);
  }
};

/// The constraints of a field. A check enforces all of them except `note`. Lengths are in code points.
struct Constraints {
  std::optional<Json> minLength;
  std::optional<Json> maxLength;
  /// A regular expression of ECMA-262, as it was written.
  std::optional<std::string> pattern;
  /// Used in place of `pattern` if several patterns must match.
  std::optional<std::vector<std::string>> patterns;
  std::optional<Json> minimum;
  std::optional<Json> maximum;
  std::optional<Json> exclusiveMinimum;
  std::optional<Json> exclusiveMaximum;
  std::optional<Json> multipleOf;
  std::optional<Json> minItems;
  std::optional<Json> maxItems;
  std::optional<std::string> format;
  /// A format that the person sees and the check does not enforce.
  std::optional<std::string> note;

  template <class Visit>
  void each(Visit &&visit) {
    visit("minLength", minLength);
    visit("maxLength", maxLength);
    visit("pattern", pattern);
    visit("patterns", patterns);
    visit("minimum", minimum);
    visit("maximum", maximum);
    visit("exclusiveMinimum", exclusiveMinimum);
    visit("exclusiveMaximum", exclusiveMaximum);
    visit("multipleOf", multipleOf);
    visit("minItems", minItems);
    visit("maxItems", maxItems);
    visit("format", format);
    visit("note", note);
  }
};

/// One field to fill in. Its texts come from the peer and are untrusted: draw them as text.
struct Field {
  /// The name of the member in the answer.
  std::string name;
  /// The label to draw: the title, or the name made readable.
  std::string label;
  std::optional<std::string> help;
  FieldKind kind;
  /// A suggestion. A host may draw another widget.
  Widget widget;
  bool required = false;
  /// The texts of the field mention a secret.
  std::optional<bool> sensitive;
  /// Present for `choice` and `choices`.
  std::optional<std::vector<Choice>> choices;
  std::optional<Constraints> constraints;
  /// The initial value. It may be falsy.
  std::optional<FieldValue> initial;
  std::optional<std::string> provenance;

  template <class Visit>
  void each(Visit &&visit) {
    visit("name", name);
    visit("label", label);
    visit("help", help);
    visit("kind", kind);
    visit("widget", widget);
    visit("required", required);
    visit("sensitive", sensitive);
    visit("choices", choices);
    visit("constraints", constraints);
    visit("initial", initial);
    visit("provenance", provenance);
  }
};

/// The values that the sentence of a code needs.
using Args = std::map<std::string, Json>;

using ProblemCode = std::string;

/// Something is wrong with an input. Problems of peers and people are collected as values and never thrown.
struct Problem {
  ProblemCode code;
  /// RFC 6901 pointer into the document with the problem; "" is the whole document.
  std::string pointer;
  /// The part of an answer with the problem, if it is not the content.
  std::optional<std::string> in;
  /// Span in bytes of UTF-8; absent if the problem has none.
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  std::optional<Args> args;

  template <class Visit>
  void each(Visit &&visit) {
    visit("code", code);
    visit("pointer", pointer);
    visit("in", in);
    visit("start", start);
    visit("end", end);
    visit("args", args);
  }
};

/// A compiled schema: the ordered fields that every user interface draws.
struct Form {
  std::optional<std::string> title;
  std::optional<std::string> help;
  std::vector<Field> fields;
  /// The parts of the schema that were left out, for its author. The operation `explain` gives the sentences.
  std::optional<std::vector<Problem>> notes;

  template <class Visit>
  void each(Visit &&visit) {
    visit("title", title);
    visit("help", help);
    visit("fields", fields);
    visit("notes", notes);
  }
};

using ReasonCode = std::string;

/// The reason for a decision.
struct Reason {
  ReasonCode code;
  std::optional<std::string> layer;
  std::optional<std::string> rule;
  std::optional<Args> args;

  template <class Visit>
  void each(Visit &&visit) {
    visit("code", code);
    visit("layer", layer);
    visit("rule", rule);
    visit("args", args);
  }
};

using Severity = std::string;

using FindingCode = std::string;

/// A warning or note about a question, for the person to read before answering.
struct Finding {
  Json code;
  Severity severity;
  /// RFC 6901 pointer into the request: `/message`, `/url`, `/requestedSchema/…`.
  std::string pointer;
  /// Span in bytes of the string that `pointer` names.
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> end;
  /// The text that the finding is about, with invisible characters spelled out.
  std::optional<std::string> evidence;
  std::optional<Args> args;

  template <class Visit>
  void each(Visit &&visit) {
    visit("code", code);
    visit("severity", severity);
    visit("pointer", pointer);
    visit("start", start);
    visit("end", end);
    visit("evidence", evidence);
    visit("args", args);
  }
};

/// A part of a message, of the earlier message, or of both.
struct Change {
  std::string is;
  std::string text;

  template <class Visit>
  void each(Visit &&visit) {
    visit("is", is);
    visit("text", text);
  }
};

/// A value that the person typed before.
struct Suggestion {
  std::string field;
  Json value;
  /// The time of that answer, in milliseconds since 1970-01-01 UTC.
  std::int64_t at = 0;
  /// The question it answered.
  std::string id;

  template <class Visit>
  void each(Visit &&visit) {
    visit("field", field);
    visit("value", value);
    visit("at", at);
    visit("id", id);
  }
};

/// Show a request to a person. Strings from the peer are untrusted: draw them as text.
struct Show {
  static constexpr const char *effect = "show";
  std::string session;
  std::string id;
  std::string ref;
  std::string server;
  std::optional<std::string> tool;
  Mode mode;
  Kind kind;
  std::string message;
  /// The kinds of text in the message, part by part. Left out, all of it is text.
  std::optional<std::vector<MessagePart>> parts;
  std::optional<Form> form;
  std::optional<std::string> url;
  std::vector<Finding> findings;
  std::vector<Reason> reasons;
  /// Whether the peer's own client draws it, and not the host. A connection shows it to the client itself.
  std::optional<bool> by_client;
  /// Milliseconds since 1970-01-01 UTC.
  std::optional<std::int64_t> deadline;
  /// The number of requests that wait behind this one.
  std::optional<std::int64_t> waiting;
  /// The values that the person had typed before a reload.
  std::optional<std::map<std::string, Json>> draft;
  /// Values that the person typed into such fields before. Show them apart from defaults. Send one only if the person
  /// takes it.
  std::optional<std::vector<Suggestion>> suggestions;
  /// How long a yes may be remembered. Present if the configuration sets `offer_scopes`.
  std::optional<std::vector<std::string>> remember;
  /// The server's description of the tool of a held call, and its annotations. They are the server's word.
  std::optional<std::string> description;
  std::optional<Annotations> annotations;
  /// The arguments of the call that waits for the answer.
  std::optional<std::map<std::string, Json>> arguments;
  /// The parts of an answer that reach whoever asked, beside the action and the content.
  std::optional<std::vector<Takes>> takes;
  /// The deed of an approval, as the event `asked` said it.
  std::optional<std::string> does;
  std::optional<std::string> command;
  std::optional<std::string> cwd;
  std::optional<std::vector<std::string>> paths;
  std::optional<std::vector<std::string>> hosts;
  std::optional<bool> reach_cut;
  std::optional<bool> outside;
  /// The differences from the last message of the same tool that was almost the same and that the person accepted.
  /// The texts of `same` and `new` together are the message. Present if the configuration sets `show_changes`.
  std::optional<std::vector<Change>> changed;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("ref", ref);
    visit("server", server);
    visit("tool", tool);
    visit("mode", mode);
    visit("kind", kind);
    visit("message", message);
    visit("parts", parts);
    visit("form", form);
    visit("url", url);
    visit("findings", findings);
    visit("reasons", reasons);
    visit("by_client", by_client);
    visit("deadline", deadline);
    visit("waiting", waiting);
    visit("draft", draft);
    visit("suggestions", suggestions);
    visit("remember", remember);
    visit("description", description);
    visit("annotations", annotations);
    visit("arguments", arguments);
    visit("takes", takes);
    visit("does", does);
    visit("command", command);
    visit("cwd", cwd);
    visit("paths", paths);
    visit("hosts", hosts);
    visit("reach_cut", reach_cut);
    visit("outside", outside);
    visit("changed", changed);
  }
};

/// A request ended without an answer. Remove it if it was shown.
struct Withdraw {
  static constexpr const char *effect = "withdraw";
  std::string session;
  std::string id;
  Cause cause;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("cause", cause);
  }
};

using Outcome = std::string;

/// Answer the peer. A request gets at most one reply, ever.
struct Reply {
  static constexpr const char *effect = "reply";
  std::string session;
  /// Absent if the request was refused before it had an id.
  std::optional<std::string> id;
  std::string ref;
  Outcome outcome;
  Cause cause;
  /// On accept of a form.
  std::optional<Content> content;
  /// Words of the person for whoever asked.
  std::optional<std::string> note;
  /// The arguments with which the held call goes on, in place of its arguments.
  std::optional<std::map<std::string, Json>> arguments;
  std::optional<std::vector<Problem>> problems;
  std::optional<std::vector<Finding>> findings;
  std::optional<std::vector<Reason>> reasons;
  std::optional<std::vector<std::string>> receipts;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("ref", ref);
    visit("outcome", outcome);
    visit("cause", cause);
    visit("content", content);
    visit("note", note);
    visit("arguments", arguments);
    visit("problems", problems);
    visit("findings", findings);
    visit("reasons", reasons);
    visit("receipts", receipts);
  }
};

/// Open a page that the person has just agreed to. Open it where neither the host nor the model can read it.
struct OpenUrl {
  static constexpr const char *effect = "open_url";
  std::string session;
  std::string id;
  std::string url;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("url", url);
  }
};

using Resolution = std::string;

/// An agreed page was completed, or lapsed because no completion came in time. The reply was sent earlier.
struct Resolve {
  static constexpr const char *effect = "resolve";
  std::string session;
  std::string id;
  std::string ref;
  Resolution resolution;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("ref", ref);
    visit("resolution", resolution);
  }
};

/// A remembered yes: it answers the same question when it is asked again.
struct Grant {
  std::string id;
  std::string digest;
  std::optional<std::string> session;
  std::optional<std::string> principal;
  std::string server;
  /// For scope `always`: the identity of the server that the grant was given to.
  std::optional<std::string> identity;
  std::optional<std::string> tool;
  std::string message;
  /// The digest of what the server said of the tool. A grant without it holds for every definition.
  std::optional<std::string> definition;
  std::string scope;
  std::optional<std::int64_t> expires_at;

  template <class Visit>
  void each(Visit &&visit) {
    visit("id", id);
    visit("digest", digest);
    visit("session", session);
    visit("principal", principal);
    visit("server", server);
    visit("identity", identity);
    visit("tool", tool);
    visit("message", message);
    visit("definition", definition);
    visit("scope", scope);
    visit("expires_at", expires_at);
  }
};

/// A new grant. The host keeps grants with scope `always` for the next configuration.
struct Remember {
  static constexpr const char *effect = "remember";
  std::string session;
  Grant grant;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("grant", grant);
  }
};

/// The deadline that is in force after an `extended` event.
struct Extend {
  static constexpr const char *effect = "extend";
  std::string session;
  std::string id;
  std::int64_t deadline = 0;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("deadline", deadline);
  }
};

/// Stop (`on`) or restart the host's own timers for the calls of a session. `total_ms` is in milliseconds.
struct Pause {
  static constexpr const char *effect = "pause";
  std::string session;
  bool on = false;
  std::int64_t total_ms = 0;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("on", on);
    visit("total_ms", total_ms);
  }
};

/// Give one `ticked` event at `at` or soon after. It replaces every earlier wake; 0 means that none is needed. With
/// `in`, the tick is due so many milliseconds after the input of this step, and `at` is only for people.
struct Wake {
  static constexpr const char *effect = "wake";
  std::int64_t at = 0;
  std::optional<std::int64_t> in;

  template <class Visit>
  void each(Visit &&visit) {
    visit("at", at);
    visit("in", in);
  }
};

using About = std::string;

/// An input could not be used: the answer was wrong or late (`outcome`, `cause`), or the id is unknown. `about` names
/// the kind of input. A person can mend only problems about an answer.
struct ProblemEffect {
  static constexpr const char *effect = "problem";
  About about;
  std::optional<std::string> session;
  std::optional<std::string> id;
  std::optional<std::string> ref;
  std::vector<Problem> problems;
  std::optional<Outcome> outcome;
  std::optional<Cause> cause;

  template <class Visit>
  void each(Visit &&visit) {
    visit("about", about);
    visit("session", session);
    visit("id", id);
    visit("ref", ref);
    visit("problems", problems);
    visit("outcome", outcome);
    visit("cause", cause);
  }
};

/// What the server says of the tool whose call waits.
struct QuestionRequestHeldCall {
  std::optional<std::string> description;
  std::optional<std::string> definition;

  template <class Visit>
  void each(Visit &&visit) {
    visit("description", description);
    visit("definition", definition);
  }
};

struct QuestionRequest {
  std::optional<std::string> server;
  std::optional<std::string> tool;
  std::optional<std::string> mode;
  std::optional<std::string> kind;
  std::optional<std::string> message;
  std::optional<std::string> url;
  std::optional<std::string> claim;
  std::optional<std::map<std::string, bool>> annotations;
  /// Those members of the form that the guardian may read.
  std::optional<std::map<std::string, Json>> form;
  std::optional<std::vector<Finding>> findings;
  /// Whether the built-in inspection read the request.
  std::optional<bool> inspected;
  /// What an approval would do.
  std::optional<std::vector<Json>> impacts;
  /// What the session did before: `read_secret`, `changed_settings`, `fetched:HOST`, `*`.
  std::optional<std::vector<std::string>> labels;
  /// What the server says of the tool whose call waits.
  std::optional<QuestionRequestHeldCall> held_call;
  /// The deed of an approval.
  std::optional<std::string> does;
  /// The command that an approval would run, and its directory.
  std::optional<std::string> command;
  std::optional<std::string> cwd;
  /// The files that a patch would change, or the places that a permission would open.
  std::optional<std::vector<std::string>> paths;
  /// The hosts that would be reached, without ports; `*` stands for every host.
  std::optional<std::vector<std::string>> hosts;
  /// There are more paths or hosts than the lists hold.
  std::optional<bool> reach_cut;
  /// Whether a path lies outside the places that the peer may write to; left out when that is not known.
  std::optional<bool> outside;
  std::optional<std::map<std::string, Json>> arguments;

  template <class Visit>
  void each(Visit &&visit) {
    visit("server", server);
    visit("tool", tool);
    visit("mode", mode);
    visit("kind", kind);
    visit("message", message);
    visit("url", url);
    visit("claim", claim);
    visit("annotations", annotations);
    visit("form", form);
    visit("findings", findings);
    visit("inspected", inspected);
    visit("impacts", impacts);
    visit("labels", labels);
    visit("held_call", held_call);
    visit("does", does);
    visit("command", command);
    visit("cwd", cwd);
    visit("paths", paths);
    visit("hosts", hosts);
    visit("reach_cut", reach_cut);
    visit("outside", outside);
    visit("arguments", arguments);
  }
};

using ConsultPhase = std::string;

/// The data that one guardian gets: no more than it declared and was permitted. Secrets are `{"$redacted": TYPE}`.
struct Question {
  std::int64_t v = 0;
  ConsultPhase phase;
  /// Milliseconds since 1970-01-01 UTC.
  std::int64_t at = 0;
  QuestionRequest request;
  /// Before the answer is sent.
  std::optional<std::map<std::string, Json>> answer;
  std::map<std::string, Json> settings;
  /// 32 hex digits, another for each asking.
  std::string seed;
  /// A reviewer's: what to put before a language model.
  std::optional<Json> prompt;
  /// Words of the person for whoever asked.
  std::optional<std::string> note;

  template <class Visit>
  void each(Visit &&visit) {
    visit("v", v);
    visit("phase", phase);
    visit("at", at);
    visit("request", request);
    visit("answer", answer);
    visit("settings", settings);
    visit("seed", seed);
    visit("prompt", prompt);
    visit("note", note);
  }
};

/// Asks a guardian. A host that can run it answers with one `consulted` event of the same round. Without one by the
/// deadline, the guardian counts as failed.
struct Consult {
  static constexpr const char *effect = "consult";
  std::string session;
  std::string id;
  /// Names this asking among those of the request.
  std::int64_t round = 0;
  std::string guardian;
  /// SHA-256 of the module, absent when the host knows what is meant.
  std::optional<std::string> digest;
  ConsultPhase phase;
  /// 2 and up when a reviewer is asked again because its answer could not be read.
  std::optional<std::int64_t> attempt;
  std::optional<bool> reviewer;
  /// The host's to run, whoever else could.
  std::optional<bool> host;
  std::optional<std::int64_t> fuel;
  std::optional<bool> wasi;
  /// SHA-256 of the guardian's data document.
  std::optional<std::string> data_digest;
  /// Milliseconds since 1970-01-01 UTC.
  std::int64_t deadline = 0;
  Json question;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("id", id);
    visit("round", round);
    visit("guardian", guardian);
    visit("digest", digest);
    visit("phase", phase);
    visit("attempt", attempt);
    visit("reviewer", reviewer);
    visit("host", host);
    visit("fuel", fuel);
    visit("wasi", wasi);
    visit("data_digest", data_digest);
    visit("deadline", deadline);
    visit("question", question);
  }
};

/// Something that the host must do. It performs the effects of a step in their order.
using Effect = std::variant<
    Append, Show, Withdraw, Reply, OpenUrl, Resolve, Remember, Extend, Pause, Wake, ProblemEffect, Consult, Unknown>;

/// An end has closed its stream, or the host is about to stop. The machine settles open questions while messages can
/// still reach both ends.
struct Ended {
  static constexpr const char *event = "ended";
  std::string end;

  template <class Visit>
  void each(Visit &&visit) {
    visit("end", end);
  }
};

/// An `append` of the last step could not be made durable. The host has performed no effect after it.
struct AppendFailed {
  static constexpr const char *event = "append_failed";

  template <class Visit>
  void each(Visit &&) {
  }
};

/// An end of a connection.
using End = std::string;

/// A message was received. `receive` gives whole messages. `cut` marks the beginning of a message that is longer than
/// the host accepts.
struct MessageReceived {
  static constexpr const char *event = "received";
  End from;
  std::optional<bool> cut;

  template <class Visit>
  void each(Visit &&visit) {
    visit("from", from);
    visit("cut", cut);
  }
};

/// The events that a host gives the machine of a connection, besides messages (docs/reference/relay.md).
using RelayEvent = std::variant<
    MessageReceived, Ended, AppendFailed, Answered, Noted, Drafted, Extended, Preferred, Completed, Consulted,
    Revoked, Unmuted, Forgotten, Configured, Ticked>;

/// Write the message that was received in this step to the other end, byte for byte.
struct Forward {
  static constexpr const char *effect = "forward";
  End to;

  template <class Visit>
  void each(Visit &&visit) {
    visit("to", to);
  }
};

/// Write a message that the machine made, or a received message with one part replaced. It has no line end.
struct Send {
  static constexpr const char *effect = "send";
  End to;
  std::string message;

  template <class Visit>
  void each(Visit &&visit) {
    visit("to", to);
    visit("message", message);
  }
};

/// Close the stream that the host writes to an end, after everything written before.
struct Close {
  static constexpr const char *effect = "close";
  End end;

  template <class Visit>
  void each(Visit &&visit) {
    visit("end", end);
  }
};

/// Tell a person about a message that was not passed on, or was changed. Texts in the arguments may be a peer's.
struct Note {
  static constexpr const char *effect = "note";
  std::string from;
  /// A message of that end was not passed on, because of these problems.
  std::optional<bool> refused;
  std::vector<Problem> problems;

  template <class Visit>
  void each(Visit &&visit) {
    visit("from", from);
    visit("refused", refused);
    visit("problems", problems);
  }
};

/// A question was received. It may be decided without a person. It comes before the `show` with the same ref.
struct QuestionCame {
  static constexpr const char *effect = "question";
  std::optional<std::string> link;
  /// The exact text of its schema.
  std::optional<std::string> schema_text;
  std::string session;
  std::string ref;
  std::string server;
  std::optional<std::string> tool;
  Mode mode;
  std::string message;
  std::optional<std::string> url;

  template <class Visit>
  void each(Visit &&visit) {
    visit("link", link);
    visit("schema_text", schema_text);
    visit("session", session);
    visit("ref", ref);
    visit("server", server);
    visit("tool", tool);
    visit("mode", mode);
    visit("message", message);
    visit("url", url);
  }
};

struct SettledReply {
  std::string session;
  /// Words of the person for whoever asked.
  std::optional<std::string> note;
  /// The arguments with which the held call goes on, in place of its arguments.
  std::optional<std::map<std::string, Json>> arguments;
  std::optional<std::vector<Finding>> findings;
  std::string effect;
  /// Absent if the request was refused before it had an id.
  std::optional<std::string> id;
  std::string ref;
  Outcome outcome;
  Cause cause;
  std::optional<std::vector<Problem>> problems;
  std::optional<std::vector<Reason>> reasons;
  std::optional<std::vector<std::string>> receipts;

  template <class Visit>
  void each(Visit &&visit) {
    visit("session", session);
    visit("note", note);
    visit("arguments", arguments);
    visit("findings", findings);
    visit("effect", effect);
    visit("id", id);
    visit("ref", ref);
    visit("outcome", outcome);
    visit("cause", cause);
    visit("problems", problems);
    visit("reasons", reasons);
    visit("receipts", receipts);
  }
};

/// A question ended, and why. The peer has already been answered.
struct Settled {
  static constexpr const char *effect = "settled";
  SettledReply reply;
  std::string session;
  std::string ref;
  std::string server;
  std::optional<std::string> tool;
  Mode mode;
  std::string message;
  std::optional<std::string> url;

  template <class Visit>
  void each(Visit &&visit) {
    visit("reply", reply);
    visit("session", session);
    visit("ref", ref);
    visit("server", server);
    visit("tool", tool);
    visit("mode", mode);
    visit("message", message);
    visit("url", url);
  }
};

/// A new engine replaced a broken one. The records that follow begin a new chain.
struct NewJournal {
  static constexpr const char *effect = "new_journal";

  template <class Visit>
  void each(Visit &&) {
  }
};

/// The effects of a connection. Its host performs them in order.
using RelayEffect = std::variant<
    Forward, Send, Close, Note, QuestionCame, Settled, NewJournal, Append, Show, Withdraw, OpenUrl, Resolve, Remember,
    Extend, Pause, Wake, ProblemEffect, Consult, Unknown>;

struct AskingCalled {
  static constexpr const char *event = "called";
  std::string call;
  std::optional<std::string> method;
  std::optional<std::string> target;
  std::optional<Json> arguments;
  std::optional<bool> structured;
  std::optional<Json> answers;
  std::optional<Json> responses;
  /// The host's name of the call in all its runs.
  std::optional<std::string> key;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("method", method);
    visit("target", target);
    visit("arguments", arguments);
    visit("structured", structured);
    visit("answers", answers);
    visit("responses", responses);
    visit("key", key);
  }
};

/// The process which ran a handler is gone. Its call keeps what it knows, and may be made again.
struct AskingLost {
  static constexpr const char *event = "lost";
  std::string call;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
  }
};

/// A handler uses the key of its call for what it does.
struct AskingKeyed {
  static constexpr const char *event = "keyed";
  std::string call;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
  }
};

struct AskingPosed {
  static constexpr const char *event = "posed";
  std::string call;
  /// Counts the questions and values of the run from 0.
  std::optional<std::int64_t> position;
  Mode mode;
  std::string message;
  std::optional<std::map<std::string, Json>> schema;
  std::optional<std::string> url;
  /// A URL is settled when its page was finished, not when the person consents.
  std::optional<bool> wait;
  /// The answer must pass neither client nor model.
  std::optional<bool> secret;
  /// The principal who may answer, on a page; left out, the caller.
  std::optional<std::string> for_;
  std::optional<std::int64_t> ttl_ms;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("position", position);
    visit("mode", mode);
    visit("message", message);
    visit("schema", schema);
    visit("url", url);
    visit("wait", wait);
    visit("secret", secret);
    visit("for", for_);
    visit("ttl_ms", ttl_ms);
  }
};

struct AskingResponded {
  static constexpr const char *event = "responded";
  std::string ref;
  std::optional<Json> result;
  std::optional<Json> error;

  template <class Visit>
  void each(Visit &&visit) {
    visit("ref", ref);
    visit("result", result);
    visit("error", error);
  }
};

struct AskingSubmitted {
  static constexpr const char *event = "submitted";
  std::optional<std::string> link;
  std::optional<std::string> id;
  std::optional<std::string> principal;
  Action action;
  std::optional<Content> content;
  std::optional<std::vector<std::string>> cleared;
  std::optional<std::string> via;

  template <class Visit>
  void each(Visit &&visit) {
    visit("link", link);
    visit("id", id);
    visit("principal", principal);
    visit("action", action);
    visit("content", content);
    visit("cleared", cleared);
    visit("via", via);
  }
};

struct AskingOnce {
  static constexpr const char *event = "once";
  std::string call;
  std::optional<std::int64_t> position;
  std::optional<std::string> key;
  std::optional<Json> value;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("position", position);
    visit("key", key);
    visit("value", value);
  }
};

struct AskingClaimed {
  static constexpr const char *event = "claimed";
  std::string link;
  std::string browser;
  std::optional<std::string> principal;

  template <class Visit>
  void each(Visit &&visit) {
    visit("link", link);
    visit("browser", browser);
    visit("principal", principal);
  }
};

struct AskingCompleted {
  static constexpr const char *event = "completed";
  std::string id;

  template <class Visit>
  void each(Visit &&visit) {
    visit("id", id);
  }
};

struct AskingReturned {
  static constexpr const char *event = "returned";
  std::string call;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
  }
};

struct AskingCancelled {
  static constexpr const char *event = "cancelled";
  std::optional<std::string> call;
  std::optional<std::string> id;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("id", id);
  }
};

struct AskingClosed {
  static constexpr const char *event = "closed";
  std::string cause;

  template <class Visit>
  void each(Visit &&visit) {
    visit("cause", cause);
  }
};

/// The events of a machine of the asking side. docs/reference/abi.md describes the members.
using AskingEvent = std::variant<
    AskingCalled, AskingPosed, AskingResponded, AskingSubmitted, AskingOnce, AskingClaimed, AskingCompleted,
    AskingReturned, AskingCancelled, AskingClosed, AskingLost, AskingKeyed, Configured, Revoked, Unmuted, Ticked,
    Consulted>;

struct InterruptingRequests {
  std::string method;
  std::map<std::string, Json> params;

  template <class Visit>
  void each(Visit &&visit) {
    visit("method", method);
    visit("params", params);
  }
};

struct InterruptingError {
  std::int64_t code = 0;
  std::string message;
  std::optional<Json> data;

  template <class Visit>
  void each(Visit &&visit) {
    visit("code", code);
    visit("message", message);
    visit("data", data);
  }
};

/// Ends the run of a call.
struct Interrupting {
  static constexpr const char *effect = "interrupt";
  std::string call;
  std::string id;
  std::string offer;
  std::optional<std::map<std::string, InterruptingRequests>> requests;
  std::optional<InterruptingError> error;
  std::optional<std::map<std::string, Json>> result;
  std::optional<std::map<std::string, Json>> body;
  std::int64_t expires = 0;
  std::optional<bool> keep;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("id", id);
    visit("offer", offer);
    visit("requests", requests);
    visit("error", error);
    visit("result", result);
    visit("body", body);
    visit("expires", expires);
    visit("keep", keep);
  }
};

/// A question is open on a page of the server.
struct OpenPage {
  static constexpr const char *effect = "page";
  std::string link;
  std::string url;
  std::optional<bool> secret;
  /// The principal who may answer; left out, the caller.
  std::optional<std::string> for_;
  Show show;

  template <class Visit>
  void each(Visit &&visit) {
    visit("link", link);
    visit("url", url);
    visit("secret", secret);
    visit("for", for_);
    visit("show", show);
  }
};

/// A question of a handler has its outcome.
struct AskingSettled {
  static constexpr const char *effect = "settle";
  std::string call;
  std::int64_t position = 0;
  std::optional<std::string> id;
  Outcome outcome;
  Cause cause;
  std::optional<Content> content;
  std::optional<std::vector<Problem>> problems;
  std::optional<std::vector<Reason>> reasons;
  std::optional<std::string> offer;
  std::optional<bool> page;
  std::optional<bool> replayed;
  /// Of the call and the question, with the configuration `history`.
  std::optional<std::string> target;
  std::optional<std::string> message;
  /// Who took the question back, in the machine of a process.
  std::optional<std::string> by;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("position", position);
    visit("id", id);
    visit("outcome", outcome);
    visit("cause", cause);
    visit("content", content);
    visit("problems", problems);
    visit("reasons", reasons);
    visit("offer", offer);
    visit("page", page);
    visit("replayed", replayed);
    visit("target", target);
    visit("message", message);
    visit("by", by);
  }
};

struct AskingSend {
  static constexpr const char *effect = "send";
  std::string ref;
  std::string call;
  std::string id;
  std::string method;
  std::map<std::string, Json> params;

  template <class Visit>
  void each(Visit &&visit) {
    visit("ref", ref);
    visit("call", call);
    visit("id", id);
    visit("method", method);
    visit("params", params);
  }
};

struct AskingCancelSent {
  static constexpr const char *effect = "cancel_sent";
  std::string ref;

  template <class Visit>
  void each(Visit &&visit) {
    visit("ref", ref);
  }
};

struct AskingNotify {
  static constexpr const char *effect = "notify";
  std::string method;
  std::map<std::string, Json> params;

  template <class Visit>
  void each(Visit &&visit) {
    visit("method", method);
    visit("params", params);
  }
};

struct AskingValue {
  static constexpr const char *effect = "value";
  std::string call;
  std::int64_t position = 0;
  std::optional<Json> value;
  std::optional<bool> replayed;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("position", position);
    visit("value", value);
    visit("replayed", replayed);
  }
};

struct AskingResume {
  static constexpr const char *effect = "resume";
  std::string call;
  std::optional<std::string> method;
  std::optional<std::string> target;
  std::optional<std::map<std::string, Json>> arguments;

  template <class Visit>
  void each(Visit &&visit) {
    visit("call", call);
    visit("method", method);
    visit("target", target);
    visit("arguments", arguments);
  }
};

/// The effects of a machine of the asking side.
using AskingEffect = std::variant<
    AskingSend, AskingCancelSent, AskingNotify, Interrupting, OpenPage, AskingValue, AskingResume, Append, Remember,
    Wake, ProblemEffect, Consult, AskingSettled, Unknown>;

struct VerdictFindings {
  std::string code;
  std::optional<std::string> pointer;
  std::string message;
  std::optional<std::string> severity;

  template <class Visit>
  void each(Visit &&visit) {
    visit("code", code);
    visit("pointer", pointer);
    visit("message", message);
    visit("severity", severity);
  }
};

/// The answer of a guardian. Anything else in it, and it counts as a fault.
struct Verdict {
  std::int64_t v = 0;
  std::string decision;
  std::optional<std::vector<VerdictFindings>> findings;
  /// Before the answer is sent.
  std::optional<std::vector<Json>> obligations;

  template <class Visit>
  void each(Visit &&visit) {
    visit("v", v);
    visit("decision", decision);
    visit("findings", findings);
    visit("obligations", obligations);
  }
};

}  // namespace elicit::contract

#endif
