/* elicit.h - the C interface of Elicit, the engine that decides what happens when a program wants to ask a person
 * something.
 *
 * This header is the manual. It compiles as C99 and C++17. Documents that go in and come out are JSON in UTF-8. They
 * are described in docs/abi.md, those of connections in docs/relay.md. elicit_describe lists the operations, events,
 * effects, codes and limits of the library at hand.
 *
 * WHAT THERE IS
 *
 *   connection  The machine between an MCP client and an MCP server, and the one to begin with. It reads every message
 *               of both ends. It knows the protocol, and the host does not. See A CONNECTION'S LIFE.
 *   engine      What decides inside a connection. A host whose peers speak another protocol uses it directly: it tells
 *               the engine what was asked, in events. See A QUESTION'S LIFE.
 *   form        A compiled schema, to check an answer while it is typed.
 *
 * THE WHOLE CONTRACT
 *
 *   Bytes in.   A document is a pointer and a size in bytes. It needs no terminating zero, may be NULL when its size is
 *               0, and is never kept after the call. It holds at most 8 MiB (ELICIT_MAX_INPUT); a message of a
 *               connection holds at most what the connection allows, 64 MiB unless told.
 *   Bytes out.  Every function with an `out` fills it with one JSON document, on failure too: {"problems":[...]}, each
 *               with a code and a JSON pointer. data[size] is a zero byte, so data may be printed. The caller owns it
 *               until elicit_release, from any thread, before or after other calls. Release each output once; releasing
 *               a zeroed elicit_bytes does nothing. `out` may be NULL when the document is of no interest.
 *   Untouched.  When a function fails, no handle is written and the engine is as it was, except after ELICIT_INTERNAL.
 *   Handles.    A number with a generation, never a pointer. Closed, foreign and invented handles are answered with
 *               ELICIT_UNKNOWN_HANDLE, never with a crash. 0 is never a handle.
 *   Threads.    Every function may be called from any thread at any time. Engines and connections are independent of
 *               each other. Each of them takes one call at a time: a second thread gets ELICIT_CONFLICT at once, and
 *               nothing has happened. No call waits for another one, except a step that waits for its turn to run a
 *               guardian; two guardians run at once on each processor. Any number of threads may check one form.
 *   Time.       The library has no timer and no thread that calls you. An effect {"effect":"wake","at":...} says when,
 *               in milliseconds since 1970-01-01 UTC, the next {"event":"ticked"} is due, 0 for never. The loop of the
 *               host brings it then or later. An early one does nothing. An engine names no new time after an early
 *               one; a connection does.
 *   Order.      Perform effects in their order. What an "append" carries must be durable before a later effect of the
 *               same output is performed. A record is kept to the byte: it is what stands between
 *               {"effect":"append","record": and the brace that ends that effect. An engine's appends stand before its
 *               other effects: one for the input, one for each guardian that the library ran, or none. A connection may
 *               have a "forward" before them.
 *   Fork.       A forked child has no Go runtime: every function there returns ELICIT_FORKED, elicit_release still
 *               works. Load the library after fork, or start the child with exec.
 *   Signals.    Handlers, masks and what kills the program stay as they were. Go stands before the handlers of SIGSEGV,
 *               SIGBUS, SIGFPE, SIGPIPE and SIGURG and passes on what is not its own. A handler installed after the
 *               library was loaded needs SA_ONSTACK; elicit_selfcheck names those without it.
 *   Go.         Two Go runtimes in one process, a second copy of this library among them, work on Linux as far as our
 *               tests go, and nobody promises more; elicit_selfcheck names the other. Then, and on musl, use
 *               `elicit --stdio`.
 *   Unloading.  dlclose leaves the library in memory: a Go runtime cannot be unloaded.
 *
 * A CONNECTION'S LIFE: elicit_open makes the machine, elicit_receive gives it each message that was read from an end,
 * and elicit_step gives it each event. Every call returns effects, and the host performs them.
 *
 *   {"relay":{"server":"backup","role":"client","modes":["form","url"]}}
 *       elicit_open: what you call the server, what you are (a "client", a "server", or "between" two of them), and
 *       what you can put before a person. "config" holds the configuration of the engine inside.
 *
 *   {"effect":"forward","to":"server"}
 *       Write the bytes that were received in this call to that end, unchanged. You hold them; they are not copied.
 *   {"effect":"send","to":"server","message":"..."}
 *       Write this message to that end. The string is the text of the message. Both lack the line end.
 *   {"effect":"close","end":"server"}
 *       Close what you write to that end, behind everything before.
 *   {"effect":"show",...}, "withdraw", "problem", "open_url", "wake", "append"
 *       As an engine has them; see below. No "reply" comes: the machine sends the answer itself, and tells you by
 *       {"effect":"settled",...,"reply":{"outcome","cause",...}}.
 *
 *   {"event":{"event":"answered",...}}
 *       elicit_step: what the person did. "noted", "drafted" and "extended" go the same way.
 *   {"event":{"event":"append_failed"}}
 *       A record could not be kept, and nothing behind it was done. The machine answers everything that is open with an
 *       error, decides nothing more, and lets the other messages pass.
 *   {"event":{"event":"ended","end":"client"}}
 *       An end has closed its stream. With "end":"host" it is you who leaves. What is open is settled.
 *
 * A host that is an end itself gives its own messages to elicit_receive as that end, and takes what is sent to that
 * end. Do not call elicit_receive or elicit_step for the same connection while you perform effects: perform all of them
 * first.
 *
 * Two ends and a question, from cabi/example/connection.c; proxy.c and client.c beside it are whole programs:
 *
 *     elicit_status status = elicit_open(opening, sizeof opening - 1, &relay, &out);
 *     perform(status, &out);
 *     if (status != ELICIT_OK) return 1; // the problems say why
 *     perform(elicit_receive(relay, ELICIT_CLIENT, hello, sizeof hello - 1, &out), &out);
 *     perform(elicit_receive(relay, ELICIT_SERVER, welcome, sizeof welcome - 1, &out), &out);
 *     perform(elicit_receive(relay, ELICIT_SERVER, question, sizeof question - 1, &out), &out);
 *     perform(elicit_step(relay, leaving, sizeof leaving - 1, &out), &out);
 *     return elicit_close(relay) == ELICIT_OK ? 0 : 1;
 *
 * A QUESTION'S LIFE: the events that a host brings to an engine by elicit_step, in {"event":...}, and the effects it is
 * told to perform. As a rule an event has an "append" too; one that changes nothing may have none, and one after many
 * of those has two. A member with ? may be missing; leave alone what you do not know. All of both is in docs/abi.md.
 * The operations "decode" and "encode" turn MCP messages into these and back; a connection does that by itself.
 *
 *   {"event":"opened","session":"s","server":"backup","side":"answering","declared":["form"],"shown":["form"]}
 *       A peer is there: what you call it, what you told it that you can do, and what you can do right now.
 *
 *   {"event":"asked","session":"s","ref":"1","mode":"form","message":"Keep for how long?",
 *    "schema":{"type":"object","properties":{"days":{"type":"integer","maximum":30}}}}
 *       It asks. ref is its own id of the request, as text.
 *     -> {"effect":"show","session","id","ref","server","tool"?,"mode","kind","message","form"?,"url"?,
 *         "findings","reasons","deadline"?}
 *       Put it before a person, the peer's words as plain text. form:
 *       {"title"?,"help"?,"fields":[{"name","label","help"?,
 *       "kind","required","sensitive"?,"choices"?:[{"value","title"}],"constraints"?,"initial"?}],"notes"?}, of the
 *       kinds text, number, integer, boolean, choice, choices; notes are for the author of the schema. A policy may
 *       also answer at once, with a reply.
 *
 *   {"event":"answered","session":"s","id":"ID","action":"accept","content":{"days":99}}
 *       What the person did: accept, decline or cancel the question with this id.
 *     -> {"effect":"problem","about","session"?,"id"?,"ref"?,"problems":[{"code","pointer","args"?}],
 *         "outcome"?,"cause"?}
 *       This input could not be used; "explain" has the sentences. about "answer": the person must mend the answer. The
 *       question stays open, unless an outcome says how it had ended already.
 *
 *   {"event":"answered","session":"s","id":"ID","action":"accept","content":{"days":7}}
 *     -> {"effect":"reply","session","id"?,"ref","outcome","cause","content"?,"problems"?,"findings"?,"reasons"?}
 *       Answer the peer: accept, decline, cancel or error, and why. It comes once for a ref, or never after a withdraw.
 *
 *   {"event":"cancelled","session":"s","ref":"2"}
 *       The peer takes another question back. {"event":"closed","session":"s","cause":"session_closed"} ends all of
 *       them.
 *     -> {"effect":"withdraw","session","id","cause"}
 *       Take it from the screen.
 *
 * AN EXAMPLE of a form, from cabi/example/minimal.c
 *
 *     status = elicit_form(asked, sizeof asked - 1, &form, &out);
 *     if (status != ELICIT_OK) { // the schema cannot be asked: the problems say why, and where
 *       fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
 *       elicit_release(&out);
 *       return 1;
 *     }
 *     printf("%s\n", out.data); // the form to draw
 *     elicit_release(&out);
 */
