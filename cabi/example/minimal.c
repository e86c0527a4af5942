/* The smallest host. It compiles a server's schema, prints the form, and checks an answer.
 *
 *   cc minimal.c $(pkg-config --cflags --libs elicit) -o minimal
 */
#include <elicit.h>
#include <stdio.h>
#include <string.h>

static const char asked[] =
    "{\"schema\":{\"type\":\"object\",\"properties\":{"
    "  \"region\":{\"type\":\"string\",\"title\":\"Region\",\"enum\":[\"eu\",\"us\"]},"
    "  \"percent\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100}},\"required\":[\"region\"]}}";

static void try_answer(elicit_handle form, const char *answer) {
  elicit_bytes out;
  if (elicit_check(form, answer, strlen(answer), &out) == ELICIT_OK) printf("%s -> %s\n", answer, out.data);
  elicit_release(&out);
}

int main(void) {
  elicit_handle form;
  elicit_bytes out;
  elicit_status status;
  if (elicit_abi() < ELICIT_ABI) return 2; /* the library is older than the header */
  status = elicit_form(asked, sizeof asked - 1, &form, &out);
  if (status != ELICIT_OK) { /* the schema cannot be asked: the problems say why, and where */
    fprintf(stderr, "%s: %s\n", elicit_status_name(status), out.data);
    elicit_release(&out);
    return 1;
  }
  printf("%s\n", out.data); /* the form to draw */
  elicit_release(&out);
  try_answer(form, "{\"region\":\"eu\",\"percent\":5}");
  try_answer(form, "{\"region\":\"moon\",\"percent\":500}");
  return elicit_close(form) == ELICIT_OK ? 0 : 1;
}
