/* An MCP client. It starts a server and calls one of its tools. A person answers the server's questions on the
 * terminal. It needs POSIX and cJSON.
 *
 *   cc client.c terminal.c $(pkg-config --cflags --libs elicit libcjson) -o client
 *   ./client [-c CONFIGURATION] [-j JOURNAL] TOOL SERVER ARGUMENTS...
 *
 * The machine of the connection stands between this client and the pipes to the server. It gets every message first and
 * returns effects. So this program need not know how a server asks. It has pipes, a timer, a journal and a screen. */
#include <elicit.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "json.h"
#include "terminal.h"

extern char **environ;

static elicit_handle relay;
static FILE *server, *journal; /* where messages and records are written */
static const char *tool, *journal_name;
static long long wake_at; /* the time at which the machine wants "ticked"; 0 for never */
static cJSON *later;      /* events (objects) and messages of ours (strings) that wait for the effects before them */
static int result = -1;   /* the exit code, once the call has a result */

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_BOOTTIME, &t); /* which counts suspended time, and which no one sets */
  return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void set_wake(const cJSON *effect) {
  int never = cJSON_GetNumberValue(get(effect, "at")) == 0;
  wake_at = never ? 0 : now() + (long long)cJSON_GetNumberValue(get(effect, "in"));
}

static void queue(cJSON *event) { cJSON_AddItemToArray(later, event); }

static void say_to_server(const char *message) { queue(cJSON_CreateString(message)); }

/* The client itself: how it handles a message for it. */

