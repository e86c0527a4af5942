/* Runs scripts of internal/loops with elicit_next. internal/hostscript/host.go says what it reads and writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elicit.h"

static long long keeps;

static void item(const char *head, const char *data, size_t size) {
  printf("%zu\n%s", strlen(head) + size, head);
  fwrite(data, 1, size, stdout);
  putchar('\n');
}

static int append(void *data, const char *record, size_t size) {
  (void)data;
  if (keeps == 0) return 1;
  if (keeps > 0) keeps--;
  if (record == NULL) item("new_journal", "", 0);
  else item("append ", record, size);
  return 0;
}

static int consult(void *data, const char *effect, size_t size) {
  (void)data;
  item("", effect, size);
  return 0;
}

static int zeros(void *data, unsigned char bytes[32]) {
  (void)data;
  memset(bytes, 0, 32);
  return 0;
}

static elicit_host host = {NULL, append, NULL, zeros};

static int take_all(elicit_handle relay, long long at, long long elapsed) {
  elicit_bytes out, message;
  for (;;) {
    int wait;
    if (elicit_next(relay, &host, at, elapsed, &out, &message) != ELICIT_OK) return 5;
    if (sscanf(out.data, "{\"wait\":%d}", &wait) == 1) {
      printf("wait %d\n", wait);
      fflush(stdout);
      elicit_release(&out);
      return 0;
    }
    if (message.data == NULL) item("", out.data, out.size);
    else item(strstr(out.data, "\"to\":\"client\"") != NULL ? "client " : "server ", message.data, message.size);
    elicit_release(&out);
  }
}

int main(void) {
  char kind[16];
  long long at, elapsed;
  elicit_handle relay = 0;
  while (scanf("%15s", kind) == 1) {
    char *input;
    size_t size;
    elicit_bytes out;
    elicit_status status = ELICIT_OK;
    int failed, alone = strcmp(kind, "alone") == 0, opens = alone || strcmp(kind, "open") == 0;
    if (opens && scanf("%lld", &keeps) != 1) return 2;
    if (scanf("%lld %lld %zu", &at, &elapsed, &size) != 3 || getchar() != '\n') return 2;
    input = malloc(size + 1);
    if (input == NULL || fread(input, 1, size, stdin) != size) return 2;
    if (opens) host.consult = alone ? NULL : consult;
    if (opens) status = elicit_open(input, size, &relay, &out);
    else if (strcmp(kind, "client") == 0) status = elicit_receive(relay, ELICIT_CLIENT, input, size, &out);
    else if (strcmp(kind, "server") == 0) status = elicit_receive(relay, ELICIT_SERVER, input, size, &out);
    else if (strcmp(kind, "event") == 0) status = elicit_step(relay, input, size, &out);
    else memset(&out, 0, sizeof out);
    free(input);
    if (status != ELICIT_OK || (out.data != NULL && strcmp(out.data, "{\"effects\":[]}") != 0)) return 3;
    elicit_release(&out);
    failed = strcmp(kind, "close") == 0 ? elicit_close(relay) != ELICIT_OK : take_all(relay, at, elapsed);
    if (failed) return 4;
  }
  return 0;
}
