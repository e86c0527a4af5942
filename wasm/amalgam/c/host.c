/* host.c - instances of the engine behind the functions of elicit.h.
 *
 * A group of handles shares one instance, which takes one call at a time. A trap ends its group: its handles answer
 * ELICIT_INTERNAL from then on, and the other groups go on. Calls without a handle have an instance of their own. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* pthread.h */
#endif
#include "host.h"

#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "elicit.h"

#ifdef _WIN32
#include <windows.h>
#undef near /* call.h has members of these names */
#undef far
typedef SRWLOCK lock;
#define UNLOCKED SRWLOCK_INIT
#define ACQUIRE(l) AcquireSRWLockExclusive(l)
#define RELEASE(l) ReleaseSRWLockExclusive(l)
#else
#include <pthread.h>
typedef pthread_mutex_t lock;
#define UNLOCKED PTHREAD_MUTEX_INITIALIZER
#define ACQUIRE(l) pthread_mutex_lock(l)
#define RELEASE(l) pthread_mutex_unlock(l)
#endif

/* How many handles share an instance. With 1, a trap ends one connection, and each has 1.3 MB. */
#ifndef ELICIT_GROUP
#define ELICIT_GROUP 64
#endif

enum { OP_OPEN = 1, OP_STEP = 2, OP_CLOSE = 3, OP_FORM = 4, OP_CHECK = 5, OP_CLIENT = 7, OP_SERVER = 8,
       OP_ELAPSED = 11, OP_NEXT = 12, NO_OP = 1000, HEADER = 16, SMALL = 2 * ELICIT_PAGES * 65536, ALONE = -1 };

typedef struct group {
  elicit_module module;
  lock turn; /* held during a call */
  unsigned handles, users;
  int broken;
  struct group *next;
} group;

/* A handle is the generation of its slot and the slot's place. No two have the same generation. */
typedef struct slot {
  uint64_t inner; /* the handle in the instance; of a vacant slot, the next vacant one */
  group *group;   /* NULL if vacant */
  uint32_t generation;
  int busy; /* the number of checks, or ALONE */
} slot;

static lock all = UNLOCKED; /* of everything below; never held during a call of the engine */
static group *groups, *plain; /* plain has no handles */
static slot *slots;
static size_t slot_count, vacant; /* vacant is the place of a slot, from 1 on; 0 for none */
static uint32_t generation;

static const struct {
  const char *name;
  uint32_t op;
} operations[] = {
#include "ops.h"
};

static group *add_group(void) {
  group *g = calloc(1, sizeof *g);
  if (g == NULL) return NULL;
  if (!elicit_begin(&g->module)) {
    free(g);
    return NULL;
  }
#ifdef _WIN32
  InitializeSRWLock(&g->turn);
#else
  pthread_mutex_init(&g->turn, NULL);
#endif
  return g;
}

static void free_group(group *g) {
  free(g->module.data);
#ifndef _WIN32
  pthread_mutex_destroy(&g->turn);
#endif
  free(g);
}

/* tidy frees the groups that nobody uses. One that is as small as a new one may stay, for the next handle. */
static void tidy(int all_of_them) {
  group **at = &groups;
  int spare = all_of_them;
  if (plain != NULL && plain->users == 0 &&
      (all_of_them || plain->broken || plain->module.size > SMALL)) {
    free_group(plain);
    plain = NULL;
  }
  while (*at != NULL) {
    group *g = *at;
    if (g->users > 0 || g->handles > 0) {
      at = &g->next;
    } else if (!spare && !g->broken && g->module.size <= SMALL) {
      spare = 1;
      at = &g->next;
    } else {
      *at = g->next;
      free_group(g);
    }
  }
}

#ifdef __GNUC__
/* Frees what the library keeps without an open handle, when it is unloaded. */
__attribute__((destructor)) static void unload(void) {
  ACQUIRE(&all);
  tidy(1);
  if (groups == NULL && plain == NULL) {
    free(slots);
    slots = NULL;
    slot_count = vacant = 0;
  }
  RELEASE(&all);
}
#endif

static slot *find(uint64_t handle) {
  size_t at = (size_t)(handle & UINT32_MAX);
  slot *s = at == 0 || at > slot_count ? NULL : &slots[at - 1];
  return s == NULL || s->group == NULL || s->generation != handle >> 32 ? NULL : s;
}

/* place makes a handle. It returns 0 without memory. */
static uint64_t place(group *g, uint64_t inner) {
  slot *s;
  if (vacant == 0) {
    size_t i, more = slot_count == 0 ? 16 : slot_count;
    slot *larger = slot_count + more > UINT32_MAX ? NULL : realloc(slots, (slot_count + more) * sizeof *slots);
    if (larger == NULL) return 0;
    slots = larger;
    memset(slots + slot_count, 0, more * sizeof *slots);
    for (i = slot_count + more; i > slot_count; i--) {
      slots[i - 1].inner = vacant;
      vacant = i;
    }
    slot_count += more;
  }
  s = &slots[vacant - 1];
  vacant = (size_t)s->inner;
  if (++generation == 0) generation = 1;
  s->inner = inner;
  s->group = g;
  s->generation = generation;
  s->busy = 0;
  return (uint64_t)generation << 32 | (uint64_t)(s - slots + 1);
}

/* say answers a call with one problem. `near` has room for it. */
static int32_t say(elicit_call *c, elicit_status status, const char *args) {
  c->length = (size_t)snprintf(c->near, c->room, "{\"problems\":[{\"code\":\"%s\",\"pointer\":\"\"%s}]}",
                               args[0] == 0 ? elicit_status_name(status) : "message_too_long", args);
  return (int32_t)status;
}

