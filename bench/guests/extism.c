/* The example of the kit for C as a plugin of Extism: the same rule, with input and output in Extism's memory. In a
 * copy of plugins/pdk/c/template
   with this file, build.sh makes it once it compiles guardian.c and extism.c. */
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("extism:host/env"), import_name(#name)))
IMPORT(input_length) uint64_t input_length(void);
IMPORT(input_load_u8) uint32_t input_u8(uint64_t at);
IMPORT(input_load_u64) uint64_t input_u64(uint64_t at);
IMPORT(alloc) uint64_t room(uint64_t size);
IMPORT(store_u8) void store_u8(uint64_t at, uint32_t byte);
IMPORT(store_u64) void store_u64(uint64_t at, uint64_t bytes);
IMPORT(output_set) void output(uint64_t at, uint64_t size);

char *elicit_alloc(uint32_t size);
uint64_t elicit_evaluate(char *at, uint32_t size);

__attribute__((export_name("evaluate"))) int32_t evaluate(void) {
  uint64_t size = input_length(), i = 0;
  char *in = elicit_alloc((uint32_t)size);
  for (; i + 8 <= size; i += 8) *(uint64_t *)(in + i) = input_u64(i);
  for (; i < size; i++) in[i] = (char)input_u8(i);
  uint64_t packed = elicit_evaluate(in, (uint32_t)size);
  if (!packed) return 1;
  const char *out = (const char *)(uint32_t)(packed >> 32);
  uint64_t n = (uint32_t)packed, to = room(n);
  for (i = 0; i + 8 <= n; i += 8) store_u64(to + i, *(const uint64_t *)(out + i));
  for (; i < n; i++) store_u8(to + i, (uint8_t)out[i]);
  output(to, n);
  return 0;
}
