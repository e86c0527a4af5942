/* Tests the promises of elicit.h, except those about connections, which connection.c tests. Usage: contract [NAME]. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"

static const char OPENED[] =
    "{\"event\":{\"event\":\"opened\",\"session\":\"s\",\"server\":\"build\",\"side\":\"answering\","
    "\"declared\":[\"form\"],"
    "\"shown\":[\"form\"]}}";

static const char FORM[] =
    "{\"schema\":{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"enum\":[\"eu\",\"us\"]}},"
    "\"required\":[\"region\"]}}";

static const char *numbers(void) {
  WANT(elicit_abi() == ELICIT_ABI);
  WANT(strcmp(elicit_status_name(ELICIT_OK), "ok") == 0);
  WANT(strcmp(elicit_status_name(ELICIT_NO_MEMORY), "no_memory") == 0);
  WANT(strcmp(elicit_status_name((elicit_status)99), "unknown_status") == 0);
  WANT(strcmp(elicit_status_name((elicit_status)-1), "unknown_status") == 0);
  return NULL;
}

static const char *describes_itself(void) {
  elicit_bytes out;
  WANT(elicit_describe(&out) == ELICIT_OK);
  WANT(holds(&out, "\"statuses\":[\"ok\",\"invalid\",\"unknown_handle\",\"too_large\",\"conflict\",\"internal\""));
  WANT(out.data[out.size] == 0 && strlen(out.data) == out.size);
  elicit_release(&out);
  WANT(out.data == NULL && out.size == 0);
  elicit_release(&out);
  elicit_release(NULL);
  return NULL;
}

static const char *steps(void) {
  elicit_handle engine = 0;
  elicit_bytes out;
  WANT(elicit_open("{}", 2, &engine, &out) == ELICIT_OK && engine != 0);
  elicit_release(&out);
  WANT(elicit_step(engine, OPENED, sizeof OPENED - 1, &out) == ELICIT_OK);
  WANT(holds(&out, "{\"effects\":["));
  elicit_release(&out);
  WANT(elicit_step(engine, "{\"save\":\"s\"}", 12, &out) == ELICIT_OK);
  WANT(holds(&out, "{\"state\":{"));
  elicit_release(&out);
  WANT(elicit_step(engine, "{\"event\":{\"event\":\"ticked\"}}", 28, NULL) == ELICIT_OK);
  WANT(elicit_close(engine) == ELICIT_OK);
  return NULL;
}

static const char *checks_a_form(void) {
  elicit_handle form = 0;
  elicit_bytes out;
  WANT(elicit_form(FORM, sizeof FORM - 1, &form, &out) == ELICIT_OK && form != 0);
  elicit_release(&out);
  WANT(elicit_check(form, "{\"region\":\"eu\"}", 15, &out) == ELICIT_OK);
  WANT(strcmp(out.data, "{\"problems\":[]}") == 0);
  elicit_release(&out);
  WANT(elicit_check(form, "{\"region\":\"moon\"}", 17, &out) == ELICIT_OK);
  WANT(holds(&out, "/region"));
  elicit_release(&out);
  WANT(elicit_step(form, "{\"save\":\"s\"}", 12, NULL) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit_close(form) == ELICIT_OK);
  return NULL;
}

static const char GUARDED[] =
    "{\"guardians\":[{\"name\":\"g\",\"digest\":\"%s\","
    "\"declared\":{\"phases\":[\"before_show\"],\"reads\":[\"/request/mode\",\"/request/url\"]},"
    "\"reads\":[\"/request/mode\"]%s}]}";

static const char LINK[] =
    "{\"event\":{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"1\",\"mode\":\"url\",\"message\":\"Pay here\","
    "\"url\":\"https://pay.example.com/\",\"link\":\"l\"}}";

static const char VISITOR[] =
    "{\"event\":{\"event\":\"opened\",\"session\":\"s\",\"server\":\"build\",\"side\":\"answering\","
    "\"declared\":[\"form\",\"url\"],"
    "\"shown\":[\"form\",\"url\"]}}";

/* asks_for_a_link opens an engine with a guardian and asks a question with a link. `more` is added to the permit. */
static const char *asks_for_a_link(const char *digest, const char *more, elicit_bytes *out) {
  elicit_handle engine = 0;
  char config[1024];
  WANT(snprintf(config, sizeof config, GUARDED, digest, more) < (int)sizeof config);
  WANT(elicit_open(config, strlen(config), &engine, NULL) == ELICIT_OK);
  WANT(elicit_step(engine, VISITOR, sizeof VISITOR - 1, NULL) == ELICIT_OK);
  WANT(elicit_step(engine, LINK, sizeof LINK - 1, out) == ELICIT_OK);
  WANT(elicit_close(engine) == ELICIT_OK);
  return NULL;
}

