/* elicit.h - the C interface of Elicit, the engine that decides what happens when a program wants to ask a person
 * something.
 *
 * This header is the manual. It compiles as C99 and C++17. All documents are JSON in UTF-8. docs/reference/abi.md
 * describes them, and docs/reference/relay.md those of connections. elicit_describe lists the operations, events,
 * effects, codes and limits of the loaded library.
 *
 * WHAT THERE IS
 *
 *   connection  The machine between an MCP client and an MCP server. Begin with it. It reads every message of both
 *               ends. It knows the protocol, so the host need not. See A CONNECTION'S LIFE.
 *   engine      The part of a connection that decides questions. A host whose peers speak another protocol uses it
 *               directly, and gives it the questions as events. See A QUESTION'S LIFE.
 *   form        A compiled schema that checks an answer while the person types it.
 *
 * THE WHOLE CONTRACT
 *
 *   Bytes in.   A document is a pointer and a size in bytes. It needs no terminating zero, and may be NULL if its size
 *               is 0. The library does not use the memory after the call. A document has at most 8 MiB
 *               (ELICIT_MAX_INPUT). A message of a connection has at most the size that the connection allows; the
 *               default is 64 MiB.
 *   Bytes out.  Every function with an `out` fills it with one JSON document. On failure it is `{"problems":[...]}`,
 *               and each problem has a code and a JSON pointer. data[size] is a zero byte, so data may be printed. The
 *               caller owns the output until elicit_release, which any thread may call at any time. Release each output
 *               once. Releasing a zeroed elicit_bytes does nothing. `out` may be NULL if you do not need the document.
 *   Untouched.  A function that fails writes no handle and changes nothing in the engine, except with ELICIT_INTERNAL.
 *   Handles.    A handle is a number with a generation, never a pointer. A closed, foreign or invented handle gives
 *               ELICIT_UNKNOWN_HANDLE, and never a crash. 0 is never a handle.
 *   Threads.    Any thread may call any function at any time. Engines and connections are independent of each other.
 *               Each of them takes one call at a time. A second thread gets ELICIT_CONFLICT at once, and its call does
 *               nothing. No call waits for another one, with one exception: a step that runs a guardian may wait for a
 *               slot. There are two slots for each processor. Any number of threads may check one form.
 *   Time.       The library has no timer and no thread that calls you. The effect `{"effect":"wake","at":...,"in":...}`
 *               says when one event `{"event":"ticked"}` is due. That is "in" milliseconds after the input. Without
 *               "in" it is the time "at", in milliseconds since 1970-01-01 UTC. An "at" of 0 means never. The loop of
 *               the host gives the event once, then or later. An early event does nothing. After an early event, a
 *               connection sets a new time, and an engine does not. Deadlines follow a clock that no one can set, which
 *               the library reads for each input without "at". A host that gives "at" gives "elapsed" too, or else they
 *               follow "at".
 *   Order.      Perform effects in their order. The record of an "append" must be durable before you perform a later
 *               effect of the same output. Keep the exact bytes of a record: a string after "texts":true at open, else
 *               what is between `{"effect":"append","record":` and the brace that ends the effect. An engine's appends
 *               come first: one for the input, one for each guardian that the library ran, or none. A connection may
 *               have a "forward" before them.
 *   Fork.       A forked child has no Go runtime. There, every function returns ELICIT_FORKED, and elicit_release still
 *               works. Load the library after fork, or start the child with exec.
 *   Signals.    The library does not change which signals kill the program, nor your handlers and masks. It only adds
 *               SA_ONSTACK to the handlers that are there when it is loaded. Go installs its own handlers for SIGSEGV,
 *               SIGBUS, SIGFPE, SIGPIPE and SIGURG, and passes on signals that are not its own. A handler that is
 *               installed later may lack SA_ONSTACK. On Linux it does no harm. Go's threads block every signal but
 *               faults, and a call blocks them for its length. The signal comes after the call. elicit_check and
 *               elicit_receive block nothing, because that takes longer than they do. There the handler runs on a
 *               stack with 400 KiB to spare. A handler of a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS,
 *               SIGABRT) needs SA_ONSTACK, and so does every late handler on other systems. elicit_selfcheck names
 *               those without it.
 *   Go.         Two Go runtimes in one process work on Linux as far as our tests go; a second copy of this library is
 *               one too. Go does not promise it. elicit_selfcheck names the other runtime. In such a process, and on
 *               musl, use `elicit --stdio`.
 *   Unloading.  dlclose leaves the library in memory, because a Go runtime cannot be unloaded.
 *
 * THE LIBRARY IN C. `./build.sh amalgamation` writes the same engine as C11 files, without a Go runtime. Compile them
 * into your program, on Windows with ELICIT_STATIC. Fork, Signals, Go and Unloading do not apply. It has no thread and
 * no handler. A forked child goes on, if no other thread was inside a call. A thread needs 512 KiB of stack; nested
 * commands took 176 KiB of it at most. These differ: a message has at most 64 MiB and is copied. 64 handles share one
 * instance (ELICIT_GROUP), in which calls wait for each other. If an instance breaks, its handles give ELICIT_INTERNAL
 * and take only elicit_close; all others go on.
 * Guardians go to the host as "consult", and elicit_guest adds the "metered" module for it. It reads no file, so
 * "managed_policy" is unknown.
 *
 * A CONNECTION'S LIFE: elicit_open makes the machine. elicit_receive gives it each message that you read from an end,
 * and elicit_step gives it each event. Every call returns effects, and the host performs them.
 *
 *   {"relay":{"server":"backup","role":"client","modes":["form","url"]}}
 *       For elicit_open. "server" is your name for the server. "role" is your place: a "client", a "server", or
 *       "between" two of them. "modes" are those that you can show to a person. "config" is the configuration of the
 *       engine inside.
 *
 *   {"effect":"forward","to":"server"}
 *       Write the bytes that were received in this call to that end, unchanged. You have the bytes; they are not
 *       copied.
 *   {"effect":"send","to":"server","message":"..."}
 *       Write this message to that end. The string is the text of the message. A forwarded message and this one have no
 *       line end.
 *   {"effect":"close","end":"server"}
 *       Close the stream that you write to that end, after everything written before.
 *   {"effect":"show",...}, "withdraw", "problem", "open_url", "wake", "append"
 *       These are the same as an engine's; see below. There is no "reply", because the machine sends the answer itself.
 *       It reports the answer in `{"effect":"settled",...,"reply":{"outcome","cause",...}}`.
 *
 *   {"event":"answered","session":"SESSION","id":"ID","action":"accept","content":{"days":7}}
 *       The person's answer, for elicit_step, with the session and the id of the "show". Give "noted", "drafted" and
 *       "extended" in the same way.
 *   {"event":"append_failed"}
 *       A record could not be kept, and you performed no effect after it. The machine answers every open question with
 *       an error. It decides nothing more, and lets other messages pass.
 *   {"event":"ended","end":"client"}
 *       An end has closed its stream. "end":"host" means that you are about to stop. The machine settles the open
 *       questions.
 *
 * THE LOOP. A connection that is opened with `{"relay":{...},"pull":true}` keeps its effects for elicit_next. That is
 * the loop of a host. elicit_open, elicit_receive and elicit_step only take their input then, and return no effects.
 * You may call them at any time, also while you perform an effect and from a callback. elicit_next gives one effect
 * after another, and then how long to wait. It keeps the order, counts the time until a tick, lets you append each
 * record before the effects that need it, and tells the machine if you could not. So the host has no logic of its own:
 *
 *     for (;;) {
 *       if (elicit_next(relay, &host, -1, -1, &out, &message) != ELICIT_OK) break;
 *       if (sscanf(out.data, "{\"wait\":%d", &wait) == 1) read_one_or_wait(wait); // like the timeout of poll(2)
 *       else perform(out.data, message.data, message.size);
 *       elicit_release(&out);
 *     }
 *
 * The driver cabi/example/driver.c adds the journal in a file and lines on file descriptors.
 *
 * A host that is an end itself gives its own messages to elicit_receive as that end, and takes the messages that are
 * sent to that end. While you perform effects, do not call elicit_receive or elicit_step for the same connection.
 * Perform all of them first.
 *
 * Two ends and a question, from cabi/example/connection.c. The programs proxy.c and client.c beside it are complete:
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
 * A QUESTION'S LIFE: the events that a host gives to an engine with elicit_step, as they stand here, and the effects
 * that it must perform. ID is the id of the "show". Most outputs also have an "append". An event that changes
 * nothing may have none, and an event after many of those has two. A member with ? may be missing. Ignore members
 * that you do not know. docs/reference/abi.md has all events and effects. The operations "decode" and "encode" turn MCP
 * messages into events and effects into messages. A connection does that itself.
 *
 *   {"event":"opened","session":"s","server":"backup","side":"answering","declared":["form"],"shown":["form"]}
 *       A peer is connected. "server" is your name for it, "declared" has the modes that you declared to it, and
 *       "shown" the modes that you can show now.
 *
 *   {"event":"asked","session":"s","ref":"1","mode":"form","message":"Keep for how long?",
 *    "schema":{"type":"object","properties":{"days":{"type":"integer","maximum":30}}}}
 *       The peer asks. ref is the peer's own id of the request, as text.
 *     -> {"effect":"show","session","id","ref","server","tool"?,"mode","kind","message","form"?,"url"?,
 *         "findings","reasons","deadline"?}
 *       Show it to a person, with the peer's words as plain text. form:
 *       {"title"?,"help"?,"fields":[{"name","label","help"?,
 *       "kind","required","sensitive"?,"choices"?:[{"value","title"}],"constraints"?,"initial"?}],"notes"?}, of the
 *       kinds text, number, integer, boolean, choice, choices. notes are for the author of the schema. A policy may
 *       also answer at once, with a reply.
 *
 *   {"event":"answered","session":"s","id":"ID","action":"accept","content":{"days":99}}
 *       The person's answer to the question with this id. The action is accept, decline or cancel.
 *     -> {"effect":"problem","about","session"?,"id"?,"ref"?,"problems":[{"code","pointer","args"?}],
 *         "outcome"?,"cause"?}
 *       This input could not be used. The operation "explain" gives the sentences. If about is "answer", the person
 *       must correct the answer. The question stays open, unless an outcome says how it has already ended.
 *
 *   {"event":"answered","session":"s","id":"ID","action":"accept","content":{"days":7}}
 *     -> {"effect":"reply","session","id"?,"ref","outcome","cause","content"?,"problems"?,"findings"?,"reasons"?}
 *       Answer the peer with the outcome (accept, decline, cancel or error) and its cause. A ref gets at most one
 *       reply, and none after a withdraw.
 *
 *   {"event":"cancelled","session":"s","ref":"2"}
 *       The peer withdraws another question. The event `{"event":"closed","session":"s","cause":"session_closed"}` ends
 *       all of them.
 *     -> {"effect":"withdraw","session","id","cause"}
 *       Remove it from the screen.
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

/* The version of the ABI in this header. A library fits if elicit_abi() returns at least this number. Functions are
 * only added, and the number stays the same when one is. A library older than elicit_receive has no member "relay" in
 * elicit_describe. */
