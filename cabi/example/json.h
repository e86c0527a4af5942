/* json.h - additions of the examples to cJSON. */
#ifndef EXAMPLE_JSON_H
#define EXAMPLE_JSON_H

#include <cjson/cJSON.h>
#include <string.h>

static inline const cJSON *get(const cJSON *object, const char *name) {
  return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* text returns the value of a string member, and "" for any other. */
static inline const char *text(const cJSON *object, const char *name) {
  const char *value = cJSON_GetStringValue(get(object, name));
  return value == NULL ? "" : value;
}

static inline int is(const cJSON *object, const char *name, const char *value) {
  return strcmp(text(object, name), value) == 0;
}

static inline cJSON *object(const char *name, const char *value) {
  cJSON *o = cJSON_CreateObject();
  cJSON_AddStringToObject(o, name, value);
  return o;
}

/* about makes an event about the question of an effect. */
static inline cJSON *about(const cJSON *effect, const char *event) {
  cJSON *e = object("event", event);
  cJSON_AddStringToObject(e, "session", text(effect, "session"));
  cJSON_AddStringToObject(e, "id", text(effect, "id"));
  return e;
}

#endif
