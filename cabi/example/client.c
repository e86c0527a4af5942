/* An MCP client in one file: it starts a server, calls one of its tools, and lets the engine answer what the server asks,
 * field by field on the terminal. POSIX and cJSON.
 *
 *   cc client.c $(pkg-config --cflags --libs elicit libcjson) -o client
 *   ./client [-c CONFIGURATION] [-j JOURNAL] TOOL SERVER ARGUMENTS...
 *
 * Everything that is protocol is the engine's: "decode" reads messages, "encode" writes replies, "coerce" reads what was
 * typed, "explain" says what is wrong. What is left for a host is below: pipes, a prompt, a timer. */
#include <cjson/cJSON.h>
#include <elicit.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PROTOCOL "2025-11-25"

extern char **environ;

static elicit_handle engine;
static FILE *server, *journal; /* where messages and records are written */
static long long wake_at;      /* when the engine wants to be ticked; 0 for never */
static int result = -1;        /* the exit code, once the call has come back */

/* The question on the screen and what was typed so far. */
static struct {
  cJSON *show;  /* the effect; NULL when nothing is asked */
  char *schema; /* as the server sent it */
  cJSON *typed;
  cJSON *wrong; /* the problems of the last try; NULL asks for every field */
  cJSON *field; /* the one whose line is awaited; NULL for a yes or no */
} asked;

static const cJSON *get(const cJSON *object, const char *name) { return cJSON_GetObjectItemCaseSensitive(object, name); }

static const char *text(const cJSON *object, const char *name) {
  const char *value = cJSON_GetStringValue(get(object, name));
  return value == NULL ? "" : value;
}

static int is(const cJSON *object, const char *name, const char *value) { return strcmp(text(object, name), value) == 0; }

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* say prints a peer's text without what a terminal would obey. */
static void say(const char *label, const char *peer) {
  const unsigned char *c = (const unsigned char *)peer;
  fputs(label, stderr);
  for (; *c != 0; c++) {
    if (*c < 32 || *c == 127) fputc(' ', stderr);
    else if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) c++; /* C1 controls */
    else fputc(*c, stderr);
  }
}

/* finish makes a document of an output, whatever the status: a failure is a document with problems. */
static cJSON *finish(elicit_status status, elicit_bytes *out) {
  cJSON *document = out->data == NULL ? NULL : cJSON_ParseWithLength(out->data, out->size);
  if (status != ELICIT_OK) fprintf(stderr, "%s: %s\n", elicit_status_name(status), out->data == NULL ? "" : out->data);
  elicit_release(out);
  if (document == NULL) exit(2);
  return document;
}

/* eval runs one operation and deletes its input. */
static cJSON *eval(const char *op, cJSON *input) {
  elicit_bytes out;
  char *line = cJSON_PrintUnformatted(input);
  cJSON *document = finish(elicit_eval(op, line, strlen(line), &out), &out);
  free(line);
  cJSON_Delete(input);
  return document;
}

static cJSON *object(const char *name, const char *value) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, name, value);
  return o;
}

static cJSON *wire(const char *what) {
  cJSON *input = object("version", PROTOCOL);
  cJSON_AddStringToObject(input, "what", what);
  return input;
}

static void send_text(const char *message) {
  fprintf(server, "%s\n", message);
  fflush(server);
}

/* send_encoded writes what "encode" makes of its input, to the byte. */
static void send_encoded(cJSON *input) {
  cJSON *out;
  cJSON_AddTrueToObject(input, "text");
  out = eval("encode", input);
  send_text(text(out, "text"));
  cJSON_Delete(out);
}

static void refuse(const char *id, int code, const cJSON *problems) {
  cJSON *input = wire("error");
  cJSON_AddStringToObject(input, "id_text", id);
  cJSON_AddNumberToObject(input, "code", code);
  cJSON_AddItemToObject(input, "problems", problems == NULL ? cJSON_CreateArray() : cJSON_Duplicate(problems, 1));
  send_encoded(input);
}

static void perform(cJSON *effects);

/* keep writes the records of an output to the journal, their bytes as they are: the next one holds their hash. They stand
 * before everything else. Nothing that follows from a record may leave the process before it is on disk. */
