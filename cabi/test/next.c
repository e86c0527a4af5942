/* Tests the promises of elicit.h about elicit_next. Usage: next [NAME]. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "checks.h"

#define TEXT(literal) literal, sizeof literal - 1

static const char PULL[] = "{\"relay\":{\"server\":\"backup\",\"role\":\"client\",\"modes\":[\"form\"],"
    "\"session\":{\"version\":\"2025-11-25\",\"declared\":[\"form\"]},\"config\":%s},\"pull\":true%s}";

static const char NOTICE[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}";

static const char ASK[] =
    "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Keep for how long?\","
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}";

static const char ASKED_ALOUD[] = "{\"guardians\":[{\"name\":\"aunt\",\"phases\":[\"before_show\"]}]}";

/* What the host was called for, in the order of the calls, with the effects between. */
typedef struct story {
  char text[4096], consult[1024];
  elicit_handle relay;
  int keeps, asks, no_random, tells; /* tells: an event too tells of a record that is not kept */
} story;

static void tell(story *s, const char *what, size_t size) {
  size_t used = strlen(s->text);
  if (used + size + 2 < sizeof s->text) snprintf(s->text + used, sizeof s->text - used, "%.*s;", (int)size, what);
}

static int append(void *data, const char *record, size_t size) {
  story *s = data;
  int whole = record == NULL || (size > 2 && record[0] == '{' && record[size - 1] == '}');
  tell(s, whole ? "append" : "torn!", whole ? 6 : 5);
  if (s->tells && s->keeps <= 0) elicit_step(s->relay, TEXT("{\"event\":\"append_failed\"}"), NULL);
  return s->keeps-- > 0 ? 0 : -1;
}

static int consult(void *data, const char *effect, size_t size) {
  story *s = data;
  tell(s, TEXT("consult"));
  snprintf(s->consult, sizeof s->consult, "%.*s", (int)size, effect);
  /* The contract allows an input from a callback. It waits for elicit_next. */
  if (elicit_receive(s->relay, ELICIT_SERVER, TEXT(NOTICE), NULL) != ELICIT_OK) tell(s, TEXT("conflict!"));
  return s->asks ? 0 : 1;
}

static int zeros(void *data, unsigned char bytes[32]) {
  memset(bytes, 0, 32);
  return ((story *)data)->no_random;
}

/* opened opens a connection with a configuration of the engine and more members. */
static const char *opened(story *s, const char *config, const char *more) {
  char input[1024];
  elicit_bytes out;
  memset(s, 0, sizeof *s);
  s->keeps = 1000;
  snprintf(input, sizeof input, PULL, config, more);
  WANT(elicit_open(input, strlen(input), &s->relay, &out) == ELICIT_OK && strcmp(out.data, "{\"effects\":[]}") == 0);
  elicit_release(&out);
  return NULL;
}

/* pulled takes effects until the connection waits, and returns for how long. */
static int pulled(story *s, int64_t at, int64_t elapsed) {
  elicit_host host = {s, append, consult, zeros};
  elicit_bytes out, message;
  char name[32];
  int wait = -2;
  while (elicit_next(s->relay, &host, at, elapsed, &out, &message) == ELICIT_OK) {
    int done = sscanf(out.data, "{\"wait\":%d}", &wait) == 1;
    if (out.data[out.size] != 0 || (message.data != NULL && message.data[message.size] != 0)) tell(s, TEXT("no end!"));
    if (sscanf(out.data, "{\"effect\":\"%31[a-z_]\"", name) == 1) tell(s, name, strlen(name));
    if (message.data != NULL) tell(s, message.data, message.size < 60 ? message.size : 60);
    elicit_release(&out);
    if (done) break;
  }
  return wait;
}

