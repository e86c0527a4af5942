/* Calls every function many times and reports the memory that is left allocated. Usage: calls [ROUNDS [MOST_BYTES]]. A
 * tenth of the rounds is a warm-up. If the other rounds leave more than MOST_BYTES allocated in all, the run fails. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elicit.h"

#define TEXT(literal) literal, sizeof literal - 1

static const char OPENED[] =
    "{\"event\":{\"event\":\"opened\",\"session\":\"s\",\"server\":\"build\",\"side\":\"answering\","
    "\"declared\":[\"form\"],"
    "\"shown\":[\"form\"]}}";

static const char FORM[] =
    "{\"schema\":{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"enum\":[\"eu\",\"us\"]}},"
    "\"required\":[\"region\"]}}";

static long failures;

static void wants(elicit_status got, elicit_status want, elicit_bytes *out) {
  if (got != want || (out != NULL && (out->data == NULL || out->data[out->size] != 0))) failures++;
  elicit_release(out);
}

static uint8_t module[4096];
static size_t module_size;
static char guarded[512];

/* read_module reads a guardian and writes the configuration that names it. */
static int read_module(void) {
  elicit_bytes out;
  FILE *f = fopen("../testdata/guests/no-links.wasm", "rb");
  if (f == NULL) return 0;
  module_size = fread(module, 1, sizeof module, f);
  fclose(f);
  if (elicit_guest(module, module_size, &out) != ELICIT_OK) return 0;
  snprintf(guarded, sizeof guarded,
           "{\"guardians\":[{\"name\":\"g\",\"digest\":\"%.64s\","
           "\"declared\":{\"phases\":[\"before_show\"],\"reads\":[\"/request/mode\",\"/request/url\"]},"
           "\"reads\":[\"/request/mode\"]}]}",
           out.data + 11);
  elicit_release(&out);
  return 1;
}

static const char LINK[] =
    "{\"event\":{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"1\",\"mode\":\"url\",\"message\":\"Pay here\","
    "\"url\":\"https://pay.example.com/\",\"link\":\"l\"}}";

static const char VISITOR[] =
    "{\"event\":{\"event\":\"opened\",\"session\":\"s\",\"server\":\"build\",\"side\":\"answering\","
    "\"declared\":[\"url\"],\"shown\":[\"url\"]}}";

static const char RELAY[] = "{\"relay\":{\"server\":\"backup\",\"modes\":[\"form\"],\"session\":{\"version\":"
    "\"2025-11-25\",\"declared\":[\"form\"]}}}";

static const char CREATE[] =
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Where?\","
    "\"requestedSchema\":"
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\"}}}}}";

/* CALLS is the number of calls in one_round: each function once with an error and once with success, a question with a
 * guardian, and a connection from open to close. The output of describe is too long for the library's near buffer. */
enum { CALLS = 33 };

static void one_round(void) {
  elicit_handle engine = 0, form = 0;
  elicit_bytes out;
  wants(elicit_describe(&out), ELICIT_OK, &out);
  wants(elicit_describe(NULL), ELICIT_OK, NULL);
  wants(elicit_open(TEXT("{}"), &engine, &out), ELICIT_OK, &out);
  wants(elicit_open(TEXT("[1"), &engine, &out), ELICIT_INVALID, &out);
  wants(elicit_step(engine, TEXT(OPENED), &out), ELICIT_OK, &out);
  wants(elicit_step(engine, TEXT("{\"save\":\"s\"}"), &out), ELICIT_OK, &out);
  wants(elicit_step(engine, TEXT("{\"save\":\"s\"}"), NULL), ELICIT_OK, NULL);
  wants(elicit_step(engine, TEXT("{"), &out), ELICIT_INVALID, &out);
  wants(elicit_step(0, TEXT(OPENED), &out), ELICIT_UNKNOWN_HANDLE, &out);
  wants(elicit_eval("compile", TEXT(FORM), &out), ELICIT_OK, &out);
  wants(elicit_eval("no such thing", TEXT("{}"), &out), ELICIT_INVALID, &out);
  wants(elicit_eval(NULL, TEXT("{}"), &out), ELICIT_INVALID, &out);
  wants(elicit_form(TEXT(FORM), &form, &out), ELICIT_OK, &out);
  wants(elicit_form(TEXT("{}"), &form, &out), ELICIT_INVALID, &out);
  wants(elicit_check(form, TEXT("{\"region\":\"moon\"}"), &out), ELICIT_OK, &out);
  wants(elicit_check(engine, TEXT("{}"), &out), ELICIT_UNKNOWN_HANDLE, &out);
  wants(elicit_close(form), ELICIT_OK, NULL);
  wants(elicit_close(engine), ELICIT_OK, NULL);
  wants(elicit_close(engine), ELICIT_UNKNOWN_HANDLE, NULL);
  wants(elicit_selfcheck(&out), ELICIT_OK, &out);
  wants(elicit_guest(module, module_size, &out), ELICIT_OK, &out);
  wants(elicit_guest(module, module_size / 2, &out), ELICIT_INVALID, &out);
  wants(elicit_open(guarded, strlen(guarded), &engine, &out), ELICIT_OK, &out);
  wants(elicit_step(engine, TEXT(VISITOR), &out), ELICIT_OK, &out);
  wants(elicit_step(engine, TEXT(LINK), &out), ELICIT_OK, &out);
  wants(elicit_receive(engine, ELICIT_SERVER, TEXT(CREATE), &out), ELICIT_UNKNOWN_HANDLE, &out);
  wants(elicit_close(engine), ELICIT_OK, NULL);
  wants(elicit_open(TEXT(RELAY), &engine, &out), ELICIT_OK, &out);
  wants(elicit_receive(engine, ELICIT_SERVER, TEXT(CREATE), &out), ELICIT_OK, &out);
  wants(elicit_receive(engine, ELICIT_CLIENT, TEXT("{"), NULL), ELICIT_OK, NULL);
  wants(elicit_receive(engine, (elicit_end)3, TEXT(CREATE), &out), ELICIT_INVALID, &out);
  wants(elicit_step(engine, TEXT("{\"event\":{\"event\":\"ended\",\"end\":\"host\"}}"), &out), ELICIT_OK, &out);
  wants(elicit_close(engine), ELICIT_OK, NULL);
}

static long resident_kib(void) {
  long pages = 0, all = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (f == NULL || fscanf(f, "%ld %ld", &all, &pages) != 2) pages = 0;
  if (f != NULL) fclose(f);
  return pages * 4;
}

int main(int argc, char **argv) {
  long i, rounds = argc > 1 ? atol(argv[1]) : 100, before_kib;
  size_t before, after, most = argc > 2 ? (size_t)atol(argv[2]) : (size_t)-1;
  if (!read_module()) return 2;
  for (i = 0; i < rounds / 10; i++) one_round();
  before = mallinfo2().uordblks;
  before_kib = resident_kib();
  for (i = 0; i < rounds; i++) one_round();
  after = mallinfo2().uordblks;
  printf("%ld calls: malloc holds %ld bytes more, the process %ld KiB more, %ld KiB in all, %ld wrong\n",
         rounds * CALLS, (long)after - (long)before, resident_kib() - before_kib, resident_kib(), failures);
  return failures > 0 || (after > before && after - before > most);
}
