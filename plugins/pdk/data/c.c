#define ELICIT_GUARDIAN_IMPLEMENTATION
#include "elicit_guardian.h"

EG_MANIFEST("guardian.json");

void guardian_evaluate(eg_value question) {
  char *whole = eg_take(16), *tail = eg_take(16), none[4];
  uint32_t size = eg_data_size(), a = eg_data_read(size - 20, whole, 16), b = eg_data_read(size - 8, tail, 16);
  (void)question;
  if (eg_data_read(size, none, sizeof none) == 0 && size > 100) eg_decide(EG_ASK);
  eg_find(EG_LOW, "window", "", eg_join((eg_text){whole, a}, eg_join(EG("|"), (eg_text){tail, b})));
}

void guardian_check_settings(eg_value settings) { (void)settings; }
