/* elicit_guardian.h: what a guardian of Elicit needs in C, and in whatever reads C headers. Freestanding C99.
   Define ELICIT_GUARDIAN_IMPLEMENTATION in one file before including it, and write guardian_evaluate and
   guardian_check_settings. An instance lives for one call, so nothing is ever freed. */
#ifndef ELICIT_GUARDIAN_H
#define ELICIT_GUARDIAN_H
#include <stdbool.h>
#include <stdint.h>

typedef struct { const char *at; uint32_t len; } eg_text;  /* UTF-8 without a NUL; at is 0 when there is none */
typedef struct { const char *at; uint32_t len; } eg_value; /* JSON as the host spelled it; at is 0 when it is missing */
typedef struct { eg_value name, value; const char *behind; } eg_item;
enum { EG_PASS, EG_ALLOW, EG_ASK, EG_DENY };
enum { EG_INFO, EG_LOW, EG_MEDIUM, EG_HIGH, EG_CRITICAL };
#define EG(literal) ((eg_text){literal, sizeof(literal) - 1})

/* Yours. The question holds {"v","phase","at","request","answer"?,"settings","seed"}. */
void guardian_evaluate(eg_value question);
void guardian_check_settings(eg_value settings);

/* Reading. A pointer is RFC 6901's: eg_get(question, "/request/form/fields/0/name"). A missing value has no members and
   no text. */
eg_value eg_get(eg_value from, const char *pointer);
bool eg_next(eg_value list, eg_item *item);  /* eg_item i = {0}; while (eg_next(list, &i)): of an object or a list */
eg_text eg_string(eg_value v);               /* at is 0 unless v is a string */
bool eg_int(eg_value v, int64_t *number);    /* false unless v is a whole number of at most 18 digits */
bool eg_spelled(eg_value v, const char *json); /* eg_spelled(v, "true") */
bool eg_is(eg_text text, const char *other);

/* The verdict. The stricter of two decisions stays. The host reads 32 findings and drops the others. It cuts messages at
   500 bytes. It never drops an obligation: one too many is a denial. A pointer of "" stands for none. */
void eg_decide(int decision);
void eg_find(int severity, const char *code, const char *pointer, eg_text message);
void eg_redact(const char *pointer);
void eg_second_person(void);
void eg_problem(eg_text pointer, eg_text message); /* of settings */
void eg_log(int level, eg_text line);              /* 0 debug, 1 info, 2 warn, 3 error; never changes a verdict */
eg_text eg_join(eg_text a, eg_text b);
eg_text eg_token(eg_text name);                    /* a name as a token of a pointer: "/" and the name, escaped */
/* A pointer for eg_find: the pattern with the number for its star. */
const char *eg_at(const char *pattern, uint32_t index);
void *eg_take(uint32_t bytes);                     /* memory, zeroed; traps when there is no more */

/* The data document that the operator permits, such as a sorted list of hosts: up to 4 MiB, the same bytes at every
   question. A guardian that reads it says in its manifest what it holds, as "data". It stays with the host: a read
   copies the bytes from an offset on, and returns how many there were, fewer at the end. It costs 257 fuel, and one for
   each 8 bytes. */
uint32_t eg_data_size(void);
uint32_t eg_data_read(uint32_t offset, void *into, uint32_t bytes);

#ifdef ELICIT_GUARDIAN_IMPLEMENTATION

/* EG_MANIFEST("guardian.json") puts the manifest into its section. */
#define EG_MANIFEST(file) __asm__(".section .custom_section.elicit.guardian,\"\",@\n.incbin \"" file "\"\n.text\n")

__attribute__((import_module("elicit_guardian_v1"), import_name("log"))) void eg__log(int32_t, const char *, uint32_t);
__attribute__((import_module("elicit_guardian_v1"), import_name("data_size"))) int32_t eg__data_size(void);
__attribute__((import_module("elicit_guardian_v1"), import_name("data_read")))
int32_t eg__data_read(uint32_t, void *, uint32_t);
extern unsigned char __heap_base;
static struct eg__list {
  uint32_t len, count;
  bool full;
  char text[12 << 10];
} eg__findings, eg__obligations, eg__problems;
static int eg__decision;

void *eg_take(uint32_t bytes) {
  static uint32_t next;
  uint32_t at = next ? next : ((uint32_t)&__heap_base + 15) & ~15u;
  uint32_t room = (uint32_t)__builtin_wasm_memory_size(0) << 16;
  if (bytes > 0x7fffff00u - at) __builtin_trap();
  next = (at + bytes + 15) & ~15u;
  if (next > room && __builtin_wasm_memory_grow(0, (next - room + 0xffff) >> 16) == (__SIZE_TYPE__)-1) __builtin_trap();
  return (void *)at;
}