#define ELICIT_ABI 1

/* The most bytes of one input document. */
#define ELICIT_MAX_INPUT 8388608

/* The most bytes of one message for elicit_receive. A connection refuses a message over its own limit, "max_message",
 * with an error of the protocol. */
#define ELICIT_MAX_MESSAGE 1073741824

/* The result of a call. A declined question, an answer with problems and a policy that refuses are not failures. They
 * are in the document of an ELICIT_OK. Numbers are never reused. Treat a number that you do not know as
 * ELICIT_INTERNAL. */
typedef enum elicit_status {
  ELICIT_OK = 0,
  ELICIT_INVALID = 1,        /* the input could not be read; the problems say why */
  ELICIT_UNKNOWN_HANDLE = 2, /* closed, foreign, never opened, or of another kind */
  ELICIT_TOO_LARGE = 3,      /* more than ELICIT_MAX_INPUT, or a message of more than ELICIT_MAX_MESSAGE */
  ELICIT_CONFLICT = 4,       /* another thread is using this engine or connection; try again */
  ELICIT_INTERNAL = 5,       /* a bug of the library; from now on an engine takes only {"save":...} and elicit_close,
                              * and a connection only elicit_close */
  ELICIT_FORKED = 6,         /* this process is the forked child of the one that loaded the library */
  ELICIT_NO_MEMORY = 7       /* the output could not be allocated; the call was carried out */
} elicit_status;

