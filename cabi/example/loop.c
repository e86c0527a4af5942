/* Deadlines in the host's own loop: one question, one minute, one line of typing; here with libuv and cJSON.
 *
 *   cc loop.c $(pkg-config --cflags --libs elicit libuv libcjson) -o loop && ./loop [MILLISECONDS]
 *
 * The library has no timer. It says {"effect":"wake","at":...}; the host sets its timer to that time and brings "ticked". */
#include <cjson/cJSON.h>
#include <elicit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

static elicit_handle engine;
static uv_timer_t timer;
static uv_pipe_t typed;
static long long wake_at; /* 0 for never */
static char shown[64]; /* the id of the question on the screen, "" for none */
static int outcome = 1;

static void do_event(cJSON *event);

static long long now(void) {
  uv_timeval64_t at;
  uv_gettimeofday(&at);
  return (long long)at.tv_sec * 1000 + at.tv_usec / 1000;
}

static void on_time(uv_timer_t *t);

/* rest sets the timer to wake_at. */
static void rest(void) {
  long long left = wake_at - now();
  if (wake_at == 0) uv_timer_stop(&timer);
  else uv_timer_start(&timer, on_time, left > 0 ? (uint64_t)left : 0, 0);
}

/* on_time brings the tick. libuv counts by another clock and may be a moment early; a tick before its time does nothing. */
static void on_time(uv_timer_t *t) {
  cJSON *ticked;
  (void)t;
  if (now() < wake_at) {
    rest();
    return;
  }
  ticked = cJSON_CreateObject();
  cJSON_AddStringToObject(ticked, "event", "ticked");
  do_event(ticked);
}

static const char *text(const cJSON *object, const char *name) {
  const char *value = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
  return value == NULL ? "" : value;
}

/* perform carries out one effect. What it does not know it leaves. */
static void perform(const cJSON *effect) {
  const char *name = text(effect, "effect");
  if (strcmp(name, "wake") == 0) {
    wake_at = (long long)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(effect, "at"));
    rest();
  } else if (strcmp(name, "show") == 0) {
    snprintf(shown, sizeof shown, "%s", text(effect, "id"));
    printf("%s asks: %s [yes/no]\n", text(effect, "server"), text(effect, "message"));
    fflush(stdout);
  } else if (strcmp(name, "withdraw") == 0) {
    shown[0] = 0;
    printf("too late.\n");
  } else if (strcmp(name, "reply") == 0) {
    printf("reply: %s, because of %s\n", text(effect, "outcome"), text(effect, "cause"));
    outcome = strcmp(text(effect, "outcome"), "accept") == 0 ? 0 : 1;
    uv_timer_stop(&timer);
    uv_close((uv_handle_t *)&typed, NULL); /* nothing is left to wait for, so the loop ends */
  }
}

/* do_event gives the engine one event, which is deleted, and performs what comes back. */
static void do_event(cJSON *event) {
  cJSON *input = cJSON_CreateObject(), *output, *effect;
  elicit_bytes out;
  elicit_status status;
  char *line;
  cJSON_AddItemToObject(input, "event", event);
  line = cJSON_PrintUnformatted(input);
  status = elicit_step(engine, line, strlen(line), &out);
  output = cJSON_ParseWithLength(out.data, out.size);
  if (status != ELICIT_OK) fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
  cJSON_ArrayForEach(effect, cJSON_GetObjectItemCaseSensitive(output, "effects")) perform(effect);
  cJSON_Delete(output);
  elicit_release(&out);
  free(line);
  cJSON_Delete(input);
}

static void make_room(uv_handle_t *handle, size_t size, uv_buf_t *buffer) {
  static char room[256];
  (void)handle;
  (void)size;
  *buffer = uv_buf_init(room, sizeof room);
}

static void on_line(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer) {
  cJSON *answered;
  if (size < 0) uv_read_stop(stream); /* nobody types any more; the deadline still comes */
  if (size <= 0 || shown[0] == 0) return;
  answered = cJSON_CreateObject();
  cJSON_AddStringToObject(answered, "event", "answered");
  cJSON_AddStringToObject(answered, "session", "loop");
  cJSON_AddStringToObject(answered, "id", shown);
  cJSON_AddStringToObject(answered, "action", buffer->base[0] == 'y' ? "accept" : "decline");
  if (buffer->base[0] == 'y') cJSON_AddItemToObject(answered, "content", cJSON_CreateObject());
  do_event(answered);
}

int main(int argc, char **argv) {
  uv_loop_t *loop = uv_default_loop();
  elicit_bytes out;
  char config[64];
  int size = snprintf(config, sizeof config, "{\"limits\":{\"answer_ttl_ms\":%d}}", argc > 1 ? atoi(argv[1]) : 60000);
  elicit_status status = elicit_open(config, (size_t)size, &engine, &out);
  if (status != ELICIT_OK) {
    fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
    return 2;
  }
  elicit_release(&out);
  uv_timer_init(loop, &timer);
  uv_pipe_init(loop, &typed, 0);
  if (uv_guess_handle(0) != UV_FILE && uv_guess_handle(0) != UV_UNKNOWN_HANDLE && uv_pipe_open(&typed, 0) == 0)
    uv_read_start((uv_stream_t *)&typed, make_room, on_line);
  do_event(cJSON_Parse("{\"event\":\"opened\",\"session\":\"loop\",\"server\":\"backup\",\"side\":\"answering\","
                       "\"declared\":[\"form\"],\"shown\":[\"form\"]}"));
  do_event(cJSON_Parse("{\"event\":\"asked\",\"session\":\"loop\",\"ref\":\"1\",\"mode\":\"form\","
                       "\"message\":\"May the old snapshots go?\",\"schema\":{\"type\":\"object\",\"properties\":{}}}"));
  uv_run(loop, UV_RUN_DEFAULT);
  elicit_close(engine);
  return outcome;
}
