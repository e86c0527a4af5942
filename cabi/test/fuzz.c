/* Calls every function with damaged documents and invented handles. Usage: fuzz SEED CALLS <vectors, in the format of
 * vectors.c. Each call must keep the promises of elicit.h for any input. A sanitizer finds memory errors, because every
 * input has memory of exactly its size, which is freed after the call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "promise.h"

enum { SEEDS = 8192, HANDLES = 64, MOST = 1 << 20 };

typedef struct seed {
  char op[64];
  char *text;
  size_t size;
} seed;

typedef enum kind { ENGINE, FORM, CONNECTION } kind;

typedef struct tenant {
  elicit_handle handle;
  kind kind;
  int open;
} tenant;

static seed seeds[SEEDS];
static size_t seed_count;
static tenant tenants[HANDLES];
static unsigned long long state;
static long by_status[8];

static unsigned long long draw(void) { /* xorshift64*, Vigna 2014 */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 2685821657736338717ULL;
}

static size_t below(size_t n) { return n == 0 ? 0 : (size_t)(draw() >> 11) % n; }

static void add_seed(const char *op, const char *text, size_t size) {
  seed *s = &seeds[seed_count];
  if (seed_count == SEEDS) return;
  snprintf(s->op, sizeof s->op, "%s", op);
  s->text = malloc(size + 1);
  if (s->text == NULL) exit(2);
  memcpy(s->text, text, size);
  s->size = size;
  seed_count++;
}

static const char *const events[] = {
    "{\"event\":{\"event\":\"opened\",\"session\":\"s\",\"server\":\"build\",\"side\":\"answering\","
    "\"declared\":[\"form\",\"url\"],"
    "\"shown\":[\"form\",\"url\"]}}",
    "{\"event\":{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"1\",\"mode\":\"form\",\"message\":\"Where?\","
    "\"schema\":{\"type\":"
    "\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"enum\":[\"eu\",\"us\"]}},"
    "\"required\":[\"region\"]}}}",
    "{\"event\":{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"2\",\"mode\":\"url\",\"message\":\"Sign in\","
    "\"link\":\"e\","
    "\"url\":\"https://example.com/\"}}",
    "{\"event\":{\"event\":\"answered\",\"session\":\"s\",\"id\":\"r1\",\"action\":\"accept\","
    "\"content\":{\"region\":\"eu\"}}}",
    "{\"event\":{\"event\":\"cancelled\",\"session\":\"s\",\"ref\":\"1\"}}",
    "{\"event\":{\"event\":\"closed\",\"session\":\"s\"}}",
    "{\"event\":{\"event\":\"ticked\"},\"at\":1700000000000}",
    "{\"save\":\"s\"}",
    "{\"list\":\"grants\"}",
    "{\"event\":{\"event\":\"ended\",\"end\":\"server\"}}",
    "{\"event\":{\"event\":\"append_failed\"}}",
};