static void keep(const elicit_bytes *out) {
  static const char begin[] = "{\"effects\":[", head[] = "{\"effect\":\"append\",\"record\":";
  const char *at = out->data + sizeof begin - 1, *end = NULL;
  if (journal == NULL || out->data == NULL || strncmp(out->data, begin, sizeof begin - 1) != 0) return;
  while (strncmp(at, head, sizeof head - 1) == 0) {
    const char *record = at + sizeof head - 1;
    cJSON_Delete(cJSON_ParseWithOpts(record, &end, 0));
    if (end == NULL || fprintf(journal, "%.*s\n", (int)(end - record), record) < 0 || fflush(journal) != 0 || fsync(fileno(journal)) != 0) {
      perror("journal");
      exit(2); /* nothing may be decided that is not on record */
    }
    at = end[1] == ',' ? end + 2 : end + 1; /* behind the effect's brace */
  }
}

/* step gives the engine one event, which is deleted. */
static void step(cJSON *event) {
  elicit_bytes out;
  elicit_status status;
  cJSON *input = cJSON_CreateObject(), *output;
  char *line;
  cJSON_AddItemToObject(input, "event", event);
  line = cJSON_PrintUnformatted(input);
  status = elicit_step(engine, line, strlen(line), &out);
  keep(&out);
  output = finish(status, &out);
  free(line);
  cJSON_Delete(input);
  perform(cJSON_GetObjectItemCaseSensitive(output, "effects"));
  cJSON_Delete(output);
}

static cJSON *event(const char *name) {
  cJSON *e = object("event", name);
  cJSON_AddStringToObject(e, "session", "client");
  return e;
}

static void answer(const char *action, cJSON *content) {
  cJSON *e = event("answered");
  cJSON_AddStringToObject(e, "id", text(asked.show, "id"));
  cJSON_AddStringToObject(e, "action", action);
  if (content != NULL) cJSON_AddItemToObject(e, "content", content);
  step(e);
}

static void echo(int on) { /* of what is typed; only where there is a terminal */
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
    say("  ", is(asked.show, "mode", "url") ? text(asked.show, "url") : "");
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
  cJSON_Delete(asked.typed);
  cJSON_Delete(asked.wrong);
  asked.show = asked.typed = asked.wrong = asked.field = NULL;
}

static int on_screen(const cJSON *effect) { return asked.show != NULL && is(asked.show, "id", text(effect, "id")); }

/* awaited is the first field from this one on that is to be asked: any, or those that were wrong. */
static cJSON *awaited(cJSON *field) {
  const cJSON *problem;
  for (; field != NULL && asked.wrong != NULL; field = field->next)
    cJSON_ArrayForEach(problem, asked.wrong)
      if (strncmp(text(problem, "pointer") + 1, text(field, "name"), strlen(text(field, "name"))) == 0) return field;
  return field;
}

/* ask begins with the first field. A fault of the answer as a whole has no field: then all are asked. */
static void ask(const cJSON *problems) {
  cJSON *first = is(asked.show, "mode", "url") ? NULL : cJSON_GetArrayItem(get(get(asked.show, "form"), "fields"), 0);
  cJSON_Delete(asked.wrong);
  asked.wrong = problems == NULL ? NULL : cJSON_Duplicate(problems, 1);
  asked.field = awaited(first);
  if (asked.field == NULL) asked.field = first;
  prompt();
}

static void show(const cJSON *effect) {
  put_away();
  asked.show = cJSON_Duplicate(effect, 1);
  say("\n", text(effect, "server"));
  say(" asks: ", text(effect, "message"));
  fputs("\n  (!decline says no, !cancel puts it away)\n", stderr);
  asked.typed = cJSON_CreateObject();
  ask(NULL);
}

/* complain says what is wrong, in the engine's English. */
static void complain(const cJSON *problems) {
  cJSON *input = cJSON_CreateObject(), *out, *sentence;
  cJSON_AddItemToObject(input, "problems", cJSON_Duplicate(problems, 1));
  out = eval("explain", input);
  cJSON_ArrayForEach(sentence, get(out, "problems")) {
    int at = 0;
    const cJSON *before;
    for (before = sentence->prev; before->next != NULL; before = before->prev) at++;
    say("  ! ", text(cJSON_GetArrayItem(problems, at), "pointer"));
    say(" ", cJSON_GetStringValue(sentence));
    fputc('\n', stderr);
  }
  cJSON_Delete(out);
}