static const char *performs_in_order(void) {
  story s;
  char message[sizeof NOTICE];
  const char *wrong = opened(&s, "{\"limits\":{\"answer_ttl_ms\":60000}}", "");
  if (wrong != NULL) return wrong;
  memcpy(message, NOTICE, sizeof message);
  WANT(elicit_receive(s.relay, ELICIT_CLIENT, message, sizeof message - 1, NULL) == ELICIT_OK);
  memset(message, 0xAA, sizeof message); /* the library has a copy */
  WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK);
  WANT(pulled(&s, -1, -1) == 20000);
  WANT(strstr(s.text, "append;append;forward;{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"};append;") == s.text);
  WANT(strstr(s.text, ";show;") != NULL && strchr(s.text, '!') == NULL);
  s.text[0] = 0;
  WANT(elicit_step(s.relay, TEXT("{\"event\":\"ended\",\"end\":\"host\"}"), NULL) == ELICIT_OK);
  WANT(pulled(&s, -1, -1) == -1);
  WANT(strstr(s.text, "send;{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"action\":\"cancel\"}};") != NULL);
  return elicit_close(s.relay) == ELICIT_OK ? NULL : "close";
}

static const char *counts_the_time(void) {
  story s;
  const char *wrong = opened(&s, "{\"limits\":{\"answer_ttl_ms\":60000}}", ",\"at\":1000,\"elapsed\":5");
  if (wrong != NULL) return wrong;
  WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK);
  WANT(pulled(&s, 1000, 10) == 20000 && pulled(&s, 900000000, 59010) == 1000 && strstr(s.text, "send") == NULL);
  WANT(pulled(&s, 0, 60010) == -1 && strstr(s.text, "\"id\":7,\"result\":{\"action\":\"cancel\"}") != NULL);
  return elicit_close(s.relay) == ELICIT_OK ? NULL : "close";
}

static const char *refuses_without_a_record(void) {
  story s;
  int keeps;
  for (keeps = 0; keeps < 3; keeps++) {
    const char *wrong = opened(&s, "{}", "");
    if (wrong != NULL) return wrong;
    s.keeps = keeps;
    WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK && pulled(&s, -1, -1) == -1);
    WANT(strstr(s.text, "\"id\":7,\"error\"") != NULL && strstr(s.text, "show") == NULL);
    WANT(strstr(s.text, "note;") != NULL && strstr(strstr(s.text, "note;"), "append") == NULL);
    WANT(elicit_close(s.relay) == ELICIT_OK);
  }
  return NULL;
}

static const char HALF[] = "{\"jsonrpc\":";

/* disturb gives a connection inputs until it is closed. */
static void *disturb(void *data) {
  story *s = data;
  while (elicit_receive(s->relay, ELICIT_CLIENT, TEXT(HALF), NULL) != ELICIT_UNKNOWN_HANDLE) continue;
  return NULL;
}

/* tells_of_a_failure_beside_other_threads: the call that tells it may meet an input of another thread. */
static const char *tells_of_a_failure_beside_other_threads(void) {
  story s;
  int i;
  for (i = 0; i < 50; i++) {
    elicit_host host = {&s, append, consult, zeros};
    elicit_bytes out, message;
    pthread_t other;
    int shown = 0, refused = 0;
    const char *wrong = opened(&s, "{}", "");
    if (wrong != NULL) return wrong;
    s.keeps = 2;
    WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK);
    WANT(pthread_create(&other, NULL, disturb, &s) == 0);
    while (!shown && !refused) {
      elicit_status status = elicit_next(s.relay, &host, -1, -1, &out, &message);
      WANT(status == ELICIT_OK || status == ELICIT_CONFLICT);
      shown = holds(&out, "{\"effect\":\"show\"");
      refused = message.data != NULL && strstr(message.data, "\"id\":7,\"error\"") != NULL;
      elicit_release(&out);
    }
    while (elicit_close(s.relay) == ELICIT_CONFLICT) continue;
    WANT(pthread_join(other, NULL) == 0 && !shown);
  }
  return NULL;
}

static const char *refuses_when_told_twice(void) {
  story s;
  const char *wrong = opened(&s, "{}", "");
  if (wrong != NULL) return wrong;
  s.keeps = 2, s.tells = 1;
  WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK && pulled(&s, -1, -1) == -1);
  WANT(strstr(s.text, "\"id\":7,\"error\"") != NULL && strstr(s.text, "show") == NULL);
  return elicit_close(s.relay) == ELICIT_OK ? NULL : "close";
}

