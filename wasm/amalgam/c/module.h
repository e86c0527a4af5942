/* module.h - what the translated code of the engine is made of: its memory, its table of functions, and the
 * instructions of WebAssembly that C does not have. Every access is checked. A bad one ends the call by elicit_trap. */
#ifndef ELICIT_MODULE_H
#define ELICIT_MODULE_H

#include <math.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;

#ifdef __GNUC__
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
#define UNLIKELY(condition) (condition)
#endif

#ifdef __GNUC__
#pragma GCC visibility push(hidden) /* only the functions of elicit.h are for others */
#endif

typedef struct elicit_module elicit_module;
typedef void elicit_any(void);

/* An entry of the table of functions: the function, and the number of its type. */
typedef struct elicit_entry {
  elicit_any *function;
  u32 type;
} elicit_entry;

/* What the memory begins with at one place. */
typedef struct elicit_segment {
  const u8 *bytes;
  u32 at, size;
} elicit_segment;

#include "generated.h"

/* One instance of the engine. The code knows nothing else, so instances do not touch each other. */
struct elicit_module {
  u8 *data;  /* its memory */
  u64 size;  /* of the memory, in bytes */
  u32 depth; /* how many of its functions wait for another */
  ELICIT_GLOBALS
  u64 room; /* bytes at data, of which those after size are zero */
  jmp_buf trapped;
};

extern const elicit_entry elicit_table[ELICIT_FUNCTIONS];
extern const elicit_segment elicit_segments[ELICIT_SEGMENTS];

/* Ends the call: it jumps to m->trapped. */
_Noreturn void elicit_trap(elicit_module *m);
u32 elicit_grow(elicit_module *m, u32 pages);
u32 elicit_pages(const elicit_module *m);

/* How deep calls may be nested. The engine refuses deep documents long before. */
#ifndef ELICIT_DEPTH
#define ELICIT_DEPTH 1000
#endif
#define ENTER(m)                                                  \
  u8 *data = m->data; /* C keeps these two in registers then */   \
  u64 size = m->size;                                             \
  if (UNLIKELY(++m->depth > ELICIT_DEPTH)) elicit_trap(m)
#define AGAIN data = m->data, size = m->size; /* after a call, memory may be elsewhere */
#define LEAVE(m) --m->depth

/* A call through the table. A function of another type ends the call. */
static inline elicit_any *elicit_find(elicit_module *m, u32 type, u32 function) {
  u32 at = function - ELICIT_FIRST;
  if (UNLIKELY(at >= ELICIT_FUNCTIONS || elicit_table[at].type != type)) elicit_trap(m);
  return elicit_table[at].function;
}
#define CALL(pointer, type, function, ...) ((pointer)elicit_find(m, type, function))(__VA_ARGS__)

#define CHECK(m, at, count) \
  if (UNLIKELY((at) + (u64)(count) > (m)->size)) elicit_trap(m)

/* An access to one value, at an offset from an address. Offsets below 65536 are not added before the check: the value
 * may then lie in the ELICIT_MARGIN bytes after the memory, which are there for this. A check is therefore one
 * comparison, and the compiler needs only one for all accesses at an address. */
#define ELICIT_MARGIN (65536 + 8)
#define LOW_BITS(offset) ((u64)(offset) & 65535)
#define HIGH_BITS(offset) ((u64)(offset) - LOW_BITS(offset))
#define READ(name, variable, address, offset)      \
  do {                                             \
    u64 at = (u64)(address) + HIGH_BITS(offset);   \
    if (UNLIKELY(at >= size)) goto trap;           \
    variable = name(data + at + LOW_BITS(offset)); \
  } while (0)
#define WRITE(name, address, offset, value)        \
  do {                                             \
    u64 at = (u64)(address) + HIGH_BITS(offset);   \
    if (UNLIKELY(at >= size)) goto trap;           \
    name(data + at + LOW_BITS(offset), value);     \
  } while (0)
