/* hosts: refuses links to hosts that are not allowed, and asks when a message or the label of a field uses one of
   some words.
   Begin here: change the rule in guardian_evaluate, and in guardian.json the name and what the rule reads.
   To see a whole question, run elicit guardian question --schema FORM. */
#define ELICIT_GUARDIAN_IMPLEMENTATION
#include "elicit_guardian.h"

EG_MANIFEST("guardian.json");

static eg_text lower(eg_text t) {
  char *out = eg_take(t.len), *o = out;
  for (const char *p = t.at, *end = p + t.len; p < end; p++) *o++ = (unsigned)*p - 'A' < 26 ? (char)(*p | 32) : *p;
  return (eg_text){out, t.len};
}

static bool begins(eg_text t, eg_text with) {
  uint32_t i = 0;
  while (i < with.len && i < t.len && t.at[i] == with.at[i]) i++;
  return i == with.len;
}

static bool contains(eg_text t, eg_text part) {
  const char *p = t.at, *last = t.at + t.len - part.len;
  if (!part.len || part.len > t.len) return false;
  for (; p <= last; p++)
    if (*p == *part.at && begins((eg_text){p, part.len}, part)) return true;
  return false;
}

/* The host of an https URL in lower case, as a browser finds it; nothing when there is none. */
static eg_text host(eg_text url) {
  eg_text t = lower(url);
  uint32_t n = 8, from = 8;
  if (!begins(t, EG("https://"))) return (eg_text){0, 0};
  for (; n < t.len && t.at[n] != '/' && t.at[n] != '\\' && t.at[n] != '?' && t.at[n] != '#'; n++)
    if (t.at[n] == '@') from = n + 1;
  for (uint32_t i = n; i > from; i--) {
    if (t.at[i - 1] == ':') n = i - 1;
    if (t.at[i - 1] < '0' || t.at[i - 1] > '9') break;
  }
  return (eg_text){t.at + from, n - from};
}

void guardian_evaluate(eg_value question) {
  eg_value url = eg_get(question, "/request/url"), settings = eg_get(question, "/settings");
  eg_value allow = eg_get(settings, "/allow"), words = eg_get(settings, "/words");
  if (url.at) {
    eg_text to = host(eg_string(url));
    bool allowed = false;
    eg_item i = {0};
    while (eg_next(allow, &i)) {
      eg_text one = eg_string(i.value);
      allowed |= to.len && one.len == to.len && begins(one, to);
    }
    if (!allowed) {
      eg_decide(EG_DENY);
      if (to.len)
        eg_find(EG_HIGH, "host_not_allowed", "/request/url", eg_join(to, EG(" is not among the allowed hosts")));
      else eg_find(EG_HIGH, "no_https_host", "/request/url", EG("the link is not https or names no host"));
    }
  }
  eg_text message = lower(eg_string(eg_get(question, "/request/message")));
  eg_item i = {0};
  while (eg_next(words, &i)) {
    eg_text word = eg_string(i.value);
    if (!contains(message, word)) continue;
    eg_decide(EG_ASK);
    eg_find(EG_MEDIUM, "word", "/request/message", eg_join(EG("the message says: "), word));
  }
  eg_value fields = eg_get(question, "/request/form/fields");
  eg_item field = {0};
  for (uint32_t n = 0; eg_next(fields, &field); n++) {
    eg_text label = lower(eg_string(eg_get(field.value, "/label")));
    eg_item w = {0};
    while (eg_next(words, &w)) {
      eg_text word = eg_string(w.value);
      if (!contains(label, word)) continue;
      eg_decide(EG_ASK);
      eg_find(EG_MEDIUM, "word", eg_at("/request/form/fields/*/label", n), eg_join(EG("the form says: "), word));
    }
  }
}

void guardian_check_settings(eg_value settings) {
  if (*settings.at != '{') eg_problem(EG(""), EG("must be an object"));
  eg_item i = {0};
  while (*settings.at == '{' && eg_next(settings, &i)) {
    eg_text name = eg_string(i.name);
    bool fit = i.value.len && *i.value.at == '[';
    eg_item k = {0};
    while (eg_next(i.value, &k)) fit &= eg_string(k.value).len > 0;
    if (!eg_is(name, "allow") && !eg_is(name, "words"))
      eg_problem(eg_token(name), EG("is not a setting of this guardian"));
    else if (!fit) eg_problem(eg_token(name), EG("must be a list of texts"));
  }
}