/* submit turns what was typed into content; what does not fit is asked again. */
static void submit(void) {
  cJSON *input = object("schema_text", asked.schema == NULL ? "{\"type\":\"object\",\"properties\":{}}" : asked.schema), *out;
  cJSON_AddItemToObject(input, "text", cJSON_Duplicate(asked.typed, 1));
  out = eval("coerce", input);
  if (get(out, "problems") != NULL) {
    complain(get(out, "problems"));
    ask(get(out, "problems"));
  } else {
    answer("accept", cJSON_DetachItemFromObjectCaseSensitive(out, "content"));
  }
  cJSON_Delete(out);
}

/* typed takes one line from the person, without its end; NULL is the end of the input. */
static void typed(char *line) {
  if (line == NULL || strcmp(line, "!cancel") == 0) {
    answer("cancel", NULL);
  } else if (strcmp(line, "!decline") == 0) {
    answer("decline", NULL);
  } else if (asked.field == NULL) {
    if (line[0] == 'y') answer("accept", is(asked.show, "mode", "url") ? NULL : cJSON_CreateObject());
    else answer("decline", NULL);
  } else {
    cJSON_DeleteItemFromObjectCaseSensitive(asked.typed, text(asked.field, "name"));
    if (line[0] == 0) {
      /* left empty */
    } else if (is(asked.field, "kind", "boolean") && (line[0] == 'y' || line[0] == 'n')) {
      cJSON_AddBoolToObject(asked.typed, text(asked.field, "name"), line[0] == 'y');
    } else if (is(asked.field, "kind", "choices")) {
      cJSON *list = cJSON_AddArrayToObject(asked.typed, text(asked.field, "name"));
      for (line = strtok(line, ", "); line != NULL; line = strtok(NULL, ", ")) cJSON_AddItemToArray(list, cJSON_CreateString(line));
    } else {
      cJSON_AddStringToObject(asked.typed, text(asked.field, "name"), line);
    }
    asked.field = awaited(asked.field->next);
    if (asked.field == NULL) submit();
    else prompt();
  }
}

/* reply sends one settlement the way the protocol spells it. ref is the id that the request came with. */
static void reply(const cJSON *effect) {
  cJSON *input;
  if (on_screen(effect)) put_away();
  fprintf(stderr, "  [%s, because of %s]\n", text(effect, "outcome"), text(effect, "cause"));
  if (is(effect, "outcome", "error")) {
    refuse(text(effect, "ref"), is(effect, "cause", "invalid_request") || is(effect, "cause", "unsupported") ? -32602 : -32603,
           get(effect, "problems"));
    return;
  }
  input = wire("answer");
  cJSON_AddStringToObject(input, "id_text", text(effect, "ref"));
  cJSON_AddStringToObject(input, "action", text(effect, "outcome"));
  if (get(effect, "content") != NULL) cJSON_AddItemToObject(input, "content", cJSON_Duplicate(get(effect, "content"), 1));
  send_encoded(input);
}

/* unasked says of a guardian that is the host's to ask that this host asks none, or it would be waited for. */
static void unasked(const cJSON *consult) {
  cJSON *e = event("consulted");
  cJSON_AddStringToObject(e, "id", text(consult, "id"));
  cJSON_AddNumberToObject(e, "round", cJSON_GetNumberValue(get(consult, "round")));
  cJSON_AddStringToObject(e, "fault", "unavailable");
  step(e);
}

/* perform carries effects out in their order; the record was kept before. Consults come last, because an event brings effects
 * of its own and the "wake" among those is the one that holds. */