#define TRAP \
  trap:      \
  elicit_trap(m);

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the memory of the engine is little-endian"
#endif

#define LOAD(name, stored, extended, type)    \
  static inline type name(const u8 *at) {     \
    stored value;                             \
    memcpy(&value, at, sizeof value);         \
    return (type)(extended)value;             \
  }
LOAD(i32_load, u32, u32, u32)
LOAD(i64_load, u64, u64, u64)
LOAD(f32_load, f32, f32, f32)
LOAD(f64_load, f64, f64, f64)
LOAD(i32_load8_s, s8, s32, u32)
LOAD(i64_load8_s, s8, s64, u64)
LOAD(i32_load8_u, u8, u32, u32)
LOAD(i64_load8_u, u8, u64, u64)
LOAD(i32_load16_s, s16, s32, u32)
LOAD(i64_load16_s, s16, s64, u64)
LOAD(i32_load16_u, u16, u32, u32)
LOAD(i64_load16_u, u16, u64, u64)
LOAD(i64_load32_s, s32, s64, u64)
LOAD(i64_load32_u, u32, u64, u64)

#define STORE(name, stored, type)            \
  static inline void name(u8 *at, type v) {  \
    stored value = (stored)v;                \
    memcpy(at, &value, sizeof value);        \
  }
STORE(i32_store, u32, u32)
STORE(i64_store, u64, u64)
STORE(f32_store, f32, f32)
STORE(f64_store, f64, f64)
STORE(i32_store8, u8, u32)
STORE(i32_store16, u16, u32)
STORE(i64_store8, u8, u64)
STORE(i64_store16, u16, u64)
STORE(i64_store32, u32, u64)

static inline void memory_fill(elicit_module *m, u32 to, u32 value, u32 count) {
  CHECK(m, (u64)to, count);
  memset(m->data + to, (int)(value & 0xff), count);
}

static inline void memory_copy(elicit_module *m, elicit_module *same, u32 to, u32 from, u32 count) {
  (void)same;
  CHECK(m, (u64)to, count);
  CHECK(m, (u64)from, count);
  memmove(m->data + to, m->data + from, count);
}

