/* A host of libelicit in C: a connection, an engine that moves, a decision and a form. */
#include <elicit.h>
#include <stdio.h>
#include <string.h>

#define SCHEMA "{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\",\"maximum\":30}}," \
               "\"required\":[\"days\"]}"
#define POLICY "{\"version\":1,\"rules\":[{\"name\":\"no-url\",\"when\":{\"mode\":\"url\"},\"then\":\"decline\"}]}"

static char text[1 << 16];

/* told prints the names of the effects, without records and times. */
static void told(const char *what, elicit_status status, elicit_bytes *out) {
  const char *at = out->data;
  printf("%s:", what);
  if (status != ELICIT_OK) printf(" %s", elicit_status_name(status));
  while ((at = strstr(at, "{\"effect\":\"")) != NULL) {
    size_t size = strcspn(at += 11, "\"");
    if (strncmp(at, "append", size) == 0) {
      /* the record has the effects too */
      if ((at = strstr(at, "\"hash\":")) == NULL) break;
    } else if (strncmp(at, "wake", size) != 0) {
      printf(" %.*s", (int)size, at);
    }
  }
  printf("\n");
  snprintf(text, sizeof text, "%s", out->data);
  elicit_release(out);
}

static void step(const char *what, elicit_handle of, const char *event) {
  elicit_bytes out;
  elicit_status status = elicit_step(of, event, strlen(event), &out);
  told(what, status, &out);
}

static void receive(const char *what, elicit_handle relay, elicit_end from, const char *message) {
  elicit_bytes out;
  elicit_status status = elicit_receive(relay, from, message, strlen(message), &out);
  told(what, status, &out);
}

/* member copies the last text member of this name in what was told last. */
static const char *member(const char *name, char *to, size_t size) {
  char *at = text, *last = NULL, mark[32];
  size_t length = (size_t)snprintf(mark, sizeof mark, "\"%s\":\"", name);
  while ((at = strstr(at, mark)) != NULL) last = at += length;
  snprintf(to, size, "%.*s", last == NULL ? 0 : (int)strcspn(last, "\""), last == NULL ? "" : last);
  return to;
}

static elicit_handle opened(const char *opening) {
  elicit_handle of = 0;
  elicit_bytes out;
  elicit_status status = elicit_open(opening, strlen(opening), &of, &out);
  if (status != ELICIT_OK) printf("%s: %s\n", elicit_status_name(status), out.data);
  elicit_release(&out);
  return of;
}

int main(void) {
  char event[1 << 12], session[64], id[64];
  static char state[1 << 16];
  elicit_bytes out;
  elicit_handle relay, first, second, form;
  if (elicit_abi() < ELICIT_ABI) return 2;
  relay = opened("{\"relay\":{\"server\":\"backup\",\"role\":\"client\",\"modes\":[\"form\"],\"config\":"
                 "{\"policy\":{\"user\":" POLICY "}}}}");
  receive("client", relay, ELICIT_CLIENT,
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
          "\"capabilities\":{},\"clientInfo\":{\"name\":\"kept\",\"version\":\"1\"}}}");
  receive("server", relay, ELICIT_SERVER,
          "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":"
          "{\"tools\":{}},\"serverInfo\":{\"name\":\"backup\",\"version\":\"1\"}}}");
  receive("question", relay, ELICIT_SERVER,
          "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{\"message\":"
          "\"Keep for how long?\",\"requestedSchema\":" SCHEMA "}}");
  member("session", session, sizeof session);
  member("id", id, sizeof id);
  snprintf(event, sizeof event, "{\"event\":\"answered\",\"session\":\"%s\",\"id\":\"%s\",\"action\":\"accept\","
           "\"content\":{\"days\":7}}", session, id);
  step("answered", relay, event);
  if (elicit_close(relay) != ELICIT_OK) return 1;

  first = opened("{\"config\":{\"policy\":{\"user\":" POLICY "}}}");
  second = opened("{}");
  step("opened", first, "{\"event\":\"opened\",\"session\":\"s\",\"server\":\"backup\",\"side\":\"answering\","
                        "\"declared\":[\"form\",\"url\"],\"shown\":[\"form\",\"url\"]}");
  step("asked", first, "{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"1\",\"mode\":\"form\",\"message\":\"Keep?\","
                       "\"schema\":" SCHEMA "}");
  member("id", id, sizeof id);
  step("url", first, "{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"2\",\"mode\":\"url\",\"message\":\"Pay\","
                     "\"url\":\"https://shop.example/\",\"link\":\"p\"}");
  if (elicit_step(first, "{\"save\":\"s\"}", 12, &out) != ELICIT_OK) return 1;
  snprintf(state, sizeof state, "{\"event\":{\"event\":\"resumed\",%.*s", (int)out.size - 1, out.data + 1);
  strcat(state, "}");
  elicit_release(&out);
  step("resumed", second, state);
  snprintf(event, sizeof event, "{\"event\":\"answered\",\"session\":\"s\",\"id\":\"%s\",\"action\":\"decline\"}", id);
  step("reply", second, event);

  if (elicit_form("{\"schema\":" SCHEMA "}", sizeof "{\"schema\":" SCHEMA "}" - 1, &form, &out) != ELICIT_OK) return 1;
  elicit_release(&out);
  if (elicit_check(form, "{\"days\":99}", 11, &out) != ELICIT_OK) return 1;
  printf("check: %s\n", out.data);
  elicit_release(&out);
  if (elicit_eval("decide", "{\"policy\":{\"user\":" POLICY "},\"facts\":{\"mode\":\"url\"}}",
                  sizeof "{\"policy\":{\"user\":" POLICY "},\"facts\":{\"mode\":\"url\"}}" - 1, &out) != ELICIT_OK)
    return 1;
  printf("decide: %.20s\n", out.data);
  elicit_release(&out);
  return elicit_close(first) | elicit_close(second) | elicit_close(form);
}
