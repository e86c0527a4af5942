/* One question on the terminal: see terminal.h. */
#include "terminal.h"

#include <elicit.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>

#include "json.h"

/* The question on the screen, and the values typed so far. */
static struct {
  cJSON *show; /* the effect; NULL if no question is open */
  cJSON *content;
  cJSON *wrong;       /* the problems of the last answer; NULL asks for every field */
  const cJSON *field; /* the field of the next line; NULL for a yes or no */
} asked;

int asking(void) { return asked.show != NULL; }

void say(const char *label, const char *peer) {
  const unsigned char *c = (const unsigned char *)peer;
  fputs(label, stderr);
  for (; *c != 0; c++) {
    if (*c < 32 || *c == 127) fputc(' ', stderr);
    else if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) c++; /* C1 controls */
    else fputc(*c, stderr);
  }
}

void complain(const cJSON *problems) {
  elicit_bytes out;
  cJSON *input = cJSON_CreateObject(), *told;
  const cJSON *sentence, *problem = problems == NULL ? NULL : problems->child;
  char *line;
  cJSON_AddItemToObject(input, "problems", cJSON_Duplicate(problems, 1));
  line = cJSON_PrintUnformatted(input);
  elicit_eval("explain", line, strlen(line), &out);
  told = cJSON_Parse(out.data);
  cJSON_ArrayForEach(sentence, get(told, "problems")) {
    say("  ! ", text(problem, "pointer"));
    say(" ", cJSON_GetStringValue(sentence));
    fputc('\n', stderr);
    if (problem != NULL) problem = problem->next;
  }
  cJSON_Delete(told);
  elicit_release(&out);
  free(line);
  cJSON_Delete(input);
}

static void echo(int on) { /* of typed text; only on a terminal */
  struct termios t;
  if (tcgetattr(0, &t) != 0) return;
  t.c_lflag = on ? t.c_lflag | ECHO : t.c_lflag & ~(tcflag_t)ECHO;
  tcsetattr(0, TCSANOW, &t);
}

/* prompt asks for the line of asked.field. */
static void prompt(void) {
  const cJSON *choice;
  echo(1);
  if (asked.field == NULL) {
    say("  ", text(asked.show, "url"));
    fputs(is(asked.show, "mode", "url") ? "\n  Open it? [y/n] " : "Agree? [y/n] ", stderr);
    return;
  }
  cJSON_ArrayForEach(choice, get(asked.field, "choices")) {
    say("    ", text(choice, "value"));
    say("  ", text(choice, "title"));
    fputc('\n', stderr);
  }
  say("  ", text(asked.field, "label"));
  fputs(cJSON_IsTrue(get(asked.field, "required")) ? ": " : " (may stay empty): ", stderr);
  if (cJSON_IsTrue(get(asked.field, "sensitive"))) echo(0);
}

static void put_away(void) {
  echo(1);
  cJSON_Delete(asked.show);
  cJSON_Delete(asked.content);
  cJSON_Delete(asked.wrong);
  memset(&asked, 0, sizeof asked);
}

static int on_screen(const cJSON *effect) { return asking() && is(asked.show, "id", text(effect, "id")); }

/* awaited returns the first field from this one on that must be asked: any field, or only those with problems. */
static const cJSON *awaited(const cJSON *field) {
  const cJSON *problem;
  for (; field != NULL && asked.wrong != NULL; field = field->next)
    cJSON_ArrayForEach(problem, asked.wrong)
      if (strncmp(text(problem, "pointer") + 1, text(field, "name"), strlen(text(field, "name"))) == 0) return field;
  return field;
}

/* ask begins with the first field. A problem of the whole answer has no field. Then all fields are asked. */
static void ask(const cJSON *problems) {
  const cJSON *first = cJSON_GetArrayItem(get(get(asked.show, "form"), "fields"), 0);
  cJSON_Delete(asked.wrong);
  asked.wrong = problems == NULL ? NULL : cJSON_Duplicate(problems, 1);
  asked.field = awaited(first);
  if (asked.field == NULL) asked.field = first;
  prompt();
}

void show(const cJSON *effect) {
  put_away();
  asked.show = cJSON_Duplicate(effect, 1);
  asked.content = cJSON_CreateObject();
  say("\n", text(effect, "server"));
  say(" asks: ", text(effect, "message"));
  fputs("\n  (!decline says no, !cancel puts it away)\n", stderr);
  ask(NULL);
}

void withdraw(const cJSON *effect) {
  if (on_screen(effect)) put_away();
}

void mend(const cJSON *effect) {
  complain(get(effect, "problems"));
  if (!is(effect, "about", "answer") || !on_screen(effect)) return;
  if (get(effect, "outcome") == NULL) ask(get(effect, "problems"));
}

/* is_number returns whether a line is a JSON number. */
static int is_number(const char *s) {
  size_t digits = strspn(s += *s == '-', "0123456789");
  if (digits == 0 || (digits > 1 && *s == '0')) return 0;
  if (*(s += digits) == '.') {
    if ((digits = strspn(++s, "0123456789")) == 0) return 0;
    s += digits;
  }
  return *s == 0;
}

/* value returns the value of a line for a field. A line without such a value stays text, and the engine rejects it. */
static cJSON *value(const cJSON *field, char *line) {
  const char *kind = text(field, "kind");
  if (strcmp(kind, "boolean") == 0 && (line[0] == 'y' || line[0] == 'n')) return cJSON_CreateBool(line[0] == 'y');
  if ((strcmp(kind, "number") == 0 || strcmp(kind, "integer") == 0) && is_number(line)) return cJSON_CreateRaw(line);
  if (strcmp(kind, "choices") == 0) {
    cJSON *list = cJSON_CreateArray();
    for (line = strtok(line, ", "); line != NULL; line = strtok(NULL, ", "))
      cJSON_AddItemToArray(list, cJSON_CreateString(line));
    return list;
  }
  return cJSON_CreateString(line);
}

/* answered makes the event with the answer. A yes to a page has no content. */
static cJSON *answered(const char *action) {
  cJSON *event = about(asked.show, "answered");
  cJSON_AddStringToObject(event, "action", action);
  if (strcmp(action, "accept") == 0 && !is(asked.show, "mode", "url"))
    cJSON_AddItemToObject(event, "content", cJSON_Duplicate(asked.content, 1));
  return event;
}

cJSON *typed(char *line) {
  if (line == NULL || strcmp(line, "!cancel") == 0) return answered("cancel");
  if (strcmp(line, "!decline") == 0) return answered("decline");
  if (asked.field == NULL) return answered(line[0] == 'y' ? "accept" : "decline");
  cJSON_DeleteItemFromObjectCaseSensitive(asked.content, text(asked.field, "name"));
  if (line[0] != 0) cJSON_AddItemToObject(asked.content, text(asked.field, "name"), value(asked.field, line));
  asked.field = awaited(asked.field->next);
  if (asked.field == NULL) return answered("accept");
  prompt();
  return NULL;
}