static char guest_digest[65]; /* of the module that was given to the library */

static void *ask_many(void *failures) {
  int i;
  for (i = 0; i < 100; i++) {
    elicit_bytes out = {NULL, 0};
    if (asks_for_a_link(guest_digest, "", &out) != NULL || !holds(&out, "No links here"))
      __sync_fetch_and_add((int *)failures, 1);
    elicit_release(&out);
  }
  return NULL;
}

static const char *runs_guests_beside_each_other(void) {
  int failures = 0;
  WANT(together(16, ask_many, &failures) == NULL && failures == 0);
  return NULL;
}

static const char *runs_guests(void) {
#ifdef ELICIT_IN_C
  elicit_bytes out; /* the host runs them */
  WANT(elicit_data((const uint8_t *)"abc", 3, &out) == ELICIT_OK && holds(&out, "\"size\":3}"));
  elicit_release(&out);
  WANT(asks_for_a_link("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "", &out) == NULL);
  WANT(holds(&out, "{\"effect\":\"consult\"") && holds(&out, "\"question\":{\"v\":1,"));
  elicit_release(&out);
  (void)runs_guests_beside_each_other;
  return NULL;
#else
  static uint8_t module[4096];
  elicit_handle engine = 77;
  elicit_bytes out;
  char digest[65], config[1024];
  const char *wrong;
  FILE *f = fopen("../testdata/guests/no-links.wasm", "rb");
  size_t size;
  WANT(f != NULL);
  size = fread(module, 1, sizeof module, f);
  fclose(f);
  WANT(elicit_data(NULL, 5, &out) == ELICIT_INVALID && holds(&out, "bad_input"));
  elicit_release(&out);
  WANT(elicit_data((const uint8_t *)"abc", 3, &out) == ELICIT_OK &&
       holds(&out, "{\"digest\":\"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\",\"size\":3}"));
  elicit_release(&out);
  WANT(elicit_data(NULL, 0, &out) == ELICIT_OK && holds(&out, "\"size\":0"));
  elicit_release(&out);
  WANT(elicit_guest(NULL, 5, &out) == ELICIT_INVALID && holds(&out, "bad_input"));
  elicit_release(&out);
  WANT(elicit_guest(module, size / 2, &out) == ELICIT_INVALID && holds(&out, "problems"));
  elicit_release(&out);
  WANT(elicit_guest(module, size, &out) == ELICIT_OK && holds(&out, "\"name\":\"no-links\""));
  WANT(strncmp(out.data, "{\"digest\":\"", 11) == 0);
  memcpy(digest, out.data + 11, 64);
  digest[64] = 0;
  memcpy(guest_digest, digest, sizeof guest_digest);
  elicit_release(&out);
  WANT(snprintf(config, sizeof config, GUARDED, digest, ",\"settings\":{\"a\":1}") < (int)sizeof config);
  WANT(elicit_open(config, strlen(config), &engine, &out) == ELICIT_INVALID && engine == 77);
  WANT(holds(&out, "\"pointer\":\"/guardians/0/settings\"") && holds(&out, "there is nothing to set"));
  elicit_release(&out);
  if ((wrong = asks_for_a_link(digest, "", &out)) != NULL) return wrong;
  WANT(holds(&out, "\"outcome\":\"decline\",\"cause\":\"guardian\"") && holds(&out, "No links here"));
  WANT(!holds(&out, "\"question\":"));
  elicit_release(&out);
  if ((wrong = asks_for_a_link(digest, ",\"host\":true", &out)) != NULL) return wrong;
  WANT(holds(&out, "{\"effect\":\"consult\"") && holds(&out, "\"question\":{\"v\":1,"));
  elicit_release(&out);
  return runs_guests_beside_each_other();
#endif
}

static const char *refuses_wrong_arguments(void) {
  elicit_handle h = 77;
  elicit_bytes out = {"x", 1};
  char *large = malloc(ELICIT_MAX_INPUT + 1);
  WANT(elicit_open(NULL, 5, &h, &out) == ELICIT_INVALID && h == 77 && holds(&out, "bad_input"));
  elicit_release(&out);
  WANT(elicit_open("{}", 2, NULL, &out) == ELICIT_INVALID && holds(&out, "bad_input"));
  elicit_release(&out);
  WANT(elicit_open("[1", 2, &h, &out) == ELICIT_INVALID && h == 77 && holds(&out, "problems"));
  elicit_release(&out);
  WANT(elicit_form("{}", 2, &h, NULL) == ELICIT_INVALID && h == 77);
  WANT(elicit_eval(NULL, "{}", 2, &out) == ELICIT_INVALID && holds(&out, "bad_input"));
  elicit_release(&out);
  WANT(elicit_eval("no such thing", "{}", 2, &out) == ELICIT_INVALID && holds(&out, "unknown_op"));
  elicit_release(&out);
  WANT(elicit_eval("parse", "", 0, &out) == ELICIT_OK && holds(&out, "problems"));
  elicit_release(&out);
  memset(large, ' ', ELICIT_MAX_INPUT + 1);
  WANT(elicit_eval("parse", large, ELICIT_MAX_INPUT + 1, &out) == ELICIT_TOO_LARGE && holds(&out, "json_size"));
  elicit_release(&out);
  free(large);
  return NULL;
}

static const char *refuses_wrong_handles(void) {
  elicit_handle engine, next;
  elicit_bytes out;
  WANT(elicit_open("{}", 2, &engine, NULL) == ELICIT_OK);
  WANT(elicit_close(engine) == ELICIT_OK);
  WANT(elicit_close(engine) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit_open("{}", 2, &next, NULL) == ELICIT_OK && next != engine);
  WANT(elicit_step(engine, OPENED, sizeof OPENED - 1, &out) == ELICIT_UNKNOWN_HANDLE && holds(&out, "unknown_handle"));
  elicit_release(&out);
  WANT(elicit_step(0, OPENED, sizeof OPENED - 1, NULL) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit_step(UINT64_MAX, OPENED, sizeof OPENED - 1, NULL) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit_check(next, "{}", 2, NULL) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit_close(next ^ 1) == ELICIT_UNKNOWN_HANDLE);
  WANT(elicit_close(next) == ELICIT_OK);
  return NULL;
}

/* The address sanitizer takes five times as long. */
#ifdef __SANITIZE_ADDRESS__
enum { THREADS = 64, ENGINES = 200 };
#else
enum { THREADS = 64, ENGINES = 1000 };
#endif

static void *open_many(void *failures) {
  int i;
  for (i = 0; i < ENGINES; i++) {
    elicit_handle engine;
    elicit_bytes out;
    if (elicit_open("{}", 2, &engine, NULL) != ELICIT_OK) break;
    if (elicit_step(engine, OPENED, sizeof OPENED - 1, &out) != ELICIT_OK) break;
    elicit_release(&out);
    if (elicit_close(engine) != ELICIT_OK) break;
  }
  if (i < ENGINES) __sync_fetch_and_add((int *)failures, 1);
  return NULL;
}

static const char *serves_many_threads(void) {
  int failures = 0;
  WANT(together(THREADS, open_many, &failures) == NULL && failures == 0);
  return NULL;
}

static elicit_handle shared;
static int served, conflicts, others;

static void *step_shared(void *unused) {
  int i;
  (void)unused;
  for (i = 0; i < 2000; i++) {
    switch (elicit_step(shared, "{\"event\":{\"event\":\"ticked\"}}", 28, NULL)) {
      case ELICIT_OK: __sync_fetch_and_add(&served, 1); break;
      case ELICIT_CONFLICT: __sync_fetch_and_add(&conflicts, 1); break;
      default: __sync_fetch_and_add(&others, 1);
    }
  }
  return NULL;
}

static const char *serves_one_at_a_time(void) {
  WANT(elicit_open("{}", 2, &shared, NULL) == ELICIT_OK);
  WANT(together(8, step_shared, NULL) == NULL);
  WANT(others == 0 && served > 0 && served + conflicts == 8 * 2000);
  WANT(elicit_close(shared) == ELICIT_OK);
  return NULL;
}

static const char *in_child(elicit_handle engine) {
  elicit_bytes out;
#ifdef ELICIT_IN_C
  WANT(elicit_step(engine, OPENED, sizeof OPENED - 1, &out) == ELICIT_OK && holds(&out, "effects"));
  elicit_release(&out);
  WANT(elicit_open("{}", 2, &engine, NULL) == ELICIT_OK && elicit_close(engine) == ELICIT_OK);
  WANT(elicit_selfcheck(&out) == ELICIT_OK && holds(&out, "{\"ok\":true"));
#else
  WANT(elicit_abi() == ELICIT_ABI);
  WANT(elicit_step(engine, OPENED, sizeof OPENED - 1, &out) == ELICIT_FORKED && holds(&out, "forked"));
  elicit_release(&out);
  WANT(elicit_eval("parse", "{}", 2, NULL) == ELICIT_FORKED);
  WANT(elicit_guest((const uint8_t *)"x", 1, NULL) == ELICIT_FORKED);
  WANT(elicit_data((const uint8_t *)"x", 1, NULL) == ELICIT_FORKED);
  WANT(elicit_close(engine) == ELICIT_FORKED);
  WANT(elicit_selfcheck(&out) == ELICIT_OK && holds(&out, "\"forked\""));
#endif
  elicit_release(&out);
  return NULL;
}

static const char *tells_a_fork(void) {
  elicit_handle engine;
  int status = 0;
  pid_t child;
  WANT(elicit_open("{}", 2, &engine, NULL) == ELICIT_OK);
  child = fork();
  WANT(child >= 0);
  if (child == 0) {
    const char *wrong = in_child(engine);
    if (wrong != NULL) fprintf(stderr, "in the child: %s\n", wrong);
    _exit(wrong == NULL ? 0 : 1);
  }
  WANT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  WANT(elicit_step(engine, OPENED, sizeof OPENED - 1, NULL) == ELICIT_OK);
  WANT(elicit_close(engine) == ELICIT_OK);
  return NULL;
}

static void handler(int n) { (void)n; }

static const char *tells_a_wrong_signal_handler(void) {
  elicit_bytes out;
  struct sigaction act;
  memset(&act, 0, sizeof act);
  WANT(elicit_selfcheck(&out) == ELICIT_OK && strcmp(out.data, "{\"ok\":true,\"warnings\":[]}") == 0);
  elicit_release(&out);
  act.sa_handler = handler;
  WANT(sigaction(SIGUSR1, &act, NULL) == 0);
  WANT(elicit_selfcheck(&out) == ELICIT_OK);
#ifdef ELICIT_IN_C
  WANT(holds(&out, "\"ok\":true")); /* any handler will do */
#else
  WANT(strcmp(out.data, "{\"ok\":false,\"warnings\":[{\"code\":\"signal_without_altstack\",\"detail\":\"10\"}]}") == 0);
#endif
  elicit_release(&out);
  act.sa_flags = SA_ONSTACK;
  WANT(sigaction(SIGUSR1, &act, NULL) == 0);
  WANT(elicit_selfcheck(&out) == ELICIT_OK && holds(&out, "\"ok\":true"));
  elicit_release(&out);
  return NULL;
}

static const char *stays_after_dlclose(void) {
  void *again = dlopen("libelicit.so.1", RTLD_NOW);
  uint32_t (*abi)(void);
  WANT(again != NULL);
  *(void **)&abi = dlsym(again, "elicit_abi");
  WANT(abi != NULL && dlclose(again) == 0 && abi() == ELICIT_ABI);
  return describes_itself();
}

static const check checks[] = {
    CHECK(numbers), CHECK(describes_itself), CHECK(steps), CHECK(checks_a_form), CHECK(runs_guests),
    CHECK(refuses_wrong_arguments), CHECK(refuses_wrong_handles), CHECK(serves_many_threads),
    CHECK(serves_one_at_a_time), CHECK(tells_a_fork), CHECK(tells_a_wrong_signal_handler),
    CHECK(stays_after_dlclose)};

int main(int argc, char **argv) {
  return run_checks(checks, sizeof checks / sizeof *checks, argc > 1 ? argv[1] : NULL);
}
