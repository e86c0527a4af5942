// Code generated from docs/contract.schema.json by go test ./engine/abi -run TestContract -update; DO NOT EDIT.
package dev.elicit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The events, the effects and the documents in them. A member that was left out is null. {@code of} reads the maps
 * and lists of any reader of JSON and ignores the members that it does not know; {@code json} returns such a map. A {@code Number} is the one that the
 * reader made: {@link Json} keeps 1e400 and 12345678901234567890123 as they are.
 */
public final class Contract {
    private Contract() {}

    /** An effect of a later version. Ignore it. */
    public record Unknown(Map<String, Object> json) implements Effect, RelayEffect, AskingEffect {}

    @SuppressWarnings("unchecked")
    private static <T> T as(Object value) {
        return (T) value;
    }

    private static Long whole(Object value) {
        return value == null ? null : Long.valueOf(((Number) value).longValue());
    }

    private static <T> T one(Object value, Function<Map<String, Object>, T> read) {
        return value == null ? null : read.apply(as(value));
    }

    private static <T> List<T> list(Object value, Function<Map<String, Object>, T> read) {
        return value == null ? null : Contract.<List<Map<String, Object>>>as(value).stream().map(read).toList();
    }

    private static void put(Map<String, Object> out, String name, Object value) {
        if (value instanceof List<?> many) {
            value = many.stream().map(Contract::written).toList();
        }
        if (value != null) {
            out.put(name, written(value));
        }
    }

    private static Object written(Object value) {
        return value instanceof Written some ? some.json() : value;
    }

    private interface Written {
        Map<String, Object> json();
    }

    /**
     * Something that happened outside the engine. The set is closed. The engine refuses unknown events and members.
     */
    public sealed interface Event permits
                    Configured, Opened, Asked, Answered, Completed, Called, Cancelled, Closed, Resumed, Noted,
                    Drafted, Extended, Preferred, Revoked, Unmuted, Forgotten, Ticked, Consulted {
        Map<String, Object> json();
    }

    /** Something that the host must do. It performs the effects of a step in their order. */
    public sealed interface Effect permits
                    Append, Show, Withdraw, Reply, OpenUrl, Resolve, Remember, Extend, Pause, Wake, ProblemEffect,
                    Consult, Unknown {
        /** Reads one effect; an effect of a later version becomes an {@link Unknown}. */
        static Effect of(Map<String, Object> json) {
            return switch (String.valueOf(json.get("effect"))) {
                case "append" -> Append.of(json);
                case "show" -> Show.of(json);
                case "withdraw" -> Withdraw.of(json);
                case "reply" -> Reply.of(json);
                case "open_url" -> OpenUrl.of(json);
                case "resolve" -> Resolve.of(json);
                case "remember" -> Remember.of(json);
                case "extend" -> Extend.of(json);
                case "pause" -> Pause.of(json);
                case "wake" -> Wake.of(json);
                case "problem" -> ProblemEffect.of(json);
                case "consult" -> Consult.of(json);
                default -> new Unknown(json);
            };
        }
    }

    /** The events that a host gives the machine of a connection, besides messages (docs/reference/relay.md). */
    public sealed interface RelayEvent permits
                    MessageReceived, Ended, AppendFailed, Answered, Noted, Drafted, Extended, Preferred, Completed,
                    Consulted, Revoked, Unmuted, Forgotten, Configured, Ticked {
        Map<String, Object> json();
    }

    /** The effects of a connection. Its host performs them in order. */
    public sealed interface RelayEffect permits
                    Forward, Send, Close, Note, QuestionCame, Settled, NewJournal, Append, Show, Withdraw, OpenUrl,
                    Resolve, Remember, Extend, Pause, Wake, ProblemEffect, Consult, Unknown {
        /** Reads one effect; an effect of a later version becomes an {@link Unknown}. */
        static RelayEffect of(Map<String, Object> json) {
            return switch (String.valueOf(json.get("effect"))) {
                case "forward" -> Forward.of(json);
                case "send" -> Send.of(json);
                case "close" -> Close.of(json);
                case "note" -> Note.of(json);
                case "question" -> QuestionCame.of(json);
                case "settled" -> Settled.of(json);
                case "new_journal" -> NewJournal.of(json);
                case "append" -> Append.of(json);
                case "show" -> Show.of(json);
                case "withdraw" -> Withdraw.of(json);
                case "open_url" -> OpenUrl.of(json);
                case "resolve" -> Resolve.of(json);
                case "remember" -> Remember.of(json);
                case "extend" -> Extend.of(json);
                case "pause" -> Pause.of(json);
                case "wake" -> Wake.of(json);
                case "problem" -> ProblemEffect.of(json);
                case "consult" -> Consult.of(json);
                default -> new Unknown(json);
            };
        }
    }

    /** The events of a machine of the asking side. docs/reference/abi.md describes the members. */
    public sealed interface AskingEvent permits
                    AskingCalled, AskingPosed, AskingResponded, AskingSubmitted, AskingOnce, AskingClaimed,
                    AskingCompleted, AskingReturned, AskingCancelled, AskingClosed, AskingLost, AskingKeyed,
                    Configured, Revoked, Unmuted, Ticked, Consulted {
        Map<String, Object> json();
    }