#ifndef ELICIT_H
#define ELICIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contract this header describes. A library is fit when elicit_abi() returns at least this number. Functions are
 * only added, so the number stays when one is. A library older than elicit_receive has no member "relay" in
 * elicit_describe. */
#define ELICIT_ABI 1

/* The most one input document may hold, in bytes. */
#define ELICIT_MAX_INPUT 8388608

/* The most that one message given to elicit_receive may hold, in bytes. A connection refuses a message over its own
 * limit, "max_message", in the spelling of the protocol. */
#define ELICIT_MAX_MESSAGE 1073741824

/* How a call went. A question declined, an answer with problems and a policy that refuses are outcomes, not failures:
 * they are in the document of an ELICIT_OK. Numbers are never reused; treat one you do not know as ELICIT_INTERNAL. */
typedef enum elicit_status {
  ELICIT_OK = 0,
  ELICIT_INVALID = 1,        /* the input could not be read; the problems name every fault */
  ELICIT_UNKNOWN_HANDLE = 2, /* closed, foreign, never opened, or of another kind */
  ELICIT_TOO_LARGE = 3,      /* more than ELICIT_MAX_INPUT, or a message of more than ELICIT_MAX_MESSAGE */
  ELICIT_CONFLICT = 4,       /* another thread is inside this engine or connection; try again */
  ELICIT_INTERNAL = 5,       /* a bug of ours; an engine takes only {"save":...} and elicit_close now, a connection only
                              * elicit_close */
  ELICIT_FORKED = 6,         /* this process is the forked child of the one that loaded the library */
  ELICIT_NO_MEMORY = 7       /* the output could not be allocated; the call was carried out */
} elicit_status;