/* The two ends of a connection. */
typedef enum elicit_end { ELICIT_CLIENT = 1, ELICIT_SERVER = 2 } elicit_end;

/* An engine, a form or a connection. */
typedef uint64_t elicit_handle;

/* The callbacks of elicit_next. Each may be NULL. `data` is yours. They run in the thread that called elicit_next, and
 * must not call elicit_next for the same connection. They must return: no exception may leave them, and no longjmp. */
typedef struct elicit_host {
  void *data;
  /* Keeps one record, and returns 0 when it is durable. With a record of NULL it begins another journal, because the
   * engine failed and was replaced. After any other result the machine decides nothing more, and answers every question
   * with an error. Without this callback no journal is kept. */
  int (*append)(void *data, const char *record, size_t size);
  /* Takes {"effect":"consult",...}, and returns 0 if a guardian is being asked. The answer goes to elicit_step later,
   * as {"event":"consulted",...}. After any other result, and without this callback, the guardian fails. */
  int (*consult)(void *data, const char *effect, size_t size);
  /* Fills 32 random bytes and returns 0. After any other result the machine decides nothing more. Without this callback
   * the library uses the system's randomness. */
  int (*random)(void *data, unsigned char bytes[32]);
} elicit_host;

/* One document that the library made: size bytes at data, and then a zero byte that size does not count. */
typedef struct elicit_bytes {
  const char *data;
  size_t size;
} elicit_bytes;

