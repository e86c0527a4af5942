/* Tests the promises of elicit.h about connections. Usage: connection [NAME]. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"

#define TEXT(literal) literal, sizeof literal - 1

enum { MIB = 1 << 20, LONGEST = 64 * MIB };

static const char CLIENT[] = "{\"relay\":{\"server\":\"backup\",\"role\":\"client\",\"modes\":[\"form\",\"url\"]}}";

static const char INITIALIZE[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},"
    "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}";

static const char INITIALIZED[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
    "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";

static const char CALL[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"prune\","
    "\"arguments\":{}}}";

static const char ASK[] =
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Keep for how long?\","
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\"}},"
    "\"required\":[\"days\"]}}}";

static const char ENDED[] = "{\"event\":{\"event\":\"ended\",\"end\":\"host\"}}";

static const char NOTHING[] = "{\"effects\":[]}";

/* received gives a message in memory of exactly its size. It overwrites that memory before it reads the output. */
static elicit_status received(elicit_handle relay, elicit_end from, const char *message, elicit_bytes *out) {
  size_t size = strlen(message);
  char *exact = malloc(size > 0 ? size : 1);
  elicit_status status;
  if (exact == NULL) exit(2);
  memcpy(exact, message, size);
  status = elicit_receive(relay, from, exact, size, out);
  memset(exact, 0xAA, size);
  free(exact);
  return status;
}

/* opened opens a connection and gives it messages up to a call of the client that waits. */
static const char *opened(elicit_handle *relay) {
  elicit_bytes out;
  WANT(elicit_open(TEXT(CLIENT), relay, &out) == ELICIT_OK && *relay != 0 && holds(&out, "\"effect\":\"append\""));
  elicit_release(&out);
  WANT(received(*relay, ELICIT_CLIENT, INITIALIZE, &out) == ELICIT_OK);
  WANT(holds(&out, "{\"effect\":\"send\",\"to\":\"server\"") && holds(&out, "\\\"elicitation\\\":{"));
  elicit_release(&out);
  WANT(received(*relay, ELICIT_SERVER, INITIALIZED, &out) == ELICIT_OK
      && holds(&out, "{\"effect\":\"forward\",\"to\":\"client\"}"));
  elicit_release(&out);
  WANT(received(*relay, ELICIT_CLIENT, CALL, &out) == ELICIT_OK);
  WANT(strcmp(out.data, "{\"effects\":[{\"effect\":\"forward\",\"to\":\"server\"}]}") == 0);
  elicit_release(&out);
  return NULL;
}

/* asks gives the connection the question and returns the question's id. */
static const char *asks(elicit_handle relay, char id[33]) {
  elicit_bytes out;
  const char *show;
  WANT(received(relay, ELICIT_SERVER, ASK, &out) == ELICIT_OK);
  show = strstr(out.data, "{\"effect\":\"show\"");
  WANT(show != NULL && (show = strstr(show, "\"id\":\"")) != NULL);
  memcpy(id, show + 6, 32);
  id[32] = 0;
  elicit_release(&out);
  return NULL;
}

static const char *answers_a_question(void) {
  elicit_handle relay = 0;
  elicit_bytes out;
  char id[33], answer[256];
  const char *wrong;
  if ((wrong = opened(&relay)) != NULL || (wrong = asks(relay, id)) != NULL) return wrong;
  snprintf(answer, sizeof answer, "{\"event\":{\"event\":\"answered\",\"session\":\"form+url\",\"id\":\"%s\","
      "\"action\":\"accept\",\"content\":{\"days\":7}}}", id);
  WANT(elicit_step(relay, answer, strlen(answer), &out) == ELICIT_OK);
  WANT(holds(&out, "\"to\":\"server\",\"message\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":7,"
      "\\\"result\\\":{\\\"action\\\":\\\"accept\\\""));
  WANT(strstr(out.data, "\"effect\":\"append\"") < strstr(out.data, "\"effect\":\"send\""));
  elicit_release(&out);
  WANT(elicit_step(relay, TEXT("{\"list\":\"grants\"}"), &out) == ELICIT_OK
      && strcmp(out.data, "{\"grants\":[]}") == 0);
  elicit_release(&out);
  return elicit_close(relay) == ELICIT_OK ? NULL : "close";
}

