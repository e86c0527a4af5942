/* Reads operations from standard input: NAME, a tab, the size of the input, a newline, the input, a newline. It writes
 * the size of each answer, a newline and the answer. The Go test that runs it compares the answers. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#include "elicit.h"

int main(void) {
  char op[64];
  size_t size;
#ifdef _WIN32 /* sizes count every byte */
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
  while (scanf("%63s %zu", op, &size) == 2) {
    char *input = malloc(size + 1);
    elicit_bytes out;
    if (input == NULL || getchar() != '\n' || fread(input, 1, size, stdin) != size) return 2;
    if (elicit_eval(op, input, size, &out) != ELICIT_OK) return 3;
    printf("%zu\n", out.size);
    fwrite(out.data, 1, out.size, stdout);
    putchar('\n');
    fflush(stdout);
    elicit_release(&out);
    if (out.data != NULL || out.size != 0) return 4;
    free(input);
  }
  return 0;
}
