/* An MCP client. It starts a server and calls one of its tools. A person answers the server's questions on the
 * terminal. It needs POSIX and cJSON.
 *
 *   cc client.c driver.c terminal.c $(pkg-config --cflags --libs elicit libcjson) -o client
 *   ./client [-c CONFIGURATION] [-j JOURNAL] TOOL SERVER ARGUMENTS...
 *
 * The machine of the connection stands between this client and the pipes to the server. It gets every message first. So
 * this program need not know how a server asks. It has its own messages and a screen, and driver.c has the rest. */
#include <elicit.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"
#include "json.h"
#include "terminal.h"

extern char **environ;

static driver connection = {{NULL, -1, -1, NULL, 0}, {NULL, -1, -1, NULL, 0}, NULL, NULL, NULL, NULL, 0, NULL, 0};
static const char *tool;
static int result = -1; /* the exit code, once the call has a result */

static void say_to_server(const char *message) {
  driver_say(&connection, ELICIT_CLIENT, message, strlen(message));
}

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

static void for_us(void *data, const char *line, size_t size) {
  cJSON *message = cJSON_ParseWithLength(line, size), *reply;
  const cJSON *id = get(message, "id");
  char *said;
  (void)data;
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

/* perform carries out one effect. */
static void perform(void *data, const char *document, size_t size) {
  cJSON *effect = cJSON_ParseWithLength(document, size);
  const cJSON *reply = get(effect, "reply");
  const char *name = text(effect, "effect");
  (void)data;
  if (strcmp(name, "show") == 0) show(effect);
  else if (strcmp(name, "withdraw") == 0) withdraw(effect);
  else if (strcmp(name, "problem") == 0) mend(effect);
  else if (strcmp(name, "note") == 0) complain(get(effect, "problems"));
  else if (strcmp(name, "open_url") == 0) say("  open this page: ", text(effect, "url")), fputc('\n', stderr);
  else if (strcmp(name, "settled") == 0) {
    withdraw(reply);
    fprintf(stderr, "  [%s, because of %s]\n", text(reply, "outcome"), text(reply, "cause"));
  }
  cJSON_Delete(effect);
}

static void step(cJSON *event) {
  char *line = cJSON_PrintUnformatted(event);
  driver_do(&connection, line, strlen(line));
  free(line);
  cJSON_Delete(event);
}

/* The lines that the person types. */
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
    if (event != NULL) step(event);
    driver_perform(&connection);
  }
}

/* run waits for the server, the person and the time until the call has a result. */
static void run(source *person) {
  while (result < 0 && connection.server.in >= 0) {
    struct pollfd typing = {asking() ? person->fd : -1, POLLIN, 0};
    if (driver_turn(&connection, &typing, 1) != 0) exit(2);
    if (typing.revents != 0) fill(person);
    listen_to(person);
  }
}

/* start runs the server with pipes at its ends. posix_spawn is fork and exec in one: no Go runtime is left between. */
static pid_t start(char **command) {
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
  connection.server.out = in[1];
  connection.server.in = out[0];
  return child;
}

/* open makes the machine. This host is the client, and it shows the questions on its own screen. */
static int open_connection(const char *config) {
  cJSON *input = cJSON_CreateObject(), *settings = cJSON_AddObjectToObject(input, "relay");
  char *line;
  int failed;
  cJSON_AddTrueToObject(input, "pull");
  cJSON_AddStringToObject(settings, "server", "server");
  cJSON_AddStringToObject(settings, "role", "client");
  cJSON_AddItemToObject(settings, "modes", cJSON_Parse("[\"form\",\"url\"]"));
  cJSON_AddRawToObject(settings, "config", config);
  line = cJSON_PrintUnformatted(input);
  connection.client.message = for_us;
  connection.perform = perform;
  failed = driver_open(&connection, line, strlen(line));
  free(line);
  cJSON_Delete(input);
  return failed;
}

int main(int argc, char **argv) {
  source person = {0, 0, NULL, 0};
  const char *config = "{}";
  pid_t child;
  for (; argc > 2 && argv[1][0] == '-'; argc -= 2, argv += 2) {
    if (strcmp(argv[1], "-c") == 0) config = argv[2];
    if (strcmp(argv[1], "-j") == 0) connection.journal = argv[2];
  }
  if (argc < 3) return fputs("usage: client [-c CONFIGURATION] [-j JOURNAL] TOOL SERVER ARGUMENTS...\n", stderr), 2;
  signal(SIGPIPE, SIG_IGN);
  tool = argv[1];
  if (open_connection(config) != 0) return 2;
  child = start(argv + 2);
  say_to_server("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
      "\"params\":{\"protocolVersion\":\"2025-11-25\","
                "\"capabilities\":{},\"clientInfo\":{\"name\":\"example\",\"version\":\"1\"}}}");
  run(&person);
  if (connection.server.in < 0) fputs("the server has gone\n", stderr);
  driver_close(&connection); /* settles open questions and closes the server's input */
  waitpid(child, NULL, 0);
  free(person.held);
  return result < 0 ? 2 : result;
}
