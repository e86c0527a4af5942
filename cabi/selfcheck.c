/* Looks for dangers to a Go runtime in this process. Nothing here needs that runtime, so it works after fork too. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <link.h>
#endif

#include "call.h"

enum { ROOM = 8192, LAST_SIGNAL = 64 };

typedef struct report {
  char *text;
  size_t used;
  int warnings;
} report;

static void add(report *r, const char *text) {
  size_t n = strlen(text);
  memcpy(r->text + r->used, text, n + 1);
  r->used += n;
}

/* add_quoted adds text as a JSON string. It replaces characters that JSON would escape by '?'. */
static void add_quoted(report *r, const char *text) {
  char one[2] = {0, 0};
  add(r, "\"");
  for (; *text != 0; text++) {
    unsigned char c = (unsigned char)*text;
    one[0] = c < 32 || c > 126 || c == '"' || c == '\\' ? '?' : *text;
    add(r, one);
  }
  add(r, "\"");
}

static void warn(report *r, const char *code, const char *detail) {
  if (r->used + strlen(code) + strlen(detail) + 64 > ROOM) return; /* a warning is written whole or not at all */
  add(r, r->warnings++ == 0 ? "{\"code\":" : ",{\"code\":");
  add_quoted(r, code);
  add(r, ",\"detail\":");
  add_quoted(r, detail);
  add(r, "}");
}

/* move_handlers lets the handlers of the job control signals run on the alternate stack, which every thread of Go has.
 * Go does the same for the handlers of all other signals that it finds when it starts. It leaves out those whose
 * default only stops or continues the program, although such a handler overruns a goroutine's stack just as well.
 * Neovim has one for SIGCONT. A thread without an alternate stack ignores the flag. */
__attribute__((constructor)) static void move_handlers(void) {
  static const int left_out[] = {SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU};
  size_t i;
  for (i = 0; i < sizeof left_out / sizeof *left_out; i++) {
    struct sigaction now;
    if (sigaction(left_out[i], NULL, &now) != 0) continue;
    if ((now.sa_flags & SA_SIGINFO) == 0 && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) continue;
    now.sa_flags |= SA_ONSTACK;
    sigaction(left_out[i], &now, NULL);
  }
}

/* check_signals looks for handlers that would run on a goroutine's small stack. */
static void check_signals(report *r) {
  int n;
  for (n = 1; n <= LAST_SIGNAL; n++) {
    struct sigaction now;
    char number[12];
    if (sigaction(n, NULL, &now) != 0) continue;
    if ((now.sa_flags & SA_SIGINFO) == 0 && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)) continue;
    if ((now.sa_flags & SA_ONSTACK) != 0) continue;
    snprintf(number, sizeof number, "%d", n);
    warn(r, "signal_without_altstack", number);
  }
}

#ifdef __linux__
enum { MARK = 14, ALIGNED = 16 };

static const char *address(const struct dl_phdr_info *object, const ElfW(Phdr) *part) {
  return (const char *)(object->dlpi_addr + part->p_vaddr);
}

/* holds tells whether an object that was loaded contains these bytes. */
static int holds(const struct dl_phdr_info *object, const char *bytes, intptr_t size) {
  int i;
  for (i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *at = address(object, part), *end = at + part->p_filesz;
    if (part->p_type == PT_LOAD && bytes >= at && bytes < end && size <= end - bytes) return 1;
  }
  return 0;
}

static int is_ours(const struct dl_phdr_info *object) {
  return holds(object, (const char *)(size_t)&elicit_examine, 1);
}

/* is_go looks for the mark that Go's linker writes into the data of everything it builds. The mark is put together at
 * run time, so that this file's own data does not contain it. */
static int is_go(const struct dl_phdr_info *object) {
  char mark[MARK + 1] = "\xff.Go.buildinf:";
  int i;
  mark[1] = mark[4] = ' ';
  for (i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *at = address(object, part), *end = at + part->p_filesz;
    if (part->p_type != PT_LOAD || (part->p_flags & (PF_R | PF_W)) != (PF_R | PF_W)) continue;
    for (at += (ALIGNED - (size_t)at % ALIGNED) % ALIGNED; at + ALIGNED <= end; at += ALIGNED)
      if (memcmp(at, mark, MARK) == 0) return 1;
  }
  return 0;
}

/* An entry of runtime.sigtable, which says what Go does with each signal. */
typedef struct entry {
  int32_t flags;
  const char *name;
  intptr_t size;
} entry;

/* let_block lets Go's threads block a signal that they otherwise never block. A handler without SA_ONSTACK would
 * overrun the stack of a goroutine that collects garbage there. Without the entry, the signal stays as it was. It reads
 * between variables too, which AddressSanitizer must not take for an error. */
__attribute__((no_sanitize_address)) static void let_block(const struct dl_phdr_info *object, const char *name) {
  enum { UNBLOCK = 1 << 7 };
  const intptr_t length = (intptr_t)strlen(name);
  int i, k;
  for (i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *at = address(object, part), *end = at + part->p_filesz;
    if (part->p_type != PT_LOAD || (part->p_flags & PF_W) == 0) continue;
    for (k = 0; k < object->dlpi_phnum; k++) { /* the table is not in the part that the linker protects */
      const ElfW(Phdr) *fixed = &object->dlpi_phdr[k];
      if (fixed->p_type == PT_GNU_RELRO && address(object, fixed) >= at && address(object, fixed) < end)
        at = address(object, fixed) + fixed->p_memsz;
    }
    for (at += (ALIGNED - (size_t)at % ALIGNED) % ALIGNED; at + sizeof(entry) <= end; at += sizeof(void *)) {
      entry *one = (entry *)(size_t)at;
      if (one->size == length && (one->flags & UNBLOCK) != 0 && holds(object, one->name, length) &&
          memcmp(one->name, name, (size_t)length) == 0)
        one->flags &= ~UNBLOCK;
    }
  }
}

static int change_table(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (!is_ours(object)) return 0;
  let_block(object, "SIGCHLD: child status has changed");
  let_block(object, "SIGPROF: profiling alarm clock");
  return 1;
}

/* A constructor of this priority comes before the one that starts Go's runtime. */
__attribute__((constructor(101))) static void before_go(void) { dl_iterate_phdr(change_table, NULL); }

static int check_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size;
  if (!is_ours(object) && is_go(object))
    warn(context, "second_go_runtime", object->dlpi_name[0] != 0 ? object->dlpi_name : "the program itself");
  return 0;
}
#endif

char *elicit_examine(void) {
  report r = {malloc(ROOM), 0, 0};
  report whole = {malloc(ROOM + 64), 0, 0};
  if (r.text == NULL || whole.text == NULL) {
    free(r.text);
    free(whole.text);
    return NULL;
  }
  r.text[0] = 0;
  if (elicit_forked()) warn(&r, "forked", "");
  check_signals(&r);
#ifdef __linux__
  dl_iterate_phdr(check_object, &r);
#endif
  snprintf(whole.text, ROOM + 64, "{\"ok\":%s,\"warnings\":[%s]}", r.warnings == 0 ? "true" : "false", r.text);
  free(r.text);
  return whole.text;
}
