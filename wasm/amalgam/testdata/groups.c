/* Tests host.c and module.c with the module of echo.wat. It prints what went wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elicit.h"

enum { GROUP = 64, LONG = 2 << 20 };

static elicit_handle handles[2 * GROUP];
static int wrong;

static void want(int holds, const char *what) {
  if (!holds) printf("not so: %s\n", what);
  wrong |= !holds;
}
#define WANT(condition) want(condition, #condition)

/* step gives one letter, and returns the letter of the answer, or minus the status. */
static int step(int at, const char *letter) {
  elicit_bytes out;
  elicit_status status = elicit_step(handles[at], letter, 1, &out);
  int first = status == ELICIT_OK ? out.data[0] : -(int)status;
  if (status == ELICIT_INTERNAL)
    WANT(strcmp(out.data, "{\"problems\":[{\"code\":\"internal\",\"pointer\":\"\"}]}") == 0);
  elicit_release(&out);
  return first;
}

int main(void) {
  static const char *const traps[] = {"u", "l", "s", "f", "d", "c", "t", "r", "w", "o"};
  elicit_bytes out;
  size_t i;
  int k;
  char *text = malloc(LONG);
  if (text == NULL) return 2;
  WANT(elicit_describe(&out) == ELICIT_OK && strcmp(out.data, "{}") == 0);
  elicit_release(&out);
  for (k = 0; k < 2 * GROUP; k++) WANT(elicit_open("{}", 2, &handles[k], NULL) == ELICIT_OK);
  WANT(step(0, "n") == '1' && step(1, "n") == '2' && step(2 * GROUP - 1, "n") == '1'); /* two instances */
  for (i = 0; i < sizeof traps / sizeof *traps; i++) {
    WANT(step(GROUP, traps[i]) == -ELICIT_INTERNAL && step(GROUP + 1, "n") == -ELICIT_INTERNAL);
    WANT(step(0, "n") == '3' + (int)i); /* the other group goes on */
    for (k = GROUP; k < 2 * GROUP; k++) WANT(elicit_close(handles[k]) == ELICIT_OK);
    WANT(elicit_close(handles[GROUP]) == ELICIT_UNKNOWN_HANDLE && step(GROUP, "n") == -ELICIT_UNKNOWN_HANDLE);
    for (k = GROUP; k < 2 * GROUP; k++) WANT(elicit_open("{}", 2, &handles[k], NULL) == ELICIT_OK);
    WANT(step(GROUP, "n") == '1'); /* a new instance */
  }
  WANT(step(0, "g") == 'g');
  WANT(step(0, "p") == 'p'); /* the place after the memory takes it */
  memset(text, 'x', LONG);
  text[0] = '{';
  WANT(elicit_eval("check", text, LONG, &out) == ELICIT_OK && out.size == LONG && memcmp(out.data, text, LONG) == 0);
  elicit_release(&out);
  WANT(elicit_receive(handles[1], ELICIT_SERVER, text, LONG, &out) == ELICIT_OK && out.size == LONG); /* it grows */
  elicit_release(&out);
  /* It reads nothing of a message that is too long. */
  WANT(elicit_receive(handles[1], ELICIT_SERVER, text, (size_t)65 << 20, &out) == ELICIT_TOO_LARGE);
  WANT(strstr(out.data, "\"message_too_long\"") != NULL && strstr(out.data, "67108864") != NULL);
  elicit_release(&out);
  WANT(step(0, "n") == '1' + 14);
  for (k = 0; k < 2 * GROUP; k++) WANT(elicit_close(handles[k]) == ELICIT_OK);
  free(text);
  return wrong;
}
