/* The fuzz target for libFuzzer. One input is a list of calls, separated by the byte 0xff, which UTF-8 never contains.
 * The first letter of a call names the function, and the rest is its document:
 *   o open   f form   i step   c check   e eval, the operation up to a space
 *   a step that answers the question shown last   x close the engine   y close the form
 *   h step, check and close of a handle of 8 bytes   d describe   s selfcheck
 *   g a guardian's module   l open a connection   b event of the connection   m message of its client   w of its server
 *   v an answer to the question that the connection showed last   k close the connection
 *   n a document of NULL with a size   z every function without `out`
 * Each call must keep the promises of elicit.h for any input. Every document has memory of exactly its size, which is
 * overwritten after the call. */
#include <stdint.h>

#include "promise.h"

enum { CALLS = 32 };

/* world has the handles of one input. All are closed at the end of the input. */
typedef struct world {
  elicit_handle engine, form, relay, gone; /* gone was closed */
  char shown[33];                          /* the id of the question shown last */
} world;

static void want(int condition, const char *what) {
  elicit_bytes nothing = {NULL, 0};
  if (!condition) fail(what, "a call", "", 0, &nothing);
}

static int open_one(int is_form, elicit_handle *slot, world *w, const char *input, size_t size) {
  const elicit_handle mark = 0x5a5a5a5a5a5a5a5aULL;
  elicit_handle handle = mark;
  elicit_bytes out;
  elicit_status status = is_form ? elicit_form(input, size, &handle, &out) : elicit_open(input, size, &handle, &out);
  want((status == ELICIT_OK) == (handle != mark) && handle != 0, "handle and status differ");
  kept(status, "open", input, size, &out);
  if (status != ELICIT_OK) return 0;
  if (*slot != 0) want(elicit_close(w->gone = *slot) == ELICIT_OK, "an open handle cannot be closed");
  *slot = handle;
  return 1;
}

/* open_relay opens a connection; the input is its configuration. */
static void open_relay(world *w, const char *input, size_t size) {
  static const char head[] = "{\"relay\":";
  char *whole = malloc(sizeof head + size);
  if (whole == NULL) exit(2);
  memcpy(whole, head, sizeof head - 1);
  memcpy(whole + sizeof head - 1, input, size);
  whole[sizeof head - 1 + size] = '}';
  open_one(0, &w->relay, w, whole, sizeof head + size);
  free(whole);
}

static void close_one(elicit_handle *slot, world *w) {
  want(elicit_close(*slot) == (*slot == 0 ? ELICIT_UNKNOWN_HANDLE : ELICIT_OK), "close");
  if (*slot != 0) w->gone = *slot;
  *slot = 0;
  want(elicit_close(w->gone) == ELICIT_UNKNOWN_HANDLE, "a closed handle was closed again");
}

/* stepped looks for a question in the output of a call, and checks the promises for the output. */
static void stepped(world *w, elicit_handle handle, elicit_status status, const char *input, size_t size,
                    elicit_bytes *out) {
  const char *show = status == ELICIT_OK ? strstr(out->data, "\"effect\":\"show\"") : NULL;
  const char *id = show == NULL ? NULL : strstr(show, "\"id\":\"");
  if (id != NULL && strlen(id) > 38) memcpy(w->shown, id + 6, 32);
  want((status == ELICIT_UNKNOWN_HANDLE) == (handle == 0), "step of a handle");
  kept(status, "step", input, size, out);
}

static void step(world *w, elicit_handle handle, const char *input, size_t size) {
  elicit_bytes out;
  elicit_status status = elicit_step(handle, input, size, &out);
  stepped(w, handle, status, input, size, &out);
}

static void receive(world *w, elicit_end from, const char *input, size_t size) {
  elicit_bytes out;
  elicit_status status = elicit_receive(w->relay, from, input, size, &out);
  want(status == ELICIT_OK || w->relay == 0, "a connection refuses a message");
  stepped(w, w->relay, status, input, size, &out);
}

/* answer steps with an answer to the question shown last, whose other members are the input. */
static void answer(world *w, elicit_handle handle, const char *session, const char *input, size_t size) {
  static const char format[] = "{\"event\":{\"event\":\"answered\",\"session\":\"%s\",\"id\":\"%s\",";
  char head[128];
  int n = snprintf(head, sizeof head, format, session, w->shown);
  char *whole = malloc((size_t)n + size + 2);
  if (whole == NULL) exit(2);
  memcpy(whole, head, (size_t)n);
  memcpy(whole + n, input, size);
  memcpy(whole + n + size, "}}", 2);
  step(w, handle, whole, (size_t)n + size + 2);
  free(whole);
}

