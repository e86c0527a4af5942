/* module.c - the memory of an instance, and what the engine imports: the clock and randomness. Nothing here or in the
 * code has a thread, a signal handler, a file or a state of the process. */
#if defined(__linux__)
#define _GNU_SOURCE /* syscall */
#include <sys/syscall.h>
#include <unistd.h>
#elif defined(_WIN32)
#define _CRT_RAND_S /* rand_s */
#include <windows.h>
#endif
#include <stdlib.h>
#include <time.h>

#include "host.h"

#define PAGE 65536u
#define OP_SEEDS 13

_Noreturn void elicit_trap(elicit_module *m) { longjmp(m->trapped, 1); }

u32 elicit_pages(const elicit_module *m) { return (u32)(m->size / PAGE); }

/* make_room gives new memory, of zeros, to an instance. What is never written there costs nothing. */
static int make_room(elicit_module *m, u64 room) {
  m->room = room;
  m->data = calloc(1, (size_t)room + ELICIT_MARGIN);
  return m->data != NULL;
}

/* copy_memory copies what is not zero to new memory. */
static void copy_memory(u8 *to, const u8 *from, u64 size) {
  static const u8 zeros[4096];
  u64 at;
  for (at = 0; at < size; at += sizeof zeros)
    if (memcmp(from + at, zeros, sizeof zeros) != 0) memcpy(to + at, from + at, sizeof zeros);
}

/* elicit_grow leaves room for as much again, so that memory is seldom copied. */
u32 elicit_grow(elicit_module *m, u32 pages) {
  u32 before = elicit_pages(m);
  u64 size = m->size + (u64)pages * PAGE;
  if (size >= (u64)UINT32_MAX || size > SIZE_MAX / 4) return UINT32_MAX;
  if (size > m->room) {
    elicit_module larger;
    if (!make_room(&larger, 2 * size)) return UINT32_MAX;
    copy_memory(larger.data, m->data, m->size);
    free(m->data);
    m->data = larger.data;
    m->room = larger.room;
  }
  m->size = size;
  return before;
}

int elicit_begin(elicit_module *m) {
  int i;
  memset(m, 0, sizeof *m);
  m->size = (u64)ELICIT_PAGES * PAGE;
  if (!make_room(m, 2 * m->size)) return 0;
  if (setjmp(m->trapped) != 0) {
    free(m->data);
    return 0;
  }
  for (i = 0; i < ELICIT_SEGMENTS; i++) {
    const elicit_segment *s = &elicit_segments[i];
    CHECK(m, (u64)s->at, s->size);
    memcpy(m->data + s->at, s->bytes, s->size);
  }
  ELICIT_SET_GLOBALS(m);
  elicit_w_call(m, OP_SEEDS, 0, 0, 0); /* the memory is that of an instance that has begun */
  return 1;
}

int64_t elicit_now(int elapsed) {
#if defined(_WIN32)
  FILETIME at;
  if (elapsed) return (int64_t)GetTickCount64();
  GetSystemTimeAsFileTime(&at);
  return (int64_t)(((u64)at.dwHighDateTime << 32 | at.dwLowDateTime) / 10000) - 11644473600000;
#else
  struct timespec at = {0, 0};
#if defined(__linux__)
  clock_gettime(elapsed ? CLOCK_BOOTTIME : CLOCK_REALTIME, &at);
#elif defined(__APPLE__)
  clock_gettime(elapsed ? CLOCK_MONOTONIC_RAW : CLOCK_REALTIME, &at); /* it counts suspended time there */
#else
  clock_gettime(elapsed ? CLOCK_MONOTONIC : CLOCK_REALTIME, &at);
#endif
  return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
#endif
}

u32 elicit_wasi_clock_time_get(elicit_module *m, u32 clock, u64 precision, u32 to) {
  u64 at = (u64)elicit_now(clock != 0) * 1000000;
  (void)precision;
  CHECK(m, (u64)to, 8);
  memcpy(m->data + to, &at, 8);
  return 0;
}

/* random_bytes returns 0 if it could not fill them. */
static int random_bytes(u8 *to, size_t size) {
#if defined(__linux__)
  while (size > 0) {
    long got = syscall(SYS_getrandom, to, size, 0);
    if (got <= 0) return 0;
    to += got;
    size -= (size_t)got;
  }
#elif defined(_WIN32)
  for (; size > 0; size--) {
    unsigned number;
    if (rand_s(&number) != 0) return 0;
    *to++ = (u8)number;
  }
#else
  arc4random_buf(to, size);
#endif
  return 1;
}

u32 elicit_wasi_random_get(elicit_module *m, u32 to, u32 size) {
  CHECK(m, (u64)to, size);
  return random_bytes(m->data + to, size) ? 0 : 29; /* EIO */
}

/* The module has no arguments. */
u32 elicit_wasi_args_sizes_get(elicit_module *m, u32 count, u32 size) {
  CHECK(m, (u64)count, 4);
  CHECK(m, (u64)size, 4);
  memset(m->data + count, 0, 4);
  memset(m->data + size, 0, 4);
  return 0;
}

u32 elicit_wasi_args_get(elicit_module *m, u32 list, u32 texts) {
  (void)m, (void)list, (void)texts;
  return 0;
}

/* The runtime says here why it is about to trap. */
u32 elicit_wasi_fd_write(elicit_module *m, u32 file, u32 list, u32 count, u32 to) {
  (void)m, (void)file, (void)list, (void)count, (void)to;
  return 8; /* EBADF */
}