static const char *closes_in_silence(void) {
  elicit_handle relay = 0;
  elicit_bytes out;
  char id[33];
  const char *wrong;
  if ((wrong = opened(&relay)) != NULL || (wrong = asks(relay, id)) != NULL) return wrong;
  WANT(elicit_close(relay) == ELICIT_OK && elicit_close(relay) == ELICIT_UNKNOWN_HANDLE);
  if ((wrong = opened(&relay)) != NULL || (wrong = asks(relay, id)) != NULL) return wrong;
  /* Without this event first, the server would not learn of the end. */
  WANT(elicit_step(relay, TEXT(ENDED), &out) == ELICIT_OK);
  WANT(holds(&out, "\\\"id\\\":7,\\\"result\\\":{\\\"action\\\":\\\"cancel\\\"")
      && holds(&out, "{\"effect\":\"withdraw\""));
  elicit_release(&out);
  return elicit_close(relay) == ELICIT_OK ? NULL : "close";
}

static const char *survives_its_journal(void) {
  elicit_handle relay = 0;
  elicit_bytes out;
  char id[33];
  const char *wrong;
  if ((wrong = opened(&relay)) != NULL || (wrong = asks(relay, id)) != NULL) return wrong;
  WANT(elicit_step(relay, TEXT("{\"event\":{\"event\":\"append_failed\"}}"), &out) == ELICIT_OK);
  WANT(holds(&out, "\"to\":\"server\"") && holds(&out, "\\\"id\\\":7,\\\"error\\\"")
      && !holds(&out, "\"effect\":\"append\""));
  elicit_release(&out);
  WANT(received(relay, ELICIT_CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}", &out) == ELICIT_OK
      && holds(&out, "\"forward\""));
  elicit_release(&out);
  return elicit_close(relay) == ELICIT_OK ? NULL : "close";
}

static const char *refuses_wrong_arguments(void) {
  static const elicit_end none[] = {(elicit_end)0, (elicit_end)3, (elicit_end)-1, (elicit_end)(1 << 20)};
  elicit_handle relay = 0;
  elicit_bytes out = {"x", 1};
  size_t i;
  WANT(elicit_open(TEXT(CLIENT), &relay, NULL) == ELICIT_OK);
  WANT(elicit_receive(relay, ELICIT_CLIENT, NULL, 5, &out) == ELICIT_INVALID && holds(&out, "bad_input"));
  elicit_release(&out);
  WANT(elicit_receive(relay, ELICIT_CLIENT, NULL, 0, &out) == ELICIT_OK && strcmp(out.data, NOTHING) == 0);
  elicit_release(&out);
  WANT(elicit_receive(relay, ELICIT_SERVER, TEXT("{}"), NULL) == ELICIT_OK);
  for (i = 0; i < sizeof none / sizeof *none; i++) {
    WANT(elicit_receive(relay, none[i], TEXT(INITIALIZE), &out) == ELICIT_INVALID && holds(&out, "bad_input"));
    elicit_release(&out);
  }
  WANT(elicit_receive(relay, ELICIT_CLIENT, "x", (size_t)ELICIT_MAX_MESSAGE + 1, &out) == ELICIT_TOO_LARGE);
  WANT(holds(&out, "\"limit\":1073741824"));
  elicit_release(&out);
  WANT(elicit_step(relay, "x", ELICIT_MAX_INPUT + 1, &out) == ELICIT_TOO_LARGE && holds(&out, "\"limit\":8388608"));
  elicit_release(&out);
  WANT(elicit_step(relay, TEXT("{\"save\":\"s\"}"), &out) == ELICIT_INVALID && holds(&out, "/save"));
  elicit_release(&out);
  WANT(elicit_receive(relay, ELICIT_CLIENT, TEXT("\xff{"), &out) == ELICIT_OK && holds(&out, "\"effect\":\"note\""));
  elicit_release(&out);
  return elicit_close(relay) == ELICIT_OK ? NULL : "close";
}