static const char *eg__blank(const char *p, const char *end, char also) {
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t' || *p == also)) p++;
  return p;
}

/* The first quote or backslash from p on; fuel is counted, so eight bytes at a time. */
static const char *eg__special(const char *p, const char *end) {
  const uint64_t ones = 0x0101010101010101u;
  for (uint64_t w; end - p >= 8; p += 8) {
    __builtin_memcpy(&w, p, 8);
    uint64_t quote = w ^ ones * '"', back = w ^ ones * '\\';
    if ((((quote - ones) & ~quote) | ((back - ones) & ~back)) & ones << 7) break;
  }
  while (p < end && *p != '"' && *p != '\\') p++;
  return p;
}

/* The end of the value that begins at p. It counts brackets and does not call itself, however deep they go. It
   remembers the ends of long values, because a rule looks into a question more than once. */
static const char *eg__end(const char *p, const char *end) {
  static struct { const char *at, *end; } known[64];
  const char *begin = p;
  uint32_t depth = 0, slot = (uint32_t)(uintptr_t)p % 61;
  if (known[slot].at == p) return known[slot].end;
  while (p < end) {
    char c = *p++;
    if (c == '"') {
      const char *from = p - 1;
      while (p < end && *(p = eg__special(p, end)) == '\\') p += 2;
      p = p < end ? p + 1 : end;
      slot = (uint32_t)(uintptr_t)from % 61;
      if (p - from > 64) known[slot].at = from, known[slot].end = p;
    } else if (c == '{' || c == '[') depth++;
    else if (c == '}' || c == ']') { if (depth) depth--; }
    else if (c != ',' && c != ':' && c > ' ')
      while (p < end && *p > ' ' && *p != ',' && *p != '}' && *p != ']') p++;
    if (!depth) break;
  }
  slot = (uint32_t)(uintptr_t)begin % 61;
  if (p - begin > 64) known[slot].at = begin, known[slot].end = p;
  return p;
}

bool eg_next(eg_value list, eg_item *item) {
  if (!list.at || (*list.at != '{' && *list.at != '[')) return false;
  const char *end = list.at + list.len, *p = eg__blank(item->behind ? item->behind : list.at + 1, end, ',');
  if (p >= end || *p == '}' || *p == ']') return false;
  item->name = (eg_value){0, 0};
  if (*list.at == '{') {
    item->name = (eg_value){p, (uint32_t)(eg__end(p, end) - p)};
    p = eg__blank(p + item->name.len, end, ':');
  }
  item->behind = eg__end(p, end);
  item->value = (eg_value){p, (uint32_t)(item->behind - p)};
  return true;
}

/* Whether the first token of a pointer is this name. */
static bool eg__names(const char *token, eg_text name) {
  uint32_t i = 0;
  for (; *token && *token != '/'; token++, i++) {
    char c = *token;
    if (c == '~') c = *++token == '1' ? '/' : '~';
    if (i >= name.len || name.at[i] != c || !*token) return false;
  }
  return i == name.len;
}

eg_value eg_get(eg_value v, const char *pointer) {
  while (*pointer == '/' && v.at) {
    eg_item i = {{0, 0}, {0, 0}, 0};
    bool found = false;
    pointer++;
    for (uint32_t index = 0; !found && eg_next(v, &i); index++) {
      char digits[10];
      uint32_t at = 10, left = index;
      do digits[--at] = (char)('0' + left % 10); while (left /= 10);
      found = eg__names(pointer, i.name.at ? eg_string(i.name) : (eg_text){digits + at, 10 - at});
    }
    v = found ? i.value : (eg_value){0, 0};
    while (*pointer && *pointer != '/') pointer++;
  }
  return v;
}

static uint32_t eg__hex(const char *p, const char *end) {
  uint32_t code = 0;
  for (int i = 0; i < 4 && end - p >= 4; i++) code = code << 4 | (uint32_t)((p[i] & 15) + (p[i] > '9' ? 9 : 0));
  return code;
}