    /** The effects of a machine of the asking side. */
    public sealed interface AskingEffect permits
                    AskingSend, AskingCancelSent, AskingNotify, Interrupting, OpenPage, AskingValue, AskingResume,
                    Append, Remember, Wake, ProblemEffect, Consult, AskingSettled, Unknown {
        /** Reads one effect; an effect of a later version becomes an {@link Unknown}. */
        static AskingEffect of(Map<String, Object> json) {
            return switch (String.valueOf(json.get("effect"))) {
                case "send" -> AskingSend.of(json);
                case "cancel_sent" -> AskingCancelSent.of(json);
                case "notify" -> AskingNotify.of(json);
                case "interrupt" -> Interrupting.of(json);
                case "page" -> OpenPage.of(json);
                case "value" -> AskingValue.of(json);
                case "resume" -> AskingResume.of(json);
                case "append" -> Append.of(json);
                case "remember" -> Remember.of(json);
                case "wake" -> Wake.of(json);
                case "problem" -> ProblemEffect.of(json);
                case "consult" -> Consult.of(json);
                case "settle" -> AskingSettled.of(json);
                default -> new Unknown(json);
            };
        }
    }

    /** A part of a message. It covers the next lines; a blank line between parts belongs to the part before it. */
    public record MessagePart(
                    String is, Long lines)
            implements Written {
        static MessagePart of(Map<String, Object> json) {
            return new MessagePart(
                    as(json.get("is")), whole(json.get("lines")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "is", is);
            put(out, "lines", lines);
            return out;
        }
    }

    /** A compiled schema: the ordered fields that every user interface draws. */
    public record Form(
                    String title, String help, List<Field> fields, List<Problem> notes)
            implements Written {
        static Form of(Map<String, Object> json) {
            return new Form(
                    as(json.get("title")), as(json.get("help")), list(json.get("fields"), Field::of),
                    list(json.get("notes"), Problem::of));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "title", title);
            put(out, "help", help);
            put(out, "fields", fields);
            put(out, "notes", notes);
            return out;
        }
    }

    /** One field to fill in. Its texts come from the peer and are untrusted: draw them as text. */
    public record Field(
                    String name, String label, String help, String kind, String widget, Boolean required, Boolean
                    sensitive, List<Choice> choices, Constraints constraints, Object initial, String provenance)
            implements Written {
        static Field of(Map<String, Object> json) {
            return new Field(
                    as(json.get("name")), as(json.get("label")), as(json.get("help")), as(json.get("kind")),
                    as(json.get("widget")), as(json.get("required")), as(json.get("sensitive")),
                    list(json.get("choices"), Choice::of), one(json.get("constraints"), Constraints::of),
                    as(json.get("initial")), as(json.get("provenance")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "name", name);
            put(out, "label", label);
            put(out, "help", help);
            put(out, "kind", kind);
            put(out, "widget", widget);
            put(out, "required", required);
            put(out, "sensitive", sensitive);
            put(out, "choices", choices);
            put(out, "constraints", constraints);
            put(out, "initial", initial);
            put(out, "provenance", provenance);
            return out;
        }
    }

    /** `value` goes into the answer unchanged, as a string or number. A person reads `title`. */
    public record Choice(
                    Object value, String title, String description)
            implements Written {
        static Choice of(Map<String, Object> json) {
            return new Choice(
                    as(json.get("value")), as(json.get("title")), as(json.get("description")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "value", value);
            put(out, "title", title);
            put(out, "description", description);
            return out;
        }
    }

    /** The constraints of a field. A check enforces all of them except `note`. Lengths are in code points. */
    public record Constraints(
                    Number minLength, Number maxLength, String pattern, List<String> patterns, Number minimum, Number
                    maximum, Number exclusiveMinimum, Number exclusiveMaximum, Number multipleOf, Number minItems,
                    Number maxItems, String format, String note)
            implements Written {
        static Constraints of(Map<String, Object> json) {
            return new Constraints(
                    as(json.get("minLength")), as(json.get("maxLength")), as(json.get("pattern")),
                    as(json.get("patterns")), as(json.get("minimum")), as(json.get("maximum")),
                    as(json.get("exclusiveMinimum")), as(json.get("exclusiveMaximum")), as(json.get("multipleOf")),
                    as(json.get("minItems")), as(json.get("maxItems")), as(json.get("format")), as(json.get("note")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "minLength", minLength);
            put(out, "maxLength", maxLength);
            put(out, "pattern", pattern);
            put(out, "patterns", patterns);
            put(out, "minimum", minimum);
            put(out, "maximum", maximum);
            put(out, "exclusiveMinimum", exclusiveMinimum);
            put(out, "exclusiveMaximum", exclusiveMaximum);
            put(out, "multipleOf", multipleOf);
            put(out, "minItems", minItems);
            put(out, "maxItems", maxItems);
            put(out, "format", format);
            put(out, "note", note);
            return out;
        }
    }

    /** Something is wrong with an input. Problems of peers and people are collected as values and never thrown. */
    public record Problem(
                    String code, String pointer, String in, Long start, Long end, Map<String, Object> args)
            implements Written {
        static Problem of(Map<String, Object> json) {
            return new Problem(
                    as(json.get("code")), as(json.get("pointer")), as(json.get("in")), whole(json.get("start")),
                    whole(json.get("end")), as(json.get("args")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "code", code);
            put(out, "pointer", pointer);
            put(out, "in", in);
            put(out, "start", start);
            put(out, "end", end);
            put(out, "args", args);
            return out;
        }
    }

    /** The reason for a decision. */
    public record Reason(
                    String code, String layer, String rule, Map<String, Object> args)
            implements Written {
        static Reason of(Map<String, Object> json) {
            return new Reason(
                    as(json.get("code")), as(json.get("layer")), as(json.get("rule")), as(json.get("args")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "code", code);
            put(out, "layer", layer);
            put(out, "rule", rule);
            put(out, "args", args);
            return out;
        }
    }

    /** A warning or note about a question, for the person to read before answering. */
    public record Finding(
                    Object code, String severity, String pointer, Long start, Long end, String evidence, Map<String,
                    Object> args)
            implements Written {
        static Finding of(Map<String, Object> json) {
            return new Finding(
                    as(json.get("code")), as(json.get("severity")), as(json.get("pointer")), whole(json.get("start")),
                    whole(json.get("end")), as(json.get("evidence")), as(json.get("args")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "code", code);
            put(out, "severity", severity);
            put(out, "pointer", pointer);
            put(out, "start", start);
            put(out, "end", end);
            put(out, "evidence", evidence);
            put(out, "args", args);
            return out;
        }
    }

    /**
     * Replaces the whole configuration. A configuration with problems changes nothing. `refused` changes nothing
     * either: it tells the journal why the host does not give a configuration that it has.
     */
    public record Configured(
                    String refused, Object config, String config_text)
            implements Event, RelayEvent, AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "configured");
            put(out, "refused", refused);
            put(out, "config", config);
            put(out, "config_text", config_text);
            return out;
        }
    }

    /** Begins a session with one peer. */
    public record Opened(
                    String session, String server, String side, List<String> declared, List<String> shown,
                    List<String> client, String principal, String identity, List<String> labels)
            implements Event, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "opened");
            put(out, "session", session);
            put(out, "server", server);
            put(out, "side", side);
            put(out, "declared", declared);
            put(out, "shown", shown);
            put(out, "client", client);
            put(out, "principal", principal);
            put(out, "identity", identity);
            put(out, "labels", labels);
            return out;
        }
    }

