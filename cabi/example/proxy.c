/* A proxy on standard streams, between the client that starts it and the server that it starts. Policy answers some
 * questions, and the client asks its own person the others. It needs libuv and cJSON.
 *
 *   cc proxy.c $(pkg-config --cflags --libs elicit libuv libcjson) -o proxy
 *   ./proxy CONFIGURATION SERVER ARGUMENTS...
 *
 * The library has the loop (elicit_next), and libuv has the timer. Two things are left out. A host with a journal has
 * the callback "append" (see driver.c). A host that must limit its memory stops reading a line that is too long (see
 * "cut" in docs/reference/relay.md). */
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

static void written(uv_write_t *request, int status) {
  (void)status; /* the end of its output reports an end that is gone */
  free(request->data);
  free(request);
}

/* deliver writes one line to an end. The bytes are copied, because they are written later. */
static void deliver(end *e, const char *message, size_t size) {
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

static void on_time(uv_timer_t *t);

/* perform performs what there is to do, and sets the timer. */
static void perform(void) {
  elicit_bytes out, message;
  elicit_status status;
  int wait = -2;
  while (wait == -2 && (status = elicit_next(relay, NULL, -1, -1, &out, &message)) == ELICIT_OK) {
    cJSON *effect = cJSON_ParseWithLength(out.data, out.size);
    const char *name = text(effect, "effect");
    const cJSON *reply = get(effect, "reply");
    if (message.data != NULL) deliver(is(effect, "to", "client") ? &client : &server, message.data, message.size);
    else if (get(effect, "wait") != NULL) wait = (int)cJSON_GetNumberValue(get(effect, "wait"));
    else if (strcmp(name, "close") == 0) leave(is(effect, "end", "client") ? &client : &server);
    else if (strcmp(name, "settled") == 0)
      fprintf(stderr, "%s, because of %s\n", text(reply, "outcome"), text(reply, "cause"));
    else if (strcmp(name, "note") == 0) fprintf(stderr, "%s\n", text(get(effect, "problems")->child, "code"));
    cJSON_Delete(effect);
    elicit_release(&out);
  }
  if (wait == -2) exit((fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data), 2));
  if (uv_is_closing((uv_handle_t *)&timer)) return;
  if (wait < 0) uv_timer_stop(&timer);
  else uv_timer_start(&timer, on_time, (uint64_t)wait, 0);
}

static void on_time(uv_timer_t *t) {
  (void)t;
  perform();
}

static void receive(end *e, const char *line, size_t size) {
  elicit_receive(relay, e->name, line, size, NULL);
  perform();
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
    static const char left[] = "{\"event\":\"ended\",\"end\":\"client\"}";
    static const char gone[] = "{\"event\":\"ended\",\"end\":\"server\"}";
    uv_close((uv_handle_t *)stream, NULL);
    elicit_step(relay, e == &client ? left : gone, sizeof left - 1, NULL);
    perform();
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
      "\"config\":%s},\"pull\":true}";
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
  if (status != ELICIT_OK) return fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data), 2;
  elicit_release(&out);
  perform();
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