static inline u32 I32_POPCNT(u32 x) {
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  return ((x + (x >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}
static inline u64 I64_POPCNT(u64 x) { return I32_POPCNT((u32)x) + I32_POPCNT((u32)(x >> 32)); }
#ifdef __GNUC__
#define I32_CLZ(x) ((x) ? (u32)__builtin_clz(x) : 32)
#define I64_CLZ(x) ((x) ? (u64)__builtin_clzll(x) : 64)
#define I32_CTZ(x) ((x) ? (u32)__builtin_ctz(x) : 32)
#define I64_CTZ(x) ((x) ? (u64)__builtin_ctzll(x) : 64)
#else
static inline u64 I64_CTZ(u64 x) { return x ? I64_POPCNT((x & (0 - x)) - 1) : 64; }
static inline u32 I32_CTZ(u32 x) { return x ? I32_POPCNT((x & (0 - x)) - 1) : 32; }
static inline u64 I64_CLZ(u64 x) {
  int shift;
  for (shift = 1; shift < 64; shift *= 2) x |= x >> shift;
  return 64 - I64_POPCNT(x);
}
static inline u32 I32_CLZ(u32 x) { return x ? (u32)I64_CLZ(x) - 32 : 32; }
#endif
#define I32_ROTL(x, y) ((x) << ((y) & 31) | (x) >> ((0 - (y)) & 31))
#define I64_ROTL(x, y) ((x) << ((y) & 63) | (x) >> ((0 - (y)) & 63))
#define I32_ROTR(x, y) I32_ROTL(x, 0 - (y))
#define I64_ROTR(x, y) I64_ROTL(x, 0 - (y))

/* Division. Zero, and a result that does not fit, end the call. */
#define DIV_U(x, y) ((UNLIKELY((y) == 0) ? elicit_trap(m) : (void)0), (x) / (y))
#define REM_U(x, y) ((UNLIKELY((y) == 0) ? elicit_trap(m) : (void)0), (x) % (y))
#define SIGNED(name, type, narrow, least, overflow, operator)                              \
  static inline type name##_in(elicit_module *m, type x, type y) {                         \
    if (UNLIKELY(y == 0)) elicit_trap(m);                                                  \
    if (UNLIKELY((narrow)x == (least) && (narrow)y == -1)) return overflow;                \
    return (type)((narrow)x operator(narrow) y);                                           \
  }
SIGNED(I32_DIV_S, u32, s32, INT32_MIN, (elicit_trap(m), 0u), /)
SIGNED(I64_DIV_S, u64, s64, INT64_MIN, (elicit_trap(m), 0u), /)
SIGNED(I32_REM_S, u32, s32, INT32_MIN, 0, %)
SIGNED(I64_REM_S, u64, s64, INT64_MIN, 0, %)
#define I32_DIV_S(x, y) I32_DIV_S_in(m, x, y)
#define I64_DIV_S(x, y) I64_DIV_S_in(m, x, y)
#define I32_REM_S(x, y) I32_REM_S_in(m, x, y)
#define I64_REM_S(x, y) I64_REM_S_in(m, x, y)

/* Floating point. Only these are in use. The compiler of the library must not be told -ffast-math. */
static inline u32 I32_TRUNC_SAT_S_F64(f64 x) {
  if (!(x > -2147483649.0)) return x != x ? 0 : (u32)INT32_MIN;
  return x < 2147483648.0 ? (u32)(s32)x : (u32)INT32_MAX;
}
static inline u64 I64_TRUNC_SAT_S_F64(f64 x) {
  if (!(x >= -9223372036854775808.0)) return x != x ? 0 : (u64)INT64_MIN;
  return x < 9223372036854775808.0 ? (u64)(s64)x : (u64)INT64_MAX;
}
static inline u64 I64_TRUNC_SAT_U_F64(f64 x) {
  if (!(x > -1.0)) return 0;
  return x < 18446744073709551616.0 ? (u64)x : UINT64_MAX;
}
#define REINTERPRET(name, from, to)      \
  static inline to name(from x) {        \
    to result;                           \
    memcpy(&result, &x, sizeof result);  \
    return result;                       \
  }
REINTERPRET(f32_reinterpret_i32, u32, f32)
REINTERPRET(i32_reinterpret_f32, f32, u32)
REINTERPRET(f64_reinterpret_i64, u64, f64)
REINTERPRET(i64_reinterpret_f64, f64, u64)
static inline f64 wasm_quiet(f64 x) {
  return x != x ? f64_reinterpret_i64(i64_reinterpret_f64(x) | 0x7ff8000000000000u) : x;
}
static inline f32 wasm_quietf(f32 x) {
  return x != x ? f32_reinterpret_i32(i32_reinterpret_f32(x) | 0x7fc00000u) : x;
}
static inline f64 FMAX(f64 x, f64 y) {
  if (x != x || y != y) return x + y; /* a NaN */
  if (x == y) return signbit(x) ? y : x;
  return x > y ? x : y;
}
static inline f64 wasm_fabs(f64 x) {
  return f64_reinterpret_i64(i64_reinterpret_f64(x) & 0x7fffffffffffffffu);
}

/* What the module imports: the clock and randomness. */
u32 elicit_wasi_clock_time_get(elicit_module *m, u32 clock, u64 precision, u32 to);
u32 elicit_wasi_random_get(elicit_module *m, u32 to, u32 size);
/* ...and what it cannot have. */
u32 elicit_wasi_args_get(elicit_module *m, u32 list, u32 texts);
u32 elicit_wasi_args_sizes_get(elicit_module *m, u32 count, u32 size);
u32 elicit_wasi_fd_write(elicit_module *m, u32 file, u32 list, u32 count, u32 to);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
