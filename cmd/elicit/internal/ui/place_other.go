//go:build !unix

package ui

import "errors"

const noControl = 0

func makePipe(string) error { return errors.ErrUnsupported }
