// Command second is another Go runtime in the process of libelicit. It is a shared library beside libelicit, or the
// program that loads libelicit.
package main

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stddef.h>

typedef struct { const char *data; size_t size; } bytes;

static const char *report(const char *path) {
  bytes out = {NULL, 0};
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  int (*selfcheck)(bytes *);
  if (library == NULL) return dlerror();
  *(void **)&selfcheck = dlsym(library, "elicit_selfcheck");
  if (selfcheck == NULL || selfcheck(&out) != 0) return "no self-check";
  return out.data;
}
*/
import "C"

import (
	"fmt"
	"os"
)

//export second
func second(n C.int) C.int { return 2 * n }

func main() { fmt.Println(C.GoString(C.report(C.CString(os.Args[1])))) }