static void call(void) {
  cJSON *message = cJSON_Parse("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\"}");
  cJSON *params = cJSON_AddObjectToObject(message, "params");
  char *line;
  cJSON_AddStringToObject(params, "name", tool);
  cJSON_AddObjectToObject(params, "arguments");
  line = cJSON_PrintUnformatted(message);
  say_to_server("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
  say_to_server(line);
  free(line);
  cJSON_Delete(message);
}

static void for_us(const char *line, size_t size) {
  cJSON *message = cJSON_ParseWithLength(line, size), *reply;
  const cJSON *id = get(message, "id");
  char *said;
  if (get(message, "method") != NULL && id != NULL) { /* a request; this client serves none */
    reply = cJSON_Parse("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
    cJSON_AddItemToObject(reply, "id", cJSON_Duplicate(id, 1));
    said = cJSON_PrintUnformatted(reply);
    say_to_server(said);
    free(said);
    cJSON_Delete(reply);
  } else if (cJSON_IsNumber(id) && cJSON_GetNumberValue(id) == 1) {
    call();
  } else if (cJSON_IsNumber(id) && cJSON_GetNumberValue(id) == 2) {
    said = cJSON_PrintUnformatted(get(message, "result") != NULL ? get(message, "result") : get(message, "error"));
    printf("%s\n", said);
    result = get(message, "result") == NULL || cJSON_IsTrue(get(get(message, "result"), "isError"));
    free(said);
  }
  cJSON_Delete(message);
}

/* The loop of the machine: give it an input, and perform the effects in their order. */

static void deliver(const char *to, const char *message, size_t size) {
  if (strcmp(to, "client") == 0) {
    for_us(message, size);
  } else if (server != NULL) {
    fwrite(message, 1, size, server);
    fputc('\n', server);
    fflush(server);
  }
}

static void leave(const char *end) {
  if (strcmp(end, "server") == 0 && server != NULL) fclose(server), server = NULL;
}

/* keep makes a record durable with its exact bytes, because the next record contains their hash. */
static int keep(const char *record, int size) {
  return journal == NULL || (fprintf(journal, "%.*s\n", size, record) >= 0 && fflush(journal) == 0
      && fsync(fileno(journal)) == 0);
}

static void begin_journal(void) {
  if (journal != NULL) fclose(journal);
  if (journal_name != NULL) journal = fopen(journal_name, "a");
  if (journal_name != NULL && journal == NULL) exit((perror(journal_name), 2));
}

/* unasked reports a fault for a guardian that the host should ask. This host asks none, and the engine would wait. */
static void unasked(const cJSON *consult) {
  cJSON *event = about(consult, "consulted");
  cJSON_AddItemToObject(event, "round", cJSON_Duplicate(get(consult, "round"), 1));
  cJSON_AddStringToObject(event, "fault", "unavailable");
  queue(event);
}

/* perform carries out one effect, whose text begins at `at` and ends before `end`. `line` is what was received.
 * It returns 0 when a record could not be kept. */
static int perform(const cJSON *effect, const char *at, const char *end, const char *line, size_t size) {
  static const char record[] = "{\"effect\":\"append\",\"record\":";
  const char *name = text(effect, "effect"), *to = text(effect, "to"), *message = text(effect, "message");
  const cJSON *reply = get(effect, "reply");
  if (strcmp(name, "append") == 0) return keep(at + sizeof record - 1, (int)(end - at - (int)sizeof record));
  if (strcmp(name, "forward") == 0) deliver(to, line, size);
  else if (strcmp(name, "send") == 0) deliver(to, message, strlen(message));
  else if (strcmp(name, "close") == 0) leave(text(effect, "end"));
  else if (strcmp(name, "show") == 0) show(effect);
  else if (strcmp(name, "withdraw") == 0) withdraw(effect);
  else if (strcmp(name, "problem") == 0) mend(effect);
  else if (strcmp(name, "note") == 0) complain(get(effect, "problems"));
  else if (strcmp(name, "open_url") == 0) say("  open this page: ", text(effect, "url")), fputc('\n', stderr);
  else if (strcmp(name, "wake") == 0) set_wake(effect);
  else if (strcmp(name, "consult") == 0) unasked(effect);
  else if (strcmp(name, "new_journal") == 0) begin_journal();
  else if (strcmp(name, "settled") == 0) {
    withdraw(reply);
    fprintf(stderr, "  [%s, because of %s]\n", text(reply, "outcome"), text(reply, "cause"));
  }
  return 1;
}

/* take performs the effects of one call. If a record cannot be kept, it performs no later effect and gives the machine
 * "append_failed". */
static void take(elicit_status status, elicit_bytes *out, const char *line, size_t size) {
  const char *at, *end;
  int kept = 1;
  if (status != ELICIT_OK) {
    fprintf(stderr, "%s: %s\n", elicit_status_name(status), out->data);
    elicit_release(out);
    return;
  }
  for (at = strchr(out->data, '[') + 1; kept && *at == '{'; at = *end == ',' ? end + 1 : end) {
    cJSON *effect = cJSON_ParseWithOpts(at, &end, 0);
    kept = perform(effect, at, end, line, size);
    cJSON_Delete(effect);
  }
  elicit_release(out);
  if (!kept) cJSON_InsertItemInArray(later, 0, object("event", "append_failed"));
}

static void receive(elicit_end from, const char *line, size_t size) {
  elicit_bytes out;
  elicit_status status = elicit_receive(relay, from, line, size, &out);
  take(status, &out, line, size);
}

static void step(cJSON *event) {
  elicit_bytes out;
  cJSON *input = cJSON_CreateObject();
  char *line;
  elicit_status status;
  cJSON_AddItemToObject(input, "event", event);
  line = cJSON_PrintUnformatted(input);
  status = elicit_step(relay, line, strlen(line), &out);
  take(status, &out, NULL, 0);
  free(line);
  cJSON_Delete(input);
}

/* settle gives the machine the waiting events and messages, one after another. */
static void settle(void) {
  cJSON *next;
  while ((next = cJSON_DetachItemFromArray(later, 0)) != NULL) {
    const char *message = cJSON_GetStringValue(next);
    if (message == NULL) {
      step(next);
      continue;
    }
    receive(ELICIT_CLIENT, message, strlen(message));
    cJSON_Delete(next);
  }
}

/* A source of lines that poll can wait for. */
typedef struct source {
  int fd, ended;
  char *held;
  size_t size;
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

/* next returns the next whole line, which the caller frees, or NULL. */
static char *next(source *s, size_t *length) {
  char *end = s->size == 0 ? NULL : memchr(s->held, '\n', s->size), *line;
  if (end == NULL) return NULL;
  *length = (size_t)(end - s->held);
  line = malloc(*length + 1);
  if (line == NULL) exit(2);
  memcpy(line, s->held, *length);
  line[*length] = 0;
  s->size -= *length + 1;
  memmove(s->held, end + 1, s->size);
  return line;
}

/* listen_to takes the person's input while a question is on the screen. */
static void listen_to(source *person) {
  size_t length;
  char *line;
  cJSON *event;
  while (asking() && ((line = next(person, &length)) != NULL || person->ended)) {
    event = typed(line);
    free(line);
    if (event != NULL) queue(event);
    settle();
  }
}

/* run waits for the server, the person and the timer until the call has a result. */
static void run(source *peer, source *person) {
  size_t length;
  while (result < 0 && !peer->ended) {
    struct pollfd fds[2] = {{peer->fd, POLLIN, 0}, {asking() ? person->fd : -1, POLLIN, 0}};
    long long wait = wake_at - now();
    char *line;
    if (poll(fds, 2, wake_at == 0 ? -1 : wait < 0 ? 0 : wait > 60000 ? 60000 : (int)wait) < 0
        && errno != EINTR) exit(2);
    if (fds[0].revents != 0) fill(peer);
    if (fds[1].revents != 0) fill(person);
    for (; (line = next(peer, &length)) != NULL; free(line)) {
      receive(ELICIT_SERVER, line, length);
      settle();
    }
    if (wake_at != 0 && now() >= wake_at) {
      wake_at = 0; /* a wake is good for one tick */
      queue(object("event", "ticked"));
    }
    settle();
    listen_to(person);
  }
}

/* start runs the server with pipes at its ends. posix_spawn is fork and exec in one: no Go runtime is left between. */
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
  if (posix_spawnp(&child, command[0], &actions, NULL, command, environ) != 0) exit((perror(command[0]), 2));
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  server = fdopen(in[1], "w");
  peer->fd = out[0];
  return child;
}

/* open makes the machine. This host is the client, and it shows the questions on its own screen. */
static void open_relay(const char *config) {
  cJSON *input = cJSON_CreateObject(), *settings = cJSON_AddObjectToObject(input, "relay");
  elicit_bytes out;
  elicit_status status;
  char *line;
  cJSON_AddStringToObject(settings, "server", "server");
  cJSON_AddStringToObject(settings, "role", "client");
  cJSON_AddItemToObject(settings, "modes", cJSON_Parse("[\"form\",\"url\"]"));
  cJSON_AddRawToObject(settings, "config", config);
  line = cJSON_PrintUnformatted(input);
  status = elicit_open(line, strlen(line), &relay, &out);
  take(status, &out, NULL, 0);
  free(line);
  cJSON_Delete(input);
}

int main(int argc, char **argv) {
  source peer = {-1, 0, NULL, 0}, person = {0, 0, NULL, 0};
  const char *config = "{}";
  pid_t child;
  for (; argc > 2 && argv[1][0] == '-'; argc -= 2, argv += 2) {
    if (strcmp(argv[1], "-c") == 0) config = argv[2];
    if (strcmp(argv[1], "-j") == 0) journal_name = argv[2];
  }
  if (argc < 3) return fputs("usage: client [-c CONFIGURATION] [-j JOURNAL] TOOL SERVER ARGUMENTS...\n", stderr), 2;
  signal(SIGPIPE, SIG_IGN);
  later = cJSON_CreateArray();
  tool = argv[1];
  begin_journal();
  open_relay(config);
  if (relay == 0) return 2;
  child = start(argv + 2, &peer);
  say_to_server("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
      "\"params\":{\"protocolVersion\":\"2025-11-25\","
                "\"capabilities\":{},\"clientInfo\":{\"name\":\"example\",\"version\":\"1\"}}}");
  settle();
  run(&peer, &person);
  if (peer.ended) fputs("the server has gone\n", stderr);
  queue(cJSON_Parse(peer.ended ? "{\"event\":\"ended\",\"end\":\"server\"}" : "{\"event\":\"ended\","
      "\"end\":\"host\"}"));
  settle(); /* the machine settles open questions and closes the server's input */
  waitpid(child, NULL, 0);
  elicit_close(relay);
  cJSON_Delete(later);
  free(peer.held);
  free(person.held);
  return result < 0 ? 2 : result;
}
