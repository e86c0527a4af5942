/* A proxy on standard streams, between the client that starts it and the server that it starts. Policy answers some
 * questions, and the client asks its own person the others. It needs libuv and cJSON.
 *
 *   cc proxy.c $(pkg-config --cflags --libs elicit libuv libcjson) -o proxy
 *   ./proxy CONFIGURATION SERVER ARGUMENTS...
 *
 * The library has no timer. On {"effect":"wake","in":...}, the host sets its timer and then gives "ticked" once. Two
 * things are left out. A host with a journal also performs "append" (see client.c). A host that must limit its memory
 * stops reading a line that is too long (see "cut" in docs/relay.md). */
#include <elicit.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "json.h"

/* An end of the connection: the streams of lines from it and to it. */
typedef struct end {
  elicit_end name;
  uv_pipe_t in, out;
  char *held; /* the bytes after the last whole line */
  size_t size;
  int closing;
} end;

static elicit_handle relay;
static end client = {.name = ELICIT_CLIENT}, server = {.name = ELICIT_SERVER};
static uv_timer_t timer;
static uv_process_t child;

static void step(cJSON *event);

static void on_time(uv_timer_t *t) {
  (void)t;
  step(object("event", "ticked")); /* if it is early, the machine answers with another wake */
}

/* wake gets a "wake" of the library, which has "in" because it reads the clock itself. */
static void wake(const cJSON *effect) {
  double in = cJSON_GetNumberValue(get(effect, "in"));
  if (cJSON_GetNumberValue(get(effect, "at")) == 0) uv_timer_stop(&timer);
  else uv_timer_start(&timer, on_time, in < 20000 ? (uint64_t)in + 1 : 20000, 0);
}

static void written(uv_write_t *request, int status) {
  (void)status; /* the end of its output reports an end that is gone */
  free(request->data);
  free(request);
}

/* deliver writes one line to an end. The bytes are copied, because they are written later. */
static void deliver(const char *to, const char *message, size_t size) {
  end *e = strcmp(to, "client") == 0 ? &client : &server;
  uv_write_t *request = malloc(sizeof *request);
  char *line = malloc(size + 1);
  uv_buf_t buffer;
  if (request == NULL || line == NULL) exit(2);
  memcpy(line, message, size);
  line[size] = '\n';
  request->data = line;
  buffer = uv_buf_init(line, (unsigned)size + 1);
  if (e->closing || uv_write(request, (uv_stream_t *)&e->out, &buffer, 1, written) != 0) written(request, 0);
}

static void closed(uv_shutdown_t *request, int status) {
  (void)status;
  uv_close((uv_handle_t *)request->handle, NULL);
  free(request);
}

/* leave closes the stream to an end, after everything written before. */
static void leave(end *e) {
  uv_shutdown_t *request = malloc(sizeof *request);
  if (request == NULL) exit(2);
  if (e->closing) {
    free(request);
    return;
  }
  e->closing = 1;
  if (uv_shutdown(request, (uv_stream_t *)&e->out, closed) != 0) {
    uv_close((uv_handle_t *)&e->out, NULL);
    free(request);
  }
  if (e == &client) { /* nothing is left to do */
    uv_close((uv_handle_t *)&timer, NULL);
    if (!uv_is_closing((uv_handle_t *)&client.in)) uv_close((uv_handle_t *)&client.in, NULL);
  }
}

/* unasked reports a fault for a guardian that the host should ask, because this host asks none. */
static cJSON *unasked(const cJSON *consult) {
  cJSON *event = about(consult, "consulted");
  cJSON_AddItemToObject(event, "round", cJSON_Duplicate(get(consult, "round"), 1));
  cJSON_AddStringToObject(event, "fault", "unavailable");
  return event;
}

static void tell(const cJSON *reply) {
  fprintf(stderr, "%s, because of %s\n", text(reply, "outcome"), text(reply, "cause"));
}

/* perform performs the effects of one call in order. Our own events wait until that is done. */
static void perform(elicit_status status, elicit_bytes *out, const char *line, size_t size) {
  cJSON *document = cJSON_ParseWithLength(out->data, out->size), *later = cJSON_CreateArray(), *event;
  const cJSON *effect;
  if (status != ELICIT_OK) fprintf(stderr, "%s: %s\n", elicit_status_name(status), out->data);
  cJSON_ArrayForEach(effect, get(document, "effects")) {
    const char *name = text(effect, "effect"), *message = text(effect, "message");
    if (strcmp(name, "forward") == 0) deliver(text(effect, "to"), line, size);
    else if (strcmp(name, "send") == 0) deliver(text(effect, "to"), message, strlen(message));
    else if (strcmp(name, "close") == 0) leave(is(effect, "end", "client") ? &client : &server);
    else if (strcmp(name, "wake") == 0) wake(effect);
    else if (strcmp(name, "consult") == 0) cJSON_AddItemToArray(later, unasked(effect));
    else if (strcmp(name, "settled") == 0) tell(get(effect, "reply"));
    else if (strcmp(name, "note") == 0) fprintf(stderr, "%s\n", text(get(effect, "problems")->child, "code"));
  }
  elicit_release(out);
  cJSON_Delete(document);
  while ((event = cJSON_DetachItemFromArray(later, 0)) != NULL) step(event);
  cJSON_Delete(later);
}

