package main

import (
	"encoding/hex"
	"errors"
	"strings"
)

// parseHead reads the hash of a record; it is nil for the text "".
func parseHead(text string) (*[32]byte, error) {
	if text == "" {
		return nil, nil
	}
	var hash [32]byte
	raw, err := hex.DecodeString(strings.ToLower(text))
	if err != nil || len(raw) != len(hash) {
		return nil, errors.New("--head is not a hash; give the 64 hex digits that `elicit log` printed as the head")
	}
	copy(hash[:], raw)
	return &hash, nil
}
