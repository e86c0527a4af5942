/* Tests the library without guests. Prints a line for each fault. */
#include <stdio.h>
#include <string.h>

#include "elicit.h"

static const char CONFIG[] =
    "{\"guardians\":[{\"name\":\"g\",\"digest\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\","
    "\"declared\":{\"phases\":[\"before_show\"],\"reads\":[]}}]}";

static const char OPENED[] =
    "{\"event\":{\"event\":\"opened\",\"session\":\"s\",\"server\":\"build\",\"side\":\"answering\","
    "\"declared\":[\"form\"],"
    "\"shown\":[\"form\"]}}";

static const char ASKED[] =
    "{\"event\":{\"event\":\"asked\",\"session\":\"s\",\"ref\":\"1\",\"mode\":\"form\",\"message\":\"Go on?\","
    "\"schema\":{\"type\":\"object\",\"properties\":{}}}}";

int main(void) {
  elicit_handle engine;
  elicit_bytes out;
  if (elicit_guest((const uint8_t *)"module", 6, &out) != ELICIT_INVALID || strstr(out.data, "\"no_guests\"") == NULL)
    printf("guest: %s\n", out.data);
  elicit_release(&out);
  if (elicit_open(CONFIG, sizeof CONFIG - 1, &engine, NULL) != ELICIT_OK ||
      elicit_step(engine, OPENED, sizeof OPENED - 1, NULL) != ELICIT_OK)
    printf("no engine\n");
  if (elicit_step(engine, ASKED, sizeof ASKED - 1, &out) != ELICIT_OK ||
      strstr(out.data, "{\"effect\":\"consult\"") == NULL)
    printf("step: %s\n", out.data);
  elicit_release(&out);
  return elicit_close(engine) == ELICIT_OK ? 0 : 1;
}