    /** The server's annotations of a tool. A missing member means that the server did not say. */
    public record Annotations(
                    Boolean read_only, Boolean destructive, Boolean idempotent, Boolean open_world)
            implements Written {
        static Annotations of(Map<String, Object> json) {
            return new Annotations(
                    as(json.get("read_only")), as(json.get("destructive")), as(json.get("idempotent")),
                    as(json.get("open_world")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "read_only", read_only);
            put(out, "destructive", destructive);
            put(out, "idempotent", idempotent);
            put(out, "open_world", open_world);
            return out;
        }
    }

    /** A call that a question may belong to. */
    public record Candidate(
                    String tool, Annotations annotations, Boolean open)
            implements Written {
        static Candidate of(Map<String, Object> json) {
            return new Candidate(
                    as(json.get("tool")), one(json.get("annotations"), Annotations::of), as(json.get("open")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "tool", tool);
            put(out, "annotations", annotations);
            put(out, "open", open);
            return out;
        }
    }

    /** A peer's question. */
    public record Asked(
                    String session, String ref, String parent, String tool, Annotations annotations, List<Candidate>
                    candidates, Boolean candidates_cut, String mode, String message, List<MessagePart> parts, String
                    url, String link, String claim, Boolean strict_review, String does, String command, String
                    command_candidate, String cwd, List<String> paths, List<String> hosts, Boolean reach_cut, Boolean
                    message_cut, Boolean outside, String command_at, Boolean held_call, String description, String
                    definition, List<String> takes, Boolean persistable, Map<String, Object> schema, String
                    schema_text, Map<String, Object> arguments, String arguments_text, Map<String, Object>
                    arguments_schema, String arguments_schema_text, String for_)
            implements Event, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "asked");
            put(out, "session", session);
            put(out, "ref", ref);
            put(out, "parent", parent);
            put(out, "tool", tool);
            put(out, "annotations", annotations);
            put(out, "candidates", candidates);
            put(out, "candidates_cut", candidates_cut);
            put(out, "mode", mode);
            put(out, "message", message);
            put(out, "parts", parts);
            put(out, "url", url);
            put(out, "link", link);
            put(out, "claim", claim);
            put(out, "strict_review", strict_review);
            put(out, "does", does);
            put(out, "command", command);
            put(out, "command_candidate", command_candidate);
            put(out, "cwd", cwd);
            put(out, "paths", paths);
            put(out, "hosts", hosts);
            put(out, "reach_cut", reach_cut);
            put(out, "message_cut", message_cut);
            put(out, "outside", outside);
            put(out, "command_at", command_at);
            put(out, "held_call", held_call);
            put(out, "description", description);
            put(out, "definition", definition);
            put(out, "takes", takes);
            put(out, "persistable", persistable);
            put(out, "schema", schema);
            put(out, "schema_text", schema_text);
            put(out, "arguments", arguments);
            put(out, "arguments_text", arguments_text);
            put(out, "arguments_schema", arguments_schema);
            put(out, "arguments_schema_text", arguments_schema_text);
            put(out, "for", for_);
            return out;
        }
    }

    /** On accept by a person: agree to the same question from now on. `expires_at` is in milliseconds since 1970. */
    public record AnsweredRemember(
                    String scope, Long expires_at, Boolean prepared)
            implements Written {
        static AnsweredRemember of(Map<String, Object> json) {
            return new AnsweredRemember(
                    as(json.get("scope")), whole(json.get("expires_at")), as(json.get("prepared")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "scope", scope);
            put(out, "expires_at", expires_at);
            put(out, "prepared", prepared);
            return out;
        }
    }

    /** An answer to a shown request. Missing fields get their defaults, except the fields that the person emptied. */
    public record Answered(
                    String session, String id, String principal, String action, List<String> cleared, String via,
                    AnsweredRemember remember, Boolean mute, String note, Map<String, Object> content, String
                    content_text, Map<String, Object> arguments, String arguments_text)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "answered");
            put(out, "session", session);
            put(out, "id", id);
            put(out, "principal", principal);
            put(out, "action", action);
            put(out, "cleared", cleared);
            put(out, "via", via);
            put(out, "remember", remember);
            put(out, "mute", mute);
            put(out, "note", note);
            put(out, "content", content);
            put(out, "content_text", content_text);
            put(out, "arguments", arguments);
            put(out, "arguments_text", arguments_text);
            return out;
        }
    }

    /** The page of a URL request has been completed. */
    public record Completed(
                    String session, String link)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "completed");
            put(out, "session", session);
            put(out, "link", link);
            return out;
        }
    }

    /** A held call is sent to its server. The event is for the journal. */
    public record Called(
                    String session, String ref, String tool, String digest, Boolean again)
            implements Event, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "called");
            put(out, "session", session);
            put(out, "ref", ref);
            put(out, "tool", tool);
            put(out, "digest", digest);
            put(out, "again", again);
            return out;
        }
    }

    /** The peer withdraws one request (`ref`), or all requests of one of its calls (`parent`). */
    public record Cancelled(
                    String session, String ref, String parent, String cause)
            implements Event, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "cancelled");
            put(out, "session", session);
            put(out, "ref", ref);
            put(out, "parent", parent);
            put(out, "cause", cause);
            return out;
        }
    }

    /** Ends a session. */
    public record Closed(
                    String session, String cause)
            implements Event, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "closed");
            put(out, "session", session);
            put(out, "cause", cause);
            return out;
        }
    }

    /** Resumes a saved session. Its shown requests are shown again. */
    public record Resumed(
                    Map<String, Object> state, String state_text)
            implements Event, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "resumed");
            put(out, "state", state);
            put(out, "state_text", state_text);
            return out;
        }
    }

    /** A receipt of a shown request: the person saw it, focused it, or began to type. */
    public record Noted(
                    String session, String id, String receipt)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "noted");
            put(out, "session", session);
            put(out, "id", id);
            put(out, "receipt", receipt);
            return out;
        }
    }

    /** The values that a person has typed so far. Without `draft`, the engine drops the draft it kept. */
    public record Drafted(
                    String session, String id, Map<String, Object> draft, String draft_text)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "drafted");
            put(out, "session", session);
            put(out, "id", id);
            put(out, "draft", draft);
            put(out, "draft_text", draft_text);
            return out;
        }
    }

    /** Asks for a later deadline. */
    public record Extended(
                    String session, String id, Long until)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "extended");
            put(out, "session", session);
            put(out, "id", id);
            put(out, "until", until);
            return out;
        }
    }

    /**
     * The person chose a question that waits for its turn. It is shown at once, beside those that are shown already.
     */
    public record Preferred(
                    String session, String ref)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "preferred");
            put(out, "session", session);
            put(out, "ref", ref);
            return out;
        }
    }

    /** Ends a grant (a remembered yes). */
    public record Revoked(
                    String grant)
            implements Event, RelayEvent, AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "revoked");
            put(out, "grant", grant);
            return out;
        }
    }

    /** Lets a muted server ask again. */
    public record Unmuted(
                    String session, String server)
            implements Event, RelayEvent, AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "unmuted");
            put(out, "session", session);
            put(out, "server", server);
            return out;
        }
    }

    /** Deletes the typed values that a session remembers: those of fields with one name, or all. */
    public record Forgotten(
                    String session, String field)
            implements Event, RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "forgotten");
            put(out, "session", session);
            put(out, "field", field);
            return out;
        }
    }

    /** Tells the engine that the time of its `wake` has come. */
    public record Ticked()
            implements Event, RelayEvent, AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "ticked");
            return out;
        }
    }

    /**
     * Keep one journal record. It must be durable before the host performs any reply, open_url or resolve after it.
     */
    public record Append(
                    Map<String, Object> record)
            implements Effect, RelayEffect, AskingEffect {
        static Append of(Map<String, Object> json) {
            return new Append(
                    as(json.get("record")));
        }
    }

    /** Show a request to a person. Strings from the peer are untrusted: draw them as text. */
    public record Show(
                    String session, String id, String ref, String server, String tool, String mode, String kind,
                    String message, List<MessagePart> parts, Form form, String url, List<Finding> findings,
                    List<Reason> reasons, Boolean by_client, Long deadline, Long waiting, Map<String, Object> draft,
                    List<Suggestion> suggestions, List<String> remember, String description, Annotations annotations,
                    Map<String, Object> arguments, List<String> takes, String does, String command, String cwd,
                    List<String> paths, List<String> hosts, Boolean reach_cut, Boolean outside, List<Change> changed)
            implements Effect, RelayEffect {
        static Show of(Map<String, Object> json) {
            return new Show(
                    as(json.get("session")), as(json.get("id")), as(json.get("ref")), as(json.get("server")),
                    as(json.get("tool")), as(json.get("mode")), as(json.get("kind")), as(json.get("message")),
                    list(json.get("parts"), MessagePart::of), one(json.get("form"), Form::of), as(json.get("url")),
                    list(json.get("findings"), Finding::of), list(json.get("reasons"), Reason::of),
                    as(json.get("by_client")), whole(json.get("deadline")), whole(json.get("waiting")),
                    as(json.get("draft")), list(json.get("suggestions"), Suggestion::of), as(json.get("remember")),
                    as(json.get("description")), one(json.get("annotations"), Annotations::of),
                    as(json.get("arguments")), as(json.get("takes")), as(json.get("does")), as(json.get("command")),
                    as(json.get("cwd")), as(json.get("paths")), as(json.get("hosts")), as(json.get("reach_cut")),
                    as(json.get("outside")), list(json.get("changed"), Change::of));
        }
    }

    /** A part of a message, of the earlier message, or of both. */
    public record Change(
                    String is, String text)
            implements Written {
        static Change of(Map<String, Object> json) {
            return new Change(
                    as(json.get("is")), as(json.get("text")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "is", is);
            put(out, "text", text);
            return out;
        }
    }

    /** A value that the person typed before. */
    public record Suggestion(
                    String field, Object value, Long at, String id)
            implements Written {
        static Suggestion of(Map<String, Object> json) {
            return new Suggestion(
                    as(json.get("field")), as(json.get("value")), whole(json.get("at")), as(json.get("id")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "field", field);
            put(out, "value", value);
            put(out, "at", at);
            put(out, "id", id);
            return out;
        }
    }

    /** A request ended without an answer. Remove it if it was shown. */
    public record Withdraw(
                    String session, String id, String cause)
            implements Effect, RelayEffect {
        static Withdraw of(Map<String, Object> json) {
            return new Withdraw(
                    as(json.get("session")), as(json.get("id")), as(json.get("cause")));
        }
    }

    /** Answer the peer. A request gets at most one reply, ever. */
    public record Reply(
                    String session, String id, String ref, String outcome, String cause, Map<String, Object> content,
                    String note, Map<String, Object> arguments, List<Problem> problems, List<Finding> findings,
                    List<Reason> reasons, List<String> receipts)
            implements Effect {
        static Reply of(Map<String, Object> json) {
            return new Reply(
                    as(json.get("session")), as(json.get("id")), as(json.get("ref")), as(json.get("outcome")),
                    as(json.get("cause")), as(json.get("content")), as(json.get("note")), as(json.get("arguments")),
                    list(json.get("problems"), Problem::of), list(json.get("findings"), Finding::of),
                    list(json.get("reasons"), Reason::of), as(json.get("receipts")));
        }
    }

    /** Open a page that the person has just agreed to. Open it where neither the host nor the model can read it. */
    public record OpenUrl(
                    String session, String id, String url)
            implements Effect, RelayEffect {
        static OpenUrl of(Map<String, Object> json) {
            return new OpenUrl(
                    as(json.get("session")), as(json.get("id")), as(json.get("url")));
        }
    }

    /** An agreed page was completed, or lapsed because no completion came in time. The reply was sent earlier. */
    public record Resolve(
                    String session, String id, String ref, String resolution)
            implements Effect, RelayEffect {
        static Resolve of(Map<String, Object> json) {
            return new Resolve(
                    as(json.get("session")), as(json.get("id")), as(json.get("ref")), as(json.get("resolution")));
        }
    }

    /** A remembered yes: it answers the same question when it is asked again. */
    public record Grant(
                    String id, String digest, String session, String principal, String server, String identity, String
                    tool, String message, String definition, String scope, Long expires_at)
            implements Written {
        static Grant of(Map<String, Object> json) {
            return new Grant(
                    as(json.get("id")), as(json.get("digest")), as(json.get("session")), as(json.get("principal")),
                    as(json.get("server")), as(json.get("identity")), as(json.get("tool")), as(json.get("message")),
                    as(json.get("definition")), as(json.get("scope")), whole(json.get("expires_at")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "id", id);
            put(out, "digest", digest);
            put(out, "session", session);
            put(out, "principal", principal);
            put(out, "server", server);
            put(out, "identity", identity);
            put(out, "tool", tool);
            put(out, "message", message);
            put(out, "definition", definition);
            put(out, "scope", scope);
            put(out, "expires_at", expires_at);
            return out;
        }
    }

    /** A new grant. The host keeps grants with scope `always` for the next configuration. */
    public record Remember(
                    String session, Grant grant)
            implements Effect, RelayEffect, AskingEffect {
        static Remember of(Map<String, Object> json) {
            return new Remember(
                    as(json.get("session")), one(json.get("grant"), Grant::of));
        }
    }

    /** The deadline that is in force after an `extended` event. */
    public record Extend(
                    String session, String id, Long deadline)
            implements Effect, RelayEffect {
        static Extend of(Map<String, Object> json) {
            return new Extend(
                    as(json.get("session")), as(json.get("id")), whole(json.get("deadline")));
        }
    }

    /** Stop (`on`) or restart the host's own timers for the calls of a session. `total_ms` is in milliseconds. */
    public record Pause(
                    String session, Boolean on, Long total_ms)
            implements Effect, RelayEffect {
        static Pause of(Map<String, Object> json) {
            return new Pause(
                    as(json.get("session")), as(json.get("on")), whole(json.get("total_ms")));
        }
    }

    /**
     * Give one `ticked` event at `at` or soon after. It replaces every earlier wake; 0 means that none is needed.
     * With `in`, the tick is due so many milliseconds after the input of this step, and `at` is only for people.
     */
    public record Wake(
                    Long at, Long in)
            implements Effect, RelayEffect, AskingEffect {
        static Wake of(Map<String, Object> json) {
            return new Wake(
                    whole(json.get("at")), whole(json.get("in")));
        }
    }

    /**
     * An input could not be used: the answer was wrong or late (`outcome`, `cause`), or the id is unknown. `about`
     * names the kind of input. A person can mend only problems about an answer.
     */
    public record ProblemEffect(
                    String about, String session, String id, String ref, List<Problem> problems, String outcome,
                    String cause)
            implements Effect, RelayEffect, AskingEffect {
        static ProblemEffect of(Map<String, Object> json) {
            return new ProblemEffect(
                    as(json.get("about")), as(json.get("session")), as(json.get("id")), as(json.get("ref")),
                    list(json.get("problems"), Problem::of), as(json.get("outcome")), as(json.get("cause")));
        }
    }

    /**
     * Asks a guardian. A host that can run it answers with one `consulted` event of the same round. Without one by
     * the deadline, the guardian counts as failed.
     */
    public record Consult(
                    String session, String id, Long round, String guardian, String digest, String phase, Long attempt,
                    Boolean reviewer, Boolean host, Long fuel, Boolean wasi, String data_digest, Long deadline,
                    Question question)
            implements Effect, RelayEffect, AskingEffect {
        static Consult of(Map<String, Object> json) {
            return new Consult(
                    as(json.get("session")), as(json.get("id")), whole(json.get("round")), as(json.get("guardian")),
                    as(json.get("digest")), as(json.get("phase")), whole(json.get("attempt")),
                    as(json.get("reviewer")), as(json.get("host")), whole(json.get("fuel")), as(json.get("wasi")),
                    as(json.get("data_digest")), whole(json.get("deadline")), one(json.get("question"), Question::of));
        }
    }

    /**
     * The answer of a guardian: what it wrote, unread, or why there is nothing. Exactly one of `output` and `fault`.
     */
    public record Consulted(
                    String session, String id, Long round, String output, String fault, Long fuel, String principal)
            implements Event, RelayEvent, AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "consulted");
            put(out, "session", session);
            put(out, "id", id);
            put(out, "round", round);
            put(out, "output", output);
            put(out, "fault", fault);
            put(out, "fuel", fuel);
            put(out, "principal", principal);
            return out;
        }
    }

    /** What the server says of the tool whose call waits. */
    public record QuestionRequestHeldCall(
                    String description, String definition)
            implements Written {
        static QuestionRequestHeldCall of(Map<String, Object> json) {
            return new QuestionRequestHeldCall(
                    as(json.get("description")), as(json.get("definition")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "description", description);
            put(out, "definition", definition);
            return out;
        }
    }

    public record QuestionRequest(
                    String server, String tool, String mode, String kind, String message, String url, String claim,
                    Map<String, Boolean> annotations, Map<String, Object> form, List<Finding> findings, Boolean
                    inspected, List<Object> impacts, List<String> labels, QuestionRequestHeldCall held_call, String
                    does, String command, String cwd, List<String> paths, List<String> hosts, Boolean reach_cut,
                    Boolean outside, Map<String, Object> arguments)
            implements Written {
        static QuestionRequest of(Map<String, Object> json) {
            return new QuestionRequest(
                    as(json.get("server")), as(json.get("tool")), as(json.get("mode")), as(json.get("kind")),
                    as(json.get("message")), as(json.get("url")), as(json.get("claim")), as(json.get("annotations")),
                    as(json.get("form")), list(json.get("findings"), Finding::of), as(json.get("inspected")),
                    as(json.get("impacts")), as(json.get("labels")), one(json.get("held_call"),
                    QuestionRequestHeldCall::of), as(json.get("does")), as(json.get("command")), as(json.get("cwd")),
                    as(json.get("paths")), as(json.get("hosts")), as(json.get("reach_cut")), as(json.get("outside")),
                    as(json.get("arguments")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "server", server);
            put(out, "tool", tool);
            put(out, "mode", mode);
            put(out, "kind", kind);
            put(out, "message", message);
            put(out, "url", url);
            put(out, "claim", claim);
            put(out, "annotations", annotations);
            put(out, "form", form);
            put(out, "findings", findings);
            put(out, "inspected", inspected);
            put(out, "impacts", impacts);
            put(out, "labels", labels);
            put(out, "held_call", held_call);
            put(out, "does", does);
            put(out, "command", command);
            put(out, "cwd", cwd);
            put(out, "paths", paths);
            put(out, "hosts", hosts);
            put(out, "reach_cut", reach_cut);
            put(out, "outside", outside);
            put(out, "arguments", arguments);
            return out;
        }
    }

    /**
     * The data that one guardian gets: no more than it declared and was permitted. Secrets are `{"$redacted": TYPE}`.
     */
    public record Question(
                    Long v, String phase, Long at, QuestionRequest request, Map<String, Object> answer, Map<String,
                    Object> settings, String seed, Object prompt, String note)
            implements Written {
        static Question of(Map<String, Object> json) {
            return new Question(
                    whole(json.get("v")), as(json.get("phase")), whole(json.get("at")), one(json.get("request"),
                    QuestionRequest::of), as(json.get("answer")), as(json.get("settings")), as(json.get("seed")),
                    as(json.get("prompt")), as(json.get("note")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "v", v);
            put(out, "phase", phase);
            put(out, "at", at);
            put(out, "request", request);
            put(out, "answer", answer);
            put(out, "settings", settings);
            put(out, "seed", seed);
            put(out, "prompt", prompt);
            put(out, "note", note);
            return out;
        }
    }

    public record VerdictFindings(
                    String code, String pointer, String message, String severity)
            implements Written {
        static VerdictFindings of(Map<String, Object> json) {
            return new VerdictFindings(
                    as(json.get("code")), as(json.get("pointer")), as(json.get("message")), as(json.get("severity")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "code", code);
            put(out, "pointer", pointer);
            put(out, "message", message);
            put(out, "severity", severity);
            return out;
        }
    }

    /** The answer of a guardian. Anything else in it, and it counts as a fault. */
    public record Verdict(
                    Long v, String decision, List<VerdictFindings> findings, List<Object> obligations)
            implements Written {
        static Verdict of(Map<String, Object> json) {
            return new Verdict(
                    whole(json.get("v")), as(json.get("decision")), list(json.get("findings"), VerdictFindings::of),
                    as(json.get("obligations")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "v", v);
            put(out, "decision", decision);
            put(out, "findings", findings);
            put(out, "obligations", obligations);
            return out;
        }
    }

    /**
     * An end has closed its stream, or the host is about to stop. The machine settles open questions while messages
     * can still reach both ends.
     */
    public record Ended(
                    String end)
            implements RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "ended");
            put(out, "end", end);
            return out;
        }
    }

    /** An `append` of the last step could not be made durable. The host has performed no effect after it. */
    public record AppendFailed()
            implements RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "append_failed");
            return out;
        }
    }

    /**
     * A message was received. `receive` gives whole messages. `cut` marks the beginning of a message that is longer
     * than the host accepts.
     */
    public record MessageReceived(
                    String from, Boolean cut)
            implements RelayEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "received");
            put(out, "from", from);
            put(out, "cut", cut);
            return out;
        }
    }

    /** Write the message that was received in this step to the other end, byte for byte. */
    public record Forward(
                    String to)
            implements RelayEffect {
        static Forward of(Map<String, Object> json) {
            return new Forward(
                    as(json.get("to")));
        }
    }

    /** Write a message that the machine made, or a received message with one part replaced. It has no line end. */
    public record Send(
                    String to, String message)
            implements RelayEffect {
        static Send of(Map<String, Object> json) {
            return new Send(
                    as(json.get("to")), as(json.get("message")));
        }
    }

    /** Close the stream that the host writes to an end, after everything written before. */
    public record Close(
                    String end)
            implements RelayEffect {
        static Close of(Map<String, Object> json) {
            return new Close(
                    as(json.get("end")));
        }
    }

    /**
     * Tell a person about a message that was not passed on, or was changed. Texts in the arguments may be a peer's.
     */
    public record Note(
                    String from, Boolean refused, List<Problem> problems)
            implements RelayEffect {
        static Note of(Map<String, Object> json) {
            return new Note(
                    as(json.get("from")), as(json.get("refused")), list(json.get("problems"), Problem::of));
        }
    }

    /** A question was received. It may be decided without a person. It comes before the `show` with the same ref. */
    public record QuestionCame(
                    String link, String schema_text, String session, String ref, String server, String tool, String
                    mode, String message, String url)
            implements RelayEffect {
        static QuestionCame of(Map<String, Object> json) {
            return new QuestionCame(
                    as(json.get("link")), as(json.get("schema_text")), as(json.get("session")), as(json.get("ref")),
                    as(json.get("server")), as(json.get("tool")), as(json.get("mode")), as(json.get("message")),
                    as(json.get("url")));
        }
    }

    public record SettledReply(
                    String session, String note, Map<String, Object> arguments, List<Finding> findings, String effect,
                    String id, String ref, String outcome, String cause, List<Problem> problems, List<Reason> reasons,
                    List<String> receipts) {
        static SettledReply of(Map<String, Object> json) {
            return new SettledReply(
                    as(json.get("session")), as(json.get("note")), as(json.get("arguments")),
                    list(json.get("findings"), Finding::of), as(json.get("effect")), as(json.get("id")),
                    as(json.get("ref")), as(json.get("outcome")), as(json.get("cause")), list(json.get("problems"),
                    Problem::of), list(json.get("reasons"), Reason::of), as(json.get("receipts")));
        }
    }

    /** A question ended, and why. The peer has already been answered. */
    public record Settled(
                    SettledReply reply, String session, String ref, String server, String tool, String mode, String
                    message, String url)
            implements RelayEffect {
        static Settled of(Map<String, Object> json) {
            return new Settled(
                    one(json.get("reply"), SettledReply::of), as(json.get("session")), as(json.get("ref")),
                    as(json.get("server")), as(json.get("tool")), as(json.get("mode")), as(json.get("message")),
                    as(json.get("url")));
        }
    }

    /** A new engine replaced a broken one. The records that follow begin a new chain. */
    public record NewJournal()
            implements RelayEffect {
        static NewJournal of(Map<String, Object> json) {
            return new NewJournal();
        }
    }

    public record InterruptingRequests(
                    String method, Map<String, Object> params)
            implements Written {
        static InterruptingRequests of(Map<String, Object> json) {
            return new InterruptingRequests(
                    as(json.get("method")), as(json.get("params")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "method", method);
            put(out, "params", params);
            return out;
        }
    }

    public record InterruptingError(
                    Long code, String message, Object data)
            implements Written {
        static InterruptingError of(Map<String, Object> json) {
            return new InterruptingError(
                    whole(json.get("code")), as(json.get("message")), as(json.get("data")));
        }
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            put(out, "code", code);
            put(out, "message", message);
            put(out, "data", data);
            return out;
        }
    }

    /** Ends the run of a call. */
    public record Interrupting(
                    String call, String id, String offer, Map<String, InterruptingRequests> requests,
                    InterruptingError error, Map<String, Object> result, Map<String, Object> body, Long expires,
                    Boolean keep)
            implements AskingEffect {
        static Interrupting of(Map<String, Object> json) {
            return new Interrupting(
                    as(json.get("call")), as(json.get("id")), as(json.get("offer")), as(json.get("requests")),
                    one(json.get("error"), InterruptingError::of), as(json.get("result")), as(json.get("body")),
                    whole(json.get("expires")), as(json.get("keep")));
        }
    }

    /** A question is open on a page of the server. */
    public record OpenPage(
                    String link, String url, Boolean secret, String for_, Show show)
            implements AskingEffect {
        static OpenPage of(Map<String, Object> json) {
            return new OpenPage(
                    as(json.get("link")), as(json.get("url")), as(json.get("secret")), as(json.get("for")),
                    one(json.get("show"), Show::of));
        }
    }

    /** A question of a handler has its outcome. */
    public record AskingSettled(
                    String call, Long position, String id, String outcome, String cause, Map<String, Object> content,
                    List<Problem> problems, List<Reason> reasons, String offer, Boolean page, Boolean replayed, String
                    target, String message, String by)
            implements AskingEffect {
        static AskingSettled of(Map<String, Object> json) {
            return new AskingSettled(
                    as(json.get("call")), whole(json.get("position")), as(json.get("id")), as(json.get("outcome")),
                    as(json.get("cause")), as(json.get("content")), list(json.get("problems"), Problem::of),
                    list(json.get("reasons"), Reason::of), as(json.get("offer")), as(json.get("page")),
                    as(json.get("replayed")), as(json.get("target")), as(json.get("message")), as(json.get("by")));
        }
    }

    public record AskingCalled(
                    String call, String method, String target, Object arguments, Boolean structured, Object answers,
                    Object responses, String key)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "called");
            put(out, "call", call);
            put(out, "method", method);
            put(out, "target", target);
            put(out, "arguments", arguments);
            put(out, "structured", structured);
            put(out, "answers", answers);
            put(out, "responses", responses);
            put(out, "key", key);
            return out;
        }
    }

    /** The process which ran a handler is gone. Its call keeps what it knows, and may be made again. */
    public record AskingLost(
                    String call)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "lost");
            put(out, "call", call);
            return out;
        }
    }

    /** A handler uses the key of its call for what it does. */
    public record AskingKeyed(
                    String call)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "keyed");
            put(out, "call", call);
            return out;
        }
    }

    public record AskingPosed(
                    String call, Long position, String mode, String message, Map<String, Object> schema, String url,
                    Boolean wait_, Boolean secret, String for_, Long ttl_ms)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "posed");
            put(out, "call", call);
            put(out, "position", position);
            put(out, "mode", mode);
            put(out, "message", message);
            put(out, "schema", schema);
            put(out, "url", url);
            put(out, "wait", wait_);
            put(out, "secret", secret);
            put(out, "for", for_);
            put(out, "ttl_ms", ttl_ms);
            return out;
        }
    }

    public record AskingResponded(
                    String ref, Object result, Object error)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "responded");
            put(out, "ref", ref);
            put(out, "result", result);
            put(out, "error", error);
            return out;
        }
    }

    public record AskingSubmitted(
                    String link, String id, String principal, String action, Map<String, Object> content, List<String>
                    cleared, String via)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "submitted");
            put(out, "link", link);
            put(out, "id", id);
            put(out, "principal", principal);
            put(out, "action", action);
            put(out, "content", content);
            put(out, "cleared", cleared);
            put(out, "via", via);
            return out;
        }
    }

    public record AskingOnce(
                    String call, Long position, String key, Object value)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "once");
            put(out, "call", call);
            put(out, "position", position);
            put(out, "key", key);
            put(out, "value", value);
            return out;
        }
    }

    public record AskingClaimed(
                    String link, String browser, String principal)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "claimed");
            put(out, "link", link);
            put(out, "browser", browser);
            put(out, "principal", principal);
            return out;
        }
    }

    public record AskingCompleted(
                    String id)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "completed");
            put(out, "id", id);
            return out;
        }
    }

    public record AskingReturned(
                    String call)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "returned");
            put(out, "call", call);
            return out;
        }
    }

    public record AskingCancelled(
                    String call, String id)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "cancelled");
            put(out, "call", call);
            put(out, "id", id);
            return out;
        }
    }

    public record AskingClosed(
                    String cause)
            implements AskingEvent, Written {
        @Override
        public Map<String, Object> json() {
            Map<String, Object> out = new LinkedHashMap<>();
            out.put("event", "closed");
            put(out, "cause", cause);
            return out;
        }
    }

    public record AskingSend(
                    String ref, String call, String id, String method, Map<String, Object> params)
            implements AskingEffect {
        static AskingSend of(Map<String, Object> json) {
            return new AskingSend(
                    as(json.get("ref")), as(json.get("call")), as(json.get("id")), as(json.get("method")),
                    as(json.get("params")));
        }
    }

    public record AskingCancelSent(
                    String ref)
            implements AskingEffect {
        static AskingCancelSent of(Map<String, Object> json) {
            return new AskingCancelSent(
                    as(json.get("ref")));
        }
    }

    public record AskingNotify(
                    String method, Map<String, Object> params)
            implements AskingEffect {
        static AskingNotify of(Map<String, Object> json) {
            return new AskingNotify(
                    as(json.get("method")), as(json.get("params")));
        }
    }

    public record AskingValue(
                    String call, Long position, Object value, Boolean replayed)
            implements AskingEffect {
        static AskingValue of(Map<String, Object> json) {
            return new AskingValue(
                    as(json.get("call")), whole(json.get("position")), as(json.get("value")), as(json.get("replayed")));
        }
    }

    public record AskingResume(
                    String call, String method, String target, Map<String, Object> arguments)
            implements AskingEffect {
        static AskingResume of(Map<String, Object> json) {
            return new AskingResume(
                    as(json.get("call")), as(json.get("method")), as(json.get("target")), as(json.get("arguments")));
        }
    }
}