/* Messages of a connection, those of the client first. */
static const char *const messages[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{\"elicitation\":{\"form\":{}}},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"arguments\":{}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"action\":\"accept\",\"content\":{\"region\":\"eu\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
    "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Where?\","
    "\"requestedSchema\":"
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"enum\":[\"eu\",\"us\"]}}}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\":[]}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32042,\"message\":\"Visit\",\"data\":{\"elicitations\":[]}}}",
};

static const char RELAY[] = "{\"relay\":{\"server\":\"build\",\"role\":\"client\",\"modes\":[\"form\"]}}";

static const char *const words[] = {"\"", "{", "}", "[", "]", ",", ":", "null", "true", "1e999", "-0", "\\u0000",
                                    "\\ud800", "\xff", "\xf0\x9f\x98\x80", "{\"a\":", "\"session\":\"s\",",
                                    "9223372036854775808", "/*"};

/* mutate copies a seed and damages the copy up to five times. One copy in eight stays undamaged. The copy ends at the
 * end of its memory. */
static char *mutate(const seed *from, size_t *size) {
  static char work[MOST];
  char *exact;
  size_t n = from->size < MOST / 2 ? from->size : MOST / 2, turns = draw() % 8 == 0 ? 0 : 1 + below(5);
  memcpy(work, from->text, n);
  for (; turns > 0; turns--) {
    size_t at = below(n + 1), length = below(n - at + 1);
    const char *word = words[below(sizeof words / sizeof *words)];
    switch (draw() % 6) {
      case 0: if (at < n) work[at] = (char)draw(); break;
      case 1: if (at < n) work[at] ^= (char)(1 << (draw() & 7)); break;
      case 2: /* remove a piece */
        length = length > 40 ? 40 : length;
        memmove(work + at, work + at + length, n - at - length);
        n -= length;
        break;
      case 3: /* repeat a piece */
        if (n + length > MOST - 32) break;
        memmove(work + at + length, work + at, n - at);
        n += length;
        break;
      case 4: n = at; break;
      default: /* insert a word */
        if (n > MOST - 64) break;
        memmove(work + at + strlen(word), work + at, n - at);
        memcpy(work + at, word, strlen(word));
        n += strlen(word);
    }
  }
  exact = malloc(n > 0 ? n : 1);
  if (exact == NULL) exit(2);
  memcpy(exact, work, n);
  *size = n;
  return exact;
}

/* counted checks the promises for an output and counts its status. */
static void counted(elicit_status status, const char *op, const char *input, size_t size, elicit_bytes *out) {
  kept(status, op, input, size, out);
  by_status[status]++;
}

/* pick returns a tenant, open or closed. Or it returns NULL and sets a handle that no function returned. */
static tenant *pick(elicit_handle *handle) {
  tenant *t = &tenants[below(HANDLES)];
  int i;
  *handle = t->handle;
  if (draw() % 4 != 0) return t;
  *handle = draw() % 2 == 0 ? t->handle ^ (1ULL << (draw() & 63)) : draw();
  for (i = 0; i < HANDLES; i++)
    if (tenants[i].handle == *handle) return &tenants[i];
  return NULL;
}

static void check_handle(elicit_status status, int known, const char *op, elicit_handle handle) {
  if (known ? status != ELICIT_UNKNOWN_HANDLE : status == ELICIT_UNKNOWN_HANDLE) return;
  fprintf(stderr, "%s of handle %llx, which is %s: %s\n", op, (unsigned long long)handle, known ? "open" : "not open",
          elicit_status_name(status));
  exit(1);
}

static void use(const char *op, kind wanted, const char *input, size_t size) {
  elicit_bytes out;
  elicit_handle handle;
  tenant *t = pick(&handle);
  elicit_status status = wanted == FORM ? elicit_check(handle,
      input, size, &out) : elicit_step(handle, input, size, &out);
  int fits = t != NULL && t->open && (t->kind == FORM) == (wanted == FORM); /* an engine and a connection both step */
  check_handle(status, fits, op, handle);
  counted(status, op, input, size, &out);
}

/* receive gives any handle a message. A connection must return effects for any message. */
static void receive(const char *input, size_t size) {
  elicit_bytes out;
  elicit_handle handle;
  tenant *t = pick(&handle);
  elicit_status status = elicit_receive(handle, draw() % 2 ? ELICIT_CLIENT : ELICIT_SERVER, input, size, &out);
  check_handle(status, t != NULL && t->open && t->kind == CONNECTION, "message", handle);
  if (status != ELICIT_OK && status != ELICIT_UNKNOWN_HANDLE) fail("a message is "
      "refused", "receive", input, size, &out);
  counted(status, "receive", input, size, &out);
}

static void open_one(const char *op, kind wanted, const char *input, size_t size) {
  const elicit_handle mark = 0x5a5a5a5a5a5a5a5aULL;
  elicit_bytes out;
  elicit_handle handle = mark;
  tenant *t = &tenants[below(HANDLES)];
  elicit_status status =
      wanted == FORM ? elicit_form(input, size, &handle, &out) : elicit_open(input, size, &handle, &out);
  if ((status == ELICIT_OK) == (handle == mark)) fail("handle and status differ", op, input, size, &out);
  counted(status, op, input, size, &out);
  if (status != ELICIT_OK) return;
  if (t->open && elicit_close(t->handle) != ELICIT_OK) exit(1);
  t->handle = handle;
  t->kind = wanted;
  t->open = 1;
}

static void close_one(void) {
  elicit_handle handle;
  tenant *t = pick(&handle);
  check_handle(elicit_close(handle), t != NULL && t->open, "close", handle);
  if (t != NULL) t->open = 0;
}

static seed module, message_seeds[sizeof messages / sizeof *messages];

/* guest gives the library a module, damaged or whole. */
static void guest(void) {
  elicit_bytes out;
  size_t size;
  char *bytes = mutate(&module, &size);
  counted(elicit_data((const uint8_t *)bytes, size, &out), "data", "", 0, &out);
  counted(elicit_guest((const uint8_t *)bytes, size, &out), "guest", "", 0, &out);
  memset(bytes, 0xAA, size);
  free(bytes);
}

/* read_module reads the module, and adds the configuration that names it to the seeds. */
static int read_module(void) {
  static char bytes[4096], config[512];
  elicit_bytes out;
  elicit_status status;
  FILE *f = fopen("../testdata/guests/no-links.wasm", "rb");
  if (f == NULL) return 0;
  module.text = bytes;
  module.size = fread(bytes, 1, sizeof bytes, f);
  fclose(f);
  status = elicit_guest((const uint8_t *)bytes, module.size, &out);
#ifdef ELICIT_CORE /* it has no guests */
  elicit_release(&out);
  return status != ELICIT_OK;
#endif
  if (status != ELICIT_OK) return 0;
  snprintf(config, sizeof config,
           "{\"guardians\":[{\"name\":\"g\",\"digest\":\"%.64s\",\"declared\":{\"phases\":[\"before_show\"],"
           "\"reads\":[\"/request/mode\",\"/request/url\"]},"
           "\"reads\":[\"/request/mode\"],\"settings\":{}}]}",
           out.data + 11);
  elicit_release(&out);
  add_seed("parse", config, strlen(config));
  return 1;
}

static void one_call(void) {
  const seed *s = &seeds[below(seed_count)], *other = &seeds[below(seed_count)];
  char op[64];
  size_t size;
  char *input = mutate(s, &size);
  elicit_bytes out = {"x", 1};
  unsigned turn = (unsigned)(draw() % 20);
  snprintf(op, sizeof op, "%s", draw() % 8 == 0 ? other->op : s->op);
  if (draw() % 32 == 0) op[below(strlen(op) + 1)] = (char)draw();
#ifdef ELICIT_CORE /* it has forms and operations alone */
  if (turn < 2 || (turn > 6 && turn != 8 && turn != 14)) turn = 13;
#endif
  switch (turn) {
    case 0:
      free(input);
      input = mutate(&seeds[0], &size);
      if (draw() % 2) open_one("open", ENGINE, "{}", 2);
      else open_one("open", ENGINE, input, size);
      break;
    case 1: /* a document with a member "relay" may open a connection */
      if (memmem(input, size, "\"relay\"", 7) == NULL) open_one("open", ENGINE, input, size);
      break;
    case 2: case 3: open_one("form", FORM, input, size); break;
    case 4: close_one(); break;
    case 5: case 6: use("check", FORM, input, size); break;
    case 7: guest(); break;
    case 8: counted(elicit_describe(&out), "describe", "", 0, &out); break;
    case 14: elicit_status_name((elicit_status)(int)draw()); break;
    case 9: case 10: case 11: case 12:
      free(input);
      input = mutate(&seeds[1 + below(sizeof events / sizeof *events)], &size);
      use("step", ENGINE, input, size);
      break;
    case 15: open_one("open", CONNECTION, RELAY, sizeof RELAY - 1); break;
    case 16: case 17: case 18:
      free(input);
      input = mutate(&message_seeds[below(sizeof messages / sizeof *messages)], &size);
      receive(input, size);
      break;
    case 19: receive(input, size); break;
    default: counted(elicit_eval(op, input, size, &out), op, input, size, &out);
  }
  memset(input, 0xAA, size); /* if the library kept a pointer, it would read this, or a sanitizer would report it */
  free(input);
}

int main(int argc, char **argv) {
  long i, calls = argc > 2 ? atol(argv[2]) : 1000;
  char op[64];
  size_t size;
  state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
  if (!read_module()) return 2;
  for (i = 0; i < (long)(sizeof events / sizeof *events); i++) add_seed("parse", events[i], strlen(events[i]));
  for (i = 0; i < (long)(sizeof messages / sizeof *messages); i++) {
    message_seeds[i].text = (char *)messages[i];
    message_seeds[i].size = strlen(messages[i]);
  }
  while (scanf("%63s %zu", op, &size) == 2) {
    char *input = malloc(size + 1);
    if (input == NULL || getchar() != '\n' || fread(input, 1, size, stdin) != size) return 2;
    add_seed(op, input, size);
    free(input);
  }
  for (i = 0; i < calls; i++) one_call();
  for (i = 0; i < 8; i++) printf("%s %ld\n", elicit_status_name((elicit_status)i), by_status[i]);
  for (i = 0; i < (long)seed_count; i++) free(seeds[i].text);
  return 0;
}