static const char *refuses_without_random_bytes(void) {
  story s;
  const char *wrong = opened(&s, "{}", "");
  if (wrong != NULL) return wrong;
  pulled(&s, -1, -1);
  s.no_random = 1;
  WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK && pulled(&s, -1, -1) == -1);
  WANT(strstr(s.text, "\"id\":7,\"error\"") != NULL && strstr(s.text, "show") == NULL);
  return elicit_close(s.relay) == ELICIT_OK ? NULL : "close";
}

/* asks_guardians covers a guardian that is being asked, one that cannot be, and a host without the callback. */
static const char *asks_guardians(void) {
  story s;
  elicit_host mute = {NULL, NULL, NULL, NULL};
  elicit_bytes out = {NULL, 0};
  int asks;
  for (asks = 0; asks < 2; asks++) {
    const char *wrong = opened(&s, ASKED_ALOUD, "");
    if (wrong != NULL) return wrong;
    s.asks = asks;
    WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK);
    WANT((pulled(&s, -1, -1) == -1) == !asks && strstr(s.consult, "{\"effect\":\"consult\",") == s.consult);
    WANT((strstr(s.text, "\"id\":7,\"result\":{\"action\":\"decline\"") != NULL) == !asks);
    WANT(strstr(s.text, "notifications/x") != NULL && strchr(s.text, '!') == NULL);
    WANT(elicit_close(s.relay) == ELICIT_OK);
  }
  WANT(opened(&s, ASKED_ALOUD, "") == NULL);
  WANT(elicit_receive(s.relay, ELICIT_SERVER, TEXT(ASK), NULL) == ELICIT_OK);
  do {
    elicit_release(&out);
    WANT(elicit_next(s.relay, asks++ % 2 ? &mute : NULL, -1, -1, &out, NULL) == ELICIT_OK);
  } while (!holds(&out, "{\"wait\":") && asks < 100);
  WANT(holds(&out, "{\"wait\":-1}"));
  elicit_release(&out);
  return elicit_close(s.relay) == ELICIT_OK ? NULL : "close";
}

static const char *refuses_wrong_arguments(void) {
  elicit_handle plain, engine;
  elicit_bytes out, message = {"x", 1};
  WANT(elicit_open(TEXT("{}"), &engine, NULL) == ELICIT_OK);
  WANT(elicit_open(TEXT("{\"relay\":{\"server\":\"s\"}}"), &plain, NULL) == ELICIT_OK);
  WANT(elicit_next(engine, NULL, -1, -1, &out, &message) == ELICIT_UNKNOWN_HANDLE && holds(&out, "unknown_handle"));
  WANT(message.data == NULL && message.size == 0);
  elicit_release(&out);
  WANT(elicit_next(plain, NULL, -1, -1, &out, NULL) == ELICIT_UNKNOWN_HANDLE);
  elicit_release(&out);
  WANT(elicit_next(0, NULL, -1, -1, &out, NULL) == ELICIT_UNKNOWN_HANDLE);
  elicit_release(&out);
  WANT(elicit_next(plain, NULL, -1, -1, NULL, NULL) == ELICIT_INVALID);
  WANT(elicit_step(plain, TEXT("{\"event\":\"ticked\"}"), NULL) == ELICIT_OK); /* no handle was closed */
  return elicit_close(plain) == ELICIT_OK && elicit_close(engine) == ELICIT_OK ? NULL : "close";
}

static const check checks[] = {
    CHECK(performs_in_order), CHECK(counts_the_time), CHECK(refuses_without_a_record),
    CHECK(tells_of_a_failure_beside_other_threads), CHECK(refuses_when_told_twice),
    CHECK(refuses_without_random_bytes), CHECK(asks_guardians), CHECK(refuses_wrong_arguments)};

int main(int argc, char **argv) {
  return run_checks(checks, sizeof checks / sizeof *checks, argc > 1 ? argv[1] : NULL);
}