/* The two ends of a connection. */
typedef enum elicit_end { ELICIT_CLIENT = 1, ELICIT_SERVER = 2 } elicit_end;

/* An engine, a form or a connection. */
typedef uint64_t elicit_handle;

/* One document that the library made: size bytes at data, then a zero byte that size does not count. */
typedef struct elicit_bytes {
  const char *data;
  size_t size;
} elicit_bytes;

#if defined(_WIN32) && !defined(ELICIT_STATIC)
#define ELICIT_API __declspec(dllimport)
#else
#define ELICIT_API
#endif

/* The contract the library keeps. It may be called before anything else, in a forked child too, and starts nothing. */
ELICIT_API uint32_t elicit_abi(void);

/* The stable name of a status, such as "unknown_handle"; "unknown_status" for numbers this library does not have. */
ELICIT_API const char *elicit_status_name(elicit_status status);

/* What this library understands: {"abi","statuses","ops","events","effects","abouts","protocols","actions","outcomes",
 * "causes","problems","reasons","findings","remarks","limits","configuration","layers","policy_keys","receipts",
 * "scopes","vias","faults","phases","resolutions","relay"}. configuration lists the members of a configuration with
 * type and default. relay lists those of a connection, and the events and effects that only connections have. */
ELICIT_API elicit_status elicit_describe(elicit_bytes *out);