static void perform(cJSON *effects) {
  const cJSON *effect;
  cJSON_ArrayForEach(effect, effects) {
    if (is(effect, "effect", "reply")) reply(effect);
    else if (is(effect, "effect", "show")) show(effect);
    else if (is(effect, "effect", "withdraw") && on_screen(effect)) put_away();
    else if (is(effect, "effect", "open_url")) say("  open this page: ", text(effect, "url")), fputc('\n', stderr);
    else if (is(effect, "effect", "wake")) wake_at = (long long)cJSON_GetNumberValue(get(effect, "at"));
    else if (is(effect, "effect", "problem")) {
      complain(get(effect, "problems"));
      if (is(effect, "about", "answer") && on_screen(effect) && get(effect, "outcome") == NULL) ask(get(effect, "problems"));
    }
  }
  cJSON_ArrayForEach(effect, effects) if (is(effect, "effect", "consult")) unasked(effect);
}

/* on_create is a question of the server. */
static void on_create(const char *id, cJSON *params) {
  cJSON *input = wire("create"), *out, *question;
  cJSON_AddItemToObject(input, "params", params);
  out = eval("decode", input);
  question = cJSON_DetachItemFromObjectCaseSensitive(out, "request");
  if (question == NULL) {
    const cJSON *error = get(out, "error");
    refuse(id, error == NULL ? -32602 : (int)cJSON_GetNumberValue(get(error, "code")), get(error == NULL ? out : error, "problems"));
  } else {
    free(asked.schema);
    asked.schema = get(question, "schema") == NULL ? NULL : cJSON_PrintUnformatted(get(question, "schema"));
    cJSON_AddStringToObject(question, "event", "asked");
    cJSON_AddStringToObject(question, "session", "client");
    cJSON_AddStringToObject(question, "ref", id);
    step(question);
  }
  cJSON_Delete(out);
}