#if defined(_WIN32) && !defined(ELICIT_STATIC)
#define ELICIT_API __declspec(dllimport)
#else
#define ELICIT_API
#endif

/* The version of the library's ABI. It may be called first, and also in a forked child. It starts nothing. */
ELICIT_API uint32_t elicit_abi(void);

/* The stable name of a status, such as "unknown_handle". A number that this library does not have gives
 * "unknown_status". The string is never freed. */
ELICIT_API const char *elicit_status_name(elicit_status status);

/* The names and limits that this library understands. out: `{"abi","statuses","ops","events","effects","abouts",
 * "protocols","actions","outcomes","causes","problems","reasons","findings","remarks","limits","configuration",
 * "layers","policy_keys","receipts","scopes","vias","faults","phases","resolutions","frameworks","interrupt_options",
 * "relay"}`. The member "configuration" lists the members of a configuration with type and default. "relay" lists those
 * of a connection, and the events and effects that only connections have. */
ELICIT_API elicit_status elicit_describe(elicit_bytes *out);

/* Looks for dangers to the library in this process. out: `{"ok":bool,"warnings":[{"code","detail"}...]}`. The
 * codes are forked, signal_without_altstack (the detail is the signal's number) and second_go_runtime (the detail is
 * the file). */
ELICIT_API elicit_status elicit_selfcheck(elicit_bytes *out);

/* Opens an engine from a configuration. `{}` gives the defaults. `{"config":{...},"at"?,"elapsed"?,"random"?}` also
 * sets the times and the random bytes of the first record. `{"relay":{"server":"NAME",...},"at"?,"elapsed"?,"random"?}`
 * opens a connection instead, and with `"pull":true` beside "relay" one for elicit_next. After `"texts":true` beside
 * "config" or "relay", a "record" and "question_text", a consult's question, are strings. out: `{"effects":[...]}`. */
ELICIT_API elicit_status elicit_open(const char *config, size_t size, elicit_handle *engine, elicit_bytes *out);

/* Gives an engine or a connection one input. out:
 *   {"event":"asked",...}                                                       ->  {"effects":[...]}
 *   {"event":{"event":"asked",...},"at"?:milliseconds,"random"?:"64 hex digits"}   ->  {"effects":[...]}
 *   {"save":"SESSION"}, to an engine alone                                      ->  {"state":{...}}
 *   {"list":"grants"}                                                           ->  {"grants":[...]}
 * The first two are the same event, bare and wrapped. Only a wrapped one can have members beside it. Without "at" the
 * library reads the clock, and without "random" the system's randomness. */