static void eval(const char *input, size_t size) {
  const char *space = memchr(input, ' ', size);
  size_t length = space == NULL ? size : (size_t)(space - input), from = space == NULL ? size : length + 1;
  char *op = malloc(length + 1);
  elicit_bytes out;
  if (op == NULL) exit(2);
  memcpy(op, input, length);
  op[length] = 0;
  kept(elicit_eval(op, input + from, size - from, &out), op, input + from, size - from, &out);
  free(op);
}

/* foreign uses a handle from the input, which no function returned, except by chance. */
static void foreign(world *w, const char *input, size_t size) {
  elicit_handle handle = 0;
  elicit_bytes out;
  memcpy(&handle, input, size < sizeof handle ? size : sizeof handle);
  if (handle == w->engine || handle == w->form || handle == w->relay) handle = w->gone;
  kept(elicit_step(handle, input, size, &out), "step of no engine", input, size, &out);
  kept(elicit_check(handle, input, size, &out), "check of no form", input, size, &out);
  kept(elicit_receive(handle, ELICIT_SERVER, input, size, &out), "message of no connection", input, size, &out);
  kept(elicit_receive(w->engine, ELICIT_CLIENT, input, size, &out), "message to an engine", input, size, &out);
  want(elicit_close(handle) == ELICIT_UNKNOWN_HANDLE, "a handle that nobody was given was closed");
}

static void wordless(world *w, const char *input, size_t size) {
  elicit_handle handle = 0;
  elicit_describe(NULL);
  elicit_selfcheck(NULL);
  elicit_step(w->engine, input, size, NULL);
  elicit_check(w->form, input, size, NULL);
  elicit_receive(w->relay, ELICIT_SERVER, input, size, NULL);
  elicit_receive(w->relay, (elicit_end)size, NULL, size, NULL);
  elicit_eval("parse", input, size, NULL);
  elicit_eval(NULL, input, size, NULL);
  elicit_guest((const uint8_t *)input, size, NULL);
  elicit_open(input, size, NULL, NULL);
  elicit_form(input, size, NULL, NULL);
  if (elicit_open(input, size, &handle, NULL) == ELICIT_OK) elicit_close(handle);
  if (elicit_form(input, size, &handle, NULL) == ELICIT_OK) elicit_close(handle);
}

static void one_call(world *w, char letter, const char *input, size_t size) {
  elicit_bytes out = {"x", 1};
  elicit_status status;
  switch (letter) {
    case 'o': open_one(0, &w->engine, w, input, size); break;
    case 'f': open_one(1, &w->form, w, input, size); break;
    case 'i': step(w, w->engine, input, size); break;
    case 'a': answer(w, w->engine, "s", input, size); break;
    case 'l': open_relay(w, input, size); break;
    case 'b': step(w, w->relay, input, size); break;
    case 'm': receive(w, ELICIT_CLIENT, input, size); break;
    case 'w': receive(w, ELICIT_SERVER, input, size); break;
    case 'v': answer(w, w->relay, "form+url", input, size); break;
    case 'k': close_one(&w->relay, w); break;
    case 'c':
      status = elicit_check(w->form, input, size, &out);
      want((status == ELICIT_UNKNOWN_HANDLE) == (w->form == 0), "check of a form");
      kept(status, "check", input, size, &out);
      break;
    case 'e': eval(input, size); break;
    case 'x': close_one(&w->engine, w); break;
    case 'y': close_one(&w->form, w); break;
    case 'h': foreign(w, input, size); break;
    case 'd': kept(elicit_describe(&out), "describe", "", 0, &out); break;
    case 's': kept(elicit_selfcheck(&out), "selfcheck", "", 0, &out); break;
    case 'g': kept(elicit_guest((const uint8_t *)input, size, &out), "guest", "", 0, &out); break;
    case 'n': kept(elicit_eval("parse", NULL, size, &out), "parse", "", 0, &out); break;
    case 'z': wordless(w, input, size); break;
    default: want(elicit_status_name((elicit_status)letter) != NULL, "a status without a name");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *all, size_t left);

int LLVMFuzzerTestOneInput(const uint8_t *all, size_t left) {
  world w;
  int calls;
  memset(&w, 0, sizeof w);
  memset(w.shown, '0', 32);
  for (calls = 0; left > 0 && calls < CALLS; calls++) {
    const uint8_t *end = memchr(all, 0xff, left);
    size_t whole = end == NULL ? left : (size_t)(end - all), size = whole == 0 ? 0 : whole - 1;
    char *document = malloc(size > 0 ? size : 1);
    if (document == NULL) exit(2);
    memcpy(document, all + (whole > 0), size);
    one_call(&w, whole == 0 ? 0 : (char)all[0], document, size);
    memset(document, 0xAA, size); /* if the library kept a pointer, it would read this */
    free(document);
    whole += end != NULL;
    all += whole;
    left -= whole;
  }
  if (w.engine != 0) close_one(&w.engine, &w);
  if (w.form != 0) close_one(&w.form, &w);
  if (w.relay != 0) close_one(&w.relay, &w);
  return 0;
}
