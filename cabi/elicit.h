/* elicit.h - the C door of Elicit, the engine that decides what happens when a program wants to ask a person something.
 *
 * This header is the manual. It compiles as C99 and C++17. Documents that go in and come out are JSON in UTF-8, described
 * in docs/abi.md; the operations, events, effects, codes and limits of the library at hand are what elicit_describe says.
 *
 * THE WHOLE CONTRACT
 *
 *   Bytes in.   A document is a pointer and a size in bytes. It needs no terminating zero, may be NULL when its size is 0,
 *               is copied before the call returns, and is never kept. At most 8 MiB (ELICIT_MAX_INPUT).
 *   Bytes out.  Every function with an `out` fills it with one JSON document, on failure too: {"problems":[...]}, each with
 *               a code and a JSON pointer. data[size] is a zero byte, so data may be printed. The caller owns it until
 *               elicit_release, from any thread, before or after other calls. Release each output once; releasing a zeroed
 *               elicit_bytes does nothing. `out` may be NULL when the document is of no interest.
 *   Untouched.  When a function fails, no handle is written and the engine is as it was, except after ELICIT_INTERNAL.
 *   Handles.    A number with a generation, never a pointer. Closed, foreign and invented handles are answered with
 *               ELICIT_UNKNOWN_HANDLE, never with a crash. 0 is never a handle.
 *   Threads.    Every function may be called from any thread at any time. Engines are independent of each other. One engine
 *               takes one call at a time: a second thread gets ELICIT_CONFLICT at once and nothing happened; no call waits
 *               for another one, but a step for its turn to run a guardian, of which two a processor run at once. Forms may be checked by any number of threads at once.
 *   Time.       The library has no timer and no thread that calls you. An effect {"effect":"wake","at":...} says when, in
 *               milliseconds since 1970-01-01 UTC, the next {"event":"ticked"} is due, 0 for never; the host's own loop
 *               brings it then or later. An early one does nothing and names no new time.
 *   Order.      Perform effects in their order. What an "append" carries must be durable before a later "reply", "resolve"
 *               or "open_url" of the same output leaves the process. They stand before all other effects: one for the input, one
 *               for each guardian that the library ran, or none; they are kept to the byte: what stands after {"effects":[, or after
 *               a comma, and {"effect":"append","record": up to the end of that object.
 *   Fork.       A forked child has no Go runtime: every function there returns ELICIT_FORKED, elicit_release still works.
 *               Load the library after fork, or start the child with exec.
 *   Signals.    Handlers, masks and what kills the program stay as they were. Go stands before the handlers of SIGSEGV, SIGBUS,
 *               SIGFPE, SIGPIPE and SIGURG and passes on what is not its own. A handler installed after the library was loaded
 *               needs SA_ONSTACK; elicit_selfcheck names those without it.
 *   Go.         Two Go runtimes in one process, a second copy of this library among them, work on Linux as far as our tests go,
 *               and nobody promises more; elicit_selfcheck names the other. Then, and on musl, use `elicit --stdio`.
 *   Unloading.  dlclose leaves the library in memory: a Go runtime cannot be unloaded.
 *
 * A QUESTION'S LIFE: the events a host brings by elicit_step, in {"event":...}, and the effects it is told to perform.
 * As a rule an event has an "append" too; one that changes nothing may have none, and one after many of those has two.
 * A member with ? may be missing; leave alone what you do not know. All of both is in docs/abi.md. MCP messages are
 * turned into these and back by the operations "decode" and "encode"; client.c shows how.
 *
 *   {"event":"opened","session":"s","server":"backup","side":"answering","declared":["form"],"shown":["form"]}
 *       A peer is there: what you call it, what you told it that you can do, and what you can do right now.
 *
 *   {"event":"asked","session":"s","ref":"1","mode":"form","message":"Keep for how long?",
 *    "schema":{"type":"object","properties":{"days":{"type":"integer","maximum":30}}}}
 *       It asks. ref is its own id of the request, as text.
 *     -> {"effect":"show","session","id","ref","server","tool"?,"mode","kind","message","form"?,"url"?,"findings","reasons","deadline"?}
 *       Put it before a person, the peer's words as plain text. form: {"title"?,"help"?,"fields":[{"name","label","help"?,"kind",
 *       "required","sensitive"?,"choices"?:[{"value","title"}],"constraints"?,"initial"?}],"notes"?}, of the kinds text,
 *       number, integer, boolean, choice, choices; notes are for the author of the schema. A policy may also answer at once, with a reply.
 *
 *   {"event":"answered","session":"s","id":"ID","action":"accept","content":{"days":99}}
 *       What the person did: accept, decline or cancel the question with this id.
 *     -> {"effect":"problem","about","session"?,"id"?,"ref"?,"problems":[{"code","pointer","args"?}],"outcome"?,"cause"?}
 *       This input could not be used; "explain" has the sentences. about "answer": the person must mend the answer. The
 *       question stays open, unless an outcome says how it had ended already.
 *
 *   {"event":"answered","session":"s","id":"ID","action":"accept","content":{"days":7}}
 *     -> {"effect":"reply","session","id"?,"ref","outcome","cause","content"?,"problems"?,"findings"?,"reasons"?}
 *       Answer the peer: accept, decline, cancel or error, and why. It comes once for a ref, or never after a withdraw.
 *
 *   {"event":"cancelled","session":"s","ref":"2"}
 *       The peer takes another question back. {"event":"closed","session":"s","cause":"session_closed"} ends all of them.
 *     -> {"effect":"withdraw","session","id","cause"}
 *       Take it from the screen.
 *
 * AN EXAMPLE, from cabi/example/minimal.c; beside it an MCP client (client.c) and a host with an event loop (loop.c)
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

/* The contract this header describes. A library is fit when elicit_abi() returns at least this number. */
#define ELICIT_ABI 1