static void call(const char *tool) {
  cJSON *message = cJSON_Parse("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\"}");
  cJSON *params = cJSON_AddObjectToObject(message, "params");
  char *line;
  cJSON_AddStringToObject(params, "name", tool);
  cJSON_AddObjectToObject(params, "arguments");
  line = cJSON_PrintUnformatted(message);
  send_text("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
  send_text(line);
  free(line);
  cJSON_Delete(message);
}

/* received takes one line of the server. */
static void received(const char *line, const char *tool) {
  cJSON *input = object("what", "envelope"), *m, *cancelled;
  cJSON_AddStringToObject(input, "message_text", line);
  m = eval("decode", input);
  if (is(m, "kind", "request") && is(m, "method", "elicitation/create")) {
    on_create(text(m, "id"), cJSON_DetachItemFromObjectCaseSensitive(m, "params"));
  } else if (is(m, "kind", "request")) {
    refuse(text(m, "id"), -32601, NULL);
  } else if (is(m, "method", "notifications/cancelled")) {
    input = object("what", "cancelled");
    cJSON_AddItemToObject(input, "params", cJSON_DetachItemFromObjectCaseSensitive(m, "params"));
    cancelled = eval("decode", input);
    if (get(cancelled, "ref") != NULL) {
      cJSON *e = event("cancelled");
      cJSON_AddStringToObject(e, "ref", text(cancelled, "ref"));
      step(e);
    }
    cJSON_Delete(cancelled);
  } else if (is(m, "id", "1")) {
    call(tool);
  } else if (is(m, "id", "2")) {
    char *said = cJSON_PrintUnformatted(get(m, "result") != NULL ? get(m, "result") : get(m, "error"));
    printf("%s\n", said);
    result = get(m, "result") == NULL || cJSON_IsTrue(get(get(m, "result"), "isError"));
    free(said);
  }
  cJSON_Delete(m);
}

/* A source of lines that poll can wait for. */
typedef struct source {
  int fd;
  char *held;
  size_t size;
  int ended;
} source;

/* fill reads what is there. */
static void fill(source *s) {
  char *grown = realloc(s->held, s->size + 65537);
  ssize_t n;
  if (grown == NULL) exit(2);
  s->held = grown;
  n = read(s->fd, s->held + s->size, 65536);
  if (n < 0 && errno == EINTR) return;
  if (n <= 0) s->ended = 1;
  else s->size += (size_t)n;
}

/* take is the next whole line, to be freed, or NULL. */
static char *take(source *s) {
  char *end = s->size == 0 ? NULL : memchr(s->held, '\n', s->size), *line;
  size_t length;
  if (end == NULL) return NULL;
  length = (size_t)(end - s->held);
  line = malloc(length + 1);
  if (line == NULL) exit(2);
  memcpy(line, s->held, length);
  line[length] = 0;
  s->size -= length + 1;
  memmove(s->held, end + 1, s->size);
  return line;
}

/* run waits for the server, the person and the time until the call has come back. */
static void run(source *peer, source *person, const char *tool) {
  while (result < 0) {
    int listen = asked.show != NULL && !person->ended; /* what is typed before a question is not its answer's business */
    struct pollfd fds[2] = {{peer->fd, POLLIN, 0}, {listen ? person->fd : -1, POLLIN, 0}};
    long long wait = wake_at == 0 ? -1 : wake_at - now();
    char *line;
    if (asked.show != NULL && (line = take(person)) != NULL) {
      typed(line);
      free(line);
      continue;
    }
    if (asked.show != NULL && person->ended) {
      typed(NULL);
      continue;
    }
    if (poll(fds, 2, wake_at == 0 ? -1 : wait < 0 ? 0 : wait > 60000 ? 60000 : (int)wait) < 0 && errno != EINTR) exit(2);
    if (fds[0].revents != 0) fill(peer);
    if (fds[1].revents != 0) fill(person);
    while ((line = take(peer)) != NULL) {
      received(line, tool);
      free(line);
    }
    if (peer->ended) {
      fputs("the server has gone\n", stderr);
      return;
    }
    if (wake_at != 0 && now() >= wake_at) step(object("event", "ticked"));
  }
}

/* start runs the server with pipes at its ends. posix_spawn is fork and exec in one, so no Go runtime is left in between. */
static pid_t start(char **command, source *peer) {
  int in[2], out[2];
  pid_t child;
  posix_spawn_file_actions_t actions;
  if (pipe(in) != 0 || pipe(out) != 0) exit(2);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_addclose(&actions, in[1]);
  posix_spawn_file_actions_addclose(&actions, out[0]);
  if (posix_spawnp(&child, command[0], &actions, NULL, command, environ) != 0) {
    perror(command[0]);
    exit(2);
  }
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  server = fdopen(in[1], "w");
  peer->fd = out[0];
  return child;
}

int main(int argc, char **argv) {
  source peer = {-1, NULL, 0, 0}, person = {0, NULL, 0, 0};
  elicit_bytes out;
  elicit_status status;
  pid_t child;
  const char *config = "{}";
  if (argc > 2 && strcmp(argv[1], "-c") == 0) {
    config = argv[2];
    argc -= 2;
    argv += 2;
  }
  if (argc > 2 && strcmp(argv[1], "-j") == 0) {
    journal = fopen(argv[2], "a");
    if (journal == NULL) return perror(argv[2]), 2;
    argc -= 2;
    argv += 2;
  }
  if (argc < 3) return fputs("usage: client [-c CONFIGURATION] [-j JOURNAL] TOOL SERVER ARGUMENTS...\n", stderr), 2;
  signal(SIGPIPE, SIG_IGN);
  status = elicit_open(config, strlen(config), &engine, &out);
  keep(&out);
  cJSON_Delete(finish(status, &out));
  if (status != ELICIT_OK) return 2;
  child = start(argv + 2, &peer);
  step(cJSON_Parse("{\"event\":\"opened\",\"session\":\"client\",\"server\":\"server\",\"side\":\"answering\","
                   "\"declared\":[\"form\",\"url\"],\"shown\":[\"form\",\"url\"]}"));
  send_text("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"" PROTOCOL "\",\"capabilities\":"
            "{\"elicitation\":{\"form\":{},\"url\":{}}},\"clientInfo\":{\"name\":\"example\",\"version\":\"1\"}}}");
  run(&peer, &person, argv[1]);
  {
    cJSON *closed = event("closed");
    cJSON_AddStringToObject(closed, "cause", "session_closed");
    step(closed);
  }
  put_away();
  fclose(server);
  waitpid(child, NULL, 0);
  elicit_close(engine);
  free(asked.schema);
  free(peer.held);
  free(person.held);
  return result < 0 ? 2 : result;
}