static const char *refuses_wrong_configurations(void) {
  static const char *const wrong[][2] = {{"{\"relay\":{}}", "/relay/server"},
                                         {"{\"relay\":7}", "wrong_type"},
                                         {"{\"relay\":{\"server\":\"b\",\"role\":\"x\"}}", "unknown_role"},
                                         {"{\"relay\":{\"server\":\"b\",\"config\":{\"x\":1}}}", "/relay/config/x"},
                                         {"{\"relay\":{\"server\":\"b\"},\"x\":1}", "/x"}};
  elicit_handle relay = 77;
  elicit_bytes out;
  size_t i;
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    WANT(elicit_open(wrong[i][0], strlen(wrong[i][0]), &relay, &out) == ELICIT_INVALID && relay == 77
        && holds(&out, wrong[i][1]));
    elicit_release(&out);
  }
  return NULL;
}

static const char *refuses_wrong_handles(void) {
  elicit_handle wrong[6] = {0, UINT64_MAX}, relay;
  elicit_bytes out;
  int i;
  WANT(elicit_open(TEXT("{}"), &wrong[2], NULL) == ELICIT_OK);
  WANT(elicit_form(TEXT("{\"schema\":{\"type\":\"object\",\"properties\":{}}}"), &wrong[3], NULL) == ELICIT_OK);
  WANT(elicit_open(TEXT(CLIENT), &wrong[4], NULL) == ELICIT_OK && elicit_close(wrong[4]) == ELICIT_OK);
  WANT(elicit_open(TEXT(CLIENT), &relay, NULL) == ELICIT_OK && relay != wrong[4]);
  wrong[5] = relay ^ 1ULL << 63;
  for (i = 0; i < 6; i++) {
    WANT(elicit_receive(wrong[i], ELICIT_CLIENT, TEXT(INITIALIZE), &out) == ELICIT_UNKNOWN_HANDLE
        && holds(&out, "unknown_handle"));
    elicit_release(&out);
  }
  WANT(elicit_check(relay, TEXT("{}"), NULL) == ELICIT_UNKNOWN_HANDLE);
  return elicit_close(relay) == ELICIT_OK && elicit_close(wrong[2]) == ELICIT_OK
      && elicit_close(wrong[3]) == ELICIT_OK ? NULL : "close";
}

static long peak_kib(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return use.ru_maxrss;
}

/* passes_long_messages gives a message of the most bytes that a connection accepts, and one with a byte more. The
 * library copies neither. */
