/* The smallest host of a connection. It shows the effects of the messages of both ends.
 *
 *   cc connection.c $(pkg-config --cflags --libs elicit) -o connection
 */
#include <elicit.h>
#include <stdio.h>
#include <string.h>

static const char opening[] = "{\"relay\":{\"server\":\"backup\",\"role\":\"client\",\"modes\":[\"form\"]}}";

static const char leaving[] = "{\"event\":{\"event\":\"ended\",\"end\":\"host\"}}";

/* The messages of the ends, without line ends. */
static const char hello[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"example\",\"version\":\"1\"}}}";

static const char welcome[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
    "\"serverInfo\":{\"name\":\"backup\",\"version\":\"1\"}}}";

static const char question[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Keep for how long?\","
    "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"days\":{\"type\":\"integer\",\"maximum\":30}}}}}";

/* A real host would perform the effects in their order. A "forward" writes the line that was received. */
static void perform(elicit_status status, elicit_bytes *out) {
  printf("%s: %s\n", elicit_status_name(status), out->data);
  elicit_release(out);
}

int main(void) {
  elicit_handle relay;
  elicit_bytes out;
  elicit_status status = elicit_open(opening, sizeof opening - 1, &relay, &out);
  perform(status, &out);
  if (status != ELICIT_OK) return 1; /* the problems say why */
  perform(elicit_receive(relay, ELICIT_CLIENT, hello, sizeof hello - 1, &out), &out);
  perform(elicit_receive(relay, ELICIT_SERVER, welcome, sizeof welcome - 1, &out), &out);
  perform(elicit_receive(relay, ELICIT_SERVER, question, sizeof question - 1, &out), &out);
  perform(elicit_step(relay, leaving, sizeof leaving - 1, &out), &out);
  return elicit_close(relay) == ELICIT_OK ? 0 : 1;
}