/* step gives the machine one event, which is deleted. */
static void step(cJSON *event) {
  cJSON *input = cJSON_CreateObject();
  elicit_bytes out;
  elicit_status status;
  char *line;
  cJSON_AddItemToObject(input, "event", event);
  line = cJSON_PrintUnformatted(input);
  status = elicit_step(relay, line, strlen(line), &out);
  perform(status, &out, NULL, 0);
  free(line);
  cJSON_Delete(input);
}

static void receive(end *e, const char *line, size_t size) {
  elicit_bytes out;
  elicit_status status = elicit_receive(relay, e->name, line, size, &out);
  perform(status, &out, line, size);
}

static void make_room(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
  static char room[65536];
  (void)handle;
  (void)size;
  *buffer = uv_buf_init(room, sizeof room);
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
  end *e = stream == (uv_stream_t *)&client.in ? &client : &server;
  char *line, *stop;
  if (size < 0) {
    cJSON *event = object("event", "ended");
    uv_close((uv_handle_t *)stream, NULL);
    cJSON_AddStringToObject(event, "end", e == &client ? "client" : "server");
    step(event);
    return;
  }
  e->held = realloc(e->held, e->size + (size_t)size + 1);
  if (e->held == NULL) exit(2);
  memcpy(e->held + e->size, buffer->base, (size_t)size);
  stop = memchr(e->held + e->size, '\n', (size_t)size); /* the bytes kept earlier have no line end */
  e->size += (size_t)size;
  for (line = e->held; stop != NULL; stop = memchr(line, '\n', e->size)) {
    e->size -= (size_t)(stop - line) + 1;
    receive(e, line, (size_t)(stop - line));
    line = stop + 1;
  }
  memmove(e->held, line, e->size);
}

static void gone(uv_process_t *process, int64_t status, int signal) {
  (void)status;
  (void)signal;
  uv_close((uv_handle_t *)process, NULL);
}

static int start(uv_loop_t *loop, char **command) {
  uv_stdio_container_t streams[3];
  uv_process_options_t options = {0};
  streams[0].flags = UV_CREATE_PIPE | UV_READABLE_PIPE;
  streams[0].data.stream = (uv_stream_t *)&server.out;
  streams[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
  streams[1].data.stream = (uv_stream_t *)&server.in;
  streams[2].flags = UV_INHERIT_FD;
  streams[2].data.fd = 2;
  options.exit_cb = gone;
  options.file = command[0];
  options.args = command;
  options.stdio = streams;
  options.stdio_count = 3;
  return uv_spawn(loop, &child, &options);
}

int main(int argc, char **argv) {
  static const char relayed[] = "{\"relay\":{\"server\":\"server\",\"ask\":\"client\",\"keep_alive_ms\":10000,"
      "\"config\":%s}}";
  uv_loop_t *loop = uv_default_loop();
  elicit_bytes out;
  elicit_status status;
  size_t room = sizeof relayed + (argc > 1 ? strlen(argv[1]) : 0);
  char *config = malloc(room);
  int failed;
  if (argc < 3 || config == NULL) return fputs("usage: proxy CONFIGURATION SERVER ARGUMENTS...\n", stderr), 2;
  snprintf(config, room, relayed, argv[1]);
  uv_timer_init(loop, &timer);
  status = elicit_open(config, strlen(config), &relay, &out);
  free(config);
  perform(status, &out, NULL, 0);
  if (status != ELICIT_OK) return 2;
  uv_pipe_init(loop, &client.in, 0);
  uv_pipe_init(loop, &client.out, 0);
  uv_pipe_init(loop, &server.in, 0);
  uv_pipe_init(loop, &server.out, 0);
  failed = start(loop, argv + 2);
  if (failed == 0) failed = uv_pipe_open(&client.in, 0);
  if (failed == 0) failed = uv_pipe_open(&client.out, 1);
  if (failed != 0) return fprintf(stderr, "%s: %s\n", argv[2], uv_strerror(failed)), 2;
  uv_read_start((uv_stream_t *)&client.in, make_room, on_read);
  uv_read_start((uv_stream_t *)&server.in, make_room, on_read);
  uv_run(loop, UV_RUN_DEFAULT);
  elicit_close(relay);
  free(client.held);
  free(server.held);
  return 0;
}