/* choose finds the group of a call. A call that opens something counts as a handle from then on. */
static int32_t choose(elicit_call *c, group **to, slot **of) {
  group *g;
  slot *s;
  *of = NULL;
  *to = NULL;
  if (c->op == OP_OPEN || c->op == OP_FORM) {
    for (g = groups; g != NULL && (g->broken || g->handles >= ELICIT_GROUP); g = g->next) continue;
    if (g == NULL) {
      if ((g = add_group()) == NULL) return ELICIT_NO_MEMORY;
      g->next = groups;
      groups = g;
    }
    g->handles++;
  } else if (c->op == OP_STEP || c->op == OP_CLOSE || c->op == OP_CHECK || c->op == OP_CLIENT || c->op == OP_SERVER ||
             c->op == OP_NEXT) {
    if ((s = find(c->handle)) == NULL) return say(c, ELICIT_UNKNOWN_HANDLE, "");
    if (s->busy == ALONE || (s->busy > 0 && c->op != OP_CHECK)) return say(c, ELICIT_CONFLICT, "");
    s->busy = c->op == OP_CHECK ? s->busy + 1 : ALONE;
    g = s->group;
    *of = s;
  } else {
    if (plain == NULL && (plain = add_group()) == NULL) return ELICIT_NO_MEMORY;
    g = plain;
  }
  g->users++;
  *to = g;
  return ELICIT_OK;
}

/* take gives the answer of the engine to the caller. */
static int32_t take(elicit_module *m, elicit_call *c, u64 packed) {
  u64 at = packed >> 32, size = packed & UINT32_MAX;
  u32 status;
  if (size < HEADER || at + size > m->size) elicit_trap(m);
  memcpy(&status, m->data + at, sizeof status);
  memcpy(&c->opened, m->data + at + 8, sizeof c->opened);
  size -= HEADER;
  if (size < c->room) {
    memcpy(c->near, m->data + at + HEADER, (size_t)size);
  } else if ((c->far = malloc((size_t)size + 1)) != NULL) {
    memcpy(c->far, m->data + at + HEADER, (size_t)size);
    c->far[size] = 0;
  } else {
    size = 0;
  }
  c->length = (size_t)size;
  return (int32_t)status;
}

/* enter performs a call in an instance. */
static int32_t enter(group *g, elicit_call *c, uint64_t inner) {
  elicit_module *m = &g->module;
  u32 at;
  if (g->broken && c->op == OP_CLOSE) {
    memcpy(c->near, "{}", c->length = 2);
    return ELICIT_OK;
  }
  if (g->broken) return say(c, ELICIT_INTERNAL, "");
  if (setjmp(m->trapped) != 0) {
    g->broken = 1;
    free(m->data);
    m->data = NULL;
    return say(c, ELICIT_INTERNAL, "");
  }
  m->depth = 0;
  if (c->size > UINT32_MAX || (at = elicit_w_input(m, (u32)c->size)) == 0)
    return say(c, ELICIT_TOO_LARGE, ",\"args\":{\"limit\":67108864}");
  CHECK(m, (u64)at, c->size);
  if (c->size > 0) memcpy(m->data + at, c->input, c->size);
  elicit_w_call(m, OP_ELAPSED, (u64)elicit_now(1), 0, 0);
  return take(m, c, elicit_w_call(m, c->op, inner, (u64)elicit_now(0), (u32)c->size));
}

/* settle records what a call did to its handle. */
static int32_t settle(elicit_call *c, group *g, slot *s, int32_t status) {
  int opens = c->op == OP_OPEN || c->op == OP_FORM;
  g->users--;
  if (s != NULL) s->busy = s->busy == ALONE ? 0 : s->busy - 1;
  if (opens && status == ELICIT_OK && (c->opened = place(g, c->opened)) == 0) {
    free(c->far);
    c->length = 0;
  }
  if (opens && (status != ELICIT_OK || c->opened == 0)) g->handles--;
  if (c->op == OP_CLOSE && status == ELICIT_OK) {
    s->group = NULL;
    s->inner = vacant;
    vacant = (size_t)(s - slots + 1);
    g->handles--;
  }
  if (g->users == 0 && (g->handles == 0 || g->broken)) tidy(0);
  return status;
}

int32_t elicit_perform(elicit_call *c, int brief) {
  group *g;
  slot *s;
  uint64_t inner;
  size_t i, at;
  int32_t status;
  (void)brief;
  if (c->name != NULL) {
    c->op = NO_OP;
    for (i = 0; i < sizeof operations / sizeof *operations; i++)
      if (strcmp(operations[i].name, c->name) == 0) c->op = operations[i].op;
  }
  ACQUIRE(&all);
  status = choose(c, &g, &s);
  inner = s == NULL ? 0 : s->inner;
  at = s == NULL ? 0 : (size_t)(s - slots); /* the slots may move */
  RELEASE(&all);
  if (g == NULL) return status;
  ACQUIRE(&g->turn);
  status = enter(g, c, inner);
  RELEASE(&g->turn);
  ACQUIRE(&all);
  status = settle(c, g, s == NULL ? NULL : &slots[at], status);
  RELEASE(&all);
  return status;
}

int elicit_forked(void) { return 0; } /* a child has all that it needs */

void elicit_yield(void) {}

char *elicit_examine(void) {
  static const char well[] = "{\"ok\":true,\"warnings\":[]}";
  char *report = malloc(sizeof well);
  if (report != NULL) memcpy(report, well, sizeof well);
  return report;
}