ELICIT_API elicit_status elicit_step(elicit_handle engine, const char *input, size_t size, elicit_bytes *out);

/* Gives a connection one message that you read from one end, without its line end. out: `{"effects":[...]}`. Any
 * message gives ELICIT_OK. A message that may not pass is not a failure; a "note" reports it. The library reads the
 * bytes in place and does not keep them. Therefore the output of a message that passes is equally short for 64 MiB and
 * 64 bytes. If you have only the beginning of a message, give elicit_step the event
 * `{"event":{"event":"received","from":"server","cut":true}, "message":"..."}`. */
ELICIT_API elicit_status elicit_receive(elicit_handle relay, elicit_end from, const char *message, size_t size,
                                        elicit_bytes *out);

/* Performs the loop of a connection that was opened with `"pull":true`, until you have something to do.
 * `host` may be NULL. `at` and `elapsed` are the times of an input (see Time), or -1 for the clocks of the library.
 * out: `{"effect":...}` for you to perform, or `{"wait":milliseconds}`. Nothing is due until then. It is at most
 * 20,000, because a timer may not count suspended time, and -1 for never. Call again then, or after the next input. An
 * early call does nothing. message has the bytes of a "forward" or a "send", to be written to the end "to". A "send"
 * has no "message" in its JSON. The bytes belong to out, so release out only. message may be NULL. ELICIT_CONFLICT
 * means that another thread gives an input. Then call again. After ELICIT_NO_MEMORY an effect is lost, so close the
 * connection. */
ELICIT_API elicit_status elicit_next(elicit_handle relay, const elicit_host *host, int64_t at, int64_t elapsed,
                                     elicit_bytes *out, elicit_bytes *message);

/* Runs one stateless operation by its name, such as "check" or "decide". Problems of the input are in the document. */
ELICIT_API elicit_status elicit_eval(const char *op, const char *input, size_t size, elicit_bytes *out);

/* Compiles `{"schema":{...},"profile"?,"limits"?}` and keeps the form, for checks at every key press.
 * out: `{"form":{...}}`. */
ELICIT_API elicit_status elicit_form(const char *input, size_t size, elicit_handle *form, elicit_bytes *out);

/* Checks the content of an answer against a form. out: `{"problems":[...]}`, with an empty list if the content fits. A
 * repeated choice counts once. The engine, and "check" of elicit_eval, drop the repetition. */
ELICIT_API elicit_status elicit_check(elicit_handle form, const char *content, size_t size, elicit_bytes *out);

/* Takes a guardian's module: the bytes of a Wasm file (plugins/ABI.md). It keeps the module under its digest for all
 * engines of this process. out: `{"digest","manifest":{...},"abi","wasi","initialize","fuel_version",
 * "instance_fuel","sizes":{...}}`. If a guardian in a configuration has that digest, it runs inside elicit_step and
 * elicit_receive, with bounded time and memory. Guardians with `"host":true` do not. See docs/reference/abi.md. A
 * library built without guests ("slim") gives ELICIT_INVALID with the code no_guests. */
ELICIT_API elicit_status elicit_guest(const uint8_t *module, size_t size, elicit_bytes *out);

/* Takes a guardian's data document, at most 4 MiB of any bytes, such as a list of hosts. The library copies it, keeps
 * it by its digest for all engines of this process and says `{"digest":"64 hex digits","size"}`. A permit names it with
 * "data_digest". Give it before the configuration that names it. A process may give 64 MiB of different documents.
 * They stay until it ends. */
ELICIT_API elicit_status elicit_data(const uint8_t *document, size_t size, elicit_bytes *out);

/* Closes an engine, a form or a connection. Open questions get no replies. So first give an engine `{"event":"closed"}`
 * for each of its sessions, or a connection `{"event":"ended","end":"host"}`. Perform the effects, and then close. */
ELICIT_API elicit_status elicit_close(elicit_handle handle);

/* Frees an output and zeroes it. NULL does nothing. */
ELICIT_API void elicit_release(elicit_bytes *out);

#ifdef __cplusplus
}
#endif

#endif
