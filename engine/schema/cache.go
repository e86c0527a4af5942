package schema

import "github.com/elicit-engine/elicit/engine/elicit"

// Cache keeps the forms compiled last, for peers that ask the same question again. It belongs to one owner, is not safe
// for concurrent use, and changes no result: a form is immutable and found only by the exact bytes and options it came
// from. The zero value is empty and ready.
type Cache struct {
	list  []cached // the one used last is last
	bytes int
}

type cached struct {
	schema  string
	options Options
	form    *Form
}

// Bounds of a Cache. A form takes a small multiple of its schema.
const (
	maxCached      = 32
	maxCachedBytes = 256 << 10
)

// Compile is the function Compile with a memory. Problems are never kept.
func (c *Cache) Compile(schema []byte, o Options) (*Form, []elicit.Problem) {
	// Two schemas rarely have one length, so comparing the bytes at once costs less than a hash of them would.
	for i := len(c.list) - 1; i >= 0; i-- {
		if e := &c.list[i]; len(e.schema) == len(schema) && e.schema == string(schema) && e.options == o {
			form := e.form
			c.touch(i)
			return form, nil
		}
	}
	form, problems := Compile(schema, o)
	if form != nil {
		c.keep(cached{string(schema), o, form})
	}
	return form, problems
}

// touch makes entry i the one used last.
func (c *Cache) touch(i int) {
	if last := len(c.list) - 1; i != last {
		e := c.list[i]
		copy(c.list[i:], c.list[i+1:])
		c.list[last] = e
	}
}

// keep adds an entry and drops those not used for longest.
func (c *Cache) keep(e cached) {
	if len(e.schema) > maxCachedBytes {
		return
	}
	drop := 0
	for c.bytes += len(e.schema); c.bytes > maxCachedBytes || len(c.list)-drop >= maxCached; drop++ {
		c.bytes -= len(c.list[drop].schema)
	}
	if drop > 0 {
		kept := copy(c.list, c.list[drop:])
		clear(c.list[kept:])
		c.list = c.list[:kept]
	}
	c.list = append(c.list, e)
}
