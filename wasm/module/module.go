// Package module reads and writes the sections of a Wasm module.
package module

import (
	"encoding/binary"
	"errors"
)

// HeadSize is how many bytes a module has before its first section.
const HeadSize = 8

// Section is one section of a module: its number and its content.
type Section struct {
	ID      byte
	Content []byte
}

// ErrShort says that a module ends inside a section.
var ErrShort = errors.New("the module ends too early")

// Sections returns the sections of a module in their order.
func Sections(module []byte) (list []Section, err error) {
	if len(module) < HeadSize {
		return nil, ErrShort
	}
	for rest := module[HeadSize:]; len(rest) > 0; {
		size, n := binary.Uvarint(rest[1:])
		if n <= 0 || size > uint64(len(rest)-1-n) {
			return nil, ErrShort
		}
		end := 1 + n + int(size)
		list = append(list, Section{rest[0], rest[1+n : end]})
		rest = rest[end:]
	}
	return list, nil
}

// Append appends the section to a module.
func (s Section) Append(module []byte) []byte {
	return append(binary.AppendUvarint(append(module, s.ID), uint64(len(s.Content))), s.Content...)
}