eg_text eg_string(eg_value v) {
  if (!v.at || v.len < 2 || *v.at != '"') return (eg_text){0, 0};
  const char *p = v.at + 1, *end = v.at + v.len - 1;
  if (eg__special(p, end) == end) return (eg_text){v.at + 1, v.len - 2};
  char *out = eg_take(v.len), *o = out; /* an escape is never shorter than what it stands for */
  for (p = v.at + 1; p < end; p++) {
    uint32_t c = (unsigned char)*p;
    if (c != '\\' || ++p == end || *p != 'u') {
      if (c == '\\' && p < end)
        c = *p == 'n' ? '\n' : *p == 't' ? '\t' : *p == 'r' ? '\r' : *p == 'b' ? '\b' : *p == 'f' ? '\f'
                                                                          : (unsigned char)*p;
      *o++ = (char)c;
      continue;
    }
    c = eg__hex(p + 1, end), p += 4;
    if (c >> 10 == 0x36 && end - p > 6 && p[1] == '\\' && eg__hex(p + 3, end) >> 10 == 0x37) {
      c = 0x10000 + ((c & 0x3ff) << 10 | (eg__hex(p + 3, end) & 0x3ff)), p += 6;
    } else if (c >> 11 == 0x1b) c = 0xfffd; /* half a surrogate pair */
    if (c >= 0x10000) *o++ = (char)(0xf0 | c >> 18);
    if (c >= 0x800) *o++ = (char)(c < 0x10000 ? 0xe0 | c >> 12 : 0x80 | (c >> 12 & 63));
    if (c >= 0x80) *o++ = (char)(c < 0x800 ? 0xc0 | c >> 6 : 0x80 | (c >> 6 & 63));
    *o++ = (char)(c < 0x80 ? c : 0x80 | (c & 63));
  }
  return (eg_text){out, (uint32_t)(o - out)};
}

bool eg_int(eg_value v, int64_t *number) {
  uint32_t i = v.len && *v.at == '-';
  if (v.len == i || v.len - i > 18) return false;
  for (*number = 0; i < v.len; i++) {
    if (v.at[i] < '0' || v.at[i] > '9') return false;
    *number = *number * 10 + (v.at[i] - '0');
  }
  if (*v.at == '-') *number = -*number;
  return true;
}

bool eg_is(eg_text text, const char *other) {
  uint32_t i = 0;
  while (i < text.len && other[i] && text.at[i] == other[i]) i++;
  return i == text.len && !other[i];
}

bool eg_spelled(eg_value v, const char *json) { return eg_is((eg_text){v.at, v.len}, json); }

static void eg__put(struct eg__list *l, char c) {
  if (l->len < sizeof l->text) l->text[l->len++] = c;
  else l->full = true;
}

static eg_text eg__z(const char *s) {
  uint32_t n = 0;
  while (s[n]) n++;
  return (eg_text){s, n};
}

static void eg__quote(struct eg__list *l, const char *before, eg_text t, uint32_t most) {
  while (*before) eg__put(l, *before++);
  if (t.len > most)
    for (t.len = most; t.len && (t.at[t.len] & 0xc0) == 0x80;) t.len--;
  eg__put(l, '"');
  for (uint32_t i = 0; i < t.len; i++) {
    unsigned char c = (unsigned char)t.at[i];
    char two = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : c == '"' || c == '\\' ? (char)c : 0;
    if (two || c < ' ') eg__put(l, '\\');
    if (two || c >= ' ') {
      eg__put(l, two ? two : (char)c);
      continue;
    }
    for (const char *p = "u00"; *p; p++) eg__put(l, *p);
    eg__put(l, (char)('0' + (c >> 4)));
    eg__put(l, "0123456789abcdef"[c & 15]);
  }
  eg__put(l, '"');
}

/* Ends an item, or takes it back when the list is full. */
static bool eg__close(struct eg__list *l, uint32_t before) {
  eg__put(l, '}');
  if (l->full) l->len = before, l->full = false;
  else l->count++;
  return l->len != before;
}

void eg_decide(int decision) {
  if (decision > eg__decision) eg__decision = decision;
}

void eg_find(int severity, const char *code, const char *pointer, eg_text message) {
  static const char *const names[] = {"info", "low", "medium", "high", "critical"};
  struct eg__list *l = &eg__findings;
  uint32_t before = l->len;
  if (l->count == 32) return;
  eg__quote(l, before ? ",{\"code\":" : "{\"code\":", eg__z(code), 64);
  if (*pointer) eg__quote(l, ",\"pointer\":", eg__z(pointer), ~0u);
  eg__quote(l, ",\"message\":", message, 500);
  eg__quote(l, ",\"severity\":", eg__z(names[severity]), 8);
  eg__close(l, before);
}

