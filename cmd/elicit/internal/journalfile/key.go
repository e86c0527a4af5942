package journalfile

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/elicit-engine/elicit/internal/trustedfile"

	"github.com/elicit-engine/elicit/engine/journal"
)

// Key makes and checks the codes of a keyed journal. A code is an HMAC-SHA-256 over the hash of a record, and that hash
// covers all records before. Without the key, nobody can change a record or write a new journal that verifies. A nil
// Key makes no codes.
type Key []byte

const (
	leastKey = 32
	mostKey  = 4096
)

// ReadKey reads a key, which is all bytes of a file. The file must belong to this user, and nobody else may read or
// write it. For an empty path the key is nil.
func ReadKey(path string) (Key, error) {
	if path == "" {
		return nil, nil
	}
	f, err := trustedfile.Open(path, os.O_RDONLY, trustedfile.Private)
	switch {
	case trustedfile.IsWrong(err):
		return nil, fmt.Errorf("the key cannot be used: %w", err)
	case err != nil:
		return nil, fmt.Errorf("the key cannot be read: %w; "+makeKey, err)
	}
	defer f.Close()
	key, err := io.ReadAll(io.LimitReader(f, mostKey+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("the key cannot be read: %w", err)
	case len(key) < leastKey || len(key) > mostKey:
		return nil, fmt.Errorf("the key %s has %d bytes, and %d to %d are needed; "+makeKey,
			path, len(key), leastKey, mostKey)
	}
	return key, nil
}

// makeKey is the advice for a missing or wrong key.
const makeKey = "make one with (umask 077; head -c 32 /dev/urandom > FILE)"

// context is part of every code, so that nobody can use a code that the same key made for another purpose.
const context = "elicit journal record 1\n"

func (k Key) code(hash [32]byte) (code [32]byte) {
	h := hmac.New(sha256.New, k)
	h.Write([]byte(context))
	h.Write(hash[:])
	h.Sum(code[:0])
	return code
}

// sign appends the record with its code to dst.
func (k Key) sign(dst, record []byte) ([]byte, error) {
	var hash [32]byte
	if end := len(record) - len(`"}`); end < 64 {
		return nil, errors.New("a record without a hash")
	} else if _, err := hex.Decode(hash[:], record[end-64:end]); err != nil {
		return nil, errors.New("a record without a hash")
	}
	return journal.WithMAC(dst, record, k.code(hash)), nil
}

// Codes is the state of Verify.
type Codes struct {
	Keyed  bool // a record had a code
	Failed bool // a record had no code, or one that the key did not make
}

// Verify yields lines as long as every record has a code that the key made. At the first other record it calls failed
// and stops. It yields a line that is not a valid record, because the reader of records reports that. With a nil key it
// only looks whether there are codes.
func (k Key) Verify(lines iter.Seq[[]byte], seen *Codes, failed func(error)) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var chain journal.Chain
		for line := range lines {
			if k == nil {
				seen.Keyed = seen.Keyed || hasCode(line)
			} else if rec, ok := chain.Next(line); ok {
				seen.Keyed = seen.Keyed || rec.MAC != ""
				if seen.Failed = !k.made(rec, chain.Head()); seen.Failed {
					failed(wrongCode(rec))
					return
				}
			}
			if !yield(line) {
				return
			}
		}
	}
}

// made reports whether a record has the code that the key makes. The head is that after the record.
func (k Key) made(rec journal.Record, head journal.Head) bool {
	code, err := hex.DecodeString(rec.MAC)
	want := k.code(head.Hash)
	return err == nil && hmac.Equal(code, want[:])
}

func hasCode(line []byte) bool {
	if n := len(line); n > 0 && line[n-1] == '\n' {
		line = line[:n-1]
	}
	_, code := journal.SplitMAC(line)
	return code != nil
}

func wrongCode(rec journal.Record) error {
	if rec.MAC == "" {
		return fmt.Errorf("record %d has no code of a key\n"+
			"  the journal was written without a key, or somebody without the key rewrote it; "+
			"read it without --journal-key only if you trust it", rec.Seq)
	}
	return fmt.Errorf("record %d was not written with this key\n"+
		"  it is the key of another journal, or somebody without the key wrote the record; check --journal-key", rec.Seq)
}