/* The most one input document may hold, in bytes. */
#define ELICIT_MAX_INPUT 8388608

/* The most one message given to elicit_receive may hold, in bytes. A connection's own limit, "max_message", is lower. */
#define ELICIT_MAX_MESSAGE 1073741824

/* How a call went. A question declined, an answer with problems and a policy that refuses are outcomes, not failures:
 * they are in the document of an ELICIT_OK. Numbers are never reused; treat one you do not know as ELICIT_INTERNAL. */
typedef enum elicit_status {
  ELICIT_OK = 0,
  ELICIT_INVALID = 1,        /* the input could not be read; the problems name every fault */
  ELICIT_UNKNOWN_HANDLE = 2, /* closed, foreign, never opened, or of the other kind */
  ELICIT_TOO_LARGE = 3,      /* more than ELICIT_MAX_INPUT */
  ELICIT_CONFLICT = 4,       /* another thread is inside this engine; try again */
  ELICIT_INTERNAL = 5,       /* a bug of ours; the engine takes only {"save":...} and elicit_close now */
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
 * "causes","problems","reasons","findings","remarks","limits","configuration","layers","policy_keys","receipts","scopes","vias",
 * "faults","phases","resolutions","relay"}. configuration lists the members of a configuration with type and default. */
ELICIT_API elicit_status elicit_describe(elicit_bytes *out);

/* What about this process could hurt: {"ok":bool,"warnings":[{"code","detail"}...]} with the codes forked,
 * signal_without_altstack (detail: the signal's number) and second_go_runtime (detail: the file). */
ELICIT_API elicit_status elicit_selfcheck(elicit_bytes *out);

/* Makes an engine from a configuration, {} for the defaults, or from {"config":{...},"at"?,"dice"?} when the time and the
 * dice of the first record are to be yours. {"relay":{"server":"NAME",...},"at"?,"dice"?} makes the machine of one connection
 * instead, which reads the messages of both ends itself: see elicit_receive. out: {"effects":[...]}. */
ELICIT_API elicit_status elicit_open(const char *config, size_t size, elicit_handle *engine, elicit_bytes *out);

/* Gives an engine one input and takes what it wants done:
 *   {"event":{"event":"asked",...},"at"?:milliseconds,"dice"?:"64 hex digits"}   ->  {"effects":[...]}
 *   {"save":"SESSION"}                                                          ->  {"state":{...}}
 *   {"list":"grants"}                                                           ->  {"grants":[...]}
 * Without "at" the library reads the clock, without "dice" the system's randomness. */
ELICIT_API elicit_status elicit_step(elicit_handle engine, const char *input, size_t size, elicit_bytes *out);

/* Gives a connection one message of one end, without its line end, and takes what is to be done, in order:
 *   {"effect":"forward","to":"client"}                  pass the received bytes on, unchanged
 *   {"effect":"send","to":"server","message":"..."}     write a message of its own; the text is the message
 *   {"effect":"close","end":"server"}                   close what is written to that end
 *   append, show, withdraw, wake and the others          as an engine wants them; what is a reply there is sent here
 * Everything else goes in by elicit_step: {"event":{"event":"ended","end":"client"}}, {"event":{"event":"append_failed"}} when
 * a record could not be kept and nothing behind it has been done, and what the person does. The message is not kept. */
ELICIT_API elicit_status elicit_receive(elicit_handle relay, elicit_end from, const char *message, size_t size, elicit_bytes *out);

/* Runs one stateless operation by its name, such as "check" or "decide"; the document says what is wrong, if anything. */
ELICIT_API elicit_status elicit_eval(const char *op, const char *input, size_t size, elicit_bytes *out);

/* Compiles {"schema":{...},"profile"?,"limits"?} and keeps the form for checks at every key. out: {"form":{...}}. */
ELICIT_API elicit_status elicit_form(const char *input, size_t size, elicit_handle *form, elicit_bytes *out);

/* Checks the content of an answer against a form. out: {"problems":[...]}, empty when it fits. A repeated choice counts once;
 * the engine, and "check" of elicit_eval, drop it. */
ELICIT_API elicit_status elicit_check(elicit_handle form, const char *content, size_t size, elicit_bytes *out);

/* Takes a guardian's module, the bytes of a Wasm file (plugins/ABI.md), keeps it by its digest for all engines of this
 * process and says what it is: {"digest","manifest":{...},"abi","wasi","fuel_version","sizes":{...}}. A configuration whose
 * guardians name that digest has them run inside elicit_step, where what they may use of time and memory is bounded, but
 * for those with "host":true; see docs/abi.md. A library built without guests ("slim") answers ELICIT_INVALID with the code no_guests. */
ELICIT_API elicit_status elicit_guest(const uint8_t *module, size_t size, elicit_bytes *out);

/* Ends an engine or a form. What it held is gone without replies: send {"event":"closed"} first for those. */
ELICIT_API elicit_status elicit_close(elicit_handle handle);

/* Gives an output back and zeroes it. NULL is fine. */
ELICIT_API void elicit_release(elicit_bytes *out);

#ifdef __cplusplus
}
#endif

#endif