static void eg__oblige(const char *what, const char *pointer) {
  struct eg__list *l = &eg__obligations;
  uint32_t before = l->len;
  eg__quote(l, before ? ",{\"do\":" : "{\"do\":", eg__z(what), 16);
  if (*pointer) eg__quote(l, ",\"pointer\":", eg__z(pointer), ~0u);
  if (!eg__close(l, before) || l->count > 8 || l->len > 3 << 10) l->len = before, eg_decide(EG_DENY);
}

void eg_redact(const char *pointer) { eg__oblige("redact", pointer); }
void eg_second_person(void) { eg__oblige("second_person", ""); }

void eg_problem(eg_text pointer, eg_text message) {
  struct eg__list *l = &eg__problems;
  uint32_t before = l->len;
  eg__quote(l, before ? ",{\"pointer\":" : "{\"pointer\":", pointer, ~0u);
  eg__quote(l, ",\"message\":", message, 500);
  eg__close(l, before);
}

uint32_t eg_data_size(void) {
  int32_t size = eg__data_size();
  return size < 0 ? 0 : (uint32_t)size;
}

uint32_t eg_data_read(uint32_t offset, void *into, uint32_t bytes) {
  int32_t read = eg__data_read(offset, into, bytes);
  return read < 0 ? 0 : (uint32_t)read;
}

void eg_log(int level, eg_text line) { eg__log(level, line.at, line.len); }

eg_text eg_join(eg_text a, eg_text b) {
  char *out = eg_take(a.len + b.len);
  for (uint32_t i = 0; i < a.len + b.len; i++) out[i] = i < a.len ? a.at[i] : b.at[i - a.len];
  return (eg_text){out, a.len + b.len};
}

eg_text eg_token(eg_text name) {
  char *out = eg_take(2 * name.len + 1), *o = out;
  *o++ = '/';
  for (uint32_t i = 0; i < name.len; i++) {
    bool escaped = name.at[i] == '~' || name.at[i] == '/';
    *o++ = escaped ? '~' : name.at[i];
    if (escaped) *o++ = name.at[i] == '/' ? '1' : '0';
  }
  return (eg_text){out, (uint32_t)(o - out)};
}

const char *eg_at(const char *pattern, uint32_t index) {
  char digits[10], *out = eg_take(eg__z(pattern).len + sizeof digits), *o = out;
  uint32_t at = sizeof digits;
  do digits[--at] = (char)('0' + index % 10); while (index /= 10);
  for (; *pattern; pattern++)
    if (*pattern != '*') *o++ = *pattern;
    else while (at < sizeof digits) *o++ = digits[at++];
  return out; /* memory is zeroed, so it ends in a NUL */
}

static eg_text eg__listed(eg_text out, const char *before, const struct eg__list *l, const char *after) {
  return eg_join(eg_join(eg_join(out, eg__z(before)), (eg_text){l->text, l->len}), eg__z(after));
}

#define EG__EXPORT(name) __attribute__((export_name(#name))) name
#define EG__GIVE(out) ((uint64_t)(uintptr_t)(out).at << 32 | (out).len)

void *EG__EXPORT(elicit_alloc)(uint32_t len) { return eg_take(len); }

uint64_t EG__EXPORT(elicit_evaluate)(const char *at, uint32_t len) {
  static const char *const names[] = {"pass\"", "allow\"", "ask\"", "deny\""};
  eg_value question = {at, len};
  eg_text phase = eg_string(eg_get(question, "/phase"));
  if (!eg_spelled(eg_get(question, "/v"), "1")) return 0;
  if (!eg_is(phase, "before_show") && !eg_is(phase, "before_send")) return 0;
  guardian_evaluate(question);
  eg_text out = eg_join(EG("{\"v\":1,\"decision\":\""), eg__z(names[eg__decision]));
  if (eg__findings.len) out = eg__listed(out, ",\"findings\":[", &eg__findings, "]");
  if (eg__obligations.len) out = eg__listed(out, ",\"obligations\":[", &eg__obligations, "]");
  out = eg_join(out, EG("}"));
  return EG__GIVE(out);
}

uint64_t EG__EXPORT(elicit_check_settings)(const char *at, uint32_t len) {
  guardian_check_settings((eg_value){at, len});
  eg_text out = eg__listed(EG("{\"v\":1,\"problems\":["), "", &eg__problems, "]}");
  return EG__GIVE(out);
}
#endif
#endif