/* What about this process could hurt: {"ok":bool,"warnings":[{"code","detail"}...]} with the codes forked,
 * signal_without_altstack (detail: the signal's number) and second_go_runtime (detail: the file). */
ELICIT_API elicit_status elicit_selfcheck(elicit_bytes *out);

/* Makes an engine from a configuration, {} for the defaults, or from {"config":{...},"at"?,"dice"?} when the time and
 * the dice of the first record are to be yours. {"relay":{"server":"NAME",...},"at"?,"dice"?} makes a connection
 * instead. out: {"effects":[...]}. */
ELICIT_API elicit_status elicit_open(const char *config, size_t size, elicit_handle *engine, elicit_bytes *out);

/* Gives an engine or a connection one input and takes what it wants done:
 *   {"event":{"event":"asked",...},"at"?:milliseconds,"dice"?:"64 hex digits"}   ->  {"effects":[...]}
 *   {"save":"SESSION"}, to an engine alone                                      ->  {"state":{...}}
 *   {"list":"grants"}                                                           ->  {"grants":[...]}
 * Without "at" the library reads the clock, without "dice" the system's randomness. */
ELICIT_API elicit_status elicit_step(elicit_handle engine, const char *input, size_t size, elicit_bytes *out);

/* Gives a connection one message that was read from one end, without its line end, and takes what is to be done.
 * Whatever the message is, the status is ELICIT_OK: a message that may not pass is an outcome, and a "note" tells of
 * it. The bytes are read in place and not kept, so the output of a message that passes is as short for 64 MiB as for 64
 * bytes. A message of which you have only the beginning goes to elicit_step:
 * {"event":{"event":"received","from":"server","cut":true}, "message":"..."}. */
ELICIT_API elicit_status elicit_receive(elicit_handle relay, elicit_end from, const char *message, size_t size,
                                        elicit_bytes *out);

/* Runs one stateless operation by its name, such as "check" or "decide"; the document says what is wrong, if at all. */
ELICIT_API elicit_status elicit_eval(const char *op, const char *input, size_t size, elicit_bytes *out);

/* Compiles {"schema":{...},"profile"?,"limits"?} and keeps the form for checks at every key. out: {"form":{...}}. */
ELICIT_API elicit_status elicit_form(const char *input, size_t size, elicit_handle *form, elicit_bytes *out);

/* Checks the content of an answer against a form. out: {"problems":[...]}, empty when it fits. A repeated choice counts
 * once; the engine, and "check" of elicit_eval, drop it. */
ELICIT_API elicit_status elicit_check(elicit_handle form, const char *content, size_t size, elicit_bytes *out);

/* Takes a guardian's module, the bytes of a Wasm file (plugins/ABI.md), keeps it by its digest for all engines of this
 * process and says what it is: {"digest","manifest":{...},"abi","wasi","initialize","fuel_version",
 * "instance_fuel","sizes":{...}}. A configuration
 * whose guardians name that digest has them run inside elicit_step and elicit_receive, where what they may use of time
 * and memory is bounded, except those with "host":true; see docs/abi.md. A library built without guests ("slim")
 * answers ELICIT_INVALID with the code no_guests. */
ELICIT_API elicit_status elicit_guest(const uint8_t *module, size_t size, elicit_bytes *out);

/* Ends an engine, a form or a connection. What it held is gone without replies. So an engine gets {"event":"closed"}
 * first, for each of its sessions, and a connection {"event":"ended","end":"host"}; perform what they bring, then
 * close. */
ELICIT_API elicit_status elicit_close(elicit_handle handle);

/* Gives an output back and zeroes it. NULL is fine. */
ELICIT_API void elicit_release(elicit_bytes *out);

#ifdef __cplusplus
}
#endif

#endif