static const char *passes_long_messages(void) {
  static const char head[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"data\":\"",
      tail[] = "\"}}";
  elicit_handle relay = 0;
  elicit_bytes out;
  long before;
  const char *wrong = opened(&relay);
  char *message = malloc(LONGEST + 1);
  if (wrong != NULL) return wrong;
  WANT(message != NULL);
  memset(message, 'a', LONGEST + 1);
  memcpy(message, head, sizeof head - 1);
  memcpy(message + LONGEST - (sizeof tail - 1), tail, sizeof tail - 1);
  before = peak_kib();
  WANT(elicit_receive(relay, ELICIT_CLIENT, message, LONGEST, &out) == ELICIT_OK);
  WANT(strcmp(out.data, "{\"effects\":[{\"effect\":\"forward\",\"to\":\"server\"}]}") == 0);
  elicit_release(&out);
#ifdef ELICIT_IN_C
  WANT(elicit_receive(relay, ELICIT_CLIENT, message, LONGEST + 1, &out) == ELICIT_TOO_LARGE);
  WANT(holds(&out, "\"code\":\"message_too_long\""));
  (void)before; /* this build copies a message */
#else
  WANT(elicit_receive(relay, ELICIT_CLIENT, message, LONGEST + 1, &out) == ELICIT_OK);
  WANT(holds(&out, "\"code\":\"message_too_long\"") && !holds(&out, "forward") && out.size < 1024);
  WANT(peak_kib() - before < LONGEST / 1024 / 4);
#endif
  elicit_release(&out);
  free(message);
  return elicit_close(relay) == ELICIT_OK ? NULL : "close";
}

static elicit_handle shared;
static int served, conflicts, others;

/* give_shared gives a long message until a call gets a conflict, so the test does not depend on the scheduler. */
static void *give_shared(void *unused) {
  char *message = malloc(MIB);
  int i;
  (void)unused;
  if (message == NULL) exit(2);
  memset(message, ' ', MIB);
  memcpy(message, "{", 1);
  memcpy(message + MIB - 44, "\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"  }", 44);
  for (i = 0; i < 10 || (i < 1000000 && __sync_fetch_and_add(&conflicts, 0) == 0); i++) {
    switch (elicit_receive(shared, ELICIT_CLIENT, message, MIB, NULL)) {
      case ELICIT_OK: __sync_fetch_and_add(&served, 1); break;
      case ELICIT_CONFLICT: __sync_fetch_and_add(&conflicts, 1); break;
      default: __sync_fetch_and_add(&others, 1);
    }
  }
  free(message);
  return NULL;
}

static const char *serves_one_at_a_time(void) {
  const char *wrong = opened(&shared);
  if (wrong != NULL) return wrong;
  WANT(together(4, give_shared, NULL) == NULL);
  WANT(others == 0 && served > 0 && conflicts > 0);
  WANT(elicit_receive(shared, ELICIT_CLIENT, TEXT("{\"jsonrpc\":\"2.0\",\"id\":3,"
      "\"method\":\"ping\"}"), NULL) == ELICIT_OK);
  return elicit_close(shared) == ELICIT_OK ? NULL : "close";
}

static void *live_often(void *failures) {
  int i;
  for (i = 0; i < 50; i++) {
    elicit_handle relay;
    char id[33];
    if (opened(&relay) != NULL || asks(relay, id) != NULL || elicit_close(relay) != ELICIT_OK)
      __sync_fetch_and_add((int *)failures, 1);
  }
  return NULL;
}

static const char *serves_many_threads(void) {
  int failures = 0;
  WANT(together(32, live_often, &failures) == NULL && failures == 0);
  return NULL;
}

static const char *tells_a_fork(void) {
  elicit_handle relay = 0;
  elicit_bytes out;
  int status = 0;
  const char *wrong = opened(&relay);
  pid_t child;
  if (wrong != NULL) return wrong;
  child = fork();
  WANT(child >= 0);
#ifdef ELICIT_IN_C
  if (child == 0) _exit(elicit_receive(relay, ELICIT_SERVER, TEXT(ASK), &out) == ELICIT_OK
      && holds(&out, "\"effect\":\"show\"") ? 0 : 1);
#else
  if (child == 0) _exit(elicit_receive(relay, ELICIT_SERVER, TEXT(ASK), &out) == ELICIT_FORKED
      && holds(&out, "forked") ? 0 : 1);
#endif
  WANT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  WANT(received(relay, ELICIT_SERVER, ASK, NULL) == ELICIT_OK);
  return elicit_close(relay) == ELICIT_OK ? NULL : "close";
}

static const char *is_described(void) {
  elicit_bytes out;
  WANT(elicit_describe(&out) == ELICIT_OK && holds(&out, "\"relay\":{\"events\":[\"received\","));
  elicit_release(&out);
  return NULL;
}

static const check checks[] = {
    CHECK(answers_a_question), CHECK(closes_in_silence), CHECK(survives_its_journal), CHECK(refuses_wrong_arguments),
    CHECK(refuses_wrong_configurations), CHECK(refuses_wrong_handles), CHECK(passes_long_messages),
    CHECK(serves_one_at_a_time), CHECK(serves_many_threads), CHECK(tells_a_fork), CHECK(is_described)};

int main(int argc, char **argv) {
  return run_checks(checks, sizeof checks / sizeof *checks, argc > 1 ? argv[1] : NULL);
}
