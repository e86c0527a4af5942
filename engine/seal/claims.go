package seal

import (
	"github.com/elicit-engine/elicit/engine/internal/digest"
)

// Claims are written as issued at and expires at (8 bytes each), ID (16), arguments (32), the four texts with their
// lengths before them (2 bytes each), the number of questions (2), the questions (32 each), and the body. Numbers have
// their highest byte first. The encoding has one spelling for each value: fixed places, lengths in front, the body at
// the end. So equal claims give equal tokens, and no byte can stand for two members.

const fixedSize = 8 + 8 + idSize + digest.Size + 4*2 + 2

// most is what a length of two bytes can say.
const most = 1<<16 - 1

// texts are in the order of the encoding. textPointers has the same order.
func (c *Claims) texts() [4]*string {
	return [4]*string{&c.Principal, &c.Method, &c.Target, &c.Audience}
}

var textPointers = [4]string{"/principal", "/method", "/target", "/audience"}

// invalidMember returns the pointer of the first member that no token can hold.
func (c *Claims) invalidMember() string {
	var id [idSize]byte
	if !digest.ReadHex(id[:], c.ID) || digest.Hex(id[:]) != c.ID {
		return "/id"
	}
	for i, text := range c.texts() {
		if len(*text) > most {
			return textPointers[i]
		}
	}
	switch {
	case len(c.Questions) > most:
		return "/questions"
	case c.IssuedAt < 0 || c.IssuedAt > LastMoment:
		return "/issued_at"
	case c.ExpiresAt <= c.IssuedAt || c.ExpiresAt > LastMoment:
		return "/expires_at"
	}
	return ""
}

// size is the exact length of what append writes.
func (c *Claims) size() int {
	n := fixedSize + digest.Size*len(c.Questions) + len(c.Body)
	for _, text := range c.texts() {
		n += len(*text)
	}
	return n
}

func (c *Claims) append(dst []byte) []byte {
	dst = appendNumber(dst, c.IssuedAt, 8)
	dst = appendNumber(dst, c.ExpiresAt, 8)
	var id [idSize]byte
	digest.ReadHex(id[:], c.ID)
	dst = append(dst, id[:]...)
	dst = append(dst, c.Arguments[:]...)
	for _, text := range c.texts() {
		dst = append(appendNumber(dst, int64(len(*text)), 2), *text...)
	}
	dst = appendNumber(dst, int64(len(c.Questions)), 2)
	for i := range c.Questions {
		dst = append(dst, c.Questions[i][:]...)
	}
	return append(dst, c.Body...)
}

// read is the opposite of append. It returns false for what append does not write. The body aliases b. It reads only
// bytes whose tag was right, so a fault here is another version's and no attack. The lengths are checked all the same:
// a wrong one must not read beyond b.
func (c *Claims) read(b []byte) bool {
	if len(b) < fixedSize {
		return false
	}
	c.IssuedAt, b = readNumber(b, 8)
	c.ExpiresAt, b = readNumber(b, 8)
	c.ID, b = digest.Hex(b[:idSize]), b[idSize:]
	b = b[copy(c.Arguments[:], b):]
	for _, text := range c.texts() {
		if len(b) < 2 {
			return false
		}
		var n int64
		if n, b = readNumber(b, 2); int64(len(b)) < n {
			return false
		}
		*text, b = string(b[:n]), b[n:]
	}
	if len(b) < 2 {
		return false
	}
	n, b := readNumber(b, 2)
	// n is at most 65,535, so the product fits an int64 and the list at most 2 MiB.
	if int64(len(b)) < n*digest.Size {
		return false
	}
	if n > 0 {
		c.Questions = make([][32]byte, n)
	}
	for i := range c.Questions {
		b = b[copy(c.Questions[i][:], b):]
	}
	if len(b) > 0 {
		c.Body = b
	}
	return c.invalidMember() == ""
}

// appendNumber writes the lowest size bytes of n, the highest of them first.
func appendNumber(dst []byte, n int64, size int) []byte {
	for i := size - 1; i >= 0; i-- {
		dst = append(dst, byte(n>>(8*i)))
	}
	return dst
}

func readNumber(b []byte, size int) (n int64, rest []byte) {
	for _, part := range b[:size] {
		n = n<<8 | int64(part)
	}
	return n, b[size:]
}
