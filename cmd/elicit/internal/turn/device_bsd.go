//go:build unix && !linux && !darwin

package turn

import "os"

func device(terminal *os.File) string { return numberOf(terminal) }
